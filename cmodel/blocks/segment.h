// SPDX-License-Identifier: Apache-2.0
// segment.h: twin of rtl/frames/gmmu_segment.v: the frames that a search leaves alone while the
// search finds others.
//
// A page whose reuse interval is below T becomes protected. A protected page that a search meets at
// an age of T or more loses its protection, while more frames are protected than the limit allows.
// LIRS's T is the age of the oldest protected page; here T is a register that follows the count
// (docs/reference/blocks/segment.md).
// Source: LIRS (Jiang and Zhang, SIGMETRICS 2002), by time stamps instead of stacks.
#ifndef GMMU_SEGMENT_H
#define GMMU_SEGMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "gmmu/config.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint32_t limit, count;  // number of frames that may be protected, and that are protected
    uint64_t t;             // T, in 1/256 walks
    uint64_t least, most;   // bounds of T, in 1/256 walks
    bool filling;           // the limit was raised, and the count has not reached the limit since
} gmmu_segment;

// Makes S as after reset: limit 0.
void gmmu_segment_init(gmmu_segment *s, const gmmu_config *cfg);
// ALLOW: LIMIT frames may be protected from now on.
void gmmu_segment_allow(gmmu_segment *s, uint32_t limit);

// True: a page that is used again after INTERVAL walks becomes protected.
static inline bool gmmu_segment_takes(const gmmu_segment *s, uint32_t interval) {
    return s->filling || (s->limit != 0 && interval < s->t >> 8);
}
// True: a page without an earlier access becomes protected.
static inline bool gmmu_segment_takes_new(const gmmu_segment *s) {
    return s->filling;
}
// True: a protected frame that a search meets at AGE, in walks, loses its protection.
static inline bool gmmu_segment_lets_go(const gmmu_segment *s, uint32_t age) {
    return s->count > s->limit && age >= s->t >> 8;
}
// One more frame is protected; MORE false: one frame less.
static inline void gmmu_segment_count(gmmu_segment *s, bool more) {
    s->count += more ? 1u : UINT32_MAX;
    if (s->count >= s->limit)
        s->filling = false;
}
// A decision was searched for: T makes a step.
void gmmu_segment_searched(gmmu_segment *s);

#ifdef __cplusplus
}
#endif
#endif
