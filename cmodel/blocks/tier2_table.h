// SPDX-License-Identifier: Apache-2.0
// tier2_table.h: twin of rtl/faults/gmmu_tier2_table.v: the pages in Tier 2, slot by slot, and the
// search for the one that leaves it.
//
// What the unit knows of a page goes with it: the reference and the time of its last access. So the
// priorities of both tiers are made alike, and the search is the one of the frames. Two others: of
// equal priorities the younger first, or no priorities at all, the first one from the hand on (GMT,
// Chang et al., ASPLOS '24, §2.1).
#ifndef GMMU_TIER2_TABLE_H
#define GMMU_TIER2_TABLE_H

#include "blocks/fault_queue.h"
#include "blocks/search_round.h"

#ifdef __cplusplus
extern "C" {
#endif

// What a slot is. RISING: its page is on its way to Tier 1; LEAVING: to Tier 3.
enum { GMMU_SLOT_FREE, GMMU_SLOT_HELD, GMMU_SLOT_RISING, GMMU_SLOT_LEAVING };

typedef struct {
    // Slot by slot what the frame table has of a frame: a valid one that is not leaving is held; a
    // leaving one that is pinned too rises. Of a held one `pinned` says during a round that an
    // outstanding fault names it.
    gmmu_frame_store slots;
    gmmu_victim_select select;  // with `young` it has times negated
    uint32_t n;                 // T2_SLOTS; 0: nothing is ever done here
    uint32_t held;              // slots that are held
    uint32_t claims;            // frames with a promised place
    bool young;                 // of equal priorities the younger leaves
} gmmu_tier2_table;

// The slots of CFG, which has some. Not 0: ARENA is too small.
int gmmu_tier2_table_init(gmmu_tier2_table *t, const gmmu_config *cfg, gmmu_arena *arena);
// The registers that say which search it is; nothing is under way.
void gmmu_tier2_table_configure(gmmu_tier2_table *t, const gmmu_regs *regs);

// ---- slots, which exist
static inline unsigned gmmu_tier2_table_state(const gmmu_tier2_table *t, uint32_t slot) {
    const gmmu_frame_seen s = t->slots.table.seen[slot];
    return !s.valid     ? GMMU_SLOT_FREE
           : !s.leaving ? GMMU_SLOT_HELD
           : s.pinned   ? GMMU_SLOT_RISING
                        : GMMU_SLOT_LEAVING;
}
static inline gmmu_frame gmmu_tier2_table_get(const gmmu_tier2_table *t, uint32_t slot) {
    return gmmu_frame_table_get(&t->slots.table, slot);
}
// Does SLOT have the page, whatever shall become of it?
bool gmmu_tier2_table_has(const gmmu_tier2_table *t, uint32_t slot, uint32_t asid, uint64_t vpn);
// SLOT, of which the page before is gone, holds PAGE; it is empty; its page, which it has, is held,
// rises, leaves (GMMU_SLOT_…).
void gmmu_tier2_table_put(gmmu_tier2_table *t, uint32_t slot, gmmu_frame page);
void gmmu_tier2_table_free(gmmu_tier2_table *t, uint32_t slot);
void gmmu_tier2_table_set(gmmu_tier2_table *t, uint32_t slot, unsigned state);
// AGE: a time stamp that is too old is set younger. True: it was.
bool gmmu_tier2_table_age(gmmu_tier2_table *t, uint32_t slot, uint32_t time);

// ---- the search; ENABLED slots, at least one
// SLOT, whose turn it is, is a candidate of PRIORITY, if ELIGIBLE.
void gmmu_tier2_table_offer(gmmu_tier2_table *t, uint32_t slot, uint16_t priority, bool eligible,
                            uint32_t enabled);
// All slots of a round, the one under way or a new one; ASKED names some that are no candidates.
void gmmu_tier2_table_round(gmmu_tier2_table *t, const gmmu_rank_at *now,
                            const gmmu_fault_queue *asked, uint32_t enabled);
// Is the best candidate what it was when it was one?
bool gmmu_tier2_table_best_stands(const gmmu_tier2_table *t);
// It is not: the next best is.
void gmmu_tier2_table_retry(gmmu_tier2_table *t);

#ifdef __cplusplus
}
#endif
#endif
