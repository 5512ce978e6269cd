// SPDX-License-Identifier: Apache-2.0
// cache_row.h: a set of a cache and its replacement. Part of cache.c.
//
// A set is one row of bytes. The row has the number of its blocks; then a 16-bit hash and the way
// of each block, both in the order of the list; then, by way, the blocks and the counts of LFU.
// Eight hashes are compared at once, so 192 ways cost little more than a few ways. Moving a block
// to the front moves only hashes and ways.
#ifndef GMMU_RDGC_CACHE_ROW_H
#define GMMU_RDGC_CACHE_ROW_H

#include <string.h>

#include "rdgc/cache_state.h"
#include "rdgc/random.h"

enum {
    LANES = 8,        // number of hashes that are compared at once
    PAD = 2 * LANES,  // a list of hashes is read in pieces of this size
};

typedef uint16_t hashes __attribute__((vector_size(2 * LANES), aligned(2), may_alias));
typedef uint64_t halves __attribute__((vector_size(2 * LANES)));

static inline uint16_t hash_of(uint64_t block) {
    return (uint16_t)(block * UINT64_C(0x9E3779B97F4A7C15) >> 48);
}

// Returns the index of the first of HASH[AT ... N-1] that is WANTED, or N. The function reads up to
// PAD - 1 further hashes.
static inline uint32_t search(const uint16_t *hash, uint32_t at, uint32_t n, uint16_t wanted) {
    hashes all = (hashes){0} + wanted;
    for (; at < n; at += PAD) {
        halves a = (halves)(*(const hashes *)(hash + at) == all);
        halves b = (halves)(*(const hashes *)(hash + at + LANES) == all);
        halves both = a | b;
        if ((both[0] | both[1]) == 0)
            continue;
        while (at < n && hash[at] != wanted) at++;
        return at;
    }
    return n;
}

static inline uint32_t *row_used(unsigned char *row) {
    return (uint32_t *)row;
}

static inline uint16_t *row_hash(unsigned char *row) {
    return (uint16_t *)(row + sizeof(uint64_t));
}

static inline uint16_t *row_ways(const gmmu_rdgc_cache *c, unsigned char *row) {
    return (uint16_t *)(row + c->ways_at);
}

static inline uint64_t *row_tags(const gmmu_rdgc_cache *c, unsigned char *row) {
    return (uint64_t *)(row + c->tags_at);
}

static inline uint64_t *row_counts(const gmmu_rdgc_cache *c, unsigned char *row) {
    return (uint64_t *)(row + c->counts_at);
}

// Returns the position of the block, or `ways`: the block is not there.
static inline uint32_t find(const gmmu_rdgc_cache *c, unsigned char *row, uint16_t hash,
                            uint64_t block) {
    uint32_t n = *row_used(row);
    for (uint32_t at = search(row_hash(row), 0, n, hash); at < n;
         at = search(row_hash(row), at + 1, n, hash))
        if (row_tags(c, row)[row_ways(c, row)[at]] == block)
            return at;
    return c->config.ways;
}

// Moves the entry at position AT to the front, with HASH and WAY.
static inline void to_front(const gmmu_rdgc_cache *c, unsigned char *row, uint32_t at,
                            uint16_t hash, uint16_t way) {
    uint16_t *hash_list = row_hash(row);
    uint16_t *way_list = row_ways(c, row);
    if (at < LANES) {
        for (uint32_t i = at; i > 0; i--) {
            hash_list[i] = hash_list[i - 1];
            way_list[i] = way_list[i - 1];
        }
    } else {
        memmove(hash_list + 1, hash_list, at * sizeof *hash_list);
        memmove(way_list + 1, way_list, at * sizeof *way_list);
    }
    hash_list[0] = hash;
    way_list[0] = way;
}

// Marks WAY under NRU. The last way to get its mark takes the marks of all others.
static inline void mark(const gmmu_rdgc_cache *c, unsigned char *row, uint16_t way) {
    uint64_t *marks = row_counts(c, row);
    marks[way] = 1;
    for (uint32_t i = 0; i < c->config.ways; i++)
        if (marks[i] == 0)
            return;
    memset(marks, 0, c->config.ways * sizeof *marks);
    marks[way] = 1;
}

// Does the change of the list for a hit at position AT.
static inline void touch(const gmmu_rdgc_cache *c, unsigned char *row, uint32_t at) {
    gmmu_rdgc_replacement r = c->config.replacement;
    if (r == GMMU_RDGC_NRU)
        mark(c, row, row_ways(c, row)[at]);
    if (r != GMMU_RDGC_LRU && r != GMMU_RDGC_LFU)
        return;
    uint16_t way = row_ways(c, row)[at];
    if (r == GMMU_RDGC_LFU)
        row_counts(c, row)[way]++;
    if (at > 0)
        to_front(c, row, at, row_hash(row)[at], way);
}

static inline void remove_at(const gmmu_rdgc_cache *c, unsigned char *row, uint32_t at) {
    uint32_t behind = --*row_used(row) - at;
    uint16_t *hash_list = row_hash(row) + at;
    uint16_t *way_list = row_ways(c, row) + at;
    uint16_t way = *way_list;
    memmove(hash_list, hash_list + 1, behind * sizeof *hash_list);
    memmove(way_list, way_list + 1, behind * sizeof *way_list);
    way_list[behind] = way;
    if (c->config.replacement == GMMU_RDGC_NRU)
        row_counts(c, row)[way] = 0;
}

// Returns the position of the block that leaves the full row.
static inline uint32_t victim(gmmu_rdgc_cache *c, unsigned char *row) {
    uint32_t last = c->config.ways - 1;
    if (c->config.replacement == GMMU_RDGC_RANDOM)
        return gmmu_rdgc_random(&c->random, c->config.ways);
    if (c->config.replacement != GMMU_RDGC_LFU && c->config.replacement != GMMU_RDGC_NRU)
        return last;
    const uint64_t *counts = row_counts(c, row);
    const uint16_t *way_list = row_ways(c, row);
    if (c->config.replacement == GMMU_RDGC_NRU) {
        uint16_t way = 0;
        while (c->config.ways > 1 && counts[way] != 0) way++;
        uint32_t at = 0;
        while (way_list[at] != way) at++;
        return at;
    }
    uint32_t best = last;
    for (uint32_t i = last; i-- > 0;)
        if (counts[way_list[i]] < counts[way_list[best]])
            best = i;
    return best;
}

// The block takes position AT: behind the last of the row, or that of the block that leaves.
static inline void put(gmmu_rdgc_cache *c, unsigned char *row, uint32_t at, uint16_t hash,
                       uint64_t block) {
    if (at == *row_used(row))
        *row_used(row) = at + 1;
    else
        c->counts.evictions++;
    uint16_t way = row_ways(c, row)[at];
    to_front(c, row, at, hash, way);
    row_tags(c, row)[way] = block;
    if (c->config.replacement == GMMU_RDGC_LFU)
        row_counts(c, row)[way] = 1;
    if (c->config.replacement == GMMU_RDGC_NRU)
        mark(c, row, way);
}

static inline void fill(gmmu_rdgc_cache *c, unsigned char *row, uint16_t hash, uint64_t block) {
    uint32_t at = *row_used(row);
    put(c, row, at == c->config.ways ? victim(c, row) : at, hash, block);
    c->counts.fills++;
}

// Returns the counter of an access that found its block at position AT; `ways`: not found.
static inline uint64_t *counter(const gmmu_rdgc_cache *c, bool write, uint32_t at) {
    uint64_t *counts = write ? c->counts.w : c->counts.r;
    bool lru = c->config.replacement == GMMU_RDGC_LRU;
    return &counts[lru || at == c->config.ways ? at : 0];
}

#endif
