// SPDX-License-Identifier: Apache-2.0
// steps.cpp: what the accesses of a step see of each other and of fills, worked by hand.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "cache_log.h"
#include "rdgc/rdgc.h"

namespace {

// Two accesses fail in each step that is like the one before.
TEST(Rdgc, MshrFullForTwo) {
    gmmu_rdgc_cache_config c = small();
    c.ports = 2;
    c.mshrs = 1;
    c.latency = 3;
    expect_steps(c, {"0ABC"},
                 {"0.0 A miss inf  0.1 B fail inf  | 0", "0.0 B fail inf  0.1 C fail inf  | 0",
                  "0.0 B fail inf  0.1 C fail inf  | 0", "+A  0.0 B miss inf  0.1 C fail inf  | 0",
                  "0.0 C fail inf  | 0", "0.0 C fail inf  | 0", "+B  0.0 C miss inf  | 0"});
}

// Next to no latency: END with 1 as the text has it. A comes at the end of step 1.
TEST(Rdgc, ArrivalAtTheEnd) {
    gmmu_rdgc_cache_config c = small();
    c.arrival = GMMU_RDGC_END;
    c.merges = 8;
    expect_steps(c, {"0A", "0A", "0A"},
                 {"0.0 A miss inf  | 3", "0.0 A join inf  +A  | 3", "0.0 A hit 0  | 4"});
}

// The list behind does not wait for the blocks of the one before.
TEST(Rdgc, ListsOverlap) {
    gmmu_rdgc_cache_config c = small();
    c.merges = 8;
    c.latency = 3;
    expect_steps(c, {"0A", "0A", "0B", "0A"},
                 {"0.0 A miss inf  | 3", "0.0 A join inf  | 3", "0.0 B miss inf  | 2",
                  "+A  0.0 A hit 0  | 3"});
}

// One MSHR, one port, latency 2. C is on its way in step 1, so A fails; A gets C's MSHR in step 2.
// In step 3 B fails at the only port, behind which C waits, which would hit; in step 5 it does,
// behind A.
TEST(Rdgc, AFailKeepsItsPort) {
    gmmu_rdgc_cache_config c = small();
    c.mshrs = 1;
    c.latency = 2;
    expect_steps(c, {"0C", "0AB 1C"},
                 {"0.0 C miss inf  | 0", "0.0 A fail inf  | 0", "+C  0.0 A miss inf  | 0",
                  "0.0 B fail inf  | 0", "+A  0.0 B miss inf  | 0", "0.0 C hit 1  | 0"});
}

// Of the other bank accesses pass the one that fails. B is there from step 2 on.
TEST(Rdgc, AFailLeavesOtherBanksAlone) {
    gmmu_rdgc_cache_config c = small();
    c.banks = 2;
    c.mshrs = 1;
    c.latency = 2;
    expect_steps(sets(c, 1), {"0B", "0B", "0AC 1B 2B"},
                 {"1.0 B miss inf  | 0", "1.0 B fail inf  | 0", "+B  1.0 B hit 0  | 1",
                  "0.0 A miss inf  1.0 B hit 0  | 0", "0.0 C fail inf  1.0 B hit 0  | 0",
                  "+A  0.0 C miss inf  | 0"});
}

// Two partitions with an MSHR set each, of one MSHR: A and B do not disturb each other. With one
// set B fails.
TEST(Rdgc, MshrSets) {
    gmmu_rdgc_cache_config c = small();
    c.partitions = 2;
    c.mshr_sets = 2;
    c.mshrs = 1;
    c = sets(c, 1);
    expect_steps(c, {"0AB"}, {"0.0 A miss inf  1.0 B miss inf  | 0"});
    c.mshr_sets = 1;
    expect_steps(c, {"0AB"}, {"0.0 A miss inf  1.0 B fail inf  | 0", "+A  1.0 B miss inf  | 0"});
}

// A and B are there. Both accesses to A see the set as it was before the step: RD 1 twice (R10).
TEST(Rdgc, AccessesOfAStepSeeOneState) {
    gmmu_rdgc_cache_config c = small();
    c.ports = 2;
    expect_steps(c, {"0AB", "0A 1A"},
                 {"0.0 A miss inf  0.1 B miss inf  | 2", "+A  +B  0.0 A hit 1  0.1 A hit 1  | 4"});
}

// The stack is B A. Both hit, A with 1 and B with 0; then A goes to the front, then B: B A again,
// so that A has RD 1 once more.
TEST(Rdgc, HitsChangeTheSetInOrder) {
    gmmu_rdgc_cache_config c = small();
    c.ports = 2;
    expect_steps(c, {"0AB", "0A 1B", "0A"},
                 {"0.0 A miss inf  0.1 B miss inf  | 2", "+A  +B  0.0 A hit 1  0.1 B hit 0  | 4",
                  "0.0 A hit 1  | 4"});
}

// Stack C B A: the hits of A and B (positions 2 and 1) each move a block that the other's move has
// moved.
TEST(Rdgc, HitsOfAStepMoveEachOther) {
    gmmu_rdgc_cache_config c = small();
    c.ports = 3;
    expect_steps(c, {"0ABC", "0A 1B", "0CAB"},
                 {"0.0 A miss inf  0.1 B miss inf  0.2 C miss inf  | 1",
                  "+A  +B  +C  0.0 A hit 2  0.1 B hit 1  | 4",  // then A C B, then B A C
                  "0.0 C hit 2  0.1 A hit 1  0.2 B hit 0  | 4"});
}

// Blocks that come in one step come in the order in which they were asked for: A is last in the
// stack.
TEST(Rdgc, FillsInOrderOfInsertion) {
    gmmu_rdgc_cache_config c = small();
    c.ports = 2;
    expect_steps(c, {"0AB", "0BA"},
                 {"0.0 A miss inf  0.1 B miss inf  | 2", "+A  +B  0.0 B hit 0  0.1 A hit 1  | 4"});
}

TEST(Rdgc, AnEmptyListTakesNoStep) {
    Log log(small());
    EXPECT_EQ(log.profile(""), "");
    EXPECT_EQ(gmmu_rdgc_cache_step(log.cache), 0u);
    EXPECT_EQ(log.counts().steps, 0u);
}

// Drained, A is there without a step, and its MSHR is free; flushed, it is not there, nor
// outstanding.
TEST(Rdgc, DrainAndFlush) {
    gmmu_rdgc_cache_config c = small();
    c.latency = 100;
    Log log(c);
    log << "0A";
    gmmu_rdgc_cache_drain(log.cache);
    EXPECT_EQ(gmmu_rdgc_cache_step(log.cache), 1u);
    log << "0A"
        << "0B";
    gmmu_rdgc_cache_flush(log.cache);
    log << "0B"
        << "0A";
    EXPECT_EQ(log.steps,
              (Steps{"0.0 A miss inf  | 3", "+A  0.0 A hit 0  | 4", "0.0 B miss inf  | 3",
                     "0.0 B miss inf  | 3", "0.0 A miss inf  | 2"}));
    gmmu_rdgc_cache_clear_counts(log.cache);
    EXPECT_EQ(log.reads(), (std::vector<uint64_t>(5, 0)));
    EXPECT_EQ(log.counts().steps + log.counts().fills + log.counts().rf, 0u);
    EXPECT_EQ(log.counts().ways, 4u);
}

}  // namespace
