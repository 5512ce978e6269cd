// SPDX-License-Identifier: Apache-2.0
// future.h: the whole trace, known in advance: what Belady's MIN reads.
#ifndef GMMU_POLICY_FUTURE_H
#define GMMU_POLICY_FUTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "gmmu/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

// No further access to the page.
#define GMMU_NEVER UINT64_MAX

typedef struct {
    uint64_t count;      // walks
    uint32_t *pages;     // page index of each walk
    uint8_t *writes;     // 1 where a walk is a write; NULL: not known
    uint64_t *next;      // of each walk: number (from 0) of the next one to its page, or GMMU_NEVER
    uint64_t *launches;  // the kernels launched, in their order
    size_t launch_count;
} gmmu_future;

// Fills NEXT from PAGES and COUNT. DISTINCT is above every page index. GMMU_BAD: no memory.
int gmmu_future_build(gmmu_future *future, uint32_t distinct);
// True when walk NOW (from 0) is to PAGE in FUTURE too; else *err names the POLICY.
bool gmmu_future_agrees(const gmmu_future *future, uint64_t now, uint32_t page, const char *policy,
                        gmmu_error *err);
void gmmu_future_free(gmmu_future *future);

#ifdef __cplusplus
}
#endif
#endif
