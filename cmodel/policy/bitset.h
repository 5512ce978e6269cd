// SPDX-License-Identifier: Apache-2.0
// bitset.h: a set of numbers below a bound. The highest and the lowest member are found in a few
// steps: level 0 has a bit for each number, each higher level a bit for each word below that is not
// 0.
#ifndef GMMU_POLICY_BITSET_H
#define GMMU_POLICY_BITSET_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { GMMU_BITSET_LEVELS = 7 };  // enough for 64^7 numbers, more than fit into memory

typedef struct {
    uint64_t *bits[GMMU_BITSET_LEVELS];  // level 0: the members
    unsigned levels;
} gmmu_bitset;

static inline void gmmu_bitset_destroy(gmmu_bitset *s) {
    for (unsigned i = 0; i < GMMU_BITSET_LEVELS; i++) {
        free(s->bits[i]);
    }
    memset(s, 0, sizeof *s);
}

// Makes an empty set of numbers below SIZE. False: no memory.
static inline bool gmmu_bitset_create(gmmu_bitset *s, uint64_t size) {
    memset(s, 0, sizeof *s);
    do {
        size = size / 64 + 1;
        s->bits[s->levels] = (uint64_t *)calloc(size, sizeof *s->bits[0]);
        if (s->bits[s->levels] == NULL) {
            gmmu_bitset_destroy(s);
            return false;
        }
        s->levels++;
    } while (size > 1 && s->levels < GMMU_BITSET_LEVELS);
    return true;
}

static inline void gmmu_bitset_set(gmmu_bitset *s, uint64_t i) {
    for (unsigned level = 0; level < s->levels; level++, i /= 64) {
        s->bits[level][i / 64] |= UINT64_C(1) << (i % 64);
    }
}

static inline void gmmu_bitset_clear(gmmu_bitset *s, uint64_t i) {
    for (unsigned level = 0; level < s->levels; level++, i /= 64) {
        s->bits[level][i / 64] &= ~(UINT64_C(1) << (i % 64));
        if (s->bits[level][i / 64] != 0) {
            break;
        }
    }
}

static inline bool gmmu_bitset_empty(const gmmu_bitset *s) {
    return s->bits[s->levels - 1][0] == 0;
}

// Returns the highest, the lowest member. The set must not be empty.
static inline uint64_t gmmu_bitset_highest(const gmmu_bitset *s) {
    uint64_t i = 0;
    for (unsigned level = s->levels; level-- > 0;) {
        i = i * 64 + 63U - (unsigned)__builtin_clzll(s->bits[level][i]);
    }
    return i;
}

// Returns the highest member below I, or UINT64_MAX: there is none.
static inline uint64_t gmmu_bitset_below(const gmmu_bitset *s, uint64_t i) {
    for (unsigned level = 0; level < s->levels; level++, i /= 64) {
        const uint64_t word = s->bits[level][i / 64] & ((UINT64_C(1) << (i % 64)) - 1);
        if (word != 0) {
            i = i / 64 * 64 + 63U - (unsigned)__builtin_clzll(word);
            while (level-- > 0) {
                i = i * 64 + 63U - (unsigned)__builtin_clzll(s->bits[level][i]);
            }
            return i;
        }
    }
    return UINT64_MAX;
}

// Returns the lowest member above I, or UINT64_MAX: there is none.
static inline uint64_t gmmu_bitset_above(const gmmu_bitset *s, uint64_t i) {
    for (unsigned level = 0; level < s->levels; level++, i /= 64) {
        const uint64_t word = s->bits[level][i / 64] & (~UINT64_C(1) << (i % 64));
        if (word != 0) {
            i = i / 64 * 64 + (unsigned)__builtin_ctzll(word);
            while (level-- > 0) {
                i = i * 64 + (unsigned)__builtin_ctzll(s->bits[level][i]);
            }
            return i;
        }
    }
    return UINT64_MAX;
}

static inline uint64_t gmmu_bitset_lowest(const gmmu_bitset *s) {
    uint64_t i = 0;
    for (unsigned level = s->levels; level-- > 0;) {
        i = i * 64 + (unsigned)__builtin_ctzll(s->bits[level][i]);
    }
    return i;
}

#endif
