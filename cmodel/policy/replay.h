// SPDX-License-Identifier: Apache-2.0
// replay.h: the replay of one policy at one memory size: the walks go to the policy, what the pages
// then do (outcome.h) is counted.
#ifndef GMMU_POLICY_REPLAY_H
#define GMMU_POLICY_REPLAY_H

#include "policy/counts.h"
#include "policy/policy.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gmmu_sim gmmu_sim;

// A policy with its counters; NULL and *err on failure. Of a policy with tiers it is then known
// where each page is: an access in which the policy moves a page from where it is not, or fills a
// tier beyond its size, is GMMU_BAD.
gmmu_sim *gmmu_sim_create(const gmmu_policy *policy, const gmmu_policy_config *config,
                          gmmu_error *err);
// One access; *out says what it did.
int gmmu_sim_access(gmmu_sim *sim, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                    gmmu_error *err);
// What the driver says before the next access; see gmmu_policy.hint.
void gmmu_sim_hint(gmmu_sim *sim, const gmmu_hint *hint);
// COUNT accesses: pages INDEX[i] of WALKS[i].
int gmmu_sim_replay(gmmu_sim *sim, const uint32_t *index, const gmmu_walk *walks, size_t count,
                    gmmu_error *err);
// The same with the HINT_COUNT hints that stand among these walks, the first of which is number
// FIRST.
int gmmu_sim_replay_hinted(gmmu_sim *sim, const uint32_t *index, const gmmu_walk *walks,
                           size_t count, uint64_t first, const gmmu_hint *hints, size_t hint_count,
                           gmmu_error *err);
gmmu_counts gmmu_sim_counts(const gmmu_sim *sim);
gmmu_tier_counts gmmu_sim_tier_counts(const gmmu_sim *sim);
// The size of memory in pages; of a policy of variable size its average over the walks, rounded.
uint32_t gmmu_sim_frames(const gmmu_sim *sim);
// Before the first access: count the evictions that OPT makes too. OPT_FAULTS is of opt_faults.h,
// for the same trace and size, a bit a walk; it stays the caller's.
void gmmu_sim_beside_opt(gmmu_sim *sim, const uint8_t *opt_faults);
// Of the evictions, those that OPT makes too (opt_faults.h); 0 without gmmu_sim_beside_opt.
uint64_t gmmu_sim_as_opt(const gmmu_sim *sim);
// See gmmu_policy.note; false when the policy has nothing to say.
bool gmmu_sim_note(const gmmu_sim *sim, char *text, size_t size);
// See gmmu_policy.facts; 0 when the policy has none.
size_t gmmu_sim_facts(const gmmu_sim *sim, gmmu_fact facts[GMMU_MOST_FACTS]);
// See gmmu_policy.watch; false when the policy cannot show its candidates.
bool gmmu_sim_watch(gmmu_sim *sim, const gmmu_watch *watch);
void gmmu_sim_destroy(gmmu_sim *sim);

#ifdef __cplusplus
}
#endif
#endif
