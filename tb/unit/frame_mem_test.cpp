// SPDX-License-Identifier: Apache-2.0
// frame_mem_test.cpp: the frame table behind a memory port, RTL against its C twin.
//
// State space: one to many frames in play, fewer and more than lines; walk hits from one a cycle to
// none, most on the page that is there, some of them replays; pages fresh or not, by force or not;
// every side operation on frames in every state, operations
// without a frame, operations that let waiting walk hits go first, gaps for other users of the
// stage; the queue of walk hits empty, nearly full and full, hits that write and that do not; ages
// at, below and above the clamp; time that jumps and wraps; a memory that answers at once or after
// up to 400 cycles, is rarely or always ready, and shows noise; a reset of one or six cycles in the
// middle of a run, answers without a write in its sequence; a clock that rests when it may. Also
// looked at: whose turn it is, how many wait, what is kept in its line, what goes back to the
// memory, how fast walk hits go. Parameter space: tiny, default, large and the sets in the Makefile
// (one frame, not a power of two, few lines, few places), the three RAM collision models, random
// initial state.
#include <cinttypes>
#include <cstdio>

#include "bench.h"
#include "frame_mem/lockstep.h"

namespace {

struct Sum {
    uint64_t touches = 0, matches = 0, dropped = 0, dropped_writes = 0, clamps = 0, takes = 0,
             late = 0, longest = 0, reads = 0, writes = 0, replays = 0, old_replays = 0,
             fresh_left = 0, fresh_taken = 0, ended = 0, ended_by_replay = 0;
} sum;

const Style styles[] = {
    // clang-format off
    {.walk = 1000, .side = 500, .fill = 200, .hit = 850, .jump = 10, .memory = {.latency = 0, .ready = 1000}, .cycles = 3000},
    {.frames = 2, .walk = 700, .side = 900, .fill = 150, .hit = 850, .jump = 10, .hold = 100, .memory = {.latency = 3, .ready = 700}, .cycles = 3000},
    {.frames = 5, .walk = 1000, .side = 1000, .fill = 150, .hit = 900, .jump = 2, .memory = {.latency = 20}, .cycles = 6000},
    {.frames = 3, .walk = 300, .side = 300, .fill = 300, .hit = 950, .jump = 2, .hold = 50, .memory = {.ready = 300}, .cycles = 12000},
    {.frames = 40, .walk = 400, .side = 300, .fill = 200, .hit = 900, .jump = 5, .hold = 10, .memory = {.latency = 200}, .cycles = 12000},
    {.frames = 300, .walk = 500, .side = 500, .fill = 300, .hit = 900, .jump = 2, .memory = {.latency = 8, .ready = 900}, .cycles = 12000},
    {.frames = 300, .walk = 900, .side = 20, .fill = 500, .hit = 950, .memory = {.latency = 0, .ready = 1000}, .cycles = 8000},
    {.frames = 2000, .walk = 300, .side = 700, .fill = 500, .hit = 900, .jump = 1, .hold = 100, .memory = {.latency = 400, .ready = 200,
     .spread = 700}, .cycles = 12000},
    {.frames = 100, .walk = 30, .side = 100, .fill = 300, .hit = 900, .jump = 20, .memory = {.latency = 200}, .cycles = 8000},
    {.frames = 2000, .walk = 1000, .side = 1000, .fill = 400, .hit = 900, .memory = {.latency = 30, .ready = 1000, .spread = 0}, .cycles = 12000},
    {.frames = 3, .walk = 1000, .side = 10, .fill = 200, .hit = 950, .memory = {.latency = 3, .ready = 1000}, .cycles = 12000},
    // clang-format on
};

bench::Outcome run(const bench::Setup &s) {
    bench::Outcome o;
    // all frames, or some
    const uint32_t most = bench::config().frames < 2000 ? bench::config().frames : 2000;
    FrameMem b(s, s.seed % 2 == 0 ? most : most - s.seed * 37 % (most / 2 + 1));
    b.reset();
    for (const Style &style : styles)
        if (b.run(style) && style.walk < 500)
            b.settle_down();
    if (!b.mismatch.found && b.settle_down())
        b.sweep();
    if (!b.mismatch.found) {
        b.sweep_again();
        b.turns();
        b.fills_up();
        b.run(styles[s.seed % 2 == 0 ? 4 : 0]);
        b.reset();  // whatever was under way is gone
        b.sweep();
        b.run({.frames = 300,
               .walk = 30,
               .side = 300,
               .fill = 300,
               .hit = 900,
               .jump = 2,
               .memory = {.latency = 8, .ready = 900},
               .cycles = 6000});  // no write is dropped: dirty bits
                                  // count
        b.sweep();
        b.keeps_up();
        b.run(styles[2]);
        b.settle_down();
    }
    sum.touches += b.touches;
    sum.matches += b.matches;
    sum.dropped += b.dropped;
    sum.dropped_writes += b.dropped_writes;
    sum.clamps += b.clamps;
    sum.takes += b.takes;
    sum.late += b.late;
    sum.replays += b.replays;
    sum.old_replays += b.old_replays;
    sum.fresh_left += b.fresh_left;
    sum.fresh_taken += b.fresh_taken;
    sum.ended += b.ended;
    sum.ended_by_replay += b.ended_by_replay;
    sum.reads += b.reads();
    sum.writes += b.writes();
    sum.longest = b.longest > sum.longest ? b.longest : sum.longest;
    o.add(b);
    return o;
}

#ifdef GMMU_FAULTS

TEST(FrameMemFaults, EachIsSeen) {
    bench::expect_faults_seen("frame_mem", 2, run);
}

#else

TEST(FrameMem, LockStep) {
    bench::expect_lockstep("frame_mem", 8, run);
    std::printf("%" PRIu64 " walk hits done, %" PRIu64 " dropped; %" PRIu64 " reads, %" PRIu64
                " writes of the memory; longest wait %" PRIu64 " cycles\n",
                sum.touches, sum.dropped, sum.reads, sum.writes, sum.longest);
    // the stimuli are worth it
    EXPECT_GT(sum.matches, sum.touches / 4);
    EXPECT_GT(sum.dropped, 1000u);
    EXPECT_GT(sum.dropped_writes, 10u);
    EXPECT_GT(sum.clamps, 100u);
    EXPECT_GT(sum.takes, 100u);
    EXPECT_GT(sum.late, 10u);
    EXPECT_GT(sum.replays, sum.matches / 10);
    EXPECT_GT(sum.old_replays, 10u);
    EXPECT_GT(sum.fresh_left, 100u);
    EXPECT_GT(sum.fresh_taken, 100u);
    EXPECT_GT(sum.ended, 1000u);
    EXPECT_GT(sum.ended_by_replay, 300u);
}

// One walk hit a cycle, nearly all on frames that are in no line, in a memory of latency L that
// takes a read and a write a cycle: none is dropped while reading, changing and writing fit into
// the lines.
TEST(FrameMem, OneWalkHitACycle) {
    const unsigned lines = bench::config().lines;
    if (bench::config().frames < 16 * lines)
        return;  // not that many frames
    for (const unsigned latency : {0u, 4u, 16u, 32u, 48u, 64u, 100u, 200u}) {
        FrameMem b({.ram = "garbage", .seed = bench::seed_of_run()}, 32 * lines);
        b.reset();
        b.fill_all();
        const uint64_t n = 20000, reads = b.reads(), writes = b.writes(), matches = b.matches;
        EXPECT_TRUE(b.run({.frames = 32 * lines,
                           .walk = 1000,
                           .hit = 1000,
                           .memory = {.latency = latency, .ready = 1000, .spread = 0},
                           .cycles = n}))
            << b.mismatch.text();
        std::printf("%u lines, %u places, latency %u: %.3f walk hits a cycle; %" PRIu64
                    " matches, %" PRIu64 " reads, %" PRIu64 " writes\n",
                    lines, bench::config().touchq, latency,
                    static_cast<double>(n - b.dropped) / static_cast<double>(n),
                    b.matches - matches, b.reads() - reads, b.writes() - writes);
        if (lines == 16 && bench::config().touchq == 16 && latency == 0) {
            EXPECT_LT(b.dropped, n * 35 / 100);  // as docs/reference/blocks/frame_mem.md says
        }
        if (2 * latency + 40 <= lines && 2 * lines <= bench::config().touchq) {
            EXPECT_EQ(b.dropped, 0u) << "latency " << latency;
            EXPECT_GT(b.matches - matches, n * 3 / 4);
        }
    }
}

// A frame that is in use stays in its line, its word too.
TEST(FrameMem, WhatIsInUseStays) {
    const unsigned lines = bench::config().lines;
    if (lines < 16 || bench::config().frames < 16 * lines)
        return;
    FrameMem b({.ram = "garbage", .seed = bench::seed_of_run()}, 32 * lines);
    b.reset();
    EXPECT_TRUE(b.fill_all() && b.stays()) << b.mismatch.text();
}

// Each number of words up to some hundred, so that each bit of the counts decides somewhere.
TEST(FrameMem, AnswersWithoutAWriteDoNotCount) {
    FrameMem b({.ram = "garbage", .seed = bench::seed_of_run()}, bench::config().frames);
    for (uint32_t n = 1; n <= bench::config().frames && n <= 300; n++)
        ASSERT_TRUE(b.counts_writes(n)) << n << " words: " << b.mismatch.text();
}

#endif

}  // namespace
