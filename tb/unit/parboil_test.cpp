// SPDX-License-Identifier: Apache-2.0
// parboil_test.cpp: tests of the kernels of Parboil and GMT, and of the graphs that some work on.
//
// kernels_test.cpp runs every kernel's own check over sizes, blocks and machines. Here: which
// instructions touch how many elements, counted from the algorithm; graphs; and, from the arrays
// that a machine leaves, results whose kernels compute them in a roundabout way.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "simt/kernels/graph.h"
#include "simt_bench.h"

namespace {

using namespace simt_bench;

gmmu_simt_params params(const gmmu_simt_kernel *k, uint64_t size, uint64_t seed = 1) {
    gmmu_simt_params p = gmmu_simt_defaults(k);
    p.size = size;
    p.seed = seed;
    return p;
}

// A machine that has run, and its arrays.
class Done {
   public:
    explicit Done(const gmmu_simt_kernel *k, const gmmu_simt_params &p) : m_(machine(k, p)) {
        gmmu_error err = {};
        gmmu_simt_hooks hooks = {};
        EXPECT_EQ(gmmu_simt_run(m_.get(), &hooks, &err), GMMU_OK) << err.text;
        EXPECT_EQ(gmmu_simt_check(m_.get(), &err), GMMU_OK) << err.text;
    }
    template <typename T>
    std::vector<T> array(const std::string &name) const {
        const gmmu_space *s = gmmu_simt_space(m_.get());
        for (unsigned i = 0; i < s->arrays; i++) {
            const gmmu_array &a = s->array[i];
            if (a.name != name)
                continue;
            EXPECT_EQ(a.element, sizeof(T)) << name;
            auto *first = static_cast<const T *>(a.data);
            return std::vector<T>(first, first + a.count);
        }
        ADD_FAILURE() << "no array " << name;
        return {};
    }

   private:
    Machine m_;
};

// ---------------------------------------------------------------- graphs

struct Graph {
    std::vector<uint32_t> first, to, weight;
    Graph(uint64_t n, unsigned factor, uint64_t seed, bool weights = true)
        : first(n + 1), to(gmmu_graph_entries(n, factor)), weight(to.size()) {
        EXPECT_TRUE(gmmu_graph_make(n, factor, seed, first.data(), to.data(),
                                    weights ? weight.data() : nullptr));
    }
};

TEST(Graphs, AreUndirectedWithoutLoopsAndWeighted) {
    for (uint64_t n : {2, 3, 31, 64, 1000}) {
        for (unsigned factor : {1u, 2u, 16u}) {
            Graph g(n, factor, n + factor);
            ASSERT_EQ(g.to.size(), 2 * n * factor);
            ASSERT_EQ(g.first.front(), 0u);
            ASSERT_EQ(g.first.back(), g.to.size());
            std::multiset<std::tuple<uint32_t, uint32_t, uint32_t>> there, back;
            for (uint32_t v = 0; v < n; v++) {
                ASSERT_LE(g.first[v], g.first[v + 1]);
                for (uint32_t e = g.first[v]; e < g.first[v + 1]; e++) {
                    EXPECT_NE(g.to[e], v);
                    EXPECT_LT(g.to[e], n);
                    EXPECT_GE(g.weight[e], 1u);
                    EXPECT_LE(g.weight[e], unsigned{GMMU_GRAPH_MOST_WEIGHT});
                    there.insert({v, g.to[e], g.weight[e]});
                    back.insert({g.to[e], v, g.weight[e]});
                }
            }
            EXPECT_EQ(there, back);
        }
    }
}

TEST(Graphs, AreThoseOfTheirSeedWithOrWithoutWeights) {
    Graph a(500, 4, 9), b(500, 4, 9, false), c(500, 4, 10);
    EXPECT_EQ(a.first, b.first);
    EXPECT_EQ(a.to, b.to);
    EXPECT_NE(a.to, c.to);
    EXPECT_EQ(std::set<uint32_t>(a.weight.begin(), a.weight.end()).size() > 200, true);
}

// Counts by hand: of 2^14 vertices the probability that a given bit of an end is 0 is 76 %, so that
// the vertex of all zeros has 0.76^14 = 2 % of all ends, and 350 times the average.
TEST(Graphs, HaveFewVerticesOfManyEdges) {
    constexpr uint64_t n = 1 << 14;
    Graph g(n, 8, 3);
    std::vector<uint32_t> degree;
    for (uint64_t v = 0; v < n; v++) degree.push_back(g.first[v + 1] - g.first[v]);
    uint32_t hub = gmmu_graph_hub(n, g.first.data());
    uint32_t most = *std::max_element(degree.begin(), degree.end());
    EXPECT_EQ(degree[hub], most);
    EXPECT_EQ(std::find(degree.begin(), degree.end(), most) - degree.begin(), hub);
    EXPECT_GT(most, 0.018 * 16 * n);
    EXPECT_LT(most, 0.024 * 16 * n);
    EXPECT_GT(std::count(degree.begin(), degree.end(), 0u), static_cast<long>(n / 10));
}

TEST(Graphs, OfOneVertexHaveNoEdge) {
    uint32_t first[2] = {7, 7}, none = 0;
    EXPECT_EQ(gmmu_graph_entries(1, 16), 0u);
    ASSERT_TRUE(gmmu_graph_make(1, 16, 1, first, &none, &none));
    EXPECT_EQ(first[0], 0u);
    EXPECT_EQ(first[1], 0u);
    EXPECT_EQ(gmmu_graph_hub(1, first), 0u);
}

TEST(GraphKernels, OnManyGraphsAndMachines) {
    for (const gmmu_simt_kernel *k : {&gmmu_simt_sssp, &gmmu_simt_pagerank}) {
        for (uint64_t seed = 0; seed < 12; seed++) {
            gmmu_simt_params p = params(k, 200 + 37 * seed, seed);
            p.block = 1 + static_cast<unsigned>(seed) * 40;
            p.sms = 1 + static_cast<unsigned>(seed) % 5;
            run(k, p);
        }
    }
}

// Every edge holds: no distance is longer than a neighbour's and the edge, and all but the source's
// are as long as one of these.
TEST(GraphKernels, DistancesAreShortestByTheirDefinition) {
    constexpr uint64_t n = 800;
    Done done(&gmmu_simt_sssp, params(&gmmu_simt_sssp, n, 5));
    auto distance = done.array<uint32_t>("distance");
    Graph g(n, 16, 5);
    EXPECT_EQ(g.to, done.array<uint32_t>("to"));
    uint32_t source = gmmu_graph_hub(n, g.first.data());
    EXPECT_EQ(distance[source], 0u);
    uint64_t reached = 0;
    for (uint32_t v = 0; v < n; v++) {
        uint64_t best = UINT32_MAX;
        for (uint32_t e = g.first[v]; e < g.first[v + 1]; e++)
            best = std::min(best, uint64_t{distance[g.to[e]]} + g.weight[e]);
        if (v != source) {
            EXPECT_EQ(distance[v], best) << v;
        }
        reached += distance[v] != UINT32_MAX;
    }
    EXPECT_GT(reached, n / 2);
}

// Scores sum up to 1 less what vertices without edges do not hand on.
TEST(GraphKernels, ScoresSumUp) {
    constexpr uint64_t n = 2000;
    Done done(&gmmu_simt_pagerank, params(&gmmu_simt_pagerank, n));
    auto first = done.array<uint32_t>("first");
    auto score = done.array<float>("score");
    uint64_t lonely = 0;
    double sum = 0;
    for (uint64_t v = 0; v < n; v++) {
        lonely += first[v] == first[v + 1];
        sum += static_cast<double>(score[v]);
    }
    double held = static_cast<double>(n - lonely) / n;  // by those that hand on; at first all
    for (int t = 0; t < 6; t++) held = (0.15 + 0.85 * held * n / (n - lonely)) * (n - lonely) / n;
    EXPECT_GT(lonely, 0u);
    EXPECT_NEAR(sum, held + 0.15 * lonely / n, 0.05);
    EXPECT_GT(sum, 0.5);
    EXPECT_LT(sum, 1.0);
}

// ---------------------------------------------------------------- which instructions touch what

TEST(Plans, MultiVectorAdd) {
    constexpr uint64_t n = 1000;
    expect_plan({&gmmu_simt_multivectoradd, n, {3 * n, 3 * n, 3 * n}, {2}});
}

TEST(Plans, PageRank) {
    constexpr uint64_t n = 300, all = 6 * n, edges = 6 * 32 * n;
    expect_plan(
        {&gmmu_simt_pagerank, n, {all, all, all, all, all, all, edges, edges, all}, {3, 8}});
}

TEST(Plans, ShortestPaths) {
    constexpr uint64_t n = 300;
    Tally t = expect_plan({&gmmu_simt_sssp, n, std::vector<uint64_t>(15, 0), {8, 9, 12, 13, 14}});
    auto of = [&t](unsigned k) { return t.elements[gmmu_simt_ref(k)]; };
    EXPECT_EQ(of(0) % n, 0u);  // both grids as often, over all vertices
    EXPECT_EQ(of(10), of(0));
    EXPECT_EQ(of(11), of(0));
    for (unsigned k : {2u, 3u, 9u}) EXPECT_EQ(of(k), of(1)) << k;
    EXPECT_EQ(of(13), of(12));
    EXPECT_EQ(of(14), of(12));
    EXPECT_EQ(of(1), of(12) + 1);  // a label for each new distance, and the source's
    EXPECT_GE(of(4), of(5));       // less those whose vertex was reached on a shorter way meanwhile
    EXPECT_EQ(of(6), of(5));
    EXPECT_EQ(of(7), of(5));
    EXPECT_LT(of(8), of(7));
    EXPECT_GE(of(8), of(12));
}

TEST(Plans, Sgemm) {
    constexpr uint64_t n = 150;  // 2 x 10 tiles
    expect_plan({&gmmu_simt_sgemm, n, {2 * n * n, 10 * n * n, n * n, n * n}, {3}});
}

TEST(Plans, MriQ) {
    constexpr uint64_t n = 300, k = 256;
    std::vector<uint64_t> elements = {k, k, k};
    elements.insert(elements.end(), 5, 8 * n);
    elements.insert(elements.end(), 4, k * n);
    elements.insert(elements.end(), 2, 8 * n);
    expect_plan({&gmmu_simt_mriq, n, elements, {2, 12, 13}});
}

// 70 x 70 columns in tiles of 64 x 8; 68 x 68 x 68 inner points. First points of a thread: columns
// 0 to 31 and 64 to 69, second points: 32 to 63. Tiles' rows 7, 15, ... 63 are the last of a tile,
// 8, 16, ... 64 the first. Column 64 is a tile's first, 63 its last.
TEST(Plans, Stencil) {
    constexpr uint64_t n = 70, in = 68, t = 8;
    expect_plan({&gmmu_simt_stencil,
                 n,
                 {t * 38 * n, t * 38 * n, t * 32 * n, t * 32 * n,  //
                  t * 38 * n * in, t * 36 * 8 * in, t * 36 * 8 * in, t * in * in, t * 36 * in * in,
                  t * 32 * n * in, t * 32 * 8 * in, t * 32 * 8 * in, t * in * in, t * 32 * in * in},
                 {8, 13}});
}

TEST(Plans, Sad) {
    constexpr uint64_t mb = 4;  // 20 pixels are 2 x 2 macroblocks
    std::vector<uint64_t> elements = {16 * 16 * mb};
    elements.insert(elements.end(), 6, 16 * mb * 363 * 4);  // for 3 places each
    elements.push_back(16 * mb * 1096 / 4);
    elements.insert(elements.end(), 9, mb * 4 * 545);
    elements.insert(elements.end(), 9, mb * 545);
    expect_plan({&gmmu_simt_sad, 20, elements, {7, 12, 13, 14, 15, 16, 21, 22, 23, 24, 25}});
}

TEST(Plans, Cutcp) {
    constexpr uint64_t regions = 27;                         // of 24 x 24 x 24 points
    constexpr uint64_t bins = 7 * 7 * 7 - 8;                 // without the corners
    std::vector<uint64_t> elements(5, 16 * bins * regions);  // half a warp for a bin
    elements.insert(elements.end(), 4, 128 * regions);
    expect_plan({&gmmu_simt_cutcp, 20, elements, {5, 6, 7, 8}});
}

TEST(Plans, Histo) {
    constexpr uint64_t n = 129, pixels = 996 * n, bins = 24576 * 17, t = 3;
    constexpr uint64_t sampled = t * 64 * (pixels / 64 / 8);
    std::vector<uint64_t> elements(31, 0);
    elements[0] = elements[1] = sampled;
    elements[2] = elements[3] = t * 64;
    elements[4] = elements[5] = elements[6] = t * pixels / 2;
    Tally tally =
        expect_plan({&gmmu_simt_histo,
                     n,
                     elements,
                     {2, 3, 5, 6, 8, 9, 10, 11, 13, 14, 15, 16, 17, 19, 20, 22, 27, 29, 30}});
    auto of = [&tally](unsigned k) { return tally.elements[gmmu_simt_ref(k)]; };
    uint64_t ranges = of(7) / t / pixels;
    EXPECT_EQ(of(7), ranges * t * pixels);
    EXPECT_GE(ranges, 1u);
    for (unsigned k : {14u, 15u, 16u, 17u}) EXPECT_EQ(of(k), t * ranges * 14 * 24576 / 4);
    for (unsigned k : {21u, 22u, 23u, 24u, 25u, 26u, 27u})
        EXPECT_EQ(of(k), t * ranges * 24576 / 4) << k;
    for (unsigned k : {18u, 28u}) {
        EXPECT_EQ(of(k + 1), of(k));
        EXPECT_EQ(of(k + 2), of(k));
    }
    EXPECT_EQ(of(18) + of(21) + of(28), t * bins / 4);
    EXPECT_GT(of(8), 0u);
    EXPECT_LE(of(11), of(10));  // a carry goes through every byte on its way
    EXPECT_LE(of(10), of(9));
    EXPECT_LE(of(9), of(8));
}

// ---------------------------------------------------------------- results

TEST(Stencil, BlocksOfAllShapes) {
    for (uint64_t size : {3, 4, 17, 40})
        for (unsigned block : {1u, 5u, 32u, 40u, 100u, 1024u}) {
            if (size * size > 300 * block)
                continue;
            gmmu_simt_params p = params(&gmmu_simt_stencil, size);
            p.block = block;
            run(&gmmu_simt_stencil, p);
        }
}

// GMT, Table 2: 40 % of the pages are used again. Those of the sums are, twice.
TEST(MultiVectorAdd, TwoPagesOfFiveAreUsedAgain) {
    gmmu_simt_params p = params(&gmmu_simt_multivectoradd, 20 * 1024);
    p.sms = 1;
    p.blocks_per_sm = 1;
    p.l1_entries = 4;
    p.l2_entries = 0;
    Recording rec = run(&gmmu_simt_multivectoradd, p);
    std::map<uint64_t, unsigned> walks;
    for (const Walk &w : rec.walks) walks[std::get<0>(w)]++;
    EXPECT_EQ(walks.size(), 100u);
    EXPECT_EQ(std::count_if(walks.begin(), walks.end(), [](auto &w) { return w.second > 1; }), 40);
    for (auto &w : walks) EXPECT_EQ(w.second, w.first < 256 + 40 ? 3u : 1u) << w.first;
}

// Pixels that no range in shared memory has are counted in global memory, until there are 255.
TEST(Histo, CountsStopOutsideToo) {
    constexpr uint64_t outside = 3 * 24576 + 7;  // far below the middle of 34 ranges
    constexpr uint64_t counts[] = {1, 254, 255, 256, 3000};
    gmmu_simt_kernel counted = gmmu_simt_histo;
    counted.step = tally_step;
    Tally tally;
    tally_kernel = &gmmu_simt_histo;
    tally_now = &tally;
    Machine m = machine(&counted, params(&gmmu_simt_histo, 264));
    const gmmu_space *s = gmmu_simt_space(m.get());
    ASSERT_STREQ(s->array[0].name, "input");
    auto *pixel = static_cast<uint32_t *>(s->array[0].data);
    for (uint64_t i = 0; i < s->array[0].count; i++)  // no others there
        pixel[i] += pixel[i] / 24576 == 3 ? 24576 : 0;
    // 1 pixel in 70: too few for the ranges to reach so far
    uint64_t at = 0;
    for (uint64_t k = 0; k < std::size(counts); k++)
        for (uint64_t i = 0; i < counts[k]; i++, at += 67) pixel[at] = outside + k;
    ASSERT_LT(at, s->array[0].count);
    gmmu_error err = {};
    gmmu_simt_hooks hooks = {};
    ASSERT_EQ(gmmu_simt_run(m.get(), &hooks, &err), GMMU_OK) << err.text;
    EXPECT_EQ(gmmu_simt_check(m.get(), &err), GMMU_OK) << err.text;
    EXPECT_GE(tally.elements[gmmu_simt_ref(12)], 3 * (1 + 254 + 255 + 256 + 3000u));
    EXPECT_GT(tally.elements[gmmu_simt_ref(12)], tally.elements[gmmu_simt_ref(13)]) << "LOAD, ADD";
    for (unsigned i = 0; i < s->arrays; i++) {
        const gmmu_array &a = s->array[i];
        if (std::string(a.name) == "counts") {
            for (uint64_t k = 0; k < std::size(counts); k++)
                EXPECT_EQ(static_cast<uint8_t *>(a.data)[outside + k],
                          std::min<uint64_t>(counts[k], 255));
        } else if (std::string(a.name) == "overflow" || std::string(a.name) == "outside") {
            auto *bytes = static_cast<uint8_t *>(a.data);
            EXPECT_EQ(std::count(bytes, bytes + a.count * a.element, 0),
                      static_cast<int64_t>(a.count * a.element))
                << a.name << " is cleared";
        }
    }
}

// SADs of whole macroblocks, from their definition.
TEST(Sad, WholeMacroblocks) {
    Done done(&gmmu_simt_sad, params(&gmmu_simt_sad, 40));
    auto frame = done.array<uint16_t>("frame");
    auto reference = done.array<uint16_t>("reference");
    auto sads = done.array<uint16_t>("sads");
    for (int block = 0; block < 9; block++) {
        for (int place = 0; place < 33 * 33; place += 7) {
            int sum = 0;
            for (int i = 0; i < 256; i++) {
                int x = block % 3 * 16 + i % 16, y = block / 3 * 16 + i / 16;
                int rx = std::clamp(x + place % 33 - 16, 0, 47);
                int ry = std::clamp(y + place / 33 - 16, 0, 47);
                sum += std::abs(frame[48 * y + x] - reference[48 * ry + rx]);
            }
            ASSERT_EQ(sads[block * 1096 + place], sum) << block << " " << place;
        }
    }
}

TEST(Kernels, ProgressGrowsToOne) {
    const std::pair<const gmmu_simt_kernel *, uint64_t> runs[] = {
        {&gmmu_simt_stencil, 60},   {&gmmu_simt_histo, 40}, {&gmmu_simt_sgemm, 300},
        {&gmmu_simt_sad, 33},       {&gmmu_simt_cutcp, 28}, {&gmmu_simt_mriq, 2000},
        {&gmmu_simt_pagerank, 500}, {&gmmu_simt_sssp, 900}, {&gmmu_simt_multivectoradd, 150000}};
    for (auto &r : runs) {
        gmmu_error err = {};
        std::vector<double> seen;
        Machine m = machine(r.first, params(r.first, r.second));
        gmmu_simt_hooks hooks = {};
        hooks.ctx = &seen;
        hooks.progress = [](void *ctx, double done) {
            static_cast<std::vector<double> *>(ctx)->push_back(done);
        };
        ASSERT_EQ(gmmu_simt_run(m.get(), &hooks, &err), GMMU_OK) << err.text;
        EXPECT_GE(seen.size(), 1u) << r.first->name;
        EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end())) << r.first->name;
        for (double done : seen) EXPECT_TRUE(done >= 0 && done <= 1) << r.first->name;
    }
}

}  // namespace
