// SPDX-License-Identifier: Apache-2.0
// gpu_test.cpp: the kernels for CUDA GPUs (gpu/kernels.h), their threads run one after the other on
// the host, against the engine's kernels of the same names: every thread's loads and stores in
// their order, and all results bit for bit.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <tuple>
#include <vector>

#include "../../gpu/kernels.h"
#include "simt_bench.h"

namespace {

using namespace simt_bench;

struct Access {
    uint64_t ref, index;
    int array;
    bool write;
    bool operator==(const Access &o) const {
        return ref == o.ref && index == o.index && array == o.array && write == o.write;
    }
};

using Thread = std::tuple<unsigned, uint64_t, unsigned>;  // grid, block, thread of the block
using Threads = std::map<Thread, std::vector<Access>>;

struct Seen {
    Threads threads;
    const gmmu_space *space;
    unsigned grid = 0;
    std::vector<gmmu_simt_grid> grids;
};

int on_grid(void *ctx, const gmmu_simt_grid *grid, gmmu_error *) {
    static_cast<Seen *>(ctx)->grids.push_back(*grid);
    return GMMU_OK;
}

int on_op(void *ctx, const gmmu_simt_warp *w, unsigned, const gmmu_simt_op *op, gmmu_error *) {
    auto *s = static_cast<Seen *>(ctx);
    auto grid = static_cast<unsigned>(s->grids.size()) - 1;
    for (unsigned lane = 0; lane < GMMU_WARP; lane++)
        if (op->mask >> lane & 1)
            s->threads[{grid, w->block, w->index * GMMU_WARP + lane}].push_back(
                {op->ref, op->index[lane], static_cast<int>(op->array - s->space->array),
                 op->write});
    return GMMU_OK;
}

struct HostMem {
    std::vector<std::vector<float>> &array;
    std::vector<Access> now;
    float ld(unsigned site, int a, uint64_t i) {
        now.push_back({gmmu_simt_ref(site), i, a, false});
        return array[static_cast<size_t>(a)].at(i);
    }
    void st(unsigned site, int a, uint64_t i, float value) {
        now.push_back({gmmu_simt_ref(site), i, a, true});
        array[static_cast<size_t>(a)].at(i) = value;
    }
};

template <class K>
void compare(uint64_t n, unsigned block) {
    const gmmu_simt_kernel *k = gmmu_simt_find(K::name());
    ASSERT_NE(k, nullptr) << K::name();
    SCOPED_TRACE(std::string(K::name()) + " " + std::to_string(n) + " " + std::to_string(block));
    gmmu_simt_params p = gmmu_simt_defaults(k);
    p.size = n;
    p.block = block;
    Machine m = machine(k, p);
    const gmmu_space *space = gmmu_simt_space(m.get());
    std::vector<std::vector<float>> array(space->arrays);
    std::vector<float *> host(space->arrays);
    for (unsigned i = 0; i < space->arrays; i++) {
        const auto *data = static_cast<const float *>(space->array[i].data);
        array[i].assign(data, data + space->array[i].count);
        host[i] = array[i].data();
    }
    Threads threads;
    for (unsigned g = 0; g < K::grids(n); g++) {
        gmmu_gpu::Grid grid = K::grid(n, block, g);
        for (uint64_t b = 0; b < grid.blocks; b++) {
            for (unsigned t = 0; t < grid.threads; t++) {
                HostMem mem = {array, {}};
                K::thread(mem, n, block, gmmu_gpu::Where{b, t, grid.threads, g});
                if (!mem.now.empty())
                    threads[{g, b, t}] = mem.now;
            }
        }
    }
    K::finish(n, host.data());
    Seen seen = {{}, space, 0, {}};
    gmmu_simt_hooks hooks = {};
    hooks.ctx = &seen;
    hooks.grid = on_grid;
    hooks.op = on_op;
    gmmu_error err = {};
    ASSERT_EQ(gmmu_simt_run(m.get(), &hooks, &err), GMMU_OK) << err.text;
    ASSERT_EQ(seen.grids.size(), K::grids(n));
    for (unsigned g = 0; g < K::grids(n); g++) {
        EXPECT_EQ(seen.grids[g].blocks, K::grid(n, block, g).blocks) << g;
        EXPECT_EQ(seen.grids[g].threads, K::grid(n, block, g).threads) << g;
    }
    EXPECT_TRUE(seen.threads == threads);
    for (unsigned i = 0; i < space->arrays; i++)
        EXPECT_EQ(std::memcmp(space->array[i].data, host[i], array[i].size() * sizeof(float)), 0)
            << space->array[i].name;
}

TEST(Gpu, ThreadsAccessWhatTheEnginesLanesDo) {
    unsigned runs = 0;
    gmmu_gpu::for_each_kernel([&](auto kernel) {
        for (uint64_t n : {1, 7, 33}) {
            for (unsigned block : {1u, 48u, 256u}) {
                compare<decltype(kernel)>(n, block);
                runs++;
            }
        }
    });
    std::printf("%u runs\n", runs);
}

}  // namespace
