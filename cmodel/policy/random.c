// SPDX-License-Identifier: Apache-2.0
// random.c: any resident page, each with the same chance. Needs no statistics; what a policy must
// beat.
//
// Parameter: seed (1; gmmu replay --seed). The numbers are splitmix64's (Steele, Lea and Flood,
// OOPSLA 2014); frame floor(x · frames / 2^64) leaves, whose chances differ by less than 2^-32.
// Frames fill in order; a page takes the frame of the one that left. Nothing else decides.
#include <stdlib.h>

#include "policy/draw.h"
#include "policy/option.h"

typedef struct {
    uint32_t *frame_of;  // of each page, UINT32_MAX when it is not resident
    uint32_t cap;
    uint32_t *page_in;  // of each frame
    uint32_t page_in_cap;
    uint32_t frames, used;
    uint64_t seed;
} any;

static void destroy(void *state) {
    any *s = state;
    free(s->frame_of);
    free(s->page_in);
    free(s);
}

static void *create(const gmmu_policy_config *config, gmmu_error *err) {
    uint64_t seed = config->seed;
    const gmmu_option options[] = {GMMU_NUMBER("seed", &seed, 0, UINT64_C(9999999999999999999))};
    if (!gmmu_options_read("random", config, options, 1, err)) {
        return NULL;
    }
    any *s = calloc(1, sizeof *s);
    if (s == NULL) {
        (void)gmmu_policy_no_memory("random", err);
        return NULL;
    }
    s->frames = config->frames;
    s->seed = seed;
    return s;
}

// Room for PAGE, and for one more frame.
static bool reserve(any *s, uint32_t page) {
    if (page >= s->cap) {
        uint32_t cap = gmmu_policy_capacity(s->cap, page);
        uint32_t *frame_of = gmmu_grow(s->frame_of, s->cap, cap, sizeof *frame_of, 0xff);
        if (frame_of == NULL) {
            return false;
        }
        s->frame_of = frame_of;
        s->cap = cap;
    }
    if (s->used == s->page_in_cap && s->used < s->frames) {
        uint32_t cap = gmmu_policy_capacity(s->page_in_cap, s->used);
        uint32_t *page_in = gmmu_grow(s->page_in, s->page_in_cap, cap, sizeof *page_in, 0);
        if (page_in == NULL) {
            return false;
        }
        s->page_in = page_in;
        s->page_in_cap = cap;
    }
    return true;
}

static int touch(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                 gmmu_error *err) {
    (void)walk;
    any *s = state;
    if (!reserve(s, page)) {
        return gmmu_policy_no_memory("random", err);
    }
    gmmu_outcome_begin(out, page, s->frame_of[page] == UINT32_MAX);
    if (!out->fault) {
        return GMMU_OK;
    }
    uint32_t f = s->used;
    if (f < s->frames) {
        s->used++;
    } else {
        f = (uint32_t)gmmu_draw(&s->seed, s->frames);
        gmmu_outcome_evict(out, s->page_in[f]);
        s->frame_of[s->page_in[f]] = UINT32_MAX;
    }
    s->page_in[f] = page;
    s->frame_of[page] = f;
    return GMMU_OK;
}

const gmmu_policy gmmu_policy_random = {
    .name = "random",
    .help = "any resident page",
    .options = "seed=N (that of --seed)",
    .page_only = true,
    .create = create,
    .access = touch,
    .destroy = destroy,
};
