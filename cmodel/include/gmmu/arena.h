// SPDX-License-Identifier: Apache-2.0
// arena.h: memory that the caller gives once; blocks take theirs at init and never again.
#ifndef GMMU_ARENA_H
#define GMMU_ARENA_H

#include <stddef.h>
#include <string.h>

// BASE NULL: nothing is handed out, USED only counts what would be needed.
typedef struct {
    char *base;
    size_t size, used;  // bytes
} gmmu_arena;

// N zeroed things of SIZE bytes, aligned for any type; NULL when counting or when full.
static inline void *gmmu_take(gmmu_arena *a, size_t n, size_t size) {
    const size_t at = (a->used + 15) & ~(size_t)15;
    a->used = at + n * size;
    if (a->base == NULL || a->used > a->size)
        return NULL;
    return memset(a->base + at, 0, n * size);
}

#endif
