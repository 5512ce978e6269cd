// SPDX-License-Identifier: Apache-2.0
// duel_test.cpp: the duel of shares: its table, and which share it takes.
//
// State space: random accesses to few and to many pages, with priorities that differ by class, time
// that comes round; two loops
// by one reference, and pages that LEU foretells. Parameter space: 2 to 1400 frames (every page,
// and one in 2 and 4 sampled).
#include "blocks/duel.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "blocks/config.h"
#include "numbered_trace.h"
#include "policy/registry.h"

namespace {

struct Duel {
    gmmu_config cfg = *gmmu_config_find("tiny");
    std::vector<char> memory;
    gmmu_duel d;
    gmmu_ppuc ppuc;

    explicit Duel(uint32_t frames) {
        gmmu_arena arena = {};
        (void)gmmu_duel_init(&d, &cfg, frames, &arena);
        (void)gmmu_ppuc_init(&ppuc, &cfg, &arena);
        memory.resize(arena.used + 16);
        arena = {memory.data(), memory.size(), 0};
        EXPECT_EQ(gmmu_duel_init(&d, &cfg, frames, &arena), 0);
        EXPECT_EQ(gmmu_ppuc_init(&ppuc, &cfg, &arena), 0);
    }
    // What is counted is what the table has.
    void check() const {
        uint32_t resident[GMMU_DUEL_SHADOWS] = {}, guarded[GMMU_DUEL_SHADOWS] = {};
        for (uint32_t e = 0; e < d.sets * GMMU_DUEL_WAYS; e++)
            for (unsigned i = 0; i < GMMU_DUEL_SHADOWS; i++) {
                const gmmu_duel_page &p = d.page[e];
                ASSERT_TRUE(p.valid || (p.resident == 0 && p.guarded == 0));
                ASSERT_EQ(p.guarded & ~p.resident, 0);
                resident[i] += p.resident >> i & 1;
                guarded[i] += p.guarded >> i & 1;
            }
        for (unsigned i = 0; i < GMMU_DUEL_SHADOWS; i++) {
            ASSERT_EQ(resident[i], d.shadow[i].resident);
            ASSERT_LE(resident[i], d.frames);
            ASSERT_EQ(guarded[i], d.shadow[i].segment.count);
        }
        ASSERT_EQ(guarded[0], 0u);
    }
};

TEST(Duel, CountsAreThoseOfTheTable) {
    uint64_t changes = 0;
    for (uint32_t frames : {2u, 17u, 200u, 512u, 1400u}) {
        Duel x(frames);
        EXPECT_LT(x.d.frames, 512u);
        EXPECT_GE(x.d.sets * GMMU_DUEL_WAYS, 4 * x.d.frames);
        std::mt19937_64 rng(frames);
        for (unsigned r = 0; r < x.cfg.classes; r++) {
            for (unsigned b = 0; b < x.cfg.bins; b++)
                x.ppuc.engine.priority[b] = static_cast<uint16_t>(rng());
            x.ppuc.engine.cls = {static_cast<uint16_t>(r), 0};
            (void)gmmu_ppuc_install(&x.ppuc, true);
        }
        uint32_t time = x.d.time_mask - 2000;
        for (unsigned i = 0; i < 6000; i++) {
            const uint64_t pages = i / 1000 % 2 ? frames * 2ull : frames * 6ull;
            time = (time + 1) & x.d.time_mask;
            const uint64_t vpn = rng() % 3 ? rng() % pages : i % pages;
            changes += gmmu_duel_walk(&x.d, &x.ppuc, 0, vpn,
                                      {static_cast<uint16_t>(rng() % x.cfg.classes), 0}, time);
            if (i % 500 == 0)
                x.check();
        }
        for (const gmmu_duel_shadow &s : x.d.shadow) EXPECT_GT(s.misses, 0u);
    }
    EXPECT_GT(changes, 0u);
}

uint64_t evictions(const Numbered &n, const char *options) {
    gmmu_sim *sim = n.sim(&gmmu_policy_leu, 300, options);
    gmmu_error err = {};
    EXPECT_EQ(gmmu_sim_replay(sim, n.index.data(), n.trace.data(), n.trace.size(), &err), GMMU_OK);
    const uint64_t count = gmmu_sim_counts(sim).evictions;
    gmmu_sim_destroy(sim);
    return count;
}

// Two loops by one reference, one short enough to stay: by instruction their pages are alike.
TEST(Duel, TakesProtectionWhereItPays) {
    std::vector<gmmu_walk> trace;
    for (unsigned i = 0; i < 30000; i++) {
        gmmu_walk w = {};
        w.vpn = i % 5 == 0 ? i / 5 % 250 : 1000 + i % 2003;
        w.ref = 16;
        trace.push_back(w);
    }
    const Numbered n(trace);
    const uint64_t none = evictions(n, "search=sample");
    const uint64_t all = evictions(n, "search=sample:protect=248");
    const uint64_t duel = evictions(n, "search=sample:duel=1");
    EXPECT_LT(100 * all, 95 * none);
    EXPECT_LT(100 * duel, 103 * all);
}

// Pages that are used twice in quick succession and never again, between uses of a working set:
// what was used again soon is protected, and LEU knows better.
TEST(Duel, LeavesItWhereLeuKnowsBetter) {
    std::vector<gmmu_walk> trace;
    const auto walk = [&trace](uint64_t vpn, uint64_t ref) {
        gmmu_walk w = {};
        w.vpn = vpn;
        w.ref = ref;
        trace.push_back(w);
    };
    for (unsigned i = 0; i < 12000; i++) {
        walk(i % 280, 16);
        walk(1000 + i, 32);
        walk(1000 + i - (i < 4 ? i : 4), 48);
    }
    const Numbered n(trace);
    const uint64_t none = evictions(n, "search=sample"),
                   all = evictions(n, "search=sample:protect=248");
    const uint64_t duel = evictions(n, "search=sample:duel=1");
    EXPECT_LT(none, all);
    EXPECT_LT(100 * duel, 103 * none);
}

}  // namespace
