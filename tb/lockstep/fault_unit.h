// SPDX-License-Identifier: Apache-2.0
// fault_unit.h: checks DECIDE, the decisions that leave, and what a FILL makes of its fault.
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
    }

    // A FILL's page is dirty by its operation, or by a store among its faults.
    void did(const Drv &d) {
        if (d.in.op == GMMU_FILL && !d.out.refused)
            expect("FILL dirty", dut.tvi_fill_dirty, twin.frames.table.page[d.in.frame].dirty);
    }

    bool step(Decide &d) {
        const int i = gmmu_fault_queue_head(&twin.faults.queue);
        if (!p.expect("fault_queue", "DECIDE without a fault", i >= 0, 1))
            return false;
        d.free_choice = gmmu_tier_needs_no_search(&twin, static_cast<unsigned>(i));
        d.scanned = gmmu_victim_select_searched(&twin.select);
        d.had = gmmu_victim_select_best(&twin.select) != nullptr;
        d.out = gmmu_tier_decide(&twin);
        p.expect("fault_queue", "DECIDE entry", dut.tvi_dec_entry, d.out.entry);
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
