// SPDX-License-Identifier: Apache-2.0
// ppuc.h: checks the engine: the priorities that a REFRESH makes, INSTALL, and the lookups.
#pragma once
#include <deque>
#include <vector>

#include "lockstep/checker.h"

namespace lockstep {

class Ppuc : public Checker<Ppuc> {
   public:
    static constexpr const char *block = "ppuc";
    using Checker::Checker;

    const char *under_way() const {
        return twin.ppuc.engine.busy || !asked.empty()
                   ? "quiet with the engine or a lookup under way"
                   : nullptr;
    }

    void did(const Refresh &) {
        const uint16_t *made = twin.ppuc.engine.priority;
        priority.assign(made, made + cfg.bins);
        left = cfg.bins;
    }
    bool step(Install &i) {
        if (!expect("INSTALL without REFRESH", 1, twin.ppuc.engine.busy))
            return false;
        expect("INSTALL before all priorities are written", left, 0);
        expect("INSTALL row", dut.tvi_row, twin.ppuc.engine.cls.row);
        i.current = gmmu_tier_install(&twin);
        return true;
    }
    void did(const Cand &c) {
        if (c.out.eligible)
            expect("CAND serving row", dut.tvi_row, c.out.row);
        asked.push_back(c.out);
    }
    void end() {
        if (dut.tvi_prio_valid)
            check_priority();
        if (dut.tvi_looked_valid)
            check_answer();
    }
    void finish() { expect("results of CAND missing", 0, asked.size()); }

   private:
    std::vector<uint16_t> priority;  // of the last REFRESH, a bin each
    unsigned left = 0;               // of them, that are still to come
    std::deque<gmmu_tier_cand_out> asked;

    void check_priority() {
        if (!expect("priorities too many", left > 0, 1))
            return;
        left--;
        expect("REFRESH bin of a priority", dut.tvi_prio_bin, left);
        expect("REFRESH priority", dut.tvi_prio, priority[left]);
    }
    void check_answer() {
        if (!expect("an answer too many", asked.empty(), 0))
            return;
        const gmmu_tier_cand_out c = asked.front();
        asked.pop_front();
        p.expect("victim_select", "frame of an answer", dut.tvi_looked_frame, c.candidate.frame);
        if (c.eligible)
            expect("CAND priority", dut.tvi_looked_priority, c.candidate.priority);
    }
};

}  // namespace lockstep
