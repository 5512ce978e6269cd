// SPDX-License-Identifier: Apache-2.0
// hawkeye.c: Hawkeye (Jain and Lin, "Back to the Future: Leveraging Belady's Algorithm for Improved
// Cache Replacement", ISCA 2016), with pages in place of lines and one set of all frames.
//
// OPTgen says of each reuse whether OPT would have hit: the last SLOTS slots of time have an
// occupancy each, and OPT hits if each slot from the page's last access to now has fewer than
// `frames` intervals; these slots then have one more. A counter of 3 bits of each reference goes up
// where OPT hits and down where OPT does not, from 4: the reference of the earlier access learns. A
// reference is friendly while its counter is 4 or more. A page is friendly or averse by the
// reference of its last access. An averse page leaves before all friendly ones; of friendly pages
// the least recently used leaves, and the reference of its last access learns a miss.
// Parameter: averse = 1: of averse pages the most recently used leaves; 0: the least recently used.
//
// Departures: every page is sampled, in place of the pages of 64 sets, and a reference has a
// counter of its own, in place of a hash of 13 bits. One clock of walks counts all accesses: a slot
// is max(1, frames / 16) walks and there are 128, the 8 times memory of the paper. A reuse across
// more slots is a miss; a page that is never used again teaches nothing. Friendly pages leave in
// the order of their last accesses exactly; RRPVs of 3 bits keep the order of 7 groups. The paper's
// set evicts the averse line of the lowest way; memory has no ways, so the order is a parameter.
#include <stdio.h>
#include <stdlib.h>

#include "policy/list.h"
#include "policy/option.h"

enum { FRIENDLY, AVERSE, SLOTS = 128, MOST = 7, MIDDLE = 4 };

typedef struct {
    gmmu_lists lists;
    gmmu_pages *ref_ids;
    uint8_t *counters;  // of each reference
    uint32_t counter_cap;
    uint64_t *last;  // of each page: time of its last access, from 1; 0 before the first
    uint32_t *ref;   // of each page: the last access's
    uint32_t last_cap, ref_cap;
    uint32_t occupancy[SLOTS];  // of slot i mod SLOTS
    uint64_t slot;              // of the present walk
    uint64_t now, unit, averse;
    uint32_t frames;
    bool victim_friendly;  // the last victim
} hawkeye;

static void destroy(void *state) {
    hawkeye *s = state;
    gmmu_lists_destroy(&s->lists);
    gmmu_pages_destroy(s->ref_ids);
    free(s->counters);
    free(s->last);
    free(s->ref);
    free(s);
}

static void *create(const gmmu_policy_config *config, gmmu_error *err) {
    uint64_t averse = 1;
    const gmmu_option options[] = {GMMU_NUMBER("averse", &averse, 0, 1)};
    if (!gmmu_options_read("hawkeye", config, options, 1, err)) {
        return NULL;
    }
    hawkeye *s = calloc(1, sizeof *s);
    gmmu_pages *ref_ids = gmmu_pages_create();
    if (s == NULL || ref_ids == NULL || !gmmu_lists_create(&s->lists)) {
        free(s);
        gmmu_pages_destroy(ref_ids);
        (void)gmmu_policy_no_memory("hawkeye", err);
        return NULL;
    }
    s->ref_ids = ref_ids;
    s->averse = averse;
    s->frames = config->frames;
    s->unit = config->frames < 16 ? 1 : config->frames / 16;
    return s;
}

// The counter of REF goes up, or down, by one, within 0 to MOST.
static void train(hawkeye *s, uint32_t ref, bool hit) {
    uint8_t *c = &s->counters[ref];
    if (hit && *c != MOST) {
        ++*c;
    } else if (!hit && *c != 0) {
        --*c;
    }
}

// True: OPT hits the access of now to a page whose last access was in slot FROM.
static bool opt_hits(hawkeye *s, uint64_t from) {
    if (s->slot - from >= SLOTS) {
        return false;
    }
    for (uint64_t i = from; i < s->slot; i++) {
        if (s->occupancy[i % SLOTS] >= s->frames) {
            return false;
        }
    }
    for (uint64_t i = from; i < s->slot; i++) {
        s->occupancy[i % SLOTS]++;
    }
    return true;
}

// Memory is full.
static uint32_t evict(hawkeye *s) {
    gmmu_lists *l = &s->lists;
    const gmmu_eligible all = {0};
    uint32_t page =
        s->averse != 0 ? gmmu_list_youngest_of(l, AVERSE, &all) : gmmu_list_oldest(l, AVERSE);
    s->victim_friendly = page == GMMU_NO_PAGE;
    if (s->victim_friendly) {
        page = gmmu_list_oldest(l, FRIENDLY);
        train(s, s->ref[page], false);
    }
    gmmu_list_remove(l, page);
    return page;
}

static bool reserve(hawkeye *s, uint32_t page, uint32_t ref) {
    return gmmu_lists_reserve(&s->lists, page) && GMMU_ROOM(s->last, s->last_cap, page, 0) &&
           GMMU_ROOM(s->ref, s->ref_cap, page, 0) &&
           GMMU_ROOM(s->counters, s->counter_cap, ref, MIDDLE);
}

static int touch(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                 gmmu_error *err) {
    hawkeye *s = state;
    gmmu_lists *l = &s->lists;
    const uint32_t ref = gmmu_pages_index(s->ref_ids, walk->asid, walk->ref);
    if (ref == GMMU_NO_PAGE || !reserve(s, page, ref)) {
        return gmmu_policy_no_memory("hawkeye", err);
    }
    s->now++;
    if (s->now / s->unit != s->slot) {
        s->slot = s->now / s->unit;
        s->occupancy[s->slot % SLOTS] = 0;
    }
    if (s->last[page] != 0) {
        train(s, s->ref[page], opt_hits(s, s->last[page] / s->unit));
    }
    gmmu_outcome_begin(out, page, gmmu_list_of(l, page) == GMMU_NO_LIST);
    if (!out->fault) {
        gmmu_list_remove(l, page);
    } else if (l->length[FRIENDLY] + l->length[AVERSE] == s->frames) {
        gmmu_outcome_evict(out, evict(s));
    }
    gmmu_list_push(l, s->counters[ref] >= MIDDLE ? FRIENDLY : AVERSE, page);
    s->last[page] = s->now;
    s->ref[page] = ref;
    return GMMU_OK;
}

static void prefetch(const void *state, uint32_t page) {
    gmmu_lists_prefetch(&((const hawkeye *)state)->lists, page);
}

static void why(const void *state, char *text, size_t size) {
    const hawkeye *s = state;
    if (s->victim_friendly) {
        (void)snprintf(text, size, "used longest ago: all resident pages are friendly");
    } else {
        (void)snprintf(text, size,
                       "averse by the reference of its last access; of such pages used %s",
                       s->averse != 0 ? "last" : "longest ago");
    }
}

const gmmu_policy gmmu_policy_hawkeye = {
    .name = "hawkeye",
    .help = "Hawkeye: what OPT would have kept, by reference",
    .options =
        "averse=N (1): of averse pages\n"
        "  1: the youngest leaves, 0: the oldest",
    .why = why,
    .create = create,
    .access = touch,
    .prefetch = prefetch,
    .destroy = destroy,
};
