// SPDX-License-Identifier: Apache-2.0
// epochs.h: epochs of fresh frames of up to 2^31 walks, longer than any run: the count of walks
// stands some walks before 2^31.
#pragma once
#include <cstring>

#include "flips/bits.h"
#include "open.h"

// The count of walks stands at 0x7FFFEFFB, four pages arrive, and a first epoch ends, of four
// walks.
class LongEpochs : public Scene {
   public:
    LongEpochs() : Scene(registers(), "garbage") {
#ifndef GMMU_MUTANTS  // there both begin so (lockstep/counters.h)
        const flips::Bits bits(*step.dut->contextp(), "");
        const flips::Register *r = bits.find("gmmu_tier.walk_pipe.went");
        EXPECT_NE(r, nullptr);
        step.twin.walk.went = went;
        if (r != nullptr)
            std::memcpy(r->data, &went, sizeof went);
#endif
        EXPECT_EQ(step.twin.walk.went, went);
        for (uint32_t f = 0; f < 8; f++) drv(GMMU_FILL, f, f);
        pages_arrive();
    }
    void pages_arrive() {
        epoch(2);
        for (uint32_t p = 0; p < 4; p++) {
            drv(GMMU_ASK, 0, ++page);
            rest();
            fill_decided();
        }
        rest();
        EXPECT_EQ(fresh(), 4u);
        walk_to(((went >> 2) + 1) << 2);
        cycles(20);
    }
    // Of 2^LOG walks.
    void epoch(uint32_t log) {
        step.change([=](gmmu_regs &r) { r.fresh = log; });
        cycles(20);
    }
    void walk_to(uint32_t count) {
        while (went != count && good()) {
            hit(1, 1, 0x10);
            went++;
        }
    }
    // The first epoch of 2^LOG walks ends with the count of LAST.
    void ends_at(uint32_t log, uint32_t last) {
        epoch(log);
        walk_to(last - 1);
        rest();
        EXPECT_EQ(fresh(), 4u);
        walk_to(last);
        rest();
        EXPECT_EQ(fresh(), 0u);
    }
    uint32_t fresh() const {
        return step.twin.faults.queue.older;
    }
    uint32_t went = 0x7FFFEFFB;  // walks

   private:
    uint64_t page = 100;
    static gmmu_regs registers() {
        gmmu_regs regs = regs_of(8, GMMU_FEED_RESIDENT, 9);
        regs.fresh = 2;
        return regs;
    }
};

// The frames are fresh until an epoch of another length ends: one in whose number all upper bits
// are ones, or that ends with the 2^31st walk.
TEST(GmmuTierEpochs, EndWithTheWalk) {
    if (!is_open() || config().late < 4)
        return;
    for (unsigned log = 3; log < 32; log++) {
        SCOPED_TRACE(log);
        LongEpochs s;
        s.ends_at(log, ((s.went >> log) + 1) << log);
        ASSERT_TRUE(s.end());
    }
}

// No walk behind the 2^31st ends an epoch of so many.
TEST(GmmuTierEpochs, EndWithNoOther) {
    if (!is_open() || config().late < 4)
        return;
    LongEpochs s;
    s.ends_at(31, 1u << 31);
    s.pages_arrive();
    s.epoch(31);
    s.walk_to((1u << 31) + (1u << 17) + 100);
    s.rest();
    EXPECT_EQ(s.fresh(), 4u);
    EXPECT_TRUE(s.end());
}
