// SPDX-License-Identifier: Apache-2.0
// cache_state.h: the state of a cache (rdgc/cache.h), for the files cache_*.
#ifndef GMMU_RDGC_CACHE_STATE_H
#define GMMU_RDGC_CACHE_STATE_H

#include "rdgc/cache.h"

// A divisor that stays the same, for division by multiplication, exact below 2^32. Source: Lemire,
// Kaser and Kurz, "Faster Remainder by Direct Computation", 2019.
typedef struct {
    uint32_t by;
    uint64_t inverse;  // ⌊(2^64 - 1) / by⌋ + 1
} divider;

// The place of a block in the cache's own numbers.
typedef struct {
    uint32_t bank;  // partition * banks + bank
    uint32_t partition;
    uint32_t set;  // of the bank
} place;

// An access of the list under analysis.
typedef struct {
    uint64_t block;
    unsigned char *row;
    uint32_t bank;
    uint32_t place;  // index of the access in the list
    uint32_t next;   // next access in order of arbitration
    uint16_t hash;
    bool write, past;
} item;

// A hit, or an eviction by a write, that takes effect at the end of the step.
typedef struct {
    uint32_t item, at;  // at: position in the row when the access saw the set
} change;

typedef struct {
    uint64_t stamp;  // step for which `taken` and `left` are valid
    uint32_t taken;  // number of ports that are taken
    uint32_t left;   // number of accesses that could still take a port in this step
    uint32_t pending;
    uint32_t mshr_set;
} bank_state;

struct gmmu_rdgc_cache {
    gmmu_rdgc_cache_config config;
    gmmu_rdgc_counts counts, other;
    const gmmu_rdgc_watch *watch;
    uint64_t random;

    // geometry
    divider by_partition_chunk, by_partitions, by_bank_chunk, by_banks, by_modulus;
    uint32_t sets;  // of a bank
    uint32_t index_bits;
    uint32_t partitions_an_mshr_set;

    unsigned char *rows;  // [bank][set]
    size_t row_size, ways_at, tags_at, counts_at;

    // Outstanding blocks, head to tail - 1, in order of insertion.
    uint16_t *out_hash;
    uint16_t *out_merges;
    uint32_t *out_set;
    uint64_t *out_block, *out_due;
    unsigned char **out_row;
    uint32_t head, tail, room;
    bool ordered;       // the due steps do not decrease along the queue
    uint64_t due;       // the first due step; UINT64_MAX: none
    uint32_t *busy;     // [MSHR set] number of busy MSHRs
    uint64_t *latency;  // [busy MSHRs of the set] latency in steps

    uint64_t last_due;  // of the access that went to an MSHR last
    uint64_t *due_of;   // [place in the list] step from which its data are there; NULL: not asked

    uint64_t step;
    size_t reserved;
    item *items;
    uint64_t *keys, *keys2;
    change *changes;
    bank_state *banks;
};

#endif
