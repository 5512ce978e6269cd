// SPDX-License-Identifier: Apache-2.0
// rrip.c: the victim of RRIP in a few steps, instead of a scan.
//
// An RRPV is kept as a stamp: RRPV = epoch - stamp, at most distant; when all RRPVs grow, the epoch
// does. The frames whose delay has passed are in one set for each RRPV; the others wait in order of
// insertion. RRPVs grow only while no frame of the sets is distant, so that a set never has to be
// merged.
#include "policy/rrip.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "policy/bitset.h"
#include "policy/holes.h"

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
    gmmu_holes holes;
    gmmu_eligible eligible;
    bool victim_waited;     // no page's delay had passed when the last victim left
    uint64_t victim_grown;  // by how much all RRPVs grew for it
} rrip;

void gmmu_rrip_destroy(void *state) {
    rrip *s = state;
    for (unsigned i = 0; i < MAX_LEVELS; i++) {
        gmmu_bitset_destroy(&s->sets[i]);
    }
    free(s->frame_of);
    free(s->frame);
    free(s->waiting);
    gmmu_holes_free(&s->holes);
    free(s);
}

void *gmmu_rrip_create(const gmmu_rrip_rules *rules, const gmmu_policy_config *config,
                       gmmu_error *err) {
    rrip *s = calloc(1, sizeof *s);
    if (s == NULL) {
        (void)gmmu_policy_no_memory(rules->name, err);
        return NULL;
    }
    s->rules = *rules;
    s->distant = (UINT64_C(1) << rules->bits) - 1;
    s->epoch = s->distant;
    s->frames = config->frames;
    s->eligible = config->eligible;
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

// Frames whose delay has passed with fault number FAULT enter the sets.
static void end_delays(rrip *s, uint64_t fault) {
    while (s->wait_count != 0) {
        frame *f = &s->frame[s->waiting[s->wait_first]];
        if (fault - f->fault < s->rules.delay) {
            return;
        }
        uint32_t i = pop_waiting(s);
        f->stamp = s->epoch - rrpv(s, f);
        f->in_set = true;
        gmmu_bitset_set(set_of(s, f), i);
    }
}

// The RRPVs below distant grow by one.
static void age(rrip *s) {
    gmmu_bitset *distant = &s->sets[(s->epoch - s->distant) & s->distant];
    s->epoch++;
    gmmu_bitset *grown = &s->sets[(s->epoch - s->distant) & s->distant];
    while (!gmmu_bitset_empty(distant)) {  // pages that may not leave
        const uint32_t f = (uint32_t)gmmu_bitset_lowest(distant);
        gmmu_bitset_clear(distant, f);
        s->frame[f].stamp = s->epoch - s->distant;
        gmmu_bitset_set(grown, f);
    }
}

// Of SET the lowest frame whose page may leave, or UINT32_MAX.
static uint32_t lowest_of(const rrip *s, const gmmu_bitset *set) {
    uint64_t f = set->levels == 0 || gmmu_bitset_empty(set) ? UINT64_MAX : gmmu_bitset_lowest(set);
    while (f != UINT64_MAX && !gmmu_may_leave(&s->eligible, s->frame[f].page)) {
        f = gmmu_bitset_above(set, f);
    }
    return (uint32_t)f;
}

// The oldest waiting frame whose page may leave does not wait any more; UINT32_MAX: there is none.
static uint32_t take_waiting(rrip *s) {
    for (uint32_t n = 0; n < s->wait_count; n++) {
        uint32_t at = (uint32_t)(((uint64_t)s->wait_first + n) % s->frame_cap);
        const uint32_t f = s->waiting[at];
        if (!gmmu_may_leave(&s->eligible, s->frame[f].page)) {
            continue;
        }
        for (; n != 0; n--) {  // the older ones move up
            const uint32_t older = at == 0 ? s->frame_cap - 1 : at - 1;
            s->waiting[at] = s->waiting[older];
            at = older;
        }
        (void)pop_waiting(s);
        return f;
    }
    return UINT32_MAX;
}

// The frame whose page leaves, or UINT32_MAX: no page may. Nothing changes before it is found.
static uint32_t choose(rrip *s) {
    for (uint64_t step = 0; step <= s->distant; step++) {
        const gmmu_bitset *set = &s->sets[(s->epoch - s->distant + step) & s->distant];
        const uint32_t f = lowest_of(s, set);
        if (f != UINT32_MAX) {
            for (uint64_t i = 0; i < step; i++) {
                age(s);
            }
            gmmu_bitset_clear(set_of(s, &s->frame[f]), f);
            s->victim_waited = false;
            s->victim_grown = step;
            return f;
        }
    }
    const uint32_t f = take_waiting(s);
    s->victim_waited = true;
    for (uint64_t i = 0; f != UINT32_MAX && i <= s->distant; i++) {
        age(s);
    }
    return f;
}

static bool some_may_leave(const rrip *s) {
    uint32_t f = 0;
    while (f < s->used && !gmmu_may_leave(&s->eligible, s->frame[f].page)) {
        f++;
    }
    return f < s->used;
}

// A page leaves, as *OUT says. Returns its frame, or UINT32_MAX: *OUT is stuck.
static uint32_t leave(rrip *s, gmmu_outcome *out) {
    const uint32_t f = choose(s);
    if (f == UINT32_MAX) {
        gmmu_outcome_stuck(out);
    } else {
        gmmu_outcome_evict(out, s->frame[f].page);
        s->frame_of[s->frame[f].page] = UINT32_MAX;
    }
    return f;
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
    const bool full = s->holes.count == 0 && s->used == s->frames;
    if (full && s->eligible.may_leave != NULL && !some_may_leave(s)) {
        gmmu_outcome_stuck(out);
        return GMMU_OK;
    }
    end_delays(s, ++s->faults);
    if (!gmmu_holes_take(&s->holes, &s->used, s->frames, &i)) {
        i = leave(s, out);
    }
    s->frame[i] = (frame){.page = page, .stamp = s->epoch - s->rules.insert, .fault = s->faults};
    s->frame_of[page] = i;
    uint32_t last = s->wait_first + s->wait_count++;
    s->waiting[last < s->frame_cap ? last : last - s->frame_cap] = i;
    return GMMU_OK;
}

int gmmu_rrip_evict(void *state, gmmu_outcome *out, gmmu_error *err) {
    rrip *s = state;
    gmmu_outcome_begin(out, GMMU_NO_PAGE, false);
    end_delays(s, s->faults + 1);  // the next fault's victim leaves
    const uint32_t f = leave(s, out);
    return f == UINT32_MAX || gmmu_holes_put(&s->holes, f)
               ? GMMU_OK
               : gmmu_policy_no_memory(s->rules.name, err);
}

void gmmu_rrip_why(const void *state, char *text, size_t size) {
    const rrip *s = state;
    if (s->victim_waited) {
        (void)snprintf(text, size, "came first: no page's delay of %" PRIu64 " faults has passed",
                       s->rules.delay);
    } else if (s->victim_grown == 0) {
        (void)snprintf(text, size,
                       "its RRPV is %" PRIu64 ", distant; of such pages in the lowest frame",
                       s->distant);
    } else {
        (void)snprintf(text, size,
                       "its RRPV is %" PRIu64 ", distant, since all grew by %" PRIu64
                       "; of such pages in the lowest frame",
                       s->distant, s->victim_grown);
    }
}
