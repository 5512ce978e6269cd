// SPDX-License-Identifier: Apache-2.0
// clock.c: second chance with one bit, set on a hit, clear on insertion; the hand rests one past
// the frame just filled. `bam` is the same by another name: GPU memory straight on storage, as BaM
// (ASPLOS 2023) has it and GMT (ASPLOS 2024) compares itself with; it raises pages ahead, if asked.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "policy/ahead.h"
#include "policy/counting.h"
#include "policy/holes.h"
#include "policy/option.h"

// Of each page, one byte, so that a hit touches nothing else: 0, before its first access; GONE;
// RAISED and not used since; IN, maybe ACCESSED.
enum { GONE = 1, RAISED = 2, IN = 4, ACCESSED = 8 };

typedef struct {
    const char *name;
    uint8_t *bits;
    uint32_t cap;
    uint32_t *ring;  // page of each frame; GMMU_NO_PAGE: left ahead of need
    uint32_t ring_cap;
    uint32_t frames, used, hand;
    const gmmu_pages *pages;
    gmmu_ahead ahead;  // of `bam`
    gmmu_holes holes;
    gmmu_eligible eligible;
    uint32_t cleared;  // bits that the last search cleared
} second_chance;

static void destroy(void *state) {
    second_chance *s = state;
    if (s != NULL) {
        gmmu_ahead_free(&s->ahead);
        free(s->bits);
        free(s->ring);
        gmmu_holes_free(&s->holes);
        free(s);
    }
}

static void *create_as(const char *name, const gmmu_policy_config *config, uint32_t ahead,
                       gmmu_error *err) {
    const uint32_t pages = gmmu_policy_expected(config, UINT32_MAX);
    const uint32_t frames = gmmu_policy_expected(config, config->frames);
    second_chance *s = calloc(1, sizeof *s);
    if (s == NULL || !GMMU_EXPECT(s->ring, s->ring_cap, frames, 0) ||
        (ahead == 0 && !GMMU_EXPECT(s->bits, s->cap, pages, 0)) ||
        (ahead != 0 && !gmmu_ahead_init(&s->ahead, ahead, GMMU_READ_NS))) {
        destroy(s);
        (void)gmmu_policy_no_memory(name, err);
        return NULL;
    }
    s->name = name;
    s->frames = config->frames;
    s->eligible = config->eligible;
    s->pages = config->pages;
    return s;
}

static void *create(const gmmu_policy_config *config, gmmu_error *err) {
    return gmmu_policy_no_options("clock", config, err) ? create_as("clock", config, 0, err) : NULL;
}

static void *create_bam(const gmmu_policy_config *config, gmmu_error *err) {
    uint32_t ahead = 0;
    const gmmu_option options[] = {GMMU_NUMBER("ahead", &ahead, 0, GMMU_MOST_AHEAD)};
    return gmmu_options_read("bam", config, options, 1, err) ? create_as("bam", config, ahead, err)
                                                             : NULL;
}

static __attribute__((noinline)) bool grow(second_chance *s, uint32_t page) {
    if (page >= s->cap) {
        uint32_t cap = gmmu_policy_capacity(s->cap, page);
        uint8_t *bits = gmmu_grow(s->bits, s->cap, cap, 1, 0);
        if (bits == NULL) {
            return false;
        }
        s->bits = bits;
        if (s->ahead.most != 0 && !gmmu_ahead_grow(&s->ahead, s->cap, cap)) {
            return false;
        }
        s->cap = cap;
    }
    return s->used == s->frames || GMMU_ROOM(s->ring, s->ring_cap, s->used, 0);
}

// Room for PAGE, and for one more frame.
static inline bool reserve(second_chance *s, uint32_t page) {
    return (page < s->cap && (s->used != s->ring_cap || s->used == s->frames)) || grow(s, page);
}

static uint32_t after(const second_chance *s, uint32_t f) {
    return f + 1 == s->frames ? 0 : f + 1;
}

// The frame whose page leaves, or `used`: no page may. The hand passes over pages that may not
// leave, and does not clear their bits. PINNED, a page, stays; it is GMMU_NO_PAGE if there may be
// empty frames.
static inline uint32_t search(second_chance *s, uint32_t pinned) {
    uint32_t f = s->hand < s->used ? s->hand : 0;
    uint32_t cleared = 0;
    for (uint32_t kept = 0; kept < s->used; f = f + 1 == s->used ? 0 : f + 1) {
        const uint32_t page = s->ring[f];
        if (page == pinned || !gmmu_may_leave(&s->eligible, page)) {
            kept++;
        } else if ((s->bits[page] & ACCESSED) != 0) {
            kept = 0;
            cleared++;
            s->bits[page] = IN;
        } else {
            s->cleared = cleared;
            return f;
        }
    }
    return s->used;
}

// The page in frame F leaves, as *OUT says.
static inline void leave(second_chance *s, uint32_t f, gmmu_outcome *out) {
    gmmu_outcome_evict(out, s->ring[f]);
    s->bits[s->ring[f]] = GONE;
    s->hand = after(s, f);
}

// PAGE comes in with BITS; who leaves for it, which PINNED (or GMMU_NO_PAGE) does not, is told to
// *OUT. False: no page may leave, and PAGE does not come.
static inline bool insert(second_chance *s, uint32_t page, uint8_t bits, uint32_t pinned,
                          gmmu_outcome *out) {
    uint32_t f = 0;
    if (s->holes.count != 0) {
        f = s->holes.frame[--s->holes.count];
    } else {
        f = s->used;
        if (f < s->frames) {
            s->used++;
            s->hand = after(s, f);
        } else {
            f = search(s, pinned);
            if (f == s->used) {
                return false;
            }
            leave(s, f, out);
        }
    }
    s->ring[f] = page;
    s->bits[page] = bits;
    return true;
}

// Of the pages behind PAGE those come up that were accessed before; of others it is not known
// whether they exist. PAGE stays: the access that waits for it is yet to come.
static int raise_next(second_chance *s, uint32_t page, gmmu_outcome *out, gmmu_error *err) {
    const uint32_t asid = gmmu_pages_asid(s->pages, page);
    const uint64_t vpn = gmmu_pages_number(s->pages, page);
    gmmu_ahead_begin(&s->ahead, out);
    const uint64_t behind = s->frames == 1 ? 0 : UINT64_MAX - vpn;  // the last page has none
    for (uint32_t i = 1; i <= s->ahead.depth && i <= behind; i++) {
        const uint32_t next = gmmu_pages_find(s->pages, asid, vpn + i);
        if (next >= s->cap || s->bits[next] != GONE) {
            continue;
        }
        if (!reserve(s, next)) {
            return gmmu_policy_no_memory(s->name, err);
        }
        gmmu_outcome one = {0};
        gmmu_outcome_move(&one, next, GMMU_FAR, GMMU_NEAR);
        if (!insert(s, next, RAISED, page, &one)) {
            break;
        }
        gmmu_ahead_raised(&s->ahead, next, &one, out);
    }
    return GMMU_OK;
}

// An access to PAGE, which is not IN, with option ahead.
static __attribute__((noinline)) int touch_ahead(second_chance *s, uint32_t page, gmmu_outcome *out,
                                                 gmmu_error *err) {
    if (s->bits[page] == RAISED) {
        gmmu_outcome_begin(out, page, false);
        gmmu_ahead_used(&s->ahead, page);
        s->bits[page] = IN | ACCESSED;
    } else {
        if (!insert(s, page, IN, GMMU_NO_PAGE, out)) {
            gmmu_outcome_stuck(out);
            return GMMU_OK;
        }
        gmmu_ahead_fault(&s->ahead, GMMU_READ_NS);
    }
    return raise_next(s, page, out, err);
}

static int touch(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                 gmmu_error *err) {
    (void)walk;
    second_chance *s = state;
    if (!reserve(s, page)) {
        return gmmu_policy_no_memory(s->name, err);
    }
    gmmu_outcome_begin(out, page, s->bits[page] < IN);
    if (!out->fault) {
        s->bits[page] = IN | ACCESSED;
        return GMMU_OK;
    }
    if (s->ahead.most != 0) {
        return touch_ahead(s, page, out, err);
    }
    if (!insert(s, page, IN, GMMU_NO_PAGE, out)) {
        gmmu_outcome_stuck(out);
    }
    return GMMU_OK;
}

static int evict_ahead(void *state, gmmu_outcome *out, gmmu_error *err) {
    second_chance *s = state;
    gmmu_outcome_begin(out, GMMU_NO_PAGE, false);
    const uint32_t f = search(s, GMMU_NO_PAGE);
    if (f == s->used) {
        gmmu_outcome_stuck(out);
        return GMMU_OK;
    }
    if (!gmmu_holes_put(&s->holes, f)) {
        return gmmu_policy_no_memory(s->name, err);
    }
    leave(s, f, out);
    s->ring[f] = GMMU_NO_PAGE;
    if (s->ahead.most != 0) {
        gmmu_ahead_begin(&s->ahead, out);
    }
    return GMMU_OK;
}

static void prefetch(const void *state, uint32_t page) {
    const second_chance *s = state;
    if (page < s->cap) {
        __builtin_prefetch(&s->bits[page], 1);
    }
}

static void note(const void *state, char *text, size_t size) {
    text[0] = '\0';
    gmmu_ahead_note(&((const second_chance *)state)->ahead, text, size);
}

static void why(const void *state, char *text, size_t size) {
    const second_chance *s = state;
    if (s->cleared == 0) {
        (void)snprintf(text, size, "its bit is clear, and it is the first page under the hand");
    } else {
        (void)snprintf(text, size,
                       "its bit is clear; the hand cleared the bits of %" PRIu32
                       " pages on its way",
                       s->cleared);
    }
}

GMMU_POLICY_REPLAY(touch, prefetch)

const gmmu_policy gmmu_policy_clock = {
    .name = "clock",
    .help = "CLOCK: second chance, one bit a frame",
    .why = why,
    .page_only = true,
    .obeys = true,
    .create = create,
    .access = touch,
    .evict = evict_ahead,
    .prefetch = prefetch,
    .destroy = destroy,
    .replay = replay,
};

const gmmu_policy gmmu_policy_bam = {
    .name = "bam",
    .help = "BaM: GPU memory straight on storage, with clock; no Tier 2",
    .options =
        "ahead=0..64 (0): pages behind a fault that come up from storage,\n"
        "  if they were accessed before",
    .why = why,
    .page_only = true,
    .obeys = true,
    .moves_many = true,
    .create = create_bam,
    .access = touch,
    .evict = evict_ahead,
    .prefetch = prefetch,
    .note = note,
    .destroy = destroy,
    .replay = replay,
};
