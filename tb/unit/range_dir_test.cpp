// SPDX-License-Identifier: Apache-2.0
// range_dir_test.cpp: range_dir's RTL against its C twin, every beat of every packet, in order.
//
// State space: random operations of all kinds on ranges that are, lie in, meet or miss what there
// is, from a unit to the whole address space, up to its last byte; phases with no, some and many
// pins, with a full table, with GPU memory for nothing, some, all; drivers that say no base, or a
// late one; operations in every cycle, few, bursts; consumers that take every beat, few, none for
// long; resets at any time. Parameter space: the configuration that it is built for; the three RAM
// collision models; random initial state.
//
// Recorded calls: a host's operations, made by SemCache's runtime from .sem traces
// (range_dir/host.h), limited to the block's records and to all, 60 % and 20 % of the GPU memory
// that they would take, write-back, write-through, in pages of 2 MiB; all at once, or each after
// the answer to the one before; Fig. 1's chain and Table 3's calls, of which the RTL's beats are
// counted.
//
// Parity: with bits that turn over in words as they go to RAMs (+flip), operations one after the
// other are answered as the twin says, transfers and all, or BADWORD, which is counted; then both
// are reset. Without such bits nothing is counted. At tiny the bench also turns a bit of a record
// itself (range_dir/turned.h), at rest and in each cycle of an operation: the record stays bad.
//
// Timing: an operation a cycle while answers are one beat; else s_ready is low for at most
// 4 RANGES + a search's cycles + 32, RANGES + 11 for each record that leaves for another, and the
// beats.
#include <algorithm>
#include <cstdio>
#include <string>

#include "bench.h"
#include "range_dir/host.h"
#include "range_dir/lockstep.h"
#ifdef GMMU_OPEN
#include "range_dir/turned.h"
#endif

namespace {

// All styles; false: a mismatch.
bool run_styles(const bench::Setup &s, bool fast, bench::Outcome *o) {
    RangeDir b(s);
    const uint64_t n = fast ? 1500 : 500;
    const Style styles[] = {
        // clang-format off
        {.valid = 900, .ready = 900, .pins = 10, .unpins = 10, .hot = 20, .ops = n},
        {.valid = 1000, .ready = 1000, .pins = 10, .unpins = 10, .hot = 60, .ops = n},
        {.valid = 300, .ready = 500, .pins = 30, .unpins = 20, .hot = 10, .ops = n},
        {.valid = 1000, .ready = 100, .unpins = 5, .hot = 30, .ops = n},
        {.valid = 1000, .ready = 1000, .pins = 50, .fill = 90, .ops = 2ull * bench::config().ranges},
        {.valid = 1000, .ready = 1000, .pins = 20, .unpins = 10, .fill = 30, .hot = 20, .ops = n},
        {.valid = 900, .ready = 900, .unpins = 80, .ops = n},
        {.valid = 1000, .ready = 1000, .unpins = 10, .hot = 95, .ops = n},
        {.valid = 1000, .ready = 1000, .pins = 70, .unpins = 2, .hot = 90, .ops = n},
        // clang-format on
    };
    for (unsigned round = 0; round < 3; round++) {
        b.reset(round == 0);
        const size_t from = b.any(9);
        for (size_t i = 0; i < 9; i++) {
            if (!b.run(styles[(from + i) % 9]))
                break;
            if (round != 2 || i % 3 == 0)
                (void)b.drain();
        }
        for (unsigned alike = 0; alike < 2 && round == 1; alike++) b.saturate(alike != 0);
        if (round != 0)
            (void)b.tell_all();
    }
    return o->add(b);
}

// (one model after the other: Verilator 5.006 takes the scopes of an open model off the context of
// the one that ran last)
bench::Outcome run(const bench::Setup &s) {
    const bool fast = bench::config().ranges <= 32;
    bench::Outcome o;
    if (!run_styles(s, fast, &o) || !bench::config().parity)
        return o;
    bench::Setup flips = s;
    // few, so that a record that moves while it is bad does not turn once more; many where a fault
    // is to be seen
    flips.flip = s.fault != 0 ? 50 : 1000;
    RangeDir flipped(flips);
    (void)flipped.run_flipped(fast ? 5000 : 500);
    (void)o.add(flipped);
    return o;
}

#ifdef GMMU_FAULTS
TEST(RangeDir, FaultsAreSeen) {
    bench::expect_faults_seen("range_dir", 2, run);
}
#else
TEST(RangeDir, LockStep) {
    bench::expect_lockstep("range_dir", 6, run);
}

TEST(RangeDir, AnOperationACycle) {
    for (const unsigned kinds : {1u, 5u}) {
        RangeDir b({"garbage", 7, 0});
        b.reset();
        b.all_memory();
        const uint64_t cycles = b.burst(20000, kinds);
        EXPECT_FALSE(b.mismatch.found) << b.mismatch.text();
        EXPECT_LE(cycles, 20000u + 8);
        EXPECT_EQ(b.alone(), b.search() + 10);
        std::printf("range_dir (%s): 20000 operations in %llu cycles\n", GMMU_CONFIG_NAME,
                    (unsigned long long)cycles);
    }
}

const char *const traces[] = {"chain", "chain512", "lu", "lu_lapack", "kmeans", "newmark"};

// All traces under the protocols, with GPU memory for all, 60 % and 20 % of what they take. A trace
// whose addresses do not fit is left out.
bench::Outcome play_all(const bench::Setup &s) {
    const gmmu_config &c = bench::config();
    bench::Outcome o;
    RangeDir b(s);
    for (const char *trace : traces) {
        const host::Events events =
            host::recorded(std::string("sim/sem/") + trace + ".sem", c.addr_w);
        for (unsigned protocol = 0; protocol < 3 && !events.empty(); protocol++) {
            gmmu_sem_config cfg = {};
            cfg.ranges = c.ranges;
            cfg.write_through = protocol == 1;
            cfg.page = protocol == 2 ? 2ull << 20 : 0;
            cfg.limit = bench::mask(c.addr_w);
            uint64_t most = 0;
            for (const unsigned percent : {100u, 60u, 20u}) {
                if (percent != 100)
                    cfg.limit = std::max<uint64_t>(most * percent / 100, 1);
                host::Runtime runtime(cfg, c.addr_w);
                runtime.play(events);
                most = percent == 100 ? runtime.counts().most_bytes : most;
                static const unsigned permille[] = {1000, 700, 50};
                const Style style = {.valid = permille[b.any(3)], .ready = permille[b.any(3)]};
                if (!b.play(runtime.asked, cfg.limit, style, b.any(3) == 0))
                    break;
            }
        }
    }
    (void)o.add(b);
    return o;
}

TEST(RangeDir, RecordedCalls) {
    bench::expect_lockstep("range_dir", 1, play_all);
}

// Fig. 1's chain of three multiplies, transfers up and down, as the RTL's beats have them.
TEST(RangeDir, TheChainOfFig1) {
    const gmmu_config &c = bench::config();
    const host::Events chain = host::recorded("sim/sem/chain.sem", c.addr_w);
    if (chain.empty() || c.ranges < 5)
        return;  // its addresses have 30 bits; it has five matrices
    const Style style = {.valid = 1000, .ready = 1000};
    static const struct {
        const char *name;
        uint64_t ups, downs;
    } wanted[] = {{"naive", 6, 3}, {"fig9", 9, 3}, {"write-back", 2, 1}, {"write-through", 2, 3}};
    for (unsigned i = 0; i < 4; i++) {
        SCOPED_TRACE(wanted[i].name);
        gmmu_sem_config cfg = {};
        cfg.ranges = c.ranges;
        cfg.limit = bench::mask(c.addr_w);
        cfg.write_through = i == 3;
        host::Runtime runtime(cfg, c.addr_w);
        runtime.play(chain);
        RangeDir b({"garbage", 5 + i, 0});
        (void)b.play(i < 2 ? host::nothing_stays(chain, i == 1) : runtime.asked, cfg.limit, style,
                     false);
        EXPECT_FALSE(b.mismatch.found) << b.mismatch.text();
        EXPECT_EQ(b.told[GMMU_RANGE_UP], wanted[i].ups);
        EXPECT_EQ(b.told[GMMU_RANGE_DOWN], wanted[i].downs);
        EXPECT_EQ(b.told_bytes[GMMU_RANGE_UP], wanted[i].ups << 27);  // N = 4096: 128 MiB each
        EXPECT_EQ(b.told_bytes[GMMU_RANGE_DOWN], wanted[i].downs << 27);
        if (i >= 2) {
            EXPECT_EQ(runtime.counts().ups, wanted[i].ups);
            EXPECT_EQ(runtime.counts().downs, wanted[i].downs);
            EXPECT_EQ(runtime.counts().on_cpu, 0u);
        }
    }
}

// Table 3's lookups: 3 a GEMM, 2 a GESV, XPY, COPY; by the runtime, by the RTL's answers.
TEST(RangeDir, TheLookupsOfTable3) {
    const gmmu_config &c = bench::config();
    if (c.addr_w < 14 || c.ranges < 3)
        return;  // twenty matrices of 512 bytes; three at once
    static const struct {
        const char *name;
        unsigned gemm, gesv, xpy, copy;
        uint64_t lookups;  // the paper's
    } inputs[] = {
        // clang-format off
        {.name = "Rocket32", .gemm = 6720, .gesv = 1209, .xpy = 3520, .copy = 480, .lookups = 30578},
        {.name = "Cube14", .gemm = 944, .gesv = 233, .xpy = 688, .copy = 104, .lookups = 4882},
        {.name = "Cube10", .gemm = 470, .gesv = 131, .xpy = 394, .copy = 62, .lookups = 2584}};
    // clang-format on
    for (const auto &in : inputs) {
        SCOPED_TRACE(in.name);
        gmmu_sem_config cfg = {};
        cfg.ranges = c.ranges;
        cfg.limit = bench::mask(c.addr_w);
        host::Runtime runtime(cfg, c.addr_w);
        host::table3(&runtime, in.gemm, in.gesv + in.xpy + in.copy);
        EXPECT_EQ(runtime.counts().lookups, in.lookups);
        EXPECT_EQ(runtime.counts().on_cpu, 0u);
        RangeDir b({"old", 3, 0});
        (void)b.play(runtime.asked, cfg.limit, {.valid = 1000, .ready = 1000}, false);
        EXPECT_FALSE(b.mismatch.found) << b.mismatch.text();
        EXPECT_EQ(b.lookups, in.lookups);
    }
}

TEST(RangeDir, WordsThatTurnBad) {
    if (!bench::config().parity)
        return;
    uint64_t told = 0, actions = 0;
    for (const char *ram : {"garbage", "old", "new"}) {
        bench::Setup s = {.ram = ram, .seed = bench::seed_of_run()};
        s.flip = 1000;
        RangeDir b(s);
        (void)b.run_flipped(20000);
        EXPECT_FALSE(b.mismatch.found) << b.mismatch.text();
        told += b.bad_words;
        actions += b.actions;
    }
    EXPECT_GT(told, 50u);
    std::printf("range_dir (%s): %llu operations, %llu of them answered BADWORD\n",
                GMMU_CONFIG_NAME, (unsigned long long)actions, (unsigned long long)told);
}

#ifdef GMMU_OPEN
// A record that turned bad stays so, whatever is done to it and wherever it moves.
TEST(RangeDir, ABadRecordStaysBad) {
    RangeDirTurned b({"garbage", bench::seed_of_run()});
    for (unsigned i = 0; i < 60; i++) ASSERT_TRUE(b.at_rest(40)) << b.mismatch.text();
    for (unsigned i = 0; i < 20; i++) ASSERT_TRUE(b.dense(200)) << b.mismatch.text();
    EXPECT_GT(b.refused, 600u);
    EXPECT_GT(b.others, 600u);
    std::printf("range_dir (%s): %llu operations refused, %llu on other records\n",
                GMMU_CONFIG_NAME, (unsigned long long)b.refused, (unsigned long long)b.others);
}

// So does one that turns bad between the checks of an operation and its transfers.
TEST(RangeDir, ARecordTurnsBadMeanwhile) {
    RangeDirTurned b({"garbage", bench::seed_of_run()});
    for (const unsigned kind : {GMMU_RANGE_READ_CPU, GMMU_RANGE_WRITE_CPU, GMMU_RANGE_READ_GPU})
        for (unsigned when = 0; when < 100; when++)
            for (unsigned i = 0; i < 4; i++)
                ASSERT_TRUE(b.meanwhile(kind, when))
                    << kind << ", " << when << ": " << b.mismatch.text();
    EXPECT_GT(b.amid, 200u);
    EXPECT_GT(b.done, 200u);
    std::printf("range_dir (%s): in %llu operations a record turned bad, in %llu too late\n",
                GMMU_CONFIG_NAME, (unsigned long long)b.amid, (unsigned long long)b.done);
}
#endif

TEST(RangeDir, RoomToTheByte) {
    RangeDir b({"garbage", bench::seed_of_run()});
    EXPECT_TRUE(b.to_the_byte(2000)) << b.mismatch.text();
    EXPECT_GT(b.of_code[GMMU_RANGE_NOSPACE], 200u);
    EXPECT_GT(b.of_kind[GMMU_RANGE_DROP], 200u);
}

TEST(RangeDir, UpsideDown) {
    RangeDir b({"garbage", bench::seed_of_run()});
    EXPECT_TRUE(b.upside_down()) << b.mismatch.text();
    EXPECT_EQ(b.of_code[GMMU_RANGE_BAD], 2u * 3u * GMMU_RANGE_BASE);
}

TEST(RangeDir, AllIsReached) {
    RangeDir b({"garbage", 11, 0});
    b.reset(true);
    for (unsigned i = 0; i < 12; i++) {
        if (i % 3 != 0)
            b.all_memory(i % 3 == 2);
        (void)b.run({.valid = 1000,
                     .ready = 1000,
                     .pins = 30,
                     .unpins = 10,
                     .fill = i % 3 == 2 ? 90u : 0u,
                     .hot = 30,
                     .ops = 2000 + 8ull * bench::config().ranges});
        (void)b.run({.valid = 1000, .ready = 1000, .unpins = 80, .ops = 1000});
        (void)b.drain();
    }
    EXPECT_FALSE(b.mismatch.found) << b.mismatch.text();
    for (unsigned i = 0; i < 6; i++) EXPECT_GT(b.of_code[i], 0u) << "code " << i;
    for (uint64_t n : b.of_kind) EXPECT_GT(n, 50u);
    EXPECT_GT(b.full, 50u);
    std::printf("range_dir (%s): s_ready low for at most %llu cycles\n", GMMU_CONFIG_NAME,
                (unsigned long long)b.low);
}
#endif

}  // namespace
