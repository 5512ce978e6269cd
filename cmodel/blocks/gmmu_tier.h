// SPDX-License-Identifier: Apache-2.0
// gmmu_tier.h: twin of rtl/gmmu_tier.v: the whole unit, one function per action.
//
// docs/guide/schedule.md defines the actions and their results. Each action calls the unit's parts,
// which have headers of their own. Times are numbers of accesses modulo 2^TIME_W. A page, reference
// or address space given to an action has no bits beyond its width in the sizes.
//
// Source: LEU §3.3, Fig. 4; the device does the work of the RIMM host, too, the alternative of §5.
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
    bool stolen;    // reported by the RTL: a SCRUB took the walk's turn of the sampler
    bool no_row;    // reported by the RTL: a FLUSH took the directory's turn; the walk has row 0
    bool hir_busy;  // reported by the RTL: the packet before has not left m_axis_hir
    bool t2;        // fault: the page is in SLOT of Tier 2
    uint32_t slot;
    bool replay;  // the access was asked for before: gmmu_tier_replay
} gmmu_tier_walk_in;

typedef struct {
    uint32_t time;
    gmmu_rit_place place;
    gmmu_reuse reuse;  // valid: the frame held the page
    gmmu_sampled sampled;
    unsigned record;    // GMMU_REC_*
    unsigned touch;     // frame_mem: outcome of the hit, which waits for its TOUCH: GMMU_REC_*
    unsigned fault;     // GMMU_FAULT_*: none, queued (noted for ENTER), dropped
    unsigned exported;  // GMMU_RIT_*
    unsigned hir;       // outcome of a hit in the HIR cache: GMMU_HIR_*
    bool hir_due;       // the fault made DRAIN_SWAP due
    bool hir_swap;  // DRAIN_SWAP closed HIR_PACKET, whose records are valid until the next packet
    gmmu_hir_packet hir_packet;
} gmmu_tier_walk_out;

typedef struct {
    bool eligible;
    bool guarded;  // the frame is protected, and the search leaves the frame alone
    unsigned row;  // the row that served the candidate
    gmmu_victim_cand candidate;
} gmmu_tier_cand_out;

typedef struct {
    gmmu_class cls;  // fault: row of the reference, or row 0
    unsigned fault;  // GMMU_FAULT_*: none, queued (noted for ENTER), dropped
    unsigned touch;  // frame_mem: outcome of the hit, which waits for its TOUCH: GMMU_REC_*
    bool match;      // hit: the frame holds the page
} gmmu_tier_replay_out;

typedef struct {
    bool eligible;
    bool used;  // the page was hit since FILL or the last pass; the hand passes now
    gmmu_victim_cand candidate;  // if eligible and not used
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
    gmmu_range_dir range;  // only with RANGES
    gmmu_range_beat *range_beats;
    gmmu_rit_sink *rit_sink;  // takes the batches of the standard schedule; may be NULL
    void *rit_ctx;
    bool scrub_owed;
    bool hir_unheard;     // m_axis_hir has no listener: nothing is recorded for m_axis_hir
    gmmu_counters stats;  // without the counters of the blocks: gmmu_tier_counters
} gmmu_tier;

// Bytes that gmmu_tier_init needs for CFG, which must be legal.
size_t gmmu_tier_bytes(const gmmu_config *cfg);
// Resets the unit into MEM, which is aligned for any type and stays the unit's. Nonzero: SIZE is
// too small, CFG is not legal (gmmu_config_error), or REGS enable no frame, or more frames or slots
// than there are.
int gmmu_tier_init(gmmu_tier *u, const gmmu_config *cfg, const gmmu_regs *regs, void *mem,
                   size_t size);
// gmmu_tier_init for a CFG that the twin can do, as the caller knows, though the RTL cannot.
int gmmu_tier_init_beyond(gmmu_tier *u, const gmmu_config *cfg, const gmmu_regs *regs, void *mem,
                          size_t size);
// ALLOW, the effect of cfg_protect: SHARE / 256 of the enabled frames may be protected from now on;
// 0: none. gmmu_tier_init and gmmu_tier_configure include ALLOW, but not with frame_mem, as the RTL
// protects no frames there.
void gmmu_tier_protect(gmmu_tier *u, unsigned share);
// Changes cfg_tier_model, cfg_tier_near and cfg_tier_far, at any time.
void gmmu_tier_foresee(gmmu_tier *u, bool model, uint32_t near, uint32_t far);
// Changes the registers that may change at any time (docs/reference/registers.md, "+N"); all later
// actions use the new values.
void gmmu_tier_change(gmmu_tier *u, const gmmu_regs *regs);
// Changes all registers but cfg_sample, while nothing is under way or pending.
void gmmu_tier_configure(gmmu_tier *u, const gmmu_regs *regs);

// ---- actions
// WALK: one access, not a replay: the time grows by 1. A hit takes effect in its frame (with
// frame_mem by its TOUCH), a fault is noted for ENTER. The reference is executed, and the sampler
// sees the page (LEU §3.3).
gmmu_tier_walk_out gmmu_tier_walk(gmmu_tier *u, gmmu_tier_walk_in in);
// REPLAY: a walk with `replay`. A replay is no access and has no time. A hit ends `fresh`, and the
// page is dirty if the replay writes; a fault is noted for ENTER.
gmmu_tier_replay_out gmmu_tier_replay(gmmu_tier *u, gmmu_tier_walk_in in);
// ENTER: the oldest noted fault meets the outstanding faults. At least one fault is noted.
gmmu_fault_put gmmu_tier_enter(gmmu_tier *u);
// Returns the frame that is fresh longest, if its EXPIRE is due, else -1.
static inline int64_t gmmu_tier_expire_due(gmmu_tier *u) {
    return gmmu_fault_queue_expire_due(&u->faults.queue);
}
// EXPIRE of FRAME, which gmmu_tier_expire_due has returned: the frame is not fresh any more.
void gmmu_tier_expire(gmmu_tier *u, uint32_t frame);
// TOUCH, with frame_mem: the oldest waiting hit, which must exist, takes effect. Returns the access
// before; not valid: the hit was stale, or a replay. *RECORD, if not NULL, gets its GMMU_REC_*.
gmmu_reuse gmmu_tier_touch(gmmu_tier *u, unsigned *record);
// DRV: an operation of the driver takes effect, or is refused and counted. The record of a page
// that left goes into its queue, if cfg_feed and cfg_censor are 1.
gmmu_tier_drv_out gmmu_tier_drv(gmmu_tier *u, gmmu_tier_drv_in in);
// SCRUB: one visit of the sampler's table. *RECORD and *EXPORTED, if not NULL, get GMMU_REC_* and
// GMMU_RIT_* of the removed entry.
gmmu_scrubbed gmmu_tier_scrub(gmmu_tier *u, unsigned *record, unsigned *exported);
// THRESH: the sampler's threshold falls by an eighth, and a pass of SCRUBs over the table is due.
// Returns the new threshold, 1 to GMMU_SAMPLER_ALL: the share of sampled pages, times
// GMMU_SAMPLER_ALL.
uint32_t gmmu_tier_thresh(gmmu_tier *u);
// FLUSH of ROW, in the order of rows; a flush ends with the last row. True: the row was of ASID.
bool gmmu_tier_flush_row(gmmu_tier *u, unsigned row, uint32_t asid);
// FORGET: a flush clears the predictor's entries of all address spaces. GOING: FORGET begins; else
// FORGET ends. Until the end no page gets an entry.
void gmmu_tier_forget(gmmu_tier *u, bool going);
// A whole flush: FLUSH of all rows and FORGET. The part of ASID in row 0 stays.
void gmmu_tier_flush(gmmu_tier *u, uint32_t asid);
// What the unit knows when an operation of the driver takes effect.
static inline gmmu_side_now gmmu_tier_now(const gmmu_tier *u) {
    return (gmmu_side_now){
        .frames = u->regs.frames, .time = u->walk.time, .makes_fresh = u->regs.fresh != 0};
}
// AGE. True: a time stamp was clamped. *INDEX is the frame, or FRAMES + the fault entry, or FRAMES
// + FAULTS + the slot, or behind these the predictor's entry, whose FORETELL AGE is then pending.
bool gmmu_tier_age(gmmu_tier *u, uint32_t *index);
// LEARN: the oldest record of QUEUE (GMMU_QUEUE_*), which has one, is counted in row 0, and in its
// own row unless the row was given away or owes a CLEAR (LEU §3.3).
gmmu_rit_learnt gmmu_tier_learn(gmmu_tier *u, unsigned queue);
// CLEAR: all counts of ROW become 0. HALVE: half, rounded up.
void gmmu_tier_clear(gmmu_tier *u, unsigned row);
void gmmu_tier_halve(gmmu_tier *u, unsigned row);
// REFRESH: the priorities of ROW are computed from its histogram and that of row 0 (LEU §3.1, Eq. 1
// and 2), and wait for INSTALL. ROW is then neither dirty nor pending. No INSTALL may wait.
void gmmu_tier_refresh(gmmu_tier *u, unsigned row);
// INSTALL, after a REFRESH: the priorities become visible. False: the row was given away meanwhile,
// and the priorities are dropped.
bool gmmu_tier_install(gmmu_tier *u);
// CAND: the search looks at FRAME, whose turn it is (gmmu_victim_select_next of u->select):
// priority by the row of the last access and the age (LEU §3.1). A caller that makes CANDs and
// HANDs by itself sets select.forced before the first of a search.
gmmu_tier_cand_out gmmu_tier_cand(gmmu_tier *u, uint32_t frame);
// HAND, search `clock`: the hand passes FRAME, which is at the hand.
gmmu_tier_hand_out gmmu_tier_hand(gmmu_tier *u, uint32_t frame);
// CAND of every frame of a round, the round under way or a new round; search `clock`: HANDs.
void gmmu_tier_round(gmmu_tier *u);
// gmmu_tier_round for a caller that decides at once: of a scan the best candidate alone.
void gmmu_tier_round_best(gmmu_tier *u);
// The parts of the unit that a round searches.
static inline gmmu_searched gmmu_tier_searched(gmmu_tier *u) {
    return (gmmu_searched){.select = &u->select,
                           .frames = &u->frames,
                           .enabled = u->regs.frames,
                           .now = {&u->ppuc, u->walk.time, u->walk.time_mask},
                           .force = u->select.forced};
}
// The second half of CAND, for a caller that has a PRIORITY of its own. True: FRAME is eligible.
// *GUARDED, if not NULL: FRAME is protected, and the search leaves FRAME alone.
bool gmmu_tier_offer(gmmu_tier *u, uint32_t frame, uint16_t priority, bool *guarded);
// DECIDE: the oldest undecided fault gets a free frame, the best candidate's frame, or none;
// without a fault a decision ahead, if owed. RETRY: nothing is decided, and the search goes on.
// With tiers a decision FREE or with a victim waits for its PLACE (gmmu_tier_placing).
gmmu_tier_decision gmmu_tier_decide(gmmu_tier *u);
// SEND: at most cfg_rit_batch waiting records, at least one, become the packet OUT.
void gmmu_tier_send(gmmu_tier *u, gmmu_rit_packet *out);

// RANGE: an operation on a range of memory, only with RANGES. Returns the number of beats of its
// packet, which are in u->range_beats until the next RANGE. RANGE depends on no other action.
uint32_t gmmu_tier_range(gmmu_tier *u, gmmu_range_op op);
// Changes cfg_range_bytes, at any time.
void gmmu_tier_range_limit(gmmu_tier *u, uint64_t bytes);

// ---- actions on a decision that waits for its place, with tiers: FORETELL, RISE, CAND2, PLACE
// FORETELL: the pending operation KIND of the predictor, GMMU_TP_….
gmmu_tp_answer gmmu_tier_foretell(gmmu_tier *u, unsigned kind);
// RISE: the faulting page leaves SLOT (u->place.slot), if SLOT holds the page. True: SLOT does.
bool gmmu_tier_rise(gmmu_tier *u, uint32_t slot);
// CAND2 of SLOT, whose turn it is (gmmu_victim_select_next of u->place.slots.select).
gmmu_tier_cand_out gmmu_tier_cand2(gmmu_tier *u, uint32_t slot);
// CAND2 of every slot of a round, the round under way or a new round.
void gmmu_tier_round2(gmmu_tier *u);
// PLACE. RETRY: a search is needed, or its best candidate is gone. Otherwise the whole decision, as
// on m_axis_decision.
gmmu_tier_decision gmmu_tier_placed(gmmu_tier *u);
// A decision FREE as on m_axis_decision, after its FORETELL and RISE: no action.
gmmu_tier_decision gmmu_tier_unplaced(gmmu_tier *u);

// ---- questions of a schedule
// Does a decision wait for its place?
static inline bool gmmu_tier_placing(const gmmu_tier *u) {
    return (u->place.owed & GMMU_OWES_PLACE) != 0;
}
// Is the operation KIND (GMMU_TP_…) of the predictor pending?
static inline bool gmmu_tier_foretell_owed(const gmmu_tier *u, unsigned kind) {
    return gmmu_tier_place_foretell_owed(&u->place, kind);
}
// Is a RISE of u->place.slot pending?
static inline bool gmmu_tier_rise_owed(const gmmu_tier *u) {
    return (u->place.owed & GMMU_OWES_RISE) != 0;
}
// Does PLACE need a round of CAND2 first?
static inline bool gmmu_tier_needs_cand2(const gmmu_tier *u) {
    return gmmu_tier_placing(u) && gmmu_tier_place_needs_search(&u->place, &u->regs);
}
// Is a decision ahead owed?
static inline bool gmmu_tier_ahead_owed(const gmmu_tier *u) {
    return u->faults.queue.noted == 0 && !gmmu_tier_placing(u) &&
           gmmu_fault_unit_ahead_owed(&u->faults, u->regs.frames, u->regs.ahead);
}
// Can the fault in ENTRY be decided without a search?
bool gmmu_tier_needs_no_search(const gmmu_tier *u, unsigned entry);
// Returns all counters since the reset, which wrap at 2^32. Those of parity and of the watchdog are
// 0: the twin has neither corrupt words nor cycles.
gmmu_counters gmmu_tier_counters(const gmmu_tier *u);
// Is a SCRUB due, by the clock or for the pass after a THRESH?
bool gmmu_tier_scrub_due(const gmmu_tier *u);

// ---- WALK and DRV inline, for callers that drive the unit walk by walk: the compiler drops the
// results that the caller does not use
// Writes the outcome of a record to *RECORD and *EXPORTED, if not NULL, and counts a drop.
static inline void gmmu_tier_count_fed(gmmu_tier *u, gmmu_fed fed, unsigned *record,
                                       unsigned *exported) {
    u->stats.rec_drops += fed.record == GMMU_REC_DROPPED;
    if (record != NULL)
        *record = fed.record;
    if (exported != NULL)
        *exported = fed.exported;
}

// A walk hit: the page is in the walk's frame.
static inline void gmmu_tier_walk_hit(gmmu_tier *u, const gmmu_tier_walk_in *in,
                                      gmmu_tier_walk_out *out) {
    const gmmu_mem_touch hit = {.vpn = in->vpn,
                                .frame = in->frame,
                                .asid = in->asid,
                                .time = out->time,
                                .cls = out->place.cls,
                                .write = in->write};
    const gmmu_stored_hit did = gmmu_frame_store_hit(&u->frames, &hit, u->regs.frames);
    out->reuse = did.reuse;
    out->touch = did.waits;
    u->stats.stale_hits += did.stale;
    u->stats.touch_drops += did.waits == GMMU_REC_DROPPED;
    if (!u->hir_unheard)
        out->hir = gmmu_hir_cache_hit(&u->hir, in->asid, in->vpn);
}

// A fault, or a replay that faults, is noted for ENTER. Returns GMMU_FAULT_QUEUED or _DROPPED.
static inline unsigned gmmu_tier_note(gmmu_tier *u, const gmmu_tier_walk_in *in, gmmu_class cls) {
    const gmmu_fault_note note = {.vpn = in->vpn,
                                  .asid = in->asid,
                                  .time = u->walk.time,
                                  .slot = in->t2 ? in->slot : 0,
                                  .cls = cls,
                                  .write = in->write,
                                  .t2 = in->t2,
                                  .replay = in->replay};
    const unsigned outcome = gmmu_fault_queue_note(&u->faults.queue, note);
    u->stats.fault_drops += outcome == GMMU_FAULT_DROPPED;
    return outcome;
}
// A fault: the page is in no frame.
static inline void gmmu_tier_walk_fault(gmmu_tier *u, const gmmu_tier_walk_in *in,
                                        gmmu_tier_walk_out *out) {
    out->fault = gmmu_tier_note(u, in, out->place.cls);
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
    gmmu_fault_unit_stirred(&u->faults);
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
    if (gmmu_walk_pipe_went(&u->walk, u->regs.fresh))
        gmmu_fault_queue_epoch(&u->faults.queue);
    return out;
}

// The operation IN, if IN is not a FILL of an enabled frame without t2. Counters and records are
// left to the caller.
gmmu_tier_drv_out gmmu_tier_drv_other(gmmu_tier *u, const gmmu_tier_drv_in *in);

// gmmu_tier_drv.
static inline gmmu_tier_drv_out gmmu_tier_drv_inline(gmmu_tier *u, const gmmu_tier_drv_in *in) {
    const gmmu_side_now now = gmmu_tier_now(u);
    gmmu_tier_drv_out out = {};
    if (in->op == GMMU_FILL && in->frame < u->regs.frames && !in->t2)
        gmmu_side_port_fill(&u->frames, &u->faults, in, NULL, &now, &out);
    else
        out = gmmu_tier_drv_other(u, in);
    u->place.slots.claims -= out.reuse.was_to2;
    u->stats.t2_stale += out.t2_stale;
    u->stats.drv_errors += out.refused;
    u->stats.fault_drops += out.fault == GMMU_FAULT_DROPPED;
    u->stats.late += out.fault == GMMU_FAULT_LATE;
    gmmu_tier_count_fed(
        u, gmmu_record_feed_left(&u->feed, &u->rit_export, &u->regs, out.reuse, now.time),
        &out.record, &out.exported);
    return out;
}

#ifdef __cplusplus
}
#endif
#endif
