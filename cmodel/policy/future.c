// SPDX-License-Identifier: Apache-2.0
// future.c: see future.h.
#include "policy/future.h"

#include <stdlib.h>

#include "trace/pages.h"

int gmmu_future_build(gmmu_future *future, uint32_t distinct) {
    uint64_t *coming = gmmu_grow(NULL, 0, (size_t)distinct + 1, sizeof *coming, 0xff);
    uint64_t *next = gmmu_grow(NULL, future->count + 1, future->count + 1, sizeof *next, 0);
    if (coming == NULL || next == NULL) {
        free(coming);
        free(next);
        return GMMU_BAD;
    }
    for (uint64_t i = future->count; i-- > 0;) {
        next[i] = coming[future->pages[i]];
        coming[future->pages[i]] = i;
    }
    free(coming);
    free(future->next);
    future->next = next;
    return GMMU_OK;
}

bool gmmu_future_differs(const char *policy, gmmu_error *err) {
    (void)snprintf(err->text, sizeof err->text,
                   "%s: found another walk than in the first pass, expected the same trace",
                   policy);
    return false;
}

void gmmu_future_free(gmmu_future *future) {
    free(future->pages);
    free(future->writes);
    free(future->next);
    free(future->launches);
    *future = (gmmu_future){0};
}
