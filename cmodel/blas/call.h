// SPDX-License-Identifier: Apache-2.0
// call.h: a call of a BLAS or LAPACK routine, as the table of routines has it.
#ifndef GMMU_BLAS_CALL_H
#define GMMU_BLAS_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "semcache/trace.h"

typedef enum {
    GMMU_BLAS_GEMM,
    GMMU_BLAS_SYMM,
    GMMU_BLAS_HEMM,
    GMMU_BLAS_SYRK,
    GMMU_BLAS_HERK,
    GMMU_BLAS_SYR2K,
    GMMU_BLAS_HER2K,
    GMMU_BLAS_TRMM,
    GMMU_BLAS_TRSM,
    GMMU_BLAS_GEMMT,
    GMMU_BLAS_OMATCOPY,
    GMMU_BLAS_GEMV,
    GMMU_BLAS_SYMV,
    GMMU_BLAS_HEMV,
    GMMU_BLAS_TRMV,
    GMMU_BLAS_TRSV,
    GMMU_BLAS_GER,
    GMMU_BLAS_GERC,
    GMMU_BLAS_AXPY,
    GMMU_BLAS_COPY,
    GMMU_BLAS_SWAP,
    GMMU_BLAS_SCAL,
    GMMU_BLAS_DOT,
    GMMU_BLAS_DOT_SUB,
    GMMU_BLAS_NRM2,
    GMMU_BLAS_ASUM,
    GMMU_BLAS_IAMAX,
    GMMU_BLAS_ROT,
    GMMU_BLAS_AXPBY,
    GMMU_BLAS_POTRF,
    GMMU_BLAS_GETRF,
    GMMU_BLAS_GETRS,
    GMMU_BLAS_GESV,
    GMMU_BLAS_POTRS,
    GMMU_BLAS_TRTRS,
    GMMU_BLAS_TRTRI,
    GMMU_BLAS_GESDD,  // from here on drivers: drivers.h
    GMMU_BLAS_GESVD,
    GMMU_BLAS_SYEV,
    GMMU_BLAS_SYEVD,
    GMMU_BLAS_SYEVR,
    GMMU_BLAS_SYGV,
    GMMU_BLAS_SYGVD,
    GMMU_BLAS_GEEV,
    GMMU_BLAS_GEES,
    GMMU_BLAS_GGEV,
    GMMU_BLAS_GEEVX,
    GMMU_BLAS_GEESX,
    GMMU_BLAS_GGEVX,
    GMMU_BLAS_GEQRF,
    GMMU_BLAS_GELQF,
    GMMU_BLAS_GEQP3,
    GMMU_BLAS_ORGQR,
    GMMU_BLAS_ORGLQ,
    GMMU_BLAS_ORMQR,
    GMMU_BLAS_ORMLQ,
    GMMU_BLAS_GEHRD,
    GMMU_BLAS_GETRI,
    GMMU_BLAS_POTRI,
    GMMU_BLAS_POSV,
    GMMU_BLAS_SYTRF,
    GMMU_BLAS_SYTRS,
    GMMU_BLAS_SYSV,
    GMMU_BLAS_GELS,
    GMMU_BLAS_GELSD,
    GMMU_BLAS_GELSS,
    GMMU_BLAS_GELSY,
    GMMU_BLAS_GECON,
    GMMU_BLAS_POCON,
    GMMU_BLAS_GESVX,
    GMMU_BLAS_POSVX,
    GMMU_BLAS_SYSVX,
    GMMU_BLAS_GBTRF,
    GMMU_BLAS_GBTRS,
    GMMU_BLAS_GBSV,
    GMMU_BLAS_PBTRF,
    GMMU_BLAS_PBTRS,
    GMMU_BLAS_GTSV
} gmmu_blas_family;

// The values of a scalar that decide which memory a call touches.
typedef enum { GMMU_BLAS_OTHER, GMMU_BLAS_ZERO, GMMU_BLAS_ONE } gmmu_blas_scalar;

// A call in the Fortran interface: matrices are stored by columns. Arguments that a routine does
// not have are not read.
typedef struct {
    gmmu_blas_family family;
    char type;     // type of the elements: s, d, c, z
    char integer;  // bytes of an integer: 4 or 8
    char side, uplo, trans, trans_b, diag;
    bool swapped;  // m and n are the caller's n and m: gmmu_blas_row_major was called
    gmmu_blas_scalar alpha, beta;
    int64_t m, n, k;  // k is also NRHS
    int64_t lda, ldb, ldc;
    const void *a, *b, *c;  // vectors are in b and c
    const void *pivots, *info;
    // of drivers alone
    char job, job_b, range, norm, sort, balance, sense;  // job: FACT, too
    char equed;                                          // which sides are scaled
    int64_t ldd, lwork, lrwork, liwork;
    int64_t from, to, kl, ku, itype;  // from, to: of rows (ILO, IHI) or of values (IL, IU)
    const void *d, *values, *values_b, *values_c, *tau;
    const void *scale, *scale_b, *errors, *errors_b;
    const void *work, *rwork, *iwork, *flags;  // scratch memory
} gmmu_blas_call;

// Operands, and pieces of scratch memory, of a call: GGEVX has most.
enum { GMMU_BLAS_MOST_OPERANDS = 14 };

#endif
