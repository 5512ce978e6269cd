// SPDX-License-Identifier: Apache-2.0
// leu_exact.c: least expected use (LEU, MEMSYS '19, Eq. 1 and 2, section 3.2), rational and exact.
//
// An access to page p by reference r at time t: (1) if p was accessed before, at t0 by r0, the
// reuse interval t - t0 joins r0's histogram, whether or not p is resident; (2) p's last access
// becomes (t, r); (3) if p is not resident and memory is full, the resident page of the lowest
// priority leaves, ties broken by the larger τ. Two pages never share a τ, since each walk has one
// page, so the page number never has to decide.
//
// The search. Let s[0] < s[1] < … be a reference's reuse intervals and c[] their cumulative count,
// N in all. Class k holds the pages with s[k-1] <= τ < s[k] (s[-1] = 0); their priority is
//     max over j >= k of (c[j] - c[k-1]) / ((N - c[k-1]) (s[j] - τ)),
// which grows with τ, so only the youngest page of a class can be the minimum. Past the last
// s[j] every priority is 0, and there the oldest page leaves.
//   * The youngest page before a point in time: each reference logs its residents in order of
//     last access, dead entries are skipped by path halving, and each s[k] keeps a hint that only
//     moves towards younger entries. A search costs O(references · reuse intervals), whatever the
//     size of memory.
//   * Any lease gives a lower bound of the maximum. Each class remembers its last best one; in
//     most searches the bounds (in double, with a margin above their rounding error) leave a few
//     classes, which alone are evaluated exactly.
//
// Exactness: profit, mass left and cost are at most MAX_TIME < 2^42, so a comparison of two
// priorities multiplies three such numbers and fits in 126 bits.
#include <stdlib.h>
#include <string.h>

#include "policy/option.h"

__extension__ typedef unsigned __int128 u128;

static const uint64_t max_time = (UINT64_C(1) << 42) - 1;
// More than the relative error of a bound: three roundings of at most 2^-53 each.
static const double margin = 1e-14;

// The residents whose last access was by one reference, and its histogram.
typedef struct {
    // Reuse intervals.
    uint64_t *s;     // ascending
    uint64_t *c;     // walks with a reuse interval <= s[i]
    uint32_t *best;  // class k < m: some j >= k, the best lease when last evaluated
    uint32_t *hint;  // of s[i]: number of log entries that had τ >= s[i] when last looked at
    uint32_t m, m_cap;
    // Log, oldest first, from entry 1; entry 0 is the end.
    uint64_t *time;
    uint32_t *page;
    uint32_t *older;  // itself: the entry is live; else an older one, not past any live one
    uint32_t len, len_cap, live;
    uint32_t oldest;  // no live entry before it
} reference;

typedef struct {
    uint64_t time;   // of the last access, 0 before the first
    uint32_t ref;    // index of its reference
    uint32_t entry;  // in that reference's log, 0 when the page is not resident
} page_state;

typedef struct {
    double bound;  // of the priority, from below
    uint32_t ref, k, entry;
} class_bound;

typedef struct {
    uint64_t profit, left, cost;
} ratio;

typedef struct {
    gmmu_pages *ref_ids;  // (asid, ref) to index
    reference *refs;
    uint32_t ref_count, ref_cap;
    page_state *pages;
    uint32_t page_cap;
    class_bound *bounds;
    size_t bounds_cap;
    uint64_t now;
    uint32_t frames, used;
    const gmmu_watch *watch;
    gmmu_eligible eligible;
} leu;

static void destroy(void *state) {
    leu *s = state;
    for (uint32_t i = 0; i < s->ref_count; i++) {
        reference *r = &s->refs[i];
        free(r->s);
        free(r->c);
        free(r->best);
        free(r->hint);
        free(r->time);
        free(r->page);
        free(r->older);
    }
    gmmu_pages_destroy(s->ref_ids);
    free(s->refs);
    free(s->pages);
    free(s->bounds);
    free(s);
}

static void *create(const gmmu_policy_config *config, gmmu_error *err) {
    if (!gmmu_policy_no_options("leu-exact", config, err)) {
        return NULL;
    }
    leu *s = calloc(1, sizeof *s);
    gmmu_pages *ref_ids = gmmu_pages_create();
    if (s == NULL || ref_ids == NULL) {
        free(s);
        gmmu_pages_destroy(ref_ids);
        (void)gmmu_policy_no_memory("leu-exact", err);
        return NULL;
    }
    s->ref_ids = ref_ids;
    s->frames = config->frames;
    s->eligible = config->eligible;
    return s;
}

// The first i in [from, to) with a[i] > x, or to: by doubling steps, since it is mostly near FROM.
static uint32_t first_above(const uint64_t *a, uint32_t from, uint32_t to, uint64_t x) {
    uint32_t step = 1;
    while (to - from > step && a[from + step - 1] <= x) {
        from += step;
        step *= 2;
    }
    uint32_t high = to - from > step ? from + step : to;
    while (from < high) {
        uint32_t mid = from + (high - from) / 2;
        if (a[mid] <= x) {
            from = mid + 1;
        } else {
            high = mid;
        }
    }
    return from;
}

// Makes *array hold COUNT elements of SIZE bytes, or returns false.
#define GROW(array, old, count)                                                \
    do {                                                                       \
        void *bigger = gmmu_grow((array), (old), (count), sizeof *(array), 0); \
        if (bigger == NULL) {                                                  \
            return false;                                                      \
        }                                                                      \
        (array) = bigger;                                                      \
    } while (0)

static bool grow_histogram(reference *r) {
    if (r->m < r->m_cap) {
        return true;
    }
    uint32_t cap = r->m_cap == 0 ? 16 : r->m_cap * 2;
    GROW(r->s, r->m_cap, cap);
    GROW(r->c, r->m_cap, cap);
    GROW(r->best, r->m_cap, cap);
    GROW(r->hint, r->m_cap, cap);
    r->m_cap = cap;
    return true;
}

// Counts one reuse interval X > 0, seen at time NOW.
static bool learn(reference *r, uint64_t x, uint64_t now) {
    uint32_t i = first_above(r->s, 0, r->m, x - 1);
    if (i == r->m || r->s[i] != x) {
        if (!grow_histogram(r)) {
            return false;
        }
        size_t tail = r->m - i;
        memmove(r->s + i + 1, r->s + i, tail * sizeof *r->s);
        memmove(r->c + i + 1, r->c + i, tail * sizeof *r->c);
        memmove(r->best + i + 1, r->best + i, tail * sizeof *r->best);
        memmove(r->hint + i + 1, r->hint + i, tail * sizeof *r->hint);
        r->m++;
        r->s[i] = x;
        r->c[i] = i == 0 ? 0 : r->c[i - 1];
        r->hint[i] = first_above(r->time + 1, 0, r->len, now - x);
        // Class i was split in two; both begin with its best lease. A new last class has one.
        for (uint32_t k = 0; k < r->m; k++) {
            r->best[k] += r->best[k] >= i ? 1U : 0U;
        }
        r->best[i] = i + 1 < r->m ? r->best[i + 1] : i;
    }
    for (uint32_t j = i; j < r->m; j++) {
        r->c[j]++;
    }
    return true;
}

static uint32_t youngest_live(const reference *r, uint32_t entry) {
    while (r->older[entry] != entry) {
        r->older[entry] = r->older[r->older[entry]];
        entry = r->older[entry];
    }
    return entry;
}

// Drops the dead entries of the log.
static void compact(leu *s, reference *r) {
    uint32_t kept = 0;
    for (uint32_t i = 1; i <= r->len; i++) {
        bool live = r->older[i] == i;
        if (live) {
            kept++;
            r->time[kept] = r->time[i];
            r->page[kept] = r->page[i];
            s->pages[r->page[kept]].entry = kept;
        }
        r->older[i] = kept;  // for now: live entries up to i
    }
    for (uint32_t j = 0; j < r->m; j++) {
        r->hint[j] = r->older[r->hint[j]];
    }
    for (uint32_t i = 1; i <= kept; i++) {
        r->older[i] = i;
    }
    r->len = kept;
    r->oldest = 1;
}

static bool append(leu *s, uint32_t ref, uint32_t page) {
    reference *r = &s->refs[ref];
    if (r->len + 1 >= r->len_cap) {
        if (r->len_cap != 0 && r->live <= r->len_cap / 2) {
            compact(s, r);
        } else {
            uint32_t cap = r->len_cap == 0 ? 64 : r->len_cap * 2;
            GROW(r->time, r->len_cap, cap);
            GROW(r->page, r->len_cap, cap);
            GROW(r->older, r->len_cap, cap);
            r->len_cap = cap;
        }
    }
    uint32_t i = ++r->len;
    r->time[i] = s->now;
    r->page[i] = page;
    r->older[i] = i;
    r->live++;
    s->pages[page].entry = i;
    return true;
}

// Takes PAGE out of the log it is in.
static void drop(leu *s, uint32_t page) {
    reference *r = &s->refs[s->pages[page].ref];
    uint32_t i = s->pages[page].entry;
    r->older[i] = i - 1;
    r->live--;
    s->pages[page].entry = 0;
}

static bool add_reference(leu *s) {
    if (s->ref_count == s->ref_cap) {
        uint32_t cap = s->ref_cap == 0 ? 16 : s->ref_cap * 2;
        GROW(s->refs, s->ref_cap, cap);
        s->ref_cap = cap;
    }
    s->refs[s->ref_count++] = (reference){.oldest = 1};
    return true;
}

static uint64_t below(const reference *r, uint32_t k) {
    return k == 0 ? 0 : r->c[k - 1];
}

// The exact priority of class k < m at τ. Remembers the best lease.
static ratio evaluate(reference *r, uint32_t k, uint64_t tau) {
    uint64_t base = below(r, k);
    uint64_t left = r->c[r->m - 1] - base;
    uint32_t best = r->best[k];
    uint64_t profit = r->c[best] - base;
    uint64_t cost = r->s[best] - tau;
    for (uint32_t j = k; j < r->m; j++) {
        uint64_t n = r->c[j] - base;
        uint64_t d = r->s[j] - tau;
        if ((u128)left * cost <= (u128)profit * d) {
            break;  // no lease from here on can be better: at most `left` for at least d
        }
        if ((u128)n * cost > (u128)profit * d) {
            profit = n;
            cost = d;
            best = j;
        }
    }
    r->best[k] = best;
    return (ratio){profit, left, cost};
}

static int compare(ratio a, ratio b) {
    u128 x = (u128)a.profit * b.left * b.cost;
    u128 y = (u128)b.profit * a.left * a.cost;
    return x < y ? -1 : x > y ? 1 : 0;
}

static double approximate(ratio a) {
    return (double)a.profit / ((double)a.left * (double)a.cost);
}

// The oldest page of priority 0, if there is one.
static uint32_t oldest_without_mass(leu *s) {
    uint32_t victim = GMMU_NO_PAGE;
    uint64_t oldest = UINT64_MAX;
    for (uint32_t i = 0; i < s->ref_count; i++) {
        reference *r = &s->refs[i];
        if (r->live == 0) {
            continue;
        }
        while (r->older[r->oldest] != r->oldest) {
            r->oldest++;
        }
        uint64_t time = r->time[r->oldest];
        if ((r->m == 0 || s->now - time >= r->s[r->m - 1]) && time < oldest) {
            oldest = time;
            victim = r->page[r->oldest];
        }
    }
    return victim;
}

// Appends a bound for each occupied class of reference I, none of whose pages has priority 0.
static bool bound_classes(leu *s, uint32_t i, size_t *count, size_t *lowest) {
    reference *r = &s->refs[i];
    if (*count + r->m > s->bounds_cap) {
        size_t cap = (*count + r->m) * 2;
        GROW(s->bounds, s->bounds_cap, cap);
        s->bounds_cap = cap;
    }
    uint32_t k = 0;
    uint64_t total = r->c[r->m - 1];
    for (uint32_t entry = youngest_live(r, r->len); entry != 0;) {
        uint64_t tau = s->now - r->time[entry];
        k = first_above(r->s, k, r->m, tau);
        uint64_t base = below(r, k);
        uint32_t j = r->best[k];
        double bound =
            (double)(r->c[j] - base) / ((double)(total - base) * (double)(r->s[j] - tau));
        s->bounds[*count] = (class_bound){.bound = bound, .ref = i, .k = k, .entry = entry};
        if (bound < s->bounds[*lowest].bound) {
            *lowest = *count;
        }
        ++*count;
        // Next: the youngest page of the classes above.
        r->hint[k] = first_above(r->time + 1, r->hint[k], r->len, s->now - r->s[k]);
        entry = youngest_live(r, r->hint[k]);
        k++;
    }
    return true;
}

// The victim among the residents, at time `now`; GMMU_NO_PAGE when there is no memory.
static uint32_t choose(leu *s) {
    uint32_t victim = oldest_without_mass(s);
    if (victim != GMMU_NO_PAGE) {
        return victim;
    }
    size_t count = 0;
    size_t lowest = 0;
    for (uint32_t i = 0; i < s->ref_count; i++) {
        if (s->refs[i].live != 0 && !bound_classes(s, i, &count, &lowest)) {
            return GMMU_NO_PAGE;
        }
    }
    // The class of the lowest bound first: then few others have a bound below its priority.
    ratio least = {0};
    double limit = 0;
    uint64_t time = 0;
    for (size_t n = 0; n <= count; n++) {
        class_bound *b = &s->bounds[n == 0 ? lowest : n - 1];
        if (n != 0 && (n - 1 == lowest || b->bound > limit)) {
            continue;
        }
        reference *r = &s->refs[b->ref];
        ratio p = evaluate(r, b->k, s->now - r->time[b->entry]);
        int order = n == 0 ? -1 : compare(p, least);
        if (order < 0 || (order == 0 && r->time[b->entry] < time)) {
            least = p;
            limit = approximate(p) * (1 + margin);
            time = r->time[b->entry];
            victim = r->page[b->entry];
        }
    }
    return victim;
}

// The victim among the residents that may leave, each evaluated on its own: for the rare case that
// the victim of all may not. GMMU_NO_PAGE: no page may leave.
static uint32_t choose_eligible(leu *s) {
    uint32_t victim = GMMU_NO_PAGE;
    ratio least = {0};
    uint64_t time = 0;
    for (uint32_t i = 0; i < s->ref_count; i++) {
        reference *r = &s->refs[i];
        for (uint32_t e = 1; e <= r->len; e++) {
            if (r->older[e] != e || !gmmu_may_leave(&s->eligible, r->page[e])) {
                continue;
            }
            const uint64_t tau = s->now - r->time[e];
            const uint32_t k = r->m == 0 ? 0 : first_above(r->s, 0, r->m, tau);
            const ratio p = k < r->m ? evaluate(r, k, tau) : (ratio){0, 1, 1};
            const int order = victim == GMMU_NO_PAGE ? -1 : compare(p, least);
            if (order < 0 || (order == 0 && r->time[e] < time)) {
                least = p;
                time = r->time[e];
                victim = r->page[e];
            }
        }
    }
    return victim;
}

static bool some_may_leave(const leu *s) {
    for (uint32_t i = 0; i < s->ref_count; i++) {
        const reference *r = &s->refs[i];
        for (uint32_t e = 1; e <= r->len; e++) {
            if (r->older[e] == e && gmmu_may_leave(&s->eligible, r->page[e])) {
                return true;
            }
        }
    }
    return false;
}

// Shows every resident with its priority, each evaluated on its own.
static void show(const leu *s) {
    for (uint32_t i = 0; i < s->ref_count; i++) {
        const reference *r = &s->refs[i];
        for (uint32_t e = 1; e <= r->len; e++) {
            if (r->older[e] != e) {
                continue;
            }
            gmmu_candidate c = {.page = r->page[e],
                                .ref = gmmu_pages_number(s->ref_ids, i),
                                .tau = s->now - r->time[e]};
            uint32_t k = r->m == 0 ? 0 : first_above(r->s, 0, r->m, c.tau);
            for (uint32_t j = k; j < r->m; j++) {
                uint64_t profit = r->c[j] - below(r, k);
                uint64_t cost = r->s[j] - c.tau;
                if (c.lease == 0 || (u128)profit * c.cost > (u128)c.profit * cost) {
                    c.lease = r->s[j];
                    c.profit = profit;
                    c.cost = cost;
                    c.left = r->c[r->m - 1] - below(r, k);
                }
            }
            s->watch->candidate(s->watch->context, &c);
        }
    }
}

static bool reserve(leu *s, uint32_t page) {
    if (page >= s->page_cap) {
        uint32_t cap = gmmu_policy_capacity(s->page_cap, page);
        GROW(s->pages, s->page_cap, cap);
        s->page_cap = cap;
    }
    return true;
}

static int touch(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                 gmmu_error *err) {
    leu *s = state;
    if (s->now == max_time) {
        (void)snprintf(err->text, sizeof err->text,
                       "leu-exact: found more than 2^42 - 1 walks, expected no more");
        return GMMU_BAD;
    }
    if (s->eligible.may_leave != NULL && s->used == s->frames &&
        (page >= s->page_cap || s->pages[page].entry == 0) && !some_may_leave(s)) {
        gmmu_outcome_begin(out, page, true);
        gmmu_outcome_stuck(out);
        return GMMU_OK;
    }
    uint32_t ref = gmmu_pages_index(s->ref_ids, walk->asid, walk->ref);
    if (ref == GMMU_NO_PAGE || !reserve(s, page) || (ref == s->ref_count && !add_reference(s))) {
        return gmmu_policy_no_memory("leu-exact", err);
    }
    s->now++;
    page_state *p = &s->pages[page];
    if (p->time != 0 && !learn(&s->refs[p->ref], s->now - p->time, s->now)) {
        return gmmu_policy_no_memory("leu-exact", err);
    }
    gmmu_outcome_begin(out, page, p->entry == 0);
    if (!out->fault) {
        drop(s, page);
    } else if (s->used < s->frames) {
        s->used++;
    } else {
        if (s->watch != NULL) {
            show(s);
        }
        uint32_t victim = choose(s);
        if (victim == GMMU_NO_PAGE) {
            return gmmu_policy_no_memory("leu-exact", err);
        }
        if (!gmmu_may_leave(&s->eligible, victim)) {
            victim = choose_eligible(s);
        }
        gmmu_outcome_evict(out, victim);
        drop(s, victim);
    }
    p->time = s->now;
    p->ref = ref;
    if (!append(s, ref, page)) {
        return gmmu_policy_no_memory("leu-exact", err);
    }
    return GMMU_OK;
}

static int evict_ahead(void *state, gmmu_outcome *out, gmmu_error *err) {
    leu *s = state;
    gmmu_outcome_begin(out, GMMU_NO_PAGE, false);
    uint32_t victim = GMMU_NO_PAGE;
    if (s->used != 0) {
        victim = choose(s);
        if (victim == GMMU_NO_PAGE) {
            return gmmu_policy_no_memory("leu-exact", err);
        }
        if (!gmmu_may_leave(&s->eligible, victim)) {
            victim = choose_eligible(s);
        }
    }
    if (gmmu_outcome_leave(out, victim)) {
        drop(s, victim);
        s->used--;
    }
    return GMMU_OK;
}

static void watch_decisions(void *state, const gmmu_watch *watch) {
    leu *s = state;
    s->watch = watch;
}

const gmmu_policy gmmu_policy_leu_exact = {
    .name = "leu-exact",
    .help = "LEU to the letter: rational, learning from every reuse",
    .tie_rule = "the larger TESLA (older last access), then the lower (asid, vpn)",
    .obeys = true,
    .create = create,
    .access = touch,
    .evict = evict_ahead,
    .watch = watch_decisions,
    .destroy = destroy,
};
