// SPDX-License-Identifier: Apache-2.0
// choices.cpp: the numbers that a user of `gmmu record` chooses of a kernel (--launches,
// --features, --depth, --element), and the arrays that are paged (--arrays), by closed form.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "simt/simt.h"
#include "simt_bench.h"

namespace {

using namespace simt_bench;

struct Counted {
    gmmu_simt_stats stats;
    std::map<std::string, uint64_t> bytes;  // of each array
    std::map<uint64_t, uint64_t> elements;  // that each instruction touched
    std::vector<Walk> walks;
};

int count_op(void *ctx, const gmmu_simt_warp *, unsigned, const gmmu_simt_op *op, gmmu_error *) {
    static_cast<Counted *>(ctx)->elements[op->ref] +=
        static_cast<unsigned>(__builtin_popcount(op->mask));
    return GMMU_OK;
}

int count_walk(void *ctx, const gmmu_walk *w, gmmu_error *) {
    static_cast<Counted *>(ctx)->walks.push_back(tuple_of(w));
    return GMMU_OK;
}

// Runs the kernel; its own check of the result must pass.
Counted counted(const gmmu_simt_kernel *k, const gmmu_simt_params &p) {
    Counted out = {};
    Machine m = machine(k, p);
    if (!m)
        return out;
    gmmu_simt_hooks hooks = {};
    hooks.ctx = &out;
    hooks.op = count_op;
    hooks.walk = count_walk;
    gmmu_error err = {};
    EXPECT_EQ(gmmu_simt_run(m.get(), &hooks, &err), GMMU_OK) << err.text;
    EXPECT_EQ(gmmu_simt_check(m.get(), &err), GMMU_OK) << err.text;
    out.stats = gmmu_simt_get_stats(m.get());
    const gmmu_space *space = gmmu_simt_space(m.get());
    for (unsigned i = 0; i < space->arrays; i++)
        out.bytes[space->array[i].name] = space->array[i].count * space->array[i].element;
    return out;
}

std::string refusal(const gmmu_simt_kernel *k, const gmmu_simt_params &p) {
    gmmu_error err = {};
    gmmu_simt *m = gmmu_simt_create(k, &p, &err);
    gmmu_simt_destroy(m);
    return m == nullptr ? err.text : "";
}

gmmu_simt_params params(const char *kernel, uint64_t size, unsigned block = 64) {
    gmmu_simt_params p = gmmu_simt_defaults(gmmu_simt_find(kernel));
    p.size = size;
    p.block = block;
    return p;
}

TEST(Choices, LaunchesAreRoundsOfGrids) {
    struct {
        const char *kernel;
        uint64_t size;
        unsigned grids, before;  // of a round; once
    } cases[] = {{"hotspot", 20, 1, 0},   {"2dconv", 20, 1, 0},   {"srad_v2", 20, 2, 0},
                 {"hotspot3d", 12, 1, 0}, {"stencil", 9, 1, 0},   {"backprop", 50, 2, 0},
                 {"pagerank", 60, 2, 0},  {"histo", 3, 4, 0},     {"kmeans", 70, 1, 1},
                 {"mri-q", 40, 1, 1},     {"heartwall", 1, 1, 0}, {"spmv_jds", 90, 1, 0}};
    for (auto &c : cases) {
        const gmmu_simt_kernel *k = gmmu_simt_find(c.kernel);
        ASSERT_NE(k, nullptr) << c.kernel;
        for (unsigned launches : {1u, 2u, 5u}) {
            gmmu_simt_params p = params(c.kernel, c.size);
            p.launches = launches;
            EXPECT_EQ(counted(k, p).stats.grids, c.grids * launches + c.before) << c.kernel;
        }
        EXPECT_EQ(counted(k, params(c.kernel, c.size)).stats.grids,
                  c.grids * k->launches.own + c.before)
            << c.kernel;
    }
}

TEST(Choices, PathfinderDividesItsRows) {
    for (unsigned depth : {2u, 9u, 10u, 100u}) {
        for (unsigned launches : {1u, 3u, 8u}) {
            gmmu_simt_params p = params("pathfinder", 300, 256);
            p.depth = depth;
            p.launches = launches;
            Counted r = counted(&gmmu_simt_pathfinder, p);
            unsigned rows = depth - 1;
            unsigned height = std::min((rows + launches - 1) / launches, 127u);
            EXPECT_EQ(r.stats.grids, (rows + height - 1) / height) << depth << " " << launches;
            EXPECT_EQ(r.bytes["wall"], 300u * rows * 4);
        }
    }
}

TEST(Choices, FeaturesAreNumbersOfAPointAndEdgesOfAVertex) {
    for (unsigned features : {1u, 34u, 256u}) {
        gmmu_simt_params p = params("kmeans", 70);
        p.features = features;
        p.launches = 3;
        Counted r = counted(&gmmu_simt_kmeans, p);
        EXPECT_EQ(r.bytes["input"], 70u * features * 4);
        EXPECT_EQ(r.elements[gmmu_simt_ref(0)], 70u * features);          // input
        EXPECT_EQ(r.elements[gmmu_simt_ref(2)], 3u * 5 * 70 * features);  // features, 5 clusters
    }
    for (unsigned features : {1u, 3u, 16u}) {
        gmmu_simt_params p = params("bfs", 200);
        p.features = features;
        EXPECT_EQ(counted(&gmmu_simt_bfs, p).bytes["edges"], 2u * 200 * features * 4);
    }
}

// Both searches load each edge of a vertex that is reached once, level by level.
TEST(Choices, AFrontierTakesTheVerticesAndEdgesOfBfs) {
    for (uint64_t seed = 1; seed <= 12; seed++) {
        gmmu_simt_params p = params("bfs", 300 + 37 * seed, 96);
        p.seed = seed;
        p.features = 1 + seed % 5;
        Counted all = counted(&gmmu_simt_bfs, p);
        Counted list = counted(&gmmu_simt_bfs_frontier, p);
        const uint64_t reached = all.elements[gmmu_simt_ref(2)];  // nodes, first
        EXPECT_GT(reached, 100u);
        EXPECT_EQ(all.stats.grids, 2 * list.stats.grids);                 // a level
        EXPECT_EQ(list.elements[gmmu_simt_ref(0)], GMMU_WARP * reached);  // a warp a vertex
        EXPECT_EQ(list.elements[gmmu_simt_ref(3)], all.elements[gmmu_simt_ref(4)]);  // edges
        EXPECT_EQ(list.elements[gmmu_simt_ref(7)], reached - 1);  // found once each
    }
}

TEST(Choices, DepthIsThatOfTheStackAndOfARound) {
    for (unsigned depth : {1u, 2u, 3u, 8u, 31u}) {
        gmmu_simt_params p = params("stencil", 11);
        p.depth = depth;
        p.launches = 3;
        Counted r = counted(&gmmu_simt_stencil, p);
        EXPECT_EQ(r.bytes["a0"], 11u * 11 * depth * 4);
        // Points that are not on a face, of both halves of the tiles.
        EXPECT_EQ(r.elements[gmmu_simt_ref(8)] + r.elements[gmmu_simt_ref(13)],
                  depth < 3 ? 0u : 3u * 9 * 9 * (depth - 2));
    }
    gmmu_simt_params cube = params("stencil", 11);
    EXPECT_EQ(counted(&gmmu_simt_stencil, cube).bytes["a0"], 11u * 11 * 11 * 4);
    for (unsigned depth : {1u, 100u}) {
        gmmu_simt_params p = params("mri-q", 40);
        p.depth = depth;
        p.launches = 3;
        Counted r = counted(&gmmu_simt_mriq, p);
        EXPECT_EQ(r.elements[gmmu_simt_ref(8)], 3u * 40 * depth);  // the point's x
        EXPECT_EQ(r.bytes["re"], 3u * depth * 4);
    }
}

TEST(Choices, ElementsOfGemm) {
    for (unsigned element : {4u, 8u}) {
        for (uint64_t size : {1, 20, 33}) {
            gmmu_simt_params p = params("gemm", size);
            p.element = element;
            Counted r = counted(&gmmu_simt_gemm, p);
            EXPECT_EQ(r.bytes["A"], size * size * element);
            EXPECT_EQ(r.elements[gmmu_simt_ref(5)], size * size * size);
        }
    }
}

TEST(Choices, OnesThatDoNotFitAreRefused) {
    gmmu_simt_params p = params("gemm", 10);
    p.launches = 2;
    EXPECT_EQ(refusal(&gmmu_simt_gemm, p),
              "launches: found kernel gemm, which has no such choice, expected none");
    p = params("gemm", 10);
    p.element = 6;
    EXPECT_EQ(refusal(&gmmu_simt_gemm, p), "element: found 6 bytes, expected 4 or 8");
    p = params("atax", 10);
    p.element = 4;
    EXPECT_EQ(refusal(&gmmu_simt_atax, p),
              "element: found kernel atax, which has no such choice, expected none");
    p = params("kmeans", 10);
    p.features = 257;
    EXPECT_EQ(refusal(&gmmu_simt_kmeans, p), "features: found 257, expected 1 to 256");
    p = params("mri-q", 10);
    p.depth = 65537;
    EXPECT_EQ(refusal(&gmmu_simt_mriq, p), "depth: found 65537, expected 1 to 65536");
    p = params("stencil", 10);
    p.depth = 1025;
    EXPECT_EQ(refusal(&gmmu_simt_stencil, p), "depth: found 1025, expected 1 to 1024");
}

// ---------------------------------------------------------------- arrays

// Without TLBs each page access is a walk: those of the chosen arrays stay, in their order.
TEST(Arrays, WalksOfTheChosenOnesStay) {
    struct {
        const char *kernel, *arrays;
        uint64_t size;
    } cases[] = {{"bfs", "edges", 3000},
                 {"pagerank", "from", 700},
                 {"sssp", "to,weight", 500},
                 {"histo", "sums,counts", 4},
                 {"kmeans", "membership", 3000}};
    for (auto &c : cases) {
        const gmmu_simt_kernel *k = gmmu_simt_find(c.kernel);
        gmmu_simt_params p = params(c.kernel, c.size);
        p.l1_entries = p.l2_entries = 0;
        Machine m = machine(k, p);
        const gmmu_space *space = gmmu_simt_space(m.get());
        std::map<uint64_t, bool> wanted;
        std::string list = std::string(",") + c.arrays + ",";
        for (unsigned i = 0; i < space->arrays; i++) {
            const gmmu_array *a = &space->array[i];
            bool in = list.find(std::string(",") + a->name + ",") != std::string::npos;
            for (uint64_t n = 0; n < gmmu_space_array_pages(space, a); n++)
                wanted[(a->base >> space->page_shift) + n] = in;
        }
        Counted all = counted(k, p);
        std::vector<Walk> expected;
        for (const Walk &w : all.walks)
            if (wanted[std::get<0>(w)])
                expected.push_back(w);
        p.arrays = c.arrays;
        Counted some = counted(k, p);
        EXPECT_EQ(some.walks, expected) << c.kernel;
        EXPECT_FALSE(expected.empty());
        EXPECT_LT(expected.size(), all.walks.size());
        EXPECT_EQ(some.stats.instructions, all.stats.instructions);
        EXPECT_EQ(some.stats.accesses, some.stats.walks);
    }
}

TEST(Arrays, AllNamedIsAsNoneNamed) {
    gmmu_simt_params p = params("gemm", 40);
    Counted none = counted(&gmmu_simt_gemm, p);
    p.arrays = "A,B,C";
    EXPECT_EQ(counted(&gmmu_simt_gemm, p).walks, none.walks);
}

TEST(Arrays, UnknownNamesAreRefused) {
    gmmu_simt_params p = params("gemm", 10);
    for (const char *arrays : {"D", "A,D", "A,", "", ",A", "AB", "a"}) {
        p.arrays = arrays;
        EXPECT_EQ(refusal(&gmmu_simt_gemm, p).rfind("arrays: found '", 0), 0u) << arrays;
    }
}

}  // namespace
