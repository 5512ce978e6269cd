// SPDX-License-Identifier: Apache-2.0
// leu_study.c: see leu_study.h. The actions that a study changes, put together from what the twins
// are made of; all others are the unit's.
#include "policy/leu_study.h"

#include "blocks/log_bin.h"
#include "policy/octave_bin.h"

enum { EARLY = 8192 };                 // option early: up to this walk
enum { UNIT_BINS = 116, BINS = 160 };  // most bins of a unit; of one with 8 an octave

gmmu_leu_studying gmmu_leu_study_begin(const gmmu_leu_study *of, gmmu_config *cfg) {
    gmmu_leu_studying y = {.of = *of, .s = 2};
    if (of->octave != 0) {
        y.s = 31u - (unsigned)__builtin_clz(of->octave);
        cfg->bins = gmmu_bin_of(gmmu_bin_edge(cfg->bins - 1), 1u << 16, y.s) + 1;
    }
    return y;
}

const char *gmmu_leu_study_error(const gmmu_leu_study *of, const gmmu_config *cfg) {
    gmmu_config legal = *cfg;
    if (of->octave == 8 && legal.bins > UNIT_BINS && legal.bins <= BINS)
        legal.bins = UNIT_BINS;
    return gmmu_config_error(&legal);
}

gmmu_class gmmu_leu_study_walk(const gmmu_leu_studying *y, gmmu_tier *u, gmmu_tier_walk_in in) {
    const uint32_t refresh = u->regs.refresh;
    if (y->of.early != 0 && u->stats.walks < EARLY)
        u->regs.refresh = y->of.early;
    const gmmu_class cls = gmmu_tier_walk(u, in).place.cls;
    u->regs.refresh = refresh;
    return cls;
}

uint16_t gmmu_leu_study_priority(const gmmu_leu_studying *y, const gmmu_tier *u, unsigned row,
                                 uint32_t tau) {
    return gmmu_ppuc_priority_in(&u->ppuc, row, gmmu_bin_of(tau, u->cfg.bins, y->s));
}

static void search_round(gmmu_tier *u, void *ctx) {
    const gmmu_leu_studying *y = ctx;
    if (u->select.clock) {  // it asks for no priorities
        gmmu_tier_round(u);
        return;
    }
    do {
        const uint32_t frame = gmmu_victim_select_next(&u->select, u->regs.frames);
        const gmmu_class cls = gmmu_frame_table_class(&u->frames.table, frame);
        const unsigned row =
            gmmu_ppuc_serving_row(&u->ppuc, cls, gmmu_ref_rit_current(&u->rit, cls));
        const uint32_t tau = (u->walk.time - u->frames.table.seen[frame].last) & u->walk.time_mask;
        (void)gmmu_tier_offer(u, frame, gmmu_leu_study_priority(y, u, row, tau), NULL);
    } while (u->select.active);
}

static void learn(gmmu_tier *u, unsigned queue, void *ctx) {
    const gmmu_leu_studying *y = ctx;
    const gmmu_rit_record rec = gmmu_record_feed_take(&u->feed, queue);
    (void)gmmu_ref_rit_count(&u->rit, rec, gmmu_bin_of(rec.interval, u->cfg.bins, y->s));
    if (y->of.keep != 0)
        u->rit.row[0].halve_owed = u->rit.row[rec.cls.row].halve_owed = false;
}

// Clears the low bits of a priority; one that is not dead stays so.
static uint16_t drop_bits(uint16_t code, unsigned drop) {
    const uint16_t cut = (uint16_t)(code >> drop << drop);
    return cut == 0 && code != 0 ? 1 : cut;
}

static void refresh(gmmu_tier *u, unsigned row, void *ctx) {
    gmmu_leu_studying *y = ctx;
    const unsigned prior = y->of.prior != 0 ? y->of.prior : GMMU_PPUC_COLD;
    uint64_t reuse[GMMU_PPUC_BINS], censored[GMMU_PPUC_BINS], low[GMMU_PPUC_BINS + 1];
    const unsigned bins = u->cfg.bins;
    gmmu_ppuc *p = &u->ppuc;
    gmmu_ppuc_warm(gmmu_ref_rit_refresh(&u->rit, row), &u->rit.row[0], bins,
                   u->regs.pseudo && row != 0 ? prior : 0, reuse, censored);
    for (unsigned b = 0; b <= bins; b++) low[b] = gmmu_bin_low_of(b, y->s);
    gmmu_ppuc_row_of(low, reuse, censored, bins, p->engine.priority);
    for (unsigned b = 0; b < bins; b++)
        p->engine.priority[b] = drop_bits(p->engine.priority[b], y->of.drop);
    p->engine.cls = (gmmu_class){(uint16_t)row, u->rit.way[row].gen};
    p->engine.busy = true;
    y->refreshed = u->stats.walks;
}

// INSTALL comes so many walks after REFRESH.
static bool install(gmmu_tier *u, void *ctx) {
    const gmmu_leu_studying *y = ctx;
    const bool ready = u->stats.walks - y->refreshed >= y->of.engine;
    if (ready)
        (void)gmmu_tier_install(u);
    return ready;
}

static void decided(void *ctx, const gmmu_tier_decision *d) {
    const gmmu_leu_studying *y = ctx;
    y->sink(y->ctx, d);
}

void gmmu_leu_study_settle(gmmu_leu_studying *y, gmmu_tier *u, gmmu_tier_sink *sink, void *ctx) {
    static const gmmu_schedule_actions studied = {search_round, learn, refresh, install};
    y->sink = sink;
    y->ctx = ctx;
    gmmu_tier_settle_by(u, &studied, decided, y);
}
