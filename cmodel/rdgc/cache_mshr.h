// SPDX-License-Identifier: Apache-2.0
// cache_mshr.h: outstanding blocks: misses that wait in MSHRs, in order of insertion. Part of
// cache.c.
#ifndef GMMU_RDGC_CACHE_MSHR_H
#define GMMU_RDGC_CACHE_MSHR_H

#include "rdgc/cache_row.h"

static inline void arrive(gmmu_rdgc_cache *c, uint32_t i, uint64_t step) {
    fill(c, c->out_row[i], c->out_hash[i], c->out_block[i]);
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

// Reserves or joins an MSHR for a miss: a read, or a write that is not bypassed.
static inline gmmu_rdgc_status reserve_mshr(gmmu_rdgc_cache *c, const item *it) {
    for (uint32_t i = search(c->out_hash, c->head, c->tail, it->hash); i < c->tail;
         i = search(c->out_hash, i + 1, c->tail, it->hash)) {
        if (c->out_block[i] != it->block)
            continue;
        if (c->out_merges[i] == c->config.merges)
            return GMMU_RDGC_FAILED;
        c->out_merges[i]++;
        c->counts.merges++;
        return GMMU_RDGC_MERGED;
    }
    uint32_t set = c->banks[it->bank].mshr_set;
    if (c->busy[set] == c->config.mshrs)
        return GMMU_RDGC_FAILED;
    uint64_t due = c->step + c->latency[++c->busy[set]];
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
