// SPDX-License-Identifier: Apache-2.0
// step_walks.cpp: a recorded trace on the standard schedule (docs/guide/schedule.md), the unit at
// rest between walks, with the harness as driver.
#include "alone.h"
#include "driver.h"
#include "host/duel_side.h"
#include "host/host_side.h"
#include "host/slots_side.h"
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
    row->note = std::to_string(host.alike) + " of " + std::to_string(host.asked) +
                " victims alike; " + said;
    row->mismatches += lost || twin.rit_export.drops != 0;  // the unit rests: the host keeps up
    // where the tables are equal, all must be alike: no row of either was ever taken away
    bool taken = false;
    for (unsigned r = 0; r < cfg.classes; r++)
        taken |= twin.rit.way[r].valid && twin.rit.way[r].gen != 1;
    if (json_is_true(json_object_get(w.rit, "alike")) && !taken)
        row->mismatches += host.alike != host.asked || host.asked == 0;
    row->note += taken ? "; rows were taken away" : "";
}

}  // namespace

Keys walks_keys(const gmmu_config &cfg) {
    return recorded_keys(cfg, {truth_key("alike")}) + Keys{number_key("decision_cycles", 0)};
}

Row run_walks(json_t *j, const gmmu_config &cfg, const Options &o) {
    Walks w(j, cfg);
    Row &row = w.row;
    const bool rtl = o.rtl(), with_rit = w.rit_ready != 0 && o.cross();
    const uint64_t bound = number_of(j, "decision_cycles", 0);
    Unit unit(cfg, w.regs, o);
    Alone alone(cfg, w.regs);
    HostSide host(cfg, w.regs);
    DuelSide duel(cfg, w.regs, json_is_true(json_object_get(w.rit, "duel")));
    if (w.rit_ready != 0) {
        unit.rit_ready(w.rit_ready);
        if (duel.on())
            duel.listen(&unit);
        else
            host.listen(&unit);
    }
    Residency where(w.regs.frames);
    SlotsSide slots(w.regs.tier != GMMU_PLACE_NONE ? w.regs.t2_slots : 0);
    uint64_t evictions = 0;
    bool ok = !rtl || unit.reset();
    Reader in(w.trace.path);
    Progress progress(row.step);
    gmmu_walk walk;
    while (ok && row.events < w.limit && in.next(&walk)) {
        gmmu_tier_walk_in sent = walk_of(walk, where.find({walk.asid, walk.vpn}), cfg);
        slots.asks(&sent);
        uint32_t share;
        if (with_rit && duel.wishes(&share)) {
            unit.protect(share);
            alone.protect(share);
        }
        if (rtl)
            ok = unit.walk(sent);
        if (o.model())
            (void)alone.walk(sent);
        row.events++;
        if (ok && sent.fault) {
            row.faults++;
            const std::string at = "walk " + std::to_string(row.events);
            if (o.cross() && !alike(unit, alone)) {
                row.differs(at + ": the RTL decides otherwise than the standard schedule");
                break;
            }
            const std::vector<gmmu_tier_decision> &made = rtl ? unit.decisions : alone.decisions;
            if (made.empty() || made.back().tier == GMMU_TIER_NONE) {
                row.differs(at + ": no decision for a fault");
                break;
            }
            evictions += made.back().tier == GMMU_TIER_2 || made.back().tier == GMMU_TIER_3;
            slots.decided(made.back());
            const gmmu_tier_drv_in fill = where.fill(made.back());
            if (with_rit && !duel.on())
                host.decided(made.back(), fill.frame);
            const std::vector<gmmu_tier_drv_in> ops = slots.answer(made.back(), fill);
            unit.decisions.clear();
            alone.decisions.clear();
            for (const gmmu_tier_drv_in &op : ops) {
                if (rtl)
                    ok = ok && unit.drv(op);
                if (o.model())
                    alone.drv(op);
            }
        }
        progress.at(row.events, w.trace.walks, unit.did().cycles);
    }
    if (rtl && ok)
        unit.finish();
    row.seconds = progress.seconds();
    row.did = unit.did();
    if (unit.mismatch().found)
        row.differs(unit.mismatch().text());
    if (bound != 0 && row.mismatches == 0 && o.cross()) {
        row.note = "longest search " + std::to_string(row.did.longest_search) + " cycles (bound " +
                   std::to_string(bound) + ")";
        row.mismatches += row.did.longest_search > bound || row.did.longest_search == 0;
    }
    if (with_rit && row.mismatches == 0 && duel.on()) {
        bool lost;
        row.note = duel.report(unit, &lost);
        row.mismatches += lost;
    } else if (with_rit && row.mismatches == 0) {
        judge(host, unit, w, cfg, &row);
    }
    row.evictions.push_back({"unit", evictions});
    if (row.mismatches != 0 ||
        w.limit < w.trace.walks)  // the policies' counts are of the whole trace
        return row;
    for (const char *p : {"leu-exact", "lru", "clock", "opt"})
        row.evictions.push_back({p, w.trace.evictions(p, w.regs.frames)});
    // the policies know the named configurations alone
    if (w.rit_ready == 0 || duel.on() || gmmu_config_find(cfg.name) == nullptr)
        return row;
    const std::string options = std::string("config=") + cfg.name +
                                ":feed=" + std::to_string(w.regs.feed) +
                                ":censor=" + std::to_string(w.regs.censor);
    const std::string batch = options + ":batch=" + std::to_string(w.regs.rit_batch);
    row.evictions.push_back({"leu", w.trace.evictions("leu", w.regs.frames, options.c_str())});
    row.evictions.push_back(
        {"leu-host", w.trace.evictions("leu-host", w.regs.frames, batch.c_str())});
    return row;
}
