// SPDX-License-Identifier: Apache-2.0
// clock.c: second chance with one bit, set on a hit, clear on insertion; the hand rests one past
// the frame just filled.
#include <stdlib.h>

#include "policy/policy.h"

typedef struct {
    uint32_t page;
    uint32_t bit;
} frame;

typedef struct {
    uint32_t *frame_of;  // of each page, UINT32_MAX when it is not resident
    uint32_t cap;
    frame *ring;
    uint32_t ring_cap;
    uint32_t frames, used, hand;
} second_chance;

static void *create(const gmmu_policy_config *config, gmmu_error *err) {
    if (!gmmu_policy_no_options("clock", config, err)) {
        return NULL;
    }
    second_chance *s = calloc(1, sizeof *s);
    if (s == NULL) {
        (void)gmmu_policy_no_memory("clock", err);
        return NULL;
    }
    s->frames = config->frames;
    return s;
}

// Room for PAGE, and for one more frame.
static bool reserve(second_chance *s, uint32_t page) {
    if (page >= s->cap) {
        uint32_t cap = gmmu_policy_capacity(s->cap, page);
        uint32_t *frame_of = gmmu_grow(s->frame_of, s->cap, cap, sizeof *frame_of, 0xff);
        if (frame_of == NULL) {
            return false;
        }
        s->frame_of = frame_of;
        s->cap = cap;
    }
    if (s->used == s->ring_cap && s->used < s->frames) {
        uint32_t cap = gmmu_policy_capacity(s->ring_cap, s->used);
        frame *ring = gmmu_grow(s->ring, s->ring_cap, cap, sizeof *ring, 0);
        if (ring == NULL) {
            return false;
        }
        s->ring = ring;
        s->ring_cap = cap;
    }
    return true;
}

static uint32_t after(const second_chance *s, uint32_t f) {
    return f + 1 == s->frames ? 0 : f + 1;
}

static int touch(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                 gmmu_error *err) {
    (void)walk;
    second_chance *s = state;
    if (!reserve(s, page)) {
        return gmmu_policy_no_memory("clock", err);
    }
    uint32_t f = s->frame_of[page];
    *out = (gmmu_outcome){.fault = f == UINT32_MAX, .victim = GMMU_NO_PAGE};
    if (!out->fault) {
        s->ring[f].bit = 1;
        return GMMU_OK;
    }
    if (s->used < s->frames) {
        f = s->used++;
    } else {
        f = s->hand;
        while (s->ring[f].bit != 0) {
            s->ring[f].bit = 0;
            f = after(s, f);
        }
        out->victim = s->ring[f].page;
        s->frame_of[out->victim] = UINT32_MAX;
    }
    s->ring[f] = (frame){.page = page, .bit = 0};
    s->frame_of[page] = f;
    s->hand = after(s, f);
    return GMMU_OK;
}

static void destroy(void *state) {
    second_chance *s = state;
    free(s->frame_of);
    free(s->ring);
    free(s);
}

const gmmu_policy gmmu_policy_clock = {
    .name = "clock",
    .help = "second chance, one bit",
    .create = create,
    .access = touch,
    .destroy = destroy,
};
