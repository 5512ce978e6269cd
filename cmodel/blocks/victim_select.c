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
    v->kept = gmmu_take(arena, cfg->pool, sizeof *v->kept);
    return v->kept == NULL;
}

// Does A leave before B?
static bool before(const gmmu_victim_select *v, const gmmu_victim_cand *a,
                   const gmmu_victim_cand *b) {
    if (a->priority != b->priority)
        return a->priority < b->priority;
    if (a->last != b->last)  // older: b.last - a.last is a small positive number, modulo 2^TIME_W
        return ((b->last - a->last) & v->time_mask) <= v->time_mask / 2;
    return a->frame < b->frame;
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

uint32_t gmmu_victim_select_next(gmmu_victim_select *v, uint32_t frames) {
    if (!v->active) {
        v->active = true;
        v->n = 0;
        v->kept_at = v->rounds == 0 ? 0 : v->n_kept;  // the kept ones come in the first round only
        v->left = v->sample && v->k < frames ? v->k : frames;
        if (v->rounds == 0)
            rest(v, frames);
    }
    return v->kept_at < v->n_kept ? v->kept[v->kept_at] : v->hand;
}

// A frame that is in the list already (kept, and then met by the hand) is not taken twice.
static bool listed(const gmmu_victim_select *v, uint32_t frame) {
    for (unsigned i = 0; i < v->n; i++)
        if (v->list[i].frame == frame)
            return true;
    return false;
}

void gmmu_victim_select_offer(gmmu_victim_select *v, gmmu_victim_cand c, bool eligible,
                              uint32_t frames) {
    const bool full = v->n > 0 && v->n == v->pool;
    if (eligible && !(full && !before(v, &c, &v->list[v->n - 1])) && !listed(v, c.frame)) {
        unsigned at = v->n;
        while (at > 0 && before(v, &c, &v->list[at - 1])) at--;
        if (v->n < v->pool)
            v->n++;
        for (unsigned i = v->n - 1; i > at; i--) v->list[i] = v->list[i - 1];
        v->list[at] = c;  // below POOL: the last of a full list comes behind it
    }
    if (v->kept_at < v->n_kept) {
        v->kept_at++;
    } else {
        v->hand = v->hand + 1 >= frames ? 0 : v->hand + 1;
        v->left--;
    }
    if (v->left == 0) {
        v->active = false;
        v->rounds++;
    }
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
