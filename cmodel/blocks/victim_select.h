// SPDX-License-Identifier: Apache-2.0
// victim_select.h: twin of rtl/victim_select.v: the search for the page that leaves.
//
// Source: LEU §3.1 (the lowest priority leaves). Search `scan`: every enabled frame is a candidate
// once; the POOL best are kept, so that one that is used or pinned before the decision does not
// cost a second scan. Order: lower priority, then older last access, then lower frame.
#ifndef GMMU_VICTIM_SELECT_H
#define GMMU_VICTIM_SELECT_H

#include "gmmu/arena.h"
#include "gmmu/config.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { GMMU_SEARCH_ROUNDS = 2 };

typedef struct {
    uint32_t frame;
    uint32_t last; // time of its last access when it was a candidate
    uint16_t priority;
} gmmu_victim_cand;

typedef struct {
    gmmu_victim_cand *list; // best first
    unsigned n, pool;
    uint32_t next;   // the frame whose turn it is; 0: a scan begins
    unsigned rounds; // scans completed in this search
    uint32_t time_mask;
} gmmu_victim_select;

int gmmu_victim_select_init(gmmu_victim_select *v, const gmmu_config *cfg, gmmu_arena *arena);
// A candidate's turn, ELIGIBLE or not; FRAMES are scanned in all.
void gmmu_victim_select_offer(gmmu_victim_select *v, gmmu_victim_cand c, bool eligible, uint32_t frames);
// A scan is complete and none is under way.
bool gmmu_victim_select_scanned(const gmmu_victim_select *v);
// The best candidate; NULL when the list is empty.
const gmmu_victim_cand *gmmu_victim_select_best(const gmmu_victim_select *v);
// The best one was no longer good: it leaves the list.
void gmmu_victim_select_drop_best(gmmu_victim_select *v);
// The decision is made.
void gmmu_victim_select_end(gmmu_victim_select *v);

#ifdef __cplusplus
}
#endif
#endif
