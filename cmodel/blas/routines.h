// SPDX-License-Identifier: Apache-2.0
// routines.h: the operands and the number of operations of a call of a BLAS or LAPACK routine, from
// the arguments alone. The routines are the rows of routines.def.
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
    GMMU_BLAS_POTRF,
    GMMU_BLAS_GETRF,
    GMMU_BLAS_GETRS,
    GMMU_BLAS_GESV,
    GMMU_BLAS_POTRS,
    GMMU_BLAS_TRTRS,
    GMMU_BLAS_TRTRI
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
} gmmu_blas_call;

enum { GMMU_BLAS_MOST_OPERANDS = 4 };

// True: NAME, as in a trace, is a routine of the table, by whatever interface, in single precision.
__attribute__((pure)) bool gmmu_blas_is_single(const char *name);
// Classifies a value of the type s, d, c or z.
gmmu_blas_scalar gmmu_blas_scalar_of(char type, const void *value);
// Returns the Fortran letter of a value of a cblas enumeration; 0: there is none.
__attribute__((const)) char gmmu_blas_letter(int cblas);
// Turns CALL, whose matrices are stored by rows, into the call on the transposed matrices that does
// the same to the same memory.
void gmmu_blas_row_major(gmmu_blas_call *call);
// Writes the operands of CALL to OUT, one for each array, and returns their number. 0: the call
// touches no memory, because the call has nothing to do or has wrong arguments. Scalars and INFO
// are no operands.
unsigned gmmu_blas_operands(const gmmu_blas_call *call,
                            gmmu_sem_operand out[GMMU_BLAS_MOST_OPERANDS]);

#ifdef __cplusplus
}
#endif
#endif
