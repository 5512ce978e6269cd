// SPDX-License-Identifier: Apache-2.0
// fault_queue.h: twin of rtl/faults/gmmu_fault_queue.v: notes of faults, the outstanding faults,
// and the pages that arrived lately; a function for each operation.
//
// A walk's fault is noted; ENTER takes the oldest note and looks its page up. A page has at most
// one outstanding fault. The oldest undecided fault is the head: first in, first out. The last LATE
// FILLs stand in a ring. Outstanding faults and places of the ring are found by page, by a chained
// hash.
//
// Source: LEU §3: every fault with full memory needs a victim.
#ifndef GMMU_FAULT_QUEUE_H
#define GMMU_FAULT_QUEUE_H

#include "blocks/frame_table.h"
#include "gmmu/codes.h"

#ifdef __cplusplus
extern "C" {
#endif

// A fault of a walk, as noted.
typedef struct {
    uint64_t vpn;
    uint32_t asid, time, slot;
    gmmu_class cls;
    bool write;
    bool t2;      // the page is in SLOT of Tier 2
    bool replay;  // the access was asked for before
} gmmu_fault_note;

// An outstanding fault.
typedef struct gmmu_fault {
    uint64_t vpn;
    uint32_t asid, last, seq;
    gmmu_class cls;
    bool valid, decided, filled, dirty;
    bool lost;   // by a replay: the page left before its use
    bool force;  // an ASK with `force` asked for the page
    bool t2;     // the page is in SLOT of Tier 2, by the walk or ASK
    uint32_t slot;
} gmmu_fault;

// A place of the ring: a FILL.
typedef struct {
    uint64_t vpn;
    uint32_t asid, frame;
    bool valid;  // the page has not left its frame since
    bool fresh;  // and the frame is fresh, until EXPIRE at the latest
} gmmu_arrived;

typedef struct {
    gmmu_fault *fault;      // FAULTS entries
    gmmu_arrived *arrived;  // LATE places
    gmmu_fault_note *note;  // NOTES notes, a ring; the oldest is at note_first
    uint32_t *bucket;       // per hash: the first node of its chain
    uint32_t *chain;        // per node, an entry or FAULTS + a place of the ring: the next one
    uint32_t *order;        // undecided entries, a ring; the oldest is at order_first
    uint64_t *named;        // per slot: an undecided fault names it
    uint32_t faults, notes, late, buckets, slots;
    uint32_t noted, undecided;  // number of notes, and of undecided faults
    uint32_t note_first, order_first;
    uint32_t taken;  // entries that have ever been taken
    uint32_t freed;  // the entry that became free last; the others follow in CHAIN
    uint32_t next;   // place that the next FILL takes
    uint32_t live;   // so many of the newest places count
    uint32_t older;  // so many of the newest places may be fresh
    // Of these the oldest: so many were there when the epoch ended last, and when it ended before.
    uint32_t mature, overdue;
    uint32_t seq;  // number of the next fault
    uint32_t seq_mask, time_mask;
} gmmu_fault_queue;

// The outcome of a request.
typedef struct {
    unsigned outcome;  // GMMU_FAULT_*
    unsigned entry;    // 0 when dropped or late
} gmmu_fault_put;

// The fault of a page before an operation; fault.valid: the page had a fault.
typedef struct {
    unsigned entry;
    gmmu_fault fault;
} gmmu_fault_found;

// Makes Q for the sizes CFG. Not 0: ARENA is too small.
int gmmu_fault_queue_init(gmmu_fault_queue *q, const gmmu_config *cfg, gmmu_arena *arena);

// The page's outstanding fault, which stands until the fault ends; NULL: none.
const gmmu_fault *gmmu_fault_queue_find(const gmmu_fault_queue *q, uint32_t asid, uint64_t vpn);
// True: the page has arrived, and its frame is among the FRAMES enabled ones.
bool gmmu_fault_queue_late(const gmmu_fault_queue *q, uint32_t asid, uint64_t vpn, uint32_t frames);

// NOTE, a walk's fault. Returns GMMU_FAULT_QUEUED, or GMMU_FAULT_DROPPED: there is no room.
unsigned gmmu_fault_queue_note(gmmu_fault_queue *q, gmmu_fault_note n);
// ENTER of the oldest note, which must exist. FRAMES are enabled.
gmmu_fault_put gmmu_fault_queue_enter(gmmu_fault_queue *q, uint32_t frames);
// ASK, a request that is no access, for F's page, class, last access, slot and `force`.
gmmu_fault_put gmmu_fault_queue_ask(gmmu_fault_queue *q, gmmu_fault f, uint32_t frames);

// FILL: the page is in memory. A decided fault ends, an undecided fault is marked filled.
gmmu_fault_found gmmu_fault_queue_fill(gmmu_fault_queue *q, uint32_t asid, uint64_t vpn);
// FILL: the page is in FRAME, and takes the next place of the ring. FRESH: so is the frame.
void gmmu_fault_queue_arrive(gmmu_fault_queue *q, uint32_t asid, uint64_t vpn, uint32_t frame,
                             bool fresh);
// The page left FRAME, and does not count as arrived there any more. A page that did not arrive
// there: no effect.
void gmmu_fault_queue_left(gmmu_fault_queue *q, uint32_t asid, uint64_t vpn, uint32_t frame);
// NOTE, ENTER, a decision and FILL of one fault, while no other fault is outstanding, without LATE.
static inline void gmmu_fault_queue_pass(gmmu_fault_queue *q) {
    q->note_first = (q->note_first + 1) & (q->notes - 1);
    q->order_first = q->order_first + 1 == q->faults ? 0 : q->order_first + 1;
    q->seq = (q->seq + 1) & q->seq_mask;
    if (q->taken < q->faults) {  // an entry that was never used; else the last one to become free
        q->chain[q->taken] = q->freed;
        q->freed = q->taken++;
    }
}
// CANCEL: the driver does not follow the decision. A decided fault ends, an undecided fault stays.
gmmu_fault_found gmmu_fault_queue_cancel(gmmu_fault_queue *q, uint32_t asid, uint64_t vpn);
// AGE of ENTRY: a time stamp LIMIT walks old or older becomes LIMIT walks old. True: the stamp
// was clamped.
bool gmmu_fault_queue_age(gmmu_fault_queue *q, unsigned entry, uint32_t time, uint32_t limit);

// Returns the I-th undecided fault, the oldest first: its entry. I must be below `undecided`.
static inline uint32_t gmmu_fault_queue_undecided(const gmmu_fault_queue *q, uint32_t i) {
    const uint32_t at = q->order_first + i;
    return q->order[at < q->faults ? at : at - q->faults];
}
// Returns the entry of the oldest undecided fault, or -1.
static inline int gmmu_fault_queue_head(const gmmu_fault_queue *q) {
    return q->undecided == 0 ? -1 : (int)q->order[q->order_first];
}
// True: the oldest undecided fault may take a fresh frame.
static inline bool gmmu_fault_queue_forced(const gmmu_fault_queue *q) {
    return q->undecided != 0 && q->fault[q->order[q->order_first]].force;
}
// The head, which must exist, is decided, and keeps its entry until FILL or CANCEL.
void gmmu_fault_queue_decide(gmmu_fault_queue *q);
// The head, which must exist, ends without a frame.
void gmmu_fault_queue_give_up(gmmu_fault_queue *q);
// True: an undecided fault names SLOT.
static inline bool gmmu_fault_queue_named(const gmmu_fault_queue *q, uint32_t slot) {
    return slot < q->slots && (q->named[slot / 64] >> slot % 64 & 1) != 0;
}

// FLUSH begins: no page counts as arrived.
static inline void gmmu_fault_queue_flush(gmmu_fault_queue *q) {
    q->live = 0;
}
// An epoch ends: what has been fresh for two ends of epochs is due for EXPIRE.
static inline void gmmu_fault_queue_epoch(gmmu_fault_queue *q) {
    q->overdue = q->mature;
    q->mature = q->older;
}
// True: EXPIRE is not due, in few steps. False: it may be.
static inline bool gmmu_fault_queue_keeps(const gmmu_fault_queue *q) {
    return q->older == 0 || (q->overdue == 0 && q->older < q->late && q->older <= q->live);
}
// Returns the frame that is fresh longest, if EXPIRE is due, else -1.
int64_t gmmu_fault_queue_expire_due(gmmu_fault_queue *q);
// EXPIRE: the place of the frame that is fresh longest is not fresh any more.
void gmmu_fault_queue_expired(gmmu_fault_queue *q);

#ifdef __cplusplus
}
#endif
#endif
