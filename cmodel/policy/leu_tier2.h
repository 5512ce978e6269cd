// SPDX-License-Identifier: Apache-2.0
// leu_tier2.h: the second tier of policy `tier`: its driver's side: which page is in which slot,
// and what the unit is told of it. Who comes, goes and leaves is the unit's (blocks/tier_place.h).
#ifndef GMMU_POLICY_LEU_TIER2_H
#define GMMU_POLICY_LEU_TIER2_H

#include "blocks/gmmu_tier.h"
#include "policy/ahead.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    gmmu_ahead ahead;
    uint64_t vpn_mask;
    uint32_t *slot_of;  // of each page; NO_SLOT: it is not in Tier 2
    uint32_t page_cap;
    uint32_t *page_of;  // of each slot
    uint32_t *empty;    // slots that hold none,
    uint32_t empties;   // so many
} gmmu_leu_tier2;

// Makes CFG and REGS those of a unit with SLOTS slots in Tier 2, 0: without tiers. YOUNG: of equal
// priorities the younger page leaves.
void gmmu_leu_tier2_sizes(gmmu_config *cfg, gmmu_regs *regs, uint32_t slots, bool young);
// Beside a unit of CFG. AHEAD: pages that are raised at a fault, at most. NULL: no memory.
gmmu_leu_tier2 *gmmu_leu_tier2_create(const gmmu_config *cfg, uint32_t ahead);
void gmmu_leu_tier2_destroy(gmmu_leu_tier2 *t);
// Room for PAGE. False: no memory.
bool gmmu_leu_tier2_grow(gmmu_leu_tier2 *t, uint32_t page);
// Is PAGE in Tier 2? *SLOT is where.
bool gmmu_leu_tier2_holds(const gmmu_leu_tier2 *t, uint32_t page, uint32_t *slot);
// What U decided, D, on the fault of PAGE is done, but for its FILL, which gets what it has to say
// of Tier 2: if PAGE is there, it leaves its slot; then its victim PAGE leaves its frame, and *OUT
// says where to and who leaves for it.
void gmmu_leu_tier2_rise(gmmu_leu_tier2 *t, uint32_t page, const gmmu_tier_decision *d,
                         gmmu_tier_drv_in *fill, gmmu_outcome *out);
void gmmu_leu_tier2_place(gmmu_leu_tier2 *t, gmmu_tier *u, uint32_t page,
                          const gmmu_tier_decision *d, gmmu_outcome *out);

// ---- pages raised ahead of their use
static inline bool gmmu_leu_ahead_on(const gmmu_leu_tier2 *t) {
    return t->ahead.most != 0;
}
// An access to PAGE, of which *OUT says where it comes from: what it waits. True: it is the first
// one since PAGE was raised.
bool gmmu_leu_ahead_access(gmmu_leu_tier2 *t, uint32_t page, const gmmu_outcome *out);

#ifdef __cplusplus
}
#endif
#endif
