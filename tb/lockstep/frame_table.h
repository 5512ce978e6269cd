// SPDX-License-Identifier: Apache-2.0
// frame_table.h: checks what the table of the frames answers.
#pragma once
#include "lockstep/checker.h"

namespace lockstep {

class FrameTable : public Checker<FrameTable> {
   public:
    static constexpr const char *block = "frame_table";
    using Checker::Checker;

    // What the access before was is told a cycle later.
    void begin() {
        if (walked) {
            expect("WALK row of the previous access", dut.tvi_walk_was_row, reuse.cls.row);
            expect("WALK generation of the previous access", dut.tvi_walk_was_gen, reuse.cls.gen);
            expect("WALK reuse interval", dut.tvi_walk_ri, reuse.interval);
        }
        walked = false;
    }
    void did(const Walk &w) {
        const gmmu_reuse &r = w.out.reuse;
        if (!cfg.frame_mem)
            expect("WALK match", dut.tvi_walk_match, r.valid);
        walked = r.valid && !cfg.frame_mem;
        reuse = r;
    }
    void did(const Replay &r) {
        if (!cfg.frame_mem && !r.in.fault)
            expect("REPLAY match", dut.tvi_replay_match, r.out.match);
    }
    void did(const Drv &d) {
        expect("DRV a page left", dut.tvi_drv_left, d.out.reuse.valid);
        expect("DRV age of the page", dut.tvi_drv_age, d.out.reuse.interval);
    }
    void did(const Age &a) {
        if (a.index < cfg.frames)
            expect("AGE clamped", dut.tvi_age_clamped, a.clamped);
    }
    void did(const Cand &c) {
        expect("CAND eligible", dut.tvi_cand_eligible, c.out.eligible);
        if (c.out.eligible)
            expect("CAND last access", dut.tvi_cand_last, c.out.candidate.last);
    }
    void did(const Hand &h) {
        expect("HAND eligible", dut.tvi_cand_eligible, h.out.eligible);
        if (!h.out.eligible)
            return;
        expect("HAND hit since FILL or HAND", dut.tvi_hand_recent, h.out.used);
        expect("HAND last access", dut.tvi_cand_last, h.out.candidate.last);
    }

   private:
    bool walked = false;
    gmmu_reuse reuse = {};
};

}  // namespace lockstep
