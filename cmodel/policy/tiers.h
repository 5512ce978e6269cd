// SPDX-License-Identifier: Apache-2.0
// tiers.h: where each page is, of a policy with three tiers: what it says of its moves is checked
// against that, counted, and dirty pages are followed until they reach Tier 3.
#ifndef GMMU_POLICY_TIERS_H
#define GMMU_POLICY_TIERS_H

#include "policy/counts.h"
#include "policy/policy.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of each page, one byte. The place is a gmmu_memory.
enum {
    GMMU_PAGE_SEEN = 1,
    GMMU_PAGE_DIRTY = 2,
    GMMU_PAGE_PLACE = 4,  // times the place
};

typedef struct {
    uint32_t size[3], used[3];  // of each gmmu_memory; of GMMU_FAR nothing
    gmmu_tier_counts counts;
} gmmu_tiers;

// Empty tiers of the sizes in CONFIG. False and *err: the policy needs a second and there is none,
// or they are too large.
bool gmmu_tiers_begin(gmmu_tiers *t, const gmmu_policy *policy, const gmmu_policy_config *config,
                      gmmu_error *err);
// What the WALK to PAGE did, as *OUT says: FLAGS of the pages, *T and *N follow. GMMU_BAD and *err
// when it cannot be.
int gmmu_tiers_access(gmmu_tiers *t, uint8_t *flags, const char *policy, uint32_t page,
                      const gmmu_walk *walk, const gmmu_outcome *out, gmmu_counts *n,
                      gmmu_error *err);

#ifdef __cplusplus
}
#endif
#endif
