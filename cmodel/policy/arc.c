// SPDX-License-Identifier: Apache-2.0
// arc.c: ARC (Megiddo and Modha, "ARC: A Self-Tuning, Low Overhead Replacement Cache", FAST 2003,
// Fig. 4).
//
// T1 holds pages accessed once, T2 those accessed again; B1 and B2 remember what left them. p, the
// size that T1 aims at, grows at a hit in B1 and shrinks at one in B2.
//
// No parameters. Departure: the step of p, |B2| / |B1| or |B1| / |B2| and at least 1, is rounded
// down to a whole page.
#include <inttypes.h>
#include <stdio.h>

#include "policy/counting.h"
#include "policy/list.h"
#include "policy/option.h"

enum { T1, T2, B1, B2 };

typedef struct {
    gmmu_lists lists;
    uint32_t frames;
    uint32_t p;
    bool victim_from_t1;  // the last victim's list
    uint32_t victim_t1;   // pages of T1 when it left
    gmmu_eligible eligible;
} arc;

static void *create(const gmmu_policy_config *config, gmmu_error *err) {
    if (!gmmu_policy_no_options("arc", config, err)) {
        return NULL;
    }
    arc *s = gmmu_lists_state("arc", sizeof *s, config, err);
    if (s == NULL) {
        return NULL;
    }
    s->frames = config->frames;
    s->eligible = config->eligible;
    return s;
}

// The page for the paper's REPLACE with P for p, or GMMU_NO_PAGE: no page may leave. If no page of
// the list that the paper names may leave, a page of the other does.
static uint32_t choose(const arc *s, uint32_t p, bool in_b2) {
    const gmmu_lists *l = &s->lists;
    const uint32_t t1 = l->length[T1];
    const bool from_t1 = t1 != 0 && (t1 > p || (in_b2 && t1 == p));
    const uint32_t page = gmmu_list_oldest_of(l, from_t1 ? T1 : T2, &s->eligible);
    return page != GMMU_NO_PAGE ? page : gmmu_list_oldest_of(l, from_t1 ? T2 : T1, &s->eligible);
}

// PAGE leaves, and is remembered.
static void replace(arc *s, uint32_t page) {
    gmmu_lists *l = &s->lists;
    const uint32_t to = gmmu_list_of(l, page) == T1 ? B1 : B2;
    gmmu_list_remove(l, page);
    gmmu_list_push(l, to, page);
}

// Case IV, a page that is not remembered: trims the ghosts. VICTIM leaves, if it is a page.
static void make_room(arc *s, uint32_t victim) {
    gmmu_lists *l = &s->lists;
    const uint32_t *n = l->length;
    uint64_t l1 = (uint64_t)n[T1] + n[B1];
    uint64_t all = l1 + n[T2] + n[B2];
    if (n[T1] == s->frames) {
        gmmu_list_remove(l, victim);
        return;
    }
    if (l1 == s->frames) {
        (void)gmmu_list_pop(l, B1);
    } else if (all == 2 * (uint64_t)s->frames) {
        (void)gmmu_list_pop(l, B2);
    }
    if (victim != GMMU_NO_PAGE) {
        replace(s, victim);
    }
}

static uint32_t step(uint32_t other, uint32_t own) {
    return other > own ? other / own : 1;
}

static int touch(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                 gmmu_error *err) {
    (void)walk;
    arc *s = state;
    gmmu_lists *l = &s->lists;
    if (!gmmu_lists_reserve(l, page)) {
        return gmmu_policy_no_memory("arc", err);
    }
    uint32_t list = gmmu_list_of(l, page);
    gmmu_outcome_begin(out, page, list != T1 && list != T2);
    uint32_t p = s->p;
    if (list == B1) {
        uint64_t more = (uint64_t)p + step(l->length[B2], l->length[B1]);
        p = more < s->frames ? (uint32_t)more : s->frames;
    } else if (list == B2) {
        uint32_t d = step(l->length[B1], l->length[B2]);
        p = p > d ? p - d : 0;
    }
    uint32_t victim = GMMU_NO_PAGE;
    if (out->fault && l->length[T1] + l->length[T2] == s->frames) {
        victim = choose(s, p, list == B2);
        if (!gmmu_outcome_leave(out, victim)) {
            return GMMU_OK;
        }
    }
    s->p = p;
    if (victim != GMMU_NO_PAGE) {
        s->victim_from_t1 = gmmu_list_of(l, victim) == T1;
        s->victim_t1 = l->length[T1];
    }
    if (list == GMMU_NO_LIST) {
        make_room(s, victim);
    } else if (victim != GMMU_NO_PAGE) {
        replace(s, victim);
    }
    if (list != GMMU_NO_LIST) {
        gmmu_list_remove(l, page);
    }
    gmmu_list_push(l, list == GMMU_NO_LIST ? T1 : T2, page);
    return GMMU_OK;
}

static int evict_ahead(void *state, gmmu_outcome *out, gmmu_error *err) {
    (void)err;
    arc *s = state;
    gmmu_outcome_begin(out, GMMU_NO_PAGE, false);
    const uint32_t victim = choose(s, s->p, false);
    if (gmmu_outcome_leave(out, victim)) {
        replace(s, victim);
    }
    return GMMU_OK;
}

static void note(const void *state, char *text, size_t size) {
    const arc *s = state;
    (void)snprintf(text, size, "p=%u t1=%u t2=%u", s->p, s->lists.length[T1], s->lists.length[T2]);
}

static void prefetch(const void *state, uint32_t page) {
    gmmu_lists_prefetch(&((const arc *)state)->lists, page);
}

static void why(const void *state, char *text, size_t size) {
    const arc *s = state;
    (void)snprintf(text, size,
                   "used longest ago of %s; T1 has %" PRIu32 " pages and aims at p = %" PRIu32,
                   s->victim_from_t1 ? "T1, the pages used once" : "T2, the pages used again",
                   s->victim_t1, s->p);
}

GMMU_POLICY_REPLAY(touch, prefetch)

const gmmu_policy gmmu_policy_arc = {
    .name = "arc",
    .help = "ARC: adapts between recency and frequency",
    .why = why,
    .page_only = true,
    .obeys = true,
    .create = create,
    .access = touch,
    .evict = evict_ahead,
    .note = note,
    .prefetch = prefetch,
    .destroy = gmmu_lists_state_destroy,
    .replay = replay,
};
