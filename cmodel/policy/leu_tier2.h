// SPDX-License-Identifier: Apache-2.0
// leu_tier2.h: the driver's side of Tier 2, for policy `tier`: the page in each slot, and the
// driver's operations on slots. The unit decides which page comes, goes and leaves
// (blocks/tier_place.h).
#ifndef GMMU_POLICY_LEU_TIER2_H
#define GMMU_POLICY_LEU_TIER2_H

#include "blocks/gmmu_tier.h"
#include "driver/gmt_host.h"
#include "policy/ahead.h"

#ifdef __cplusplus
extern "C" {
#endif

// The options of policy `tier` for the place of a victim.
typedef struct {
    unsigned tier;        // GMMU_PLACE_…
    unsigned full;        // cfg_t2_full; GMMU_LEU_FULL_OF_KIND: 1 with GMT-Reuse, else 0
    bool young;           // of equal priorities the younger page leaves Tier 2
    bool by_chance;       // a page without history goes by chance
    bool both;            // a reuse distance is long from the sizes of Tier 1 + Tier 2 on
    uint32_t sets, ways;  // of the predictor
} gmmu_leu_place;
enum { GMMU_LEU_FULL_OF_KIND = 2 };

typedef struct {
    gmmu_ahead ahead;
    bool learns;         // the place is GMT-Reuse: `line` learns
    gmmu_gmt_host line;  // model of reuse, which takes all accesses
    uint64_t vpn_mask;
    uint32_t *slot_of;  // for each page its slot; NO_SLOT: not in Tier 2
    uint32_t page_cap;
    uint32_t *page_of;  // for each slot its page
    uint32_t *empty;    // the empty slots
    uint32_t empties;   // number of empty slots
} gmmu_leu_tier2;

// The `word` functions of the options place=, full=, default=, limit=, tie=. False: an unknown
// word.
bool gmmu_leu_place_word(void *value, const char *text, size_t length);
bool gmmu_leu_full_word(void *value, const char *text, size_t length);
bool gmmu_leu_default_word(void *value, const char *text, size_t length);
bool gmmu_leu_limit_word(void *value, const char *text, size_t length);
bool gmmu_leu_tie_word(void *value, const char *text, size_t length);
// Sets CFG and REGS for a unit with SLOTS slots in Tier 2. 0: without tiers.
void gmmu_leu_tier2_sizes(gmmu_config *cfg, gmmu_regs *regs, uint32_t slots,
                          const gmmu_leu_place *place);
// Returns the driver's side for a unit of CFG and REGS. AHEAD: most pages raised at a fault. NULL:
// no memory.
gmmu_leu_tier2 *gmmu_leu_tier2_create(const gmmu_config *cfg, const gmmu_regs *regs,
                                      const gmmu_leu_place *place, uint32_t ahead);
void gmmu_leu_tier2_destroy(gmmu_leu_tier2 *t);
// Makes room for PAGE. False: no memory.
bool gmmu_leu_tier2_grow(gmmu_leu_tier2 *t, uint32_t page);
// To be called before an access to PAGE comes to U: the model of reuse learns, and sets U's
// registers. False: no memory.
bool gmmu_leu_tier2_hear(gmmu_leu_tier2 *t, gmmu_tier *u, uint32_t page);
// True: PAGE is in Tier 2, in *SLOT.
bool gmmu_leu_tier2_holds(const gmmu_leu_tier2 *t, uint32_t page, uint32_t *slot);
// Execute U's decision D on a fault, all but the FILL. rise: if PAGE, the faulting page, is in Tier
// 2, PAGE leaves its slot, and FILL gets the fields of Tier 2. place: PAGE, the victim, leaves its
// frame. *OUT gets the moves of the victim and of the page that leaves Tier 2 for the victim.
void gmmu_leu_tier2_rise(gmmu_leu_tier2 *t, uint32_t page, const gmmu_tier_decision *d,
                         gmmu_tier_drv_in *fill, gmmu_outcome *out);
void gmmu_leu_tier2_place(gmmu_leu_tier2 *t, gmmu_tier *u, uint32_t page,
                          const gmmu_tier_decision *d, gmmu_outcome *out);

// ---- pages raised ahead of their use
// Counts the time that an access to PAGE waits; *OUT has the access's moves. True: this is the
// first access since PAGE was raised.
bool gmmu_leu_ahead_access(gmmu_leu_tier2 *t, uint32_t page, const gmmu_outcome *out);

#ifdef __cplusplus
}
#endif
#endif
