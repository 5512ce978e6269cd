// SPDX-License-Identifier: Apache-2.0
// share_duel_test.cpp: the driver's duel: its table, its counts, and what it decides.
//
// State space: random accesses to few and to many pages, by priorities that differ by class, with
// gaps in time; through the unit's own beats: two loops by one reference, pages that LEU foretells.
// Parameter space: 1 to 5000 frames, every page and one in 4 and 16 sampled, shares of 1 to 255.
#include "driver/share_duel.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "blocks/config.h"
#include "blocks/crc32c.h"
#include "numbered_trace.h"
#include "policy/registry.h"

namespace {

struct Duel {
    gmmu_share_duel_config cfg;
    std::vector<uint64_t> memory;
    gmmu_share_duel d;

    explicit Duel(uint32_t frames, unsigned sample = 0, unsigned share = 248) {
        const gmmu_config *tiny = gmmu_config_find("tiny");
        gmmu_regs regs = gmmu_regs_default(tiny);
        regs.frames = frames;
        regs.sample = sample;
        cfg = gmmu_share_duel_default(tiny, &regs);
        cfg.share = share;
        memory.resize(gmmu_share_duel_bytes(&cfg) / 8 + 1);
        EXPECT_EQ(gmmu_share_duel_init(&d, &cfg, memory.data(), memory.size() * 8), 0);
    }
    // PRIORITY(row) for each bin of each row.
    template <class F>
    void priorities(F priority) {
        gmmu_ppuc &ppuc = d.host.ppuc;
        for (unsigned r = 0; r < cfg.unit.classes; r++) {
            for (unsigned b = 0; b < cfg.unit.bins; b++)
                ppuc.engine.priority[b] = static_cast<uint16_t>(priority(r));
            ppuc.engine.cls = {static_cast<uint16_t>(r), 0};
            (void)gmmu_ppuc_install(&ppuc, true);
        }
    }
    void access(uint64_t vpn, unsigned row, uint64_t time) {
        gmmu_share_duel_access(&d, &d.host.ppuc, 0, vpn, {static_cast<uint16_t>(row), 0}, time);
    }
    bool sampled(uint64_t vpn) const {
        return gmmu_hash(0, cfg.unit.asid_w, vpn, cfg.unit.vpn_w) < d.threshold;
    }
    const gmmu_share_page *page(uint64_t vpn) const {
        for (uint32_t e = 0; e < d.sets * GMMU_SHARE_WAYS; e++)
            if (d.page[e].valid && d.page[e].vpn == vpn)
                return &d.page[e];
        return nullptr;
    }
    // What is counted is what the table has.
    void check() const {
        uint32_t resident[GMMU_SHARE_SHADOWS] = {}, guarded = 0;
        for (uint32_t e = 0; e < d.sets * GMMU_SHARE_WAYS; e++) {
            const gmmu_share_page &p = d.page[e];
            ASSERT_TRUE(p.valid || (p.resident == 0 && !p.guarded));
            ASSERT_TRUE(!p.guarded || (p.resident >> GMMU_SHARE_GUARDED & 1) != 0);
            for (unsigned i = 0; i < GMMU_SHARE_SHADOWS; i++) resident[i] += p.resident >> i & 1;
            guarded += p.guarded;
        }
        for (unsigned i = 0; i < GMMU_SHARE_SHADOWS; i++) {
            ASSERT_EQ(resident[i], d.shadow[i].resident);
            ASSERT_LE(resident[i], d.frames);
        }
        ASSERT_EQ(guarded, d.segment.count);
    }
};

TEST(ShareDuel, CountsAreThoseOfTheTable) {
    uint64_t alone = 0;
    for (uint32_t frames : {1u, 2u, 17u, 200u, 1024u, 5000u}) {
        const unsigned sample = frames % 3 * 2;
        Duel x(frames, sample, frames == 17 ? 1 : frames == 200 ? 255 : 248);
        EXPECT_LT(x.d.frames, 1024u);
        EXPECT_LE(x.d.frames, std::max(1u, frames >> sample));
        EXPECT_GE(x.d.sets * GMMU_SHARE_WAYS, 4 * x.d.frames);
        std::mt19937_64 rng(frames);
        x.priorities([&rng](unsigned) { return rng(); });
        uint64_t time = 0;
        for (unsigned i = 0; i < 12000 && !::testing::Test::HasFatalFailure(); i++) {
            const uint64_t pages = i / 1000 % 2 != 0 ? frames * 2ull : frames * 6ull;
            time += rng() % 500 == 0 ? rng() % 3000000 : 1;
            const uint64_t vpn = rng() % 3 != 0 ? rng() % pages : i % pages;
            x.access(vpn, static_cast<unsigned>(rng() % x.cfg.unit.classes), time);
            if (i % 500 == 0)
                x.check();
        }
        alone += x.d.shadow[0].alone + x.d.shadow[1].alone;
    }
    EXPECT_GT(alone, 0u);
}

// Accesses that miss in one shadow only are counted there, all others in none; counts fall by a
// sixteenth with each turn of memory's size in walks; who has two standard deviations more is left,
// and no protection only if that is half of a shadow's 100 frames.
// Phases in turn: pages that are used twice and never again, which the priorities tell; and a loop
// beside pages that never return, which they do not.
TEST(ShareDuel, CountsMissesOfOneShadowOnly) {
    Duel x(100);
    x.priorities([](unsigned row) { return row == 1 ? 1000 : 1; });
    uint64_t want[GMMU_SHARE_SHADOWS] = {}, decayed = 0, counted = 0, changes = 0;
    for (uint64_t time = 1; time <= 60000; time++) {
        const bool twice = time / 10000 % 2 != 0;
        const bool loop = time % (twice ? 3 : 5) == 0;
        const uint64_t vpn = loop    ? time / (twice ? 3 : 5) % (twice ? 90 : 70)
                             : twice ? 1000 + time / 6
                                     : 100000 + time;
        for (; decayed + 100 <= time; decayed += 100)
            for (uint64_t &w : want) w -= w / 16;
        const gmmu_share_page *before = x.page(vpn);
        const unsigned in = before == nullptr ? 0 : before->resident;
        const unsigned chosen = x.d.chosen;
        x.access(vpn, twice && loop, time);
        if (in == 1 || in == 2) {
            want[in == 1 ? 1 : 0] += 256;
            counted++;
        }
        for (unsigned i = 0; i < GMMU_SHARE_SHADOWS; i++)
            ASSERT_EQ(x.d.shadow[i].alone, want[i]) << "walk " << time;
        const double now = static_cast<double>(want[chosen]) / 256,
                     then = static_cast<double>(want[1 - chosen]) / 256;
        const bool leaves = now > then && (now - then) * (now - then) >= 4 * (now + then) &&
                            (chosen == GMMU_SHARE_GUARDED || now - then >= 50);
        ASSERT_EQ(x.d.chosen != chosen, leaves) << "walk " << time;
        changes += leaves;
        ASSERT_EQ(gmmu_share_duel_protect(&x.d), x.d.chosen == GMMU_SHARE_GUARDED ? 248u : 0u);
    }
    EXPECT_GT(counted, 1000u);
    EXPECT_GE(changes, 4u);
    EXPECT_EQ(x.d.changes, changes);
}

// A page is in the sample by its hash alone, and what is not there leaves no trace.
TEST(ShareDuel, SamplesByHash) {
    Duel x(4000, 2);
    uint64_t in = 0;
    for (uint64_t vpn = 0; vpn < 4000; vpn++) {
        x.access(vpn, 0, vpn + 1);
        ASSERT_EQ(x.page(vpn) != nullptr, x.sampled(vpn)) << vpn;
        in += x.sampled(vpn);
    }
    EXPECT_NEAR(static_cast<double>(in), 4000. / 4, 130);
}

TEST(ShareDuel, RefusesNumbersOutOfRange) {
    const Duel good(100);
    std::vector<uint64_t> memory(good.memory.size());
    gmmu_share_duel d;
    const auto refused = [&](auto change) {
        gmmu_share_duel_config c = good.cfg;
        change(c);
        return gmmu_share_duel_init(&d, &c, memory.data(), memory.size() * 8) != 0;
    };
    using Config = gmmu_share_duel_config;
    EXPECT_FALSE(refused([](Config &) {}));
    EXPECT_TRUE(refused([](Config &c) { c.frames = 0; }));
    EXPECT_TRUE(refused([](Config &c) { c.sample = 16; }));
    EXPECT_TRUE(refused([](Config &c) { c.share = 256; }));
    EXPECT_TRUE(refused([](Config &c) { c.shadow_frames = 1; }));
    EXPECT_TRUE(refused([](Config &c) { c.decay = 32; }));
    EXPECT_TRUE(refused([](Config &c) { c.deviations = 256; }));
    EXPECT_TRUE(refused([](Config &c) { c.back = 256; }));
    EXPECT_TRUE(refused([](Config &c) { c.refresh = 64; }));
    EXPECT_NE(gmmu_share_duel_init(&d, &good.cfg, memory.data(), 64), 0);
    // and no room is asked for what is refused
    gmmu_share_duel_config c = good.cfg;
    EXPECT_GT(gmmu_share_duel_bytes(&c), 0u);
    c.shadow_frames = 0;
    EXPECT_EQ(gmmu_share_duel_bytes(&c), 0u);
    c = good.cfg;
    c.refresh = 64;
    EXPECT_EQ(gmmu_share_duel_bytes(&c), 0u);
}

// A small shadow of a large memory has its share of the pages, too.
TEST(ShareDuel, SamplesOfLargeMemories) {
    for (const uint32_t frames : {1u << 16, 1u << 20, 1u << 26})
        for (const uint32_t shadow : {16u, 1024u}) {
            gmmu_share_duel_config c = Duel(100).cfg;
            c.frames = frames;
            c.shadow_frames = shadow;
            std::vector<uint64_t> memory(gmmu_share_duel_bytes(&c) / 8 + 1);
            gmmu_share_duel d;
            ASSERT_EQ(gmmu_share_duel_init(&d, &c, memory.data(), memory.size() * 8), 0);
            // of FRAMES pages as many as the shadow has frames
            EXPECT_NEAR(static_cast<double>(d.threshold) / 4294967296. * frames, d.frames, 0.51)
                << frames << " " << shadow;
            EXPECT_GT(d.threshold, 0u);
        }
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
TEST(ShareDuel, TakesProtectionWhereItPays) {
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
TEST(ShareDuel, LeavesItWhereLeuKnowsBetter) {
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
