// SPDX-License-Identifier: Apache-2.0
// timed_run.h: the RTL, in lock-step with its twin or alone, behind a walker and a driver to which
// faults take time (walker.h, batch.h), cycle by cycle. (The twin alone: twin_run.h.)
#pragma once
#include <utility>

#include "driver/batch.h"
#include "driver/digest.h"

namespace driver {

// UNIT has offer_walk(), offer_drv(), take_decisions(), cycle(), fault_drops() and drv_errors().
template <class Unit>
class TimedRun {
   public:
    // cycles from a walk hit, and from an operation, to what comes of it, at most
    enum { PIPE = 16, EFFECT = 64 };

    BatchDriver driver;
    Walker walker;
    Digest digest;  // of the decisions that the RTL gave
    uint64_t cycle = 0;

    // SLACK: so many cycles more until a hit or an operation takes effect (FRAME_MEM).
    TimedRun(Unit *unit, const gmmu_regs &regs, const BatchDriver::Settings &d,
             const Walker::Settings &w, uint64_t slack, Walker::Source source,
             BatchDriver::Guess guess = nullptr)
        : driver(regs.frames, regs.tier == GMMU_PLACE_NONE ? 0 : regs.t2_slots, slow(d, slack),
                 std::move(guess)),
          walker(&driver.book, slow(w, slack), std::move(source)),
          unit_(*unit) {
        driver.meet(&walker);
    }
    // One cycle, in which the driver takes a decision or does not.
    void step(bool takes) {
        cycle++;
        if (const Operation *o = driver.next(cycle))
            unit_.offer_drv(*o);
        const Walker::Sent *s = walker.next(cycle);
        if (s != nullptr)
            unit_.offer_walk(s->walk);
        if (s != nullptr && s->served)
            served_ = cycle;
        unit_.take_decisions(takes);
        const auto c = unit_.cycle();
        if (c.drv_taken)
            driver.taken();
        driver.fault_drops(unit_.fault_drops());
        driver.drv_errors(unit_.drv_errors());
        if (c.decided) {
            digest.add(c.decision);
            driver.decided(c.decision);
        }
        quiet_ = c.quiet ? quiet_ + 1 : 0;
    }
    // Every access is served, and unit and driver rest.
    bool ended() const { return quiet_ >= 2 && walker.done() && driver.at_rest(); }
    // Cycles since an access was served.
    uint64_t idle() const { return cycle - served_; }

   private:
    Unit &unit_;
    uint64_t served_ = 0;
    unsigned quiet_ = 0;

    static BatchDriver::Settings slow(BatchDriver::Settings d, uint64_t slack) {
        d.counter = EFFECT + slack;
        return d;
    }
    static Walker::Settings slow(Walker::Settings w, uint64_t slack) {
        w.pipe = static_cast<unsigned>(PIPE + slack);
        return w;
    }
};

}  // namespace driver
