// SPDX-License-Identifier: Apache-2.0
// policy.h: what a replacement policy is. It decides; the replay around it (replay.h) counts.
//
// A new policy is one file with one `gmmu_policy`, and one line in registry.h.
#ifndef GMMU_POLICY_H
#define GMMU_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gmmu/trace.h"
#include "policy/future.h"
#include "policy/outcome.h"
#include "policy/pages.h"

#ifdef __cplusplus
extern "C" {
#endif

// Whether a page is protected from a decision's search (blocks/segment.h).
typedef enum {
    GMMU_GUARD_NONE,
    GMMU_GUARD_LET_GO,    // it was, until this search met it
    GMMU_GUARD_UNHEEDED,  // by name only: searches do not heed it
    GMMU_GUARD_KEPT,      // it is behind all that are none of these
} gmmu_guard;

// One resident page as a policy sees it when it must choose a victim.
// Its priority is profit / (left · cost), exactly; 0 when left or cost is 0.
typedef struct {
    uint32_t page;
    uint64_t ref;    // reference of the page's last access
    uint64_t tau;    // TESLA, in walks
    uint64_t lease;  // the lease l* of the maximum (the shortest one), 0 when there is none
    uint64_t profit, left, cost;
    gmmu_guard guard;
    bool unseen;  // the search does not look at it
} gmmu_candidate;

// A number by which a policy decides, beside its candidates: VALUE / PER.
typedef struct {
    const char *name;
    uint64_t value;
    uint32_t per;
} gmmu_fact;

enum { GMMU_MOST_FACTS = 24 };

// Who wants to see the candidates of a decision. Called once for each, in any order, before the
// victim is known; before them FACTS, which may be NULL, with what the policy has of facts.
typedef struct {
    void (*candidate)(void *context, const gmmu_candidate *candidate);
    void *context;
    void (*facts)(void *context, const gmmu_fact *facts, size_t count);
} gmmu_watch;

typedef struct {
    uint32_t frames;            // size of memory in pages, at least 1; or its average
    const gmmu_pages *pages;    // what the page indices stand for; grows during the replay
    const gmmu_future *future;  // NULL unless the policy needs_future
    const char *options;        // "key=value:key=value", or NULL
    uint64_t seed;              // of what a policy does by chance
    bool watched;               // candidates of decisions will be asked for (watch)
    uint32_t tier2;             // size of the host's memory in pages; 0: there is none
} gmmu_policy_config;

// A replacement policy. All memory sizes and times are in pages and walks.
typedef struct {
    const char *name;
    const char *help;     // one line
    const char *options;  // the options taken, one line for the user; NULL: none
    bool needs_future;
    bool page_only;     // of a walk, it looks at the page alone
    bool tiers;         // it has a second tier (config->tier2), and says where pages come from
    const char *ideal;  // the option that gives it more than a machine could; NULL: there is none
    const char *tie_rule;  // what decides between equal priorities, one line; NULL: no ties
    // A new, empty memory; NULL and *err on bad options or no memory.
    void *(*create)(const gmmu_policy_config *config, gmmu_error *err);
    // One access to PAGE (the dense index of walk's asid and vpn): GMMU_OK and *out, or GMMU_BAD
    // and *err. Every page that is new is inserted; exactly one leaves when memory is full, unless
    // the size is variable.
    int (*access)(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                  gmmu_error *err);
    // Optional: what the driver says before the next access. It moves no page: the walks decide
    // what comes and goes (docs/papers/policies.md). Policies without it see nothing of it.
    void (*hint)(void *state, const gmmu_hint *hint);
    // Optional: fetches into the cache what access will touch for PAGE, soon.
    void (*prefetch)(const void *state, uint32_t page);
    // Of a policy of variable size, else NULL: the sum over the walks of the resident pages.
    uint64_t (*size_sum)(const void *state);
    // Optional: show the candidates of the decisions from now on; NULL: no longer.
    void (*watch)(void *state, const gmmu_watch *watch);
    // Optional: the numbers by which it decides now, always the same in one order; how many.
    size_t (*facts)(const void *state, gmmu_fact facts[GMMU_MOST_FACTS]);
    // Optional: what it has to say about its state, "key=value key=value", into TEXT.
    void (*note)(const void *state, char *text, size_t size);
    void (*destroy)(void *state);
} gmmu_policy;

// ---- what policies share
// True if ARRAY, of CAP elements, has one with number INDEX: ARRAY grows if it must, and each byte
// of what is new is FILL. False when there is no memory; ARRAY is then as it was.
#define GMMU_ROOM(array, cap, index, fill) \
    ((index) < (cap) ||                    \
     gmmu_policy_room((void *)&(array), &(cap), (index), sizeof *(array), (fill)))
bool gmmu_policy_room(void *array, uint32_t *cap, uint32_t index, size_t size, int fill);
// The next capacity of an array that must hold index PAGE; at least twice CAP.
uint32_t gmmu_policy_capacity(uint32_t cap, uint32_t page);
// Sets *err to "POLICY: out of memory" and returns GMMU_BAD.
int gmmu_policy_no_memory(const char *policy, gmmu_error *err);
#ifdef __cplusplus
}
#endif
#endif
