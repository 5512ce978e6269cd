// SPDX-License-Identifier: Apache-2.0
// tier2_table.c: see tier2_table.h and docs/reference/blocks/tier_place.md.
#include "blocks/tier2_table.h"

int gmmu_tier2_table_init(gmmu_tier2_table *t, const gmmu_config *cfg, gmmu_arena *arena) {
    gmmu_config of = *cfg;
    of.frames = cfg->t2_slots;
    of.frame_mem = 0;
    t->n = cfg->t2_slots;
    return gmmu_frame_store_init(&t->slots, &of, arena) |
           gmmu_victim_select_init(&t->select, &of, GMMU_SEARCH_SAMPLE, arena);
}

void gmmu_tier2_table_configure(gmmu_tier2_table *t, const gmmu_regs *regs) {
    gmmu_victim_select *v = &t->select;
    t->young = regs->tier == GMMU_PLACE_PRIORITY && regs->tie != 0;
    const unsigned search = regs->tier != GMMU_PLACE_PRIORITY  ? GMMU_SEARCH_CLOCK
                            : regs->search == GMMU_SEARCH_SCAN ? GMMU_SEARCH_SCAN
                                                               : GMMU_SEARCH_SAMPLE;
    gmmu_victim_select_configure(v, search, regs->t2_slots, true);
}

// ---- slots

bool gmmu_tier2_table_has(const gmmu_tier2_table *t, uint32_t slot, uint32_t asid, uint64_t vpn) {
    const gmmu_frame_page *p = &t->slots.table.page[slot];
    return t->slots.table.seen[slot].valid && p->asid == asid && p->vpn == vpn;
}

static uint32_t held(const gmmu_tier2_table *t, uint32_t slot) {
    return gmmu_tier2_table_state(t, slot) == GMMU_SLOT_HELD;
}

void gmmu_tier2_table_put(gmmu_tier2_table *t, uint32_t slot, gmmu_frame page) {
    page.guarded = page.fresh = false;
    t->held -= held(t, slot);
    (void)gmmu_frame_table_fill(&t->slots.table, slot, page, page.last);
    t->held++;
}

void gmmu_tier2_table_free(gmmu_tier2_table *t, uint32_t slot) {
    t->held -= held(t, slot);
    (void)gmmu_frame_table_free(&t->slots.table, slot, 0);
}

void gmmu_tier2_table_set(gmmu_tier2_table *t, uint32_t slot, unsigned state) {
    gmmu_frame_seen *s = &t->slots.table.seen[slot];
    t->held -= held(t, slot);
    s->leaving = state != GMMU_SLOT_HELD;
    s->pinned = state == GMMU_SLOT_RISING;
    t->held += held(t, slot);
}

bool gmmu_tier2_table_age(gmmu_tier2_table *t, uint32_t slot, uint32_t time) {
    return gmmu_frame_store_age(&t->slots, slot, time);
}

// ---- the search

// The time of a candidate with last access LAST. Negated, the younger page counts as the older.
static uint32_t stamp(const gmmu_tier2_table *t, uint32_t last) {
    return (t->young ? 0 - last : last) & t->select.time_mask;
}

void gmmu_tier2_table_offer(gmmu_tier2_table *t, uint32_t slot, uint16_t priority, bool eligible,
                            uint32_t enabled) {
    const gmmu_victim_cand c = {slot, stamp(t, t->slots.table.seen[slot].last), priority};
    (void)gmmu_victim_select_next(&t->select, enabled);
    if (t->select.clock)  // a slot is never hit: the first eligible slot is taken
        gmmu_victim_select_hand(&t->select, c, eligible, enabled);
    else
        gmmu_victim_select_offer(&t->select, c, eligible, enabled);
}

// Ranks for `young`: of equal priorities the younger leaves, so ages are in the other order.
static uint64_t all(void *ctx, uint32_t first, const uint32_t *at, uint32_t n,
                    const uint64_t *rank) {
    (void)ctx, (void)first, (void)at, (void)rank;
    return n >= 64 ? ~0ull : (1ull << n) - 1;
}
static uint64_t younger(void *ctx, uint32_t slot, uint64_t rank, uint64_t worst) {
    (void)ctx, (void)slot, (void)worst;
    return rank ^ UINT32_MAX;
}

// Makes the slots that ASKED names no candidates, or candidates again.
static void name(gmmu_tier2_table *t, const gmmu_fault_queue *asked, bool named) {
    for (uint32_t i = 0; i < asked->undecided; i++) {
        const gmmu_fault *f = &asked->fault[gmmu_fault_queue_undecided(asked, i)];
        if (f->t2 && f->slot < t->n && gmmu_fault_queue_named(asked, f->slot) &&
            gmmu_tier2_table_state(t, f->slot) == GMMU_SLOT_HELD)
            t->slots.table.seen[f->slot].pinned = named;
    }
}

void gmmu_tier2_table_round(gmmu_tier2_table *t, const gmmu_rank_at *now,
                            const gmmu_fault_queue *asked, uint32_t enabled) {
    const gmmu_frame_table *ft = &t->slots.table;
    name(t, asked, true);
    if (!t->select.clock) {
        const gmmu_searched searched = {&t->select, &t->slots, enabled, *now, t->young, false};
        const gmmu_rerank by = {all, younger, NULL};
        gmmu_search_round(&searched, t->young ? &by : NULL);
    } else {
        do {
            const uint32_t slot = gmmu_victim_select_next(&t->select, enabled);
            const gmmu_frame_seen s = ft->seen[slot];
            const uint32_t age = (now->time - s.last) & now->time_mask;
            gmmu_tier2_table_offer(
                t, slot, gmmu_ppuc_priority_of(now->ppuc, (gmmu_class){s.row, s.gen}, age),
                gmmu_frame_table_eligible(ft, slot), enabled);
        } while (t->select.active);
    }
    name(t, asked, false);
}

bool gmmu_tier2_table_best_stands(const gmmu_tier2_table *t) {
    const gmmu_victim_cand *best = gmmu_victim_select_best(&t->select);
    return gmmu_frame_table_eligible(&t->slots.table, best->frame) &&
           stamp(t, t->slots.table.seen[best->frame].last) == best->last;
}

void gmmu_tier2_table_retry(gmmu_tier2_table *t) {
    gmmu_victim_select_retry(&t->select);
}
