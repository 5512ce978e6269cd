// SPDX-License-Identifier: Apache-2.0
// fault_unit.c: see fault_unit.h and docs/guide/schedule.md, DECIDE.
#include "blocks/fault_unit.h"

int gmmu_fault_unit_init(gmmu_fault_unit *u, const gmmu_config *cfg, gmmu_arena *arena) {
    u->resident = u->claims = u->seq = 0;
    u->seq_mask = (uint32_t)((1ull << cfg->seq_w) - 1);
    u->spent = false;
    return gmmu_fault_queue_init(&u->queue, cfg, arena);
}

gmmu_fault_found gmmu_fault_unit_cancel(gmmu_fault_unit *u, uint32_t asid, uint64_t vpn) {
    return gmmu_fault_unit_ended(u, gmmu_fault_queue_cancel(&u->queue, asid, vpn));
}

// Takes the best candidate, if its frame did not change since the search. Else RETRY, and the
// candidate's place becomes empty. KEEP: RETRY in any case; an unchanged candidate is kept.
static void take_best(gmmu_fault_unit *u, gmmu_frame_store *store, gmmu_victim_select *select,
                      bool keep, bool force, gmmu_tier_decision *d) {
    const gmmu_victim_cand best = *gmmu_victim_select_best(select);
    gmmu_frame victim;
    d->frame = best.frame;
    d->priority = (uint16_t)best.priority;
    d->tier = GMMU_TIER_RETRY;
    if (keep && gmmu_frame_store_keep(store, best.frame, best.last, force)) {
        d->kept = true;
        gmmu_victim_select_keep(select);
    } else if (!keep && gmmu_frame_store_take(store, best.frame, best.last, &victim, force)) {
        d->tier = GMMU_TIER_2;
        d->victim_vpn = victim.vpn;
        d->victim_asid = victim.asid;
        d->victim_dirty = victim.dirty;
        d->victim_last = victim.last;
        u->resident--;
        gmmu_fault_queue_left(&u->queue, victim.asid, victim.vpn, best.frame);
        gmmu_victim_select_taken(select);
    } else {
        gmmu_victim_select_retry(select);
    }
}

// The candidate, or none, or another search: of a fault without credit, or of a decision ahead.
static void search_found(gmmu_fault_unit *u, gmmu_frame_store *store, gmmu_victim_select *select,
                         bool keep, bool force, gmmu_tier_decision *d) {
    if (gmmu_victim_select_best(select) != NULL)
        take_best(u, store, select, keep, force, d);
    else if (select->rounds < GMMU_SEARCH_ROUNDS)
        d->tier = GMMU_TIER_RETRY;  // the credit was taken meanwhile
}

static void end_search(gmmu_frame_store *store, gmmu_victim_select *select) {
    if (select->rounds > 0 && !select->clock)
        gmmu_segment_searched(&store->segment);
    gmmu_victim_select_end(select);
}

static uint32_t next_seq(gmmu_fault_unit *u) {
    const uint32_t seq = u->seq;
    u->seq = (seq + 1) & u->seq_mask;
    return seq;
}

static gmmu_tier_decision decide_ahead(gmmu_fault_unit *u, gmmu_frame_store *store,
                                       gmmu_victim_select *select, uint32_t frames, uint32_t ahead,
                                       bool keep) {
    gmmu_tier_decision d = {.ahead = true, .tier = GMMU_TIER_NONE};
    const bool owed = gmmu_fault_unit_ahead_owed(u, frames, ahead);
    if (owed)
        search_found(u, store, select, keep, false, &d);
    if (d.tier == GMMU_TIER_RETRY)
        return d;
    u->spent |= owed && d.tier == GMMU_TIER_NONE;
    end_search(store, select);
    if (d.tier != GMMU_TIER_NONE)
        d.seq = next_seq(u);
    return d;
}

gmmu_tier_decision gmmu_fault_unit_decide(gmmu_fault_unit *u, gmmu_frame_store *store,
                                          gmmu_victim_select *select, uint32_t frames,
                                          uint32_t ahead, bool keep) {
    if (u->queue.undecided == 0)
        return decide_ahead(u, store, select, frames, ahead, keep);
    const unsigned entry = (unsigned)gmmu_fault_queue_head(&u->queue);
    const gmmu_fault *f = &u->queue.fault[entry];
    gmmu_tier_decision d = {.vpn = f->vpn, .asid = f->asid, .entry = entry, .lost = f->lost};
    d.tier = GMMU_TIER_NONE;  // the page was filled meanwhile, or the search gives up
    if (!f->filled && gmmu_fault_unit_credit(u, frames))
        d.tier = GMMU_TIER_FREE;
    else if (!f->filled)
        search_found(u, store, select, keep, select->forced, &d);
    if (d.tier == GMMU_TIER_RETRY)
        return d;
    d.seq = next_seq(u);
    d.fresh = d.tier == GMMU_TIER_NONE && !f->filled && select->passed_fresh;
    end_search(store, select);
    if (d.tier == GMMU_TIER_NONE) {
        gmmu_fault_queue_give_up(&u->queue);
    } else {
        gmmu_fault_queue_decide(&u->queue);
        u->claims++;
    }
    return d;
}
