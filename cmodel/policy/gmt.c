// SPDX-License-Identifier: Apache-2.0
// gmt.c: GMT's policies of three tiers (ASPLOS 2024, sections 2.1 and 2.2). Near memory is `clock`;
// where its victim goes is what they differ in: TierOrder to Tier 2, Random to either, Reuse to
// where its reuse is expected; Foretold is Reuse that knows when the page comes back. Tier 2 is
// first in, first out; a page that is used comes up and leaves it.
//
// At a fault of page p, in this order: the access is sampled and p's history learns (Reuse); p
// leaves Tier 2 if it was there; a victim is found if near memory is full; it leaves for Tier 2 or
// 3; p takes its frame and the hand rests one past it. What the paper leaves open, and the options:
// docs/papers/gmt.md. The literal model is cmodel/exact/gmt.c.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/crc32c.h"
#include "driver/gmt_host.h"
#include "policy/draw.h"
#include "policy/gmt_history.h"
#include "policy/holes.h"
#include "policy/list.h"
#include "policy/option.h"

typedef enum { TIER_ORDER, RANDOM, REUSE, FORETOLD } kind;  // the last two learn

static const char *const names[] = {"gmt-tierorder", "gmt-random", "gmt-reuse", "gmt-foretold"};

// Of each page, one byte, so that a hit of two of the policies touches nothing else.
enum { ABSENT = 0, IN = 1, ACCESSED = 2 };

enum { TIER2 = 0 };  // the list of Tier 2's pages

// The rule of section 2.2: more than 80 % of the last 64 victims have a long reuse.
enum { MOST_LONG = 51 };

typedef struct {
    kind which;
    uint32_t frames, tier2;
    uint8_t *bits;  // of each page
    uint32_t cap;
    uint32_t *ring;  // page of each frame; GMMU_NO_PAGE: left ahead of need
    uint32_t ring_cap;
    uint32_t used, hand;
    gmmu_holes holes;
    gmmu_lists host;
    uint64_t seed;
    uint64_t now;
    // options
    bool evict;            // a full Tier 2 lets its oldest page go
    bool both;             // long reuse from T1 + T2 on
    bool by_chance;        // who has no prediction
    uint8_t victim_class;  // expected of the last victim
    uint32_t keep;         // for short reuse, in one search
    uint32_t full;         // largest weight
    uint32_t sample;
    // Reuse
    gmmu_gmt_page *history;  // of each page
    uint32_t history_cap;
    const gmmu_pages *pages;
    uint32_t sets, ways;  // of the table of those that are kept; sets 0: all are
    uint32_t *table;      // 1 + page in each way
    gmmu_gmt_host line;
    const gmmu_future *future;  // Foretold: of the trace
    uint64_t *next;             // and of each page: its next access, from 1, or GMMU_NEVER
    uint32_t next_cap;
    uint64_t window;  // of the last 64 victims, the latest lowest: long reuse
    // for notes
    uint64_t foretold, right, unknown, kept, forced, dropped;
    gmmu_eligible eligible;
} gmt;

static void destroy(void *state) {
    gmt *s = state;
    free(s->bits);
    free(s->ring);
    gmmu_holes_free(&s->holes);
    free(s->history);
    free(s->table);
    free(s->next);
    gmmu_lists_destroy(&s->host);
    gmmu_gmt_host_free(&s->line);
    free(s);
}

// ---- options

static bool one_of(bool *value, const char *text, size_t length, const char *no, const char *yes) {
    const bool found = length == strlen(yes) && memcmp(text, yes, length) == 0;
    *value = found;
    return found || (length == strlen(no) && memcmp(text, no, length) == 0);
}

static bool full_word(void *value, const char *text, size_t length) {
    return one_of(value, text, length, "drop", "evict");
}

static bool limit_word(void *value, const char *text, size_t length) {
    return one_of(value, text, length, "tier2", "both");
}

static bool default_word(void *value, const char *text, size_t length) {
    return one_of(value, text, length, "tierorder", "random");
}

static bool read_options(gmt *s, const gmmu_policy_config *config, uint32_t *bits,
                         gmmu_error *err) {
    // in the order in which the kinds take them: TierOrder one, Random two, Reuse all
    const gmmu_option options[] = {
        GMMU_WORD("full", &s->evict, full_word),
        GMMU_NUMBER("seed", &s->seed, 0, UINT64_C(9999999999999999999)),
        GMMU_WORD("limit", &s->both, limit_word),
        GMMU_WORD("default", &s->by_chance, default_word),
        GMMU_NUMBER("keep", &s->keep, 0, 1000),
        GMMU_NUMBER("bits", bits, 0, 31),
        GMMU_NUMBER("samples", &s->line.most, 0, GMMU_GMT_MOST_PAIRS),
        GMMU_NUMBER("every", &s->line.every, 1, GMMU_GMT_MOST_PAIRS),
        GMMU_NUMBER("sample", &s->sample, 0, 8),
        GMMU_NUMBER("sets", &s->sets, 0, 1 << 24),
        GMMU_NUMBER("ways", &s->ways, 1, 64),
    };
    enum { ALL = sizeof options / sizeof *options };
    static const size_t count[] = {1, 2, ALL, ALL};
    static const char *const all =
        "full=evict|drop, limit=tier2|both, default=tierorder|random, keep=0..1000, bits=0..31, "
        "samples=0..524288, every=1..524288, sample=0..8, sets=0..16777216, ways=1..64, "
        "seed=NUMBER";
    const char *const expected[] = {"full=evict or drop", "full=evict or drop, seed=NUMBER", all,
                                    all};
    return gmmu_options_take(names[s->which], config, options, count[s->which], expected[s->which],
                             err);
}

static void *create(kind which, const gmmu_policy_config *config, gmmu_error *err) {
    gmt *s = calloc(1, sizeof *s);
    if (s == NULL || !gmmu_lists_create(&s->host)) {
        free(s);
        (void)gmmu_policy_no_memory(names[which], err);
        return NULL;
    }
    s->which = which;
    s->frames = config->frames;
    s->eligible = config->eligible;
    s->tier2 = config->tier2;
    s->seed = config->seed;
    s->evict = which < REUSE;
    s->keep = 8;
    s->ways = 4;
    s->pages = config->pages;
    s->future = config->future;
    gmmu_gmt_host_init(&s->line, s->frames, s->tier2);
    uint32_t bits = 4;
    if (!read_options(s, config, &bits, err)) {
        destroy(s);
        return NULL;
    }
    s->full = bits == 0 ? UINT32_MAX : (uint32_t)((UINT64_C(1) << bits) - 1);
    if (s->sets != 0) {
        s->table = calloc((size_t)s->sets * s->ways, sizeof *s->table);
        if (s->table == NULL) {
            destroy(s);
            (void)gmmu_policy_no_memory(names[which], err);
            return NULL;
        }
    }
    s->line.limit = s->both ? (uint64_t)s->frames + s->tier2 : s->line.limit;
    return s;
}

static void *create_tier_order(const gmmu_policy_config *config, gmmu_error *err) {
    return create(TIER_ORDER, config, err);
}

static void *create_random(const gmmu_policy_config *config, gmmu_error *err) {
    return create(RANDOM, config, err);
}

static void *create_reuse(const gmmu_policy_config *config, gmmu_error *err) {
    return create(REUSE, config, err);
}

static void *create_foretold(const gmmu_policy_config *config, gmmu_error *err) {
    return create(FORETOLD, config, err);
}

// ---- an access

// Room for PAGE, and for one more frame.
static bool reserve(gmt *s, uint32_t page) {
    if (!GMMU_ROOM(s->bits, s->cap, page, ABSENT)) {
        return false;
    }
    if (s->which == FORETOLD && page >= s->next_cap) {
        uint64_t *next = gmmu_grow(s->next, s->next_cap, s->cap, sizeof *next, 0);
        if (next == NULL) {
            return false;
        }
        s->next = next;
        s->next_cap = s->cap;
    }
    if (s->which >= REUSE && page >= s->history_cap) {
        gmmu_gmt_page *history = gmmu_grow(s->history, s->history_cap, s->cap, sizeof *history, 0);
        if (history == NULL) {
            return false;
        }
        s->history = history;
        s->history_cap = s->cap;
    }
    if (s->used < s->frames && !GMMU_ROOM(s->ring, s->ring_cap, s->used, 0)) {
        return false;
    }
    return gmmu_lists_reserve(&s->host, page);
}

static uint32_t after(const gmt *s, uint32_t f) {
    return f + 1 == s->frames ? 0 : f + 1;
}

// Whether the host hears of PAGE: by its hash, one in 2^sample.
static bool in_sample(const gmt *s, uint32_t page) {
    return s->sample == 0 ||
           gmmu_hash(gmmu_pages_asid(s->pages, page), 32, gmmu_pages_number(s->pages, page), 64) >>
                   (32 - s->sample) ==
               0;
}

// PAGE comes back: the class that would have been right for it.
static void look_back(gmt *s, uint32_t page) {
    gmmu_gmt_page *p = &s->history[page];
    if (p->left != 0 && s->line.line.known) {
        const unsigned right = gmmu_gmt_host_class(&s->line, s->now - p->left);
        s->foretold += p->foretold != 0 ? 1U : 0U;
        s->right += p->foretold == 1 + right ? 1U : 0U;
        gmmu_gmt_learn(p, right, s->full);
    }
}

// The class expected of PAGE, were it to leave.
static unsigned expect(const gmt *s, uint32_t page) {
    if (s->which < REUSE || (s->which == FORETOLD && !s->line.line.known)) {
        return GMMU_GMT_UNKNOWN;
    }
    if (s->which == REUSE) {
        return gmmu_gmt_expect(&s->history[page]);
    }
    return s->next[page] == GMMU_NEVER ? GMMU_GMT_LONG
                                       : gmmu_gmt_host_class(&s->line, s->next[page] - s->now);
}

// The frame whose page leaves, and the class expected of that page; or `used`: no page may. The
// hand passes over pages that may not leave, and changes nothing of them.
static uint32_t search(gmt *s, unsigned *expected) {
    uint32_t kept = 0;
    uint32_t f = s->hand < s->used ? s->hand : 0;
    for (uint32_t passed = 0; passed < s->used; f = f + 1 == s->used ? 0 : f + 1) {
        const uint32_t page = s->ring[f];
        if (page == GMMU_NO_PAGE || !gmmu_may_leave(&s->eligible, page)) {
            passed++;
            continue;
        }
        passed = 0;
        if (s->bits[page] != IN) {
            s->bits[page] = IN;
            continue;
        }
        *expected = expect(s, page);
        if (*expected != GMMU_GMT_SHORT || kept == s->keep) {
            return f;
        }
        kept++;
        s->kept++;
        s->bits[page] = ACCESSED;
    }
    return s->used;
}

// Whether a page of which the class is EXPECTED shall go to Tier 2.
static bool wants_tier2(gmt *s, unsigned expected) {
    if (s->which == TIER_ORDER) {
        return true;
    }
    if (expected == GMMU_GMT_UNKNOWN) {
        s->unknown++;
        return (s->which >= REUSE && !s->by_chance) || gmmu_draw(&s->seed, 2) == 1;
    }
    if (expected != GMMU_GMT_LONG) {
        return true;
    }
    const bool force = __builtin_popcountll(s->window) > MOST_LONG;
    s->forced += force ? 1U : 0U;
    return force;
}

// When the page in WAY left near memory; 0: there is none.
static uint64_t left_at(const gmt *s, const uint32_t *way) {
    return *way == 0 ? 0 : s->history[*way - 1].left;
}

// The history of PAGE is to be kept: in a table of sets, that of the page of its set that left
// first is forgotten for it.
static void remember(gmt *s, uint32_t page) {
    const uint64_t key = gmmu_pages_number(s->pages, page) + gmmu_pages_asid(s->pages, page);
    uint32_t *set = s->table + key % s->sets * s->ways;
    uint32_t *way = set;
    for (uint32_t *w = set; w < set + s->ways; w++) {
        if (*w == page + 1) {
            return;
        }
        way = left_at(s, w) < left_at(s, way) ? w : way;
    }
    if (*way != 0) {
        s->history[*way - 1] = (gmmu_gmt_page){0};
    }
    *way = page + 1;
}

// PAGE leaves near memory, of which CLASS is expected.
static void leave(gmt *s, uint32_t page, unsigned expected, gmmu_outcome *out) {
    bool to_tier2 = wants_tier2(s, expected);
    if (s->which >= REUSE) {
        s->window = s->window << 1 | (expected == GMMU_GMT_LONG ? 1U : 0U);
        if (s->sets != 0) {
            remember(s, page);
        }
        gmmu_gmt_page *p = &s->history[page];
        p->left = s->now;
        p->foretold = expected == GMMU_GMT_UNKNOWN ? 0 : (uint8_t)(1 + expected);
    }
    if (to_tier2 && s->host.length[TIER2] == s->tier2) {
        if (s->evict) {
            gmmu_outcome_move(out, gmmu_list_pop(&s->host, TIER2), GMMU_HOST, GMMU_FAR);
        } else {
            to_tier2 = false;
            s->dropped++;
        }
    }
    gmmu_outcome_move(out, page, GMMU_NEAR, to_tier2 ? GMMU_HOST : GMMU_FAR);
    if (to_tier2) {
        gmmu_list_push(&s->host, TIER2, page);
    }
    s->bits[page] = ABSENT;
}

static int touch(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                 gmmu_error *err) {
    (void)walk;
    gmt *s = state;
    if (!reserve(s, page)) {
        return gmmu_policy_no_memory(names[s->which], err);
    }
    gmmu_outcome_begin(out, page, s->bits[page] == ABSENT);
    if (out->fault && s->holes.count == 0 && s->used == s->frames &&
        s->eligible.may_leave != NULL &&
        gmmu_eligible_frame(&s->eligible, s->ring, s->used, s->hand) == s->used) {
        gmmu_outcome_stuck(out);
        return GMMU_OK;
    }
    s->now++;
    if (s->which >= REUSE && in_sample(s, page) &&
        !gmmu_gmt_host_access(&s->line, page, s->now, s->sample)) {
        return gmmu_policy_no_memory(names[s->which], err);
    }
    if (s->which == FORETOLD) {
        if (!gmmu_future_agrees(s->future, s->now - 1, page, names[s->which], err)) {
            return GMMU_BAD;
        }
        const uint64_t next = s->future->next[s->now - 1];
        s->next[page] = next == GMMU_NEVER ? GMMU_NEVER : next + 1;
    }
    if (!out->fault) {
        s->bits[page] = ACCESSED;
        return GMMU_OK;
    }
    if (s->which >= REUSE) {
        look_back(s, page);
    }
    if (gmmu_list_of(&s->host, page) == TIER2) {
        gmmu_list_remove(&s->host, page);
        out->move[0].from = GMMU_HOST;
    }
    uint32_t f = 0;
    if (s->holes.count != 0) {
        f = s->holes.frame[--s->holes.count];
    } else {
        f = s->used;
        if (f < s->frames) {
            s->used++;
        } else {
            unsigned expected = GMMU_GMT_UNKNOWN;
            f = search(s, &expected);
            s->victim_class = (uint8_t)expected;
            leave(s, s->ring[f], expected, out);
        }
        s->hand = after(s, f);
    }
    s->ring[f] = page;
    s->bits[page] = IN;
    return GMMU_OK;
}

static int evict_ahead(void *state, gmmu_outcome *out, gmmu_error *err) {
    gmt *s = state;
    unsigned expected = GMMU_GMT_UNKNOWN;
    gmmu_outcome_begin(out, GMMU_NO_PAGE, false);
    const uint32_t f = search(s, &expected);
    if (f == s->used) {
        gmmu_outcome_stuck(out);
        return GMMU_OK;
    }
    if (!gmmu_holes_put(&s->holes, f)) {
        return gmmu_policy_no_memory(names[s->which], err);
    }
    leave(s, s->ring[f], expected, out);
    s->ring[f] = GMMU_NO_PAGE;
    s->hand = after(s, f);
    return GMMU_OK;
}

static void prefetch(const void *state, uint32_t page) {
    const gmt *s = state;
    if (page < s->cap) {
        __builtin_prefetch(&s->bits[page], 1);
    }
}

// ---- notes

static void note(const void *state, char *text, size_t size) {
    const gmt *s = state;
    const gmmu_gmt_host *h = &s->line;
    int used = snprintf(text, size, "dropped=%" PRIu64, s->dropped);
    if (s->which < REUSE || used < 0 || (size_t)used >= size) {
        return;
    }
    const double scale = h->line.known ? (double)h->line.scale : 1;
    (void)snprintf(text + used, size - (size_t)used,
                   " foretold=%" PRIu64 " right=%" PRIu64 " unknown=%" PRIu64 " kept=%" PRIu64
                   " forced=%" PRIu64 " pairs=%" PRIu64 " lines=%" PRIu64
                   " m=%.6f b=%.3f near=%" PRIu64 " far=%" PRIu64,
                   s->foretold, s->right, s->unknown, s->kept, s->forced, h->sums.n, h->lines,
                   (double)h->line.slope / scale, (double)h->line.offset / scale, h->near, h->far);
}

static void why(const void *state, char *text, size_t size) {
    static const char *const classes[] = {[GMMU_GMT_SHORT] = "short",
                                          [GMMU_GMT_MEDIUM] = "medium",
                                          [GMMU_GMT_LONG] = "long",
                                          [GMMU_GMT_UNKNOWN] = "not known"};
    const gmt *s = state;
    if (s->which < REUSE) {
        (void)snprintf(text, size, "the first page under the hand whose bit is clear");
    } else {
        (void)snprintf(
            text, size,
            "the first page under the hand whose bit is clear and that is not kept for a "
            "short reuse; expected reuse: %s",
            classes[s->victim_class]);
    }
}

const gmmu_policy gmmu_policy_gmt_tierorder = {
    .name = "gmt-tierorder",
    .help = "GMT: near memory's victim goes to Tier 2; needs --tier2",
    .options = "full=evict|drop (evict): what a full Tier 2 does",
    .why = why,
    .page_only = true,
    .tiers = true,
    .obeys = true,
    .create = create_tier_order,
    .access = touch,
    .evict = evict_ahead,
    .prefetch = prefetch,
    .note = note,
    .destroy = destroy,
};

const gmmu_policy gmmu_policy_gmt_random = {
    .name = "gmt-random",
    .help = "GMT: the victim goes to Tier 2 or 3 by chance; needs --tier2",
    .options = "full=evict|drop (evict), seed=N (that of --seed)",
    .why = why,
    .page_only = true,
    .tiers = true,
    .obeys = true,
    .create = create_random,
    .access = touch,
    .evict = evict_ahead,
    .prefetch = prefetch,
    .note = note,
    .destroy = destroy,
};

const gmmu_policy gmmu_policy_gmt_reuse = {
    .name = "gmt-reuse",
    .help = "GMT: the victim goes where reuse is expected; needs --tier2",
    .options =
        "full=evict|drop (drop), limit=tier2|both (tier2)\n"
        "default=tierorder|random (tierorder): without a history\n"
        "keep=N (8): pages kept in a search\n"
        "bits=N (4): bits of a weight; 0: weights have no bound\n"
        "samples=N (524288), every=N (10000): pairs in all, and a line\n"
        "sample=N (0): pairs of one page in 2^N\n"
        "sets=N (0: a history of every page), ways=N (4), seed=N",
    .why = why,
    .page_only = true,
    .tiers = true,
    .obeys = true,
    .create = create_reuse,
    .access = touch,
    .evict = evict_ahead,
    .prefetch = prefetch,
    .note = note,
    .destroy = destroy,
};

const gmmu_policy gmmu_policy_gmt_foretold = {
    .name = "gmt-foretold",
    .help = "gmt-reuse with the future known: a bound; needs --tier2",
    .options = "those of gmt-reuse",
    .why = why,
    .needs_future = true,
    .page_only = true,
    .tiers = true,
    .obeys = true,
    .create = create_foretold,
    .access = touch,
    .evict = evict_ahead,
    .prefetch = prefetch,
    .note = note,
    .destroy = destroy,
};
