// SPDX-License-Identifier: Apache-2.0
// clock.c: second chance with one bit, set on a hit, clear on insertion; the hand rests one past
// the frame just filled. `bam` is the same by another name: GPU memory straight on storage, as BaM
// (ASPLOS 2023) has it and GMT (ASPLOS 2024) compares itself with.
#include <stdlib.h>

#include "policy/option.h"

// Of each page, one byte, so that a hit touches nothing else.
enum { ABSENT = 0, IN = 1, ACCESSED = 2 };

typedef struct {
    const char *name;
    uint8_t *bits;
    uint32_t cap;
    uint32_t *ring;  // page of each frame
    uint32_t ring_cap;
    uint32_t frames, used, hand;
} second_chance;

static void *create_as(const char *name, const gmmu_policy_config *config, gmmu_error *err) {
    if (!gmmu_policy_no_options(name, config, err)) {
        return NULL;
    }
    second_chance *s = calloc(1, sizeof *s);
    if (s == NULL) {
        (void)gmmu_policy_no_memory(name, err);
        return NULL;
    }
    s->name = name;
    s->frames = config->frames;
    return s;
}

static void *create(const gmmu_policy_config *config, gmmu_error *err) {
    return create_as("clock", config, err);
}

static void *create_bam(const gmmu_policy_config *config, gmmu_error *err) {
    return create_as("bam", config, err);
}

// Room for PAGE, and for one more frame.
static bool reserve(second_chance *s, uint32_t page) {
    if (page >= s->cap) {
        uint32_t cap = gmmu_policy_capacity(s->cap, page);
        uint8_t *bits = gmmu_grow(s->bits, s->cap, cap, 1, ABSENT);
        if (bits == NULL) {
            return false;
        }
        s->bits = bits;
        s->cap = cap;
    }
    if (s->used == s->ring_cap && s->used < s->frames) {
        uint32_t cap = gmmu_policy_capacity(s->ring_cap, s->used);
        uint32_t *ring = gmmu_grow(s->ring, s->ring_cap, cap, sizeof *ring, 0);
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
        return gmmu_policy_no_memory(s->name, err);
    }
    gmmu_outcome_begin(out, page, s->bits[page] == ABSENT);
    if (!out->fault) {
        s->bits[page] = IN | ACCESSED;
        return GMMU_OK;
    }
    uint32_t f = s->used;
    if (f < s->frames) {
        s->used++;
    } else {
        f = s->hand;
        while (s->bits[s->ring[f]] != IN) {
            s->bits[s->ring[f]] = IN;
            f = after(s, f);
        }
        gmmu_outcome_evict(out, s->ring[f]);
        s->bits[s->ring[f]] = ABSENT;
    }
    s->ring[f] = page;
    s->bits[page] = IN;
    s->hand = after(s, f);
    return GMMU_OK;
}

static void prefetch(const void *state, uint32_t page) {
    const second_chance *s = state;
    if (page < s->cap) {
        __builtin_prefetch(&s->bits[page], 1);
    }
}

static void destroy(void *state) {
    second_chance *s = state;
    free(s->bits);
    free(s->ring);
    free(s);
}

const gmmu_policy gmmu_policy_clock = {
    .name = "clock",
    .help = "second chance, one bit",
    .page_only = true,
    .create = create,
    .access = touch,
    .prefetch = prefetch,
    .destroy = destroy,
};

const gmmu_policy gmmu_policy_bam = {
    .name = "bam",
    .help = "GPU memory straight on storage: clock, of three tiers the first and the last",
    .page_only = true,
    .create = create_bam,
    .access = touch,
    .prefetch = prefetch,
    .destroy = destroy,
};
