// SPDX-License-Identifier: Apache-2.0
// replay.c: the counting replay around one policy.
#include "policy/replay.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "policy/counting.h"

#define COLUMN(name) {#name, offsetof(gmmu_counts, name)},
const gmmu_count_column gmmu_count_columns[] = {GMMU_COUNTS(COLUMN){NULL, 0}};
#undef COLUMN
#define COLUMN(name) {#name, offsetof(gmmu_tier_counts, name)},
const gmmu_count_column gmmu_tier_count_columns[] = {GMMU_TIER_COUNTS(COLUMN){NULL, 0}};
#undef COLUMN

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
    const uint32_t pages = gmmu_policy_expected(config, UINT32_MAX);
    if (!GMMU_EXPECT(sim->flags, sim->cap, pages, 0)) {
        free(sim);
        (void)gmmu_policy_no_memory(policy->name, err);
        return NULL;
    }
    sim->tiers.cap = sim->cap;
    sim->most = policy->size_sum != NULL ? UINT64_MAX : config->frames;
    sim->may_stick = config->eligible.may_leave != NULL;
    err->text[0] = '\0';
    sim->state = policy->create(config, err);
    if (sim->state == NULL) {
        if (err->text[0] == '\0') {
            (void)snprintf(err->text, sizeof err->text,
                           "policy %.60s: found no state and no message of create, expected one of "
                           "them",
                           policy->name);
        }
        free(sim->flags);
        free(sim);
        return NULL;
    }
    return sim;
}

// A policy breaks a rule (policy.h) at walk number WALK; WHAT says what was found and expected.
static __attribute__((format(printf, 4, 5))) int broken(const gmmu_sim *sim, uint64_t walk,
                                                        gmmu_error *err, const char *what, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, what);
    (void)vsnprintf(text, sizeof text, what, arguments);
    va_end(arguments);
    (void)snprintf(err->text, sizeof err->text, "policy %.60s, walk %" PRIu64 ": %s",
                   sim->policy->name, walk, text);
    return GMMU_BAD;
}

int gmmu_sim_not_ok(const gmmu_sim *sim, int status, gmmu_error *err) {
    const uint64_t walk = sim->counts.accesses + 1;
    if (status != GMMU_BAD && status != GMMU_END) {
        return broken(sim, walk, err, "found the status %d, expected %d, %d or %d", status, GMMU_OK,
                      GMMU_END, GMMU_BAD);
    }
    if (err->text[0] == '\0') {
        (void)broken(sim, walk, err, "found the status %d and no message, expected a message",
                     status);
    }
    return status;
}

// More than one page may come or leave at an access.
static bool moves_many(const gmmu_sim *sim) {
    return sim->policy->moves_many || sim->policy->size_sum != NULL;
}

// *OUT has as many moves as it says.
static bool has_moves(const gmmu_sim *sim, uint64_t walk, const gmmu_outcome *out,
                      gmmu_error *err) {
    return (out->count <= GMMU_MOVES && (out->after_count == 0 || out->after != NULL)) ||
           broken(sim, walk, err,
                  "found %" PRIu32 " moves and %" PRIu32
                  " more%s, expected at most %d, and an "
                  "array of the others",
                  out->count, out->after_count, out->after == NULL ? " at NULL" : "",
                  GMMU_MOVES) == GMMU_OK;
}

// Applies a move of a page that is not accessed, and counts the move. A page comes ahead of its
// accesses, clean.
static int move_one(gmmu_sim *sim, uint64_t walk, const gmmu_move *m, gmmu_error *err) {
    const bool leaves = m->from == GMMU_NEAR && m->to == GMMU_FAR;
    if (!leaves && (m->from != GMMU_FAR || m->to != GMMU_NEAR || !moves_many(sim))) {
        return broken(sim, walk, err,
                      "found a move of page %" PRIu32
                      " from memory %u to %u, expected a page that "
                      "leaves: from %u to %u",
                      m->page, m->from, m->to, (unsigned)GMMU_NEAR, (unsigned)GMMU_FAR);
    }
    if (m->page >= sim->cap || ((sim->flags[m->page] & GMMU_PAGE_IN) != 0) != leaves) {
        return broken(sim, walk, err,
                      "found page %" PRIu32 " %s, expected a page that is %sin memory", m->page,
                      leaves ? "leave" : "come", leaves ? "" : "not ");
    }
    if (leaves) {
        sim->resident--;
        sim->counts.evictions++;
        sim->counts.writebacks += (sim->flags[m->page] & GMMU_PAGE_DIRTY) != 0 ? 1U : 0U;
        sim->flags[m->page] = GMMU_PAGE_SEEN;
    } else {
        sim->resident++;
        sim->tiers.counts.raised++;
        sim->flags[m->page] = GMMU_PAGE_SEEN | GMMU_PAGE_IN;
    }
    return GMMU_OK;
}

// Applies and counts the moves *OUT from number FROM on, of listed pages and of those without a
// number.
static int move_all(gmmu_sim *sim, uint64_t walk, const gmmu_outcome *out, uint32_t from,
                    gmmu_error *err) {
    if (!has_moves(sim, walk, out, err)) {
        return GMMU_BAD;
    }
    const uint64_t left = sim->counts.evictions;
    const uint64_t before = sim->resident - from;
    for (uint64_t i = from; i < (uint64_t)out->count + out->after_count; i++) {
        const gmmu_move *m = i < out->count ? &out->move[i] : &out->after[i - out->count];
        if (move_one(sim, walk, m, err) != GMMU_OK) {
            return GMMU_BAD;
        }
    }
    if (sim->untouched + out->untouched_in < out->untouched_out) {
        return broken(sim, walk, err,
                      "found %" PRIu32
                      " pages leave that no access touched, expected at most "
                      "%" PRIu64,
                      out->untouched_out, sim->untouched + out->untouched_in);
    }
    sim->untouched += (uint64_t)out->untouched_in - out->untouched_out;
    sim->resident += (uint64_t)out->untouched_in - out->untouched_out;
    sim->tiers.counts.raised += out->untouched_in;
    sim->counts.evictions += out->untouched_out;
    sim->untouched_in += out->untouched_in;
    sim->untouched_out += out->untouched_out;
    if (sim->resident > sim->most) {
        return broken(sim, walk, err,
                      "found %" PRIu64 " pages in memory, expected at most %" PRIu64
                      ": a page must leave",
                      sim->resident, sim->most);
    }
    const uint64_t leave = sim->counts.evictions - left;
    const uint64_t expected = from != 0 && before == sim->most ? 1 : 0;
    if (from != 0 && !moves_many(sim) && leave > expected) {
        return broken(sim, walk, err,
                      "found %" PRIu64 " pages leave, expected %" PRIu64 ": memory had %" PRIu64
                      " of %" PRIu64 " pages",
                      leave, expected, before, sim->most);
    }
    return GMMU_OK;
}

bool gmmu_sim_grow(gmmu_sim *sim, uint32_t page) {
    uint32_t cap = gmmu_policy_capacity(sim->cap, page);
    uint8_t *flags = gmmu_grow(sim->flags, sim->cap, cap, 1, 0);
    if (flags != NULL) {
        sim->flags = flags;
        sim->cap = sim->tiers.cap = cap;
    }
    return flags != NULL;
}

int gmmu_sim_unusual(gmmu_sim *sim, uint32_t page, bool write, const gmmu_outcome *out,
                     gmmu_error *err) {
    gmmu_counts *n = &sim->counts;
    const uint64_t number = n->accesses + 1;
    const bool in = (sim->flags[page] & GMMU_PAGE_IN) != 0;
    if (out->stuck) {
        return out->fault && !in && sim->may_stick && sim->resident >= sim->most
                   ? GMMU_OK
                   : broken(sim, number, err,
                            "found page %" PRIu32 " stuck, with %" PRIu64 " of %" PRIu64
                            " pages in memory, expected %s",
                            page, sim->resident, sim->most,
                            in ? "a hit" : "its fault: pages may leave");
    }
    if (out->fault) {
        const gmmu_move *m = &out->move[0];
        if (in) {
            return broken(sim, number, err,
                          "found a fault of page %" PRIu32 ", which is in memory, expected a hit",
                          page);
        }
        if (out->count == 0 || m->page != page || m->from != GMMU_FAR || m->to != GMMU_NEAR) {
            return broken(sim, number, err,
                          "found a fault of page %" PRIu32
                          " without its move, expected the page to come by the first move",
                          page);
        }
        n->faults++;
        n->cold += (sim->flags[page] & GMMU_PAGE_SEEN) != 0 ? 0U : 1U;
        gmmu_sim_look_at_opt(sim, page);
        sim->resident++;
        sim->flags[page] = GMMU_PAGE_SEEN | GMMU_PAGE_IN;
    } else if (!in) {
        if (sim->untouched == 0 || (sim->flags[page] & GMMU_PAGE_SEEN) != 0) {
            return broken(
                sim, number, err,
                "found a hit of page %" PRIu32 ", which is not in memory, expected a fault", page);
        }
        sim->untouched--;
        sim->flags[page] = GMMU_PAGE_SEEN | GMMU_PAGE_IN;
    }
    if (!out->fault && !moves_many(sim) && (out->count | out->after_count) != 0) {
        return broken(sim, number, err, "found %" PRIu64 " moves at a hit, expected none",
                      (uint64_t)out->count + out->after_count);
    }
    n->accesses++;
    if (write) {
        sim->flags[page] |= GMMU_PAGE_DIRTY;
    }
    if (move_all(sim, number, out, out->fault ? 1 : 0, err) != GMMU_OK) {
        return GMMU_BAD;
    }
    if ((sim->flags[page] & GMMU_PAGE_IN) == 0 && sim->policy->size_sum == NULL) {
        return broken(sim, number, err,
                      "found page %" PRIu32 " leave at its own access, expected another page",
                      page);
    }
    return GMMU_OK;
}

// An access, of a policy with tiers.
static int access_tiers(gmmu_sim *sim, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                        gmmu_error *err) {
    if (page >= sim->cap && !gmmu_sim_grow(sim, page)) {
        return gmmu_policy_no_memory(sim->policy->name, err);
    }
    const int status = sim->policy->access(sim->state, page, walk, out, err);
    if (status != GMMU_OK) {
        return gmmu_sim_not_ok(sim, status, err);
    }
    if (out->stuck) {
        return sim->may_stick
                   ? GMMU_OK
                   : broken(sim, sim->counts.accesses + 1, err,
                            "found page %" PRIu32 " stuck, expected its fault: pages may leave",
                            page);
    }
    if (!has_moves(sim, sim->counts.accesses + 1, out, err)) {
        return GMMU_BAD;
    }
    if (out->fault) {
        gmmu_sim_look_at_opt(sim, page);
    }
    return gmmu_tiers_access(&sim->tiers, sim->flags, sim->policy->name, page, walk, out,
                             &sim->counts, err);
}

int gmmu_sim_access(gmmu_sim *sim, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                    gmmu_error *err) {
    *out = (gmmu_outcome){0};
    err->text[0] = '\0';
    return sim->policy->tiers
               ? access_tiers(sim, page, walk, out, err)
               : gmmu_sim_count(sim, sim->policy->access, page, walk, walk->write, out, err);
}

int gmmu_sim_evict(gmmu_sim *sim, gmmu_outcome *out, gmmu_error *err) {
    if (sim->policy->evict == NULL) {
        (void)snprintf(err->text, sizeof err->text,
                       "policy %s: found a victim ahead of need asked for, expected none: this "
                       "policy names a victim only at a fault",
                       sim->policy->name);
        return GMMU_BAD;
    }
    *out = (gmmu_outcome){0};
    err->text[0] = '\0';
    const int status = sim->policy->evict(sim->state, out, err);
    if (status != GMMU_OK) {
        return gmmu_sim_not_ok(sim, status, err);
    }
    if (!has_moves(sim, sim->counts.accesses, out, err)) {
        return GMMU_BAD;
    }
    if (sim->policy->tiers) {
        return gmmu_tiers_evict(&sim->tiers, sim->flags, sim->policy->name, out, &sim->counts, err);
    }
    if (!out->stuck && !moves_many(sim) && (out->count != 1 || out->after_count != 0)) {
        return broken(sim, sim->counts.accesses, err,
                      "found %" PRIu64 " moves ahead of need, expected 1",
                      (uint64_t)out->count + out->after_count);
    }
    return out->stuck ? GMMU_OK : move_all(sim, sim->counts.accesses, out, 0, err);
}

const gmmu_walk gmmu_no_walk = {0};

// The accesses of a policy with tiers. Of access i the walk is WALKS[i], or if WRITES is not NULL a
// walk of which only WRITES[i] is known.
static int replay_tiers(gmmu_sim *sim, const uint32_t *index, const gmmu_walk *walks,
                        const uint8_t *writes, size_t count, gmmu_error *err) {
    gmmu_outcome out = {0};
    int status = GMMU_OK;
    err->text[0] = '\0';
    for (size_t i = 0; i < count && status == GMMU_OK; i++) {
        if (sim->policy->prefetch != NULL && i + GMMU_AHEAD < count) {
            gmmu_sim_fetch_flags(sim, index[i + GMMU_AHEAD]);
            sim->policy->prefetch(sim->state, index[i + GMMU_AHEAD]);
        }
        const gmmu_walk page_only = {.write = writes != NULL && writes[i] != 0};
        status = access_tiers(sim, index[i], writes != NULL ? &page_only : &walks[i], &out, err);
    }
    return status;
}

// The accesses of a policy without tiers. See gmmu_sim_loop.
static int replay_any(gmmu_sim *sim, const uint32_t *index, const gmmu_walk *walks, size_t step,
                      const uint8_t *writes, size_t stride, size_t count, gmmu_error *err) {
    return sim->policy->replay != NULL
               ? sim->policy->replay(sim, index, writes, stride, count, err)
               : gmmu_sim_loop(sim, sim->policy->access, sim->policy->prefetch, index, walks, step,
                               writes, stride, count, err);
}

int gmmu_sim_replay(gmmu_sim *sim, const uint32_t *index, const gmmu_walk *walks, size_t count,
                    gmmu_error *err) {
    if (count == 0) {
        return GMMU_OK;
    }
    return sim->policy->tiers ? replay_tiers(sim, index, walks, NULL, count, err)
                              : replay_any(sim, index, walks, 1, (const uint8_t *)&walks->write,
                                           sizeof *walks, count, err);
}

int gmmu_sim_replay_pages(gmmu_sim *sim, const uint32_t *index, const uint8_t *writes, size_t count,
                          gmmu_error *err) {
    return sim->policy->tiers ? replay_tiers(sim, index, NULL, writes, count, err)
                              : replay_any(sim, index, &gmmu_no_walk, 0, writes, 1, count, err);
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
