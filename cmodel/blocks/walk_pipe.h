// SPDX-License-Identifier: Apache-2.0
// walk_pipe.h: twin of rtl/unit/gmmu_walk_pipe.v: time, which is the number of walks, and the
// events that a walk makes due.
#ifndef GMMU_WALK_PIPE_H
#define GMMU_WALK_PIPE_H

#include <stdbool.h>
#include <stdint.h>

#include "gmmu/config.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint32_t time, time_mask;       // accesses so far, modulo 2^TIME_W
    uint32_t age_mask, scrub_mask;  // an AGE, a SCRUB is due when time & mask is 0
    uint32_t went;                  // accesses and replays so far, modulo 2^32
} gmmu_walk_pipe;

// The events that a walk makes due.
typedef struct {
    bool age, scrub, refresh;  // REFRESH: the tick of cfg_refresh
} gmmu_walk_due;

// Makes W for the sizes CFG, at time 0.
void gmmu_walk_pipe_init(gmmu_walk_pipe *w, const gmmu_config *cfg);

// The events that the last access made due. REFRESH is the register cfg_refresh: log2 of the
// accesses between two ticks.
static inline gmmu_walk_due gmmu_walk_pipe_due(const gmmu_walk_pipe *w, unsigned refresh) {
    return (gmmu_walk_due){(w->time & w->age_mask) == 0, (w->time & w->scrub_mask) == 0,
                           (w->time & ((1u << refresh) - 1)) == 0};
}
// One more access: the time grows by 1. Returns the events that this access makes due.
static inline gmmu_walk_due gmmu_walk_pipe_step(gmmu_walk_pipe *w, unsigned refresh) {
    w->time = (w->time + 1) & w->time_mask;
    return gmmu_walk_pipe_due(w, refresh);
}

// One more walk, access or replay. True: an epoch of fresh frames ends with it. FRESH is the
// register cfg_fresh: log2 of the walks of an epoch.
static inline bool gmmu_walk_pipe_went(gmmu_walk_pipe *w, unsigned fresh) {
    return (++w->went & ((1u << fresh) - 1)) == 0;
}

#ifdef __cplusplus
}
#endif
#endif
