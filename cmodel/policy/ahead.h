// SPDX-License-Identifier: Apache-2.0
// ahead.h: pages raised ahead of their use (option ahead of `tier` and `bam`): how many, what
// became of them, and a clock of what all faults waited. Who comes up, and who leaves for it, is
// the policy's.
#ifndef GMMU_POLICY_AHEAD_H
#define GMMU_POLICY_AHEAD_H

#include "policy/outcome.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GMMU_MOST_AHEAD = 64 };

// GMT §3.4, ns: to ask Tier 2, a page from there, from storage.
enum { GMMU_LOOKUP_NS = 50, GMMU_HOST_NS = 50000, GMMU_READ_NS = 130000 };

typedef struct {
    uint32_t most, depth;               // pages behind a fault that are looked at; most 0: none
    uint32_t way_ns;                    // until a raised page is there
    uint64_t now;                       // ns that all faults so far have waited
    uint64_t *raised;                   // of each page: when it was, and not used since; 0: not so
    uint32_t used, unused;              // of those whose fate was decided since depth was looked at
    uint64_t all, good, late, late_ns;  // raised; used; before they were there; by how much in all
    gmmu_move *move;
} gmmu_ahead;

// Nothing raised yet; MOST pages at a time, each WAY_NS on its way. False: no memory. What it has
// is freed by gmmu_ahead_free in any case.
bool gmmu_ahead_init(gmmu_ahead *a, uint32_t most, uint32_t way_ns);
void gmmu_ahead_free(gmmu_ahead *a);
// Room for CAP pages, where there was for OLD. False: no memory.
bool gmmu_ahead_grow(gmmu_ahead *a, uint32_t old, uint32_t cap);

static inline bool gmmu_ahead_is_raised(const gmmu_ahead *a, uint32_t page) {
    return a->raised[page] != 0;
}
// A fault waited NS.
static inline void gmmu_ahead_fault(gmmu_ahead *a, uint32_t ns) {
    a->now += ns;
}
// The first access to PAGE since it was raised: it waits if PAGE is on its way.
void gmmu_ahead_used(gmmu_ahead *a, uint32_t page);
// After an access that is told by *OUT pages are raised: PAGE, and ONE is what it moved, PAGE
// first.
void gmmu_ahead_begin(gmmu_ahead *a, gmmu_outcome *out);
void gmmu_ahead_raised(gmmu_ahead *a, uint32_t page, const gmmu_outcome *one, gmmu_outcome *out);
// What a policy's note says of it, appended to TEXT of SIZE bytes; nothing without option ahead.
void gmmu_ahead_note(const gmmu_ahead *a, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
