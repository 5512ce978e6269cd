// SPDX-License-Identifier: Apache-2.0
// hints.c: see hints.h.
#include "policy/hints.h"

#include <stdlib.h>
#include <string.h>

#include "policy/policy.h"

// The touches of a page in one launch.
typedef struct {
    uint64_t first, last;  // walks
    uint32_t touches;
    uint32_t launch;
} stay;

typedef struct {
    stay stays[GMMU_FORECAST_STAYS];  // a ring
    uint32_t newest, count;
    bool freed;
} page_state;

// A context and the launch that it ended with last.
typedef struct {
    uint64_t hash;
    uint64_t launch;  // from 1; 0: the slot is free
} context;

enum { LENGTHS = 3 };
static const unsigned lengths[LENGTHS] = {GMMU_FORECAST_CONTEXT, 2, 1};  // the longest first

struct gmmu_forecast {
    const gmmu_pages *pages;
    page_state *state;  // of each page
    uint32_t cap;
    uint64_t now;       // walks so far
    uint64_t launches;  // so far; before the first one there is number 0
    uint64_t alike;     // the launch that the present one repeats; 0: none is known
    uint64_t kernels[GMMU_FORECAST_CONTEXT];  // launched last, the present one first
    uint64_t begin[GMMU_FORECAST_LAUNCHES];   // the walk before which each of the last began
    context contexts[GMMU_FORECAST_SLOTS];
};

gmmu_forecast *gmmu_forecast_create(const gmmu_pages *pages) {
    gmmu_forecast *f = calloc(1, sizeof *f);
    if (f != NULL) {
        f->pages = pages;
    }
    return f;
}

void gmmu_forecast_destroy(gmmu_forecast *f) {
    if (f != NULL) {
        free(f->state);
        free(f);
    }
}

static uint64_t mix(uint64_t hash, uint64_t word) {
    uint64_t x = (hash * UINT64_C(0xff51afd7ed558ccd) + UINT64_C(0x9e3779b97f4a7c15)) ^ word;
    x *= UINT64_C(0xc4ceb9fe1a85ec53);
    x ^= x >> 32;
    x *= UINT64_C(0xd6e8feb86659fd93);
    return x ^ x >> 32;
}

// The slot of the last LENGTH launches, and of the one to come if it is known.
static context *slot_of(gmmu_forecast *f, unsigned length, bool followed, uint64_t next,
                        uint64_t *hash) {
    *hash = 2 * (uint64_t)length + (followed ? 1 : 0);
    *hash = followed ? mix(*hash, next) : *hash;
    for (unsigned i = 0; i < length; i++) {
        *hash = mix(*hash, f->kernels[i]);
    }
    return &f->contexts[*hash % GMMU_FORECAST_SLOTS];
}

// Looks up which launch the present one repeats, by the last LENGTH launches, and notes it in turn.
static void look_up(gmmu_forecast *f, unsigned length, bool followed, uint64_t next) {
    uint64_t hash = 0;
    context *c = slot_of(f, length, followed, next, &hash);
    if (f->alike == 0 && c->launch != 0 && c->hash == hash &&
        f->launches - c->launch < GMMU_FORECAST_LAUNCHES) {
        f->alike = c->launch;
    }
    *c = (context){.hash = hash, .launch = f->launches};
}

static void launch(gmmu_forecast *f, uint64_t kernel, bool followed, uint64_t next) {
    memmove(f->kernels + 1, f->kernels, (GMMU_FORECAST_CONTEXT - 1) * sizeof *f->kernels);
    f->kernels[0] = kernel;
    f->launches++;
    f->begin[f->launches % GMMU_FORECAST_LAUNCHES] = f->now;
    f->alike = 0;
    for (unsigned known = followed ? 2 : 1; known-- > 0;) {
        for (unsigned i = 0; i < LENGTHS; i++) {
            if (lengths[i] <= f->launches) {
                look_up(f, lengths[i], known == 1, next);
            }
        }
    }
}

// Whether PAGE is in the range of HINT.
static bool in_range(const gmmu_forecast *f, uint32_t page, const gmmu_hint *hint) {
    return gmmu_pages_asid(f->pages, page) == hint->asid &&
           gmmu_pages_number(f->pages, page) - hint->first < hint->pages;
}

// Marks the pages of a range that have been walked to, by the shorter way.
static void mark(gmmu_forecast *f, const gmmu_hint *hint) {
    const bool freed = hint->kind == GMMU_HINT_FREE;
    uint32_t known = gmmu_pages_count(f->pages);
    known = known < f->cap ? known : f->cap;
    if (hint->pages < known) {
        for (uint64_t i = 0; i < hint->pages; i++) {
            uint32_t page = gmmu_pages_find(f->pages, hint->asid, hint->first + i);
            if (page < known) {
                f->state[page].freed = freed;
            }
        }
        return;
    }
    for (uint32_t page = 0; page < known; page++) {
        if (in_range(f, page, hint)) {
            f->state[page].freed = freed;
        }
    }
}

void gmmu_forecast_hint(gmmu_forecast *f, const gmmu_hint *hint, bool followed, uint64_t next) {
    if (hint->kind == GMMU_HINT_LAUNCH) {
        launch(f, hint->id, followed, next);
    } else {
        mark(f, hint);
    }
}

bool gmmu_forecast_walk(gmmu_forecast *f, uint32_t page) {
    if (!GMMU_ROOM(f->state, f->cap, page, 0)) {
        return false;
    }
    page_state *p = &f->state[page];
    stay *s = &p->stays[p->newest];
    if (p->count == 0 || s->launch != (uint32_t)f->launches) {
        p->newest = p->count == 0 ? 0 : (p->newest + 1) % GMMU_FORECAST_STAYS;
        p->count += p->count < GMMU_FORECAST_STAYS ? 1 : 0;
        s = &p->stays[p->newest];
        *s = (stay){.first = f->now, .launch = (uint32_t)f->launches};
    }
    s->last = f->now++;
    s->touches++;
    p->freed = false;
    return true;
}

uint64_t gmmu_forecast_age(const gmmu_forecast *f, uint32_t page) {
    const page_state *p = &f->state[page];
    return f->now - p->stays[p->newest].last;
}

// The walk that the one to come repeats.
static uint64_t repeated(const gmmu_forecast *f) {
    const uint64_t *begin = f->begin;
    uint64_t here = f->now - begin[f->launches % GMMU_FORECAST_LAUNCHES];
    uint64_t start = begin[f->alike % GMMU_FORECAST_LAUNCHES];
    uint64_t end = begin[(f->alike + 1) % GMMU_FORECAST_LAUNCHES];
    return here < end - start ? start + here : end;
}

uint64_t gmmu_forecast_next(const gmmu_forecast *f, uint32_t page) {
    const page_state *p = &f->state[page];
    if (f->alike == 0) {
        return p->freed ? GMMU_NEXT_NEVER : GMMU_NEXT_UNKNOWN;
    }
    const uint64_t at = repeated(f);
    const stay *next = NULL;  // the oldest that ends behind
    uint32_t used = 0;
    for (; used < p->count; used++) {
        const stay *s = &p->stays[(p->newest - used) % GMMU_FORECAST_STAYS];
        if (s->last < at) {
            break;
        }
        next = s;
    }
    if (next == NULL) {
        return p->freed ? GMMU_NEXT_NEVER : GMMU_NEXT_UNKNOWN;
    }
    if (next->first < at) {  // it is touched again and again
        const uint64_t apart = (next->last - next->first) / (next->touches - 1);
        return apart < next->last - at ? apart : next->last - at;
    }
    const uint64_t distance = next->first - at;
    if (used < GMMU_FORECAST_STAYS) {
        return distance;
    }
    // stays before these are forgotten: the next one is no farther than they are apart
    const uint64_t apart = (p->stays[p->newest].first - next->first) / (GMMU_FORECAST_STAYS - 1);
    return distance < apart ? distance : apart;
}
