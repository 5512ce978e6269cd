// SPDX-License-Identifier: Apache-2.0
// leu_tier2.h: the second tier of policy `tier`: its driver's side, beside the unit of policy
// `leu`.
#ifndef GMMU_POLICY_LEU_TIER2_H
#define GMMU_POLICY_LEU_TIER2_H

#include "blocks/gmmu_tier.h"
#include "blocks/tier2_table.h"
#include "policy/ahead.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    gmmu_tier2_table table;
    gmmu_ahead ahead;
    uint64_t vpn_mask;
    void *memory;
    uint32_t *slot_of;  // of each page; NO_SLOT: it is not in Tier 2
    uint32_t page_cap;
    uint32_t *page_of;  // of each slot
    uint32_t *empty;    // slots that hold none
    uint32_t walks, age_every;
} gmmu_leu_tier2;

// SLOTS slots beside a unit of CFG, searched as SEARCH says. YOUNG: of equal priorities the younger
// page leaves. AHEAD: pages that are raised at a fault, at most. NULL: no memory.
gmmu_leu_tier2 *gmmu_leu_tier2_create(const gmmu_config *cfg, uint32_t slots, unsigned search,
                                      bool young, uint32_t ahead);
void gmmu_leu_tier2_destroy(gmmu_leu_tier2 *t);
// A walk, which is on PAGE, at TIME. False: no memory.
bool gmmu_leu_tier2_walk(gmmu_leu_tier2 *t, uint32_t page, uint32_t time);
// A fault of PAGE: if it is in Tier 2, it leaves it, and *OUT says so.
void gmmu_leu_tier2_rise(gmmu_leu_tier2 *t, uint32_t page, gmmu_outcome *out);
// PAGE leaves FRAME of U, which holds it still: to Tier 2 if there is room, or one there that is
// worth less.
void gmmu_leu_tier2_place(gmmu_leu_tier2 *t, const gmmu_tier *u, uint32_t frame, uint32_t page,
                          gmmu_outcome *out);

// ---- pages raised ahead of their use
static inline bool gmmu_leu_ahead_on(const gmmu_leu_tier2 *t) {
    return t->ahead.most != 0;
}
// Is PAGE in Tier 2? *IS has its last access.
bool gmmu_leu_tier2_holds(const gmmu_leu_tier2 *t, uint32_t page, gmmu_frame *is);
// An access to PAGE, of which *OUT says where it comes from: what it waits. True: it is the first
// one since PAGE was raised.
bool gmmu_leu_ahead_access(gmmu_leu_tier2 *t, uint32_t page, const gmmu_outcome *out);

#ifdef __cplusplus
}
#endif
#endif
