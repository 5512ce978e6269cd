// SPDX-License-Identifier: Apache-2.0
// at_once.c: see at_once.h.
#include "blocks/at_once.h"

bool gmmu_at_once_begin(gmmu_at_once *a, const gmmu_tier *u) {
    const gmmu_regs *r = &u->regs;
    const gmmu_segment *s = &u->frames.segment;
    const uint32_t refresh_mask = (1u << r->refresh) - 1;
    *a = (gmmu_at_once){.page_hash = gmmu_hash_form_of(u->cfg.asid_w, u->cfg.vpn_w),
                        .most_exec = (1u << u->cfg.exec_w) - 1,
                        .due_mask = u->walk.age_mask & u->walk.scrub_mask & refresh_mask};
    return !u->frames.behind && !u->select.clock && u->cfg.late == 0 && u->hir_unheard &&
           r->rit_batch == 0 && r->feed == GMMU_FEED_SAMPLER && r->tier == GMMU_PLACE_NONE &&
           r->fresh == 0 && r->ahead == 0 && s->limit == 0 && s->count == 0 && !s->filling &&
           u->stats.walks == 0;
}

gmmu_rit_place gmmu_at_once_execute(gmmu_at_once *a, gmmu_tier *u, uint32_t asid, uint64_t ref) {
    const gmmu_rit_place place = gmmu_ref_rit_execute(&u->rit, asid, ref);
    a->row = place.cls.row;
    if (place.allocated) {
        gmmu_ppuc_forget(&u->ppuc, place.cls.row);
        gmmu_rit_export_name(&u->rit_export, place.cls, asid, ref);
    }
    return place;
}

void gmmu_at_once_sample(gmmu_tier *u, uint32_t asid, uint64_t vpn, gmmu_class cls, uint32_t hash) {
    gmmu_sampled did = {.selected = true};
    gmmu_trace_sampler_take(&u->sampler, gmmu_trace_sampler_named(&u->cfg, asid, vpn, hash), cls,
                            u->walk.time, &did);
    const gmmu_fed fed =
        gmmu_record_feed_walk(&u->feed, &u->rit_export, &u->regs, NULL, &did, (gmmu_reuse){0});
    gmmu_tier_count_fed(u, fed, NULL, NULL);
}

gmmu_walk_due gmmu_at_once_tick(gmmu_tier *u) {
    const gmmu_walk_due due = gmmu_walk_pipe_due(&u->walk, u->regs.refresh);
    u->scrub_owed = due.scrub;
    if (due.refresh)
        gmmu_ref_rit_tick(&u->rit);
    return due;
}
