// SPDX-License-Identifier: Apache-2.0
// polybench_test.cpp: tests of the kernels after PolyBench/GPU.
//
// How many elements each memory instruction touches is worked out here by formula; how many
// accesses a thread makes is held against RDGC's Table 4, all of its thirteen PolyBench rows
// (docs/guide/record.md says how each is read); every element of every array is part of the check
// of the result.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "simt_bench.h"

namespace {

using namespace simt_bench;

const gmmu_simt_kernel *const kernels[] = {
    &gmmu_simt_3dconv,  &gmmu_simt_2mm,   &gmmu_simt_atax_reg, &gmmu_simt_bicg,
    &gmmu_simt_mvt,     &gmmu_simt_syrk,  &gmmu_simt_gesummv,  &gmmu_simt_syr2k,
    &gmmu_simt_corr,    &gmmu_simt_covar, &gmmu_simt_fdtd2d,   &gmmu_simt_gramschmidt,
    &gmmu_simt_gemm_reg};

// ---------------------------------------------------------------- accesses

TEST(Polybench, EveryInstructionTouchesThePlannedElements) {
    constexpr uint64_t n = 45;
    const uint64_t all = n * n;
    const uint64_t cube = n * n * n;
    // Pairs of variables: in corr N + 1 of them, without a variable itself; in covar N, with.
    const uint64_t pairs = n * (n + 1) / 2;
    const uint64_t columns = pairs;  // of A behind column k, for all k of N: N + (N - 1) + ... + 1
    const Plan plans[] = {
        {&gmmu_simt_3dconv, n, std::vector<uint64_t>(12, cube), {11}},
        {&gmmu_simt_2mm, n, std::vector<uint64_t>(6, cube), {2, 5}},
        {&gmmu_simt_atax_reg, n, {n, all, all, all, n, all, all, all}, {3, 7}},
        {&gmmu_simt_bicg, n, {n, all, all, all, n, all, all, all}, {0, 3, 4, 7}},
        {&gmmu_simt_mvt, n, {n, all, all, all, n, all, all, all}, {3, 7}},
        {&gmmu_simt_gesummv, n, {all, all, all, all, all, all, all, all, n, n}, {3, 7, 9}},
        {&gmmu_simt_syrk, n, {all, all, cube, cube, cube}, {1, 4}},
        {&gmmu_simt_syr2k, n, {all, cube, cube, cube, cube, cube}, {5}},
        {&gmmu_simt_gemm_reg, n, {all, all, cube, cube, cube}, {1, 4}},
        {&gmmu_simt_corr,
         n,
         {n + 1,       n * (n + 1), n * (n + 1), n + 1,       n + 1,       n * (n + 1), n * (n + 1),
          n * (n + 1), n + 1,       n * (n + 1), n * (n + 1), n * (n + 1), n * (n + 1), n * (n + 1),
          n,           pairs,       n * pairs,   n * pairs,   n * pairs,   pairs},
         {0, 2, 3, 4, 7, 8, 11, 13, 14, 15, 18, 19}},
        {&gmmu_simt_covar,
         n,
         {n, all, all, n, all, all, all, pairs, n * pairs, n * pairs, n * pairs, pairs},
         {0, 2, 3, 6, 7, 10, 11}},
        {&gmmu_simt_fdtd2d,
         n,
         {10 * n, 10 * n, 10 * (all - n), 10 * (all - n), 10 * (all - n), 10 * (all - n),
          10 * (all - n), 10 * (all - n), 10 * (all - n), 10 * (all - n), 10 * all, 10 * all,
          10 * all, 10 * all, 10 * all, 10 * all},
         {1, 5, 9, 15}},
        {&gmmu_simt_gramschmidt,
         n,
         {all, n, all, all, all, n * columns, n * columns, n * columns, n * columns, n * columns,
          n * columns, n * columns},
         {1, 4, 7, 11}}};
    for (const Plan &plan : plans) expect_plan(plan);
    EXPECT_EQ(sizeof plans / sizeof plans[0], sizeof kernels / sizeof kernels[0]);
}

// What the threads of one grid do.
struct GridCount {
    std::map<uint64_t, uint64_t> accesses;  // by thread
    std::set<uint64_t> refs;
    uint64_t most() const {
        uint64_t found = 0;
        for (const auto &[thread, count] : accesses) found = std::max(found, count);
        return found;
    }
};

struct Counting {
    gmmu_simt *machine;
    std::map<uint64_t, GridCount> grids;  // from 1
};

int count_op(void *ctx, const gmmu_simt_warp *w, unsigned, const gmmu_simt_op *op, gmmu_error *) {
    auto *counting = static_cast<Counting *>(ctx);
    GridCount &grid = counting->grids[gmmu_simt_get_stats(counting->machine).grids];
    grid.refs.insert(op->ref);
    for (unsigned lane = 0; lane < GMMU_WARP; lane++)
        if (op->mask >> lane & 1)
            grid.accesses[w->thread + lane]++;
    return GMMU_OK;
}

std::map<uint64_t, GridCount> count(const gmmu_simt_kernel *k, uint64_t n) {
    gmmu_simt_params p = gmmu_simt_defaults(k);
    p.size = n;
    p.block = 64;
    Machine m = machine(k, p);
    gmmu_error err = {};
    Counting counting = {m.get(), {}};
    gmmu_simt_hooks hooks = {};
    hooks.ctx = &counting;
    hooks.op = count_op;
    EXPECT_EQ(gmmu_simt_run(m.get(), &hooks, &err), GMMU_OK) << err.text;
    EXPECT_EQ(gmmu_simt_check(m.get(), &err), GMMU_OK) << err.text;
    return counting.grids;
}

// RDGC, Table 4, column L: "(the maximum) number of accesses of a thread", by N.
TEST(Polybench, AThreadMakesTheAccessesOfRdgcTable4) {
    for (uint64_t n : {8, 33, 50}) {
        struct Row {
            const gmmu_simt_kernel *kernel;
            std::vector<uint64_t> grids;  // which ones are meant
            uint64_t l;                   // of each
        };
        const Row rows[] = {
            {&gmmu_simt_2dconv, {1, 2, 12}, 10},
            {&gmmu_simt_2mm, {1, 2}, 3 * n},
            {&gmmu_simt_atax_reg, {1, 2}, 1 + 3 * n},
            {&gmmu_simt_bicg, {1, 2}, 1 + 3 * n},
            {&gmmu_simt_corr, {4}, (3 * n + 2) * n + 1},
            {&gmmu_simt_covar, {3}, (3 * n + 2) * n},
            {&gmmu_simt_fdtd2d, {2, 29}, 4},
            {&gmmu_simt_fdtd2d, {3, 30}, 6},
            {&gmmu_simt_gesummv, {1}, 8 * n + 2},
            {&gmmu_simt_mvt, {1, 2}, 3 * n + 1},
            {&gmmu_simt_syr2k, {1}, 5 * n + 1},
            {&gmmu_simt_syrk, {1}, 3 * n + 2},
            {&gmmu_simt_gemm_reg, {1}, 3 * n + 2},  // not in the table: as syrk
        };
        for (const Row &row : rows) {
            std::map<uint64_t, GridCount> grids = count(row.kernel, n);
            for (uint64_t g : row.grids)
                EXPECT_EQ(grids[g].most(), row.l) << row.kernel->name << " " << n << ", grid " << g;
        }

        // 3DCONV: 12N, in N grids
        std::map<uint64_t, GridCount> grids = count(&gmmu_simt_3dconv, n);
        uint64_t sum = 0;
        for (const auto &[number, grid] : grids) {
            EXPECT_EQ(grid.most(), 12u);
            sum += grid.most();
        }
        EXPECT_EQ(sum, 12 * n);

        // GRAMSCHM K3: 7N^2, in N grids, of the thread of the last column
        grids = count(&gmmu_simt_gramschmidt, n);
        EXPECT_EQ(grids.size(), 3 * n);
        sum = 0;
        for (uint64_t k = 0; k < n; k++) sum += grids[3 * k + 3].accesses[n];
        EXPECT_EQ(sum, 7 * n * n);
        for (uint64_t k = 0; k < n; k++) EXPECT_EQ(grids[3 * k + 3].most(), 7 * n);

        // FDTD step 1: 6, two of them by the threads of row 0 and four by all others
        grids = count(&gmmu_simt_fdtd2d, n);
        for (uint64_t g : {1, 4, 28}) {
            EXPECT_EQ(grids[g].refs.size(), 6u);
            std::map<uint64_t, uint64_t> threads;  // by their accesses
            for (const auto &[thread, accesses] : grids[g].accesses) threads[accesses]++;
            EXPECT_EQ(threads, (std::map<uint64_t, uint64_t>{{2, n}, {4, (n - 1) * n}}));
        }
    }
}

// The other grids, by the same reading.
TEST(Polybench, AThreadMakesThePlannedAccessesInTheOtherGrids) {
    constexpr uint64_t n = 20;
    std::map<uint64_t, GridCount> corr = count(&gmmu_simt_corr, n);
    EXPECT_EQ(corr[1].most(), 2 * n + 2);
    EXPECT_EQ(corr[2].most(), 3 * n + 2);
    EXPECT_EQ(corr[3].most(), 5u);
    std::map<uint64_t, GridCount> covar = count(&gmmu_simt_covar, n);
    EXPECT_EQ(covar[1].most(), 2 * n + 2);
    EXPECT_EQ(covar[2].most(), 3u);
    std::map<uint64_t, GridCount> gram = count(&gmmu_simt_gramschmidt, n);
    for (uint64_t k = 0; k < n; k++) {
        EXPECT_EQ(gram[3 * k + 1].most(), n + 1);
        EXPECT_EQ(gram[3 * k + 1].accesses.size(), 1u);
        EXPECT_EQ(gram[3 * k + 2].most(), 3u);
        EXPECT_EQ(gram[3 * k + 3].accesses.size(), n - k);
    }
}

// ---------------------------------------------------------------- results

TEST(Polybench, EveryElementOfEveryArrayIsChecked) {
    for (const gmmu_simt_kernel *k : kernels) {
        for (uint64_t n : {1, 6}) {
            gmmu_simt_params p = gmmu_simt_defaults(k);
            p.size = n;
            Machine m = machine(k, p);
            gmmu_error err = {};
            gmmu_simt_hooks hooks = {};
            ASSERT_EQ(gmmu_simt_run(m.get(), &hooks, &err), GMMU_OK) << err.text;
            const gmmu_space *space = gmmu_simt_space(m.get());
            for (unsigned a = 0; a < space->arrays; a++) {
                auto *bits = static_cast<uint32_t *>(space->array[a].data);
                for (uint64_t i = 0; i < space->array[a].count; i++) {
                    bits[i] ^= 1u << i % 32;
                    EXPECT_EQ(gmmu_simt_check(m.get(), &err), GMMU_BAD);
                    std::string where = std::string(k->name) + ": " + space->array[a].name + "[" +
                                        std::to_string(i);
                    EXPECT_EQ(std::string(err.text).substr(0, where.size()), where);
                    bits[i] ^= 1u << i % 32;
                }
            }
            EXPECT_EQ(gmmu_simt_check(m.get(), &err), GMMU_OK) << err.text;
        }
    }
}

// The state of the kernel that runs, by which it tells its progress.
const gmmu_simt_kernel *watched = nullptr;
void *watched_self = nullptr;
double progress_before = 0;

gmmu_simt_event watch_step(void *self, const gmmu_simt_warp *w, void *regs, gmmu_simt_op *op) {
    gmmu_simt_event event = watched->step(self, w, regs, op);
    EXPECT_GE(watched->progress(self), progress_before);
    progress_before = watched->progress(self);
    watched_self = self;
    return event;
}

TEST(Polybench, ProgressGoesFromNothingToAll) {
    for (const gmmu_simt_kernel *k : kernels) {
        for (uint64_t n : {2, 33}) {
            gmmu_simt_params p = gmmu_simt_defaults(k);
            p.size = n;
            watched = k;
            progress_before = 0;
            gmmu_simt_kernel copy = *k;
            copy.step = watch_step;
            Machine m = machine(&copy, p);
            gmmu_error err = {};
            gmmu_simt_hooks hooks = {};
            ASSERT_EQ(gmmu_simt_run(m.get(), &hooks, &err), GMMU_OK) << err.text;
            // fdtd2d's second grid leaves out a column
            EXPECT_GT(k->progress(watched_self), n == 2 ? 0.8 : 0.98) << k->name;
            EXPECT_LE(k->progress(watched_self), 1.0) << k->name;
        }
    }
}

std::vector<float> values(const gmmu_simt *m, const char *name) {
    const gmmu_space *space = gmmu_simt_space(m);
    for (unsigned a = 0; a < space->arrays; a++) {
        if (std::string(space->array[a].name) == name) {
            auto *data = static_cast<const float *>(space->array[a].data);
            return {data, data + space->array[a].count};
        }
    }
    ADD_FAILURE() << "found no array " << name;
    return {};
}

// Runs K and gives the machine.
Machine finished(const gmmu_simt_kernel *k, uint64_t n, uint64_t seed) {
    gmmu_simt_params p = gmmu_simt_defaults(k);
    p.size = n;
    p.seed = seed;
    Machine m = machine(k, p);
    gmmu_error err = {};
    gmmu_simt_hooks hooks = {};
    EXPECT_EQ(gmmu_simt_run(m.get(), &hooks, &err), GMMU_OK) << err.text;
    return m;
}

// What must hold of any result, whatever the order of sums: a check of the checks.
TEST(Polybench, GramSchmidtDecomposes) {
    constexpr uint64_t n = 60;
    for (uint64_t seed : {1, 2, 3}) {
        gmmu_simt_params p = gmmu_simt_defaults(&gmmu_simt_gramschmidt);
        p.size = n;
        p.seed = seed;
        std::vector<float> before = values(machine(&gmmu_simt_gramschmidt, p).get(), "A");
        Machine m = finished(&gmmu_simt_gramschmidt, n, seed);
        std::vector<float> r = values(m.get(), "R");
        std::vector<float> q = values(m.get(), "Q");
        for (uint64_t i = 0; i < n; i++) {
            for (uint64_t j = 0; j <= n; j++) {
                double product = 0;
                double inner = 0;
                for (uint64_t k = 0; k < n; k++) {
                    product += double{q[i * n + k]} * double{r[k * (n + 1) + j]};
                    if (j < n)
                        inner += double{q[k * n + i]} * double{q[k * n + j]};
                }
                EXPECT_NEAR(product, before[i * (n + 1) + j], 1e-4) << i << " " << j;
                if (j < n) {
                    EXPECT_NEAR(inner, i == j ? 1 : 0, 2e-3) << i << " " << j;
                }
            }
        }
    }
}

TEST(Polybench, CorrelationsAndCovariancesAreThoseOfTheData) {
    constexpr uint64_t n = 40;
    for (const gmmu_simt_kernel *k : {&gmmu_simt_corr, &gmmu_simt_covar}) {
        const bool corr = k == &gmmu_simt_corr;
        const uint64_t side = n + (corr ? 2 : 1);
        gmmu_simt_params p = gmmu_simt_defaults(k);
        p.size = n;
        std::vector<float> data = values(machine(k, p).get(), "data");
        Machine m = finished(k, n, 1);
        std::vector<float> found = values(m.get(), "symmat");
        for (uint64_t a = 1; a < side; a++) {
            for (uint64_t b = 1; b < side; b++) {
                double sum_a = 0, sum_b = 0, sum_ab = 0, sum_aa = 0, sum_bb = 0;
                for (uint64_t i = 1; i <= n; i++) {
                    double x = data[i * side + a];
                    double y = data[i * side + b];
                    sum_a += x;
                    sum_b += y;
                    sum_ab += x * y;
                    sum_aa += x * x;
                    sum_bb += y * y;
                }
                double expected = sum_ab - sum_a * sum_b / n;
                if (corr)
                    expected /=
                        std::sqrt((sum_aa - sum_a * sum_a / n) * (sum_bb - sum_b * sum_b / n));
                EXPECT_NEAR(found[a * side + b], expected, 1e-4) << k->name << " " << a << " " << b;
            }
        }
    }
}

// One observation: no variable varies.
TEST(Polybench, CorrelationOfOneObservation) {
    Machine m = finished(&gmmu_simt_corr, 1, 1);
    std::vector<float> stddev = values(m.get(), "stddev");
    EXPECT_EQ(stddev[1], 1.0F);
    EXPECT_EQ(stddev[2], 1.0F);
    std::vector<float> symmat = values(m.get(), "symmat");
    EXPECT_EQ(symmat[1 * 3 + 1], 1.0F);
    EXPECT_EQ(symmat[1 * 3 + 2], 0.0F);
    EXPECT_EQ(symmat[2 * 3 + 1], 0.0F);
    EXPECT_EQ(symmat[2 * 3 + 2], 1.0F);
}

TEST(Polybench, OtherSeedsOtherData) {
    for (const gmmu_simt_kernel *k : kernels) {
        const char *name = gmmu_simt_result(finished(k, 9, 1).get())->name;
        EXPECT_EQ(values(finished(k, 9, 7).get(), name), values(finished(k, 9, 7).get(), name));
        EXPECT_NE(values(finished(k, 9, 7).get(), name), values(finished(k, 9, 8).get(), name))
            << k->name;
    }
}

}  // namespace
