// SPDX-License-Identifier: Apache-2.0
// ppuc_test.cpp: the priorities, RTL against its C twin, and the C twin against exact rationals.
//
// State space: histograms that are empty, of one bin, sparse, dense, full, of censored records
// only, rising, falling, with equal and nearly equal slopes; cold rows of 0 to 8 observations with
// and without pseudo-counts; lookups in every cycle while the engine works, on the row that it
// works on too, at the borders of all bins; INSTALL late, of a stale generation, in the cycle of
// the row's FORGET; a reset in the middle, also of one cycle with a row right behind it. Parameter
// space: the configuration that it is built for, the three RAM collision models, random initial
// state. With bits that turn over in words as they are written: priorities are right as far as the
// engine comes, and no other ones are shown; what comes out of the table is right or told.
#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdio>

#include "bench.h"
#include "ppuc/lockstep.h"
#include "ppuc/rows.h"
#include "ppuc/schedule.h"

namespace {

// lookup, rows, forget, gap, wait, snapshots, cold
bench::Outcome run(const bench::Setup &s) {
    bench::Outcome o;
    Ppuc b(s);
    b.reset();
    const Style styles[] = {
        {.lookup = 1000, .rows = 2, .forget = 2, .snapshots = 50},
        {.lookup = 1000, .rows = 7, .gap = 100, .wait = 20, .snapshots = 30},
        {.lookup = 500, .rows = 63, .forget = 20, .wait = 3, .snapshots = 20},
        {.lookup = 1000, .rows = 1, .wait = 200, .snapshots = 20},
        {.lookup = 200, .rows = 3, .snapshots = 40, .cold = 900},
    };
    for (const Style &style : styles) b.run(style);
    if (!b.mismatch.found) {
        b.reset();
        b.run(styles[0]);
    }
    if (!o.add(b) || !bench::config().parity)
        return o;
    bench::Setup flips = s;
    flips.flip = 150;
    Ppuc f(flips);
    f.reset();
    f.run({.lookup = 1000, .rows = 2, .forget = 1, .wait = 3, .snapshots = 200});
    f.run({.lookup = 1000, .rows = 7, .forget = 1, .wait = 3, .snapshots = 100, .cold = 300});
    f.expect_told();
    if (!o.add(f))
        return o;
    Ppuc d(s);
    d.reset();
    d.bad_snaps = true;
    d.run({.lookup = 1000, .rows = 2, .forget = 1, .wait = 3, .snapshots = 50});
    d.run({.lookup = 1000, .rows = 7, .forget = 1, .wait = 3, .snapshots = 50, .cold = 300});
    d.expect_doomed();
    o.add(d);
    return o;
}

#ifdef GMMU_FAULTS

TEST(PpucFaults, EachIsSeen) {
    bench::expect_faults_seen("ppuc", 12, run);
}

#else

TEST(Ppuc, LockStep) {
    bench::expect_lockstep("ppuc", 6, run);
}

TEST(Ppuc, OneLookupACycle) {
    Ppuc b({.ram = "garbage", .seed = bench::seed_of_run()});
    b.reset();
    // every cycle but those of an INSTALL; the answer comes six cycles later, in order (asserted)
    EXPECT_TRUE(b.run({.lookup = 1000, .rows = 3, .forget = 1, .wait = 5, .snapshots = 2000}))
        << b.mismatch.text();
    EXPECT_EQ(b.lookups + b.installs + b.stale, b.cycles - 10);  // 10 cycles of reset
    EXPECT_GT(b.installs, 10u);
    EXPECT_GT(b.stale, 2u);
    EXPECT_GT(b.together, 0u);
    std::printf("ppuc (%s): slowest row %" PRIu64 " cycles from its header to INSTALL\n",
                GMMU_CONFIG_NAME, b.slowest);
}

TEST(Ppuc, WordsThatTurnBad) {
    if (!bench::config().parity)
        return;
    Ppuc b({.ram = "garbage", .seed = bench::seed_of_run(), .flip = 150});
    b.reset();
    EXPECT_TRUE(b.run({.lookup = 1000,
                       .rows = 7,
                       .forget = 1,
                       .gap = 100,
                       .wait = 3,
                       .snapshots = 1500,
                       .cold = 300}))
        << b.mismatch.text();
    EXPECT_GT(b.given_up, 20u);
    EXPECT_GT(b.lost, 20u);
    std::printf("ppuc (%s): of %" PRIu64 " rows %" PRIu64 " were given up; %" PRIu64
                " priorities turned bad\n",
                GMMU_CONFIG_NAME, b.rows, b.given_up, b.lost);
}

TEST(Ppuc, ResetsOfACycle) {
    // without bad words all priorities are compared; with them nothing that was under way at the
    // reset spoils the row that begins behind it
    for (const unsigned flip : {0u, 40u}) {
        if (flip != 0 && !bench::config().parity)
            return;
        Ppuc b({.ram = "garbage", .seed = bench::seed_of_run() + 3, .flip = flip});
        b.reset();
        b.resets = true;
        EXPECT_TRUE(b.run({.lookup = 500,
                           .rows = 7,
                           .forget = 1,
                           .wait = 3,
                           .snapshots = flip != 0 ? 1500u : 300u}))
            << b.mismatch.text();
        EXPECT_GT(b.cut_off, 100u);
        EXPECT_GT(b.cut_off_pops, 50u);
    }
}

TEST(Ppuc, LargestProducts) {
    Ppuc b({.ram = "garbage", .seed = bench::seed_of_run() + 1});
    b.reset();
    b.tries = 200;
    EXPECT_TRUE(b.run({.lookup = 100, .rows = 7, .snapshots = 800, .cold = 950}))
        << b.mismatch.text();
}

TEST(Ppuc, LargestSums) {
    Ppuc b({.ram = "garbage", .seed = bench::seed_of_run() + 2});
    b.reset();
    b.full = true;
    EXPECT_TRUE(b.run({.lookup = 100, .rows = 7, .snapshots = 300, .cold = 950}))
        << b.mismatch.text();
}

#endif

}  // namespace

#ifndef GMMU_FAULTS
#include "ppuc/rationals.h"
#endif
