// SPDX-License-Identifier: Apache-2.0
// random.cpp: random programs of multiplies and CPU accesses by range_dir's rules, in shadow: the
// GPU is a second heap, and at the end every byte is what a CPU alone makes of the program.
//
// State space: products of sub-matrices that lie beside, in, across each other, with and without
// transposition and β, both protocols; the CPU reads and writes parts of them, says so by less and
// by more than it touches, frees and finds zeroes; kept results. Little GPU memory and few records:
// evictions, calls on the CPU.
// Parameter space: 20 000 programs, with GMMU_LONG=1 200 000; 2 to 16 records, GPU memory for 40
// to 400 doubles.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "ours.h"

namespace {

using namespace semcache;

struct Program {
    static constexpr uint64_t DOUBLES = 240;
    std::mt19937_64 rng;
    Machine plain, m;
    Ours ours;
    bool writeback;
    uint64_t elided = 0;
    bool right = true;

    explicit Program(uint64_t seed)
        : rng(seed),
          plain(8 * DOUBLES),
          m(8 * DOUBLES),
          ours(&m, 2 + static_cast<uint32_t>(below(15)), 8 * (40 + below(360))),
          writeback(below(2) != 0) {
        for (uint64_t i = 0; i < DOUBLES; i++) {
            plain.put(8 * i, small());
            m.put(8 * i, plain.get(8 * i));
        }
    }
    uint64_t below(uint64_t n) { return rng() % n; }
    double small() { return static_cast<double>(below(7)) - 3; }

    struct Shape {
        uint64_t rows, columns, ld, at;
    };
    // Where a matrix of so many rows and columns is; WRITTEN ones often where no other reads.
    Shape place(uint64_t rows, uint64_t columns) {
        Shape s = {rows, columns, rows + (below(3) == 0 ? below(4) : 0), 0};
        const uint64_t doubles = extent(rows, columns, s.ld) / 8;
        s.at = 8 * (below(2) ? below(DOUBLES / 24 - 1) * 24 : below(DOUBLES - doubles + 1));
        if (s.at / 8 + doubles > DOUBLES)
            s.at = 0;
        return s;
    }
    static bool apart(const Shape &x, const Shape &y) {
        return x.at + extent(x.rows, x.columns, x.ld) <= y.at ||
               y.at + extent(y.rows, y.columns, y.ld) <= x.at;
    }
    void multiply() {
        const uint64_t rows = 1 + below(5), columns = 1 + below(5), inner = 1 + below(5);
        const bool ta = below(3) == 0, tb = below(3) == 0;
        const Shape a = ta ? place(inner, rows) : place(rows, inner);
        const Shape b = tb ? place(columns, inner) : place(inner, columns);
        Shape c = place(rows, columns);
        for (int i = 0; i < 20 && !(apart(a, c) && apart(b, c)); i++) c = place(rows, columns);
        if (!apart(a, c) || !apart(b, c))
            return;  // no library allows it
        const Gemm g = {
            ta ? 'T' : 'N', tb ? 'T' : 'N', rows, columns, inner, small(), below(2) ? 0 : small(),
            a.at,           a.ld,           b.at, b.ld,    c.at,  c.ld};
        plain.multiply_on_cpu(g);
        ours.gemm(g, writeback);
        bound(c);
    }
    // Numbers stay so small that sums are exact.
    void bound(const Shape &c) {
        for (uint64_t j = 0; j < c.columns; j++)
            for (uint64_t i = 0; i < c.rows; i++)
                if (const double d = plain.get(c.at + 8 * (i + j * c.ld)); d > 1e4 || d < -1e4) {
                    cpu_write(c.at / 8 + i + j * c.ld, 1);
                }
    }
    void cpu_write(uint64_t from, uint64_t n) {
        const bool whole = below(2) != 0;
        ours.before_cpu_writes(8 * from, 8 * n, whole);
        for (uint64_t i = from; i < from + n; i++)
            if (whole || n == 1 || below(2)) {
                plain.put(8 * i, small());
                m.put(8 * i, plain.get(8 * i));
            }
    }
    void cpu_read(uint64_t from, uint64_t n) {
        ours.before_cpu_reads(8 * from, 8 * n);
        right = right && std::memcmp(&plain.cpu[8 * from], &m.cpu[8 * from], 8 * n) == 0;
    }
    void free_and_zero(uint64_t from, uint64_t n) {
        ours.before_free(8 * from, 8 * n);
        plain.fill(8 * from, n, 0, 0);
        m.fill(8 * from, n, 0, 0);
    }
    void sum(uint64_t from, uint64_t n) {
        const uint64_t limit = ours.dir().limit;
        if (8 * n > limit || ours.op(GMMU_RANGE_READ_GPU, 8 * from, 8 * n).code != GMMU_RANGE_OK)
            return;
        double want = 0;
        for (uint64_t i = from; i < from + n; i++) want += plain.get(8 * i);
        bool was = false;
        const uint64_t at = ours.computed(
            0, 8 * from, 8 * n,
            [&](uint64_t gpu) {
                double d = 0;
                for (uint64_t i = 0; i < n; i++) d += m.gpu_get(gpu + 8 * i);
                const uint64_t to = m.allocate(8);
                m.gpu_put(to, d);
                return to;
            },
            &was);
        elided += was;
        right = right && m.gpu_get(at) == want;
    }
    void run() {
        for (unsigned steps = 5 + static_cast<unsigned>(below(30)); steps > 0; steps--) {
            const uint64_t n = 1 + below(below(4) ? 12 : 60), from = below(DOUBLES - n);
            switch (below(12)) {
                case 0:
                    cpu_read(from, n);
                    break;
                case 1:
                    cpu_write(from, n);
                    break;
                case 2:
                    if (below(4) == 0)
                        free_and_zero(from, n);
                    break;
                case 3:
                    sum(below(5) * 24, 12);
                    break;
                default:
                    multiply();
            }
        }
        cpu_read(0, DOUBLES);
    }
};

TEST(Random, EveryByteIsRight) {
    const uint64_t programs = std::getenv("GMMU_LONG") != nullptr ? 200000 : 20000;
    uint64_t ups = 0, downs = 0, kernels = 0, on_cpu = 0, elided = 0;
    for (uint64_t seed = 1; seed <= programs && !HasFailure(); seed++) {
        Program p(seed);
        p.run();
        EXPECT_TRUE(p.right) << "program " << seed;
        EXPECT_EQ(p.m.wild, 0u) << "program " << seed;
        ups += p.m.ups;
        downs += p.m.downs;
        kernels += p.m.kernels;
        on_cpu += p.ours.on_cpu;
        elided += p.elided;
    }
    EXPECT_GT(kernels, 5 * programs);
    EXPECT_GT(on_cpu, programs / 10);
    EXPECT_GT(ups, programs);
    EXPECT_GT(downs, programs);
    EXPECT_GT(elided, programs / 100);
    std::printf(
        "%llu programs: %llu calls on the GPU, %llu on the CPU, %llu up, %llu down, %llu results "
        "kept\n",
        (unsigned long long)programs, (unsigned long long)kernels, (unsigned long long)on_cpu,
        (unsigned long long)ups, (unsigned long long)downs, (unsigned long long)elided);
}

}  // namespace
