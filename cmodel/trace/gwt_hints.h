// SPDX-License-Identifier: Apache-2.0
// gwt_hints.h: the hints of a block, in a skippable frame of zstd behind that of the walks, which a
// reader that does not know them goes over (docs/reference/formats.md, "Hints").
#ifndef GMMU_TRACE_GWT_HINTS_H
#define GMMU_TRACE_GWT_HINTS_H

#include <stddef.h>

#include "gmmu/trace.h"
#include "trace/gwt.h"
#include "trace/hints.h"

enum {
    GWT_HINT_FRAME = 8,  // bytes of the frame's header
    // Most bytes of a hint: a kind, the walks since the hint before, an asid and three numbers.
    GWT_HINT = 1 + 3 + 5 + 3 * GWT_VARINT,
    GWT_HINT_RAW = GWT_HINT_FRAME + 4 + 3 + GMMU_HINTS * GWT_HINT
};

// Codes COUNT hints, 1 to GMMU_HINTS, of a block whose first walk is number FIRST; how many bytes
// of GWT_HINT_RAW it took.
size_t gmmu_gwt_put_hints(unsigned char *raw, const gmmu_hint *hints, size_t count, uint64_t first);
// Whether the SIZE bytes behind the frame of the walks are hints; else they mean nothing.
bool gmmu_gwt_has_hints(const unsigned char *raw, size_t size);
// Adds the hints in these bytes, of a block of WALKS walks from number FIRST on, to Q. NULL, or the
// name of what is wrong; there are then *COUNT good ones before it.
const char *gmmu_gwt_get_hints(const unsigned char *raw, size_t size, uint64_t first,
                               uint64_t walks, gmmu_hint_queue *q, size_t *count);

#endif
