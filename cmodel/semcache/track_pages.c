// SPDX-License-Identifier: Apache-2.0
// track_pages.c: see track_pages.h.
#include "semcache/track_pages.h"

#include <string.h>
#include <unistd.h>

#include "semcache/track_os.h"

// The program's memory is read while it may be written, and next to what is not its own: not for
// sanitizers to judge.
#define UNCHECKED __attribute__((no_sanitize("address", "thread", "undefined"), noinline))

enum { CHUNK = 1 << 18, BLOCK = 64 };  // bytes of a pool's chunk; those of a mask's word

// ---- memory

static void *pool_take(gmmu_pool *o) {
    void *p = o->free;
    if (p != NULL) {
        o->free = *(void **)p;
        return p;
    }
    char *chunk = gmmu_os_map(CHUNK);
    if (chunk == NULL)
        return NULL;
    *(void **)(void *)chunk = o->chunks;
    o->chunks = chunk;
    for (size_t at = 64 + o->bytes; at + o->bytes <= CHUNK; at += o->bytes) {
        *(void **)(void *)(chunk + at) = o->free;
        o->free = chunk + at;
    }
    return chunk + 64;
}

static void pool_give(gmmu_pool *o, void *p) {
    if (p == NULL)
        return;
    *(void **)p = o->free;
    o->free = p;
}

static void pool_free(gmmu_pool *o) {
    while (o->chunks != NULL) {
        void *chunk = o->chunks;
        o->chunks = *(void **)chunk;
        gmmu_os_unmap(chunk, CHUNK);
    }
    o->free = NULL;
}

// Twice the room for N things of BYTES, or the first; what is there moves. NULL: no memory.
static void *more(void *old, size_t *room, size_t bytes) {
    const size_t n = *room == 0 ? 4096 / bytes : 2 * *room;
    void *p = gmmu_os_map(n * bytes);
    if (p == NULL)
        return NULL;
    if (old != NULL) {
        memcpy(p, old, *room * bytes);
        gmmu_os_unmap(old, *room * bytes);
    }
    *room = n;
    return p;
}

void gmmu_pages_init(gmmu_pages *p) {
    *p = (gmmu_pages){.page = (uint64_t)sysconf(_SC_PAGESIZE)};
    p->of_leaf.bytes = (sizeof(gmmu_leaf) + 63) & ~(size_t)63;
    p->of_code.bytes = GMMU_LEAF * sizeof(gmmu_page_code);
    p->of_copy.bytes = p->page;
    p->of_mask.bytes = p->page / 8;
}

void gmmu_pages_free(gmmu_pages *p) {
    pool_free(&p->of_leaf);
    pool_free(&p->of_code);
    pool_free(&p->of_copy);
    pool_free(&p->of_mask);
    if (p->leaf != NULL)
        gmmu_os_unmap(p->leaf, p->room * sizeof(void *));
    gmmu_pages_init(p);
}

// ---- leaves

static uint64_t leaf_bytes(const gmmu_pages *p) {
    return p->page * GMMU_LEAF;
}

size_t gmmu_leaf_from(const gmmu_pages *p, uint64_t at) {
    size_t low = 0, high = p->leaves;
    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        if (at - p->leaf[mid]->base >= leaf_bytes(p) && at > p->leaf[mid]->base)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

gmmu_leaf *gmmu_leaf_at(const gmmu_pages *p, uint64_t at) {
    const size_t n = gmmu_leaf_from(p, at);
    return n < p->leaves && p->leaf[n]->base <= at ? p->leaf[n] : NULL;
}

gmmu_leaf *gmmu_leaf_make(gmmu_pages *p, uint64_t at) {
    gmmu_leaf *l = gmmu_leaf_at(p, at);
    if (l != NULL)
        return l;
    if (p->leaves == p->room) {
        gmmu_leaf **leaf = more(p->leaf, &p->room, sizeof(void *));
        if (leaf == NULL)
            return NULL;
        p->leaf = leaf;
    }
    l = pool_take(&p->of_leaf);
    if (l == NULL)
        return NULL;
    memset(l, 0, sizeof *l);
    l->base = at & ~(leaf_bytes(p) - 1);
    const size_t n = gmmu_leaf_from(p, at);
    memmove(&p->leaf[n + 1], &p->leaf[n], (p->leaves - n) * sizeof(void *));
    p->leaf[n] = l;
    p->leaves++;
    return l;
}

void gmmu_leaf_trim(gmmu_pages *p, uint64_t start, uint64_t last) {
    size_t to = gmmu_leaf_from(p, start);
    for (size_t n = to; n < p->leaves; n++) {
        gmmu_leaf *l = p->leaf[n];
        if (l->base <= last && l->armed == 0) {
            pool_give(&p->of_code, l->code);
            pool_give(&p->of_leaf, l);
        } else {
            p->leaf[to++] = l;
        }
    }
    p->leaves = to;
}

bool gmmu_leaf_code(gmmu_pages *p, gmmu_leaf *l) {
    if (l->code == NULL)
        l->code = pool_take(&p->of_code);
    return l->code != NULL;
}

// ---- the armed bytes of a page

// Of the mask's word W, the bits of offsets [first, last].
static uint64_t bits(uint64_t w, uint64_t first, uint64_t last) {
    const uint64_t low = w * BLOCK, high = low + BLOCK - 1;
    if (first > high || last < low)
        return 0;
    uint64_t m = UINT64_MAX;
    if (first > low)
        m &= UINT64_MAX << (first - low);
    if (last < high)
        m &= UINT64_MAX >> (high - last);
    return m;
}

bool gmmu_page_cover(gmmu_pages *p, gmmu_leaf *l, unsigned i, uint64_t first, uint64_t last,
                     bool set) {
    const bool all = first == 0 && last == p->page - 1;
    const bool was = (l->flags[i] & GMMU_PAGE_ARMED) != 0;
    if (set ? was && l->mask[i] == NULL : !was)
        return true;
    if (!set && all) {
        gmmu_page_clear(p, l, i);
        return true;
    }
    if (set && all) {
        pool_give(&p->of_mask, l->mask[i]);
        l->mask[i] = NULL;
    } else {
        if (l->mask[i] == NULL) {
            l->mask[i] = pool_take(&p->of_mask);
            if (l->mask[i] == NULL)
                return false;
            memset(l->mask[i], set ? 0 : 0xFF, p->of_mask.bytes);
        }
        uint64_t left = 0;
        for (uint64_t w = 0; w < p->page / BLOCK; w++) {
            const uint64_t b = bits(w, first, last);
            l->mask[i][w] = set ? l->mask[i][w] | b : l->mask[i][w] & ~b;
            left |= l->mask[i][w];
        }
        if (left == 0) {
            gmmu_page_clear(p, l, i);
            return true;
        }
    }
    l->armed += !was;
    l->flags[i] |= GMMU_PAGE_ARMED;
    return true;
}

void gmmu_page_clear(gmmu_pages *p, gmmu_leaf *l, unsigned i) {
    l->armed -= (l->flags[i] & GMMU_PAGE_ARMED) != 0;
    l->flags[i] = 0;
    l->open[i] = 0;
    gmmu_page_forget(p, l, i);
    pool_give(&p->of_mask, l->mask[i]);
    l->mask[i] = NULL;
}

bool gmmu_page_has(const gmmu_pages *p, const gmmu_leaf *l, unsigned i, uint64_t first,
                   uint64_t last) {
    if ((l->flags[i] & GMMU_PAGE_ARMED) == 0)
        return false;
    bool has = l->mask[i] == NULL;
    for (uint64_t w = 0; w < p->page / BLOCK && !has; w++)
        has = (l->mask[i][w] & bits(w, first, last)) != 0;
    return has;
}

// ---- copies

static uint64_t page_of(const gmmu_pages *p, const gmmu_leaf *l, unsigned i) {
    return l->base + i * p->page;
}

typedef uint64_t __attribute__((may_alias)) word;

UNCHECKED static void copy_bytes(uint8_t *to, const volatile uint8_t *from, uint64_t n) {
    for (uint64_t k = 0; k < n; k++) to[k] = from[k];
}

UNCHECKED static void copy_page(uint8_t *to, const uint8_t *from, uint64_t n) {
    word *t = (word *)(void *)to;
    const word *f = (const word *)(const void *)from;
    for (uint64_t k = 0; k < n / sizeof(word); k++) t[k] = f[k];
}

UNCHECKED static bool equal_bytes(const uint8_t *a, const uint8_t *b, uint64_t n) {
    const word *x = (const word *)(const void *)a, *y = (const word *)(const void *)b;
    for (uint64_t k = 0; k < n / sizeof(word); k += 8) {
        word d = 0;
        for (unsigned j = 0; j < 8; j++) d |= x[k + j] ^ y[k + j];
        if (d != 0)
            return false;
    }
    return true;
}

bool gmmu_page_keep(gmmu_pages *p, gmmu_leaf *l, unsigned i) {
    if (l->copy[i] != NULL)
        return true;
    l->copy[i] = pool_take(&p->of_copy);
    if (l->copy[i] == NULL)
        return false;
    copy_page(l->copy[i], (const uint8_t *)(uintptr_t)page_of(p, l, i), p->page);
    return true;
}

void gmmu_page_forget(gmmu_pages *p, gmmu_leaf *l, unsigned i) {
    pool_give(&p->of_copy, l->copy[i]);
    l->copy[i] = NULL;
}

void gmmu_page_copy(const gmmu_pages *p, gmmu_leaf *l, unsigned i, uint64_t first, uint64_t last,
                    bool only_new) {
    const volatile uint8_t *from = (const volatile uint8_t *)(uintptr_t)page_of(p, l, i);
    const uint64_t *mask = l->mask[i];
    if (!only_new) {
        copy_bytes(l->copy[i] + first, from + first, last - first + 1);
        return;
    }
    for (uint64_t at = first; at <= last && mask != NULL; at++)
        if ((mask[at / BLOCK] >> at % BLOCK & 1) == 0)
            copy_bytes(l->copy[i] + at, from + at, 1);
}

// ---- what changed

// Adjacent ones become one. Where there is no memory for another, the last one reaches to it: too
// much is told, never too little. There is room for one.
static void put(gmmu_changes *out, gmmu_track_change c) {
    if (out->used != 0) {
        gmmu_track_change *last = &out->change[out->used - 1];
        const bool joins = last->last + 1 == c.start && last->reads == c.reads &&
                           last->writes == c.writes && last->code == c.code;
        gmmu_track_change *change = NULL;
        if (!joins && out->used == out->room)
            change = more(out->change, &out->room, sizeof *change);
        if (change != NULL) {
            out->change = change;
        } else if (joins || out->used == out->room) {
            last->last = c.last;
            last->reads = last->reads || c.reads;
            last->writes = last->writes || c.writes;
            return;
        }
    }
    out->change[out->used++] = c;
}

bool gmmu_changes_room(gmmu_changes *c) {
    if (c->change == NULL)
        c->change = more(NULL, &c->room, sizeof *c->change);
    return c->change != NULL;
}

void gmmu_changes_free(gmmu_changes *c) {
    if (c->change != NULL)
        gmmu_os_unmap(c->change, c->room * sizeof *c->change);
    *c = (gmmu_changes){NULL, 0, 0};
}

// The runs of ones in M, which is for the block at START; gaps of fewer than eight bytes within
// GAPS are closed.
static void put_bits(gmmu_changes *out, uint64_t start, uint64_t m, uint64_t gaps,
                     gmmu_track_change how) {
    for (unsigned at = 0; at < BLOCK;) {
        if ((m >> at & 1) == 0) {
            at++;
            continue;
        }
        unsigned end = at + 1;  // behind the last one
        for (unsigned k = end; k < BLOCK && k < end + 8 && (gaps >> k & 1) != 0; k++)
            if ((m >> k & 1) != 0)
                end = k + 1;
        how.start = start + at;
        how.last = start + end - 1;
        put(out, how);
        at = end;
    }
}

// The bytes of the block at AT that differ from their copy, which follows.
UNCHECKED static uint64_t differing(const volatile uint8_t *at, uint8_t *copy, uint64_t armed) {
    uint64_t m = 0;
    for (unsigned k = 0; k < BLOCK; k++) {
        const uint8_t is = at[k];
        m |= (uint64_t)(is != copy[k]) << k;
        copy[k] = (armed >> k & 1) != 0 ? is : copy[k];
    }
    return m & armed;
}

bool gmmu_page_compare(const gmmu_pages *p, gmmu_leaf *l, unsigned i, gmmu_changes *out) {
    const uint64_t start = page_of(p, l, i);
    const uint8_t *at = (const uint8_t *)(uintptr_t)start;
    bool any = false;
    if (l->mask[i] == NULL && equal_bytes(at, l->copy[i], p->page))
        return false;
    for (uint64_t w = 0; w < p->page / BLOCK; w++) {
        const uint64_t armed = l->mask[i] == NULL ? UINT64_MAX : l->mask[i][w];
        if (armed == 0 || equal_bytes(at + w * BLOCK, l->copy[i] + w * BLOCK, BLOCK))
            continue;
        const uint64_t m = differing(at + w * BLOCK, l->copy[i] + w * BLOCK, armed);
        any |= m != 0;
        if (out != NULL)
            put_bits(out, start + w * BLOCK, m, armed, (gmmu_track_change){.writes = true});
    }
    return any;
}

void gmmu_page_tell(const gmmu_pages *p, const gmmu_leaf *l, unsigned i, gmmu_track_change how,
                    gmmu_changes *out) {
    const uint64_t start = page_of(p, l, i);
    if (l->mask[i] == NULL) {
        how.start = start;
        how.last = start + p->page - 1;
        put(out, how);
        return;
    }
    for (uint64_t w = 0; w < p->page / BLOCK; w++)
        put_bits(out, start + w * BLOCK, l->mask[i][w], l->mask[i][w], how);
}
