// SPDX-License-Identifier: Apache-2.0
// valid.h: where the newest content of each byte of a range is. A page of 4096 bytes whose bytes
// all have one state takes 8 bytes, any other page 1 KiB more: the range's shape costs no more than
// that.
#ifndef GMMU_SEM_VALID_H
#define GMMU_SEM_VALID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// C: on the CPU. S: on both. G: on the GPU.
typedef enum { GMMU_VALID_C, GMMU_VALID_S, GMMU_VALID_G } gmmu_valid_state;
// Sets of states.
enum {
    GMMU_VALID_IN_C = 1 << GMMU_VALID_C,
    GMMU_VALID_IN_G = 1 << GMMU_VALID_G,
    GMMU_VALID_ON_GPU = 1 << GMMU_VALID_S | 1 << GMMU_VALID_G,
    GMMU_VALID_ANY = GMMU_VALID_IN_C | GMMU_VALID_ON_GPU
};

typedef struct gmmu_valid_bits gmmu_valid_bits;

// Blocks for pages of several states, kept for the next use.
typedef struct {
    gmmu_valid_bits *unused;
    size_t count;
} gmmu_valid_pool;

// Has N blocks ready. False: no memory.
bool gmmu_valid_reserve(gmmu_valid_pool *pool, size_t n);
// Frees the blocks that are ready.
void gmmu_valid_pool_free(gmmu_valid_pool *pool);

typedef struct {
    uint64_t first, last;
    uint64_t on_gpu;  // number of bytes in S or G
    uintptr_t *page;  // a state, or the block of a page of several states
} gmmu_valid;

// Makes a range, all C. False: no memory.
bool gmmu_valid_make(gmmu_valid *v, uint64_t first, uint64_t last);
// Frees the states; V's blocks become ready in POOL. No effect on a V whose making failed.
void gmmu_valid_free(gmmu_valid *v, gmmu_valid_pool *pool);
// Sets the state of [from, to], which is in the range. Takes at most two blocks, which the pool
// must have.
void gmmu_valid_set(gmmu_valid *v, gmmu_valid_pool *pool, uint64_t from, uint64_t to,
                    gmmu_valid_state state);
// Moves the states of [first, last], which is in both ranges, FROM one TO one that has C there.
// FROM has C then. Takes at most four blocks.
void gmmu_valid_move(gmmu_valid *to, gmmu_valid *from, gmmu_valid_pool *pool, uint64_t first,
                     uint64_t last);
// Finds in [from, to] the first bytes whose state is in STATES, up to the next byte of another
// state. False: there are none.
bool gmmu_valid_run(const gmmu_valid *v, uint64_t from, uint64_t to, unsigned states,
                    uint64_t *first, uint64_t *last);
// Counts the pages whose bytes have several states.
uint64_t gmmu_valid_mixed(const gmmu_valid *v);
// Finds the last byte in [from, to] whose state is in STATES. False: there is none.
bool gmmu_valid_last(const gmmu_valid *v, uint64_t from, uint64_t to, unsigned states,
                     uint64_t *last);

#ifdef __cplusplus
}
#endif
#endif
