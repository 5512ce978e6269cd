// SPDX-License-Identifier: Apache-2.0
// clockpro.c: CLOCK-Pro (Jiang, Chen and Zhang, "CLOCK-Pro: An Effective Improvement of the CLOCK
// Replacement", USENIX ATC 2005, section 4).
//
// One ring of hot pages, resident cold pages, and cold pages that left but are still in their test
// period. Three hands go round it in the same direction; a page that comes in, or is granted a new
// test period, or is promoted, is put just behind HANDhot, the ring's head.
//
// HANDcold, at a fault with full memory, goes over resident cold pages and stops at the next one:
// bit
//   clear: it leaves; it stays in the ring if it is in its test period. Bit set in the test period:
//   it becomes hot, at the head. Bit set, no test period: a new test period, at the head. The bit
//   is cleared in both cases.
// HANDhot, while there are more than m - mc hot pages, goes over all, and on to the next hot page:
//   hot with its bit set: the bit is cleared; hot with it clear: becomes cold, without a test
//   period. Cold: its test period ends.
// HANDtest, while more than m pages that left are in the ring, ends the test periods of the cold
//   pages it meets, and goes on to the next cold page.
// The end of a test period removes a page that left from the ring. mc, the memory for cold pages,
// grows by one when a page is accessed again in its test period, and shrinks by one when a test
// period ends without that; it stays in [1, m - 1]. That a resident page was accessed is seen when
// a hand finds the bit in the test period or ends it.
//
// Parameter: mc = a fixed mc in pages, as HPE sets it (128), at most m - 1; 0: adaptive (default),
// from max(1, m / 100) on (the paper does not say where it starts). With one frame mc = 1 and no
// page is hot. Departure: an accessed cold page that is out of its test period gets a new one as it
// moves to the head, as in LIRS (the paper: its status does not change). Left open there: HANDhot
// rests until there are more than m - mc hot pages for the first time; a faulting page's own test
// period may end while HANDcold makes room for it.
//
// So that HANDcold need not go over hot pages, the resident cold ones are in a ring of their own,
// in the order of the first; `front` is the first of them at or after HANDhot, where pages at the
// head go in.
#include <stdlib.h>

#include "policy/option.h"

typedef enum { ABSENT, HOT, COLD, GONE } kind;  // GONE: left, in its test period

typedef struct {
    uint32_t prev, next;            // pages; next is the way the hands go
    uint32_t cold_prev, cold_next;  // of a resident cold page, in their ring
    uint8_t kind;
    bool bit;   // accessed
    bool test;  // in its test period
} node;

enum { HAND_HOT, HAND_TEST, HANDS };

typedef struct {
    node *nodes;
    uint32_t cap;
    uint32_t hand[HANDS];  // pages; GMMU_NO_PAGE: the ring is empty
    uint32_t hand_cold;    // a resident cold page; GMMU_NO_PAGE: there is none
    uint32_t front;        // as well
    uint32_t frames;       // m
    uint32_t mc;
    bool adaptive;
    uint32_t hot, cold, gone;  // pages of each kind
    gmmu_eligible eligible;
    bool victim_test;  // the last victim was in its test period
} clockpro;

static void destroy(void *state) {
    clockpro *s = state;
    free(s->nodes);
    free(s);
}

static void *create(const gmmu_policy_config *config, gmmu_error *err) {
    uint64_t mc = 0;
    const gmmu_option options[] = {GMMU_NUMBER("mc", &mc, 0, UINT32_MAX)};
    if (!gmmu_options_read("clockpro", config, options, 1, err)) {
        return NULL;
    }
    clockpro *s = calloc(1, sizeof *s);
    if (s == NULL) {
        (void)gmmu_policy_no_memory("clockpro", err);
        return NULL;
    }
    s->frames = config->frames;
    s->eligible = config->eligible;
    s->adaptive = mc == 0;
    uint32_t most = s->frames > 1 ? s->frames - 1 : 1;
    s->mc = s->adaptive ? gmmu_percent(s->frames, 1) : mc < most ? (uint32_t)mc : most;
    for (unsigned i = 0; i < HANDS; i++) {
        s->hand[i] = GMMU_NO_PAGE;
    }
    s->hand_cold = s->front = GMMU_NO_PAGE;
    return s;
}

static void adapt(clockpro *s, bool used_again) {
    if (s->adaptive && used_again && s->mc + 1 < s->frames) {
        s->mc++;
    } else if (s->adaptive && !used_again && s->mc > 1) {
        s->mc--;
    }
}

// Takes PAGE out of the ring; hands that point to it go on.
static void unlink_page(clockpro *s, uint32_t page) {
    node *n = &s->nodes[page];
    uint32_t next = n->next == page ? GMMU_NO_PAGE : n->next;
    for (unsigned i = 0; i < HANDS; i++) {
        s->hand[i] = s->hand[i] == page ? next : s->hand[i];
    }
    s->nodes[n->prev].next = n->next;
    s->nodes[n->next].prev = n->prev;
}

// Puts PAGE, not in the ring, at the head.
static void link_head(clockpro *s, uint32_t page) {
    node *n = &s->nodes[page];
    uint32_t next = s->hand[HAND_HOT];
    if (next == GMMU_NO_PAGE) {
        n->prev = n->next = page;
        for (unsigned i = 0; i < HANDS; i++) {
            s->hand[i] = page;
        }
        return;
    }
    n->next = next;
    n->prev = s->nodes[next].prev;
    s->nodes[n->prev].next = page;
    s->nodes[next].prev = page;
}

// PAGE, which is at the head of the ring, becomes a resident cold page.
static void add_cold(clockpro *s, uint32_t page, bool test) {
    node *n = &s->nodes[page];
    n->kind = COLD;
    n->bit = false;
    n->test = test;
    s->cold++;
    if (s->front == GMMU_NO_PAGE) {
        n->cold_prev = n->cold_next = page;
        s->front = s->hand_cold = page;
        return;
    }
    n->cold_next = s->front;
    n->cold_prev = s->nodes[s->front].cold_prev;
    s->nodes[n->cold_prev].cold_next = page;
    s->nodes[s->front].cold_prev = page;
}

// PAGE, on which HANDcold is, is a resident cold page no longer.
static void remove_cold(clockpro *s, uint32_t page) {
    node *n = &s->nodes[page];
    uint32_t next = n->cold_next == page ? GMMU_NO_PAGE : n->cold_next;
    s->front = s->front == page ? next : s->front;
    s->hand_cold = next;
    s->nodes[n->cold_prev].cold_next = n->cold_next;
    s->nodes[n->cold_next].cold_prev = n->cold_prev;
    s->cold--;
}

// The hand goes to the next page; the page that it was on.
static uint32_t advance(clockpro *s, unsigned hand) {
    uint32_t page = s->hand[hand];
    s->hand[hand] = s->nodes[page].next;
    if (hand == HAND_HOT && s->front == page) {
        s->front = s->nodes[page].cold_next;
    }
    return page;
}

// Ends the test period of a cold page; one that left goes from the ring. Hands on it have gone on.
static void end_test(clockpro *s, uint32_t page) {
    node *n = &s->nodes[page];
    if (!n->test) {
        return;
    }
    n->test = false;
    adapt(s, n->bit);
    if (n->kind == GONE) {
        unlink_page(s, page);
        n->kind = ABSENT;
        s->gone--;
    }
}

// HANDhot, until there are no more hot pages than there may be.
static void demote(clockpro *s) {
    bool moved = false;
    while (s->hot > s->frames - s->mc ||
           (moved && s->hot != 0 && s->nodes[s->hand[HAND_HOT]].kind != HOT)) {
        moved = true;
        uint32_t page = advance(s, HAND_HOT);
        node *n = &s->nodes[page];
        if (n->kind != HOT) {
            end_test(s, page);
        } else if (n->bit) {
            n->bit = false;
        } else {
            s->hot--;
            add_cold(s, page, false);
        }
    }
}

// HANDtest, until no more pages are remembered than memory holds.
static void forget(clockpro *s) {
    bool moved = false;
    while (s->gone > s->frames || (moved && s->nodes[s->hand[HAND_TEST]].kind == HOT)) {
        moved = true;
        uint32_t page = advance(s, HAND_TEST);
        if (s->nodes[page].kind != HOT) {
            end_test(s, page);
        }
    }
}

static void promote(clockpro *s, uint32_t page) {
    s->nodes[page].kind = HOT;
    s->nodes[page].bit = false;
    s->nodes[page].test = false;
    s->hot++;
    link_head(s, page);
    adapt(s, true);
    demote(s);
}

// The first hot page from HANDhot on that may leave is no page any more; GMMU_NO_PAGE: there is
// none.
static __attribute__((noinline)) uint32_t evict_hot(clockpro *s) {
    uint32_t page = s->hand[HAND_HOT];
    for (uint32_t left = s->hot; left != 0; page = s->nodes[page].next) {
        if (s->nodes[page].kind != HOT) {
            continue;
        }
        left--;
        if (gmmu_may_leave(&s->eligible, page)) {
            unlink_page(s, page);
            s->nodes[page].kind = ABSENT;
            s->hot--;
            return page;
        }
    }
    return GMMU_NO_PAGE;
}

// HANDcold, until a page leaves; it passes over pages that may not leave, and changes nothing of
// them. If no cold page may leave, a hot page does. GMMU_NO_PAGE: no page may.
static uint32_t evict(clockpro *s) {
    for (uint32_t passed = 0; passed < s->cold;) {
        uint32_t page = s->hand_cold;
        node *n = &s->nodes[page];
        if (!gmmu_may_leave(&s->eligible, page)) {
            s->hand_cold = n->cold_next;
            passed++;
            continue;
        }
        passed = 0;
        bool test = n->test;
        if (n->bit) {
            remove_cold(s, page);
            unlink_page(s, page);
            if (test) {
                promote(s, page);
            } else {
                link_head(s, page);
                add_cold(s, page, true);
            }
            continue;
        }
        remove_cold(s, page);
        s->victim_test = test;
        if (test) {
            n->kind = GONE;
            s->gone++;
            forget(s);
        } else {
            unlink_page(s, page);
            n->kind = ABSENT;
        }
        return page;
    }
    return evict_hot(s);
}

static int touch(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                 gmmu_error *err) {
    (void)walk;
    clockpro *s = state;
    if (page >= s->cap) {
        uint32_t cap = gmmu_policy_capacity(s->cap, page);
        node *nodes = gmmu_grow(s->nodes, s->cap, cap, sizeof *nodes, 0);
        if (nodes == NULL) {
            return gmmu_policy_no_memory("clockpro", err);
        }
        s->nodes = nodes;
        s->cap = cap;
    }
    node *n = &s->nodes[page];
    gmmu_outcome_begin(out, page, n->kind != HOT && n->kind != COLD);
    if (!out->fault) {
        n->bit = true;
        return GMMU_OK;
    }
    // may end the test period of PAGE
    if (s->hot + s->cold == s->frames && !gmmu_outcome_leave(out, evict(s))) {
        return GMMU_OK;
    }
    if (n->kind == GONE) {
        unlink_page(s, page);
        s->gone--;
        promote(s, page);
    } else {
        link_head(s, page);
        add_cold(s, page, true);
    }
    return GMMU_OK;
}

static int evict_ahead(void *state, gmmu_outcome *out, gmmu_error *err) {
    (void)err;
    clockpro *s = state;
    gmmu_outcome_begin(out, GMMU_NO_PAGE, false);
    (void)gmmu_outcome_leave(out, evict(s));
    return GMMU_OK;
}

static void note(const void *state, char *text, size_t size) {
    const clockpro *s = state;
    (void)snprintf(text, size, "mc=%u hot=%u cold=%u remembered=%u", s->mc, s->hot, s->cold,
                   s->gone);
}

static void why(const void *state, char *text, size_t size) {
    const clockpro *s = state;
    (void)snprintf(text, size, "the first cold page under HANDcold whose bit is clear, %s",
                   s->victim_test ? "in its test period" : "past its test period");
}

const gmmu_policy gmmu_policy_clockpro = {
    .name = "clockpro",
    .help = "CLOCK-Pro: hot and cold pages, test periods",
    .options = "mc=PAGES for cold pages, fixed (0: adaptive)",
    .why = why,
    .page_only = true,
    .obeys = true,
    .create = create,
    .access = touch,
    .evict = evict_ahead,
    .note = note,
    .destroy = destroy,
};
