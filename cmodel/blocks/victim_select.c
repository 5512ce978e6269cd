// SPDX-License-Identifier: Apache-2.0
// victim_select.c: see victim_select.h and docs/blocks/victim_select.md.
#include "blocks/victim_select.h"

int gmmu_victim_select_init(gmmu_victim_select *v, const gmmu_config *cfg, gmmu_arena *arena) {
    v->pool = cfg->pool;
    v->time_mask = (uint32_t)((1ull << cfg->time_w) - 1);
    v->list = gmmu_take(arena, cfg->pool, sizeof *v->list);
    gmmu_victim_select_end(v);
    return v->list == NULL;
}

// Does A leave before B?
static bool before(const gmmu_victim_select *v, const gmmu_victim_cand *a, const gmmu_victim_cand *b) {
    if (a->priority != b->priority)
        return a->priority < b->priority;
    if (a->last != b->last) // older: b.last - a.last is a small positive number, modulo 2^TIME_W
        return ((b->last - a->last) & v->time_mask) <= v->time_mask / 2;
    return a->frame < b->frame;
}

void gmmu_victim_select_offer(gmmu_victim_select *v, gmmu_victim_cand c, bool eligible,
                              uint32_t frames) {
    if (v->next == 0)
        v->n = 0;
    if (eligible) {
        unsigned at = v->n;
        while (at > 0 && before(v, &c, &v->list[at - 1]))
            at--;
        if (at < v->pool) {
            if (v->n < v->pool)
                v->n++;
            for (unsigned i = v->n - 1; i > at; i--)
                v->list[i] = v->list[i - 1];
            v->list[at] = c;
        }
    }
    if (++v->next >= frames) {
        v->next = 0;
        v->rounds++;
    }
}

bool gmmu_victim_select_scanned(const gmmu_victim_select *v) {
    return v->rounds > 0 && v->next == 0;
}

const gmmu_victim_cand *gmmu_victim_select_best(const gmmu_victim_select *v) {
    return v->n > 0 ? &v->list[0] : NULL;
}

void gmmu_victim_select_drop_best(gmmu_victim_select *v) {
    v->n--;
    for (unsigned i = 0; i < v->n; i++)
        v->list[i] = v->list[i + 1];
}

void gmmu_victim_select_end(gmmu_victim_select *v) {
    v->n = 0;
    v->next = 0;
    v->rounds = 0;
}
