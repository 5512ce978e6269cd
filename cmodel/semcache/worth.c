// SPDX-License-Identifier: Apache-2.0
// worth.c: see worth.h.
#include "semcache/worth.h"

#include <stdlib.h>
#include <string.h>

#include "blocks/log_bin.h"

__extension__ typedef unsigned __int128 u128;

void gmmu_worth_free(gmmu_worth *w) {
    free(w->site);
    *w = (gmmu_worth){0};
}

static gmmu_worth_site *site_of(gmmu_worth *w, uint32_t site) {
    if (site >= w->sites) {
        const uint32_t room = site < 64 ? 64 : site + site / 2 + 1;
        gmmu_worth_site *more = realloc(w->site, room * sizeof *more);
        if (more == NULL)
            return NULL;
        memset(more + w->sites, 0, (room - w->sites) * sizeof *more);
        w->site = more;
        w->sites = room;
    }
    return &w->site[site];
}

static uint64_t weight(uint64_t bytes) {
    return bytes / 1024 + 1;
}

bool gmmu_worth_learn(gmmu_worth *w, uint32_t site, uint64_t interval, uint64_t bytes) {
    gmmu_worth_site *s = site_of(w, site);
    if (s == NULL)
        return false;
    const unsigned bin = gmmu_bin(interval, GMMU_WORTH_BINS);
    s->weight[bin] += weight(bytes);
    w->all.weight[bin] += weight(bytes);
    return true;
}

bool gmmu_worth_lost(gmmu_worth *w, uint32_t site, uint64_t bytes) {
    gmmu_worth_site *s = site_of(w, site);
    if (s == NULL)
        return false;
    s->never += weight(bytes);
    w->all.never += weight(bytes);
    return true;
}

static bool knows(const gmmu_worth_site *s) {
    for (unsigned b = 0; b < GMMU_WORTH_BINS; b++)
        if (s->weight[b] != 0)
            return true;
    return false;
}

uint64_t gmmu_worth_of(const gmmu_worth *w, uint32_t site, uint64_t age) {
    const gmmu_worth_site *s = site < w->sites && knows(&w->site[site]) ? &w->site[site] : &w->all;
    u128 rest = s->never, hits = 0, stay = 0;  // stay: of those that came back until now
    uint64_t best = 0;
    for (unsigned b = 0; b < GMMU_WORTH_BINS; b++)
        if (gmmu_bin_edge(b) > age)
            rest += s->weight[b];
    for (unsigned b = 0; b < GMMU_WORTH_BINS; b++) {
        const uint64_t edge = gmmu_bin_edge(b);
        if (edge <= age || s->weight[b] == 0)
            continue;
        hits += s->weight[b];
        rest -= s->weight[b];
        stay += (u128)s->weight[b] * (edge - age);
        const u128 cost = stay + rest * (edge - age);
        const u128 is = (hits << 40) / cost;
        if (is > best)
            best = is > UINT64_MAX ? UINT64_MAX : (uint64_t)is;
    }
    return best;
}
