// SPDX-License-Identifier: Apache-2.0
// fault_unit.h: checks the outstanding faults: who enters, what a FILL takes along, DECIDE, and
// the decisions that leave.
#pragma once
#include <deque>

#include "lockstep/checker.h"

namespace lockstep {

class FaultUnit : public Checker<FaultUnit> {
   public:
    static constexpr const char *block = "gmmu_tier";
    using Checker::Checker;

    const char *under_way() const {
        return !decisions.empty() ? "quiet with a decision not taken" : nullptr;
    }
    void begin() {
        if (!p.decided || !expect("a decision that was not made", decisions.empty(), 0))
            return;
        const gmmu_tier_decision &d = p.decision, m = decisions.front();
        decisions.pop_front();
        expect("decision seq", d.seq, m.seq);
        expect("decision asid", d.asid, m.asid);
        expect("decision vpn", d.vpn, m.vpn);
        expect("decision tier", d.tier, m.tier);
        p.expect("victim_select", "decision frame", d.frame, m.frame);
        p.expect("victim_select", "decision priority", d.priority, m.priority);
        p.expect("frame_table", "decision victim asid", d.victim_asid, m.victim_asid);
        p.expect("frame_table", "decision victim vpn", d.victim_vpn, m.victim_vpn);
        p.expect("frame_table", "decision victim dirty", d.victim_dirty, m.victim_dirty);
    }

    void did(const Walk &w) {
        expect("WALK fault", dut.tvi_walk_fault, w.out.fault);
        if (w.out.fault != GMMU_FAULT_NONE)  // dropped: 0
            expect("WALK fault entry", dut.tvi_walk_entry, w.out.entry);
    }
    void did(const Drv &d) {
        expect("DRV outstanding fault", dut.tvi_drv_hit, d.out.entry_hit);
        expect("DRV ASK", dut.tvi_drv_fault, d.out.fault);
        if (d.in.op == GMMU_FILL && !d.out.refused) {
            const gmmu_frame &f = twin.frames.table.frame[d.in.frame];
            expect("FILL dirty", dut.tvi_fill_dirty, f.dirty);
            expect("FILL last access", dut.tvi_fill_last, f.last);
            expect("FILL row", dut.tvi_fill_row, f.cls.row);
            expect("FILL generation", dut.tvi_fill_gen, f.cls.gen);
        }
        if (d.out.entry_hit || d.out.fault != GMMU_FAULT_NONE)  // dropped: 0
            expect("DRV fault entry", dut.tvi_drv_entry, d.out.entry);
    }

    bool step(Decide &d) {
        const int i = gmmu_fault_queue_head(&twin.faults.queue);
        if (!expect("DECIDE without a fault", i >= 0, 1))
            return false;
        d.free_choice = gmmu_tier_needs_no_search(&twin, static_cast<unsigned>(i));
        d.scanned = gmmu_victim_select_searched(&twin.select);
        d.had = gmmu_victim_select_best(&twin.select) != nullptr;
        d.out = gmmu_tier_decide(&twin);
        expect("DECIDE entry", dut.tvi_dec_entry, d.out.entry);
        return true;
    }
    void did(const Decide &d) {
        if (d.out.tier != GMMU_TIER_RETRY)
            decisions.push_back(d.out);
    }

    void finish() { expect("decisions not given", 0, decisions.size()); }

   private:
    std::deque<gmmu_tier_decision> decisions;
};

}  // namespace lockstep
