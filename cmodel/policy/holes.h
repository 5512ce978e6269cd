// SPDX-License-Identifier: Apache-2.0
// holes.h: frames of a memory that fills its frames in order: frames whose page left ahead of need
// are empty, and fill first, the last emptied frame before all others.
#ifndef GMMU_POLICY_HOLES_H
#define GMMU_POLICY_HOLES_H

#include <stdlib.h>

#include "policy/policy.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint32_t *frame;
    uint32_t cap, count;
} gmmu_holes;

// FRAME is empty from now on. False: no memory.
static inline bool gmmu_holes_put(gmmu_holes *h, uint32_t frame) {
    if (!GMMU_ROOM(h->frame, h->cap, h->count, 0)) {
        return false;
    }
    h->frame[h->count++] = frame;
    return true;
}

static inline void gmmu_holes_free(gmmu_holes *h) {
    free(h->frame);
}

// Returns whether a memory of FRAMES frames, the first *USED of which were filled, has an empty
// frame: *FRAME, which is then in use.
static inline bool gmmu_holes_take(gmmu_holes *h, uint32_t *used, uint32_t frames,
                                   uint32_t *frame) {
    if (h->count != 0) {
        *frame = h->frame[--h->count];
        return true;
    }
    *frame = *used;
    if (*used == frames) {
        return false;
    }
    ++*used;
    return true;
}

#ifdef __cplusplus
}
#endif
#endif
