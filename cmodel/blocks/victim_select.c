// SPDX-License-Identifier: Apache-2.0
// victim_select.c: see victim_select.h and docs/blocks/victim_select.md.
#include "blocks/victim_select.h"

int gmmu_victim_select_init(gmmu_victim_select *v, const gmmu_config *cfg, unsigned search,
                            gmmu_arena *arena) {
    *v = (gmmu_victim_select){0};
    v->pool = cfg->pool;
    v->k = cfg->k;
    v->sample = search == GMMU_SEARCH_SAMPLE;
    v->time_mask = (uint32_t)((1ull << cfg->time_w) - 1);
    v->list = gmmu_take(arena, cfg->pool, sizeof *v->list);
    v->rank = gmmu_take(arena, cfg->pool, sizeof *v->rank);
    v->ranked = gmmu_take(arena, cfg->pool, sizeof *v->ranked);
    v->kept = gmmu_take(arena, cfg->pool, sizeof *v->kept);
    return v->kept == NULL;
}

// What the hand does while no search is under way.
static void rest(gmmu_victim_select *v, uint32_t frames) {
    if (!v->sample || v->hand >= frames)
        v->hand = 0;
}

void gmmu_victim_select_configure(gmmu_victim_select *v, unsigned search, uint32_t frames,
                                  bool rests) {
    v->sample = search == GMMU_SEARCH_SAMPLE;
    if (rests)
        rest(v, frames);
}

void gmmu_victim_select_begin(gmmu_victim_select *v, uint32_t frames) {
    v->active = true;
    v->n = 0;
    v->kept_at = v->rounds == 0 ? 0 : v->n_kept;  // the kept ones come in the first round only
    v->left = v->sample && v->k < frames ? v->k : frames;
    if (v->rounds == 0)
        rest(v, frames);
}

// A frame that is in the list already (kept, and then met by the hand) is not taken twice.
static bool listed(const gmmu_victim_select *v, uint32_t frame) {
    for (unsigned i = 0; i < v->n; i++)
        if (v->list[i].frame == frame)
            return true;
    return false;
}

void gmmu_victim_select_insert(gmmu_victim_select *v, gmmu_victim_cand c) {
    if (listed(v, c.frame))
        return;
    unsigned at = v->n < v->pool ? v->n++ : v->n - 1;  // of a full list the last falls out
    for (; at > 0 && gmmu_victim_select_before(v, &c, &v->list[at - 1]); at--)
        v->list[at] = v->list[at - 1];
    v->list[at] = c;
}

bool gmmu_victim_select_searched(const gmmu_victim_select *v) {
    return v->rounds > 0 && !v->active;
}

const gmmu_victim_cand *gmmu_victim_select_best(const gmmu_victim_select *v) {
    return v->n > 0 ? &v->list[0] : NULL;
}

void gmmu_victim_select_drop_best(gmmu_victim_select *v) {
    v->n--;
    for (unsigned i = 0; i < v->n; i++) v->list[i] = v->list[i + 1];
}

void gmmu_victim_select_end(gmmu_victim_select *v) {
    if (v->rounds > 0) {  // the kept ones had their turn; a scan keeps none
        v->n_kept = v->sample ? v->n : 0;
        for (unsigned i = 0; i < v->n_kept; i++) v->kept[i] = v->list[i].frame;
    }
    v->n = 0;
    v->active = false;
    v->rounds = 0;
}
