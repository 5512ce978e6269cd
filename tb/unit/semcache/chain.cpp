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
        return {'N', 'N', n, n, n, 1, 0, at(x), n, at(y), n, at(z), n};
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
const Expected expected[] = {{NAIVE, 6, 3, 768, 384, true},    {FIG9, 9, 3, 1152, 384, true},
                             {EXACT_WB, 5, 1, 640, 128, true}, {EXACT_WT, 5, 0, 640, 0, false},
                             {OURS_WB, 2, 1, 256, 128, true},  {OURS_WT, 2, 3, 256, 384, true}};

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
    static const Input inputs[] = {{"Rocket32", 6720, 1209, 3520, 480, 30578},
                                   {"Cube14", 944, 233, 688, 104, 4882},
                                   {"Cube10", 470, 131, 394, 62, 2584}};
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
            const Gemm g = {'N', 'N',           8, 8, 8, 1, 0, matrix(i), 8, matrix(i + 1),
                            8,   matrix(i + 2), 8};
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
