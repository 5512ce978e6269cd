// SPDX-License-Identifier: Apache-2.0
// twin_run.h: the twin on the standard schedule behind a walker and a driver to which faults take
// time (walker.h, batch.h), cycle by cycle. Cycles in which nothing can happen are skipped.
#pragma once
#include <deque>
#include <random>
#include <utility>
#include <vector>

#include "blocks/schedule.h"
#include "driver/batch.h"

namespace driver {

// What a test or a program wants to see. The unit is settled behind each call.
class Watcher {
   public:
    virtual ~Watcher() = default;
    virtual void decided(const Decision &d) { (void)d; }
    // Before and behind a walk or a replay, and all that follows from it.
    virtual void before_walk(const Walker::Sent &s) { (void)s; }
    virtual void walked(const Walker::Sent &s) { (void)s; }
    virtual void before_operation(const Operation &o) { (void)o; }
    virtual void operated(const Operation &o, const gmmu_tier_drv_out &out) {
        (void)o;
        (void)out;
    }
};

class TwinRun {
   public:
    gmmu_tier unit;
    BatchDriver driver;
    Walker walker;
    Watcher *watcher = nullptr;
    uint64_t cycle = 0, steps = 0;
    uint64_t under_way = 0;  // most cycles from a decision until the driver knows

    TwinRun(const gmmu_config &cfg, const gmmu_regs &regs, const BatchDriver::Settings &d,
            const Walker::Settings &w, Walker::Source source, BatchDriver::Guess guess = nullptr)
        : driver(regs.frames, regs.tier == GMMU_PLACE_NONE ? 0 : regs.t2_slots, d,
                 std::move(guess)),
          walker(&driver.book, w, std::move(source)),
          memory_(gmmu_tier_bytes(&cfg)) {
        bad_ = gmmu_tier_init_beyond(&unit, &cfg, &regs, memory_.data(), memory_.size()) != 0;
        unit.hir_unheard = true;
        driver.meet(&walker);
    }
    bool good() const { return !bad_; }

    // ---- between two cycles
    // Another value of a register that may change at any time.
    void change(const gmmu_regs &regs) {
        gmmu_tier_change(&unit, &regs);
        settle();
    }
    void flush(uint32_t asid) {
        gmmu_tier_flush(&unit, asid);
        settle();
    }

    // ---- cycle by cycle
    // The next cycle in which something happens: an operation of the driver, then a walk. False:
    // nothing is left.
    bool step() {
        uint64_t next = std::min(walker.next_event(cycle), driver.next_event(cycle));
        if (!decided_.empty())
            next = std::min(next, std::max(cycle, decided_.front().first));
        if (next == Walker::NEVER)
            return false;
        cycle = next;
        steps++;
        while (!decided_.empty() && decided_.front().first <= cycle) {
            driver.decided(decided_.front().second);
            decided_.pop_front();
        }
        if (const Operation *o = driver.next(cycle))
            operate(*o);
        if (const Walker::Sent *s = walker.next(cycle))
            walk(*s);
        cycle++;
        return true;
    }
    bool done() const { return walker.done() && driver.at_rest() && decided_.empty(); }
    // All of it. False: the walker or the driver is not done, or MOST steps were not enough.
    bool run(uint64_t most = UINT64_MAX) {
        while (steps < most && step()) {
        }
        return done();
    }

   private:
    std::vector<char> memory_;
    bool bad_ = false;
    std::deque<std::pair<uint64_t, Decision>> decided_;  // and when the driver knows
    std::mt19937 rng_{1};

    static void sink(void *self, const Decision *d) {
        TwinRun *run = static_cast<TwinRun *>(self);
        if (run->watcher != nullptr)
            run->watcher->decided(*d);
        if (run->under_way == 0) {
            run->driver.decided(*d);
            return;
        }
        const uint64_t due = run->cycle + run->rng_() % (run->under_way + 1);
        std::deque<std::pair<uint64_t, Decision>> &all = run->decided_;
        all.emplace_back(all.empty() ? due : std::max(due, all.back().first), *d);
    }
    void settle() {
        if (!gmmu_tier_settled(&unit))
            gmmu_tier_settle(&unit, sink, this);
        driver.fault_drops(unit.stats.fault_drops);
        driver.drv_errors(unit.stats.drv_errors);
    }
    void operate(const Operation &o) {
        if (watcher != nullptr)
            watcher->before_operation(o);
        const Operation taken = o;
        const gmmu_tier_drv_out out = gmmu_tier_drv(&unit, taken);
        driver.taken();
        settle();
        if (watcher != nullptr)
            watcher->operated(taken, out);
    }
    void walk(const Walker::Sent &s) {
        if (watcher != nullptr)
            watcher->before_walk(s);
        if (s.walk.replay)
            (void)gmmu_tier_replay(&unit, s.walk);
        else
            (void)gmmu_tier_walk_inline(&unit, &s.walk);
        settle();
        if (watcher != nullptr)
            watcher->walked(s);
    }
};

}  // namespace driver
