// SPDX-License-Identifier: Apache-2.0
// tier2_table.c: see tier2_table.h.
#include "blocks/tier2_table.h"

int gmmu_tier2_table_init(gmmu_tier2_table *t, const gmmu_config *cfg, uint32_t n, unsigned search,
                          bool young, gmmu_arena *arena) {
    gmmu_config of = *cfg;
    of.frames = n;
    of.frame_mem = 0;
    *t = (gmmu_tier2_table){.n = n, .young = young};
    return gmmu_frame_store_init(&t->slots, &of, arena) |
           gmmu_victim_select_init(&t->select, &of, search, arena);
}

void gmmu_tier2_table_put(gmmu_tier2_table *t, uint32_t slot, gmmu_frame page) {
    (void)gmmu_frame_table_fill(&t->slots.table, slot, page, page.last);
    t->held++;
}

void gmmu_tier2_table_free(gmmu_tier2_table *t, uint32_t slot) {
    (void)gmmu_frame_table_free(&t->slots.table, slot, 0);
    t->held--;
}

// Of equal priorities the younger: ages in the other order.
static uint64_t all(void *ctx, uint32_t first, const uint32_t *at, uint32_t n,
                    const uint64_t *rank) {
    (void)ctx, (void)first, (void)at, (void)rank;
    return n >= 64 ? ~0ull : (1ull << n) - 1;
}
static uint64_t younger(void *ctx, uint32_t slot, uint64_t rank, uint64_t worst) {
    (void)ctx, (void)slot, (void)worst;
    return rank ^ UINT32_MAX;
}

uint32_t gmmu_tier2_table_yields(gmmu_tier2_table *t, const gmmu_rank_at *now, uint16_t priority,
                                 uint32_t last) {
    const gmmu_searched searched = {&t->select, &t->slots, t->n, *now};
    const gmmu_rerank by = {all, younger, NULL};
    gmmu_search_round(&searched, t->young ? &by : NULL);
    const gmmu_victim_cand *best = gmmu_victim_select_best(&t->select);
    uint32_t slot = UINT32_MAX;
    if (best != NULL) {
        const uint32_t age = (now->time - last) & now->time_mask;
        const uint32_t its = (now->time - t->slots.table.seen[best->frame].last) & now->time_mask;
        const bool less = t->young ? its <= age : its >= age;
        if (best->priority < priority || (best->priority == priority && less)) {
            slot = best->frame;
            gmmu_victim_select_taken(&t->select);
        }
    }
    gmmu_victim_select_end(&t->select);
    return slot;
}

void gmmu_tier2_table_age(gmmu_tier2_table *t, uint32_t time) {
    (void)gmmu_frame_store_age(&t->slots, t->age_at, time);
    t->age_at = t->age_at + 1 == t->n ? 0 : t->age_at + 1;
}
