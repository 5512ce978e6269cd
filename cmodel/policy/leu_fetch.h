// SPDX-License-Identifier: Apache-2.0
// leu_fetch.h: fetches into the cache the data that `leu` and `leu2` will read soon.
//
// The functions are inlined: the compiler drops a call of a function that only fetches.
#ifndef GMMU_POLICY_LEU_FETCH_H
#define GMMU_POLICY_LEU_FETCH_H

#include "blocks/gmmu_tier.h"

#define GMMU_FETCHER static inline __attribute__((always_inline))

// Pages whose walks come soon. Once the data of a page is in the cache, the data named there can be
// fetched.
enum { GMMU_SOON = 8 };
typedef struct {
    uint32_t page[GMMU_SOON];
    unsigned at;
} gmmu_lookahead;

// Notes that PAGE comes soon. Returns the page of GMMU_SOON calls ago.
static inline uint32_t gmmu_lookahead_next(gmmu_lookahead *l, uint32_t page) {
    const uint32_t before = l->page[l->at];
    l->page[l->at] = page;
    l->at = (l->at + 1) % GMMU_SOON;
    return before;
}

// A walk on the page in FRAME comes soon.
GMMU_FETCHER void gmmu_fetch_frame(const gmmu_tier *u, uint32_t frame) {
    __builtin_prefetch(&u->frames.table.seen[frame], 1);
    __builtin_prefetch(&u->frames.table.page[frame]);
}

// The next victim is likely a kept frame or a frame at the hand. OF is the policy's array by frame.
GMMU_FETCHER void gmmu_fetch_next_victim(const gmmu_tier *u, const uint32_t *of) {
    enum { STEP = 64 / sizeof *of, AHEAD = 64 };
    const gmmu_victim_select *v = &u->select;
    __builtin_prefetch(&u->frames.table.page[v->likely], 1);
    __builtin_prefetch(&of[v->likely], 1);
    for (uint32_t i = v->hand; i < v->hand + AHEAD && i < u->regs.frames; i += STEP)
        __builtin_prefetch(&of[i], 1);
}

#endif
