// SPDX-License-Identifier: Apache-2.0
// arena.h: memory for a thread that writes the report in a handler of a signal. The handler may
// have interrupted malloc, and so this thread's malloc takes memory from here, and gives none back.
#ifndef GMMU_BLAS_ARENA_H
#define GMMU_BLAS_ARENA_H

#include <stdbool.h>
#include <stddef.h>

// This thread's memory comes from here.
extern _Thread_local __attribute__((tls_model("initial-exec"))) bool gmmu_blas_in_arena;
// Returns zeroed memory; NULL: none.
void *gmmu_blas_arena_malloc(size_t alignment, size_t bytes);
// The bytes of the block at P; 0: P is no block of these.
size_t gmmu_blas_arena_size(const void *p);

#endif
