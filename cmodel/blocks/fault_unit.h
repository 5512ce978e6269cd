// SPDX-License-Identifier: Apache-2.0
// fault_unit.h: twin of rtl/faults/gmmu_fault_unit.v: the outstanding faults, the credit of frames,
// and the decision on the oldest fault.
#ifndef GMMU_FAULT_UNIT_H
#define GMMU_FAULT_UNIT_H

#include "blocks/fault_queue.h"
#include "blocks/frame_store.h"
#include "blocks/victim_select.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    gmmu_fault_queue queue;
    uint32_t resident;       // number of frames that hold a page and are not leaving
    uint32_t claims;         // number of decided faults that wait for their FILL
    uint32_t seq, seq_mask;  // number of the next decision
    bool spent;              // the last search ahead found no victim, and nothing has changed since
} gmmu_fault_unit;

// A decision, as on m_axis_decision (docs/reference/formats.md). RETRY never leaves the unit.
typedef struct {
    uint64_t vpn, victim_vpn;
    uint64_t t2_vpn;  // with tiers, as all fields t2_… and the fields from `pred` on
    uint32_t asid, victim_asid, frame, seq;
    uint32_t victim_last;  // time of the victim's last access, for its next FILL
    uint32_t t2_slot, t2_asid;
    unsigned tier, entry;
    unsigned pred;  // the tier predicted for the victim; 0: no prediction
    uint16_t priority;
    bool victim_dirty;
    bool rise;      // the faulting page leaves its slot and goes up to Tier 1
    bool swap;      // the victim takes the slot that the faulting page leaves
    bool forced;    // the victim was predicted for Tier 3, and goes to Tier 2 all the same
    bool t2_valid;  // the page in t2_slot leaves Tier 2
    bool t2_dirty;  // the page in t2_slot differs from its copy in Tier 3
    bool ahead;     // no page comes: the victim leaves ahead of need
    bool lost;      // the fault is a replay: the page left before its use
    bool fresh;     // NONE: a fresh frame was passed over
    bool kept;      // RETRY: the candidate is kept
} gmmu_tier_decision;

// Makes U for the sizes CFG. Not 0: ARENA is too small.
int gmmu_fault_unit_init(gmmu_fault_unit *u, const gmmu_config *cfg, gmmu_arena *arena);

// True: of the FRAMES enabled frames at least one is free and not promised.
static inline bool gmmu_fault_unit_credit(const gmmu_fault_unit *u, uint32_t frames) {
    return frames > u->resident + u->claims;
}

// True: fewer than AHEAD of the FRAMES enabled frames are free and not promised, no fault is
// undecided, and a search may find a victim: a decision ahead is owed.
static inline bool gmmu_fault_unit_ahead_owed(const gmmu_fault_unit *u, uint32_t frames,
                                              uint32_t ahead) {
    return ahead != 0 && frames < u->resident + u->claims + ahead && u->queue.undecided == 0 &&
           !u->spent;
}
// Something has changed that may give a search ahead a victim.
static inline void gmmu_fault_unit_stirred(gmmu_fault_unit *u) {
    u->spent = false;
}
// True: the fault in ENTRY can be decided without a search.
static inline bool gmmu_fault_unit_needs_no_search(const gmmu_fault_unit *u, unsigned entry,
                                                   uint32_t frames) {
    return u->queue.fault[entry].filled || gmmu_fault_unit_credit(u, frames);
}

// The fault WAS of a page has ended. The claim of a decided fault ends, too.
static inline gmmu_fault_found gmmu_fault_unit_ended(gmmu_fault_unit *u, gmmu_fault_found was) {
    if (was.fault.valid && was.fault.decided)
        u->claims--;
    return was;
}
// FILL: returns the fault of the page as it was. A decided fault and its claim end; an undecided
// fault is marked filled.
static inline gmmu_fault_found gmmu_fault_unit_fill(gmmu_fault_unit *u, uint32_t asid,
                                                    uint64_t vpn) {
    return gmmu_fault_unit_ended(u, gmmu_fault_queue_fill(&u->queue, asid, vpn));
}
// CANCEL: returns the fault of the page as it was. A decided fault and its claim end; an undecided
// fault stays.
gmmu_fault_found gmmu_fault_unit_cancel(gmmu_fault_unit *u, uint32_t asid, uint64_t vpn);
// A page came into a frame, or a leaving page stays: one more frame is resident.
static inline void gmmu_fault_unit_came(gmmu_fault_unit *u) {
    u->resident++;
}
// The page WAS left its frame: one resident frame less, unless the page was leaving, and so did not
// count since its DECIDE.
static inline void gmmu_fault_unit_went(gmmu_fault_unit *u, gmmu_reuse was) {
    if (was.valid && !was.was_leaving)
        u->resident--;
}

// A fault comes, is decided and ends with its FILL, while no other fault is outstanding. EVICTS: a
// page leaves for the fault's.
static inline void gmmu_fault_unit_pass(gmmu_fault_unit *u, bool evicts) {
    gmmu_fault_queue_pass(&u->queue);
    u->seq = (u->seq + 1) & u->seq_mask;
    u->resident += !evicts;
}

// DECIDE for the oldest undecided fault. Without a fault: a decision ahead, which names a victim if
// the decision is still owed, and else is NONE. FRAMES are enabled, and AHEAD of these are to be
// free. KEEP: the candidate of `clock` is to be kept. RETRY: nothing is decided, and the search
// goes on.
gmmu_tier_decision gmmu_fault_unit_decide(gmmu_fault_unit *u, gmmu_frame_store *store,
                                          gmmu_victim_select *select, uint32_t frames,
                                          uint32_t ahead, bool keep);

#ifdef __cplusplus
}
#endif
#endif
