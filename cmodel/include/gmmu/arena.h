// SPDX-License-Identifier: Apache-2.0
// arena.h: memory from the caller. Blocks take their memory from the arena at init, and never
// later.
#ifndef GMMU_ARENA_H
#define GMMU_ARENA_H

#include <stddef.h>
#include <string.h>

// With BASE NULL nothing is given, and USED counts the bytes that would be needed.
typedef struct {
    char *base;
    size_t size, used;  // bytes
} gmmu_arena;

// Returns N zeroed objects of SIZE bytes, aligned for any type; NULL: BASE is NULL, or no room.
static inline void *gmmu_take(gmmu_arena *a, size_t n, size_t size) {
    const size_t at = (a->used + 15) & ~(size_t)15;
    a->used = at + n * size;
    if (a->base == NULL || a->used > a->size)
        return NULL;
    return memset(a->base + at, 0, n * size);
}

#endif
