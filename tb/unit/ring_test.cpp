// SPDX-License-Identifier: Apache-2.0
// ring_test.cpp: ring's RTL against its C twin in every cycle: answers of registers, beats of AXI4,
// what streams take and give, irq, idle, rests. Software that knows nothing of the twin reads the
// entries from memory, by TAIL or by the phase alone, and gives operations: nothing is lost,
// doubled or late.
//
// State space: requests in a row and apart, to every word of the page, good and bad, with any
// strobes; streams that offer a beat in every cycle, few, none; packets with room, with just
// enough, with one entry too few; software that reads at once, seldom, never for long; memory that
// answers at once, late, with errors; rings that end at a border of 4 KiB, before it, behind it, at
// the end of the address space; windows; channels that are enabled, disabled, reset amid their
// work; resets of the unit, with and without registers, and of all, at any time; answers behind
// such a reset. Parameter space: the configuration that it is built for, random initial state.
#include "ring/lockstep.h"

namespace {

std::vector<Style> styles() {
    const Speed fast = {}, slow = {.aw = 300, .w = 300, .b = 100, .ar = 200, .r = 200},
                odd = {.aw = 50, .w = 900, .b = 30, .ar = 500, .r = 900};
    const Speed bad = {.aw = 700, .w = 700, .b = 500, .ar = 700, .r = 700, .bad = 30},
                broken = {.aw = 400, .w = 400, .b = 60, .ar = 400, .r = 100, .bad = 400};
    return {
        // clang-format off
        {.asks = 900, .beats = 900, .takes = 900, .memory = fast, .idle = 10, .honest = true, .cycles = 6000},
        {.asks = 700, .chaos = 20, .beats = 900, .takes = 300, .memory = slow, .most = 5, .idle = 20, .stops = 30, .honest = true, .cycles = 6000},
        {.asks = 1000, .beats = 300, .takes = 900, .memory = odd, .most = 60, .idle = 5, .honest = true, .cycles = 6000},
        {.asks = 1000, .chaos = 50, .beats = 800, .takes = 700, .memory = bad, .most = 6, .windows = 20, .idle = 30, .stops = 50, .rsts = 30, .honest = true, .cycles = 8000},
        {.asks = 1000, .chaos = 300, .beats = 700, .takes = 500, .memory = fast, .most = 4, .windows = 50, .idle = 50, .stops = 100, .rsts = 50, .cycles = 8000},
        {.asks = 1000, .chaos = 100, .beats = 900, .takes = 500, .memory = bad, .most = 3, .windows = 30, .idle = 60, .stops = 100, .cycles = 6000},
        {.asks = 1000, .beats = 900, .takes = 500, .memory = fast, .windows = 90, .idle = 20, .stops = 20, .cycles = 5000},
        {.asks = 100, .beats = 900, .takes = 30, .memory = fast, .most = 20, .idle = 5, .empties = 100, .honest = true, .cycles = 6000},
        {.asks = 900, .beats = 30, .takes = 900, .memory = fast, .most = 3, .idle = 5, .empties = 60, .fills = 900, .honest = true, .cycles = 5000},
        {.asks = 1000, .beats = 40, .takes = 900, .memory = fast, .most = 4, .idle = 2, .empties = 900, .honest = true, .cycles = 8000},
        {.asks = 700, .beats = 150, .takes = 700, .memory = fast, .most = 300, .empties = 900, .honest = true, .cycles = 12000},
        {.asks = 1000, .beats = 1000, .takes = 1000, .memory = fast, .most = 200, .empties = 200, .fills = 200, .honest = true, .cycles = 9000},
        {.asks = 1000, .beats = 1000, .takes = 1000, .memory = fast, .most = 300, .idle = 2, .empties = 900, .fills = 900, .honest = true, .cycles = 6000},
        {.asks = 1000, .beats = 900, .takes = 500, .memory = broken, .most = 6, .idle = 400, .cycles = 6000},
        {.asks = 1000, .chaos = 200, .beats = 300, .takes = 500, .memory = fast, .most = 200, .windows = 20, .idle = 400, .parts = 500, .cycles = 6000},
        // clang-format on
    };
}

bench::Outcome run(const bench::Setup &s) {
    bench::Outcome o;
    Ring b(s);
    for (const Style &style : styles()) {
        if (b.mismatch.found)
            break;
        b.reset();
        (void)b.run(style);
    }
    o.add(b);
    return o;
}

#ifdef GMMU_FAULTS

TEST(RingFaults, EachIsSeen) {
    bench::expect_faults_seen("ring", 2, run);
}

#else

TEST(Ring, LockStep) {
    bench::expect_lockstep("ring", 3, run);
}

// Without errors and resets of the unit each decision and each beat of xfer comes to the reader,
// once and in order; each packet as a whole or not at all; each operation to the unit.
TEST(Ring, NothingIsLost) {
    uint64_t entries = 0, ops = 0, skipped = 0;
    const unsigned seeds = bench::seeds_of_run(6);
    for (uint32_t seed = 0; seed < seeds; seed++) {
        Ring b({.ram = "garbage", .seed = bench::seed_of_run() * 77 + seed});
        b.reset();
        for (unsigned round = 0; round < 4 && !b.mismatch.found; round++) {
            (void)b.run({.asks = 800,
                         .beats = 700,
                         .takes = 600,
                         .memory = {.aw = 600, .w = 700, .b = 300, .ar = 500, .r = 600},
                         .most = 6 + 20 * round,
                         .idle = 2,
                         .honest = true,
                         .cycles = 6000});
            EXPECT_TRUE(b.drain()) << b.mismatch.text();
        }
        for (const RingReader &r : b.readers) {
            entries += r.entries;
            skipped += r.skipped;
        }
        ops += b.ops;
        ASSERT_FALSE(b.mismatch.found) << b.mismatch.text();
    }
    EXPECT_GT(entries, 300u * seeds);
    EXPECT_GT(ops, 50u * seeds);
    std::printf("[ rings    ] %" PRIu64 " entries read, %" PRIu64 " packets skipped, %" PRIu64
                " operations\n",
                entries, skipped, ops);
}

// Pointers and fills of up to 16 bits: one channel of each direction at a time passes through its
// whole ring while HEAD and TAIL move by any distance. A short run has one ring of the most
// entries, the others reach bit 12.
TEST(Ring, LongRings) {
    Ring b({.ram = "garbage", .seed = bench::seed_of_run()});
    bench::Random rng(bench::seed_of_run() + 77);
    const auto longest = static_cast<unsigned>(rng.below(4));
    for (unsigned out = 0; out < 4; out++) {
        b.reset();
        const auto &channel = b.twin().channel;
        const unsigned in =
            channel[GMMU_RING_RANGE].present ? GMMU_RING_DRV + out % 2 : unsigned{GMMU_RING_DRV};
        if (!channel[out].present)
            continue;
        const bool most = out == longest || !bench::quick();
        const auto size =
            static_cast<uint32_t>(most ? 48000 + rng.below(17536) : 4200 + rng.below(400));
        Style s = {.asks = 300,
                   .beats = 1000,
                   .takes = 1000,
                   .empties = 100,
                   .fills = 900,
                   .honest = true,
                   .cycles = 500};
        s.sizes.fill(1);  // cannot be enabled
        s.sizes[out] = size;
        s.sizes[in] = size - size / 4;
        uint32_t tail = 0, head = 0;
        unsigned out_passes = 0, in_passes = 0;
        for (unsigned i = 0; i < 20000; i++) {
            if (out_passes > 0 && in_passes > 0 && channel[out].tail > size / 8)
                break;
            // in the later half TAIL goes on where the unit has taken all, so rings are empty, too
            if (out >= 2)
                s.fills = channel[in].head == channel[in].tail ? 900 : 0;
            ASSERT_TRUE(b.run(s)) << b.mismatch.text();
            out_passes += channel[out].tail < tail;
            in_passes += channel[in].head < head;
            tail = channel[out].tail;
            head = channel[in].head;
        }
        EXPECT_GT(out_passes, 0u) << "channel " << out;
        EXPECT_GT(in_passes, 0u) << "channel " << in;
        std::printf("[ long     ] channel %u, %u entries; %" PRIu64 " read\n", out, size,
                    b.readers[out].entries);
        EXPECT_GT(b.readers[out].entries, size / 2);
    }
}

// The counts of dropped packets pass bit 11: rings that nobody reads, and packets of few beats.
TEST(Ring, ManyDrops) {
    Ring b({.ram = "garbage", .seed = bench::seed_of_run()});
    b.reset();
    Style s = {.asks = 300, .beats = 1000, .most = 0, .empties = 0, .cycles = 1000};
    s.sizes.fill(2);
    const auto &channel = b.twin().channel;
    for (unsigned i = 0; i < 100; i++) {
        if (channel[GMMU_RING_RIT].dropped > 5000 && channel[GMMU_RING_HIR].dropped > 5000)
            break;
        ASSERT_TRUE(b.run(s)) << b.mismatch.text();
    }
    EXPECT_GT(channel[GMMU_RING_RIT].dropped, 5000u);
    EXPECT_GT(channel[GMMU_RING_HIR].dropped, 5000u);
}

// Entries wait for 2^17 cycles, in a long run for 2^21: WAIT about each of the timer's values.
TEST(Ring, LongWaits) {
    const uint32_t most = 1u << (bench::quick() ? 17 : 21);
    Ring b({.ram = "garbage", .seed = bench::seed_of_run()});
    b.reset();
    Style s = {.asks = 500, .beats = 500, .empties = 0, .cycles = 500};
    s.sizes.fill(3);
    const auto &channel = b.twin().channel;
    const auto full = [&channel](unsigned c) {
        return !channel[c].present || channel[c].tail == 2;
    };
    for (unsigned i = 0; i < 100 && !(full(0) && full(1) && full(2) && full(3)); i++)
        ASSERT_TRUE(b.run(s)) << b.mismatch.text();
    s = {.beats = 0, .clocks = true, .cycles = most};
    ASSERT_TRUE(b.run(s)) << b.mismatch.text();
    for (unsigned c = 0; c < 4; c++)
        if (channel[c].present) {
            EXPECT_GE(channel[c].timer, most) << "channel " << c;
        }
}

TEST(Ring, AllIsReached) {
    Ring b({.ram = "garbage", .seed = bench::seed_of_run()});
    for (const Style &style : styles()) {
        b.reset();
        EXPECT_TRUE(b.run(style)) << b.mismatch.text();
    }
    std::printf("[ reached  ] %" PRIu64 " entries, %" PRIu64 " ops, %" PRIu64
                " bursts of up to %" PRIu64 " beats, %" PRIu64 " drops, %" PRIu64
                " discards, %" PRIu64 " windows, %" PRIu64 " errors, %" PRIu64 " resets, %" PRIu64
                " bad accesses, %" PRIu64 " good writes, %" PRIu64 " cycles of irq, %" PRIu64
                " cycles full\n",
                b.entries, b.ops, b.bursts, b.memory_model.longest, b.drops, b.discards, b.windows,
                b.errors, b.resets, b.bad, b.good_writes, b.irqs, b.full);
    EXPECT_GT(b.entries, 1000u);
    EXPECT_GT(b.ops, 100u);
    EXPECT_GT(b.drops, 20u);
    EXPECT_GT(b.discards, 100u);
    EXPECT_GT(b.windows, 50u);
    EXPECT_GT(b.errors, 10u);
    EXPECT_GT(b.resets, 50u);
    EXPECT_GT(b.bad, 1000u);
    EXPECT_GT(b.good_writes, 1000u);
    EXPECT_GT(b.irqs, 1000u);
    EXPECT_GT(b.full, 100u);
}

#endif

}  // namespace
