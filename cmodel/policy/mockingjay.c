// SPDX-License-Identifier: Apache-2.0
// mockingjay.c: Mockingjay (Shah, Jain and Lin, "Effective Mimicry of Belady's MIN Policy", HPCA
// 2022), with pages in place of lines and one set of all frames.
//
// Time is counted in units of u = max(1, frames / 16) walks. Each signature (the reference, and
// whether the access hits) has a predicted reuse distance of 0 to INF = 127 units. The signature of
// a page's access learns from the next access to the page if at most INF units lie between. The
// first distance is taken as it is; of a later distance the prediction moves by a sixteenth of the
// difference, rounded toward 0, and by at most one unit. If INF units and more pass without the
// next access, the prediction goes up by one, up to INF; without a prediction so far it is INF.
// An access gives its page an estimated time of arrival, ETR, by the prediction after learning:
// prediction / 8, or FAR = 15 if the prediction is above MAX_RD = 105, or 0 without a prediction.
// With each eighth unit the ETR of each page, but the accessed one, goes down by one, below zero
// too; -15 and 15 stay. The page of the largest |ETR| leaves, of equal ones an overdue page (below
// zero), then the most recently used.
// Parameters: hit = 1; 0: the signature is the reference alone. fine = 0; 1: no rounding. A
// prediction has 16 bits below the point, and moves by a sixteenth of the difference, whatever the
// difference is. A page arrives at the time of its access and the prediction; the page whose
// arrival is farthest from now leaves, of equal ones an overdue page, then the least recently used.
//
// Departures: each page is sampled, in place of the lines of some sets in 5 ways; a signature is
// not hashed; no page is bypassed, as a fault must be served; nothing is prefetched or written
// back into memory. Of equal ETRs the source takes the lowest way, which memory does not have.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "policy/option.h"

enum { INF = 127, MAX_RD = 105, FAR = 15, EIGHT = 8, POINT = 16 };

typedef struct {
    uint64_t last;            // time of the last access, 0 before the first
    uint32_t signature;       // the last access's
    uint32_t frame;           // GMMU_NO_PAGE: not resident
    uint32_t younger, older;  // in the sample, by last access; GMMU_NO_PAGE at the ends
    bool sampled;             // no access has come since, and not more than INF units have passed
} page_state;

typedef struct {
    uint64_t fine, hit;
    gmmu_pages *ref_ids;
    int64_t *predicted;  // of each signature, in units << POINT, + 1; 0: no prediction
    uint32_t predicted_cap;
    page_state *pages;
    uint32_t page_cap;
    uint32_t youngest, oldest;  // of the sample
    // Of each frame.
    uint32_t *page;
    int64_t *value;     // the ETR; fine: the arrival in walks << POINT
    uint64_t *used_at;  // the last access
    uint32_t page_in_cap, value_cap, used_at_cap;
    uint64_t now, unit;
    uint32_t frames, used;
    int64_t victim_ahead;  // the last victim's arrival: its ETR, or walks from now << POINT
} mockingjay;

static void destroy(void *state) {
    mockingjay *s = state;
    gmmu_pages_destroy(s->ref_ids);
    free(s->predicted);
    free(s->pages);
    free(s->page);
    free(s->value);
    free(s->used_at);
    free(s);
}

static void *create(const gmmu_policy_config *config, gmmu_error *err) {
    mockingjay chosen = {.hit = 1, .youngest = GMMU_NO_PAGE, .oldest = GMMU_NO_PAGE};
    const gmmu_option options[] = {GMMU_NUMBER("hit", &chosen.hit, 0, 1),
                                   GMMU_NUMBER("fine", &chosen.fine, 0, 1)};
    if (!gmmu_options_read("mockingjay", config, options, 2, err)) {
        return NULL;
    }
    mockingjay *s = calloc(1, sizeof *s);
    gmmu_pages *ref_ids = gmmu_pages_create();
    if (s == NULL || ref_ids == NULL) {
        free(s);
        gmmu_pages_destroy(ref_ids);
        (void)gmmu_policy_no_memory("mockingjay", err);
        return NULL;
    }
    *s = chosen;
    s->ref_ids = ref_ids;
    s->frames = config->frames;
    s->unit = config->frames < 16 ? 1 : config->frames / 16;
    return s;
}

static bool reserve(mockingjay *s, uint32_t page, uint32_t signature) {
    return GMMU_ROOM(s->pages, s->page_cap, page, 0xff) &&
           GMMU_ROOM(s->predicted, s->predicted_cap, signature, 0) &&
           (s->used == s->frames || (GMMU_ROOM(s->page, s->page_in_cap, s->used, 0) &&
                                     GMMU_ROOM(s->value, s->value_cap, s->used, 0) &&
                                     GMMU_ROOM(s->used_at, s->used_at_cap, s->used, 0)));
}

// SIGNATURE learns a distance of WALKS, at most INF units.
static void train(mockingjay *s, uint32_t signature, uint64_t walks) {
    int64_t *p = &s->predicted[signature];
    const int64_t one = INT64_C(1) << POINT;
    const int64_t found =
        s->fine != 0 ? (int64_t)((walks << POINT) / s->unit) : (int64_t)(walks / s->unit) * one;
    if (*p == 0) {
        *p = found + 1;
        return;
    }
    const int64_t step = (found - (*p - 1)) / 16;
    if (s->fine != 0) {
        *p += step;
    } else if (step >= one) {
        *p += one;
    } else if (step <= -one) {
        *p -= one;
    }
}

// More than INF units have passed without an access.
static void detrain(mockingjay *s, uint32_t signature) {
    int64_t *p = &s->predicted[signature];
    const int64_t most = ((int64_t)INF << POINT) + 1;
    *p = *p == 0 || *p + (INT64_C(1) << POINT) > most ? most : *p + (INT64_C(1) << POINT);
}

static void leave_sample(mockingjay *s, uint32_t page) {
    page_state *p = &s->pages[page];
    *(p->younger == GMMU_NO_PAGE ? &s->youngest : &s->pages[p->younger].older) = p->older;
    *(p->older == GMMU_NO_PAGE ? &s->oldest : &s->pages[p->older].younger) = p->younger;
    p->sampled = false;
}

static uint64_t units_since(const mockingjay *s, uint32_t page) {
    return (s->now - s->pages[page].last) / s->unit;
}

// PAGE is accessed with SIGNATURE: the predictions learn.
static void sample(mockingjay *s, uint32_t page, uint32_t signature) {
    page_state *p = &s->pages[page];
    if (p->sampled && units_since(s, page) <= INF) {
        train(s, p->signature, s->now - p->last);
        leave_sample(s, page);
    }
    while (s->oldest != GMMU_NO_PAGE && units_since(s, s->oldest) > INF) {
        detrain(s, s->pages[s->oldest].signature);
        leave_sample(s, s->oldest);
    }
    p->last = s->now;
    p->signature = signature;
    p->sampled = true;
    p->younger = GMMU_NO_PAGE;
    p->older = s->youngest;
    *(s->youngest == GMMU_NO_PAGE ? &s->oldest : &s->pages[s->youngest].younger) = page;
    s->youngest = page;
}

// The arrival, or the ETR, of a page that is accessed with SIGNATURE.
static int64_t value_of(const mockingjay *s, uint32_t signature) {
    const int64_t p = s->predicted[signature];
    if (s->fine != 0) {
        return (int64_t)(s->now << POINT) + (p == 0 ? 0 : (p - 1) * (int64_t)s->unit);
    }
    const int64_t units = p == 0 ? 0 : (p - 1) >> POINT;
    return units > MAX_RD ? FAR : units / EIGHT;
}

static void age(mockingjay *s) {
    for (uint32_t f = 0; f < s->used; f++) {
        s->value[f] -= s->value[f] != FAR && s->value[f] != -FAR ? 1 : 0;
    }
}

// The frame whose page leaves. Memory is full.
static uint32_t choose(const mockingjay *s) {
    const int64_t zero = s->fine != 0 ? (int64_t)(s->now << POINT) : 0;
    uint32_t victim = 0;
    int64_t most = -1;
    for (uint32_t f = 0; f < s->frames; f++) {
        const int64_t ahead = s->value[f] - zero;
        const int64_t rank = ahead < 0 ? -2 * ahead + 1 : 2 * ahead;  // overdue: first of equals
        if (rank < most) {
            continue;
        }
        if (rank > most || (s->used_at[f] > s->used_at[victim]) == (s->fine == 0)) {
            most = rank;
            victim = f;
        }
    }
    return victim;
}

static int touch(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                 gmmu_error *err) {
    mockingjay *s = state;
    const uint32_t ref = gmmu_pages_index(s->ref_ids, walk->asid, walk->ref);
    if (ref > UINT32_MAX / 2 - 1 || !reserve(s, page, 2 * ref + 1)) {
        return gmmu_policy_no_memory("mockingjay", err);
    }
    page_state *p = &s->pages[page];
    if (p->last == UINT64_MAX) {
        *p = (page_state){.frame = GMMU_NO_PAGE};
    }
    s->now++;
    if (s->fine == 0 && s->now % (EIGHT * s->unit) == 0) {
        age(s);
    }
    gmmu_outcome_begin(out, page, p->frame == GMMU_NO_PAGE);
    const uint32_t signature = 2 * ref + (!out->fault && s->hit != 0 ? 1 : 0);
    sample(s, page, signature);
    if (out->fault && s->used < s->frames) {
        p->frame = s->used++;
    } else if (out->fault) {
        p->frame = choose(s);
        s->victim_ahead = s->value[p->frame] - (s->fine != 0 ? (int64_t)(s->now << POINT) : 0);
        gmmu_outcome_evict(out, s->page[p->frame]);
        s->pages[s->page[p->frame]].frame = GMMU_NO_PAGE;
    }
    s->page[p->frame] = page;
    s->used_at[p->frame] = s->now;
    s->value[p->frame] = value_of(s, signature);
    return GMMU_OK;
}

static void why(const void *state, char *text, size_t size) {
    const mockingjay *s = state;
    const char *overdue = s->victim_ahead < 0 ? ", overdue" : "";
    if (s->fine != 0) {
        const int64_t walks = s->victim_ahead / (INT64_C(1) << POINT);
        (void)snprintf(text, size,
                       "its estimated arrival, %" PRId64 " walks from now%s, is the farthest",
                       walks, overdue);
    } else {
        (void)snprintf(text, size,
                       "its estimated time of arrival is the farthest from now: ETR %" PRId64
                       "%s; of such pages used last",
                       s->victim_ahead, overdue);
    }
}

const gmmu_policy gmmu_policy_mockingjay = {
    .name = "mockingjay",
    .help = "Mockingjay: predicted reuse distances by reference",
    .options =
        "hit=N (1): 1: hits and misses of a reference learn apart\n"
        "fine=N (0): 1: predictions and arrivals without rounding",
    .why = why,
    .create = create,
    .access = touch,
    .destroy = destroy,
};
