// SPDX-License-Identifier: Apache-2.0
// memory_of_library.cpp: every allocation of the library fails in turn.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "exact/leu.h"
#include "exact/semcache.h"
#include "fail.h"
#include "gmmu/trace.h"
#include "mrc/mrc.h"
#include "numbered_trace.h"
#include "policy/policy.h"
#include "policy/registry.h"
#include "policy/replay.h"
#include "rdgc/rdgc.h"
#include "simt/logical.h"
#include "simt/simt.h"

namespace {

// Lets each allocation of RUN fail in turn; RUN returns whether all was well. The first time that
// nothing fails it must be.
template <typename Run>
void each_allocation(Run run, long least) {
    for (long n = 1;; n++) {
        Plan p;
        p.group = MEMORY;
        p.at = n;
        arm(p);
        const bool good = run();
        plan = Plan();
        EXPECT_EQ(good, !shared->fired) << "allocation " << n;
        if (!shared->fired) {
            EXPECT_GT(n, least);
            return;
        }
    }
}

TEST_F(Fail, MemoryOfTheExactModel) {
    each_allocation(
        [] {
            gmmu_exact_leu *m = gmmu_exact_leu_create();
            bool good = m != nullptr;
            for (unsigned i = 0; good && i < 200; i++)
                good = gmmu_exact_leu_walk(m, {0, i % 7}, i % 3);
            gmmu_exact_leu_destroy(m);
            return good;
        },
        4);
}

TEST_F(Fail, MemoryOfTheRegistry) {
    static gmmu_policy policy = gmmu_policy_lru;
    policy.name = "one-more";
    each_allocation(
        [] {
            const gmmu_policy *one[] = {&policy};
            gmmu_error err = {};
            return gmmu_policy_add(one, 1, &err) && gmmu_policy_find("one-more", 8) == &policy;
        },
        1);
}

TEST_F(Fail, MemoryOfTheExactSemcache) {
    gmmu_exact_sem_gpu gpu = {};
    gpu.allocate = [](void *, uint64_t) -> uint64_t { return 0; };
    gpu.release = [](void *, uint64_t) {};
    gpu.up = gpu.down = [](void *, uint64_t, uint64_t, uint64_t) {};
    gpu.gemm = [](void *, const gmmu_exact_sem_gemm *, uint64_t, uint64_t, uint64_t) {};
    gmmu_exact_sem_destroy(nullptr);
    const auto none = [](void *, uint64_t, uint64_t) -> uint64_t { return 0; };
    // each kind of call, with so many records that the first, second or third it makes finds no
    // room
    for (unsigned call = 0; call < 6; call++)
        for (const unsigned before : {0, 14, 15, 16})
            each_allocation(
                [&] {
                    gmmu_exact_sem *m = gmmu_exact_sem_create(&gpu);
                    gmmu_exact_sem_record r;
                    uint64_t at;
                    bool good = m != nullptr, elided;
                    for (uint64_t i = 0; good && i < before; i++)
                        good = gmmu_exact_sem_computed(m, 0, 100 * i, 100 * i + 50, none, &at,
                                                       &elided);
                    const uint64_t s = 8000, e = 8064;
                    const gmmu_exact_sem_gemm g = {.transa = 'N',
                                                   .transb = 'N',
                                                   .m = 1,
                                                   .n = 1,
                                                   .k = 1,
                                                   .alpha = 1,
                                                   .beta = 1,
                                                   .a = 7000,
                                                   .lda = 1,
                                                   .b = 8000,
                                                   .ldb = 1,
                                                   .c = 9000,
                                                   .ldc = 1};
                    good =
                        good && (call == 0 ? gmmu_exact_sem_computed(m, 0, s, e, none, &at, &elided)
                                 : call == 1 ? gmmu_exact_sem_write_cpu(m, s, e, &r)
                                 : call == 2 ? gmmu_exact_sem_read_cpu(m, s, e, &r)
                                 : call == 3 ? gmmu_exact_sem_write_gpu(m, s, e, &r)
                                 : call == 4 ? gmmu_exact_sem_read_gpu(m, s, e, &r)
                                             : gmmu_exact_sem_dgemm(m, true, &g));
                    gmmu_exact_sem_destroy(m);
                    return good;
                },
                2);
}

TEST_F(Fail, MemoryOfRdgc) {
    // the first access of a grid is added when the next header, another access or the end is read
    char text[] =
        "# gmmu-rdgc 1 blocks=2 threads=2\n0,0,0,r,1\n"
        "# gmmu-rdgc 1 blocks=2 threads=2\n0,0,0,r,1\n1,0,0,r,1\n"
        "# gmmu-rdgc 1 blocks=1 threads=1\n0,0,0,w,9\n";
    FILE *in = fmemopen(text, sizeof text - 1, "r");
    gmmu_rdgc_config config = gmmu_rdgc_defaults();
    config.sms = 2;
    each_allocation(
        [&] {
            gmmu_error err{};
            gmmu_rdgc_trace *t = gmmu_rdgc_trace_create(&err);
            rewind(in);
            bool good = t != nullptr && gmmu_rdgc_trace_read(t, in, "t", &err) == GMMU_OK;
            uint64_t addr[GMMU_WARP];
            for (unsigned lane = 0; lane < GMMU_WARP; lane++) addr[lane] = lane * lane * 100;
            const gmmu_array array = {"a", 0x1000, 100, 4, nullptr};
            gmmu_simt_warp warp{};
            gmmu_simt_op op{};
            op.array = &array;
            op.mask = 1;
            const gmmu_simt_grid grid = {2, 64, 0};
            for (unsigned i = 0; good && i < 10; i++)
                good = gmmu_simt_logical_grid(t, &grid, &err) == GMMU_OK &&
                       gmmu_simt_logical_op(t, &warp, 0, &op, &err) == GMMU_OK;
            for (unsigned i = 0; good && i < 40; i++)
                good = gmmu_rdgc_trace_add(t, i % 2, 1, i + 1, false, UINT32_MAX, addr, &err) ==
                       GMMU_OK;
            good = good && gmmu_rdgc_trace_order(t, &err) == GMMU_OK;
            gmmu_rdgc_metrics metrics;
            good = good && gmmu_rdgc_measure(&config, t, 0, gmmu_rdgc_trace_grids(t), &metrics,
                                             &err) == GMMU_OK;
            gmmu_rdgc_trace_destroy(t);
            EXPECT_EQ(err.text[0] == '\0', good);
            if (!good) {
                EXPECT_NE(strstr(err.text, "no memory"), nullptr) << err.text;
            }
            return good;
        },
        100);
    EXPECT_EQ(fclose(in), 0);
}

TEST_F(Fail, MemoryOfStacks) {
    for (const gmmu_stack *kind : {&gmmu_stack_lru, &gmmu_stack_opt, &gmmu_stack_leu_exact}) {
        each_allocation(
            [kind] {
                void *stack = kind->create();
                bool good = stack != nullptr;
                gmmu_error err = {};
                uint32_t distance = 0;
                const uint32_t pages =
                    kind == &gmmu_stack_leu_exact ? 50 : 17000;  // its walks are slow
                for (uint32_t i = 0; good && i < 5 * pages; i++) {
                    const gmmu_touch touch = {i % pages, 0, i % 7, i + 1};
                    good = kind->access(stack, &touch, &distance, &err) == GMMU_OK;
                    // round and round: LRU hits only where all pages have room
                    const bool known = good && (i < pages || kind == &gmmu_stack_lru);
                    EXPECT_TRUE(!known || distance == (i < pages ? 0 : pages)) << distance;
                }
                if (stack != nullptr)
                    kind->destroy(stack);
                return good;
            },
            4);
    }
}

// Victims ahead of need, of every policy that names any: the frames that they leave are noted, and
// leu-exact, all of whose pages have reuse intervals, bounds the priorities for its first victim.
TEST_F(Fail, MemoryOfVictimsAheadOfNeed) {
    enum { PAGES = 3, WALKS = 3 * PAGES };
    std::vector<gmmu_walk> walks(WALKS);
    for (size_t i = 0; i < walks.size(); i++) walks[i].vpn = i % PAGES;
    const Numbered n(walks);
    for (size_t i = 0; gmmu_policy_at(i) != nullptr; i++) {
        const gmmu_policy *policy = gmmu_policy_at(i);
        if (policy->evict == nullptr)
            continue;
        each_allocation(
            [&] {
                const gmmu_policy_config config = {.frames = PAGES,
                                                   .pages = n.pages,
                                                   .future = &n.future,
                                                   .seed = 1,
                                                   .tier2 = policy->tiers ? 1U : 0U};
                gmmu_error err = {};
                gmmu_outcome out;
                gmmu_sim *sim = gmmu_sim_create(policy, &config, &err);
                bool good = sim != nullptr;
                for (size_t t = 0; good && t < WALKS; t++) {
                    good = gmmu_sim_access(sim, n.index[t], &n.trace[t], &out, &err) == GMMU_OK;
                    if (good && t == 2 * PAGES)
                        good = gmmu_sim_evict(sim, &out, &err) == GMMU_OK;
                }
                gmmu_sim_destroy(sim);
                EXPECT_EQ(err.text[0] == '\0', good) << policy->name;
                return good;
            },
            3);
    }
}

TEST_F(Fail, MemoryOfPages) {
    each_allocation(
        [] {
            gmmu_pages *p = gmmu_pages_create();
            bool good = p != nullptr;
            for (unsigned i = 0; good && i < 5000; i++) good = gmmu_pages_index(p, 0, 2 * i) == i;
            gmmu_pages_destroy(p);
            return good;
        },
        8);
    each_allocation(
        [] {  // pages that need no table, and then one
            gmmu_pages *p = gmmu_pages_create();
            bool good = p != nullptr;
            for (unsigned i = 0; good && i < 5000; i++) good = gmmu_pages_index(p, 0, i) == i;
            good = good && gmmu_pages_index(p, 1, 0) == 5000;
            for (unsigned i = 0; p != nullptr && i < gmmu_pages_count(p); i++)
                EXPECT_EQ(gmmu_pages_number(p, i), i % 5000);
            gmmu_pages_destroy(p);
            return good;
        },
        3);
    EXPECT_EQ(gmmu_grow(nullptr, 0, SIZE_MAX / 4, 8, 0), nullptr);
    EXPECT_EQ(gmmu_grow(nullptr, 0, SIZE_MAX, 1, 0),
              nullptr);  // too much once it is whole huge pages
    each_allocation(
        [] {  // large enough for huge pages
            void *array = gmmu_grow(nullptr, 0, 1 << 20, 8, 0);
            free(array);
            return array != nullptr;
        },
        1);
}

}  // namespace
