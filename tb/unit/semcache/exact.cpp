// SPDX-License-Identifier: Apache-2.0
// exact.cpp: the exact model does what §4.2 and §5 say, where they are right.
//
// State space: each kind of lookup, eviction, results of several computations, by hand.
#include <gtest/gtest.h>

#include "machine.h"

namespace {

using namespace semcache;

struct Exact : testing::Test {
    Machine machine{4096, 512};
    gmmu_exact_sem_gpu gpu = machine.calls();
    gmmu_exact_sem *m = gmmu_exact_sem_create(&gpu);
    gmmu_exact_sem_record r = {};
    ~Exact() override { gmmu_exact_sem_destroy(m); }

    std::string records() const {
        size_t n;
        const gmmu_exact_sem_record *all = gmmu_exact_sem_records(m, &n);
        std::string s;
        for (size_t i = 0; i < n; i++)
            s += (i ? " " : "") + std::to_string(all[i].cpu_s) + "-" +
                 std::to_string(all[i].cpu_e) + "CGS"[all[i].status];
        return s;
    }
};

TEST_F(Exact, Lookup) {
    (void)gmmu_exact_sem_lookup(m, 100, 200);
    (void)gmmu_exact_sem_lookup(m, 0, 50);
    EXPECT_EQ(records(), "0-50C 100-200C");
    EXPECT_EQ(gmmu_exact_sem_lookup(m, 120, 130)->hits, 1u);  // a subset
    EXPECT_EQ(gmmu_exact_sem_lookup(m, 100, 200)->hits, 2u);
    (void)gmmu_exact_sem_lookup(m, 200, 300);  // it ends where this starts
    EXPECT_EQ(records(), "0-50C 100-200C 200-300C");
    (void)gmmu_exact_sem_lookup(m, 150, 250);  // two, within
    EXPECT_EQ(records(), "0-50C 100-300C");
    (void)gmmu_exact_sem_lookup(m, 290, 400);  // one, beyond it
    EXPECT_EQ(records(), "0-50C 100-400C");
    EXPECT_EQ(gmmu_exact_sem_lookup(m, 100, 400)->hits, 3u);
    EXPECT_EQ(gmmu_exact_sem_lookups(m), 8u);
}

TEST_F(Exact, StatesOfTheProtocol) {
    ASSERT_TRUE(gmmu_exact_sem_read_gpu(m, 0, 64, &r));
    EXPECT_EQ(records(), "0-64S");
    ASSERT_TRUE(gmmu_exact_sem_write_gpu(m, 0, 64, &r));
    EXPECT_EQ(records(), "0-64G");
    ASSERT_TRUE(gmmu_exact_sem_read_gpu(m, 0, 64, &r));
    EXPECT_EQ(records(), "0-64G");
    ASSERT_TRUE(gmmu_exact_sem_read_cpu(m, 0, 64, &r));
    EXPECT_EQ(records(), "0-64S");
    ASSERT_TRUE(gmmu_exact_sem_write_cpu(m, 0, 64, &r));
    EXPECT_EQ(records(), "0-64C");
    ASSERT_TRUE(gmmu_exact_sem_read_cpu(m, 0, 64, &r));
    EXPECT_EQ(records(), "0-64C");
    EXPECT_EQ(machine.ups, 1u);
    EXPECT_EQ(machine.downs, 1u);
    // merged in G: copied back
    ASSERT_TRUE(gmmu_exact_sem_read_gpu(m, 0, 64, &r));
    ASSERT_TRUE(gmmu_exact_sem_write_gpu(m, 0, 64, &r));
    (void)gmmu_exact_sem_lookup(m, 32, 96);
    EXPECT_EQ(records(), "0-96C");
    EXPECT_EQ(machine.downs, 2u);
    EXPECT_EQ(machine.used(), 0u);
}

TEST_F(Exact, TheLeastUsedLeavesTheGpu) {
    for (uint64_t s : {0, 1000, 2000, 3000})  // 128 bytes each: full
        ASSERT_TRUE(gmmu_exact_sem_read_gpu(m, s, s + 128, &r));
    for (uint64_t s : {0, 0, 1000, 3000}) ASSERT_TRUE(gmmu_exact_sem_read_gpu(m, s, s + 128, &r));
    ASSERT_TRUE(gmmu_exact_sem_read_gpu(m, 4000, 4064, &r));
    EXPECT_EQ(records(), "0-128S 1000-1128S 2000-2128C 3000-3128S 4000-4064S");
    ASSERT_TRUE(gmmu_exact_sem_read_gpu(m, 200, 456, &r));  // the newest, then the first of equals
    EXPECT_EQ(records(), "0-128S 200-456S 1000-1128C 2000-2128C 3000-3128S 4000-4064C");
    ASSERT_TRUE(gmmu_exact_sem_read_gpu(m, 1200, 1800, &r));  // too large
    EXPECT_EQ(r.gpu_s, GMMU_EXACT_SEM_NOWHERE);
    EXPECT_EQ(machine.used(), 0u);
}

TEST_F(Exact, Results) {
    const auto compute = [](void *context, uint64_t, uint64_t) {
        return static_cast<Machine *>(context)->allocate(8);
    };
    uint64_t at[3], again = 0;
    bool elided = false;
    for (uint64_t s : {0, 1000}) ASSERT_TRUE(gmmu_exact_sem_read_gpu(m, s, s + 64, &r));
    ASSERT_TRUE(gmmu_exact_sem_computed(m, 0, 0, 64, compute, &at[0], &elided));
    ASSERT_TRUE(gmmu_exact_sem_computed(m, 1, 0, 64, compute, &at[1], &elided));
    ASSERT_TRUE(gmmu_exact_sem_computed(m, 0, 1000, 1064, compute, &at[2], &elided));
    EXPECT_FALSE(elided);
    for (unsigned i = 0; i < 3; i++) {
        ASSERT_TRUE(gmmu_exact_sem_computed(m, i == 1, i == 2 ? 1000 : 0, i == 2 ? 1064 : 64,
                                            compute, &again, &elided));
        EXPECT_TRUE(elided);
        EXPECT_EQ(again, at[i]);
    }
    ASSERT_TRUE(gmmu_exact_sem_write_cpu(m, 0, 64, &r));  // both of the range fall
    EXPECT_EQ(machine.used(), 64u + 64 + 8);
    ASSERT_TRUE(gmmu_exact_sem_read_gpu(m, 0, 64, &r));
    ASSERT_TRUE(gmmu_exact_sem_computed(m, 1, 0, 64, compute, &again, &elided));
    EXPECT_FALSE(elided);
    // results of two ranges that end or begin alike
    for (uint64_t e : {2064, 2128}) {
        (void)gmmu_exact_sem_lookup(m, 2000, e);
        ASSERT_TRUE(gmmu_exact_sem_read_gpu(m, 2000, e, &r));
        ASSERT_TRUE(gmmu_exact_sem_computed(m, 0, 2000, e, compute, &again, &elided));
        EXPECT_FALSE(elided);
    }
}

}  // namespace
