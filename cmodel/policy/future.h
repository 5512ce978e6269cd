// SPDX-License-Identifier: Apache-2.0
// future.h: the whole trace, known in advance, as Belady's MIN needs it.
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
    uint64_t count;      // number of walks
    uint32_t *pages;     // for each walk its page's index
    uint8_t *writes;     // for each walk 1 if it writes; NULL: not known
    uint64_t *next;      // for each walk: number (from 0) of the page's next walk, or GMMU_NEVER
    uint64_t *launches;  // the launched kernels, in order
    size_t launch_count;
} gmmu_future;

// Fills NEXT from PAGES and COUNT. DISTINCT is above every page index. GMMU_BAD: no memory.
int gmmu_future_build(gmmu_future *future, uint32_t distinct);
// Sets *err: POLICY saw another walk than FUTURE has. Returns false.
bool gmmu_future_differs(const char *policy, gmmu_error *err);
// True: walk NOW (from 0) of FUTURE is to PAGE. False: *err names the POLICY.
static inline bool gmmu_future_agrees(const gmmu_future *future, uint64_t now, uint32_t page,
                                      const char *policy, gmmu_error *err) {
    return (now < future->count && future->pages[now] == page) || gmmu_future_differs(policy, err);
}
void gmmu_future_free(gmmu_future *future);

#ifdef __cplusplus
}
#endif
#endif
