// SPDX-License-Identifier: Apache-2.0
// rodinia_test.cpp: tests of Rodinia's kernels in `gmmu record`.
//
// Which instructions store, how many elements each touches, and how many accesses a thread makes
// are worked out here from the algorithm and held against what the kernels issue; RDGC's Table 4
// gives the accesses per thread, its L, of five. kernels_test.cpp checks the results.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "simt_bench.h"

namespace {

using namespace simt_bench;

using Counts = std::vector<uint64_t>;

const gmmu_simt_kernel *const kernels[] = {&gmmu_simt_hotspot3d, &gmmu_simt_pathfinder,
                                           &gmmu_simt_nw,        &gmmu_simt_backprop,
                                           &gmmu_simt_dwt2d,     &gmmu_simt_cfd};

// Elements between FIRST and END, less those outside of 0 to N - 1.
uint64_t within(int64_t first, int64_t end, uint64_t n) {
    int64_t count = std::min<int64_t>(end, static_cast<int64_t>(n)) - std::max<int64_t>(first, 0);
    return count > 0 ? static_cast<uint64_t>(count) : 0;
}

// ---------------------------------------------------------------- accesses of a thread

// The most accesses that a thread makes, of each grid.
struct Threads {
    Counts most;      // by grid
    Counts accesses;  // by thread of the last grid
};

int on_grid(void *ctx, const gmmu_simt_grid *grid, gmmu_error *) {
    auto *t = static_cast<Threads *>(ctx);
    t->most.push_back(0);
    t->accesses.assign(grid->blocks * grid->threads, 0);
    return GMMU_OK;
}

int on_op(void *ctx, const gmmu_simt_warp *w, unsigned, const gmmu_simt_op *op, gmmu_error *) {
    auto *t = static_cast<Threads *>(ctx);
    for (unsigned lane = 0; lane < GMMU_WARP; lane++)
        if ((op->mask >> lane & 1) != 0)
            t->most.back() = std::max(t->most.back(), ++t->accesses[w->thread + lane]);
    return GMMU_OK;
}

Counts most_accesses(const gmmu_simt_kernel *k, uint64_t size, unsigned block = 256) {
    gmmu_simt_params p = gmmu_simt_defaults(k);
    gmmu_error err = {};
    p.size = size;
    p.block = block;
    Machine m = machine(k, p);
    Threads t;
    gmmu_simt_hooks hooks = {};
    hooks.ctx = &t;
    hooks.grid = on_grid;
    hooks.op = on_op;
    EXPECT_EQ(gmmu_simt_run(m.get(), &hooks, &err), GMMU_OK) << err.text;
    return t.most;
}

// RDGC Table 4: HSPOT 3.
TEST(Rodinia, HotspotHasTheAccessesOfRdgc) {
    EXPECT_EQ(most_accesses(&gmmu_simt_hotspot, 45), Counts(16, 3));
}

// RDGC Table 4: SRAD.V2 12. That is the source's kernel 1 in a block at a corner of the image,
// where a thread loads two lines from outside, whose values nobody uses, before it loads them from
// the edge. Here those two are left out: 5 loads and 5 stores everywhere; kernel 2 has 8 and 1.
TEST(Rodinia, SradHasTheAccessesOfRdgcButThoseOutside) {
    Counts most = most_accesses(&gmmu_simt_srad_v2, 45);
    const uint64_t outside = 2;
    ASSERT_EQ(most.size(), 12u);
    for (unsigned grid = 0; grid < 12; grid++) EXPECT_EQ(most[grid], grid % 2 == 0 ? 10u : 9u);
    EXPECT_EQ(most[0] + outside, 12u);
}

// RDGC Table 4: BP 16. Kernel 1: an input, a weight, its sum, a partial sum. Kernel 2: 9 for a
// weight, and 7 for the threshold's in the first 16 threads.
TEST(Rodinia, BackpropHasTheAccessesOfRdgc) {
    EXPECT_EQ(most_accesses(&gmmu_simt_backprop, 1000), (Counts{4, 16, 4, 16, 4, 16, 4, 16}));
}

// RDGC Table 4: NW 8384 at N = 4096. A block of 64 x 64 scores: its corner, 64 similarities, the
// score to the left, the one above, 64 stores = 131; a thread of each of kernel 1's N / 64
// launches: 64 * 131 = 8384. The longest diagonal is kernel 1's last; kernel 2 has one launch less.
TEST(Rodinia, NwHasTheAccessesOfRdgc) {
    for (unsigned side : {16u, 64u}) {
        const uint64_t n = 512;
        Counts most = most_accesses(&gmmu_simt_nw, n, side);
        ASSERT_EQ(most.size(), 2 * n / side - 1);
        EXPECT_EQ(most, Counts(most.size(), 2 * side + 3));
        uint64_t first = 0;
        for (unsigned i = 0; i < n / side; i++) first += most[i];
        EXPECT_EQ(first * 4096 / n, side == 64 ? 8384u : 8960u);
    }
    EXPECT_EQ(most_accesses(&gmmu_simt_nw, 256, 1024), Counts(7, 131));  // 64 at most
}

// RDGC Table 4 says 83 for CFD's flux. The source has 46: 5 variables of the element, 1 + 3 + 5 for
// each of four faces, 5 stores; there is no reading of it that gives 83.
TEST(Rodinia, CfdHasTheAccessesOfTheSource) {
    Counts expected(3, 5);
    for (unsigned i = 0; i < 2; i++) {
        expected.push_back(5 + 1 + 1);
        for (unsigned step = 0; step < 3; step++) {
            expected.push_back(5 + 4 * (1 + 3 + 5) + 5);
            expected.push_back(1 + 5 * 3);
        }
    }
    EXPECT_EQ(most_accesses(&gmmu_simt_cfd, 1000), expected);
}

TEST(Rodinia, OthersHaveTheAccessesOfTheSource) {
    // 7 a layer, and the two ends of the column, of which the upper has nothing above
    EXPECT_EQ(most_accesses(&gmmu_simt_hotspot3d, 33), Counts(8, 7 * 8));
    // a cost, the rows, a cost
    EXPECT_EQ(most_accesses(&gmmu_simt_pathfinder, 1000), (Counts{22, 22, 22, 22, 21}));
    // 130 = 8 * 16 + 2 rows: two windows of 8 a block, and a column beside the strip
    Counts most = most_accesses(&gmmu_simt_dwt2d, 130);
    ASSERT_EQ(most.size(), 10u);
    EXPECT_EQ(most[0], 4u);
    EXPECT_EQ(most[1], 2 * (3 + 2 * 8) + 2 * 8u);
    EXPECT_EQ(most[2], 2 * (3 + 8) + 8u);  // 65 rows
}

// ---------------------------------------------------------------- elements of each instruction

TEST(Rodinia, Hotspot3dTouchesThePlannedElements) {
    constexpr uint64_t n = 45;
    const uint64_t all = 8 * n * n;
    Plan plan = {&gmmu_simt_hotspot3d, n, Counts(21, all), {7, 14, 20}};
    for (unsigned i = 8; i < 15; i++) plan.elements[i] = 6 * all;  // the layers between
    expect_plan(plan);
}

TEST(Rodinia, PathfinderTouchesThePlannedElements) {
    constexpr uint64_t n = 500;
    Plan plan = {&gmmu_simt_pathfinder, n, Counts(3), {2}};
    for (int64_t left = 99; left > 0; left -= 20) {
        int64_t rows = std::min<int64_t>(left, 20);
        for (int64_t block = 0; block < 3; block++) {  // of 256 threads, 216 columns of its own
            int64_t first = block * (256 - 2 * rows) - 20;
            plan.elements[0] += within(first, first + 256, n);
            for (int64_t i = 1; i <= rows; i++)
                plan.elements[1] += within(first + i, first + 256 - i, n);
        }
        plan.elements[2] += n;
    }
    expect_plan(plan);
}

TEST(Rodinia, NwTouchesThePlannedElements) {
    constexpr uint64_t n = 150;
    const uint64_t side[] = {64, 64, 22};
    Plan plan = {&gmmu_simt_nw, n, Counts(10), {4, 9}};
    for (unsigned x = 0; x < 3; x++) {
        for (unsigned y = 0; y < 3; y++) {
            bool first = x + y < 3;
            uint64_t *of = &plan.elements[first ? 0 : 5];
            of[first ? 0 : 1] += 1;
            of[first ? 1 : 0] += side[x] * side[y];
            of[2] += side[y];
            of[3] += side[x];
            of[4] += side[x] * side[y];
        }
    }
    expect_plan(plan);
}

TEST(Rodinia, BackpropTouchesThePlannedElements) {
    constexpr uint64_t n = 100;
    Plan plan = {&gmmu_simt_backprop, n, Counts(20, 4 * 16), {2, 3, 8, 12, 16, 19}};
    for (unsigned i = 0; i < 13; i++) plan.elements[i] = 4 * 16 * n;
    plan.elements[0] = 4 * n;
    plan.elements[3] = 4 * 16 * 7;  // 7 blocks
    expect_plan(plan);
}

TEST(Rodinia, Dwt2dTouchesThePlannedElements) {
    // 961 has blocks of 192, 128 and 64 columns, and is odd in all levels
    for (uint64_t n : {150, 961}) {
        Plan plan = {&gmmu_simt_dwt2d, n, Counts(10), {1, 2, 3, 8, 9}};
        plan.elements[0] = (n * n + 255) / 256 * 192;
        for (unsigned i = 1; i < 4; i++) plan.elements[i] = n * n;
        for (uint64_t side = n, level = 0; level < 3; level++, side = (side + 1) / 2) {
            const uint64_t strip = side >= 960 ? 192 : side >= 480 ? 128 : 64;
            const uint64_t rows = (side + 119) / 120 * 8;  // of a block
            const uint64_t blocks = 3 * ((side + strip - 1) / strip) * ((side + rows - 1) / rows);
            plan.elements[4] += blocks * strip * 3;
            plan.elements[5] += blocks * 3 * 3;
            plan.elements[6] += blocks * strip * rows;
            plan.elements[7] += blocks * 3 * rows;
            plan.elements[8] += 3 * side * ((side + 1) / 2);
            plan.elements[9] += 3 * side * (side / 2);
        }
        expect_plan(plan);
    }
}

TEST(Rodinia, CfdTouchesThePlannedElements) {
    constexpr uint64_t n = 500, padded = 512, fluxes = 6 * padded;
    Plan plan = {&gmmu_simt_cfd, n, Counts(43, fluxes), {0, 7, 22, 23, 24, 25, 26}};
    plan.elements[0] = 3 * 5 * padded;
    for (unsigned i = 1; i < 8; i++) plan.elements[i] = 2 * padded;
    for (unsigned i = 13; i < 17; i++) plan.elements[i] = 4 * fluxes;
    for (unsigned i = 17; i < 22; i++) plan.elements[i] = 0;  // as many as there are neighbours
    for (unsigned i = 30; i < 43; i += 3) plan.stores.push_back(i);
    Tally tally = expect_plan(plan);
    for (unsigned i = 17; i < 22; i++)
        EXPECT_EQ(tally.elements[gmmu_simt_ref(i)], tally.elements[gmmu_simt_ref(17)]);
    EXPECT_GT(tally.elements[gmmu_simt_ref(17)], 3 * fluxes);
    EXPECT_LT(tally.elements[gmmu_simt_ref(17)], 4 * fluxes);
}

// ---------------------------------------------------------------- data

const gmmu_array *array_of(const gmmu_simt *m, const std::string &name) {
    const gmmu_space *space = gmmu_simt_space(m);
    for (unsigned i = 0; i < space->arrays; i++)
        if (name == space->array[i].name)
            return &space->array[i];
    ADD_FAILURE() << name;
    return nullptr;
}

Machine after_run(const gmmu_simt_kernel *k, uint64_t size) {
    gmmu_simt_params p = gmmu_simt_defaults(k);
    gmmu_error err = {};
    gmmu_simt_hooks hooks = {};
    p.size = size;
    Machine m = machine(k, p);
    EXPECT_EQ(gmmu_simt_run(m.get(), &hooks, &err), GMMU_OK) << err.text;
    return m;
}

// Beside the array that kernels_test falsifies, the check sees all else that a kernel computes.
TEST(Rodinia, EveryFlippedBitBesideTheResultIsFound) {
    struct {
        const gmmu_simt_kernel *kernel;
        const char *array;
    } const others[] = {{&gmmu_simt_backprop, "previous"},
                        {&gmmu_simt_cfd, "fluxes"},
                        {&gmmu_simt_dwt2d, "green_bands"},
                        {&gmmu_simt_dwt2d, "blue_bands"}};
    for (const auto &other : others) {
        Machine m = after_run(other.kernel, 18);
        gmmu_error err = {};
        const gmmu_array *a = array_of(m.get(), other.array);
        ASSERT_NE(a, nullptr);
        auto *bytes = static_cast<unsigned char *>(a->data);
        EXPECT_EQ(gmmu_simt_check(m.get(), &err), GMMU_OK) << err.text;
        for (size_t bit = 1; bit < 8 * a->count * a->element; bit += 59) {
            bytes[bit / 8] = static_cast<unsigned char>(bytes[bit / 8] ^ 1u << bit % 8);
            EXPECT_EQ(gmmu_simt_check(m.get(), &err), GMMU_BAD) << other.array << " " << bit;
            EXPECT_NE(std::string(err.text).find(other.array), std::string::npos) << err.text;
            bytes[bit / 8] = static_cast<unsigned char>(bytes[bit / 8] ^ 1u << bit % 8);
        }
    }
}

TEST(Rodinia, OtherSeedsOtherDataRightResults) {
    for (const gmmu_simt_kernel *k : {&gmmu_simt_hotspot3d, &gmmu_simt_pathfinder, &gmmu_simt_nw,
                                      &gmmu_simt_backprop, &gmmu_simt_dwt2d, &gmmu_simt_cfd}) {
        std::set<std::string> results;
        for (uint64_t seed = 0; seed < 5; seed++) {
            gmmu_simt_params p = gmmu_simt_defaults(k);
            gmmu_error err = {};
            gmmu_simt_hooks hooks = {};
            p.size = 70;
            p.seed = seed;
            Machine m = machine(k, p);
            EXPECT_EQ(gmmu_simt_run(m.get(), &hooks, &err), GMMU_OK) << err.text;
            EXPECT_EQ(gmmu_simt_check(m.get(), &err), GMMU_OK) << err.text;
            const gmmu_array *a = gmmu_simt_result(m.get());
            results.emplace(static_cast<const char *>(a->data), a->count * a->element);
        }
        EXPECT_EQ(results.size(), 5u) << k->name;
    }
}

// Each neighbour has the element as its own neighbour, behind a face with about the opposite
// normal.
TEST(Rodinia, CfdMeshIsOne) {
    constexpr uint64_t n = 5000, padded = 5120;
    Machine m = after_run(&gmmu_simt_cfd, n);
    const auto *neighbours = static_cast<const int32_t *>(array_of(m.get(), "neighbours")->data);
    const auto *normals = static_cast<const float *>(array_of(m.get(), "normals")->data);
    unsigned real = 0, wings = 0, far = 0, distant = 0;
    for (uint64_t i = 0; i < n; i++) {
        for (unsigned face = 0; face < 4; face++) {
            int32_t other = neighbours[i + face * padded];
            wings += other == -1;
            far += other == -2;
            if (other < 0)
                continue;
            real++;
            distant += std::abs(other - static_cast<int64_t>(i)) > 1024;
            ASSERT_LT(static_cast<uint64_t>(other), n);
            EXPECT_EQ(neighbours[static_cast<uint64_t>(other) + face * padded],
                      static_cast<int32_t>(i));
            for (unsigned d = 0; d < 3; d++) {
                const float *row = normals + (face + d * 4) * padded;
                EXPECT_NEAR(row[i] + row[other], 0, 0.11);
            }
        }
    }
    EXPECT_EQ(real + wings + far, 4 * n);
    EXPECT_GT(real, 3 * n);
    EXPECT_GT(wings, 100u);
    EXPECT_GT(far, 500u);
    EXPECT_GT(distant, 1000u);
    // The padding is the last element again.
    for (uint64_t i = n; i < padded; i++)
        for (unsigned face = 0; face < 4; face++)
            EXPECT_EQ(neighbours[i + face * padded], neighbours[n - 1 + face * padded]);
}

const gmmu_simt_kernel *watched;
std::vector<double> progress;

bool watched_launch(void *self, gmmu_simt_grid *grid) {
    progress.push_back(watched->progress(self));
    return watched->launch(self, grid);
}

TEST(Rodinia, ProgressGoesFromZeroToOne) {
    for (const gmmu_simt_kernel *k : kernels) {
        gmmu_simt_kernel counted = *k;
        watched = k;
        progress.clear();
        counted.launch = watched_launch;
        after_run(&counted, 70);
        ASSERT_GE(progress.size(), 3u) << k->name;
        EXPECT_EQ(progress.front(), 0.0) << k->name;
        EXPECT_EQ(progress.back(), 1.0) << k->name;
        EXPECT_TRUE(std::is_sorted(progress.begin(), progress.end())) << k->name;
    }
}

// Numbers that mean something: neither overflown nor where they were.
TEST(Rodinia, FlowTemperaturesAndWeightsMove) {
    struct {
        const gmmu_simt_kernel *kernel;
        uint64_t size;
    } const runs[] = {
        {&gmmu_simt_cfd, 5000}, {&gmmu_simt_hotspot3d, 60}, {&gmmu_simt_backprop, 5000}};
    for (const auto &run : runs) {
        gmmu_simt_params p = gmmu_simt_defaults(run.kernel);
        p.size = run.size;
        Machine before = machine(run.kernel, p);
        Machine after = after_run(run.kernel, run.size);
        const gmmu_array *a = gmmu_simt_result(after.get());
        const auto *old = static_cast<const float *>(array_of(before.get(), a->name)->data);
        const auto *now = static_cast<const float *>(a->data);
        uint64_t moved = 0;
        for (uint64_t i = 0; i < a->count; i++) {
            ASSERT_TRUE(std::isfinite(now[i])) << run.kernel->name << " " << i;
            moved += now[i] != old[i];
        }
        EXPECT_GT(moved, a->count * 9 / 10) << run.kernel->name;
    }
}

}  // namespace
