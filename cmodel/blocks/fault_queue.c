// SPDX-License-Identifier: Apache-2.0
// fault_queue.c: see fault_queue.h and docs/reference/blocks/fault_queue.md.
#include "blocks/fault_queue.h"

#define NONE UINT32_MAX

int gmmu_fault_queue_init(gmmu_fault_queue *q, const gmmu_config *cfg, gmmu_arena *arena) {
    const uint32_t nodes = cfg->faults + cfg->late;
    *q = (gmmu_fault_queue){.faults = cfg->faults, .notes = cfg->notes, .late = cfg->late};
    q->buckets = 1u << gmmu_log2(nodes);
    q->slots = cfg->t2_slots;
    q->seq_mask = (uint32_t)((1ull << cfg->seq_w) - 1);
    q->time_mask = (uint32_t)((1ull << cfg->time_w) - 1);
    q->freed = NONE;
    q->fault = gmmu_take(arena, cfg->faults, sizeof *q->fault);
    q->arrived = gmmu_take(arena, cfg->late == 0 ? 1 : cfg->late, sizeof *q->arrived);
    q->note = gmmu_take(arena, cfg->notes, sizeof *q->note);
    q->bucket = gmmu_take(arena, q->buckets, sizeof *q->bucket);
    q->chain = gmmu_take(arena, nodes, sizeof *q->chain);
    q->order = gmmu_take(arena, cfg->faults, sizeof *q->order);
    q->named = gmmu_take(arena, q->slots / 64 + 1, sizeof *q->named);
    if (q->fault == NULL || q->arrived == NULL || q->note == NULL || q->bucket == NULL ||
        q->chain == NULL || q->order == NULL || q->named == NULL)
        return 1;
    for (uint32_t i = 0; i < q->buckets; i++) q->bucket[i] = NONE;
    return 0;
}

// ---- the hash

static uint32_t *bucket_of(const gmmu_fault_queue *q, uint32_t asid, uint64_t vpn) {
    const uint64_t h = (vpn ^ (uint64_t)asid << 40) * 0x9E3779B97F4A7C15ull;
    return &q->bucket[(h >> 32) & (q->buckets - 1)];
}

static void link_node(gmmu_fault_queue *q, uint32_t node, uint32_t asid, uint64_t vpn) {
    uint32_t *first = bucket_of(q, asid, vpn);
    q->chain[node] = *first;
    *first = node;
}

static void unlink_node(gmmu_fault_queue *q, uint32_t node, uint32_t asid, uint64_t vpn) {
    uint32_t *at = bucket_of(q, asid, vpn);
    while (*at != node) at = &q->chain[*at];
    *at = q->chain[node];
}

// The entry of the page's outstanding fault, or NONE.
static uint32_t outstanding(const gmmu_fault_queue *q, uint32_t asid, uint64_t vpn) {
    for (uint32_t i = *bucket_of(q, asid, vpn); i != NONE; i = q->chain[i])
        if (i < q->faults && q->fault[i].vpn == vpn && q->fault[i].asid == asid)
            return i;
    return NONE;
}

const gmmu_fault *gmmu_fault_queue_find(const gmmu_fault_queue *q, uint32_t asid, uint64_t vpn) {
    const uint32_t i = outstanding(q, asid, vpn);
    return i == NONE ? NULL : &q->fault[i];
}

// True: place AT of the ring is among the LIVE newest.
static bool is_live(const gmmu_fault_queue *q, uint32_t at) {
    return ((q->next - at - 1) & (q->late - 1)) < q->live;
}

bool gmmu_fault_queue_late(const gmmu_fault_queue *q, uint32_t asid, uint64_t vpn,
                           uint32_t frames) {
    for (uint32_t i = *bucket_of(q, asid, vpn); i != NONE; i = q->chain[i]) {
        const gmmu_arrived *a = &q->arrived[i < q->faults ? 0 : i - q->faults];
        if (i >= q->faults && a->vpn == vpn && a->asid == asid && a->frame < frames &&
            is_live(q, i - q->faults))
            return true;
    }
    return false;
}

// ---- begin and end

static void set_named(gmmu_fault_queue *q, const gmmu_fault *f, bool named) {
    if (!f->t2 || f->slot >= q->slots)
        return;
    const uint64_t bit = 1ull << f->slot % 64;
    q->named[f->slot / 64] = (q->named[f->slot / 64] & ~bit) | (named ? bit : 0);
}

// A new fault F takes a free entry: first those that were never used, then the one that became free
// last.
static gmmu_fault_put put(gmmu_fault_queue *q, gmmu_fault f, unsigned outcome) {
    uint32_t entry = q->freed;
    if (q->taken < q->faults)
        entry = q->taken++;
    else if (entry != NONE)
        q->freed = q->chain[entry];
    else
        return (gmmu_fault_put){GMMU_FAULT_DROPPED, 0};
    f.valid = true;
    f.decided = f.filled = false;
    f.seq = q->seq;
    q->seq = (q->seq + 1) & q->seq_mask;
    q->fault[entry] = f;
    link_node(q, entry, f.asid, f.vpn);
    const uint32_t last = q->order_first + q->undecided++;
    q->order[last < q->faults ? last : last - q->faults] = entry;
    set_named(q, &f, true);
    return (gmmu_fault_put){outcome, entry};
}

static void leave(gmmu_fault_queue *q, uint32_t entry) {
    gmmu_fault *f = &q->fault[entry];
    unlink_node(q, entry, f->asid, f->vpn);
    f->valid = false;
    q->chain[entry] = q->freed;
    q->freed = entry;
}

static gmmu_fault *pop(gmmu_fault_queue *q) {
    gmmu_fault *f = &q->fault[q->order[q->order_first]];
    q->order_first = q->order_first + 1 == q->faults ? 0 : q->order_first + 1;
    q->undecided--;
    set_named(q, f, false);
    return f;
}

void gmmu_fault_queue_decide(gmmu_fault_queue *q) {
    pop(q)->decided = true;
}

void gmmu_fault_queue_give_up(gmmu_fault_queue *q) {
    leave(q, (uint32_t)(pop(q) - q->fault));
}

// ---- faults

unsigned gmmu_fault_queue_note(gmmu_fault_queue *q, gmmu_fault_note n) {
    if (q->noted == q->notes)
        return GMMU_FAULT_DROPPED;
    q->note[(q->note_first + q->noted++) & (q->notes - 1)] = n;
    return GMMU_FAULT_QUEUED;
}

gmmu_fault_put gmmu_fault_queue_enter(gmmu_fault_queue *q, uint32_t frames) {
    const gmmu_fault_note n = q->note[q->note_first];
    q->note_first = (q->note_first + 1) & (q->notes - 1);
    q->noted--;
    const uint32_t i = outstanding(q, n.asid, n.vpn);
    if (i != NONE) {
        gmmu_fault *f = &q->fault[i];
        f->dirty |= n.write;
        if (n.replay)
            return (gmmu_fault_put){GMMU_FAULT_AGAIN, i};
        f->cls = n.cls;
        f->last = n.time;
        return (gmmu_fault_put){GMMU_FAULT_JOINED, i};
    }
    if (gmmu_fault_queue_late(q, n.asid, n.vpn, frames))
        return (gmmu_fault_put){GMMU_FAULT_LATE, 0};
    gmmu_fault f = {0};
    f.vpn = n.vpn;
    f.asid = n.asid;
    f.last = n.time;
    f.cls = n.cls;
    f.dirty = n.write;
    f.t2 = n.t2;
    f.slot = n.slot;
    f.lost = n.replay;
    return put(q, f, n.replay ? GMMU_FAULT_LOST : GMMU_FAULT_QUEUED);
}

gmmu_fault_put gmmu_fault_queue_ask(gmmu_fault_queue *q, gmmu_fault f, uint32_t frames) {
    const uint32_t i = outstanding(q, f.asid, f.vpn);
    if (i != NONE) {
        q->fault[i].force |= f.force && !q->fault[i].decided;
        return (gmmu_fault_put){GMMU_FAULT_JOINED, i};
    }
    if (gmmu_fault_queue_late(q, f.asid, f.vpn, frames))
        return (gmmu_fault_put){GMMU_FAULT_LATE, 0};
    f.dirty = false;
    return put(q, f, GMMU_FAULT_QUEUED);
}

// Returns the page's fault as it was. A decided fault ends; FILLED marks an undecided fault.
static gmmu_fault_found end(gmmu_fault_queue *q, uint32_t asid, uint64_t vpn, bool filled) {
    const uint32_t i = outstanding(q, asid, vpn);
    if (i == NONE)
        return (gmmu_fault_found){0};
    const gmmu_fault_found was = {i, q->fault[i]};
    if (was.fault.decided)
        leave(q, i);
    else
        q->fault[i].filled |= filled;
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

// ---- the ring

// The page of place AT has left, or the place is taken anew.
static void forget(gmmu_fault_queue *q, uint32_t at) {
    gmmu_arrived *a = &q->arrived[at];
    unlink_node(q, q->faults + at, a->asid, a->vpn);
    a->valid = a->fresh = false;
}

// The oldest place that may be fresh is not.
static void pass(gmmu_fault_queue *q) {
    q->older--;
    q->mature -= q->mature != 0;
    q->overdue -= q->overdue != 0;
}

void gmmu_fault_queue_arrive(gmmu_fault_queue *q, uint32_t asid, uint64_t vpn, uint32_t frame,
                             bool fresh) {
    if (q->late == 0)
        return;
    if (q->older == q->late)
        pass(q);
    const uint32_t at = q->next;
    if (q->arrived[at].valid)
        forget(q, at);
    q->arrived[at] = (gmmu_arrived){vpn, asid, frame, true, fresh};
    link_node(q, q->faults + at, asid, vpn);
    q->next = (at + 1) & (q->late - 1);
    q->live += q->live < q->late;
    q->older++;
}

void gmmu_fault_queue_left(gmmu_fault_queue *q, uint32_t asid, uint64_t vpn, uint32_t frame) {
    for (uint32_t i = *bucket_of(q, asid, vpn); i != NONE; i = q->chain[i]) {
        const gmmu_arrived *a = &q->arrived[i < q->faults ? 0 : i - q->faults];
        if (i >= q->faults && a->vpn == vpn && a->asid == asid && a->frame == frame) {
            forget(q, i - q->faults);
            return;
        }
    }
}

// The place of the frame that is fresh longest, NULL: none.
static gmmu_arrived *oldest_fresh(gmmu_fault_queue *q) {
    for (; q->older > 0; pass(q)) {
        gmmu_arrived *a = &q->arrived[(q->next - q->older) & (q->late - 1)];
        if (a->fresh)
            return a;
    }
    return NULL;
}

int64_t gmmu_fault_queue_expire_due(gmmu_fault_queue *q) {
    const gmmu_arrived *a = oldest_fresh(q);
    const bool due = a != NULL && (q->older == q->late || q->older > q->live || q->overdue != 0);
    return due ? (int64_t)a->frame : -1;
}

void gmmu_fault_queue_expired(gmmu_fault_queue *q) {
    gmmu_arrived *a = oldest_fresh(q);
    if (a != NULL)
        a->fresh = false;
}
