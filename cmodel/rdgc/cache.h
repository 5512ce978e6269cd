// SPDX-License-Identifier: Apache-2.0
// cache.h: one parallel cache with partitions, banks, ports, MSHRs and steps, or the same cache
// without time, one call an access. Source: RDGC §4.4; all rules: docs/guide/rdgc.md.
#ifndef GMMU_RDGC_CACHE_H
#define GMMU_RDGC_CACHE_H

#include "rdgc/config.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gmmu_rdgc_cache gmmu_rdgc_cache;

// The counts of a cache. Bypassed accesses are in r and w only if they look up the block: writes
// under WON.
typedef struct {
    uint32_t ways;
    uint64_t *r, *w;  // [ways + 1] MRU counters: number of accesses of each RD; [ways]: misses
    uint64_t merges;  // misses that joined an MSHR; r[ways] and w[ways] have these misses, too
    uint64_t rf;      // reservation fails: one for each step in which an access fails
    uint64_t steps;
    uint64_t fills, evictions;  // evictions: blocks that left to make room
    uint64_t write_evictions;   // blocks that a write hit evicted under WON
    uint64_t bypassed;          // bypassed accesses, reads and writes
} gmmu_rdgc_counts;

// A coalesced access of a warp to one block.
typedef struct {
    uint64_t block;    // number of the block: address / block size
    uint32_t sectors;  // free for the caller; the cache does not read this field
    uint16_t warp;     // priority; the accesses of a list are in ascending order of `warp`
    bool write;
    bool past;  // L1 passes it on without a look: an atomic under atomics = past
} gmmu_rdgc_access;

// An access that goes on to the next level: a miss that reserved an MSHR, or a bypassed access.
typedef struct {
    uint64_t step;
    uint32_t access;  // index of the access in the list
} gmmu_rdgc_sent;

typedef enum {
    GMMU_RDGC_HIT,
    GMMU_RDGC_MISS,    // the access reserved an MSHR
    GMMU_RDGC_MERGED,  // the access joined an MSHR
    GMMU_RDGC_FAILED,  // reservation fail: the access tries again in the next step
    GMMU_RDGC_PASSED   // bypassed; `rd` reports whether the block was there
} gmmu_rdgc_status;

// The work of a port in a step.
typedef struct {
    const gmmu_rdgc_access *access;
    uint32_t place;  // in the list
    uint32_t partition, bank, port, set;
    gmmu_rdgc_status status;
    uint32_t rd;  // LRU: stack depth, `ways` is infinite (no such block); other policies: 0
} gmmu_rdgc_event;

// A watcher of the steps; each function may be NULL. With START a step calls update for each fill,
// then access for each port in use, in order of arbitration, then step. With END the order is
// access, update, step.
typedef struct {
    void *ctx;
    void (*update)(void *ctx, uint64_t step, uint64_t block);
    void (*access)(void *ctx, uint64_t step, const gmmu_rdgc_event *event);
    // Called with the number of free MSHRs of all sets, counted after the accesses, and with END
    // before the fills.
    void (*step)(void *ctx, uint64_t step, uint32_t free_mshrs);
} gmmu_rdgc_watch;

// Creates an empty cache. SEED is the seed of the replacement RANDOM. NULL and *err: bad
// parameters, or no memory.
gmmu_rdgc_cache *gmmu_rdgc_cache_create(const gmmu_rdgc_cache_config *c, uint64_t seed,
                                        gmmu_error *err);
void gmmu_rdgc_cache_destroy(gmmu_rdgc_cache *c);
// Sets the watcher; NULL: no watcher. *WATCH must outlive the cache.
void gmmu_rdgc_cache_watch(gmmu_rdgc_cache *c, const gmmu_rdgc_watch *watch);
// Sets the factor of the adaptive latency: K1 + K2 * busy * NUMERATOR / DENOMINATOR. The factor is
// 1 / 1 at first.
void gmmu_rdgc_cache_scale(gmmu_rdgc_cache *c, uint32_t numerator, uint32_t denominator);
// Makes room for lists of N accesses. GMMU_BAD and *err: no memory.
int gmmu_rdgc_cache_reserve(gmmu_rdgc_cache *c, size_t n, gmmu_error *err);
// RD_profile(W) of the paper: runs steps until all accesses of the list are resolved: each is a
// hit, in an MSHR, or bypassed. N is at most the number that was reserved. SENT has room for N.
// Returns the number of accesses that go on, in order of step and arbitration. An empty list takes
// no step.
size_t gmmu_rdgc_cache_profile(gmmu_rdgc_cache *c, const gmmu_rdgc_access *list, size_t n,
                               gmmu_rdgc_sent *sent);
// Returns the number of the next step; 0 at first.
uint64_t gmmu_rdgc_cache_step(const gmmu_rdgc_cache *c);
// Lets steps without an access pass, until step UNTIL is the next.
void gmmu_rdgc_cache_idle(gmmu_rdgc_cache *c, uint64_t until);
// From now on each list's profile writes to due[place in the list] the step from which the access
// has its data: of a hit `hit` steps later, of a miss or a merged access the arrival of its block.
void gmmu_rdgc_cache_ask_due(gmmu_rdgc_cache *c, uint64_t *due);
// Fills all outstanding blocks, in order of insertion, without a step.
void gmmu_rdgc_cache_drain(gmmu_rdgc_cache *c);
// Empties the cache and its MSHRs. Counters, step number and the random source go on.
void gmmu_rdgc_cache_flush(gmmu_rdgc_cache *c);
// Does one access without time: a miss fills at once. Returns HIT, MISS or PASSED. Sets,
// replacement, bypass and counters (but steps) are the same. Calls on one cache must not be mixed
// with gmmu_rdgc_cache_profile.
gmmu_rdgc_status gmmu_rdgc_cache_access(gmmu_rdgc_cache *c, uint64_t block, bool write);
// Removes a block without counting. True: the block was there. No access may be outstanding.
bool gmmu_rdgc_cache_remove(gmmu_rdgc_cache *c, uint64_t block);
const gmmu_rdgc_counts *gmmu_rdgc_cache_counts(const gmmu_rdgc_cache *c);
void gmmu_rdgc_cache_clear_counts(gmmu_rdgc_cache *c);
// Counts go to a second set of counts from now on; the next call changes back.
void gmmu_rdgc_cache_other_counts(gmmu_rdgc_cache *c);

// The place of a block.
typedef struct {
    uint32_t partition, bank;  // bank: number in the partition
    uint32_t set;              // number in the bank
    uint32_t mshr_set;
} gmmu_rdgc_place;
gmmu_rdgc_place gmmu_rdgc_cache_place(const gmmu_rdgc_cache *c, uint64_t block);

#ifdef __cplusplus
}
#endif
#endif
