// SPDX-License-Identifier: Apache-2.0
// properties.cpp: what holds of leu2 by itself: limits, seeds, options.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compare.h"
#include "gmmu/trace.h"
#include "policy/policy.h"
#include "policy/registry.h"
#include "policy/replay.h"
#include "random_trace.h"
#include "slow_leu2.h"

namespace {

// Pages that never come back, of one instruction, for long: weights go to their limit and stay.
TEST(Leu2Test, WeightsStayWithinTenBits) {
    std::vector<gmmu_walk> trace(60000);
    for (size_t i = 0; i < trace.size(); i++) {
        trace[i].vpn = i % 2 == 0 ? i : (i / 2) % 7;
        trace[i].ref = i % 2;
    }
    Options o;
    o.config = "tiny";
    o.table = 2;
    o.samples = 16;
    o.ring = 2048;
    Fast fast("leu2", o.text(), 16);
    uint64_t most = 0;
    for (size_t i = 0; i < trace.size(); i++) {
        (void)fast.walk(trace[i]);
        if (i % 1000 == 0) {
            most = std::max(most, fast.noted("heaviest"));
            ASSERT_LE(most, 511U);
        }
    }
    EXPECT_GT(most, 256U);  // they do grow
}

TEST(Leu2Test, WithoutSamplesAndUnknownItIsLeu) {
    RandomTrace random(test_seed() + 3);
    for (int i = 0; i < 20; i++) {
        const uint64_t pages = 2 + random.below(300);
        const auto trace = random.make(at_length() ? 3000 : 1500, pages);
        const auto frames = static_cast<uint32_t>(1 + random.below(pages));
        EXPECT_EQ(victims(trace, "leu2", "samples=0:unknown=0", frames),
                  victims(trace, "leu", "search=sample", frames));
    }
}

TEST(Leu2Test, TheSeedAloneDecides) {
    RandomTrace random(test_seed() + 4);
    unsigned different = 0;
    for (int i = 0; i < 4; i++) {
        const auto trace = random.make(3000, 200);
        const auto once = victims(trace, "leu2", "seed=7", 90);
        EXPECT_EQ(once, victims(trace, "leu2", "seed=7", 90));
        different += once != victims(trace, "leu2", "seed=8", 90) ? 1 : 0;
    }
    EXPECT_GT(different, 0U);
}

TEST(Leu2Test, OneFrameHoldsTheLastPage) {
    RandomTrace random(test_seed() + 5);
    const auto trace = random.make(500, 9);
    Fast fast("leu2", "", 1);
    for (size_t i = 0; i < trace.size(); i++) {
        std::optional<Page> expected;
        if (i > 0 &&
            Page{trace[i - 1].asid, trace[i - 1].vpn} != Page{trace[i].asid, trace[i].vpn}) {
            expected = Page{trace[i - 1].asid, trace[i - 1].vpn};
        }
        EXPECT_EQ(fast.walk(trace[i]), expected);
    }
}

TEST(Leu2Test, BadOptionsAreRefused) {
    for (const char *bad : {"k=0",
                            "pool=0",
                            "samples=65",
                            "ring=0",
                            "table=1000",
                            "table=1",
                            "history=3",
                            "history=2",
                            "unknown=2",
                            "seed=0",
                            "seed=-1",
                            "seed=x",
                            "seed=",
                            "config=huge",
                            "colour=red",
                            "k",
                            "sample=9",
                            "refresh=21",
                            "config=tiny:history=1048576",
                            "seed=99999999999999"}) {
        gmmu_pages *pages = gmmu_pages_create();
        const gmmu_policy_config config = {.frames = 8, .pages = pages, .options = bad, .seed = 1};
        gmmu_error err = {};
        gmmu_sim *sim = gmmu_sim_create(gmmu_policy_find("leu2", 4), &config, &err);
        EXPECT_EQ(sim, nullptr) << bad;
        EXPECT_EQ(std::string(err.text).substr(0, 5), "leu2:") << bad;
        gmmu_sim_destroy(sim);
        gmmu_pages_destroy(pages);
    }
}

}  // namespace
