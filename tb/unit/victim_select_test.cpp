// SPDX-License-Identifier: Apache-2.0
// victim_select_test.cpp: the search's RTL against its C twin, candidate by candidate.
//
// State space: candidates with few priorities and few time stamps (ties on both, stamps that wrap),
// protected ones and others, neighbours that differ in one bit of either; none, few or all of them
// eligible; decisions that find the best one used or pinned, until all slots are empty and into the
// second round; frames of the same slot one right behind the other; credit that comes and goes at
// any time; the side port granted in every cycle or rarely; answers after 1 to 600 cycles.
// In search clock: hands that come late, so that those behind the taker are void; frames that were
// hit and others; rounds that go on after a RETRY.
// Parameter space: the configuration that it is built for; all searches and cfg_frames, changed
// while idle too, the search in the middle of one as well; bits that turn over in the slots;
// cfg_frames 1, 2, POOL, POOL + 1, some that are no power of two, all; random initial state; a
// reset in the middle of a search.

#include "bench.h"
#include "victim_select/flipped.h"
#include "victim_select/lockstep.h"
#include "victim_select/lossy.h"

namespace {

bench::Outcome run(const bench::Setup &s) {
    const gmmu_config &c = bench::config();
    bench::Outcome o;
    VictimSelect b(s);
    bench::Random sizes(s.seed);
    const unsigned any = 1 + static_cast<unsigned>(sizes.below(c.frames < 256 ? c.frames : 256));
    const unsigned other = 1 + static_cast<unsigned>(sizes.below(40));
    const unsigned all = c.frames < 256 ? c.frames : 256;
    // frames, wanted, eligible, priorities, stamps, grant, latency, credit, retry, near, cycles
    const Style styles[] = {
        {1, 500, 700, 3, 2, 800, 8, 5, 300, 0, 3000},
        {2, 500, 500, 2, 2, 1000, 1, 20, 300, 0, 3000},
        {c.pool, 300, 800, 2, 3, 1000, 8, 2, 600, 0, 4000},
        {c.pool + 1, 300, 900, 2, 3, 700, 8, 2, 900, 0, 4000},
        {37, 300, 900, 4, 4, 1000, 8, 1, 800, 0, 6000},
        {37, 300, 30, 2, 2, 900, 20, 1, 500, 0, 6000},    // often nobody: a second scan
        {37, 300, 0, 2, 2, 900, 8, 3, 500, 0, 3000},      // never anyone
        {37, 500, 900, 0, 0, 1000, 8, 0, 1000, 0, 6000},  // until all slots are empty
        {100, 500, 700, 2, 0, 500, 40, 0, 300, 0, 8000},
        {5, 500, 700, 2, 0, 500, 60, 0, 300, 0, 8000},
        {100, 1000, 700, 0, 0, 1000, 8, 1, 200, 0, 8000},
        {all, 700, 900, 0, 0, 1000, 4, 20, 300, 0,
         8000},  // credit in the middle of a search keeps full slots
        {37, 500, 900, 0, 0, 1000, 8, 0, 800, 900, 20000},
        {c.k + c.pool + 1, 500, 900, 2, 3, 1000, 1, 2, 500, 500, 10000},  // equal slots at its end
        {2 * c.k + 2 * c.pool + 1, 500, 900, 0, 0, 1000, 1, 2, 800, 900, 10000},
        {any, 500, 900, 0, 0, 1000, 8, 0, 500, 950, 10000},
        {other, 500, 900, 3, 0, 1000, 1, 1, 500, 500, 10000},
        // all equal: the frame decides, in slots that are met at once
        {c.frames < 61 ? c.frames : 61, 700, 950, 1, 1, 1000, 1, 0, 300, 0, 20000, 0},
        // the same among more, that a frame of a high number is held as a lower one comes
        {c.frames < 135 ? c.frames : 135, 700, 500, 1, 1, 1000, 1, 0, 300, 0, 20000, 0},
        // as late as they may come: outcomes, answers
        {37, 1000, 700, 3, 3, 1000, 4, 1, 600, 0, 12000, 300, true},
        {37, 1000, 700, 3, 3, 1000, 60, 1, 300, 0, 12000, 300, false, 300},
        {0, 1000, 500, 3, 5, 1000, 8, 0, 500, 0, 2ull * c.frames + 4000},
        // very late answers
        {0, 1000, 500, 0, 0, 1000, 250, 0, 500, 500, 2ull * c.frames + 4000},
        {0, 1000, 500, 0, 0, 1000, 600, 0, 0, 500, 2ull * c.frames + 4000},
    };
    for (const unsigned search : {GMMU_SEARCH_SCAN, GMMU_SEARCH_SAMPLE, GMMU_SEARCH_CLOCK})
        for (const Style &style : styles) {
            if (b.mismatch.found)
                break;
            b.reset(style.frames, search);
            (void)b.run(style);
        }
    b.reset(37, GMMU_SEARCH_SAMPLE);
    b.change = 100;
    (void)b.run({37, 300, 700, 3, 3, 1000, 8, 2, 200, 0, 30000});
    (void)b.run({37, 300, 20, 3, 3, 1000, 8, 2, 200, 0, 30000});  // a second round, of another kind
    if (!o.add(b))
        return o;
    Lossy lossy(s);
    for (const unsigned search : {GMMU_SEARCH_SCAN, GMMU_SEARCH_SAMPLE, GMMU_SEARCH_CLOCK})
        if (!lossy.run(search, 200))
            break;
    if (!o.add(lossy) || !c.parity)
        return o;
    bench::Setup flips = s;
    flips.flip = 6;
    Flipped f(flips);
    (void)f.run(400);
    if (!o.add(f))
        return o;
    flips.flip = 1;
    Flipped all_bad(flips);
    (void)all_bad.run(200, false);
    o.add(all_bad);
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
    Lossy b({"garbage", bench::seed_of_run(), 0});
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
        Flipped b({ram, bench::seed_of_run(), 0, 6});
        EXPECT_TRUE(b.run(3000)) << b.mismatch.text();
        EXPECT_GT(b.turns, 300u);
        EXPECT_GT(b.retries, 1000u);
        Flipped all_bad({ram, bench::seed_of_run(), 0, 1});
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
    VictimSelect b({"old", bench::seed_of_run(), 0});
    b.reset(0);
    const uint64_t n = 4ull * c.frames;
    const Style full_rate = {0, 1000, 1000, 0, 0, 1000, 1, 0, 0, 0, n};
    EXPECT_TRUE(b.run(full_rate)) << b.mismatch.text();
    // a decision costs the answers' latency and less than 16 cycles between two scans
    EXPECT_GE(b.candidates + 16 * (b.victims + 1), n);
    EXPECT_GE(b.victims, 3u);
}

TEST(VictimSelect, StimuliReachTheCorners) {
    VictimSelect b({"old", bench::seed_of_run(), 0});
    b.reset(37);
    EXPECT_TRUE(b.run({37, 500, 100, 2, 3, 1000, 8, 5, 500, 0, 50000})) << b.mismatch.text();
    b.reset(5);
    EXPECT_TRUE(b.run({5, 500, 50, 2, 3, 1000, 8, 2, 500, 0, 50000})) << b.mismatch.text();
    EXPECT_GT(b.victims, 100u);
    EXPECT_GT(b.retries, 100u);
    EXPECT_GT(b.second, 20u);
    EXPECT_GT(b.nones, 5u);
    EXPECT_EQ(b.kept, 0u);
    b.reset(37, GMMU_SEARCH_SAMPLE);
    EXPECT_TRUE(b.run({37, 500, 700, 2, 3, 1000, 8, 5, 200, 0, 50000})) << b.mismatch.text();
    EXPECT_GT(b.kept, 100u);
    EXPECT_GT(b.frees, 20u);
    EXPECT_GT(b.re_kept, 20u);
    b.reset(bench::config().k + bench::config().pool + 1, GMMU_SEARCH_SAMPLE);
    EXPECT_TRUE(b.run({0, 500, 900, 2, 3, 1000, 1, 5, 200, 0, 50000})) << b.mismatch.text();
    EXPECT_GT(b.same_slot, 100u);
    const uint64_t before = b.victims, nones = b.nones, seconds = b.second;
    b.reset(37, GMMU_SEARCH_CLOCK);
    EXPECT_TRUE(b.run({37, 500, 300, 2, 3, 1000, 8, 2, 200, 0, 50000})) << b.mismatch.text();
    EXPECT_GT(b.stays, 50u);
    b.reset(5, GMMU_SEARCH_CLOCK);
    EXPECT_TRUE(b.run({5, 500, 100, 2, 3, 1000, 8, 2, 500, 0, 50000})) << b.mismatch.text();
    EXPECT_GT(b.victims - before, 100u);
    EXPECT_GT(b.nones - nones, 20u);
    EXPECT_GT(b.second - seconds, 20u);
    EXPECT_GT(b.voids, 100u);
    EXPECT_GT(b.resumed, 50u);
}

#endif

}  // namespace
