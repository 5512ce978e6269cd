// SPDX-License-Identifier: Apache-2.0
// victim_select.h: twin of rtl/victim_select.v: the search for the page that leaves.
//
// Source: LEU §3.1 (the lowest priority leaves). Two searches. `scan`: every enabled frame is a
// candidate once. `sample`: first the frames kept from the search before (its best losers,
// rescored), then K frames from a rotating hand. In both the POOL best candidates stay in a list,
// so that one that is used or pinned before the decision does not cost a second round. Order: lower
// priority, then older last access, then lower frame.
#ifndef GMMU_VICTIM_SELECT_H
#define GMMU_VICTIM_SELECT_H

#include <stdbool.h>

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

typedef struct {
    gmmu_victim_cand *list;  // best first
    uint64_t *rank;          // the list while gmmu_tier_round makes a round in one go: ranks
    uint32_t *ranked;        // and frames
    unsigned n, pool;
    uint32_t *kept;  // frames that the search before kept, best first
    unsigned n_kept, kept_at;
    uint32_t hand;    // the frame whose turn it is after those
    uint32_t left;    // turns of the hand that are left in this round
    unsigned rounds;  // rounds completed in this search
    unsigned k;
    bool active;  // a round is under way
    bool sample;
    uint32_t time_mask;
} gmmu_victim_select;

int gmmu_victim_select_init(gmmu_victim_select *v, const gmmu_config *cfg, unsigned search,
                            gmmu_arena *arena);
// cfg_search is SEARCH from now on. RESTS: no search is under way, and FRAMES are enabled; a scan,
// or a hand beyond them, puts the hand to 0 then.
void gmmu_victim_select_configure(gmmu_victim_select *v, unsigned search, uint32_t frames,
                                  bool rests);
// Begins a round. FRAMES are enabled.
void gmmu_victim_select_begin(gmmu_victim_select *v, uint32_t frames);
// The frame whose turn it is; begins a round if none is under way.
static inline uint32_t gmmu_victim_select_next(gmmu_victim_select *v, uint32_t frames) {
    if (!v->active)
        gmmu_victim_select_begin(v, frames);
    return v->kept_at < v->n_kept ? v->kept[v->kept_at] : v->hand;
}
// C, which is eligible and not behind the last of a full list, goes to its place.
void gmmu_victim_select_insert(gmmu_victim_select *v, gmmu_victim_cand c);

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

// The answer for the frame whose turn it is, ELIGIBLE or not.
static inline void gmmu_victim_select_offer(gmmu_victim_select *v, gmmu_victim_cand c,
                                            bool eligible, uint32_t frames) {
    const bool full = v->n == v->pool;
    if (eligible && !(full && !gmmu_victim_select_before(v, &c, &v->list[v->n - 1])))
        gmmu_victim_select_insert(v, c);
    if (v->kept_at < v->n_kept) {
        v->kept_at++;
    } else {
        v->hand = v->hand + 1 >= frames ? 0 : v->hand + 1;
        v->left--;
    }
    if (v->left == 0) {
        v->active = false;
        v->rounds++;
    }
}
// A round is complete and none is under way.
bool gmmu_victim_select_searched(const gmmu_victim_select *v);
// The best candidate; NULL when the list is empty.
const gmmu_victim_cand *gmmu_victim_select_best(const gmmu_victim_select *v);
// The best one leaves the list: it was no longer good, or it is the victim.
void gmmu_victim_select_drop_best(gmmu_victim_select *v);
// The decision is made: `sample` keeps what is in the list for the next search.
void gmmu_victim_select_end(gmmu_victim_select *v);

#ifdef __cplusplus
}
#endif
#endif
