// SPDX-License-Identifier: Apache-2.0
// unit_memory.h: the unit behind one call, for simulators: page table, driver and unit together.
//
// An access to a page is a walk of the unit on the standard schedule (blocks/schedule.h). At a
// fault the driver of docs/guide/integration.md follows the unit's decision at once: the victim
// leaves, the page comes. Victims and counts are those of policies `leu` and `tier` of `gmmu
// replay`.
#ifndef GMMU_DRIVER_UNIT_MEMORY_H
#define GMMU_DRIVER_UNIT_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "gmmu/config.h"
#include "gmmu/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gmmu_unit_memory gmmu_unit_memory;

// The outcome of an access. Tiers: 1 near memory; 2 the memory below; with a Tier 2 also 3.
typedef struct {
    uint64_t victim_vpn;   // victim_to not 0: the page that left Tier 1
    uint64_t t2_vpn;       // t2_left: the page that left Tier 2
    uint32_t frame;        // the frame of the accessed page, from now on
    uint32_t victim_asid;  // its address space
    uint32_t t2_asid;      // its address space
    uint32_t slot;         // with a Tier 2, victim_to 2: the slot of the victim, from now on
    uint16_t priority;     // of the victim, minifloat (docs/reference/formats.md)
    uint8_t from;          // where the accessed page was; 1: a hit
    uint8_t victim_to;     // where the victim went; 0: no page left
    bool victim_dirty;  // the victim was written while it was in Tier 1, or came dirty from Tier 2
    bool t2_left;       // a page left Tier 2 for Tier 3, to make room for the victim
    bool t2_dirty;      // that page differs from its copy in Tier 3
    bool first;         // the first access to the page
} gmmu_unit_access;

typedef struct {
    uint64_t accesses, faults;
    uint64_t cold;          // faults that are the first access to their page
    uint64_t evictions;     // pages that left Tier 1 for a fault
    uint64_t writebacks;    // dirty pages among these
    uint64_t tier2_hits;    // faults whose page came from Tier 2, with a Tier 2
    uint64_t tier2_puts;    // victims that went to Tier 2, with a Tier 2
    uint64_t tier3_writes;  // dirty pages that went to Tier 3
} gmmu_unit_memory_counts;

// Makes *CFG and *REGS those of a memory of FRAMES pages over a Tier 2 of SLOTS pages (0: none),
// with victims of Tier 1 placed by PLACE (GMMU_PLACE_…), as `gmmu replay` has them. Before: a
// configuration, and its gmmu_regs_default.
void gmmu_unit_memory_sizes(gmmu_config *cfg, gmmu_regs *regs, uint32_t frames, uint32_t slots,
                            unsigned place);
// An empty memory. NULL and *err: CFG or REGS are not legal, cfg_ahead or cfg_fresh is not 0, or no
// memory.
gmmu_unit_memory *gmmu_unit_memory_create(const gmmu_config *cfg, const gmmu_regs *regs,
                                          gmmu_error *err);
void gmmu_unit_memory_destroy(gmmu_unit_memory *m);

// One access. GMMU_OK and *OUT; GMMU_BAD and *err: the page has more bits than the configuration
// (nothing was done), no page may leave (the page stays where it is), or no memory.
int gmmu_unit_memory_access(gmmu_unit_memory *m, const gmmu_walk *walk, gmmu_unit_access *out,
                            gmmu_error *err);
// 1: in Tier 1, in *WHERE its frame. 2: in Tier 2, in *WHERE its slot. 0: in neither. WHERE may be
// NULL.
unsigned gmmu_unit_memory_find(const gmmu_unit_memory *m, uint32_t asid, uint64_t vpn,
                               uint32_t *where);
// The page of Tier 1 stays until it is unpinned. False: the page is not in Tier 1.
bool gmmu_unit_memory_pin(gmmu_unit_memory *m, uint32_t asid, uint64_t vpn, bool pin);
// The program frees the page: it leaves without a victim's way. False: the page is in no tier.
bool gmmu_unit_memory_free(gmmu_unit_memory *m, uint32_t asid, uint64_t vpn);
// A context has ended, and its pages were freed: the unit forgets what it learnt from it.
void gmmu_unit_memory_flush(gmmu_unit_memory *m, uint32_t asid);
gmmu_unit_memory_counts gmmu_unit_memory_counted(const gmmu_unit_memory *m);
// The unit's own counters.
gmmu_counters gmmu_unit_memory_counters(const gmmu_unit_memory *m);
const gmmu_config *gmmu_unit_memory_config(const gmmu_unit_memory *m);
const gmmu_regs *gmmu_unit_memory_regs(const gmmu_unit_memory *m);

#ifdef __cplusplus
}
#endif
#endif
