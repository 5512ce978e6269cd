// SPDX-License-Identifier: Apache-2.0
// segment.h: checks which candidates are protected, ALLOW, and the state of the segment.
//
// The segment does an action some cycles after the unit has stated it: its state is compared then.
#pragma once
#include <deque>

#include "lockstep/checker.h"

namespace lockstep {

class Segment : public Checker<Segment> {
   public:
    static constexpr const char *block = "segment";
    using Checker::Checker;

    void begin() {
        if (cfg.frame_mem)
            return;
        if (shares.empty() || shares.back().share != regs.protect) {
            shares.push_back({regs.protect, now()});
            owed_since = 0;
        }
        while (shares.size() > 1 && shares[1].since + ALLOW_BOUND < now()) shares.pop_front();
        while (!states.empty() && states.front().cycle + LATENCY < now()) states.pop_front();
        if (states.empty() || states.front().cycle + LATENCY != now())
            return;
        const State &s = states.front();
        expect("frames that are protected", dut.tvi_guarded, s.is.count);
        // a T that begins is there a cycle before the limit
        const bool begins = s.is.limit == 0 && states.size() > 1 && states[1].is.limit != 0;
        expect("T", dut.tvi_horizon, states[begins].is.t);
        expect("filling", dut.tvi_filling, s.is.filling);
    }

    // After the side action and ALLOW, before the walk.
    void stands() { states.push_back({now(), twin.frames.segment}); }

    // The limit is that of the register, or of what it was just now.
    bool step(Allow &) {
        for (auto s = shares.rbegin(); s != shares.rend(); ++s)
            if (limit_of(s->share) == dut.tvi_limit) {
                gmmu_tier_protect(&twin, s->share);
                owed_since = 0;
                return true;
            }
        return expect("ALLOW limit", dut.tvi_limit, limit_of(regs.protect));
    }

    void did(const Cand &c) { looked.push_back(c.out.guarded); }

    void end() {
        if (dut.tvi_looked_valid && !looked.empty()) {
            expect("CAND protected", dut.tvi_looked_guarded, looked.front());
            looked.pop_front();
        }
        watch(limit_of(regs.protect) != twin.frames.segment.limit, owed_since);
        if (owed_since != 0)
            expect("ALLOW overdue", now() - owed_since > ALLOW_BOUND, 0);
    }

   private:
    enum { LATENCY = 4, ALLOW_BOUND = 28 };
    struct State {
        uint64_t cycle;
        gmmu_segment is;
    };
    struct Share {
        uint32_t share;
        uint64_t since;
    };
    std::deque<State> states;
    std::deque<Share> shares;  // that the register had, the present one last
    std::deque<bool> looked;   // candidates whose answer is to come
    uint64_t owed_since = 0;

    uint32_t limit_of(uint32_t share) const {
        return cfg.frame_mem
                   ? 0
                   : static_cast<uint32_t>(static_cast<uint64_t>(regs.frames) * share >> 8);
    }
};

}  // namespace lockstep
