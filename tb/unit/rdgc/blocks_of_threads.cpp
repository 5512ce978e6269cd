// SPDX-License-Identifier: Apache-2.0
// blocks_of_threads.cpp: where blocks of threads run, and the order of their accesses.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "logical.h"
#include "physical.h"
#include "rdgc/rdgc.h"

namespace {

// Algorithm 3.
TEST(Rdgc, ConcurrentBlocks) {
    gmmu_rdgc_config c = gmmu_rdgc_defaults();
    const auto found = [&](uint32_t max_blocks, uint32_t max_warps, uint32_t warps, uint32_t bsm) {
        c.max_blocks = max_blocks;
        c.max_warps = max_warps;
        uint32_t cb = 99, nitr = 99;
        gmmu_rdgc_concurrent_blocks(&c, warps, bsm, &cb, &nitr);
        return std::vector<uint32_t>{cb, nitr};
    };
    using V = std::vector<uint32_t>;
    EXPECT_EQ(found(32, 64, 8, 5), (V{5, 1}));    // all: 40 warps
    EXPECT_EQ(found(32, 64, 8, 10), (V{8, 2}));   // 80 warps are too many: 64 / 8
    EXPECT_EQ(found(32, 64, 1, 40), (V{32, 2}));  // blocks are the limit
    EXPECT_EQ(found(16, 64, 4, 17), (V{16, 2}));  // both at once: 16 x 4 = 64
    EXPECT_EQ(found(16, 63, 4, 17), (V{15, 2}));  // 63 / 4 = 15
    EXPECT_EQ(found(32, 64, 100, 3), (V{1, 3}));  // R14: not 0
    EXPECT_EQ(found(32, 64, 8, 0), (V{0, 0}));
    EXPECT_EQ(found(65536, 65536, 32, 2147483647), (V{2048, 1048576}));
}

TEST(Rdgc, MappingOfBlocks) {
    gmmu_rdgc_config c = gmmu_rdgc_defaults();
    const auto found = [&](gmmu_rdgc_mapping mapping, uint32_t sms, uint32_t blocks,
                           uint64_t number) {
        c.mapping = mapping;
        c.sms = sms;
        std::vector<uint32_t> sm(blocks);
        gmmu_rdgc_map_blocks(&c, number, blocks, sm.data());
        std::string s;
        for (const uint32_t x : sm) s += std::to_string(x);
        return s;
    };
    EXPECT_EQ(found(GMMU_RDGC_RR, 3, 7, 0), "0120120");
    EXPECT_EQ(found(GMMU_RDGC_BPART1, 2, 13, 0), "0000111100001");
    EXPECT_EQ(found(GMMU_RDGC_BPART2, 2, 18, 0), "000000001111111100");
    c.seed = 0;
    EXPECT_EQ(found(GMMU_RDGC_RAND, 4, 4, 0), "3103");  // as in Random above
    EXPECT_EQ(found(GMMU_RDGC_RAND, 4, 40, 1).find(found(GMMU_RDGC_RAND, 4, 40, 0)),
              std::string::npos);
    c.seed = UINT64_C(1) << 32;
    const std::string one = found(GMMU_RDGC_RAND, 4, 40, 0);
    c.seed = 0;
    EXPECT_EQ(found(GMMU_RDGC_RAND, 4, 40, 1), one);
}

// Two blocks of 96 threads, ANs 0 and 1, two schedulers: AN outermost, then the block, then pairs
// of warps: a step for {w0, w1}, one for {w2}. Each warp reads a block of its own, (AN · 2 + BID) ·
// 3 + WID.
std::string pairs_text() {
    std::string text = "# gmmu-rdgc 1 blocks=2 threads=96\n";
    for (unsigned block = 0; block < 2; block++)
        for (unsigned number = 0; number < 2; number++)
            for (unsigned thread = 0; thread < 96; thread++)
                text += std::to_string(number) + "," + std::to_string(block) + "," +
                        std::to_string(thread) + ",r," +
                        std::to_string(((number * 2 + block) * 3 + thread / 32) * 128 +
                                       thread % 32 * 4) +
                        "\n";
    return text;
}

std::string order_of(const Model &m) {
    std::string s;
    for (const Model::Seen &x : m.seen)
        s += std::to_string(x.step) + ":" + std::to_string(x.block) + " ";
    return s;
}

TEST(Rdgc, OrderOfLists) {
    const Trace t = new_trace();
    ASSERT_EQ(read_text(t.get(), pairs_text()), "");
    Model m(machine());
    m.run(t.get());
    EXPECT_EQ(order_of(m), "0:0 0:1 1:2 2:3 2:4 3:5 4:6 4:7 5:8 6:9 6:10 7:11 ");
    EXPECT_EQ(m.result().instructions, 12u);
    EXPECT_EQ(m.result().coalesced, 12u);
    EXPECT_EQ(m.result().l1.steps, 8u);
    EXPECT_EQ(m.result().l1_steps_longest, 8u);
    // One block at a time (MAXCB = 1, or six warps at most being four): block 0 to its end, then
    // block 1.
    for (const bool blocks : {true, false}) {
        gmmu_rdgc_config c = machine();
        (blocks ? c.max_blocks : c.max_warps) = blocks ? 1 : 5;
        Model one(c);
        one.run(t.get());
        EXPECT_EQ(order_of(one), "0:0 0:1 1:2 2:6 2:7 3:8 4:3 4:4 5:5 6:9 6:10 7:11 ");
    }
    // One scheduler: a warp a list; three: a block's all.
    gmmu_rdgc_config c = machine();
    c.schedulers = 1;
    Model single(c);
    single.run(t.get());
    EXPECT_EQ(order_of(single), "0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7 8:8 9:9 10:10 11:11 ");
    c.schedulers = 3;
    c.l1.ports = 3;
    Model three(c);
    three.run(t.get());
    EXPECT_EQ(order_of(three), "0:0 0:1 0:2 1:3 1:4 1:5 2:6 2:7 2:8 3:9 3:10 3:11 ");
}

// ANs with gaps: block 0 has 0 and 7, block 1 has 4000000000 only. A warp's read goes before its
// write, in one list.
TEST(Rdgc, GapsInAccessNumbers) {
    const Trace t = new_trace();
    ASSERT_EQ(read_text(t.get(),
                        "# gmmu-rdgc 1 blocks=3 threads=1\n"
                        "0,0,0,r,0\n7,0,0,w,256\n7,0,0,r,128\n4000000000,1,0,r,384\n"),
              "");
    Model m(machine());
    m.run(t.get());
    EXPECT_EQ(order_of(m), "0:0 1:1 1:2 2:3 ");
    EXPECT_FALSE(m.seen[1].write);
    EXPECT_TRUE(m.seen[2].write);
    EXPECT_EQ(m.lists, (std::vector<std::string>{"0:0", "0:1 0:2w", "0:3"}));
    // and an iteration without any access: block 2 alone
    gmmu_rdgc_config c = machine();
    c.max_blocks = 1;
    Model alone(c);
    alone.run(t.get());
    EXPECT_EQ(order_of(alone), "0:0 1:1 1:2 2:3 ");
}

}  // namespace
