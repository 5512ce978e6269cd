// SPDX-License-Identifier: Apache-2.0
// second_level.cpp: lists of L2, sizes of blocks, what stays between grids.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cache_log.h"
#include "logical.h"
#include "physical.h"
#include "rdgc/rdgc.h"

namespace {

// Two SMs, a block of one thread each. AN 0: both read, L2 sees both in one list, by SM. AN 1: both
// read the same again, join or hit: no list. AN 2: SM 1 writes alone. AN 3: SM 0 and, a step
// earlier, SM 1.
TEST(Rdgc, ListsOfL2) {
    const Trace t = new_trace();
    ASSERT_EQ(read_text(t.get(),
                        "# gmmu-rdgc 1 blocks=2 threads=1\n"
                        "0,1,0,r,0\n0,0,0,r,640\n"
                        "1,1,0,r,4\n1,0,0,r,644\n"
                        "2,1,0,w,8\n2,0,0,r,640\n"
                        "3,0,0,w,640\n3,1,0,r,1280\n4,1,0,r,1280\n"),
              "");
    gmmu_rdgc_config c = machine();
    c.sms = 2;
    Model m(c);
    m.run(t.get());
    EXPECT_EQ(m.lists, (std::vector<std::string>{"0:5 1:0", "1:0w", "0:5w 1:10"}));
    // L1, latency 1: C1R of SM 0: miss, hit, hit; of SM 1: miss, hit; miss, hit. Both writes hit.
    EXPECT_EQ(gmmu_rdgc_l1_reads(&m.result()).hits, 4u);
    EXPECT_EQ(gmmu_rdgc_l1_reads(&m.result()).accesses, 7u);
    EXPECT_EQ(m.result().l1.w[0], 2u);
    EXPECT_EQ(m.result().l1.write_evictions, 2u);
    EXPECT_EQ(m.result().l1.steps, 9u);
    EXPECT_EQ(m.result().l1_steps_longest, 5u);
    // L2: 5, 0 miss; 0 written: hit; 5 written: hit; 10 miss. Blocks 0, 5, 10: partitions 0, 1, 2.
    EXPECT_EQ(gmmu_rdgc_l2_all(&m.result()).hits, 2u);
    EXPECT_EQ(gmmu_rdgc_l2_all(&m.result()).accesses, 5u);
    EXPECT_EQ(m.result().l2.steps, 3u);
    EXPECT_EQ(gmmu_rdgc_cache_counts(gmmu_rdgc_l2(m.m))->steps, 3u);
    // L1 bypassed: all nine go to L2, step by step.
    gmmu_rdgc_metrics x;
    gmmu_error err{};
    ASSERT_EQ(gmmu_rdgc_measure(&c, t.get(), 0, 1, &x, &err), GMMU_OK);
    EXPECT_EQ(x.l1_r.hits, 4u);
    EXPECT_EQ(x.l1_r.accesses, 7u);
    EXPECT_EQ(x.l2.hits, 2u);
    EXPECT_EQ(x.l2.accesses, 5u);
    EXPECT_EQ(x.l2_l1b.hits, 6u);
    EXPECT_EQ(x.l2_l1b.accesses, 9u);
}

// L1 blocks of 128 bytes over L2 blocks of 32: a miss fetches all four, a write sends what it
// touches. L1 blocks of 32 over L2 blocks of 128: each L1 miss is one transaction.
TEST(Rdgc, BlockSizes) {
    const std::string text =
        "# gmmu-rdgc 1 blocks=1 threads=3\n"
        "0,0,0,r,260\n"
        "1,0,0,w,128\n1,0,1,w,200\n1,0,2,w,0\n";
    const Trace t = new_trace();
    ASSERT_EQ(read_text(t.get(), text), "");
    gmmu_rdgc_config c = machine();
    c.l2.block = 32;
    Model large(c);
    large.run(t.get());
    EXPECT_EQ(large.lists, (std::vector<std::string>{"0:8 0:9 0:10 0:11", "0:4w 0:6w 0:0w"}));
    EXPECT_EQ(large.result().coalesced, 3u);
    // with writes that allocate all is fetched
    c.l1.bypass = GMMU_RDGC_OFF;
    Model off(c);
    off.run(t.get());
    EXPECT_EQ(off.lists, (std::vector<std::string>{"0:8 0:9 0:10 0:11",
                                                   "0:4w 0:5w 0:6w 0:7w 0:0w 0:1w 0:2w 0:3w"}));
    // L1 disabled: in L2's blocks, two ports
    c.l1.bypass = GMMU_RDGC_RWON;
    Model disabled(c);
    disabled.run(t.get());
    EXPECT_EQ(disabled.lists, (std::vector<std::string>{"0:8", "0:4w 0:6w", "0:0w"}));
    c = machine();
    c.l1.block = 32;
    c.l1.capacity = 4096;
    Model small_blocks(c);
    small_blocks.run(t.get());
    EXPECT_EQ(small_blocks.lists, (std::vector<std::string>{"0:2", "0:1w 0:1w", "0:0w"}));
    // lanes a sector apart: of the block at 128 sectors 0 to 2 are written
    const Trace row = new_trace();
    ASSERT_EQ(
        read_text(row.get(),
                  "# gmmu-rdgc 1 blocks=1 threads=3\n0,0,0,w,128\n0,0,1,w,160\n0,0,2,w,192\n"),
        "");
    c = machine();
    c.l2.block = 32;
    Model of_row(c);
    of_row.run(row.get());
    EXPECT_EQ(of_row.lists, (std::vector<std::string>{"0:4w 0:5w 0:6w"}));
    // the most sectors
    c = machine();
    c.l1.block = 1024;
    c.l1.capacity = 32 << 10;
    c.l2.block = 32;
    Model sectors(c);
    sectors.run(t.get());
    ASSERT_EQ(sectors.lists.size(), 2u);
    EXPECT_EQ(sectors.lists[0].substr(sectors.lists[0].size() - 10), " 0:30 0:31");
    EXPECT_EQ(sectors.lists[1], "0:0w 0:4w 0:6w");
}

// The same grid twice. L1 is emptied in between unless kept, L2 kept unless emptied. What is
// outstanding at the end of the first has come (latency 50).
TEST(Rdgc, BetweenGrids) {
    const Trace t = new_trace();
    const std::string grid = "# gmmu-rdgc 1 blocks=1 threads=1\n0,0,0,r,0\n";
    ASSERT_EQ(read_text(t.get(), grid + grid), "");
    for (const bool keep_l1 : {false, true})
        for (const bool keep_l2 : {false, true}) {
            gmmu_rdgc_config c = machine();
            c.l1.latency = c.l2.latency = 50;
            c.keep_l1 = keep_l1;
            c.keep_l2 = keep_l2;
            Model m(c);
            m.run(t.get());
            EXPECT_EQ(gmmu_rdgc_l1_reads(&m.result()).hits, keep_l1 ? 1u : 0u);
            EXPECT_EQ(gmmu_rdgc_l2_all(&m.result()).accesses, keep_l1 ? 1u : 2u);
            EXPECT_EQ(gmmu_rdgc_l2_all(&m.result()).hits, !keep_l1 && keep_l2 ? 1u : 0u);
            EXPECT_EQ(m.result().grids, 2u);
            EXPECT_EQ(m.result().l1_steps_longest, 2u);
        }
}

// K1 = 0, K2 = 8, L2P = 8: the latency is busy times active SMs. With one active SM the second read
// hits, with two it joins, and the third hits.
TEST(Rdgc, LatencyByActiveSms) {
    for (const unsigned blocks : {1, 2}) {
        const Trace t = new_trace();
        std::string text = "# gmmu-rdgc 1 blocks=" + std::to_string(blocks) + " threads=1\n";
        for (unsigned b = 0; b < blocks; b++)
            for (unsigned i = 0; i < 3; i++)
                text += std::to_string(i) + "," + std::to_string(b) + ",0,r,0\n";
        ASSERT_EQ(read_text(t.get(), text), "");
        gmmu_rdgc_config c = machine();
        c.sms = 4;
        c.l1.adaptive = true;
        c.l1.k1 = 0;
        c.l1.k2 = 8000;
        Model m(c);
        m.run(t.get());
        EXPECT_EQ(m.result().l1.merges, blocks == 1 ? 0u : 2u);
        EXPECT_EQ(gmmu_rdgc_l1_reads(&m.result()).hits, 2u);
    }
}

}  // namespace
