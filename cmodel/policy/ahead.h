// SPDX-License-Identifier: Apache-2.0
// ahead.h: pages raised ahead of their use (option `ahead` of `tier` and `bam`): how many pages,
// the outcome of each raise, and a clock of the time that all faults waited. The policy chooses the
// pages that come up, and the pages that leave for them.
#ifndef GMMU_POLICY_AHEAD_H
#define GMMU_POLICY_AHEAD_H

#include "policy/outcome.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GMMU_MOST_AHEAD = 64 };

// Times of GMT §3.4, in ns: a lookup in Tier 2, a page from Tier 2, a page from storage.
enum { GMMU_LOOKUP_NS = 50, GMMU_HOST_NS = 50000, GMMU_READ_NS = 130000 };

typedef struct {
    uint32_t most, depth;    // pages looked at behind a fault: most, now; most 0: none
    uint32_t way_ns;         // time, in ns, until a raised page is there
    uint64_t now;            // time, in ns, that all faults so far have waited
    uint64_t *raised;        // for each page: time of its raise; 0: not raised, or used since
    uint32_t used, unused;   // raised pages with a known fate, since the last change of depth
    uint64_t all, good;      // raised pages; of these used
    uint64_t late, late_ns;  // of these used before they were there; ns waited for them
    gmmu_move *move;
} gmmu_ahead;

// Makes A, without raised pages: at most MOST pages at a time, each WAY_NS on its way. False: no
// memory. gmmu_ahead_free is needed in any case.
bool gmmu_ahead_init(gmmu_ahead *a, uint32_t most, uint32_t way_ns);
void gmmu_ahead_free(gmmu_ahead *a);
// Makes room for CAP pages in place of OLD. False: no memory.
bool gmmu_ahead_grow(gmmu_ahead *a, uint32_t old, uint32_t cap);

static inline bool gmmu_ahead_is_raised(const gmmu_ahead *a, uint32_t page) {
    return a->raised[page] != 0;
}
// A fault waited NS nanoseconds.
static inline void gmmu_ahead_fault(gmmu_ahead *a, uint32_t ns) {
    a->now += ns;
}
// The first access to PAGE since its raise. The access waits if PAGE is still on its way.
void gmmu_ahead_used(gmmu_ahead *a, uint32_t page);
// begin: pages are raised after the access with outcome *OUT. raised: PAGE is raised; ONE has the
// moves of this raise, PAGE first, which are added to *OUT.
void gmmu_ahead_begin(gmmu_ahead *a, gmmu_outcome *out);
void gmmu_ahead_raised(gmmu_ahead *a, uint32_t page, const gmmu_outcome *one, gmmu_outcome *out);
// Appends a policy's note to TEXT of SIZE bytes; nothing without option `ahead`.
void gmmu_ahead_note(const gmmu_ahead *a, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
