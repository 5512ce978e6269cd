// SPDX-License-Identifier: Apache-2.0
// osl.c: OSL, optimal steady-state leases (Li et al., "Beating OPT with Statistical Clairvoyance
// and Variable Size Caching", ASPLOS 2019), which LEU extends (LEU, sections 1 and 2).
//
// Every access to a page gives it a lease of so many walks; it leaves when the lease is over
// without another access. All accesses to a page (the paper's data block) have the same lease, from
// its reuse intervals in the whole trace: all begin with a lease of one walk; again and again the
// longer lease with the most hits per page and walk of memory that it adds (PPUC) is given, until
// the average size is the `frames` asked for.
//
// No parameters. Of equal PPUC the page that appeared first is served, and gets the longest lease.
// Departure: the paper's last lease may not fit; here it goes to so many of the page's accesses,
// evenly spread, that the average is met: with a share of a / b, to the k-th access if
// floor(k a / b) > floor((k - 1) a / b), k from 1.
#include <stdlib.h>

#include "policy/variable.h"

__extension__ typedef unsigned __int128 u128;

enum { NONE = UINT32_MAX };

typedef struct {
    uint64_t lease;
    uint64_t longer;         // of share/shares of the accesses
    uint64_t share, shares;  // share 0: of none
    uint64_t sum;            // of the shares of the accesses so far, modulo shares
} lease;

// A longer lease for a page: what it adds.
typedef struct {
    uint64_t hits, cost, lease;
    uint32_t page;
} step;

typedef struct {
    uint64_t until;       // the last walk at which an access is a hit
    uint32_t next, prev;  // of the pages whose lease ends then; NONE at the ends
    bool in;
} page_state;

typedef struct {
    gmmu_variable all;
    lease *leases;  // of each page
    uint32_t distinct;
    page_state *pages;
    uint32_t cap;
    uint32_t *ends;   // of each walk: a page whose lease ends then, or NONE
    gmmu_move *left;  // moves after the last walk
    uint32_t left_cap;
} osl;

static void destroy(void *state) {
    osl *s = state;
    free(s->leases);
    free(s->pages);
    free(s->ends);
    free(s->left);
    free(s);
}

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// The most hits for the cost first. Steps of one page have it in their order, each less than the
// one before.
static int by_ppuc(const void *a, const void *b) {
    const step *x = a;
    const step *y = b;
    u128 left = (u128)x->hits * y->cost;
    u128 right = (u128)y->hits * x->cost;
    if (left != right) {
        return left > right ? -1 : 1;
    }
    return (x->page > y->page) - (x->page < y->page);
}

// The steps of PAGE with COUNT reuse intervals, ascending, to OUT: the upper hull of (cost, hits)
// over all leases. Cost of lease l: min(interval, l) summed over the accesses; the last one's
// interval is TAIL, to the end of the trace, and never a hit.
static size_t steps_of(uint32_t page, const uint64_t *interval, size_t count, uint64_t tail,
                       step *out) {
    size_t used = 0;
    uint64_t hits = 0;  // intervals <= lease
    uint64_t sum = 0;   // of them
    uint64_t last_hits = 0;
    uint64_t last_cost = count + 1;
    for (size_t i = 0; i < count; i++) {
        hits++;
        sum += interval[i];
        if (i + 1 < count && interval[i + 1] == interval[i]) {
            continue;
        }
        uint64_t cost =
            sum + interval[i] * (count - hits) + (interval[i] < tail ? interval[i] : tail);
        if (interval[i] == 1) {  // every lease has these
            last_hits = hits;
            continue;
        }
        step s = {hits - last_hits, cost - last_cost, interval[i], page};
        while (used != 0 &&
               (u128)out[used - 1].hits * s.cost <= (u128)s.hits * out[used - 1].cost) {
            s.hits += out[used - 1].hits;
            s.cost += out[used - 1].cost;
            used--;
        }
        out[used++] = s;
        last_hits = hits;
        last_cost = cost;
    }
    return used;
}

static void assign(osl *s, const step *steps, size_t count, uint64_t budget) {
    for (uint32_t p = 0; p < s->distinct; p++) {
        s->leases[p] = (lease){.lease = 1};
    }
    for (size_t i = 0; i < count; i++) {
        lease *l = &s->leases[steps[i].page];
        if (steps[i].cost > budget) {
            l->longer = steps[i].lease;
            l->share = budget;
            l->shares = steps[i].cost;
            return;
        }
        l->lease = steps[i].lease;
        budget -= steps[i].cost;
    }
}

// Leases from the reuse intervals of each page. False: no memory.
static bool make_leases(osl *s, uint32_t frames) {
    uint64_t n = s->all.future->count;
    const uint64_t *next = s->all.future->next;
    const uint32_t *pages = s->all.future->pages;
    for (uint64_t i = 0; i < n; i++) {
        s->distinct = pages[i] >= s->distinct ? pages[i] + 1 : s->distinct;
    }
    uint64_t *first = calloc((size_t)s->distinct + 2, sizeof *first);  // of its intervals
    uint64_t *interval = calloc(n + 1, sizeof *interval);
    uint64_t *tail = calloc((size_t)s->distinct + 1, sizeof *tail);
    step *steps = calloc(n + 1, sizeof *steps);
    s->leases = calloc((size_t)s->distinct + 1, sizeof *s->leases);
    bool good =
        first != NULL && interval != NULL && tail != NULL && steps != NULL && s->leases != NULL;
    if (good) {
        for (uint64_t i = 0; i < n; i++) {
            first[pages[i] + 2] += next[i] != GMMU_NEVER ? 1U : 0U;
        }
        for (uint32_t p = 0; p < s->distinct; p++) {
            first[p + 2] += first[p + 1];
        }
        for (uint64_t i = 0; i < n; i++) {
            if (next[i] != GMMU_NEVER) {
                interval[first[pages[i] + 1]++] = next[i] - i;
            } else {
                tail[pages[i]] = n - i;
            }
        }
        size_t count = 0;
        for (uint32_t p = 0; p < s->distinct; p++) {
            size_t mine = first[p + 1] - first[p];
            qsort(interval + first[p], mine, sizeof *interval, by_value);
            count += steps_of(p, interval + first[p], mine, tail[p], steps + count);
        }
        qsort(steps, count, sizeof *steps, by_ppuc);
        assign(s, steps, count, (frames - UINT64_C(1)) * n);
    }
    free(first);
    free(interval);
    free(tail);
    free(steps);
    return good;
}

static bool plan(void *state, uint32_t frames) {
    osl *s = state;
    s->ends = gmmu_grow(NULL, 0, s->all.future->count + 1, sizeof *s->ends, 0xff);
    if (s->ends == NULL || !make_leases(s, frames)) {
        return false;
    }
    s->pages = calloc((size_t)s->distinct + 1, sizeof *s->pages);
    return s->pages != NULL;
}

static void *create(const gmmu_policy_config *config, gmmu_error *err) {
    return gmmu_variable_create("osl", config, sizeof(osl), plan, destroy, err);
}

// Takes PAGE off the list of the pages whose lease ends with its own.
static void unlink_page(osl *s, uint32_t page) {
    const page_state *p = &s->pages[page];
    if (p->until < s->all.future->count) {
        *(p->prev == NONE ? &s->ends[p->until] : &s->pages[p->prev].next) = p->next;
        if (p->next != NONE) {
            s->pages[p->next].prev = p->prev;
        }
    }
}

static void give_lease(osl *s, uint32_t page) {
    page_state *p = &s->pages[page];
    lease *l = &s->leases[page];
    uint64_t walks = l->lease;
    if (l->share != 0) {
        l->sum += l->share;
        if (l->sum >= l->shares) {
            l->sum -= l->shares;
            walks = l->longer;
        }
    }
    *p = (page_state){.until = s->all.now + walks, .next = NONE, .prev = NONE, .in = true};
    if (p->until < s->all.future->count) {
        p->next = s->ends[p->until];
        if (p->next != NONE) {
            s->pages[p->next].prev = page;
        }
        s->ends[p->until] = page;
    }
}

// The pages whose lease is over with this walk leave.
static bool end_leases(osl *s, gmmu_outcome *out) {
    for (uint32_t page = s->ends[s->all.now]; page != NONE; page = s->pages[page].next) {
        if (out->after_count == s->left_cap) {
            uint32_t cap = gmmu_policy_capacity(s->left_cap, s->left_cap);
            gmmu_move *left = gmmu_grow(s->left, s->left_cap, cap, sizeof *left, 0);
            if (left == NULL) {
                return false;
            }
            s->left = left;
            s->left_cap = cap;
        }
        s->left[out->after_count++] = (gmmu_move){.page = page, .from = GMMU_NEAR, .to = GMMU_FAR};
        s->pages[page].in = false;
        s->all.resident--;
    }
    out->after = s->left;
    return true;
}

static int touch(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                 gmmu_error *err) {
    (void)walk;
    osl *s = state;
    if (!gmmu_future_agrees(s->all.future, s->all.now, page, "osl", err)) {
        return GMMU_BAD;
    }
    gmmu_outcome_begin(out, page, !s->pages[page].in);
    if (!out->fault) {
        unlink_page(s, page);
    }
    s->all.resident += out->fault ? 1U : 0U;
    give_lease(s, page);
    if (!end_leases(s, out)) {
        return gmmu_policy_no_memory("osl", err);
    }
    s->all.size_sum += s->all.resident;
    s->all.now++;
    return GMMU_OK;
}

const gmmu_policy gmmu_policy_osl = {
    .name = "osl",
    .help = "OSL: best lease of each page; a bound, frames is the mean size",
    .rule = "its lease ended with this walk",
    .needs_future = true,
    .page_only = true,
    .create = create,
    .access = touch,
    .size_sum = gmmu_variable_size_sum,
    .destroy = destroy,
};
