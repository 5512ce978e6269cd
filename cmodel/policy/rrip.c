// SPDX-License-Identifier: Apache-2.0
// rrip.c: the victim of RRIP in a few steps, instead of a scan.
//
// An RRPV is kept as a stamp: RRPV = epoch - stamp, at most distant; when all RRPVs grow, the epoch
// does. The frames whose delay has passed are in one set for each RRPV; the others wait in order of
// insertion. RRPVs grow only while no frame of the sets is distant, so that a set never has to be
// merged.
#include "policy/rrip.h"

#include <stdlib.h>

#include "policy/bitset.h"

enum { MAX_LEVELS = 16 };

typedef struct {
    uint32_t page;
    uint64_t stamp;
    uint64_t fault;  // number of the fault that brought the page in: the delay field
    bool in_set;     // its delay has passed
} frame;

typedef struct {
    gmmu_rrip_rules rules;
    uint64_t distant;
    uint32_t *frame_of;  // of each page, UINT32_MAX when it is not resident
    uint32_t cap;
    frame *frame;
    uint32_t *waiting;             // ring: frames whose delay has not passed, oldest first
    gmmu_bitset sets[MAX_LEVELS];  // by stamp mod levels: frames whose delay has passed
    uint32_t frame_cap;            // of the three above
    uint32_t wait_first, wait_count;
    uint32_t frames, used;
    uint64_t epoch, faults;
} rrip;

void gmmu_rrip_destroy(void *state) {
    rrip *s = state;
    for (unsigned i = 0; i < MAX_LEVELS; i++) {
        gmmu_bitset_destroy(&s->sets[i]);
    }
    free(s->frame_of);
    free(s->frame);
    free(s->waiting);
    free(s);
}

void *gmmu_rrip_create(const gmmu_rrip_rules *rules, uint32_t frames, gmmu_error *err) {
    rrip *s = calloc(1, sizeof *s);
    if (s == NULL) {
        (void)gmmu_policy_no_memory(rules->name, err);
        return NULL;
    }
    s->rules = *rules;
    s->distant = (UINT64_C(1) << rules->bits) - 1;
    s->epoch = s->distant;
    s->frames = frames;
    return s;
}

static gmmu_bitset *set_of(rrip *s, const frame *f) {
    return &s->sets[f->stamp & s->distant];
}

// Room for more frames.
static bool grow_frames(rrip *s) {
    uint32_t cap = gmmu_policy_capacity(s->frame_cap, s->used);
    frame *frames = gmmu_grow(s->frame, s->frame_cap, cap, sizeof *frames, 0);
    if (frames == NULL) {
        return false;
    }
    s->frame = frames;
    gmmu_bitset grown[MAX_LEVELS] = {{.levels = 0}};
    uint32_t *waiting = calloc(cap, sizeof *waiting);
    bool good = waiting != NULL;
    for (unsigned i = 0; good && i <= s->distant; i++) {
        good = gmmu_bitset_create(&grown[i], cap);
    }
    if (!good) {
        free(waiting);
        for (unsigned i = 0; i <= s->distant; i++) {
            gmmu_bitset_destroy(&grown[i]);
        }
        return false;
    }
    for (uint32_t i = 0; i < s->wait_count; i++) {
        waiting[i] = s->waiting[(s->wait_first + i) % s->frame_cap];
    }
    for (unsigned i = 0; i <= s->distant; i++) {
        while (s->sets[i].levels != 0 && !gmmu_bitset_empty(&s->sets[i])) {
            uint64_t f = gmmu_bitset_lowest(&s->sets[i]);
            gmmu_bitset_clear(&s->sets[i], f);
            gmmu_bitset_set(&grown[i], f);
        }
        gmmu_bitset_destroy(&s->sets[i]);
        s->sets[i] = grown[i];
    }
    free(s->waiting);
    s->waiting = waiting;
    s->wait_first = 0;
    s->frame_cap = cap;
    return true;
}

static bool reserve(rrip *s, uint32_t page) {
    if (!GMMU_ROOM(s->frame_of, s->cap, page, 0xff)) {
        return false;
    }
    return s->used < s->frame_cap || s->used == s->frames || grow_frames(s);
}

static uint64_t rrpv(const rrip *s, const frame *f) {
    uint64_t age = s->epoch - f->stamp;
    return age < s->distant ? age : s->distant;
}

static uint32_t pop_waiting(rrip *s) {
    uint32_t f = s->waiting[s->wait_first];
    s->wait_first = s->wait_first + 1 == s->frame_cap ? 0 : s->wait_first + 1;
    s->wait_count--;
    return f;
}

// Frames whose delay has passed with this fault enter the sets.
static void end_delays(rrip *s) {
    while (s->wait_count != 0) {
        frame *f = &s->frame[s->waiting[s->wait_first]];
        if (s->faults - f->fault < s->rules.delay) {
            return;
        }
        uint32_t i = pop_waiting(s);
        f->stamp = s->epoch - rrpv(s, f);
        f->in_set = true;
        gmmu_bitset_set(set_of(s, f), i);
    }
}

static uint32_t choose(rrip *s) {
    for (uint64_t step = 0; step <= s->distant; step++) {
        gmmu_bitset *distant = &s->sets[(s->epoch - s->distant) & s->distant];
        if (!gmmu_bitset_empty(distant)) {
            uint32_t f = (uint32_t)gmmu_bitset_lowest(distant);
            gmmu_bitset_clear(distant, f);
            return f;
        }
        s->epoch++;
    }
    return pop_waiting(s);
}

static void hit(rrip *s, uint32_t i) {
    frame *f = &s->frame[i];
    uint64_t old = rrpv(s, f);
    uint64_t now = !s->rules.frequency || old == 0 ? 0 : old - 1;
    if (now == old) {
        return;
    }
    if (f->in_set) {
        gmmu_bitset_clear(set_of(s, f), i);
    }
    f->stamp = s->epoch - now;
    if (f->in_set) {
        gmmu_bitset_set(set_of(s, f), i);
    }
}

int gmmu_rrip_access(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                     gmmu_error *err) {
    (void)walk;
    rrip *s = state;
    if (!reserve(s, page)) {
        return gmmu_policy_no_memory(s->rules.name, err);
    }
    uint32_t i = s->frame_of[page];
    gmmu_outcome_begin(out, page, i == UINT32_MAX);
    if (!out->fault) {
        hit(s, i);
        return GMMU_OK;
    }
    s->faults++;
    end_delays(s);
    if (s->used < s->frames) {
        i = s->used++;
    } else {
        i = choose(s);
        gmmu_outcome_evict(out, s->frame[i].page);
        s->frame_of[s->frame[i].page] = UINT32_MAX;
    }
    s->frame[i] = (frame){.page = page, .stamp = s->epoch - s->rules.insert, .fault = s->faults};
    s->frame_of[page] = i;
    uint32_t last = s->wait_first + s->wait_count++;
    s->waiting[last < s->frame_cap ? last : last - s->frame_cap] = i;
    return GMMU_OK;
}
