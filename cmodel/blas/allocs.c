// SPDX-License-Identifier: Apache-2.0
// allocs.c: see allocs.h.
#include "blas/allocs.h"

#include <stdlib.h>
#include <string.h>

// The first block that ends at START or behind it.
static size_t first_of(const gmmu_blas_allocs *a, uint64_t start) {
    size_t low = 0, high = a->used;
    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        if (a->block[mid].is.last < start)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static bool make_room(gmmu_blas_allocs *a) {
    if (a->used < a->room)
        return true;
    if (a->room == GMMU_BLAS_MOST_ALLOCS)
        return false;
    const size_t room = a->room == 0 ? 64 : 2 * a->room;
    gmmu_blas_alloc *more = realloc(a->block, room * sizeof *more);
    if (more == NULL)
        return false;
    a->block = more;
    a->room = room;
    return true;
}

void gmmu_blas_allocs_add(gmmu_blas_allocs *a, uint64_t start, uint64_t last) {
    gmmu_blas_allocs_remove(a, start, last);
    if (!make_room(a))
        return;
    const size_t at = first_of(a, start);
    if (at < a->used)
        memmove(&a->block[at + 1], &a->block[at], (a->used - at) * sizeof *a->block);
    a->block[at] = (gmmu_blas_alloc){{start, last}, false};
    a->used++;
}

void gmmu_blas_allocs_remove(gmmu_blas_allocs *a, uint64_t start, uint64_t last) {
    const size_t at = first_of(a, start);
    size_t end = at;
    while (end < a->used && a->block[end].is.start <= last) end++;
    if (end == at)
        return;
    memmove(&a->block[at], &a->block[end], (a->used - end) * sizeof *a->block);
    a->used -= end - at;
}

const gmmu_blas_range *gmmu_blas_allocs_tell(gmmu_blas_allocs *a, uint64_t start, uint64_t last) {
    const size_t at = first_of(a, start);
    if (at == a->used || a->block[at].told || a->block[at].is.start > start ||
        a->block[at].is.last < last)
        return NULL;
    a->block[at].told = true;
    return &a->block[at].is;
}

void gmmu_blas_allocs_untold(gmmu_blas_allocs *a) {
    for (size_t i = 0; i < a->used; i++) a->block[i].told = false;
}

void gmmu_blas_allocs_free(gmmu_blas_allocs *a) {
    free(a->block);
    *a = (gmmu_blas_allocs){0};
}
