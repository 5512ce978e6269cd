// SPDX-License-Identifier: Apache-2.0
// search_round.h: a round of a search in one go: what CAND does, frame by frame, of the unit.
//
// Frames are ranked a block at a time (frame_rank.h); the few that are better than the last of a
// full list go to their place in it. Who has priorities of their own ranks frames anew.
#ifndef GMMU_SEARCH_ROUND_H
#define GMMU_SEARCH_ROUND_H

#include "blocks/frame_rank.h"
#include "blocks/frame_store.h"
#include "blocks/victim_select.h"

#ifdef __cplusplus
extern "C" {
#endif

// What is searched: the ENABLED first FRAMES, NOW.
typedef struct {
    gmmu_victim_select *select;
    gmmu_frame_store *frames;
    uint32_t enabled;
    gmmu_rank_at now;
} gmmu_searched;

// Who has ranks of its own for some frames, and how it ranks them.
typedef struct {
    // Of N candidates with the unit's ranks RANK, frame FIRST and those behind it or those that AT
    // names: which have others. Bit 0 is the first.
    uint64_t (*which)(void *ctx, uint32_t first, const uint32_t *at, uint32_t n,
                      const uint64_t *rank);
    // The rank of FRAME, which is RANK by the unit; if it is above WORST, any one above WORST.
    uint64_t (*rank)(void *ctx, uint32_t frame, uint64_t rank, uint64_t worst);
    void *ctx;
} gmmu_rerank;

static inline uint32_t gmmu_round_least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

// A round: the list of the best so far, and the rank of the last of a full one.
typedef struct {
    uint64_t *rank;
    uint32_t *frame;
    uint64_t worst;
    unsigned n, pool;
    bool again;  // some frames will be met that are in the list already
} gmmu_round_list;

static inline bool gmmu_round_listed(const gmmu_round_list *l, uint32_t frame) {
    bool found = false;
    for (unsigned i = 0; i < l->n; i++) found |= l->frame[i] == frame;
    return found;
}

// FRAME, which may leave and whose RANK is not above the worst, goes to its place in the list, if
// it is not there.
static inline void gmmu_round_enlist(gmmu_round_list *l, uint64_t rank, uint32_t frame) {
    const bool full = l->n == l->pool;
    if ((l->again && gmmu_round_listed(l, frame)) ||
        (full && rank == l->worst && frame > l->frame[l->n - 1]))
        return;
    unsigned at = full ? l->n - 1 : l->n++;
    for (; at > 0; at--) {
        const uint64_t other = l->rank[at - 1];
        if (other < rank || (other == rank && l->frame[at - 1] < frame))
            break;
        l->rank[at] = other;
        l->frame[at] = l->frame[at - 1];
    }
    l->rank[at] = rank;
    l->frame[at] = frame;
    l->worst = l->n == l->pool ? l->rank[l->n - 1] : UINT64_MAX;
}

// Offers N candidates, which are SEEN: frame FIRST and those behind it, or those that AT names.
static inline __attribute__((always_inline)) void gmmu_round_offer(
    const gmmu_searched *u, gmmu_round_list *l, const gmmu_rerank *by, const gmmu_frame_seen *seen,
    uint32_t first, const uint32_t *at, uint32_t n) {
    uint64_t rank[GMMU_RANKS];
    // of frames that AT names, a whole number of eights
    const gmmu_ranked all =
        gmmu_frame_rank(&u->now, seen, at != NULL ? (n + 7) & ~7u : n, l->worst, rank);
    if (all.guarded)
        for (uint32_t i = 0; i < n; i++)
            if (gmmu_frame_store_guards(u->frames, at != NULL ? at[i] : first + i, u->now.time))
                rank[i] |= (uint64_t)GMMU_GUARDED << 32;
    const uint64_t others = by != NULL ? by->which(by->ctx, first, at, n, rank) : 0;
    for (uint64_t left = all.low | others; left != 0; left &= left - 1) {
        const uint32_t i = (uint32_t)__builtin_ctzll(left), frame = at != NULL ? at[i] : first + i;
        const bool other = by != NULL && (others >> i & 1) != 0;
        const uint64_t is = other ? by->rank(by->ctx, frame, rank[i], l->worst) : rank[i];
        if (is <= l->worst)
            gmmu_round_enlist(l, is, frame);
    }
}

// Offers the kept frames whose turn it is, at most GMMU_RANKS.
static inline __attribute__((always_inline)) void gmmu_round_kept(const gmmu_searched *u,
                                                                  gmmu_round_list *l,
                                                                  const gmmu_rerank *by) {
    gmmu_victim_select *v = u->select;
    gmmu_frame_seen seen[GMMU_RANKS] = {};  // those that do not count may not leave
    const uint32_t n = gmmu_round_least(v->n_kept - v->kept_at, GMMU_RANKS);
    const uint32_t *at = &v->kept[v->kept_at];
    for (uint32_t i = 0; i < n; i++) seen[i] = u->frames->table.seen[at[i]];
    gmmu_round_offer(u, l, by, seen, 0, at, n);
    v->kept_at += n;
}

// Offers the frames at the hand, at most GMMU_RANKS.
static inline __attribute__((always_inline)) void gmmu_round_hand(const gmmu_searched *u,
                                                                  gmmu_round_list *l,
                                                                  const gmmu_rerank *by) {
    gmmu_victim_select *v = u->select;
    const uint32_t first = v->hand,
                   n = gmmu_round_least(gmmu_round_least(v->left, u->enabled - first), GMMU_RANKS);
    gmmu_round_offer(u, l, by, &u->frames->table.seen[first], first, NULL, n);
    v->hand = first + n == u->enabled ? 0 : first + n;
    v->left -= n;
}

// Has the list a frame that the hand will meet in this round?
static inline bool gmmu_round_meets_again(const gmmu_round_list *l, const gmmu_victim_select *v,
                                          uint32_t frames) {
    bool again = false;
    for (unsigned i = 0; i < l->n; i++) {
        const uint32_t f = l->frame[i], wrap = f < v->hand ? frames : 0;
        again |= f + wrap - v->hand < v->left;
    }
    return again;
}

// CAND of every frame of a round, the one under way or a new one; BY, if not NULL, ranks anew.
static inline __attribute__((always_inline)) void gmmu_search_round(const gmmu_searched *u,
                                                                    const gmmu_rerank *by) {
    gmmu_victim_select *v = u->select;
    const uint32_t frames = u->enabled, time = u->now.time, mask = u->now.time_mask;
    (void)gmmu_victim_select_next(v, frames);
    gmmu_round_list l = {.rank = v->rank,
                         .frame = v->ranked,
                         .worst = UINT64_MAX,
                         .n = v->n,
                         .pool = v->pool,
                         .again = false};
    for (unsigned i = 0; i < v->n; i++) {
        const gmmu_victim_cand c = v->list[i];
        l.rank[i] = gmmu_victim_select_rank(c.priority, (time - c.last) & mask);
        l.frame[i] = c.frame;
    }
    if (v->n == v->pool)
        l.worst = l.rank[v->n - 1];
    while (v->kept_at < v->n_kept) gmmu_round_kept(u, &l, by);
    l.again = gmmu_round_meets_again(&l, v, frames);
    while (v->left != 0) gmmu_round_hand(u, &l, by);
    __builtin_prefetch(&u->frames->table.page[l.frame[0]], 1);  // the decision reads it
    v->n = l.n;
    for (unsigned i = 0; i < l.n; i++) {
        const uint32_t age = ~(uint32_t)l.rank[i];
        v->list[i] = (gmmu_victim_cand){.frame = l.frame[i],
                                        .last = (time - age) & mask,
                                        .priority = (uint32_t)(l.rank[i] >> 32)};
    }
    v->active = false;
    v->rounds++;
    const uint32_t next = gmmu_round_least(v->k, frames - v->hand);  // what the next search meets
    for (uint32_t i = 0; i < next; i += 8)
        __builtin_prefetch(&u->frames->table.seen[v->hand + i], 1);
}

#ifdef __cplusplus
}
#endif
#endif
