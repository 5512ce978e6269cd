// SPDX-License-Identifier: Apache-2.0
// rrip.h: re-reference interval prediction over all of memory (Jaleel et al., "High Performance
// Cache Replacement Using Re-Reference Interval Prediction (RRIP)", ISCA 2010, section 4), with
// the delay field that HPE adds (HPE, section V.B).
//
// Each page has a prediction of M bits, RRPV; 2^M - 1 is "distant", 2^M - 2 "long". The page in the
// lowest-numbered frame whose RRPV is distant, and whose delay has passed, leaves; while there is
// none, all RRPVs below distant grow by one. The delay has passed when at least `delay` faults came
// after the one that brought the page in; when no page's has, the page brought in first leaves, and
// all RRPVs are distant (the sources leave it open). Frames fill in order; a page takes its
// victim's.
#ifndef GMMU_POLICY_RRIP_H
#define GMMU_POLICY_RRIP_H

#include "policy/policy.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *name;
    uint64_t bits;    // M, 1 to 4
    uint64_t insert;  // RRPV of a new page
    uint64_t delay;   // faults
    bool frequency;   // a hit takes one from the RRPV (FP); else it becomes 0 (HP)
} gmmu_rrip_rules;

void *gmmu_rrip_create(const gmmu_rrip_rules *rules, uint32_t frames, gmmu_error *err);
// These two are a gmmu_policy's.
int gmmu_rrip_access(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                     gmmu_error *err);
void gmmu_rrip_destroy(void *state);

#ifdef __cplusplus
}
#endif
#endif
