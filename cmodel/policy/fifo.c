// SPDX-License-Identifier: Apache-2.0
// fifo.c: first in, first out: a ring of frames.
#include <stdlib.h>

#include "policy/counting.h"
#include "policy/option.h"

typedef struct {
    uint8_t *resident;  // of each page
    uint32_t cap;
    uint32_t *ring;  // `used` pages from place `oldest` on, in order of insertion
    uint32_t ring_cap;
    uint32_t frames, used, oldest;
    gmmu_eligible eligible;
} fifo;

static void destroy(void *state) {
    fifo *s = state;
    if (s != NULL) {
        free(s->resident);
        free(s->ring);
        free(s);
    }
}

static void *create(const gmmu_policy_config *config, gmmu_error *err) {
    if (!gmmu_policy_no_options("fifo", config, err)) {
        return NULL;
    }
    const uint32_t pages = gmmu_policy_expected(config, UINT32_MAX);
    const uint32_t places = gmmu_policy_expected(config, config->frames);
    fifo *s = calloc(1, sizeof *s);
    if (s == NULL || !GMMU_EXPECT(s->resident, s->cap, pages, 0) ||
        !GMMU_EXPECT(s->ring, s->ring_cap, places, 0)) {
        destroy(s);
        (void)gmmu_policy_no_memory("fifo", err);
        return NULL;
    }
    s->frames = config->frames;
    s->eligible = config->eligible;
    return s;
}

// The place that is I places behind the oldest page's.
static uint32_t place(const fifo *s, uint32_t i) {
    return i < s->frames - s->oldest ? s->oldest + i : s->oldest + i - s->frames;
}

// Room for one more place.
static bool reserve(fifo *s) {
    return s->used == s->frames || GMMU_ROOM(s->ring, s->ring_cap, place(s, s->used), 0);
}

// The page that leaves, or GMMU_NO_PAGE: no page may. The older pages move up.
static uint32_t evict(fifo *s) {
    uint32_t i = 0;
    while (i < s->used && !gmmu_may_leave(&s->eligible, s->ring[place(s, i)])) {
        i++;
    }
    if (i == s->used) {
        return GMMU_NO_PAGE;
    }
    const uint32_t page = s->ring[place(s, i)];
    for (; i != 0; i--) {
        s->ring[place(s, i)] = s->ring[place(s, i - 1)];
    }
    s->oldest = place(s, 1);
    s->used--;
    s->resident[page] = 0;
    return page;
}

static int touch(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                 gmmu_error *err) {
    (void)walk;
    fifo *s = state;
    if (!GMMU_ROOM(s->resident, s->cap, page, 0) || (s->resident[page] == 0 && !reserve(s))) {
        return gmmu_policy_no_memory("fifo", err);
    }
    gmmu_outcome_begin(out, page, s->resident[page] == 0);
    if (!out->fault || (s->used == s->frames && !gmmu_outcome_leave(out, evict(s)))) {
        return GMMU_OK;
    }
    s->ring[place(s, s->used++)] = page;
    s->resident[page] = 1;
    return GMMU_OK;
}

static int evict_ahead(void *state, gmmu_outcome *out, gmmu_error *err) {
    (void)err;
    fifo *s = state;
    gmmu_outcome_begin(out, GMMU_NO_PAGE, false);
    (void)gmmu_outcome_leave(out, evict(s));
    return GMMU_OK;
}

static void prefetch(const void *state, uint32_t page) {
    const fifo *s = state;
    if (page < s->cap) {
        __builtin_prefetch(&s->resident[page], 1);
    }
}

GMMU_POLICY_REPLAY(touch, prefetch)

const gmmu_policy gmmu_policy_fifo = {
    .name = "fifo",
    .help = "first in, first out",
    .rule = "came first of all resident pages",
    .page_only = true,
    .obeys = true,
    .create = create,
    .access = touch,
    .evict = evict_ahead,
    .prefetch = prefetch,
    .destroy = destroy,
    .replay = replay,
};
