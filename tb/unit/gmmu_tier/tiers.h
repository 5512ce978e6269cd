// SPDX-License-Identifier: Apache-2.0
// tiers.h: what random runs seldom meet where pages go to Tier 2.
#pragma once
#include "random_run.h"
#include "scene.h"

// Eight frames, all of them full, and few slots.
class FewSlots : public Scene {
   public:
    FewSlots(const gmmu_regs &regs, const char *ram) : Scene(regs, ram) {
        for (uint32_t f = 0; f < FRAMES; f++) drv(GMMU_FILL, f, f);
        rest();
    }
    enum { FRAMES = 8 };
    static gmmu_regs registers(uint32_t tier, uint32_t slots) {
        gmmu_regs regs = regs_of(FRAMES, GMMU_FEED_RESIDENT, 4);
        regs.search = GMMU_SEARCH_SCAN;
        regs.tier = tier;
        regs.t2_slots = std::min(slots, config().t2_slots);
        regs.tier_model = 1;
        regs.tier_near = 20;
        regs.tier_far = 200;
        return regs;
    }
    // All decisions are answered.
    void answer() {
        rest();
        fill_decided();
        rest();
    }
};

// An operation of the driver that ends a promise, in each cycle beside the PLACE of the next
// decision, which counts promises.
TEST(GmmuTierTiers, PlaceBesideTheEndOfAPromise) {
    if (config().t2_slots == 0)
        return;
    for (const uint32_t tier : {GMMU_PLACE_PRIORITY, GMMU_PLACE_ORDER}) {
        FewSlots s(FewSlots::registers(tier, 1), "garbage");
        uint64_t page = 1000;
        unsigned placed[4] = {};
        for (const unsigned op : {GMMU_FREE, GMMU_CANCEL, GMMU_FILL})
            for (unsigned wait = 0; wait < 240 && s.good(); wait += wait < 80 ? 1 : 7) {
                s.fault(page, 0x10);
                s.rest();
                ASSERT_EQ(s.decisions.size(), 1u);
                const gmmu_tier_decision first = s.decisions.front();
                s.decisions.pop_front();
                s.fault(page + 1, 0x11);
                s.cycles(wait);
                s.drv(op, first.frame, first.vpn);
                s.rest();
                s.step.finish();  // the counters, as they grow
                for (const gmmu_tier_decision &d : s.decisions) placed[d.tier]++;
                s.answer();
                if (op != GMMU_FILL)
                    s.drv(GMMU_FILL, first.frame, first.vpn);
                page += 2;
            }
        EXPECT_TRUE(s.end());
        EXPECT_GT(placed[GMMU_TIER_2], 20u);
        EXPECT_GT(placed[GMMU_TIER_3], 20u);
    }
}

// CANCELs without a gap, each with a STAY for the predictor, while it may be busy with another
// decision; and FILLs right behind.
TEST(GmmuTierTiers, CancelsInARow) {
    if (config().t2_slots == 0)
        return;
    std::mt19937 rng(seed_of_run());
    FewSlots s(FewSlots::registers(GMMU_PLACE_REUSE, 4), "old");
    for (unsigned round = 0; round < 300 && s.good(); round++) {
        for (unsigned i = 0; i < 3; i++) s.fault(8 + (3 * round + i) % 20, 0x10 + rng() % 3);
        s.rest();
        std::deque<gmmu_tier_decision> cancelled;
        cancelled.swap(s.decisions);
        if (round % 4) {
            s.fault(40 + round % 8, 0x13);
            s.cycles(rng() % 48);
        }
        for (; !cancelled.empty() && s.good(); cancelled.pop_front()) {
            const gmmu_tier_decision &d = cancelled.front();
            s.drv(rng() % 4 ? GMMU_CANCEL : GMMU_FILL, d.frame, d.vpn);
        }
        s.answer();
        for (unsigned w = rng() % 8; w > 0; w--) s.hit(8 + rng() % 20, rng() % 8, 0x10 + rng() % 3);
    }
    EXPECT_TRUE(s.end());
}

// Pages drive one another out of few slots, as the hand stands, at times with many bits.
TEST(GmmuTierTiers, ByHandAtAnyTime) {
    if (config().t2_slots == 0)
        return;
    uint64_t evicted = 0;
    gmmu_regs regs = FewSlots::registers(GMMU_PLACE_ORDER, 3);
    regs.t2_full = 0;
    FewSlots s(regs, "new");
    uint32_t next = 0;
    uint64_t page = 1000;
    for (unsigned round = 0; round < 9 && s.good(); round++) {
        for (unsigned w = 0; w < (1u << 16) - 99; w++) s.hit(w % 3, w % 3, 0x10 + w % 5);
        for (unsigned f = 0; f < 6; f++) {
            s.fault(++page, 0x10);
            s.rest();
            for (; !s.decisions.empty() && s.good(); s.decisions.pop_front()) {
                const gmmu_tier_decision d = s.decisions.front();
                if (d.tier == GMMU_TIER_2)
                    s.drv_of_slot(GMMU_T2_FILL_DONE, d.frame, d.t2_valid ? d.t2_slot : next++ % 3);
                evicted += d.t2_valid;
                s.drv(GMMU_FILL, d.frame, d.vpn);
            }
            s.cycles(200);
        }
    }
    EXPECT_TRUE(s.end());
    EXPECT_GT(evicted, 40u);
}

// Pages that come back after the same time, all of them, are worth the same in both tiers: the
// order in which they were accessed decides. Eight are hit in a row, then one alone; when they are
// half way to their return faults come.
TEST(GmmuTierTiers, WorthTheSame) {
    if (config().t2_slots == 0)
        return;
    uint64_t evicted = 0, to_3 = 0;
    std::mt19937 rng(seed_of_run());
    for (unsigned period = 10; period <= 100; period += 3) {
        gmmu_regs regs = FewSlots::registers(GMMU_PLACE_PRIORITY, 2);
        regs.frames = FewSlots::FRAMES + 1;
        regs.tie = period % 2;
        regs.refresh = 4;
        FewSlots s(regs, period % 4 ? "old" : "new");
        s.drv(GMMU_FILL, FewSlots::FRAMES, 1000);
        uint32_t next = 0;
        for (unsigned round = 0; round < 16 && s.good(); round++) {
            const unsigned half = FewSlots::FRAMES + 1 + rng() % (period - FewSlots::FRAMES);
            for (unsigned w = 0; w < period; w++) {
                if (w < FewSlots::FRAMES)
                    s.hit(w, w, 0x10);
                else
                    s.hit(1000, FewSlots::FRAMES, 0x20);
                s.cycles(4);
                if (w + 1 == half && round > 7 && round % 2)
                    for (unsigned f = 0; f < 4; f++) {
                        s.fault(2000 + 4 * round + f, 0x10);
                        s.cycles(400);
                        for (; !s.decisions.empty() && s.good(); s.decisions.pop_front()) {
                            const gmmu_tier_decision d = s.decisions.front();
                            if (d.tier == GMMU_TIER_2)
                                s.drv_of_slot(GMMU_T2_FILL_DONE, d.frame,
                                              d.t2_valid ? d.t2_slot : next++ % 2);
                            evicted += d.t2_valid;
                            to_3 += d.tier == GMMU_TIER_3;
                            s.drv(GMMU_FILL, d.frame, d.vpn);
                            s.drv(GMMU_PIN, d.frame, 0);  // it is no victim
                        }
                    }
            }
            if (round % 4 == 3)
                s.rest();
            if (round > 7 && round % 2) {  // the eight are back
                for (uint32_t f = 0; f <= FewSlots::FRAMES; f++) s.drv(GMMU_UNPIN, f, 0);
                for (uint32_t f = 0; f < FewSlots::FRAMES; f++) s.drv(GMMU_FILL, f, f);
                s.rest();
            }
        }
        ASSERT_TRUE(s.end());
    }
    EXPECT_GT(evicted, 50u);
    EXPECT_GT(to_3, 50u);
}
