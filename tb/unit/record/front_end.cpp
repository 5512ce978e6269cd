// SPDX-License-Identifier: Apache-2.0
// front_end.cpp: TLBs, coalescer and arrays of `gmmu record`, against models written in the
// plainest way: a TLB as a list of pages, a coalescer as a search through a vector.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "simt/simt.h"
#include "simt/tlb.h"
#include "simt_bench.h"

namespace {

using namespace simt_bench;

// ---------------------------------------------------------------- TLB

TEST(Tlb, EqualsListModelOnRandomStreams) {
    uint64_t random = 7;
    unsigned long checked = 0;
    struct {
        unsigned entries, ways;
    } shapes[] = {{1, 1}, {2, 2}, {8, 1}, {12, 4}, {128, 128}, {512, 16}, {96, 32}};
    for (auto shape : shapes) {
        for (uint64_t pages : {uint64_t{2}, uint64_t{shape.entries}, uint64_t{3} * shape.entries}) {
            gmmu_tlb t;
            ASSERT_TRUE(gmmu_tlb_init(&t, shape.entries, shape.ways));
            NaiveTlb naive(shape.entries, shape.ways);
            uint64_t vpn = 0;
            for (int i = 0; i < 5000; i++) {
                uint64_t r = gmmu_simt_random(&random);
                // Repeats, strides and jumps; the top bits must count too.
                vpn = r % 8 == 0 ? vpn : r % 8 < 4 ? vpn + 1 : (r >> 32) % pages;
                uint64_t page = vpn % (pages + 1) | (r >> 8 & 1) << 51;
                ASSERT_EQ(gmmu_tlb_access(&t, page), naive.access(page)) << i;
                checked++;
            }
            gmmu_tlb_free(&t);
        }
    }
    std::printf("%lu accesses\n", checked);
}

TEST(Tlb, CyclicStreamOverTheSizeNeverHits) {
    gmmu_tlb t;
    ASSERT_TRUE(gmmu_tlb_init(&t, 16, 16));
    for (int i = 0; i < 100; i++) EXPECT_FALSE(gmmu_tlb_access(&t, static_cast<uint64_t>(i % 17)));
    gmmu_tlb_free(&t);
}

TEST(Tlb, DegenerateAndBadShapes) {
    gmmu_tlb t;
    ASSERT_TRUE(gmmu_tlb_init(&t, 0, 0));
    EXPECT_FALSE(gmmu_tlb_access(&t, 5));
    EXPECT_FALSE(gmmu_tlb_access(&t, 5));
    gmmu_tlb_free(&t);
    EXPECT_FALSE(gmmu_tlb_init(&t, 8, 0));
    EXPECT_FALSE(gmmu_tlb_init(&t, 8, 3));
    ASSERT_TRUE(gmmu_tlb_init(&t, 1, 1));
    EXPECT_FALSE(gmmu_tlb_access(&t, 0));  // an unused entry is not page 0
    EXPECT_TRUE(gmmu_tlb_access(&t, 0));
    gmmu_tlb_free(&t);
}

// ---------------------------------------------------------------- coalescer

TEST(Coalesce, DistinctPagesInOrderOfLanes) {
    uint64_t random = 3;
    for (int trial = 0; trial < 20000; trial++) {
        uint64_t addr[GMMU_WARP], vpn[GMMU_WARP];
        unsigned shift = 9 + static_cast<unsigned>(gmmu_simt_random(&random) % 22);
        uint64_t spread = gmmu_simt_random(&random) % 40 + 1;
        auto mask = static_cast<uint32_t>(gmmu_simt_random(&random) | (trial % 2 ? UINT32_MAX : 0));
        std::vector<uint64_t> expected;
        for (unsigned lane = 0; lane < GMMU_WARP; lane++) {
            uint64_t page = gmmu_simt_random(&random) % spread;
            addr[lane] = (page << shift) + (gmmu_simt_random(&random) & ((1u << shift) - 1));
            if ((mask >> lane & 1) &&
                std::find(expected.begin(), expected.end(), page) == expected.end())
                expected.push_back(page);
        }
        unsigned n = gmmu_simt_coalesce(addr, mask, shift, vpn);
        ASSERT_EQ(std::vector<uint64_t>(vpn, vpn + n), expected);
    }
}

TEST(Coalesce, Extremes) {
    uint64_t addr[GMMU_WARP], vpn[GMMU_WARP];
    for (unsigned lane = 0; lane < GMMU_WARP; lane++) addr[lane] = uint64_t{lane} * 4096;
    EXPECT_EQ(gmmu_simt_coalesce(addr, 0, 12, vpn), 0u);
    EXPECT_EQ(gmmu_simt_coalesce(addr, UINT32_MAX, 12, vpn), 32u);
    EXPECT_EQ(gmmu_simt_coalesce(addr, UINT32_MAX, 17, vpn), 1u);
    EXPECT_EQ(gmmu_simt_coalesce(addr, UINT32_C(1) << 31, 12, vpn), 1u);
    EXPECT_EQ(vpn[0], 31u);
}

// ---------------------------------------------------------------- address space

TEST(Space, ArraysArePageAlignedAndApart) {
    gmmu_error err = {};
    gmmu_space s;
    gmmu_space_init(&s, 12);
    const gmmu_array *a = gmmu_space_alloc(&s, "a", 512, 8, &err);   // exactly a page
    const gmmu_array *b = gmmu_space_alloc(&s, "b", 4097, 1, &err);  // a byte over a page
    const gmmu_array *c = gmmu_space_alloc(&s, "c", 0, 4, &err);
    const gmmu_array *d = gmmu_space_alloc(&s, "d", 1, 1, &err);
    ASSERT_NE(d, nullptr);
    EXPECT_EQ(a->base, 256u << 12);
    EXPECT_EQ(b->base, 257u << 12);
    EXPECT_EQ(c->base, 259u << 12);
    EXPECT_EQ(d->base, 260u << 12);
    EXPECT_EQ(s.pages, 5u);
    EXPECT_EQ(gmmu_space_alloc(&s, "e", UINT64_MAX / 2, 8, &err), nullptr);
    EXPECT_NE(std::string(err.text).find("no memory"), std::string::npos);
    while (s.arrays < GMMU_SPACE_ARRAYS) ASSERT_NE(gmmu_space_alloc(&s, "f", 1, 1, &err), nullptr);
    EXPECT_EQ(gmmu_space_alloc(&s, "g", 1, 1, &err), nullptr);
    gmmu_space_free(&s);
    EXPECT_EQ(s.pages, 0u);
}

}  // namespace
