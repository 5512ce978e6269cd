// SPDX-License-Identifier: Apache-2.0
// opt.c: Belady's MIN with mandatory insertion (IBM Systems Journal 5(2), 1966): the page whose
// next use lies furthest ahead leaves.
//
// Of the pages never used again the one with the oldest last access leaves first; last accesses
// are distinct, so nothing is left for the page number to decide. Such pages enter in the order
// of their last access: a queue. The others have distinct next uses: a set of bits over time,
// with a tree of summaries above it, gives the furthest in a few steps.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/bitset.h"
#include "policy/counting.h"
#include "policy/option.h"

typedef struct {
    const gmmu_future *future;
    gmmu_bitset uses;  // next uses of resident pages
    uint64_t now;      // number of the coming walk
    uint8_t *resident;
    uint32_t cap;
    uint32_t *never;  // queue of resident pages without a next use
    uint32_t never_cap, never_head, never_tail;
    uint32_t frames, used;
    uint64_t victim_use;  // the next use of the last victim; GMMU_NEVER: none
    gmmu_eligible eligible;
} opt;

static void destroy(void *state) {
    opt *s = state;
    gmmu_bitset_destroy(&s->uses);
    free(s->resident);
    free(s->never);
    free(s);
}

static void *create(const gmmu_policy_config *config, gmmu_error *err) {
    if (!gmmu_policy_no_options("opt", config, err)) {
        return NULL;
    }
    opt *s = calloc(1, sizeof *s);
    if (s == NULL) {
        (void)gmmu_policy_no_memory("opt", err);
        return NULL;
    }
    s->future = config->future;
    s->frames = config->frames;
    s->eligible = config->eligible;
    const uint32_t pages = gmmu_policy_expected(config, UINT32_MAX);
    if (!GMMU_EXPECT(s->resident, s->cap, pages, 0) ||
        !GMMU_EXPECT(s->never, s->never_cap, pages, 0) ||
        !gmmu_bitset_create(&s->uses, config->future->count)) {
        destroy(s);
        (void)gmmu_policy_no_memory("opt", err);
        return NULL;
    }
    return s;
}

// Room for PAGE, and in the queue for a page that is accessed for the last time.
static bool reserve(opt *s, uint32_t page) {
    // Each page enters the queue once at most: it needs no wrapping.
    return GMMU_ROOM(s->resident, s->cap, page, 0) &&
           (s->future->next[s->now] != GMMU_NEVER ||
            GMMU_ROOM(s->never, s->never_cap, s->never_tail, 0));
}

// The page that leaves, or GMMU_NO_PAGE: no page may.
static uint32_t evict(opt *s) {
    for (uint32_t i = s->never_head; i < s->never_tail; i++) {
        const uint32_t page = s->never[i];
        if (gmmu_may_leave(&s->eligible, page)) {
            memmove(&s->never[s->never_head + 1], &s->never[s->never_head],
                    (i - s->never_head) * sizeof *s->never);
            s->never_head++;
            s->resident[page] = 0;
            s->victim_use = GMMU_NEVER;
            return page;
        }
    }
    uint64_t use = gmmu_bitset_empty(&s->uses) ? UINT64_MAX : gmmu_bitset_highest(&s->uses);
    while (use != UINT64_MAX && !gmmu_may_leave(&s->eligible, s->future->pages[use])) {
        use = gmmu_bitset_below(&s->uses, use);
    }
    if (use == UINT64_MAX) {
        return GMMU_NO_PAGE;
    }
    gmmu_bitset_clear(&s->uses, use);
    s->victim_use = use;
    s->resident[s->future->pages[use]] = 0;
    return s->future->pages[use];
}

static int touch(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                 gmmu_error *err) {
    (void)walk;
    opt *s = state;
    if (!gmmu_future_agrees(s->future, s->now, page, "opt", err)) {
        return GMMU_BAD;
    }
    if (!reserve(s, page)) {
        return gmmu_policy_no_memory("opt", err);
    }
    gmmu_outcome_begin(out, page, s->resident[page] == 0);
    if (!out->fault) {
        gmmu_bitset_clear(&s->uses, s->now);
    } else if (s->used < s->frames) {
        s->used++;
    } else if (!gmmu_outcome_leave(out, evict(s))) {
        return GMMU_OK;
    }
    s->resident[page] = 1;
    uint64_t next = s->future->next[s->now++];
    if (next != GMMU_NEVER) {
        gmmu_bitset_set(&s->uses, next);
    } else {
        s->never[s->never_tail++] = page;
    }
    return GMMU_OK;
}

static int evict_ahead(void *state, gmmu_outcome *out, gmmu_error *err) {
    (void)err;
    opt *s = state;
    gmmu_outcome_begin(out, GMMU_NO_PAGE, false);
    s->used -= gmmu_outcome_leave(out, evict(s)) ? 1U : 0U;
    return GMMU_OK;
}

static void why(const void *state, char *text, size_t size) {
    const opt *s = state;
    if (s->victim_use == GMMU_NEVER) {
        (void)snprintf(text, size, "never used again; of such pages used longest ago");
    } else {
        (void)snprintf(text, size, "its next use, event %" PRIu64 ", is the furthest ahead",
                       s->victim_use + 1);
    }
}

GMMU_POLICY_REPLAY(touch, NULL)

const gmmu_policy gmmu_policy_opt = {
    .name = "opt",
    .help = "Belady's MIN: furthest next use, with mandatory insertion",
    .why = why,
    .needs_future = true,
    .page_only = true,
    .obeys = true,
    .create = create,
    .access = touch,
    .evict = evict_ahead,
    .destroy = destroy,
    .replay = replay,
};
