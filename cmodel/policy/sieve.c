// SPDX-License-Identifier: Apache-2.0
// sieve.c: SIEVE (Zhang et al., "SIEVE is Simpler than LRU", NSDI 2024, Algorithm 1).
//
// One queue in order of insertion and a bit a page, set on a hit. The hand goes from the oldest to
// the youngest page, clears set bits and evicts at the first clear one; it stays where it is in the
// queue, and what it has passed is not moved. No parameters, no departures.
#include <inttypes.h>
#include <stdio.h>

#include "policy/counting.h"
#include "policy/list.h"
#include "policy/option.h"

enum { QUEUE };

typedef struct {
    gmmu_lists lists;  // a node's mark is its bit
    uint32_t hand;     // the page to look at next; GMMU_NO_PAGE: the oldest
    uint32_t frames;
    uint32_t cleared;  // bits that the last search cleared
    gmmu_eligible eligible;
} sieve;

static void *create(const gmmu_policy_config *config, gmmu_error *err) {
    if (!gmmu_policy_no_options("sieve", config, err)) {
        return NULL;
    }
    sieve *s = gmmu_lists_state("sieve", sizeof *s, config, err);
    if (s == NULL) {
        return NULL;
    }
    s->frames = config->frames;
    s->eligible = config->eligible;
    s->hand = GMMU_NO_PAGE;
    return s;
}

// The page that leaves, or GMMU_NO_PAGE: no page may. The hand passes over a page that may not
// leave, and does not clear its bit.
static uint32_t evict(sieve *s) {
    gmmu_lists *l = &s->lists;
    uint32_t page = s->hand != GMMU_NO_PAGE ? s->hand : gmmu_list_oldest(l, QUEUE);
    uint32_t cleared = 0;
    for (uint32_t kept = 0; kept < l->length[QUEUE];) {
        if (!gmmu_may_leave(&s->eligible, page)) {
            kept++;
        } else if (gmmu_list_node_of(l, page)->mark != 0) {
            kept = 0;
            cleared++;
            gmmu_list_node_of(l, page)->mark = 0;
        } else {
            s->cleared = cleared;
            s->hand = gmmu_list_younger(l, page);
            gmmu_list_remove(l, page);
            return page;
        }
        page = gmmu_list_younger(l, page);
        page = page != GMMU_NO_PAGE ? page : gmmu_list_oldest(l, QUEUE);
    }
    return GMMU_NO_PAGE;
}

static int touch(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                 gmmu_error *err) {
    (void)walk;
    sieve *s = state;
    gmmu_lists *l = &s->lists;
    if (!gmmu_lists_reserve(l, page)) {
        return gmmu_policy_no_memory("sieve", err);
    }
    gmmu_outcome_begin(out, page, gmmu_list_of(l, page) == GMMU_NO_LIST);
    if (!out->fault) {
        gmmu_list_node_of(l, page)->mark = 1;
        return GMMU_OK;
    }
    if (l->length[QUEUE] == s->frames && !gmmu_outcome_leave(out, evict(s))) {
        return GMMU_OK;
    }
    gmmu_list_push(l, QUEUE, page);
    gmmu_list_node_of(l, page)->mark = 0;
    return GMMU_OK;
}

static int evict_ahead(void *state, gmmu_outcome *out, gmmu_error *err) {
    (void)err;
    sieve *s = state;
    gmmu_outcome_begin(out, GMMU_NO_PAGE, false);
    (void)gmmu_outcome_leave(out, evict(s));
    return GMMU_OK;
}

static void prefetch(const void *state, uint32_t page) {
    gmmu_lists_prefetch(&((const sieve *)state)->lists, page);
}

static void why(const void *state, char *text, size_t size) {
    const sieve *s = state;
    if (s->cleared == 0) {
        (void)snprintf(text, size, "its bit is clear, and it is the first page under the hand");
    } else {
        (void)snprintf(text, size,
                       "its bit is clear; the hand cleared the bits of %" PRIu32
                       " pages on its way",
                       s->cleared);
    }
}

GMMU_POLICY_REPLAY(touch, prefetch)

const gmmu_policy gmmu_policy_sieve = {
    .name = "sieve",
    .help = "SIEVE: a queue, a bit, a hand that does not move pages",
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
