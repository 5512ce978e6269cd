// SPDX-License-Identifier: Apache-2.0
// pages.c: open addressing with linear probing, at most three quarters full. A slot has the low
// half of its page's number. While the pages are of one address space and have small numbers, the
// half is all of the key, and a look-up costs one cache miss; later a half that fits is compared
// with the whole key. Pages that come with the numbers 0, 1, 2… in order of first appearance need
// no table: number and index are the same.
#include "trace/pages.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef struct {
    uint32_t half;   // the low half of the number
    uint32_t index;  // GMMU_NO_PAGE: the slot is free
} slot;

struct gmmu_pages {
    bool counted;    // number and index are the same: there is no table
    bool short_key;  // all pages are of `space`, and their numbers below 2^32
    uint32_t space;  // the asid of all pages, while `asid` is NULL
    slot *slots;
    size_t mask;       // slots - 1, a power of two minus one
    uint64_t *number;  // of each index
    uint32_t *asid;    // of each index; NULL: all are of `space`
    uint32_t count;
    uint32_t cap;  // of `number` and `asid`
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
// upper bits are the mixed ones. Eight neighbours share a cache line of slots, in an order that
// depends on the line.
static inline size_t hash(uint32_t asid, uint64_t number) {
    uint64_t x = (number >> 3) ^ (number >> 35) ^ ((uint64_t)asid << 40);
    x *= UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(((x >> 22) & ~UINT64_C(7)) | ((number ^ (x >> 61)) & 7));
}

static inline uint32_t asid_of(const gmmu_pages *p, uint32_t index) {
    return p->asid == NULL ? p->space : p->asid[index];
}

// True: the page with this INDEX, whose number has the right low half, is the page of the key.
static inline bool is_key(const gmmu_pages *p, uint32_t index, uint32_t asid, uint64_t number) {
    return p->short_key ? asid == p->space && number <= UINT32_MAX
                        : p->number[index] == number && asid_of(p, index) == asid;
}

// The slot that holds the key, or the free slot where it belongs. HOME is the key's hash.
static inline slot *probe(const gmmu_pages *p, size_t home, uint32_t asid, uint64_t number) {
    size_t i = home & p->mask;
    while (p->slots[i].index != GMMU_NO_PAGE &&
           (p->slots[i].half != (uint32_t)number || !is_key(p, p->slots[i].index, asid, number))) {
        i = (i + 1) & p->mask;
    }
    return &p->slots[i];
}

// Puts the page with INDEX, which is in no slot, into the first free slot.
static void put(gmmu_pages *p, uint32_t index, uint32_t asid, uint64_t number) {
    size_t i = hash(asid, number) & p->mask;
    while (p->slots[i].index != GMMU_NO_PAGE) {
        i = (i + 1) & p->mask;
    }
    p->slots[i] = (slot){.half = (uint32_t)number, .index = index};
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
        const uint32_t index = old[i].index;
        if (index != GMMU_NO_PAGE) {
            put(p, index, asid_of(p, index), p->short_key ? old[i].half : p->number[index]);
        }
    }
    free(old);
    return true;
}

// Room for the key of one more page than COUNT.
static bool reserve(gmmu_pages *p, uint32_t count) {
    if (count < p->cap) {
        return true;
    }
    uint32_t cap = p->cap < FIRST_SLOTS          ? FIRST_SLOTS
                   : p->cap > GMMU_MAX_PAGES / 2 ? GMMU_MAX_PAGES
                                                 : p->cap * 2;
    cap = cap > count ? cap : count + 1;
    uint64_t *number = gmmu_grow(p->number, p->cap, cap, sizeof *number, 0);
    if (number == NULL) {
        return false;
    }
    p->number = number;
    uint32_t *asid = p->asid == NULL ? NULL : gmmu_grow(p->asid, p->cap, cap, sizeof *asid, 0);
    if (p->asid != NULL && asid == NULL) {
        return false;  // `number` has more room than is known
    }
    p->asid = asid;
    p->cap = cap;
    return true;
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
        p->number[i] = i;
        put(p, i, p->space, i);
    }
    p->counted = false;
    p->short_key = true;
    return true;
}

// The key of the next page. False: no memory.
static bool add_key(gmmu_pages *p, uint32_t asid, uint64_t number) {
    p->space = p->count == 0 ? asid : p->space;
    if (p->asid == NULL && asid != p->space) {
        p->asid = gmmu_grow(NULL, 0, p->cap, sizeof *p->asid, 0);
        for (uint32_t i = 0; p->asid != NULL && i < p->count; i++) {
            p->asid[i] = p->space;
        }
        if (p->asid == NULL) {
            return false;
        }
    }
    p->short_key &= p->asid == NULL && number <= UINT32_MAX;
    p->number[p->count] = number;
    if (p->asid != NULL) {
        p->asid[p->count] = asid;
    }
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
        free(p->number);
        free(p->asid);
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

// The index of a page that appears for the first time.
static __attribute__((noinline)) uint32_t add(gmmu_pages *p, uint32_t asid, uint64_t number) {
    if (p->count >= GMMU_MAX_PAGES || !reserve(p, p->count) ||
        (p->count > p->mask / 4 * 3 && !resize(p, (p->mask + 1) * 2)) ||
        !add_key(p, asid, number)) {
        return GMMU_NO_PAGE;
    }
    put(p, p->count, asid, number);
    return p->count++;
}

// The same for a page with the hash HOME in a table.
static inline uint32_t index_at(gmmu_pages *p, size_t home, uint32_t asid, uint64_t number) {
    const uint32_t index = probe(p, home, asid, number)->index;
    return index != GMMU_NO_PAGE ? index : add(p, asid, number);
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

// The indices of the first of COUNT walks, as long as the map counts. Returns how many.
static size_t counted_walks(gmmu_pages *p, const gmmu_walk *walks, size_t count, uint32_t *index) {
    size_t i = 0;
    while (i < count &&
           (index[i] = counted_index(p, walks[i].asid, walks[i].vpn)) != GMMU_NO_PAGE) {
        i++;
    }
    return i;
}

size_t gmmu_pages_index_walks(gmmu_pages *p, const gmmu_walk *walks, size_t count,
                              uint32_t *index) {
    // walks from the fetch of a slot to that of a key, and to the use of both
    enum { AHEAD = 16, RING = 32 };
    size_t home[RING] = {0};
    size_t i = p->counted ? counted_walks(p, walks, count, index) : 0;
    if (p->counted && i < count && !stop_counting(p)) {
        return i;
    }
    for (size_t next = i; i < count; next++) {
        const size_t here = home[next % RING];
        if (next < count) {
            home[next % RING] = hash(walks[next].asid, walks[next].vpn);
            __builtin_prefetch(&p->slots[home[next % RING] & p->mask]);
        }
        if (!p->short_key && next - i >= AHEAD && next - AHEAD < count) {
            const slot *s = &p->slots[home[(next - AHEAD) % RING] & p->mask];
            __builtin_prefetch(&p->number[s->index < p->count ? s->index : 0]);
        }
        if (next - i == RING) {
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
    return asid_of(p, index);
}

uint64_t gmmu_pages_number(const gmmu_pages *p, uint32_t index) {
    return p->counted ? index : p->number[index];
}
