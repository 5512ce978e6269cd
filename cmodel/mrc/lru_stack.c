// SPDX-License-Identifier: Apache-2.0
// lru_stack.c: LRU stack distances by counting the distinct pages accessed since.
//
// Each access takes the next of a row of slots and marks it; the mark of the page's earlier access
// goes. The distance is the number of marks from that one on. Marks are bits, 256 in a line, and a
// Fenwick tree holds the number of marks of each full line (Bennett and Kruskal, IBM J. R&D 19(4),
// 1975). Once all slots have been used, the pages are numbered again in their order. A page costs
// 4 bytes here, and about 5 bits for its slots.
#include <stdlib.h>

#include "mrc/mrc.h"

enum { WORDS = 4, LINE = 64 * WORDS, FIRST_SLOTS = 1 << 16, SLOTS_PER_PAGE = 4 };

typedef struct {
    uint32_t *slot;  // of each page, GMMU_NO_PAGE if it has none
    uint32_t cap;
    uint64_t *bits;    // marks
    uint32_t *counts;  // Fenwick tree over the lines below the open one, from 1
    uint32_t *before;  // while slots are numbered again: marks before each line
    uint32_t lines;
    uint32_t now;   // the next slot
    uint32_t live;  // marks
    uint32_t open;  // marks in the line of `now`
} lru;

static void destroy(void *stack) {
    lru *s = stack;
    free(s->slot);
    free(s->bits);
    free(s->counts);
    free(s->before);
    free(s);
}

// Marks in the first N bits, at most LINE.
static uint32_t count_bits(const uint64_t *words, uint32_t n) {
    static const uint64_t m1 = UINT64_C(0x5555555555555555);
    static const uint64_t m2 = UINT64_C(0x3333333333333333);
    static const uint64_t m4 = UINT64_C(0x0f0f0f0f0f0f0f0f);
    static const uint64_t m8 = UINT64_C(0x00ff00ff00ff00ff);
    uint64_t bytes = 0;  // eight sums, each at most 8 · WORDS
    for (uint32_t i = 0; i * 64 < n; i++) {
        uint64_t x = words[i];
        if (n - i * 64 < 64) {
            x &= (UINT64_C(1) << (n - i * 64)) - 1;
        }
        x -= (x >> 1) & m1;
        x = (x & m2) + ((x >> 2) & m2);
        bytes += (x + (x >> 4)) & m4;
    }
    // In four sums of 16 bits: 256 does not fit into a byte.
    uint64_t pairs = (bytes & m8) + ((bytes >> 8) & m8);
    return (uint32_t)((pairs * UINT64_C(0x0001000100010001)) >> 48);
}

// Numbers all marks again, in a row of slots that fits; false when there is no memory.
static bool renumber(lru *s) {
    uint64_t wanted = (uint64_t)s->live * SLOTS_PER_PAGE;
    wanted = wanted < FIRST_SLOTS ? FIRST_SLOTS : wanted;
    wanted = wanted > UINT32_MAX - LINE ? UINT32_MAX - LINE : wanted;
    uint32_t lines = (uint32_t)(wanted / LINE) + 1;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < s->lines; i++) {
        s->before[i] = sum;
        sum += count_bits(s->bits + (size_t)i * WORDS, LINE);
    }
    for (uint32_t p = 0; p < s->cap; p++) {
        if (s->slot[p] != GMMU_NO_PAGE) {
            uint32_t line = s->slot[p] / LINE;
            s->slot[p] =
                s->before[line] + count_bits(s->bits + (size_t)line * WORDS, s->slot[p] % LINE);
        }
    }
    if (lines != s->lines) {
        uint64_t *bits = calloc((size_t)lines * WORDS, sizeof *bits);
        uint32_t *counts = calloc((size_t)lines + 1, sizeof *counts);
        uint32_t *before = calloc(lines, sizeof *before);
        if (bits == NULL || counts == NULL || before == NULL) {
            free(bits);
            free(counts);
            free(before);
            return false;
        }
        free(s->bits);
        free(s->counts);
        free(s->before);
        s->bits = bits;
        s->counts = counts;
        s->before = before;
        s->lines = lines;
    }
    for (size_t i = 0; i < (size_t)s->lines * WORDS; i++) {
        uint64_t first = i * 64;
        s->bits[i] = s->live >= first + 64 ? UINT64_MAX
                     : s->live <= first    ? 0
                                           : (UINT64_C(1) << (s->live - first)) - 1;
    }
    uint32_t full = s->live / LINE;
    for (uint32_t i = 1; i <= s->lines; i++) {
        uint32_t from = i - (i & (0U - i));
        uint32_t to = i < full ? i : full;
        s->counts[i] = to > from ? (to - from) * LINE : 0;
    }
    s->now = s->live;
    s->open = s->live % LINE;
    return s->now / LINE < s->lines;  // 2^32 - 256 pages have no room left
}

static void *create(void) {
    lru *s = calloc(1, sizeof *s);
    if (s != NULL && !renumber(s)) {
        destroy(s);
        s = NULL;
    }
    return s;
}

// Adds BY to the count of a line below the open one.
static void add(lru *s, uint32_t line, uint32_t by) {
    for (uint32_t i = line + 1; i <= s->lines; i += i & (0U - i)) {
        s->counts[i] += by;
    }
}

static void unmark(lru *s, uint32_t slot) {
    s->bits[slot / 64] &= ~(UINT64_C(1) << (slot % 64));
    s->live--;
    if (slot / LINE == s->now / LINE) {
        s->open--;
    } else {
        add(s, slot / LINE, UINT32_MAX);
    }
}

// Marks before SLOT.
static uint32_t marks_before(const lru *s, uint32_t slot) {
    uint32_t line = slot / LINE;
    uint32_t n = count_bits(s->bits + (size_t)line * WORDS, slot % LINE);
    if (line == s->now / LINE) {
        return n + s->live - s->open;
    }
    for (uint32_t i = line; i != 0; i &= i - 1) {
        n += s->counts[i];
    }
    return n;
}

static int access_page(void *stack, const gmmu_touch *touch, uint32_t *distance, gmmu_error *err) {
    lru *s = stack;
    uint32_t page = touch->page;
    if (page >= s->cap) {
        uint32_t cap = gmmu_policy_capacity(s->cap, page);
        uint32_t *slot = gmmu_grow(s->slot, s->cap, cap, sizeof *slot, 0xff);
        if (slot == NULL) {
            return gmmu_policy_no_memory("lru curve", err);
        }
        s->slot = slot;
        s->cap = cap;
    }
    if (s->now / LINE == s->lines && !renumber(s)) {
        return gmmu_policy_no_memory("lru curve", err);
    }
    *distance = 0;
    if (s->slot[page] != GMMU_NO_PAGE) {
        *distance = s->live - marks_before(s, s->slot[page]);
        unmark(s, s->slot[page]);
    }
    s->slot[page] = s->now;
    s->bits[s->now / 64] |= UINT64_C(1) << (s->now % 64);
    s->live++;
    s->open++;
    s->now++;
    if (s->now % LINE == 0) {
        add(s, s->now / LINE - 1, s->open);
        s->open = 0;
    }
    return GMMU_OK;
}

static void prefetch(const void *stack, uint32_t page) {
    const lru *s = stack;
    if (page < s->cap) {
        __builtin_prefetch(&s->slot[page]);
    }
}

static void forget(void *stack, uint32_t page) {
    lru *s = stack;
    if (page < s->cap && s->slot[page] != GMMU_NO_PAGE) {
        unmark(s, s->slot[page]);
        s->slot[page] = GMMU_NO_PAGE;
    }
}

const gmmu_stack gmmu_stack_lru = {
    .policy = "lru",
    .create = create,
    .access = access_page,
    .prefetch = prefetch,
    .forget = forget,
    .destroy = destroy,
};
