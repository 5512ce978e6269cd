// SPDX-License-Identifier: Apache-2.0
// leu.cpp: the unit's own form of leu: its options and notes.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "../tiers/recorded.h"
#include "blocks/log_bin.h"
#include "gmmu/trace.h"
#include "numbered_trace.h"
#include "policy/octave_bin.h"
#include "policy/policy.h"
#include "policy/registry.h"
#include "policy/replay.h"
#include "random_trace.h"

namespace {

// Pages in cycles of several lengths, and at random, by a few references: something to choose from.
std::vector<gmmu_walk> mixed_trace() {
    std::mt19937_64 rng(7);
    std::vector<gmmu_walk> trace;
    for (unsigned i = 0; i < 20000; i++) {
        const uint64_t ref = rng() % 6;
        const uint64_t page = ref == 5 ? rng() % 400 : ref * 400 + i / (1 + ref) % (60 + 50 * ref);
        gmmu_walk w = {};
        w.vpn = page;
        w.ref =
            0x1000 + 16 * (rng() % 16 == 0 ? 6 + i / 300 : ref);  // rare ones, never warm for long
        trace.push_back(w);
    }
    return trace;
}

// The victims of leu with OPTIONS, and what it notes at the end.
std::vector<uint32_t> leu_victims(const Numbered &n, const std::string &options,
                                  std::string *note = nullptr) {
    gmmu_policy_config config = {
        .frames = 200, .pages = n.pages, .options = options.c_str(), .seed = 1};
    gmmu_error err = {};
    gmmu_sim *sim = gmmu_sim_create(&gmmu_policy_leu, &config, &err);
    std::vector<uint32_t> victims;
    if (sim == nullptr) {
        ADD_FAILURE() << err.text;
        return victims;
    }
    for (size_t i = 0; i < n.trace.size(); i++) {
        gmmu_outcome out = {};
        EXPECT_EQ(gmmu_sim_access(sim, n.index[i], &n.trace[i], &out, &err), GMMU_OK) << err.text;
        if (gmmu_outcome_victim(&out) != GMMU_NO_PAGE)
            victims.push_back(gmmu_outcome_victim(&out));
    }
    char text[160] = "";
    EXPECT_TRUE(gmmu_sim_note(sim, text, sizeof text));
    if (note != nullptr)
        *note = text;
    gmmu_sim_destroy(sim);
    return victims;
}

TEST(Leu, OptionsThatSayTheDefaultChangeNothing) {
    Numbered n(mixed_trace());
    const std::string base = "search=sample";
    const auto victims = leu_victims(n, base);
    ASSERT_GT(victims.size(), 1000U);
    for (const char *same :
         {"config=default:search=sample", "octave=4", "drop=0", "keep=0", "prior=8", "early=6",
          "engine=0", "k=64", "pool=16", "classes=64", "count=11", "sampler=1024", "pseudo=1",
          "censor=1", "feed=0", "sample=2", "refresh=6", "ref=32", "merge=0"})
        EXPECT_TRUE(leu_victims(n, base + ":" + same) == victims) << same;
    EXPECT_NE(leu_victims(n, base + ":search=scan"), victims);
    EXPECT_EQ(leu_victims(n, "search=scan"), leu_victims(n, ""));
}

TEST(Leu, EveryOptionHasAnEffect) {
    Numbered n(mixed_trace());
    const std::string base = "search=sample:sample=0:sampler=256:count=7";
    const auto victims = leu_victims(n, base);
    for (const char *other :
         {"octave=1",   "octave=2",    "octave=8",  "drop=7",   "drop=10", "keep=1",
          "prior=64",   "early=12",    "engine=50", "k=8",      "pool=2",  "classes=4",
          "count=4",    "sampler=512", "pseudo=0",  "censor=0", "feed=1",  "sample=3",
          "refresh=10", "ref=0",       "ref=1",     "merge=200"})
        EXPECT_TRUE(leu_victims(n, base + ":" + other) != victims) << other;
}

// Without references the unit sees the trace as if all walks had the same one.
TEST(Leu, NoReferenceIsOneReferenceForAll) {
    Numbered with(mixed_trace());
    std::vector<gmmu_walk> bare = mixed_trace();
    for (gmmu_walk &w : bare) w.ref = 0;
    Numbered without(bare);
    for (const char *search : {"search=sample", "search=scan", "search=sample:merge=50"}) {
        const auto victims = leu_victims(with, std::string(search) + ":ref=0");
        EXPECT_TRUE(victims == leu_victims(without, search)) << search;
        EXPECT_FALSE(victims == leu_victims(with, search)) << search;
    }
}

// A walk directly behind a walk of its page is merged: the unit decides as on the trace without it.
TEST(Leu, MergedWalksAreNotSeen) {
    std::vector<gmmu_walk> once;
    for (const gmmu_walk &w : mixed_trace())
        if (once.empty() || once.back().vpn != w.vpn)
            once.push_back(w);
    std::vector<gmmu_walk> twice;
    for (const gmmu_walk &w : once) {
        twice.push_back(w);
        twice.push_back(w);
        twice.back().ref = w.ref + 5;  // of another warp
    }
    Numbered a(once), b(twice);
    for (const char *options : {"search=sample", "search=sample:duel=1", "search=scan:drop=3"}) {
        const auto victims = leu_victims(a, std::string(options) + ":merge=1");
        EXPECT_TRUE(leu_victims(a, options) == victims) << options;
        EXPECT_TRUE(leu_victims(b, std::string(options) + ":merge=1") == victims) << options;
        EXPECT_FALSE(leu_victims(b, options) == victims) << options;
    }
}

TEST(Leu, TiersAndMergedWalksExcludeEachOther) {
    Numbered n(mixed_trace());
    gmmu_policy_config config = {
        .frames = 200, .pages = n.pages, .options = "merge=4", .seed = 1, .tier2 = 100};
    gmmu_error err = {};
    EXPECT_EQ(gmmu_sim_create(&gmmu_policy_tier, &config, &err), nullptr);
    EXPECT_STREQ(err.text, "tier: found merge=4, expected policy leu");
}

// Search clock of the unit against policy clock, access by access.
void expect_clock(const Numbered &n, uint32_t frames, const char *options, uint64_t *victims) {
    gmmu_sim *unit = n.sim(&gmmu_policy_leu, frames, options);
    gmmu_sim *clock = n.sim(&gmmu_policy_clock, frames, nullptr);
    gmmu_error err = {};
    bool same = true;
    for (size_t t = 0; same && t < n.trace.size(); t++) {
        gmmu_outcome a = {}, b = {};
        ASSERT_EQ(gmmu_sim_access(unit, n.index[t], &n.trace[t], &a, &err), GMMU_OK) << err.text;
        ASSERT_EQ(gmmu_sim_access(clock, n.index[t], &n.trace[t], &b, &err), GMMU_OK) << err.text;
        same = a.fault == b.fault && gmmu_outcome_victim(&a) == gmmu_outcome_victim(&b);
        *victims += gmmu_outcome_victim(&b) != GMMU_NO_PAGE;
        EXPECT_TRUE(same) << "walk " << t + 1 << ", " << frames << " frames, " << options;
    }
    gmmu_sim_destroy(unit);
    gmmu_sim_destroy(clock);
}

// Nothing is protected, and no study has to do with it.
const char *const clocks[] = {"search=clock", "search=clock:protect=200",
                              "search=clock:config=tiny:duel=1", "search=clock:octave=8:drop=3"};

TEST(LeuClock, HasTheVictimsOfClockOnRandomTraces) {
    RandomTrace random(test_seed());
    uint64_t victims = 0;
    for (unsigned i = 0; i < 60 && !HasFailure(); i++) {
        const Numbered n(random.make(200 + random.below(2000), 10 + random.below(300)));
        const uint32_t frames = 1 + static_cast<uint32_t>(random.below(n.distinct()));
        expect_clock(n, frames, clocks[i % 4], &victims);
    }
    std::printf("[ vectors  ] clock: %llu victims\n", static_cast<unsigned long long>(victims));
}

TEST(LeuClock, HasTheVictimsOfClockOnRecordedTraces) {
    uint64_t victims = 0;
    for (const std::string &path : recorded_traces({"bfs.walk", "cfd.gwt"})) {
        const Numbered n(read_trace(path));
        for (const unsigned percent : {25, 50, 75})
            expect_clock(n, static_cast<uint32_t>(n.distinct() * percent / 100), clocks[0],
                         &victims);
    }
    std::printf("[ vectors  ] clock: %llu victims\n", static_cast<unsigned long long>(victims));
}

TEST(Leu, NotesTheStateOfTheSampler) {
    Numbered n(mixed_trace());
    std::string note;
    unsigned threshold = 0, sampler = 0, sampled = 0, dropped = 1;
    const auto read = [&] {
        return std::sscanf(note.c_str(), "threshold=%u sampler=%u sampled=%u dropped=%u",
                           &threshold, &sampler, &sampled, &dropped);
    };
    (void)leu_victims(n, "sample=1:sampler=4096", &note);
    ASSERT_EQ(read(), 4) << note;
    EXPECT_EQ(threshold, 32768U);  // half of the pages, and room for them
    EXPECT_EQ(sampler, 4096U);
    EXPECT_NEAR(sampled, n.distinct() / 2.0, n.distinct() / 8.0);
    EXPECT_EQ(dropped, 0U);
    (void)leu_victims(n, "sample=0:sampler=64", &note);
    ASSERT_EQ(read(), 4) << note;
    EXPECT_LT(threshold, 65536U);  // it fell
    EXPECT_LE(sampled, 64U);
    gmmu_sim *lru = n.sim(&gmmu_policy_lru, 1);
    char text[160];
    EXPECT_FALSE(gmmu_sim_note(lru, text, sizeof text));
    gmmu_sim_destroy(lru);
}

TEST(Leu, RefusesOptionsOutOfRange) {
    Numbered n({gmmu_walk{}});
    for (
        const char *bad :
        {"octave=3",   "octave=0",    "octave=16", "octave=5",    "drop=11",
         "count=1",    "count=17",    "keep=2",    "prior=0",     "early=0",
         "sample=9",   "refresh=21",  "feed=2",    "k=0",         "k=",
         "k=-1",       "k=+1",        "k=9x",      "k",           "none=1",
         "search=all", "config=none", "classes=5", "sampler=100", "sampler=99999999999999999999"}) {
        gmmu_policy_config config = {.frames = 1, .pages = n.pages, .options = bad, .seed = 1};
        gmmu_error err = {};
        EXPECT_EQ(gmmu_sim_create(&gmmu_policy_leu, &config, &err), nullptr) << bad;
        EXPECT_EQ(std::string(err.text).substr(0, 5), "leu: ") << bad;
    }
}

TEST(Leu, BinsOfAnyWidth) {
    for (uint64_t x = 0; x < 100000; x++) ASSERT_EQ(gmmu_bin(x, 72), gmmu_bin_of(x, 72, 2)) << x;
    for (unsigned b = 0; b < 116; b++) ASSERT_EQ(gmmu_bin_low(b), gmmu_bin_low_of(b, 2)) << b;
    for (unsigned s = 0; s < 4; s++)
        for (unsigned b = 0; b < 16u << s; b++) {
            ASSERT_EQ(gmmu_bin_of(gmmu_bin_low_of(b, s), 200, s), b) << s;
            ASSERT_EQ(gmmu_bin_of(gmmu_bin_low_of(b + 1, s) - 1, 200, s), b) << s;
        }
    EXPECT_EQ(gmmu_bin_of(1ull << 40, 20, 0), 19U);
}

}  // namespace
