// SPDX-License-Identifier: Apache-2.0
// latency.cpp: latency.
#include <gtest/gtest.h>

#include <cstdint>

#include "cache_log.h"
#include "rdgc/rdgc.h"

namespace {

// Steps pass with writes to Z, which go by.
gmmu_rdgc_cache_config adaptive(uint32_t k1, uint32_t k2) {
    gmmu_rdgc_cache_config c = write_evict();
    c.ports = 4;
    c.ways = 8;
    c.adaptive = true;
    c.k1 = k1;
    c.k2 = k2;
    return sets(c, 1);
}

// K1 = 1, K2 = 0.5: the first of four misses has latency 1.5 -> 2, then 2, 2.5 -> 3, 3.
TEST(Rdgc, AdaptiveLatency) {
    expect_steps(
        adaptive(1000, 500), {"0ABCD", "0z", "0z", "0z"},
        {"0.0 A miss inf  0.1 B miss inf  0.2 C miss inf  0.3 D miss inf  | 0",
         "0.0 Z pass inf  | 0", "+A  +B  0.0 Z pass inf  | 2", "+C  +D  0.0 Z pass inf  | 4"});
}

// The same with 3 active SMs and L2P = 2: 1.75 -> 2, 2.5 -> 3, 3.25 -> 3, 4.
TEST(Rdgc, AdaptiveLatencyScaled) {
    Log log(adaptive(1000, 500));
    gmmu_rdgc_cache_scale(log.cache, 3, 2);
    log << "0ABCD"
        << "0z"
        << "0z"
        << "0z"
        << "0z";
    EXPECT_EQ(log.steps,
              (Steps{"0.0 A miss inf  0.1 B miss inf  0.2 C miss inf  0.3 D miss inf  | 0",
                     "0.0 Z pass inf  | 0", "+A  0.0 Z pass inf  | 1",
                     "+B  +C  0.0 Z pass inf  | 3", "+D  0.0 Z pass inf  | 4"}));
}

// At least one step.
TEST(Rdgc, AdaptiveLatencyOfNothing) {
    gmmu_rdgc_cache_config c = adaptive(0, 0);
    expect_steps(c, {"0A", "0A"}, {"0.0 A miss inf  | 3", "+A  0.0 A hit 0  | 4"});
    c.arrival = GMMU_RDGC_END;
    c.merges = 1;
    expect_steps(c, {"0A", "0A"}, {"0.0 A miss inf  | 3", "0.0 A join inf  +A  | 3"});
}

// Two MSHR sets, K1 = 0, K2 = 2: A, C, E of partition 0 have latency 2, 4, 6; B of partition 1,
// asked for last, has 2 and comes before C and E. In step 3 D (partition 1) has 2 and is due at 5,
// before E.
TEST(Rdgc, ALaterMissMayComeFirst) {
    gmmu_rdgc_cache_config c = adaptive(0, 2000);
    c.partitions = c.mshr_sets = 2;
    expect_steps(sets(c, 1), {"0ACEB", "0z", "0z", "0D", "0z", "0z", "0z"},
                 {"0.0 A miss inf  0.1 C miss inf  0.2 E miss inf  1.0 B miss inf  | 4",
                  "1.0 Z pass inf  | 4", "+A  +B  1.0 Z pass inf  | 6", "1.0 D miss inf  | 5",
                  "+C  1.0 Z pass inf  | 6", "+D  1.0 Z pass inf  | 7", "+E  1.0 Z pass inf  | 8"});
}

// C, asked for in step 0 with latency 4, and B, asked for in step 2 with latency 2, come in one
// step: in the order in which they were asked for.
TEST(Rdgc, FillsOfOneStepKeepTheirOrder) {
    gmmu_rdgc_cache_config c = adaptive(0, 2000);
    c.partitions = c.mshr_sets = 2;
    expect_steps(sets(c, 1), {"0AC", "0z", "0B", "0z", "0z"},
                 {"0.0 A miss inf  0.1 C miss inf  | 6", "1.0 Z pass inf  | 6",
                  "+A  1.0 B miss inf  | 6", "1.0 Z pass inf  | 6", "+C  +B  1.0 Z pass inf  | 8"});
}

// Drained, what came out of order comes in the order of insertion.
TEST(Rdgc, DrainKeepsTheOrderOfInsertion) {
    gmmu_rdgc_cache_config c = adaptive(0, 2000);
    c.partitions = c.mshr_sets = 2;
    Log log(sets(c, 1));
    log << "0ACEB";
    gmmu_rdgc_cache_drain(log.cache);
    log << "0z";
    EXPECT_EQ(log.steps[1], "+A  +C  +E  +B  1.0 Z pass inf  | 8");
}

}  // namespace
