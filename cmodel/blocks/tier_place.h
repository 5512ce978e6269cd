// SPDX-License-Identifier: Apache-2.0
// tier_place.h: twin of rtl/faults/gmmu_tier_place.v: where a victim of Tier 1 goes, and which page
// leaves Tier 2 for the victim.
//
// Source: GMT (Chang et al., ASPLOS '24) §2.1 for cfg_tier 1 to 3. cfg_tier 4, a policy of
// this unit, uses LEU's priorities in both tiers. The block works on a decision between DECIDE and
// m_axis_decision.
#ifndef GMMU_TIER_PLACE_H
#define GMMU_TIER_PLACE_H

#include "blocks/fault_unit.h"
#include "blocks/side_port.h"
#include "blocks/tier2_table.h"
#include "blocks/tier_predict.h"

#ifdef __cplusplus
extern "C" {
#endif

// Pending work: bit GMMU_TP_… an operation of the predictor, and these bits.
enum { GMMU_OWES_RISE = 1 << 6, GMMU_OWES_PLACE = 1 << 7 };
// cfg_tier 3: candidates that a search may keep (GMT's text names no number; docs/papers/gmt.md).
enum { GMMU_MOST_KEPT = 8 };

typedef struct {
    gmmu_tier2_table slots;
    gmmu_tier_predict predict;
    gmmu_tp_regs by;  // registers of the predictor
    unsigned owed;
    gmmu_tier_decision d;  // GMMU_OWES_PLACE: the decision under way
    uint32_t slot;         // GMMU_OWES_RISE: slot that the fault of the decision names
    bool to3;              // the predictor answered Tier 3
    unsigned kept;         // number of candidates that this search has kept
    bool keep;             // the present candidate is to be kept
    uint32_t look_asid;    // LOOK: the page
    uint64_t look_vpn;
    uint32_t stay_asid;  // STAY: the page
    uint64_t stay_vpn;
    uint32_t age_index;  // AGE: the entry
} gmmu_tier_place;

// Takes no memory if CFG has no slots. Not 0: ARENA is too small.
int gmmu_tier_place_init(gmmu_tier_place *p, const gmmu_config *cfg, gmmu_arena *arena);
// Changes the registers, while nothing is under way or pending.
void gmmu_tier_place_configure(gmmu_tier_place *p, const gmmu_regs *regs);
// Changes the registers of the predictor, also while a search is under way.
void gmmu_tier_place_foresee(gmmu_tier_place *p, const gmmu_regs *regs);

// cfg_tier 3, search `clock`: the page is Tier 1's candidate. A LOOK is pending, unless enough
// candidates were kept.
void gmmu_tier_place_took(gmmu_tier_place *p, uint32_t asid, uint64_t vpn);
// DECIDE has the outcome D.
void gmmu_tier_place_decided(gmmu_tier_place *p, const gmmu_tier_decision *d);
// The decision D on FAULT (NULL: ahead) was made, with cfg_tier not 0. D waits for its place if
// there are tiers and D is FREE or has a victim.
void gmmu_tier_place_begin(gmmu_tier_place *p, const gmmu_regs *regs, const gmmu_tier_decision *d,
                           const gmmu_fault *fault);
// Is the operation KIND (GMMU_TP_…) of the predictor pending? LEAVE comes after RETURN.
static inline bool gmmu_tier_place_foretell_owed(const gmmu_tier_place *p, unsigned kind) {
    return (p->owed >> kind & 1) != 0 &&
           (kind != GMMU_TP_LEAVE || (p->owed & 1u << GMMU_TP_RETURN) == 0);
}
// FORETELL: does the pending operation KIND (GMMU_TP_…) of the predictor at TIME, and returns the
// predictor's answer, which the decision under way takes over.
gmmu_tp_answer gmmu_tier_place_foretell(gmmu_tier_place *p, unsigned kind, uint32_t time);
// RISE of SLOT. True: the page leaves the slot.
bool gmmu_tier_place_rise(gmmu_tier_place *p, const gmmu_regs *regs, uint32_t slot);
// Does PLACE need a search first, as there is no candidate?
bool gmmu_tier_place_needs_search(const gmmu_tier_place *p, const gmmu_regs *regs);
// PLACE. *NONE: no page of a full Tier 2 could leave.
gmmu_tier_decision gmmu_tier_place_placed(gmmu_tier_place *p, const gmmu_regs *regs,
                                          gmmu_frame_store *store, const gmmu_fault_queue *asked,
                                          bool *none);
// May the page of SLOT leave? SLOT is held, and no fault of ASKED names SLOT.
bool gmmu_tier_place_eligible(const gmmu_tier_place *p, const gmmu_fault_queue *asked,
                              uint32_t slot);

// FILL of IN's page from IN's slot; *FROM is the content of the slot before. False: the slot does
// not fit, and nothing was done.
bool gmmu_tier_place_fill(gmmu_tier_place *p, const gmmu_regs *regs, const gmmu_tier_drv_in *in,
                          gmmu_frame *from);
// May T2_SWAP be done? IN's frame is to2, and IN's slot rises with IN's page. *WAS is the content
// of the frame.
bool gmmu_tier_place_may_swap(const gmmu_tier_place *p, const gmmu_regs *regs,
                              const gmmu_frame_store *store, const gmmu_tier_drv_in *in,
                              gmmu_frame *was);
// A driver operation other than FILL, as gmmu_side_port_drv.
gmmu_tier_drv_out gmmu_tier_place_drv(gmmu_tier_place *p, const gmmu_regs *regs,
                                      gmmu_frame_store *store, gmmu_fault_unit *faults,
                                      const gmmu_tier_drv_in *in, const gmmu_side_now *now);
// AGE of the slot INDEX, or of entry INDEX - T2_SLOTS of the predictor, whose FORETELL AGE is then
// pending. True: a slot's time stamp was clamped.
bool gmmu_tier_place_age(gmmu_tier_place *p, uint32_t index, uint32_t time);

#ifdef __cplusplus
}
#endif
#endif
