// SPDX-License-Identifier: Apache-2.0
// tier_predict.h: twin of rtl/faults/gmmu_tier_predict.v: predicts the tier of a page that leaves
// Tier 1 from the tiers that were right before.
//
// When a page comes back, its remaining virtual-time distance (in walks, RVTD) gives the tier that
// was right, by two thresholds. The host computes the thresholds from the line RRD = m * RVTD + b.
// A chain of three states for each page counts which tier followed which.
//
// Source: GMT (Chang et al., "GMT: GPU Orchestrated Memory Tiering for the Big Data Era", ASPLOS
// '24) §2.1.3, Fig. 5, and §2.2.
#ifndef GMMU_TIER_PREDICT_H
#define GMMU_TIER_PREDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "gmmu/arena.h"
#include "gmmu/codes.h"
#include "gmmu/config.h"

#ifdef __cplusplus
extern "C" {
#endif

// Number of tiers. A tier is 1 to 3; 0: no tier is known.
enum { GMMU_TP_TIERS = 3 };
// If more than MOST of the last WINDOW pages that left were predicted for Tier 3, a page that is
// predicted for Tier 3 goes to Tier 2 (forced).
enum { GMMU_TP_WINDOW = 64, GMMU_TP_MOST = 51 };

typedef struct {
    uint32_t tag;
    uint32_t left;  // walk at which the page left
    uint8_t valid, away;
    uint8_t last;                                  // the tier that was right the last time
    uint8_t weight[GMMU_TP_TIERS][GMMU_TP_TIERS];  // [before][after]: how often `after` followed
} gmmu_tp_entry;

// The registers of the predictor.
typedef struct {
    unsigned policy;  // cfg_tier: GMMU_PLACE_…
    bool random;  // cfg_tier_default: a page without history goes to Tier 2 (0) or by chance (1)
    bool model;   // cfg_tier_model: near and far are valid
    // distances in walks: below near Tier 1 was right, else below far Tier 2, else Tier 3
    uint32_t near, far;
} gmmu_tp_regs;

// The answer to an operation.
typedef struct {
    bool found;      // the page has an entry
    unsigned pred;   // the predicted tier; 0: no history, or no model
    unsigned right;  // RETURN: the tier that was right; 0: not learnt
    unsigned tier;   // LEAVE: tier of the page, 2 or 3
    bool forced;     // LEAVE: the page is predicted for Tier 3, and goes to Tier 2 all the same
    bool clamped;    // AGE: the time stamp was clamped
} gmmu_tp_answer;

typedef struct {
    gmmu_tp_entry *entry;  // [set][way]
    unsigned sets, ways, set_w, tag_w, asid_w, vpn_w;
    uint32_t time_mask, limit, most;  // most: largest weight
    // a bit for each page that left lately, the newest is bit 0: predicted for Tier 3
    uint64_t window;
    unsigned in_window;
    uint32_t lfsr;
    bool forgetting;  // the entries are being cleared: no page gets an entry
} gmmu_tier_predict;

// Makes P. Not 0: ARENA is too small. CFG's sizes must pass the checks of
// rtl/faults/gmmu_tier_predict.v.
int gmmu_tier_predict_init(gmmu_tier_predict *p, const gmmu_config *cfg, gmmu_arena *arena);

// LOOK: returns the prediction for the page, if the page left now. Changes nothing.
gmmu_tp_answer gmmu_tier_predict_look(const gmmu_tier_predict *p, const gmmu_tp_regs *r,
                                      uint32_t asid, uint64_t vpn);
// RETURN: the page is asked for again at TIME. If the page was away, learns the tier that was
// right.
gmmu_tp_answer gmmu_tier_predict_return(gmmu_tier_predict *p, const gmmu_tp_regs *r, uint32_t asid,
                                        uint64_t vpn, uint32_t time);
// LEAVE: the page leaves Tier 1 at TIME. A page without an entry gets an entry, if need be another
// page's.
gmmu_tp_answer gmmu_tier_predict_leave(gmmu_tier_predict *p, const gmmu_tp_regs *r, uint32_t asid,
                                       uint64_t vpn, uint32_t time);
// STAY: the page that was to leave stays. Nothing is learnt.
gmmu_tp_answer gmmu_tier_predict_stay(gmmu_tier_predict *p, const gmmu_tp_regs *r, uint32_t asid,
                                      uint64_t vpn);
// AGE of entry INDEX, {way, set}: a page that left 2^(TIME_W-2) walks ago or more left exactly so
// long ago from now on. So no time stamp outlives half its range.
gmmu_tp_answer gmmu_tier_predict_age(gmmu_tier_predict *p, uint32_t index, uint32_t time);

// A flush of an address space clears all entries, since a tag is a hash that does not name the
// space. GOING: the flush begins, and no page gets an entry until the call with GOING false.
void gmmu_tier_predict_forget(gmmu_tier_predict *p, bool going);

#ifdef __cplusplus
}
#endif
#endif
