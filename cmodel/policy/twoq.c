// SPDX-License-Identifier: Apache-2.0
// twoq.c: 2Q, full version (Johnson and Shasha, "2Q: A Low Overhead High Performance Buffer
// Management Replacement Algorithm", VLDB 1994, section 2.2).
//
// New pages go through the queue A1in; those that left it are remembered in A1out; a page that
// comes again while it is remembered enters the LRU stack Am. An access to a page in A1in moves
// nothing.
//
// Parameters: in = Kin, percent of memory that A1in aims at (25); out = Kout, pages remembered as
// percent of memory (50). Departures: where the paper takes the victim from Am and Am is empty, it
// comes from A1in (the paper's Am is never empty then, but with Kin = all of memory it is); a page
// that is found in A1out is taken off it before room is made (the paper does not say when).
#include <inttypes.h>
#include <stdio.h>

#include "policy/counting.h"
#include "policy/list.h"
#include "policy/option.h"

enum { A1IN, A1OUT, AM };

typedef struct {
    gmmu_lists lists;
    uint32_t frames, in, out;
    bool victim_from_am;            // the last victim's queue
    uint32_t victim_in, victim_am;  // pages of A1in and Am when it left
    gmmu_eligible eligible;
} twoq;

static void *create(const gmmu_policy_config *config, gmmu_error *err) {
    uint64_t in = 25;
    uint64_t out = 50;
    const gmmu_option options[] = {GMMU_NUMBER("in", &in, 0, 100),
                                   GMMU_NUMBER("out", &out, 0, 1000)};
    if (!gmmu_options_read("2q", config, options, 2, err)) {
        return NULL;
    }
    twoq *s = gmmu_lists_state("2q", sizeof *s, config, err);
    if (s == NULL) {
        return NULL;
    }
    s->frames = config->frames;
    s->eligible = config->eligible;
    s->in = gmmu_percent(config->frames, in);
    s->out = gmmu_percent(config->frames, out);
    return s;
}

// The page for the paper's reclaimfor, or GMMU_NO_PAGE: no page may leave. If no page of the queue
// that the paper names may leave, a page of the other does.
static uint32_t choose(const twoq *s) {
    const gmmu_lists *l = &s->lists;
    const bool from_am = l->length[A1IN] <= s->in && l->length[AM] != 0;
    const uint32_t page = gmmu_list_oldest_of(l, from_am ? AM : A1IN, &s->eligible);
    return page != GMMU_NO_PAGE ? page : gmmu_list_oldest_of(l, from_am ? A1IN : AM, &s->eligible);
}

// PAGE leaves.
static void reclaim(twoq *s, uint32_t page) {
    gmmu_lists *l = &s->lists;
    const bool from_am = gmmu_list_of(l, page) == AM;
    s->victim_from_am = from_am;
    s->victim_in = l->length[A1IN];
    s->victim_am = l->length[AM];
    gmmu_list_remove(l, page);
    if (from_am) {
        return;
    }
    gmmu_list_push(l, A1OUT, page);
    if (l->length[A1OUT] > s->out) {
        (void)gmmu_list_pop(l, A1OUT);
    }
}

static int touch(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                 gmmu_error *err) {
    (void)walk;
    twoq *s = state;
    gmmu_lists *l = &s->lists;
    if (!gmmu_lists_reserve(l, page)) {
        return gmmu_policy_no_memory("2q", err);
    }
    uint32_t list = gmmu_list_of(l, page);
    gmmu_outcome_begin(out, page, list != A1IN && list != AM);
    if (list == A1IN) {
        return GMMU_OK;
    }
    const bool full = l->length[A1IN] + l->length[AM] == s->frames;
    const uint32_t victim = out->fault && full ? choose(s) : GMMU_NO_PAGE;
    if (out->fault && full && !gmmu_outcome_leave(out, victim)) {
        return GMMU_OK;
    }
    // Taken off A1out before room is made: its place there is free for the page that leaves.
    if (list != GMMU_NO_LIST) {
        gmmu_list_remove(l, page);
    }
    if (victim != GMMU_NO_PAGE) {
        reclaim(s, victim);
    }
    gmmu_list_push(l, list == GMMU_NO_LIST ? A1IN : AM, page);
    return GMMU_OK;
}

static int evict_ahead(void *state, gmmu_outcome *out, gmmu_error *err) {
    (void)err;
    twoq *s = state;
    gmmu_outcome_begin(out, GMMU_NO_PAGE, false);
    const uint32_t victim = choose(s);
    if (gmmu_outcome_leave(out, victim)) {
        reclaim(s, victim);
    }
    return GMMU_OK;
}

static void prefetch(const void *state, uint32_t page) {
    gmmu_lists_prefetch(&((const twoq *)state)->lists, page);
}

static void why(const void *state, char *text, size_t size) {
    const twoq *s = state;
    if (s->victim_from_am) {
        (void)snprintf(text, size,
                       "used longest ago of Am: A1in has %" PRIu32
                       " pages, not more than Kin, %" PRIu32,
                       s->victim_in, s->in);
    } else if (s->victim_am == 0) {
        (void)snprintf(text, size, "came first of A1in: Am is empty");
    } else {
        (void)snprintf(text, size,
                       "came first of A1in, which has %" PRIu32 " pages, more than Kin, %" PRIu32,
                       s->victim_in, s->in);
    }
}

GMMU_POLICY_REPLAY(touch, prefetch)

const gmmu_policy gmmu_policy_2q = {
    .name = "2q",
    .help = "2Q, full version: A1in, A1out, Am",
    .options =
        "in=N (25): memory for A1in, in per cent\n"
        "out=N (50): pages that A1out remembers, in per cent",
    .why = why,
    .page_only = true,
    .obeys = true,
    .create = create,
    .access = touch,
    .evict = evict_ahead,
    .prefetch = prefetch,
    .destroy = gmmu_lists_state_destroy,
    .replay = replay,
};
