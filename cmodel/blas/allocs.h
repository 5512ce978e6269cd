// SPDX-License-Identifier: Apache-2.0
// allocs.h: large blocks of memory of the program. Blocks with operands are reported.
#ifndef GMMU_BLAS_ALLOCS_H
#define GMMU_BLAS_ALLOCS_H

#include "blas/seen.h"

#ifdef __cplusplus
extern "C" {
#endif

// Only blocks of at least LEAST_ALLOC bytes are known. Beyond MOST_ALLOCS blocks, later blocks are
// not known.
enum { GMMU_BLAS_LEAST_ALLOC = 4096, GMMU_BLAS_MOST_ALLOCS = 1 << 16 };

typedef struct {
    gmmu_blas_range is;
    bool told;
} gmmu_blas_alloc;

// A set of blocks; all zero: no block.
typedef struct {
    gmmu_blas_alloc *block;  // ordered by address; blocks do not overlap
    size_t used, room;
} gmmu_blas_allocs;

// Adds a block that was allocated; overlapping blocks are removed. Without memory the block stays
// unknown.
void gmmu_blas_allocs_add(gmmu_blas_allocs *a, uint64_t start, uint64_t last);
// Removes the blocks that have bytes of [start, last].
void gmmu_blas_allocs_remove(gmmu_blas_allocs *a, uint64_t start, uint64_t last);
// Returns the block around [start, last], once for each block. NULL: the block was reported
// already, or is not known. gmmu_blas_allocs_untold makes all blocks unreported.
const gmmu_blas_range *gmmu_blas_allocs_tell(gmmu_blas_allocs *a, uint64_t start, uint64_t last);
void gmmu_blas_allocs_untold(gmmu_blas_allocs *a);
void gmmu_blas_allocs_free(gmmu_blas_allocs *a);

#ifdef __cplusplus
}
#endif
#endif
