// SPDX-License-Identifier: Apache-2.0
// leu_walk.h: a trace's walk as the unit's, for the policies that drive the unit (`leu`,
// `leu-host`).
#ifndef GMMU_POLICY_LEU_WALK_H
#define GMMU_POLICY_LEU_WALK_H
#include "blocks/gmmu_tier.h"
#include "policy/policy.h"
#ifdef __cplusplus
extern "C" {
#endif

// *in gets page, folded reference and kind of WALK; fault and frame are left to the caller.
// GMMU_BAD and *err, beginning with POLICY, if page number or address space have more bits than CFG
// has.
int gmmu_leu_walk(const char *policy, const gmmu_config *cfg, const gmmu_walk *walk,
                  gmmu_tier_walk_in *in, gmmu_error *err);

#ifdef __cplusplus
}
#endif
#endif
