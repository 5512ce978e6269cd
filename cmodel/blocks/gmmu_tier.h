// SPDX-License-Identifier: Apache-2.0
// gmmu_tier.h: twin of rtl/gmmu_tier.v: the whole unit, one function per action.
//
// The actions, their results and the standard schedule are defined in docs/schedule.md.
#ifndef GMMU_TIER_H
#define GMMU_TIER_H

#include "blocks/fault_queue.h"
#include "blocks/frame_mem.h"
#include "blocks/frame_table.h"
#include "blocks/hir_cache.h"
#include "blocks/ppuc.h"
#include "blocks/ref_rit.h"
#include "blocks/rit_export.h"
#include "blocks/trace_sampler.h"
#include "blocks/victim_select.h"
#include "gmmu/codes.h"

#ifdef __cplusplus
extern "C" {
#endif

// A walk, as on s_axis_walk.
typedef struct {
    uint64_t vpn, ref;
    uint32_t asid, frame;
    bool write, fault;
    bool stolen;    // not an input of the unit: the RTL says that a SCRUB took the sampler's slot
    bool hir_busy;  // likewise: that the packet before has not left m_axis_hir yet
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

// A driver operation, as on s_axis_drv.
typedef struct {
    uint64_t vpn;
    uint32_t asid, frame;
    unsigned op;
    bool dirty;
} gmmu_tier_drv_in;

typedef struct {
    bool refused;      // unknown op, frame not enabled, nothing to cancel: no effect
    gmmu_reuse reuse;  // FILL, FREE: the page that left
    unsigned record;   // GMMU_REC_*
    unsigned fault;    // ASK: GMMU_FAULT_*
    bool entry_hit;    // FILL, CANCEL: there was an outstanding fault of the page
    unsigned entry;
    unsigned exported;  // GMMU_RIT_*
} gmmu_tier_drv_out;

// A decision, as on m_axis_decision; RETRY never leaves the unit.
typedef struct {
    uint64_t vpn, victim_vpn;
    uint32_t asid, victim_asid, frame, seq;
    unsigned tier, entry;
    uint16_t priority;
    bool victim_dirty;
} gmmu_tier_decision;

typedef struct {
    bool eligible;
    unsigned row;  // the row that served it
    gmmu_victim_cand candidate;
} gmmu_tier_cand_out;

typedef struct {
    gmmu_rit_record *slot;
    unsigned size, head, n;
} gmmu_record_queue;

enum { GMMU_QUEUE_WALK, GMMU_QUEUE_SIDE, GMMU_QUEUES };

typedef struct {
    uint32_t walks, stale_hits, merged, fault_drops, rec_drops, drv_errors, none, touch_drops;
} gmmu_tier_stats;

typedef void gmmu_rit_sink(void *ctx, const gmmu_rit_packet *p);

typedef struct {
    gmmu_config cfg;
    gmmu_regs regs;
    gmmu_frame_table frames;
    gmmu_frame_mem mem;  // frame_mem: hits that wait for their TOUCH
    gmmu_ref_rit rit;
    gmmu_ppuc ppuc;
    gmmu_trace_sampler sampler;
    gmmu_hir_cache hir;
    gmmu_victim_select select;
    gmmu_fault_queue faults;
    gmmu_record_queue queue[GMMU_QUEUES];
    gmmu_rit_export rit_export;
    gmmu_rit_sink *rit_sink;  // takes the batches of gmmu_tier_settle; may be NULL
    void *rit_ctx;
    uint32_t time, time_mask;
    uint32_t resident;  // frames that are valid and not leaving
    uint32_t claims;    // decided faults that wait for their FILL
    uint32_t age_next;  // index of the next AGE
    bool age_owed, scrub_owed;
    uint32_t refreshed;  // walk of the last REFRESH of the standard schedule
    gmmu_tier_stats stats;
} gmmu_tier;

// Bytes that gmmu_tier_init needs for CFG.
size_t gmmu_tier_bytes(const gmmu_config *cfg);
// Resets the unit into MEM. Nonzero: SIZE is too small or CFG is not legal (gmmu_config_error).
int gmmu_tier_init(gmmu_tier *u, const gmmu_config *cfg, const gmmu_regs *regs, void *mem,
                   size_t size);
// NULL, or what is wrong with a configuration; the RTL checks the same at elaboration.
const char *gmmu_config_error(const gmmu_config *cfg);
// The named configuration, NULL if there is none.
const gmmu_config *gmmu_config_find(const char *name);

// ---- actions
gmmu_tier_walk_out gmmu_tier_walk(gmmu_tier *u, gmmu_tier_walk_in in);
// frame_mem: the oldest hit that waits takes effect. RECORD, if not NULL: GMMU_REC_* of it.
gmmu_reuse gmmu_tier_touch(gmmu_tier *u, unsigned *record);
gmmu_tier_drv_out gmmu_tier_drv(gmmu_tier *u, gmmu_tier_drv_in in);
// One visit of the sampler's table. RECORD, if not NULL: GMMU_REC_* of what it removed; EXPORTED
// likewise GMMU_RIT_*.
gmmu_scrubbed gmmu_tier_scrub(gmmu_tier *u, unsigned *record, unsigned *exported);
uint32_t gmmu_tier_thresh(gmmu_tier *u);
// True: a time stamp was clamped. *INDEX is the frame, or FRAMES + the fault entry.
bool gmmu_tier_age(gmmu_tier *u, uint32_t *index);
gmmu_rit_learnt gmmu_tier_learn(gmmu_tier *u, unsigned queue);
void gmmu_tier_clear(gmmu_tier *u, unsigned row);
void gmmu_tier_halve(gmmu_tier *u, unsigned row);
void gmmu_tier_refresh(gmmu_tier *u, unsigned row);
bool gmmu_tier_install(gmmu_tier *u);
gmmu_tier_cand_out gmmu_tier_cand(gmmu_tier *u, uint32_t frame);
gmmu_tier_decision gmmu_tier_decide(gmmu_tier *u);
void gmmu_tier_send(gmmu_tier *u, gmmu_rit_packet *out);  // at least one record waits

// ---- what the schedule needs to know
// Can the fault in ENTRY be decided without a search?
bool gmmu_tier_needs_no_search(const gmmu_tier *u, unsigned entry);
// Walks between two AGE actions; between two SCRUBs.
uint32_t gmmu_tier_age_every(const gmmu_config *cfg);
uint32_t gmmu_tier_scrub_every(const gmmu_config *cfg);
// Is a SCRUB due, by the clock or for the pass after a THRESH?
bool gmmu_tier_scrub_due(const gmmu_tier *u);

// ---- the standard schedule (docs/schedule.md)
// All that the unit does by itself after a WALK or a DRV. SINK is called for each decision; it may
// be NULL where no fault waits for one.
typedef void gmmu_tier_sink(void *ctx, const gmmu_tier_decision *d);
void gmmu_tier_settle(gmmu_tier *u, gmmu_tier_sink *sink, void *ctx);

#ifdef __cplusplus
}
#endif
#endif
