// SPDX-License-Identifier: Apache-2.0
// rdgc.h: RDGC's physical model: the L1 caches of all SMs, and the L2 behind them, on the accesses
// of the logical model. Source: RDGC §4.2 to §4.4, Algorithms 1 to 3. The semantics to the last
// step: docs/guide/rdgc.md.
//
//   gmmu_rdgc_trace (logical.h) -> blocks on SMs -> lists of a step -> L1 of the SM -> L2 ->
//   counters
#ifndef GMMU_RDGC_RDGC_H
#define GMMU_RDGC_RDGC_H

#include "rdgc/cache.h"
#include "rdgc/config.h"
#include "rdgc/logical.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gmmu_rdgc gmmu_rdgc;

// The counts of the model, over the grids that ran.
typedef struct {
    gmmu_rdgc_counts l1;        // sums over the SMs: C1R, C1W
    gmmu_rdgc_counts l2;        // C2R, C2W
    uint64_t l1_steps_longest;  // steps of the SM that took most, summed over the grids
    uint64_t instructions;      // accesses of warps
    uint64_t coalesced;         // blocks of these accesses: the input of the L1 caches
    uint64_t grids;
    uint64_t atomics;      // under PAST_L1: accesses of atomics, in L1 blocks
    uint64_t quad_reads;   // under quads: distinct L1 blocks of each four lanes of a read
    uint64_t quad_writes;  // under quads: L1 blocks of the writes
} gmmu_rdgc_result;

// Returns NULL and *err: bad parameters, or no memory.
gmmu_rdgc *gmmu_rdgc_create(const gmmu_rdgc_config *c, gmmu_error *err);
void gmmu_rdgc_destroy(gmmu_rdgc *m);
// Analyses one grid. GMMU_OK, or GMMU_BAD and *err (no memory).
int gmmu_rdgc_run(gmmu_rdgc *m, const gmmu_rdgc_grid *grid, gmmu_error *err);
// The same without counting: the next gmmu_rdgc_run finds L2 as a first run of GRID leaves it.
int gmmu_rdgc_warm(gmmu_rdgc *m, const gmmu_rdgc_grid *grid, gmmu_error *err);
// Returns the counts, valid until the next call with this model.
const gmmu_rdgc_result *gmmu_rdgc_get_result(gmmu_rdgc *m);
// Return the caches, so that they can be watched and their counters read.
gmmu_rdgc_cache *gmmu_rdgc_l1(gmmu_rdgc *m, unsigned sm);
gmmu_rdgc_cache *gmmu_rdgc_l2(gmmu_rdgc *m);
// A watcher of L2's input: the function gets each list before its analysis; access->warp is the SM.
typedef void (*gmmu_rdgc_l2_list)(void *ctx, const gmmu_rdgc_access *list, size_t n);
void gmmu_rdgc_watch_l2(gmmu_rdgc *m, gmmu_rdgc_l2_list list, void *ctx);

// Algorithm 3; BLOCKS_SM is BSM. Both results are 0 if BSM is 0.
void gmmu_rdgc_concurrent_blocks(const gmmu_rdgc_config *c, uint32_t warps_per_block,
                                 uint32_t blocks_sm, uint32_t *cb, uint32_t *nitr);
// Writes the SM of each of the BLOCKS blocks of grid number NUMBER to sm[blocks] (line 1 of
// Algorithm 2).
void gmmu_rdgc_map_blocks(const gmmu_rdgc_config *c, uint64_t number, uint32_t blocks,
                          uint32_t *sm);
// Writes to `block` the distinct blocks of 2^SHIFT bytes that the active lanes touch, in order of
// the first lane of each. `sectors` gets, for each block, a bit for each touched sector of
// 2^SECTOR_SHIFT bytes. Returns the number of blocks.
unsigned gmmu_rdgc_coalesce(const uint64_t addr[GMMU_WARP], uint32_t mask, unsigned shift,
                            unsigned sector_shift, uint64_t block[GMMU_WARP],
                            uint32_t sectors[GMMU_WARP]);

typedef struct {
    uint64_t hits, accesses;
} gmmu_rdgc_share;

// The paper's output metrics (§5). The transactions are the `accesses` of the shares.
typedef struct {
    gmmu_rdgc_share l1_r;    // L1_R_Hit, L1_R_Trans: reads of L1
    gmmu_rdgc_share l2;      // L2_Hit, L2_Trans: reads and writes of L2
    gmmu_rdgc_share l2_l1b;  // L2_Hit_L1B, L2_Trans_L1B: the same with L1 bypassed (RWON)
} gmmu_rdgc_metrics;

gmmu_rdgc_share gmmu_rdgc_l1_reads(const gmmu_rdgc_result *r);
gmmu_rdgc_share gmmu_rdgc_l2_all(const gmmu_rdgc_result *r);
// L2_R_Hit: reads of L2.
gmmu_rdgc_share gmmu_rdgc_l2_reads(const gmmu_rdgc_result *r);
// L1_Quad_Hit, what the counter of a texture path shows (R24): requests are each quad's L1 blocks
// of a read, and the blocks of a write, which never hit; a request beyond L1's misses is a hit.
gmmu_rdgc_share gmmu_rdgc_l1_quads(const gmmu_rdgc_result *r);
// The hits of reads, or of all accesses, with WAYS ways in place of the cache's and the same sets,
// by prefix sums. Of LRU only.
gmmu_rdgc_share gmmu_rdgc_with_ways(const gmmu_rdgc_counts *k, bool writes, uint32_t ways);
// Computes all metrics of the COUNT grids from number FIRST on by two runs: with L1 as configured
// (RWON: a share without accesses), and with L1 bypassed. GMMU_OK, or GMMU_BAD and *err.
int gmmu_rdgc_measure(const gmmu_rdgc_config *c, const gmmu_rdgc_trace *t, size_t first,
                      size_t count, gmmu_rdgc_metrics *metrics, gmmu_error *err);

#ifdef __cplusplus
}
#endif
#endif
