// SPDX-License-Identifier: Apache-2.0
// reuse.h: after how many walks each reference's pages are used again, in bins of a quarter of an
// octave, and what LEU (MEMSYS '19, Eq. 1 and 2) expects of a page from it, in integers.
#ifndef GMMU_POLICY_REUSE_H
#define GMMU_POLICY_REUSE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// More than any finite cost: beyond all that was seen.
#define GMMU_REUSE_BEYOND (UINT64_C(1) << 62)

typedef struct gmmu_reuse gmmu_reuse;

// NULL: no memory.
gmmu_reuse *gmmu_reuse_create(void);
void gmmu_reuse_destroy(gmmu_reuse *r);
// The number of a reference; UINT32_MAX: no memory.
uint32_t gmmu_reuse_ref(gmmu_reuse *r, uint32_t asid, uint64_t ref);
// A page that reference REF used was used again INTERVAL walks later, at least 1.
void gmmu_reuse_add(gmmu_reuse *r, uint32_t ref, uint64_t interval);
// The walks that a page must stay for a hit, 1 / LEU's priority: REF used it last, AGE walks ago.
// That of a page that is used again in n walks for certain is n.
uint64_t gmmu_reuse_cost(const gmmu_reuse *r, uint32_t ref, uint64_t age);

#ifdef __cplusplus
}
#endif
#endif
