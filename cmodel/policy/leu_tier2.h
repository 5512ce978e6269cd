// SPDX-License-Identifier: Apache-2.0
// leu_tier2.h: the second tier of policy `tier`: its driver's side: which page is in which slot,
// and what the unit is told of it. Who comes, goes and leaves is the unit's (blocks/tier_place.h).
#ifndef GMMU_POLICY_LEU_TIER2_H
#define GMMU_POLICY_LEU_TIER2_H

#include "blocks/gmmu_tier.h"
#include "driver/gmt_host.h"
#include "policy/ahead.h"

#ifdef __cplusplus
extern "C" {
#endif

// How the unit places a victim: the options of policy `tier`.
typedef struct {
    unsigned tier;        // GMMU_PLACE_…
    unsigned full;        // cfg_t2_full; FULL_OF_KIND: 0, with GMT-Reuse 1
    bool young;           // of equal priorities the younger page leaves Tier 2
    bool by_chance;       // who has no history
    bool both;            // long reuse from Tier 1 + Tier 2 on
    uint32_t sets, ways;  // of the predictor
} gmmu_leu_place;
enum { GMMU_LEU_FULL_OF_KIND = 2 };

typedef struct {
    gmmu_ahead ahead;
    bool learns;         // GMT-Reuse
    gmmu_gmt_host line;  // its model of reuse, which hears all accesses
    uint64_t vpn_mask;
    uint32_t *slot_of;  // of each page; NO_SLOT: it is not in Tier 2
    uint32_t page_cap;
    uint32_t *page_of;  // of each slot
    uint32_t *empty;    // slots that hold none,
    uint32_t empties;   // so many
} gmmu_leu_tier2;

// What words of options say, at *VALUE: place=, full=, default=, limit=, tie=. False: none of them.
bool gmmu_leu_place_word(void *value, const char *text, size_t length);
bool gmmu_leu_full_word(void *value, const char *text, size_t length);
bool gmmu_leu_default_word(void *value, const char *text, size_t length);
bool gmmu_leu_limit_word(void *value, const char *text, size_t length);
bool gmmu_leu_tie_word(void *value, const char *text, size_t length);
// Makes CFG and REGS those of a unit with SLOTS slots in Tier 2, 0: without tiers.
void gmmu_leu_tier2_sizes(gmmu_config *cfg, gmmu_regs *regs, uint32_t slots,
                          const gmmu_leu_place *place);
// Beside a unit of CFG and REGS. AHEAD: pages that are raised at a fault, at most. NULL: no memory.
gmmu_leu_tier2 *gmmu_leu_tier2_create(const gmmu_config *cfg, const gmmu_regs *regs,
                                      const gmmu_leu_place *place, uint32_t ahead);
void gmmu_leu_tier2_destroy(gmmu_leu_tier2 *t);
// Room for PAGE. False: no memory.
bool gmmu_leu_tier2_grow(gmmu_leu_tier2 *t, uint32_t page);
// An access to PAGE is about to come to U: the model of reuse learns, and U's registers follow.
// False: no memory.
bool gmmu_leu_tier2_hear(gmmu_leu_tier2 *t, gmmu_tier *u, uint32_t page);
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
