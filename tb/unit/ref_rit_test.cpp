// SPDX-License-Identifier: Apache-2.0
// ref_rit_test.cpp: the Ref RIT's RTL against its C twin, action by action.
//
// State space: a few references in one or several sets, more than a set holds, so that rows are
// re-allocated all the time and generations wrap; one reference that executes often enough for its
// count to overflow, in every cycle or with gaps; records of present and stale classes, of row 0,
// of all bins' borders, of one bin until its count is full; CLEAR, HALVE, REFRESH while records
// queue; refresh ticks from rare to one a walk; the engine ready, busy; calm and hurry at random;
// rows given away while records of them are looked up and while they are chosen for a REFRESH; a
// reset in the middle. Parameter space: the configuration that it is built for, the three RAM
// collision models, random initial state.
//
// Looks between the executions, and in every cycle, of references with and without a row.
//
// At tiny the bench turns bits of keys and states of the directory itself (ref_rit/turned.h), and
// knows so which ways are free.
//
// Every pop and the start of every row operation are foretold to the cycle: which one (by the state
// and the inputs of CHOICE_CYCLES before), and when (the records that go first, what is under way).
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bench.h"
#include "blocks/crc32c.h"
#include "blocks/log_bin.h"
#include "ref_rit/flipped.h"
#include "ref_rit/lockstep.h"
#include "ref_rit/scenes.h"
#include "ref_rit/styles.h"
#ifdef GMMU_OPEN
#include "ref_rit/turned.h"
#endif

namespace {

// clang-format off
const Style kChurn = {.execute = 700, .sets = 2, .refs = 6, .rec0 = 500, .rec1 = 100, .steady = 100, .tick = 20, .ready = 900,
    .calm = 900, .hurry = 20, .cycles = 8000};
const Style kFew = {.execute = 500, .refs = 2, .hot = 200, .rec0 = 800, .rec1 = 200, .bins = 6, .steady = 300, .tick = 100, .ready = 800,
    .calm = 800, .hurry = 5, .cycles = 6000};
const Style kHot = {.execute = 1000, .sets = 2, .refs = 5, .hot = 900, .rec0 = 300, .rec1 = 100, .tick = 5, .ready = 900, .calm = 900,
    .hurry = 10, .cycles = 4000};
const Style kWraps = {.execute = 900, .refs = 7, .hot = WRAPS, .rec0 = 100, .tick = 5, .ready = 900, .calm = 900, .hurry = 10, .cycles = 8000};
const Style kGrows = {.execute = 900, .refs = 5, .hot = GROWS, .rec0 = 100, .tick = 5, .ready = 900, .calm = 900, .hurry = 10, .cycles = 8000};
const Style kEven = {.execute = 1000, .refs = 7, .hot = EVEN, .rec0 = 100, .tick = 5, .ready = 900, .calm = 900, .hurry = 10, .cycles = 8000};
// not one after the other: the set is read anew
const Style kEvenGaps = {.execute = 300, .refs = 7, .hot = EVEN, .rec0 = 100, .tick = 5, .ready = 900, .calm = 900, .hurry = 10, .cycles = 8000};
const Style kWrapsGaps = {.execute = 250, .refs = 7, .hot = WRAPS, .rec0 = 100, .tick = 5, .ready = 900, .calm = 900, .hurry = 10, .cycles = 16000};
// one overflows while another was executed once and a way is free; then a third one comes
const Style kLonely = {.execute = 1000, .refs = 3, .hot = 992, .rec0 = 100, .tick = 5, .ready = 900, .calm = 900, .hurry = 10, .cycles = 500};
const Style kFresh = {.execute = 1000, .refs = 9, .hot = EVEN, .tick = 5, .ready = 900, .calm = 900, .hurry = 10, .cycles = 60};
const Style kHurry = {.execute = 300, .sets = 2, .refs = 6, .rec0 = 300, .rec1 = 100, .bins = 3, .tick = 200, .ready = 1000, .calm = 1000,
    .hurry = 900, .cycles = 8000};
const Style kTicks = {.execute = 100, .sets = 16, .refs = 4, .rec0 = 100, .rec1 = 50, .bins = 3, .tick = 5, .ready = 1000, .calm = 1000,
    .hurry = 20, .cycles = 6000};
const Style kFull = {.execute = 200, .refs = 2, .hot = 500, .rec0 = 1000, .rec1 = 1000, .bins = 1, .steady = 900, .tick = 5, .ready = 700,
    .calm = 700, .hurry = 2, .cycles = 24000};
const Style kFullChurn = {.execute = 300, .sets = 2, .refs = 5, .hot = 800, .rec0 = 1000, .rec1 = 500, .bins = 1, .steady = 950,
    .tick = 10, .ready = 900, .calm = 900, .hurry = 30, .cycles = 8000};
const Style kFlood = {.execute = 1000, .sets = 16, .refs = 8, .rec0 = 1000, .rec1 = 1000, .tick = 1000, .ready = 1000, .calm = 1000,
    .hurry = 200, .cycles = 4000};
const Style kGiven = {.execute = 15, .refs = 4, .rec0 = 8, .tick = 1000, .calm = 1000, .hurry = 1000, .cycles = 24000};
// address spaces go, with and without slots between the executions, one set or many
const Style kGo = {.execute = 600, .sets = 2, .refs = 6, .rec0 = 500, .rec1 = 100, .steady = 100, .tick = 20, .ready = 900, .calm = 900,
    .hurry = 20, .cycles = 8000, .flush = 30};
const Style kGoDense = {.execute = 1000, .refs = 6, .rec0 = 300, .rec1 = 100, .steady = 100, .tick = 20, .ready = 900, .calm = 900,
    .hurry = 20, .cycles = 8000, .flush = 30};
const Style kGoEven = {.execute = 970, .refs = 7, .hot = EVEN, .rec0 = 100, .tick = 5, .ready = 900, .calm = 900, .hurry = 10,
    .cycles = 8000, .flush = 500};
const Style kGoHot = {.execute = 900, .refs = 7, .hot = WRAPS, .rec0 = 100, .tick = 5, .ready = 900, .calm = 900, .hurry = 10,
    .cycles = 8000, .flush = 500};
const Style kGoMany = {.execute = 300, .sets = 16, .refs = 4, .rec0 = 100, .rec1 = 50, .bins = 3, .tick = 5, .ready = 1000, .calm = 1000,
    .hurry = 20, .cycles = 8000, .flush = 10};
// looks between executions, in every cycle or with gaps, of rows that come and go, whose counts and
// order say who goes next
const Style kLook = {.execute = 1000, .sets = 2, .refs = 6, .rec0 = 300, .rec1 = 100, .steady = 100, .tick = 20, .ready = 900,
    .calm = 900, .hurry = 20, .cycles = 8000, .flush = 30, .look = 500};
const Style kLookGaps = {.execute = 500, .refs = 6, .rec0 = 100, .tick = 5, .ready = 900, .calm = 900, .hurry = 10,
    .cycles = 8000, .flush = 10, .look = 400};
const Style kLookEven = {.execute = 1000, .refs = 7, .hot = EVEN, .rec0 = 100, .tick = 5, .ready = 900, .calm = 900, .hurry = 10,
    .cycles = 8000, .look = 300};
const Style kLookWraps = {.execute = 900, .refs = 7, .hot = WRAPS, .rec0 = 100, .tick = 5, .ready = 900, .calm = 900, .hurry = 10,
    .cycles = 8000, .look = 200};
const Style kLookAll = {.execute = 300, .refs = 6, .ready = 900, .calm = 900, .cycles = 4000, .flush = 100, .look = 970};
const Style kCalm = {.execute = 30, .sets = 16, .refs = 3, .hot = 300, .rec0 = 30, .rec1 = 10, .bins = 3, .steady = 200, .tick = 300,
    .ready = 1000, .calm = 1000, .cycles = 8000};
// clang-format on

bench::Setup flips(bench::Setup s) {
    s.flip = 100;
    return s;
}

// All styles; false: a mismatch.
bool run_styles(const bench::Setup &s, bench::Outcome *o) {
    RefRit b(s);
    // a reset in between: else references of the style before hold their rows by their counts
    for (const Style *style :
         {&kFew,    &kChurn,    &kHot,       &kWraps,    &kGrows,     &kEven,   &kEven,
          &kEven,   &kEvenGaps, &kEvenGaps,  &kEvenGaps, &kWrapsGaps, &kTicks,  &kFull,
          &kFull,   &kCalm,     &kFullChurn, &kFlood,    &kGiven,     &kGiven,  &kGiven,
          &kGiven,  &kHurry,    &kGo,        &kGoDense,  &kGoDense,   &kGoEven, &kGoHot,
          &kGoMany, &kLook,     &kLookGaps,  &kLookEven, &kLookWraps, &kLookAll}) {
        if (style != &kChurn)
            b.reset();
        b.run(*style);
    }
    if (!b.mismatch.found) {
        b.drain();
        b.run(kChurn);
        b.reset();  // in the middle of everything
        b.run(kFew);
        b.drain();
    }
    for (int i = 0; i < 24 && !b.mismatch.found; i++) {
        b.reset();
        if (i % 2)
            b.run(kLonely);
        b.run(kFresh);
    }
    return o->add(b);
}

// (one model after the other: Verilator 5.006 takes the scopes of an open model off the context of
// the one that ran last)
bench::Outcome run(const bench::Setup &s) {
    bench::Outcome o;
    if (!run_styles(s, &o) || !bench::config().parity)
        return o;
    Flipped flipped(flips(s));
    flipped.run(300000);
    o.add(flipped);
    return o;
}

#ifdef GMMU_FAULTS

TEST(RefRitFaults, EachIsSeen) {
    bench::expect_faults_seen("ref_rit", 2, run);
}

#else

TEST(RefRit, LockStep) {
    bench::expect_lockstep("ref_rit", 8, run);
}

TEST(RefRit, WordsThatTurnBad) {
    if (!bench::config().parity)
        return;
    for (const char *ram : {"garbage", "old", "new"}) {
        Flipped b(flips({.ram = ram, .seed = bench::seed_of_run()}));
        EXPECT_TRUE(b.run(500000)) << b.mismatch.text();
        EXPECT_GT(b.turns, 100u);
        EXPECT_GT(b.hits, 1000u);
        EXPECT_GT(b.found, 1000u);
        EXPECT_GT(b.told_by_looks, 10u);
        EXPECT_GT(b.snaps, 1000u);
        EXPECT_GT(b.too_many, 30u);
        std::printf(
            "ref_rit (%s): %llu executions and %llu looks, %llu words of the directory turned bad, "
            "%llu of them told by looks alone; %llu LEARNs, %llu counts too high\n",
            GMMU_CONFIG_NAME, (unsigned long long)(b.actions - b.looks),
            (unsigned long long)b.looks, (unsigned long long)b.turns,
            (unsigned long long)b.told_by_looks, (unsigned long long)b.learns,
            (unsigned long long)b.too_many);
    }
}

TEST(RefRit, StimuliReachTheCorners) {
    RefRit b({.ram = "garbage", .seed = bench::seed_of_run()});
    for (const Style *style : {&kChurn, &kHot, &kFull, &kFull, &kCalm, &kFullChurn, &kFlood}) {
        b.reset();
        EXPECT_TRUE(b.run(*style)) << b.mismatch.text();
    }
    EXPECT_GT(b.allocations, 500u);
    EXPECT_GT(b.wraps, 5u);
    EXPECT_GT(b.applied, 1000u);
    EXPECT_GT(b.done[CLEAR], 50u);
    EXPECT_GT(b.done[HALVE], 5u);
    EXPECT_GT(b.own_halves, 1u);
    EXPECT_GT(b.done[REFRESH], 20u);
}

// After a pass nothing of the address space is there; of others nothing has changed; and it ends
// though executions leave no slot.
TEST(RefRit, FlushTakesOneAddressSpace) {
    RefRitScenes b({.ram = "garbage", .seed = bench::seed_of_run()});
    b.reset();
    EXPECT_TRUE(b.flush_one()) << b.mismatch.text();
    for (const Style *style : {&kGo, &kGoDense, &kGoMany}) EXPECT_TRUE(b.run(*style));
    EXPECT_TRUE(b.drain()) << b.mismatch.text();
    EXPECT_GT(b.flushed, 20u);
    EXPECT_GT(b.stolen, 20u);
    EXPECT_GT(b.longest_flush, bench::config().classes * FLUSH_WAITS);
}

TEST(RefRit, LooksChangeNothing) {
    RefRitScenes b({.ram = "garbage", .seed = bench::seed_of_run()});
    b.reset();
    EXPECT_TRUE(b.looks_alone()) << b.mismatch.text();
    for (const Style *style : {&kLook, &kLookGaps, &kLookEven, &kLookWraps, &kLookAll}) {
        b.reset();
        EXPECT_TRUE(b.run(*style)) << b.mismatch.text();
    }
    EXPECT_GT(b.found, 2000u);
    EXPECT_GT(b.looks - b.found, 2000u);
    EXPECT_GT(b.stolen_looks, 20u);
    EXPECT_GT(b.stolen, 20u);
}

TEST(RefRit, WhatHalveLeftIsRefreshed) {
    RefRitScenes b({.ram = "garbage", .seed = bench::seed_of_run()});
    b.reset();
    EXPECT_TRUE(
        b.halve_after_refresh(bench::config().classes < 9 ? bench::config().classes - 1 : 7))
        << b.mismatch.text();
    EXPECT_GT(b.own_halves, 0u);
}

// What was observed once is never forgotten, and no count leaves the range.
TEST(RefRit, HalveRoundsUp) {
    const gmmu_config cfg = bench::config();
    gmmu_arena arena = {};
    gmmu_ref_rit rit;
    (void)gmmu_ref_rit_init(&rit, &cfg, &arena);
    std::vector<uint64_t> memory(arena.used / 8 + 1);
    arena = {reinterpret_cast<char *>(memory.data()), memory.size() * 8, 0};
    ASSERT_EQ(gmmu_ref_rit_init(&rit, &cfg, &arena), 0);
    const uint16_t most = static_cast<uint16_t>((1u << cfg.cnt_w) - 1);
    const uint16_t counts[] = {0, 1, 2, 3, 4, 5, most, static_cast<uint16_t>(most - 1)};
    for (unsigned b = 0; b < cfg.bins; b++) {
        rit.row[1].reuse[b] = counts[b % 8];
        rit.row[1].censored[b] = counts[(b + 3) % 8];
    }
    for (unsigned times = 0; times < cfg.cnt_w + 1; times++) gmmu_ref_rit_halve(&rit, 1);
    for (unsigned b = 0; b < cfg.bins; b++) {
        EXPECT_EQ(rit.row[1].reuse[b], counts[b % 8] != 0) << b;
        EXPECT_EQ(rit.row[1].censored[b], counts[(b + 3) % 8] != 0) << b;
    }
    rit.row[1].reuse[0] = most;
    gmmu_ref_rit_halve(&rit, 1);
    EXPECT_EQ(rit.row[1].reuse[0], (most + 1) / 2);
}

TEST(RefRit, HalvesMeet) {
    RefRitScenes b({.ram = "garbage", .seed = bench::seed_of_run()});
    b.reset();
    EXPECT_TRUE(b.halves_meet(12)) << b.mismatch.text();
    EXPECT_GT(b.done[HALVE], 12u);
}

// (fewer trials where a reset or a set takes long)
TEST(RefRit, HalvesInOrder) {
    RefRitScenes b({.ram = "garbage", .seed = bench::seed_of_run()});
    b.reset();
    EXPECT_TRUE(b.halves_in_order(bench::config().classes < 9 ? 300 : 40)) << b.mismatch.text();
}

TEST(RefRit, ClearsMeet) {
    RefRitScenes b({.ram = "garbage", .seed = bench::seed_of_run()});
    EXPECT_TRUE(b.clears_meet(bench::config().classes < 9 ? 150 : 10)) << b.mismatch.text();
}

#ifdef GMMU_OPEN
// The bench knows which word is bad: this one is told, its way is free, and others are not.
TEST(RefRit, WordsThatTheBenchTurns) {
    for (const char *ram : {"garbage", "old", "new"}) {
        RefRitTurned b({.ram = ram, .seed = bench::seed_of_run()});
        EXPECT_TRUE(b.run(1500)) << b.mismatch.text();
        EXPECT_GT(b.keys, 2000u);
        EXPECT_GT(b.states, 300u);
        EXPECT_GT(b.freed, 1000u);
        EXPECT_GT(b.kept, 1000u);
        EXPECT_GT(b.met, 1000u);
        EXPECT_TRUE(b.counts(300)) << b.mismatch.text();
        EXPECT_GT(b.counts_used, 100u);
        EXPECT_GT(b.cleared, 20u);
        std::printf(
            "ref_rit (%s): %llu keys and %llu states turned bad, %llu told, %llu ways freed, %llu "
            "kept\n",
            GMMU_CONFIG_NAME, (unsigned long long)b.keys, (unsigned long long)b.states,
            (unsigned long long)b.met, (unsigned long long)b.freed, (unsigned long long)b.kept);
    }
}
#endif

TEST(RefRit, LowRowAgain) {
    const gmmu_config &c = bench::config();
    if (c.classes == c.ways)
        return;  // new references of one set alone would take the row
    RefRitScenes b({.ram = "garbage", .seed = bench::seed_of_run()});
    b.reset();
    const unsigned reached = b.low_row_again(12);
    EXPECT_FALSE(b.mismatch.found) << b.mismatch.text();
    EXPECT_GT(reached, 3u);
}

TEST(RefRit, OneExecutionAndOneRecordACycle) {
    RefRit b({.ram = "garbage", .seed = bench::seed_of_run()});
    b.reset();
    const Style warm = {.execute = 1000, .sets = 16, .refs = 2, .cycles = 2000};
    b.run(warm);  // all references have a row, all rows are clear
    EXPECT_TRUE(b.drain()) << b.mismatch.text();
    const uint64_t executions = b.executions, learns = b.learns;
    const unsigned n = 20000;
    const Style full_rate = {.execute = 1000, .sets = 16, .rec0 = 1000, .cycles = n};
    EXPECT_TRUE(b.run(full_rate)) << b.mismatch.text();
    EXPECT_GE(b.executions - executions, n - EXECUTE_CYCLES);
    // records give way to the new rows' CLEARs and to full counts' HALVEs only
    const uint64_t row_operations = b.done[CLEAR] + b.done[HALVE];
    EXPECT_GE(b.learns - learns + row_operations * (bench::config().bins + DRAIN_CYCLES + 4), n);
}

TEST(RefRit, BinsAtAllBorders) {
    const gmmu_config &c = bench::config();
    const uint64_t top = bench::mask(c.time_w);
    std::vector<uint64_t> x;
    for (uint64_t i = 0; i < 4096; i++) x.push_back(i & top);
    for (unsigned b = 0; b < c.bins + 4; b++)
        for (uint64_t d : {0, 1, 2}) x.push_back((gmmu_bin_low(b) + d - 1) & top);
    for (unsigned w = 0; w < c.time_w; w++)
        for (uint64_t d : {0, 1, 2}) x.push_back(((1ull << w) + d - 1) & top);
    x.push_back(top);
    x.push_back(top - 1);
    RefRit b({.ram = "garbage", .seed = bench::seed_of_run()});
    b.reset();
    EXPECT_TRUE(b.learn(x)) << b.mismatch.text();
}

TEST(RefRit, Crc32cHasThePublishedCheckValue) {
    uint32_t crc = 0xFFFFFFFFu;
    for (const char c : std::string("123456789"))
        crc = gmmu_crc32c_bits(crc, static_cast<unsigned char>(c), 8);
    EXPECT_EQ(~crc, 0xE3069283u);
    // the same nine bytes as {asid, key}: 64 bits of the key, the ninth as address space
    EXPECT_EQ(gmmu_hash('9', 8, 0x3837363534333231ull, 64), 0xE3069283u);
}

#endif

}  // namespace
