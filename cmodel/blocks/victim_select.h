// SPDX-License-Identifier: Apache-2.0
// victim_select.h: twin of rtl/unit/gmmu_victim_select.v: the search for the page that leaves.
//
// search  candidates
// scan    every enabled frame once
// sample  the frames that the search before kept (its losers, rescored), then K frames from a hand
//         that goes round
// clock   from the hand on, the first frame without a hit since its FILL or since the hand passed
//         the frame (CLOCK, second chance); no priorities
//
// scan, sample: candidates meet in POOL places, a frame in place frame mod POOL. The first
// candidate in the order stays in the place: a candidate that is used or pinned before the decision
// costs no second round. Order: not protected, then lower priority, then older last access, then
// lower frame. Source: LEU §3.1 (the page of lowest priority leaves).
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

// GUARDED: flag of a protected frame, in a priority. STAYS: a rank above all others, of a frame
// that may not leave.
// LAST_RESORT: priority of a fresh frame in a forced search, behind all others.
enum {
    GMMU_SEARCH_ROUNDS = 2,
    GMMU_GUARDED = 1 << 16,
    GMMU_LAST_RESORT = GMMU_GUARDED | 0xFFFF,
    GMMU_STAYS = 1 << 17
};

typedef struct {
    uint32_t frame;
    uint32_t last;      // time of the page's last access, as read by the search
    uint32_t priority;  // with GMMU_GUARDED, of a protected frame, behind all others
} gmmu_victim_cand;

// Most places: a word has a bit for each place.
enum { GMMU_MOST_POOL = 64 };

typedef struct {
    // Each place's candidate. A place that is only kept has a frame alone.
    uint32_t *frame, *last, *priority;
    uint64_t *rank;         // ranks of the places while gmmu_tier_round makes a round in one go
    uint64_t valid;         // a bit a place: the place has a candidate of this search
    uint64_t kept;          // a bit a place: its frame was kept, and is still to be asked for
    gmmu_victim_cand best;  // the best of all candidates; priority GMMU_STAYS: there is none
    uint32_t likely;        // a guess at the next best candidate: a frame to prefetch
    unsigned pool;
    uint32_t hand;    // the frame of the next turn, after the kept frames
    uint32_t left;    // turns of the hand that are left in this round; a `clock` may rest meanwhile
    unsigned rounds;  // rounds completed in this search
    unsigned k;
    bool active;  // a round is under way
    bool rests;   // no search is under way, and cfg_search did not change during a decision
    bool sample, clock;
    bool forced;        // this search may take fresh frames
    bool passed_fresh;  // the second round of this search passed over a fresh frame
    uint32_t time_mask;
} gmmu_victim_select;

// Makes V for the sizes CFG and cfg_search SEARCH, with memory of ARENA. Not 0: ARENA is too small.
int gmmu_victim_select_init(gmmu_victim_select *v, const gmmu_config *cfg, unsigned search,
                            gmmu_arena *arena);
// Sets cfg_search to SEARCH and the number of enabled frames to FRAMES. RESTS: no search is under
// way. Only at rest a search becomes or ceases to be a `clock`, and a `scan`, or a hand beyond
// FRAMES, puts the hand to 0.
void gmmu_victim_select_configure(gmmu_victim_select *v, unsigned search, uint32_t frames,
                                  bool rests);
// Begins a round, or goes on with a round of `clock` that rests. FRAMES are enabled.
void gmmu_victim_select_begin(gmmu_victim_select *v, uint32_t frames);
// Returns the frame of the next turn, and begins a round if no round is under way.
static inline uint32_t gmmu_victim_select_next(gmmu_victim_select *v, uint32_t frames) {
    if (!v->active)
        gmmu_victim_select_begin(v, frames);
    return v->kept != 0 ? v->frame[__builtin_ctzll(v->kept)] : v->hand;
}

// True: A leaves before B.
static inline bool gmmu_victim_select_before(const gmmu_victim_select *v, const gmmu_victim_cand *a,
                                             const gmmu_victim_cand *b) {
    if (a->priority != b->priority)
        return a->priority < b->priority;
    if (a->last != b->last)  // A is older if b.last - a.last is small and positive, modulo 2^TIME_W
        return ((b->last - a->last) & v->time_mask) <= v->time_mask / 2;
    return a->frame < b->frame;
}

// A candidate's rank: priority and age as one number. Of two different ranks the lower leaves
// first. AGE (the action) keeps ages below 2^(TIME_W-1).
static inline uint64_t gmmu_victim_select_rank(uint32_t priority, uint32_t age) {
    return (uint64_t)priority << 32 | (uint32_t)~age;
}

// Puts the eligible candidate C into its place, if C leaves before the candidate there.
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

// The turn's frame is fresh and may therefore not leave: counts in the second round.
static inline void gmmu_victim_select_over_fresh(gmmu_victim_select *v) {
    v->passed_fresh |= v->rounds == 1;
}
// The answer C for the frame of this turn, ELIGIBLE or not. A kept frame beyond the FRAMES that are
// enabled now is no candidate.
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
// `clock`: the answer C for the frame at the hand. TAKES: C is the candidate, and the round rests.
static inline void gmmu_victim_select_hand(gmmu_victim_select *v, gmmu_victim_cand c, bool takes,
                                           uint32_t frames) {
    if (takes)
        v->best = c;
    v->hand = v->hand + 1 >= frames ? 0 : v->hand + 1;
    v->left--;
    v->rounds += v->left == 0;
    v->active = !takes && v->left != 0;
}
// True: no round is under way, and a round is complete or (`clock`) there is a candidate.
bool gmmu_victim_select_searched(const gmmu_victim_select *v);
// Returns the best candidate, or NULL.
static inline const gmmu_victim_cand *gmmu_victim_select_best(const gmmu_victim_select *v) {
    return v->best.priority < GMMU_STAYS ? &v->best : NULL;
}
// RETRY: the best candidate is not good any more. The best of the other places follows.
void gmmu_victim_select_retry(gmmu_victim_select *v);
// `clock`: the candidate's page is kept, and the hand goes on behind it for up to two more rounds.
void gmmu_victim_select_keep(gmmu_victim_select *v);
// The best candidate is the victim, and leaves its place.
void gmmu_victim_select_taken(gmmu_victim_select *v);
// The decision is made. `sample` keeps the frames in the places for the next search.
void gmmu_victim_select_end(gmmu_victim_select *v);

#ifdef __cplusplus
}
#endif
#endif
