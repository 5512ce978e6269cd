// SPDX-License-Identifier: Apache-2.0
// tiers.h: the place of each page, for a policy with three tiers. The policy's moves are checked
// against the places and counted. Dirty pages are followed until they reach Tier 3.
#ifndef GMMU_POLICY_TIERS_H
#define GMMU_POLICY_TIERS_H

#include "policy/counts.h"
#include "policy/policy.h"

#ifdef __cplusplus
extern "C" {
#endif

// Flags of a page, one byte a page. The place is a gmmu_memory.
enum {
    GMMU_PAGE_SEEN = 1,  // the page was accessed before
    GMMU_PAGE_DIRTY = 2,
    GMMU_PAGE_PLACE = 4,  // factor of the place
};

typedef struct {
    uint32_t size[3], used[3];  // in pages, for each gmmu_memory but GMMU_FAR
    uint32_t cap;               // number of the pages that have flags
    gmmu_tier_counts counts;
} gmmu_tiers;

// Makes empty tiers of the sizes in CONFIG. False and *err: the policy needs a Tier 2 and there is
// none, or the tiers are too large.
bool gmmu_tiers_begin(gmmu_tiers *t, const gmmu_policy *policy, const gmmu_policy_config *config,
                      gmmu_error *err);
// Applies the moves *OUT of the WALK to PAGE to the pages' FLAGS, to *T and to *N. GMMU_BAD and
// *err: a move is not possible.
int gmmu_tiers_access(gmmu_tiers *t, uint8_t *flags, const char *policy, uint32_t page,
                      const gmmu_walk *walk, const gmmu_outcome *out, gmmu_counts *n,
                      gmmu_error *err);
// The same for the moves *OUT of a victim ahead of need.
int gmmu_tiers_evict(gmmu_tiers *t, uint8_t *flags, const char *policy, const gmmu_outcome *out,
                     gmmu_counts *n, gmmu_error *err);

#ifdef __cplusplus
}
#endif
#endif
