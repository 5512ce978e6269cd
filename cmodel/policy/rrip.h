// SPDX-License-Identifier: Apache-2.0
// rrip.h: re-reference interval prediction over all of memory (Jaleel et al., "High Performance
// Cache Replacement Using Re-Reference Interval Prediction (RRIP)", ISCA 2010, section 4), with
// the delay field that HPE adds (HPE, section V.B).
//
// Each page has a prediction of M bits, RRPV: 2^M - 1 is "distant", 2^M - 2 "long". A page may
// leave if its RRPV is distant and its delay has passed; of these pages the page in the lowest
// frame leaves. While there is no such page, all RRPVs below distant grow by one. The delay has
// passed when at least `delay` faults came after the fault that brought the page in. If no page's
// delay has passed, the page that came in first leaves, and all RRPVs become distant (an open
// question of the sources). A page that may not leave stays, whatever its RRPV: the page in the
// lowest distant frame whose page may leave leaves; RRPVs grow while no such page is distant. If no
// page whose delay has passed may leave, the page that came in first of those that may leaves.
// Frames fill in order; a page takes its victim's frame.
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
    uint64_t delay;   // delay in faults
    bool frequency;   // a hit lowers the RRPV by one (FP); else to 0 (HP)
} gmmu_rrip_rules;

void *gmmu_rrip_create(const gmmu_rrip_rules *rules, const gmmu_policy_config *config,
                       gmmu_error *err);
// Functions of a gmmu_policy.
int gmmu_rrip_access(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                     gmmu_error *err);
int gmmu_rrip_evict(void *state, gmmu_outcome *out, gmmu_error *err);
void gmmu_rrip_why(const void *state, char *text, size_t size);
void gmmu_rrip_destroy(void *state);

#ifdef __cplusplus
}
#endif
#endif
