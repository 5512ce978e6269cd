// SPDX-License-Identifier: Apache-2.0
// rank.c: mean-ri and osl-rank, the two rankings that LEU calls incomplete (MEMSYS '19, section
// 4.2): one number a reference in place of the distribution of its reuse intervals.
//
// mean-ri: the number is the mean of the reference's reuse intervals. osl-rank: the number is OSL's
// best lease of the reference, the lease l of the most hits for the memory,
//     (intervals <= l) / (sum over the intervals of min(interval, l)),
// of equal leases the longest. References learn as in leu-exact: each reuse interval belongs to the
// reference of the earlier access, whether or not the page is resident.
//
// A page is expected again when the number of its last reference has passed since its last access.
// The page that is expected latest leaves. A page whose number has passed cannot be ranked, as the
// paper says: it leaves before all others, the older last access first; so does a page whose
// reference has no interval yet (as in L3 of docs/papers/leu.md). Of pages expected at the same
// time the older last access leaves.
// Parameter: tesla = 1; 0: the page of the largest number leaves, whatever the time since its last
// access, and no number passes.
// Open in the paper: "compute the best lease at each access" is read as the reference's best lease
// at the time of the decision, so that both rankings know what LEU knows.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/option.h"

__extension__ typedef unsigned __int128 u128;

typedef struct {
    uint64_t sum, count;        // of its intervals
    uint64_t *s, *n;            // osl-rank: the intervals, ascending; how often each
    uint32_t m, m_cap;          // how many
    uint64_t lease;             // osl-rank: best lease, when FRESH
    bool fresh;                 // nothing was learnt since `lease` was computed
    uint32_t youngest, oldest;  // residents in order of last access; GMMU_NO_PAGE: none
} reference;

typedef struct {
    uint64_t last;            // time of the last access, 0 before the first
    uint32_t ref;             // the last access's
    uint32_t younger, older;  // resident pages of the same reference
    bool in;
} page_state;

typedef struct {
    const char *name;
    bool osl;
    uint64_t tesla;
    gmmu_pages *ref_ids;
    reference *refs;
    uint32_t ref_count, ref_cap;
    page_state *pages;
    uint32_t page_cap;
    uint64_t now;
    uint32_t frames, used;
    bool victim_passed;  // the last victim could not be ranked
} rank;

// A page and when it is expected: NUM / DEN walks after time 0.
typedef struct {
    uint32_t page;
    uint64_t num, den, last;
} expected;

static void destroy(void *state) {
    rank *s = state;
    for (uint32_t i = 0; i < s->ref_count; i++) {
        free(s->refs[i].s);
        free(s->refs[i].n);
    }
    gmmu_pages_destroy(s->ref_ids);
    free(s->refs);
    free(s->pages);
    free(s);
}

static void *create(const char *name, bool osl, const gmmu_policy_config *config, gmmu_error *err) {
    uint64_t tesla = 1;
    const gmmu_option options[] = {GMMU_NUMBER("tesla", &tesla, 0, 1)};
    if (!gmmu_options_read(name, config, options, 1, err)) {
        return NULL;
    }
    rank *s = calloc(1, sizeof *s);
    gmmu_pages *ref_ids = gmmu_pages_create();
    if (s == NULL || ref_ids == NULL) {
        free(s);
        gmmu_pages_destroy(ref_ids);
        (void)gmmu_policy_no_memory(name, err);
        return NULL;
    }
    s->name = name;
    s->osl = osl;
    s->tesla = tesla;
    s->ref_ids = ref_ids;
    s->frames = config->frames;
    return s;
}

static void *create_mean(const gmmu_policy_config *config, gmmu_error *err) {
    return create("mean-ri", false, config, err);
}

static void *create_osl(const gmmu_policy_config *config, gmmu_error *err) {
    return create("osl-rank", true, config, err);
}

static bool reserve(rank *s, uint32_t page, uint32_t ref) {
    if (!GMMU_ROOM(s->pages, s->page_cap, page, 0) || !GMMU_ROOM(s->refs, s->ref_cap, ref, 0)) {
        return false;
    }
    if (ref == s->ref_count) {
        s->refs[s->ref_count++] =
            (reference){.youngest = GMMU_NO_PAGE, .oldest = GMMU_NO_PAGE, .fresh = true};
    }
    return true;
}

// Room for one more interval.
static bool reserve_interval(reference *r) {
    if (r->m < r->m_cap) {
        return true;
    }
    const uint32_t cap = gmmu_policy_capacity(r->m_cap, r->m);
    uint64_t *s = gmmu_grow(r->s, r->m_cap, cap, sizeof *s, 0);
    if (s == NULL) {
        return false;
    }
    r->s = s;
    uint64_t *n = gmmu_grow(r->n, r->m_cap, cap, sizeof *n, 0);
    if (n == NULL) {
        return false;
    }
    r->n = n;
    r->m_cap = cap;
    return true;
}

static bool learn(const rank *s, reference *r, uint64_t interval) {
    r->sum += interval;
    r->count++;
    if (!s->osl) {
        return true;
    }
    uint32_t low = 0;
    uint32_t high = r->m;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (r->s[middle] < interval) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == r->m || r->s[low] != interval) {
        if (!reserve_interval(r)) {
            return false;
        }
        memmove(r->s + low + 1, r->s + low, (r->m - low) * sizeof *r->s);
        memmove(r->n + low + 1, r->n + low, (r->m - low) * sizeof *r->n);
        r->s[low] = interval;
        r->n[low] = 0;
        r->m++;
    }
    r->n[low]++;
    r->fresh = false;
    return true;
}

// OSL's best lease of R, which has intervals.
static uint64_t best_lease(reference *r) {
    if (!r->fresh) {
        uint64_t hits = 0;
        uint64_t sum = 0;  // of the intervals that hit
        uint64_t most_hits = 0;
        uint64_t most_cost = 1;
        for (uint32_t i = 0; i < r->m; i++) {
            hits += r->n[i];
            sum += r->n[i] * r->s[i];
            const uint64_t cost = sum + r->s[i] * (r->count - hits);
            if ((u128)hits * most_cost >= (u128)most_hits * cost) {
                most_hits = hits;
                most_cost = cost;
                r->lease = r->s[i];
            }
        }
        r->fresh = true;
    }
    return r->lease;
}

// Takes PAGE out of the list of its reference.
static void drop(rank *s, uint32_t page) {
    const page_state *p = &s->pages[page];
    reference *r = &s->refs[p->ref];
    *(p->younger == GMMU_NO_PAGE ? &r->youngest : &s->pages[p->younger].older) = p->older;
    *(p->older == GMMU_NO_PAGE ? &r->oldest : &s->pages[p->older].younger) = p->younger;
    s->pages[page].in = false;
}

static void append(rank *s, uint32_t page, uint32_t ref) {
    reference *r = &s->refs[ref];
    s->pages[page] = (page_state){
        .last = s->now, .ref = ref, .younger = GMMU_NO_PAGE, .older = r->youngest, .in = true};
    *(r->youngest == GMMU_NO_PAGE ? &r->oldest : &s->pages[r->youngest].younger) = page;
    r->youngest = page;
}

// True: A leaves before B.
static bool before(expected a, expected b) {
    const u128 x = (u128)a.num * b.den;
    const u128 y = (u128)b.num * a.den;
    return x != y ? x > y : a.last < b.last;
}

// The victim among the residents, of which there is one at least.
static uint32_t choose(rank *s) {
    uint32_t passed = GMMU_NO_PAGE;
    expected latest = {.page = GMMU_NO_PAGE};
    for (uint32_t i = 0; i < s->ref_count; i++) {
        reference *r = &s->refs[i];
        if (r->youngest == GMMU_NO_PAGE) {
            continue;
        }
        expected e = {.num = r->sum, .den = r->count};
        if (s->osl && r->count != 0) {
            e = (expected){.num = best_lease(r), .den = 1};
        }
        const uint64_t oldest = s->pages[r->oldest].last;
        if (r->count == 0 || (s->tesla != 0 && e.num <= (u128)(s->now - oldest) * e.den)) {
            if (passed == GMMU_NO_PAGE || oldest < s->pages[passed].last) {
                passed = r->oldest;
            }
            continue;
        }
        e.page = s->tesla != 0 ? r->youngest : r->oldest;
        e.last = s->pages[e.page].last;
        e.num += s->tesla != 0 ? e.last * e.den : 0;
        if (latest.page == GMMU_NO_PAGE || before(e, latest)) {
            latest = e;
        }
    }
    s->victim_passed = passed != GMMU_NO_PAGE;
    return s->victim_passed ? passed : latest.page;
}

static int touch(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                 gmmu_error *err) {
    rank *s = state;
    const uint32_t ref = gmmu_pages_index(s->ref_ids, walk->asid, walk->ref);
    if (ref == GMMU_NO_PAGE || !reserve(s, page, ref)) {
        return gmmu_policy_no_memory(s->name, err);
    }
    s->now++;
    const page_state *p = &s->pages[page];
    if (p->last != 0 && !learn(s, &s->refs[p->ref], s->now - p->last)) {
        return gmmu_policy_no_memory(s->name, err);
    }
    gmmu_outcome_begin(out, page, !p->in);
    if (!out->fault) {
        drop(s, page);
    } else if (s->used < s->frames) {
        s->used++;
    } else {
        const uint32_t victim = choose(s);
        gmmu_outcome_evict(out, victim);
        drop(s, victim);
    }
    append(s, page, ref);
    return GMMU_OK;
}

static void why(const void *state, char *text, size_t size) {
    const rank *s = state;
    const char *number = s->osl ? "best lease" : "mean reuse interval";
    if (s->victim_passed) {
        (void)snprintf(
            text, size,
            "not ranked: %sits reference has no interval; of such pages used longest ago",
            s->tesla == 0 ? ""
            : s->osl      ? "its best lease has passed, or "
                          : "its mean reuse interval has passed, or ");
    } else {
        (void)snprintf(text, size, "%s %s of its last reference",
                       s->tesla != 0 ? "expected latest, by the" : "the largest", number);
    }
}

const gmmu_policy gmmu_policy_mean_ri = {
    .name = "mean-ri",
    .help = "the mean reuse interval of a reference as rank",
    .options = "tesla=N (1): 0: whatever the time since the last access",
    .why = why,
    .create = create_mean,
    .access = touch,
    .destroy = destroy,
};

const gmmu_policy gmmu_policy_osl_rank = {
    .name = "osl-rank",
    .help = "OSL's best lease of a reference as rank",
    .options = "tesla=N (1): 0: whatever the time since the last access",
    .why = why,
    .create = create_osl,
    .access = touch,
    .destroy = destroy,
};
