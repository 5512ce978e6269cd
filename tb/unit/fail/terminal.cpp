// SPDX-License-Identifier: Apache-2.0
// terminal.cpp: progress on a terminal.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "fail.h"
#include "gmmu/trace.h"

namespace {

// On a terminal there is progress to see, and it is gone at the end.
TEST_F(Fail, Terminal) {
    gmmu_error err = {};
    gmmu_walk w = {};
    w.vpn = 5;
    made.insert("many.gwt");
    gmmu_writer *to = gmmu_writer_open((folder + "many.gwt").c_str(), 12, nullptr, &err);
    ASSERT_NE(to, nullptr) << err.text;
    for (unsigned i = 0; i < 300000; i++) ASSERT_EQ(gmmu_writer_put(to, &w, &err), GMMU_OK);
    ASSERT_EQ(gmmu_writer_close(to, &err), GMMU_OK);
    Plan p;
    p.terminal = true;
    Ended e = gmmu("trace digest many.gwt", p);
    EXPECT_NE(e.err.find("\rgmmu trace:"), std::string::npos) << e.err;
    EXPECT_NE(e.err.find(" %"), std::string::npos) << e.err;
    EXPECT_EQ(e.err.substr(e.err.size() - 4), "\r\033[K");
    e = gmmu("trace digest - <many.gwt", p);
    EXPECT_NE(e.err.find("\rgmmu trace: 262144 walks"), std::string::npos) << e.err;
    e = gmmu("trace digest small.gwt", p);
    EXPECT_EQ(e.err, "");
    for (const char *kernel :
         {"atax --size 512", "bfs --size 40000", "gemm --size 96", "2dconv --size 700",
          "hotspot --size 640", "srad_v2 --size 200", "spmv --size 9000", "kmeans --size 9000",
          "bfs_frontier --size 40000", "spmm --size 3000", "spmv_jds --size 9000",
          "atax --size 512 --shootdown lru --frames 30%"}) {
        e = gmmu(std::string("record -o /dev/null ") + kernel, p);
        EXPECT_EQ(e.status, 0) << e.err;
        EXPECT_NE(e.err.find(" %\r     \r"), std::string::npos) << e.err;
    }
    e = gmmu("rdgc atax --size 400 --vary sms=2,3 --threads 2", p);
    EXPECT_EQ(e.status, 0) << e.err;
    EXPECT_NE(e.err.find("\r\033[Kgmmu rdgc: atax "), std::string::npos) << e.err;
    EXPECT_NE(e.err.find("gmmu rdgc: 4 of 4 models"), std::string::npos) << e.err;
    EXPECT_NE(e.err.find("\r\033[Kgmmu rdgc: atax: 2 grids"), std::string::npos) << e.err;
    made.insert("store");
    e = gmmu("sweep small.walk -p lru,opt -f 3 --program p --store " + folder + "store", p);
    EXPECT_EQ(e.status, 0) << e.err;
    EXPECT_NE(e.err.find("\rgmmu sweep: 2 of 2 jobs"), std::string::npos) << e.err;
    EXPECT_NE(e.err.find("\r\033[Kgmmu sweep: 2 of 2 rows are there"), std::string::npos) << e.err;
    // most of histo's instructions are no progress: what stands there already is not shown again
    e = gmmu("rdgc histo --size 500 --grid 11", p);
    EXPECT_EQ(e.status, 0) << e.err;
    std::vector<int> shown;
    const std::string before = "gmmu rdgc: histo ";
    for (size_t at = 0; (at = e.err.find(before, at)) != std::string::npos; at += before.size())
        shown.push_back(std::stoi(e.err.substr(at + before.size(), 3)));
    EXPECT_GE(shown.size(), 2u) << e.err;
    EXPECT_EQ(std::adjacent_find(shown.begin(), shown.end(), std::greater_equal<int>()),
              shown.end())
        << e.err;
}

}  // namespace
