// SPDX-License-Identifier: Apache-2.0
// step_stream.cpp: a recorded trace as a stream.
//
// Walks come at random gaps of 1 to GAP cycles and wait for nothing; the driver answers each
// decision 1 to LATENCY cycles later. The walker holds back a fault only while all entries of the
// queue are taken. It keeps when a page that left was used last, and says so when it comes back.
// With "shares", cfg_protect changes while all this goes on; with "duel", a driver's duel sets it.
#include <algorithm>
#include <map>
#include <random>

#include "driver/driver.h"
#include "host/duel_side.h"
#include "host/gmt_side.h"
#include "host/host_side.h"
#include "progress.h"
#include "unit.h"
#include "walks.h"

namespace {

// A driver that answers each decision 1 to LATENCY cycles later, and that keeps the last walk of
// each page that left.
class Late : public driver::Driver {
   public:
    uint64_t evictions = 0, returned = 0;

    // *WALKS_SO_FAR: how many walks went to the unit.
    Late(const Walks &walks, const gmmu_config &config, std::mt19937_64 *random,
         const uint64_t *walks_so_far)
        : Driver(walks.regs.frames, walks.regs.tier != GMMU_PLACE_NONE ? walks.regs.t2_slots : 0),
          cycles(walks.latency),
          time_w(config.time_w),
          rng(*random),
          now(*walks_so_far) {}

   protected:
    uint64_t latency() override { return 1 + rng() % cycles; }
    void depart(const driver::Decision &d) override {
        Driver::depart(d);
        if (!driver::has_victim(d))
            return;
        evictions++;
        last[{d.victim_asid, d.victim_vpn}] = now - ((now - d.victim_last) & mask());
    }
    driver::Operation bring(const driver::Decision &d) override {
        driver::Operation o = Driver::bring(d);
        const auto was = last.find(driver::page_of(d));
        if (o.op == GMMU_FILL && was != last.end() && now - was->second < 1ull << (time_w - 2)) {
            o.returns = true;
            o.was = static_cast<uint32_t>(was->second & mask());
            returned++;
        }
        return o;
    }

   private:
    const uint64_t cycles;
    const unsigned time_w;
    std::mt19937_64 &rng;
    const uint64_t &now;
    std::map<driver::Page, uint64_t> last;  // walk of a page that left

    uint64_t mask() const { return (1ull << time_w) - 1; }
};

class Stream {
   public:
    Unit unit;
    DuelSide duel;
    GmtSide gmt;
    Late late;
    uint64_t events = 0, faults = 0, changes = 0;
    uint32_t most = 0, above = 0;  // frames that were protected, and above the limit

    Stream(const Walks &walks, const gmmu_config &config, const Options &o)
        : unit(config, walks.regs, o),
          duel(config, walks.regs, json_is_true(json_object_get(walks.rit, "duel"))),
          gmt(config, walks.regs, json_is_true(json_object_get(walks.rit, "gmt"))),
          late(walks, config, &rng, &events),
          w(walks),
          cfg(config),
          rng(o.seed),
          in(walks.trace.path) {}

    // False: a mismatch, or it does not come to an end.
    bool run(Progress *progress) {
        bool ok = unit.reset(), quiet = false;
        more = in.next(&walk);
        while (ok && (more || !quiet || !late.done())) {
            cycle++;
            write_registers();
            if (offer_walk())
                progress->at(events, w.trace.walks, unit.did().cycles);
            if (const driver::Operation *o = late.next(cycle))
                unit.offer_drv(*o);
            unit.take_decisions(rng() % 4 != 0);
            const Cycle c = unit.cycle();
            quiet = c.quiet;
            if (c.drv_taken)
                late.taken();
            if (c.decided)
                late.decided(c.decision);
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
    const Walks &w;
    const gmmu_config &cfg;
    std::mt19937_64 rng;
    Reader in;
    gmmu_walk walk;
    bool more = false;
    uint64_t next_at = 0, share_at = 0, cycle = 0;

    // What the driver's models, or chance, write in this cycle.
    void write_registers() {
        if (w.shares != 0 && cycle >= share_at)
            share();
        uint32_t wish;
        if (duel.wishes(&wish))
            unit.protect(wish);
        gmmu_gmt_registers r;
        if (gmt.wishes(&r))
            unit.foresee(r.model, r.near, r.far);
    }
    // True: a walk came.
    bool offer_walk() {
        if (!more || cycle < next_at)
            return false;
        gmmu_tier_walk_in sent = walk_of(walk, cfg);
        late.book.look_up(&sent);
        if (sent.fault && !late.book.waits({walk.asid, walk.vpn}) &&
            late.book.asked.size() >= cfg.faults)
            return false;
        unit.offer_walk(sent);
        faults += late.book.walked(sent, cycle);
        events++;
        more = events < w.limit && in.next(&walk);
        next_at = cycle + (w.gap > 1 ? 1 + rng() % w.gap : 1);
        return true;
    }
    void share() {
        const uint32_t some[] = {0, 13, 128, 217, 255, static_cast<uint32_t>(rng() % 256)};
        unit.protect(some[rng() % 6]);
        share_at = cycle + 1 + rng() % w.shares;
        changes++;
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
    row.say(std::to_string(s.late.evictions) + " evictions; " + std::to_string(twin.stats.merged) +
            " faults joined, " + std::to_string(twin.stats.rec_drops) + " records dropped, " +
            std::to_string(twin.sampler.stolen) + " samples stolen");
    if (s.most != 0)
        row.note += "; up to " + std::to_string(s.most) + " frames protected, " +
                    std::to_string(s.above) + " above the limit, " +
                    std::to_string(s.late.returned) + " pages returned";
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
