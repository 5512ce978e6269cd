// SPDX-License-Identifier: Apache-2.0
// replays.h: the replays of a trace with several policies and memory sizes: what `gmmu replay` and
// the Python package run.
#ifndef GMMU_RUN_REPLAYS_H
#define GMMU_RUN_REPLAYS_H

#include "run/choice.h"
#include "run/crew.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    // what is asked for; the arrays are the caller's
    const gmmu_choice *policies;
    size_t policy_count;
    const gmmu_size *sizes;
    size_t size_count;
    bool as_opt;  // gmmu_sim_as_opt of each run
    bool tiers;   // there is a Tier 2, of size `tier2`
    gmmu_size tier2;
    uint64_t seed;
    uint64_t distinct;  // the pages of the trace, checked at the end; 0: not known
    uint64_t threads;   // 0: one a core. No result depends on their number
    // the result, from gmmu_replays_run until gmmu_replays_free
    gmmu_replay_run *runs;  // policy by policy, of each all sizes
    size_t count;
    gmmu_pages *pages;
    uint64_t walks;
    double seconds;
    // in between
    gmmu_future future;
    gmmu_size *size_pages, tier2_pages;  // none is in bytes
    uint8_t **beside;                    // OPT's faults at each size
    unsigned page_shift;
} gmmu_replays;

// True: the trace is read twice, so its source must be opened with TWICE.
bool gmmu_replays_twice(const gmmu_replays *r);
// Replays the whole of SOURCE, which was just opened. False and *err on failure.
bool gmmu_replays_run(gmmu_replays *r, gmmu_source *source, gmmu_error *err);
// Frees the result, also after a failure.
void gmmu_replays_free(gmmu_replays *r);

#ifdef __cplusplus
}
#endif
#endif
