// SPDX-License-Identifier: Apache-2.0
// tier_predict.h: twin of rtl/faults/gmmu_tier_predict.v: to which tier a page goes that leaves
// Tier 1, foretold from where it should have gone the times before.
//
// Source: GMT (Chang et al., "GMT: GPU Orchestrated Memory Tiering for the Big Data Era", ASPLOS
// '24) §2.1.3, Fig. 5, and §2.2. A page that comes back tells where it should have been: its
// remaining virtual-time distance, in walks, against two thresholds that the host makes of RRD = m
// · RVTD + b. A chain of three states for each page counts which tier followed which.
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

// Tiers as they are told: 1 to 3, 0: none known.
enum { GMMU_TP_TIERS = 3 };
// Of the last WINDOW pages that left, more than MOST foretold for Tier 3: the next one is forced.
enum { GMMU_TP_WINDOW = 64, GMMU_TP_MOST = 51 };

typedef struct {
    uint32_t tag;
    uint32_t left;  // walk at which it left
    uint8_t valid, away;
    uint8_t last;                                  // the tier that was right the last time
    uint8_t weight[GMMU_TP_TIERS][GMMU_TP_TIERS];  // [before][after]: how often it followed
} gmmu_tp_entry;

// The registers that it reads.
typedef struct {
    unsigned policy;     // cfg_tier: GMMU_PLACE_…
    bool random;         // cfg_tier_default: no history: 0 to Tier 2, 1 by chance
    bool model;          // cfg_tier_model: near and far hold
    uint32_t near, far;  // walks; below near: Tier 1; else below far: Tier 2; else Tier 3
} gmmu_tp_regs;

// What an operation found and says.
typedef struct {
    bool found;      // the page has an entry
    unsigned pred;   // the tier foretold; 0: no history, or no model
    unsigned right;  // RETURN: the tier that was right; 0: not learnt
    unsigned tier;   // LEAVE: where it goes, 2 or 3
    bool forced;     // LEAVE: foretold for Tier 3, and goes to Tier 2 all the same
    bool clamped;    // AGE: made younger
} gmmu_tp_answer;

typedef struct {
    gmmu_tp_entry *entry;  // [set][way]
    unsigned sets, ways, set_w, tag_w, asid_w, vpn_w;
    uint32_t time_mask, limit, most;  // most: of a weight
    uint64_t window;  // of the last pages that left, the newest is bit 0: for Tier 3?
    unsigned in_window;
    uint32_t lfsr;
    bool forgetting;  // the entries are being cleared: no page gets one
} gmmu_tier_predict;

// Not 0: ARENA is too small. CFG's sizes are those that rtl/faults/gmmu_tier_predict.v checks.
int gmmu_tier_predict_init(gmmu_tier_predict *p, const gmmu_config *cfg, gmmu_arena *arena);

// What is foretold of the page, if it left now. Changes nothing.
gmmu_tp_answer gmmu_tier_predict_look(const gmmu_tier_predict *p, const gmmu_tp_regs *r,
                                      uint32_t asid, uint64_t vpn);
// The page is asked for again at TIME: if it was away, learns where it should have been.
gmmu_tp_answer gmmu_tier_predict_return(gmmu_tier_predict *p, const gmmu_tp_regs *r, uint32_t asid,
                                        uint64_t vpn, uint32_t time);
// The page leaves Tier 1 at TIME. One that has no entry gets one, if need be another page's.
gmmu_tp_answer gmmu_tier_predict_leave(gmmu_tier_predict *p, const gmmu_tp_regs *r, uint32_t asid,
                                       uint64_t vpn, uint32_t time);
// The page that was to leave stays: nothing is learnt of it.
gmmu_tp_answer gmmu_tier_predict_stay(gmmu_tier_predict *p, const gmmu_tp_regs *r, uint32_t asid,
                                      uint64_t vpn);
// No time may outlive half its range: entry INDEX, {way, set}, that left 2^(TIME_W-2) walks ago or
// more left that long ago from now on.
gmmu_tp_answer gmmu_tier_predict_age(gmmu_tier_predict *p, uint32_t index, uint32_t time);

// A flush of an address space takes all entries, which are of hashes alone. GOING: it begins, and
// until it is over no page gets one.
void gmmu_tier_predict_forget(gmmu_tier_predict *p, bool going);

#ifdef __cplusplus
}
#endif
#endif
