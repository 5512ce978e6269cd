// SPDX-License-Identifier: Apache-2.0
// gwt_code.h: the coding of a block's walks, field by field (docs/reference/formats.md, "Walk
// trace, binary form").
#ifndef GMMU_TRACE_GWT_CODE_H
#define GMMU_TRACE_GWT_CODE_H

#include <stddef.h>

#include "gmmu/trace.h"
#include "trace/gwt.h"

// Codes COUNT walks, at most GWT_WALKS, into RAW, which has GWT_RAW bytes. Returns the number of
// bytes.
size_t gmmu_gwt_encode(unsigned char *raw, const gmmu_walk *walks, size_t count);
// Decodes COUNT walks from the SIZE bytes in RAW. Returns NULL, or the name of the wrong part.
const char *gmmu_gwt_decode(const unsigned char *raw, size_t size, gmmu_walk *walks, size_t count);

#endif
