// SPDX-License-Identifier: Apache-2.0
// rit_export_test.cpp: the exporter's RTL against its C twin: what it takes, drops and sends, beat
// by beat.
//
// State space: walks with and without record, faults, side records, alone and in one cycle, from
// one in every cycle to none for longer than any wait; few rows, so that a row gets another
// reference in the cycle of its record, in the one before and after; consumers that take every
// beat, few, none for so long that the queue is full and the count of drops saturates; packets that
// end between the two records of a cycle; more packets than their number has values; resets at any
// time. Parameter space: the configuration that it is built for; batches of 1 to RITQ records,
// more, 0; waits of 1 to 32768 cycles; registers that change in any cycle; the three RAM collision
// models; random initial state.
#include "rit_export/lockstep.h"

namespace {

std::vector<Style> styles() {
    const unsigned q = bench::config().ritq;
    return {
        // clang-format off
        {.walk = 1000, .rec = 700, .fault = 50, .side = 200, .alloc = 100, .ready = 1000, .batch = q, .wait = 12, .rows = 5, .cycles = 4000},
        {.walk = 1000, .rec = 900, .side = 900, .alloc = 300, .ready = 700, .batch = q / 2, .wait = 12, .faults = false, .cycles = 4000},
        {.walk = 600, .rec = 500, .fault = 300, .side = 300, .alloc = 500, .ready = 900, .batch = 1, .wait = 3, .rows = 3, .cycles = 4000},
        {.walk = 300, .rec = 300, .fault = 100, .side = 100, .alloc = 200, .ready = 1000, .batch = 3, .wait = 2, .rows = 6, .cycles = 4000},
        {.walk = 300, .rec = 300, .fault = 100, .side = 100, .alloc = 200, .ready = 1000, .batch = 5, .faults = false, .rows = 6, .cycles = 4000},
        {.walk = 200, .rec = 500, .fault = 30, .side = 100, .alloc = 100, .ready = 300, .batch = q - 1, .wait = 5, .rows = 1000, .cycles = 4000},
        {.walk = 100, .rec = 500, .side = 50, .alloc = 100, .ready = 1000, .batch = q, .wait = 7, .rows = 1000, .cycles = 6000},
        {.walk = 500, .rec = 500, .fault = 100, .side = 500, .alloc = 300, .ready = 1000, .wait = 4, .cycles = 500},
        {.walk = 500, .rec = 500, .fault = 100, .side = 500, .alloc = 300, .ready = 800, .batch = q + 1, .wait = 9, .cycles = 3000},
        {.walk = 500, .rec = 500, .fault = 100, .side = 500, .alloc = 300, .ready = 800, .batch = 255, .wait = 9, .faults = false,
         .rows = 1000, .cycles = 3000},
        {.walk = 900, .rec = 900, .fault = 100, .side = 900, .alloc = 300, .ready = 1000, .batch = q, .wait = 9, .stall = 300, .cycles = 2000},
        {.walk = 900, .rec = 900, .fault = 100, .side = 900, .alloc = 300, .ready = 500, .batch = 7, .wait = 9, .stall = 300, .cycles = 2000},
        {.walk = 2, .rec = 500, .fault = 100, .side = 4, .alloc = 300, .ready = 1000, .batch = q, .wait = 11, .cycles = 12000},
        {.walk = 1000, .rec = 1000, .side = 1000, .alloc = 500, .ready = 1000, .batch = 2, .wait = 15, .faults = false, .rows = 3, .cycles = 3000},
        {.walk = 400, .rec = 1000, .side = 400, .alloc = 500, .ready = 1000, .batch = 3, .wait = 15, .faults = false, .rows = 3, .cycles = 3000},
        // clang-format on
    };
}

// Batches of all sizes; a queue that fills, with and without faults; registers that change.
void run_corners(Export &b) {
    const unsigned q = bench::config().ritq;
    for (unsigned batch = 1; batch < 256; batch *= 2)
        (void)b.run({.walk = 700,
                     .rec = 900,
                     .fault = 10,
                     .side = 100,
                     .alloc = 200,
                     .ready = 800,
                     .batch = batch,
                     .wait = 6,
                     .cycles = 300});
    // two records in each cycle, the queue full at most SENDs
    for (unsigned bit = 1; bit <= q; bit *= 2)
        (void)b.run({.walk = 1000,
                     .rec = 1000,
                     .fault = 10,
                     .side = 1000,
                     .alloc = 200,
                     .ready = 1000,
                     .batch = 1 | bit,
                     .wait = 15,
                     .cycles = 8 * bit + 60});
    // registers that change at any time
    for (const Style &style : {
             // clang-format off
             Style{.walk = 300, .rec = 600, .fault = 50, .side = 200, .alloc = 200, .ready = 700, .batch = 5, .wait = 4, .cycles = 6000, .flicker = 300},
             Style{.walk = 20, .rec = 900, .fault = 50, .side = 10, .alloc = 200, .ready = 900, .batch = q, .wait = 8, .cycles = 6000, .flicker = 100},
             Style{.walk = 900, .rec = 900, .fault = 50, .side = 700, .alloc = 200, .ready = 700, .batch = q, .wait = 4, .cycles = 6000, .flicker = 500},
             // clang-format on
         })
        (void)b.run(style);
    // the queue fills without a fault, faults are dropped; then what is there leaves
    for (int i = 0; i < 30; i++) {
        (void)b.run({.walk = 1000,
                     .rec = 1000,
                     .fault = 15,
                     .alloc = 100,
                     .batch = 7,
                     .wait = 15,
                     .cycles = 2 * q});
        (void)b.run({.ready = 1000, .batch = 7, .wait = 15, .cycles = 3 * q});
        (void)b.drain();
    }
}

// Bits flip in the words of the queue and of names: corrupt records and names are reported.
void run_flipped(bench::Setup s, bench::Outcome *o) {
    const unsigned q = bench::config().ritq;
    s.flip = 10;
    Export f(s);
    f.reset();
    for (unsigned i = 0; i < 3; i++) {
        (void)f.run(styles()[i]);
        (void)f.drain();
    }
    f.expect_told();
    f.expect_names_told({.walk = 1000,
                         .side = 500,
                         .alloc = 300,
                         .ready = 1000,
                         .batch = q,
                         .wait = 12,
                         .faults = false,
                         .rows = 5,
                         .cycles = 4000});
    f.expect_names_told({.walk = 1000,
                         .rec = 700,
                         .alloc = 300,
                         .ready = 1000,
                         .batch = q,
                         .wait = 12,
                         .faults = false,
                         .rows = 5,
                         .cycles = 4000});
    o->add(f);
}

bench::Outcome run(const bench::Setup &s) {
    bench::Outcome o;
    Export b(s);
    bench::Random any(s.seed * 31 + 7);
    b.reset();
    for (int round = 0; round < 2 && !b.mismatch.found; round++) {
        for (const Style &style : styles()) {
            if (b.mismatch.found)
                break;
            if (any.below(3) == 0)
                b.reset();
            (void)b.run(style);
            if (any.below(2))
                (void)b.drain();
        }
    }
    run_corners(b);
    if (o.add(b) && bench::config().parity)
        run_flipped(s, &o);
    return o;
}

// Waits of all lengths, exactly; a count of drops that saturates; more packets than numbers.
bench::Outcome slow(const bench::Setup &s) {
    bench::Outcome o;
    Export b(s);
    const unsigned q = bench::config().ritq;
    b.reset();
    for (unsigned wait = 0; wait < 16; wait++)
        (void)b.run({.walk = 1,
                     .rec = 1000,
                     .side = 1,
                     .alloc = 500,
                     .ready = 1000,
                     .batch = q,
                     .wait = wait,
                     .cycles = 3000 + (3ull << wait)});
    // the wait is over for longer than it is counted before the packet before has left
    const Style few = {
        .walk = 10, .rec = 1000, .alloc = 500, .batch = q, .wait = 15, .cycles = 800};
    (void)b.run(few);
    (void)b.run({.batch = q, .wait = 15, .cycles = 34000});
    (void)b.run(few);
    (void)b.run({.batch = q, .wait = 15, .cycles = 70000});
    (void)b.run({.ready = 1000, .batch = q, .wait = 15, .cycles = 100});
    // the longest count, and the shortest wait
    (void)b.run({.walk = 10, .rec = 1000, .alloc = 500, .batch = q, .cycles = 800});
    (void)b.run({.batch = q, .cycles = 34000});
    (void)b.run({.ready = 1000, .batch = q, .cycles = 100});
    (void)b.drain();
    b.reset();
    (void)b.run({.walk = 1000,
                 .rec = 1000,
                 .side = 1000,
                 .alloc = 500,
                 .ready = 1000,
                 .batch = q,
                 .wait = 4,
                 .stall = 34000,
                 .cycles = 35000});
    (void)b.run({.walk = 1000,
                 .rec = 1000,
                 .side = 100,
                 .alloc = 500,
                 .ready = 1000,
                 .batch = q,
                 .wait = 4,
                 .stall = 61000,
                 .cycles = 62000});  // it saturates by one
    (void)b.drain();
    b.reset();
    (void)b.run({.walk = 500,
                 .rec = 1000,
                 .side = 100,
                 .alloc = 500,
                 .ready = 1000,
                 .batch = 1,
                 .wait = 1,
                 .cycles = 330000});
    (void)b.drain();
    EXPECT_TRUE(b.mismatch.found || (b.wrapped && b.packets > 70000 && b.waits > 30))
        << b.packets << " " << b.waits;
    o.add(b);
    return o;
}

#ifdef GMMU_FAULTS

TEST(RitExportFaults, EachIsSeen) {
    bench::expect_faults_seen("rit_export", 1, [](const bench::Setup &s) {
        bench::Outcome o = run(s);
        if (!o.mismatch.found) {
            const bench::Outcome more = slow(s);
            o.actions += more.actions;
            o.mismatch = more.mismatch;
        }
        return o;
    });
}

#else

TEST(RitExport, LockStep) {
    bench::expect_lockstep("rit_export", 6, run);
}

// A reset of one to four cycles leaves nothing of the registers' random state behind: no word is
// reported as corrupt that nobody wrote.
TEST(RitExport, ShortResetsLeaveNothingBehind) {
    for (uint32_t seed = 0; seed < 400; seed++) {
        Export b({.ram = "garbage", .seed = 100000 * bench::seed_of_run() + seed});
        b.reset();
        ASSERT_TRUE(b.run({.walk = 300,
                           .rec = 300,
                           .fault = 100,
                           .side = 200,
                           .alloc = 300,
                           .ready = 900,
                           .batch = 4,
                           .wait = 2,
                           .cycles = 20}))
            << b.mismatch.text();
    }
}

TEST(RitExport, LongCounts) {
    const bench::Outcome o = slow({.ram = "garbage", .seed = bench::seed_of_run()});
    EXPECT_FALSE(o.mismatch.found) << o.mismatch.text();
}

// A wait that becomes shorter is over at once, whichever bit of the count says so: one bit of the
// count is 1 when the register changes.
TEST(RitExport, AWaitThatBecomesShorterIsOver) {
    Export b({.ram = "garbage", .seed = bench::seed_of_run()});
    const unsigned q = bench::config().ritq;
    b.reset();
    for (unsigned wait = 0; wait < 15; wait++)
        for (unsigned bit = wait; bit < 15; bit++) {
            (void)b.run(
                {.walk = 1000, .rec = 1000, .ready = 1000, .batch = q, .wait = 15, .cycles = 1});
            (void)b.run({.ready = 1000, .batch = q, .wait = 15, .cycles = uint64_t{1} << bit});
            (void)b.run({.ready = 1000, .batch = q, .wait = wait, .cycles = 8});
            (void)b.drain();
        }
    EXPECT_FALSE(b.mismatch.found) << b.mismatch.text();
    EXPECT_EQ(b.waits, 120u);
}

TEST(RitExport, StimuliReachTheCorners) {
    Export b({.ram = "garbage", .seed = bench::seed_of_run()});
    b.reset();
    (void)b.run({.walk = 900,
                 .rec = 900,
                 .fault = 100,
                 .side = 900,
                 .alloc = 300,
                 .ready = 900,
                 .batch = bench::config().ritq - 1,
                 .wait = 9,
                 .cycles = 20000});
    (void)b.run({.walk = 300,
                 .rec = 300,
                 .fault = 100,
                 .side = 200,
                 .alloc = 300,
                 .ready = 900,
                 .batch = 4,
                 .wait = 2,
                 .cycles = 20000});
    EXPECT_FALSE(b.mismatch.found) << b.mismatch.text();
    EXPECT_GT(b.both, 500u);
    EXPECT_GT(b.split, 50u);
    EXPECT_GT(b.lost, 500u);
    EXPECT_GT(b.known, 2000u);
    EXPECT_GT(b.unknown, 2000u);
    EXPECT_GT(b.by_size, 100u);
    EXPECT_GT(b.by_fault, 100u);
    EXPECT_GT(b.waits, 100u);
}

TEST(RitExport, NothingIsLostWhenTheHostKeepsUp) {
    // records in 7 of 10 cycles leave in batches of half the queue: n + 3 cycles each
    Export b({.ram = "old", .seed = bench::seed_of_run()});
    const unsigned q = bench::config().ritq;
    if (q < 32)
        GTEST_SKIP() << "a batch of " << q / 2 << " of " << q / 2 + 3
                     << " cycles is too slow for that";
    b.reset();
    EXPECT_TRUE(b.run({.walk = 1000,
                       .rec = 700,
                       .alloc = 10,
                       .ready = 1000,
                       .batch = q / 2,
                       .wait = 9,
                       .faults = false,
                       .cycles = 50000}))
        << b.mismatch.text();
    EXPECT_EQ(b.lost, 0u);
    EXPECT_TRUE(b.drain()) << b.mismatch.text();
    EXPECT_GT(b.sent, 34000u);
}

TEST(RitExportTwin, BeatsCarryEveryField) {
    bench::Random rng(3);
    for (const gmmu_config *c = gmmu_configs; c->name != nullptr; c++) {
        uint32_t words[GMMU_RIT_WORDS];
        ASSERT_LE(gmmu_rit_layout_of(c).bits, 32u * GMMU_RIT_WORDS);
        for (int i = 0; i < 2000; i++) {
            gmmu_rit_event e = {};
            e.rec = rng.below(2);
            e.censored = rng.below(2);
            e.known = rng.below(2);
            e.access = rng.below(2);
            e.fault = rng.below(2);
            e.r_asid = static_cast<uint32_t>(rng.edgy(c->asid_w));
            e.asid = static_cast<uint32_t>(rng.edgy(c->asid_w));
            e.r_ref = rng.edgy(c->ref_w);
            e.ref = rng.edgy(c->ref_w);
            e.vpn = rng.edgy(c->vpn_w);
            e.time = static_cast<uint32_t>(rng.edgy(c->time_w));
            e.interval = static_cast<uint32_t>(rng.edgy(c->time_w));
            gmmu_rit_pack_event(c, &e, words);
            const gmmu_rit_event g = gmmu_rit_unpack_event(c, words);
            EXPECT_TRUE(g.rec == e.rec && g.censored == e.censored && g.known == e.known &&
                        g.access == e.access && g.fault == e.fault && g.r_asid == e.r_asid &&
                        g.asid == e.asid && g.r_ref == e.r_ref && g.ref == e.ref &&
                        g.vpn == e.vpn && g.time == e.time && g.interval == e.interval);
            const gmmu_rit_head h = {
                static_cast<uint32_t>(rng.bits(16)), static_cast<uint32_t>(rng.bits(8)),
                static_cast<uint32_t>(rng.bits(16)), static_cast<uint32_t>(rng.bits(c->time_w))};
            gmmu_rit_pack_head(c, &h, words);
            const gmmu_rit_head k = gmmu_rit_unpack_head(c, words);
            EXPECT_TRUE(k.seq == h.seq && k.n == h.n && k.dropped == h.dropped && k.time == h.time);
        }
    }
}

#endif

}  // namespace
