// SPDX-License-Identifier: Apache-2.0
// slru.c: segmented LRU (Karedla, Love, Wherry: Caching strategies to improve disk system
// performance, IEEE Computer 27(3), 1994). A new page is on probation. A hit moves a page to the
// young end of the protected pages. If these are too many, the oldest of them goes back to the
// young end of probation. The oldest page on probation leaves. Parameter: protected=80, the most
// protected pages in per cent of the frames.
#include "policy/list.h"
#include "policy/plugin.h"

enum { PROBATION, PROTECTED };

typedef struct {
    gmmu_lists lists;
    uint32_t frames, most_protected;
    gmmu_eligible eligible;
} slru;

static void *create(const gmmu_policy_config *config, gmmu_error *err) {
    uint32_t percent = 80;
    const gmmu_option options[] = {GMMU_NUMBER("protected", &percent, 1, 99)};
    if (!gmmu_options_read("slru", config, options, 1, err)) {
        return NULL;
    }
    slru *s = gmmu_lists_state("slru", sizeof *s, config, err);
    if (s == NULL) {
        return NULL;
    }
    s->frames = config->frames;
    s->most_protected = gmmu_percent(config->frames, percent);
    s->eligible = config->eligible;
    return s;
}

// The page that leaves, or GMMU_NO_PAGE: no page may.
static uint32_t evict(slru *s) {
    uint32_t page = gmmu_list_oldest_of(&s->lists, PROBATION, &s->eligible);
    if (page == GMMU_NO_PAGE) {
        page = gmmu_list_oldest_of(&s->lists, PROTECTED, &s->eligible);
    }
    if (page != GMMU_NO_PAGE) {
        gmmu_list_remove(&s->lists, page);
    }
    return page;
}

static int touch(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                 gmmu_error *err) {
    (void)walk;
    slru *s = state;
    gmmu_lists *l = &s->lists;
    if (!gmmu_lists_reserve(l, page)) {
        return gmmu_policy_no_memory("slru", err);
    }
    gmmu_outcome_begin(out, page, gmmu_list_of(l, page) == GMMU_NO_LIST);
    if (out->fault) {
        const uint32_t used = l->length[PROBATION] + l->length[PROTECTED];
        if (used < s->frames || gmmu_outcome_leave(out, evict(s))) {
            gmmu_list_push(l, PROBATION, page);
        }
        return GMMU_OK;
    }
    gmmu_list_remove(l, page);
    gmmu_list_push(l, PROTECTED, page);
    if (l->length[PROTECTED] > s->most_protected) {
        const uint32_t oldest = gmmu_list_oldest(l, PROTECTED);
        gmmu_list_remove(l, oldest);
        gmmu_list_push(l, PROBATION, oldest);
    }
    return GMMU_OK;
}

static void prefetch(const void *state, uint32_t page) {
    gmmu_lists_prefetch(&((const slru *)state)->lists, page);
}

static const gmmu_policy policy = {
    .name = "slru",
    .help = "segmented LRU: a page with a hit is protected",
    .options = "protected=80 (per cent of the frames, 1..99)",
    .rule = "longest on probation; if none is, the oldest protected",
    .page_only = true,
    .obeys = true,
    .create = create,
    .access = touch,
    .prefetch = prefetch,
    .destroy = gmmu_lists_state_destroy,
};

GMMU_PLUGIN(&policy);
