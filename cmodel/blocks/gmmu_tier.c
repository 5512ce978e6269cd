// SPDX-License-Identifier: Apache-2.0
// gmmu_tier.c: see gmmu_tier.h and docs/guide/schedule.md.
#include "blocks/gmmu_tier.h"

#include <string.h>

#include "blocks/search_round.h"

static int init_ranges(gmmu_tier *u, const gmmu_config *cfg, gmmu_arena *arena) {
    const int bad = gmmu_range_dir_init(&u->range, cfg->ranges, u->regs.range_bytes, arena);
    u->range_beats = gmmu_take(arena, gmmu_range_dir_most_beats(&u->range), sizeof *u->range_beats);
    return bad | (u->range_beats == NULL);
}

static int init(gmmu_tier *u, const gmmu_config *cfg, gmmu_arena *arena) {
    const gmmu_hir_config hir = gmmu_config_hir(cfg);
    int bad = gmmu_frame_store_init(&u->frames, cfg, arena);
    bad |= gmmu_ref_rit_init(&u->rit, cfg, arena);
    bad |= gmmu_ppuc_init(&u->ppuc, cfg, arena);
    bad |=
        gmmu_trace_sampler_init(&u->sampler, cfg, cfg->sampler, cfg->sways, u->regs.sample, arena);
    bad |= gmmu_victim_select_init(&u->select, cfg, u->regs.search, arena);
    if (!cfg->frame_mem)
        bad |= gmmu_frame_ages_init(&u->frames.ages, cfg, arena) |
               gmmu_scan_best_init(&u->scan, cfg, arena);
    bad |= gmmu_tier_place_init(&u->place, cfg, arena);
    bad |= gmmu_rit_export_init(&u->rit_export, cfg, arena);
    bad |= gmmu_hir_cache_init(&u->hir, &hir, arena);
    bad |= gmmu_fault_unit_init(&u->faults, cfg, arena);
    if (cfg->ranges != 0)
        bad |= init_ranges(u, cfg, arena);
    return bad | gmmu_record_feed_init(&u->feed, cfg, arena);
}

size_t gmmu_tier_bytes(const gmmu_config *cfg) {
    gmmu_tier u;
    gmmu_arena count = {0};
    memset(&u, 0, sizeof u);
    (void)init(&u, cfg, &count);
    return count.used;
}

static void set_regs(gmmu_tier *u, const gmmu_regs *regs) {
    u->regs = *regs;
    if (u->cfg.frame_mem)
        u->regs.search = GMMU_SEARCH_SAMPLE;  // a scan would read the whole memory
    if (u->cfg.frame_mem)
        u->regs.protect = 0;  // the RTL protects no frames with frame_mem
}

static uint32_t limit_of(const gmmu_tier *u) {
    return (uint32_t)((uint64_t)u->regs.frames * u->regs.protect >> 8);
}

int gmmu_tier_init_beyond(gmmu_tier *u, const gmmu_config *cfg, const gmmu_regs *regs, void *mem,
                          size_t size) {
    gmmu_arena arena = {mem, size, 0};
    if (regs->frames < 1 || regs->frames > cfg->frames || regs->t2_slots > cfg->t2_slots)
        return 1;
    memset(u, 0, sizeof *u);
    u->cfg = *cfg;
    set_regs(u, regs);
    gmmu_walk_pipe_init(&u->walk, cfg);
    gmmu_side_port_init(&u->side, cfg);
    const int bad = init(u, cfg, &arena);
    gmmu_tier_place_configure(&u->place, &u->regs);
    gmmu_segment_allow(&u->frames.segment, limit_of(u));
    return bad;
}

int gmmu_tier_init(gmmu_tier *u, const gmmu_config *cfg, const gmmu_regs *regs, void *mem,
                   size_t size) {
    return gmmu_config_error(cfg) != NULL || gmmu_tier_init_beyond(u, cfg, regs, mem, size) != 0;
}

void gmmu_tier_protect(gmmu_tier *u, unsigned share) {
    u->regs.protect = share;
    gmmu_segment_allow(&u->frames.segment, limit_of(u));
}

void gmmu_tier_change(gmmu_tier *u, const gmmu_regs *regs) {
    gmmu_regs *const r = &u->regs;
    r->pseudo = regs->pseudo;
    r->feed = regs->feed;
    r->censor = regs->censor;
    r->refresh = regs->refresh;
    r->rit_batch = regs->rit_batch;
    r->rit_fault = regs->rit_fault;
    r->rit_wait = regs->rit_wait;
    r->transfer = regs->transfer;
    r->fresh = regs->fresh;
    r->ahead = regs->ahead;
    r->tier_default = regs->tier_default;
    gmmu_tier_foresee(u, regs->tier_model != 0, regs->tier_near, regs->tier_far);
}

void gmmu_tier_foresee(gmmu_tier *u, bool model, uint32_t near, uint32_t far) {
    u->regs.tier_model = model;
    u->regs.tier_near = near;
    u->regs.tier_far = far;
    gmmu_tier_place_foresee(&u->place, &u->regs);
}

uint32_t gmmu_tier_range(gmmu_tier *u, gmmu_range_op op) {
    return gmmu_range_dir_op(&u->range, op, u->range_beats);
}

void gmmu_tier_range_limit(gmmu_tier *u, uint64_t bytes) {
    u->regs.range_bytes = bytes;
    u->range.limit = bytes;
}

void gmmu_tier_configure(gmmu_tier *u, const gmmu_regs *regs) {
    set_regs(u, regs);
    gmmu_tier_range_limit(u, regs->range_bytes);
    gmmu_victim_select_configure(&u->select, u->regs.search, u->regs.frames, true);
    gmmu_frame_ages_keep(&u->frames.ages, 0);
    gmmu_tier_place_configure(&u->place, &u->regs);
    if (limit_of(u) != u->frames.segment.limit)
        gmmu_segment_allow(&u->frames.segment, limit_of(u));
}

gmmu_tier_walk_out gmmu_tier_walk(gmmu_tier *u, gmmu_tier_walk_in in) {
    return gmmu_tier_walk_inline(u, &in);
}

// The hit of a replay.
static void replay_hit(gmmu_tier *u, const gmmu_tier_walk_in *in, gmmu_tier_replay_out *out) {
    const gmmu_mem_touch hit = {
        .vpn = in->vpn, .frame = in->frame, .asid = in->asid, .write = in->write};
    const gmmu_stored_hit did = gmmu_frame_store_replay(&u->frames, &hit, u->regs.frames);
    out->match = !did.stale;
    out->touch = did.waits;
    u->stats.stale_hits += did.stale;
    u->stats.touch_drops += did.waits == GMMU_REC_DROPPED;
}

gmmu_tier_replay_out gmmu_tier_replay(gmmu_tier *u, gmmu_tier_walk_in in) {
    gmmu_tier_replay_out out = {};
    u->stats.replays++;
    gmmu_fault_unit_stirred(&u->faults);
    if (in.fault) {
        out.cls = in.no_row ? (gmmu_class){} : gmmu_ref_rit_look(&u->rit, in.asid, in.ref);
        out.fault = gmmu_tier_note(u, &in, out.cls);
    } else {
        replay_hit(u, &in, &out);
    }
    if (gmmu_walk_pipe_went(&u->walk, u->regs.fresh))
        gmmu_fault_queue_epoch(&u->faults.queue);
    return out;
}

gmmu_fault_put gmmu_tier_enter(gmmu_tier *u) {
    const gmmu_fault_put put = gmmu_fault_queue_enter(&u->faults.queue, u->regs.frames);
    u->stats.merged += put.outcome == GMMU_FAULT_JOINED;
    u->stats.fault_drops += put.outcome == GMMU_FAULT_DROPPED;
    u->stats.again += put.outcome == GMMU_FAULT_AGAIN;
    u->stats.lost += put.outcome == GMMU_FAULT_LOST;
    u->stats.late += put.outcome == GMMU_FAULT_LATE;
    return put;
}

void gmmu_tier_expire(gmmu_tier *u, uint32_t frame) {
    gmmu_fault_queue_expired(&u->faults.queue);
    gmmu_fault_unit_stirred(&u->faults);
    gmmu_frame_store_expire(&u->frames, frame);
}

gmmu_reuse gmmu_tier_touch(gmmu_tier *u, unsigned *record) {
    const gmmu_stored_hit did = gmmu_frame_store_touch(&u->frames);
    u->stats.stale_hits += did.stale;
    gmmu_tier_count_fed(u, gmmu_record_feed_touch(&u->feed, &u->regs, did.reuse), record, NULL);
    return did.reuse;
}

// T2_SWAP.
static void swap(gmmu_tier *u, const gmmu_tier_drv_in *in, gmmu_tier_drv_out *out) {
    gmmu_frame was, from = {};
    out->refused = !gmmu_tier_place_may_swap(&u->place, &u->regs, &u->frames, in, &was);
    if (out->refused)
        return;
    (void)gmmu_tier_place_fill(&u->place, &u->regs, in, &from);
    const gmmu_side_now now = gmmu_tier_now(u);
    gmmu_side_port_fill(&u->frames, &u->faults, in, &from, &now, out);
    gmmu_tier2_table_put(&u->place.slots, in->slot, was);
}

// FILL with t2.
static void fill_from_slot(gmmu_tier *u, const gmmu_tier_drv_in *in, gmmu_tier_drv_out *out) {
    gmmu_frame from = {};
    const bool up = gmmu_tier_place_fill(&u->place, &u->regs, in, &from);
    const gmmu_side_now now = gmmu_tier_now(u);
    gmmu_side_port_fill(&u->frames, &u->faults, in, up ? &from : NULL, &now, out);
    out->t2_stale = !up && u->place.slots.n != 0;
}

gmmu_tier_drv_out gmmu_tier_drv_other(gmmu_tier *u, const gmmu_tier_drv_in *in) {
    gmmu_tier_drv_out out = {};
    const gmmu_side_now now = gmmu_tier_now(u);
    if (in->op == GMMU_FILL && in->frame < u->regs.frames)
        fill_from_slot(u, in, &out);
    else if (in->op == GMMU_T2_SWAP && u->place.slots.n != 0)
        swap(u, in, &out);
    else
        out = gmmu_tier_place_drv(&u->place, &u->regs, &u->frames, &u->faults, in, &now);
    return out;
}

gmmu_tier_drv_out gmmu_tier_drv(gmmu_tier *u, gmmu_tier_drv_in in) {
    return gmmu_tier_drv_inline(u, &in);
}

bool gmmu_tier_age(gmmu_tier *u, uint32_t *index) {
    const uint32_t own = u->cfg.frames + u->cfg.faults, time = u->walk.time;
    const bool clamped = gmmu_side_port_age(&u->side, &u->frames, &u->faults, time, index);
    return *index < own ? clamped : gmmu_tier_place_age(&u->place, *index - own, time);
}

gmmu_scrubbed gmmu_tier_scrub(gmmu_tier *u, unsigned *record, unsigned *exported) {
    const gmmu_scrubbed did = gmmu_trace_sampler_scrub(&u->sampler, u->walk.time);
    gmmu_tier_count_fed(
        u, gmmu_record_feed_scrubbed(&u->feed, &u->rit_export, &u->regs, &did, u->walk.time),
        record, exported);
    u->scrub_owed = false;
    return did;
}

bool gmmu_tier_scrub_due(const gmmu_tier *u) {
    return u->scrub_owed || gmmu_trace_sampler_pass_left(&u->sampler) > 0;
}

uint32_t gmmu_tier_thresh(gmmu_tier *u) {
    return gmmu_trace_sampler_thresh(&u->sampler);
}

bool gmmu_tier_flush_row(gmmu_tier *u, unsigned row, uint32_t asid) {
    if (row == 0)
        gmmu_fault_queue_flush(&u->faults.queue);
    const bool gone = gmmu_ref_rit_flush(&u->rit, row, asid);
    if (gone) {
        const gmmu_class nobody = {(uint16_t)row, u->rit.way[row].gen};
        gmmu_ppuc_forget(&u->ppuc, row);
        gmmu_rit_export_name(&u->rit_export, nobody, 0, 0);
    }
    u->stats.flushes += row + 1 == u->cfg.classes;
    return gone;
}

void gmmu_tier_forget(gmmu_tier *u, bool going) {
    if (u->cfg.t2_slots != 0)
        gmmu_tier_predict_forget(&u->place.predict, going);
}

void gmmu_tier_flush(gmmu_tier *u, uint32_t asid) {
    gmmu_tier_forget(u, true);
    gmmu_tier_forget(u, false);
    for (unsigned row = 0; row < u->cfg.classes; row++) (void)gmmu_tier_flush_row(u, row, asid);
}

gmmu_rit_learnt gmmu_tier_learn(gmmu_tier *u, unsigned queue) {
    return gmmu_ref_rit_learn(&u->rit, gmmu_record_feed_take(&u->feed, queue));
}

void gmmu_tier_clear(gmmu_tier *u, unsigned row) {
    gmmu_ref_rit_clear(&u->rit, row);
}

void gmmu_tier_halve(gmmu_tier *u, unsigned row) {
    gmmu_ref_rit_halve(&u->rit, row);
}

void gmmu_tier_refresh(gmmu_tier *u, unsigned row) {
    const gmmu_class cls = {(uint16_t)row, u->rit.way[row].gen};
    gmmu_ppuc_refresh(&u->ppuc, cls, gmmu_ref_rit_refresh(&u->rit, row), &u->rit.row[0],
                      u->regs.pseudo);
}

bool gmmu_tier_install(gmmu_tier *u) {
    return gmmu_ppuc_install(&u->ppuc, gmmu_ref_rit_current(&u->rit, u->ppuc.engine.cls));
}

// Is FRAME a candidate? In a forced search a fresh frame is one, too.
static bool eligible_by(const gmmu_tier *u, uint32_t frame) {
    return u->select.forced ? gmmu_frame_table_forcible(&u->frames.table, frame)
                            : gmmu_frame_table_eligible(&u->frames.table, frame);
}

bool gmmu_tier_offer(gmmu_tier *u, uint32_t frame, uint16_t priority, bool *guarded) {
    const bool is = gmmu_frame_store_guards(&u->frames, frame, u->walk.time);
    const gmmu_frame_seen seen = u->frames.table.seen[frame];
    gmmu_victim_cand c = {
        .frame = frame, .last = seen.last, .priority = priority | (is ? GMMU_GUARDED : 0)};
    const bool eligible = eligible_by(u, frame);
    if (seen.fresh && eligible)
        c.priority = GMMU_LAST_RESORT;
    (void)gmmu_victim_select_next(&u->select, u->regs.frames);
    if (seen.fresh && !seen.pinned && !eligible)
        gmmu_victim_select_over_fresh(&u->select);
    gmmu_victim_select_offer(&u->select, c, eligible, u->regs.frames);
    if (guarded != NULL)
        *guarded = is;
    return eligible;
}

// CAND of FRAME of FT, before the offer to the search.
static inline gmmu_tier_cand_out scored(const gmmu_tier *u, const gmmu_frame_table *ft,
                                        uint32_t frame) {
    const gmmu_class cls = gmmu_frame_table_class(ft, frame);
    gmmu_tier_cand_out out = {.eligible = gmmu_frame_table_eligible(ft, frame),
                              .candidate = {.frame = frame, .last = ft->seen[frame].last}};
    out.row = gmmu_ppuc_serving_row(&u->ppuc, cls, gmmu_ref_rit_current(&u->rit, cls));
    out.candidate.priority = gmmu_ppuc_priority(
        &u->ppuc, out.row, (u->walk.time - out.candidate.last) & u->walk.time_mask);
    return out;
}

gmmu_tier_cand_out gmmu_tier_cand(gmmu_tier *u, uint32_t frame) {
    gmmu_tier_cand_out out = scored(u, &u->frames.table, frame);
    out.eligible = eligible_by(u, frame);
    (void)gmmu_tier_offer(u, frame, (uint16_t)out.candidate.priority, &out.guarded);
    return out;
}

// After a HAND: if there is a candidate, the predictor is asked whether to keep the candidate.
static void took(gmmu_tier *u) {
    const gmmu_victim_cand *c = gmmu_victim_select_best(&u->select);
    if (c == NULL || u->regs.tier != GMMU_PLACE_REUSE)
        return;
    const gmmu_frame_page *page = &u->frames.table.page[c->frame];
    gmmu_tier_place_took(&u->place, page->asid, page->vpn);
}

gmmu_tier_hand_out gmmu_tier_hand(gmmu_tier *u, uint32_t frame) {
    const gmmu_searched all = gmmu_tier_searched(u);
    gmmu_tier_hand_out out = {0};
    const int was = gmmu_search_hand(&all, frame, &out.candidate);
    took(u);
    out.eligible = was >= 0;
    out.used = was == 0;
    return out;
}

// Does a round depend on fresh frames, so that each frame has its CAND? A forced search takes them,
// and a second round notes whether it passed over one.
static bool by_frames(const gmmu_tier *u) {
    return !u->select.clock && (u->select.rounds != 0 || u->select.forced);
}

// A search begins, unless one is under way: the search of an ASK with `force` is forced.
static void force(gmmu_tier *u) {
    if (u->select.rests)
        u->select.forced = gmmu_fault_queue_forced(&u->faults.queue);
}

void gmmu_tier_round(gmmu_tier *u) {
    force(u);
    const gmmu_searched all = gmmu_tier_searched(u);
    if (by_frames(u)) {
        do (void)gmmu_tier_cand(u, gmmu_victim_select_next(&u->select, u->regs.frames));
        while (u->select.active);
        return;
    }
    if (!u->select.clock) {
        gmmu_search_round(&all, NULL);
        return;
    }
    gmmu_search_hands(&all);
    took(u);
}

void gmmu_tier_round_best(gmmu_tier *u) {
    force(u);
    const gmmu_searched all = gmmu_tier_searched(u);
    if (by_frames(u) || !gmmu_scan_best_round(&u->scan, &all))
        gmmu_tier_round(u);
}

bool gmmu_tier_needs_no_search(const gmmu_tier *u, unsigned entry) {
    return gmmu_fault_unit_needs_no_search(&u->faults, entry, u->regs.frames);
}

gmmu_tier_decision gmmu_tier_decide(gmmu_tier *u) {
    const gmmu_tier_decision d = gmmu_fault_unit_decide(
        &u->faults, &u->frames, &u->select, u->regs.frames, u->regs.ahead, u->place.keep);
    const gmmu_fault *fault = d.ahead ? NULL : &u->faults.queue.fault[d.entry];
    u->stats.none += d.tier == GMMU_TIER_NONE && fault != NULL && !fault->filled;
    u->stats.none_fresh += d.fresh;
    u->stats.ahead += d.ahead && d.tier == GMMU_TIER_2;
    gmmu_tier_place_decided(&u->place, &d);
    if (u->regs.tier != GMMU_PLACE_NONE)
        gmmu_tier_place_begin(&u->place, &u->regs, &d, fault);
    return d;
}

gmmu_tp_answer gmmu_tier_foretell(gmmu_tier *u, unsigned kind) {
    return gmmu_tier_place_foretell(&u->place, kind, u->walk.time);
}

bool gmmu_tier_rise(gmmu_tier *u, uint32_t slot) {
    const bool rises = gmmu_tier_place_rise(&u->place, &u->regs, slot);
    u->stats.t2_stale += !rises;
    return rises;
}

gmmu_tier_cand_out gmmu_tier_cand2(gmmu_tier *u, uint32_t slot) {
    gmmu_tier2_table *t = &u->place.slots;
    gmmu_tier_cand_out out = scored(u, &t->slots.table, slot);
    out.eligible = gmmu_tier_place_eligible(&u->place, &u->faults.queue, slot);
    gmmu_tier2_table_offer(t, slot, (uint16_t)out.candidate.priority, out.eligible,
                           u->regs.t2_slots);
    return out;
}

void gmmu_tier_round2(gmmu_tier *u) {
    const gmmu_rank_at now = {&u->ppuc, u->walk.time, u->walk.time_mask};
    gmmu_tier2_table_round(&u->place.slots, &now, &u->faults.queue, u->regs.t2_slots);
}

gmmu_tier_decision gmmu_tier_placed(gmmu_tier *u) {
    bool none;
    const gmmu_tier_decision d =
        gmmu_tier_place_placed(&u->place, &u->regs, &u->frames, &u->faults.queue, &none);
    u->stats.t2_none += none;
    return d;
}

gmmu_tier_decision gmmu_tier_unplaced(gmmu_tier *u) {
    return gmmu_tier_placed(u);
}

void gmmu_tier_send(gmmu_tier *u, gmmu_rit_packet *out) {
    gmmu_rit_export_send(&u->rit_export, u->regs.rit_batch, u->walk.time, out);
}

gmmu_counters gmmu_tier_counters(const gmmu_tier *u) {
    gmmu_counters all = u->stats;
    all.rit_drops = u->rit_export.drops;
    all.hir_drops = u->hir.drops;
    all.hir_skipped = u->hir.skipped;
    all.stolen = u->sampler.stolen;
    return all;
}
