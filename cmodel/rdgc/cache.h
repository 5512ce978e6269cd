// SPDX-License-Identifier: Apache-2.0
// cache.h: one parallel cache: partitions, banks, ports, MSHRs, steps (RDGC §4.4), or the same
// cache without time, one call an access.
#ifndef GMMU_RDGC_CACHE_H
#define GMMU_RDGC_CACHE_H

#include "rdgc/config.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gmmu_rdgc_cache gmmu_rdgc_cache;

// What a cache has counted. Bypassed accesses are in r and w only where they look the block up:
// writes under WON.
typedef struct {
    uint32_t ways;
    uint64_t *r, *w;  // [ways + 1] MRU counters: accesses with RD n; [ways] those that missed
    uint64_t merges;  // misses that joined an MSHR; they are in r[ways] and w[ways] too
    uint64_t rf;      // reservation fails, one for each step and access
    uint64_t steps;
    uint64_t fills, evictions;  // evictions: to make room
    uint64_t write_evictions;   // by a write hit under WON
    uint64_t bypassed;          // accesses that went by, reads and writes
} gmmu_rdgc_counts;

// One coalesced access.
typedef struct {
    uint64_t block;    // address / block size
    uint32_t sectors;  // caller's own; the cache does not read it
    uint16_t warp;     // priority: accesses of a list are in ascending order of it
    bool write;
} gmmu_rdgc_access;

// An access that goes on to the next level: a miss that reserved an MSHR, or one that is bypassed.
typedef struct {
    uint64_t step;
    uint32_t access;  // its place in the list
} gmmu_rdgc_sent;

typedef enum {
    GMMU_RDGC_HIT,
    GMMU_RDGC_MISS,    // reserved an MSHR
    GMMU_RDGC_MERGED,  // joined one
    GMMU_RDGC_FAILED,  // reservation fail: tries again in the next step
    GMMU_RDGC_PASSED   // bypassed (rd says whether the block was there)
} gmmu_rdgc_status;

// What a port did in a step.
typedef struct {
    const gmmu_rdgc_access *access;
    uint32_t place;  // in the list
    uint32_t partition, bank, port, set;
    gmmu_rdgc_status status;
    uint32_t rd;  // stack depth; `ways` is infinite (the block is not there); of LRU alone, else 0
} gmmu_rdgc_event;

// Who wants to see the steps; each function may be NULL. With START a step calls update for each
// fill, access for each port in use, in order of arbitration, then step; with END access, update,
// step.
typedef struct {
    void *ctx;
    void (*update)(void *ctx, uint64_t step, uint64_t block);
    void (*access)(void *ctx, uint64_t step, const gmmu_rdgc_event *event);
    // Free MSHRs of all sets, counted after the accesses (with END, before the fills).
    void (*step)(void *ctx, uint64_t step, uint32_t free_mshrs);
} gmmu_rdgc_watch;

// An empty cache. SEED: of RANDOM. NULL: bad parameters or no memory, *err filled.
gmmu_rdgc_cache *gmmu_rdgc_cache_create(const gmmu_rdgc_cache_config *c, uint64_t seed,
                                        gmmu_error *err);
void gmmu_rdgc_cache_destroy(gmmu_rdgc_cache *c);
// NULL: nobody watches. *WATCH must outlive the cache.
void gmmu_rdgc_cache_watch(gmmu_rdgc_cache *c, const gmmu_rdgc_watch *watch);
// Of the adaptive latency: K1 + K2 * busy * NUMERATOR / DENOMINATOR. At first 1 and 1.
void gmmu_rdgc_cache_scale(gmmu_rdgc_cache *c, uint32_t numerator, uint32_t denominator);
// Room for lists of N accesses. GMMU_BAD and *err: no memory.
int gmmu_rdgc_cache_reserve(gmmu_rdgc_cache *c, size_t n, gmmu_error *err);
// RD_profile(W): runs steps until all accesses of the list are resolved, each a hit, in an MSHR or
// bypassed. N is at most what was reserved. SENT has room for N; returns how many went on, in order
// of step and arbitration. An empty list takes no step.
size_t gmmu_rdgc_cache_profile(gmmu_rdgc_cache *c, const gmmu_rdgc_access *list, size_t n,
                               gmmu_rdgc_sent *sent);
// The number of the next step; 0 at first.
uint64_t gmmu_rdgc_cache_step(const gmmu_rdgc_cache *c);
// All outstanding blocks arrive, in order of insertion, without a step.
void gmmu_rdgc_cache_drain(gmmu_rdgc_cache *c);
// Empties the cache, its MSHRs too. Counters, step number and the random source go on.
void gmmu_rdgc_cache_flush(gmmu_rdgc_cache *c);
// One access without time: a miss fills at once. HIT, MISS or PASSED. Same sets, replacement,
// bypass and counters (but steps); not to be mixed with gmmu_rdgc_cache_profile on one cache.
gmmu_rdgc_status gmmu_rdgc_cache_access(gmmu_rdgc_cache *c, uint64_t block, bool write);
// Takes a block out, without counting; true: it was there. Not while accesses are outstanding.
bool gmmu_rdgc_cache_remove(gmmu_rdgc_cache *c, uint64_t block);
const gmmu_rdgc_counts *gmmu_rdgc_cache_counts(const gmmu_rdgc_cache *c);
void gmmu_rdgc_cache_clear_counts(gmmu_rdgc_cache *c);

// Where a block lies.
typedef struct {
    uint32_t partition, bank;  // bank of the partition
    uint32_t set;              // of the bank
    uint32_t mshr_set;
} gmmu_rdgc_place;
gmmu_rdgc_place gmmu_rdgc_cache_place(const gmmu_rdgc_cache *c, uint64_t block);

#ifdef __cplusplus
}
#endif
#endif
