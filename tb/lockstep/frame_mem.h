// SPDX-License-Identifier: Apache-2.0
// frame_mem.h: checks the cache of the frames: hits that wait, and their TOUCH.
#pragma once
#include "lockstep/checker.h"

namespace lockstep {

class FrameMem : public Checker<FrameMem> {
   public:
    static constexpr const char *block = "frame_mem";
    using Checker::Checker;

    const char *under_way() const {
        return twin.frames.mem.n != 0 ? "quiet with a walk hit noted" : nullptr;
    }
    bool restless() const { return twin.frames.mem.n != 0; }

    // What the access before a TOUCH's was is told a cycle later.
    void begin() {
        if (touched) {
            expect("TOUCH row of the previous access", dut.tvi_walk_was_row, reuse.cls.row);
            expect("TOUCH generation of the previous access", dut.tvi_walk_was_gen, reuse.cls.gen);
            expect("TOUCH reuse interval", dut.tvi_walk_ri, reuse.interval);
        }
        touched = false;
    }

    void did(const Walk &w) { expect("WALK hit noted", dut.tvi_walk_touch, w.out.touch); }
    void did(const Replay &r) { expect("REPLAY hit noted", dut.tvi_walk_touch, r.out.touch); }

    bool step(Touch &t) {
        if (!expect("a TOUCH that was not asked for", 1, twin.frames.mem.n > 0))
            return false;
        expect("TOUCH frame", dut.tvi_side_frame, twin.frames.mem.slot[twin.frames.mem.head].frame);
        t.out = gmmu_tier_touch(&twin, &t.record);
        touch_since = 0;
        return true;
    }
    void did(const Touch &t) {
        expect("TOUCH match", dut.tvi_walk_match, t.out.valid);
        touched = t.out.valid;
        reuse = t.out;
    }
    void end() {
        watch(twin.frames.mem.n != 0, touch_since);
        if (touch_since != 0)
            expect("TOUCH overdue", now() - touch_since > 64 + p.memory_slack(), 0);
    }
    void finish() { expect("walk hits not done", 0, twin.frames.mem.n); }

   private:
    uint64_t touch_since = 0;
    bool touched = false;
    gmmu_reuse reuse = {};
};

}  // namespace lockstep
