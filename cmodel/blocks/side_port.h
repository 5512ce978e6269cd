// SPDX-License-Identifier: Apache-2.0
// side_port.h: twin of rtl/unit/gmmu_side_port.v: the operations of the driver, and the time stamp
// of the next AGE.
#ifndef GMMU_SIDE_PORT_H
#define GMMU_SIDE_PORT_H

#include "blocks/fault_unit.h"

#ifdef __cplusplus
extern "C" {
#endif

// A driver operation, as on s_axis_drv (docs/reference/formats.md).
typedef struct {
    uint64_t vpn;
    uint32_t asid, frame;
    unsigned op;
    bool dirty;
    bool returns;  // FILL: the page was in Tier 1 earlier; WAS is its last access there
    uint32_t was;
    bool t2;  // FILL, ASK, CANCEL: the page is in SLOT of Tier 2
    uint32_t slot;
    bool force;  // ASK: the decision may take a fresh frame
    bool ahead;  // CANCEL of a decision ahead: no fault ends
} gmmu_tier_drv_in;

// What the unit knows when an operation takes effect.
typedef struct {
    uint32_t frames;  // number of enabled frames
    uint32_t time;
    bool makes_fresh;  // a page that answers a fault is fresh
} gmmu_side_now;

typedef struct {
    bool refused;      // no effect: unknown op, frame not enabled, or nothing to cancel
    gmmu_reuse reuse;  // FILL, FREE: the page that left
    unsigned record;   // GMMU_REC_*
    unsigned fault;    // ASK: GMMU_FAULT_*
    bool entry_hit;    // FILL, CANCEL: the page had an outstanding fault, in ENTRY
    bool fresh;        // FILL: the frame is fresh from now on
    unsigned entry;
    unsigned exported;  // GMMU_RIT_*
    bool t2_stale;      // FILL, ASK, CANCEL: done as without t2, since SLOT has another page
} gmmu_tier_drv_out;

typedef struct {
    uint32_t frames, stamps;  // FRAMES; number of all time stamps: of frames, faults and Tier 2
    uint32_t age_next;        // index of the next AGE
    bool age_owed;
} gmmu_side_port;

// Makes S for the sizes CFG.
void gmmu_side_port_init(gmmu_side_port *s, const gmmu_config *cfg);

// The page of FRAME leaves: the page does not count as arrived any more.
static inline void gmmu_side_port_leaves(const gmmu_frame_store *store, gmmu_fault_unit *faults,
                                         uint32_t frame) {
    const gmmu_frame_page *page = &store->table.page[frame];
    if (faults->queue.late != 0 && store->table.seen[frame].valid)
        gmmu_fault_queue_left(&faults->queue, page->asid, page->vpn, frame);
}
// FILL of an enabled frame. FROM: the slot of Tier 2 from which the page comes, or NULL.
static inline void gmmu_side_port_fill(gmmu_frame_store *store, gmmu_fault_unit *faults,
                                       const gmmu_tier_drv_in *in, const gmmu_frame *from,
                                       const gmmu_side_now *now, gmmu_tier_drv_out *out) {
    const uint32_t time = now->time;
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
    if (faults->queue.late != 0) {
        page.fresh = found.fault.valid && now->makes_fresh;
        out->fresh = page.fresh;
        gmmu_side_port_leaves(store, faults, in->frame);
        gmmu_fault_queue_arrive(&faults->queue, in->asid, in->vpn, in->frame, page.fresh);
    }
    out->reuse = gmmu_frame_store_fill(store, in->frame, page, in->returns, in->was, time);
    gmmu_fault_unit_went(faults, out->reuse);
    gmmu_fault_unit_came(faults);
    gmmu_fault_unit_stirred(faults);
}
// A driver operation. The caller fills `record` and `exported`, for a page that left.
gmmu_tier_drv_out gmmu_side_port_drv(gmmu_frame_store *store, gmmu_fault_unit *faults,
                                     const gmmu_tier_drv_in *in, const gmmu_side_now *now);
// AGE of the next time stamp. True: the stamp was clamped. *INDEX is the frame, or FRAMES + the
// fault entry. An index beyond is a stamp of Tier 2 (tier_place.h), which the caller ages.
bool gmmu_side_port_age(gmmu_side_port *s, gmmu_frame_store *store, gmmu_fault_unit *faults,
                        uint32_t time, uint32_t *index);

#ifdef __cplusplus
}
#endif
#endif
