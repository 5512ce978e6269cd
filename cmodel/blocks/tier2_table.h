// SPDX-License-Identifier: Apache-2.0
// tier2_table.h: the pages in Tier 2, slot by slot, and the search for the one that is worth least
// there.
//
// What the unit knows of a page goes with it: the reference and the time of its last access. So the
// priorities of both tiers are made alike, and the search is the one of the frames.
#ifndef GMMU_TIER2_TABLE_H
#define GMMU_TIER2_TABLE_H

#include "blocks/search_round.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    gmmu_frame_store slots;  // slot by slot what the frame table has of a frame
    gmmu_victim_select select;
    uint32_t n, held;  // slots, those that hold a page
    uint32_t age_at;   // the slot whose time stamp is looked at next
    bool young;        // of equal priorities the younger leaves
} gmmu_tier2_table;

// N slots, searched as SEARCH says; other sizes as CFG. Not 0: ARENA is too small.
int gmmu_tier2_table_init(gmmu_tier2_table *t, const gmmu_config *cfg, uint32_t n, unsigned search,
                          bool young, gmmu_arena *arena);
// A page comes into SLOT, which is empty; SLOT becomes empty.
void gmmu_tier2_table_put(gmmu_tier2_table *t, uint32_t slot, gmmu_frame page);
void gmmu_tier2_table_free(gmmu_tier2_table *t, uint32_t slot);
// The slot whose page shall leave for one of PRIORITY, last accessed at LAST, to come: the one
// found, if it is worth less. UINT32_MAX: none is.
uint32_t gmmu_tier2_table_yields(gmmu_tier2_table *t, const gmmu_rank_at *now, uint16_t priority,
                                 uint32_t last);
// AGE of one slot: a time stamp that is too old is set younger.
void gmmu_tier2_table_age(gmmu_tier2_table *t, uint32_t time);

#ifdef __cplusplus
}
#endif
#endif
