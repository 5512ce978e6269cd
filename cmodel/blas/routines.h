// SPDX-License-Identifier: Apache-2.0
// routines.h: what a call of a BLAS or LAPACK routine reads and writes, and how many operations it
// takes, from its arguments alone. The routines are the rows of routines.def.
#ifndef GMMU_BLAS_ROUTINES_H
#define GMMU_BLAS_ROUTINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "blas/routines.def"
#include "semcache/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

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
    GMMU_BLAS_GEMV,
    GMMU_BLAS_AXPY,
    GMMU_BLAS_COPY,
    GMMU_BLAS_SCAL,
    GMMU_BLAS_POTRF,
    GMMU_BLAS_GETRF,
    GMMU_BLAS_GETRS,
    GMMU_BLAS_GESV
} gmmu_blas_family;

// A scalar decides what is touched if it is one of these.
typedef enum { GMMU_BLAS_OTHER, GMMU_BLAS_ZERO, GMMU_BLAS_ONE } gmmu_blas_scalar;

// A call, as of the Fortran interface: matrices are stored by columns. What a routine does not have
// is not looked at.
typedef struct {
    gmmu_blas_family family;
    char type;     // of the elements: s, d, c, z
    char integer;  // bytes of an integer: 4 or 8
    char side, uplo, trans, trans_b, diag;
    gmmu_blas_scalar alpha, beta;
    int64_t m, n, k;  // k: NRHS, too
    int64_t lda, ldb, ldc;
    const void *a, *b, *c;  // vectors are b and c
    const void *pivots, *info;
} gmmu_blas_call;

enum { GMMU_BLAS_MOST_OPERANDS = 4 };

// A value of the type s, d, c or z.
gmmu_blas_scalar gmmu_blas_scalar_of(char type, const void *value);
// A value of an enumeration of cblas as the letter that Fortran has; 0: there is none.
char gmmu_blas_letter(int cblas);
// CALL, whose matrices are stored by rows, as the call on their transposes that does the same to
// the same memory.
void gmmu_blas_row_major(gmmu_blas_call *call);
// Writes CALL's operands to OUT, one for each array; returns how many. 0: it touches no memory, as
// it has nothing to do or its arguments are wrong. Not operands: the scalars, and INFO.
unsigned gmmu_blas_operands(const gmmu_blas_call *call,
                            gmmu_sem_operand out[GMMU_BLAS_MOST_OPERANDS]);
// Floating-point operations of a call that has operands; those of a complex type count four times.
// UINT64_MAX: as many, or more.
uint64_t gmmu_blas_flops(const gmmu_blas_call *call);

#ifdef __cplusplus
}
#endif
#endif
