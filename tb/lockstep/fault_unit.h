// SPDX-License-Identifier: Apache-2.0
// fault_unit.h: checks DECIDE, the decisions that leave, and what a FILL makes of its fault.
#pragma once
#include <deque>

#include "driver/digest.h"
#include "lockstep/checker.h"

namespace lockstep {

class FaultUnit : public Checker<FaultUnit> {
   public:
    static constexpr const char *block = "gmmu_tier";
    using Checker::Checker;

    driver::Digest digest;  // of the twin's decisions

    const char *under_way() const {
        return !decisions.empty()            ? "quiet with a decision not taken"
               : gmmu_tier_ahead_owed(&twin) ? "quiet with a decision ahead owed"
                                             : nullptr;
    }
    bool restless() const { return !twin.select.rests; }
    void begin() {
        if (!p.decided || !expect("a decision that was not made", decisions.empty(), 0))
            return;
        const gmmu_tier_decision &d = p.decision, m = decisions.front();
        decisions.pop_front();
        p.expect("fault_queue", "decision seq", d.seq, m.seq);
        p.expect("fault_queue", "decision asid", d.asid, m.asid);
        p.expect("fault_queue", "decision vpn", d.vpn, m.vpn);
        expect("decision tier", d.tier, m.tier);
        p.expect("victim_select", "decision frame", d.frame, m.frame);
        p.expect("victim_select", "decision priority", d.priority, m.priority);
        p.expect("frame_table", "decision victim asid", d.victim_asid, m.victim_asid);
        p.expect("frame_table", "decision victim vpn", d.victim_vpn, m.victim_vpn);
        p.expect("frame_table", "decision victim dirty", d.victim_dirty, m.victim_dirty);
        p.expect("frame_table", "decision victim last access", d.victim_last, m.victim_last);
        expect("decision ahead", d.ahead, m.ahead);
        p.expect("fault_queue", "decision lost", d.lost, m.lost);
        p.expect("victim_select", "decision fresh", d.fresh, m.fresh);
        const char *place = "tier_place";
        p.expect(place, "decision rise", d.rise, m.rise);
        p.expect(place, "decision swap", d.swap, m.swap);
        p.expect("tier_predict", "decision pred", d.pred, m.pred);
        p.expect("tier_predict", "decision forced", d.forced, m.forced);
        p.expect(place, "decision t2_valid", d.t2_valid, m.t2_valid);
        p.expect(place, "decision t2_slot", d.t2_slot, m.t2_slot);
        p.expect("tier2_table", "decision t2_asid", d.t2_asid, m.t2_asid);
        p.expect("tier2_table", "decision t2_vpn", d.t2_vpn, m.t2_vpn);
        p.expect("tier2_table", "decision t2_dirty", d.t2_dirty, m.t2_dirty);
    }

    // A FILL's page is dirty by its operation, or by a store among its faults.
    void did(const Drv &d) {
        if (d.in.op == GMMU_FILL && !d.out.refused)
            expect("FILL dirty", dut.tvi_fill_dirty, twin.frames.table.page[d.in.frame].dirty);
    }

    bool step(Decide &d) {
        const int i = gmmu_fault_queue_head(&twin.faults.queue);
        if (!p.expect("fault_queue", "DECIDE without a fault", dut.tvi_dec_ahead, i < 0))
            return false;
        d.free_choice = i >= 0 ? gmmu_tier_needs_no_search(&twin, static_cast<unsigned>(i))
                               : !gmmu_fault_unit_ahead_owed(&twin.faults, regs.frames, regs.ahead);
        d.scanned = gmmu_victim_select_searched(&twin.select);
        d.had = gmmu_victim_select_best(&twin.select) != nullptr;
        d.looks = gmmu_tier_foretell_owed(&twin, GMMU_TP_LOOK);
        d.out = gmmu_tier_decide(&twin);
        if (i >= 0)
            p.expect("fault_queue", "DECIDE entry", dut.tvi_dec_entry, d.out.entry);
        return true;
    }
    // With tiers a decision is complete when its victim has a place; one without, when nothing of
    // the page is left to do.
    void did(const Decide &d) {
        const bool beat =
            d.out.tier != GMMU_TIER_RETRY && !(d.out.ahead && d.out.tier == GMMU_TIER_NONE);
        if (beat && !gmmu_tier_placing(&twin))
            made(d.out);
        complete();
    }
    void did(const Foretell &) { complete(); }
    void did(const Rise &) { complete(); }
    void did(const Place &d) {
        if (d.out.tier != GMMU_TIER_RETRY)
            made(d.out);
    }

    void finish() { expect("decisions not given", 0, decisions.size()); }

   private:
    std::deque<gmmu_tier_decision> decisions;

    void made(const gmmu_tier_decision &d) {
        digest.add(d);
        decisions.push_back(d);
    }
    void complete() {
        if (gmmu_tier_placing(&twin) && twin.place.d.tier == GMMU_TIER_FREE &&
            !gmmu_tier_foretell_owed(&twin, GMMU_TP_RETURN) && !gmmu_tier_rise_owed(&twin))
            made(gmmu_tier_unplaced(&twin));
    }
};

}  // namespace lockstep
