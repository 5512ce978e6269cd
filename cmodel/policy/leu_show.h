// SPDX-License-Identifier: Apache-2.0
// leu_show.h: facts that policy `leu` shows of a decision beside its arithmetic: the protected
// segment, the duel, and the frames that the search will meet.
#ifndef GMMU_POLICY_LEU_SHOW_H
#define GMMU_POLICY_LEU_SHOW_H
#include "blocks/gmmu_tier.h"
#include "driver/share_duel.h"
#include "policy/policy.h"
#ifdef __cplusplus
extern "C" {
#endif

// A frame as the search will find the frame. UNSEEN: the search will not look at the frame.
typedef struct {
    uint32_t frame;
    gmmu_guard guard;
    bool unseen;
} gmmu_leu_met;

// Writes the facts of the segment and of the duel D (NULL: no duel). Returns their number, 0 while
// nothing is protected.
size_t gmmu_leu_facts(const gmmu_tier *u, const gmmu_share_duel *d,
                      gmmu_fact facts[GMMU_MOST_FACTS]);
// Calls SEE once for each enabled frame: first the frames that the first round of the next search
// will meet, in their order, then all others.
void gmmu_leu_foresee(const gmmu_tier *u, void (*see)(void *ctx, gmmu_leu_met met), void *ctx);

#ifdef __cplusplus
}
#endif
#endif
