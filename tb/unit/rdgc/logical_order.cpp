// SPDX-License-Identifier: Apache-2.0
// logical_order.cpp: the order of a trace, kernels as its source, coalescing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <random>
#include <vector>

#include "logical.h"
#include "rdgc/rdgc.h"
#include "simt/kernels/kernels.h"
#include "simt/logical.h"

namespace {

// Random warps' accesses of all kinds, added in any order and in parts, against a map.
TEST(Rdgc, OrderAgainstAMap) {
    std::mt19937_64 random(3);
    for (unsigned round = 0; round < 10; round++) {
        const Trace t = new_trace();
        gmmu_error err{};
        for (unsigned g = 0; g < 12; g++) {
            const uint32_t blocks = 1 + static_cast<uint32_t>(random() % 9);
            const uint32_t threads = 1 + static_cast<uint32_t>(random() % 200);
            ASSERT_EQ(gmmu_rdgc_trace_begin(t.get(), blocks, threads, &err), GMMU_OK);
            std::map<std::vector<uint64_t>, std::map<unsigned, uint64_t>>
                expected;  // block, AN, warp, S
            std::map<std::vector<uint64_t>, unsigned> of_thread;
            for (unsigned i = 0; i < 400; i++) {
                const uint64_t block = random() % blocks, warp = random() % ((threads + 31) / 32),
                               number = random() % 20;
                const bool write = random() % 4 == 0;
                auto &lanes = expected[{block, number, warp, write}];
                uint32_t mask = static_cast<uint32_t>(random() >> (random() % 32));
                mask = random() % 3 == 0 ? UINT32_MAX : mask;
                const uint64_t base = random() >> (random() % 60),
                               stride = random() >> (random() % 64);
                const unsigned kind = random() % 5;
                uint64_t addr[GMMU_WARP];
                for (unsigned lane = 0; lane < 32; lane++) {
                    addr[lane] = kind == 0   ? random()
                                 : kind == 1 ? base
                                 : kind == 2 ? base - lane * 4
                                 : kind == 3 ? base + lane * stride
                                             : base + lane / 16 * 1000 + lane % 16 * 4;
                    if (warp * 32 + lane >= threads || lanes.count(lane) > 0)
                        mask &= ~(UINT32_C(1) << lane);
                }
                if (mask == 0)
                    continue;
                ASSERT_EQ(
                    gmmu_rdgc_trace_add(t.get(), block, warp, number, write, mask, addr, &err),
                    GMMU_OK);
                for (unsigned lane = 0; lane < 32; lane++)
                    if (mask >> lane & 1) {
                        lanes[lane] = addr[lane];
                        of_thread[{block, warp, lane}]++;
                    }
                if (i % 150 == 149) {
                    ASSERT_EQ(gmmu_rdgc_trace_order(t.get(), &err), GMMU_OK) << err.text;
                }
            }
            ASSERT_EQ(gmmu_rdgc_trace_order(t.get(), &err), GMMU_OK) << err.text;
            const gmmu_rdgc_grid *grid = gmmu_rdgc_trace_grid(t.get(), g);
            uint32_t at = 0, longest = 0;
            uint64_t numbers = 0, threads_accesses = 0;
            for (const auto &[key, lanes] : expected) {
                if (lanes.empty())
                    continue;
                ASSERT_LT(at, grid->count);
                const gmmu_rdgc_record &r = grid->records[at];
                EXPECT_EQ((std::vector<uint64_t>{r.block, r.number, r.warp, r.write}), key);
                EXPECT_LE(grid->first[r.block], at);
                EXPECT_GT(grid->first[r.block + 1], at);
                uint64_t addr[GMMU_WARP];
                EXPECT_EQ(gmmu_rdgc_record_addresses(grid, &r, addr), lanes.size());
                for (const auto &[lane, a] : lanes) {
                    EXPECT_TRUE(r.mask >> lane & 1);
                    EXPECT_EQ(addr[lane], a);
                }
                numbers = std::max(numbers, key[1] + 1);
                threads_accesses += lanes.size();
                at++;
            }
            for (const auto &[thread, n] : of_thread) longest = std::max(longest, n);
            EXPECT_EQ(grid->count, at);
            EXPECT_EQ(grid->numbers, numbers);
            EXPECT_EQ(grid->longest, longest);
            EXPECT_EQ(grid->reads + grid->writes, threads_accesses);
        }
        EXPECT_EQ(gmmu_rdgc_trace_grids(t.get()), 12u);
    }
}

// The hooks on real kernels: each warp's k-th memory instruction is AN k, with the addresses of
// that moment.
TEST(Rdgc, HooksOnKernels) {
    struct Both {
        gmmu_rdgc_trace *trace;
        std::vector<std::map<std::vector<uint64_t>, std::vector<uint64_t>>>
            seen;  // {block, AN, warp}
        std::map<std::vector<uint64_t>, uint64_t> next;
    };
    for (const char *name : {"2dconv", "gemm", "bfs"}) {
        const gmmu_simt_kernel *k = gmmu_simt_find(name);
        ASSERT_NE(k, nullptr);
        gmmu_simt_params p = gmmu_simt_defaults(k);
        p.size = strcmp(name, "bfs") == 0 ? 3000 : 70;
        gmmu_error err{};
        gmmu_simt *m = gmmu_simt_create(k, &p, &err);
        ASSERT_NE(m, nullptr) << err.text;
        const Trace t = new_trace();
        Both both = {t.get(), {}, {}};
        gmmu_simt_hooks hooks = {};
        hooks.ctx = &both;
        hooks.grid = [](void *ctx, const gmmu_simt_grid *g, gmmu_error *e) {
            Both *b = static_cast<Both *>(ctx);
            b->seen.emplace_back();
            b->next.clear();
            return gmmu_simt_logical_grid(b->trace, g, e);
        };
        hooks.op = [](void *ctx, const gmmu_simt_warp *w, unsigned sm, const gmmu_simt_op *op,
                      gmmu_error *e) {
            Both *b = static_cast<Both *>(ctx);
            std::vector<uint64_t> &s =
                b->seen.back()[{w->block, b->next[{w->block, w->index}]++, w->index}];
            s = {op->write, op->mask};
            for (unsigned lane = 0; lane < 32; lane++)
                if (op->mask >> lane & 1)
                    s.push_back(op->array->base + op->index[lane] * op->array->element);
            return gmmu_simt_logical_op(b->trace, w, sm, op, e);
        };
        ASSERT_EQ(gmmu_simt_run(m, &hooks, &err), GMMU_OK) << err.text;
        ASSERT_EQ(gmmu_rdgc_trace_order(t.get(), &err), GMMU_OK) << err.text;
        ASSERT_EQ(gmmu_rdgc_trace_grids(t.get()), both.seen.size());
        for (size_t i = 0; i < both.seen.size(); i++) {
            const gmmu_rdgc_grid *g = gmmu_rdgc_trace_grid(t.get(), i);
            ASSERT_EQ(g->count, both.seen[i].size());
            const gmmu_rdgc_record *r = g->records;
            for (const auto &[key, s] : both.seen[i]) {
                EXPECT_EQ((std::vector<uint64_t>{r->block, r->number, r->warp}), key);
                uint64_t addr[GMMU_WARP];
                (void)gmmu_rdgc_record_addresses(g, r, addr);
                std::vector<uint64_t> found = {r->write, r->mask};
                for (unsigned lane = 0; lane < 32; lane++)
                    if (r->mask >> lane & 1)
                        found.push_back(addr[lane]);
                EXPECT_EQ(found, s);
                r++;
            }
            if (strcmp(name, "2dconv") == 0) {
                EXPECT_EQ(g->longest, 10u);  // Table 4: nine reads, one write
                EXPECT_EQ(g->reads, 9 * g->writes);
                EXPECT_EQ(g->writes, 68u * 68);
            }
        }
        // A grid that the model refuses ends the run.
        gmmu_simt_destroy(m);
        m = gmmu_simt_create(k, &p, &err);
        hooks.grid = [](void *, const gmmu_simt_grid *, gmmu_error *) {
            return static_cast<int>(GMMU_BAD);
        };
        EXPECT_EQ(gmmu_simt_run(m, &hooks, &err), GMMU_BAD);
        gmmu_simt_destroy(m);
    }
}

// Lanes 0 to 3 at 70, 5, 64, 6 in blocks of 32 bytes with sectors of 8: 70 and 64 in block 2,
// sector 0; 5 and 6 in block 0, sector 0; lane 4, at 95, in block 2's sector 3; lane 5 does not
// take part.
TEST(Rdgc, Coalesce) {
    const uint64_t addr[GMMU_WARP] = {70, 5, 64, 6, 95, 1000};
    uint64_t block[GMMU_WARP];
    uint32_t sectors[GMMU_WARP];
    ASSERT_EQ(gmmu_rdgc_coalesce(addr, 0x1f, 5, 3, block, sectors), 2u);
    EXPECT_EQ(block[0], 2u);
    EXPECT_EQ(sectors[0], 0x9u);
    EXPECT_EQ(block[1], 0u);
    EXPECT_EQ(sectors[1], 0x1u);
    // sectors no smaller than blocks: one
    ASSERT_EQ(gmmu_rdgc_coalesce(addr, 0x20, 5, 7, block, sectors), 1u);
    EXPECT_EQ(block[0], 31u);
    EXPECT_EQ(sectors[0], 1u);
}

}  // namespace
