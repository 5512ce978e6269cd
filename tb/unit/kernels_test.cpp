// SPDX-License-Identifier: Apache-2.0
// kernels_test.cpp: tests of the kernels of `gmmu record`.
//
// Every kernel checks its own result against a CPU implementation; here that check is run over
// sizes, blocks and machines, and made to fail. Walks are held against TLBs written in the plainest
// way.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "simt_bench.h"

namespace {

using namespace simt_bench;

// ---------------------------------------------------------------- kernels

// Sizes that tests take: those of squares and cubes of points are smaller, for the time they need.
struct Limits {
    uint64_t any;    // largest with all blocks and machines
    uint64_t one;    // largest with blocks of 256
    uint64_t flip;   // every bit of the result is flipped
    uint64_t walks;  // many walks through small TLBs
};

Limits limits_of(const gmmu_simt_kernel *k) {
    static const std::map<std::string, Limits> limits = {
        {"2dconv", {33, 100, 18, 160}},
        {"atax", {129, 129, 50, 160}},
        {"gemm", {33, 100, 18, 100}},
        {"hotspot", {33, 100, 18, 160}},
        {"srad_v2", {33, 100, 18, 160}},
        {"3dconv", {9, 33, 5, 44}},
        {"2mm", {33, 100, 18, 120}},
        {"atax_reg", {129, 129, 50, 160}},
        {"gemm_reg", {33, 100, 18, 140}},
        {"bicg", {129, 129, 50, 160}},
        {"mvt", {129, 129, 50, 160}},
        {"gesummv", {129, 129, 50, 160}},
        {"syrk", {33, 100, 18, 110}},
        {"syr2k", {33, 100, 18, 80}},
        {"corr", {33, 33, 18, 100}},
        {"covar", {33, 33, 18, 100}},
        {"fdtd2d", {33, 100, 18, 100}},
        {"gramschmidt", {33, 33, 12, 90}},
        {"stencil", {3, 33, 6, 33}},
        {"histo", {1, 31, 2, 33}},
        {"sgemm", {100, 129, 18, 200}},
        {"sad", {3, 31, 1, 33}},
        {"cutcp", {3, 31, 1, 31}},
        {"pagerank", {129, 129, 50, 1500}},
        {"sssp", {129, 129, 50, 1500}},
        {"bfs_frontier", {129, 129, 50, 3000}},
        {"multivectoradd", {129, 129, 50, 20000}},
        {"hotspot3d", {31, 33, 6, 80}},
        {"pathfinder", {129, 129, 129, 3000}},
        {"nw", {129, 129, 18, 160}},
        {"backprop", {129, 129, 18, 4000}},
        {"dwt2d", {33, 129, 18, 160}},
        {"cfd", {129, 129, 18, 2000}},
        {"b+tree", {129, 129, 500, 60000}},
        {"hybridsort", {3, 33, 50, 20000}},
        {"lavamd", {1, 2, 1, 16}},
        {"heartwall", {0, 0, 1, 1}},
        {"leukocyte", {0, 3, 1, 54}},
        {"spmm", {33, 129, 3, 200}},
    };
    auto it = limits.find(k->name);
    return it != limits.end() ? it->second : Limits{129, 129, 50, 6000};
}

TEST(Kernels, ResultIsRightAtEverySizeBlockAndMachine) {
    unsigned runs = 0;
    for (const gmmu_simt_kernel *k : all_kernels()) {
        for (uint64_t size : {1, 3, 32, 33, 100, 129}) {
            for (unsigned block : {1u, 48u, 256u}) {
                if (size > (block == 256 ? limits_of(k).one : limits_of(k).any))
                    continue;
                gmmu_simt_params p = gmmu_simt_defaults(k);
                p.size = size;
                p.block = block;
                run(k, p);
                runs++;
                if (block == 48 && size > 33)
                    continue;
                p.sms = 1;
                p.blocks_per_sm = 1;
                p.l1_entries = 2;
                p.l2_entries = 0;
                p.seed = size;
                run(k, p);
                runs++;
            }
        }
    }
    std::printf("%u runs\n", runs);
}

TEST(Kernels, BfsOnManyGraphs) {
    for (uint64_t seed = 0; seed < 20; seed++) {
        gmmu_simt_params p = gmmu_simt_defaults(&gmmu_simt_bfs);
        p.size = 700 + 13 * seed;
        p.seed = seed;
        p.block = 100;
        run(&gmmu_simt_bfs, p);
    }
}

TEST(Kernels, EveryFlippedBitOfTheResultIsFound) {
    for (const gmmu_simt_kernel *k : all_kernels()) {
        gmmu_simt_params p = gmmu_simt_defaults(k);
        p.size = limits_of(k).flip;
        p.block = 32;  // cfd's mesh is padded to whole blocks
        Machine m = machine(k, p);
        gmmu_error err = {};
        gmmu_simt_hooks hooks = {};
        ASSERT_EQ(gmmu_simt_run(m.get(), &hooks, &err), GMMU_OK);
        ASSERT_EQ(gmmu_simt_check(m.get(), &err), GMMU_OK) << err.text;
        const gmmu_array *a = gmmu_simt_result(m.get());
        auto *bytes = static_cast<unsigned char *>(a->data);
        for (size_t bit = 1; bit < 8 * a->count * a->element; bit += 7) {
            bytes[bit / 8] = static_cast<unsigned char>(bytes[bit / 8] ^ 1u << bit % 8);
            bool zero = k == &gmmu_simt_atax &&
                        static_cast<double *>(a->data)[bit / 64] == 0.0;  // -0 equals 0
            EXPECT_EQ(gmmu_simt_check(m.get(), &err), zero ? GMMU_OK : GMMU_BAD) << bit;
            bytes[bit / 8] = static_cast<unsigned char>(bytes[bit / 8] ^ 1u << bit % 8);
        }
        EXPECT_EQ(gmmu_simt_check(m.get(), &err), GMMU_OK) << err.text;
    }
}

TEST(Kernels, WalksAreWhatNaiveTlbsLetThrough) {
    uint64_t checked = 0;
    for (const gmmu_simt_kernel *k : all_kernels()) {
        gmmu_simt_params p = gmmu_simt_defaults(k);
        p.size = limits_of(k).walks;
        p.block = 96;
        p.sms = 5;
        p.page_shift = 10;
        p.l1_entries = 24;
        p.l2_entries = 60;
        p.l2_ways = 4;
        Recording rec = run(k, p);
        std::vector<NaiveTlb> l1(p.sms, NaiveTlb(p.l1_entries, p.l1_entries));
        NaiveTlb l2(p.l2_entries, p.l2_ways);
        std::vector<Walk> expected;
        uint64_t time = 1;
        for (const Walk &a : rec.accesses) {
            EXPECT_TRUE(std::get<2>(a) == time || std::get<2>(a) == time + 1);
            time = std::get<2>(a);
            if (!l1[std::get<3>(a)].access(std::get<0>(a)) && !l2.access(std::get<0>(a)))
                expected.push_back(a);
        }
        EXPECT_GT(expected.size(), 500u);
        EXPECT_LT(expected.size(), rec.accesses.size());
        EXPECT_EQ(rec.walks, expected);
        checked += rec.accesses.size();
    }
    std::printf("%llu accesses\n", static_cast<unsigned long long>(checked));
}

// Sizes at which each array but spmm's sparse matrix has more than the memory of a folded array.
TEST(Kernels, FoldedArraysGiveTheSameWalks) {
    const std::map<std::string, uint64_t> sizes = {{"multivectoradd", 540000},
                                                   {"hotspot", 740},
                                                   {"srad_v2", 740},
                                                   {"stencil", 83},
                                                   {"2dconv", 740},
                                                   {"nw", 740},
                                                   {"spmm", 4200}};
    unsigned folded = 0;
    for (const gmmu_simt_kernel *k : all_kernels()) {
        gmmu_simt_params p = gmmu_simt_defaults(k);
        gmmu_error err = {};
        p.fold = true;
        if (!k->folds) {
            EXPECT_EQ(gmmu_simt_create(k, &p, &err), nullptr) << k->name;
            EXPECT_NE(std::string(err.text).find("whose data decide addresses"), std::string::npos)
                << err.text;
            continue;
        }
        ASSERT_EQ(sizes.count(k->name), 1u) << k->name;
        p.size = sizes.at(k->name);
        p.l1_entries = 8;
        p.l2_entries = 64;
        Recording rec;
        gmmu_simt_hooks hooks = {};
        hooks.ctx = &rec;
        hooks.walk = on_walk;
        Machine m = machine(k, p);
        const gmmu_array *result = gmmu_simt_result(m.get());
        ASSERT_GT(result->count * result->element, uint64_t{GMMU_SPACE_FOLD}) << k->name;
        EXPECT_EQ(gmmu_simt_run(m.get(), &hooks, &err), GMMU_OK) << err.text;
        auto *bytes = static_cast<unsigned char *>(result->data);
        bytes[0] = 1;
        EXPECT_EQ(bytes[GMMU_SPACE_FOLD], 1) << k->name;
        bytes[GMMU_SPACE_FOLD] = 2;
        EXPECT_EQ(bytes[0], 2) << k->name;
        p.fold = false;
        EXPECT_EQ(rec.walks, run(k, p).walks) << k->name;
        folded++;
    }
    EXPECT_EQ(folded, sizes.size());
}

TEST(Kernels, AtaxIssuesThePlannedInstructions) {
    gmmu_simt_params p = gmmu_simt_defaults(&gmmu_simt_atax);
    p.size = 70;
    Recording rec = run(&gmmu_simt_atax, p);
    std::map<uint64_t, std::map<uint64_t, int>> issued;  // ref -> time -> pages
    for (const Walk &a : rec.accesses) {
        issued[std::get<1>(a)][std::get<2>(a)]++;
        EXPECT_EQ(std::get<4>(a), std::get<1>(a) == 0x40 || std::get<1>(a) == 0x80);
    }
    ASSERT_EQ(issued.size(), 8u);
    for (uint64_t ref = 0x10; ref <= 0x80; ref += 0x10)
        EXPECT_EQ(issued[ref].size(), 3u * 70) << ref;  // 3 warps, 70 iterations
}

TEST(Kernels, BfsLoadsLoadAndStoresStore) {
    gmmu_simt_params p = gmmu_simt_defaults(&gmmu_simt_bfs);
    p.size = 500;
    Recording rec = run(&gmmu_simt_bfs, p);
    std::map<uint64_t, bool> writes;
    for (const Walk &a : rec.accesses)
        EXPECT_EQ(writes.emplace(std::get<1>(a), std::get<4>(a)).first->second, std::get<4>(a));
    std::map<uint64_t, bool> expected;
    for (unsigned k = 0; k < 14; k++)
        expected[0x10 + 0x10 * k] = k == 1 || k == 7 || k == 8 || k > 9;
    EXPECT_EQ(writes, expected);
}

// Of each other kernel, where no square or row is a whole number of blocks: which instructions
// store, and how many elements each touches in all.
TEST(Kernels, EveryInstructionTouchesThePlannedElements) {
    constexpr uint64_t n = 45;
    const uint64_t all = n * n;
    const Plan plans[] = {
        {&gmmu_simt_gemm, n, {all, all, n * all, n * all, n * all, n * all}, {1, 5}},
        {&gmmu_simt_2dconv, n, std::vector<uint64_t>(10, 12 * (n - 2) * (n - 2)), {9}},
        // 4 x 4 tiles of 14 points: 3 inner seams of 2 points, loaded twice
        {&gmmu_simt_hotspot, n, {16 * (n + 6) * (n + 6), 16 * (n + 6) * (n + 6), 16 * all}, {2}},
        // 3 x 3 tiles, the last of 13 points
        {&gmmu_simt_srad_v2,
         n,
         {6 * 29 * n, 6 * 32 * n, 6 * 16 * n, 6 * 13 * n, 6 * 29 * n, 6 * 32 * n, 6 * 16 * n,
          6 * 13 * n, 6 * all,    6 * all,    6 * all,    6 * all,    6 * all,    6 * all,
          6 * all,    6 * 32 * n, 6 * 13 * n, 6 * 32 * n, 6 * 13 * n, 6 * all,    6 * all,
          6 * all,    6 * all,    6 * all,    6 * all},
         {9, 10, 11, 12, 13, 24}},
        {&gmmu_simt_spmv, n, {8 * n, 8 * n, 0, 0, 0, 8 * n, 8 * n, 8 * n}, {5, 7}},
        {&gmmu_simt_spmm, n, {2 * 128 * n, 2 * 128 * n, 0, 0, 0, 2 * 128 * n}, {5}},
        {&gmmu_simt_spmv_jds, n, {50 * n, 0, 0, 0, 0, 50 * n, 50 * n}, {6}},
        {&gmmu_simt_kmeans, n, {16 * n, 16 * n, 4 * 5 * 16 * n, 4 * 5 * 16 * n, 4 * n}, {1, 4}}};
    for (const Plan &plan : plans) {
        Tally tally = expect_plan(plan);
        // A column, a value and an x for each element of the sparse matrix.
        if (plan.kernel == &gmmu_simt_spmv) {
            EXPECT_EQ(tally.elements[0x30], tally.elements[0x40]);
            EXPECT_EQ(tally.elements[0x30], tally.elements[0x50]);
            EXPECT_GE(tally.elements[0x30], 8 * 2 * n);
        }
        // Two edges a row, at both ends, for each feature in both layers.
        if (plan.kernel == &gmmu_simt_spmm) {
            for (uint64_t ref : {0x30, 0x40, 0x50}) {
                EXPECT_EQ(tally.elements[ref], 2 * 128 * 4 * n) << ref;
            }
        }
        // The same, with the padding of each warp; the beginnings are loaded with them.
        if (plan.kernel == &gmmu_simt_spmv_jds) {
            for (uint64_t ref : {0x20, 0x40, 0x50})
                EXPECT_EQ(tally.elements[0x30], tally.elements[ref]);
            EXPECT_GE(tally.elements[0x30], 50 * n);
            EXPECT_LE(tally.elements[0x30], 50 * 49 * n);
        }
    }
}

TEST(Kernels, SameSeedSameTraceOtherSeedOtherTrace) {
    gmmu_simt_params p = gmmu_simt_defaults(&gmmu_simt_bfs);
    p.size = 30000;
    p.l1_entries = 16;
    p.l2_entries = 64;
    Recording a = run(&gmmu_simt_bfs, p);
    Recording b = run(&gmmu_simt_bfs, p);
    p.seed = 2;
    Recording c = run(&gmmu_simt_bfs, p);
    EXPECT_GT(a.walks.size(), 1000u);
    EXPECT_EQ(a.walks, b.walks);
    EXPECT_NE(a.walks, c.walks);
}

}  // namespace
