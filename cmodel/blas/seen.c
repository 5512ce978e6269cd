// SPDX-License-Identifier: Apache-2.0
// seen.c: see seen.h.
#include "blas/seen.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 1 << 14, PAGE_SHIFT = 12, MOST_PAGES = 1 << 16, FEW_PAGES = 64 };

struct gmmu_blas_seen {
    gmmu_blas_range *range;  // in order; none touches another
    size_t used, room;
    atomic_bool large;             // pages of some are not in the bits
    _Atomic uint64_t bits[WORDS];  // by a page's hash
};

static uint64_t bit_of(uint64_t page) {
    return (page * UINT64_C(0x9E3779B97F4A7C15)) >> 44;  // 20 bits
}

static bool has_page(const gmmu_blas_seen *s, uint64_t page) {
    const uint64_t bit = bit_of(page);
    return (atomic_load_explicit(&s->bits[bit / 64], memory_order_relaxed) >> (bit % 64) & 1) != 0;
}

static void mark(gmmu_blas_seen *s, gmmu_blas_range r) {
    const uint64_t from = r.start >> PAGE_SHIFT, to = r.last >> PAGE_SHIFT;
    if (to - from >= MOST_PAGES) {
        atomic_store_explicit(&s->large, true, memory_order_relaxed);
        return;
    }
    for (uint64_t page = from; page <= to; page++) {
        const uint64_t bit = bit_of(page);
        if (!has_page(s, page))
            (void)atomic_fetch_or_explicit(&s->bits[bit / 64], UINT64_C(1) << (bit % 64),
                                           memory_order_relaxed);
    }
}

bool gmmu_blas_seen_maybe(const gmmu_blas_seen *s, gmmu_blas_range r) {
    const uint64_t from = r.start >> PAGE_SHIFT, to = r.last >> PAGE_SHIFT;
    if (to - from >= FEW_PAGES || atomic_load_explicit(&s->large, memory_order_relaxed))
        return true;
    for (uint64_t page = from; page <= to; page++)
        if (has_page(s, page))
            return true;
    return false;
}

// The first range that ends at START or behind it.
static size_t first_of(const gmmu_blas_seen *s, uint64_t start) {
    size_t low = 0, high = s->used;
    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        if (s->range[mid].last < start)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

// Ranges AT … END − 1 become the N of BY. There is room.
static void replace(gmmu_blas_seen *s, size_t at, size_t end, const gmmu_blas_range *by, size_t n) {
    memmove(&s->range[at + n], &s->range[end], (s->used - end) * sizeof *s->range);
    memcpy(&s->range[at], by, n * sizeof *by);
    s->used += n;
    s->used -= end - at;
}

static bool make_room(gmmu_blas_seen *s) {
    if (s->used < s->room)
        return true;
    const size_t room = s->room == 0 ? 64 : 2 * s->room;
    gmmu_blas_range *more = realloc(s->range, room * sizeof *more);
    if (more == NULL)
        return false;
    s->range = more;
    s->room = room;
    return true;
}

bool gmmu_blas_seen_add(gmmu_blas_seen *s, gmmu_blas_range r) {
    // those that touch R become one with it
    const size_t at = first_of(s, r.start == 0 ? 0 : r.start - 1);
    if (at < s->used && s->range[at].start <= r.start && s->range[at].last >= r.last)
        return true;
    mark(s, r);
    size_t end = at;
    while (end < s->used && (r.last == UINT64_MAX || s->range[end].start <= r.last + 1)) {
        r.start = s->range[end].start < r.start ? s->range[end].start : r.start;
        r.last = s->range[end].last > r.last ? s->range[end].last : r.last;
        end++;
    }
    if (end == at && !make_room(s))
        return false;
    replace(s, at, end, &r, 1);
    return true;
}

gmmu_blas_range gmmu_blas_seen_around(const gmmu_blas_seen *s, gmmu_blas_range r) {
    const gmmu_blas_range is = r;
    for (size_t i = first_of(s, is.start); i < s->used && s->range[i].start <= is.last; i++) {
        r.start = s->range[i].start < r.start ? s->range[i].start : r.start;
        r.last = s->range[i].last > r.last ? s->range[i].last : r.last;
    }
    return r;
}

bool gmmu_blas_seen_remove(gmmu_blas_seen *s, gmmu_blas_range r) {
    const size_t at = first_of(s, r.start);
    size_t end = at, n = 0;
    gmmu_blas_range left[2];
    while (end < s->used && s->range[end].start <= r.last) end++;
    if (end == at)
        return false;
    if (s->range[at].start < r.start)
        left[n++] = (gmmu_blas_range){s->range[at].start, r.start - 1};
    if (s->range[end - 1].last > r.last)
        left[n++] = (gmmu_blas_range){r.last + 1, s->range[end - 1].last};
    if (n > end - at && !make_room(s))
        n--;  // what is behind R is forgotten
    replace(s, at, end, left, n);
    return true;
}

void gmmu_blas_seen_clear(gmmu_blas_seen *s) {
    free(s->range);
    s->range = NULL;
    s->used = s->room = 0;
    atomic_store(&s->large, false);
    for (size_t i = 0; i < WORDS; i++) atomic_store(&s->bits[i], 0);
}

gmmu_blas_seen *gmmu_blas_seen_create(void) {
    return calloc(1, sizeof(gmmu_blas_seen));
}

void gmmu_blas_seen_destroy(gmmu_blas_seen *s) {
    if (s != NULL)
        free(s->range);
    free(s);
}
