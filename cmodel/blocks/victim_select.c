// SPDX-License-Identifier: Apache-2.0
// victim_select.c: see victim_select.h and docs/reference/blocks/victim_select.md.
#include "blocks/victim_select.h"

int gmmu_victim_select_init(gmmu_victim_select *v, const gmmu_config *cfg, unsigned search,
                            gmmu_arena *arena) {
    *v = (gmmu_victim_select){0};
    v->pool = cfg->pool;
    v->k = cfg->k;
    v->clock = search >= GMMU_SEARCH_CLOCK;
    v->sample = search == GMMU_SEARCH_SAMPLE;
    v->rests = true;
    v->time_mask = (uint32_t)((1ull << cfg->time_w) - 1);
    v->frame = gmmu_take(arena, cfg->pool, sizeof *v->frame);
    v->last = gmmu_take(arena, cfg->pool, sizeof *v->last);
    v->priority = gmmu_take(arena, cfg->pool, sizeof *v->priority);
    v->rank = gmmu_take(arena, cfg->pool, sizeof *v->rank);
    v->best.priority = GMMU_STAYS;
    return v->rank == NULL;
}

// The hand at rest: no search is under way.
static void rest(gmmu_victim_select *v, uint32_t frames) {
    if ((!v->sample && !v->clock) || v->hand >= frames)
        v->hand = 0;
}

void gmmu_victim_select_configure(gmmu_victim_select *v, unsigned search, uint32_t frames,
                                  bool rests) {
    v->sample = search == GMMU_SEARCH_SAMPLE;
    v->rests = rests;
    if (!rests)
        return;
    v->clock = search >= GMMU_SEARCH_CLOCK;
    if (v->clock)
        v->kept = 0;
    rest(v, frames);
}

void gmmu_victim_select_begin(gmmu_victim_select *v, uint32_t frames) {
    v->active = true;
    v->valid = 0;
    v->best.priority = GMMU_STAYS;
    if (!v->clock || v->left == 0)
        v->left = v->sample && !v->clock && v->k < frames ? v->k : frames;
    if (v->rests)
        rest(v, frames);
    v->rests = false;
}

bool gmmu_victim_select_searched(const gmmu_victim_select *v) {
    return !v->active && (v->rounds > 0 || gmmu_victim_select_best(v) != NULL);
}

void gmmu_victim_select_taken(gmmu_victim_select *v) {
    v->valid &= ~(1ULL << (v->best.frame & (v->pool - 1)));
}

void gmmu_victim_select_retry(gmmu_victim_select *v) {
    gmmu_victim_select_taken(v);
    v->best.priority = GMMU_STAYS;
    for (uint64_t left = v->valid; left != 0; left &= left - 1) {
        const int at = __builtin_ctzll(left);
        const gmmu_victim_cand c = {v->frame[at], v->last[at], v->priority[at]};
        if (gmmu_victim_select_before(v, &c, &v->best))
            v->best = c;
    }
}

void gmmu_victim_select_keep(gmmu_victim_select *v) {
    v->best.priority = GMMU_STAYS;
    v->left = 0;
    v->rounds = 0;
}

void gmmu_victim_select_end(gmmu_victim_select *v) {
    if (v->rounds > 0)  // the kept frames had their turn; a scan keeps no frame
        v->kept = v->sample && !v->clock ? v->valid : 0;
    v->left = 0;
    v->valid = 0;
    v->best.priority = GMMU_STAYS;
    v->active = false;
    v->rounds = 0;
    v->forced = v->passed_fresh = false;
    v->rests = true;
}
