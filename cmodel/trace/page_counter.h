// SPDX-License-Identifier: Apache-2.0
// page_counter.h: counts the distinct pages of the walks that are written, up to a bound.
#ifndef GMMU_TRACE_PAGE_COUNTER_H
#define GMMU_TRACE_PAGE_COUNTER_H

#include "gmmu/trace.h"

typedef struct {
    uint64_t vpn;
    uint32_t asid;
    uint32_t used;
} gmmu_page_slot;

typedef struct {
    gmmu_page_slot *slots;  // hash set, at most half full; NULL: pages are not counted any more
    uint64_t room;
    uint64_t count;       // GMMU_UNKNOWN when slots is NULL
    gmmu_page_slot last;  // page of the last walk
} gmmu_page_counter;

// Makes an empty counter. COUNTED false: the count is unknown from the start. False: no memory.
bool gmmu_page_counter_start(gmmu_page_counter *c, bool counted);
// Counts the page of WALK, unless it was counted before. At 2^22 pages, or without memory, the
// count becomes unknown.
void gmmu_page_counter_add(gmmu_page_counter *c, const gmmu_walk *walk);
// Frees the set; C counts no more.
void gmmu_page_counter_free(gmmu_page_counter *c);

#endif
