// SPDX-License-Identifier: Apache-2.0
// cache_state.h: what a cache is made of (rdgc/cache.h), for the files cache_*.
#ifndef GMMU_RDGC_CACHE_STATE_H
#define GMMU_RDGC_CACHE_STATE_H

#include "rdgc/cache.h"

// Division by a number that stays the same (Lemire, Kaser and Kurz, "Faster Remainder by Direct
// Computation", 2019): exact below 2^32.
typedef struct {
    uint32_t by;
    uint64_t inverse;  // ⌊(2^64 - 1) / by⌋ + 1
} divider;

// Where a block lies, as the cache uses it.
typedef struct {
    uint32_t bank;  // partition * banks + bank
    uint32_t partition;
    uint32_t set;  // of the bank
} place;

// An access of the list that is being analysed.
typedef struct {
    uint64_t block;
    unsigned char *row;
    uint32_t bank;
    uint32_t place;  // in the list
    uint32_t next;   // in order of arbitration
    uint16_t hash;
    bool write;
} item;

// A hit, or an eviction by a write, that waits for the end of the step.
typedef struct {
    uint32_t item, at;  // position in the row when it was seen
} change;

typedef struct {
    uint64_t stamp;  // step in which `taken` and `left` are valid
    uint32_t taken;  // ports
    uint32_t left;   // accesses that could still take one in this step
    uint32_t pending;
    uint32_t mshr_set;
} bank_state;

struct gmmu_rdgc_cache {
    gmmu_rdgc_cache_config config;
    gmmu_rdgc_counts counts;
    const gmmu_rdgc_watch *watch;
    uint64_t random;

    // geometry
    divider by_partition_chunk, by_partitions, by_bank_chunk, by_banks, by_modulus;
    uint32_t sets;  // of a bank
    uint32_t index_bits;
    uint32_t partitions_an_mshr_set;

    unsigned char *rows;  // [bank][set]
    size_t row_size, ways_at, tags_at, counts_at;

    // Outstanding blocks head … tail - 1, in order of insertion.
    uint16_t *out_hash;
    uint16_t *out_merges;
    uint32_t *out_set;
    uint64_t *out_block, *out_due;
    unsigned char **out_row;
    uint32_t head, tail, room;
    bool ordered;       // the due steps do not fall along the queue
    uint64_t due;       // the first of them; UINT64_MAX if none
    uint32_t *busy;     // [MSHR set]
    uint64_t *latency;  // [busy MSHRs of the set]

    uint64_t step;
    size_t reserved;
    item *items;
    uint64_t *keys, *keys2;
    change *changes;
    bank_state *banks;
};

#endif
