// SPDX-License-Identifier: Apache-2.0
// gmt_host.c: see gmt_host.h. The tree is Fenwick's over places in order of time (Olken's method,
// LBL-32370, 1993), 64 of them in a word; when they run out, those taken move together.
#include "driver/gmt_host.h"

#include <stdlib.h>
#include <string.h>

enum { MORE_PAGES = 1024, FIRST_PLACES = 4096 };

// ---- the tree

static void take(gmmu_rd_tree *t, uint32_t place, bool taken) {
    t->taken[place / 64] ^= UINT64_C(1) << (place % 64);
    for (uint32_t i = place / 64 + 1; i <= t->places / 64; i += i & (0U - i)) {
        t->tree[i] += taken ? 1U : UINT32_MAX;
    }
}

// Places taken before PLACE.
static uint32_t before(const gmmu_rd_tree *t, uint32_t place) {
    const uint64_t below = (UINT64_C(1) << (place % 64)) - 1;
    uint32_t n = (uint32_t)__builtin_popcountll(t->taken[place / 64] & below);
    for (uint32_t i = place / 64; i > 0; i -= i & (0U - i)) {
        n += t->tree[i];
    }
    return n;
}

// Room for PAGE; false when there is no memory.
static bool room(gmmu_rd_tree *t, uint32_t page) {
    if (page < t->pages) {
        return true;
    }
    const uint32_t pages = page + page / 4 + MORE_PAGES;
    uint32_t *last = realloc(t->last, pages * sizeof *last);
    if (last == NULL) {
        return false;
    }
    t->last = last;
    uint64_t *time = realloc(t->time, pages * sizeof *time);
    if (time == NULL) {
        return false;
    }
    t->time = time;
    memset(last + t->pages, 0, (pages - t->pages) * sizeof *last);
    t->pages = pages;
    return true;
}

// Moves the places taken together, into twice as many if half of them are.
static bool gather(gmmu_rd_tree *t) {
    uint32_t places = t->places == 0 ? FIRST_PLACES : t->places;
    if (t->live > places / 2) {
        if (places > UINT32_MAX / 2) {
            return false;
        }
        places *= 2;
    }
    uint32_t *owner = calloc(places, sizeof *owner);
    uint64_t *taken = calloc(places / 64, sizeof *taken);
    uint32_t *tree = calloc((size_t)places / 64 + 1, sizeof *tree);
    if (owner == NULL || taken == NULL || tree == NULL) {
        free(owner);
        free(taken);
        free(tree);
        return false;
    }
    uint32_t used = 0;
    for (uint32_t i = 0; i < t->used; i++) {
        if (t->last[t->owner[i]] == i + 1) {
            owner[used++] = t->owner[i];
            t->last[t->owner[i]] = used;
        }
    }
    free(t->owner);
    free(t->taken);
    free(t->tree);
    t->owner = owner;
    t->taken = taken;
    t->tree = tree;
    t->places = places;
    t->used = used;
    for (uint32_t i = 0; i < used; i++) {
        take(t, i, true);
    }
    return true;
}

bool gmmu_rd_tree_access(gmmu_rd_tree *t, uint32_t page, uint64_t time, uint64_t *vtd,
                         uint64_t *rd) {
    if (!room(t, page) || (t->used == t->places && !gather(t))) {
        return false;
    }
    *vtd = *rd = 0;
    if (t->last[page] != 0) {
        const uint32_t was = t->last[page] - 1;
        *vtd = time - t->time[page];
        *rd = t->live - 1 - before(t, was);
        take(t, was, false);
    } else {
        t->live++;
    }
    take(t, t->used, true);
    t->owner[t->used++] = page;
    t->last[page] = t->used;
    t->time[page] = time;
    return true;
}

void gmmu_rd_tree_free(gmmu_rd_tree *t) {
    free(t->last);
    free(t->time);
    free(t->owner);
    free(t->taken);
    free(t->tree);
    *t = (gmmu_rd_tree){0};
}

// ---- the line

bool gmmu_gmt_add(gmmu_gmt_sums *s, uint64_t vtd, uint64_t rd) {
    if (vtd >= GMMU_GMT_MOST_VTD || rd >= GMMU_GMT_MOST_VTD || s->n == GMMU_GMT_MOST_PAIRS) {
        return false;
    }
    s->n++;
    s->x += vtd;
    s->y += rd;
    s->xx += (gmmu_i128)vtd * vtd;
    s->xy += (gmmu_i128)vtd * rd;
    return true;
}

gmmu_gmt_line gmmu_gmt_fit(const gmmu_gmt_sums *s) {
    gmmu_gmt_line line = {.scale = s->n * s->xx - (gmmu_i128)s->x * s->x};
    line.known = line.scale > 0;
    line.slope = s->n * s->xy - (gmmu_i128)s->x * s->y;
    line.offset = s->y * s->xx - s->x * s->xy;
    return line;
}

uint64_t gmmu_gmt_threshold(const gmmu_gmt_line *line, uint64_t size) {
    const gmmu_i128 lacks = (gmmu_i128)size * line->scale - line->offset;
    if (lacks <= 0) {
        return 0;
    }
    if (line->slope <= 0) {
        return GMMU_GMT_NEVER;
    }
    const gmmu_i128 v = (lacks + line->slope - 1) / line->slope;
    return v < (gmmu_i128)GMMU_GMT_NEVER ? (uint64_t)v : GMMU_GMT_NEVER;
}

// ---- all of it

void gmmu_gmt_host_init(gmmu_gmt_host *h, uint64_t tier1, uint64_t limit) {
    *h = (gmmu_gmt_host){.most = GMMU_GMT_MOST_PAIRS,
                         .every = 10000,
                         .tier1 = tier1,
                         .limit = limit > tier1 ? limit : tier1};
}

void gmmu_gmt_host_pair(gmmu_gmt_host *h, uint64_t vtd, uint64_t rd) {
    if (h->sums.n >= h->most || !gmmu_gmt_add(&h->sums, vtd, rd)) {
        h->refused++;
        return;
    }
    if (h->sums.n % h->every != 0) {
        return;
    }
    const gmmu_gmt_line line = gmmu_gmt_fit(&h->sums);
    if (line.known) {
        h->line = line;
        h->near = gmmu_gmt_threshold(&line, h->tier1);
        h->far = gmmu_gmt_threshold(&line, h->limit);
        h->lines++;
    }
}

bool gmmu_gmt_host_access(gmmu_gmt_host *h, uint32_t page, uint64_t time, unsigned shift) {
    if (h->sums.n >= h->most) {
        return true;
    }
    uint64_t vtd = 0;
    uint64_t rd = 0;
    if (!gmmu_rd_tree_access(&h->tree, page, time, &vtd, &rd)) {
        return false;
    }
    if (vtd != 0) {
        gmmu_gmt_host_pair(h, vtd, rd << shift);
    }
    if (h->sums.n >= h->most) {
        gmmu_rd_tree_free(&h->tree);  // nobody asks it any more
    }
    return true;
}

void gmmu_gmt_host_free(gmmu_gmt_host *h) {
    gmmu_rd_tree_free(&h->tree);
}
