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
        regs.t2_slots = slots;
        regs.tier_model = 1;
        regs.tier_near = 20;
        regs.tier_far = 200;
        return regs;
    }
    // All decisions are answered.
    void answer() {
        rest();
        for (; !decisions.empty() && good(); decisions.pop_front())
            drv(GMMU_FILL, decisions.front().frame, decisions.front().vpn);
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

// CANCELs without a gap, each with a STAY for the predictor; and FILLs right behind.
TEST(GmmuTierTiers, CancelsInARow) {
    if (config().t2_slots == 0)
        return;
    std::mt19937 rng(seed_of_run());
    FewSlots s(FewSlots::registers(GMMU_PLACE_REUSE, 4), "old");
    for (unsigned round = 0; round < 60 && s.good(); round++) {
        for (unsigned i = 0; i < 3; i++) s.fault(8 + (3 * round + i) % 20, 0x10 + rng() % 3);
        s.rest();
        for (; !s.decisions.empty() && s.good(); s.decisions.pop_front()) {
            const gmmu_tier_decision &d = s.decisions.front();
            s.drv(rng() % 4 ? GMMU_CANCEL : GMMU_FILL, d.frame, d.vpn);
        }
        s.answer();
        for (unsigned w = rng() % 8; w > 0; w--) s.hit(8 + rng() % 20, rng() % 8, 0x10 + rng() % 3);
    }
    EXPECT_TRUE(s.end());
}

// Pages of one reference, so that many are worth the same, and the order in which they were
// accessed decides.
TEST(GmmuTierTiers, WorthTheSame) {
    if (config().t2_slots == 0)
        return;
    uint64_t evicted = 0;
    for (uint32_t seed = 0; seed < 8; seed++) {
        gmmu_regs regs = FewSlots::registers(GMMU_PLACE_PRIORITY, 6);
        regs.tie = seed % 2;
        regs.refresh = 2 + seed % 4;
        RandomRun run(seed % 3 ? "old" : "garbage", seed_of_run() * 100 + seed, regs, nullptr);
        const Style prompt = {"prompt driver, at times a walk", 150, 1000, 0, 1000, 0, 1};
        for (unsigned pages = 20; pages <= 120; pages += 20)
            ASSERT_TRUE(run.go(prompt, 3000, pages, 1)) << run.lockstep().mismatch.text();
        ASSERT_TRUE(run.run(prompt, 1000, 20, 1)) << run.lockstep().mismatch.text();
        evicted += run.lockstep().did.placed[Activity::EVICTED];
    }
    EXPECT_GT(evicted, 100u);
}
