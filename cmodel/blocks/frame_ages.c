// SPDX-License-Identifier: Apache-2.0
// frame_ages.c: see frame_ages.h.
#include "blocks/frame_ages.h"

#include <stdlib.h>

#include "blocks/log_bin.h"

int gmmu_frame_ages_init(gmmu_frame_ages *a, const gmmu_config *cfg, gmmu_arena *arena) {
    const unsigned lists = cfg->classes << cfg->gen_w;
    *a = (gmmu_frame_ages){.gen_w = cfg->gen_w, .bins = cfg->bins};
    if (lists > GMMU_MOST_AGES_LISTS)
        return 0;
    a->lists = lists;
    a->node = gmmu_take(arena, cfg->frames, sizeof *a->node);
    a->late = gmmu_take(arena, cfg->frames, sizeof *a->late);
    a->list = gmmu_take(arena, lists, sizeof *a->list);
    a->some = gmmu_take(arena, lists / 64 + 1, sizeof *a->some);
    int32_t *from = gmmu_take(arena, (size_t)lists * cfg->bins, sizeof *from);
    if (from == NULL)
        return 1;
    for (unsigned l = 0; l < lists; l++) a->list[l].from = from + (size_t)l * cfg->bins;
    return 0;
}

void gmmu_frame_ages_keep(gmmu_frame_ages *a, uint32_t frames) {
    a->frames = a->n_late = frames;
    for (uint32_t f = 0; f < frames; f++) {
        a->node[f] = (gmmu_ages_node){.list = -1, .first = UINT8_MAX, .late = true};
        a->late[f] = f;
    }
    for (unsigned i = 0; frames != 0 && i < a->lists; i++) {
        gmmu_ages_list *l = &a->list[i];
        l->oldest = l->newest = GMMU_NO_FRAME;
        for (unsigned b = 0; b < a->bins; b++) l->from[b] = GMMU_NO_FRAME;
        a->some[i / 64] = 0;
    }
}

static uint32_t age(const gmmu_frame_table *ft, int32_t frame, uint32_t time) {
    return (time - ft->seen[frame].last) & ft->time_mask;
}

// BIN becomes one of the bins whose `from` is N.
static void mark(gmmu_ages_node *n, unsigned bin) {
    n->first = bin < n->first ? (uint8_t)bin : n->first;
    n->last = bin > n->last ? (uint8_t)bin : n->last;
}

// The bins of L whose `from` is frame IS get `from` BY.
static void begin_at(gmmu_frame_ages *a, gmmu_ages_list *l, int32_t is, int32_t by) {
    gmmu_ages_node *n = &a->node[is];
    for (unsigned b = n->first; b <= n->last; b++) {
        if (l->from[b] != is)
            continue;
        l->from[b] = by;
        if (by != GMMU_NO_FRAME)
            mark(&a->node[by], b);
    }
    n->first = UINT8_MAX;
    n->last = 0;
}

// Makes OLDER and NEWER (each may be GMMU_NO_FRAME) neighbours in L.
static void join(gmmu_frame_ages *a, gmmu_ages_list *l, int32_t older, int32_t newer) {
    *(older == GMMU_NO_FRAME ? &l->oldest : &a->node[older].newer) = newer;
    *(newer == GMMU_NO_FRAME ? &l->newest : &a->node[newer].older) = older;
}

// FRAME leaves its list, if FRAME is in a list.
static void leave(gmmu_frame_ages *a, int32_t frame) {
    gmmu_ages_node *n = &a->node[frame];
    if (n->list < 0)
        return;
    gmmu_ages_list *l = &a->list[n->list];
    begin_at(a, l, frame, n->newer == GMMU_NO_FRAME ? n->older : n->newer);
    join(a, l, n->older, n->newer);
    if (l->oldest == GMMU_NO_FRAME)
        a->some[n->list / 64] &= ~(1ULL << n->list % 64);
    n->list = -1;
}

// Is A behind B, another frame, in the order of ages?
static bool behind(const gmmu_frame_table *ft, int32_t a, int32_t b) {
    const uint32_t later = (ft->seen[a].last - ft->seen[b].last) & ft->time_mask;
    return later == 0 ? a > b : later <= ft->time_mask / 2;
}

// FRAME takes its place in its list; the search for the place begins at the newest frame.
static void enter(gmmu_frame_ages *a, const gmmu_frame_table *ft, int32_t frame) {
    const gmmu_frame_seen is = ft->seen[frame];
    gmmu_ages_node *n = &a->node[frame];
    n->list = (int16_t)((unsigned)is.row << a->gen_w | is.gen);
    gmmu_ages_list *l = &a->list[n->list];
    n->newer = GMMU_NO_FRAME;
    n->older = l->newest;
    while (n->older != GMMU_NO_FRAME && behind(ft, n->older, frame)) {
        n->newer = n->older;
        n->older = a->node[n->older].older;
    }
    if (n->newer != GMMU_NO_FRAME)
        begin_at(a, l, n->newer, frame);
    join(a, l, n->older, frame);
    join(a, l, frame, n->newer);
    a->some[n->list / 64] |= 1ULL << n->list % 64;
}

static int compare(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void gmmu_frame_ages_settle(gmmu_frame_ages *a, const gmmu_frame_table *ft, uint32_t time) {
    enum { FEW = 16 };
    for (uint32_t i = 0; i < a->n_late; i++) {
        const int32_t f = (int32_t)a->late[i];
        leave(a, f);
        a->node[f].late = false;
        a->late[i] = (uint64_t)~age(ft, f, time) << 32 | (uint32_t)f;
    }
    if (a->n_late >
        FEW)  // the oldest first: each frame then becomes the newest, or nearly the newest
        qsort(a->late, a->n_late, sizeof *a->late, compare);
    for (uint32_t i = 0; i < a->n_late; i++) {
        const uint32_t f = (uint32_t)a->late[i];
        if (gmmu_frame_table_eligible(ft, f))
            enter(a, ft, (int32_t)f);
    }
    a->n_late = 0;
}

int32_t gmmu_frame_ages_oldest(gmmu_frame_ages *a, const gmmu_frame_table *ft, unsigned l,
                               unsigned bin, uint32_t time) {
    int32_t *from = &a->list[l].from[bin];
    if (*from != GMMU_NO_FRAME && age(ft, *from, time) < gmmu_bin_low(bin))
        return GMMU_NO_FRAME;  // the frames behind are younger still
    const uint64_t end = bin + 1 == a->bins ? UINT64_MAX : gmmu_bin_low(bin + 1);
    int32_t f = *from == GMMU_NO_FRAME ? a->list[l].oldest : *from;
    // a frame that is too old for the bin stays too old: each is passed once
    while (age(ft, f, time) >= end && a->node[f].newer != GMMU_NO_FRAME) f = a->node[f].newer;
    *from = f;
    mark(&a->node[f], bin);
    const uint32_t its = age(ft, f, time);
    return its < end && its >= gmmu_bin_low(bin) ? f : GMMU_NO_FRAME;
}
