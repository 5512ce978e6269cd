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

typedef struct {
    void *near, *both;  // states of policy opt
    uint8_t *kept;      // of each page: both has it
    uint32_t cap;
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
    if (gmmu_policy_opt.access(s->near, page, walk, out, err) != GMMU_OK ||
        gmmu_policy_opt.access(s->both, page, walk, &larger, err) != GMMU_OK) {
        return GMMU_BAD;
    }
    if (!out->fault) {
        return GMMU_OK;
    }
    const uint32_t victim = gmmu_outcome_victim(out);
    const uint32_t leaves = gmmu_outcome_victim(&larger);
    gmmu_outcome_begin(out, page, true);
    out->move[0].from = s->kept[page] != 0 ? GMMU_HOST : GMMU_FAR;
    s->kept[page] = 1;
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

const gmmu_policy gmmu_policy_opt_tiers = {
    .name = "opt-tiers",
    .help = "opt in near memory and in both tiers: a bound; needs --tier2",
    .needs_future = true,
    .page_only = true,
    .tiers = true,
    .create = create,
    .access = touch,
    .destroy = destroy,
};
