// SPDX-License-Identifier: Apache-2.0
// hints.h: the hints of a reader that are read and not yet given to the caller.
//
// Hints are in the order of their walks. A hint whose walk was given is dropped at the next call of
// the reader. The memory is bounded by GMMU_HINTS a walk.
#ifndef GMMU_TRACE_HINTS_H
#define GMMU_TRACE_HINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gmmu/trace.h"

typedef struct {
    gmmu_hint *items;
    size_t at, count, room;  // the hints are items at … at + count - 1
    bool launches_only;      // others are not added
    unsigned coarser;        // bits that page numbers lose when a hint is added
} gmmu_hint_queue;

// True: the fields are valid: a range has pages, and ends within memory. False: *wrong is the
// expectation.
bool gmmu_hint_sound(const gmmu_hint *hint, const char **wrong);
// Adds a hint, unless it frees no whole coarse page, or only launches count. False: no memory.
bool gmmu_hint_queue_add(gmmu_hint_queue *q, const gmmu_hint *hint);
// Drops the first COUNT hints.
void gmmu_hint_queue_drop(gmmu_hint_queue *q, size_t count);
// Returns the number of hints before walks with numbers below WALKS.
size_t gmmu_hint_queue_before(const gmmu_hint_queue *q, uint64_t walks);
// Page numbers lose BITS bits, of the hints that are there too.
void gmmu_hint_queue_coarsen(gmmu_hint_queue *q, unsigned bits);
// Frees the hints; Q is empty then.
void gmmu_hint_queue_free(gmmu_hint_queue *q);

#endif
