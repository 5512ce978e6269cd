// SPDX-License-Identifier: Apache-2.0
// replay.c: the counting replay around one policy.
#include "policy/replay.h"

#include <stdio.h>
#include <stdlib.h>

#include "policy/tiers.h"

#define COLUMN(name) {#name, offsetof(gmmu_counts, name)},
const gmmu_count_column gmmu_count_columns[] = {GMMU_COUNTS(COLUMN){NULL, 0}};
#undef COLUMN
#define COLUMN(name) {#name, offsetof(gmmu_tier_counts, name)},
const gmmu_count_column gmmu_tier_count_columns[] = {GMMU_TIER_COUNTS(COLUMN){NULL, 0}};
#undef COLUMN

enum { SEEN = GMMU_PAGE_SEEN, DIRTY = GMMU_PAGE_DIRTY };

struct gmmu_sim {
    const gmmu_policy *policy;
    void *state;
    gmmu_counts counts;
    const uint8_t *opt_faults;  // NULL: nobody asks
    uint64_t with_opt;          // pages that came back where OPT's memory has them not either
    uint64_t untouched_in, untouched_out;  // pages that came and that left before any access
    uint8_t *flags;                        // of each page
    uint32_t cap;
    uint32_t frames;
    gmmu_tiers tiers;  // of a policy that has them; of others, the pages raised
};

gmmu_sim *gmmu_sim_create(const gmmu_policy *policy, const gmmu_policy_config *config,
                          gmmu_error *err) {
    if (config->frames == 0 || (policy->needs_future && config->future == NULL)) {
        (void)snprintf(err->text, sizeof err->text, "policy %s: found %s", policy->name,
                       config->frames == 0 ? "0 frames, expected at least 1"
                                           : "no future, expected the whole trace");
        return NULL;
    }
    if (config->eligible.may_leave != NULL && !policy->obeys) {
        (void)snprintf(err->text, sizeof err->text,
                       "policy %s: found pages that may not leave, expected none: this policy lets "
                       "any page leave",
                       policy->name);
        return NULL;
    }
    gmmu_sim *sim = calloc(1, sizeof *sim);
    if (sim == NULL) {
        (void)gmmu_policy_no_memory(policy->name, err);
        return NULL;
    }
    sim->policy = policy;
    sim->frames = config->frames;
    if ((policy->tiers || config->tier2 != 0) &&
        !gmmu_tiers_begin(&sim->tiers, policy, config, err)) {
        free(sim);
        return NULL;
    }
    sim->state = policy->create(config, err);
    if (sim->state == NULL) {
        free(sim);
        return NULL;
    }
    return sim;
}

// The pages that left near memory by COUNT MOVES.
static inline void count_left(gmmu_sim *sim, const gmmu_move *moves, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (moves[i].from == GMMU_NEAR) {
            sim->counts.evictions++;
            sim->counts.writebacks += (sim->flags[moves[i].page] & DIRTY) != 0 ? 1U : 0U;
        }
    }
}

// The moves after an access: pages leave, and come ahead of theirs, clean.
static void count_after(gmmu_sim *sim, const gmmu_move *moves, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (moves[i].to == GMMU_NEAR) {
            sim->tiers.counts.raised++;
            sim->flags[moves[i].page] = SEEN;
        }
        count_left(sim, &moves[i], 1);
    }
}

// Pages without a number that came and that left.
static void count_untouched(gmmu_sim *sim, const gmmu_outcome *out) {
    sim->tiers.counts.raised += out->untouched_in;
    sim->counts.evictions += out->untouched_out;
    sim->untouched_in += out->untouched_in;
    sim->untouched_out += out->untouched_out;
}

// A fault of PAGE: does OPT have it, if it comes back?
static inline void look_at_opt(gmmu_sim *sim, uint32_t page) {
    if ((sim->flags[page] & SEEN) != 0 && sim->opt_faults != NULL) {
        const uint64_t t = sim->counts.accesses;
        sim->with_opt += sim->opt_faults[t / 8] >> (t % 8) & 1U;
    }
}

// Room for the flags of PAGE, out of the way of each access; false when there is no memory.
static __attribute__((noinline)) bool grow(gmmu_sim *sim, uint32_t page) {
    uint32_t cap = gmmu_policy_capacity(sim->cap, page);
    uint8_t *flags = gmmu_grow(sim->flags, sim->cap, cap, 1, 0);
    if (flags != NULL) {
        sim->flags = flags;
        sim->cap = cap;
    }
    return flags != NULL;
}

// An access, of a policy without tiers.
static inline int access_one(gmmu_sim *sim, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                             gmmu_error *err) {
    if (page >= sim->cap && !grow(sim, page)) {
        return gmmu_policy_no_memory(sim->policy->name, err);
    }
    int status = sim->policy->access(sim->state, page, walk, out, err);
    if (status != GMMU_OK) {
        return status;
    }
    gmmu_counts *n = &sim->counts;
    if (out->fault) {
        if (out->stuck) {
            return GMMU_OK;
        }
        n->faults++;
        n->cold += (sim->flags[page] & SEEN) != 0 ? 0U : 1U;
        look_at_opt(sim, page);
        sim->flags[page] = SEEN;  // clean as it comes in
    } else if (sim->untouched_in != 0) {
        sim->flags[page] |= SEEN;
    }
    n->accesses++;
    if (out->count != 0) {
        count_left(sim, out->move, out->count);
    }
    if (walk->write) {
        sim->flags[page] = SEEN | DIRTY;
    }
    if (out->after_count != 0) {
        count_after(sim, out->after, out->after_count);
    }
    if ((out->untouched_in | out->untouched_out) != 0) {
        count_untouched(sim, out);
    }
    return GMMU_OK;
}

// An access, of a policy with tiers.
static int access_tiers(gmmu_sim *sim, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                        gmmu_error *err) {
    if (page >= sim->cap && !grow(sim, page)) {
        return gmmu_policy_no_memory(sim->policy->name, err);
    }
    const int status = sim->policy->access(sim->state, page, walk, out, err);
    if (status != GMMU_OK) {
        return status;
    }
    if (out->stuck) {
        return GMMU_OK;
    }
    if (out->fault) {
        look_at_opt(sim, page);
    }
    return gmmu_tiers_access(&sim->tiers, sim->flags, sim->policy->name, page, walk, out,
                             &sim->counts, err);
}

int gmmu_sim_access(gmmu_sim *sim, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                    gmmu_error *err) {
    return sim->policy->tiers ? access_tiers(sim, page, walk, out, err)
                              : access_one(sim, page, walk, out, err);
}

int gmmu_sim_evict(gmmu_sim *sim, gmmu_outcome *out, gmmu_error *err) {
    if (sim->policy->evict == NULL) {
        (void)snprintf(err->text, sizeof err->text,
                       "policy %s: found a victim ahead of need asked for, expected none: this "
                       "policy names a victim only at a fault",
                       sim->policy->name);
        return GMMU_BAD;
    }
    const int status = sim->policy->evict(sim->state, out, err);
    if (status != GMMU_OK) {
        return status;
    }
    if (sim->policy->tiers) {
        return gmmu_tiers_evict(&sim->tiers, sim->flags, sim->policy->name, out, &sim->counts, err);
    }
    count_left(sim, out->move, out->count);
    return GMMU_OK;
}

// The accesses of gmmu_sim_replay, each by ACCESS.
static inline int replay_by(gmmu_sim *sim,
                            int (*access)(gmmu_sim *, uint32_t, const gmmu_walk *, gmmu_outcome *,
                                          gmmu_error *),
                            const uint32_t *index, const gmmu_walk *walks, size_t count,
                            gmmu_error *err) {
    enum { AHEAD = 16 };
    gmmu_outcome out;
    int status = GMMU_OK;
    for (size_t i = 0; i < count && status == GMMU_OK; i++) {
        if (sim->policy->prefetch != NULL && i + AHEAD < count) {
            __builtin_prefetch(&sim->flags[index[i + AHEAD]], 1);
            sim->policy->prefetch(sim->state, index[i + AHEAD]);
        }
        status = access(sim, index[i], &walks[i], &out, err);
    }
    return status;
}

int gmmu_sim_replay(gmmu_sim *sim, const uint32_t *index, const gmmu_walk *walks, size_t count,
                    gmmu_error *err) {
    return sim->policy->tiers ? replay_by(sim, access_tiers, index, walks, count, err)
                              : replay_by(sim, access_one, index, walks, count, err);
}

void gmmu_sim_hint(gmmu_sim *sim, const gmmu_hint *hint) {
    if (sim->policy->hint != NULL) {
        sim->policy->hint(sim->state, hint);
    }
}

int gmmu_sim_replay_hinted(gmmu_sim *sim, const uint32_t *index, const gmmu_walk *walks,
                           size_t count, uint64_t first, const gmmu_hint *hints, size_t hint_count,
                           gmmu_error *err) {
    size_t done = 0;
    int status = GMMU_OK;
    for (size_t i = 0; sim->policy->hint != NULL && i < hint_count && status == GMMU_OK; i++) {
        const size_t to = (size_t)(hints[i].walk - first);
        status = gmmu_sim_replay(sim, index + done, walks + done, to - done, err);
        done = to;
        sim->policy->hint(sim->state, &hints[i]);
    }
    return status == GMMU_OK ? gmmu_sim_replay(sim, index + done, walks + done, count - done, err)
                             : status;
}

uint32_t gmmu_sim_frames(const gmmu_sim *sim) {
    uint64_t walks = sim->counts.accesses;
    if (sim->policy->size_sum == NULL || walks == 0) {
        return sim->frames;
    }
    return (uint32_t)((sim->policy->size_sum(sim->state) + walks / 2) / walks);
}

gmmu_counts gmmu_sim_counts(const gmmu_sim *sim) {
    return sim->counts;
}

gmmu_tier_counts gmmu_sim_tier_counts(const gmmu_sim *sim) {
    const gmmu_counts *n = &sim->counts;
    return sim->policy->tiers
               ? sim->tiers.counts
               : (gmmu_tier_counts){.tier1_hits = n->accesses - n->faults,
                                    .tier3_reads = n->faults + sim->tiers.counts.raised,
                                    .tier3_writes = n->writebacks,
                                    .raised = sim->tiers.counts.raised};
}

void gmmu_sim_beside_opt(gmmu_sim *sim, const uint8_t *opt_faults) {
    sim->opt_faults = opt_faults;
}

uint64_t gmmu_sim_as_opt(const gmmu_sim *sim) {
    const gmmu_counts *n = &sim->counts;
    const uint64_t back = n->faults - n->cold + sim->tiers.counts.raised - sim->untouched_in;
    return sim->opt_faults == NULL ? 0 : n->evictions - sim->untouched_out - back + sim->with_opt;
}

bool gmmu_sim_watch(gmmu_sim *sim, const gmmu_watch *watch) {
    if (sim->policy->watch == NULL) {
        return false;
    }
    sim->policy->watch(sim->state, watch);
    return true;
}

size_t gmmu_sim_facts(const gmmu_sim *sim, gmmu_fact facts[GMMU_MOST_FACTS]) {
    return sim->policy->facts == NULL ? 0 : sim->policy->facts(sim->state, facts);
}

bool gmmu_sim_why(const gmmu_sim *sim, char *text, size_t size) {
    if (sim->policy->why != NULL) {
        sim->policy->why(sim->state, text, size);
    } else if (sim->policy->rule != NULL) {
        (void)snprintf(text, size, "%s", sim->policy->rule);
    }
    return sim->policy->why != NULL || sim->policy->rule != NULL;
}

bool gmmu_sim_note(const gmmu_sim *sim, char *text, size_t size) {
    if (sim->policy->note == NULL) {
        return false;
    }
    sim->policy->note(sim->state, text, size);
    return text[0] != '\0';
}

void gmmu_sim_destroy(gmmu_sim *sim) {
    if (sim != NULL) {
        sim->policy->destroy(sim->state);
        free(sim->flags);
        free(sim);
    }
}
