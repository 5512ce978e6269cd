// SPDX-License-Identifier: Apache-2.0
// mrc.h: miss-ratio curves: what a policy counts at every memory size (docs/guide/mrc.md).
//
// LRU, OPT and LEU have the inclusion property: a larger memory holds all that a smaller one
// holds. So each access has one stack distance, the smallest memory in which it hits (Mattson et
// al., IBM Systems Journal 9(2), 1970), and one pass gives all sizes. Any other policy is run once
// per size, in threads.
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

// One access as a stack sees it.
typedef struct {
    uint32_t page;  // dense index, new ones in any order
    uint32_t asid;  // address space of the reference
    uint64_t ref;
    uint64_t time;  // number of the walk, from 1, growing; of a sampled trace in the whole trace
} gmmu_touch;

// The stack of one policy.
typedef struct {
    const char *policy;
    void *(*create)(void);  // an empty one; NULL: no memory
    // *distance: pages of the smallest memory in which the access hits, or 0 if it is the first to
    // its page. GMMU_OK, or GMMU_BAD and *err.
    int (*access)(void *stack, const gmmu_touch *touch, uint32_t *distance, gmmu_error *err);
    // Optional: fetches into the cache what an access to the page will look at.
    void (*prefetch)(const void *stack, uint32_t page);
    // Optional: takes a page out, as if it had never been accessed.
    void (*forget)(void *stack, uint32_t page);
    void (*destroy)(void *stack);
} gmmu_stack;

extern const gmmu_stack gmmu_stack_lru, gmmu_stack_opt, gmmu_stack_leu_exact;

// The stack of a policy by its name (LENGTH characters), NULL if it has none.
const gmmu_stack *gmmu_stack_find(const char *policy, size_t length);

// ---- exact curves

// The accesses of a trace by stack distance.
typedef struct {
    uint64_t *hits;  // [d]: accesses with distance d; once summed, with a distance up to d
    uint32_t cap, deepest;
    uint64_t accesses, cold;
    bool summed;
} gmmu_curve;

// Counts one access. GMMU_BAD: no memory.
int gmmu_curve_add(gmmu_curve *curve, uint32_t distance);
// What a replay with FRAMES pages of memory counts; without write-backs. The first call sums up:
// nothing can be added after it.
gmmu_counts gmmu_curve_at(gmmu_curve *curve, uint32_t frames);
void gmmu_curve_free(gmmu_curve *curve);

// ---- sampled curves (SHARDS: Waldspurger et al., FAST '15)

enum { GMMU_SAMPLE_GROUPS = 16 };
// Of a hash; a page is in the sample if its hash is below the threshold.
#define GMMU_SAMPLE_ALL (UINT64_C(1) << 32)

// Below GMMU_SAMPLE_ALL.
uint64_t gmmu_sample_hash(uint32_t asid, uint64_t vpn);

// A curve estimated from a sample of the pages.
typedef struct {
    // By bin of the estimated distance and group of pages: accesses that it stands for; once
    // summed, those of this bin and all above it.
    double *weight;
    uint32_t bins;
    double cold[GMMU_SAMPLE_GROUPS];
    uint64_t sampled;  // accesses
    bool summed;
} gmmu_estimate;

typedef struct {
    double miss_ratio, std_error;
    double distinct;
} gmmu_estimate_point;

// Counts one sampled access of a page of hash HASH: its distance in the sample (0: first access),
// and the threshold of the sample at that time. GMMU_BAD: no memory.
int gmmu_estimate_add(gmmu_estimate *e, uint32_t distance, uint64_t hash, uint64_t threshold);
// The estimate for FRAMES pages and a trace of ACCESSES; THRESHOLD is the last one. The first call
// sums up: nothing can be added after it.
gmmu_estimate_point gmmu_estimate_at(gmmu_estimate *e, uint32_t frames, uint64_t accesses,
                                     uint64_t threshold);
void gmmu_estimate_free(gmmu_estimate *e);

// The pages of a sample of bounded size: those of the lowest hashes.
typedef struct {
    struct gmmu_sample_entry {
        uint32_t hash, page;
    } * heap;  // the highest hash first
    uint32_t count, cap, most;
    uint64_t threshold;
} gmmu_sample_set;

// An empty set of at most MOST pages, at least 1, of hashes below THRESHOLD.
void gmmu_sample_set_init(gmmu_sample_set *set, uint32_t most, uint64_t threshold);
// A new page of a hash below the threshold. GMMU_BAD: no memory.
int gmmu_sample_set_add(gmmu_sample_set *set, uint64_t hash, uint32_t page);
// While there are more than the most: takes out the page of the highest hash, *page, and lowers
// the threshold to that hash. Then false.
bool gmmu_sample_set_shrink(gmmu_sample_set *set, uint32_t *page);
void gmmu_sample_set_free(gmmu_sample_set *set);

// ---- runs at single sizes

// A trace in memory, without the times, which no policy reads.
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

// GMMU_BAD: no memory.
int gmmu_kept_add(gmmu_kept_trace *kept, uint32_t page, const gmmu_walk *walk);
void gmmu_kept_free(gmmu_kept_trace *kept);

// One policy at one size.
typedef struct {
    const gmmu_policy *policy;
    gmmu_policy_config config;
    gmmu_counts counts;
    int status;
    gmmu_error err;
} gmmu_run;

// Runs all of them on THREADS threads; what comes out does not depend on how many. GMMU_BAD and
// *err, that of the first run that failed.
int gmmu_runs(const gmmu_kept_trace *kept, gmmu_run *runs, size_t count, unsigned threads,
              gmmu_error *err);

#ifdef __cplusplus
}
#endif
#endif
