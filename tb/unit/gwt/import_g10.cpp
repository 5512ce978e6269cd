// SPDX-License-Identifier: Apache-2.0
// import_g10.cpp: tensors of kernels.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "gmmu/trace.h"
#include "hint_bytes.h"
#include "samples.h"
#include "trace_bytes.h"

namespace {

TEST(Import, G10) {
    Read got = read_bytes(kG10, GMMU_FORM_G10, false, 0, 2);
    ASSERT_EQ(got.error, "");
    EXPECT_EQ(got.note, "");
    EXPECT_EQ(got.reasons, std::vector<std::string>{"1 tensors of 0 bytes"});
    // Reads before writes, weights in their own address space, kernel 0 a second time later.
    Walks step = {{.asid = 1},
                  {.vpn = 1, .asid = 1},
                  {.vpn = 1, .ref = 1, .write = true},
                  {.vpn = 2, .ref = 1, .write = true},
                  {.vpn = 1, .ref = 7 << 16, .time = 100},
                  {.time = 150}};
    Walks all = step;
    for (gmmu_walk w : step) {
        w.time += 160;
        all.push_back(w);
    }
    expect_equal(got.walks, all);
    EXPECT_EQ(got.lines, (std::vector<uint64_t>{3, 3, 2, 2, 5, 6, 3, 3, 2, 2, 5, 6}));
    EXPECT_EQ(read_bytes(kG10, GMMU_FORM_G10, false, 0).walks.size(), 18U);
    // Other pages: as asked for.
    EXPECT_EQ(read_bytes(kG10, GMMU_FORM_G10, false, 12, 1).walks.size(), 2U + 1024U + 1U + 1U);
    const std::string head = kG10.substr(0, kG10.find('\n') + 1);
    EXPECT_EQ(read_bytes(head, GMMU_FORM_G10).walks.size(), 0U);
    // A read that comes first stays there.
    expect_equal(
        read_bytes(head + "0,k,1,r,1,0,1,0\n0,k,1,w,2,0,1,2097152\n", GMMU_FORM_G10, false, 0, 1)
            .walks,
        {{.vpn = 0}, {.vpn = 1, .ref = 1, .write = true}});
    EXPECT_EQ(
        read_bytes(head + "0,k,1,r,1,0,0,0\n", GMMU_FORM_G10, false, 0, 1000000000000).skipped, 1U);
    const Errors cases = {
        {"kernel_id,rw,is_weight,bytes\n",
         "1: found \"kernel_id,rw,is_weight,bytes\", expected a column va_start"},
        {"kernel_id,rw,is_weight,va_start\n",
         "1: found \"kernel_id,rw,is_weight,va_start\", expected a column bytes"},
        {"kernel_id,rw,bytes,va_start\n",
         "1: found \"kernel_id,rw,bytes,va_start\", expected a column is_weight"},
        {"kernel_id,is_weight,bytes,va_start\n",
         "1: found \"kernel_id,is_weight,bytes,va_start\", expected a column rw"},
        {"rw,is_weight,bytes,va_start\n",
         "1: found \"rw,is_weight,bytes,va_start\", expected a column kernel_id"},
        {head + "281474976710656,k,1,r,1,0,1,0\n",
         "2: found \"281474976710656\", expected a kernel_id"},
        {head + ",k,1,r,1,0,1,0\n", "2: found \"\", expected a kernel_id"},
        {head + "0,k,x,r,1,0,1,0\n", "2: found \"x\", expected exec_cycles"},
        {head + "0,k,1,,1,0,1,0\n", "2: found \"\", expected r or w"},
        {head + "0,k,1,q,1,0,1,0\n", "2: found \"q\", expected r or w"},
        {head + "0,k,1,r,1,2,1,0\n", "2: found \"2\", expected is_weight, 0 or 1"},
        {head + "0,k,1,r,1,0,1099511627777,0\n",
         "2: found \"1099511627777\", expected at most 2^40"},
        {head + "0,k,1,r,1,0,1,q\n", "2: found \"q\", expected a va_start"},
    };
    for (const auto &c : cases) {
        const Read bad = read_bytes(c.first, GMMU_FORM_G10);
        EXPECT_EQ(bad.error.rfind(c.second, 0), 0U) << bad.error << "\nexpected " << c.second;
        EXPECT_EQ(bad.walks.size(), 0U);
    }
    std::string wide = head;
    for (int i = 0; i < 65537; i++) {
        wide += "0,k,1,r,1,0,1,0\n";
    }
    EXPECT_EQ(read_bytes(wide, GMMU_FORM_G10).error,
              "65538: found \"0\", expected at most 65536 tensors of a kernel");
    got = read_bytes(head + "0,k,1,q,1,0,1,0\n0,k,1,r,1,0,1,0\n", GMMU_FORM_G10, true);
    EXPECT_EQ(got.walks.size(), 3U);
    EXPECT_EQ(got.loss.lines, 1U);
}

// Two steps of three kernels: the weight stays, what is used last in a kernel is free behind it,
// but for pages that another tensor may be on.
TEST(Import, G10Lives) {
    const std::string table = kG10.substr(0, kG10.find('\n') + 1) +
                              "0,k,1,r,1,1,2097152,0\n0,k,1,w,2,0,4194304,2097152\n"
                              "1,k,1,r,2,0,4194304,2097152\n1,k,1,w,3,0,1,6291456\n"
                              "2,k,1,r,3,0,1,6291456\n2,k,1,r,1,1,2097152,0\n"
                              "2,k,1,w,4,0,2097153,8388607\n";
    const Hints step = {alloc(0, 1, 2, 1), launch(0, 0),      alloc(3, 3, 1, 3), launch(3, 1),
                        release(6, 1, 2),  alloc(6, 3, 2, 6), launch(6, 2),      release(10, 4, 1)};
    Hints all = {alloc(0, 0, 1, 0, 1)};
    for (uint64_t start : {0, 10}) {
        for (gmmu_hint h : step) {
            h.walk += start;
            all.push_back(h);
        }
    }
    for (size_t batch : {0, 3, 100}) {
        const Taken got = take(table, batch, 0, GMMU_FORM_G10, 2);
        EXPECT_EQ(got.error, "");
        EXPECT_EQ(got.walks.size(), 20U);
        expect_equal(got.hints, all);
    }
    // the end of the memory
    const Taken last =
        take(kG10.substr(0, kG10.find('\n') + 1) + "5,k,1,r,1,0,4194304,18446744073707454464\n", 0,
             0, GMMU_FORM_G10, 1);
    expect_equal(last.hints, {alloc(0, (UINT64_C(1) << 43) - 1, 1, 0), launch(0, 5)});
}

}  // namespace
