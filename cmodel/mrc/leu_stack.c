// SPDX-License-Identifier: Apache-2.0
// leu_stack.c: the LEU stack distance: Mattson's generalised stack under the priorities of policy
// `leu-exact` (docs/guide/mrc.md has the proof).
//
// An access to page p at stack position d hits in memories of d pages and more. In all smaller ones
// it faults, and the page of lowest priority leaves each. All these victims come from one pass over
// positions 1 to d - 1: the page carried along, first that at position 1, is exchanged for each one
// it meets of lower priority; the last one carried goes to position d, and p to position 1.
//
// Priorities change at every access, so a pass has to look at all of d - 1 pages. What it does for
// most of them is one comparison in double: a page with τ below its reference's longest reuse
// interval S has a priority of at least 1 / (S - τ), and of at least the value of any one lease.
// Only a page whose bounds are not above the carried page's priority, with a margin above all
// rounding, is evaluated exactly.
//
// Written apart from policy/leu_exact.c, which keeps another structure: that they agree at all
// sizes tests both.
#include <stdlib.h>
#include <string.h>

#include "mrc/mrc.h"

__extension__ typedef unsigned __int128 u128;

// Profit, mass left and cost stay below 2^42: a product of three fits in 126 bits.
static const uint64_t max_time = (UINT64_C(1) << 42) - 1;
// More than the relative error of a bound, which takes five roundings of at most 2^-53.
static const double margin = 1e-14;

typedef struct {
    uint64_t *s;  // observed reuse intervals, ascending
    uint64_t *c;  // how many were <= s[i]
    uint32_t
        *best;  // class k (s[k-1] <= τ < s[k]): some j >= k, the best lease when last evaluated
    uint32_t m, cap;
    uint64_t longest;  // s[m - 1]; 0: none
} reference;

typedef struct {
    uint64_t time;  // of the last access
    uint32_t ref, page;
    uint32_t k;  // class when last looked at
} entry;

// Profit / (left · cost); a dead page has profit 0.
typedef struct {
    uint64_t profit, left, cost, time;
    double limit;  // above the value, by more than a bound's error
} priority;

typedef struct {
    gmmu_pages *ref_ids;
    reference *refs;
    uint32_t ref_count, ref_cap;
    uint32_t *position;  // of each page in the stack, from 1; 0: not in it
    uint32_t page_cap;
    entry *stack;  // from 1
    uint32_t depth, depth_cap;
    uint64_t now;
} leu;

static void destroy(void *stack) {
    leu *s = stack;
    for (uint32_t i = 0; i < s->ref_count; i++) {
        free(s->refs[i].s);
        free(s->refs[i].c);
        free(s->refs[i].best);
    }
    gmmu_pages_destroy(s->ref_ids);
    free(s->refs);
    free(s->position);
    free(s->stack);
    free(s);
}

static void *create(void) {
    leu *s = calloc(1, sizeof *s);
    if (s != NULL && (s->ref_ids = gmmu_pages_create()) == NULL) {
        free(s);
        s = NULL;
    }
    return s;
}

#define GROW(array, old, count)                                                \
    do {                                                                       \
        void *bigger = gmmu_grow((array), (old), (count), sizeof *(array), 0); \
        if (bigger == NULL) {                                                  \
            return false;                                                      \
        }                                                                      \
        (array) = bigger;                                                      \
    } while (0)

static bool reserve(leu *s, uint32_t page) {
    if (page >= s->page_cap) {
        uint32_t cap = gmmu_policy_capacity(s->page_cap, page);
        GROW(s->position, s->page_cap, cap);
        s->page_cap = cap;
    }
    if (s->depth + 1 >= s->depth_cap) {
        uint32_t cap = gmmu_policy_capacity(s->depth_cap, s->depth + 1);
        GROW(s->stack, s->depth_cap, cap);
        s->depth_cap = cap;
    }
    return true;
}

static bool add_reference(leu *s) {
    if (s->ref_count == s->ref_cap) {
        uint32_t cap = s->ref_cap == 0 ? 16 : s->ref_cap * 2;
        GROW(s->refs, s->ref_cap, cap);
        s->ref_cap = cap;
    }
    s->refs[s->ref_count++] = (reference){0};
    return true;
}

// The number of intervals <= X.
static uint32_t upto(const reference *r, uint64_t x) {
    uint32_t low = 0;
    uint32_t high = r->m;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (r->s[mid] <= x) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    return low;
}

// Counts one reuse interval X, at least 1.
static bool learn(reference *r, uint64_t x) {
    uint32_t i = upto(r, x - 1);
    if (i == r->m || r->s[i] != x) {
        if (r->m == r->cap) {
            uint32_t cap = r->cap == 0 ? 16 : r->cap * 2;
            GROW(r->s, r->cap, cap);
            GROW(r->c, r->cap, cap);
            GROW(r->best, r->cap, cap);
            r->cap = cap;
        }
        size_t tail = r->m - i;
        memmove(r->s + i + 1, r->s + i, tail * sizeof *r->s);
        memmove(r->c + i + 1, r->c + i, tail * sizeof *r->c);
        memmove(r->best + i + 1, r->best + i, tail * sizeof *r->best);
        r->m++;
        r->s[i] = x;
        r->c[i] = i == 0 ? 0 : r->c[i - 1];
        r->best[i] = i;
        for (uint32_t k = 0; k < r->m; k++) {
            r->best[k] += k != i && r->best[k] >= i ? 1U : 0U;
        }
        r->longest = r->s[r->m - 1];
    }
    for (uint32_t j = i; j < r->m; j++) {
        r->c[j]++;
    }
    return true;
}

// The exact priority at τ in class k < m. Remembers the best lease.
static priority evaluate(reference *r, uint32_t k, uint64_t tau) {
    uint64_t base = k == 0 ? 0 : r->c[k - 1];
    uint32_t best = r->best[k];
    priority p = {
        .profit = r->c[best] - base, .left = r->c[r->m - 1] - base, .cost = r->s[best] - tau};
    for (uint32_t j = k; j < r->m; j++) {
        uint64_t profit = r->c[j] - base;
        uint64_t cost = r->s[j] - tau;
        if ((u128)p.left * p.cost <= (u128)p.profit * cost) {
            break;  // no lease from here on can be better: at most `left` for at least this cost
        }
        if ((u128)profit * p.cost > (u128)p.profit * cost) {
            p.profit = profit;
            p.cost = cost;
            best = j;
        }
    }
    r->best[k] = best;
    p.limit = (double)p.profit / ((double)p.left * (double)p.cost) * (1 + margin);
    return p;
}

// The class of a page with τ below the longest interval. It never falls, as τ and the number of
// intervals grow, and it was mostly close by when last looked at.
static uint32_t class_of(const reference *r, entry *e, uint64_t tau) {
    enum { NEAR = 8 };
    uint32_t k = e->k;
    for (unsigned i = 0; i < NEAR && r->s[k] <= tau; i++) {
        k++;  // stays below m: the longest interval is above τ
    }
    if (r->s[k] <= tau) {
        k = upto(r, tau);
    }
    e->k = k;
    return k;
}

static priority priority_of(leu *s, entry *e) {
    reference *r = &s->refs[e->ref];
    uint64_t tau = s->now - e->time;
    priority p = {.profit = 0, .left = 1, .cost = 1, .limit = 0};
    if (tau < r->longest) {
        p = evaluate(r, class_of(r, e, tau), tau);
    }
    p.time = e->time;
    return p;
}

// Whether E leaves before the page of priority *least; then *least becomes its own.
static inline bool lower(leu *s, entry *e, priority *least) {
    reference *r = &s->refs[e->ref];
    uint64_t tau = s->now - e->time;
    if (tau >= r->longest) {  // dead: of those, the oldest leaves
        if (least->profit == 0 && e->time > least->time) {
            return false;
        }
        *least = priority_of(s, e);
        return true;
    }
    if (least->limit * (double)(r->longest - tau) < 1) {
        return false;  // also when the other one is dead
    }
    uint32_t k = class_of(r, e, tau);
    uint64_t base = k == 0 ? 0 : r->c[k - 1];
    uint32_t j = r->best[k];
    if ((double)(r->c[j] - base) >
        least->limit * ((double)(r->c[r->m - 1] - base) * (double)(r->s[j] - tau))) {
        return false;
    }
    priority p = evaluate(r, k, tau);
    u128 x = (u128)p.profit * least->left * least->cost;
    u128 y = (u128)least->profit * p.left * p.cost;
    if (x > y || (x == y && e->time > least->time)) {
        return false;
    }
    p.time = e->time;
    *least = p;
    return true;
}

// Takes position D for the page at position 1, or for another one in exchange, and so on.
static void sink(leu *s, uint32_t d) {
    entry carried = s->stack[1];
    if (d > 2) {
        priority least = priority_of(s, &carried);
        for (uint32_t i = 2; i < d; i++) {
            entry *e = &s->stack[i];
            if (lower(s, e, &least)) {
                entry met = *e;
                *e = carried;
                s->position[e->page] = i;
                carried = met;
            }
        }
    }
    s->stack[d] = carried;
    s->position[carried.page] = d;
}

static int access_page(void *stack, const gmmu_touch *touch, uint32_t *distance, gmmu_error *err) {
    leu *s = stack;
    if (touch->time > max_time) {
        (void)snprintf(err->text, sizeof err->text,
                       "leu-exact curve: found more than 2^42 - 1 walks, expected no more");
        return GMMU_BAD;
    }
    uint32_t ref = gmmu_pages_index(s->ref_ids, touch->asid, touch->ref);
    if (ref == GMMU_NO_PAGE || !reserve(s, touch->page) ||
        (ref == s->ref_count && !add_reference(s))) {
        return gmmu_policy_no_memory("leu-exact curve", err);
    }
    s->now = touch->time;
    uint32_t d = s->position[touch->page];
    *distance = d;
    if (d != 0) {
        const entry *e = &s->stack[d];
        if (!learn(&s->refs[e->ref], s->now - e->time)) {
            return gmmu_policy_no_memory("leu-exact curve", err);
        }
    } else {
        d = ++s->depth;
    }
    if (d > 1) {
        sink(s, d);
    }
    s->stack[1] = (entry){.time = s->now, .ref = ref, .page = touch->page};
    s->position[touch->page] = 1;
    return GMMU_OK;
}

const gmmu_stack gmmu_stack_leu_exact = {
    .policy = "leu-exact",
    .create = create,
    .access = access_page,
    .destroy = destroy,
};
