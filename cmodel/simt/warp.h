// SPDX-License-Identifier: Apache-2.0
// warp.h: the notation of kernels: a CUDA kernel's body, written once for the 32 lanes of a warp.
//
//   typedef struct {
//       WARP_STATE;
//       unsigned k;
//       float x[GMMU_WARP], sum[GMMU_WARP];
//   } regs;
//
//   static gmmu_simt_event step(void *self, const gmmu_simt_warp *w, void *registers,
//                               gmmu_simt_op *op) {
//       mine *s = self;
//       regs *r = registers;
//       WARP_BEGIN;
//       IF(GID < s->n) {
//           EACH r->sum[lane] = 0;
//           for (r->k = 0; r->k < s->n; r->k++) {
//               LD(0, s->a, GID * s->n + r->k, r->x);  // x = a[gid * n + k], as instruction 0
//               EACH r->sum[lane] += r->x[lane];
//           }
//           ST(1, s->y, float, GID, r->sum[lane]);
//       }
//       ENDIF;
//       WARP_END;
//   }
//
// The macros use the names self, w, r, op: the parameters of step() and the registers. `lane` is
// the lane in every expression that a macro takes. Each memory instruction returns to the engine,
// and the next call goes on behind the instruction (by a switch on the line number). Therefore:
// - Values that live across LD, ST, ATOMIC or SYNC are members of regs. Values of each lane are
//   arrays of GMMU_WARP elements; uniform values (loop counters of all lanes) are scalars.
//   Registers start as zeros.
// - A memory instruction may not be inside a switch, and a line may have only one memory
//   instruction.
//
// IF and WHILE mask off lanes as a GPU does: lanes for which the condition is false wait behind
// ENDIF or ENDWHILE. A body that no lane enters is skipped. A memory instruction without active
// lanes is no instruction.
#ifndef GMMU_SIMT_WARP_H
#define GMMU_SIMT_WARP_H

#include <assert.h>

#include "simt/simt.h"

enum { WARP_DEPTH = 12 };  // largest nesting of IF and WHILE

typedef struct {
    unsigned line;               // line at which the body goes on; 0: at its beginning
    unsigned depth;              // present nesting of IF and WHILE
    uint32_t mask;               // active lanes
    uint32_t outer[WARP_DEPTH];  // active lanes around each IF or WHILE
    uint32_t other[WARP_DEPTH];  // lanes for each ELSE
} warp_state;

#define WARP_STATE warp_state warp

// Indices as in CUDA, in one dimension: number of the thread in its block, of the block, and of the
// thread in the grid.
#define TID (w->index * GMMU_WARP + lane)
#define BID (w->block)
#define GID (w->thread + lane)

#define WARP_BEGIN          \
    switch (r->warp.line) { \
        case 0:             \
            r->warp.mask = w->lanes
// Ends the body: the warp exits.
#define WARP_END \
    }            \
    return GMMU_SIMT_EXIT

#define WARP_LANES for (unsigned lane = 0; lane < GMMU_WARP; lane++)
// Executes the statement behind it for every active lane.
#define EACH                                       \
    WARP_LANES if (!(r->warp.mask >> lane & 1)) {} \
    else

// Sets LANES to the active lanes for which COND holds.
#define WARP_SELECT(lanes, cond)                          \
    do {                                                  \
        uint32_t warp_found = 0;                          \
        EACH if (cond) warp_found |= UINT32_C(1) << lane; \
        (lanes) = warp_found;                             \
    } while (0)

// Returns EVENT; the next call of step() goes on behind this point.
#define WARP_RETURN(event)       \
    do {                         \
        r->warp.line = __LINE__; \
        return (event);          \
        case __LINE__:;          \
    } while (0)

// A memory instruction: ACT works on *item, the lane's element, of TYPE. The engine reports an
// index outside the array.
#define WARP_MEMORY(site, arr, at, is_write, is_atomic, type, act)                              \
    if (r->warp.mask != 0) {                                                                    \
        op->array = (arr);                                                                      \
        op->mask = r->warp.mask;                                                                \
        op->ref = gmmu_simt_ref(site);                                                          \
        op->write = (is_write);                                                                 \
        op->atomic = (is_atomic);                                                               \
        assert(sizeof(type) == op->array->element);                                             \
        EACH {                                                                                  \
            op->index[lane] = (at);                                                             \
            if (op->index[lane] < op->array->count) {                                           \
                __typeof__(type) *item = (__typeof__(type) *)op->array->data + op->index[lane]; \
                act;                                                                            \
            }                                                                                   \
        }                                                                                       \
        WARP_RETURN(GMMU_SIMT_MEM);                                                             \
    }                                                                                           \
    (void)0

// dest[lane] = arr[at], as instruction SITE. The elements have the type of dest[].
#define LD(site, arr, at, dest) \
    WARP_MEMORY(site, arr, at, false, false, __typeof__((dest)[0]), (dest)[lane] = *item)
// arr[at] = value, of TYPE. Lanes with the same index write in order of lanes.
#define ST(site, arr, type, at, value) \
    WARP_MEMORY(site, arr, at, true, false, type, *item = (value))
// CUDA's atomics: ACT reads and writes *item, lane after lane. The memory system sees a write.
#define ATOMIC(site, arr, type, at, act) WARP_MEMORY(site, arr, at, true, true, type, act)
// __syncthreads(); allowed outside of IF and WHILE only.
#define SYNC WARP_RETURN(GMMU_SIMT_BARRIER)

#define WARP_PUSH                       \
    assert(r->warp.depth < WARP_DEPTH); \
    r->warp.outer[r->warp.depth++] = r->warp.mask
#define WARP_POP r->warp.mask = r->warp.outer[--r->warp.depth]

// IF(cond) { ... } ELSE { ... } ENDIF;  The ELSE may be missing.
#define IF(cond)                                                                         \
    WARP_PUSH;                                                                           \
    WARP_SELECT(r->warp.mask, cond);                                                     \
    r->warp.other[r->warp.depth - 1] = r->warp.outer[r->warp.depth - 1] & ~r->warp.mask; \
    if (r->warp.mask != 0)
#define ELSE                                         \
    r->warp.mask = r->warp.other[r->warp.depth - 1]; \
    if (r->warp.mask != 0)
#define ENDIF WARP_POP
// WHILE(cond) { ... } ENDWHILE;  A lane leaves for good when its condition is false.
#define WHILE(cond)                      \
    WARP_PUSH;                           \
    while (__extension__({               \
        WARP_SELECT(r->warp.mask, cond); \
        r->warp.mask != 0;               \
    }))
#define ENDWHILE WARP_POP
// CUDA's break, directly in the body of a WHILE: lanes for which COND holds wait behind ENDWHILE.
#define LEAVE(cond)                   \
    do {                              \
        uint32_t warp_gone = 0;       \
        WARP_SELECT(warp_gone, cond); \
        r->warp.mask &= ~warp_gone;   \
    } while (0)
// CUDA's return; allowed outside of IF and WHILE only.
#define RETURN_IF(cond)            \
    do {                           \
        LEAVE(cond);               \
        if (r->warp.mask == 0)     \
            return GMMU_SIMT_EXIT; \
    } while (0)

#endif
