// SPDX-License-Identifier: Apache-2.0
// mrc.h: miss-ratio curves: the counts of a policy at every memory size (docs/guide/mrc.md).
//
// LRU, OPT and LEU have the inclusion property: a larger memory holds all pages that a smaller
// memory holds. Each access therefore has one stack distance, the size of the smallest memory in
// which the access hits, and one pass gives all sizes. Any other policy runs once per size, in
// threads. Source: Mattson et al., IBM Systems Journal 9(2), 1970.
#ifndef GMMU_MRC_H
#define GMMU_MRC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gmmu/trace.h"
#include "policy/replay.h"
#include "trace/pages.h"

#ifdef __cplusplus
extern "C" {
#endif

// One access to a stack.
typedef struct {
    uint32_t page;  // dense index; new pages in any order
    uint32_t asid;  // address space of the reference
    uint64_t ref;
    uint64_t time;  // number of the walk in the whole trace, from 1, growing
} gmmu_touch;

// The stack of one policy.
typedef struct {
    const char *policy;
    void *(*create)(void);  // returns an empty stack; NULL: no memory
    // Sets *distance, in pages: the smallest memory in which the access hits, or 0 at the page's
    // first access. GMMU_OK, or GMMU_BAD and *err.
    int (*access)(void *stack, const gmmu_touch *touch, uint32_t *distance, gmmu_error *err);
    // Optional: fetches the data of the page into the cache.
    void (*prefetch)(const void *stack, uint32_t page);
    // Optional: removes a page, as if the page had never been accessed.
    void (*forget)(void *stack, uint32_t page);
    void (*destroy)(void *stack);
} gmmu_stack;

extern const gmmu_stack gmmu_stack_lru, gmmu_stack_opt, gmmu_stack_leu_exact;

// Returns the stack of the policy named POLICY (LENGTH characters), NULL if the policy has no
// stack.
const gmmu_stack *gmmu_stack_find(const char *policy, size_t length);

// ---- exact curves

// The accesses of a trace, counted by stack distance.
typedef struct {
    uint64_t *hits;  // [d]: accesses with distance d; once summed, with a distance up to d
    uint32_t cap, deepest;
    uint64_t accesses, cold;
    bool summed;
} gmmu_curve;

// Counts one access; DISTANCE 0 is a first access. GMMU_OK, or GMMU_BAD: no memory.
int gmmu_curve_add(gmmu_curve *curve, uint32_t distance);
// Returns the counts of a replay with FRAMES pages of memory, without write-backs. The first call
// sums up: no access can be added after the call.
gmmu_counts gmmu_curve_at(gmmu_curve *curve, uint32_t frames);
void gmmu_curve_free(gmmu_curve *curve);

// ---- sampled curves (SHARDS: Waldspurger et al., FAST '15)

enum { GMMU_SAMPLE_GROUPS = 16 };
// Bound of a hash. A page is in the sample if its hash is below the threshold.
#define GMMU_SAMPLE_ALL (UINT64_C(1) << 32)

// Returns the hash of a page, below GMMU_SAMPLE_ALL.
uint64_t gmmu_sample_hash(uint32_t asid, uint64_t vpn);

// A curve estimated from a sample of the pages.
typedef struct {
    // By bin of the estimated distance and group of pages: the number of accesses; once summed, of
    // this bin and all bins above.
    double *weight;
    uint32_t bins;
    double cold[GMMU_SAMPLE_GROUPS];
    uint64_t sampled;  // number of sampled accesses
    bool summed;
} gmmu_estimate;

typedef struct {
    double miss_ratio, std_error;
    double distinct;
} gmmu_estimate_point;

// Counts one sampled access to a page of hash HASH. DISTANCE is the distance in the sample (0:
// first access), THRESHOLD the sample's threshold at that time. GMMU_OK, or GMMU_BAD: no memory.
int gmmu_estimate_add(gmmu_estimate *e, uint32_t distance, uint64_t hash, uint64_t threshold);
// Returns the estimate for FRAMES pages of memory and a trace of ACCESSES; THRESHOLD is the last
// threshold. The first call sums up: no access can be added after the call.
gmmu_estimate_point gmmu_estimate_at(gmmu_estimate *e, uint32_t frames, uint64_t accesses,
                                     uint64_t threshold);
void gmmu_estimate_free(gmmu_estimate *e);

// The pages of a sample of bounded size: the pages of the lowest hashes.
typedef struct {
    struct gmmu_sample_entry {
        uint32_t hash, page;
    } * heap;  // the highest hash first
    uint32_t count, cap, most;
    uint64_t threshold;
} gmmu_sample_set;

// Makes an empty set of at most MOST pages (at least 1), of hashes below THRESHOLD.
void gmmu_sample_set_init(gmmu_sample_set *set, uint32_t most, uint64_t threshold);
// Adds a new page, whose hash is below the threshold. GMMU_OK, or GMMU_BAD: no memory.
int gmmu_sample_set_add(gmmu_sample_set *set, uint64_t hash, uint32_t page);
// True: the set had too many pages; the page of the highest hash, *page, is removed, and the
// threshold falls to that hash. False: the set is small enough.
bool gmmu_sample_set_shrink(gmmu_sample_set *set, uint32_t *page);
void gmmu_sample_set_free(gmmu_sample_set *set);

// ---- runs at single sizes

// A trace in memory, without times, which no policy reads.
typedef struct {
    struct gmmu_kept_walk {
        uint64_t vpn;
        uint32_t page, ref;  // dense indices
        uint32_t asid, sm;
        bool write;
    } * walks;
    uint64_t count, cap;
    gmmu_pages *refs;
} gmmu_kept_trace;

// Adds a walk to PAGE. GMMU_OK, or GMMU_BAD: no memory.
int gmmu_kept_add(gmmu_kept_trace *kept, uint32_t page, const gmmu_walk *walk);
void gmmu_kept_free(gmmu_kept_trace *kept);

// A run of one policy at one size, with its result.
typedef struct {
    const gmmu_policy *policy;
    gmmu_policy_config config;
    // Optional: true: the run shall end, as for an error whose text is "stopped". Asked for every
    // 64 walks, from any of the threads.
    bool (*stop)(void *context);
    void *context;
    gmmu_counts counts;
    int status;
    gmmu_error err;
} gmmu_run;

// Does COUNT RUNS on THREADS threads; the results do not depend on THREADS. GMMU_OK, or GMMU_BAD
// and the *err of the first failed run.
int gmmu_runs(const gmmu_kept_trace *kept, gmmu_run *runs, size_t count, unsigned threads,
              gmmu_error *err);

#ifdef __cplusplus
}
#endif
#endif
