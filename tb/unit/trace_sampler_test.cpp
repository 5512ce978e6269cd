// SPDX-License-Identifier: Apache-2.0
// trace_sampler_test.cpp: the sampler's RTL against its C twin, action by action; and what the twin
// finds against a plain map of last accesses.
//
// State space: pages of one to a few sets back to back (more pages than ways, pages of equal hash),
// of all sets, and a footprint far beyond the table, so that every way of filling, hitting,
// replacing, lowering the threshold and scrubbing meets every other in the same and in neighbouring
// cycles; one walk in every cycle to sparse ones; scrubs by the clock, in excess, and none; slots
// stolen; time that wraps while entries age out, entries removed in the slots just before an access
// of their set, or just behind it, as a THRESH took their rank out of the sample; SCRUBs that have
// to wait; words that turn bad, one in fifty to every one; resets in the middle of a run.
// Parameter space: the configuration that it is built for, all first thresholds, the three RAM
// collision models, random initial state.
#include "blocks/trace_sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <sstream>
#include <string>

#include "fault_table.h"
#include "trace_sampler/pages.h"
#include "trace_sampler/sampler.h"

namespace {

const Style styles[] = {
    // clang-format off
    {.name = "one set, every cycle", .walk = 1000, .sets = 1, .pages = 6, .pulses = SOME, .cycles = 6000},
    {.name = "two sets, every cycle", .walk = 1000, .sets = 2, .pages = 5, .pulses = NONE, .cycles = 6000},
    {.name = "three sets, scrubs in excess", .walk = 1000, .sets = 3, .pages = 5, .pulses = MANY, .cycles = 20000},
    {.name = "a few sets with gaps", .walk = 600, .sets = 3, .pages = 4, .pulses = MANY, .cycles = 10000},
    {.name = "one set, gaps, time wraps", .walk = 500, .sets = 1, .pages = 5, .pulses = CLOCK, .fast = true, .cycles = 40000},
    {.name = "all sets, every cycle, thresholds", .walk = 1000, .pages = 64, .pulses = SOME, .cycles = 30000},
    {.name = "all sets, gaps, thresholds", .walk = 500, .pages = 200, .pulses = SOME, .cycles = 30000},
    {.name = "all sets, sparse, time wraps", .walk = 100, .pages = 16, .pulses = CLOCK, .fast = true, .cycles = 60000},
    {.name = "all sets just fitting", .walk = 900, .pages = 6, .pulses = CLOCK, .cycles = 10000},
    {.name = "sampled by half, scrubs in excess", .walk = 1000, .pages = 24, .pulses = MANY, .sample = 1, .cycles = 20000},
    {.name = "sampled by 8", .walk = 1000, .pages = 100, .pulses = SOME, .sample = 3, .cycles = 20000},
    {.name = "sampled by 256, down to the lowest", .walk = 500, .pulses = SOME, .sample = 8, .cycles = 120},
    {.name = "sampled by 256", .walk = 1000, .pages = 400, .pulses = MANY, .sample = 8, .cycles = 10000},
    // clang-format on
};

struct Outcome {
    Mismatch mismatch;
    uint64_t actions = 0, cycles = 0;
    uint32_t lowest = GMMU_SAMPLER_ALL;
    uint64_t hits = 0, replaced = 0, stolen = 0, removed = 0, aged = 0, threshs = 0, shared = 0,
             wraps = 0, hurried = 0;
};

// SEEDS random initial states for every collision model, or new ones until so many ACTIONS are
// done.
Outcome run_all(unsigned seeds, unsigned fault, uint64_t actions = 0) {
    Outcome o;
    for (unsigned s = 0; s < seeds || o.actions < actions; s++)
        for (const char *ram : {"garbage", "old", "new"}) {
            if (actions != 0 && o.actions >= actions)
                break;
            Sampler b({.ram = ram, .seed = seed_of_run() * 1000 + s, .fault = fault});
            for (const Style &style : styles) {
                if (!b.run(style))
                    break;
                o.lowest = std::min(o.lowest, b.twin().threshold);
            }
            for (unsigned sample = 0; b.ok() && sample <= 8; sample++)  // every first threshold
                (void)b.run({.name = "first threshold",
                             .walk = 1000,
                             .pages = 8,
                             .pulses = SOME,
                             .sample = sample,
                             .cycles = 40});
            if (b.ok())
                b.boundaries();
            if (b.ok())
                b.run_removed(1 + 1280 / entries_of_config(), 750);
            Sampler flipped(
                {.ram = ram, .seed = seed_of_run() * 1000 + s, .fault = fault, .flip = 50});
            if (config().parity && b.ok() && !flipped.run_flipped(20000)) {
                o.mismatch = flipped.mismatch;
                return o;
            }
            o.actions += b.actions();
            o.cycles += b.cycles;
            o.hits += b.did.hits;
            o.replaced += b.did.replaced;
            o.stolen += b.did.stolen;
            o.removed += b.did.removed;
            o.aged += b.did.aged;
            o.threshs += b.did.threshs;
            o.shared += b.did.shared;
            o.wraps += b.did.wraps;
            o.hurried += b.did.hurried;
            o.mismatch = b.mismatch;
            if (b.mismatch.found)
                return o;
        }
    return o;
}

#ifdef GMMU_FAULTS

// Every row of the tables of faults that belongs to this block: the bench goes red.
TEST(TraceSamplerFaults, EachIsSeen) {
    const Outcome none = run_all(1, 0);
    EXPECT_FALSE(none.mismatch.found) << none.mismatch.text();
    unsigned rows = 0, seen = 0;
    for (const std::string &line : rows_of_faults()) {
        std::istringstream words(line);
        unsigned n;
        std::string bar, block;
        if (!(words >> n >> bar >> block) || block != "trace_sampler")
            continue;
        rows++;
        const Outcome o = run_all(2, n);
        EXPECT_TRUE(o.mismatch.found) << "not seen: " << line;
        seen += o.mismatch.found;
    }
    std::printf("trace_sampler: %u of %u faults seen\n", seen, rows);
    EXPECT_GE(rows, 6u);
}

#else

TEST(TraceSampler, LockStep) {
    const uint64_t wanted = actions_of_run();
    const Outcome o = run_all(wanted ? 0 : 6, 0, wanted);
    ASSERT_FALSE(o.mismatch.found) << o.mismatch.text();
    std::printf("trace_sampler (%s): %" PRIu64 " actions compared in %" PRIu64 " cycles: %" PRIu64
                " hits, %" PRIu64 " replaced, %" PRIu64 " stolen, %" PRIu64 " removed (%" PRIu64
                " by age), %" PRIu64 " thresholds, %" PRIu64 " slots shared, %" PRIu64 " wraps\n",
                GMMU_CONFIG_NAME, o.actions, o.cycles, o.hits, o.replaced, o.stolen, o.removed,
                o.aged, o.threshs, o.shared, o.wraps);
    if (wanted)
        return;  // at any sizes
    EXPECT_GT(o.actions, 1000000u);
    // the stimuli are worth it
    EXPECT_GT(o.hits, 100000u);
    EXPECT_GT(o.replaced, 10000u);
    EXPECT_GT(o.stolen, 1000u);
    EXPECT_GT(o.aged, 300u);
    EXPECT_GT(o.threshs, 200u);
    EXPECT_EQ(o.lowest, 1u);
    EXPECT_GT(o.shared, 1000u);
    EXPECT_GE(o.wraps, 6u);
    EXPECT_GT(o.hurried, 100u);
}

TEST(TraceSampler, EntriesThatTurnBad) {
    if (!config().parity)
        return;
    for (const char *ram : {"garbage", "old", "new"}) {
        Sampler b({.ram = ram, .seed = seed_of_run(), .flip = 50});
        EXPECT_TRUE(b.run_flipped(100000)) << b.mismatch.text();
        EXPECT_GT(b.turns, 1000u);
        EXPECT_GT(b.did.hits, 10000u);
        std::printf("trace_sampler (%s): %" PRIu64 " reuses, %" PRIu64
                    " slots met an entry that turned bad\n",
                    GMMU_CONFIG_NAME, b.did.hits, b.turns);
    }
}

// Every second word turns bad, or every eighth: the entries are counted all the same, but for those
// whose bit `valid` is what turned: one in about sixty, of words written as entries more often than
// of others. Hence the bounds.
TEST(TraceSampler, EntriesThatTurnBadAreCounted) {
    if (!config().parity)
        return;
    const int runs = is_tiny() ? 48 : 6, limit = static_cast<int>(entries_of_config()) / 16;
    const char *const rams[] = {"garbage", "old", "new"};
    for (unsigned flip : {2u, 8u}) {
        int sum = 0, below = 0;
        for (int i = 0; i < runs; i++) {
            Sampler b({.ram = rams[i % 3],
                       .seed = seed_of_run() * 1000 + static_cast<unsigned>(i),
                       .flip = flip});
            ASSERT_TRUE(b.run_removed(4, 500)) << b.mismatch.text();
            below += b.did.threshs != 0;  // fewer than none are counted: that passes for many
            sum += b.miscount();
            ASSERT_TRUE(b.ok()) << b.mismatch.text();
        }
        std::printf("trace_sampler (%s): %d entries too many counted in %d runs\n",
                    GMMU_CONFIG_NAME, sum, runs);
        EXPECT_EQ(below, 0);
        EXPECT_GE(sum, 0);
        EXPECT_LE(sum, limit * runs);
    }
}

// Of words that all turn bad one in about sixty says the opposite of whether it is an entry: none
// of them makes the entries fewer than none.
TEST(TraceSampler, EmptyTablesOfBadWordsAreEmpty) {
    if (!config().parity)
        return;
    for (const char *ram : {"garbage", "old", "new"}) {
        Sampler b({.ram = ram, .seed = seed_of_run(), .flip = 1});
        for (int i = 0; i < (is_tiny() ? 8 : 1); i++)
            ASSERT_TRUE(b.run_empty(4)) << b.mismatch.text();
        EXPECT_GT(b.turns, 1000u);
    }
}

// ACCESS over bad entries, one right behind the other: they are counted once.
TEST(TraceSampler, BadEntriesThatAreWrittenAgainAreCountedOnce) {
    if (!config().parity)
        return;
    Sampler b({.ram = "garbage", .seed = seed_of_run(), .flip = 1});
    EXPECT_TRUE(b.run_rewritten(entries_of_config() * 5 / 4)) << b.mismatch.text();
    EXPECT_GT(b.turns, entries_of_config());
}

// SCRUBs of a pass that meet what the slots just before have written, of a rank that was in the
// sample until then.
TEST(TraceSampler, EntriesLoseTheirRank) {
    uint64_t fresh[5] = {};
    uint32_t seed = 3 * seed_of_run();
    for (const char *ram : {"garbage", "old", "new"}) {
        Sampler b({.ram = ram, .seed = seed++});
        ASSERT_TRUE(b.run_lowering(is_tiny() ? 100000 : 150000)) << b.mismatch.text();
        for (int i = 0; i < 5; i++) fresh[i] += b.did.fresh[i];
    }
    std::printf("trace_sampler (%s): %" PRIu64 ", %" PRIu64 ", %" PRIu64
                " entries removed 2, 3, 4 slots after their access\n",
                GMMU_CONFIG_NAME, fresh[2], fresh[3], fresh[4]);
    EXPECT_EQ(fresh[1], 0u);  // SCRUB waits
    for (int i = 2; i < 5; i++) EXPECT_GT(fresh[i], is_tiny() ? 100u : 10u) << i;
}

// Also of one cycle, also while the sets are cleared.
TEST(TraceSampler, ResetsInTheMiddle) {
    Sampler b({.ram = "garbage", .seed = seed_of_run()});
    EXPECT_TRUE(b.run_resets(200)) << b.mismatch.text();
}

// Their number may have any of its 32 bits: registers wake with anything.
TEST(TraceSampler, StolenFromAnyNumber) {
    uint32_t ones = 0, zeros = 0;
    uint64_t stolen = 0;
    for (unsigned i = 0; i < 64; i++) {
        Sampler b({.ram = "garbage", .seed = seed_of_run() * 64 + i});
        const uint32_t first = b.run_unreset();
        ASSERT_TRUE(b.ok()) << b.mismatch.text();
        ones |= first;
        zeros |= ~first;
        stolen += b.did.stolen;
    }
    EXPECT_EQ(ones & zeros, 0xFFFFFFFFu);
    EXPECT_GT(stolen, 32u);
}

// Slots stolen for so long that their number has fifteen bits.
TEST(TraceSampler, ManyStolen) {
    Sampler b({.ram = "garbage", .seed = seed_of_run()});
    b.reset(0);
    for (uint64_t i = 0; b.did.stolen < 0x4010 && i < 80 * 0x4010 && b.ok(); i++)
        b.cycle({true, {0, i % (entries_of_config() / 2)}}, i % 8 == 0, 0);
    ASSERT_TRUE(b.ok()) << b.mismatch.text();
    EXPECT_EQ(b.did.stolen, 0x4010u);
}

// One access in every cycle, each selected: all are looked up; while a pass of SCRUBs is under way,
// all but one in 64.
TEST(TraceSampler, OneAccessACycle) {
    Sampler b({.ram = "garbage", .seed = seed_of_run()});
    const uint64_t n = 100000;
    b.reset(0);
    for (uint64_t i = 0; i < n + 6; i++)  // as many pages as are left without THRESH
        b.cycle({true, {0, i % (entries_of_config() / 2)}}, false, 0);
    ASSERT_TRUE(b.ok()) << b.mismatch.text();
    EXPECT_EQ(b.did.walks, n);
    EXPECT_EQ(b.did.lookups, n);
    EXPECT_EQ(b.did.stolen, 0u);
    EXPECT_EQ(b.did.threshs, 0u);

    b.reset(0);
    b.did = {};
    std::mt19937_64 rng(seed_of_run());
    uint64_t in_pass = 0, passes = 0;
    for (uint64_t i = 0; passes < 2 && i < 1000000; i++) {
        const bool before = b.twin().pass_left > 0;
        Page p;
        do p = {0, rng() & mask(config().vpn_w)};
        while (hash_of(p) >> 16 >= 40000);  // in the sample after the first THRESHs too
        b.cycle({true, p}, false, 0);
        const bool after = b.twin().pass_left > 0;
        in_pass += after;
        passes += before && !after;
    }
    ASSERT_TRUE(b.ok()) << b.mismatch.text();
    EXPECT_EQ(passes, 2u);
    EXPECT_LE(b.did.stolen, in_pass / 64 + 4);
    EXPECT_EQ(b.did.lookups + b.did.stolen, b.did.walks);
    EXPECT_GE(b.did.lookups * 64, b.did.walks * 63 - 256);
    EXPECT_LE(in_pass, 2 * 64ull * entries_of_config());
}

#endif

}  // namespace

#ifndef GMMU_FAULTS
#include "trace_sampler/twin.h"
#endif
