// SPDX-License-Identifier: Apache-2.0
// segment.c: see segment.h and docs/reference/blocks/segment.md.
#include "blocks/segment.h"

// Shifts: T falls by 1/32 with a search at a count above the limit, else T rises by 1/128. T has 8
// bits behind the point.
enum { FALL = 5, RISE = 7, FRACTION = 8 };

void gmmu_segment_init(gmmu_segment *s, const gmmu_config *cfg) {
    *s = (gmmu_segment){.least = 16ull << FRACTION, .most = 1ull << (cfg->time_w - 2 + FRACTION)};
    s->t = s->least;
}

void gmmu_segment_allow(gmmu_segment *s, uint32_t limit) {
    s->filling = limit > s->limit && limit > s->count;
    if (s->limit == 0) {  // T begins at as many walks as frames
        const uint64_t t = (uint64_t)limit << FRACTION;
        s->t = t < s->least ? s->least : t > s->most ? s->most : t;
    }
    s->limit = limit;
}

void gmmu_segment_searched(gmmu_segment *s) {
    s->t = s->count > s->limit ? s->t - (s->t >> FALL) : s->t + (s->t >> RISE);
    if (s->t < s->least)
        s->t = s->least;
    if (s->t > s->most)
        s->t = s->most;
}
