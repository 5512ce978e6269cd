// SPDX-License-Identifier: Apache-2.0
// fault_queue.c: see fault_queue.h and docs/reference/blocks/fault_queue.md.
#include "blocks/fault_queue.h"

int gmmu_fault_queue_init(gmmu_fault_queue *q, const gmmu_config *cfg, gmmu_arena *arena) {
    q->faults = cfg->faults;
    q->used = q->undecided = 0;
    q->seq = 0;
    q->seq_mask = (uint32_t)((1ull << cfg->seq_w) - 1);
    q->time_mask = (uint32_t)((1ull << cfg->time_w) - 1);
    q->turns = cfg->faults;
    q->fault = gmmu_take(arena, cfg->faults, sizeof *q->fault);
    for (unsigned i = 0; q->fault != NULL && i < cfg->faults; i++) q->fault[i].turn = i;
    return q->fault == NULL;
}

gmmu_fault_put gmmu_fault_queue_ask(gmmu_fault_queue *q, uint32_t asid, uint64_t vpn,
                                    uint32_t time) {
    const gmmu_fault *f = gmmu_fault_queue_find(q, asid, vpn);
    return f != NULL ? gmmu_fault_queue_joined(q, f)
                     : gmmu_fault_queue_put(q, (gmmu_fault){.vpn = vpn, .asid = asid, .last = time},
                                            true);
}

gmmu_fault_found gmmu_fault_queue_cancel(gmmu_fault_queue *q, uint32_t asid, uint64_t vpn) {
    return gmmu_fault_queue_end(q, asid, vpn, false);
}

bool gmmu_fault_queue_age(gmmu_fault_queue *q, unsigned entry, uint32_t time, uint32_t limit) {
    gmmu_fault *f = &q->fault[entry];
    if (!f->valid || ((time - f->last) & q->time_mask) < limit)
        return false;
    f->last = (time - limit) & q->time_mask;
    return true;
}

void gmmu_fault_queue_give_up(gmmu_fault_queue *q) {
    gmmu_fault_queue_leave(q, &q->fault[gmmu_fault_queue_head(q)]);
    q->undecided--;
}
