// SPDX-License-Identifier: Apache-2.0
// gmmu_tier.h: twin of rtl/gmmu_tier.v: the whole unit, one function per action.
//
// The actions and their results are defined in docs/schedule.md. Each one is put together from what
// the unit's parts do, which have headers of their own.
#ifndef GMMU_TIER_H
#define GMMU_TIER_H

#include "blocks/config.h"
#include "blocks/fault_unit.h"
#include "blocks/frame_store.h"
#include "blocks/hir_cache.h"
#include "blocks/ppuc.h"
#include "blocks/record_feed.h"
#include "blocks/ref_rit.h"
#include "blocks/rit_export.h"
#include "blocks/side_port.h"
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

typedef struct {
    bool eligible;
    bool guarded;  // it is protected, and to be left alone
    unsigned row;  // the row that served it
    gmmu_victim_cand candidate;
} gmmu_tier_cand_out;

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
    gmmu_rit_export rit_export;
    gmmu_rit_sink *rit_sink;  // takes the batches of the standard schedule; may be NULL
    void *rit_ctx;
    bool scrub_owed;
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
// True: a time stamp was clamped. *INDEX is the frame, or FRAMES + the fault entry.
bool gmmu_tier_age(gmmu_tier *u, uint32_t *index);
gmmu_rit_learnt gmmu_tier_learn(gmmu_tier *u, unsigned queue);
void gmmu_tier_clear(gmmu_tier *u, unsigned row);
void gmmu_tier_halve(gmmu_tier *u, unsigned row);
void gmmu_tier_refresh(gmmu_tier *u, unsigned row);
bool gmmu_tier_install(gmmu_tier *u);
gmmu_tier_cand_out gmmu_tier_cand(gmmu_tier *u, uint32_t frame);
// CAND of every frame of a round, the one under way or a new one.
void gmmu_tier_round(gmmu_tier *u);
// The second half of CAND, for those who have a PRIORITY of their own. True: FRAME is eligible.
// *GUARDED, if not NULL: it is protected, and to be left alone.
bool gmmu_tier_offer(gmmu_tier *u, uint32_t frame, uint16_t priority, bool *guarded);
gmmu_tier_decision gmmu_tier_decide(gmmu_tier *u);
void gmmu_tier_send(gmmu_tier *u, gmmu_rit_packet *out);  // at least one record waits

// ---- what a schedule needs to know
// Can the fault in ENTRY be decided without a search?
bool gmmu_tier_needs_no_search(const gmmu_tier *u, unsigned entry);
gmmu_counters gmmu_tier_counters(const gmmu_tier *u);
// Is a SCRUB due, by the clock or for the pass after a THRESH?
bool gmmu_tier_scrub_due(const gmmu_tier *u);

#ifdef __cplusplus
}
#endif
#endif
