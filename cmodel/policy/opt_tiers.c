// SPDX-License-Identifier: Apache-2.0
// opt_tiers.c: Belady's MIN in both tiers at once, a bound: near memory is OPT's memory of its
// size, near memory and Tier 2 together are OPT's memory of both sizes.
//
// OPT is a stack algorithm, its tie rule too (opt.c): the smaller memory's pages are among the
// larger one's, so Tier 2 is the larger without the smaller. At a fault the larger memory lets go
// of at most one page. If that is near memory's victim, it goes to Tier 3; else it lies in Tier 2,
// and the victim takes its place. No page comes to Tier 2 but from near memory.
#include <stdlib.h>

#include "policy/option.h"
#include "policy/registry.h"

enum { BOTH = 1, NEAR = 2 };

typedef struct {
    void *near, *both;  // states of policy opt
    uint8_t *kept;      // of each page: BOTH, if `both` has it, and NEAR, if `near` has it
    uint32_t cap;
    uint32_t tier2, near_count, both_count;
} opt_tiers;

static void destroy(void *state) {
    opt_tiers *s = state;
    if (s->near != NULL) {
        gmmu_policy_opt.destroy(s->near);
    }
    if (s->both != NULL) {
        gmmu_policy_opt.destroy(s->both);
    }
    free(s->kept);
    free(s);
}

// The page that leaves the larger memory is the victim of near memory, or in Tier 2: the uses of
// all others that may leave near memory are nearer than the victim's.
static bool may_leave_both(const void *context, uint32_t page) {
    const opt_tiers *s = context;
    return (s->kept[page] & NEAR) == 0;
}

static void *create(const gmmu_policy_config *config, gmmu_error *err) {
    if (!gmmu_policy_no_options("opt-tiers", config, err)) {
        return NULL;
    }
    opt_tiers *s = calloc(1, sizeof *s);
    if (s == NULL) {
        (void)gmmu_policy_no_memory("opt-tiers", err);
        return NULL;
    }
    gmmu_policy_config larger = *config;
    larger.frames += config->tier2;
    s->tier2 = config->tier2;
    if (config->eligible.may_leave != NULL) {
        larger.eligible = (gmmu_eligible){may_leave_both, s};
    }
    s->near = gmmu_policy_opt.create(config, err);
    s->both = s->near == NULL ? NULL : gmmu_policy_opt.create(&larger, err);
    if (s->both == NULL) {
        destroy(s);
        return NULL;
    }
    return s;
}

// Room for PAGE.
static bool reserve(opt_tiers *s, uint32_t page) {
    if (page < s->cap) {
        return true;
    }
    uint32_t cap = gmmu_policy_capacity(s->cap, page);
    uint8_t *kept = gmmu_grow(s->kept, s->cap, cap, 1, 0);
    if (kept != NULL) {
        s->kept = kept;
        s->cap = cap;
    }
    return kept != NULL;
}

static int touch(void *state, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                 gmmu_error *err) {
    opt_tiers *s = state;
    gmmu_outcome larger;
    if (!reserve(s, page)) {
        return gmmu_policy_no_memory("opt-tiers", err);
    }
    if (gmmu_policy_opt.access(s->near, page, walk, out, err) != GMMU_OK) {
        return GMMU_BAD;
    }
    if (out->stuck) {
        return GMMU_OK;
    }
    const uint32_t victim = gmmu_outcome_victim(out);
    if (victim != GMMU_NO_PAGE) {
        s->kept[victim] &= (uint8_t)~NEAR;
    }
    if (gmmu_policy_opt.access(s->both, page, walk, &larger, err) != GMMU_OK) {
        return GMMU_BAD;
    }
    if (!out->fault) {
        return GMMU_OK;
    }
    const uint32_t leaves = gmmu_outcome_victim(&larger);
    gmmu_outcome_begin(out, page, true);
    out->move[0].from = s->kept[page] != 0 ? GMMU_HOST : GMMU_FAR;
    s->near_count += victim == GMMU_NO_PAGE ? 1U : 0U;
    s->both_count += larger.fault && leaves == GMMU_NO_PAGE ? 1U : 0U;
    s->kept[page] = BOTH | NEAR;
    if (leaves != GMMU_NO_PAGE) {
        s->kept[leaves] = 0;
    }
    if (victim != GMMU_NO_PAGE) {
        gmmu_outcome_move(out, victim, GMMU_NEAR, leaves == victim ? GMMU_FAR : GMMU_HOST);
    }
    if (leaves != GMMU_NO_PAGE && leaves != victim) {
        gmmu_outcome_move(out, leaves, GMMU_HOST, GMMU_FAR);
    }
    return GMMU_OK;
}

// The victim goes to Tier 2. If Tier 2 is full, the larger memory lets go of a page, too: of the
// victim or of a page of Tier 2.
static int evict_ahead(void *state, gmmu_outcome *out, gmmu_error *err) {
    opt_tiers *s = state;
    gmmu_outcome larger;
    (void)gmmu_policy_opt.evict(s->near, out, err);  // takes no memory: GMMU_OK
    const uint32_t victim = gmmu_outcome_victim(out);
    if (victim == GMMU_NO_PAGE) {
        return GMMU_OK;
    }
    s->kept[victim] &= (uint8_t)~NEAR;
    s->near_count--;
    uint32_t leaves = GMMU_NO_PAGE;
    if (s->both_count - s->near_count > s->tier2) {
        (void)gmmu_policy_opt.evict(s->both, &larger, err);
        leaves = gmmu_outcome_victim(&larger);
        s->kept[leaves] = 0;
        s->both_count--;
    }
    out->count = 0;
    if (leaves != GMMU_NO_PAGE && leaves != victim) {
        gmmu_outcome_move(out, leaves, GMMU_HOST, GMMU_FAR);
    }
    gmmu_outcome_move(out, victim, GMMU_NEAR, leaves == victim ? GMMU_FAR : GMMU_HOST);
    return GMMU_OK;
}

static void why(const void *state, char *text, size_t size) {
    gmmu_policy_opt.why(((const opt_tiers *)state)->near, text, size);
}

const gmmu_policy gmmu_policy_opt_tiers = {
    .name = "opt-tiers",
    .help = "opt in near memory and in both tiers: a bound; needs --tier2",
    .why = why,
    .needs_future = true,
    .page_only = true,
    .tiers = true,
    .obeys = true,
    .create = create,
    .access = touch,
    .evict = evict_ahead,
    .destroy = destroy,
};
