// SPDX-License-Identifier: Apache-2.0
// outcome.h: the outcome of one access: a list of pages that moved.
#ifndef GMMU_POLICY_OUTCOME_H
#define GMMU_POLICY_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/pages.h"

#ifdef __cplusplus
extern "C" {
#endif

// The place of a page. NEAR is near memory (Tier 1), whose replacement is studied. HOST is the
// host's memory (Tier 2), of policies with three tiers. FAR is all memory beyond: Tier 3, and Tier
// 2 of the other policies.
typedef enum { GMMU_FAR, GMMU_NEAR, GMMU_HOST } gmmu_memory;

typedef struct {
    uint32_t page;
    uint8_t from, to;  // gmmu_memory
} gmmu_move;

enum { GMMU_MOVES = 4 };  // most moves in `move`

typedef struct {
    bool fault;      // the page was not in near memory; the page is the first that moved
    bool stuck;      // memory is full and no page may leave: nothing moved, the access comes again
    uint32_t count;  // number of moves of the access in `move`
    gmmu_move move[GMMU_MOVES];
    // Of a policy of variable size: the moves after the access, maybe of the accessed page, too. Of
    // other policies: the moves for which `move` has no room, such as pages raised ahead of their
    // use and the pages displaced by them. Valid until the next access.
    const gmmu_move *after;
    uint32_t after_count;
    // A page that no access has touched so far has no number, and no moves: how many such pages
    // came to near memory ahead of their use, and how many left it.
    uint32_t untouched_in, untouched_out;
} gmmu_outcome;

// Adds a move of PAGE to *OUT.
static inline void gmmu_outcome_move(gmmu_outcome *out, uint32_t page, gmmu_memory from,
                                     gmmu_memory to) {
    const gmmu_move m = {page, (uint8_t)from, (uint8_t)to};
    if (out->count == 1) {
        out->move[1] = m;  // behind a fault: with a constant index *OUT may stay in registers
    } else {
        out->move[out->count] = m;
    }
    out->count++;
}

// Begins *OUT for an access to PAGE. With a FAULT the page moves from FAR to NEAR.
static inline void gmmu_outcome_begin(gmmu_outcome *out, uint32_t page, bool fault) {
    out->fault = fault;
    out->stuck = false;
    out->count = 0;
    out->after_count = 0;
    out->untouched_in = out->untouched_out = 0;
    if (fault) {
        gmmu_outcome_move(out, page, GMMU_FAR, GMMU_NEAR);
    }
}

// Adds the move of VICTIM, which leaves near memory to make room.
static inline void gmmu_outcome_evict(gmmu_outcome *out, uint32_t victim) {
    gmmu_outcome_move(out, victim, GMMU_NEAR, GMMU_FAR);
}

// No page may leave: nothing moves.
static inline void gmmu_outcome_stuck(gmmu_outcome *out) {
    out->stuck = true;
    out->count = 0;
}

// Adds the move of VICTIM, or if VICTIM is GMMU_NO_PAGE, *OUT is stuck. Returns whether VICTIM
// leaves.
static inline bool gmmu_outcome_leave(gmmu_outcome *out, uint32_t victim) {
    if (victim == GMMU_NO_PAGE) {
        gmmu_outcome_stuck(out);
        return false;
    }
    gmmu_outcome_evict(out, victim);
    return true;
}

// Returns the first page that left near memory to make room, or GMMU_NO_PAGE.
static inline uint32_t gmmu_outcome_victim(const gmmu_outcome *out) {
    for (uint32_t i = 0; i < out->count; i++) {
        if (out->move[i].from == GMMU_NEAR) {
            return out->move[i].page;
        }
    }
    return GMMU_NO_PAGE;
}

#ifdef __cplusplus
}
#endif
#endif
