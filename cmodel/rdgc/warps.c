// SPDX-License-Identifier: Apache-2.0
// warps.c: see warps.h.
#include "rdgc/warps.h"

#include <stdlib.h>
#include <string.h>

#include "rdgc/random.h"

enum { NONE = UINT32_MAX };

typedef struct {
    uint32_t at, end;  // its records, in `order` of its slot
    uint32_t flying;   // reads that it issued since it waited for all
    uint64_t from;     // step from which it may issue
    uint64_t due;      // step at which the data of its reads are there
    uint64_t age;      // number of the warp in the order in which blocks began
} warp;

struct gmmu_rdgc_warps {
    gmmu_rdgc_schedule schedule;
    uint32_t schedulers, reads, gap;
    uint64_t random;
    const gmmu_rdgc_grid *grid;
    gmmu_rdgc_queue *queue;
    uint32_t slots;   // resident blocks
    uint64_t begun;   // warps so far
    warp *warps;      // [slot][warp of the block]
    uint32_t *live;   // [slot] warps with records left
    uint32_t *order;  // [slot][longest] records of the slot's block, warp by warp
    size_t longest;   // records of a block
    size_t warp_room, order_room, slot_room;
    uint32_t *last;    // [scheduler] warp that issued last
    uint32_t *picked;  // [scheduler] warps that were picked
};

gmmu_rdgc_warps *gmmu_rdgc_warps_create(const gmmu_rdgc_config *c, uint64_t seed) {
    gmmu_rdgc_warps *w = calloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    w->schedule = c->schedule;
    w->schedulers = c->schedulers;
    w->reads = c->reads;
    w->gap = c->gap;
    w->random = seed;
    w->last = calloc(c->schedulers, sizeof *w->last);
    w->picked = calloc(c->schedulers, sizeof *w->picked);
    if (w->last != NULL && w->picked != NULL)
        return w;
    gmmu_rdgc_warps_destroy(w);
    return NULL;
}

void gmmu_rdgc_warps_destroy(gmmu_rdgc_warps *w) {
    if (w == NULL)
        return;
    free(w->warps);
    free(w->live);
    free(w->order);
    free(w->last);
    free(w->picked);
    free(w);
}

// Blocks without a record end at once.
void gmmu_rdgc_warps_start(gmmu_rdgc_warps *w, uint32_t slot, uint64_t now) {
    const gmmu_rdgc_grid *g = w->grid;
    while (w->live[slot] == 0 && w->queue->next < w->queue->count) {
        uint32_t block = w->queue->blocks[w->queue->next++];
        uint32_t from = g->first[block];
        uint32_t to = g->first[block + 1];
        warp *mine = w->warps + (size_t)slot * g->warps;
        uint32_t *order = w->order + slot * w->longest;
        for (uint32_t i = 0; i < g->warps; i++) mine[i] = (warp){.from = now, .age = w->begun + i};
        w->begun += g->warps;
        for (uint32_t i = from; i < to; i++) mine[g->records[i].warp].end++;
        uint32_t sum = 0;
        for (uint32_t i = 0; i < g->warps; i++) {
            w->live[slot] += mine[i].end != 0;
            uint32_t n = mine[i].end;
            mine[i].at = mine[i].end = sum;
            sum += n;
        }
        for (uint32_t i = from; i < to; i++) order[mine[g->records[i].warp].end++] = i;
    }
}

static bool room(void **at, size_t *have, size_t want, size_t each) {
    want = want > 0 ? want : 1;
    if (want <= *have)
        return true;
    free(*at);
    *at = calloc(want, each);
    *have = *at == NULL ? 0 : want;
    return *at != NULL;
}

bool gmmu_rdgc_warps_begin(gmmu_rdgc_warps *w, const gmmu_rdgc_grid *grid, gmmu_rdgc_queue *queue,
                           uint32_t resident) {
    w->grid = grid;
    w->queue = queue;
    w->slots = resident;
    w->begun = 0;
    w->longest = 0;
    for (uint32_t i = 0; i < grid->blocks; i++) {
        size_t n = grid->first[i + 1] - grid->first[i];
        w->longest = n > w->longest ? n : w->longest;
    }
    if (!room((void **)&w->warps, &w->warp_room, (size_t)resident * grid->warps,
              sizeof *w->warps) ||
        !room((void **)&w->live, &w->slot_room, resident, sizeof *w->live) ||
        !room((void **)&w->order, &w->order_room, resident * w->longest, sizeof *w->order))
        return false;
    for (uint32_t k = 0; k < w->schedulers; k++) w->last[k] = NONE;
    memset(w->live, 0, resident * sizeof *w->live);
    return true;
}

// The number in the grid of the record that warp NUMBER issues next, and the record.
static uint32_t record_number(const gmmu_rdgc_warps *w, uint32_t number) {
    size_t slot = number / w->grid->warps;
    return w->order[slot * w->longest + w->warps[number].at];
}

static const gmmu_rdgc_record *record_of(const gmmu_rdgc_warps *w, uint32_t number) {
    return &w->grid->records[record_number(w, number)];
}

// The step from which warp NUMBER may issue; UINT64_MAX: it has ended.
static uint64_t issues_at(const gmmu_rdgc_warps *w, uint32_t number) {
    const warp *x = &w->warps[number];
    if (w->live[number / w->grid->warps] == 0 || x->at == x->end)
        return UINT64_MAX;
    bool waits = x->flying == w->reads || record_of(w, number)->write;
    return waits && x->due > x->from ? x->due : x->from;
}

// The warp that scheduler K issues from at step NOW; NONE: no warp can. Scheduler K has the warps
// whose number is K modulo the number of schedulers.
static uint32_t choose(gmmu_rdgc_warps *w, uint32_t k, uint64_t now) {
    uint32_t all = w->slots * w->grid->warps;
    uint32_t last = w->last[k];
    if (w->schedule == GMMU_RDGC_GTO) {
        if (last != NONE && issues_at(w, last) <= now)
            return last;
        uint32_t oldest = NONE;
        for (uint32_t i = k; i < all; i += w->schedulers)
            if (issues_at(w, i) <= now &&
                (oldest == NONE || w->warps[i].age < w->warps[oldest].age))
                oldest = i;
        return oldest;
    }
    if (all <= k)
        return NONE;
    if (w->schedule == GMMU_RDGC_LOOSE) {
        uint32_t ready = 0;
        for (uint32_t i = k; i < all; i += w->schedulers) ready += issues_at(w, i) <= now;
        if (ready == 0)
            return NONE;
        uint32_t lot = gmmu_rdgc_random(&w->random, ready);
        uint32_t i = k;
        for (;; i += w->schedulers)
            if (issues_at(w, i) <= now && lot-- == 0)
                return i;
    }
    uint32_t at = last == NONE ? k : last + w->schedulers;
    for (uint32_t tries = (all - k + w->schedulers - 1) / w->schedulers; tries > 0; tries--) {
        at = at < all ? at : k;
        if (issues_at(w, at) <= now)
            return at;
        at += w->schedulers;
    }
    return NONE;
}

uint32_t gmmu_rdgc_warps_pick(gmmu_rdgc_warps *w, uint64_t now, uint32_t picked[]) {
    uint32_t n = 0;
    for (uint32_t k = 0; k < w->schedulers; k++) {
        uint32_t number = choose(w, k, now);
        if (number == NONE)
            continue;
        w->last[k] = number;
        w->picked[n] = number;
        picked[n++] = record_number(w, number);
    }
    return n;
}

void gmmu_rdgc_warps_issued(gmmu_rdgc_warps *w, uint32_t i, uint64_t now, uint64_t due) {
    uint32_t number = w->picked[i];
    uint32_t slot = number / w->grid->warps;
    warp *x = &w->warps[number];
    if (x->due <= now)
        x->flying = 0;
    if (!record_of(w, number)->write) {
        x->flying++;
        x->due = due > x->due ? due : x->due;
    }
    x->from = now + w->gap;
    if (++x->at == x->end && --w->live[slot] == 0)
        gmmu_rdgc_warps_start(w, slot, now + 1);
}

uint64_t gmmu_rdgc_warps_wake(const gmmu_rdgc_warps *w) {
    uint64_t wake = UINT64_MAX;
    for (uint32_t i = 0; i < w->slots * w->grid->warps; i++) {
        uint64_t at = issues_at(w, i);
        wake = at < wake ? at : wake;
    }
    return wake;
}
