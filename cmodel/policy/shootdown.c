// SPDX-License-Identifier: Apache-2.0
// shootdown.c: see shootdown.h.
#include "policy/shootdown.h"

#include <stdlib.h>

#include "policy/replay.h"

struct gmmu_shootdown {
    gmmu_pages *pages;
    gmmu_sim *memory;
};

gmmu_shootdown *gmmu_shootdown_create(const gmmu_policy *policy, const gmmu_policy_config *config,
                                      gmmu_error *err) {
    gmmu_shootdown *s = calloc(1, sizeof *s);
    gmmu_pages *pages = s == NULL ? NULL : gmmu_pages_create();
    if (pages == NULL) {
        (void)gmmu_policy_no_memory("page map", err);
        free(s);
        return NULL;
    }
    gmmu_policy_config own = *config;
    own.pages = s->pages = pages;
    own.future = NULL;
    s->memory = gmmu_sim_create(policy, &own, err);
    if (s->memory == NULL) {
        gmmu_shootdown_destroy(s);
        return NULL;
    }
    return s;
}

void gmmu_shootdown_destroy(gmmu_shootdown *s) {
    if (s == NULL)
        return;
    gmmu_sim_destroy(s->memory);
    gmmu_pages_destroy(s->pages);
    free(s);
}

uint64_t gmmu_shootdown_evictions(const gmmu_shootdown *s) {
    return gmmu_sim_counts(s->memory).evictions;
}

int gmmu_shootdown_walk(void *shootdown, const gmmu_walk *walk,
                        void (*leaves)(void *machine, uint64_t vpn), void *machine,
                        gmmu_error *err) {
    const gmmu_shootdown *s = shootdown;
    gmmu_outcome out;
    uint32_t page = gmmu_pages_index(s->pages, walk->asid, walk->vpn);
    if (page == GMMU_NO_PAGE)
        return gmmu_policy_no_memory("page map", err);
    int rc = gmmu_sim_access(s->memory, page, walk, &out, err);
    if (rc != GMMU_OK)
        return rc;
    for (uint32_t i = 0; i < out.count + out.after_count; i++) {
        const gmmu_move *m = i < out.count ? &out.move[i] : &out.after[i - out.count];
        if (m->from == GMMU_NEAR)
            leaves(machine, gmmu_pages_number(s->pages, m->page));
    }
    return GMMU_OK;
}
