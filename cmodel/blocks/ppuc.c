// SPDX-License-Identifier: Apache-2.0
// ppuc.c: see ppuc.h and docs/reference/blocks/ppuc.md.
#include "blocks/ppuc.h"

#include <math.h>

__extension__ typedef unsigned __int128 u128;

static void set_low(uint64_t *low, unsigned bins) {
    for (unsigned b = 0; b <= bins; b++) low[b] = gmmu_bin_low(b);
}

int gmmu_ppuc_init(gmmu_ppuc *p, const gmmu_config *cfg, gmmu_arena *arena) {
    p->bins = cfg->bins;
    p->priority =
        gmmu_take(arena, (size_t)cfg->classes * cfg->bins + GMMU_PPUC_BEHIND, sizeof *p->priority);
    p->ready = gmmu_take(arena, cfg->classes, sizeof *p->ready);
    p->installs = gmmu_take(arena, cfg->classes, sizeof *p->installs);
    p->engine.priority = gmmu_take(arena, cfg->bins, sizeof *p->engine.priority);
    p->engine.busy = false;
    p->low = gmmu_take(arena, cfg->bins + 1, sizeof *p->low);
    if (p->low == NULL || p->engine.priority == NULL || cfg->bins > GMMU_PPUC_BINS)
        return 1;
    set_low(p->low, cfg->bins);
    return 0;
}

uint16_t gmmu_minifloat(uint64_t num, uint64_t den) {
    if (num == 0)
        return 0;
    unsigned exponent = 63;
    if (num < den) {  // to [1, 2)
        const unsigned shift = (unsigned)(__builtin_clzll(num) - __builtin_clzll(den));
        num <<= shift;
        exponent -= shift;
        if (num < den && exponent > 0) {
            num <<= 1;
            exponent--;
        }
    }
    if (num < den)
        return 1;  // smaller than any code, but not dead
    const uint64_t over = num - den;
    const uint64_t mantissa =
        over >> 54 == 0 ? (over << 10) / den : (uint64_t)(((u128)over << 10) / den);
    const unsigned code = exponent << 10 | (unsigned)mantissa;
    return (uint16_t)(code == 0 ? 1 : code);
}

double gmmu_minifloat_value(uint16_t code) {
    return code == 0 ? 0.0 : ldexp(1.0 + (code & 1023) / 1024.0, (code >> 10) - 63);
}

// The end of a lease that may be best: its edge, and the reuses beyond the edge.
typedef struct {
    uint64_t edge, beyond;
} lease_end;

// With AHEAD reuses beyond TAU: is the lease to B worth at least as much a walk as the lease to A?
static bool at_least(const lease_end *b, const lease_end *a, uint64_t tau, uint64_t ahead) {
    return (ahead - b->beyond) * (a->edge - tau) >= (ahead - a->beyond) * (b->edge - tau);
}

// The ends lie on a convex hull, the nearest end last. An end that is beaten as seen from a tau is
// never the only best for a lower tau (docs/reference/blocks/ppuc.md, "Why a hull is enough"). So
// is an end below the line between its neighbours.
void gmmu_ppuc_row_of(const uint64_t *low, const uint64_t *reuse, const uint64_t *censored,
                      unsigned bins, uint16_t *priority) {
    lease_end hull[GMMU_PPUC_BINS];
    unsigned n = 0;
    uint64_t at_risk = 0, ahead = 0;  // records from tau on; reuses from tau on
    for (unsigned b = bins; b-- > 0;) {
        const uint64_t tau = low[b];
        const lease_end own = {low[b + 1] - 1, ahead};
        uint64_t best = reuse[b];  // PPUC * at_risk = best / best_cost
        uint64_t best_cost = own.edge > tau ? own.edge - tau : 1;
        at_risk += reuse[b] + censored[b];
        ahead += reuse[b];
        if (ahead == 0) {  // dead
            priority[b] = 0;
            continue;
        }
        while (n >= 2 && at_least(&hull[n - 2], &hull[n - 1], tau, ahead)) n--;
        if (n > 0) {
            const uint64_t mass = ahead - hull[n - 1].beyond, cost = hull[n - 1].edge - tau;
            if (mass * best_cost > best * cost) {
                best = mass;
                best_cost = cost;
            }
        }
        priority[b] = gmmu_minifloat(best, at_risk * best_cost);
        if (reuse[b] != 0) {
            while (n >= 2 && at_least(&hull[n - 2], &hull[n - 1], own.edge, own.beyond)) n--;
            hull[n++] = own;
        }
    }
}

void gmmu_ppuc_row(const uint64_t *reuse, const uint64_t *censored, unsigned bins,
                   uint16_t *priority) {
    uint64_t low[GMMU_PPUC_BINS + 1];
    set_low(low, bins);
    gmmu_ppuc_row_of(low, reuse, censored, bins, priority);
}

void gmmu_ppuc_warm(const gmmu_rit_row *row, const gmmu_rit_row *global, unsigned bins,
                    unsigned cold, uint64_t *reuse, uint64_t *censored) {
    uint64_t n = 0, n_global = 0;
    for (unsigned b = 0; b < bins; b++) {
        n += (uint64_t)row->reuse[b] + row->censored[b];
        n_global += (uint64_t)global->reuse[b] + global->censored[b];
    }
    const bool warm = n < cold && n_global > 0;
    for (unsigned b = 0; b < bins; b++) {
        reuse[b] = row->reuse[b];
        censored[b] = row->censored[b];
        if (warm) {
            reuse[b] = reuse[b] * n_global + cold * (uint64_t)global->reuse[b];
            censored[b] = censored[b] * n_global + cold * (uint64_t)global->censored[b];
        }
    }
}

void gmmu_ppuc_refresh(gmmu_ppuc *p, gmmu_class cls, const gmmu_rit_row *row,
                       const gmmu_rit_row *global, bool pseudo) {
    uint64_t reuse[GMMU_PPUC_BINS], censored[GMMU_PPUC_BINS];
    gmmu_ppuc_warm(row, global, p->bins, pseudo && cls.row != 0 ? GMMU_PPUC_COLD : 0, reuse,
                   censored);
    gmmu_ppuc_row_of(p->low, reuse, censored, p->bins, p->engine.priority);
    p->engine.cls = cls;
    p->engine.busy = true;
}

bool gmmu_ppuc_install(gmmu_ppuc *p, bool current) {
    p->engine.busy = false;
    if (current) {
        memcpy(&p->priority[(size_t)p->engine.cls.row * p->bins], p->engine.priority,
               p->bins * sizeof *p->priority);
        p->installs[p->engine.cls.row]++;
        p->ready[p->engine.cls.row] = p->engine.cls.gen + 1u;
    }
    return current;
}

void gmmu_ppuc_forget(gmmu_ppuc *p, unsigned row) {
    p->ready[row] = 0;
}
