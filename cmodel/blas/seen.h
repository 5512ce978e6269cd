// SPDX-License-Identifier: Apache-2.0
// seen.h: the memory in which operands have been. For most memory that is freed the set says,
// without a lock, that no operand was there.
#ifndef GMMU_BLAS_SEEN_H
#define GMMU_BLAS_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint64_t start, last;
} gmmu_blas_range;

typedef struct gmmu_blas_seen gmmu_blas_seen;

// Creates an empty set. NULL: no memory.
gmmu_blas_seen *gmmu_blas_seen_create(void);
void gmmu_blas_seen_destroy(gmmu_blas_seen *s);
// Adds R. False: no memory, and the set does not change.
bool gmmu_blas_seen_add(gmmu_blas_seen *s, gmmu_blas_range r);
// Returns the smallest range around R that no range of the set crosses: operands that overlap
// become one in a runtime, too.
gmmu_blas_range gmmu_blas_seen_around(const gmmu_blas_seen *s, gmmu_blas_range r);
// Removes R. True: the set had some bytes of R.
bool gmmu_blas_seen_remove(gmmu_blas_seen *s, gmmu_blas_range r);
void gmmu_blas_seen_clear(gmmu_blas_seen *s);
// Returns false if no byte of R is in the set; true: some bytes may be. Only this function may run
// beside others in other threads.
bool gmmu_blas_seen_maybe(const gmmu_blas_seen *s, gmmu_blas_range r);

#ifdef __cplusplus
}
#endif
#endif
