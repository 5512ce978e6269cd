// SPDX-License-Identifier: Apache-2.0
// lru.c: least recently used, as a log of accesses.
//
// Every access writes its page at the log's young end; the page's last place in the log is where
// it counts, the places before are stale. The victim is the first page from the old end that is
// not stale. A hit so touches one word at random, where a linked list touches three nodes. The log
// is a ring of at least twice the resident pages: when it is full, half of it at least is stale,
// and leaving that out costs O(1) an access. No parameters.
#include <stdlib.h>

#include "policy/counting.h"
#include "policy/option.h"

enum { ABSENT = UINT32_MAX, FIRST_LOG = 1024 };

typedef struct {
    uint32_t *place;  // of each page: its place in the log, ABSENT when it is not resident
    uint32_t cap;
    uint32_t *log;           // pages
    uint32_t mask;           // places - 1, a power of two minus one
    uint32_t oldest, count;  // places in use begin at `oldest`, stale ones included
    uint32_t frames, used;
    gmmu_eligible eligible;
} lru;

static void destroy(void *state) {
    lru *s = state;
    free(s->place);
    free(s->log);
    free(s);
}

// The places of the log for FRAMES pages.
static uint32_t first_places(uint32_t frames) {
    uint32_t places = FIRST_LOG;
    while (places / 2 < frames && places <= UINT32_MAX / 4) {
        places *= 2;
    }
    return places;
}

static void *create(const gmmu_policy_config *config, gmmu_error *err) {
    if (!gmmu_policy_no_options("lru", config, err)) {
        return NULL;
    }
    lru *s = calloc(1, sizeof *s);
    const uint32_t pages = gmmu_policy_expected(config, UINT32_MAX);
    const uint32_t places = first_places(gmmu_policy_expected(config, config->frames));
    uint32_t *log = gmmu_grow(NULL, 0, places, sizeof *log, 0);
    if (s == NULL || log == NULL || !GMMU_EXPECT(s->place, s->cap, pages, 0xff)) {
        free(s);
        free(log);
        (void)gmmu_policy_no_memory("lru", err);
        return NULL;
    }
    s->log = log;
    s->mask = places - 1;
    s->frames = config->frames;
    s->eligible = config->eligible;
    return s;
}

static bool stale(const lru *s, uint32_t place) {
    return s->place[s->log[place]] != place;
}

// Leaves out what is stale.
static void compact(lru *s) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t from = (s->oldest + i) & s->mask;
        if (!stale(s, from)) {
            uint32_t to = (s->oldest + kept++) & s->mask;
            s->log[to] = s->log[from];
            s->place[s->log[to]] = to;
        }
    }
    s->count = kept;
}

// Room for PAGE, and for one more place in the log.
static bool reserve(lru *s, uint32_t page) {
    if (!GMMU_ROOM(s->place, s->cap, page, 0xff)) {
        return false;
    }
    if (s->count <= s->mask) {
        return true;
    }
    compact(s);
    if (s->count > s->mask / 2) {
        uint32_t old = s->mask + 1;
        uint32_t *log = gmmu_grow(s->log, old, (size_t)old * 2, sizeof *log, 0);
        if (log == NULL) {
            return false;
        }
        // What had wrapped goes on where the old end was.
        uint32_t wrapped = s->oldest + s->count > old ? s->oldest + s->count - old : 0;
        for (uint32_t i = 0; i < wrapped; i++) {
            log[old + i] = log[i];
            s->place[log[i]] = old + i;
        }
        s->log = log;
        s->mask = 2 * old - 1;
    }
    return true;
}

// The oldest page that may leave becomes stale, though it is not the oldest; GMMU_NO_PAGE: no page
// may leave.
static __attribute__((noinline)) uint32_t evict_younger(lru *s) {
    for (uint32_t i = 1; i < s->count; i++) {
        const uint32_t place = (s->oldest + i) & s->mask;
        if (!stale(s, place) && gmmu_may_leave(&s->eligible, s->log[place])) {
            s->place[s->log[place]] = ABSENT;
            return s->log[place];
        }
    }
    return GMMU_NO_PAGE;
}

// At least one page is resident.
static uint32_t evict(lru *s) {
    while (stale(s, s->oldest)) {
        s->oldest = (s->oldest + 1) & s->mask;
        s->count--;
    }
    uint32_t page = s->log[s->oldest];
    if (!gmmu_may_leave(&s->eligible, page)) {
        return evict_younger(s);
    }
    s->oldest = (s->oldest + 1) & s->mask;
    s->count--;
    s->place[page] = ABSENT;
    return page;
}

static void prefetch(const void *state, uint32_t page) {
    const lru *s = state;
    if (page < s->cap) {
        __builtin_prefetch(&s->place[page], 1);
        __builtin_prefetch(&s->place[s->log[(s->oldest + 16) & s->mask]], 1);
    }
}

static int touch(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                 gmmu_error *err) {
    (void)walk;
    lru *s = state;
    if (!reserve(s, page)) {
        return gmmu_policy_no_memory("lru", err);
    }
    gmmu_outcome_begin(out, page, s->place[page] == ABSENT);
    if (out->fault) {
        if (s->used < s->frames) {
            s->used++;
        } else if (!gmmu_outcome_leave(out, evict(s))) {
            return GMMU_OK;
        }
    }
    uint32_t place = (s->oldest + s->count++) & s->mask;
    s->log[place] = page;
    s->place[page] = place;
    return GMMU_OK;
}

static int evict_ahead(void *state, gmmu_outcome *out, gmmu_error *err) {
    (void)err;
    lru *s = state;
    gmmu_outcome_begin(out, GMMU_NO_PAGE, false);
    s->used -= gmmu_outcome_leave(out, s->used == 0 ? GMMU_NO_PAGE : evict(s)) ? 1U : 0U;
    return GMMU_OK;
}

GMMU_POLICY_REPLAY(touch, prefetch)

const gmmu_policy gmmu_policy_lru = {
    .name = "lru",
    .help = "least recently used",
    .rule = "used longest ago of all resident pages",
    .page_only = true,
    .obeys = true,
    .create = create,
    .access = touch,
    .evict = evict_ahead,
    .prefetch = prefetch,
    .destroy = destroy,
    .replay = replay,
};
