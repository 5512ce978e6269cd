// SPDX-License-Identifier: Apache-2.0
// logical_text.cpp: threads' accesses as text become those of warps; what is wrong with a text.
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "logical.h"
#include "rdgc/rdgc.h"
#include "simt/kernels/kernels.h"
#include "simt/logical.h"

namespace {

// Lines out of order, a warp's lines apart, a read and a write of one AN, a partial warp, two
// grids.
TEST(Rdgc, ThreadsBecomeWarps) {
    const Trace t = new_trace();
    EXPECT_EQ(read_text(t.get(),
                        "# gmmu-rdgc 1 blocks=2 threads=40\n"
                        "# a comment\n"
                        "\n"
                        "1,1,0,w,0x100\n"
                        "0,0,1,r,0x84\r\n"
                        "0,0,33,r,8\n"
                        "0,0,0,r,0x80\n"
                        "1,0,0,w,0xfF\n"
                        "1,0,2,r,3\n"
                        "0,0,5,r,7\n"
                        "# gmmu-rdgc 1 blocks=1 threads=1\n"
                        "7,0,0,r,18446744073709551615"),
              "");
    ASSERT_EQ(gmmu_rdgc_trace_grids(t.get()), 2u);
    const gmmu_rdgc_grid *g = gmmu_rdgc_trace_grid(t.get(), 0);
    EXPECT_EQ(shown(g),
              (std::vector<std::string>{"0/0.0 r3 0:128 1:132 5:7", "0/0.1 r1 1:8", "0/1.0 r1 2:3",
                                        "0/1.0 w1 0:255", "1/1.0 w1 0:256"}));
    EXPECT_EQ(g->blocks, 2u);
    EXPECT_EQ(g->threads, 40u);
    EXPECT_EQ(g->warps, 2u);
    EXPECT_EQ(g->numbers, 2u);
    EXPECT_EQ(g->longest, 2u);  // thread 0 of block 0
    EXPECT_EQ(g->reads, 5u);
    EXPECT_EQ(g->writes, 2u);
    EXPECT_EQ((std::vector<uint32_t>(g->first, g->first + 3)), (std::vector<uint32_t>{0, 4, 5}));
    g = gmmu_rdgc_trace_grid(t.get(), 1);
    EXPECT_EQ(shown(g), (std::vector<std::string>{"0/7.0 r1 0:18446744073709551615"}));
    EXPECT_EQ(g->numbers, 8u);
    EXPECT_EQ(g->longest, 1u);
    // what is written is read back
    const Trace again = new_trace();
    EXPECT_EQ(read_text(again.get(), write_text(t.get())), "");
    EXPECT_EQ(write_text(again.get()), write_text(t.get()));
    EXPECT_EQ(shown(gmmu_rdgc_trace_grid(again.get(), 0)), shown(gmmu_rdgc_trace_grid(t.get(), 0)));
}

TEST(Rdgc, BadTexts) {
    const std::string head = "# gmmu-rdgc 1 blocks=2 threads=40\n";
    const std::string form = "expected \"# gmmu-rdgc 1 blocks=NB threads=Bdim\"";
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"\n", "t: found no grid, " + form},
        {"0,0,0,r,1\n", "t:1: found \"0\", " + form},
        {"# gmmu-rdgc 2 blocks=1 threads=1\n",
         "t:1: found \"# gmmu-rdgc 2 blocks=1 threads=1\", " + form},
        {"# gmmu-rdgc 1 blocks=x threads=1\n",
         "t:1: found \"# gmmu-rdgc 1 blocks=x threads=1\", " + form},
        {"# gmmu-rdgc 1 blocks=1 thread=1\n",
         "t:1: found \"# gmmu-rdgc 1 blocks=1 thread=1\", " + form},
        {"# gmmu-rdgc 1 blocks=1 threads=\n",
         "t:1: found \"# gmmu-rdgc 1 blocks=1 threads=\", " + form},
        {"# gmmu-rdgc 1 blocks=1 threads=1 \n",
         "t:1: found \"# gmmu-rdgc 1 blocks=1 threads=1 \", " + form},
        {"# gmmu-rdgc 1 blocks=0 threads=1\n", "t:1: blocks: found 0, expected 1 to 2147483647"},
        {"# gmmu-rdgc 1 blocks=1 threads=1025\n", "t:1: threads: found 1025, expected 1 to 1024"},
        {head + "x,0,0,r,1\n", "t:2: found \"x\", expected AN, a number below 2^32 - 1"},
        {head + "4294967295,0,0,r,1\n",
         "t:2: found \"4294967295\", expected AN, a number below 2^32 - 1"},
        {head + "0\n", "t:2: found the end of the line, expected BID, a number below NB"},
        {head + "0,2,0,r,1\n", "t:2: found \"2\", expected BID, a number below NB"},
        {head + "0,0,40,r,1\n", "t:2: found \"40\", expected TID, a number below Bdim"},
        {head + "0,0,0x,r,1\n", "t:2: found \"0x\", expected TID, a number below Bdim"},
        {head + "0,0,0,q,1\n", "t:2: found \"q\", expected S, r, w or a"},
        {head + "0,0,0,rr,1\n", "t:2: found \"rr\", expected S, r, w or a"},
        {head + "0,0,0,r\n",
         "t:2: found the end of the line, expected ADD, a number below 2^64, and the end of the "
         "line"},
        {head + "0,0,0,r,1,2\n",
         "t:2: found \"1\", expected ADD, a number below 2^64, and the end of the line"},
        {head + "0,0,0,r,\n",
         "t:2: found the end of the line, expected ADD, a number below 2^64, and the end of the "
         "line"},
        {head + "0,0,0,r,18446744073709551616\n",
         "t:2: found \"18446744073709551616\", expected ADD, a number below 2^64, and the end of "
         "the line"},
        {head + "\x01,0,0,r,1\n", "t:2: found \"\\x01\", expected AN, a number below 2^32 - 1"},
        {head + std::string(300, ' ') + "\n",
         "t:2: found a line of more than 254 bytes or with a zero byte, " + form},
        {head + std::string("0,0,0,r,1\0\n0,0,1,r,1\n", 21),
         "t:2: found a line of more than 254 bytes or with a zero byte, " + form},
        {head + "0,0,3,r,1\n0,0,3,r,2\n",
         "t: block 0, thread 3: found two reads with access number 0, expected at most one"},
        {head + "5,1,35,w,1\n0,0,0,r,1\n5,1,35,w,1\n",
         "t: block 1, thread 35: found two writes with access number 5, expected at most one"},
    };
    for (const auto &[text, message] : cases) {
        const Trace t = new_trace();
        EXPECT_EQ(read_text(t.get(), text), message) << text;
    }
}

// A stream that ends in an error when it is read.
TEST(Rdgc, UnreadableText) {
    cookie_io_functions_t broken = {};
    broken.read = [](void *, char *, size_t) -> ssize_t {
        errno = EIO;
        return -1;
    };
    broken.write = [](void *, const char *, size_t) -> ssize_t { return 0; };
    FILE *in = fopencookie(nullptr, "r+", broken);
    const Trace t = new_trace();
    gmmu_error err{};
    EXPECT_EQ(gmmu_rdgc_trace_read(t.get(), in, "t", &err), GMMU_BAD);
    EXPECT_STREQ(err.text,
                 "t: found a read error (Input/output error), expected a per-thread trace");
    EXPECT_EQ(fclose(in), 0);
    // the header, or the line behind it, cannot be written
    ASSERT_EQ(read_text(t.get(), "# gmmu-rdgc 1 blocks=1 threads=1\n0,0,0,r,1\n"), "");
    for (long good = 0; good < 2; good++) {
        cookie_io_functions_t some = {};
        some.write = [](void *ctx, const char *, size_t size) -> ssize_t {
            return --*static_cast<long *>(ctx) < 0 ? 0 : static_cast<ssize_t>(size);
        };
        long left = good;
        FILE *out = fopencookie(&left, "w", some);
        EXPECT_EQ(setvbuf(out, nullptr, _IONBF, 0), 0);
        EXPECT_EQ(gmmu_rdgc_trace_write(t.get(), out), -1);
        EXPECT_EQ(left, -1);
        EXPECT_EQ(fclose(out), 0);
    }
}

TEST(Rdgc, WrongAdditions) {
    const Trace t = new_trace();
    gmmu_error err{};
    const uint64_t addr[GMMU_WARP] = {};
    const auto add = [&](uint64_t block, uint64_t warp, uint64_t number, uint32_t mask) {
        EXPECT_EQ(gmmu_rdgc_trace_add(t.get(), block, warp, number, false, mask, addr, &err),
                  GMMU_BAD);
        return std::string(err.text);
    };
    EXPECT_EQ(add(0, 0, 0, 1), "rdgc: found an access, expected a grid before it");
    ASSERT_EQ(gmmu_rdgc_trace_begin(t.get(), 3, 40, &err), GMMU_OK);
    EXPECT_EQ(add(3, 0, 0, 1), "block: found 3, expected 0 to 2");
    EXPECT_EQ(add(0, 2, 0, 1), "warp: found 2, expected 0 to 1");
    EXPECT_EQ(add(0, 0, UINT32_MAX, 1),
              "access number: found 4294967295, expected 0 to 4294967294");
    EXPECT_EQ(add(0, 0, 0, 0),
              "lanes of warp 0: found mask 0x00000000, expected some of 0xffffffff");
    EXPECT_EQ(add(0, 1, 0, 0x100),
              "lanes of warp 1: found mask 0x00000100, expected some of 0x000000ff");
    EXPECT_EQ(gmmu_rdgc_trace_begin(t.get(), UINT64_C(1) << 31, 1, &err), GMMU_BAD);
    EXPECT_STREQ(err.text, "blocks: found 2147483648, expected 1 to 2147483647");
    // the hook for operations without the hook for grids
    gmmu_simt_warp w = {};
    gmmu_simt_op op = {};
    EXPECT_EQ(gmmu_simt_logical_op(t.get(), &w, 0, &op, &err), GMMU_BAD);
    EXPECT_STREQ(err.text, "rdgc: found an access, expected a grid before it");
    const gmmu_simt_grid grid = {.blocks = 0, .threads = 1, .shared = 0};
    EXPECT_EQ(gmmu_simt_logical_grid(t.get(), &grid, &err), GMMU_BAD);
    // an empty trace, and an empty grid
    EXPECT_EQ(gmmu_rdgc_trace_order(t.get(), &err), GMMU_OK);
    EXPECT_EQ(gmmu_rdgc_trace_grid(t.get(), 0)->count, 0u);
    EXPECT_EQ(gmmu_rdgc_trace_grid(t.get(), 0)->longest, 0u);
}

}  // namespace
