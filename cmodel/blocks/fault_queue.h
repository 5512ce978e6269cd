// SPDX-License-Identifier: Apache-2.0
// fault_queue.h: twin of rtl/fault_queue.v: the outstanding faults, one function per operation.
//
// At most one fault a page. The oldest undecided one is the head: first in, first out.
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
    gmmu_class cls;
    bool valid, decided, filled, dirty;
} gmmu_fault;

typedef struct {
    gmmu_fault *fault;  // FAULTS of them
    unsigned faults;
    unsigned used, undecided;  // valid ones, and those of them that are not decided
    uint32_t seq;              // of the next one
    uint32_t seq_mask, time_mask;
} gmmu_fault_queue;

// Where a request went.
typedef struct {
    unsigned outcome;  // GMMU_FAULT_*
    unsigned entry;    // 0 when dropped
} gmmu_fault_put;

// The fault of a page as it was, valid: there was one.
typedef struct {
    unsigned entry;
    gmmu_fault fault;
} gmmu_fault_found;

int gmmu_fault_queue_init(gmmu_fault_queue *q, const gmmu_config *cfg, gmmu_arena *arena);

// A walk's fault: joins its page's, or takes the lowest free entry.
gmmu_fault_put gmmu_fault_queue_walk(gmmu_fault_queue *q, uint32_t asid, uint64_t vpn,
                                     gmmu_class cls, bool write, uint32_t time);
// A request that is no access; one that the page has stays as it is.
gmmu_fault_put gmmu_fault_queue_ask(gmmu_fault_queue *q, uint32_t asid, uint64_t vpn,
                                    uint32_t time);
// The page is in memory: its decided fault ends, an undecided one is marked filled.
gmmu_fault_found gmmu_fault_queue_fill(gmmu_fault_queue *q, uint32_t asid, uint64_t vpn);
// The driver does not follow the decision: the page's decided fault ends, an undecided one stays.
gmmu_fault_found gmmu_fault_queue_cancel(gmmu_fault_queue *q, uint32_t asid, uint64_t vpn);
// A time stamp at least LIMIT walks old becomes LIMIT walks old. True: it was.
bool gmmu_fault_queue_age(gmmu_fault_queue *q, unsigned entry, uint32_t time, uint32_t limit);

// The oldest undecided fault, -1 if there is none.
int gmmu_fault_queue_head(const gmmu_fault_queue *q);
// The head is decided: it keeps its entry until FILL or CANCEL.
void gmmu_fault_queue_decide(gmmu_fault_queue *q);
// The head ends.
void gmmu_fault_queue_give_up(gmmu_fault_queue *q);

#ifdef __cplusplus
}
#endif
#endif
