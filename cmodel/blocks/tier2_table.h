// SPDX-License-Identifier: Apache-2.0
// tier2_table.h: twin of rtl/faults/gmmu_tier2_table.v: the pages in Tier 2, slot by slot, and the
// search for the page that leaves Tier 2.
//
// Class and time of the last access go with a page. Both tiers therefore have the same priorities
// and the same search. Two more searches: of equal priorities the younger leaves first; or without
// priorities, the first slot from the hand on.
// Source: GMT (Chang et al., ASPLOS '24) §2.1; LEU §3.1 for class and last access.
#ifndef GMMU_TIER2_TABLE_H
#define GMMU_TIER2_TABLE_H

#include "blocks/fault_queue.h"
#include "blocks/search_round.h"

#ifdef __cplusplus
extern "C" {
#endif

// States of a slot. RISING: the page is on its way to Tier 1; LEAVING: to Tier 3.
enum { GMMU_SLOT_FREE, GMMU_SLOT_HELD, GMMU_SLOT_RISING, GMMU_SLOT_LEAVING };

typedef struct {
    // The slots, as frames of a frame table. Valid and not leaving: held. Leaving and pinned:
    // rising. During a round a held slot is `pinned` if an outstanding fault names the slot.
    gmmu_frame_store slots;
    gmmu_victim_select select;  // with `young` the search has negated times
    uint32_t n;                 // T2_SLOTS; 0: there is no Tier 2
    uint32_t held;              // number of held slots
    uint32_t claims;            // number of frames to whose page a slot is promised
    bool young;                 // of equal priorities the younger leaves
} gmmu_tier2_table;

// Makes T for the sizes CFG, T2_SLOTS not 0. Not 0: ARENA is too small.
int gmmu_tier2_table_init(gmmu_tier2_table *t, const gmmu_config *cfg, gmmu_arena *arena);
// Takes the registers that select the search. Nothing may be under way.
void gmmu_tier2_table_configure(gmmu_tier2_table *t, const gmmu_regs *regs);

// ---- slots; SLOT must be below T2_SLOTS
// Returns the state of SLOT, GMMU_SLOT_….
static inline unsigned gmmu_tier2_table_state(const gmmu_tier2_table *t, uint32_t slot) {
    const gmmu_frame_seen s = t->slots.table.seen[slot];
    return !s.valid     ? GMMU_SLOT_FREE
           : !s.leaving ? GMMU_SLOT_HELD
           : s.pinned   ? GMMU_SLOT_RISING
                        : GMMU_SLOT_LEAVING;
}
// Returns the page in SLOT, with class and time of its last access; not valid: the slot is free.
static inline gmmu_frame gmmu_tier2_table_get(const gmmu_tier2_table *t, uint32_t slot) {
    return gmmu_frame_table_get(&t->slots.table, slot);
}
// True: SLOT holds the page, in any state but free.
bool gmmu_tier2_table_has(const gmmu_tier2_table *t, uint32_t slot, uint32_t asid, uint64_t vpn);
// put: SLOT holds PAGE; the page before must be gone. free: SLOT is empty. set: the page in SLOT is
// held, rises or leaves (STATE: GMMU_SLOT_…).
void gmmu_tier2_table_put(gmmu_tier2_table *t, uint32_t slot, gmmu_frame page);
void gmmu_tier2_table_free(gmmu_tier2_table *t, uint32_t slot);
void gmmu_tier2_table_set(gmmu_tier2_table *t, uint32_t slot, unsigned state);
// AGE of SLOT at TIME: clamps a time stamp that is too old. True: the stamp was clamped.
bool gmmu_tier2_table_age(gmmu_tier2_table *t, uint32_t slot, uint32_t time);

// ---- the search; ENABLED slots, at least one
// The answer for SLOT, whose turn it is: a candidate of PRIORITY, if ELIGIBLE.
void gmmu_tier2_table_offer(gmmu_tier2_table *t, uint32_t slot, uint16_t priority, bool eligible,
                            uint32_t enabled);
// Visits all slots of the round under way, or of a new round. Slots that a fault of ASKED names are
// no candidates.
void gmmu_tier2_table_round(gmmu_tier2_table *t, const gmmu_rank_at *now,
                            const gmmu_fault_queue *asked, uint32_t enabled);
// True: the best candidate's slot did not change since the search.
bool gmmu_tier2_table_best_stands(const gmmu_tier2_table *t);
// RETRY: the best candidate's slot changed. The next best follows.
void gmmu_tier2_table_retry(gmmu_tier2_table *t);

#ifdef __cplusplus
}
#endif
#endif
