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
    uint32_t resident;  // frames that are valid and not leaving
    uint32_t claims;    // decided faults that wait for their FILL
} gmmu_fault_unit;

// A decision, as on m_axis_decision; RETRY never leaves the unit.
typedef struct {
    uint64_t vpn, victim_vpn;
    uint64_t t2_vpn;  // with tiers, as all of t2_… and those below
    uint32_t asid, victim_asid, frame, seq;
    uint32_t victim_last;  // time of the victim's last access, for its next FILL
    uint32_t t2_slot, t2_asid;
    unsigned tier, entry;
    unsigned pred;  // the tier foretold for the victim, 0: none
    uint16_t priority;
    bool victim_dirty;
    bool rise;      // the faulting page leaves its slot
    bool swap;      // the victim takes the place that it leaves
    bool forced;    // the victim was foretold for Tier 3 and goes to Tier 2 all the same
    bool t2_valid;  // the page in t2_slot leaves Tier 2
    bool t2_dirty;  // and differs from its copy in Tier 3
    bool kept;      // RETRY: the candidate is kept
} gmmu_tier_decision;

int gmmu_fault_unit_init(gmmu_fault_unit *u, const gmmu_config *cfg, gmmu_arena *arena);

// Is one of FRAMES enabled frames free?
static inline bool gmmu_fault_unit_credit(const gmmu_fault_unit *u, uint32_t frames) {
    return frames > u->resident + u->claims;
}

// Can fault ENTRY be decided without a search?
static inline bool gmmu_fault_unit_needs_no_search(const gmmu_fault_unit *u, unsigned entry,
                                                   uint32_t frames) {
    return u->queue.fault[entry].filled || gmmu_fault_unit_credit(u, frames);
}

// The fault WAS of a page is no longer; a decided one's claim ends with it.
static inline gmmu_fault_found gmmu_fault_unit_ended(gmmu_fault_unit *u, gmmu_fault_found was) {
    if (was.fault.valid && was.fault.decided)
        u->claims--;
    return was;
}
// FILL, CANCEL: the fault of the page as it was; a decided one ends, and with it its claim.
static inline gmmu_fault_found gmmu_fault_unit_fill(gmmu_fault_unit *u, uint32_t asid,
                                                    uint64_t vpn) {
    return gmmu_fault_unit_ended(u, gmmu_fault_queue_fill(&u->queue, asid, vpn));
}
gmmu_fault_found gmmu_fault_unit_cancel(gmmu_fault_unit *u, uint32_t asid, uint64_t vpn);
// A page came into a frame, or stays that was leaving; the page of a frame went, as WAS tells.
static inline void gmmu_fault_unit_came(gmmu_fault_unit *u) {
    u->resident++;
}
static inline void gmmu_fault_unit_went(gmmu_fault_unit *u, gmmu_reuse was) {
    if (was.valid && !was.was_leaving)
        u->resident--;
}

// DECIDE, on the oldest undecided fault, which there is; FRAMES are enabled. KEEP: the candidate of
// `clock` is to be kept.
gmmu_tier_decision gmmu_fault_unit_decide(gmmu_fault_unit *u, gmmu_frame_store *store,
                                          gmmu_victim_select *select, uint32_t frames, bool keep);

#ifdef __cplusplus
}
#endif
#endif
