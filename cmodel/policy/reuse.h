// SPDX-License-Identifier: Apache-2.0
// reuse.h: histograms of each reference's reuse intervals, in bins of a quarter of an octave, and
// LEU's expectation of a page from these (MEMSYS '19, Eq. 1 and 2), in integers.
#ifndef GMMU_POLICY_REUSE_H
#define GMMU_POLICY_REUSE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A cost above any finite cost: the age is beyond all observed intervals.
#define GMMU_REUSE_BEYOND (UINT64_C(1) << 62)

typedef struct gmmu_reuse gmmu_reuse;

// Returns empty histograms, or NULL: no memory.
gmmu_reuse *gmmu_reuse_create(void);
void gmmu_reuse_destroy(gmmu_reuse *r);
// Returns the number of a reference. UINT32_MAX: no memory.
uint32_t gmmu_reuse_ref(gmmu_reuse *r, uint32_t asid, uint64_t ref);
// Counts a reuse: a page last used by REF was used again INTERVAL walks later, at least 1.
void gmmu_reuse_add(gmmu_reuse *r, uint32_t ref, uint64_t interval);
// Returns the walks for which a page must stay for a hit, 1 / LEU's priority. REF used the page
// last, AGE walks ago. A page that is certainly used again in n walks costs n.
uint64_t gmmu_reuse_cost(const gmmu_reuse *r, uint32_t ref, uint64_t age);

#ifdef __cplusplus
}
#endif
#endif
