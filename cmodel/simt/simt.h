// SPDX-License-Identifier: Apache-2.0
// simt.h: SIMT front end: a kernel's blocks and warps on SMs, its accesses through two TLB levels.
//
// A kernel is a state machine per warp, written in the notation of warp.h. step() runs one warp up
// to its next memory instruction and does that instruction's work on the kernel's real data, so
// that execution order is issue order:
//
//   launch() -> blocks -> SM slots -> warps, loose round robin -> step() -> 32 addresses
//            -> distinct pages -> L1 TLB of the SM -> shared L2 TLB -> walk()
//
// docs/guide/record.md says what is modelled and what is not.
#ifndef GMMU_SIMT_H
#define GMMU_SIMT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gmmu/trace.h"
#include "rdgc/config.h"
#include "simt/front.h"
#include "simt/space.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GMMU_SIMT_NO_MEMORY = 3 };  // beside GMMU_OK and GMMU_BAD: the result could not be checked

// Of the recorded streams: counted up whenever the same parameters give another trace.
#define GMMU_SIMT_VERSION 1

typedef struct {
    uint64_t size;  // of the problem; each kernel says what it counts
    uint64_t seed;  // of the input data, where they are random
    unsigned sms;
    unsigned blocks_per_sm;
    unsigned block;       // threads of a block
    unsigned page_shift;  // log2 of the page size in bytes
    unsigned l1_entries;  // per SM, fully associative; 0: no L1 TLB
    unsigned l2_entries;  // shared; 0: no L2 TLB
    unsigned l2_ways;
    gmmu_front_level caches;  // GMMU_FRONT_OFF: none
    gmmu_rdgc_config cache;   // what they are
} gmmu_simt_params;

// A warp as its kernel sees it.
typedef struct {
    uint64_t block;   // in the grid
    unsigned index;   // in the block
    uint64_t thread;  // of lane 0, in the grid
    uint32_t lanes;   // those that exist: the last warp of a block may be partial
    void *shared;     // the block's shared memory, zeroed when it starts; NULL without
} gmmu_simt_warp;

// One warp-wide memory instruction.
typedef struct {
    const gmmu_array *array;
    uint64_t index[GMMU_WARP];  // element that each lane touches
    uint32_t mask;              // active lanes, at least one
    uint64_t ref;               // the static instruction
    bool write;
} gmmu_simt_op;

typedef enum {
    GMMU_SIMT_MEM,      // *op is the next memory instruction; its work is done
    GMMU_SIMT_BARRIER,  // waits until every live warp of the block waits too
    GMMU_SIMT_EXIT      // the warp has ended
} gmmu_simt_event;

typedef struct {
    uint64_t blocks;
    unsigned threads;  // of a block
    size_t shared;     // bytes of a block's shared memory
} gmmu_simt_grid;

// A kernel: one file in cmodel/simt/kernels/.
typedef struct {
    const char *name;
    const char *size_text;  // what `size` counts
    uint64_t default_size, max_size;
    size_t regs;  // bytes of a warp's registers, zeroed when it starts
    // Allocates and fills the arrays. NULL on failure, *err filled.
    void *(*create)(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err);
    void (*destroy)(void *self);
    // The host's part between two grids. False: there is no further grid.
    bool (*launch)(void *self, gmmu_simt_grid *grid);
    gmmu_simt_event (*step)(void *self, const gmmu_simt_warp *w, void *regs, gmmu_simt_op *op);
    // Work done so far, 0 to 1.
    double (*progress)(const void *self);
    // Compares the result with a plain CPU implementation: GMMU_OK, GMMU_BAD or
    // GMMU_SIMT_NO_MEMORY, *err filled.
    int (*check)(const void *self, gmmu_error *err);
    // The array that holds the result.
    const gmmu_array *(*result)(const void *self);
} gmmu_simt_kernel;

typedef struct {
    uint64_t instructions;       // warp-wide memory instructions
    uint64_t accesses;           // their distinct pages, with caches those that need a translation
    uint64_t cache_accesses;     // distinct L1 blocks of instructions, with caches
    uint64_t cache_l1_hits;      // of them
    uint64_t cache_l2_accesses;  // what went on, in L2 blocks
    uint64_t cache_l2_hits;      // of them
    uint64_t l1_hits, l2_hits;   // of page accesses in the TLBs
    uint64_t evictions;          // pages that gmmu_simt_shootdown was called for
    uint64_t shootdowns;         // TLB entries that it removed
    uint64_t walks;
    uint64_t distinct;  // pages
    uint64_t grids;
} gmmu_simt_stats;

// What the front end calls; each may be NULL. A result other than GMMU_OK stops the run.
typedef struct {
    void *ctx;
    int (*access)(void *ctx, const gmmu_walk *access, gmmu_error *err);   // before the TLBs
    int (*walk)(void *ctx, const gmmu_walk *walk, gmmu_error *err);       // missed both
    void (*progress)(void *ctx, double done);                             // 0 to 1, now and then
    int (*grid)(void *ctx, const gmmu_simt_grid *grid, gmmu_error *err);  // before each grid starts
    // each memory instruction, before it is coalesced; w->index numbers the block's warps
    int (*op)(void *ctx, const gmmu_simt_warp *w, unsigned sm, const gmmu_simt_op *op,
              gmmu_error *err);
} gmmu_simt_hooks;

typedef struct gmmu_simt gmmu_simt;

gmmu_simt_params gmmu_simt_defaults(const gmmu_simt_kernel *k);
// A machine with kernel K's data in its memory. NULL on failure (a parameter out of range, no
// memory), *err filled.
gmmu_simt *gmmu_simt_create(const gmmu_simt_kernel *k, const gmmu_simt_params *p, gmmu_error *err);
void gmmu_simt_destroy(gmmu_simt *m);
// Runs all grids; once only. GMMU_OK, or what a hook returned, or GMMU_BAD with *err filled. A
// walk's time is the number of the warp instruction that made it, from 1.
int gmmu_simt_run(gmmu_simt *m, const gmmu_simt_hooks *hooks, gmmu_error *err);
// Page VPN leaves memory: all TLBs forget it. To be called from the hook `walk`; the page that
// walks is in the TLBs already.
void gmmu_simt_shootdown(gmmu_simt *m, uint64_t vpn);
// After the run, compares the kernel's result with the CPU's: GMMU_OK, GMMU_BAD or
// GMMU_SIMT_NO_MEMORY, *err filled.
int gmmu_simt_check(const gmmu_simt *m, gmmu_error *err);
// The result in the machine's memory.
const gmmu_array *gmmu_simt_result(const gmmu_simt *m);
const gmmu_space *gmmu_simt_space(const gmmu_simt *m);
gmmu_simt_stats gmmu_simt_get_stats(const gmmu_simt *m);

// Coalescing: the distinct pages of the active lanes' addresses, in order of the first lane that
// touches each. Returns their number.
unsigned gmmu_simt_coalesce(const uint64_t addr[GMMU_WARP], uint32_t mask, unsigned page_shift,
                            uint64_t vpn[GMMU_WARP]);

// Address of the kernel's K-th static memory instruction: 16 bytes each, as on a GPU, from 0x10 on.
static inline uint64_t gmmu_simt_ref(unsigned k) {
    return UINT64_C(16) * (k + 1);
}

// splitmix64, the random source of all kernels' data.
uint64_t gmmu_simt_random(uint64_t *state);

#ifdef __cplusplus
}
#endif
#endif
