// SPDX-License-Identifier: Apache-2.0
// tier_place.c: see tier_place.h and docs/reference/blocks/tier_place.md.
#include "blocks/tier_place.h"

int gmmu_tier_place_init(gmmu_tier_place *p, const gmmu_config *cfg, gmmu_arena *arena) {
    return cfg->t2_slots != 0 && (gmmu_tier2_table_init(&p->slots, cfg, arena) |
                                  gmmu_tier_predict_init(&p->predict, cfg, arena)) != 0;
}

void gmmu_tier_place_configure(gmmu_tier_place *p, const gmmu_regs *regs) {
    if (p->slots.n == 0)
        return;
    gmmu_tier2_table_configure(&p->slots, regs);
    gmmu_tier_place_foresee(p, regs);
}

void gmmu_tier_place_foresee(gmmu_tier_place *p, const gmmu_regs *regs) {
    p->by = (gmmu_tp_regs){.policy = regs->tier,
                           .random = regs->tier_default != 0,
                           .model = regs->tier_model != 0,
                           .near = regs->tier_near,
                           .far = regs->tier_far};
}

// Does the predictor choose the place of a page?
static bool foretells(const gmmu_regs *regs) {
    return regs->tier >= GMMU_PLACE_ORDER && regs->tier <= GMMU_PLACE_REUSE;
}

// ---- a candidate

void gmmu_tier_place_took(gmmu_tier_place *p, uint32_t asid, uint64_t vpn) {
    if (p->slots.n == 0 || p->kept == GMMU_MOST_KEPT)
        return;
    p->owed |= 1u << GMMU_TP_LOOK;
    p->look_asid = asid;
    p->look_vpn = vpn;
}

void gmmu_tier_place_decided(gmmu_tier_place *p, const gmmu_tier_decision *d) {
    p->keep = false;
    p->kept = d->kept ? p->kept + 1 : d->tier == GMMU_TIER_RETRY ? p->kept : 0;
}

// ---- a decision

void gmmu_tier_place_begin(gmmu_tier_place *p, const gmmu_regs *regs, const gmmu_tier_decision *d,
                           const gmmu_fault *fault) {
    if (p->slots.n == 0 || (d->tier != GMMU_TIER_FREE && d->tier != GMMU_TIER_2))
        return;
    p->d = *d;
    p->to3 = false;
    p->slot = fault != NULL ? fault->slot : 0;
    p->owed |= GMMU_OWES_PLACE;
    if (fault != NULL && fault->t2)
        p->owed |= GMMU_OWES_RISE;
    if (fault != NULL && foretells(regs))
        p->owed |= 1u << GMMU_TP_RETURN;
    if (foretells(regs) && d->tier == GMMU_TIER_2)
        p->owed |= 1u << GMMU_TP_LEAVE;
}

gmmu_tp_answer gmmu_tier_place_foretell(gmmu_tier_place *p, unsigned kind, uint32_t time) {
    gmmu_tier_decision *d = &p->d;
    gmmu_tp_answer a = {0};
    p->owed &= ~(1u << kind);
    switch (kind) {
        case GMMU_TP_LOOK:
            a = gmmu_tier_predict_look(&p->predict, &p->by, p->look_asid, p->look_vpn);
            p->keep = a.pred == 1;
            break;
        case GMMU_TP_RETURN:
            a = gmmu_tier_predict_return(&p->predict, &p->by, d->asid, d->vpn, time);
            break;
        case GMMU_TP_LEAVE:
            a = gmmu_tier_predict_leave(&p->predict, &p->by, d->victim_asid, d->victim_vpn, time);
            p->to3 = a.tier == 3;
            d->pred = a.pred;
            d->forced = a.forced;
            break;
        case GMMU_TP_STAY:
            a = gmmu_tier_predict_stay(&p->predict, &p->by, p->stay_asid, p->stay_vpn);
            break;
        case GMMU_TP_AGE:
            a = gmmu_tier_predict_age(&p->predict, p->age_index, time);
            break;
        default:
            break;
    }
    return a;
}

// Is the page in SLOT, which is enabled and in STATE?
static bool has(const gmmu_tier_place *p, const gmmu_regs *regs, uint32_t slot, unsigned state,
                uint32_t asid, uint64_t vpn) {
    return slot < regs->t2_slots && gmmu_tier2_table_state(&p->slots, slot) == state &&
           gmmu_tier2_table_has(&p->slots, slot, asid, vpn);
}

bool gmmu_tier_place_rise(gmmu_tier_place *p, const gmmu_regs *regs, uint32_t slot) {
    p->owed &= ~(unsigned)GMMU_OWES_RISE;
    p->d.rise = has(p, regs, slot, GMMU_SLOT_HELD, p->d.asid, p->d.vpn);
    if (p->d.rise)
        gmmu_tier2_table_set(&p->slots, slot, GMMU_SLOT_RISING);
    return p->d.rise;
}

// Does the victim's tier depend on the pages in Tier 2?
static bool contested(const gmmu_tier_place *p, const gmmu_regs *regs) {
    return !p->to3 && !p->d.rise && p->slots.held + p->slots.claims >= regs->t2_slots &&
           !(foretells(regs) && regs->t2_full != 0);
}

bool gmmu_tier_place_needs_search(const gmmu_tier_place *p, const gmmu_regs *regs) {
    const gmmu_victim_select *v = &p->slots.select;
    return p->d.tier == GMMU_TIER_2 && contested(p, regs) && gmmu_victim_select_best(v) == NULL &&
           v->rounds < GMMU_SEARCH_ROUNDS && regs->t2_slots != 0;
}

bool gmmu_tier_place_eligible(const gmmu_tier_place *p, const gmmu_fault_queue *asked,
                              uint32_t slot) {
    return gmmu_tier2_table_state(&p->slots, slot) == GMMU_SLOT_HELD &&
           !gmmu_fault_queue_named(asked, slot);
}

// Is the best candidate of Tier 2 worth less than the victim?
static bool yields(const gmmu_tier_place *p, const gmmu_regs *regs) {
    const gmmu_victim_cand *best = gmmu_victim_select_best(&p->slots.select);
    if (regs->tier != GMMU_PLACE_PRIORITY || best->priority < p->d.priority)
        return true;
    const uint32_t mask = p->slots.select.time_mask;
    const uint32_t last = p->slots.slots.table.seen[best->frame].last;
    const uint32_t by = regs->tie != 0 ? last - p->d.victim_last : p->d.victim_last - last;
    return best->priority == p->d.priority && (by & mask) <= mask / 2;
}

// The page of SLOT leaves for the victim.
static void evict(gmmu_tier_place *p, uint32_t slot) {
    const gmmu_frame page = gmmu_tier2_table_get(&p->slots, slot);
    p->d.t2_valid = true;
    p->d.t2_slot = slot;
    p->d.t2_asid = page.asid;
    p->d.t2_vpn = page.vpn;
    p->d.t2_dirty = page.dirty;
    gmmu_tier2_table_set(&p->slots, slot, GMMU_SLOT_LEAVING);
    gmmu_victim_select_taken(&p->slots.select);
}

// To Tier 2. FOR_PAGE: a page leaves Tier 2 for the victim. If the victim's frame is not leaving,
// the decision is Tier 3 and no page leaves.
static void to_2(gmmu_tier_place *p, gmmu_frame_store *store, bool for_page) {
    gmmu_tier_decision *d = &p->d;
    if (!store->table.seen[d->frame].leaving) {
        d->tier = GMMU_TIER_3;
        return;
    }
    if (for_page)
        evict(p, gmmu_victim_select_best(&p->slots.select)->frame);
    gmmu_frame_store_promise(store, d->frame, true);
    p->slots.claims++;
    d->swap = d->rise;
}

gmmu_tier_decision gmmu_tier_place_placed(gmmu_tier_place *p, const gmmu_regs *regs,
                                          gmmu_frame_store *store, const gmmu_fault_queue *asked,
                                          bool *none) {
    gmmu_victim_select *v = &p->slots.select;
    gmmu_tier_decision retry = p->d;
    retry.tier = GMMU_TIER_RETRY;
    *none = false;
    if (p->d.tier == GMMU_TIER_2) {
        if (gmmu_tier_place_needs_search(p, regs))
            return retry;
        if (!contested(p, regs)) {
            if (p->to3 || (!p->d.rise && p->slots.held + p->slots.claims >= regs->t2_slots))
                p->d.tier = GMMU_TIER_3;
            else
                to_2(p, store, false);
        } else if (gmmu_victim_select_best(v) == NULL) {
            *none = true;
            p->d.tier = GMMU_TIER_3;
        } else if (!gmmu_tier2_table_best_stands(&p->slots) ||
                   gmmu_fault_queue_named(asked, v->best.frame)) {
            gmmu_tier2_table_retry(&p->slots);
            return retry;
        } else if (yields(p, regs)) {
            to_2(p, store, true);
        } else {
            p->d.tier = GMMU_TIER_3;
        }
        gmmu_victim_select_end(v);
    }
    p->owed &= ~(unsigned)GMMU_OWES_PLACE;
    return p->d;
}

// ---- the driver

bool gmmu_tier_place_fill(gmmu_tier_place *p, const gmmu_regs *regs, const gmmu_tier_drv_in *in,
                          gmmu_frame *from) {
    if (!has(p, regs, in->slot, GMMU_SLOT_HELD, in->asid, in->vpn) &&
        !has(p, regs, in->slot, GMMU_SLOT_RISING, in->asid, in->vpn) &&
        !has(p, regs, in->slot, GMMU_SLOT_LEAVING, in->asid, in->vpn))
        return false;
    *from = gmmu_tier2_table_get(&p->slots, in->slot);
    gmmu_tier2_table_free(&p->slots, in->slot);
    return true;
}

bool gmmu_tier_place_may_swap(const gmmu_tier_place *p, const gmmu_regs *regs,
                              const gmmu_frame_store *store, const gmmu_tier_drv_in *in,
                              gmmu_frame *was) {
    if (in->frame >= regs->frames || !has(p, regs, in->slot, GMMU_SLOT_RISING, in->asid, in->vpn))
        return false;
    *was = gmmu_frame_table_get(&store->table, in->frame);
    was->dirty |= store->mem.lost;
    return was->leaving && was->to2;
}

// T2_FILL_DONE. Returns the page that left the frame.
static gmmu_tier_drv_out filled(gmmu_tier_place *p, const gmmu_regs *regs, gmmu_frame_store *store,
                                gmmu_fault_unit *faults, const gmmu_tier_drv_in *in,
                                const gmmu_side_now *now) {
    gmmu_tier_drv_out out = {0};
    out.refused = true;
    if (in->frame >= regs->frames || in->slot >= regs->t2_slots)
        return out;
    gmmu_frame page = gmmu_frame_table_get(&store->table, in->frame);
    const unsigned state = gmmu_tier2_table_state(&p->slots, in->slot);
    if (!page.leaving || !page.to2 || (state != GMMU_SLOT_FREE && state != GMMU_SLOT_LEAVING))
        return out;
    out.refused = false;
    page.dirty |= store->mem.lost;
    gmmu_tier2_table_put(&p->slots, in->slot, page);
    gmmu_side_port_leaves(store, faults, in->frame);
    out.reuse = gmmu_frame_store_free(store, in->frame, now->time);
    gmmu_fault_unit_went(faults, out.reuse);
    gmmu_fault_unit_stirred(faults);
    return out;
}

// T2_FREE, T2_CANCEL.
static gmmu_tier_drv_out on_slot(gmmu_tier_place *p, const gmmu_regs *regs,
                                 const gmmu_tier_drv_in *in) {
    gmmu_tier_drv_out out = {0};
    out.refused = in->slot >= regs->t2_slots ||
                  (in->op == GMMU_T2_CANCEL &&
                   gmmu_tier2_table_state(&p->slots, in->slot) != GMMU_SLOT_LEAVING);
    if (out.refused)
        return out;
    if (in->op == GMMU_T2_FREE)
        gmmu_tier2_table_free(&p->slots, in->slot);
    else
        gmmu_tier2_table_set(&p->slots, in->slot, GMMU_SLOT_HELD);
    return out;
}

static gmmu_tier_drv_out cancel(gmmu_tier_place *p, const gmmu_regs *regs, gmmu_frame_store *store,
                                gmmu_fault_unit *faults, const gmmu_tier_drv_in *in,
                                const gmmu_side_now *now) {
    gmmu_frame was = {0};
    if (in->frame < regs->frames)
        was = gmmu_frame_table_get(&store->table, in->frame);
    gmmu_tier_drv_out out = gmmu_side_port_drv(store, faults, in, now);
    if (out.refused)
        return out;
    p->slots.claims -= was.leaving && was.to2;
    if (was.leaving && foretells(regs)) {
        p->owed |= 1u << GMMU_TP_STAY;
        p->stay_asid = was.asid;
        p->stay_vpn = was.vpn;
    }
    if (in->t2) {
        out.t2_stale = !has(p, regs, in->slot, GMMU_SLOT_RISING, in->asid, in->vpn);
        if (!out.t2_stale)
            gmmu_tier2_table_set(&p->slots, in->slot, GMMU_SLOT_HELD);
    }
    return out;
}

// ASK whose page is in a slot: the fault has the slot's class and last access.
static gmmu_tier_drv_out ask(const gmmu_tier_place *p, const gmmu_regs *regs,
                             gmmu_frame_store *store, gmmu_fault_unit *faults,
                             const gmmu_tier_drv_in *in, const gmmu_side_now *now) {
    if (!in->t2)
        return gmmu_side_port_drv(store, faults, in, now);
    gmmu_tier_drv_out out = {0};
    out.t2_stale = !has(p, regs, in->slot, GMMU_SLOT_HELD, in->asid, in->vpn);
    gmmu_fault asked = {.vpn = in->vpn, .asid = in->asid, .last = now->time, .force = in->force};
    if (!out.t2_stale) {
        const gmmu_frame page = gmmu_tier2_table_get(&p->slots, in->slot);
        asked.t2 = true;
        asked.slot = in->slot;
        asked.cls = page.cls;
        asked.last = page.last;
    }
    const gmmu_fault_put put = gmmu_fault_queue_ask(&faults->queue, asked, now->frames);
    out.fault = put.outcome;
    out.entry = put.entry;
    return out;
}

gmmu_tier_drv_out gmmu_tier_place_drv(gmmu_tier_place *p, const gmmu_regs *regs,
                                      gmmu_frame_store *store, gmmu_fault_unit *faults,
                                      const gmmu_tier_drv_in *in, const gmmu_side_now *now) {
    switch (p->slots.n != 0 ? in->op : 0) {
        case GMMU_CANCEL:
            return cancel(p, regs, store, faults, in, now);
        case GMMU_ASK:
            return ask(p, regs, store, faults, in, now);
        case GMMU_T2_FILL_DONE:
            return filled(p, regs, store, faults, in, now);
        case GMMU_T2_FREE:
        case GMMU_T2_CANCEL:
            return on_slot(p, regs, in);
        default:
            return gmmu_side_port_drv(store, faults, in, now);
    }
}

bool gmmu_tier_place_age(gmmu_tier_place *p, uint32_t index, uint32_t time) {
    if (index < p->slots.n)
        return gmmu_tier2_table_age(&p->slots, index, time);
    p->owed |= 1u << GMMU_TP_AGE;
    p->age_index = index - p->slots.n;
    return false;
}
