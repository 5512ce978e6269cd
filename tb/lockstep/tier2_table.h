// SPDX-License-Identifier: Apache-2.0
// tier2_table.h: checks what the table of Tier 2's slots answers; what is done with it is
// tier_place.h's.
#pragma once
#include "lockstep/checker.h"

namespace lockstep {

class Tier2Table : public Checker<Tier2Table> {
   public:
    static constexpr const char *block = "tier2_table";
    using Checker::Checker;

    void did(const Cand2 &c) {
        expect("CAND2 eligible", dut.tvi_cand_eligible, c.out.eligible);
        if (c.out.eligible)
            expect("CAND2 last access", dut.tvi_cand_last, c.out.candidate.last);
    }
    void did(const Age &a) {
        if (a.index < cfg.frames + cfg.faults)
            return;
        expect("AGE of a slot clamped", dut.tvi_age_clamped, a.clamped);
        p.did.clamped_slots += a.clamped;
    }
};

}  // namespace lockstep
