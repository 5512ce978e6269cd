// SPDX-License-Identifier: Apache-2.0
// seen.h: the memory that operands were in. Of most memory that is freed it says, without a lock,
// that no operand was there.
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

// NULL: no memory.
gmmu_blas_seen *gmmu_blas_seen_create(void);
void gmmu_blas_seen_destroy(gmmu_blas_seen *s);
// False: no memory; what was there stays.
bool gmmu_blas_seen_add(gmmu_blas_seen *s, gmmu_blas_range r);
// Takes R out. True: some of it was there.
bool gmmu_blas_seen_remove(gmmu_blas_seen *s, gmmu_blas_range r);
void gmmu_blas_seen_clear(gmmu_blas_seen *s);
// Whether some of R may be there; false is certain. Alone of these, beside others in other threads.
bool gmmu_blas_seen_maybe(const gmmu_blas_seen *s, gmmu_blas_range r);

#ifdef __cplusplus
}
#endif
#endif
