// SPDX-License-Identifier: Apache-2.0
// simt.h: the SIMT front end: blocks and warps of a kernel on SMs, and the kernel's accesses
// through two levels of TLB.
//
// A kernel is a state machine for each warp, written in the notation of warp.h. step() runs one
// warp up to its next memory instruction, and does the work of that instruction on the kernel's
// real data. So the order of execution is the order of issue:
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

// A third result, beside GMMU_OK and GMMU_BAD: the result could not be checked.
enum { GMMU_SIMT_NO_MEMORY = 3 };

// Version of the recorded streams. The version increases whenever the same parameters give another
// trace.
#define GMMU_SIMT_VERSION 1

typedef struct {
    uint64_t size;  // size of the problem, in units that each kernel states
    uint64_t seed;  // seed of the input data, where these are random
    unsigned sms;
    unsigned blocks_per_sm;
    unsigned block;       // threads of a block
    unsigned page_shift;  // log2 of the page size in bytes
    unsigned l1_entries;  // per SM, fully associative; 0: no L1 TLB
    unsigned l2_entries;  // shared; 0: no L2 TLB
    unsigned l2_ways;
    bool fold;                // arrays without memory of their own (space.h); no result to check
    gmmu_front_level caches;  // GMMU_FRONT_OFF: none
    gmmu_rdgc_config cache;   // description of the caches
    unsigned threads_per_sm;  // most threads of an SM's resident blocks; 0: no limit
    uint64_t stall;           // turns that the fault of an absent page takes; 0: none
    const char *arrays;       // names, by commas, of the arrays that are paged; NULL: all
    // Choices of the kernel (gmmu_simt_kernel); 0: the kernel's own.
    unsigned launches, features, depth, element;
} gmmu_simt_params;

// A warp, as the kernel sees the warp.
typedef struct {
    uint64_t block;   // number in the grid
    unsigned index;   // number in the block
    uint64_t thread;  // number of lane 0's thread in the grid
    uint32_t lanes;   // lanes that exist: the last warp of a block may be partial
    void *shared;     // the block's shared memory, zeroed at the block's start; NULL: none
} gmmu_simt_warp;

// A memory instruction of a whole warp.
typedef struct {
    const gmmu_array *array;
    uint64_t index[GMMU_WARP];  // element of the array that each lane touches
    uint32_t mask;              // active lanes, at least one
    uint64_t ref;               // address of the static instruction (gmmu_simt_ref)
    bool write;
    bool atomic;  // reads, too, and is done in L2; `write` is set
} gmmu_simt_op;

typedef enum {
    GMMU_SIMT_MEM,      // *op is the next memory instruction, whose work is done
    GMMU_SIMT_BARRIER,  // the warp waits until every live warp of the block waits, too
    GMMU_SIMT_EXIT      // the warp has ended
} gmmu_simt_event;

typedef struct {
    uint64_t blocks;
    unsigned threads;  // of a block
    size_t shared;     // bytes of a block's shared memory
    uint64_t code;     // reference by which the kernel is known; 0: that of the first instruction
} gmmu_simt_grid;

// A number that some kernels let their user choose.
typedef struct {
    unsigned own;   // the kernel's own
    unsigned most;  // the largest; 0: the kernel has no such choice
} gmmu_simt_choice;

// A kernel: one file in cmodel/simt/kernels/.
typedef struct {
    const char *name;
    const char *size_text;  // the unit of `size`, for users
    uint64_t default_size, max_size;
    size_t regs;  // bytes of a warp's registers, zeroed at the warp's start
    // Allocates and fills the arrays. NULL and *err: failure.
    void *(*create)(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err);
    void (*destroy)(void *self);
    // Does the host's part between two grids. False: there is no further grid.
    bool (*launch)(void *self, gmmu_simt_grid *grid);
    gmmu_simt_event (*step)(void *self, const gmmu_simt_warp *w, void *regs, gmmu_simt_op *op);
    // Returns the part of the work that is done, 0 to 1.
    double (*progress)(const void *self);
    // Compares the result with that of a plain CPU implementation: GMMU_OK, GMMU_BAD or
    // GMMU_SIMT_NO_MEMORY, with *err.
    int (*check)(const void *self, gmmu_error *err);
    // Returns the array that holds the result.
    const gmmu_array *(*result)(const void *self);
    gmmu_simt_choice launches;  // rounds of grids: steps, iterations, epochs, frames, products
    gmmu_simt_choice features;  // numbers of a point, edges of a vertex, elements of a row
    gmmu_simt_choice depth;     // layers, rows, or points of a round
    gmmu_simt_choice element;   // bytes of an element: 4 or 8
    bool folds;                 // no address depends on a value in an array of gmmu_space_alloc
} gmmu_simt_kernel;

typedef struct {
    uint64_t instructions;       // memory instructions of warps
    uint64_t accesses;           // distinct pages of each; with caches those to translate
    uint64_t cache_accesses;     // with caches: distinct L1 blocks of each instruction
    uint64_t cache_l1_hits;      // of them
    uint64_t cache_l2_accesses;  // accesses that went on to L2, in L2 blocks
    uint64_t cache_l2_hits;      // of them
    uint64_t l1_hits, l2_hits;   // page accesses that hit in the TLBs
    uint64_t evictions;          // calls of gmmu_simt_shootdown
    uint64_t shootdowns;         // TLB entries that these calls removed
    uint64_t walks;
    uint64_t distinct;  // distinct pages of the walks
    uint64_t grids;
    uint64_t faults;  // with a stall: walks of pages that were absent
    uint64_t turns;   // with a stall: turns of the whole run
} gmmu_simt_stats;

// Hooks that the front end calls; each may be NULL. A result other than GMMU_OK stops the run.
typedef struct {
    void *ctx;
    // Called with each access before the TLBs, and with each access that missed both TLBs.
    int (*access)(void *ctx, const gmmu_walk *access, gmmu_error *err);
    int (*walk)(void *ctx, const gmmu_walk *walk, gmmu_error *err);
    // Called now and then; DONE is 0 to 1.
    void (*progress)(void *ctx, double done);
    // Called before each grid starts.
    int (*grid)(void *ctx, const gmmu_simt_grid *grid, gmmu_error *err);
    // Called with each memory instruction before it is coalesced; w->index numbers the block's
    // warps.
    int (*op)(void *ctx, const gmmu_simt_warp *w, unsigned sm, const gmmu_simt_op *op,
              gmmu_error *err);
} gmmu_simt_hooks;

typedef struct gmmu_simt gmmu_simt;

gmmu_simt_params gmmu_simt_defaults(const gmmu_simt_kernel *k);
// Creates a machine with kernel K's data in its memory. NULL and *err: a parameter out of range, or
// no memory.
gmmu_simt *gmmu_simt_create(const gmmu_simt_kernel *k, const gmmu_simt_params *p, gmmu_error *err);
void gmmu_simt_destroy(gmmu_simt *m);
// Runs all grids; a machine runs once. Returns GMMU_OK, the result of a hook, or GMMU_BAD with
// *err. The time of a walk is the number of the warp instruction that made the walk, from 1 on.
int gmmu_simt_run(gmmu_simt *m, const gmmu_simt_hooks *hooks, gmmu_error *err);
// Page VPN leaves memory: all TLBs forget the page, and the next access to it is a fault. The hook
// `walk` may call this function; the page of the walk is in the TLBs already.
void gmmu_simt_shootdown(gmmu_simt *m, uint64_t vpn);
// Compares the kernel's result with the CPU's, after the run: GMMU_OK, GMMU_BAD or
// GMMU_SIMT_NO_MEMORY, with *err.
int gmmu_simt_check(const gmmu_simt *m, gmmu_error *err);
// Return the result's array in the machine's memory, and the address space.
const gmmu_array *gmmu_simt_result(const gmmu_simt *m);
const gmmu_space *gmmu_simt_space(const gmmu_simt *m);
gmmu_simt_stats gmmu_simt_get_stats(const gmmu_simt *m);

// Coalesces an access: writes to `vpn` the distinct pages of the active lanes' addresses, in order
// of the first lane that touches each. Returns the number of pages.
unsigned gmmu_simt_coalesce(const uint64_t addr[GMMU_WARP], uint32_t mask, unsigned page_shift,
                            uint64_t vpn[GMMU_WARP]);

// Returns the address of the kernel's K-th static memory instruction: 16 bytes each, as on a GPU,
// from 0x10 on.
static inline uint64_t gmmu_simt_ref(unsigned k) {
    return UINT64_C(16) * (k + 1);
}

// Returns the next number of splitmix64, the random source of all kernels' data.
uint64_t gmmu_simt_random(uint64_t *state);

#ifdef __cplusplus
}
#endif
#endif
