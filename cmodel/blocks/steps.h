// SPDX-License-Identifier: Apache-2.0
// steps.h: the standard schedule (schedule.h) one action at a time, for debuggers and simulators
// that look on between two actions.
#ifndef GMMU_STEPS_H
#define GMMU_STEPS_H

#include "blocks/schedule.h"

#ifdef __cplusplus
extern "C" {
#endif

// The actions of docs/guide/schedule.md that a step may be; a ROUND is the CANDs, or the HANDs, of
// a round of the search, a ROUND2 the CAND2s of a round in Tier 2.
#define GMMU_STEP_TABLE(STEP) \
    STEP(TOUCH)               \
    STEP(ENTER)               \
    STEP(EXPIRE)              \
    STEP(SEND)                \
    STEP(FORETELL)            \
    STEP(AGE)                 \
    STEP(ROUND)               \
    STEP(DECIDE)              \
    STEP(RISE)                \
    STEP(ROUND2)              \
    STEP(PLACE)               \
    STEP(CLEAR) STEP(HALVE) STEP(LEARN) STEP(THRESH) STEP(SCRUB) STEP(INSTALL) STEP(REFRESH)
#define GMMU_STEP_ENUMERATOR(name) GMMU_STEP_##name,
typedef enum { GMMU_STEP_NONE, GMMU_STEP_TABLE(GMMU_STEP_ENUMERATOR) GMMU_STEPS } gmmu_step_kind;
#undef GMMU_STEP_ENUMERATOR

// Where in its order the schedule is; all zero: at the beginning.
typedef struct {
    unsigned phase;
} gmmu_tier_steps;

// The next action of the schedule. SINK takes the decision that the action makes, if any; it is
// not to call the unit. GMMU_STEP_NONE: nothing was left, and S is at the beginning. A pass of
// steps leaves the unit as gmmu_tier_settle does whose sink leaves the unit alone.
gmmu_step_kind gmmu_tier_step(gmmu_tier *u, gmmu_tier_steps *s, gmmu_tier_sink *sink, void *ctx);
// "TOUCH" of GMMU_STEP_TOUCH; NULL: no such kind.
const char *gmmu_step_name(gmmu_step_kind kind);

#ifdef __cplusplus
}
#endif
#endif
