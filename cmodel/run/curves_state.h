// SPDX-License-Identifier: Apache-2.0
// curves_state.h: what is asked for, found and kept of miss-ratio curves; see curves.h.
#ifndef GMMU_RUN_CURVES_STATE_H
#define GMMU_RUN_CURVES_STATE_H

#include "mrc/mrc.h"
#include "run/choice.h"
#include "run/source.h"

#ifdef __cplusplus
extern "C" {
#endif

// One policy's curve.
typedef struct {
    const gmmu_choice *choice;
    const gmmu_stack *kind;  // NULL: run at each size
    void *exact, *sampled;   // stacks, NULL where none is wanted
    gmmu_curve curve;
    gmmu_estimate estimate;
} gmmu_policy_curve;

// An access that was in the sample when it was read.
typedef struct {
    gmmu_touch touch;
    uint32_t hash;
} gmmu_sampled_touch;

// A policy at one size of memory.
typedef struct {
    const char *policy;
    uint64_t frames, accesses, distinct, faults, cold, evictions;
    double miss_ratio, std_error, exact;
} gmmu_curve_row;

typedef struct {
    // what is asked for; the arrays are the caller's
    const gmmu_choice *policies;
    size_t policy_count;
    const gmmu_size *sizes;  // NULL: POINTS of them
    size_t size_count;
    uint64_t points;  // 0: every size
    double rate;      // of a sample; 0: none of a fixed rate
    uint64_t most;    // pages of a sample; 0: none of a fixed size
    uint64_t threads;
    bool log;    // POINTS spread evenly on a logarithmic scale
    bool check;  // with a sample: the exact curve, too
    // the result, from gmmu_curves_run until gmmu_curves_free
    bool sampling;
    uint32_t frame_count;
    uint32_t *frames;
    gmmu_curve_row *rows;  // policy by policy, of each all sizes
    uint64_t accesses;
    // in between
    gmmu_source *source;
    gmmu_pages *pages;
    gmmu_policy_curve *curves;
    gmmu_kept_trace kept;
    gmmu_sample_set set;
    gmmu_sampled_touch *touches;  // for stacks that cannot forget a page, of a sample of fixed size
    size_t touch_count, touch_cap;
    uint32_t met;        // pages numbered so far
    bool number_all;     // pages outside the sample too
    bool runs;           // some policy is run at each size
    const char *hinted;  // a policy to which replays hand hints; NULL: none
} gmmu_curves;

#ifdef __cplusplus
}
#endif
#endif
