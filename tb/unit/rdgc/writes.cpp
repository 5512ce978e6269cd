// SPDX-License-Identifier: Apache-2.0
// writes.cpp: writes and bypassing.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "cache_log.h"
#include "rdgc/rdgc.h"

namespace {

// The write finds A with RD 0, evicts it and goes on.
TEST(Rdgc, AWriteHitEvicts) {
    const std::vector<std::string> lists = {"0A", "0A", "0a", "0A"};
    expect_steps(write_evict(), lists,
                 {"0.0 A miss inf  | 3", "+A  0.0 A hit 0  | 4", "0.0 A pass 0  | 4",
                  "0.0 A miss inf  | 3"});
    Log log(write_evict());
    std::string sent;
    for (const std::string &l : lists) sent += log.profile(l) + ";";
    EXPECT_EQ(sent, "A@0;;A@2;A@3;");
    EXPECT_EQ(log.reads(), (std::vector<uint64_t>{1, 0, 0, 0, 2}));
    EXPECT_EQ(log.writes(), (std::vector<uint64_t>{1, 0, 0, 0, 0}));
    EXPECT_EQ(log.counts().write_evictions, 1u);
    EXPECT_EQ(log.counts().evictions, 0u);
    EXPECT_EQ(log.counts().bypassed, 1u);
}

// A write that misses takes no MSHR and brings nothing in.
TEST(Rdgc, AWriteMissPasses) {
    expect_steps(write_evict(), {"0a", "0A"}, {"0.0 A pass inf  | 4", "0.0 A miss inf  | 3"});
    Log log(write_evict());
    log << "0a";
    EXPECT_EQ(log.writes(), (std::vector<uint64_t>{0, 0, 0, 0, 1}));
    EXPECT_EQ(log.counts().write_evictions, 0u);
}

// A write to a block on its way changes nothing: it comes.
TEST(Rdgc, AWriteToAnOutstandingBlock) {
    gmmu_rdgc_cache_config c = write_evict();
    c.latency = 2;
    expect_steps(c, {"0A", "0a", "0A"},
                 {"0.0 A miss inf  | 3", "0.0 A pass inf  | 3", "+A  0.0 A hit 0  | 4"});
}

// Write and read of A in one step: the read still hits, though it is behind; afterwards A has left.
TEST(Rdgc, AWriteEvictsAfterTheStep) {
    gmmu_rdgc_cache_config c = write_evict();
    c.ports = 2;
    expect_steps(
        c, {"0A", "0a 1A", "0A"},
        {"0.0 A miss inf  | 3", "+A  0.0 A pass 0  0.1 A hit 0  | 4", "0.0 A miss inf  | 3"});
    Log log(c);
    log << "0A"
        << "0a 1a";  // two writes hit, one block leaves
    EXPECT_EQ(log.writes(), (std::vector<uint64_t>{2, 0, 0, 0, 0}));
    EXPECT_EQ(log.counts().write_evictions, 1u);
}

// A block leaves from the middle of the stack C B A; A keeps its place behind C, and there is room
// again.
TEST(Rdgc, AWriteEvictsFromTheMiddle) {
    gmmu_rdgc_cache_config c = write_evict();
    c.ways = 3;
    expect_steps(sets(c, 1), {"0A", "0B", "0C", "0b", "0A", "0D", "0C"},
                 {"0.0 A miss inf  | 3", "+A  0.0 B miss inf  | 3", "+B  0.0 C miss inf  | 3",
                  "+C  0.0 B pass 1  | 4", "0.0 A hit 1  | 4", "0.0 D miss inf  | 3",
                  "+D  0.0 C hit 2  | 4"});
}

// All passes, a port each; no counter but `bypassed`.
TEST(Rdgc, Rwon) {
    gmmu_rdgc_cache_config c = small();
    c.bypass = GMMU_RDGC_RWON;
    c.ports = 2;
    expect_steps(
        c, {"0ABc", "0A"},
        {"0.0 A pass inf  0.1 B pass inf  | 4", "0.0 C pass inf  | 4", "0.0 A pass inf  | 4"});
    Log log(c);
    EXPECT_EQ(log.profile("0ABc"), "A@0 B@0 C@1");
    EXPECT_EQ(log.counts().bypassed, 3u);
    EXPECT_EQ(log.reads(), (std::vector<uint64_t>(5, 0)));
    EXPECT_EQ(log.writes(), (std::vector<uint64_t>(5, 0)));
    EXPECT_EQ(gmmu_rdgc_cache_access(log.cache, 0, true), GMMU_RDGC_PASSED);
    EXPECT_EQ(log.counts().bypassed, 4u);
}

// Without bypassing a write brings its block in, and hits; it merges as a read does.
TEST(Rdgc, Off) {
    gmmu_rdgc_cache_config c = small();
    c.merges = 1;
    c.latency = 2;
    expect_steps(
        c, {"0a", "0A", "0a", "0A"},
        {"0.0 A miss inf  | 3", "0.0 A join inf  | 3", "+A  0.0 A hit 0  | 4", "0.0 A hit 0  | 4"});
    Log log(c);
    EXPECT_EQ(log.profile("0a"), "A@0");
    log << "0A"
        << "0a"
        << "0A";
    EXPECT_EQ(log.reads(), (std::vector<uint64_t>{1, 0, 0, 0, 1}));
    EXPECT_EQ(log.writes(), (std::vector<uint64_t>{1, 0, 0, 0, 1}));
    EXPECT_EQ(log.counts().bypassed, 0u);
}

// A set of two: A has stack distance 2 when it is read again, which is K, not above K: it has left.
TEST(Rdgc, TheLastCounterHasRdFromK) {
    gmmu_rdgc_cache_config c = small();
    c.ways = 2;
    Log log(sets(c, 1));
    log << "0A"
        << "0B"
        << "0C"
        << "0A";
    EXPECT_EQ(log.reads(), (std::vector<uint64_t>{0, 0, 4}));
    EXPECT_EQ(log.counts().evictions, 1u);  // the last A has not come yet
}

}  // namespace
