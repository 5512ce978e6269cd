// SPDX-License-Identifier: Apache-2.0
// side_port.h: twin of rtl/unit/gmmu_side_port.v: the operations of the driver, and the stamp that
// AGE visits next.
#ifndef GMMU_SIDE_PORT_H
#define GMMU_SIDE_PORT_H

#include "blocks/fault_unit.h"

#ifdef __cplusplus
extern "C" {
#endif

// A driver operation, as on s_axis_drv.
typedef struct {
    uint64_t vpn;
    uint32_t asid, frame;
    unsigned op;
    bool dirty;
    bool returns;  // FILL: the page was in Tier 1 before, and last accessed there at WAS
    uint32_t was;
    bool t2;  // FILL, ASK, CANCEL: the page is in SLOT of Tier 2
    uint32_t slot;
} gmmu_tier_drv_in;

typedef struct {
    bool refused;      // unknown op, frame not enabled, nothing to cancel: no effect
    gmmu_reuse reuse;  // FILL, FREE: the page that left
    unsigned record;   // GMMU_REC_*
    unsigned fault;    // ASK: GMMU_FAULT_*
    bool entry_hit;    // FILL, CANCEL: there was an outstanding fault of the page
    unsigned entry;
    unsigned exported;  // GMMU_RIT_*
    bool t2_stale;      // FILL, ASK, CANCEL with t2: done without, as SLOT does not fit
} gmmu_tier_drv_out;

typedef struct {
    uint32_t frames, stamps;  // FRAMES; all of them, FRAMES + FAULTS and those of Tier 2
    uint32_t age_next;        // index of the next AGE
    bool age_owed;
} gmmu_side_port;

void gmmu_side_port_init(gmmu_side_port *s, const gmmu_config *cfg);

// FILL of a frame that is enabled, at TIME. FROM: the slot of Tier 2 that the page comes from,
// NULL: none.
static inline void gmmu_side_port_fill(gmmu_frame_store *store, gmmu_fault_unit *faults,
                                       const gmmu_tier_drv_in *in, const gmmu_frame *from,
                                       uint32_t time, gmmu_tier_drv_out *out) {
    gmmu_frame page = {};
    page.vpn = in->vpn;
    page.asid = in->asid;
    page.last = time;
    page.dirty = in->dirty;
    if (from != NULL) {
        page.cls = from->cls;
        page.last = from->last;
        page.dirty |= from->dirty;
    }
    const gmmu_fault_found found = gmmu_fault_unit_fill(faults, in->asid, in->vpn);
    if (found.fault.valid) {
        page.cls = found.fault.cls;
        page.last = found.fault.last;
        page.dirty |= found.fault.dirty;
        out->entry_hit = true;
        out->entry = found.entry;
    }
    out->reuse = gmmu_frame_store_fill(store, in->frame, page, in->returns, in->was, time);
    gmmu_fault_unit_went(faults, out->reuse);
    gmmu_fault_unit_came(faults);
}
// A driver operation at TIME; FRAMES are enabled. What the page that left teaches (record,
// exported) is left to the caller.
gmmu_tier_drv_out gmmu_side_port_drv(gmmu_frame_store *store, gmmu_fault_unit *faults,
                                     const gmmu_tier_drv_in *in, uint32_t frames, uint32_t time);
// AGE of the next stamp. True: it was clamped. *INDEX is the frame, or FRAMES + the fault entry;
// beyond these it is a stamp of Tier 2 (tier_place.h), which is left to the caller.
bool gmmu_side_port_age(gmmu_side_port *s, gmmu_frame_store *store, gmmu_fault_unit *faults,
                        uint32_t time, uint32_t *index);

#ifdef __cplusplus
}
#endif
#endif
