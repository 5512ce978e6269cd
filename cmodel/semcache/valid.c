// SPDX-License-Identifier: Apache-2.0
// valid.c: see valid.h.
#include "semcache/valid.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { SHIFT = 12, PAGE = 1 << SHIFT, WORDS = PAGE / 64 };

struct gmmu_valid_bits {
    uint64_t on[WORDS];   // on the GPU; of bytes beside the range: nothing
    uint64_t old[WORDS];  // the CPU's copy is old
};

// ---- blocks

// An unused block has the next one at its start.
static gmmu_valid_bits *next_of(const gmmu_valid_bits *b) {
    gmmu_valid_bits *next;
    memcpy(&next, b, sizeof(void *));
    return next;
}

static void put(gmmu_valid_pool *pool, gmmu_valid_bits *b) {
    memcpy(b, &pool->unused, sizeof(void *));
    pool->unused = b;
    pool->count++;
}

static gmmu_valid_bits *take(gmmu_valid_pool *pool) {
    gmmu_valid_bits *b = pool->unused;
    assert(b != NULL);
    pool->unused = next_of(b);
    pool->count--;
    return b;
}

bool gmmu_valid_reserve(gmmu_valid_pool *pool, size_t n) {
    while (pool->count < n) {
        gmmu_valid_bits *b = malloc(sizeof *b);
        if (b == NULL)
            return false;
        put(pool, b);
    }
    return true;
}

void gmmu_valid_pool_free(gmmu_valid_pool *pool) {
    while (pool->count != 0) free(take(pool));
}

// ---- pages

static bool is_state(uintptr_t page) {
    return page <= GMMU_VALID_G;
}

static gmmu_valid_bits *bits_of(uintptr_t page) {
    return (gmmu_valid_bits *)page;
}

static size_t pages(const gmmu_valid *v) {
    return (size_t)((v->last >> SHIFT) - (v->first >> SHIFT)) + 1;
}

// The part of page number N that [from, to] has, as offsets.
typedef struct {
    unsigned from, to;
} part;

static part part_of(uint64_t n, uint64_t from, uint64_t to) {
    return (part){n == from >> SHIFT ? (unsigned)(from % PAGE) : 0,
                  n == to >> SHIFT ? (unsigned)(to % PAGE) : PAGE - 1};
}

// The bits of word W that are in P.
static uint64_t mask_of(unsigned w, part p) {
    uint64_t mask = UINT64_MAX;
    if (w == p.from / 64)
        mask &= UINT64_MAX << p.from % 64;
    if (w == p.to / 64)
        mask &= UINT64_MAX >> (63 - p.to % 64);
    return mask;
}

static uint64_t on_gpu(uintptr_t page, part p) {
    uint64_t n = 0;
    if (is_state(page))
        return page == GMMU_VALID_C ? 0 : p.to - p.from + 1;
    for (unsigned w = p.from / 64; w <= p.to / 64; w++)
        n += (uint64_t)__builtin_popcountll(bits_of(page)->on[w] & mask_of(w, p));
    return n;
}

static bool uniform(const gmmu_valid_bits *b, part p, gmmu_valid_state state) {
    const uint64_t on = state == GMMU_VALID_C ? 0 : UINT64_MAX;
    const uint64_t old = state == GMMU_VALID_G ? UINT64_MAX : 0;
    for (unsigned w = p.from / 64; w <= p.to / 64; w++)
        if ((((b->on[w] ^ on) | (b->old[w] ^ old)) & mask_of(w, p)) != 0)
            return false;
    return true;
}

static void set_bits(gmmu_valid_bits *b, part p, gmmu_valid_state state) {
    for (unsigned w = p.from / 64; w <= p.to / 64; w++) {
        const uint64_t mask = mask_of(w, p);
        b->on[w] = state == GMMU_VALID_C ? b->on[w] & ~mask : b->on[w] | mask;
        b->old[w] = state == GMMU_VALID_G ? b->old[w] | mask : b->old[w] & ~mask;
    }
}

// P of a page of which the range has ALL.
static void set_page(gmmu_valid *v, gmmu_valid_pool *pool, uintptr_t *page, part p, part all,
                     gmmu_valid_state state) {
    if (is_state(*page) && *page == (uintptr_t)state)
        return;
    v->on_gpu -= on_gpu(*page, p);
    v->on_gpu += state == GMMU_VALID_C ? 0 : p.to - p.from + 1;
    if (p.from == all.from && p.to == all.to) {
        if (!is_state(*page))
            put(pool, bits_of(*page));
        *page = (uintptr_t)state;
        return;
    }
    if (is_state(*page)) {
        gmmu_valid_bits *b = take(pool);
        memset(b->on, *page == GMMU_VALID_C ? 0 : 0xff, sizeof b->on);
        memset(b->old, *page == GMMU_VALID_G ? 0xff : 0, sizeof b->old);
        *page = (uintptr_t)b;
    }
    set_bits(bits_of(*page), p, state);
    if (uniform(bits_of(*page), all, state)) {
        put(pool, bits_of(*page));
        *page = (uintptr_t)state;
    }
}

// ---- a range

bool gmmu_valid_make(gmmu_valid *v, uint64_t first, uint64_t last) {
    *v = (gmmu_valid){.first = first, .last = last};
    v->page = calloc(pages(v), sizeof *v->page);
    return v->page != NULL;
}

void gmmu_valid_free(gmmu_valid *v, gmmu_valid_pool *pool) {
    for (size_t i = 0; v->page != NULL && i < pages(v); i++)
        if (!is_state(v->page[i]))
            put(pool, bits_of(v->page[i]));
    free(v->page);
    v->page = NULL;
}

void gmmu_valid_set(gmmu_valid *v, gmmu_valid_pool *pool, uint64_t from, uint64_t to,
                    gmmu_valid_state state) {
    for (uint64_t n = from >> SHIFT; n <= to >> SHIFT; n++)
        set_page(v, pool, &v->page[n - (v->first >> SHIFT)], part_of(n, from, to),
                 part_of(n, v->first, v->last), state);
}

// The bytes of word W of a page whose state is in STATES.
static uint64_t chosen(uintptr_t page, unsigned w, unsigned states) {
    if (is_state(page))
        return (states >> page & 1) != 0 ? UINT64_MAX : 0;
    const uint64_t on = bits_of(page)->on[w], old = bits_of(page)->old[w];
    return ((states >> GMMU_VALID_C & 1) != 0 ? ~on : 0) |
           ((states >> GMMU_VALID_S & 1) != 0 ? on & ~old : 0) |
           ((states >> GMMU_VALID_G & 1) != 0 ? old : 0);
}

// The first byte in [from, to] whose state is in STATES.
static bool first_in(const gmmu_valid *v, uint64_t from, uint64_t to, unsigned states,
                     uint64_t *first) {
    for (uint64_t n = from >> SHIFT; n <= to >> SHIFT; n++) {
        const uintptr_t page = v->page[n - (v->first >> SHIFT)];
        const part p = part_of(n, from, to);
        if (is_state(page)) {
            if ((states >> page & 1) == 0)
                continue;
            *first = n << SHIFT | p.from;
            return true;
        }
        for (unsigned w = p.from / 64; w <= p.to / 64; w++) {
            const uint64_t bits = chosen(page, w, states) & mask_of(w, p);
            if (bits != 0) {
                *first = (n << SHIFT) + UINT64_C(64) * w + (unsigned)__builtin_ctzll(bits);
                return true;
            }
        }
    }
    return false;
}

bool gmmu_valid_run(const gmmu_valid *v, uint64_t from, uint64_t to, unsigned states,
                    uint64_t *first, uint64_t *last) {
    if (!first_in(v, from, to, states, first))
        return false;
    *last = to;
    if (first_in(v, *first, to, GMMU_VALID_ANY & ~states, last))
        --*last;
    return true;
}

bool gmmu_valid_last(const gmmu_valid *v, uint64_t from, uint64_t to, unsigned states,
                     uint64_t *last) {
    for (uint64_t n = to >> SHIFT;; n--) {
        const uintptr_t page = v->page[n - (v->first >> SHIFT)];
        const part p = part_of(n, from, to);
        for (unsigned w = p.to / 64;; w--) {
            const uint64_t bits = chosen(page, w, states) & mask_of(w, p);
            if (bits != 0) {
                *last = (n << SHIFT) + UINT64_C(64) * w + 63 - (unsigned)__builtin_clzll(bits);
                return true;
            }
            if (w == p.from / 64)
                break;
        }
        if (n == from >> SHIFT)
            return false;
    }
}

void gmmu_valid_move(gmmu_valid *to, gmmu_valid *from, gmmu_valid_pool *pool, uint64_t first,
                     uint64_t last) {
    static const gmmu_valid_state both[] = {GMMU_VALID_S, GMMU_VALID_G};
    for (uint64_t n = first >> SHIFT; n <= last >> SHIFT; n++) {
        const part p = part_of(n, first, last);
        uintptr_t *old = &from->page[n - (from->first >> SHIFT)];
        const uint64_t page = n << SHIFT;
        if (*old == GMMU_VALID_C)
            continue;
        if (p.from == 0 && p.to == PAGE - 1) {
            const uint64_t moved = on_gpu(*old, p);
            to->page[n - (to->first >> SHIFT)] = *old;
            *old = GMMU_VALID_C;
            from->on_gpu -= moved;
            to->on_gpu += moved;
            continue;
        }
        for (unsigned k = 0; k < 2; k++)
            for (uint64_t at = page + p.from, a, b;
                 gmmu_valid_run(from, at, page + p.to, 1u << both[k], &a, &b); at = b + 1) {
                gmmu_valid_set(to, pool, a, b, both[k]);
                if (b == page + p.to)
                    break;
            }
        gmmu_valid_set(from, pool, page + p.from, page + p.to, GMMU_VALID_C);
    }
}

uint64_t gmmu_valid_mixed(const gmmu_valid *v) {
    const uint64_t pages = (v->last >> SHIFT) - (v->first >> SHIFT) + 1;
    uint64_t n = 0;
    for (uint64_t i = 0; i < pages; i++) n += !is_state(v->page[i]);
    return n;
}
