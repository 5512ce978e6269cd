// SPDX-License-Identifier: Apache-2.0
// gmmu_tier.c: see gmmu_tier.h and docs/schedule.md.
#include "blocks/gmmu_tier.h"

#include <stdio.h>
#include <string.h>

enum { EARLY = 8192 };  // study.early: up to this walk

const gmmu_config *gmmu_config_find(const char *name) {
    for (const gmmu_config *c = gmmu_configs; c->name != NULL; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

static bool power_of_two(unsigned n) {
    return n != 0 && (n & (n - 1)) == 0;
}

static gmmu_hir_config hir_config(const gmmu_config *c) {
    return (gmmu_hir_config){c->hir_sets,  c->hir_ways, c->hir_pages,
                             c->hir_cnt_w, c->vpn_w,    c->asid_w};
}

const char *gmmu_config_error(const gmmu_config *c) {
    const gmmu_hir_config hir = hir_config(c);
    if (c->vpn_w < 1 || c->vpn_w > 64 || c->ref_w < 1 || c->ref_w > 64)
        return "VPN_W and REF_W must be 1..64";
    if (c->asid_w < 1 || c->asid_w > 32 || c->sm_w < 1 || c->sm_w > 32)
        return "ASID_W and SM_W must be 1..32";
    if (c->time_w < 8 || c->time_w > 32)
        return "TIME_W must be 8..32";
    // AGE comes every 2^(TIME_W-3) / FRAMES walks and takes up to 8 cycles
    if (c->frames < 1 || c->faults < 1 || gmmu_index_bits(c->frames) + 6 > c->time_w)
        return "FRAMES must be 1..2^(TIME_W-6), FAULTS at least 1";
    if (c->faults > c->frames && c->faults > 1)
        return "FAULTS must not exceed FRAMES";
    if (c->seq_w < 32 && c->faults >= 1u << c->seq_w)  // else their order is lost
        return "FAULTS must be below 2^SEQ_W";
    if (c->ways < 1 || c->classes % c->ways != 0 || !power_of_two(c->classes / c->ways))
        return "CLASSES must be WAYS times a power of two";
    // SCRUB comes every 2^(TIME_W-3) / SAMPLER walks and may take 258 cycles
    if (c->sways < 1 || c->sampler % c->sways != 0 || !power_of_two(c->sampler / c->sways) ||
        c->sampler < 8 || gmmu_index_bits(c->sampler) + 12 > c->time_w ||
        c->sampler / c->sways > 65536)
        return "SAMPLER must be SWAYS times a power of two, 8..2^(TIME_W-12)";
    const bool fine = c->study.octave == 8;  // for studies only
    if (c->bins < 16 || c->bins > (fine ? 160 : 116))
        return "BINS must be 16..116";
    if (c->cnt_w < 2 || c->cnt_w > 16 || c->exec_w < 2 || c->exec_w > 16 || c->gen_w < 1 ||
        c->gen_w > 16)
        return "CNT_W and EXEC_W must be 2..16, GEN_W 1..16";
    if (c->seq_w < 1 || c->seq_w > 32 || c->pool < 1)
        return "SEQ_W must be 1..32, POOL at least 1";
    if (c->k < 1)
        return "K must be at least 1";
    if (!power_of_two(c->recq) || !power_of_two(c->sideq) || c->recq < 4 || c->sideq < 4)
        return "RECQ and SIDEQ must be powers of two, at least 4";
    if (!power_of_two(c->touchq) || !power_of_two(c->lines) || c->touchq < 4 || c->lines < 4)
        return "TOUCHQ and LINES must be powers of two, at least 4";
    if (!power_of_two(c->ritq) || c->ritq < 4 || c->ritq > GMMU_RIT_BATCH)
        return "RITQ must be a power of two, 4..128";
    return gmmu_hir_config_error(&hir);
}

static int init(gmmu_tier *u, const gmmu_config *cfg, gmmu_arena *arena) {
    const unsigned size[GMMU_QUEUES] = {cfg->recq, cfg->sideq};
    int bad = gmmu_frame_table_init(&u->frames, cfg, arena);
    bad |= gmmu_frame_mem_init(&u->mem, cfg, arena);
    bad |= gmmu_ref_rit_init(&u->rit, cfg, arena);
    bad |= gmmu_ppuc_init(&u->ppuc, cfg, arena);
    bad |=
        gmmu_trace_sampler_init(&u->sampler, cfg, cfg->sampler, cfg->sways, u->regs.sample, arena);
    bad |= gmmu_victim_select_init(&u->select, cfg, u->regs.search, arena);
    bad |= gmmu_rit_export_init(&u->rit_export, cfg, arena);
    const gmmu_hir_config hir = hir_config(cfg);
    bad |= gmmu_hir_cache_init(&u->hir, &hir, arena);
    bad |= gmmu_fault_queue_init(&u->faults, cfg, arena);
    for (unsigned q = 0; q < GMMU_QUEUES; q++) {
        u->queue[q].size = size[q];
        u->queue[q].slot = gmmu_take(arena, size[q], sizeof *u->queue[q].slot);
        bad |= u->queue[q].slot == NULL;
    }
    return bad;
}

size_t gmmu_tier_bytes(const gmmu_config *cfg) {
    gmmu_tier u;
    gmmu_arena count = {0};
    memset(&u, 0, sizeof u);
    (void)init(&u, cfg, &count);
    return count.used;
}

int gmmu_tier_init(gmmu_tier *u, const gmmu_config *cfg, const gmmu_regs *regs, void *mem,
                   size_t size) {
    gmmu_arena arena = {mem, size, 0};
    if (gmmu_config_error(cfg) != NULL || regs->frames < 1 || regs->frames > cfg->frames)
        return 1;
    memset(u, 0, sizeof *u);
    u->cfg = *cfg;
    u->regs = *regs;
    if (cfg->frame_mem)
        u->regs.search = GMMU_SEARCH_SAMPLE;  // a scan would read the whole memory
    u->time_mask = (uint32_t)((1ull << cfg->time_w) - 1);
    return init(u, cfg, &arena);
}

uint32_t gmmu_tier_age_every(const gmmu_config *cfg) {
    // One round over FRAMES + FAULTS <= 2^(index bits + 1) stamps in at most 2^(TIME_W-2) walks.
    return 1u << (cfg->time_w - 3 - gmmu_index_bits(cfg->frames));
}

uint32_t gmmu_tier_scrub_every(const gmmu_config *cfg) {
    // Each entry is seen every 2^(TIME_W-3) walks: no stamp outlives 2^(TIME_W-1), delays included.
    return 1u << (cfg->time_w - 3 - gmmu_index_bits(cfg->sampler));
}

bool gmmu_tier_scrub_due(const gmmu_tier *u) {
    return u->scrub_owed || gmmu_trace_sampler_pass_left(&u->sampler) > 0;
}

static uint32_t age_limit(const gmmu_tier *u) {
    return 1u << (u->cfg.time_w - 2);
}

static bool credit(const gmmu_tier *u) {
    return u->regs.frames > u->resident + u->claims;
}

// Puts a record into a queue; a full queue drops it. Censored ones only if they are wanted.
static unsigned enqueue(gmmu_tier *u, unsigned queue, gmmu_rit_record rec) {
    gmmu_record_queue *q = &u->queue[queue];
    if (rec.censored && !u->regs.censor)
        return GMMU_REC_NONE;
    if (q->n == q->size) {
        u->stats.rec_drops++;
        return GMMU_REC_DROPPED;
    }
    q->slot[(q->head + q->n++) % q->size] = rec;
    return GMMU_REC_QUEUED;
}

// A censored record beside the walks, for the host.
static unsigned export_side(gmmu_tier *u, gmmu_rit_record rec) {
    gmmu_rit_event ev = {.time = u->time};
    if (!u->regs.censor || u->regs.rit_batch == 0)
        return GMMU_RIT_NONE;
    gmmu_rit_export_record(&u->rit_export, rec, &ev);
    return gmmu_rit_export_put(&u->rit_export, &ev);
}

// A walk and its record REC (NULL: none), for the host.
static unsigned export_walk(gmmu_tier *u, const gmmu_tier_walk_in *in, const gmmu_rit_record *rec) {
    gmmu_rit_event ev = {.access = true,
                         .fault = in->fault && u->regs.rit_fault,
                         .asid = in->asid,
                         .vpn = in->vpn,
                         .ref = in->ref,
                         .time = u->time};
    if (u->regs.rit_batch == 0 || (rec == NULL && !ev.fault))
        return GMMU_RIT_NONE;
    if (rec != NULL)
        gmmu_rit_export_record(&u->rit_export, *rec, &ev);
    return gmmu_rit_export_put(&u->rit_export, &ev);
}

// A request for a fault: where it went, and in which entry.
static unsigned count_put(gmmu_tier *u, gmmu_fault_put put, unsigned *entry) {
    u->stats.fault_drops += put.outcome == GMMU_FAULT_DROPPED;
    *entry = put.entry;
    return put.outcome;
}

// A hit whose frame lies in memory: noted now, done by TOUCH.
static unsigned note_hit(gmmu_tier *u, const gmmu_tier_walk_in *in, gmmu_class cls) {
    const gmmu_mem_touch t = {in->vpn, in->frame, in->asid, u->time, cls, in->write};
    if (in->frame >= u->regs.frames) {
        u->stats.stale_hits++;
        return GMMU_REC_NONE;
    }
    if (gmmu_frame_mem_note(&u->mem, t))
        return GMMU_REC_QUEUED;
    u->stats.touch_drops++;
    return GMMU_REC_DROPPED;
}

// The driver's records of hits: HIT, or FAULT with the DRAIN_SWAP that it may make due.
static void record_for_driver(gmmu_tier *u, const gmmu_tier_walk_in *in, gmmu_tier_walk_out *out) {
    if (in->fault) {
        out->hir_due = gmmu_hir_cache_fault(&u->hir, u->regs.transfer);
        out->hir_swap =
            out->hir_due && gmmu_hir_cache_drain_swap(&u->hir, !in->hir_busy, &out->hir_packet);
    } else {
        out->hir = gmmu_hir_cache_hit(&u->hir, in->asid, in->vpn);
    }
}

gmmu_tier_walk_out gmmu_tier_walk(gmmu_tier *u, gmmu_tier_walk_in in) {
    gmmu_tier_walk_out out = {0};
    u->stats.walks++;
    u->time = (u->time + 1) & u->time_mask;
    out.time = u->time;
    out.place = gmmu_ref_rit_execute(&u->rit, in.asid, in.ref);
    if (out.place.allocated) {
        gmmu_ppuc_forget(&u->ppuc, out.place.cls.row);
        gmmu_rit_export_name(&u->rit_export, out.place.cls, in.asid, in.ref);
    }
    out.sampled =
        gmmu_trace_sampler_access(&u->sampler, in.asid, in.vpn, out.place.cls, u->time, in.stolen);
    if (!in.fault && u->cfg.frame_mem) {
        out.touch = note_hit(u, &in, out.place.cls);
    } else if (!in.fault) {
        out.reuse = gmmu_frame_table_hit(&u->frames, in.frame, in.asid, in.vpn, out.place.cls,
                                         in.write, u->time);
        u->stats.stale_hits += !out.reuse.valid;
    } else {
        const gmmu_fault_put put =
            gmmu_fault_queue_walk(&u->faults, in.asid, in.vpn, out.place.cls, in.write, u->time);
        out.fault = count_put(u, put, &out.entry);
        u->stats.merged += put.outcome == GMMU_FAULT_JOINED;
    }
    record_for_driver(u, &in, &out);
    const bool sampling = u->regs.feed == GMMU_FEED_SAMPLER;
    const gmmu_rit_record seen = {out.reuse.cls, out.reuse.interval, false};
    const gmmu_rit_record rec = sampling ? out.sampled.rec : seen;
    const bool fresh =
        (sampling ? out.sampled.record : out.reuse.valid) && (!rec.censored || u->regs.censor);
    if (fresh)
        out.record = enqueue(u, GMMU_QUEUE_WALK, rec);
    out.exported = export_walk(u, &in, fresh ? &rec : NULL);
    if ((u->time & (gmmu_tier_scrub_every(&u->cfg) - 1)) == 0)
        u->scrub_owed = true;
    const unsigned early = u->stats.walks <= EARLY ? u->cfg.study.early : 0;
    if ((u->time & ((1u << (early != 0 ? early : u->regs.refresh)) - 1)) == 0)
        gmmu_ref_rit_tick(&u->rit);
    if ((u->time & (gmmu_tier_age_every(&u->cfg) - 1)) == 0)
        u->age_owed = true;
    return out;
}

gmmu_reuse gmmu_tier_touch(gmmu_tier *u, unsigned *record) {
    const gmmu_reuse was = gmmu_frame_mem_touch(&u->mem, &u->frames);
    unsigned queued = GMMU_REC_NONE;
    u->stats.stale_hits += !was.valid;
    if (was.valid && u->regs.feed == GMMU_FEED_RESIDENT) {
        const gmmu_rit_record rec = {was.cls, was.interval, false};
        queued = enqueue(u, GMMU_QUEUE_WALK, rec);
    }
    if (record != NULL)
        *record = queued;
    return was;
}

// What a page that leaves teaches: it was not reused up to its age.
static void leave(gmmu_tier *u, gmmu_tier_drv_out *out) {
    if (!out->reuse.valid)
        return;
    if (!out->reuse.was_leaving)
        u->resident--;
    if (u->regs.feed == GMMU_FEED_RESIDENT) {
        const gmmu_rit_record rec = {out->reuse.cls, out->reuse.interval, true};
        out->record = enqueue(u, GMMU_QUEUE_SIDE, rec);
        out->exported = export_side(u, rec);
    }
}

static void drv_fill(gmmu_tier *u, const gmmu_tier_drv_in *in, gmmu_tier_drv_out *out) {
    gmmu_frame page = {.vpn = in->vpn, .asid = in->asid, .last = u->time, .dirty = in->dirty};
    const gmmu_fault_found f = gmmu_fault_queue_fill(&u->faults, in->asid, in->vpn);
    if (f.fault.valid) {
        page.cls = f.fault.cls;
        page.last = f.fault.last;
        page.dirty |= f.fault.dirty;
        out->entry_hit = true;
        out->entry = f.entry;
        u->claims -= f.fault.decided;
    }
    out->reuse = gmmu_frame_table_fill(&u->frames, in->frame, page, u->time);
    leave(u, out);
    u->resident++;
}

static void drv_cancel(gmmu_tier *u, const gmmu_tier_drv_in *in, gmmu_tier_drv_out *out) {
    gmmu_frame *f = &u->frames.frame[in->frame];
    const gmmu_fault_found found = gmmu_fault_queue_cancel(&u->faults, in->asid, in->vpn);
    out->entry_hit = found.fault.decided;
    out->entry = out->entry_hit ? found.entry : 0;
    out->refused = !f->leaving && !out->entry_hit;
    u->claims -= out->entry_hit;
    if (f->leaving) {
        f->leaving = false;
        u->resident++;
    }
}

gmmu_tier_drv_out gmmu_tier_drv(gmmu_tier *u, gmmu_tier_drv_in in) {
    gmmu_tier_drv_out out = {0};
    if (in.op < GMMU_FILL || in.op > GMMU_ASK ||
        (in.op != GMMU_ASK && in.frame >= u->regs.frames)) {
        out.refused = true;
    } else if (in.op == GMMU_FILL) {
        drv_fill(u, &in, &out);
    } else if (in.op == GMMU_FREE) {
        out.reuse = gmmu_frame_table_free(&u->frames, in.frame, u->time);
        leave(u, &out);
    } else if (in.op == GMMU_PIN || in.op == GMMU_UNPIN) {
        u->frames.frame[in.frame].pinned = in.op == GMMU_PIN && u->frames.frame[in.frame].valid;
    } else if (in.op == GMMU_CANCEL) {
        drv_cancel(u, &in, &out);
    } else {
        out.fault =
            count_put(u, gmmu_fault_queue_ask(&u->faults, in.asid, in.vpn, u->time), &out.entry);
    }
    u->stats.drv_errors += out.refused;
    return out;
}

bool gmmu_tier_age(gmmu_tier *u, uint32_t *index) {
    const uint32_t i = u->age_next;
    bool clamped = false;
    *index = i;
    if (i < u->cfg.frames) {
        clamped = gmmu_frame_table_age(&u->frames, i, u->time, age_limit(u));
    } else {
        clamped = gmmu_fault_queue_age(&u->faults, i - u->cfg.frames, u->time, age_limit(u));
    }
    u->age_next = i + 1 == u->cfg.frames + u->cfg.faults ? 0 : i + 1;
    u->age_owed = false;
    return clamped;
}

gmmu_scrubbed gmmu_tier_scrub(gmmu_tier *u, unsigned *record, unsigned *exported) {
    const gmmu_scrubbed did = gmmu_trace_sampler_scrub(&u->sampler, u->time);
    unsigned queued = GMMU_REC_NONE, sent = GMMU_RIT_NONE;
    if (did.removed && u->regs.feed == GMMU_FEED_SAMPLER) {
        queued = enqueue(u, GMMU_QUEUE_SIDE, did.rec);
        sent = export_side(u, did.rec);
    }
    if (exported != NULL)
        *exported = sent;
    if (record != NULL)
        *record = queued;
    u->scrub_owed = false;
    return did;
}

uint32_t gmmu_tier_thresh(gmmu_tier *u) {
    return gmmu_trace_sampler_thresh(&u->sampler);
}

gmmu_rit_learnt gmmu_tier_learn(gmmu_tier *u, unsigned queue) {
    gmmu_record_queue *q = &u->queue[queue];
    const gmmu_rit_record rec = q->slot[q->head];
    q->head = (q->head + 1) % q->size;
    q->n--;
    return gmmu_ref_rit_learn(&u->rit, rec);
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

gmmu_tier_cand_out gmmu_tier_cand(gmmu_tier *u, uint32_t frame) {
    const gmmu_frame *f = &u->frames.frame[frame];
    gmmu_tier_cand_out out = {.eligible = gmmu_frame_table_eligible(&u->frames, frame)};
    (void)gmmu_victim_select_next(&u->select, u->regs.frames);
    out.row = gmmu_ppuc_serving_row(&u->ppuc, f->cls, gmmu_ref_rit_current(&u->rit, f->cls));
    out.candidate.frame = frame;
    out.candidate.last = f->last;
    out.candidate.priority =
        gmmu_ppuc_priority(&u->ppuc, out.row, (u->time - f->last) & u->time_mask);
    gmmu_victim_select_offer(&u->select, out.candidate, out.eligible, u->regs.frames);
    return out;
}

bool gmmu_tier_needs_no_search(const gmmu_tier *u, unsigned entry) {
    return u->faults.fault[entry].filled || credit(u);
}

gmmu_tier_decision gmmu_tier_decide(gmmu_tier *u) {
    const unsigned i = (unsigned)gmmu_fault_queue_head(&u->faults);
    const gmmu_fault *f = &u->faults.fault[i];
    const gmmu_victim_cand *best = gmmu_victim_select_best(&u->select);
    gmmu_tier_decision d = {
        .vpn = f->vpn, .asid = f->asid, .seq = f->seq, .entry = i, .tier = GMMU_TIER_NONE};
    bool ends = f->filled;
    if (ends) {
        d.tier = GMMU_TIER_NONE;
    } else if (credit(u)) {
        d.tier = GMMU_TIER_FREE;
    } else if (best == NULL && u->select.rounds < GMMU_SEARCH_ROUNDS) {
        d.tier = GMMU_TIER_RETRY;  // the credit that it came for is gone
        return d;
    } else if (best == NULL) {
        ends = true;
        u->stats.none++;
    } else {
        gmmu_frame *v = &u->frames.frame[best->frame];
        d.frame = best->frame;
        d.priority = best->priority;
        if (gmmu_frame_table_eligible(&u->frames, best->frame) && v->last == best->last) {
            d.tier = GMMU_TIER_2;
            d.victim_vpn = v->vpn;
            d.victim_asid = v->asid;
            d.victim_dirty = v->dirty || u->mem.lost;
            v->leaving = true;
            u->resident--;
            gmmu_victim_select_drop_best(&u->select);
        } else {
            d.tier = GMMU_TIER_RETRY;
            gmmu_victim_select_drop_best(&u->select);
            return d;
        }
    }
    gmmu_victim_select_end(&u->select);
    if (ends) {
        gmmu_fault_queue_give_up(&u->faults);
    } else {
        gmmu_fault_queue_decide(&u->faults);
        u->claims++;
    }
    return d;
}

void gmmu_tier_send(gmmu_tier *u, gmmu_rit_packet *out) {
    gmmu_rit_export_send(&u->rit_export, u->regs.rit_batch, u->time, out);
}

// The batches that are due: after each action that may make one so.
static void send_due(gmmu_tier *u) {
    gmmu_rit_packet packet;
    while (u->regs.rit_batch != 0 && gmmu_rit_export_due(&u->rit_export, u->regs.rit_batch)) {
        gmmu_tier_send(u, &packet);
        if (u->rit_sink != NULL)
            u->rit_sink(u->rit_ctx, &packet);
    }
}

// Decides the oldest undecided fault: step 2 of the standard schedule.
static gmmu_tier_decision decide_one(gmmu_tier *u, unsigned entry) {
    const gmmu_victim_select *v = &u->select;
    gmmu_tier_decision d;
    do {
        while (!gmmu_tier_needs_no_search(u, entry) && gmmu_victim_select_best(v) == NULL &&
               v->rounds < GMMU_SEARCH_ROUNDS)
            do (void)gmmu_tier_cand(u, gmmu_victim_select_next(&u->select, u->regs.frames));
            while (v->active);
        d = gmmu_tier_decide(u);
    } while (d.tier == GMMU_TIER_RETRY);
    return d;
}

// All records, with what they make owed: step 3.
static void learn_all(gmmu_tier *u) {
    for (bool more = true; more;) {
        more = false;
        for (unsigned r = 0; r < u->cfg.classes && u->rit.owing; r++)
            if (u->rit.row[r].clear_owed)
                gmmu_tier_clear(u, r);
        for (unsigned r = 0; r < u->cfg.classes && u->rit.owing; r++)
            if (u->rit.row[r].halve_owed)
                gmmu_tier_halve(u, r);
        u->rit.owing = false;
        for (unsigned q = 0; q < GMMU_QUEUES && !more; q++)
            if (u->queue[q].n > 0) {
                (void)gmmu_tier_learn(u, q);
                more = true;
            }
    }
}

// Pending rows in turn: step 5. With study.engine INSTALL comes that many walks after REFRESH.
static void refresh_all(gmmu_tier *u) {
    const unsigned walks = u->cfg.study.engine;
    int row;
    do {
        if (u->ppuc.engine.busy) {
            if (u->stats.walks - u->refreshed < walks)
                return;
            (void)gmmu_tier_install(u);
        }
        row = u->rit.waiting ? gmmu_ref_rit_due(&u->rit) : -1;
        u->rit.waiting = row >= 0;
        if (row >= 0) {
            gmmu_tier_refresh(u, (unsigned)row);
            u->refreshed = u->stats.walks;
        }
    } while (row >= 0);
}

void gmmu_tier_settle(gmmu_tier *u, gmmu_tier_sink *sink, void *ctx) {
    uint32_t index;
    while (u->mem.n > 0) (void)gmmu_tier_touch(u, NULL);
    send_due(u);
    if (u->age_owed)
        (void)gmmu_tier_age(u, &index);
    for (int i = gmmu_fault_queue_head(&u->faults); i >= 0;) {
        const gmmu_tier_decision d = decide_one(u, (unsigned)i);
        sink(ctx, &d);
        i = gmmu_fault_queue_head(&u->faults);
    }
    learn_all(u);
    if (gmmu_trace_sampler_thresh_owed(&u->sampler))
        (void)gmmu_tier_thresh(u);
    while (gmmu_tier_scrub_due(u)) {
        (void)gmmu_tier_scrub(u, NULL, NULL);
        send_due(u);
        learn_all(u);
    }
    refresh_all(u);
}
