// SPDX-License-Identifier: Apache-2.0
// pages.c: open addressing with linear probing, at most three quarters full; keys lie in the
// slots, so that a look-up costs one cache miss.
#include "trace/pages.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef struct {
    uint64_t number;
    uint32_t asid;
    uint32_t index;  // GMMU_NO_PAGE: the slot is free
} slot;

struct gmmu_pages {
    slot *slots;
    size_t mask;   // slots - 1, a power of two minus one
    uint32_t *at;  // of each index: its slot
    uint32_t count;
    uint32_t at_cap;
};

enum { FIRST_SLOTS = 1024, HUGE_PAGE = 2 << 20 };

// As realloc, in huge pages.
static void *grow_huge(void *array, size_t old, size_t size) {
    size_t whole = (size + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    void *bigger = whole < size ? NULL : aligned_alloc(HUGE_PAGE, whole);
    if (bigger != NULL) {
        (void)madvise(bigger, whole, MADV_HUGEPAGE);  // no loss if it is refused
        if (array != NULL) {
            memcpy(bigger, array, old);
        }
        free(array);
    }
    return bigger;
}

void *gmmu_grow(void *array, size_t old, size_t count, size_t size, int fill) {
    if (count > SIZE_MAX / size) {
        return NULL;
    }
    char *bigger = count * size < 2 * (size_t)HUGE_PAGE
                       ? realloc(array, count * size)
                       : grow_huge(array, old * size, count * size);
    if (bigger != NULL) {
        memset(bigger + old * size, fill, (count - old) * size);
    }
    return bigger;
}

// Multiplicative (Fibonacci) hashing: page numbers come in strides, which must not cluster. The
// upper bits are the mixed ones. Four neighbours share a cache line of slots.
static size_t hash(uint32_t asid, uint64_t number) {
    uint64_t x = (number >> 2) ^ (number >> 34) ^ ((uint64_t)asid << 40);
    x *= UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(((x >> 22) & ~UINT64_C(3)) | (number & 3));
}

// The slot that holds the key, or the free slot where it belongs.
static slot *probe(const gmmu_pages *p, uint32_t asid, uint64_t number) {
    size_t i = hash(asid, number) & p->mask;
    while (p->slots[i].index != GMMU_NO_PAGE &&
           (p->slots[i].number != number || p->slots[i].asid != asid)) {
        i = (i + 1) & p->mask;
    }
    return &p->slots[i];
}

static bool resize(gmmu_pages *p, size_t slots) {
    slot *fresh = gmmu_grow(NULL, 0, slots, sizeof *fresh, 0xff);
    if (fresh == NULL) {
        return false;
    }
    slot *old = p->slots;
    p->slots = fresh;
    p->mask = slots - 1;
    for (uint32_t i = 0; i < p->count; i++) {
        slot s = old[p->at[i]];
        slot *to = probe(p, s.asid, s.number);
        *to = s;
        p->at[i] = (uint32_t)(to - fresh);
    }
    free(old);
    return true;
}

void gmmu_pages_prefetch(const gmmu_pages *p, uint32_t asid, uint64_t number) {
    __builtin_prefetch(&p->slots[hash(asid, number) & p->mask]);
}

gmmu_pages *gmmu_pages_create(void) {
    gmmu_pages *p = calloc(1, sizeof *p);
    if (p != NULL && !resize(p, FIRST_SLOTS)) {
        free(p);
        p = NULL;
    }
    return p;
}

void gmmu_pages_destroy(gmmu_pages *p) {
    if (p != NULL) {
        free(p->slots);
        free(p->at);
        free(p);
    }
}

uint32_t gmmu_pages_index(gmmu_pages *p, uint32_t asid, uint64_t number) {
    slot *s = probe(p, asid, number);
    if (s->index != GMMU_NO_PAGE) {
        return s->index;
    }
    if (p->count >= GMMU_MAX_PAGES) {
        return GMMU_NO_PAGE;
    }
    if (p->count == p->at_cap) {
        uint32_t cap = p->at_cap < FIRST_SLOTS          ? FIRST_SLOTS
                       : p->at_cap > GMMU_MAX_PAGES / 2 ? GMMU_MAX_PAGES
                                                        : p->at_cap * 2;
        uint32_t *at = gmmu_grow(p->at, p->at_cap, cap, sizeof *at, 0);
        if (at == NULL) {
            return GMMU_NO_PAGE;
        }
        p->at = at;
        p->at_cap = cap;
    }
    if (p->count > p->mask / 4 * 3) {
        if (!resize(p, (p->mask + 1) * 2)) {
            return GMMU_NO_PAGE;
        }
        s = probe(p, asid, number);
    }
    *s = (slot){number, asid, p->count};
    p->at[p->count] = (uint32_t)(s - p->slots);
    return p->count++;
}

uint32_t gmmu_pages_find(const gmmu_pages *p, uint32_t asid, uint64_t number) {
    return probe(p, asid, number)->index;
}

uint32_t gmmu_pages_count(const gmmu_pages *p) {
    return p->count;
}

uint32_t gmmu_pages_asid(const gmmu_pages *p, uint32_t index) {
    return p->slots[p->at[index]].asid;
}

uint64_t gmmu_pages_number(const gmmu_pages *p, uint32_t index) {
    return p->slots[p->at[index]].number;
}
