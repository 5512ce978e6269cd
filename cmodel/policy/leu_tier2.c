// SPDX-License-Identifier: Apache-2.0
// leu_tier2.c: see leu_tier2.h.
#include "policy/leu_tier2.h"

#include <stdlib.h>

#include "policy/policy.h"

enum { NO_SLOT = UINT32_MAX };

gmmu_leu_tier2 *gmmu_leu_tier2_create(const gmmu_config *cfg, uint32_t slots, unsigned search,
                                      bool young, uint32_t ahead) {
    gmmu_leu_tier2 *t = calloc(1, sizeof *t);
    if (t == NULL)
        return NULL;
    gmmu_arena arena = {0};
    (void)gmmu_tier2_table_init(&t->table, cfg, slots, search, young, &arena);
    arena.size = arena.used;
    arena.used = 0;
    t->memory = arena.base = malloc(arena.size);
    t->page_of = malloc(slots * sizeof *t->page_of);
    t->empty = malloc(slots * sizeof *t->empty);
    t->vpn_mask = (1ull << cfg->vpn_w) - 1;
    if (!gmmu_ahead_init(&t->ahead, ahead, GMMU_HOST_NS) || t->memory == NULL ||
        t->page_of == NULL || t->empty == NULL ||
        gmmu_tier2_table_init(&t->table, cfg, slots, search, young, &arena) != 0) {
        gmmu_leu_tier2_destroy(t);
        return NULL;
    }
    for (uint32_t i = 0; i < slots; i++) t->empty[i] = slots - 1 - i;
    const uint32_t within = 1u << (cfg->time_w - 3);
    t->age_every = within > slots ? within / slots : 1;
    return t;
}

void gmmu_leu_tier2_destroy(gmmu_leu_tier2 *t) {
    if (t == NULL)
        return;
    free(t->memory);
    gmmu_ahead_free(&t->ahead);
    free(t->slot_of);
    free(t->page_of);
    free(t->empty);
    free(t);
}

bool gmmu_leu_tier2_walk(gmmu_leu_tier2 *t, uint32_t page, uint32_t time) {
    if (page >= t->page_cap) {
        const uint32_t cap = gmmu_policy_capacity(t->page_cap, page);
        uint32_t *slot_of = gmmu_grow(t->slot_of, t->page_cap, cap, sizeof *slot_of, 0xff);
        if (slot_of == NULL)
            return false;
        t->slot_of = slot_of;
        if (t->ahead.most != 0 && !gmmu_ahead_grow(&t->ahead, t->page_cap, cap))
            return false;
        t->page_cap = cap;
    }
    if (++t->walks == t->age_every) {
        t->walks = 0;
        gmmu_tier2_table_age(&t->table, time);
    }
    return true;
}

static void leave(gmmu_leu_tier2 *t, uint32_t slot) {
    t->slot_of[t->page_of[slot]] = NO_SLOT;
    t->empty[t->table.n - t->table.held] = slot;
    gmmu_tier2_table_free(&t->table, slot);
}

void gmmu_leu_tier2_rise(gmmu_leu_tier2 *t, uint32_t page, gmmu_outcome *out) {
    if (t->slot_of[page] == NO_SLOT)
        return;
    out->move[0].from = GMMU_HOST;
    leave(t, t->slot_of[page]);
}

void gmmu_leu_tier2_place(gmmu_leu_tier2 *t, const gmmu_tier *u, uint32_t frame, uint32_t page,
                          gmmu_outcome *out) {
    const gmmu_frame f = gmmu_frame_table_get(&u->frames.table, frame);
    if (t->table.held == t->table.n) {
        const gmmu_rank_at now = {&u->ppuc, u->walk.time, u->walk.time_mask};
        const uint32_t age = (now.time - f.last) & now.time_mask;
        const uint32_t slot = gmmu_tier2_table_yields(
            &t->table, &now, gmmu_ppuc_priority_of(&u->ppuc, f.cls, age), f.last);
        if (slot == NO_SLOT) {
            gmmu_outcome_move(out, page, GMMU_NEAR, GMMU_FAR);
            return;
        }
        gmmu_outcome_move(out, t->page_of[slot], GMMU_HOST, GMMU_FAR);
        leave(t, slot);
    }
    const uint32_t slot = t->empty[t->table.n - t->table.held - 1];
    gmmu_tier2_table_put(&t->table, slot, f);
    t->page_of[slot] = page;
    t->slot_of[page] = slot;
    gmmu_outcome_move(out, page, GMMU_NEAR, GMMU_HOST);
}

// ---- pages raised ahead of their use

bool gmmu_leu_tier2_holds(const gmmu_leu_tier2 *t, uint32_t page, gmmu_frame *is) {
    if (page >= t->page_cap || t->slot_of[page] == NO_SLOT)
        return false;
    *is = gmmu_frame_table_get(&t->table.slots.table, t->slot_of[page]);
    return true;
}

bool gmmu_leu_ahead_access(gmmu_leu_tier2 *t, uint32_t page, const gmmu_outcome *out) {
    gmmu_ahead *a = &t->ahead;
    if (a->most == 0)
        return false;
    if (out->fault) {
        gmmu_ahead_fault(
            a, GMMU_LOOKUP_NS + (out->move[0].from == GMMU_HOST ? GMMU_HOST_NS : GMMU_READ_NS));
    } else if (gmmu_ahead_is_raised(a, page)) {
        gmmu_ahead_used(a, page);
        return true;
    }
    return false;
}
