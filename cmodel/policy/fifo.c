// SPDX-License-Identifier: Apache-2.0
// fifo.c: first in, first out: a ring of frames.
#include <stdlib.h>

#include "policy/option.h"

typedef struct {
    uint8_t *resident;  // of each page
    uint32_t cap;
    uint32_t *ring;  // page of each frame, in order of insertion
    uint32_t ring_cap;
    uint32_t frames, used, oldest;
} fifo;

static void *create(const gmmu_policy_config *config, gmmu_error *err) {
    if (!gmmu_policy_no_options("fifo", config, err)) {
        return NULL;
    }
    fifo *s = calloc(1, sizeof *s);
    if (s == NULL) {
        (void)gmmu_policy_no_memory("fifo", err);
        return NULL;
    }
    s->frames = config->frames;
    return s;
}

// Room for PAGE, and for one more frame.
static bool reserve(fifo *s, uint32_t page) {
    return GMMU_ROOM(s->resident, s->cap, page, 0) &&
           (s->used == s->frames || GMMU_ROOM(s->ring, s->ring_cap, s->used, 0));
}

static int touch(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                 gmmu_error *err) {
    (void)walk;
    fifo *s = state;
    if (!reserve(s, page)) {
        return gmmu_policy_no_memory("fifo", err);
    }
    gmmu_outcome_begin(out, page, s->resident[page] == 0);
    if (!out->fault) {
        return GMMU_OK;
    }
    uint32_t frame = s->used;
    if (s->used < s->frames) {
        s->used++;
    } else {
        frame = s->oldest;
        s->oldest = frame + 1 == s->frames ? 0 : frame + 1;
        gmmu_outcome_evict(out, s->ring[frame]);
        s->resident[s->ring[frame]] = 0;
    }
    s->ring[frame] = page;
    s->resident[page] = 1;
    return GMMU_OK;
}

static void prefetch(const void *state, uint32_t page) {
    const fifo *s = state;
    if (page < s->cap) {
        __builtin_prefetch(&s->resident[page], 1);
    }
}

static void destroy(void *state) {
    fifo *s = state;
    free(s->resident);
    free(s->ring);
    free(s);
}

const gmmu_policy gmmu_policy_fifo = {
    .name = "fifo",
    .help = "first in, first out",
    .page_only = true,
    .create = create,
    .access = touch,
    .prefetch = prefetch,
    .destroy = destroy,
};
