// SPDX-License-Identifier: Apache-2.0
// fault_queue.h: twin of rtl/faults/gmmu_fault_queue.v: the outstanding faults, a function for each
// operation.
//
// A page has at most one fault. The oldest undecided fault is the head: first in, first out.
#ifndef GMMU_FAULT_QUEUE_H
#define GMMU_FAULT_QUEUE_H

#include "blocks/frame_table.h"
#include "gmmu/codes.h"

#ifdef __cplusplus
extern "C" {
#endif

// An outstanding fault.
typedef struct {
    uint64_t vpn;
    uint32_t asid, last, seq;
    uint64_t turn;  // number of the event at which the entry was taken or became free
    gmmu_class cls;
    bool valid, decided, filled, dirty;
    bool t2;  // the page is in SLOT of Tier 2, by the walk or ASK
    uint32_t slot;
} gmmu_fault;

typedef struct {
    gmmu_fault *fault;  // FAULTS entries
    unsigned faults;
    unsigned used, undecided;  // number of valid faults, and of the undecided faults among them
    uint32_t seq;              // number of the next fault
    uint32_t seq_mask, time_mask;
    uint64_t turns;  // the highest turn
} gmmu_fault_queue;

// The outcome of a request.
typedef struct {
    unsigned outcome;  // GMMU_FAULT_*
    unsigned entry;    // 0 when dropped
} gmmu_fault_put;

// The fault of a page before an operation; fault.valid: the page had a fault.
typedef struct {
    unsigned entry;
    gmmu_fault fault;
} gmmu_fault_found;

// Makes Q for the sizes CFG. Not 0: ARENA is too small.
int gmmu_fault_queue_init(gmmu_fault_queue *q, const gmmu_config *cfg, gmmu_arena *arena);

// Returns the fault of a page, or NULL.
static inline gmmu_fault *gmmu_fault_queue_find(gmmu_fault_queue *q, uint32_t asid, uint64_t vpn) {
    for (unsigned i = 0, left = q->used; left != 0; i++) {
        left -= q->fault[i].valid;
        if (q->fault[i].valid && q->fault[i].asid == asid && q->fault[i].vpn == vpn)
            return &q->fault[i];
    }
    return NULL;
}
// Returns the longest free entry, or with SHORTEST the shortest free entry; NULL: no entry is free.
static inline gmmu_fault *gmmu_fault_queue_free(gmmu_fault_queue *q, bool shortest) {
    gmmu_fault *found = NULL;
    for (unsigned i = 0; i < q->faults; i++) {
        gmmu_fault *f = &q->fault[i];
        if (!f->valid && (found == NULL || (f->turn < found->turn) != shortest))
            found = f;
    }
    return found;
}
// Puts F into that entry, with the next sequence number. Without a free entry F is dropped.
static inline gmmu_fault_put gmmu_fault_queue_put(gmmu_fault_queue *q, gmmu_fault f,
                                                  bool shortest) {
    gmmu_fault *entry = gmmu_fault_queue_free(q, shortest);
    if (entry == NULL)
        return (gmmu_fault_put){GMMU_FAULT_DROPPED, 0};
    f.valid = true;
    f.seq = q->seq;
    f.turn = ++q->turns;
    q->seq = (q->seq + 1) & q->seq_mask;
    *entry = f;
    q->used++;
    q->undecided++;
    return (gmmu_fault_put){GMMU_FAULT_QUEUED, (unsigned)(entry - q->fault)};
}
// The entry of F is free from here on.
static inline void gmmu_fault_queue_leave(gmmu_fault_queue *q, gmmu_fault *f) {
    f->valid = false;
    f->turn = ++q->turns;
    q->used--;
}
static inline gmmu_fault_put gmmu_fault_queue_joined(const gmmu_fault_queue *q,
                                                     const gmmu_fault *f) {
    return (gmmu_fault_put){GMMU_FAULT_JOINED, (unsigned)(f - q->fault)};
}
// Returns the page's fault as it was. A decided fault ends; FILLED marks an undecided fault.
static inline gmmu_fault_found gmmu_fault_queue_end(gmmu_fault_queue *q, uint32_t asid,
                                                    uint64_t vpn, bool filled) {
    gmmu_fault_found was = {};
    gmmu_fault *f = gmmu_fault_queue_find(q, asid, vpn);
    if (f != NULL) {
        was = (gmmu_fault_found){(unsigned)(f - q->fault), *f};
        f->filled |= filled;
        if (f->decided)
            gmmu_fault_queue_leave(q, f);
    }
    return was;
}

// A walk's fault joins the fault of its page, or takes the longest free entry.
static inline gmmu_fault_put gmmu_fault_queue_walk(gmmu_fault_queue *q, uint32_t asid, uint64_t vpn,
                                                   gmmu_class cls, bool write, uint32_t time) {
    gmmu_fault *f = gmmu_fault_queue_find(q, asid, vpn);
    if (f == NULL) {
        gmmu_fault new_one = {};
        new_one.vpn = vpn;
        new_one.asid = asid;
        new_one.last = time;
        new_one.cls = cls;
        new_one.dirty = write;
        return gmmu_fault_queue_put(q, new_one, false);
    }
    f->cls = cls;
    f->last = time;
    f->dirty |= write;
    return gmmu_fault_queue_joined(q, f);
}
// The page of the fault PUT is in SLOT of Tier 2. No effect, unless the fault is new.
static inline void gmmu_fault_queue_names(gmmu_fault_queue *q, gmmu_fault_put put, uint32_t slot) {
    if (put.outcome == GMMU_FAULT_QUEUED) {
        q->fault[put.entry].t2 = true;
        q->fault[put.entry].slot = slot;
    }
}
// True: an outstanding fault names SLOT.
static inline bool gmmu_fault_queue_named(const gmmu_fault_queue *q, uint32_t slot) {
    for (unsigned i = 0; i < q->faults; i++)
        if (q->fault[i].valid && q->fault[i].t2 && q->fault[i].slot == slot)
            return true;
    return false;
}
// ASK, a request that is no access, takes the shortest free entry. A fault that the page has stays
// as it is.
gmmu_fault_put gmmu_fault_queue_ask(gmmu_fault_queue *q, uint32_t asid, uint64_t vpn,
                                    uint32_t time);
// FILL: the page is in memory. A decided fault ends, an undecided fault is marked filled.
static inline gmmu_fault_found gmmu_fault_queue_fill(gmmu_fault_queue *q, uint32_t asid,
                                                     uint64_t vpn) {
    return gmmu_fault_queue_end(q, asid, vpn, true);
}
// CANCEL: the driver does not follow the decision. A decided fault ends, an undecided fault stays.
gmmu_fault_found gmmu_fault_queue_cancel(gmmu_fault_queue *q, uint32_t asid, uint64_t vpn);
// AGE of ENTRY: a time stamp LIMIT walks old or older becomes LIMIT walks old. True: the stamp
// was clamped.
bool gmmu_fault_queue_age(gmmu_fault_queue *q, unsigned entry, uint32_t time, uint32_t limit);

// Returns the entry of the oldest undecided fault, or -1.
static inline int gmmu_fault_queue_head(const gmmu_fault_queue *q) {
    int oldest = -1;
    uint32_t most = 0;
    for (unsigned i = 0, left = q->undecided; left != 0; i++) {
        const gmmu_fault *f = &q->fault[i];
        if (!f->valid || f->decided)
            continue;
        const uint32_t waited = (q->seq - f->seq) & q->seq_mask;
        left--;
        if (waited >= most) {
            oldest = (int)i;
            most = waited;
        }
    }
    return oldest;
}
// The head is decided, and keeps its entry until FILL or CANCEL.
static inline void gmmu_fault_queue_decide(gmmu_fault_queue *q) {
    q->fault[gmmu_fault_queue_head(q)].decided = true;
    q->undecided--;
}
// The head ends without a frame.
void gmmu_fault_queue_give_up(gmmu_fault_queue *q);

#ifdef __cplusplus
}
#endif
#endif
