// SPDX-License-Identifier: Apache-2.0
// checker.h: what a block's checker is made of.
//
// A checker owns some of the actions: `step(action)` does the action in the twin, and is false
// where it could not be. Of every action that was done each checker hears that has a
// `did(const action &)`, and compares what tvi says of its own block. Around the actions stand the
// functions of Checker below, of which each has those that it needs.
#pragma once
#include <type_traits>
#include <utility>

#include "lockstep/pair.h"

namespace lockstep {

// ---- the actions: what they were given and what the twin made of them
struct Walk {
    gmmu_tier_walk_in in;
    uint32_t sm;
    gmmu_tier_walk_out out;
};
struct Replay {
    gmmu_tier_walk_in in;
    gmmu_tier_replay_out out;
};
struct Enter {
    gmmu_fault_put out;
};
struct Expire {
    uint32_t frame;
};
struct Drv {
    gmmu_tier_drv_in in;
    gmmu_tier_drv_out out;
};
struct Age {
    bool clamped;
    uint32_t index;
};
struct Install {
    bool current;
};
struct Cand {
    gmmu_tier_cand_out out;
};
struct Hand {
    gmmu_tier_hand_out out;
};
struct Decide {
    bool free_choice, scanned, had;  // no search was needed; one was complete; and found a frame
    bool looks;                      // the predictor was to be asked before
    gmmu_tier_decision out;
};
struct Foretell {
    unsigned kind;  // GMMU_TP_*
    gmmu_tp_answer out;
};
struct Rise {
    bool out;
};
struct Cand2 {
    gmmu_tier_cand_out out;
};
struct Place {
    gmmu_tier_decision out;
};
struct Touch {
    gmmu_reuse out;
    unsigned record;
};
struct Learn {
    gmmu_rit_record record;
    gmmu_rit_learnt out;
};
struct Flush {
    unsigned row;
    bool out;
};
struct Clear {};
struct Halve {};
struct Refresh {};
struct Allow {};
struct Thresh {
    uint32_t out;
};
struct Scrub {
    gmmu_scrubbed out;
    unsigned record, exported;
};

template <class Self>
class Checker {
   public:
    explicit Checker(Pair &pair)
        : p(pair), dut(*pair.dut), twin(pair.twin), cfg(pair.cfg), regs(pair.regs) {}

    // ---- in every cycle, compared or not
    void drive(uint32_t) {}  // before the inputs stand; a random number
    void settled() {}        // the outputs stand
    void taken() {}          // after the actions: the beats that went in or out

    // ---- in every cycle that is compared
    // What is owed or under way at its start, so that `quiet` must be low; nothing: nullptr.
    const char *under_way() const { return nullptr; }
    // Is there, as of then, what a REFRESH lets go first?
    bool restless() const { return false; }
    void begin() {}  // before the actions
    void end() {}    // after them: results that come later, and what must not wait for ever

    // ---- at the end of a run: nothing may be left
    void finish() {}

   protected:
    Pair &p;
    Vdut &dut;
    gmmu_tier &twin;
    const gmmu_config &cfg;
    const gmmu_regs &regs;

    bool expect(const char *field, uint64_t rtl, uint64_t model) {
        return p.expect(Self::block, field, rtl, model);
    }
    uint64_t now() const { return p.did.cycles; }
    // SINCE is the cycle since which WAITS has been true, 0 while it is not.
    void watch(bool waits, uint64_t &since) const {
        if (!waits)
            since = 0;
        else if (since == 0)
            since = now();
    }
};

template <class C, class Action, class = void>
struct Hears : std::false_type {};
template <class C, class Action>
struct Hears<
    C, Action,
    std::void_t<decltype(std::declval<C &>().did(std::declval<const std::decay_t<Action> &>()))>>
    : std::true_type {};

// The checkers of a unit, in the order in which they speak.
template <class... C>
class CheckerSet : C... {
   public:
    explicit CheckerSet(Pair &p) : C(p)... {}
    template <class One>
    One &of() {
        return *this;
    }
    template <class F>
    void each(F f) {
        (f(static_cast<C &>(*this)), ...);
    }
    // Of the first checker of which F tells something, what it tells.
    template <class F>
    const char *first(F f) {
        const char *said = nullptr;
        (void)((... || ((said = f(static_cast<C &>(*this))) != nullptr)));
        return said;
    }
    template <class Action>
    void tell(const Action &a) {
        each([&](auto &c) {
            if constexpr (Hears<std::decay_t<decltype(c)>, Action>::value)
                c.did(a);
        });
    }
};

}  // namespace lockstep
