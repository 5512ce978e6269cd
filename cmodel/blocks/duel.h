// SPDX-License-Identifier: Apache-2.0
// duel.h: which share of memory shall be protected: small shadow memories, one for each share,
// replay a sample of the pages, and the share that misses least is taken (docs/blocks/duel.md).
//
// Source: set dueling (Qureshi et al., ISCA 2007) and hash-selected pages (Waldspurger et al.,
// FAST '15). The shadows use one table of pages; its searches look at every entry. Sizes and
// arithmetic are those that hardware can have; there is no RTL of it.
#ifndef GMMU_DUEL_H
#define GMMU_DUEL_H

#include "blocks/frame_table.h"
#include "blocks/ppuc.h"
#include "blocks/segment.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GMMU_DUEL_SHADOWS = 3, GMMU_DUEL_WAYS = 8 };

// A sampled page, as it was last accessed; bit I of RESIDENT, GUARDED: in shadow I.
typedef struct {
    uint64_t vpn;
    uint32_t asid, last;
    gmmu_class cls;
    uint8_t resident, guarded;
    bool valid;
} gmmu_duel_page;

typedef struct {
    gmmu_segment segment;
    uint32_t resident;  // pages
    uint64_t misses;    // in 1/256, decayed
} gmmu_duel_shadow;

typedef struct {
    gmmu_duel_page *page;  // way w of set s is entry s * WAYS + w
    gmmu_duel_shadow shadow[GMMU_DUEL_SHADOWS];
    uint32_t sets, frames, threshold;  // frames of a shadow; of the pages' hash
    uint32_t every, walks;             // walks between two decays, and since the last
    unsigned decay;                    // log2 of the decays of a time constant
    unsigned chosen;
    unsigned asid_w, vpn_w;
    uint32_t time_mask, age_limit;
    uint32_t scrub_next;
    uint32_t changes;
} gmmu_duel;

// The share that shadow I tries, in 1/256 of the frames; shadow 0 protects nothing.
unsigned gmmu_duel_share(unsigned i);

// FRAMES are enabled.
int gmmu_duel_init(gmmu_duel *d, const gmmu_config *cfg, uint32_t frames, gmmu_arena *arena);
// A walk of class CLS at TIME; PPUC scores the pages. True: the choice changed.
bool gmmu_duel_walk(gmmu_duel *d, const gmmu_ppuc *ppuc, uint32_t asid, uint64_t vpn,
                    gmmu_class cls, uint32_t time);

#ifdef __cplusplus
}
#endif
#endif
