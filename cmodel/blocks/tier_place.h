// SPDX-License-Identifier: Apache-2.0
// tier_place.h: twin of rtl/faults/gmmu_tier_place.v: where a victim of Tier 1 goes, and what
// leaves Tier 2 for it.
//
// Source: GMT (Chang et al., ASPLOS '24) §2.1 for cfg_tier 1 to 3; 4 is the unit's own, LEU's
// priorities in both tiers. It works on the decision that DECIDE made, between it and its leaving.
#ifndef GMMU_TIER_PLACE_H
#define GMMU_TIER_PLACE_H

#include "blocks/fault_unit.h"
#include "blocks/side_port.h"
#include "blocks/tier2_table.h"
#include "blocks/tier_predict.h"

#ifdef __cplusplus
extern "C" {
#endif

// What is owed: bit GMMU_TP_… an operation of the predictor, and these.
enum { GMMU_OWES_RISE = 1 << 6, GMMU_OWES_PLACE = 1 << 7 };
// cfg_tier 3: candidates that a search may keep (GMT's text names no number; docs/papers/gmt.md).
enum { GMMU_MOST_KEPT = 8 };

typedef struct {
    gmmu_tier2_table slots;
    gmmu_tier_predict predict;
    gmmu_tp_regs by;  // its registers
    unsigned owed;
    gmmu_tier_decision d;  // GMMU_OWES_PLACE: the one under way
    uint32_t slot;         // GMMU_OWES_RISE: that its fault names
    bool to3;              // the predictor said Tier 3
    unsigned kept;         // candidates of this search that were
    bool keep;             // and the one that there is, is to be
    uint32_t look_asid;    // LOOK
    uint64_t look_vpn;
    uint32_t stay_asid;  // STAY
    uint64_t stay_vpn;
    uint32_t age_index;  // AGE: the entry
} gmmu_tier_place;

// Nothing is done, and no memory taken, if CFG has no slots. Not 0: ARENA is too small.
int gmmu_tier_place_init(gmmu_tier_place *p, const gmmu_config *cfg, gmmu_arena *arena);
// Other registers, while nothing is under way or owed.
void gmmu_tier_place_configure(gmmu_tier_place *p, const gmmu_regs *regs);
// Those of the predictor alone, which may change while a search is under way.
void gmmu_tier_place_foresee(gmmu_tier_place *p, const gmmu_regs *regs);

// cfg_tier 3, search `clock`: the page is Tier 1's candidate; LOOK is owed, unless enough were
// kept.
void gmmu_tier_place_took(gmmu_tier_place *p, uint32_t asid, uint64_t vpn);
// DECIDE had the outcome D.
void gmmu_tier_place_decided(gmmu_tier_place *p, const gmmu_tier_decision *d);
// The decision D on FAULT was made, with cfg_tier not 0: it waits for its place, if there are tiers
// and it is FREE or has a victim.
void gmmu_tier_place_begin(gmmu_tier_place *p, const gmmu_regs *regs, const gmmu_tier_decision *d,
                           const gmmu_fault *fault);
// Is the operation KIND (GMMU_TP_…) of the predictor owed? LEAVE comes after RETURN.
static inline bool gmmu_tier_place_foretell_owed(const gmmu_tier_place *p, unsigned kind) {
    return (p->owed >> kind & 1) != 0 &&
           (kind != GMMU_TP_LEAVE || (p->owed & 1u << GMMU_TP_RETURN) == 0);
}
gmmu_tp_answer gmmu_tier_place_foretell(gmmu_tier_place *p, unsigned kind, uint32_t time);
// RISE of SLOT. True: its page leaves it.
bool gmmu_tier_place_rise(gmmu_tier_place *p, const gmmu_regs *regs, uint32_t slot);
// Can PLACE say nothing yet, as it has no candidate?
bool gmmu_tier_place_needs_search(const gmmu_tier_place *p, const gmmu_regs *regs);
// PLACE. *NONE: no page of a full Tier 2 could leave.
gmmu_tier_decision gmmu_tier_place_placed(gmmu_tier_place *p, const gmmu_regs *regs,
                                          gmmu_frame_store *store, const gmmu_fault_queue *asked,
                                          bool *none);
// May SLOT leave? It is held, and no fault of ASKED names it.
bool gmmu_tier_place_eligible(const gmmu_tier_place *p, const gmmu_fault_queue *asked,
                              uint32_t slot);

// FILL of IN's page from IN's slot, as it was: *FROM. False: it does not fit; nothing was done.
bool gmmu_tier_place_fill(gmmu_tier_place *p, const gmmu_regs *regs, const gmmu_tier_drv_in *in,
                          gmmu_frame *from);
// May T2_SWAP be done? IN's frame is to2, its slot rises with IN's page. *WAS: what the frame
// holds.
bool gmmu_tier_place_may_swap(const gmmu_tier_place *p, const gmmu_regs *regs,
                              const gmmu_frame_store *store, const gmmu_tier_drv_in *in,
                              gmmu_frame *was);
// A driver operation that is no FILL, at TIME, as gmmu_side_port_drv.
gmmu_tier_drv_out gmmu_tier_place_drv(gmmu_tier_place *p, const gmmu_regs *regs,
                                      gmmu_frame_store *store, gmmu_fault_unit *faults,
                                      const gmmu_tier_drv_in *in, uint32_t time);
// AGE of the slot INDEX, or of entry INDEX - T2_SLOTS of the predictor, for which it is owed then.
// True: a slot's time stamp was clamped.
bool gmmu_tier_place_age(gmmu_tier_place *p, uint32_t index, uint32_t time);

#ifdef __cplusplus
}
#endif
#endif
