// SPDX-License-Identifier: Apache-2.0
// segment.h: the protected segment: which frames a search leaves alone while it finds others.
//
// Source: LIRS (Jiang and Zhang, SIGMETRICS 2002), by time stamps instead of stacks: a page whose
// reuse interval is below T becomes protected; one that a search meets at an age of T or more is so
// no longer, while there are too many. LIRS's T is the age of the oldest protected page; here T is
// a register that follows the count (docs/reference/blocks/segment.md).
#ifndef GMMU_SEGMENT_H
#define GMMU_SEGMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "gmmu/config.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint32_t limit, count;  // frames that may be protected, and that are
    uint64_t t;             // T, in 1/256 walks
    uint64_t least, most;   // that it may be
    bool filling;           // the limit was raised and not reached since
} gmmu_segment;

void gmmu_segment_init(gmmu_segment *s, const gmmu_config *cfg);
// LIMIT frames may be protected from now on.
void gmmu_segment_allow(gmmu_segment *s, uint32_t limit);

// Shall a page be protected that is used again after INTERVAL walks? And a new one?
static inline bool gmmu_segment_takes(const gmmu_segment *s, uint32_t interval) {
    return s->filling || (s->limit != 0 && interval < s->t >> 8);
}
static inline bool gmmu_segment_takes_new(const gmmu_segment *s) {
    return s->filling;
}
// Shall a protected frame be so no longer that a search meets at AGE?
static inline bool gmmu_segment_lets_go(const gmmu_segment *s, uint32_t age) {
    return s->count > s->limit && age >= s->t >> 8;
}
// A frame more or, MORE false, less.
static inline void gmmu_segment_count(gmmu_segment *s, bool more) {
    s->count += more ? 1u : UINT32_MAX;
    if (s->count >= s->limit)
        s->filling = false;
}
// A search was done.
void gmmu_segment_searched(gmmu_segment *s);

#ifdef __cplusplus
}
#endif
#endif
