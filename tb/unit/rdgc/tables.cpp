// SPDX-License-Identifier: Apache-2.0
// tables.cpp: the paper's Tables 1 and 3.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "cache_log.h"
#include "rdgc/rdgc.h"

namespace {

// Table 1: A B C D A A D C has RD inf inf inf inf 3 0 1 2; 50 % hits with four blocks, 25 % with
// two, the latter from the counters of four (an LRU cache's stack holds all smaller ones) and from
// a cache of two.
TEST(Rdgc, Table1) {
    const uint64_t sequence[] = {0, 1, 2, 3, 0, 0, 3, 2};
    const std::vector<uint32_t> rd = {4, 4, 4, 4, 3, 0, 1, 2};
    Log timed(small());
    for (const uint64_t block : sequence) timed.profile(std::vector<Access>{{0, block}});
    std::vector<uint32_t> found;
    for (const Log::Event &e : timed.events) found.push_back(e.at.rd);
    EXPECT_EQ(found, rd);
    EXPECT_EQ(timed.reads(), (std::vector<uint64_t>{1, 1, 1, 1, 4}));
    EXPECT_EQ(100 * (1 + 1 + 1 + 1) / 8, 50);
    EXPECT_EQ(100 * (timed.counts().r[0] + timed.counts().r[1]) / 8, 25u);

    gmmu_rdgc_cache_config two = small();
    two.ways = 2;
    Log smaller(sets(two, 1));
    unsigned hits = 0;
    for (const uint64_t block : sequence)
        hits += gmmu_rdgc_cache_access(smaller.cache, block, false) == GMMU_RDGC_HIT;
    EXPECT_EQ(100 * hits / 8, 25u);
    EXPECT_EQ(smaller.reads(), (std::vector<uint64_t>{1, 1, 6}));
}

// Table 3: two banks of two ports share two MSHRs; A C E G lie in bank 0, B D F H in bank 1.
gmmu_rdgc_cache_config table3() {
    gmmu_rdgc_cache_config c = small();
    c.banks = 2;
    c.ports = 2;
    c.mshrs = 2;
    return sets(c, 1);
}
const std::vector<std::string> table3_lists = {"0ABCD 1EFGH",
                                               "2AD"};  // two schedulers, three warps

// The table as it is printed, cell by cell.
TEST(Rdgc, Table3AsPrinted) {
    Log log(table3());
    for (const std::string &l : table3_lists) log << l;
    ASSERT_EQ(log.steps.size(), 5u);

    using Row = std::vector<std::string>;
    const Row empty(5, "-");
    std::vector<Row> block(4, empty), rd(4, empty), status(4, empty),
        update(2, empty);  // [2 * bank + port]
    Row free_mshrs;
    static const char *const names[] = {"h", "m", "m", "rf", "p"};
    for (const Log::Event &e : log.events) {
        const size_t row = 2 * e.at.bank + e.at.port;
        block[row][e.step] = name_of(e.block);
        status[row][e.step] = names[e.at.status];
        if (e.at.status != GMMU_RDGC_FAILED)
            rd[row][e.step] = e.at.rd == 4 ? "inf" : std::to_string(e.at.rd);
    }
    for (size_t step = 0; step < 5; step++) {
        const std::string &line = log.steps[step];
        unsigned n = 0;
        for (size_t at = 0; (at = line.find('+', at)) != std::string::npos; at++)
            update.at(n++)[step] = line.substr(at + 1, 1);
        free_mshrs.push_back(line.substr(line.find('|') + 2));
    }
    EXPECT_EQ(block[0], (Row{"A", "E", "E", "-", "A"}));
    EXPECT_EQ(block[1], (Row{"C", "G", "G", "-", "-"}));
    EXPECT_EQ(block[2], (Row{"B", "B", "F", "F", "D"}));
    EXPECT_EQ(block[3], (Row{"D", "D", "H", "H", "-"}));
    EXPECT_EQ(rd[0], (Row{"inf", "-", "inf", "-", "3"}));
    EXPECT_EQ(rd[1], (Row{"inf", "-", "inf", "-", "-"}));
    EXPECT_EQ(rd[2], (Row{"-", "inf", "-", "inf", "2"}));
    EXPECT_EQ(rd[3], (Row{"-", "inf", "-", "inf", "-"}));
    EXPECT_EQ(free_mshrs, (Row{"0", "0", "0", "0", "2"}));
    EXPECT_EQ(status[0], (Row{"m", "rf", "m", "-", "h"}));
    EXPECT_EQ(status[1], (Row{"m", "rf", "m", "-", "-"}));
    EXPECT_EQ(status[2], (Row{"rf", "m", "rf", "m", "h"}));
    EXPECT_EQ(status[3], (Row{"rf", "m", "rf", "m", "-"}));
    EXPECT_EQ(update[0], (Row{"-", "A", "B", "E", "F"}));
    EXPECT_EQ(update[1], (Row{"-", "C", "D", "G", "H"}));
    // 2 + 2 + 2 reservation fails, 8 misses, 2 hits
    EXPECT_EQ(log.counts().rf, 6u);
    EXPECT_EQ(log.reads(), (std::vector<uint64_t>{0, 0, 1, 1, 8}));
    expect_steps(
        table3(), table3_lists,
        {"0.0 A miss inf  0.1 C miss inf  1.0 B fail inf  1.1 D fail inf  | 0",
         "+A  +C  1.0 B miss inf  1.1 D miss inf  0.0 E fail inf  0.1 G fail inf  | 0",
         "+B  +D  0.0 E miss inf  0.1 G miss inf  1.0 F fail inf  1.1 H fail inf  | 0",
         "+E  +G  1.0 F miss inf  1.1 H miss inf  | 0", "+F  +H  0.0 A hit 3  1.0 D hit 2  | 2"});
}

// By the text a block asked for in step i comes at the end of step i + 1 and is there from step i +
// 2 on: A and C free their MSHRs at the end of step 1, so that B and D get them in step 2, E and G
// in step 4, F and H in step 6. The third warp goes in step 7, when F and H have an MSHR but are
// not there yet: D is the first of bank 1. Eight steps.
TEST(Rdgc, Table3ByTheText) {
    gmmu_rdgc_cache_config c = table3();
    c.arrival = GMMU_RDGC_END;
    expect_steps(c, table3_lists,
                 {"0.0 A miss inf  0.1 C miss inf  1.0 B fail inf  1.1 D fail inf  | 0",
                  "1.0 B fail inf  1.1 D fail inf  0.0 E fail inf  0.1 G fail inf  +A  +C  | 0",
                  "1.0 B miss inf  1.1 D miss inf  0.0 E fail inf  0.1 G fail inf  | 0",
                  "0.0 E fail inf  0.1 G fail inf  1.0 F fail inf  1.1 H fail inf  +B  +D  | 0",
                  "0.0 E miss inf  0.1 G miss inf  1.0 F fail inf  1.1 H fail inf  | 0",
                  "1.0 F fail inf  1.1 H fail inf  +E  +G  | 0",
                  "1.0 F miss inf  1.1 H miss inf  | 0", "0.0 A hit 3  1.0 D hit 0  +F  +H  | 0"});
}

}  // namespace
