// SPDX-License-Identifier: Apache-2.0
// victims.cpp: every victim of leu2 is the slow model's.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "compare.h"
#include "gmmu/trace.h"
#include "random_trace.h"
#include "slow_leu2.h"

namespace {

TEST(Leu2Test, EveryVictimEqualsTheSlowModelAtEverySize) {
    RandomTrace random(test_seed());
    Totals sum;
    for (int i = 0; i < (at_length() ? 200 : 24); i++) {
        const uint64_t pages = 1 + random.below(20);
        const auto trace = random.make(1 + random.below(300), pages);
        Options o;
        o.config = "tiny";
        o.k = 1 + static_cast<unsigned>(random.below(8));
        o.pool = 1u << random.below(4);
        o.samples = static_cast<unsigned>(random.below(8));
        o.ring = 1 + static_cast<unsigned>(random.below(20));
        o.table = 2U << random.below(10);
        o.history = 4U << random.below(5);
        o.unknown = random.below(4) != 0 ? 1 : 0;
        o.seed = 1 + static_cast<uint32_t>(random.below(1000));
        for (uint32_t frames = 1; frames <= pages + 1; frames++) {
            compare(trace, o, frames, &sum);
            ASSERT_FALSE(HasFatalFailure()) << "trace " << i << " of seed " << test_seed();
        }
    }
    print("leu2, every size", sum);
    EXPECT_GT(sum.dropped, 0U);
    EXPECT_GT(sum.lost, 0U);
}

TEST(Leu2Test, EveryVictimEqualsTheSlowModelOnLongTraces) {
    RandomTrace random(test_seed() + 1);
    Totals sum;
    for (int i = 0; i < (at_length() ? 12 : 3); i++) {
        const uint64_t pages = 60 + random.below(300);
        const auto trace = random.make(at_length() ? 3000 : 1500, pages);
        Options o;
        o.config = i % 2 == 0 ? "tiny" : "default";
        o.ring = i % 3 == 0 ? 1024 : 64;
        compare(trace, o, static_cast<uint32_t>(pages / 2), &sum);
        ASSERT_FALSE(HasFatalFailure()) << "trace " << i << " of seed " << test_seed();
    }
    print("leu2, long", sum);
}

// Time stamps of 20 bits come round; what is older than 2^18 walks is forgotten before they do.
TEST(Leu2Test, EveryVictimEqualsTheSlowModelWhenTimeComesRound) {
    if (!at_length()) {
        GTEST_SKIP() << "1.3 M walks: only with GMMU_LONG";
    }
    RandomTrace random(test_seed() + 2);
    Totals sum;
    std::vector<gmmu_walk> trace(1300000);
    for (size_t i = 0; i < trace.size(); i++) {
        // long silence of most pages: 20 pages are accessed most of the time
        const bool all = i % 150000 < 400;
        trace[i].vpn = random.below(all ? 400 : 20) * (i / 400000 + 1);
        trace[i].ref = trace[i].vpn % 3;
    }
    Options o;
    o.config = "tiny";
    o.history = 64;
    compare(trace, o, 40, &sum);
    print("leu2, time comes round", sum);
    EXPECT_GT(sum.forgotten, 0U);
}

// Four lines of history, of which one is looked at every 2^15 walks: the pages of the first walks
// are forgotten when they are 2^18 old, those of a line that is still in use one by one.
TEST(Leu2Test, EveryVictimEqualsTheSlowModelWhenPagesAreForgotten) {
    Totals sum;
    std::vector<gmmu_walk> trace(440000);
    for (size_t i = 0; i < trace.size(); i++) {
        trace[i].vpn = i % 400000 < 40 ? i % 40 : i % 2;
        trace[i].ref = trace[i].vpn % 3;
    }
    Options o;
    o.config = "tiny";
    o.history = 4;
    compare(trace, o, 20, &sum);
    print("leu2, forgotten", sum);
    EXPECT_GT(sum.forgotten, 4U);
}

// With so many frames the last threshold, 32 times as many walks, is as long as time stamps allow.
TEST(Leu2Test, EveryVictimEqualsTheSlowModelWithThresholdsAtTheLimit) {
    Totals sum;
    std::vector<gmmu_walk> trace(270000);
    for (size_t i = 0; i < trace.size(); i++) {
        trace[i].vpn = i < 40 ? i : i % 2;
        trace[i].ref = trace[i].vpn % 3;
    }
    Options o;
    o.config = "tiny";
    compare(trace, o, 8192, &sum);
    print("leu2, long thresholds", sum);
    EXPECT_GT(sum.labels, 0U);
}

// Reuses so far off that LEU's knowledge of them counts as none: more than 16 times 32C.
TEST(Leu2Test, EveryVictimEqualsTheSlowModelWhenReusesAreFar) {
    Totals sum;
    std::vector<gmmu_walk> trace(8000);
    for (size_t i = 0; i < trace.size(); i++) {
        trace[i].vpn = i % 3000;
        trace[i].ref = i % 3;
    }
    for (const unsigned unknown : {0U, 1U}) {
        Options o;
        o.config = "tiny";
        o.unknown = unknown;
        o.samples = 0;
        compare(trace, o, 2, &sum);
    }
    print("leu2, far reuses", sum);
    EXPECT_GT(sum.victims, trace.size());
}

}  // namespace
