// SPDX-License-Identifier: Apache-2.0
// allocs.h: large blocks of memory that the program has, of which those with operands are told.
#ifndef GMMU_BLAS_ALLOCS_H
#define GMMU_BLAS_ALLOCS_H

#include "blas/seen.h"

#ifdef __cplusplus
extern "C" {
#endif

// Blocks of so many bytes and more; of more blocks the later ones are not told.
enum { GMMU_BLAS_LEAST_ALLOC = 4096, GMMU_BLAS_MOST_ALLOCS = 1 << 16 };

typedef struct {
    gmmu_blas_range is;
    bool told;
} gmmu_blas_alloc;

// All zero: none.
typedef struct {
    gmmu_blas_alloc *block;  // in order; none overlaps another
    size_t used, room;
} gmmu_blas_allocs;

// A block comes; those in its way have gone. Without memory it is not known.
void gmmu_blas_allocs_add(gmmu_blas_allocs *a, uint64_t start, uint64_t last);
// Blocks with bytes of [start, last] go.
void gmmu_blas_allocs_remove(gmmu_blas_allocs *a, uint64_t start, uint64_t last);
// The block around [start, last], once. NULL: it has been told, or is not known.
const gmmu_blas_range *gmmu_blas_allocs_tell(gmmu_blas_allocs *a, uint64_t start, uint64_t last);
void gmmu_blas_allocs_untold(gmmu_blas_allocs *a);
void gmmu_blas_allocs_free(gmmu_blas_allocs *a);

#ifdef __cplusplus
}
#endif
#endif
