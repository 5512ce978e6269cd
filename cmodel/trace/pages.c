// SPDX-License-Identifier: Apache-2.0
// pages.c: open addressing with linear probing, at most three quarters full; keys lie in the
// slots, so that a look-up costs one cache miss. Pages that come with the numbers 0, 1, 2… in order
// of first appearance, all of one address space, need no table: number and index are the same.
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
    bool counted;    // number and index are the same: there is no table
    uint32_t space;  // counted: the asid of all pages
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

// The slot that holds the key, or the free slot where it belongs. HOME is the key's hash.
static inline slot *probe(const gmmu_pages *p, size_t home, uint32_t asid, uint64_t number) {
    size_t i = home & p->mask;
    while (p->slots[i].index != GMMU_NO_PAGE &&
           (p->slots[i].number != number || p->slots[i].asid != asid)) {
        i = (i + 1) & p->mask;
    }
    return &p->slots[i];
}

static void put(gmmu_pages *p, slot s) {
    slot *to = probe(p, hash(s.asid, s.number), s.asid, s.number);
    *to = s;
    p->at[s.index] = (uint32_t)(to - p->slots);
}

// A table of SLOTS slots. The slots of the old table go in order: they come to two places at most
// that move through the new table.
static bool resize(gmmu_pages *p, size_t slots) {
    slot *fresh = gmmu_grow(NULL, 0, slots, sizeof *fresh, 0xff);
    if (fresh == NULL) {
        return false;
    }
    slot *old = p->slots;
    const size_t old_slots = old == NULL ? 0 : p->mask + 1;
    p->slots = fresh;
    p->mask = slots - 1;
    for (size_t i = 0; i < old_slots; i++) {
        if (old[i].index != GMMU_NO_PAGE) {
            put(p, old[i]);
        }
    }
    free(old);
    return true;
}

// Room for the slot's number of one more page.
static bool reserve(gmmu_pages *p, uint32_t count) {
    if (count < p->at_cap) {
        return true;
    }
    uint32_t cap = p->at_cap < FIRST_SLOTS          ? FIRST_SLOTS
                   : p->at_cap > GMMU_MAX_PAGES / 2 ? GMMU_MAX_PAGES
                                                    : p->at_cap * 2;
    cap = cap > count ? cap : count + 1;
    uint32_t *at = gmmu_grow(p->at, p->at_cap, cap, sizeof *at, 0);
    if (at != NULL) {
        p->at = at;
        p->at_cap = cap;
    }
    return at != NULL;
}

// The pages so far get a table: one comes that is out of order. False: no memory.
static __attribute__((noinline)) bool stop_counting(gmmu_pages *p) {
    size_t slots = FIRST_SLOTS;
    while (p->count > (slots - 1) / 4 * 3) {
        slots *= 2;
    }
    if (!reserve(p, p->count) || !resize(p, slots)) {
        return false;
    }
    for (uint32_t i = 0; i < p->count; i++) {
        put(p, (slot){.number = i, .asid = p->space, .index = i});
    }
    p->counted = false;
    return true;
}

void gmmu_pages_prefetch(const gmmu_pages *p, uint32_t asid, uint64_t number) {
    if (!p->counted) {
        __builtin_prefetch(&p->slots[hash(asid, number) & p->mask]);
    }
}

gmmu_pages *gmmu_pages_create(void) {
    gmmu_pages *p = calloc(1, sizeof *p);
    if (p != NULL) {
        p->counted = true;
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

// The index of a page of a map that counts, or GMMU_NO_PAGE: the page is out of order, or one too
// many.
static inline uint32_t counted_index(gmmu_pages *p, uint32_t asid, uint64_t number) {
    if (asid == p->space && number < p->count) {
        return (uint32_t)number;
    }
    if (number != p->count || (asid != p->space && p->count != 0) || p->count >= GMMU_MAX_PAGES) {
        return GMMU_NO_PAGE;
    }
    p->space = asid;
    return p->count++;
}

// The index of a page that appears for the first time; its slot is S.
static __attribute__((noinline)) uint32_t add(gmmu_pages *p, slot *s, uint32_t asid,
                                              uint64_t number) {
    if (p->count >= GMMU_MAX_PAGES || !reserve(p, p->count)) {
        return GMMU_NO_PAGE;
    }
    if (p->count > p->mask / 4 * 3) {
        if (!resize(p, (p->mask + 1) * 2)) {
            return GMMU_NO_PAGE;
        }
        s = probe(p, hash(asid, number), asid, number);
    }
    *s = (slot){number, asid, p->count};
    p->at[p->count] = (uint32_t)(s - p->slots);
    return p->count++;
}

// The same for a page with the hash HOME in a table.
static inline uint32_t index_at(gmmu_pages *p, size_t home, uint32_t asid, uint64_t number) {
    slot *s = probe(p, home, asid, number);
    return s->index != GMMU_NO_PAGE ? s->index : add(p, s, asid, number);
}

uint32_t gmmu_pages_index(gmmu_pages *p, uint32_t asid, uint64_t number) {
    if (p->counted) {
        const uint32_t index = counted_index(p, asid, number);
        if (index != GMMU_NO_PAGE || !stop_counting(p)) {
            return index;
        }
    }
    return index_at(p, hash(asid, number), asid, number);
}

size_t gmmu_pages_index_walks(gmmu_pages *p, const gmmu_walk *walks, size_t count,
                              uint32_t *index) {
    enum { AHEAD = 16 };  // walks from the fetch of a page's slot to its use
    size_t home[AHEAD] = {0};
    size_t i = 0;
    for (; i < count && p->counted; i++) {
        index[i] = gmmu_pages_index(p, walks[i].asid, walks[i].vpn);
        if (index[i] == GMMU_NO_PAGE) {
            return i;
        }
    }
    for (size_t next = i; i < count; next++) {
        const size_t here = home[next % AHEAD];
        if (next < count) {
            home[next % AHEAD] = hash(walks[next].asid, walks[next].vpn);
            __builtin_prefetch(&p->slots[home[next % AHEAD] & p->mask]);
        }
        if (next - i == AHEAD) {
            index[i] = index_at(p, here, walks[i].asid, walks[i].vpn);
            if (index[i] == GMMU_NO_PAGE) {
                return i;
            }
            i++;
        }
    }
    return count;
}

uint32_t gmmu_pages_find(const gmmu_pages *p, uint32_t asid, uint64_t number) {
    if (p->counted) {
        return asid == p->space && number < p->count ? (uint32_t)number : GMMU_NO_PAGE;
    }
    return probe(p, hash(asid, number), asid, number)->index;
}

uint32_t gmmu_pages_count(const gmmu_pages *p) {
    return p->count;
}

uint32_t gmmu_pages_asid(const gmmu_pages *p, uint32_t index) {
    return p->counted ? p->space : p->slots[p->at[index]].asid;
}

uint64_t gmmu_pages_number(const gmmu_pages *p, uint32_t index) {
    return p->counted ? index : p->slots[p->at[index]].number;
}
