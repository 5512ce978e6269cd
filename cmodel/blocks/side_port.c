// SPDX-License-Identifier: Apache-2.0
// side_port.c: see side_port.h and docs/guide/schedule.md, DRV and AGE.
#include "blocks/side_port.h"

#include "blocks/config.h"

void gmmu_side_port_init(gmmu_side_port *s, const gmmu_config *cfg) {
    *s = (gmmu_side_port){.frames = cfg->frames, .stamps = gmmu_config_stamps(cfg)};
}

// The page of the victim stays. Of a decision ahead: unless the frame, which counts as free, is
// promised to a page.
static void cancel(gmmu_frame_store *store, gmmu_fault_unit *faults, const gmmu_tier_drv_in *in,
                   uint32_t frames, gmmu_tier_drv_out *out) {
    if (in->ahead && !gmmu_fault_unit_credit(faults, frames)) {
        out->refused = true;
        return;
    }
    const bool stays = gmmu_frame_store_stay(store, in->frame);
    gmmu_fault_found found = {};
    if (!in->ahead)
        found = gmmu_fault_unit_cancel(faults, in->asid, in->vpn);
    if (stays)
        gmmu_fault_unit_came(faults);
    gmmu_fault_unit_stirred(faults);
    if (found.fault.valid && found.fault.decided) {
        out->entry_hit = true;
        out->entry = found.entry;
    }
    out->refused = !stays && !out->entry_hit;
}

gmmu_tier_drv_out gmmu_side_port_drv(gmmu_frame_store *store, gmmu_fault_unit *faults,
                                     const gmmu_tier_drv_in *in, const gmmu_side_now *now) {
    gmmu_tier_drv_out out = {0};
    if (in->op < GMMU_FILL || in->op > GMMU_ASK ||
        (in->op != GMMU_ASK && in->frame >= now->frames)) {
        out.refused = true;
        return out;
    }
    switch (in->op) {
        case GMMU_FILL:
            gmmu_side_port_fill(store, faults, in, NULL, now, &out);
            break;
        case GMMU_FREE:
            gmmu_side_port_leaves(store, faults, in->frame);
            out.reuse = gmmu_frame_store_free(store, in->frame, now->time);
            gmmu_fault_unit_went(faults, out.reuse);
            gmmu_fault_unit_stirred(faults);
            break;
        case GMMU_PIN:
        case GMMU_UNPIN:
            gmmu_frame_store_pin(store, in->frame, in->op == GMMU_PIN);
            gmmu_fault_unit_stirred(faults);
            break;
        case GMMU_CANCEL:
            cancel(store, faults, in, now->frames, &out);
            break;
        default: {  // ASK
            const gmmu_fault asked = {
                .vpn = in->vpn, .asid = in->asid, .last = now->time, .force = in->force};
            const gmmu_fault_put put = gmmu_fault_queue_ask(&faults->queue, asked, now->frames);
            out.fault = put.outcome;
            out.entry = put.entry;
        }
    }
    return out;
}

bool gmmu_side_port_age(gmmu_side_port *s, gmmu_frame_store *store, gmmu_fault_unit *faults,
                        uint32_t time, uint32_t *index) {
    const uint32_t i = s->age_next;
    s->age_next = i + 1 == s->stamps ? 0 : i + 1;
    s->age_owed = false;
    *index = i;
    if (i < s->frames)
        return gmmu_frame_store_age(store, i, time);
    const uint32_t entry = i - s->frames;
    return entry < faults->queue.faults &&
           gmmu_fault_queue_age(&faults->queue, entry, time, store->age_limit);
}
