// SPDX-License-Identifier: Apache-2.0
// logical.h: RDGC's logical model: accesses of threads {AN, BID, TID, S, ADD} become accesses of
// warps {AN, BID, WID, S, NT, {ADD}}, in order of AN. The model depends on no GPU. Source: RDGC
// §4.1.
#ifndef GMMU_RDGC_LOGICAL_H
#define GMMU_RDGC_LOGICAL_H

#include "gmmu/trace.h"
#include "rdgc/config.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GMMU_RDGC_MAX_THREADS 1024                   // of a block
#define GMMU_RDGC_MAX_NUMBER (UINT32_MAX - 1)        // AN
#define GMMU_RDGC_MAX_BLOCKS UINT32_C(0x7fffffff)    // of a grid (CUDA's limit)
#define GMMU_RDGC_MAX_ACCESSES UINT32_C(0xfffffff0)  // of warps, in a grid

// An access of a warp.
typedef struct {
    // Affine: the address of lane 0, as if lane 0 were active; else the index of the first address
    // in `pool`.
    uint64_t address;
    int32_t stride;   // affine: bytes from one lane to the next
    uint32_t mask;    // active lanes: NT is their number
    uint32_t block;   // BID
    uint32_t number;  // AN
    uint16_t warp;    // WID
    bool write;       // S: a write or an atomic
    bool atomic;      // S
    bool scattered;   // not affine: `pool` has an address for each active lane, in order of lanes
} gmmu_rdgc_record;

// A grid. The records are ordered by block, then AN, then warp; a warp's read precedes its write,
// which precedes its atomic.
typedef struct {
    const gmmu_rdgc_record *records;
    uint32_t count;
    const uint64_t *pool;
    const uint32_t *first;   // [blocks + 1] first record of each block
    uint32_t blocks;         // NB
    uint32_t threads;        // of a block, Bdim
    uint32_t warps;          // of a block, WpB
    uint32_t numbers;        // largest AN + 1: the bound of loops over AN
    uint32_t longest;        // L: the largest number of accesses of one thread
    uint64_t reads, writes;  // accesses of threads
} gmmu_rdgc_grid;

typedef struct gmmu_rdgc_trace gmmu_rdgc_trace;

gmmu_rdgc_trace *gmmu_rdgc_trace_create(gmmu_error *err);
void gmmu_rdgc_trace_destroy(gmmu_rdgc_trace *t);
// Begins a new grid; later additions belong to this grid. This function and the functions below
// return GMMU_OK, or GMMU_BAD and *err.
int gmmu_rdgc_trace_begin(gmmu_rdgc_trace *t, uint64_t blocks, uint64_t threads, gmmu_error *err);
// S of an access.
enum { GMMU_RDGC_READ, GMMU_RDGC_WRITE, GMMU_RDGC_ATOMIC };
// Adds an access of the active lanes MASK of a warp to addr[lane]. Additions may come in any order.
int gmmu_rdgc_trace_add(gmmu_rdgc_trace *t, uint64_t block, uint64_t warp, uint64_t number,
                        unsigned kind, uint32_t mask, const uint64_t addr[GMMU_WARP],
                        gmmu_error *err);
// The same for accesses that come in each warp's order of issue. AN is counted for each warp:
// threads that are masked off skip the number.
int gmmu_rdgc_trace_begin_issue(gmmu_rdgc_trace *t, uint64_t blocks, uint64_t threads,
                                gmmu_error *err);
int gmmu_rdgc_trace_issue(gmmu_rdgc_trace *t, uint64_t block, uint64_t warp, unsigned kind,
                          uint32_t mask, const uint64_t addr[GMMU_WARP], gmmu_error *err);
// Orders all additions. GMMU_BAD, too: a thread has two accesses of one AN and S.
int gmmu_rdgc_trace_order(gmmu_rdgc_trace *t, gmmu_error *err);
// Return the number of grids, and a grid, after gmmu_rdgc_trace_order. The grids are valid until
// the next addition.
size_t gmmu_rdgc_trace_grids(const gmmu_rdgc_trace *t);
const gmmu_rdgc_grid *gmmu_rdgc_trace_grid(const gmmu_rdgc_trace *t, size_t i);
// Writes the addresses of the active lanes to `addr`; other elements do not change. Returns NT.
unsigned gmmu_rdgc_record_addresses(const gmmu_rdgc_grid *g, const gmmu_rdgc_record *r,
                                    uint64_t addr[GMMU_WARP]);

// The text form has a line for each access of a thread (docs/guide/rdgc.md, "Per-thread trace").
// The read function adds all grids and orders them; messages call the file NAME. The write function
// returns 0, or -1 and errno: a write failed.
int gmmu_rdgc_trace_read(gmmu_rdgc_trace *t, FILE *in, const char *name, gmmu_error *err);
int gmmu_rdgc_trace_write(const gmmu_rdgc_trace *t, FILE *out);

#ifdef __cplusplus
}
#endif
#endif
