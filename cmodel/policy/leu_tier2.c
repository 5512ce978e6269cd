// SPDX-License-Identifier: Apache-2.0
// leu_tier2.c: see leu_tier2.h.
#include "policy/leu_tier2.h"

#include <stdlib.h>

#include "policy/policy.h"

enum { NO_SLOT = UINT32_MAX };

// GMT §3.4, ns: to ask Tier 2, a page from there, from storage.
enum { LOOKUP_NS = 50, HOST_NS = 50000, READ_NS = 130000 };
// Of so many raised pages is decided whether they were used before depth is another.
enum { JUDGED = 64 };

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
    t->ahead.most = t->ahead.depth = ahead;
    t->ahead.move = malloc((size_t)(ahead + 1) * GMMU_MOVES * sizeof *t->ahead.move);
    if (t->memory == NULL || t->ahead.move == NULL || t->page_of == NULL || t->empty == NULL ||
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
    free(t->ahead.move);
    free(t->ahead.raised);
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
        if (t->ahead.most != 0) {
            uint64_t *raised = gmmu_grow(t->ahead.raised, t->page_cap, cap, sizeof *raised, 0);
            if (raised == NULL)
                return false;
            t->ahead.raised = raised;
        }
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

// The fate of a raised page is known: it was USED or not.
static void judge(gmmu_leu_ahead *a, bool used) {
    a->good += used;
    *(used ? &a->used : &a->unused) += 1;
    if (a->used + a->unused < JUDGED)
        return;
    if (2 * a->used < JUDGED)
        a->depth = a->depth > 1 ? a->depth / 2 : 1;
    else if (4 * a->used > 3 * JUDGED)
        a->depth = 2 * a->depth < a->most ? 2 * a->depth : a->most;
    a->used = a->unused = 0;
}

// PAGE left near memory: if it was raised, in vain.
static void left(gmmu_leu_ahead *a, uint32_t page) {
    if (a->raised[page] != 0)
        judge(a, false);
    a->raised[page] = 0;
}

bool gmmu_leu_ahead_access(gmmu_leu_tier2 *t, uint32_t page, const gmmu_outcome *out) {
    gmmu_leu_ahead *a = &t->ahead;
    if (a->most == 0)
        return false;
    if (out->fault) {
        a->now += out->move[0].from == GMMU_HOST ? LOOKUP_NS + HOST_NS : LOOKUP_NS + READ_NS;
    } else if (a->raised[page] != 0) {
        const uint64_t there = a->raised[page] + HOST_NS;
        if (there > a->now) {
            a->late++;
            a->late_ns += there - a->now;
            a->now = there;
        }
        judge(a, true);
        a->raised[page] = 0;
        return true;
    }
    return false;
}

void gmmu_leu_ahead_begin(gmmu_leu_tier2 *t, gmmu_outcome *out) {
    for (uint32_t i = 0; i < out->count; i++)
        if (out->move[i].from == GMMU_NEAR)
            left(&t->ahead, out->move[i].page);
    out->after = t->ahead.move;
}

void gmmu_leu_ahead_raised(gmmu_leu_tier2 *t, uint32_t page, const gmmu_outcome *one,
                           gmmu_outcome *out) {
    gmmu_leu_ahead *a = &t->ahead;
    // what leaves goes before what comes
    for (uint32_t i = one->count; i-- > 1;)
        if (one->move[i].from == GMMU_NEAR)
            left(a, one->move[i].page);
    for (uint32_t i = 0; i < one->count; i++) a->move[out->after_count++] = one->move[i];
    a->raised[page] = a->now > 0 ? a->now : 1;
    a->all++;
}
