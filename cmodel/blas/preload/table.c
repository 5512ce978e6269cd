// SPDX-License-Identifier: Apache-2.0
// table.c: the names of the routines that this library defines (wrappers.c).
#include "blas/preload/parameters.def"
#include "blas/preload/preload.h"

#define FORTRAN_WRAPPER(symbol, bits, family, type, alpha, beta) #symbol,
#define CBLAS_WRAPPER(symbol, bits, family, type, alpha, beta, OF) #symbol,
#define DRIVER_WRAPPER(symbol, bits, signature, type, family) #symbol,
#define FORTRAN_ROWS(ROWS) ROWS(FORTRAN_ROW)
const char *const gmmu_blas_names[] = {
    FORTRAN_ROWS(GMMU_BLAS_MATRIX_ROWS) FORTRAN_ROWS(GMMU_BLAS_MORE_MATRIX_ROWS)
        FORTRAN_ROWS(GMMU_BLAS_VECTOR_ROWS) FORTRAN_ROWS(GMMU_BLAS_MORE_VECTOR_ROWS)
            FORTRAN_ROWS(GMMU_BLAS_REAL_ROWS) FORTRAN_ROWS(GMMU_BLAS_INDEX_ROWS)
                FORTRAN_ROWS(GMMU_BLAS_LAPACK_ROWS) GMMU_BLAS_MATRIX_ROWS(MATRIX_ROW)
                    GMMU_BLAS_MORE_MATRIX_ROWS(MATRIX_ROW) GMMU_BLAS_COPY_ROWS(MATRIX_ROW)
                        GMMU_BLAS_VECTOR_ROWS(VECTOR_ROW) GMMU_BLAS_MORE_VECTOR_ROWS(VECTOR_ROW)
                            GMMU_BLAS_REAL_ROWS(VECTOR_ROW) GMMU_BLAS_INDEX_ROWS(VECTOR_ROW)
                                GMMU_BLAS_SUB_ROWS(VECTOR_ROW) GMMU_BLAS_DRIVER_ROWS(DRIVER_ROW)};
const unsigned gmmu_blas_names_count = sizeof gmmu_blas_names / sizeof gmmu_blas_names[0];
