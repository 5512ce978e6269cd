// SPDX-License-Identifier: Apache-2.0
// gmmu_tier.h: twin of rtl/gmmu_tier.v: the whole unit, one function per action.
//
// The actions and their results are defined in docs/guide/schedule.md. Each one is put together
// from what the unit's parts do, which have headers of their own.
#ifndef GMMU_TIER_H
#define GMMU_TIER_H

#include <string.h>

#include "blocks/config.h"
#include "blocks/fault_unit.h"
#include "blocks/frame_store.h"
#include "blocks/hir_cache.h"
#include "blocks/ppuc.h"
#include "blocks/range_dir.h"
#include "blocks/record_feed.h"
#include "blocks/ref_rit.h"
#include "blocks/rit_export.h"
#include "blocks/scan_best.h"
#include "blocks/search_round.h"
#include "blocks/side_port.h"
#include "blocks/tier_place.h"
#include "blocks/trace_sampler.h"
#include "blocks/victim_select.h"
#include "blocks/walk_pipe.h"

#ifdef __cplusplus
extern "C" {
#endif

// A walk, as on s_axis_walk.
typedef struct {
    uint64_t vpn, ref;
    uint32_t asid, frame;
    bool write, fault;
    bool stolen;    // not an input of the unit: the RTL says that a SCRUB took the sampler's slot
    bool no_row;    // likewise: that a FLUSH took the directory's slot: it has row 0
    bool hir_busy;  // likewise: that the packet before has not left m_axis_hir yet
    bool t2;        // fault: the page is in SLOT of Tier 2
    uint32_t slot;
} gmmu_tier_walk_in;

typedef struct {
    uint32_t time;
    gmmu_rit_place place;
    gmmu_reuse reuse;  // valid: the frame held the page
    gmmu_sampled sampled;
    unsigned record;    // GMMU_REC_*
    unsigned touch;     // GMMU_REC_*: frame_mem: of the hit, which waits for its TOUCH
    unsigned fault;     // GMMU_FAULT_*
    unsigned entry;     // of the fault, when queued or joined
    unsigned exported;  // GMMU_RIT_*
    unsigned hir;       // of a hit: GMMU_HIR_*
    bool hir_due;       // of a fault: DRAIN_SWAP was due,
    bool hir_swap;      // and closed HIR_PACKET, whose records are there until the next one
    gmmu_hir_packet hir_packet;
} gmmu_tier_walk_out;

typedef struct {
    bool eligible;
    bool guarded;  // it is protected, and to be left alone
    unsigned row;  // the row that served it
    gmmu_victim_cand candidate;
} gmmu_tier_cand_out;

typedef struct {
    bool eligible;
    bool used;                   // it was hit since it was filled or passed; it is passed now
    gmmu_victim_cand candidate;  // if neither
} gmmu_tier_hand_out;

typedef void gmmu_rit_sink(void *ctx, const gmmu_rit_packet *p);

typedef struct {
    gmmu_config cfg;
    gmmu_regs regs;
    gmmu_walk_pipe walk;
    gmmu_side_port side;
    gmmu_frame_store frames;
    gmmu_fault_unit faults;
    gmmu_record_feed feed;
    gmmu_ref_rit rit;
    gmmu_ppuc ppuc;
    gmmu_trace_sampler sampler;
    gmmu_hir_cache hir;
    gmmu_victim_select select;
    gmmu_scan_best scan;
    gmmu_tier_place place;
    gmmu_rit_export rit_export;
    gmmu_range_dir range;  // with RANGES alone
    gmmu_range_beat *range_beats;
    gmmu_rit_sink *rit_sink;  // takes the batches of the standard schedule; may be NULL
    void *rit_ctx;
    bool scrub_owed;
    bool hir_unheard;     // nobody listens to m_axis_hir: nothing is recorded for it
    gmmu_counters stats;  // but for what its blocks count: gmmu_tier_counters
} gmmu_tier;

// Bytes that gmmu_tier_init needs for CFG.
size_t gmmu_tier_bytes(const gmmu_config *cfg);
// Resets the unit into MEM. Nonzero: SIZE is too small or CFG is not legal (gmmu_config_error).
int gmmu_tier_init(gmmu_tier *u, const gmmu_config *cfg, const gmmu_regs *regs, void *mem,
                   size_t size);
// The same for a CFG of which the caller knows that the twin can do it, though the RTL cannot.
int gmmu_tier_init_beyond(gmmu_tier *u, const gmmu_config *cfg, const gmmu_regs *regs, void *mem,
                          size_t size);
// SHARE / 256 of the enabled frames may be protected from now on; 0: none are. It is cfg_protect's
// effect (action ALLOW), which gmmu_tier_init and gmmu_tier_configure have too, but frame_mem's: of
// this the RTL knows nothing.
void gmmu_tier_protect(gmmu_tier *u, unsigned share);
// Other cfg_tier_model, cfg_tier_near and cfg_tier_far, at any time.
void gmmu_tier_foresee(gmmu_tier *u, bool model, uint32_t near, uint32_t far);
// Other registers, at any time, of those that may change then (docs/reference/registers.md, "+N"):
// the actions from here on are by them.
void gmmu_tier_change(gmmu_tier *u, const gmmu_regs *regs);
// Other registers (but cfg_sample), while nothing is under way or owed.
void gmmu_tier_configure(gmmu_tier *u, const gmmu_regs *regs);

// ---- actions
gmmu_tier_walk_out gmmu_tier_walk(gmmu_tier *u, gmmu_tier_walk_in in);
// frame_mem: the oldest hit that waits takes effect. RECORD, if not NULL: GMMU_REC_* of it.
gmmu_reuse gmmu_tier_touch(gmmu_tier *u, unsigned *record);
gmmu_tier_drv_out gmmu_tier_drv(gmmu_tier *u, gmmu_tier_drv_in in);
// One visit of the sampler's table. RECORD, if not NULL: GMMU_REC_* of what it removed; EXPORTED
// likewise GMMU_RIT_*.
gmmu_scrubbed gmmu_tier_scrub(gmmu_tier *u, unsigned *record, unsigned *exported);
uint32_t gmmu_tier_thresh(gmmu_tier *u);
// FLUSH of ROW, in the order of rows, the last of which is a flush's end. True: it was of ASID.
bool gmmu_tier_flush_row(gmmu_tier *u, unsigned row, uint32_t asid);
// With a flush the predictor's entries go, of all address spaces: GOING as it begins, else as it is
// over, until when no page gets one.
void gmmu_tier_forget(gmmu_tier *u, bool going);
// All of them: what was learnt from ASID is taken away, but for its part in row 0.
void gmmu_tier_flush(gmmu_tier *u, uint32_t asid);
// True: a time stamp was clamped. *INDEX is the frame, or FRAMES + the fault entry, or FRAMES +
// FAULTS + the slot, or behind these the predictor's entry, for which a FORETELL is owed then.
bool gmmu_tier_age(gmmu_tier *u, uint32_t *index);
gmmu_rit_learnt gmmu_tier_learn(gmmu_tier *u, unsigned queue);
void gmmu_tier_clear(gmmu_tier *u, unsigned row);
void gmmu_tier_halve(gmmu_tier *u, unsigned row);
void gmmu_tier_refresh(gmmu_tier *u, unsigned row);
bool gmmu_tier_install(gmmu_tier *u);
gmmu_tier_cand_out gmmu_tier_cand(gmmu_tier *u, uint32_t frame);
// Search clock: the hand comes by FRAME.
gmmu_tier_hand_out gmmu_tier_hand(gmmu_tier *u, uint32_t frame);
// CAND of every frame of a round, the one under way or a new one; search clock: HANDs.
void gmmu_tier_round(gmmu_tier *u);
// The same for who decides at once: of a scan the best candidate alone.
void gmmu_tier_round_best(gmmu_tier *u);
// What a round searches.
static inline gmmu_searched gmmu_tier_searched(gmmu_tier *u) {
    return (gmmu_searched){
        &u->select, &u->frames, u->regs.frames, {&u->ppuc, u->walk.time, u->walk.time_mask}, false};
}
// The second half of CAND, for those who have a PRIORITY of their own. True: FRAME is eligible.
// *GUARDED, if not NULL: it is protected, and to be left alone.
bool gmmu_tier_offer(gmmu_tier *u, uint32_t frame, uint16_t priority, bool *guarded);
gmmu_tier_decision gmmu_tier_decide(gmmu_tier *u);
void gmmu_tier_send(gmmu_tier *u, gmmu_rit_packet *out);  // at least one record waits

// RANGE: an operation on a range of memory; the beats of its packet, which stand in
// u->range_beats until the next one. It has to do with no other action. Only with RANGES.
uint32_t gmmu_tier_range(gmmu_tier *u, gmmu_range_op op);
// Another cfg_range_bytes, at any time.
void gmmu_tier_range_limit(gmmu_tier *u, uint64_t bytes);

// ---- actions on a decision that waits for its place, with tiers: FORETELL, RISE, CAND2, PLACE
// The owed operation KIND of the predictor: GMMU_TP_….
gmmu_tp_answer gmmu_tier_foretell(gmmu_tier *u, unsigned kind);
// The faulting page leaves SLOT, which u->place.slot is, if that holds it. True: it does.
bool gmmu_tier_rise(gmmu_tier *u, uint32_t slot);
// The slot that is next is gmmu_victim_select_next of u->place.slots.select. CAND2 of every slot of
// a round.
gmmu_tier_cand_out gmmu_tier_cand2(gmmu_tier *u, uint32_t slot);
void gmmu_tier_round2(gmmu_tier *u);
// PLACE. RETRY: a search is needed, or its best is gone; else the whole decision, as it leaves.
gmmu_tier_decision gmmu_tier_placed(gmmu_tier *u);
// A decision FREE as it leaves, after its FORETELL and RISE: no action.
gmmu_tier_decision gmmu_tier_unplaced(gmmu_tier *u);

// ---- what a schedule needs to know
// Does a decision wait for its place?
static inline bool gmmu_tier_placing(const gmmu_tier *u) {
    return (u->place.owed & GMMU_OWES_PLACE) != 0;
}
static inline bool gmmu_tier_foretell_owed(const gmmu_tier *u, unsigned kind) {
    return gmmu_tier_place_foretell_owed(&u->place, kind);
}
static inline bool gmmu_tier_rise_owed(const gmmu_tier *u) {
    return (u->place.owed & GMMU_OWES_RISE) != 0;
}
// Does PLACE need a round of CAND2 first?
static inline bool gmmu_tier_needs_cand2(const gmmu_tier *u) {
    return gmmu_tier_placing(u) && gmmu_tier_place_needs_search(&u->place, &u->regs);
}
// Can the fault in ENTRY be decided without a search?
bool gmmu_tier_needs_no_search(const gmmu_tier *u, unsigned entry);
gmmu_counters gmmu_tier_counters(const gmmu_tier *u);
// Is a SCRUB due, by the clock or for the pass after a THRESH?
bool gmmu_tier_scrub_due(const gmmu_tier *u);

// ---- WALK and DRV as whole functions, for who drives the unit walk by walk: what of their results
// nobody looks at is not made there
// Puts what became of a record into *RECORD and *EXPORTED, if not NULL, and counts a drop.
static inline void gmmu_tier_count_fed(gmmu_tier *u, gmmu_fed fed, unsigned *record,
                                       unsigned *exported) {
    u->stats.rec_drops += fed.record == GMMU_REC_DROPPED;
    if (record != NULL)
        *record = fed.record;
    if (exported != NULL)
        *exported = fed.exported;
}

// A walk on a page that is in FRAME.
static inline void gmmu_tier_walk_hit(gmmu_tier *u, const gmmu_tier_walk_in *in,
                                      gmmu_tier_walk_out *out) {
    const gmmu_mem_touch hit = {in->vpn, in->frame, in->asid, out->time, out->place.cls, in->write};
    const gmmu_stored_hit did = gmmu_frame_store_hit(&u->frames, &hit, u->regs.frames);
    out->reuse = did.reuse;
    out->touch = did.waits;
    u->stats.stale_hits += did.stale;
    u->stats.touch_drops += did.waits == GMMU_REC_DROPPED;
    if (!u->hir_unheard)
        out->hir = gmmu_hir_cache_hit(&u->hir, in->asid, in->vpn);
}

// A walk on a page that is in no frame.
static inline void gmmu_tier_walk_fault(gmmu_tier *u, const gmmu_tier_walk_in *in,
                                        gmmu_tier_walk_out *out) {
    const gmmu_fault_put put = gmmu_fault_queue_walk(&u->faults.queue, in->asid, in->vpn,
                                                     out->place.cls, in->write, out->time);
    out->fault = put.outcome;
    out->entry = put.entry;
    if (in->t2)
        gmmu_fault_queue_names(&u->faults.queue, put, in->slot);
    u->stats.merged += put.outcome == GMMU_FAULT_JOINED;
    u->stats.fault_drops += put.outcome == GMMU_FAULT_DROPPED;
    if (!u->hir_unheard && gmmu_hir_cache_fault(&u->hir, u->regs.transfer)) {
        gmmu_hir_packet packet = {};
        out->hir_due = true;
        out->hir_swap = gmmu_hir_cache_drain_swap(&u->hir, !in->hir_busy, &packet);
        out->hir_packet = packet;
    }
}

// gmmu_tier_walk.
static inline gmmu_tier_walk_out gmmu_tier_walk_inline(gmmu_tier *u, const gmmu_tier_walk_in *in) {
    gmmu_tier_walk_out out = {};
    u->stats.walks++;
    const gmmu_walk_due due = gmmu_walk_pipe_step(&u->walk, u->regs.refresh);
    out.time = u->walk.time;
    out.place = in->no_row ? (gmmu_rit_place){} : gmmu_ref_rit_execute(&u->rit, in->asid, in->ref);
    if (out.place.allocated) {
        gmmu_ppuc_forget(&u->ppuc, out.place.cls.row);
        gmmu_rit_export_name(&u->rit_export, out.place.cls, in->asid, in->ref);
    }
    const gmmu_sampled sampled = gmmu_trace_sampler_access(&u->sampler, in->asid, in->vpn,
                                                           out.place.cls, out.time, in->stolen);
    out.sampled = sampled;
    if (in->fault)
        gmmu_tier_walk_fault(u, in, &out);
    else
        gmmu_tier_walk_hit(u, in, &out);
    gmmu_rit_event told;
    const bool tells = u->regs.rit_batch != 0;
    if (tells) {
        memset(&told, 0, sizeof told);
        told.access = true;
        told.fault = in->fault && u->regs.rit_fault;
        told.asid = in->asid;
        told.vpn = in->vpn;
        told.ref = in->ref;
        told.time = out.time;
    }
    gmmu_tier_count_fed(u,
                        gmmu_record_feed_walk(&u->feed, &u->rit_export, &u->regs,
                                              tells ? &told : NULL, &sampled, out.reuse),
                        &out.record, &out.exported);
    if (due.refresh)
        gmmu_ref_rit_tick(&u->rit);
    u->scrub_owed |= due.scrub;
    u->side.age_owed |= due.age;
    return out;
}

// The operation IN, if it is no FILL of an enabled frame, or one with t2; not what follows for
// counters and records.
gmmu_tier_drv_out gmmu_tier_drv_other(gmmu_tier *u, const gmmu_tier_drv_in *in);

// gmmu_tier_drv.
static inline gmmu_tier_drv_out gmmu_tier_drv_inline(gmmu_tier *u, const gmmu_tier_drv_in *in) {
    const uint32_t time = u->walk.time;
    gmmu_tier_drv_out out = {};
    if (in->op == GMMU_FILL && in->frame < u->regs.frames && !in->t2)
        gmmu_side_port_fill(&u->frames, &u->faults, in, NULL, time, &out);
    else
        out = gmmu_tier_drv_other(u, in);
    u->place.slots.claims -= out.reuse.was_to2;
    u->stats.t2_stale += out.t2_stale;
    u->stats.drv_errors += out.refused;
    u->stats.fault_drops += out.fault == GMMU_FAULT_DROPPED;
    gmmu_tier_count_fed(u,
                        gmmu_record_feed_left(&u->feed, &u->rit_export, &u->regs, out.reuse, time),
                        &out.record, &out.exported);
    return out;
}

#ifdef __cplusplus
}
#endif
#endif
