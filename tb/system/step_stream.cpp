// SPDX-License-Identifier: Apache-2.0
// step_stream.cpp: a recorded trace as a stream.
//
// Walks come at random gaps of 1 to GAP cycles and wait for nothing; the driver answers each
// decision 1 to LATENCY cycles later. The walker holds back a fault only while all entries of the
// queue are taken. It keeps when a page that left was used last, and says so when it comes back.
// With "shares", cfg_protect changes while all this goes on; with "duel", a driver's duel sets it.
#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <utility>

#include "driver.h"
#include "host/duel_side.h"
#include "host/gmt_side.h"
#include "host/host_side.h"
#include "host/slots_side.h"
#include "progress.h"
#include "unit.h"
#include "walks.h"

namespace {

class Stream {
   public:
    Unit unit;
    DuelSide duel;
    GmtSide gmt;
    uint64_t events = 0, faults = 0, evictions = 0, changes = 0, returned = 0;
    uint32_t most = 0, above = 0;  // frames that were protected, and above the limit

    Stream(const Walks &walks, const gmmu_config &config, const Options &o)
        : unit(config, walks.regs, o),
          duel(config, walks.regs, json_is_true(json_object_get(walks.rit, "duel"))),
          gmt(config, walks.regs, json_is_true(json_object_get(walks.rit, "gmt"))),
          w(walks),
          cfg(config),
          rng(o.seed),
          where(walks.regs.frames),
          slots(walks.regs.tier != GMMU_PLACE_NONE ? walks.regs.t2_slots : 0),
          in(walks.trace.path) {}

    // False: a mismatch, or it does not come to an end.
    bool run(Progress *progress) {
        bool ok = unit.reset(), quiet = false;
        more = in.next(&walk);
        while (ok && (more || !quiet || !answers.empty() || !ops.empty() || drv_waits)) {
            cycle++;
            if (w.shares != 0 && cycle >= share_at)
                share();
            uint32_t wish;
            if (duel.wishes(&wish))
                unit.protect(wish);
            gmmu_gmt_registers r;
            if (gmt.wishes(&r))
                unit.foresee(r.model, r.near, r.far);
            if (offer_walk())
                progress->at(events, w.trace.walks, unit.did().cycles);
            offer_drv();
            unit.take_decisions(rng() % 4 != 0);
            const Cycle c = unit.cycle();
            quiet = c.quiet;
            if (c.drv_taken)
                taken();
            if (c.decided)
                decided(c.decision);
            const gmmu_segment &s = unit.twin().frames.segment;
            most = std::max(most, s.count);
            if (s.count > s.limit)
                above = std::max(above, s.count - s.limit);
            ok = !unit.mismatch().found && cycle < 10000 * (w.trace.walks + 1000);
        }
        if (ok)
            unit.finish();
        return ok;
    }

   private:
    struct Answer {
        uint64_t due;
        gmmu_tier_decision d;
    };
    const Walks &w;
    const gmmu_config &cfg;
    std::mt19937_64 rng;
    Residency where;
    SlotsSide slots;
    std::deque<gmmu_tier_drv_in> ops;  // what is left of the answer under way
    Reader in;
    std::deque<Answer> answers;
    std::set<std::pair<uint32_t, uint64_t>> outstanding;
    gmmu_walk walk;
    bool more = false, drv_waits = false;
    uint64_t next_at = 0, share_at = 0, cycle = 0;
    std::map<std::pair<uint32_t, uint64_t>, uint64_t> last;  // walk of a page that left
    gmmu_tier_decision filling = {};

    // True: a walk came.
    bool offer_walk() {
        if (!more || cycle < next_at)
            return false;
        const int64_t frame = where.find({walk.asid, walk.vpn});
        const std::pair<uint32_t, uint64_t> page(walk.asid, walk.vpn);
        if (frame < 0 && outstanding.count(page) == 0 && outstanding.size() >= cfg.faults)
            return false;
        gmmu_tier_walk_in sent = walk_of(walk, frame, cfg);
        slots.asks(&sent);
        unit.offer_walk(sent);
        if (sent.fault)
            faults += outstanding.insert(page).second;
        events++;
        more = events < w.limit && in.next(&walk);
        next_at = cycle + (w.gap > 1 ? 1 + rng() % w.gap : 1);
        return true;
    }
    void offer_drv() {
        if (drv_waits)
            return;
        if (ops.empty()) {
            if (answers.empty() || cycle < answers.front().due)
                return;
            filling = answers.front().d;
            answers.pop_front();
            if (filling.tier == GMMU_TIER_NONE)
                ops.push_back(drv_op(GMMU_ASK, 0, filling.asid, filling.vpn));
            else
                for (const gmmu_tier_drv_in &d :
                     slots.answer(filling, returning(where.prepare(filling))))
                    ops.push_back(d);
        }
        unit.offer_drv(ops.front());
        ops.pop_front();
        drv_waits = true;
    }
    gmmu_tier_drv_in returning(gmmu_tier_drv_in fill) {
        const auto was = last.find({fill.asid, fill.vpn});
        if (was != last.end() && events - was->second < 1ull << (cfg.time_w - 2)) {
            fill.returns = true;
            fill.was = static_cast<uint32_t>(was->second & unit.twin().walk.time_mask);
            returned++;
        }
        return fill;
    }
    void share() {
        const uint32_t some[] = {0, 13, 128, 217, 255, static_cast<uint32_t>(rng() % 256)};
        unit.protect(some[rng() % 6]);
        share_at = cycle + 1 + rng() % w.shares;
        changes++;
    }
    void taken() {
        drv_waits = false;
        if (filling.tier == GMMU_TIER_NONE || !ops.empty())
            return;
        where.arrived();
        outstanding.erase({filling.asid, filling.vpn});
    }
    void decided(const gmmu_tier_decision &d) {
        slots.decided(d);
        if (d.tier == GMMU_TIER_2 || d.tier == GMMU_TIER_3) {
            evictions++;
            where.unmap(d.frame);  // at once: nobody may still hit it
            last[{d.victim_asid, d.victim_vpn}] =
                events - ((events - d.victim_last) & unit.twin().walk.time_mask);
        }
        const uint64_t due = cycle + 1 + rng() % w.latency;
        answers.push_back({answers.empty() ? due : std::max(due, answers.back().due), d});
    }
};

// Where the victims went.
std::string placed(const Activity &did) {
    return std::to_string(did.placed[Activity::SWAPPED]) + " victims swapped, " +
           std::to_string(did.placed[Activity::HAD_ROOM]) + " to Tier 2, " +
           std::to_string(did.placed[Activity::EVICTED]) + " in another's place, " +
           std::to_string(did.placed[Activity::TO_TIER_3]) + " to Tier 3";
}

}  // namespace

Keys stream_keys(const gmmu_config &cfg) {
    return recorded_keys(cfg, {truth_key("gmt")}) +
           Keys{number_key("latency", 1), number_key("gap", 1), number_key("shares", 0)};
}

Row run_stream(json_t *j, const gmmu_config &cfg, const Options &o) {
    if (!o.rtl())  // the twin alone has no cycles
        return run_walks(j, cfg, o);
    Walks w(j, cfg);
    Row &row = w.row;
    Stream s(w, cfg, o);
    HostSide host(cfg, w.regs);
    if (w.rit_ready != 0) {
        s.unit.rit_ready(w.rit_ready);
        if (s.duel.on())
            s.duel.listen(&s.unit);
        else if (s.gmt.on())
            s.gmt.listen(&s.unit);
        else
            host.listen(&s.unit);
    }
    Progress progress(row.step);
    const bool ok = s.run(&progress);
    const gmmu_tier &twin = s.unit.twin();
    row.events = s.events;
    row.faults = s.faults;
    row.seconds = progress.seconds();
    row.did = s.unit.did();
    row.note = std::to_string(s.evictions) + " evictions; " + std::to_string(twin.stats.merged) +
               " faults joined, " + std::to_string(twin.stats.rec_drops) + " records dropped, " +
               std::to_string(twin.sampler.stolen) + " samples stolen";
    if (s.most != 0)
        row.note += "; up to " + std::to_string(s.most) + " frames protected, " +
                    std::to_string(s.above) + " above the limit, " + std::to_string(s.returned) +
                    " pages returned";
    if (w.regs.tier != GMMU_PLACE_NONE)
        row.note += "; " + placed(row.did) + ", " + std::to_string(twin.stats.t2_stale) +
                    " stale, longest PLACE " + std::to_string(row.did.longest_place) + " cycles";
    if (s.changes != 0)
        row.note += ", " + std::to_string(s.changes) + " times another share";
    if (w.rit_ready != 0 && o.cross()) {
        bool lost;
        row.note += "; " + (s.duel.on()  ? s.duel.report(s.unit, &lost)
                            : s.gmt.on() ? s.gmt.report(s.unit, &lost)
                                         : host.report(s.unit, &lost));
        row.mismatches += lost;
    }
    if (s.unit.mismatch().found)
        row.differs(s.unit.mismatch().text());
    else if (!ok)
        row.differs("does not come to an end");
    return row;
}
