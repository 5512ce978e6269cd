// SPDX-License-Identifier: Apache-2.0
// eligible.h: which resident pages may leave near memory. A driver cannot evict each page: a page
// may be on its way, or fresh (arrived, and not used yet), or pinned.
#ifndef GMMU_POLICY_ELIGIBLE_H
#define GMMU_POLICY_ELIGIBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/pages.h"

#ifdef __cplusplus
extern "C" {
#endif

// A caller's rule. All zero: each page may leave.
typedef struct {
    // True: PAGE, which is resident, may leave now. NULL: each page may. The answers of one call of
    // the policy do not change; from call to call they may. The function calls no policy.
    bool (*may_leave)(const void *context, uint32_t page);
    const void *context;
} gmmu_eligible;

// Returns whether PAGE, which is resident, may leave.
static inline bool gmmu_may_leave(const gmmu_eligible *e, uint32_t page) {
    return e->may_leave == NULL || e->may_leave(e->context, page);
}

// PAGE_IN has a page for each of COUNT frames; GMMU_NO_PAGE: the frame is empty. Returns the first
// frame from FROM on, around the end, whose page may leave, or COUNT.
static inline uint32_t gmmu_eligible_frame(const gmmu_eligible *e, const uint32_t *page_in,
                                           uint32_t count, uint32_t from) {
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t f = i < count - from ? from + i : from + i - count;
        if (page_in[f] != GMMU_NO_PAGE && gmmu_may_leave(e, page_in[f])) {
            return f;
        }
    }
    return count;
}

#ifdef __cplusplus
}
#endif
#endif
