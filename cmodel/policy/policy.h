// SPDX-License-Identifier: Apache-2.0
// policy.h: what a replacement policy is, and the replay of one policy at one memory size.
//
// A policy decides; gmmu_sim around it counts. A new policy is one file with one `gmmu_policy`
// and one line in registry.c.
#ifndef GMMU_POLICY_H
#define GMMU_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gmmu/trace.h"
#include "policy/pages.h"

#ifdef __cplusplus
extern "C" {
#endif

// No further access to the page.
#define GMMU_NEVER UINT64_MAX

// The whole trace, known in advance: what Belady's MIN reads.
typedef struct {
    uint64_t count;   // walks
    uint32_t *pages;  // page index of each walk
    uint8_t *writes;  // 1 where a walk is a write; NULL: not known
    uint64_t *next;   // of each walk: number (from 0) of the next one to its page, or GMMU_NEVER
} gmmu_future;

// Fills NEXT from PAGES and COUNT. DISTINCT is above every page index. GMMU_BAD: no memory.
int gmmu_future_build(gmmu_future *future, uint32_t distinct);
// True when walk NOW (from 0) is to PAGE in FUTURE too; else *err names the POLICY.
bool gmmu_future_agrees(const gmmu_future *future, uint64_t now, uint32_t page, const char *policy,
                        gmmu_error *err);
void gmmu_future_free(gmmu_future *future);

// What one access did.
typedef struct {
    bool fault;
    uint32_t victim;  // the page that left to make room, or GMMU_NO_PAGE
    // Of a policy of variable size: the pages that left after the access, the accessed one maybe
    // among them; valid until the next access.
    const uint32_t *left;
    uint32_t left_count;
} gmmu_outcome;

// One resident page as a policy sees it when it must choose a victim.
// Its priority is profit / (left · cost), exactly; 0 when left or cost is 0.
typedef struct {
    uint32_t page;
    uint64_t ref;    // reference of the page's last access
    uint64_t tau;    // TESLA, in walks
    uint64_t lease;  // the lease l* of the maximum (the shortest one), 0 when there is none
    uint64_t profit, left, cost;
} gmmu_candidate;

// Who wants to see the candidates of a decision. Called once for each, in any order, before the
// victim is known.
typedef struct {
    void (*candidate)(void *context, const gmmu_candidate *candidate);
    void *context;
} gmmu_watch;

typedef struct {
    uint32_t frames;            // size of memory in pages, at least 1; or its average
    const gmmu_pages *pages;    // what the page indices stand for; grows during the replay
    const gmmu_future *future;  // NULL unless the policy needs_future
    const char *options;        // "key=value:key=value", or NULL
    uint64_t seed;              // of what a policy does by chance
} gmmu_policy_config;

// A replacement policy. All memory sizes and times are in pages and walks.
typedef struct {
    const char *name;
    const char *help;     // one line
    const char *options;  // the options taken, one line for the user; NULL: none
    bool needs_future;
    bool page_only;        // of a walk, it looks at the page alone
    const char *tie_rule;  // what decides between equal priorities, one line; NULL: no ties
    // A new, empty memory; NULL and *err on bad options or no memory.
    void *(*create)(const gmmu_policy_config *config, gmmu_error *err);
    // One access to PAGE (the dense index of walk's asid and vpn): GMMU_OK and *out, or GMMU_BAD
    // and *err. Every page that is new is inserted; exactly one leaves when memory is full, unless
    // the size is variable.
    int (*access)(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                  gmmu_error *err);
    // Optional: fetches into the cache what access will touch for PAGE, soon.
    void (*prefetch)(const void *state, uint32_t page);
    // Of a policy of variable size, else NULL: the sum over the walks of the resident pages.
    uint64_t (*size_sum)(const void *state);
    // Optional: show the candidates of the decisions from now on; NULL: no longer.
    void (*watch)(void *state, const gmmu_watch *watch);
    // Optional: what it has to say about its state, "key=value key=value", into TEXT.
    void (*note)(const void *state, char *text, size_t size);
    void (*destroy)(void *state);
} gmmu_policy;

extern const gmmu_policy gmmu_policy_opt, gmmu_policy_lru, gmmu_policy_fifo, gmmu_policy_clock,
    gmmu_policy_random, gmmu_policy_lfu, gmmu_policy_2q, gmmu_policy_arc, gmmu_policy_lirs,
    gmmu_policy_clockpro, gmmu_policy_srrip, gmmu_policy_rrip_hpe, gmmu_policy_sieve,
    gmmu_policy_s3fifo, gmmu_policy_vmin, gmmu_policy_osl, gmmu_policy_leu_exact, gmmu_policy_leu,
    gmmu_policy_leu_host, gmmu_policy_leu2, gmmu_policy_hpe;

// The registered policies by number, NULL past the last one; and by name (LENGTH characters).
const gmmu_policy *gmmu_policy_at(size_t i);
const gmmu_policy *gmmu_policy_find(const char *name, size_t length);

// Takes one "key=value" off *options: true and the two parts (not terminated; their lengths), or
// false at the end. A part without '=' is a key with an empty value.
bool gmmu_policy_option(const char **options, const char **key, size_t *key_length,
                        const char **value, size_t *value_length);

typedef struct {
    uint64_t accesses;
    uint64_t faults;      // cold ones included
    uint64_t cold;        // first touches
    uint64_t evictions;   // pages that left
    uint64_t writebacks;  // of these, written since they were last brought in; no final flush
} gmmu_counts;

typedef struct gmmu_sim gmmu_sim;

// A policy with its counters; NULL and *err on failure.
gmmu_sim *gmmu_sim_create(const gmmu_policy *policy, const gmmu_policy_config *config,
                          gmmu_error *err);
// One access; *out says what it did.
int gmmu_sim_access(gmmu_sim *sim, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                    gmmu_error *err);
// COUNT accesses: pages INDEX[i] of WALKS[i].
int gmmu_sim_replay(gmmu_sim *sim, const uint32_t *index, const gmmu_walk *walks, size_t count,
                    gmmu_error *err);
gmmu_counts gmmu_sim_counts(const gmmu_sim *sim);
// The size of memory in pages; of a policy of variable size its average over the walks, rounded.
uint32_t gmmu_sim_frames(const gmmu_sim *sim);
// See gmmu_policy.note; false when the policy has nothing to say.
bool gmmu_sim_note(const gmmu_sim *sim, char *text, size_t size);
// See gmmu_policy.watch; false when the policy cannot show its candidates.
bool gmmu_sim_watch(gmmu_sim *sim, const gmmu_watch *watch);
void gmmu_sim_destroy(gmmu_sim *sim);

// Help for policies.
// The next capacity of an array that must hold index PAGE; at least twice CAP.
uint32_t gmmu_policy_capacity(uint32_t cap, uint32_t page);
// Sets *err to "POLICY: out of memory" and returns GMMU_BAD.
int gmmu_policy_no_memory(const char *policy, gmmu_error *err);
// False and *err if there are options, for a policy that takes none.
bool gmmu_policy_no_options(const char *policy, const gmmu_policy_config *config, gmmu_error *err);

#ifdef __cplusplus
}
#endif
#endif
