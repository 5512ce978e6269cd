// SPDX-License-Identifier: Apache-2.0
// fault_queue.c: see fault_queue.h and docs/blocks/fault_queue.md.
#include "blocks/fault_queue.h"

int gmmu_fault_queue_init(gmmu_fault_queue *q, const gmmu_config *cfg, gmmu_arena *arena) {
    q->faults = cfg->faults;
    q->used = q->undecided = 0;
    q->seq = 0;
    q->seq_mask = (uint32_t)((1ull << cfg->seq_w) - 1);
    q->time_mask = (uint32_t)((1ull << cfg->time_w) - 1);
    q->fault = gmmu_take(arena, cfg->faults, sizeof *q->fault);
    return q->fault == NULL;
}

static gmmu_fault *find(gmmu_fault_queue *q, uint32_t asid, uint64_t vpn) {
    for (unsigned i = 0; i < q->faults && q->used != 0; i++)
        if (q->fault[i].valid && q->fault[i].asid == asid && q->fault[i].vpn == vpn)
            return &q->fault[i];
    return NULL;
}

// F goes into the lowest free entry, with the next sequence number.
static gmmu_fault_put put(gmmu_fault_queue *q, gmmu_fault f) {
    for (unsigned i = 0; i < q->faults; i++)
        if (!q->fault[i].valid) {
            f.valid = true;
            f.seq = q->seq;
            q->seq = (q->seq + 1) & q->seq_mask;
            q->fault[i] = f;
            q->used++;
            q->undecided++;
            return (gmmu_fault_put){GMMU_FAULT_QUEUED, i};
        }
    return (gmmu_fault_put){GMMU_FAULT_DROPPED, 0};
}

static gmmu_fault_put joined(const gmmu_fault_queue *q, const gmmu_fault *f) {
    return (gmmu_fault_put){GMMU_FAULT_JOINED, (unsigned)(f - q->fault)};
}

gmmu_fault_put gmmu_fault_queue_walk(gmmu_fault_queue *q, uint32_t asid, uint64_t vpn,
                                     gmmu_class cls, bool write, uint32_t time) {
    gmmu_fault *f = find(q, asid, vpn);
    if (f == NULL)
        return put(
            q, (gmmu_fault){.vpn = vpn, .asid = asid, .last = time, .cls = cls, .dirty = write});
    f->cls = cls;
    f->last = time;
    f->dirty |= write;
    return joined(q, f);
}

gmmu_fault_put gmmu_fault_queue_ask(gmmu_fault_queue *q, uint32_t asid, uint64_t vpn,
                                    uint32_t time) {
    const gmmu_fault *f = find(q, asid, vpn);
    return f != NULL ? joined(q, f) : put(q, (gmmu_fault){.vpn = vpn, .asid = asid, .last = time});
}

// The page's fault, which ends if it is decided.
static gmmu_fault_found end(gmmu_fault_queue *q, uint32_t asid, uint64_t vpn, bool filled) {
    gmmu_fault_found was = {0};
    gmmu_fault *f = find(q, asid, vpn);
    if (f != NULL) {
        was = (gmmu_fault_found){(unsigned)(f - q->fault), *f};
        f->valid = !f->decided;
        q->used -= f->decided;
        f->filled |= filled;
    }
    return was;
}

gmmu_fault_found gmmu_fault_queue_fill(gmmu_fault_queue *q, uint32_t asid, uint64_t vpn) {
    return end(q, asid, vpn, true);
}

gmmu_fault_found gmmu_fault_queue_cancel(gmmu_fault_queue *q, uint32_t asid, uint64_t vpn) {
    return end(q, asid, vpn, false);
}

bool gmmu_fault_queue_age(gmmu_fault_queue *q, unsigned entry, uint32_t time, uint32_t limit) {
    gmmu_fault *f = &q->fault[entry];
    if (!f->valid || ((time - f->last) & q->time_mask) < limit)
        return false;
    f->last = (time - limit) & q->time_mask;
    return true;
}

int gmmu_fault_queue_head(const gmmu_fault_queue *q) {
    int oldest = -1;
    uint32_t most = 0;
    for (unsigned i = 0; i < q->faults && q->undecided != 0; i++) {
        const gmmu_fault *f = &q->fault[i];
        const uint32_t waited = (q->seq - f->seq) & q->seq_mask;
        if (f->valid && !f->decided && waited >= most) {
            oldest = (int)i;
            most = waited;
        }
    }
    return oldest;
}

void gmmu_fault_queue_decide(gmmu_fault_queue *q) {
    q->fault[gmmu_fault_queue_head(q)].decided = true;
    q->undecided--;
}

void gmmu_fault_queue_give_up(gmmu_fault_queue *q) {
    q->fault[gmmu_fault_queue_head(q)].valid = false;
    q->used--;
    q->undecided--;
}
