// SPDX-License-Identifier: Apache-2.0
// table.cpp: the table's sizes and operations where they are known; calls whose arrays reach
// beyond the address space.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "blas/counter.h"
#include "blas/drivers.h"
#include "blas/flops.h"
#include "blas/routines.h"

namespace {

gmmu_blas_call dgemm(int64_t m, int64_t n, int64_t k) {
    gmmu_blas_call c = {};
    c.family = GMMU_BLAS_GEMM;
    c.type = 'd';
    c.integer = 4;
    c.trans = 'N';
    c.trans_b = 't';
    c.m = c.lda = c.ldc = m;
    c.n = c.ldb = n;
    c.k = k;
    c.a = reinterpret_cast<const void *>(0x10000000);
    c.b = reinterpret_cast<const void *>(0x20000000);
    c.c = reinterpret_cast<const void *>(0x30000000);
    return c;
}

TEST(BlasTable, SaysWhatAMatrixProductTouches) {
    gmmu_sem_operand o[GMMU_BLAS_MOST_OPERANDS];
    gmmu_blas_call c = dgemm(100, 50, 20);
    ASSERT_EQ(gmmu_blas_operands(&c, o), 3u);
    EXPECT_EQ(o[0].start, 0x10000000u);
    EXPECT_EQ(o[0].last, 0x10000000u + 100 * 20 * 8 - 1);
    EXPECT_EQ(o[1].last, 0x20000000u + 50 * 20 * 8 - 1);
    EXPECT_TRUE(o[2].reads && o[2].writes && !o[2].whole);
    EXPECT_EQ(gmmu_blas_flops(&c), 2u * 100 * 50 * 20);
    c.beta = GMMU_BLAS_ZERO;
    ASSERT_EQ(gmmu_blas_operands(&c, o), 3u);
    EXPECT_TRUE(!o[2].reads && o[2].writes && o[2].whole);
    c.ldc = 101;  // a gap behind each column but the last
    ASSERT_EQ(gmmu_blas_operands(&c, o), 3u);
    EXPECT_TRUE(!o[2].reads && o[2].writes && o[2].whole);
    EXPECT_EQ(o[2].last, 0x30000000u + (101 * 49 + 100) * 8 - 1);
    EXPECT_EQ(o[2].run, 100u * 8);
    EXPECT_EQ(o[2].stride, 101u * 8);
    EXPECT_EQ(gmmu_sem_bytes(&o[2]), 100u * 50 * 8);
    EXPECT_EQ(o[0].run, 0u);
    gmmu_blas_row_major(&c);
    ASSERT_EQ(gmmu_blas_operands(&c, o), 3u);  // 100 rows of 50
    EXPECT_EQ(o[2].last, 0x30000000u + (101 * 99 + 50) * 8 - 1);
    EXPECT_EQ(gmmu_sem_runs(&o[2]), 100u);
    EXPECT_EQ(o[2].run, 50u * 8);
    EXPECT_EQ(o[0].start, 0x20000000u);
    c.type = 'z';
    EXPECT_EQ(gmmu_blas_flops(&c), 8u * 100 * 50 * 20);
}

TEST(BlasTable, RefusesWhatNoMemoryHolds) {
    gmmu_sem_operand o[GMMU_BLAS_MOST_OPERANDS];
    const int64_t large[] = {INT64_MAX, INT64_MAX - 1, 1LL << 62, 1LL << 60, 1LL << 32, 3};
    uint64_t refused = 0;
    for (int64_t m : large)
        for (int64_t n : large)
            for (int64_t k : large) {
                gmmu_blas_call c = dgemm(m, n, k);
                const unsigned used = gmmu_blas_operands(&c, o);
                refused += used == 0;
                for (unsigned i = 0; i < used; i++) EXPECT_LE(o[i].start, o[i].last);
                const unsigned __int128 product = static_cast<unsigned __int128>(m) * n;
                if (product >> 64 != 0) {
                    EXPECT_EQ(gmmu_blas_flops(&c), UINT64_MAX);
                    EXPECT_EQ(used, 0u);
                }
                for (int f = GMMU_BLAS_GEMM; f <= GMMU_BLAS_GTSV; f++) {
                    c.family = static_cast<gmmu_blas_family>(f);
                    c.pivots = c.c;
                    c.side = c.uplo = 'L';
                    c.diag = 'N';
                    c.job = c.job_b = f == GMMU_BLAS_GESDD || f == GMMU_BLAS_GESVD   ? 'S'
                                      : f >= GMMU_BLAS_GESVX && f <= GMMU_BLAS_SYSVX ? 'F'
                                                                                     : 'V';
                    c.range = 'A';
                    c.norm = '1';
                    c.sort = 'S';
                    c.balance = c.sense = c.equed = 'B';
                    c.scale = c.scale_b = c.errors = c.errors_b = c.c;
                    c.lwork = c.lrwork = c.liwork = n;
                    c.work = c.rwork = c.iwork = c.flags = c.c;
                    const unsigned more = gmmu_blas_operands(&c, o);
                    for (unsigned i = 0; i < more; i++) EXPECT_LE(o[i].start, o[i].last);
                    (void)gmmu_blas_flops(&c);
                    const unsigned scratch =
                        f < GMMU_BLAS_GESDD ? 0 : gmmu_blas_driver_scratch(&c, o);
                    for (unsigned i = 0; i < scratch; i++) EXPECT_LE(o[i].start, o[i].last);
                }
            }
    EXPECT_GT(refused, 100u);
    gmmu_blas_call c = dgemm(1, 1, 1);
    c.family = GMMU_BLAS_AXPY;
    c.n = 5;
    c.ldb = INT64_MIN;
    EXPECT_EQ(gmmu_blas_operands(&c, o), 0u);
}

TEST(BlasTable, CountsTheOperationsOfFactorisations) {
    // column by column: divisions, then a multiplication and an addition for each element
    const auto lu = [](uint64_t m, uint64_t n) {
        uint64_t is = 0;
        for (uint64_t j = 0; j < m && j < n; j++) is += (m - 1 - j) + 2 * (m - 1 - j) * (n - 1 - j);
        return is;
    };
    for (uint64_t m = 1; m < 20; m++)
        for (uint64_t n = 1; n < 20; n++) {
            gmmu_blas_call c = dgemm(static_cast<int64_t>(m), static_cast<int64_t>(n), 1);
            c.family = GMMU_BLAS_GETRF;
            EXPECT_EQ(gmmu_blas_flops(&c), lu(m, n)) << m << " " << n;
            c.family = GMMU_BLAS_POTRF;
            EXPECT_EQ(gmmu_blas_flops(&c), n * (n + 1) * (2 * n + 1) / 6);
        }
    gmmu_blas_call c = dgemm(3000000, 3000000, 1);
    c.family = GMMU_BLAS_GETRF;
    EXPECT_NEAR(static_cast<double>(gmmu_blas_flops(&c)), 1.8e19, 1e13);
}

// The loops of the reference's plain variants, an operation at a time.
TEST(BlasTable, CountsTheOperationsOfVectorsAndTriangles) {
    for (uint64_t m = 1; m < 15; m++)
        for (uint64_t n = 1; n < 15; n++) {
            gmmu_blas_call c = dgemm(static_cast<int64_t>(m), static_cast<int64_t>(n), 3);
            uint64_t ger = 0, symv = 0, solve = 0, invert = 0;
            for (uint64_t j = 0; j < n; j++) {
                for (uint64_t i = 0; i < m; i++) ger += 2;  // A(i, j) += x(i) t
                for (uint64_t i = 0; i < n; i++)
                    symv += 2;  // y(i) += A(i, j) t, by either triangle
                solve++;        // x(j) /= A(j, j)
                for (uint64_t i = j + 1; i < n; i++) solve += 2;  // x(i) -= x(j) A(i, j)
                invert++;                                         // A(j, j) = 1 / A(j, j)
                for (uint64_t i = 0; i < j; i++) {  // A(0:j, j) = -A(j, j) U A(0:j, j)
                    invert += 1 + 1;                // by the diagonal, by A(j, j)
                    for (uint64_t k = i + 1; k < j; k++) invert += 2;
                }
            }
            const auto flops = [&c](gmmu_blas_family family) {
                c.family = family;
                return gmmu_blas_flops(&c);
            };
            EXPECT_EQ(flops(GMMU_BLAS_GER), ger);
            EXPECT_EQ(flops(GMMU_BLAS_GERC), ger);
            EXPECT_EQ(flops(GMMU_BLAS_SYMV), symv);
            EXPECT_EQ(flops(GMMU_BLAS_HEMV), symv);
            EXPECT_EQ(flops(GMMU_BLAS_TRSV), solve);
            EXPECT_EQ(flops(GMMU_BLAS_TRMV), solve);
            EXPECT_EQ(flops(GMMU_BLAS_SWAP), 0u);
            EXPECT_EQ(flops(GMMU_BLAS_TRTRS), 3 * solve);
            EXPECT_EQ(flops(GMMU_BLAS_POTRS), 2 * 3 * solve);
            EXPECT_EQ(flops(GMMU_BLAS_TRTRI), invert);
        }
    gmmu_blas_call c = dgemm(1, 3000000, 1);
    c.family = GMMU_BLAS_TRTRI;
    EXPECT_NEAR(static_cast<double>(gmmu_blas_flops(&c)), 9e18, 1e13);
}

// Reflections column by column: of length m − j the norm and the scaling, and twice 2(m − j) for
// each column to the right.
TEST(BlasTable, CountsTheOperationsOfDrivers) {
    gmmu_blas_call c = dgemm(300, 200, 7);
    const auto flops = [&c](gmmu_blas_family family) {
        c.family = family;
        return static_cast<double>(gmmu_blas_flops(&c));
    };
    double qr = 0, tridiagonal = 0, hessenberg = 0, band = 0;
    for (int j = 0; j < 200; j++) {
        qr += 3.0 * (300 - j) + 4.0 * (300 - j) * (200 - j - 1);
        tridiagonal +=
            4.0 * (199 - j) * (199 - j);  // a product, and a change of rank 2, of a triangle
        hessenberg += 4.0 * (199 - j) * (199 - j) +
                      4.0 * 200 * (199 - j);  // from the left, and from the right
        const int below = std::min(5, 199 - j);
        band += (below + 1) * (below + 1);
    }
    EXPECT_NEAR(flops(GMMU_BLAS_GEQRF) / qr, 1, 0.01);
    EXPECT_NEAR(flops(GMMU_BLAS_GEQP3) / qr, 1, 0.01);
    EXPECT_NEAR(flops(GMMU_BLAS_GEHRD) / hessenberg, 1, 0.01);
    c.kl = 5;
    c.uplo = 'L';
    EXPECT_EQ(flops(GMMU_BLAS_PBTRF), band);
    c.job = 'N';
    EXPECT_NEAR(flops(GMMU_BLAS_SYEVD) / tridiagonal, 1, 0.02);
    c.job = 'V';  // tridiagonal, and then the vectors
    EXPECT_GT(flops(GMMU_BLAS_SYEVD), 3 * tridiagonal);
    // the inverse by its factors: as many as GETRF and GETRI, 2n³ in all
    c.m = 200;
    EXPECT_NEAR((flops(GMMU_BLAS_GETRF) + flops(GMMU_BLAS_GETRI)) / 16e6, 1, 0.01);
    EXPECT_NEAR((flops(GMMU_BLAS_POTRF) + flops(GMMU_BLAS_POTRI)) / 8e6, 1, 0.02);
    // all of Q costs what the factorisation costs
    c.k = 200;
    EXPECT_NEAR(flops(GMMU_BLAS_ORGQR) / flops(GMMU_BLAS_GEQRF), 1, 0.02);
    // GESV by another name
    c.k = 3;
    EXPECT_NEAR(flops(GMMU_BLAS_POSV), flops(GMMU_BLAS_POTRF) + flops(GMMU_BLAS_POTRS), 1);
    // more vectors, more operations; m × n as n × m
    double last = 0;
    c.m = 300;
    c.lda = 300;
    for (char job : {'N', 'S', 'A'}) {
        c.job = job;
        const double is = flops(GMMU_BLAS_GESDD);
        EXPECT_GT(is, last);
        last = is;
    }
    std::swap(c.m, c.n);
    EXPECT_EQ(flops(GMMU_BLAS_GESDD), last);
    c.type = 'z';
    EXPECT_EQ(flops(GMMU_BLAS_GESDD), 4 * last);
}

// What the reference carries out on random matrices of order 200, in n³
// (scripts/blas_operations.py): the estimates of drivers that iterate are within a quarter.
TEST(BlasTable, EstimatesTheOperationsOfDriversThatIterate) {
    const struct {
        gmmu_blas_family family;
        char job, job_b, sense;
        double rows, sides, counted;
    } cases[] = {{GMMU_BLAS_GESDD, 'N', 0, 0, 1, 0, 3.20},
                 {GMMU_BLAS_GESDD, 'S', 0, 0, 1, 0, 10.64},
                 {GMMU_BLAS_GESDD, 'A', 0, 0, 1, 0, 10.64},
                 {GMMU_BLAS_GESDD, 'S', 0, 0, 2, 0, 21.84},
                 {GMMU_BLAS_GESDD, 'A', 0, 0, 2, 0, 27.94},
                 {GMMU_BLAS_GESVD, 'N', 'N', 0, 1, 0, 3.20},
                 {GMMU_BLAS_GESVD, 'S', 'N', 0, 1, 0, 10.05},
                 {GMMU_BLAS_GESVD, 'N', 'S', 0, 1, 0, 10.03},
                 {GMMU_BLAS_GESVD, 'S', 'S', 0, 1, 0, 16.80},
                 {GMMU_BLAS_GESVD, 'S', 'S', 0, 2, 0, 30.99},
                 {GMMU_BLAS_GESVD, 'A', 'A', 0, 2, 0, 37.09},
                 {GMMU_BLAS_SYEV, 'N', 0, 0, 1, 0, 1.74},
                 {GMMU_BLAS_SYEV, 'V', 0, 0, 1, 0, 10.10},
                 {GMMU_BLAS_SYEVD, 'V', 0, 0, 1, 0, 5.64},
                 {GMMU_BLAS_SYGV, 'V', 0, 0, 1, 0, 12.16},
                 {GMMU_BLAS_SYGVD, 'V', 0, 0, 1, 0, 8.22},
                 {GMMU_BLAS_GEES, 'N', 0, 0, 1, 0, 14.92},
                 {GMMU_BLAS_GEES, 'V', 0, 0, 1, 0, 25.49},
                 {GMMU_BLAS_GEEV, 'N', 'N', 0, 1, 0, 12.55},
                 {GMMU_BLAS_GEEV, 'N', 'V', 0, 1, 0, 27.47},
                 {GMMU_BLAS_GEEV, 'V', 'V', 0, 1, 0, 29.43},
                 {GMMU_BLAS_GEEVX, 'V', 'V', 'B', 1, 0, 41.28},
                 {GMMU_BLAS_GEEVX, 'V', 'V', 'E', 1, 0, 29.48},
                 {GMMU_BLAS_GGEV, 'N', 'N', 0, 1, 0, 22.46},
                 {GMMU_BLAS_GGEV, 'N', 'V', 0, 1, 0, 38.91},
                 {GMMU_BLAS_GGEV, 'V', 'V', 0, 1, 0, 52.37},
                 {GMMU_BLAS_GGEVX, 'N', 'V', 'V', 1, 0, 52.34},
                 {GMMU_BLAS_GELSD, 0, 0, 0, 2, 0.5, 16.76},
                 {GMMU_BLAS_GELSS, 0, 0, 0, 2, 0.5, 24.08},
                 {GMMU_BLAS_GELSY, 0, 0, 0, 2, 0.5, 7.37},
                 {GMMU_BLAS_GECON, 0, 0, 0, 1, 0, 11.23 / 200},
                 {GMMU_BLAS_POCON, 0, 0, 0, 1, 0, 9.72 / 200},
                 {GMMU_BLAS_GESVX, 'N', 0, 0, 1, 0.25, 7.69},
                 {GMMU_BLAS_GESVX, 'F', 0, 0, 1, 0.25, 7.69 - 0.67},
                 {GMMU_BLAS_POSVX, 'N', 0, 0, 1, 0.25, 7.51}};
    for (const auto &is : cases) {
        gmmu_blas_call c =
            dgemm(static_cast<int64_t>(is.rows * 200), 200, static_cast<int64_t>(is.sides * 200));
        c.family = is.family;
        c.job = is.job;
        c.job_b = is.job_b;
        c.sense = is.sense;
        const double estimate = static_cast<double>(gmmu_blas_flops(&c)) / 8e6;
        EXPECT_GT(estimate, 0.75 * is.counted) << is.family << is.job << is.job_b;
        EXPECT_LT(estimate, 1.25 * is.counted) << is.family << is.job << is.job_b;
        if ((is.family == GMMU_BLAS_GESDD || is.family == GMMU_BLAS_GESVD) && is.rows != 1) {
            std::swap(c.m, c.n);  // as many of the transposed matrix
            std::swap(c.job, is.family == GMMU_BLAS_GESVD ? c.job_b : c.job);
            EXPECT_NEAR(static_cast<double>(gmmu_blas_flops(&c)) / 8e6, estimate, 1e-6);
        }
    }
}

// OpenBLAS's extensions, which the reference does not have.
TEST(BlasTable, KnowsExtensions) {
    gmmu_sem_operand o[GMMU_BLAS_MOST_OPERANDS];
    gmmu_blas_call c = dgemm(1, 50, 20);
    c.family = GMMU_BLAS_GEMMT;
    c.uplo = 'U';
    c.lda = c.ldc = 60;
    c.ldb = 50;
    ASSERT_EQ(gmmu_blas_operands(&c, o), 3u);
    EXPECT_EQ(gmmu_sem_bytes(&o[0]), 50u * 20 * 8);
    EXPECT_EQ(o[1].last - o[1].start + 1, 50u * 20 * 8);
    EXPECT_TRUE(o[2].reads && o[2].writes && !o[2].whole);
    EXPECT_EQ(gmmu_sem_bytes(&o[2]), 50u * 50 * 8);
    EXPECT_EQ(gmmu_blas_flops(&c), 20u * 50 * 51);
    c.lda = 20;
    gmmu_blas_row_major(&c);
    EXPECT_EQ(c.uplo, 'L');
    EXPECT_EQ(o[0].start, 0x10000000u);
    ASSERT_EQ(gmmu_blas_operands(&c, o), 3u);
    EXPECT_EQ(o[0].start, 0x20000000u);
    c = dgemm(30, 50, 0);
    c.family = GMMU_BLAS_OMATCOPY;
    c.trans = 'T';
    c.ldb = 50;
    ASSERT_EQ(gmmu_blas_operands(&c, o), 2u);
    EXPECT_TRUE(o[0].reads && !o[0].writes && o[1].whole);
    EXPECT_EQ(gmmu_sem_bytes(&o[1]), 30u * 50 * 8);
    c.ldb = 49;
    EXPECT_EQ(gmmu_blas_operands(&c, o), 0u);
    c = dgemm(1, 50, 0);
    c.family = GMMU_BLAS_AXPBY;
    c.ldb = c.ldc = 2;
    c.beta = GMMU_BLAS_ZERO;
    ASSERT_EQ(gmmu_blas_operands(&c, o), 2u);
    EXPECT_TRUE(o[1].whole && !o[1].reads);
    EXPECT_EQ(gmmu_sem_bytes(&o[1]), 50u * 8);
    c.alpha = GMMU_BLAS_ZERO;
    EXPECT_EQ(gmmu_blas_operands(&c, o), 1u);
    EXPECT_EQ(gmmu_blas_letter(114), 'R');
}

// The count is exact; of many calls some are timed, and stand for all.
TEST(BlasCounter, CountsAllAndTimesSome) {
    gmmu_blas_counter c = {};
    int self, other;
    for (uint64_t i = 1; i < 3000; i++) {
        const bool timed = gmmu_blas_count(&c, &self);
        EXPECT_EQ(timed, i > 1 && i % GMMU_BLAS_SAMPLED == 1) << i;
        if (timed)
            gmmu_blas_count_ns(&c, 100);
        EXPECT_EQ(gmmu_blas_counted(&c), i);
    }
    EXPECT_DOUBLE_EQ(gmmu_blas_counted_ns(&c), 299900.0);
    EXPECT_FALSE(gmmu_blas_count(&c, &other));
    EXPECT_EQ(gmmu_blas_counted(&c), 3000u);
}

TEST(BlasTable, KnowsScalarsAndLetters) {
    const double d[2] = {1, 0}, minus[2] = {-0.0, 0}, i[2] = {0, 1}, nan[2] = {NAN, 0};
    const float s[2] = {1, 2};
    EXPECT_EQ(gmmu_blas_scalar_of('d', d), GMMU_BLAS_ONE);
    EXPECT_EQ(gmmu_blas_scalar_of('z', d), GMMU_BLAS_ONE);
    EXPECT_EQ(gmmu_blas_scalar_of('z', minus), GMMU_BLAS_ZERO);
    EXPECT_EQ(gmmu_blas_scalar_of('d', i), GMMU_BLAS_ZERO);
    EXPECT_EQ(gmmu_blas_scalar_of('z', i), GMMU_BLAS_OTHER);
    EXPECT_EQ(gmmu_blas_scalar_of('d', nan), GMMU_BLAS_OTHER);
    EXPECT_EQ(gmmu_blas_scalar_of('s', s), GMMU_BLAS_ONE);
    EXPECT_EQ(gmmu_blas_scalar_of('c', s), GMMU_BLAS_OTHER);
    EXPECT_EQ(gmmu_blas_letter(112), 'T');
    EXPECT_EQ(gmmu_blas_letter(110), 0);
}

}  // namespace
