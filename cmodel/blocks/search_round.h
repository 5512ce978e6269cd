// SPDX-License-Identifier: Apache-2.0
// search_round.h: a round of a search in one go, with the effect of a CAND for each frame.
//
// Frames are ranked a block at a time (frame_rank.h). A frame goes to its place if the frame is
// better than the candidate there. A caller with priorities of its own ranks frames anew. With 16
// places, no ranks of its own and AVX2 a block of 16 frames meets all places at once.
#ifndef GMMU_SEARCH_ROUND_H
#define GMMU_SEARCH_ROUND_H

#include "blocks/frame_rank.h"
#include "blocks/frame_store.h"
#include "blocks/victim_select.h"

#ifdef __cplusplus
extern "C" {
#endif

// A search by SELECT: the first ENABLED of FRAMES, at NOW. YOUNG: of equal priorities the younger
// leaves. SELECT then has negated times, so that the younger page counts as the older. FORCE: fresh
// pages may leave, too.
typedef struct {
    gmmu_victim_select *select;
    gmmu_frame_store *frames;
    uint32_t enabled;
    gmmu_rank_at now;
    bool young, force;
} gmmu_searched;

// The ranks of a caller that has ranks of its own for some frames.
typedef struct {
    // Returns a bit for each of N candidates, bit 0 for the first: the caller has another rank. The
    // candidates have the unit's ranks RANK; they are FIRST and the frames behind it, or those of
    // AT.
    uint64_t (*which)(void *ctx, uint32_t first, const uint32_t *at, uint32_t n,
                      const uint64_t *rank);
    // Returns the rank of FRAME, whose rank by the unit is RANK. Any rank above WORST is as good.
    uint64_t (*rank)(void *ctx, uint32_t frame, uint64_t rank, uint64_t worst);
    void *ctx;
} gmmu_rerank;

// The smaller of A and B.
static inline uint32_t gmmu_round_least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

// The rank of an empty place: any frame that may leave goes before.
#define GMMU_NO_RANK ((uint64_t)GMMU_STAYS << 32)

// Offers N candidates with states SEEN: frame FIRST and the frames behind it, or the frames of AT.
static inline __attribute__((always_inline)) void gmmu_round_offer(const gmmu_searched *u,
                                                                   const gmmu_rerank *by,
                                                                   const gmmu_frame_seen *seen,
                                                                   uint32_t first,
                                                                   const uint32_t *at, uint32_t n) {
    gmmu_victim_select *v = u->select;
    uint64_t rank[GMMU_RANKS];
    // frames of AT are ranked in whole eights
    const gmmu_ranked all =
        gmmu_frame_rank(&u->now, seen, at != NULL ? (n + 7) & ~7u : n, GMMU_NO_RANK, rank);
    if (all.guarded)
        for (uint32_t i = 0; i < n; i++)
            if (gmmu_frame_store_guards(u->frames, at != NULL ? at[i] : first + i, u->now.time))
                rank[i] |= (uint64_t)GMMU_GUARDED << 32;
    const uint64_t others = by != NULL ? by->which(by->ctx, first, at, n, rank) : 0;
    for (uint64_t left = all.low | others; left != 0; left &= left - 1) {
        const uint32_t i = (uint32_t)__builtin_ctzll(left), frame = at != NULL ? at[i] : first + i;
        const uint32_t slot = frame & (v->pool - 1);
        const bool other = by != NULL && (others >> i & 1) != 0;
        const uint64_t before = v->rank[slot];
        const uint64_t is = other ? by->rank(by->ctx, frame, rank[i], before) : rank[i];
        if (is < before || (is == before && frame < v->frame[slot])) {
            v->rank[slot] = is;
            v->frame[slot] = frame;
        }
    }
}

// Offers the kept frames, at most GMMU_RANKS.
static inline __attribute__((always_inline)) void gmmu_round_kept(const gmmu_searched *u,
                                                                  const gmmu_rerank *by) {
    gmmu_victim_select *v = u->select;
    gmmu_frame_seen seen[GMMU_RANKS] = {};  // entries beyond N may not leave
    uint32_t at[GMMU_RANKS], n = 0;
    for (; v->kept != 0 && n < GMMU_RANKS; v->kept &= v->kept - 1) {
        at[n] = v->frame[__builtin_ctzll(v->kept)];
        seen[n] = u->frames->table.seen[at[n]];
        seen[n].fresh &= !u->force;
        n++;
    }
    gmmu_round_offer(u, by, seen, 0, at, n);
}

// Offers the frames at the hand, at most GMMU_RANKS.
static inline __attribute__((always_inline)) void gmmu_round_hand(const gmmu_searched *u,
                                                                  const gmmu_rerank *by) {
    gmmu_victim_select *v = u->select;
    const uint32_t first = v->hand,
                   n = gmmu_round_least(gmmu_round_least(v->left, u->enabled - first), GMMU_RANKS);
    const gmmu_frame_seen *seen = &u->frames->table.seen[first];
    gmmu_frame_seen forced[GMMU_RANKS];
    if (u->force) {
        for (uint32_t i = 0; i < n; i++) {
            forced[i] = seen[i];
            forced[i].fresh = 0;
        }
        seen = forced;
    }
    gmmu_round_offer(u, by, seen, first, NULL, n);
    v->hand = first + n == u->enabled ? 0 : first + n;
    v->left -= n;
}

// Takes the places' candidates from their ranks, the best and the next best.
static inline void gmmu_round_slots(const gmmu_searched *u) {
    gmmu_victim_select *v = u->select;
    uint64_t best = GMMU_NO_RANK, next = GMMU_NO_RANK;
    for (unsigned i = 0; i < v->pool; i++) {
        const uint64_t rank = v->rank[i];
        if (rank == GMMU_NO_RANK)
            continue;
        v->valid |= 1ULL << i;
        v->priority[i] = (uint32_t)(rank >> 32);
        v->last[i] = (u->young ? (uint32_t)rank - u->now.time : u->now.time - ~(uint32_t)rank) &
                     u->now.time_mask;
        if (rank < best || (rank == best && v->frame[i] < v->best.frame)) {
            v->likely = v->best.frame;
            v->best = (gmmu_victim_cand){v->frame[i], v->last[i], v->priority[i]};
            next = best;
            best = rank;
        } else if (rank < next) {
            v->likely = v->frame[i];
            next = rank;
        }
    }
}

// Gives the places their ranks, for a round that is under way.
static inline void gmmu_round_ranks(const gmmu_searched *u) {
    gmmu_victim_select *v = u->select;
    for (unsigned i = 0; i < v->pool; i++) {
        const uint32_t age = u->young ? ~((v->last[i] + u->now.time) & u->now.time_mask)
                                      : (u->now.time - v->last[i]) & u->now.time_mask;
        v->rank[i] =
            (v->valid >> i & 1) == 0 ? GMMU_NO_RANK : gmmu_victim_select_rank(v->priority[i], age);
    }
}

// Offers the kept frames, then the frames at the hand, a block at a time.
static inline __attribute__((always_inline)) void gmmu_round_blocks(const gmmu_searched *u,
                                                                    const gmmu_rerank *by) {
    gmmu_victim_select *v = u->select;
    gmmu_round_ranks(u);
    while (v->kept != 0) gmmu_round_kept(u, by);
    while (v->left != 0) gmmu_round_hand(u, by);
    gmmu_round_slots(u);
}

// The same with 16 places and the unit's ranks. False, and nothing is done: not 16, by force, or no
// AVX2.
bool gmmu_round_sixteen(const gmmu_searched *u);
// The same with AVX-512 (search_wide.c). False, and nothing is done: not 16, by force, with
// protected frames, with candidates in the places, more than 128 bins, 2^24 times or 2^23 frames,
// or no AVX-512.
bool gmmu_round_wide(const gmmu_searched *u);

// HAND of FRAME, which is at the hand; *C is the frame found. Returns 1: the frame is the
// candidate; 0: the frame was used, and counts as not used from now on; -1: the frame may not
// leave.
static inline int gmmu_search_hand(const gmmu_searched *u, uint32_t frame, gmmu_victim_cand *c) {
    gmmu_frame_table *ft = &u->frames->table;
    const bool eligible =
        u->force ? gmmu_frame_table_forcible(ft, frame) : gmmu_frame_table_eligible(ft, frame);
    const bool takes = eligible && !gmmu_frame_table_pass(ft, frame);
    if (!eligible && ft->seen[frame].fresh && !ft->seen[frame].pinned)
        gmmu_victim_select_over_fresh(u->select);
    *c = (gmmu_victim_cand){frame, ft->seen[frame].last, 0};
    (void)gmmu_victim_select_next(u->select, u->enabled);
    gmmu_victim_select_hand(u->select, *c, takes, u->enabled);
    return eligible ? takes : -1;
}

// HAND of frame after frame, in a round that rests or a new one, until there is a candidate or the
// round is over.
static inline void gmmu_search_hands(const gmmu_searched *u) {
    gmmu_victim_cand c;
    do (void)gmmu_search_hand(u, gmmu_victim_select_next(u->select, u->enabled), &c);
    while (u->select->active);
}

// CAND of every frame of the round under way, or of a new round. BY ranks anew, or is NULL. With
// YOUNG a BY must do just this: of equal priorities the younger leaves.
static inline __attribute__((always_inline)) void gmmu_search_round(const gmmu_searched *u,
                                                                    const gmmu_rerank *by) {
    gmmu_victim_select *v = u->select;
    (void)gmmu_victim_select_next(v, u->enabled);
    if ((by != NULL && !u->young) || (!gmmu_round_wide(u) && !gmmu_round_sixteen(u)))
        gmmu_round_blocks(u, by);
    __builtin_prefetch(&u->frames->table.page[v->best.frame], 1);  // the decision reads it
    v->active = false;
    v->rounds++;
    const uint32_t next =
        gmmu_round_least(v->k, u->enabled - v->hand);  // the frames at the hand in the next search
    for (uint32_t i = 0; i < next; i += 8)
        __builtin_prefetch(&u->frames->table.seen[v->hand + i], 1);
}

#ifdef __cplusplus
}
#endif
#endif
