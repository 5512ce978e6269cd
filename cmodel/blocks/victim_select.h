// SPDX-License-Identifier: Apache-2.0
// victim_select.h: twin of rtl/unit/gmmu_victim_select.v: the search for the page that leaves.
//
// Source: LEU §3.1 (the lowest priority leaves). Three searches. `scan`: every enabled frame is a
// candidate once. `sample`: first the frames kept from the search before (its losers, rescored),
// then K frames from a rotating hand. In both the candidates meet in POOL slots, a frame in slot
// frame mod POOL; the first of those that met there stays, so that one that is used or pinned
// before the decision does not cost a second round. Order: lower priority, then older last access,
// then lower frame. `clock`, without priorities: from the hand on the first frame that was not used
// since it was filled or since the hand passed it (CLOCK, second chance).
#ifndef GMMU_VICTIM_SELECT_H
#define GMMU_VICTIM_SELECT_H

#include <stdbool.h>
#include <stddef.h>

#include "gmmu/arena.h"
#include "gmmu/codes.h"
#include "gmmu/config.h"

#ifdef __cplusplus
extern "C" {
#endif

// GUARDED: the flag of a protected frame; STAYS: in a rank, above all others: it may not leave.
enum { GMMU_SEARCH_ROUNDS = 2, GMMU_GUARDED = 1 << 16, GMMU_STAYS = 1 << 17 };

typedef struct {
    uint32_t frame;
    uint32_t last;      // time of its last access when it was a candidate
    uint32_t priority;  // GMMU_GUARDED: it is protected, and behind all that are not
} gmmu_victim_cand;

// Slots are told by bits.
enum { GMMU_MOST_POOL = 64 };

typedef struct {
    // Each slot's candidate; of one that is only kept, its frame.
    uint32_t *frame, *last, *priority;
    uint64_t *rank;         // ranks of the slots while gmmu_tier_round makes a round in one go
    uint64_t valid;         // slots with a candidate of this search
    uint64_t kept;          // slots whose frame the search before kept, and was not asked for yet
    gmmu_victim_cand best;  // the first of all candidates, if there is one; else GMMU_STAYS
    uint32_t likely;        // a frame that the search before kept, among its first; or any
    unsigned pool;
    uint32_t hand;    // the frame whose turn it is after the kept ones
    uint32_t left;    // turns of the hand that are left in this round; in `clock` it may rest
    unsigned rounds;  // rounds completed in this search
    unsigned k;
    bool active;  // a round is under way
    bool rests;   // no search is under way, nor a decision for which cfg_search changed
    bool sample, clock;
    uint32_t time_mask;
} gmmu_victim_select;

int gmmu_victim_select_init(gmmu_victim_select *v, const gmmu_config *cfg, unsigned search,
                            gmmu_arena *arena);
// cfg_search is SEARCH from now on. RESTS: no search is under way, and FRAMES are enabled; a scan,
// or a hand beyond them, puts the hand to 0 then; only then it may become or cease to be a clock.
void gmmu_victim_select_configure(gmmu_victim_select *v, unsigned search, uint32_t frames,
                                  bool rests);
// Begins a round, or goes on with one that rests. FRAMES are enabled.
void gmmu_victim_select_begin(gmmu_victim_select *v, uint32_t frames);
// The frame whose turn it is; begins a round if none is under way.
static inline uint32_t gmmu_victim_select_next(gmmu_victim_select *v, uint32_t frames) {
    if (!v->active)
        gmmu_victim_select_begin(v, frames);
    return v->kept != 0 ? v->frame[__builtin_ctzll(v->kept)] : v->hand;
}

// Does A leave before B?
static inline bool gmmu_victim_select_before(const gmmu_victim_select *v, const gmmu_victim_cand *a,
                                             const gmmu_victim_cand *b) {
    if (a->priority != b->priority)
        return a->priority < b->priority;
    if (a->last != b->last)  // older: b.last - a.last is a small positive number, modulo 2^TIME_W
        return ((b->last - a->last) & v->time_mask) <= v->time_mask / 2;
    return a->frame < b->frame;
}

// A candidate's rank, priority and age as one number: of two different ones the lower leaves first.
// (Ages are less than half of what a time stamp tells apart: AGE sees to that.)
static inline uint64_t gmmu_victim_select_rank(uint32_t priority, uint32_t age) {
    return (uint64_t)priority << 32 | (uint32_t)~age;
}

// C, which is eligible, goes to its slot, if it goes before what is there.
static inline void gmmu_victim_select_put(gmmu_victim_select *v, gmmu_victim_cand c) {
    const unsigned at = c.frame & (v->pool - 1);
    const gmmu_victim_cand is = {v->frame[at], v->last[at], v->priority[at]};
    if ((v->valid >> at & 1) == 0 || gmmu_victim_select_before(v, &c, &is)) {
        v->frame[at] = c.frame;
        v->last[at] = c.last;
        v->priority[at] = c.priority;
        v->valid |= 1ULL << at;
    }
    if (gmmu_victim_select_before(v, &c, &v->best))
        v->best = c;
}

// The answer for the frame whose turn it is, ELIGIBLE or not. One that was kept and is not enabled
// any more is no candidate.
static inline void gmmu_victim_select_offer(gmmu_victim_select *v, gmmu_victim_cand c,
                                            bool eligible, uint32_t frames) {
    if (eligible && c.frame < frames)
        gmmu_victim_select_put(v, c);
    if (v->kept != 0) {
        v->kept &= v->kept - 1;
    } else {
        v->hand = v->hand + 1 >= frames ? 0 : v->hand + 1;
        v->left--;
    }
    if (v->left == 0) {
        v->active = false;
        v->rounds++;
    }
}
// `clock`: the answer for the frame at the hand; TAKES: it is the candidate, and the round rests.
static inline void gmmu_victim_select_hand(gmmu_victim_select *v, gmmu_victim_cand c, bool takes,
                                           uint32_t frames) {
    if (takes)
        v->best = c;
    v->hand = v->hand + 1 >= frames ? 0 : v->hand + 1;
    v->left--;
    v->rounds += v->left == 0;
    v->active = !takes && v->left != 0;
}
// None is under way, and a round is complete; or, in `clock`, there is a candidate.
bool gmmu_victim_select_searched(const gmmu_victim_select *v);
// The best candidate; NULL when there is none.
static inline const gmmu_victim_cand *gmmu_victim_select_best(const gmmu_victim_select *v) {
    return v->best.priority < GMMU_STAYS ? &v->best : NULL;
}
// The best one was no longer good: the first of the slots without it follows.
void gmmu_victim_select_retry(gmmu_victim_select *v);
// `clock`: the candidate is kept: the hand goes on from it, with two rounds before it.
void gmmu_victim_select_keep(gmmu_victim_select *v);
// The best one is the victim.
void gmmu_victim_select_taken(gmmu_victim_select *v);
// The decision is made: `sample` keeps what is in the slots for the next search.
void gmmu_victim_select_end(gmmu_victim_select *v);

#ifdef __cplusplus
}
#endif
#endif
