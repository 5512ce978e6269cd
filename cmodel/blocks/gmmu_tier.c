// SPDX-License-Identifier: Apache-2.0
// gmmu_tier.c: see gmmu_tier.h and docs/schedule.md.
#include "blocks/gmmu_tier.h"

#include <string.h>

static int init(gmmu_tier *u, const gmmu_config *cfg, gmmu_arena *arena) {
    const gmmu_hir_config hir = gmmu_config_hir(cfg);
    int bad = gmmu_frame_store_init(&u->frames, cfg, arena);
    bad |= gmmu_ref_rit_init(&u->rit, cfg, arena);
    bad |= gmmu_ppuc_init(&u->ppuc, cfg, arena);
    bad |=
        gmmu_trace_sampler_init(&u->sampler, cfg, cfg->sampler, cfg->sways, u->regs.sample, arena);
    bad |= gmmu_victim_select_init(&u->select, cfg, u->regs.search, arena);
    bad |= gmmu_rit_export_init(&u->rit_export, cfg, arena);
    bad |= gmmu_hir_cache_init(&u->hir, &hir, arena);
    bad |= gmmu_fault_unit_init(&u->faults, cfg, arena);
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
        u->regs.protect = 0;  // not in the RTL
}

static uint32_t limit_of(const gmmu_tier *u) {
    return (uint32_t)((uint64_t)u->regs.frames * u->regs.protect >> 8);
}

int gmmu_tier_init_beyond(gmmu_tier *u, const gmmu_config *cfg, const gmmu_regs *regs, void *mem,
                          size_t size) {
    gmmu_arena arena = {mem, size, 0};
    if (regs->frames < 1 || regs->frames > cfg->frames)
        return 1;
    memset(u, 0, sizeof *u);
    u->cfg = *cfg;
    set_regs(u, regs);
    gmmu_walk_pipe_init(&u->walk, cfg);
    gmmu_side_port_init(&u->side, cfg);
    const int bad = init(u, cfg, &arena);
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

void gmmu_tier_configure(gmmu_tier *u, const gmmu_regs *regs) {
    set_regs(u, regs);
    gmmu_victim_select_configure(&u->select, u->regs.search, u->regs.frames, true);
    if (limit_of(u) != u->frames.segment.limit)
        gmmu_segment_allow(&u->frames.segment, limit_of(u));
}

// Puts what became of a record into *RECORD and *EXPORTED, if not NULL, and counts a drop.
static void count_fed(gmmu_tier *u, gmmu_fed fed, unsigned *record, unsigned *exported) {
    u->stats.rec_drops += fed.record == GMMU_REC_DROPPED;
    if (record != NULL)
        *record = fed.record;
    if (exported != NULL)
        *exported = fed.exported;
}

// A walk on a page that is in FRAME.
static void walk_hit(gmmu_tier *u, const gmmu_tier_walk_in *in, gmmu_tier_walk_out *out) {
    const gmmu_mem_touch hit = {in->vpn, in->frame, in->asid, out->time, out->place.cls, in->write};
    const gmmu_stored_hit did = gmmu_frame_store_hit(&u->frames, &hit, u->regs.frames);
    out->reuse = did.reuse;
    out->touch = did.waits;
    u->stats.stale_hits += did.stale;
    u->stats.touch_drops += did.waits == GMMU_REC_DROPPED;
    out->hir = gmmu_hir_cache_hit(&u->hir, in->asid, in->vpn);
}

// A walk on a page that is in no frame.
static void walk_fault(gmmu_tier *u, const gmmu_tier_walk_in *in, gmmu_tier_walk_out *out) {
    const gmmu_fault_put put = gmmu_fault_queue_walk(&u->faults.queue, in->asid, in->vpn,
                                                     out->place.cls, in->write, out->time);
    out->fault = put.outcome;
    out->entry = put.entry;
    u->stats.merged += put.outcome == GMMU_FAULT_JOINED;
    u->stats.fault_drops += put.outcome == GMMU_FAULT_DROPPED;
    out->hir_due = gmmu_hir_cache_fault(&u->hir, u->regs.transfer);
    out->hir_swap =
        out->hir_due && gmmu_hir_cache_drain_swap(&u->hir, !in->hir_busy, &out->hir_packet);
}

gmmu_tier_walk_out gmmu_tier_walk(gmmu_tier *u, gmmu_tier_walk_in in) {
    gmmu_tier_walk_out out = {0};
    u->stats.walks++;
    const gmmu_walk_due due = gmmu_walk_pipe_step(&u->walk, u->regs.refresh);
    out.time = u->walk.time;
    out.place = gmmu_ref_rit_execute(&u->rit, in.asid, in.ref);
    if (out.place.allocated) {
        gmmu_ppuc_forget(&u->ppuc, out.place.cls.row);
        gmmu_rit_export_name(&u->rit_export, out.place.cls, in.asid, in.ref);
    }
    out.sampled =
        gmmu_trace_sampler_access(&u->sampler, in.asid, in.vpn, out.place.cls, out.time, in.stolen);
    if (in.fault)
        walk_fault(u, &in, &out);
    else
        walk_hit(u, &in, &out);
    gmmu_rit_event told;
    const bool tells = u->regs.rit_batch != 0;
    if (tells)
        told = (gmmu_rit_event){.access = true,
                                .fault = in.fault && u->regs.rit_fault,
                                .asid = in.asid,
                                .vpn = in.vpn,
                                .ref = in.ref,
                                .time = out.time};
    count_fed(u,
              gmmu_record_feed_walk(&u->feed, &u->rit_export, &u->regs, tells ? &told : NULL,
                                    &out.sampled, out.reuse),
              &out.record, &out.exported);
    if (due.refresh)
        gmmu_ref_rit_tick(&u->rit);
    u->scrub_owed |= due.scrub;
    u->side.age_owed |= due.age;
    return out;
}

gmmu_reuse gmmu_tier_touch(gmmu_tier *u, unsigned *record) {
    const gmmu_reuse was = gmmu_frame_store_touch(&u->frames);
    u->stats.stale_hits += !was.valid;
    count_fed(u, gmmu_record_feed_touch(&u->feed, &u->regs, was), record, NULL);
    return was;
}

gmmu_tier_drv_out gmmu_tier_drv(gmmu_tier *u, gmmu_tier_drv_in in) {
    const uint32_t time = u->walk.time;
    gmmu_tier_drv_out out = gmmu_side_port_drv(&u->frames, &u->faults, &in, u->regs.frames, time);
    u->stats.drv_errors += out.refused;
    u->stats.fault_drops += out.fault == GMMU_FAULT_DROPPED;
    count_fed(u, gmmu_record_feed_left(&u->feed, &u->rit_export, &u->regs, out.reuse, time),
              &out.record, &out.exported);
    return out;
}

bool gmmu_tier_age(gmmu_tier *u, uint32_t *index) {
    return gmmu_side_port_age(&u->side, &u->frames, &u->faults, u->walk.time, index);
}

gmmu_scrubbed gmmu_tier_scrub(gmmu_tier *u, unsigned *record, unsigned *exported) {
    const gmmu_scrubbed did = gmmu_trace_sampler_scrub(&u->sampler, u->walk.time);
    count_fed(u, gmmu_record_feed_scrubbed(&u->feed, &u->rit_export, &u->regs, &did, u->walk.time),
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

bool gmmu_tier_offer(gmmu_tier *u, uint32_t frame, uint16_t priority, bool *guarded) {
    const bool is = gmmu_frame_store_guards(&u->frames, frame, u->walk.time);
    const gmmu_victim_cand c = {.frame = frame,
                                .last = u->frames.table.seen[frame].last,
                                .priority = priority | (is ? GMMU_GUARDED : 0)};
    const bool eligible = gmmu_frame_table_eligible(&u->frames.table, frame);
    (void)gmmu_victim_select_next(&u->select, u->regs.frames);
    gmmu_victim_select_offer(&u->select, c, eligible, u->regs.frames);
    if (guarded != NULL)
        *guarded = is;
    return eligible;
}

// FRAME as a candidate.
static inline gmmu_tier_cand_out scored(const gmmu_tier *u, uint32_t frame) {
    const gmmu_class cls = gmmu_frame_table_class(&u->frames.table, frame);
    gmmu_tier_cand_out out = {
        .eligible = gmmu_frame_table_eligible(&u->frames.table, frame),
        .candidate = {.frame = frame, .last = u->frames.table.seen[frame].last}};
    out.row = gmmu_ppuc_serving_row(&u->ppuc, cls, gmmu_ref_rit_current(&u->rit, cls));
    out.candidate.priority = gmmu_ppuc_priority(
        &u->ppuc, out.row, (u->walk.time - out.candidate.last) & u->walk.time_mask);
    return out;
}

gmmu_tier_cand_out gmmu_tier_cand(gmmu_tier *u, uint32_t frame) {
    gmmu_tier_cand_out out = scored(u, frame);
    (void)gmmu_tier_offer(u, frame, (uint16_t)out.candidate.priority, &out.guarded);
    return out;
}

// What a round reads at each frame.
typedef struct {
    gmmu_victim_select *select;
    const gmmu_frame_seen *seen;
    gmmu_ppuc ppuc;
    gmmu_frame_store *frames;
    uint32_t time, time_mask;
    uint32_t worst;  // priority of the last of a full list
} round_view;

static inline __attribute__((always_inline)) void offer_one(round_view *r, uint32_t frame) {
    const gmmu_frame_seen f = r->seen[frame];
    uint32_t priority = gmmu_ppuc_priority_of(&r->ppuc, (gmmu_class){f.row, f.gen},
                                              (r->time - f.last) & r->time_mask);
    if (f.guarded && gmmu_frame_store_guards(r->frames, frame, r->time))
        priority |= GMMU_GUARDED;
    if (priority > r->worst)
        return;
    gmmu_victim_select *v = r->select;
    const gmmu_victim_cand c = {.frame = frame, .last = f.last, .priority = priority};
    if (f.valid && !f.pinned && !f.leaving &&
        (v->n < v->pool || gmmu_victim_select_before(v, &c, &v->list[v->n - 1])))
        gmmu_victim_select_insert(v, c);
    r->worst = v->n == v->pool ? v->list[v->n - 1].priority : UINT32_MAX;
}

void gmmu_tier_round(gmmu_tier *u) {
    gmmu_victim_select *v = &u->select;
    const uint32_t frames = u->regs.frames;
    (void)gmmu_victim_select_next(v, frames);
    round_view r = {.select = v,
                    .seen = u->frames.table.seen,
                    .ppuc = u->ppuc,
                    .frames = &u->frames,
                    .time = u->walk.time,
                    .time_mask = u->walk.time_mask,
                    .worst = UINT32_MAX};
    const uint32_t *kept = v->kept;
    for (unsigned i = v->kept_at; i < v->n_kept; i++) offer_one(&r, kept[i]);
    v->kept_at = v->n_kept;
    while (v->left != 0) {
        const uint32_t left = frames - v->hand, count = v->left < left ? v->left : left;
        for (uint32_t i = 0, first = v->hand; i < count; i++) offer_one(&r, first + i);
        v->hand = count == left ? 0 : v->hand + count;
        v->left -= count;
    }
    v->active = false;
    v->rounds++;
}

bool gmmu_tier_needs_no_search(const gmmu_tier *u, unsigned entry) {
    return gmmu_fault_unit_needs_no_search(&u->faults, entry, u->regs.frames);
}

gmmu_tier_decision gmmu_tier_decide(gmmu_tier *u) {
    const gmmu_tier_decision d =
        gmmu_fault_unit_decide(&u->faults, &u->frames, &u->select, u->regs.frames);
    u->stats.none += d.tier == GMMU_TIER_NONE && !u->faults.queue.fault[d.entry].filled;
    for (unsigned i = 0; i < u->select.n_kept; i++)  // the next search reads them first
        __builtin_prefetch(&u->frames.table.seen[u->select.kept[i]]);
    return d;
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
