// SPDX-License-Identifier: Apache-2.0
// hinted.c: of some resident pages that are drawn, the one whose next use the driver's hints
// forecast the farthest ahead (hints.h); where it is not far, the one that must stay longest for
// its next hit by LEU, from what its reference tells (reuse.h).
//
// `hinted` knows what a driver knows. `hinted-known` is a bound: it also knows, at each launch, the
// kernel that is launched after it.
//
// Parameters: candidates (64; 0: all resident pages), far (2: a use is far that many times the
// memory ahead, in walks), seed (1; gmmu replay --seed). Of pages that
// are expected to stay as long, the one used longest ago leaves.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "policy/draw.h"
#include "policy/hints.h"
#include "policy/holes.h"
#include "policy/option.h"
#include "policy/reuse.h"

enum { JUDGED = 1024 };

typedef struct {
    uint32_t frame;  // UINT32_MAX when it is not resident
    uint32_t ref;    // that used it last; UINT32_MAX: none did
} page_state;

typedef struct {
    gmmu_forecast *forecast;
    gmmu_reuse *reuse;
    page_state *pages;
    uint32_t cap;
    uint32_t *page_in;  // of each frame; GMMU_NO_PAGE: left ahead of need
    uint32_t page_in_cap;
    uint32_t frames, used, candidates;
    uint64_t far;  // a use that many walks ahead is far
    uint64_t seed;
    gmmu_holes holes;
    const gmmu_future *future;  // NULL: not known
    uint64_t launches;          // so far
    uint32_t right, wrong;      // forecasts of late, see judge
    uint64_t victim_stay;       // what stay_of said of the last victim
    gmmu_eligible eligible;
} hinted;

static void destroy(void *state) {
    hinted *s = state;
    gmmu_forecast_destroy(s->forecast);
    gmmu_reuse_destroy(s->reuse);
    free(s->pages);
    free(s->page_in);
    gmmu_holes_free(&s->holes);
    free(s);
}

static void *create(const gmmu_policy_config *config, gmmu_error *err) {
    uint64_t seed = config->seed;
    uint32_t candidates = 64;
    uint32_t far = 2;
    const gmmu_option options[] = {GMMU_NUMBER("candidates", &candidates, 0, UINT32_MAX),
                                   GMMU_NUMBER("far", &far, 0, 1000),
                                   GMMU_NUMBER("seed", &seed, 0, UINT64_C(9999999999999999999))};
    if (!gmmu_options_read("hinted", config, options, 3, err)) {
        return NULL;
    }
    hinted *s = calloc(1, sizeof *s);
    if (s == NULL || (s->forecast = gmmu_forecast_create(config->pages)) == NULL ||
        (s->reuse = gmmu_reuse_create()) == NULL) {
        if (s != NULL) {
            destroy(s);
        }
        (void)gmmu_policy_no_memory("hinted", err);
        return NULL;
    }
    s->frames = config->frames;
    s->eligible = config->eligible;
    s->candidates = candidates;
    s->far = (uint64_t)far * config->frames;
    s->seed = seed;
    s->future = config->future;
    return s;
}

// Room for PAGE, and for one more frame.
static bool reserve(hinted *s, uint32_t page) {
    return GMMU_ROOM(s->pages, s->cap, page, 0xff) &&
           (s->used == s->frames || GMMU_ROOM(s->page_in, s->page_in_cap, s->used, 0));
}

// Notes whether the walk to PAGE was forecast within the time that a page stays in memory.
// Forecasts are followed while at least half of the last were right.
static void judge(hinted *s, uint32_t page) {
    const uint64_t next = gmmu_forecast_next(s->forecast, page);
    if (next == GMMU_NEXT_UNKNOWN) {
        return;
    }
    *(next <= s->frames ? &s->right : &s->wrong) += 1;
    if (s->right + s->wrong == JUDGED) {
        s->right /= 2;
        s->wrong /= 2;
    }
}

// How long PAGE, used AGE walks ago, must stay for its next hit. That it is not used for a long
// time is believed of the forecast; when it is used before that, the reference tells better.
static uint64_t stay_of(const hinted *s, uint32_t page, uint64_t age) {
    const uint64_t next = gmmu_forecast_next(s->forecast, page);
    if (next == GMMU_NEXT_NEVER) {
        return next;
    }
    if (next != GMMU_NEXT_UNKNOWN && next >= s->far && s->wrong <= s->right) {
        return GMMU_REUSE_BEYOND + next;
    }
    return gmmu_reuse_cost(s->reuse, s->pages[page].ref, age);
}

// The frame to take, or `used`: no page may leave. A drawn page that may not leave is no candidate;
// if no drawn page may, the first frame behind the last draw is taken whose page may.
static uint32_t victim(hinted *s) {
    const bool all = s->candidates == 0 || s->candidates >= s->used;
    const uint32_t count = all ? s->used : s->candidates;
    const uint64_t seed = s->seed;
    uint32_t best = UINT32_MAX;
    uint32_t frame = 0;
    uint64_t best_stay = 0;
    uint64_t best_age = 0;
    for (uint32_t i = 0; i < count; i++) {
        frame = all ? i : (uint32_t)gmmu_draw(&s->seed, s->used);
        const uint32_t page = s->page_in[frame];
        if (page == GMMU_NO_PAGE || !gmmu_may_leave(&s->eligible, page)) {
            continue;
        }
        const uint64_t age = gmmu_forecast_age(s->forecast, page);
        const uint64_t stay = stay_of(s, page, age);
        if (best == UINT32_MAX || stay > best_stay || (stay == best_stay && age > best_age)) {
            best = frame;
            best_stay = stay;
            best_age = age;
        }
    }
    s->victim_stay = best_stay;
    if (best == UINT32_MAX) {
        best = gmmu_eligible_frame(&s->eligible, s->page_in, s->used, frame);
        s->seed = best == s->used ? seed : s->seed;
    }
    return best;
}

// Notes the walk to PAGE; false when there is no memory.
static bool note(hinted *s, uint32_t page, const gmmu_walk *walk) {
    const uint32_t ref = gmmu_reuse_ref(s->reuse, walk->asid, walk->ref);
    if (ref == UINT32_MAX) {
        return false;
    }
    if (s->pages[page].ref != UINT32_MAX) {
        judge(s, page);
        gmmu_reuse_add(s->reuse, s->pages[page].ref, gmmu_forecast_age(s->forecast, page));
    }
    s->pages[page].ref = ref;
    return gmmu_forecast_walk(s->forecast, page);
}

static int touch(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                 gmmu_error *err) {
    hinted *s = state;
    if (!reserve(s, page)) {
        return gmmu_policy_no_memory("hinted", err);
    }
    gmmu_outcome_begin(out, page, s->pages[page].frame == UINT32_MAX);
    if (out->fault) {
        uint32_t f = 0;
        if (!gmmu_holes_take(&s->holes, &s->used, s->frames, &f)) {
            f = victim(s);
            if (f == s->used) {
                gmmu_outcome_stuck(out);
                return GMMU_OK;
            }
            gmmu_outcome_evict(out, s->page_in[f]);
            s->pages[s->page_in[f]].frame = UINT32_MAX;
        }
        s->page_in[f] = page;
        s->pages[page].frame = f;
    }
    return note(s, page, walk) ? GMMU_OK : gmmu_policy_no_memory("hinted", err);
}

static int evict_ahead(void *state, gmmu_outcome *out, gmmu_error *err) {
    hinted *s = state;
    gmmu_outcome_begin(out, GMMU_NO_PAGE, false);
    const uint32_t f = victim(s);
    if (f == s->used) {
        gmmu_outcome_stuck(out);
        return GMMU_OK;
    }
    if (!gmmu_holes_put(&s->holes, f)) {
        return gmmu_policy_no_memory("hinted", err);
    }
    gmmu_outcome_evict(out, s->page_in[f]);
    s->pages[s->page_in[f]].frame = UINT32_MAX;
    s->page_in[f] = GMMU_NO_PAGE;
    return GMMU_OK;
}

static void hint(void *state, const gmmu_hint *h) {
    hinted *s = state;
    s->launches += h->kind == GMMU_HINT_LAUNCH ? 1 : 0;
    bool followed = s->future != NULL && s->launches < s->future->launch_count;
    gmmu_forecast_hint(s->forecast, h, followed, followed ? s->future->launches[s->launches] : 0);
}

static size_t facts(const void *state, gmmu_fact list[GMMU_MOST_FACTS]) {
    const hinted *s = state;
    list[0] = (gmmu_fact){"launches", s->launches, 1};
    list[1] = (gmmu_fact){"forecasts_right", s->right, 1};
    list[2] = (gmmu_fact){"forecasts_wrong", s->wrong, 1};
    list[3] = (gmmu_fact){"believed", s->wrong <= s->right, 1};
    return 4;
}

static void why(const void *state, char *text, size_t size) {
    const hinted *s = state;
    const char *whom = s->candidates == 0 || s->candidates >= s->used ? "all" : "the drawn";
    if (s->victim_stay == GMMU_NEXT_NEVER) {
        (void)snprintf(text, size, "by the hints never used again");
    } else if (s->victim_stay > GMMU_REUSE_BEYOND) {
        (void)snprintf(text, size,
                       "by the hints used again in %" PRIu64 " walks, the latest of %s pages",
                       s->victim_stay - GMMU_REUSE_BEYOND, whom);
    } else if (s->victim_stay == GMMU_REUSE_BEYOND) {
        (void)snprintf(text, size,
                       "unused for longer than any reuse of its last reference, of %s pages", whom);
    } else {
        (void)snprintf(text, size,
                       "must stay longest for its next hit by its last reference, of %s pages",
                       whom);
    }
}

const gmmu_policy gmmu_policy_hinted = {
    .name = "hinted",
    .help = "farthest next use by the driver's hints, freed pages first",
    .options =
        "candidates=N (64; 0: all)\n"
        "far=N (2): a use is far from N times the memory on\n"
        "seed=N (that of --seed)",
    .why = why,
    .obeys = true,
    .create = create,
    .access = touch,
    .evict = evict_ahead,
    .hint = hint,
    .facts = facts,
    .destroy = destroy,
};

const gmmu_policy gmmu_policy_hinted_known = {
    .name = "hinted-known",
    .help = "hinted that knows the next kernel: a bound",
    .options = "those of hinted",
    .why = why,
    .needs_future = true,
    .obeys = true,
    .create = create,
    .access = touch,
    .evict = evict_ahead,
    .hint = hint,
    .facts = facts,
    .destroy = destroy,
};
