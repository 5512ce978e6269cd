// SPDX-License-Identifier: Apache-2.0
// ppuc.c: see ppuc.h and docs/blocks/ppuc.md.
#include "blocks/ppuc.h"

#include <math.h>

#include "blocks/log_bin.h"

enum { MAX_BINS = 256, COLD = 8 };  // COLD: also the number of pseudo-observations

int gmmu_ppuc_init(gmmu_ppuc *p, const gmmu_config *cfg, gmmu_arena *arena) {
    p->bins = cfg->bins;
    p->study = cfg->study;
    p->priority = gmmu_take(arena, (size_t)cfg->classes * cfg->bins, sizeof *p->priority);
    p->ready = gmmu_take(arena, cfg->classes, sizeof *p->ready);
    p->engine.priority = gmmu_take(arena, cfg->bins, sizeof *p->engine.priority);
    p->engine.busy = false;
    return p->engine.priority == NULL || cfg->bins > MAX_BINS;
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
    const uint64_t mantissa = ((num - den) << 10) / den;
    const unsigned code = exponent << 10 | (unsigned)mantissa;
    return (uint16_t)(code == 0 ? 1 : code);
}

double gmmu_minifloat_value(uint16_t code) {
    return code == 0 ? 0.0 : ldexp(1.0 + (code & 1023) / 1024.0, (code >> 10) - 63);
}

static void row_of(const uint64_t *reuse, const uint64_t *censored, unsigned bins, unsigned s,
                   uint16_t *priority) {
    uint64_t at_risk = 0;
    unsigned filled[MAX_BINS],
        first = MAX_BINS;  // bins with reuses; only there can a lease be best
    for (unsigned b = bins; b-- > 0;) {
        const uint64_t tau = gmmu_bin_low_of(b, s);
        uint64_t mass = 0, best = 0, best_cost = 1;  // PPUC * at_risk = best / best_cost
        at_risk += reuse[b] + censored[b];
        if (reuse[b] != 0)
            filled[--first] = b;
        for (unsigned i = first; i < MAX_BINS; i++) {
            const unsigned j = filled[i];
            const uint64_t edge = gmmu_bin_low_of(j + 1, s) - 1;
            const uint64_t lease = edge > tau ? edge : tau + 1;
            mass += reuse[j];  // C(l) - C(tau)
            if (mass * best_cost > best * (lease - tau)) {
                best = mass;
                best_cost = lease - tau;
            }
        }
        priority[b] = gmmu_minifloat(best, at_risk * best_cost);
    }
}

void gmmu_ppuc_row(const uint64_t *reuse, const uint64_t *censored, unsigned bins,
                   uint16_t *priority) {
    row_of(reuse, censored, bins, 2, priority);
}

void gmmu_ppuc_refresh(gmmu_ppuc *p, gmmu_class cls, const gmmu_rit_row *row,
                       const gmmu_rit_row *global, bool pseudo) {
    uint64_t reuse[MAX_BINS] = {0}, censored[MAX_BINS] = {0};
    uint64_t n = 0, n_global = 0;
    const unsigned prior = p->study.prior != 0 ? p->study.prior : COLD;
    for (unsigned b = 0; b < p->bins; b++) {
        n += (uint64_t)row->reuse[b] + row->censored[b];
        n_global += (uint64_t)global->reuse[b] + global->censored[b];
    }
    const bool cold = pseudo && cls.row != 0 && n < prior && n_global > 0;
    for (unsigned b = 0; b < p->bins; b++) {
        reuse[b] = row->reuse[b];
        censored[b] = row->censored[b];
        if (cold) {
            reuse[b] = reuse[b] * n_global + prior * (uint64_t)global->reuse[b];
            censored[b] = censored[b] * n_global + prior * (uint64_t)global->censored[b];
        }
    }
    row_of(reuse, censored, p->bins, gmmu_bin_bits(p->study.octave), p->engine.priority);
    for (unsigned b = 0; b < p->bins; b++) {
        const uint16_t cut = (uint16_t)(p->engine.priority[b] >> p->study.drop << p->study.drop);
        p->engine.priority[b] = cut == 0 && p->engine.priority[b] != 0 ? 1 : cut;
    }
    p->engine.cls = cls;
    p->engine.busy = true;
}

bool gmmu_ppuc_install(gmmu_ppuc *p, bool current) {
    p->engine.busy = false;
    if (current) {
        memcpy(&p->priority[(size_t)p->engine.cls.row * p->bins], p->engine.priority,
               p->bins * sizeof *p->priority);
        p->ready[p->engine.cls.row] = true;
    }
    return current;
}

void gmmu_ppuc_forget(gmmu_ppuc *p, unsigned row) {
    p->ready[row] = false;
}

unsigned gmmu_ppuc_serving_row(const gmmu_ppuc *p, gmmu_class cls, bool current) {
    return current && p->ready[cls.row] ? cls.row : 0;
}

uint16_t gmmu_ppuc_priority(const gmmu_ppuc *p, unsigned serving_row, uint32_t tau) {
    return p->ready[serving_row]
               ? p->priority[(size_t)serving_row * p->bins +
                             gmmu_bin_of(tau, p->bins, gmmu_bin_bits(p->study.octave))]
               : 0;
}
