// SPDX-License-Identifier: Apache-2.0
// walk_pipe.h: checks the walk's pipeline: each walk takes effect in its cycle, at its time.
#pragma once
#include <deque>

#include "lockstep/checker.h"

namespace lockstep {

class WalkPipe : public Checker<WalkPipe> {
   public:
    static constexpr const char *block = "gmmu_tier";
    using Checker::Checker;

    void settled() {
        if (p.compare)
            expect("s_axis_walk_tready", dut.s_axis_walk_tready, 1);
    }
    const char *under_way() const {
        return (history & ((1u << LATENCY) - 1)) != 0 ? "quiet with a walk under way" : nullptr;
    }
    // A walk takes effect exactly LATENCY cycles after its beat.
    bool due() {
        const bool came = dut.tvi_walk_valid || dut.tvi_replay_valid;
        expect("walk latency", came, history >> (LATENCY - 1) & 1);
        if (came && expect("a WALK that was not asked for", walks.empty(), 0))
            expect("replay", dut.tvi_replay_valid, walks.front().in.replay);
        return came && !walks.empty();
    }
    bool replays() const { return walks.front().in.replay; }
    bool step(Walk &w) {
        w.in = walks.front().in;
        w.sm = walks.front().sm;
        walks.pop_front();
        // what the twin cannot know
        w.in.stolen = dut.tvi_sampled_stolen;
        w.in.no_row = dut.tvi_flush_valid;
        w.in.hir_busy = dut.tvi_walk_due && !dut.tvi_walk_swap;
        w.out = gmmu_tier_walk(&twin, w.in);
        return true;
    }
    bool step(Replay &r) {
        r.in = walks.front().in;
        walks.pop_front();
        r.in.no_row = dut.tvi_flush_valid;
        r.out = gmmu_tier_replay(&twin, r.in);
        return true;
    }
    void did(const Walk &w) {
        expect("WALK time", dut.tvi_walk_time, w.out.time);
        expect("WALK refresh tick", dut.tvi_walk_tick,
               (w.out.time & ((1u << regs.refresh) - 1)) == 0);
    }
    void taken() {
        history = history << 1 | (dut.s_axis_walk_tvalid & 1u);
        if (dut.s_axis_walk_tvalid && p.compare)
            walks.push_back({p.walk_in, p.walk_sm});
    }
    void finish() { expect("walks not done", 0, walks.size()); }

   private:
    enum { LATENCY = 9 };
    struct Offered {
        gmmu_tier_walk_in in;
        uint32_t sm;
    };
    std::deque<Offered> walks;
    uint32_t history = 0;  // valid, cycle by cycle
};

}  // namespace lockstep
