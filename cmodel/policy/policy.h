// SPDX-License-Identifier: Apache-2.0
// policy.h: the interface of a replacement policy. The policy decides; the replay (replay.h)
// counts.
//
// A new policy is one file with one `gmmu_policy`, and one line in registry.h, or a plugin
// (plugin.h).
#ifndef GMMU_POLICY_H
#define GMMU_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gmmu/trace.h"
#include "policy/eligible.h"
#include "policy/future.h"
#include "policy/outcome.h"
#include "trace/pages.h"

#ifdef __cplusplus
extern "C" {
#endif

// The protection of a page from a decision's search (blocks/segment.h).
typedef enum {
    GMMU_GUARD_NONE,      // the page is not protected
    GMMU_GUARD_LET_GO,    // the page was protected until this search met the page
    GMMU_GUARD_UNHEEDED,  // the page is protected, but searches do not heed the protection
    GMMU_GUARD_KEPT,      // the page is protected, behind all pages that are not
} gmmu_guard;

// A resident page at the choice of a victim. The priority is exactly profit / (left · cost), and 0
// if left or cost is 0.
typedef struct {
    uint32_t page;
    uint64_t ref;    // reference of the page's last access
    uint64_t tau;    // TESLA, in walks
    uint64_t lease;  // the lease l* of the maximum, in walks (the shortest); 0: none
    uint64_t profit, left, cost;
    gmmu_guard guard;
    bool unseen;  // the search does not look at the page
} gmmu_candidate;

// A fact: a number by which a policy decides, beside its candidates. The number is VALUE / PER.
typedef struct {
    const char *name;
    uint64_t value;
    uint32_t per;
} gmmu_fact;

enum { GMMU_MOST_FACTS = 24 };  // most facts of a policy

// An observer of decisions. For each decision, before the victim is known, FACTS (may be NULL) is
// called with the facts of the policy, then `candidate` once for each candidate, in any order.
typedef struct {
    void (*candidate)(void *context, const gmmu_candidate *candidate);
    void *context;
    void (*facts)(void *context, const gmmu_fact *facts, size_t count);
} gmmu_watch;

typedef struct {
    uint32_t frames;          // size of memory in pages, at least 1; of a variable size the average
    const gmmu_pages *pages;  // page by index; grows during the replay
    const gmmu_future *future;  // the trace ahead; NULL unless the policy needs_future
    unsigned page_shift;        // log2 of the bytes of a page; 0: not known
    const char *options;        // "key=value:key=value", or NULL
    uint64_t seed;              // seed of a policy's random choices
    bool watched;               // `watch` will be called
    uint32_t tier2;             // size of Tier 2 (host memory) in pages; 0: there is no Tier 2
    gmmu_eligible eligible;     // the pages that may leave near memory; all zero: each page
    void *context;              // of a policy whose maker gives one, else NULL
} gmmu_policy_config;

typedef struct gmmu_sim gmmu_sim;  // a replay (replay.h)

// A replacement policy. All memory sizes and times are in pages and walks.
typedef struct {
    const char *name;
    const char *help;     // one line
    const char *options;  // options, one or more a line; NULL: the policy has none
    bool needs_future;    // the policy reads config->future
    bool page_only;       // the policy reads nothing of a walk but the page
    bool obeys;           // only pages that config->eligible lets leave ever leave near memory
    bool tiers;           // the policy uses Tier 2 (config->tier2), and reports pages' tiers
    bool moves_many;      // more than one page may come or leave at an access, as a whole chunk
    const char *ideal;    // an option beyond any machine's knowledge, or NULL
    // Optional: the option to add to OPTIONS (may be NULL) for a memory of FRAMES pages; NULL:
    // none.
    const char *(*larger)(const char *options, uint32_t frames);
    // Why a victim leaves, for `gmmu explain`: `rule` if the reason is always the same, `why` if it
    // is not; NULL: the candidates say it (watch).
    const char *rule;
    // Optional: writes why the victim of the last access left, one line, into the SIZE bytes of
    // TEXT. Only after an access with which a page left.
    void (*why)(const void *state, char *text, size_t size);
    const char *tie_rule;  // the rule between equal priorities, one line; NULL: no ties
    // Returns a new, empty memory. NULL and *err: bad options, or no memory.
    void *(*create)(const gmmu_policy_config *config, gmmu_error *err);
    // One access to PAGE, the dense index of walk's asid and vpn. GMMU_OK and *out, or GMMU_BAD and
    // *err; GMMU_END and *err: the policy cannot go on with this trace, and is only destroyed after
    // that. Every new page is inserted. If memory is full, exactly one page leaves, unless the size
    // is variable: of the pages that config->eligible lets leave, the first in the policy's order.
    // If no such page is resident, the access is stuck (out->stuck), and the state is as before the
    // call: the same access comes again later, in the order of the trace if the policy
    // needs_future.
    int (*access)(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                  gmmu_error *err);
    // Optional: a victim ahead of need. The page that would leave next leaves without an access:
    // *out has its move, and the next new page finds a free page of memory. GMMU_OK, or GMMU_BAD
    // and *err. No page leaves (out->stuck) if memory is empty or no resident page may leave.
    int (*evict)(void *state, gmmu_outcome *out, gmmu_error *err);
    // Optional: a hint of the driver before the next access. A hint moves no page: the walks decide
    // which pages come and go (docs/papers/policies.md).
    void (*hint)(void *state, const gmmu_hint *hint);
    // Optional: fetches the data of PAGE into the cache, for an access that comes soon.
    void (*prefetch)(const void *state, uint32_t page);
    // Of a policy of variable size, else NULL: returns the sum over all walks of the resident
    // pages.
    uint64_t (*size_sum)(const void *state);
    // Optional: shows the candidates of decisions to WATCH from now on; NULL: to nobody.
    void (*watch)(void *state, const gmmu_watch *watch);
    // Optional: writes the present facts, always the same facts in the same order. Returns their
    // number.
    size_t (*facts)(const void *state, gmmu_fact facts[GMMU_MOST_FACTS]);
    // Optional: writes "key=value key=value" about the state into the SIZE bytes of TEXT.
    void (*note)(const void *state, char *text, size_t size);
    void (*destroy)(void *state);
    // Optional, of a policy with page_only and without tiers: COUNT calls of `access` with the
    // counts around them (counting.h). Access i is to page INDEX[i], and writes if
    // WRITES[i * STRIDE] is not 0.
    int (*replay)(gmmu_sim *sim, const uint32_t *index, const uint8_t *writes, size_t stride,
                  size_t count, gmmu_error *err);
} gmmu_policy;

// ---- functions for the files of policies
// Gives ARRAY, which has CAP elements, an element with number INDEX, if there is none: ARRAY grows,
// and each byte of a new element is FILL. False when there is no memory; ARRAY is then as before.
#define GMMU_ROOM(array, cap, index, fill) \
    ((index) < (cap) ||                    \
     gmmu_policy_room((void *)&(array), &(cap), (index), sizeof *(array), (fill)))
bool gmmu_policy_room(void *array, uint32_t *cap, uint32_t index, size_t size, int fill);
// Returns the pages that are known at the begin, 0: none; at most MOST.
uint32_t gmmu_policy_expected(const gmmu_policy_config *config, uint32_t most);
// Gives ARRAY, which has no element yet, COUNT elements: what is known at the begin need not grow.
// False when there is no memory.
#define GMMU_EXPECT(array, cap, count, fill) \
    ((count) == 0 || GMMU_ROOM(array, cap, (count)-1, fill))
// Returns the next capacity of an array that must hold index PAGE: at least twice CAP.
uint32_t gmmu_policy_capacity(uint32_t cap, uint32_t page);
// Sets *err to "POLICY: out of memory" and returns GMMU_BAD.
int gmmu_policy_no_memory(const char *policy, gmmu_error *err);
#ifdef __cplusplus
}
#endif
#endif
