// SPDX-License-Identifier: Apache-2.0
// leu_show.h: what policy `leu` shows of a decision beside its arithmetic: the facts of the
// protected segment and of the duel, and which frames the search will meet.
#ifndef GMMU_POLICY_LEU_SHOW_H
#define GMMU_POLICY_LEU_SHOW_H
#include "blocks/gmmu_tier.h"
#include "driver/share_duel.h"
#include "policy/policy.h"
#ifdef __cplusplus
extern "C" {
#endif

// A frame, as the search will find it.
typedef struct {
    uint32_t frame;
    gmmu_guard guard;
    bool unseen;
} gmmu_leu_met;

// The segment's state, and that of the duel D, NULL if there is none. None while nothing is
// protected.
size_t gmmu_leu_facts(const gmmu_tier *u, const gmmu_share_duel *d,
                      gmmu_fact facts[GMMU_MOST_FACTS]);
// Calls SEE once for each enabled frame: first those that the first round of the search that is due
// will meet, in their turn, then the others.
void gmmu_leu_foresee(const gmmu_tier *u, void (*see)(void *ctx, gmmu_leu_met met), void *ctx);

#ifdef __cplusplus
}
#endif
#endif
