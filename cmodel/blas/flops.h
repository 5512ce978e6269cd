// SPDX-License-Identifier: Apache-2.0
// flops.h: the number of operations of a call, inline: a wrapper, which knows its family, has just
// the one formula. The part of routines.h that is asked for each call, however small.
#ifndef GMMU_BLAS_FLOPS_H
#define GMMU_BLAS_FLOPS_H

#include "blas/drivers.h"
#include "blas/routines.h"

#ifdef __cplusplus
extern "C" {
#endif

__attribute__((always_inline)) static inline uint64_t gmmu_blas_times(uint64_t x, uint64_t y) {
    uint64_t product;
    return __builtin_mul_overflow(x, y, &product) ? UINT64_MAX : product;
}

__attribute__((always_inline)) static inline uint64_t gmmu_blas_plus(uint64_t x, uint64_t y) {
    return x > UINT64_MAX - y ? UINT64_MAX : x + y;
}

// With j columns to the left m − 1 − j divisions, and 2(m − 1 − j)(n − 1 − j) others, summed over
// the columns: of the square at the end, and of the rows or columns beside it.
static inline uint64_t gmmu_blas_lu_flops(uint64_t m, uint64_t n) {
    const uint64_t large = m > n ? m : n, small = m > n ? n : m;
    if (large > 1000000)  // but for the squares
        return gmmu_blas_times(gmmu_blas_times(small, small),
                               gmmu_blas_plus(large - small, small - small / 3));
    const uint64_t half = small * (small - 1) / 2;
    const uint64_t square = half + small * (small - 1) * (2 * small - 1) / 3;
    return square + (large - small) * (m > n ? small * small : 2 * half);
}

__attribute__((always_inline)) static inline uint64_t gmmu_blas_real_flops(
    const gmmu_blas_call *c) {
    const uint64_t m = (uint64_t)c->m, n = (uint64_t)c->n, k = (uint64_t)c->k;
    const bool left = c->side == 'L' || c->side == 'l';
    const bool complex = c->type == 'c' || c->type == 'z';
    if (gmmu_blas_is_driver(c->family))
        return gmmu_blas_driver_flops(c);
    switch (c->family) {
        case GMMU_BLAS_GEMM:
            return gmmu_blas_times(2, gmmu_blas_times(m, gmmu_blas_times(n, k)));
        case GMMU_BLAS_SYMM:
        case GMMU_BLAS_HEMM:
            return gmmu_blas_times(2, gmmu_blas_times(gmmu_blas_times(m, n), left ? m : n));
        case GMMU_BLAS_OMATCOPY:
            return gmmu_blas_times(m, n);
        case GMMU_BLAS_SYRK:
        case GMMU_BLAS_HERK:
        case GMMU_BLAS_GEMMT:
            return gmmu_blas_times(k, gmmu_blas_times(n, gmmu_blas_plus(n, 1)));
        case GMMU_BLAS_SYR2K:
        case GMMU_BLAS_HER2K:
            return gmmu_blas_times(gmmu_blas_times(2, k), gmmu_blas_times(n, gmmu_blas_plus(n, 1)));
        case GMMU_BLAS_TRMM:
        case GMMU_BLAS_TRSM:
            return gmmu_blas_times(gmmu_blas_times(m, n), left ? m : n);
        case GMMU_BLAS_GEMV:
        case GMMU_BLAS_GER:
        case GMMU_BLAS_GERC:
            return gmmu_blas_times(2, gmmu_blas_times(m, n));
        case GMMU_BLAS_SYMV:
        case GMMU_BLAS_HEMV:
            return gmmu_blas_times(2, gmmu_blas_times(n, n));
        case GMMU_BLAS_TRMV:
        case GMMU_BLAS_TRSV:
            return gmmu_blas_times(n, n);
        case GMMU_BLAS_AXPY:
        case GMMU_BLAS_DOT:
        case GMMU_BLAS_DOT_SUB:
            return gmmu_blas_times(2, n);
        case GMMU_BLAS_AXPBY:
            return gmmu_blas_times(3, n);
        case GMMU_BLAS_NRM2:  // of complex elements 4 real operations each
            return gmmu_blas_times(complex ? 1 : 2, n);
        case GMMU_BLAS_ROT:
            return gmmu_blas_times(complex ? 3 : 6, n);
        case GMMU_BLAS_ASUM:
            return complex ? n / 2 : n;
        case GMMU_BLAS_COPY:
        case GMMU_BLAS_SWAP:
            return 0;
        case GMMU_BLAS_IAMAX:
        case GMMU_BLAS_SCAL:
            return n;
        case GMMU_BLAS_POTRF:
            return n > 1000000 ? gmmu_blas_times(gmmu_blas_times(n, n), n / 3)
                               : gmmu_blas_times(gmmu_blas_times(n, gmmu_blas_plus(n, 1)),
                                                 gmmu_blas_plus(gmmu_blas_times(2, n), 1)) /
                                     6;
        case GMMU_BLAS_GETRF:
            return gmmu_blas_lu_flops(m, n);
        case GMMU_BLAS_GETRS:
            return gmmu_blas_times(k, gmmu_blas_times(n, 2 * n - 1));
        case GMMU_BLAS_POTRS:
            return gmmu_blas_times(k, gmmu_blas_times(2, gmmu_blas_times(n, n)));
        case GMMU_BLAS_TRTRS:
            return gmmu_blas_times(k, gmmu_blas_times(n, n));
        case GMMU_BLAS_TRTRI:
            return n > 1000000 ? gmmu_blas_times(gmmu_blas_times(n, n), n / 3)
                               : gmmu_blas_times(n, gmmu_blas_plus(n * n, 2)) / 3;
        default:
            return gmmu_blas_plus(gmmu_blas_lu_flops(n, n),
                                  gmmu_blas_times(k, gmmu_blas_times(n, 2 * n - 1)));
    }
}

// Returns the floating-point operations of a call that has operands: sizes, side and type alone
// decide. An operation of a complex type counts four times. UINT64_MAX: as many, or more.
__attribute__((always_inline)) static inline uint64_t gmmu_blas_flops(const gmmu_blas_call *c) {
    return gmmu_blas_times(c->type == 'c' || c->type == 'z' ? 4 : 1, gmmu_blas_real_flops(c));
}

#ifdef __cplusplus
}
#endif
#endif
