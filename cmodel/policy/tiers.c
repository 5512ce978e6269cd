// SPDX-License-Identifier: Apache-2.0
// tiers.c: see tiers.h.
#include "policy/tiers.h"

#include <inttypes.h>

static const char *const name_of[] = {"Tier 3", "Tier 1", "Tier 2"};

static gmmu_memory place(uint8_t flags) {
    return (gmmu_memory)(flags / GMMU_PAGE_PLACE);
}

bool gmmu_tiers_begin(gmmu_tiers *t, const gmmu_policy *policy, const gmmu_policy_config *config,
                      gmmu_error *err) {
    *t = (gmmu_tiers){0};
    t->size[GMMU_NEAR] = config->frames;
    t->size[GMMU_HOST] = config->tier2;
    if (policy->tiers && config->tier2 == 0) {
        (void)snprintf(err->text, sizeof err->text,
                       "policy %s: found no Tier 2, expected its size (gmmu replay --tier2)",
                       policy->name);
        return false;
    }
    if ((uint64_t)config->frames + config->tier2 > GMMU_MAX_PAGES) {
        (void)snprintf(err->text, sizeof err->text,
                       "policy %s: found %" PRIu32 " and %" PRIu32
                       " pages of two tiers, expected at most %u",
                       policy->name, config->frames, config->tier2, GMMU_MAX_PAGES);
        return false;
    }
    return true;
}

// The policy says that PAGE is in WANTED, where it is not.
static int misplaced(const char *policy, uint64_t walk, uint32_t page, gmmu_memory found,
                     gmmu_memory wanted, gmmu_error *err) {
    (void)snprintf(err->text, sizeof err->text,
                   "policy %s, walk %" PRIu64 ": found page %" PRIu32
                   " in %s, expected it in %s, as the policy says",
                   policy, walk, page, name_of[found], name_of[wanted]);
    return GMMU_BAD;
}

static int move(gmmu_tiers *t, uint8_t *flags, const char *policy, const gmmu_move *m,
                gmmu_counts *n, gmmu_error *err) {
    if (m->page >= t->cap || m->from > GMMU_HOST || m->to > GMMU_HOST || m->from == m->to) {
        (void)snprintf(err->text, sizeof err->text,
                       "policy %s, walk %" PRIu64 ": found a move of page %" PRIu32
                       " from memory %u to %u, expected a page that was accessed, and two of the "
                       "memories %u to %u",
                       policy, n->accesses, m->page, m->from, m->to, (unsigned)GMMU_FAR,
                       (unsigned)GMMU_HOST);
        return GMMU_BAD;
    }
    uint8_t *f = &flags[m->page];
    const gmmu_memory from = (gmmu_memory)m->from;
    const gmmu_memory to = (gmmu_memory)m->to;
    if (place(*f) != from) {
        return misplaced(policy, n->accesses, m->page, place(*f), from, err);
    }
    const bool dirty = (*f & GMMU_PAGE_DIRTY) != 0;
    t->used[from]--;
    t->used[to]++;
    if (from == GMMU_NEAR) {
        n->evictions++;
        n->writebacks += dirty ? 1U : 0U;
        t->counts.tier2_puts += to == GMMU_HOST ? 1U : 0U;
    }
    *f = (uint8_t)(GMMU_PAGE_SEEN | (unsigned)to * GMMU_PAGE_PLACE);
    if (to != GMMU_FAR) {
        *f |= dirty ? GMMU_PAGE_DIRTY : 0;
    } else {
        t->counts.tier3_writes += dirty ? 1U : 0U;
    }
    return GMMU_OK;
}

// A tier has more pages than its size.
static bool overfull(const gmmu_tiers *t, const char *policy, const gmmu_counts *n,
                     gmmu_error *err) {
    for (gmmu_memory m = GMMU_NEAR; m <= GMMU_HOST; m++) {
        if (t->used[m] > t->size[m]) {
            (void)snprintf(err->text, sizeof err->text,
                           "policy %s, walk %" PRIu64 ": found %" PRIu32
                           " pages in %s, expected at most %" PRIu32,
                           policy, n->accesses, t->used[m], name_of[m], t->size[m]);
            return true;
        }
    }
    return false;
}

int gmmu_tiers_evict(gmmu_tiers *t, uint8_t *flags, const char *policy, const gmmu_outcome *out,
                     gmmu_counts *n, gmmu_error *err) {
    for (uint32_t i = 0; i < out->count; i++) {
        if (move(t, flags, policy, &out->move[i], n, err) != GMMU_OK) {
            return GMMU_BAD;
        }
    }
    return overfull(t, policy, n, err) ? GMMU_BAD : GMMU_OK;
}

int gmmu_tiers_access(gmmu_tiers *t, uint8_t *flags, const char *policy, uint32_t page,
                      const gmmu_walk *walk, const gmmu_outcome *out, gmmu_counts *n,
                      gmmu_error *err) {
    const gmmu_memory was = place(flags[page]);
    n->accesses++;
    if (out->fault != (was != GMMU_NEAR)) {
        return misplaced(policy, n->accesses, page, was, out->fault ? GMMU_FAR : GMMU_NEAR, err);
    }
    if (out->fault) {
        n->faults++;
        n->cold += (flags[page] & GMMU_PAGE_SEEN) != 0 ? 0U : 1U;
        t->counts.tier2_hits += was == GMMU_HOST ? 1U : 0U;
        t->counts.tier3_reads += was == GMMU_HOST ? 0U : 1U;
        t->counts.wasted_lookups += was == GMMU_HOST ? 0U : 1U;
    } else {
        t->counts.tier1_hits++;
    }
    for (uint32_t i = 0; i < out->count + out->after_count; i++) {
        const gmmu_move *m = i < out->count ? &out->move[i] : &out->after[i - out->count];
        if (move(t, flags, policy, m, n, err) != GMMU_OK) {
            return GMMU_BAD;
        }
        t->counts.raised += m->to == GMMU_NEAR && m->page != page ? 1U : 0U;
    }
    if (place(flags[page]) != GMMU_NEAR) {
        return misplaced(policy, n->accesses, page, place(flags[page]), GMMU_NEAR, err);
    }
    if (overfull(t, policy, n, err)) {
        return GMMU_BAD;
    }
    if (walk->write) {
        flags[page] |= GMMU_PAGE_DIRTY;
    }
    return GMMU_OK;
}
