// SPDX-License-Identifier: Apache-2.0
// ports.cpp: ports, banks and MSHRs that merge or are full, worked by hand.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "cache_log.h"
#include "rdgc/rdgc.h"

namespace {

// One access a step. A comes at the start of step 1.
TEST(Rdgc, OnePort) {
    expect_steps(small(), {"0AB"}, {"0.0 A miss inf  | 3", "+A  0.0 B miss inf  | 3"});
}

TEST(Rdgc, TwoPorts) {
    gmmu_rdgc_cache_config c = small();
    c.ports = 2;
    expect_steps(c, {"0AB"}, {"0.0 A miss inf  0.1 B miss inf  | 2"});
}

// A and C are of bank 0, B of bank 1: C waits for its bank's port.
TEST(Rdgc, TwoBanksOfOnePort) {
    gmmu_rdgc_cache_config c = small();
    c.banks = 2;
    expect_steps(sets(c, 1), {"0ABC"},
                 {"0.0 A miss inf  1.0 B miss inf  | 2", "+A  +B  0.0 C miss inf  | 3"});
}

// Warp 0 before warp 1 at the port.
TEST(Rdgc, LowerWarpsFirstAtThePort) {
    expect_steps(small(), {"0B 1A"}, {"0.0 B miss inf  | 3", "+B  0.0 A miss inf  | 3"});
}

// One MSHR. Warp 0's B is of bank 1, warp 1's A of bank 0: the warp counts before the bank.
TEST(Rdgc, LowerWarpsFirstAtTheMshr) {
    gmmu_rdgc_cache_config c = small();
    c.banks = 2;
    c.mshrs = 1;
    expect_steps(sets(c, 1), {"0B 1A"},
                 {"1.0 B miss inf  0.0 A fail inf  | 0", "+B  0.0 A miss inf  | 0"});
}

// In one warp the bank counts before the place in the list (Table 3).
TEST(Rdgc, LowerBanksFirstInAWarp) {
    gmmu_rdgc_cache_config c = small();
    c.banks = 2;
    c.mshrs = 1;
    expect_steps(sets(c, 1), {"0BA"},
                 {"0.0 A miss inf  1.0 B fail inf  | 0", "+A  1.0 B miss inf  | 0"});
}

// The second access to A joins the first's MSHR: both are misses, one goes on.
TEST(Rdgc, Merge) {
    gmmu_rdgc_cache_config c = small();
    c.ports = 2;
    c.merges = 8;
    expect_steps(c, {"0A 1A"}, {"0.0 A miss inf  0.1 A join inf  | 3"});
    Log log(c);
    EXPECT_EQ(log.profile("0A 1A"), "A@0");
    EXPECT_EQ(log.reads(), (std::vector<uint64_t>{0, 0, 0, 0, 2}));
}

// One merge an MSHR: the third access fails though MSHRs are free, and hits when A is there.
TEST(Rdgc, MergeLimit) {
    gmmu_rdgc_cache_config c = small();
    c.ports = 3;
    c.merges = 1;
    expect_steps(c, {"0A 1A 2A"},
                 {"0.0 A miss inf  0.1 A join inf  0.2 A fail inf  | 3", "+A  0.0 A hit 0  | 4"});
}

TEST(Rdgc, NoMerges) {
    gmmu_rdgc_cache_config c = small();
    c.ports = 2;
    expect_steps(c, {"0A 1A"}, {"0.0 A miss inf  0.1 A fail inf  | 3", "+A  0.0 A hit 0  | 4"});
}

// One MSHR: B fails, and gets it as soon as A comes.
TEST(Rdgc, MshrFull) {
    gmmu_rdgc_cache_config c = small();
    c.ports = 2;
    c.mshrs = 1;
    expect_steps(c, {"0AB"}, {"0.0 A miss inf  0.1 B fail inf  | 0", "+A  0.0 B miss inf  | 0"});
    Log log(c);
    EXPECT_EQ(log.profile("0AB"), "A@0 B@1");
}

// Latency 3: asked for in step 0, there at the start of step 3. B fails in every step until then.
TEST(Rdgc, MshrFullForLong) {
    gmmu_rdgc_cache_config c = small();
    c.ports = 2;
    c.mshrs = 1;
    c.latency = 3;
    expect_steps(c, {"0AB"},
                 {"0.0 A miss inf  0.1 B fail inf  | 0", "0.0 B fail inf  | 0",
                  "0.0 B fail inf  | 0", "+A  0.0 B miss inf  | 0"});
    c.arrival = GMMU_RDGC_END;  // at the end of step 3
    expect_steps(c, {"0AB"},
                 {"0.0 A miss inf  0.1 B fail inf  | 0", "0.0 B fail inf  | 0",
                  "0.0 B fail inf  | 0", "0.0 B fail inf  +A  | 0", "0.0 B miss inf  | 0"});
}

}  // namespace
