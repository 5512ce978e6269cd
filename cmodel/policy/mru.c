// SPDX-License-Identifier: Apache-2.0
// mru.c: most recently used: of the pages in memory the page that was accessed last leaves. MRU is
// OPT for a cycle of pages that are all used alike, and the other of the two policies that LEU is
// to combine (MEMSYS '19, section 3.1). No parameters.
#include "policy/counting.h"
#include "policy/list.h"
#include "policy/option.h"

enum { STACK };

typedef struct {
    gmmu_lists lists;
    uint32_t frames;
    gmmu_eligible eligible;
} mru;

static void *create(const gmmu_policy_config *config, gmmu_error *err) {
    if (!gmmu_policy_no_options("mru", config, err)) {
        return NULL;
    }
    mru *s = gmmu_lists_state("mru", sizeof *s, config, err);
    if (s == NULL) {
        return NULL;
    }
    s->frames = config->frames;
    s->eligible = config->eligible;
    return s;
}

// The page that leaves, or GMMU_NO_PAGE: no page may.
static uint32_t evict(mru *s) {
    const uint32_t page = gmmu_list_youngest_of(&s->lists, STACK, &s->eligible);
    if (page != GMMU_NO_PAGE) {
        gmmu_list_remove(&s->lists, page);
    }
    return page;
}

static int touch(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                 gmmu_error *err) {
    (void)walk;
    mru *s = state;
    gmmu_lists *l = &s->lists;
    if (!gmmu_lists_reserve(l, page)) {
        return gmmu_policy_no_memory("mru", err);
    }
    gmmu_outcome_begin(out, page, gmmu_list_of(l, page) == GMMU_NO_LIST);
    if (!out->fault) {
        gmmu_list_remove(l, page);
    } else if (l->length[STACK] == s->frames && !gmmu_outcome_leave(out, evict(s))) {
        return GMMU_OK;
    }
    gmmu_list_push(l, STACK, page);
    return GMMU_OK;
}

static int evict_ahead(void *state, gmmu_outcome *out, gmmu_error *err) {
    (void)err;
    mru *s = state;
    gmmu_outcome_begin(out, GMMU_NO_PAGE, false);
    (void)gmmu_outcome_leave(out, evict(s));
    return GMMU_OK;
}

static void prefetch(const void *state, uint32_t page) {
    gmmu_lists_prefetch(&((const mru *)state)->lists, page);
}

GMMU_POLICY_REPLAY(touch, prefetch)

const gmmu_policy gmmu_policy_mru = {
    .name = "mru",
    .help = "most recently used",
    .rule = "used last of all resident pages",
    .page_only = true,
    .obeys = true,
    .create = create,
    .access = touch,
    .evict = evict_ahead,
    .prefetch = prefetch,
    .destroy = gmmu_lists_state_destroy,
    .replay = replay,
};
