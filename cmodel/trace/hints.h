// SPDX-License-Identifier: Apache-2.0
// hints.h: the hints of a reader that have been read and not yet been handed out.
//
// They are in the order of the walks they stand before. Those whose walk has been handed out are
// dropped at the next call of the reader; the memory is bounded by GMMU_HINTS a walk.
#ifndef GMMU_TRACE_HINTS_H
#define GMMU_TRACE_HINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gmmu/trace.h"

typedef struct {
    gmmu_hint *items;
    size_t at, count, room;  // items at … at + count - 1
} gmmu_hint_queue;

// Whether the fields are what they may be: a range has pages and ends with the memory. If not,
// *wrong says what is expected.
bool gmmu_hint_sound(const gmmu_hint *hint, const char **wrong);
// Adds a hint; false: no memory.
bool gmmu_hint_queue_add(gmmu_hint_queue *q, const gmmu_hint *hint);
// Drops the first COUNT hints.
void gmmu_hint_queue_drop(gmmu_hint_queue *q, size_t count);
// How many of the first hints stand before walks below WALKS.
size_t gmmu_hint_queue_before(const gmmu_hint_queue *q, uint64_t walks);
void gmmu_hint_queue_free(gmmu_hint_queue *q);

#endif
