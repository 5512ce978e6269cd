// SPDX-License-Identifier: Apache-2.0
// frame_mem.h: twin of rtl/frame_mem/gmmu_frame_mem.v: the frame table behind a memory port.
//
// The frames themselves are a gmmu_frame_table: no result depends on the place of a word, or on the
// time at which the word comes. A walk hit takes effect later, as an action TOUCH of its own; until
// then the hit waits here. Source: as frame_table.h.
#ifndef GMMU_FRAME_MEM_H
#define GMMU_FRAME_MEM_H

#include "blocks/frame_table.h"

#ifdef __cplusplus
extern "C" {
#endif

// A walk hit or a replay that waits. A replay has no time and no class.
typedef struct {
    uint64_t vpn;
    uint32_t frame, asid, time;
    gmmu_class cls;
    bool write, replay;
} gmmu_mem_touch;

typedef struct {
    gmmu_mem_touch *slot;  // TOUCHQ waiting hits
    unsigned size, head, n;
    bool lost;  // a hit or a replay that writes was dropped: from then on every page may be dirty
} gmmu_frame_mem;

// Makes FM for the sizes CFG, with room for TOUCHQ hits. Not 0: ARENA is too small.
int gmmu_frame_mem_init(gmmu_frame_mem *fm, const gmmu_config *cfg, gmmu_arena *arena);
// A walk hit or a replay. False: there was no room (for one that writes no entry at all, else less
// than a quarter of the entries).
bool gmmu_frame_mem_note(gmmu_frame_mem *fm, gmmu_mem_touch t);
// The oldest, which must exist, takes effect. False: its frame does not hold the page; or a hit's
// frame was accessed later. *WAS is the access before a hit.
bool gmmu_frame_mem_touch(gmmu_frame_mem *fm, gmmu_frame_table *ft, gmmu_reuse *was);

#ifdef __cplusplus
}
#endif
#endif
