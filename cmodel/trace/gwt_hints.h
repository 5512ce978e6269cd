// SPDX-License-Identifier: Apache-2.0
// gwt_hints.h: the hints of a block, in a skippable frame of zstd behind the frame of the walks. A
// reader that does not know hints skips this frame (docs/reference/formats.md, "Hints").
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

// Codes COUNT hints, 1 to GMMU_HINTS, of a block whose first walk is number FIRST. Returns the
// number of bytes, at most GWT_HINT_RAW.
size_t gmmu_gwt_put_hints(unsigned char *raw, const gmmu_hint *hints, size_t count, uint64_t first);
// True: the SIZE bytes behind the frame of the walks are hints. Else the bytes mean nothing.
bool gmmu_gwt_has_hints(const unsigned char *raw, size_t size);
// Adds the hints in these bytes to Q; the block has WALKS walks from number FIRST on. Returns NULL,
// or the name of the wrong part behind *COUNT good hints.
const char *gmmu_gwt_get_hints(const unsigned char *raw, size_t size, uint64_t first,
                               uint64_t walks, gmmu_hint_queue *q, size_t *count);

#endif
