// SPDX-License-Identifier: Apache-2.0
// replay.h: the replay of one policy at one memory size. The walks go to the policy, and the moves
// of the pages (outcome.h) are counted.
#ifndef GMMU_POLICY_REPLAY_H
#define GMMU_POLICY_REPLAY_H

#include "policy/counts.h"
#include "policy/policy.h"

#ifdef __cplusplus
extern "C" {
#endif

// Returns a policy with its counters; NULL and *err on failure, such as a policy that does not obey
// CONFIG's `eligible`. The replay knows where each page is. An access by which the policy breaks a
// rule of gmmu_policy.access is GMMU_BAD, and *err names policy, walk, found and expected: a page
// moves from where the page is not, a new page does not come, memory or a tier is filled beyond its
// size, or more pages move than the policy may. The replay cannot go on after that.
gmmu_sim *gmmu_sim_create(const gmmu_policy *policy, const gmmu_policy_config *config,
                          gmmu_error *err);
// One access to PAGE; *out has the moves. A stuck access (out->stuck) counts nowhere: it comes
// again. GMMU_OK, or GMMU_BAD and *err.
int gmmu_sim_access(gmmu_sim *sim, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                    gmmu_error *err);
// A victim ahead of need; *out has its move, or is stuck. See gmmu_policy.evict. GMMU_OK, or
// GMMU_BAD and *err: the policy names no page without an access.
int gmmu_sim_evict(gmmu_sim *sim, gmmu_outcome *out, gmmu_error *err);
// A hint of the driver before the next access; see gmmu_policy.hint.
void gmmu_sim_hint(gmmu_sim *sim, const gmmu_hint *hint);
// COUNT accesses: access i is WALKS[i] to page INDEX[i]. GMMU_OK, or GMMU_BAD and *err. For a
// CONFIG that lets each page leave: no access may be stuck.
int gmmu_sim_replay(gmmu_sim *sim, const uint32_t *index, const gmmu_walk *walks, size_t count,
                    gmmu_error *err);
// The same for a policy that reads nothing of a walk but the page (page_only): access i writes if
// WRITES[i] is not 0.
int gmmu_sim_replay_pages(gmmu_sim *sim, const uint32_t *index, const uint8_t *writes, size_t count,
                          gmmu_error *err);
// The same as gmmu_sim_replay with the HINT_COUNT hints among these walks. The first walk has
// number FIRST in the trace.
int gmmu_sim_replay_hinted(gmmu_sim *sim, const uint32_t *index, const gmmu_walk *walks,
                           size_t count, uint64_t first, const gmmu_hint *hints, size_t hint_count,
                           gmmu_error *err);
gmmu_counts gmmu_sim_counts(const gmmu_sim *sim);
gmmu_tier_counts gmmu_sim_tier_counts(const gmmu_sim *sim);
// Returns the size of memory in pages; of a variable size the average over the walks, rounded.
uint32_t gmmu_sim_frames(const gmmu_sim *sim);
// Counts from now on the evictions that OPT makes too; to be called before the first access.
// OPT_FAULTS has a bit a walk, of gmmu_opt_faults for the same trace and size. The caller owns
// OPT_FAULTS.
void gmmu_sim_beside_opt(gmmu_sim *sim, const uint8_t *opt_faults);
// Returns the number of evictions that OPT makes too (opt_faults.h); 0 without gmmu_sim_beside_opt.
uint64_t gmmu_sim_as_opt(const gmmu_sim *sim);
// See gmmu_policy.note. False: the policy has no note.
bool gmmu_sim_note(const gmmu_sim *sim, char *text, size_t size);
// Why the victim of the last access left; see gmmu_policy.why. False: the policy says it by its
// candidates.
bool gmmu_sim_why(const gmmu_sim *sim, char *text, size_t size);
// See gmmu_policy.facts. 0: the policy has no facts.
size_t gmmu_sim_facts(const gmmu_sim *sim, gmmu_fact facts[GMMU_MOST_FACTS]);
// See gmmu_policy.watch. False: the policy cannot show its candidates.
bool gmmu_sim_watch(gmmu_sim *sim, const gmmu_watch *watch);
void gmmu_sim_destroy(gmmu_sim *sim);

#ifdef __cplusplus
}
#endif
#endif
