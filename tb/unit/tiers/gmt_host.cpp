// SPDX-License-Identifier: Apache-2.0
// gmt_host.cpp: the host's part of GMT: the tree of reuse distances against counting, the line
// against the closed form, its thresholds against m v + b.
//
// State space: random traces of five shapes, up to more pages and places than the first room of an
// array; pairs near a line, of any values, of the largest, all of one VTD. Parameter space: sizes
// of tiers up to 2^32 - 1.
#include "driver/gmt_host.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <set>
#include <vector>

#include "numbered_trace.h"
#include "random_trace.h"

namespace {

typedef gmmu_i128 Wide;

// The distances of each access, by going back to the one before.
void expect_distances(const std::vector<uint32_t> &pages, uint64_t *vectors) {
    gmmu_rd_tree tree = {};
    for (size_t t = 0; t < pages.size(); t++) {
        uint64_t vtd = 0, rd = 0;
        ASSERT_TRUE(gmmu_rd_tree_access(&tree, pages[t], 5 + 3 * t, &vtd, &rd));
        std::set<uint32_t> between;
        size_t back = 1;
        while (back <= t && pages[t - back] != pages[t]) {
            between.insert(pages[t - back++]);
        }
        ASSERT_EQ(vtd, back <= t ? 3 * back : 0) << "access " << t;
        ASSERT_EQ(rd, back <= t ? between.size() : 0) << "access " << t;
        ++*vectors;
    }
    gmmu_rd_tree_free(&tree);
}

TEST(RdTree, CountsAsGoingBackDoes) {
    RandomTrace random(test_seed());
    uint64_t vectors = 0;
    for (int i = 0; i < 1500 && !HasFatalFailure(); i++) {
        expect_distances(Numbered(random.make(1 + random.below(200), 1 + random.below(40))).index,
                         &vectors);
    }
    for (int i = 0; i < 3 && !HasFatalFailure(); i++) {
        expect_distances(Numbered(random.make(5000, 300)).index, &vectors);
    }
    std::vector<uint32_t> many;
    for (uint32_t i = 0; i < 9000; i++) {
        many.push_back(i % 3 == 0 ? i / 3 : i / 2);  // up to 4499 pages
    }
    expect_distances(many, &vectors);
    std::printf("[ vectors  ] distances: %llu accesses\n",
                static_cast<unsigned long long>(vectors));
}

struct Pair {
    uint64_t x, y;
};

std::vector<Pair> make_pairs(RandomTrace *random, size_t count) {
    const uint64_t kind = random->below(4);
    const uint64_t most = kind == 0 ? 20 : kind == 1 ? 100000 : GMMU_GMT_MOST_VTD;
    const uint64_t slope = random->below(100), offset = random->below(most / 2);
    std::vector<Pair> pairs;
    for (size_t i = 0; i < count; i++) {
        const uint64_t x = kind == 3 && random->below(2) == 0 ? most - 1 : random->below(most);
        const uint64_t near = (offset + x / 100 * slope + random->below(5)) % most;
        pairs.push_back({x, random->below(2) == 0 ? near : random->below(most)});
    }
    return pairs;
}

// The closed form in its other shape, by deviations from the mean: with n times each, m = sum(dx
// dy) / sum(dx dx), b = (sum(y) - m sum(x)) / n.
TEST(Line, IsTheClosedForm) {
    RandomTrace random(test_seed() + 1);
    uint64_t known = 0;
    for (int i = 0; i < 3000; i++) {
        const std::vector<Pair> pairs = make_pairs(&random, 1 + random.below(60));
        gmmu_gmt_sums sums = {};
        const auto n = static_cast<Wide>(pairs.size());
        Wide x = 0, y = 0, dxdx = 0, dxdy = 0;
        for (const Pair &p : pairs) {
            ASSERT_TRUE(gmmu_gmt_add(&sums, p.x, p.y));
            x += static_cast<Wide>(p.x);
            y += static_cast<Wide>(p.y);
        }
        for (const Pair &p : pairs) {
            const Wide dx = n * static_cast<Wide>(p.x) - x, dy = n * static_cast<Wide>(p.y) - y;
            dxdx += dx * dx;
            dxdy += dx * dy;
        }
        const gmmu_gmt_line line = gmmu_gmt_fit(&sums);
        ASSERT_EQ(line.known, dxdx != 0);
        if (!line.known) {
            continue;
        }
        // dxdx = n^2 sum((x - mean)^2) = n scale
        ASSERT_TRUE(dxdx == n * line.scale);
        ASSERT_TRUE(dxdy == n * line.slope);
        ASSERT_TRUE(n * line.offset == y * line.scale - x * line.slope);
        known++;
    }
    EXPECT_GE(known, 1000u);
    std::printf("[ vectors  ] lines: %llu\n", static_cast<unsigned long long>(known));
}

TEST(Line, IsExactForTheMostAndLargestPairs) {
    gmmu_gmt_sums sums = {};
    const uint64_t most = GMMU_GMT_MOST_VTD - 1;
    for (uint32_t i = 0; i < GMMU_GMT_MOST_PAIRS; i++) {
        ASSERT_TRUE(gmmu_gmt_add(&sums, i % 2 == 0 ? most : most - 1, i % 2 == 0 ? most : 0));
    }
    EXPECT_FALSE(gmmu_gmt_add(&sums, 1, 1));
    const gmmu_gmt_line line = gmmu_gmt_fit(&sums);
    ASSERT_TRUE(line.known);
    ASSERT_TRUE(line.slope ==
                line.scale * static_cast<Wide>(most));  // through (most - 1, 0), (most, most)
    EXPECT_EQ(gmmu_gmt_threshold(&line, 0), most - 1);
    EXPECT_EQ(gmmu_gmt_threshold(&line, 1), most);
    EXPECT_EQ(gmmu_gmt_threshold(&line, UINT32_MAX), most - 1 + 33);
    gmmu_gmt_sums other = {};
    EXPECT_FALSE(gmmu_gmt_add(&other, GMMU_GMT_MOST_VTD, 1));
    EXPECT_FALSE(gmmu_gmt_add(&other, 1, GMMU_GMT_MOST_VTD));
    EXPECT_EQ(other.n, 0u);
}

// m v + b below SIZE, in fractions; a slope below 0 counts as 0.
bool below(const gmmu_gmt_line &line, uint64_t v, uint64_t size) {
    const Wide slope = line.slope > 0 ? line.slope : 0;
    return slope * static_cast<Wide>(v) + line.offset < static_cast<Wide>(size) * line.scale;
}

TEST(Thresholds, SayTheSameAsTheLine) {
    RandomTrace random(test_seed() + 2);
    uint64_t vectors = 0, rising = 0, falling = 0;
    for (int i = 0; i < 6000; i++) {
        gmmu_gmt_sums sums = {};
        for (const Pair &p : make_pairs(&random, 2 + random.below(60))) {
            ASSERT_TRUE(gmmu_gmt_add(&sums, p.x, p.y));
        }
        const gmmu_gmt_line line = gmmu_gmt_fit(&sums);
        if (!line.known) {
            continue;
        }
        rising += line.slope > 0 ? 1 : 0;
        falling += line.slope <= 0 ? 1 : 0;
        const uint64_t range = random.below(2) == 0 ? 1000 : UINT32_MAX;
        gmmu_gmt_host h;
        gmmu_gmt_host_init(&h, 1 + random.below(range), 1 + random.below(range));
        h.near = gmmu_gmt_threshold(&line, h.tier1);
        h.far = gmmu_gmt_threshold(&line, h.limit);
        ASSERT_LE(h.near, h.far);
        std::vector<uint64_t> at = {0, 1, UINT32_MAX, random.below(UINT32_MAX)};
        for (const uint64_t t : {h.near, h.far}) {
            for (const uint64_t v : {t - 1, t, t + 1}) {
                if (v <= UINT32_MAX) {
                    at.push_back(v);
                }
            }
        }
        for (const uint64_t v : at) {
            const unsigned wanted = below(line, v, h.tier1)   ? GMMU_GMT_SHORT
                                    : below(line, v, h.limit) ? GMMU_GMT_MEDIUM
                                                              : GMMU_GMT_LONG;
            ASSERT_EQ(gmmu_gmt_host_class(&h, v), wanted) << v;
            vectors++;
        }
    }
    EXPECT_GE(rising, 1000u);
    EXPECT_GE(falling, 200u);
    std::printf("[ vectors  ] thresholds: %llu of %llu lines\n",
                static_cast<unsigned long long>(vectors),
                static_cast<unsigned long long>(rising + falling));
}

// A line as soon as there are pairs enough; one VTD makes none; the tree goes when it is not
// needed.
TEST(Host, FitsEverySoManyPairs) {
    gmmu_gmt_host h;
    gmmu_gmt_host_init(&h, 5, 20);
    h.every = 10;
    h.most = 30;
    uint64_t now = 0;
    for (int i = 0; i < 16; i++) {  // five first accesses, then VTD 5
        ASSERT_TRUE(gmmu_gmt_host_access(&h, static_cast<uint32_t>(i % 5), ++now, 0));
    }
    EXPECT_EQ(h.sums.n, 11u);
    EXPECT_FALSE(h.line.known);
    EXPECT_EQ(h.lines, 0u);
    for (int i = 0; i < 60; i++) {
        ASSERT_TRUE(gmmu_gmt_host_access(&h, static_cast<uint32_t>(i % 7), ++now, 0));
    }
    EXPECT_TRUE(h.line.known);
    EXPECT_EQ(h.lines, 2u);
    EXPECT_EQ(h.sums.n, 30u);
    EXPECT_EQ(h.tree.last, nullptr);
    EXPECT_EQ(gmmu_gmt_host_class(&h, 1), static_cast<unsigned>(GMMU_GMT_SHORT));
    gmmu_gmt_host_pair(&h, 3, 3);
    EXPECT_EQ(h.refused, 1u);
    gmmu_gmt_host_free(&h);
}

// Of a sample distances are those among its pages, times 2^shift; times stay the accesses'.
TEST(Host, HearsOfASample) {
    gmmu_gmt_host h;
    gmmu_gmt_host_init(&h, 5, 20);
    for (uint64_t t = 0; t < 8; t++) {  // every fourth of 16 pages, in turn
        ASSERT_TRUE(gmmu_gmt_host_access(&h, static_cast<uint32_t>(t % 4), 1 + 4 * t, 2));
    }
    EXPECT_EQ(h.sums.n, 4u);
    EXPECT_EQ(h.sums.x, 4 * 16u);
    EXPECT_EQ(h.sums.y, 4 * 3 * 4u);
    gmmu_gmt_host_free(&h);
}

}  // namespace
