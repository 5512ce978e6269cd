// SPDX-License-Identifier: Apache-2.0
// import_uvm.cpp: page-ins of unified memory.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gmmu/trace.h"
#include "samples.h"
#include "trace_bytes.h"

namespace {

TEST(Import, UvmCsv) {
    Read got = read_bytes(kUvm, GMMU_FORM_UVM_CSV);
    ASSERT_EQ(got.error, "");
    EXPECT_EQ(got.note, "");
    EXPECT_EQ(got.reasons, (std::vector<std::string>{
                               "1 events of type kernel_launch", "1 events of type prefetch",
                               "2 events of type write_back", "1 page-ins of 0 bytes"}));
    expect_equal(got.walks, {{.vpn = 3, .time = 10, .sm = 1},
                             {.vpn = 4, .time = 10, .sm = 1},
                             {.vpn = 5, .time = 30},
                             {.time = 80, .sm = 7},
                             {.vpn = 1, .time = 80, .sm = 7}});
    // Any order; without the columns that are not needed.
    expect_equal(read_bytes("size;addr;type;start\n1;4096;memcpy_h2d;3\n", GMMU_FORM_UVM_CSV).walks,
                 {{.vpn = 1, .time = 3}});
    const std::string head = "start,end,type,addr,size,sm\n";
    const Errors cases = {
        {"start,end,addr,size,sm\n", "1: found \"start,end,addr,size,sm\", expected a column type"},
        {"end,type,addr,size,sm\n", "1: found \"end,type,addr,size,sm\", expected a column start"},
        {"start,end,type,size,sm\n", "1: found \"start,end,type,size,sm\", expected a column addr"},
        {"start,end,type,addr,sm\n", "1: found \"start,end,type,addr,sm\", expected a column size"},
        {head + "1,2,,3,4,5\n", "2: found \"\", expected a type of event"},
        {head + "x,2,memcpy_h2d,3,4,5\n", "2: found \"x\", expected a start"},
        {head + "1,2,memcpy_h2d,x,4,5\n", "2: found \"x\", expected an address"},
        {head + "1,2,memcpy_h2d,3,,5\n", "2: found \"\", expected a size"},
        {head + "1,2,memcpy_h2d,3,1099511627777,5\n",
         "2: found \"1099511627777\", expected a size"},
        {head + "1,2,memcpy_h2d,3,4,x\n", "2: found \"x\", expected an sm"},
    };
    expect_errors(cases, GMMU_FORM_UVM_CSV);
    // Types that nobody knows do not take memory without bound, and do not break the line.
    std::string types = head;
    for (int i = 0; i < 1000; i++) {
        types += "1,2,t\x01\xff" + std::to_string(i) + ",3,4,5\n";
    }
    got = read_bytes(types, GMMU_FORM_UVM_CSV);
    EXPECT_EQ(got.skipped, 1000U);
    ASSERT_EQ(got.reasons.size(), 16U);
    EXPECT_EQ(got.reasons[0], "1 events of type t\\x01\\xff0");
    EXPECT_EQ(got.reasons[15], "985 other records");
}

}  // namespace
