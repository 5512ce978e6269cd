// SPDX-License-Identifier: Apache-2.0
// checked_test.cpp: the unit with its checkers bound to it, in lock-step with its twin, behind a
// walker, a driver and a library that keep the rules: no rule may be broken (a broken one ends the
// program), and each that can apply must have applied (tb/check/checkers.py reads the counts).
//
// State space: that of tb/unit/gmmu_tier/time.h; beside it packets on m_axis_rit and m_axis_hir,
// operations on ranges that a runtime asks, pages that return with the time of their last access,
// consumers that wait. Parameter space: the registers.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "gmmu_tier/time.h"
#include "range_dir/host.h"

namespace {

// The unit, in front of which FILL brings back the time of the page's last access.
class Returning {
   public:
    Returning(Lockstep *step, unsigned time_w) : step_(*step), time_w_(time_w) {}
    void offer_walk(const gmmu_tier_walk_in &w) { step_.offer_walk(w); }
    void offer_drv(driver::Operation o) {
        const auto it = left_.find(driver::page_of(o));
        if (o.op == GMMU_FILL && it != left_.end()) {
            const uint32_t age = step_.twin.walk.time - it->second;
            o.returns = (age & ((1u << time_w_) - 1)) < 1u << (time_w_ - 3);
            o.was = it->second;
        }
        step_.offer_drv(o);
    }
    void take_decisions(bool yes) { step_.take_decisions(yes); }
    auto cycle() {
        const auto c = step_.cycle();
        if (c.decided && driver::has_victim(c.decision))
            left_[{c.decision.victim_asid, c.decision.victim_vpn}] = c.decision.victim_last;
        return c;
    }
    uint32_t fault_drops() const { return step_.fault_drops(); }
    uint32_t drv_errors() const { return step_.drv_errors(); }

   private:
    Lockstep &step_;
    const unsigned time_w_;
    std::map<driver::Page, uint32_t> left_;
};

// The operations of a runtime on a recorded trace; *LIMIT: bytes of GPU memory.
std::vector<gmmu_range_op> recorded(uint64_t *limit) {
    std::vector<gmmu_range_op> ops;
    if (config().ranges == 0)
        return ops;
    const unsigned addr_w = config().vpn_w + 12;
    gmmu_sem_config sem = {};
    sem.ranges = config().ranges;
    *limit = sem.limit = UINT64_MAX >> (64 - addr_w);
    host::Runtime runtime(sem, addr_w);
    runtime.play(host::recorded("sim/sem/newmark.sem", addr_w));
    for (const host::Asked &a : runtime.asked) {
        ops.push_back(a.op);
        ops.back().tag = static_cast<uint8_t>(ops.size());
    }
    return ops;
}

void checked(const char *ram, uint32_t seed, uint64_t accesses,
             const std::vector<gmmu_range_op> &ops, uint64_t limit, uint64_t *cycles,
             uint64_t *unsettled = nullptr) {
    AnyTime a(seed);
    a.regs.rit_batch = a.half() ? 0 : 1 + a.below(config().ritq);
    a.regs.rit_fault = a.half();
    a.regs.rit_wait = a.below(8);
    a.regs.transfer = a.half() ? 0 : 1 + a.below(40);
    a.regs.range_bytes = limit;
    a.d.latency = a.below(400);
    a.d.stale_slots = 0;  // against the rules
    Lockstep step(config(), a.regs, ram, seed);
    Returning unit(&step, config().time_w);
    GeneratedPages source(a, accesses, seed);
    driver::TimedRun<Returning> run(
        &unit, a.regs, a.d, a.w, step.memory_slack(),
        [&source](unsigned, driver::Access *access) { return source.next(access); },
        [&source](driver::Page) { return source.guess(); });
    const unsigned ready = a.half() ? 1000 : 100 + a.below(900);
    step.rit().ready = 100 + a.below(900);
    step.hir().ready = 100 + a.below(900);
    if (!ops.empty()) {
        step.ranges().list = &ops;
        step.ranges().offers = 20 + a.below(900);
        step.ranges().ready = 100 + a.below(900);
    }
    ASSERT_TRUE(step.reset());
    bool calm = false;
    while (!step.mismatch.found && !run.ended() && run.cycle < 100 * accesses) {
        if (a.events != 0 && a.below(a.events) == 0)
            a.change(&step);
        if (!calm && run.walker.done()) {
            calm = true;
            run.driver.calm();
        }
        run.step(a.below(1000) < ready);
    }
    *cycles += step.did.cycles;
    if (unsettled != nullptr)
        *unsettled = step.refresh_wait().most_unsettled;
    EXPECT_FALSE(step.mismatch.found) << step.mismatch.text();
}

TEST(Checked, TrafficByTheRules) {
    uint64_t cycles = 0, limit = 0;
    const std::vector<gmmu_range_op> ops = recorded(&limit);
    const char *const wants = std::getenv("GMMU_SEEDS");
    const uint32_t seeds = wants ? static_cast<uint32_t>(std::strtoul(wants, nullptr, 0)) : 60;
    const char *const from = std::getenv("GMMU_FROM");
    for (uint32_t s = from ? std::strtoul(from, nullptr, 0) : 0; s < seeds && !HasFailure(); s++) {
        const char *const ram = s % 3 == 0 ? "garbage" : s % 3 == 1 ? "new" : "old";
        SCOPED_TRACE("seed " + std::to_string(s) + ", ram=" + ram);
        if (from != nullptr)
            std::printf("seed %u\n", s);
        checked(ram, seed_of_run() * 1000 + s, 1000, ops, limit, &cycles);
    }
    std::printf("%u runs, %llu cycles\n", seeds, static_cast<unsigned long long>(cycles));
}

// Behind the last walk a driver that keeps frames free ahead of need sends an operation at least
// every fourth cycle, for longer than a calm may last: a pending row waits for its hurry, without
// a decision ahead that is owed (docs/guide/schedule.md#quiet-calm-hurry).
TEST(Checked, OperationsThatNeverSettle) {
    uint64_t cycles = 0, unsettled = 0;
    checked("new", 1205, 1000, {}, 0, &cycles, &unsettled);
    if (std::string(GMMU_CONFIG_NAME) == "tiny") {
        EXPECT_GT(unsettled, config().bins + 64);
    }
}

}  // namespace
