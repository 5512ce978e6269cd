// SPDX-License-Identifier: Apache-2.0
// leu_study.h: changes of the unit's arithmetic for studies, on the standard schedule: the options
// of policy `leu` that the hardware does not have.
#ifndef GMMU_POLICY_LEU_STUDY_H
#define GMMU_POLICY_LEU_STUDY_H

#include "blocks/schedule.h"

#ifdef __cplusplus
extern "C" {
#endif

// A study. All 0: the arithmetic of the unit.
typedef struct {
    unsigned octave;  // bins an octave, 1, 2, 4 or 8; 0: 4
    unsigned drop;    // number of low bits of a priority's mantissa that are 0
    unsigned keep;    // 1: counts saturate, and are never halved
    unsigned prior;   // observations below which a row is cold, and pseudo-observations; 0: 8
    unsigned early;   // log2 of the walks between two refresh ticks up to walk 8192; 0: cfg_refresh
    unsigned engine;  // walks during which the refresh of a row keeps the engine busy; 0: none
} gmmu_leu_study;

// True: the study differs from the unit.
static inline bool gmmu_leu_study_asked(const gmmu_leu_study *of) {
    return (of->octave | of->drop | of->keep | of->prior | of->early | of->engine) != 0;
}

// A study under way.
typedef struct {
    gmmu_leu_study of;
    unsigned s;          // log2 of the bins an octave
    uint32_t refreshed;  // walk of the last REFRESH
    gmmu_tier_sink *sink;
    void *ctx;
} gmmu_leu_studying;

// Begins a study. CFG keeps its octaves, with more or fewer bins each.
gmmu_leu_studying gmmu_leu_study_begin(const gmmu_leu_study *of, gmmu_config *cfg);
// As gmmu_config_error, for a unit with the study OF.
const char *gmmu_leu_study_error(const gmmu_leu_study *of, const gmmu_config *cfg);

// As the functions of the unit; gmmu_leu_study_walk returns the class of the walk.
gmmu_class gmmu_leu_study_walk(const gmmu_leu_studying *y, gmmu_tier *u, gmmu_tier_walk_in in);
void gmmu_leu_study_settle(gmmu_leu_studying *y, gmmu_tier *u, gmmu_tier_sink *sink, void *ctx);
uint16_t gmmu_leu_study_priority(const gmmu_leu_studying *y, const gmmu_tier *u, unsigned row,
                                 uint32_t tau);

#ifdef __cplusplus
}
#endif
#endif
