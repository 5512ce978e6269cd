// SPDX-License-Identifier: Apache-2.0
// victim_select_test.cpp: the search's RTL against its C twin, candidate by candidate.
//
// State space: candidates with few priorities and few time stamps (ties on both, stamps that wrap),
// protected ones and others, neighbours that differ in one bit of either; none, few or all of them
// eligible; decisions that find the best one used or pinned, until all slots are empty and into the
// second round; frames of the same slot one right behind the other; credit that comes and goes at
// any time; the side port granted in every cycle or rarely; answers after 1 to 600 cycles.
// Fresh frames, in searches by force and others.
// In search clock: hands that come late, so that those behind the taker are void; frames that were
// hit and others; rounds that go on after a RETRY.
// Parameter space: the configuration that it is built for; all searches and cfg_frames, changed
// while idle too, the search in the middle of one as well; bits that turn over in the slots;
// cfg_frames 1, 2, POOL, POOL + 1, some that are no power of two, all; random initial state; a
// reset in the middle of a search.

#include <vector>

#include "bench.h"
#include "victim_select/flipped.h"
#include "victim_select/lockstep.h"
#include "victim_select/lossy.h"

namespace {

// ANY and OTHER: numbers of frames.
std::vector<Style> styles_of(const gmmu_config &c, unsigned any, unsigned other) {
    const unsigned all = c.frames < 256 ? c.frames : 256;
    return {
        // clang-format off
        {.frames = 1, .eligible = 700, .priorities = 3, .stamps = 2, .grant = 800, .credit = 5, .retry = 300, .cycles = 3000},
        {.frames = 2, .eligible = 500, .priorities = 2, .stamps = 2, .latency = 1, .credit = 20, .retry = 300, .cycles = 3000},
        {.frames = c.pool, .wanted = 300, .eligible = 800, .priorities = 2, .stamps = 3, .credit = 2, .retry = 600, .cycles = 4000},
        {.frames = c.pool + 1, .wanted = 300, .priorities = 2, .stamps = 3, .grant = 700, .credit = 2, .retry = 900, .cycles = 4000},
        {.frames = 37, .wanted = 300, .priorities = 4, .stamps = 4, .credit = 1, .retry = 800, .cycles = 6000},
        // fresh frames, by force and not
        {.frames = 37, .wanted = 300, .eligible = 700, .priorities = 3, .stamps = 3, .retry = 300, .cycles = 10000, .fresh = 500},
        {.frames = 5, .wanted = 700, .eligible = 900, .priorities = 2, .stamps = 2, .latency = 3, .credit = 1, .retry = 300, .cycles = 10000,
         .fresh = 800},
        // often nobody: a second scan
        {.frames = 37, .wanted = 300, .eligible = 30, .priorities = 2, .stamps = 2, .grant = 900, .latency = 20, .credit = 1, .cycles = 6000},
        {.frames = 37, .wanted = 300, .eligible = 0, .priorities = 2, .stamps = 2, .grant = 900, .credit = 3, .cycles = 3000},  // never anyone
        {.frames = 37, .retry = 1000, .cycles = 6000},  // until all slots are empty
        {.frames = 100, .eligible = 700, .priorities = 2, .grant = 500, .latency = 40, .retry = 300, .cycles = 8000},
        {.frames = 5, .eligible = 700, .priorities = 2, .grant = 500, .latency = 60, .retry = 300, .cycles = 8000},
        {.frames = 100, .wanted = 1000, .eligible = 700, .credit = 1, .retry = 200, .cycles = 8000},
        // credit in the middle of a search keeps full slots
        {.frames = all, .wanted = 700, .latency = 4, .credit = 20, .retry = 300, .cycles = 8000},
        {.frames = 37, .retry = 800, .near = 900, .cycles = 20000},
        // equal slots at its end
        {.frames = c.k + c.pool + 1, .priorities = 2, .stamps = 3, .latency = 1, .credit = 2, .near = 500, .cycles = 10000},
        {.frames = 2 * c.k + 2 * c.pool + 1, .latency = 1, .credit = 2, .retry = 800, .near = 900, .cycles = 10000},
        {.frames = any, .near = 950, .cycles = 10000},
        {.frames = other, .priorities = 3, .latency = 1, .credit = 1, .near = 500, .cycles = 10000},
        // all equal: the frame decides, in slots that are met at once
        {.frames = c.frames < 61 ? c.frames : 61, .wanted = 700, .eligible = 950, .priorities = 1, .stamps = 1, .latency = 1,
         .retry = 300, .cycles = 20000, .guarded = 0},
        // the same among more, that a frame of a high number is held as a lower one comes
        {.frames = c.frames < 135 ? c.frames : 135, .wanted = 700, .eligible = 500, .priorities = 1, .stamps = 1, .latency = 1,
         .retry = 300, .cycles = 20000, .guarded = 0},
        // as late as they may come: outcomes, answers
        {.frames = 37, .wanted = 1000, .eligible = 700, .priorities = 3, .stamps = 3, .latency = 4, .credit = 1, .retry = 600,
         .cycles = 12000, .late = true},
        {.frames = 37, .wanted = 1000, .eligible = 700, .priorities = 3, .stamps = 3, .latency = 60, .credit = 1, .retry = 300,
         .cycles = 12000, .slow = 300},
        {.wanted = 1000, .eligible = 500, .priorities = 3, .stamps = 5, .cycles = 2ull * c.frames + 4000},
        // very late answers
        {.wanted = 1000, .eligible = 500, .latency = 250, .near = 500, .cycles = 2ull * c.frames + 4000},
        {.wanted = 1000, .eligible = 500, .latency = 600, .retry = 0, .near = 500, .cycles = 2ull * c.frames + 4000},
        // clang-format on
    };
}

// Bits flip in words of the pool: some, then one in every word.
void run_flipped(bench::Setup s, bench::Outcome *o) {
    s.flip = 6;
    Flipped some(s);
    (void)some.run(400);
    if (!o->add(some))
        return;
    s.flip = 1;
    Flipped all(s);
    (void)all.run(200, false);
    o->add(all);
}

bench::Outcome run(const bench::Setup &s) {
    const gmmu_config &c = bench::config();
    bench::Outcome o;
    VictimSelect b(s);
    bench::Random sizes(s.seed);
    const unsigned any = 1 + static_cast<unsigned>(sizes.below(c.frames < 256 ? c.frames : 256));
    const unsigned other = 1 + static_cast<unsigned>(sizes.below(40));
    const std::vector<Style> styles = styles_of(c, any, other);
    for (const unsigned search : {GMMU_SEARCH_SCAN, GMMU_SEARCH_SAMPLE, GMMU_SEARCH_CLOCK})
        for (const Style &style : styles) {
            if (b.mismatch.found)
                break;
            b.reset(style.frames, search);
            (void)b.run(style);
        }
    b.reset(37, GMMU_SEARCH_SAMPLE);
    b.change = 100;
    (void)b.run({.frames = 37,
                 .wanted = 300,
                 .eligible = 700,
                 .priorities = 3,
                 .stamps = 3,
                 .credit = 2,
                 .retry = 200,
                 .cycles = 30000});
    (void)b.run({.frames = 37,
                 .wanted = 300,
                 .eligible = 20,
                 .priorities = 3,
                 .stamps = 3,
                 .credit = 2,
                 .retry = 200,
                 .cycles = 30000});  // a second round, of another kind
    if (!o.add(b))
        return o;
    Lossy lossy(s);
    for (const unsigned search : {GMMU_SEARCH_SCAN, GMMU_SEARCH_SAMPLE, GMMU_SEARCH_CLOCK})
        if (!lossy.run(search, 200))
            break;
    if (o.add(lossy) && c.parity)
        run_flipped(s, &o);
    return o;
}

#ifdef GMMU_FAULTS

TEST(VictimSelectFaults, EachIsSeen) {
    bench::expect_faults_seen("victim_select", 2, run);
}

#else

TEST(VictimSelect, LockStep) {
    bench::expect_lockstep("victim_select", 8, run);
}

TEST(VictimSelect, WhatIsLostIsNotWaitedFor) {
    Lossy b({.ram = "garbage", .seed = bench::seed_of_run()});
    for (const unsigned search : {GMMU_SEARCH_SCAN, GMMU_SEARCH_SAMPLE, GMMU_SEARCH_CLOCK})
        EXPECT_TRUE(b.run(search, 3000)) << b.mismatch.text();
    EXPECT_GT(b.lost, 300u);
    EXPECT_GT(b.extra, 100u);
    EXPECT_GT(b.unheard, 50u);
    std::printf(
        "%llu decisions; %llu answers lost, %llu too many, %llu outcomes lost; longest "
        "search %llu cycles\n",
        (unsigned long long)b.decisions, (unsigned long long)b.lost, (unsigned long long)b.extra,
        (unsigned long long)b.unheard, (unsigned long long)b.longest);
}

TEST(VictimSelect, SlotsThatTurnBad) {
    if (!bench::config().parity)
        return;
    for (const char *ram : {"garbage", "old", "new"}) {
        Flipped b({.ram = ram, .seed = bench::seed_of_run(), .flip = 6});
        EXPECT_TRUE(b.run(3000)) << b.mismatch.text();
        EXPECT_GT(b.turns, 300u);
        EXPECT_GT(b.retries, 1000u);
        Flipped all_bad({.ram = ram, .seed = bench::seed_of_run(), .flip = 1});
        EXPECT_TRUE(all_bad.run(1000, false)) << all_bad.mismatch.text();
        EXPECT_GT(all_bad.turns, 1000u);
        std::printf("victim_select (%s): %llu decisions, %llu RETRYs; a slot was bad %llu times\n",
                    GMMU_CONFIG_NAME, (unsigned long long)b.decisions,
                    (unsigned long long)b.retries, (unsigned long long)b.turns);
    }
}

TEST(VictimSelect, OneCandidateACycle) {
    // granted in every cycle, a scan takes a cycle a frame; that the request stands in each of them
    // and that nothing waits longer than three cycles is asserted in every run
    const gmmu_config &c = bench::config();
    VictimSelect b({.ram = "old", .seed = bench::seed_of_run()});
    b.reset(0);
    const uint64_t n = 4ull * c.frames;
    const Style full_rate = {
        .wanted = 1000, .eligible = 1000, .latency = 1, .retry = 0, .cycles = n};
    EXPECT_TRUE(b.run(full_rate)) << b.mismatch.text();
    // a decision costs the answers' latency and less than 16 cycles between two scans
    EXPECT_GE(b.candidates + 16 * (b.victims + 1), n);
    EXPECT_GE(b.victims, 3u);
}

TEST(VictimSelect, StimuliReachTheCorners) {
    VictimSelect b({.ram = "old", .seed = bench::seed_of_run()});
    b.reset(37);
    EXPECT_TRUE(b.run({.frames = 37,
                       .eligible = 100,
                       .priorities = 2,
                       .stamps = 3,
                       .credit = 5,
                       .cycles = 50000}))
        << b.mismatch.text();
    b.reset(5);
    EXPECT_TRUE(b.run(
        {.frames = 5, .eligible = 50, .priorities = 2, .stamps = 3, .credit = 2, .cycles = 50000}))
        << b.mismatch.text();
    EXPECT_GT(b.victims, 100u);
    EXPECT_GT(b.retries, 100u);
    EXPECT_GT(b.second, 20u);
    EXPECT_GT(b.nones, 5u);
    EXPECT_EQ(b.kept, 0u);
    b.reset(37, GMMU_SEARCH_SAMPLE);
    EXPECT_TRUE(b.run({.frames = 37,
                       .eligible = 700,
                       .priorities = 2,
                       .stamps = 3,
                       .credit = 5,
                       .retry = 200,
                       .cycles = 50000}))
        << b.mismatch.text();
    EXPECT_GT(b.kept, 100u);
    EXPECT_GT(b.frees, 20u);
    EXPECT_GT(b.re_kept, 20u);
    b.reset(bench::config().k + bench::config().pool + 1, GMMU_SEARCH_SAMPLE);
    EXPECT_TRUE(b.run(
        {.priorities = 2, .stamps = 3, .latency = 1, .credit = 5, .retry = 200, .cycles = 50000}))
        << b.mismatch.text();
    EXPECT_GT(b.same_slot, 100u);
    const uint64_t before = b.victims, nones = b.nones, seconds = b.second;
    b.reset(37, GMMU_SEARCH_CLOCK);
    EXPECT_TRUE(b.run({.frames = 37,
                       .eligible = 300,
                       .priorities = 2,
                       .stamps = 3,
                       .credit = 2,
                       .retry = 200,
                       .cycles = 50000}))
        << b.mismatch.text();
    EXPECT_GT(b.stays, 50u);
    b.reset(5, GMMU_SEARCH_CLOCK);
    EXPECT_TRUE(b.run(
        {.frames = 5, .eligible = 100, .priorities = 2, .stamps = 3, .credit = 2, .cycles = 50000}))
        << b.mismatch.text();
    EXPECT_GT(b.victims - before, 100u);
    EXPECT_GT(b.nones - nones, 20u);
    EXPECT_GT(b.second - seconds, 20u);
    EXPECT_GT(b.voids, 100u);
    for (const unsigned search : {GMMU_SEARCH_SCAN, GMMU_SEARCH_CLOCK}) {
        b.reset(5, search);
        const uint64_t passed = b.passed, taken = b.last_resorts;
        EXPECT_TRUE(
            b.run({.frames = 5, .priorities = 2, .stamps = 3, .cycles = 20000, .fresh = 800}))
            << b.mismatch.text();
        EXPECT_GT(b.passed - passed, 100u);
        EXPECT_GT(b.last_resorts - taken, 100u);
    }
    EXPECT_GT(b.resumed, 50u);
}

#endif

}  // namespace
