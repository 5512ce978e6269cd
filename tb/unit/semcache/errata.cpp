// SPDX-License-Identifier: Apache-2.0
// errata.cpp: each place where SemCache as printed goes wrong, and range_dir's rules beside it. The
// names are those of docs/papers/semcache.md, S10 to S26.
//
// State space: for each the shortest program that shows it, on both models, with the bytes.
#include <gtest/gtest.h>

#include <memory>

#include "ours.h"

namespace {

using namespace semcache;

// A machine for each model, with the same bytes: 512 doubles, 1 to 512.
struct Errata : testing::Test {
    static constexpr uint64_t DOUBLES = 512;
    std::unique_ptr<Machine> paper_, ours_;
    gmmu_exact_sem *exact = nullptr;
    std::unique_ptr<Ours> ours;
    gmmu_exact_sem_record record = {};

    void SetUp() override { start(1 << 20); }
    void start(uint64_t gpu_bytes, uint32_t ranges = 16) {
        TearDown();
        for (auto *m : {&paper_, &ours_}) {
            *m = std::make_unique<Machine>(8 * DOUBLES, gpu_bytes);
            (*m)->fill(0, DOUBLES, 1);
        }
        const gmmu_exact_sem_gpu gpu = paper_->calls();
        exact = gmmu_exact_sem_create(&gpu);
        ours = std::make_unique<Ours>(ours_.get(), ranges, gpu_bytes);
    }
    void TearDown() override {
        gmmu_exact_sem_destroy(exact);
        exact = nullptr;
        ours.reset();
    }

    // ---- a kernel that writes VALUE to doubles FROM to before TO of the record with [s, e), on
    // the GPU: as Fig. 11 does it, reading the range first, and as its protocol alone would
    void paper_kernel(uint64_t s, uint64_t e, uint64_t from, uint64_t to, double value,
                      bool read_first) {
        if (read_first) {
            ASSERT_TRUE(gmmu_exact_sem_read_gpu(exact, 8 * s, 8 * e, &record));
        } else {
            size_t n;
            const gmmu_exact_sem_record *r = gmmu_exact_sem_records(exact, &n);
            record.gpu_s = GMMU_EXACT_SEM_NOWHERE;
            for (size_t i = 0; i < n; i++)
                if (r[i].cpu_s <= 8 * s && 8 * e <= r[i].cpu_e)
                    record = r[i];
        }
        for (uint64_t i = from; i < to; i++)
            paper_->gpu_put(record.gpu_s + 8 * i - record.cpu_s, value);
        ASSERT_TRUE(gmmu_exact_sem_write_gpu(exact, 8 * s, 8 * e, &record));
    }
    void our_kernel(uint64_t s, uint64_t e, uint64_t from, uint64_t to, double value,
                    bool whole = false) {
        ours->call(
            {{8 * s, 8 * (e - s), false, true, whole}},
            [&](const std::vector<uint64_t> &at) {
                for (uint64_t i = from; i < to; i++) ours_->gpu_put(at[0] + 8 * (i - s), value);
            },
            [&] {
                for (uint64_t i = from; i < to; i++) ours_->put(8 * i, value);
            },
            true);
    }
    // ---- the CPU
    double paper_reads(uint64_t i, uint64_t s, uint64_t e) {
        EXPECT_TRUE(gmmu_exact_sem_read_cpu(exact, 8 * s, 8 * e, &record));
        return paper_->get(8 * i);
    }
    double ours_reads(uint64_t i, uint64_t s, uint64_t e) {
        ours->before_cpu_reads(8 * s, 8 * (e - s));
        return ours_->get(8 * i);
    }
    void paper_writes(uint64_t i, double value, uint64_t s, uint64_t e) {
        paper_->put(8 * i, value);
        ASSERT_TRUE(gmmu_exact_sem_write_cpu(exact, 8 * s, 8 * e, &record));
    }
    void ours_writes(uint64_t i, double value, uint64_t s, uint64_t e) {
        ours->before_cpu_writes(8 * s, 8 * (e - s));
        ours_->put(8 * i, value);
    }
    // What double I is for a kernel that reads [s, e).
    double paper_gpu_reads(uint64_t i, uint64_t s, uint64_t e) {
        EXPECT_TRUE(gmmu_exact_sem_read_gpu(exact, 8 * s, 8 * e, &record));
        return paper_->gpu_get(record.gpu_s + 8 * i - record.cpu_s);
    }
    double ours_gpu_reads(uint64_t i, uint64_t s, uint64_t e) {
        const gmmu_range_beat b = ours->op(GMMU_RANGE_READ_GPU, 8 * s, 8 * (e - s));
        return ours_->gpu_get(b.base + 8 * i - b.start);
    }
    // A multiply on both and on neither: does each model's CPU read the right C, and all around it?
    struct Result {
        bool paper, ours;
    };
    Result multiply_both(const Gemm &g, bool writeback) {
        Machine plain = *ours_;
        plain.multiply_on_cpu(g);
        EXPECT_TRUE(gmmu_exact_sem_dgemm(exact, writeback, &g));
        ours->gemm(g, writeback);
        if (writeback) {
            EXPECT_TRUE(gmmu_exact_sem_read_cpu(exact, 0, 8 * DOUBLES, &record));
            ours->before_cpu_reads(0, 8 * DOUBLES);
        }
        return {plain.cpu == paper_->cpu, plain.cpu == ours_->cpu};
    }
};

TEST_F(Errata, S10_WriteCpuComesAfterTheWrite) {
    paper_kernel(0, 8, 0, 8, 70, true);
    our_kernel(0, 8, 0, 8, 70);
    paper_writes(2, 99, 0, 16);  // meets the record in G: merged, and copied over what was written
    ours_writes(2, 99, 0, 16);
    EXPECT_EQ(paper_reads(2, 0, 16), 70);  // not 99
    EXPECT_EQ(ours_reads(2, 0, 16), 99);
}

TEST_F(Errata, S11_AWriteOfAPartLosesTheRestOfG) {
    paper_kernel(0, 8, 0, 8, 70, true);
    our_kernel(0, 8, 0, 8, 70);
    paper_writes(2, 99, 2, 3);
    ours_writes(2, 99, 2, 3);
    EXPECT_EQ(paper_reads(5, 0, 8), 6);  // not 70
    EXPECT_EQ(ours_reads(5, 0, 8), 70);
    EXPECT_EQ(ours_reads(2, 0, 8), 99);
}

TEST_F(Errata, S12_AKernelWritesAPartOfC) {
    paper_kernel(0, 8, 0, 8, 70, true);
    our_kernel(0, 8, 0, 8, 70);
    for (uint64_t i = 0; i < 8; i++) paper_writes(i, 90, 0, 8);
    for (uint64_t i = 0; i < 8; i++) ours_writes(i, 90, 0, 8);
    paper_kernel(0, 2, 0, 2, 80, false);
    our_kernel(0, 2, 0, 2, 80);
    EXPECT_EQ(paper_reads(5, 0, 8), 70);  // not 90: all eight count as the GPU's
    EXPECT_EQ(ours_reads(5, 0, 8), 90);
    EXPECT_EQ(ours_reads(1, 0, 8), 80);
}

TEST_F(Errata, S13_AKernelWritesWhatHasNoGpuMemory) {
    paper_kernel(0, 8, 0, 8, 70, false);
    our_kernel(0, 8, 0, 8, 70, true);
    EXPECT_EQ(paper_->wild, 8u);
    EXPECT_EQ(ours_->wild, 0u);
    EXPECT_EQ(ours_->ups, 0u);
    EXPECT_EQ(paper_reads(5, 0, 8), 6);  // not 70
    EXPECT_EQ(ours_reads(5, 0, 8), 70);
}

TEST_F(Errata, S14_TheSearchForOverlapsGoesOn) {
    paper_kernel(32, 64, 32, 64, 70, true);
    our_kernel(32, 64, 32, 64, 70);
    EXPECT_EQ(paper_gpu_reads(36, 16, 40), 37);  // not 70
    EXPECT_EQ(ours_gpu_reads(36, 16, 40), 70);
    size_t n;
    const gmmu_exact_sem_record *r = gmmu_exact_sem_records(exact, &n);
    ASSERT_EQ(n, 2u);
    EXPECT_GT(r[0].cpu_e, r[1].cpu_s);  // not disjoint
    EXPECT_EQ(ours->dir().used, 1u);
}

TEST_F(Errata, S15_GIsCopiedBackBeforeItLeavesTheGpu) {
    start(8 * 16);
    paper_kernel(0, 16, 0, 16, 70, true);
    our_kernel(0, 16, 0, 16, 70);
    EXPECT_EQ(paper_gpu_reads(20, 16, 32), 21);  // there is room for one
    EXPECT_EQ(ours_gpu_reads(20, 16, 32), 21);
    EXPECT_EQ(paper_reads(5, 0, 16), 6);  // not 70
    EXPECT_EQ(ours_reads(5, 0, 16), 70);
}

TEST_F(Errata, S16_CIsReadOnlyWithBeta) {
    const Gemm g = {.transa = 'N',
                    .transb = 'N',
                    .m = 4,
                    .n = 4,
                    .k = 4,
                    .alpha = 1,
                    .a = 0,
                    .lda = 4,
                    .b = 128,
                    .ldb = 4,
                    .c = 256,
                    .ldc = 4};
    const Result r = multiply_both(g, true);
    EXPECT_TRUE(r.paper && r.ours);
    EXPECT_EQ(paper_->ups, 3u);
    EXPECT_EQ(ours_->ups, 2u);
}

TEST_F(Errata, S17_WriteThroughCopiesNothingBack) {
    const Gemm g = {.transa = 'N',
                    .transb = 'N',
                    .m = 4,
                    .n = 4,
                    .k = 4,
                    .alpha = 1,
                    .a = 0,
                    .lda = 4,
                    .b = 128,
                    .ldb = 4,
                    .c = 256,
                    .ldc = 4};
    const Result r = multiply_both(g, false);
    EXPECT_FALSE(r.paper);
    EXPECT_TRUE(r.ours);
    EXPECT_EQ(paper_->downs, 0u);
    EXPECT_EQ(ours_->downs, 1u);
}

TEST_F(Errata, S18_ExtentsKnowTheLeadingDimension) {
    for (const bool writeback : {true, false}) {
        start(1 << 20);  // A is 4 × 4 of a matrix with 7 rows
        const Result r = multiply_both({.transa = 'N',
                                        .transb = 'N',
                                        .m = 4,
                                        .n = 4,
                                        .k = 4,
                                        .alpha = 1,
                                        .beta = 1,
                                        .a = 0,
                                        .lda = 7,
                                        .b = 512,
                                        .ldb = 4,
                                        .c = 1024,
                                        .ldc = 4},
                                       writeback);
        EXPECT_FALSE(r.paper);
        EXPECT_GT(paper_->wild, 0u);
        EXPECT_TRUE(r.ours);
        EXPECT_EQ(ours_->wild, 0u);
    }
}

TEST_F(Errata, S18_ExtentsKnowTransposition) {
    // A is 2 × 6 in a matrix with 3 rows, read as 6 × 2: 17 doubles
    const Result r = multiply_both({.transa = 'T',
                                    .transb = 'N',
                                    .m = 6,
                                    .n = 3,
                                    .k = 2,
                                    .alpha = 1,
                                    .a = 0,
                                    .lda = 3,
                                    .b = 512,
                                    .ldb = 2,
                                    .c = 1024,
                                    .ldc = 6},
                                   true);
    EXPECT_FALSE(r.paper);
    EXPECT_TRUE(r.ours);
}

// β = 0 and LDC > M, or a triangle: the range has bytes that the kernel does not write.
TEST_F(Errata, S19_ARangeThatIsWrittenInPart) {
    our_kernel(0, 8, 0, 4, 70);
    ASSERT_TRUE(gmmu_exact_sem_read_gpu(exact, 0, 64, &record));  // so that there is GPU memory
    for (uint64_t i = 0; i < 8; i++) paper_writes(i, 90, 0, 8);
    for (uint64_t i = 0; i < 8; i++) ours_writes(i, 90, 0, 8);
    paper_kernel(0, 8, 0, 4, 80, false);  // C not read: β is 0
    our_kernel(0, 8, 0, 4, 80, false);
    EXPECT_EQ(paper_reads(6, 0, 8), 7);  // not 90
    EXPECT_EQ(ours_reads(6, 0, 8), 90);
    start(1 << 20);
    const Result r = multiply_both({.transa = 'N',
                                    .transb = 'N',
                                    .m = 3,
                                    .n = 4,
                                    .k = 4,
                                    .alpha = 1,
                                    .a = 0,
                                    .lda = 3,
                                    .b = 512,
                                    .ldb = 4,
                                    .c = 1024,
                                    .ldc = 5},
                                   true);
    EXPECT_TRUE(r.ours);
}

TEST_F(Errata, S20_AnOperandOfTheCallIsEvicted) {
    start(2 * 128);  // two of the three matrices
    const Result r = multiply_both({.transa = 'N',
                                    .transb = 'N',
                                    .m = 4,
                                    .n = 4,
                                    .k = 4,
                                    .alpha = 1,
                                    .beta = 1,
                                    .a = 0,
                                    .lda = 4,
                                    .b = 128,
                                    .ldb = 4,
                                    .c = 256,
                                    .ldc = 4},
                                   true);
    EXPECT_FALSE(r.paper);
    EXPECT_GT(paper_->wild, 0u);
    EXPECT_TRUE(r.ours);
    EXPECT_EQ(ours->on_cpu, 1u);
}

TEST_F(Errata, S20_AnOperandOfTheCallIsMerged) {
    // B begins within A
    const Result r = multiply_both({.transa = 'N',
                                    .transb = 'N',
                                    .m = 4,
                                    .n = 4,
                                    .k = 4,
                                    .alpha = 1,
                                    .a = 0,
                                    .lda = 4,
                                    .b = 64,
                                    .ldb = 4,
                                    .c = 512,
                                    .ldc = 4},
                                   true);
    EXPECT_FALSE(r.paper);
    EXPECT_GT(paper_->wild, 0u);
    EXPECT_TRUE(r.ours);
    EXPECT_EQ(ours->on_cpu, 0u);
}

TEST_F(Errata, S21_ACallThatDoesNotFitRunsOnTheCpu) {
    start(100);  // no matrix fits
    const Result r = multiply_both({.transa = 'N',
                                    .transb = 'N',
                                    .m = 4,
                                    .n = 4,
                                    .k = 4,
                                    .alpha = 1,
                                    .a = 0,
                                    .lda = 4,
                                    .b = 128,
                                    .ldb = 4,
                                    .c = 256,
                                    .ldc = 4},
                                   true);
    EXPECT_FALSE(r.paper);
    EXPECT_TRUE(r.ours);
    EXPECT_EQ(ours->on_cpu, 1u);
    EXPECT_EQ(ours_->kernels, 0u);
}

// A computation: the sum of eight doubles, in GPU memory of its own.
uint64_t sum(Machine *m, uint64_t at) {
    double d = 0;
    for (uint64_t i = 0; i < 8; i++) d += m->gpu_get(at + 8 * i);
    const uint64_t to = m->allocate(8);
    m->gpu_put(to, d);
    return to;
}

TEST_F(Errata, S22_AResultFallsWhenTheGpuWrites) {
    static uint64_t at;  // of the range: the paper's computation is not told
    ASSERT_TRUE(gmmu_exact_sem_read_gpu(exact, 0, 64, &record));
    at = record.gpu_s;
    const auto paper_sum = [](void *m, uint64_t, uint64_t) {
        return sum(static_cast<Machine *>(m), at);
    };
    const auto our_sum = [&](uint64_t from) { return sum(ours_.get(), from); };
    uint64_t result = 0;
    bool elided = false;
    ASSERT_TRUE(gmmu_exact_sem_computed(exact, 0, 0, 64, paper_sum, &result, &elided));
    EXPECT_FALSE(elided);
    ASSERT_TRUE(gmmu_exact_sem_computed(exact, 0, 0, 64, paper_sum, &result, &elided));
    EXPECT_TRUE(elided);
    EXPECT_EQ(paper_->gpu_get(result), 36);
    EXPECT_EQ(ours_->gpu_get(ours->computed(0, 0, 64, our_sum, &elided)), 36);
    EXPECT_FALSE(elided);
    EXPECT_EQ(ours_->gpu_get(ours->computed(0, 0, 64, our_sum, &elided)), 36);
    EXPECT_TRUE(elided);

    paper_kernel(0, 8, 0, 8, 10, true);
    our_kernel(0, 8, 0, 8, 10);
    ASSERT_TRUE(gmmu_exact_sem_computed(exact, 0, 0, 64, paper_sum, &result, &elided));
    EXPECT_TRUE(elided);
    EXPECT_EQ(paper_->gpu_get(result), 36);  // not 80
    EXPECT_EQ(ours_->gpu_get(ours->computed(0, 0, 64, our_sum, &elided)), 80);
    EXPECT_FALSE(elided);

    // that it falls when the CPU writes both know
    ours_writes(0, 11, 0, 1);
    EXPECT_EQ(ours_->gpu_get(ours->computed(0, 0, 64, our_sum, &elided)), 81);
    paper_writes(0, 11, 0, 8);
    ASSERT_TRUE(gmmu_exact_sem_read_gpu(exact, 0, 64, &record));
    at = record.gpu_s;
    ASSERT_TRUE(gmmu_exact_sem_computed(exact, 0, 0, 64, paper_sum, &result, &elided));
    EXPECT_FALSE(elided);
    // another computation, and another range, have results of their own
    ASSERT_TRUE(gmmu_exact_sem_computed(exact, 1, 0, 64, paper_sum, &result, &elided));
    EXPECT_FALSE(elided);
    ASSERT_TRUE(gmmu_exact_sem_computed(exact, 1, 128, 192, paper_sum, &result, &elided));
    EXPECT_FALSE(elided);
}

TEST_F(Errata, S23_AComputationMakesNothingShared) {
    const auto nothing = [](void *, uint64_t, uint64_t) { return GMMU_EXACT_SEM_NOWHERE; };
    uint64_t result = 0;
    bool elided = false;
    // of C: factors are made on the CPU and sent; the matrix itself is not on the GPU, but S
    ASSERT_TRUE(gmmu_exact_sem_computed(exact, 0, 0, 64, nothing, &result, &elided));
    EXPECT_NE(paper_gpu_reads(3, 0, 8), 4);
    // of G: S without a copy
    paper_kernel(64, 72, 64, 72, 70, true);
    ASSERT_TRUE(gmmu_exact_sem_computed(exact, 0, 512, 576, nothing, &result, &elided));
    EXPECT_EQ(paper_reads(66, 64, 72), 67);  // not 70
    const auto ours_nothing = [&](uint64_t) { return ours_->allocate(8); };
    (void)ours->computed(0, 0, 64, ours_nothing, &elided);
    EXPECT_EQ(ours_gpu_reads(3, 0, 8), 4);
    our_kernel(64, 72, 64, 72, 70);
    (void)ours->computed(0, 512, 64, ours_nothing, &elided);
    EXPECT_EQ(ours_reads(66, 64, 72), 70);
}

TEST_F(Errata, S24_FreedMemoryIsReleased) {
    paper_kernel(0, 8, 0, 8, 70, true);
    our_kernel(0, 8, 0, 8, 70);
    const uint64_t held = paper_->used();
    ours->before_free(0, 64);
    EXPECT_EQ(ours->dir().used, 0u);
    EXPECT_EQ(ours_->used(), 0u);
    EXPECT_EQ(paper_->used(), held);  // nothing tells it
    for (Machine *m : {paper_.get(), ours_.get()})
        m->fill(0, 8, 0, 0);                  // the system's zeroes: no write of the program
    EXPECT_EQ(paper_gpu_reads(3, 0, 8), 70);  // not 0
    EXPECT_EQ(ours_gpu_reads(3, 0, 8), 0);
}

TEST_F(Errata, S25_TheCpuMakesAndMergesNoRecords) {
    for (uint64_t s : {0, 8}) {
        EXPECT_EQ(paper_gpu_reads(s, s, s + 8), s + 1);
        EXPECT_EQ(ours_gpu_reads(s, s, s + 8), s + 1);
    }
    EXPECT_EQ(paper_reads(3, 0, 16), 4);  // one loop over both matrices
    EXPECT_EQ(ours_reads(3, 0, 16), 4);
    EXPECT_EQ(paper_reads(300, 300, 301), 301);  // and what the GPU never sees
    EXPECT_EQ(ours_reads(300, 300, 301), 301);
    EXPECT_EQ(paper_gpu_reads(3, 0, 8), 4);
    EXPECT_EQ(ours_gpu_reads(3, 0, 8), 4);
    EXPECT_EQ(paper_->ups, 3u);  // both again
    EXPECT_EQ(paper_->up_bytes, 256u);
    EXPECT_EQ(ours_->ups, 2u);
    size_t n;
    const gmmu_exact_sem_record *r = gmmu_exact_sem_records(exact, &n);
    EXPECT_EQ(n, 2u);
    EXPECT_EQ(r[0].cpu_e, 128u);
    EXPECT_EQ(ours->dir().used, 2u);
}

TEST_F(Errata, S26_TheLastByteOfTheAddressSpace) {
    // [2^64 - 64, 2^64) has an end of 0: no range contains a byte of it
    paper_->data = ours_->data = false;
    const uint64_t s = UINT64_MAX - 63;
    ASSERT_TRUE(gmmu_exact_sem_read_gpu(exact, s, s + 64, &record));
    ASSERT_TRUE(gmmu_exact_sem_read_gpu(exact, s, s + 64, &record));
    size_t n;
    (void)gmmu_exact_sem_records(exact, &n);
    EXPECT_EQ(n, 2u);  // twice the same
    (void)ours->op(GMMU_RANGE_READ_GPU, s, 64);
    EXPECT_TRUE(ours->op(GMMU_RANGE_READ_GPU, s, 64).hit);
    EXPECT_EQ(ours->dir().used, 1u);
}

}  // namespace
