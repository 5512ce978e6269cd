// SPDX-License-Identifier: Apache-2.0
// stats.cpp: what the report says of a site, compared with tables that have room for all.
#include "blas/stats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <tuple>

#include "blas/flops.h"
#include "random_trace.h"

namespace {

gmmu_blas_shape shape(int64_t m, int64_t n, int64_t k) {
    return {m, n, k, 'd'};
}

TEST(BlasStats, SizesArePowersOfTwo) {
    for (uint64_t n = 1; n < 3000; n++) {
        const auto log = static_cast<unsigned>(std::floor(std::log2(static_cast<double>(n))));
        ASSERT_EQ(gmmu_blas_size_of(2 * n * n * n), log) << n;
        ASSERT_EQ(gmmu_blas_size_of(2 * n * n * n - 1), (n & (n - 1)) == 0 && n > 1 ? log - 1 : log)
            << n;
    }
    EXPECT_EQ(gmmu_blas_size_of(0), 0U);
    EXPECT_LT(gmmu_blas_size_of(UINT64_MAX), unsigned{GMMU_BLAS_SIZES});
}

TEST(BlasStats, FewShapesAreExact) {
    std::mt19937_64 rng(test_seed());
    const auto s = std::make_unique<gmmu_blas_stats>();
    std::map<std::tuple<int64_t, int64_t, int64_t>, std::pair<uint64_t, uint64_t>> all;
    uint64_t bytes = 0;
    for (int i = 0; i < 5000; i++) {
        const auto m = static_cast<int64_t>(1 + rng() % 2), n = static_cast<int64_t>(5 + rng() % 2),
                   k = static_cast<int64_t>(rng() % 2);
        const uint64_t ns = rng() % 1000;
        const gmmu_blas_shape is = shape(m, n, k);
        gmmu_blas_stats_call(s.get(), &is, rng() % 100, 8, ns, 1.0);
        auto &row = all[{m, n, k}];
        row.first++;
        row.second += ns;
        bytes += 8;
    }
    gmmu_blas_stats_sort(s.get());
    ASSERT_EQ(s->shapes, 8U);
    EXPECT_EQ(s->other_shapes, 0U);
    EXPECT_EQ(s->bytes, bytes);
    for (unsigned i = 0; i < s->shapes; i++) {
        const auto &row = s->shape[i];
        EXPECT_EQ(all.at({row.is.m, row.is.n, row.is.k}), std::make_pair(row.calls, row.ns));
        EXPECT_TRUE(i == 0 || row.weight <= s->shape[i - 1].weight);
    }
    EXPECT_EQ(s->least.m + s->least.n + s->least.k, 1 + 5 + 0);
    EXPECT_EQ(s->most.m + s->most.n + s->most.k, 2 + 6 + 1);
}

// A shape with more than a share of the operations stays, whatever else comes; no call is lost.
TEST(BlasStats, OfManyShapesTheLargeStay) {
    std::mt19937_64 rng(test_seed());
    for (int round = 0; round < 100; round++) {
        const auto s = std::make_unique<gmmu_blas_stats>();
        const gmmu_blas_shape large = shape(1000, 1000, 1000);
        uint64_t calls = 0;
        for (int i = 0; i < 2000; i++) {
            const bool is_large = rng() % 50 == 0 || i == 0;
            const auto n = static_cast<int64_t>(rng() % 1000);
            const gmmu_blas_shape is = is_large ? large : shape(n, 1, 1);
            gmmu_blas_stats_call(s.get(), &is, is_large ? 2000000 : 2000, 1, 1, 1);
            calls += is_large;
        }
        gmmu_blas_stats_sort(s.get());
        EXPECT_EQ(s->shape[0].is.m, 1000);
        EXPECT_EQ(s->shape[0].calls, calls);
        uint64_t all = s->other_shapes, sizes = 0;
        for (unsigned i = 0; i < s->shapes; i++) all += s->shape[i].calls;
        for (const auto &size : s->size) sizes += size.calls;
        EXPECT_EQ(all, 2000U);
        EXPECT_EQ(sizes, 2000U);
    }
}

// From sizes 4 to 64 calls do not pay, from there on they do. Of few shapes the smallest that pays
// is exact; of many the smallest call that pays, of the sizes that do.
TEST(BlasStats, TheSmallestShapeThatPays) {
    for (const int64_t step : {40, 1}) {
        const auto s = std::make_unique<gmmu_blas_stats>();
        gmmu_blas_shape found{};
        for (int64_t n = 10; n < 62; n += step) {
            const gmmu_blas_shape is = shape(n, n, n);
            gmmu_blas_stats_call(s.get(), &is, static_cast<uint64_t>(2 * n * n * n), 8, 1000, 2000);
        }
        EXPECT_EQ(gmmu_blas_sizes_pay(s->size), unsigned{GMMU_BLAS_SIZES});
        EXPECT_FALSE(gmmu_blas_stats_pays(s.get(), &found));
        for (int64_t n = 66; n < 190; n += step) {
            const gmmu_blas_shape is = shape(n, n + 1, n);
            gmmu_blas_stats_call(s.get(), &is, static_cast<uint64_t>(2 * n * n * n), 8, 9000, 2000);
        }
        EXPECT_EQ(s->other_shapes == 0, step == 40);
        EXPECT_EQ(gmmu_blas_sizes_pay(s->size), 6U);
        ASSERT_TRUE(gmmu_blas_stats_pays(s.get(), &found));
        EXPECT_EQ(found.m, 66);
        EXPECT_EQ(found.n, 67);
    }
}

TEST(BlasStats, LinesAndSides) {
    const auto s = std::make_unique<gmmu_blas_stats>();
    for (int i = 0; i < 20; i++) {
        gmmu_blas_stats_line(s.get(), "a.py:1 (f)", false, 1000000, 5, 2);
        gmmu_blas_stats_line(s.get(), ("b.py:" + std::to_string(i)).c_str(), false, 10, 1, 1);
    }
    const std::string longer(3 * GMMU_BLAS_LINE, 'x');
    gmmu_blas_stats_line(s.get(), longer.c_str(), false, 1U << 30, 1, 1);
    gmmu_blas_stats_sort(s.get());
    EXPECT_STREQ(s->line[0].text, "a.py:1 (f)");
    EXPECT_EQ(s->line[0].calls, 20U);
    EXPECT_EQ(s->line[0].ns, 100U);
    EXPECT_EQ(s->asked, 41U);
    uint64_t all = s->other_lines;
    for (unsigned i = 0; i < s->lines; i++) {
        all += s->line[i].calls;
        EXPECT_LT(std::strlen(s->line[i].text), size_t{GMMU_BLAS_LINE});
    }
    EXPECT_EQ(all, 41U);
    gmmu_blas_stats_side(s.get(), 7, false, 100);
    gmmu_blas_stats_side(s.get(), 7, true, 50);
    for (uint32_t i = 20; i < 40; i++) gmmu_blas_stats_side(s.get(), i, true, 1);
    gmmu_blas_stats_sort(s.get());
    EXPECT_EQ(s->side[0].site, 7U);
    EXPECT_EQ(s->side[0].down_bytes, 100U);
    EXPECT_EQ(s->side[0].up_bytes, 50U);
    EXPECT_EQ(s->side[0].downs + s->side[0].ups, 2U);
}

// Of 1600 calls every 16th is asked for its line, and stands for those before; large ones stand for
// themselves.
TEST(BlasStats, SampledLinesAreScaled) {
    const auto s = std::make_unique<gmmu_blas_stats>();
    for (int i = 0; i < 1601; i++) {
        if (i % 100 == 50)
            gmmu_blas_stats_line(s.get(), "large", false, 1000000, 1000, 10);
        if (i % 16 == 0)
            gmmu_blas_stats_line(s.get(), i % 3 == 0 ? "third" : "others", i != 0, 10, 5, 2);
        else
            gmmu_blas_stats_unasked(s.get(), 5, 2);
    }
    gmmu_blas_stats_sort(s.get());
    ASSERT_EQ(s->lines, 3U);
    EXPECT_STREQ(s->line[0].text, "large");
    EXPECT_EQ(s->line[0].calls, 16U);
    EXPECT_EQ(s->line[0].ns, 16000U);
    EXPECT_STREQ(s->line[1].text, "others");
    EXPECT_NEAR(static_cast<double>(s->line[1].calls), 1067, 32);
    EXPECT_EQ(s->line[1].calls + s->line[2].calls, 1601U);
    EXPECT_EQ(s->line[1].ns + s->line[2].ns, 1601U * 5);
    EXPECT_EQ(s->line[1].naive_ns + s->line[2].naive_ns, 1601 * 2.0);
    gmmu_blas_stats_unasked(s.get(), 5, 2);
    gmmu_blas_stats_line(s.get(), "", true, 10, 5, 2);  // a line that is not known
    gmmu_blas_stats_line(s.get(), "others", true, 10, 5, 2);
    EXPECT_EQ(s->line[1].calls + s->line[2].calls, 1602U);
}

TEST(BlasStats, TheNewestToucherIsKnown) {
    const auto t = std::make_unique<gmmu_blas_touches>();
    uint32_t site = 0;
    EXPECT_FALSE(gmmu_blas_toucher(t.get(), 0, UINT64_MAX, &site));
    gmmu_blas_touched(t.get(), 1000, 1999, 1);
    gmmu_blas_touched(t.get(), 1500, 1600, 2);
    EXPECT_TRUE(gmmu_blas_toucher(t.get(), 1999, 5000, &site));
    EXPECT_EQ(site, 1U);
    EXPECT_TRUE(gmmu_blas_toucher(t.get(), 0, 5000, &site));
    EXPECT_EQ(site, 2U);
    gmmu_blas_touched(t.get(), 1000, 1999, 3);
    EXPECT_TRUE(gmmu_blas_toucher(t.get(), 1550, 1550, &site));
    EXPECT_EQ(site, 3U);
    EXPECT_FALSE(gmmu_blas_toucher(t.get(), 2000, 5000, &site));
}

// By rows the routine is that of the transposed matrices; the shape is the caller's.
TEST(BlasStats, ShapesAreTheCallers) {
    gmmu_blas_call c = {};
    c.family = GMMU_BLAS_GEMM;
    c.type = 's';
    c.m = 10;
    c.n = 20;
    c.k = 30;
    c.trans = c.trans_b = 'N';
    const gmmu_blas_shape columns = gmmu_blas_shape_of(&c);
    gmmu_blas_row_major(&c);
    EXPECT_EQ(c.m, 20);
    const gmmu_blas_shape rows = gmmu_blas_shape_of(&c);
    EXPECT_EQ(rows.m, columns.m);
    EXPECT_EQ(rows.n, columns.n);
    EXPECT_EQ(rows.k, 30);
    EXPECT_EQ(rows.type, 's');
    gmmu_blas_call rank = {};
    rank.family = GMMU_BLAS_SYRK;
    rank.n = 20;
    rank.k = 5;
    rank.trans = 'N';
    gmmu_blas_row_major(&rank);
    EXPECT_EQ(gmmu_blas_shape_of(&rank).m, 0);
    EXPECT_EQ(gmmu_blas_shape_of(&rank).n, 20);
}

TEST(BlasStats, OperationsOfLargeFactorisationsSaturate) {
    gmmu_blas_call c = {};
    c.family = GMMU_BLAS_POTRF;
    c.type = 'd';
    double before = 0;
    for (int64_t n : {900000, 1100000, 2600000, 2700000, 3000000, 3800000}) {
        c.n = n;
        const auto is = static_cast<double>(gmmu_blas_flops(&c)), x = static_cast<double>(n);
        EXPECT_GT(is, before);
        EXPECT_NEAR(is / (x * x * x / 3), 1, 1e-4) << n;
        before = is;
    }
    c.n = 4000000;
    EXPECT_EQ(gmmu_blas_flops(&c), UINT64_MAX);
}

}  // namespace
