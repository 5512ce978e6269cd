// SPDX-License-Identifier: Apache-2.0
// step_walks.cpp: a recorded trace on the standard schedule (docs/guide/schedule.md), the unit at
// rest between walks, with the harness as driver.
#include "alone.h"
#include "driver/driver.h"
#include "host/duel_side.h"
#include "host/host_side.h"
#include "progress.h"
#include "unit.h"
#include "walks.h"

namespace {

bool alike(const gmmu_tier_decision &a, const gmmu_tier_decision &b) {
    return a.seq == b.seq && a.tier == b.tier && a.frame == b.frame && a.priority == b.priority &&
           a.vpn == b.vpn && a.victim_vpn == b.victim_vpn && a.victim_dirty == b.victim_dirty &&
           a.rise == b.rise && a.swap == b.swap && a.pred == b.pred && a.forced == b.forced &&
           a.t2_valid == b.t2_valid && a.t2_slot == b.t2_slot && a.t2_vpn == b.t2_vpn &&
           a.t2_dirty == b.t2_dirty;
}

// The RTL and LEU decide alike: the RTL's order of actions and the standard schedule's.
bool alike(const Unit &unit, const Alone &alone) {
    return unit.decisions.size() == alone.decisions.size() && !unit.decisions.empty() &&
           alike(unit.decisions.back(), alone.decisions.back());
}

// What the host says of its victims; the row's note and mismatches.
void judge(const HostSide &host, const Unit &unit, const Walks &w, const gmmu_config &cfg,
           Row *row) {
    bool lost;
    const std::string said = host.report(unit, &lost);
    const gmmu_tier &twin = unit.twin();
    row->say(std::to_string(host.alike) + " of " + std::to_string(host.asked) + " victims alike; " +
             said);
    row->mismatches += lost || twin.rit_export.drops != 0;  // the unit rests: the host keeps up
    // where the tables are equal, all must be alike: no row of either was ever taken away
    bool taken = false;
    for (unsigned r = 0; r < cfg.classes; r++)
        taken |= twin.rit.way[r].valid && twin.rit.way[r].gen != 1;
    if (json_is_true(json_object_get(w.rit, "alike")) && !taken)
        row->mismatches += host.alike != host.asked || host.asked == 0;
    row->note += taken ? "; rows were taken away" : "";
}

// Both sides, or the one that the mode asks for, with the harness as driver and who listens.
class AtRest {
   public:
    Unit unit;
    Row &row;

    AtRest(Walks *walks, const gmmu_config &config, const Options &options)
        : unit(config, walks->regs, options),
          row(walks->row),
          w(*walks),
          cfg(config),
          o(options),
          alone(config, walks->regs),
          harness(walks->regs.frames,
                  walks->regs.tier != GMMU_PLACE_NONE ? walks->regs.t2_slots : 0),
          host(config, walks->regs),
          duel(config, walks->regs, json_is_true(json_object_get(walks->rit, "duel"))),
          with_rit(walks->rit_ready != 0 && options.cross()) {
        if (w.rit_ready == 0)
            return;
        unit.rit_ready(w.rit_ready);
        if (duel.on())
            duel.listen(&unit);
        else
            host.listen(&unit);
    }
    // False: a mismatch.
    bool walk(const gmmu_walk &recorded) {
        gmmu_tier_walk_in sent = walk_of(recorded, cfg);
        harness.book.look_up(&sent);
        uint32_t share;
        if (with_rit && duel.wishes(&share)) {
            unit.protect(share);
            alone.protect(share);
        }
        const bool ok = !o.rtl() || unit.walk(sent);
        if (o.model())
            (void)alone.walk(sent);
        row.events++;
        return ok && sent.fault ? faulted() : ok;
    }
    // After the last walk. BOUND: of the longest search, 0: none.
    void judge_run(uint64_t bound) {
        if (unit.mismatch().found)
            row.differs(unit.mismatch().text());
        if (bound != 0 && row.mismatches == 0 && o.cross()) {
            row.say("longest search " + std::to_string(row.did.longest_search) + " cycles (bound " +
                    std::to_string(bound) + ")");
            row.mismatches += row.did.longest_search > bound || row.did.longest_search == 0;
        }
        if (with_rit && row.mismatches == 0 && duel.on()) {
            bool lost;
            row.say(duel.report(unit, &lost));
            row.mismatches += lost;
        } else if (with_rit && row.mismatches == 0) {
            judge(host, unit, w, cfg, &row);
        }
        row.evictions.push_back({"unit", evictions});
        // the policies' counts are of the whole trace
        if (row.mismatches == 0 && w.limit >= w.trace.walks)
            compare_evictions();
    }

   private:
    Walks &w;
    const gmmu_config &cfg;
    const Options &o;
    Alone alone;
    driver::Driver harness;
    HostSide host;
    DuelSide duel;
    const bool with_rit;  // somebody listens to the records
    uint64_t evictions = 0;

    // The walk faulted: there is a decision, and it is answered.
    bool faulted() {
        row.faults++;
        const std::string at = "walk " + std::to_string(row.events);
        if (o.cross() && !alike(unit, alone)) {
            row.differs(at + ": the RTL decides otherwise than the standard schedule");
            return false;
        }
        const std::vector<gmmu_tier_decision> &made = o.rtl() ? unit.decisions : alone.decisions;
        if (made.empty() || made.back().tier == GMMU_TIER_NONE) {
            row.differs(at + ": no decision for a fault");
            return false;
        }
        const gmmu_tier_decision decision = made.back();
        unit.decisions.clear();
        alone.decisions.clear();
        evictions += driver::has_victim(decision);
        return answer(decision);
    }
    bool answer(const gmmu_tier_decision &decision) {
        bool ok = true;
        harness.decided(decision);
        for (const driver::Operation *op; (op = harness.next()) != nullptr; harness.taken()) {
            if (with_rit && !duel.on() && driver::fills(*op))
                host.decided(decision, op->frame);
            if (o.rtl())
                ok = ok && unit.drv(*op);
            if (o.model())
                alone.drv(*op);
        }
        return ok;
    }
    // What policies evict on the same trace.
    void compare_evictions() {
        const uint32_t frames = w.regs.frames;
        for (const char *p : {"leu-exact", "lru", "clock", "opt"})
            row.evictions.push_back({p, w.trace.evictions(p, frames)});
        // the policies know the named configurations alone
        if (w.rit_ready == 0 || duel.on() || gmmu_config_find(cfg.name) == nullptr)
            return;
        const std::string options = std::string("config=") + cfg.name +
                                    ":feed=" + std::to_string(w.regs.feed) +
                                    ":censor=" + std::to_string(w.regs.censor);
        const std::string batch = options + ":batch=" + std::to_string(w.regs.rit_batch);
        row.evictions.push_back({"leu", w.trace.evictions("leu", frames, options.c_str())});
        row.evictions.push_back({"leu-host", w.trace.evictions("leu-host", frames, batch.c_str())});
    }
};

}  // namespace

Keys walks_keys(const gmmu_config &cfg) {
    return recorded_keys(cfg, {truth_key("alike")}) + Keys{number_key("decision_cycles", 0)};
}

Row run_walks(json_t *j, const gmmu_config &cfg, const Options &o) {
    Walks w(j, cfg);
    AtRest run(&w, cfg, o);
    Row &row = w.row;
    bool ok = !o.rtl() || run.unit.reset();
    Reader in(w.trace.path);
    Progress progress(row.step);
    gmmu_walk walk;
    while (ok && row.events < w.limit && in.next(&walk)) {
        ok = run.walk(walk);
        progress.at(row.events, w.trace.walks, run.unit.did().cycles);
    }
    if (o.rtl() && ok)
        run.unit.finish();
    row.seconds = progress.seconds();
    row.did = run.unit.did();
    run.judge_run(number_of(j, "decision_cycles", 0));
    return row;
}
