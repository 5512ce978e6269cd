// SPDX-License-Identifier: Apache-2.0
// owed.h: what the watchdog tells of a unit that hangs, as one of its registers is held (open.vlt),
// and of one that does not (docs/reference/blocks/gmmu_tier.md, Watchdog).
#pragma once
#include <cstring>
#include <utility>
#include <vector>

#include "open.h"

enum : uint64_t { WATCHDOG_STEP = 1 << 17 };  // cycles, with cfg_watchdog 1

// A full unit that exports records of all kinds and searches Tier 2, alone.
inline gmmu_regs regs_that_owe() {
    gmmu_regs regs = regs_of(8, GMMU_FEED_RESIDENT, 4);
    regs.rit_batch = 1;
    regs.transfer = 3;
    regs.tier = GMMU_PLACE_PRIORITY;
    regs.t2_slots = 4;
    regs.watchdog = 1;
    return regs;
}
class Owing : public OpenScene {
   public:
    explicit Owing(const char *ram) : OpenScene(regs_that_owe(), ram) {
        for (uint32_t f = 0; f < 8; f++) drv(GMMU_FILL, f, f);
        for (unsigned w = 0; w < 40; w++) hit(w % 8, w % 8, 0x10 + w % 3);
        rest();
    }
    // All decisions that come, until none is under way.
    void answer() {
        cycles(2000);
        fill_decided();
        cycles(2000);
    }
    void watchdog(unsigned cfg) {
        step.regs.watchdog = cfg;
        step.dut->cfg_watchdog = static_cast<uint8_t>(cfg);
    }
    // From now on it is held, cycle by cycle. False: there is no such register.
    bool hold(const std::string &name, uint32_t value) {
        held.push_back({find(name), value});
        return held.back().first != nullptr;
    }
    void run(uint64_t n) {
        for (; n > 0 && good(); n--) {
            for (const auto &h : held) std::memcpy(h.first->data, &h.second, h.first->bytes);
            cycle();
        }
    }
    uint32_t told() const { return step.dut->stat_watchdog; }
    uint32_t last() const { return step.dut->stat_watchdog_last; }

   private:
    std::vector<std::pair<const flips::Register *, uint32_t>> held;
};

// Nothing is told of what waits for others, or goes on: at rest; each output refused, and all of
// them; a walk in every cycle; operations without a gap, of both kinds.
TEST(GmmuTierOwed, NothingInRightOperation) {
    if (!is_open())
        return;
    const uint64_t steps = 2 * WATCHDOG_STEP + 5000;
    Owing s("garbage");
    Lockstep &step = s.step;
    s.run(steps);
    for (unsigned output = 0; output < 5; output++) {
        SCOPED_TRACE(output);
        const bool all = output == 4;
        step.rit().ready = output == 0 || all ? 0 : 1000;
        step.hir().ready = output == 1 || all ? 0 : 1000;
        step.ranges().ready = output == 2 || all ? 0 : 1000;
        step.take_decisions(!(output == 3 || all));
        if (output != 2 && output != 4)
            for (unsigned w = 0; w < 40; w++) s.hit(w % 8, w % 8, 0x10 + w % 3);
        if (output == 2 || output == 4) {
            step.ranges().offers = 1000;  // until no more are taken
            s.run(2000);
        }
        if (output != 2)  // one decision stands, or all are answered
            for (unsigned f = 0; f < (output < 3 ? 6 : 1); f++) {
                s.fault(20 + 8 * output + f, 0x10);
                if (output < 3)
                    s.answer();
            }
        s.run(steps);
        EXPECT_EQ(s.told(), 0u);
        step.rit().ready = step.hir().ready = step.ranges().ready = 1000;
        step.ranges().offers = 0;
        step.take_decisions(true);
        s.answer();
        s.rest();
    }
    for (uint64_t c = 0; c < steps; c++) s.hit(c % 8, c % 8, 0x10 + c % 3);
    s.rest();
    step.ranges().offers = 1000;
    for (uint64_t c = 0; c < steps; c++) {
        if (!step.dut->s_axis_drv_tvalid)
            s.offer_drv(c % 64 < 32 ? GMMU_PIN : GMMU_UNPIN, c % 8, 0);
        s.run(1);
    }
    step.ranges().offers = 0;
    s.rest();
    EXPECT_EQ(s.told(), 0u);
    EXPECT_EQ(s.last(), 0u);
    EXPECT_TRUE(s.good()) << step.mismatch.text();
}

// What shows at the ports, to the cycle: told at the end of each step all through which it is owed;
// what comes meanwhile interrupts it; nothing with cfg_watchdog 0.
TEST(GmmuTierOwed, ToTheCycle) {
    if (!is_open())
        return;
    for (const char *name :
         {"side_port.age_owed", "side_port.later_writes", "range_port.g_ranges.range_dir.credit"}) {
        SCOPED_TRACE(name);
        Owing s("old");
        Lockstep &step = s.step;
        const bool range = std::strstr(name, "range") != nullptr,
                   drv = std::strstr(name, "later") != nullptr;
        ASSERT_TRUE(s.hold(name, !range));
        s.watchdog(0);
        step.watchdog().start();
        if (drv)
            s.offer_drv(GMMU_PIN, 1, 0);
        step.ranges().offers = range ? 1000 : 0;
        s.run(3 * (WATCHDOG_STEP / 2));
        for (unsigned cfg = 15; cfg >= 4; cfg--) {
            s.watchdog(cfg);
            s.run(3000);
        }
        EXPECT_EQ(s.told(), 0u);
        // (what is owed is seen anew with another length of a step)
        const auto length = [&](unsigned cfg) {
            s.watchdog(0);
            s.run(5);
            s.watchdog(cfg);
        };
        length(1);
        s.run(3 * WATCHDOG_STEP + 100);
        EXPECT_EQ(s.told(), 2u);
        if (!range && !drv) {  // a walk comes: in the next step it is not told
            s.hit(3, 3, 0x10);
            s.run(WATCHDOG_STEP + 100);
            EXPECT_EQ(s.told(), 2u);
            s.run(WATCHDOG_STEP);
            EXPECT_EQ(s.told(), 3u);
        }
        length(2);
        s.run(4 * WATCHDOG_STEP + 100);
        EXPECT_EQ(step.watchdog().told, s.told());
        EXPECT_EQ(s.last(), 1u << (drv     ? GMMU_WATCHDOG_OPERATION
                                   : range ? GMMU_WATCHDOG_RANGE
                                           : GMMU_WATCHDOG_REST));
        EXPECT_TRUE(s.good()) << step.mismatch.text();
    }
}

// What no port shows: told within one to two steps. A fault alone, while walks come: nobody expects
// that the unit rests.
TEST(GmmuTierOwed, WithinTwoSteps) {
    if (!is_open())
        return;
    enum : uint32_t {
        RESET = 1 << GMMU_WATCHDOG_RESET,
        DECISION = 1 << GMMU_WATCHDOG_DECISION,
        OPERATION = 1 << GMMU_WATCHDOG_OPERATION,
        REST = 1 << GMMU_WATCHDOG_REST,
        CREDIT = 1 << GMMU_WATCHDOG_CREDIT
    };
    static const struct {
        const char *name;
        uint32_t value, tells;
    } all[] = {
        {"reset_sequence.settle", 0, RESET | REST},
        {"fault_unit.fault_queue.head_valid", 0, DECISION},
        {"fault_unit.tier_place.g_tiers.waits", 1, DECISION | REST},
        {"fault_unit.resident", 3, CREDIT},  // there are 8
        {"fault_unit.astray", 1, CREDIT},
        {"fault_unit.astray", 1, CREDIT | OPERATION},
    };
    for (const auto &h : all) {
        SCOPED_TRACE(h.name);
        Owing s("new");
#ifdef GMMU_MUTANTS
        if (h.value == 3)
            continue;  // in a netlist of bits there is no such register
#endif
        ASSERT_TRUE(s.hold(h.name, h.value));
        if (h.tells & RESET) {
            s.step.dut->rst = 1;
            s.cycle();
            s.step.dut->rst = 0;
        }
        if (h.tells & OPERATION) {
            ASSERT_TRUE(s.hold("side_port.later_writes", 1));
            s.offer_drv(GMMU_PIN, 1, 0);
        }
        if (h.tells & DECISION)
            s.fault(30, 0x10);
        const auto run = [&](uint64_t n) {
            for (; n > 0; n--) {
                if (h.tells == DECISION || h.tells == CREDIT)
                    s.offer_hit(n % 8, n % 8, 0x10);
                s.run(1);
            }
        };
        run(WATCHDOG_STEP - 10);
        EXPECT_EQ(s.told(), 0u);
        run(WATCHDOG_STEP + 2000);
        EXPECT_EQ(s.told(), 1u);
        EXPECT_EQ(s.last(), h.tells);
        EXPECT_TRUE(s.good()) << s.step.mismatch.text();
    }
    // what comes in the middle of a step, at an even or odd cycle, is not told at its end
    for (uint64_t later = 1000; later < 1002; later++) {
        Owing s("old");
        ASSERT_TRUE(s.hold("fault_unit.astray", 1));
        s.run(WATCHDOG_STEP + later);
        ASSERT_TRUE(s.hold("side_port.later_writes", 1));
        s.offer_drv(GMMU_PIN, 1, 0);
        s.run(WATCHDOG_STEP);
        EXPECT_EQ(s.told(), 1u);
        EXPECT_EQ(s.last(), CREDIT + 0u);
        s.run(WATCHDOG_STEP);
        EXPECT_EQ(s.last(), CREDIT | OPERATION);
    }
}
