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
        {1000, 2, 2, 0, 0, 50, 0},   {1000, 7, 0, 100, 20, 30, 0}, {500, 63, 20, 0, 3, 20, 0},
        {1000, 1, 0, 0, 200, 20, 0}, {200, 3, 0, 0, 0, 40, 900},
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
    f.run({1000, 2, 1, 0, 3, 200, 0});
    f.run({1000, 7, 1, 0, 3, 100, 300});
    f.expect_told();
    if (!o.add(f))
        return o;
    Ppuc d(s);
    d.reset();
    d.bad_snaps = true;
    d.run({1000, 2, 1, 0, 3, 50, 0});
    d.run({1000, 7, 1, 0, 3, 50, 300});
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
    Ppuc b({"garbage", bench::seed_of_run(), 0});
    b.reset();
    // every cycle but those of an INSTALL; the answer comes six cycles later, in order (asserted)
    EXPECT_TRUE(b.run({1000, 3, 1, 0, 5, 2000, 0})) << b.mismatch.text();
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
    Ppuc b({"garbage", bench::seed_of_run(), 0, 150});
    b.reset();
    EXPECT_TRUE(b.run({1000, 7, 1, 100, 3, 1500, 300})) << b.mismatch.text();
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
        Ppuc b({"garbage", bench::seed_of_run() + 3, 0, flip});
        b.reset();
        b.resets = true;
        EXPECT_TRUE(b.run({500, 7, 1, 0, 3, flip != 0 ? 1500u : 300u, 0})) << b.mismatch.text();
        EXPECT_GT(b.cut_off, 100u);
        EXPECT_GT(b.cut_off_pops, 50u);
    }
}

TEST(Ppuc, LargestProducts) {
    Ppuc b({"garbage", bench::seed_of_run() + 1, 0});
    b.reset();
    b.tries = 200;
    EXPECT_TRUE(b.run({100, 7, 0, 0, 0, 800, 950})) << b.mismatch.text();
}

TEST(Ppuc, LargestSums) {
    Ppuc b({"garbage", bench::seed_of_run() + 2, 0});
    b.reset();
    b.full = true;
    EXPECT_TRUE(b.run({100, 7, 0, 0, 0, 300, 950})) << b.mismatch.text();
}

#endif

}  // namespace

#ifndef GMMU_FAULTS
#include "ppuc/rationals.h"
#endif
