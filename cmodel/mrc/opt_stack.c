// SPDX-License-Identifier: Apache-2.0
// opt_stack.c: the distances of Belady's MIN with mandatory insertion, in one pass and without
// looking ahead.
//
// A hit keeps its page over the accesses strictly between two to it: an interval. A memory of
// C pages has room for C - 1 of them at any access, beside the page accessed. MIN keeps as many
// intervals as can be kept. So does the greedy that takes them as they end, and gives each to that
// of C - 1 tracks which is free when the interval starts, and was so for the shortest time; if none
// is free it is a miss. The tracks of C are those of C - 1 and one more, whose free time changes
// for this reason alone: let g(1), g(2), … be these, and let an interval come that starts behind
// access s and ends before access e. Its distance is k + 1 for the first k with g(k) free, i.e.
// g(k) <= s; that g(k) becomes e. What was there goes on to the next g larger than it and still
// <= s; what was there, to the next again; the last one, the largest <= s, goes. (Proofs:
// docs/guide/mrc.md.)
//
// The free times are distinct, and entered in growing order: a log, oldest first, that holds each
// one's track k. All <= s are a prefix of it, which the page knows. In the prefix, from its end on
// backwards, the times that move are those with a smaller k than all behind them: a tree of minima
// over the log finds them, and each takes over the k of the one found before. A step costs
// O(log pages) for each that moves.
#include <stdlib.h>

#include "mrc/mrc.h"

enum { FAN = 16, LEVELS = 8, FIRST_LOG = 1 << 12 };

static const uint32_t gone = UINT32_MAX;

typedef struct {
    uint32_t *mark;  // of each page: log entries <= s, GMMU_NO_PAGE before its first access
    uint32_t cap;
    // min[0]: k of each entry, or `gone`; above: minima of FAN each.
    uint32_t *min[LEVELS];
    uint32_t size[LEVELS];
    unsigned levels;
    uint32_t log_cap, len;
    uint32_t tracks;    // with a free time; all others are free
    uint32_t pages;     // that have been accessed
    uint32_t previous;  // page of the access before
} opt;

static void destroy(void *stack) {
    opt *s = stack;
    free(s->mark);
    for (unsigned i = 0; i < LEVELS; i++) {
        free(s->min[i]);
    }
    free(s);
}

// The minima above entries [0, LEN).
static void build(opt *s) {
    uint32_t n = s->len;
    for (unsigned l = 1; l < s->levels; l++) {
        n = n / FAN + 1;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t least = gone;
            for (uint32_t j = i * FAN; j < (i + 1) * FAN; j++) {
                least = s->min[l - 1][j] < least ? s->min[l - 1][j] : least;
            }
            s->min[l][i] = least;
        }
    }
}

// Makes room in the log: drops what has gone, grows it when that is little. Each page's mark moves,
// so there must be room for as many entries as there are pages.
static bool compact(opt *s) {
    uint32_t *kept = calloc((size_t)s->len + 1, sizeof *kept);  // entries kept of the first i
    if (kept == NULL) {
        return false;
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->len; i++) {
        kept[i] = n;
        if (s->min[0][i] != gone) {
            s->min[0][n++] = s->min[0][i];
        }
    }
    kept[s->len] = n;
    for (uint32_t p = 0; p < s->cap; p++) {
        s->mark[p] = s->mark[p] == GMMU_NO_PAGE ? GMMU_NO_PAGE : kept[s->mark[p]];
    }
    free(kept);
    for (uint32_t i = n; i < s->len; i++) {
        s->min[0][i] = gone;
    }
    for (unsigned l = 1; l < s->levels; l++) {
        for (uint32_t i = 0; i < s->size[l]; i++) {
            s->min[l][i] = gone;
        }
    }
    s->len = n;
    uint64_t wanted = (uint64_t)n * 2 + s->pages + FIRST_LOG;
    if (wanted > s->log_cap) {
        wanted = wanted * 3 / 2;
        wanted = wanted > GMMU_MAX_PAGES ? GMMU_MAX_PAGES : wanted;
        s->log_cap = (uint32_t)wanted;
        uint32_t size = s->log_cap;
        s->levels = 0;
        do {
            size = s->levels == 0 ? (size / FAN + 1) * FAN : (size / FAN / FAN + 1) * FAN;
            uint32_t *min =
                gmmu_grow(s->min[s->levels], s->size[s->levels], size, sizeof *min, 0xff);
            if (min == NULL) {
                return false;
            }
            s->min[s->levels] = min;
            s->size[s->levels++] = size;
        } while (size > FAN);
    }
    build(s);
    return s->len < s->log_cap;
}

static void *create(void) {
    opt *s = calloc(1, sizeof *s);
    if (s != NULL) {
        s->previous = GMMU_NO_PAGE;
        if (!compact(s)) {
            destroy(s);
            s = NULL;
        }
    }
    return s;
}

// The last entry before END with a k below LIMIT, or UINT32_MAX.
static uint32_t last_below(const opt *s, uint32_t end, uint32_t limit) {
    unsigned l = 0;
    uint32_t i = end;
    for (;;) {
        uint32_t first = i / FAN * FAN;
        while (i > first && s->min[l][i - 1] >= limit) {
            i--;
        }
        if (i > first) {
            break;
        }
        if (first == 0) {
            return UINT32_MAX;
        }
        i = first / FAN;
        l++;
    }
    for (i--; l > 0; l--) {
        i = i * FAN + FAN - 1;
        while (s->min[l - 1][i] >= limit) {
            i--;
        }
    }
    return i;
}

// Brings the minima above entry I up to date, which has grown.
static void raise(opt *s, uint32_t i) {
    for (unsigned l = 1; l < s->levels; l++) {
        i /= FAN;
        const uint32_t *below = s->min[l - 1] + (size_t)i * FAN;
        uint32_t least = gone;
        for (uint32_t j = 0; j < FAN; j++) {
            least = below[j] < least ? below[j] : least;
        }
        if (s->min[l][i] == least) {
            break;
        }
        s->min[l][i] = least;
    }
}

static void append(opt *s, uint32_t k) {
    uint32_t i = s->len++;
    s->min[0][i] = k;
    for (unsigned l = 1; l < s->levels; l++) {
        i /= FAN;
        if (s->min[l][i] <= k) {
            break;
        }
        s->min[l][i] = k;
    }
}

// Gives the interval that starts behind the first MARK entries its track.
static uint32_t place(opt *s, uint32_t mark) {
    uint32_t k = gone;  // of the entry found last
    uint32_t i = last_below(s, mark, k);
    if (i == UINT32_MAX) {
        return s->tracks++;
    }
    while (i != UINT32_MAX) {
        // All that move among the FAN entries of this node, then the minima above them once.
        uint32_t first = i / FAN * FAN;
        uint32_t *entry = s->min[0];
        for (uint32_t j = i + 1; j-- > first;) {
            if (entry[j] < k) {
                uint32_t own = entry[j];
                entry[j] = k;
                k = own;
            }
        }
        raise(s, first);
        i = last_below(s, first, k);
    }
    return k;
}

static int access_page(void *stack, const gmmu_touch *touch, uint32_t *distance, gmmu_error *err) {
    opt *s = stack;
    uint32_t page = touch->page;
    if (page >= s->cap) {
        uint32_t cap = gmmu_policy_capacity(s->cap, page);
        uint32_t *mark = gmmu_grow(s->mark, s->cap, cap, sizeof *mark, 0xff);
        if (mark == NULL) {
            return gmmu_policy_no_memory("opt curve", err);
        }
        s->mark = mark;
        s->cap = cap;
    }
    if (s->len == s->log_cap && !compact(s)) {
        return gmmu_policy_no_memory("opt curve", err);
    }
    *distance = 0;
    if (page == s->previous) {
        *distance = 1;  // nothing lies between
    } else if (s->mark[page] != GMMU_NO_PAGE) {
        uint32_t k = place(s, s->mark[page]);
        append(s, k);
        *distance = k + 2;
    } else {
        s->pages++;
    }
    // An interval that ends before this access frees its track for one that starts behind the
    // access before: that page's mark counts the new entry.
    if (s->previous != GMMU_NO_PAGE) {
        s->mark[s->previous] = s->len;
    }
    s->mark[page] = s->len;
    s->previous = page;
    return GMMU_OK;
}

const gmmu_stack gmmu_stack_opt = {
    .policy = "opt",
    .create = create,
    .access = access_page,
    .destroy = destroy,
};
