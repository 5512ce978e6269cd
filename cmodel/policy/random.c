// SPDX-License-Identifier: Apache-2.0
// random.c: any resident page, each with the same chance. Needs no statistics; what a policy must
// beat.
//
// Parameter: seed (1; gmmu replay --seed). The numbers are splitmix64's (Steele, Lea and Flood,
// OOPSLA 2014); frame floor(x · frames / 2^64) leaves, whose chances differ by less than 2^-32.
// Frames fill in order; a page takes the frame of the one that left. Nothing else decides.
#include <stdlib.h>

#include "policy/draw.h"
#include "policy/holes.h"
#include "policy/option.h"

typedef struct {
    uint32_t *frame_of;  // of each page, UINT32_MAX when it is not resident
    uint32_t cap;
    uint32_t *page_in;  // of each frame; GMMU_NO_PAGE: left ahead of need
    uint32_t page_in_cap;
    uint32_t frames, used;
    uint64_t seed;
    gmmu_holes holes;
    gmmu_eligible eligible;
} any;

static void destroy(void *state) {
    any *s = state;
    free(s->frame_of);
    free(s->page_in);
    gmmu_holes_free(&s->holes);
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
    s->eligible = config->eligible;
    s->seed = seed;
    return s;
}

// Room for PAGE, and for one more frame.
static bool reserve(any *s, uint32_t page) {
    return GMMU_ROOM(s->frame_of, s->cap, page, 0xff) &&
           (s->used == s->frames || GMMU_ROOM(s->page_in, s->page_in_cap, s->used, 0));
}

static bool leaves(const any *s, uint32_t f) {
    return s->page_in[f] != GMMU_NO_PAGE && gmmu_may_leave(&s->eligible, s->page_in[f]);
}

// A frame whose page may leave, each with the same chance, or `used`: no page may.
static __attribute__((noinline)) uint32_t draw_again(any *s) {
    uint32_t count = 0;
    for (uint32_t f = 0; f < s->used; f++) {
        count += leaves(s, f) ? 1U : 0U;
    }
    if (count == 0) {
        return s->used;
    }
    uint32_t left = (uint32_t)gmmu_draw(&s->seed, count);
    uint32_t f = 0;
    while (!leaves(s, f) || left-- != 0) {
        f++;
    }
    return f;
}

// The frame whose page leaves, or `used`: no page may. At least one frame is used.
static uint32_t search(any *s) {
    const uint64_t seed = s->seed;
    uint32_t f = (uint32_t)gmmu_draw(&s->seed, s->used);
    if (!leaves(s, f)) {
        f = draw_again(s);
    }
    s->seed = f == s->used ? seed : s->seed;
    return f;
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
    uint32_t f = 0;
    if (!gmmu_holes_take(&s->holes, &s->used, s->frames, &f)) {
        f = search(s);
        if (f == s->used) {
            gmmu_outcome_stuck(out);
            return GMMU_OK;
        }
        gmmu_outcome_evict(out, s->page_in[f]);
        s->frame_of[s->page_in[f]] = UINT32_MAX;
    }
    s->page_in[f] = page;
    s->frame_of[page] = f;
    return GMMU_OK;
}

static int evict_ahead(void *state, gmmu_outcome *out, gmmu_error *err) {
    any *s = state;
    gmmu_outcome_begin(out, GMMU_NO_PAGE, false);
    const uint32_t f = s->used == 0 ? 0 : search(s);
    if (f == s->used) {
        gmmu_outcome_stuck(out);
        return GMMU_OK;
    }
    if (!gmmu_holes_put(&s->holes, f)) {
        return gmmu_policy_no_memory("random", err);
    }
    gmmu_outcome_evict(out, s->page_in[f]);
    s->frame_of[s->page_in[f]] = UINT32_MAX;
    s->page_in[f] = GMMU_NO_PAGE;
    return GMMU_OK;
}

const gmmu_policy gmmu_policy_random = {
    .name = "random",
    .help = "any resident page",
    .options = "seed=N (that of --seed)",
    .rule = "drawn by chance, as likely as each other resident page",
    .page_only = true,
    .obeys = true,
    .create = create,
    .access = touch,
    .evict = evict_ahead,
    .destroy = destroy,
};
