// SPDX-License-Identifier: Apache-2.0
// chain.cpp: the paper's example, Fig. 1 (C = A B, D = B C, E = C D, of the same size; the CPU then
// reads E), and its operations' counts.
//
// State space: each protocol over the whole chain, once with the bytes, once at N = 4096 counted.
// Parameter space: N 2, 5, 16, 4096; Table 3's three inputs.
#include <gtest/gtest.h>

#include "ours.h"

namespace {

using namespace semcache;

enum Protocol { NAIVE, FIG9, EXACT_WB, EXACT_WT, OURS_WB, OURS_WT };

struct Chain {
    uint64_t n, bytes = 8 * n * n;
    Machine m;
    bool right = true;  // the CPU reads the right E

    explicit Chain(uint64_t size) : n(size), m(size > 100 ? 8 : 5 * bytes) { m.data = size <= 100; }
    // Matrix I of A to E.
    uint64_t at(unsigned i) const { return i * bytes; }
    Gemm product(unsigned x, unsigned y, unsigned z) const {
        return {.transa = 'N',
                .transb = 'N',
                .m = n,
                .n = n,
                .k = n,
                .alpha = 1,
                .a = at(x),
                .lda = n,
                .b = at(y),
                .ldb = n,
                .c = at(z),
                .ldc = n};
    }
    void run(Protocol p) {
        const Gemm calls[] = {product(0, 1, 2), product(1, 2, 3), product(2, 3, 4)};
        Machine plain = m;
        if (m.data) {
            m.fill(at(0), n * n, 1);
            m.fill(at(1), n * n, -2);
            plain = m;
            for (const Gemm &g : calls) plain.multiply_on_cpu(g);
        }
        const gmmu_exact_sem_gpu gpu = m.calls();
        if (p == NAIVE || p == FIG9) {
            for (const Gemm &g : calls) gmmu_exact_sem_alone(&gpu, p == FIG9, &g);
        } else if (p == EXACT_WB || p == EXACT_WT) {
            gmmu_exact_sem *exact = gmmu_exact_sem_create(&gpu);
            for (const Gemm &g : calls) ASSERT_TRUE(gmmu_exact_sem_dgemm(exact, p == EXACT_WB, &g));
            gmmu_exact_sem_record e;
            ASSERT_TRUE(gmmu_exact_sem_read_cpu(exact, at(4), at(5), &e));
            EXPECT_EQ(gmmu_exact_sem_lookups(exact), 4u * 3 + 1);
            gmmu_exact_sem_destroy(exact);
        } else {
            Ours ours(&m, 16, 1ull << 40);
            for (const Gemm &g : calls) ours.gemm(g, p == OURS_WB);
            ours.before_cpu_reads(at(4), bytes);
            EXPECT_EQ(ours.lookups, 3u * 3);
            EXPECT_EQ(ours.on_cpu, 0u);
        }
        EXPECT_EQ(m.kernels, 3u);
        EXPECT_EQ(m.wild, 0u);
        if (m.data)
            right = std::memcmp(&m.cpu[at(4)], &plain.cpu[at(4)], bytes) == 0;
    }
};

struct Expected {
    Protocol protocol;
    uint64_t ups, downs, up_mib, down_mib;  // MiB at N = 4096
    bool right;
};

// The paper's figures: §3 and Fig. 2(a), 6 + 3; Fig. 7(a), 2 + 1; (b) "5 transfers" as it must be.
// As printed Fig. 11 sends C, D and E too, and with write-through nothing comes back.
const Expected expected[] = {
    {.protocol = NAIVE, .ups = 6, .downs = 3, .up_mib = 768, .down_mib = 384, .right = true},
    {.protocol = FIG9, .ups = 9, .downs = 3, .up_mib = 1152, .down_mib = 384, .right = true},
    {.protocol = EXACT_WB, .ups = 5, .downs = 1, .up_mib = 640, .down_mib = 128, .right = true},
    {.protocol = EXACT_WT, .ups = 5, .downs = 0, .up_mib = 640, .down_mib = 0, .right = false},
    {.protocol = OURS_WB, .ups = 2, .downs = 1, .up_mib = 256, .down_mib = 128, .right = true},
    {.protocol = OURS_WT, .ups = 2, .downs = 3, .up_mib = 256, .down_mib = 384, .right = true}};

TEST(Chain, Transfers) {
    for (const Expected &want : expected)
        for (const uint64_t n : {2, 5, 16, 4096}) {
            SCOPED_TRACE("protocol " + std::to_string(want.protocol) + ", N " + std::to_string(n));
            Chain c(n);
            c.run(want.protocol);
            EXPECT_EQ(c.m.ups, want.ups);
            EXPECT_EQ(c.m.downs, want.downs);
            EXPECT_EQ(c.m.up_bytes, want.ups * 8 * n * n);
            EXPECT_EQ(c.m.down_bytes, want.downs * 8 * n * n);
            if (n == 4096) {
                EXPECT_EQ(c.m.up_bytes, want.up_mib << 20);
                EXPECT_EQ(c.m.down_bytes, want.down_mib << 20);
            } else {
                EXPECT_EQ(c.right, want.right);
            }
        }
}

// Table 3 counts operands: 3 a GEMM, 2 a GESV, XPY, COPY. Fig. 11 looks up four times a GEMM.
TEST(Chain, Lookups) {
    struct Input {
        const char *name;
        unsigned gemm, gesv, xpy, copy;
        uint64_t lookups;  // the paper's
    };
    static const Input inputs[] = {
        // clang-format off
        {.name = "Rocket32", .gemm = 6720, .gesv = 1209, .xpy = 3520, .copy = 480, .lookups = 30578},
        {.name = "Cube14", .gemm = 944, .gesv = 233, .xpy = 688, .copy = 104, .lookups = 4882},
        {.name = "Cube10", .gemm = 470, .gesv = 131, .xpy = 394, .copy = 62, .lookups = 2584}};
    // clang-format on
    for (const Input &in : inputs) {
        SCOPED_TRACE(in.name);
        Machine m(8), other(8);
        m.data = other.data = false;
        Ours ours(&m, 64, 1ull << 40);
        const gmmu_exact_sem_gpu gpu = other.calls();
        gmmu_exact_sem *exact = gmmu_exact_sem_create(&gpu);
        const auto matrix = [](unsigned i) { return static_cast<uint64_t>(i % 20) * 512; };
        uint64_t kernels = 0;
        const auto two = [&](unsigned i) {  // the first is read, the second read and written
            ours.call(
                {{matrix(i), 512, true, false, false}, {matrix(i + 1), 512, true, true, true}},
                [&](const std::vector<uint64_t> &) { kernels++; }, [] {}, true);
        };
        for (unsigned i = 0; i < in.gemm; i++) {
            const Gemm g = {.transa = 'N',
                            .transb = 'N',
                            .m = 8,
                            .n = 8,
                            .k = 8,
                            .alpha = 1,
                            .a = matrix(i),
                            .lda = 8,
                            .b = matrix(i + 1),
                            .ldb = 8,
                            .c = matrix(i + 2),
                            .ldc = 8};
            ours.gemm(g, true);
            ASSERT_TRUE(gmmu_exact_sem_dgemm(exact, true, &g));
        }
        for (unsigned i = 0; i < in.gesv + in.xpy + in.copy; i++) two(i);
        EXPECT_EQ(ours.lookups, in.lookups);
        EXPECT_EQ(kernels, in.gesv + in.xpy + in.copy);
        EXPECT_EQ(gmmu_exact_sem_lookups(exact), 4ull * in.gemm);
        gmmu_exact_sem_destroy(exact);
    }
}

}  // namespace
