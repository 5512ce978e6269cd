// SPDX-License-Identifier: Apache-2.0
// cache_mshr.h: outstanding blocks: misses that wait in MSHRs, in order of insertion. Part of
// cache.c.
#ifndef GMMU_RDGC_CACHE_MSHR_H
#define GMMU_RDGC_CACHE_MSHR_H

#include "rdgc/cache_row.h"

static inline void arrive(gmmu_rdgc_cache *c, uint32_t i, uint64_t step) {
    if (c->config.allocate == GMMU_RDGC_ON_FILL)
        fill(c, c->out_row[i], c->out_hash[i], c->out_block[i]);
    else
        c->counts.fills++;
    c->busy[c->out_set[i]]--;
    if (c->watch != NULL && c->watch->update != NULL)
        c->watch->update(c->watch->ctx, step, c->out_block[i]);
}

// Fills all blocks that are due at step UNTIL or earlier. STEP is the step that a watcher is told.
static inline void arrive_until(gmmu_rdgc_cache *c, uint64_t until, uint64_t step) {
    if (until < c->due)
        return;
    if (c->ordered) {
        while (c->head < c->tail && c->out_due[c->head] <= until) arrive(c, c->head++, step);
        c->due = c->head < c->tail ? c->out_due[c->head] : UINT64_MAX;
    } else {
        uint32_t to = c->head;
        uint64_t last = 0;
        c->due = UINT64_MAX;
        c->ordered = true;
        for (uint32_t i = c->head; i < c->tail; i++) {
            uint64_t due = c->out_due[i];
            if (due <= until) {
                arrive(c, i, step);
                continue;
            }
            c->ordered &= due >= last;
            last = due;
            c->due = due < c->due ? due : c->due;
            c->out_hash[to] = c->out_hash[i];
            c->out_merges[to] = c->out_merges[i];
            c->out_set[to] = c->out_set[i];
            c->out_block[to] = c->out_block[i];
            c->out_row[to] = c->out_row[i];
            c->out_due[to++] = due;
        }
        c->tail = to;
    }
    if (c->head == c->tail)
        c->head = c->tail = 0;
}

// Moves the queue to the front of its arrays, which makes room behind the queue.
static inline void compact(gmmu_rdgc_cache *c) {
    uint32_t n = c->tail - c->head;
    memmove(c->out_hash, c->out_hash + c->head, n * sizeof *c->out_hash);
    memmove(c->out_merges, c->out_merges + c->head, n * sizeof *c->out_merges);
    memmove(c->out_set, c->out_set + c->head, n * sizeof *c->out_set);
    memmove(c->out_block, c->out_block + c->head, n * sizeof *c->out_block);
    memmove(c->out_row, c->out_row + c->head, n * sizeof *c->out_row);
    memmove(c->out_due, c->out_due + c->head, n * sizeof *c->out_due);
    c->head = 0;
    c->tail = n;
}

enum { NO_MSHR = UINT32_MAX, NO_WAY = UINT32_MAX };

// Returns the outstanding block's place in the queue, or NO_MSHR.
static inline uint32_t outstanding(const gmmu_rdgc_cache *c, uint16_t hash, uint64_t block) {
    for (uint32_t i = search(c->out_hash, c->head, c->tail, hash); i < c->tail;
         i = search(c->out_hash, i + 1, c->tail, hash))
        if (c->out_block[i] == block)
            return i;
    return NO_MSHR;
}

// Joins the outstanding block at place I of the queue.
static inline gmmu_rdgc_status join_mshr(gmmu_rdgc_cache *c, uint32_t i) {
    if (c->out_merges[i] == c->config.merges)
        return GMMU_RDGC_FAILED;
    c->out_merges[i]++;
    c->last_due = c->out_due[i];
    c->counts.merges++;
    return GMMU_RDGC_MERGED;
}

// Returns the position of the block of a full row that leaves for a miss under ON_MISS: the first
// in the order of the replacement that is not outstanding, or NO_WAY.
static inline uint32_t victim_arrived(const gmmu_rdgc_cache *c, unsigned char *row) {
    const uint16_t *hash_list = row_hash(row);
    const uint16_t *way_list = row_ways(c, row);
    const uint64_t *tags = row_tags(c, row);
    bool nru = c->config.replacement == GMMU_RDGC_NRU;
    uint32_t best = NO_WAY;
    uint64_t best_rank = UINT64_MAX;
    for (uint32_t at = c->config.ways; at-- > 0;) {
        uint16_t way = way_list[at];
        uint64_t rank = nru ? row_counts(c, row)[way] << 32 | way : c->config.ways - at;
        if (rank < best_rank && outstanding(c, hash_list[at], tags[way]) == NO_MSHR) {
            best = at;
            best_rank = rank;
        }
    }
    return best;
}

// Reserves or joins an MSHR for a miss: a read, or a write that is not bypassed.
static inline gmmu_rdgc_status reserve_mshr(gmmu_rdgc_cache *c, const item *it) {
    uint32_t joined = outstanding(c, it->hash, it->block);
    if (joined != NO_MSHR)
        return join_mshr(c, joined);
    uint32_t set = c->banks[it->bank].mshr_set;
    if (c->busy[set] == c->config.mshrs)
        return GMMU_RDGC_FAILED;
    if (c->config.allocate == GMMU_RDGC_ON_MISS) {
        uint32_t at = *row_used(it->row);
        if (at == c->config.ways && (at = victim_arrived(c, it->row)) == NO_WAY)
            return GMMU_RDGC_FAILED;
        put(c, it->row, at, it->hash, it->block);
    }
    uint64_t due = c->step + c->latency[++c->busy[set]];
    c->last_due = due;
    if (c->tail == c->room)
        compact(c);
    uint32_t i = c->tail++;
    c->ordered &= i == c->head || due >= c->out_due[i - 1];
    c->due = due < c->due ? due : c->due;
    c->out_hash[i] = it->hash;
    c->out_merges[i] = 0;
    c->out_set[i] = set;
    c->out_block[i] = it->block;
    c->out_row[i] = it->row;
    c->out_due[i] = due;
    return GMMU_RDGC_MISS;
}

#endif
