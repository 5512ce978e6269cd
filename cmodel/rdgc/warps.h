// SPDX-License-Identifier: Apache-2.0
// warps.h: an SM's resident warps and their schedulers (schedule = lrr and gto). Part of rdgc.c.
// The semantics: docs/guide/rdgc.md, "Warp schedulers".
#ifndef GMMU_RDGC_WARPS_H
#define GMMU_RDGC_WARPS_H

#include "rdgc/config.h"
#include "rdgc/logical.h"

typedef struct gmmu_rdgc_warps gmmu_rdgc_warps;

// The warps of an SM under the configuration C. SEED is the seed of LOOSE. NULL: no memory.
gmmu_rdgc_warps *gmmu_rdgc_warps_create(const gmmu_rdgc_config *c, uint64_t seed);
void gmmu_rdgc_warps_destroy(gmmu_rdgc_warps *w);
// Blocks that wait for an SM.
typedef struct {
    const uint32_t *blocks;
    uint32_t next, count;
} gmmu_rdgc_queue;

// Begins a grid, of which the SM holds RESIDENT blocks at a time, and takes them from QUEUE, which
// other SMs may share. No block has begun yet. False: no memory.
bool gmmu_rdgc_warps_begin(gmmu_rdgc_warps *w, const gmmu_rdgc_grid *grid, gmmu_rdgc_queue *queue,
                           uint32_t resident);
// The queue's next block begins in SLOT, below RESIDENT, at step NOW.
void gmmu_rdgc_warps_start(gmmu_rdgc_warps *w, uint32_t slot, uint64_t now);
// Writes to picked[] the numbers in the grid of the records that the schedulers issue at step NOW,
// at most one a scheduler, in the order of the schedulers. Returns how many.
uint32_t gmmu_rdgc_warps_pick(gmmu_rdgc_warps *w, uint64_t now, uint32_t picked[]);
// Picked record number I was issued at step NOW; its data are there at step DUE.
void gmmu_rdgc_warps_issued(gmmu_rdgc_warps *w, uint32_t i, uint64_t now, uint64_t due);
// Returns the first step at which a warp can issue; UINT64_MAX: all blocks have ended.
uint64_t gmmu_rdgc_warps_wake(const gmmu_rdgc_warps *w);

#endif
