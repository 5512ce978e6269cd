// SPDX-License-Identifier: Apache-2.0
// shootdown.h: a memory that replays the walks of a recording by a policy and says which pages
// leave, so that their translations are shot down (simt/record.h).
#ifndef GMMU_POLICY_SHOOTDOWN_H
#define GMMU_POLICY_SHOOTDOWN_H

#include "policy/policy.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gmmu_shootdown gmmu_shootdown;

// A memory of CONFIG's size by POLICY, one that needs no future; CONFIG's `pages` and `future` are
// not looked at. NULL and *err: bad options, or no memory.
gmmu_shootdown *gmmu_shootdown_create(const gmmu_policy *policy, const gmmu_policy_config *config,
                                      gmmu_error *err);
// The next walk of SHOOTDOWN, a gmmu_shootdown: calls LEAVES with MACHINE for each page that leaves
// memory. GMMU_OK, or GMMU_BAD and *err.
int gmmu_shootdown_walk(void *shootdown, const gmmu_walk *walk,
                        void (*leaves)(void *machine, uint64_t vpn), void *machine,
                        gmmu_error *err);
// The evictions so far, with those of pages that came ahead of their first use and had none.
uint64_t gmmu_shootdown_evictions(const gmmu_shootdown *s);
void gmmu_shootdown_destroy(gmmu_shootdown *s);

#ifdef __cplusplus
}
#endif
#endif
