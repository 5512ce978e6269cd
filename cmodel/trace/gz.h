// SPDX-License-Identifier: Apache-2.0
// gz.h: inflates a file, one gzip member after the other.
#ifndef GMMU_TRACE_GZ_H
#define GMMU_TRACE_GZ_H

#include <stddef.h>
#include <stdint.h>

#include "trace/file.h"

enum { GZ_INPUT = 1 << 20 };  // bytes read from the file at once

typedef struct gmmu_gz gmmu_gz;

// Begins to inflate FILE. The SIZE bytes at BEGINNING, at most GZ_INPUT, are read already; ENDED:
// the file has no more. NULL and *err: no memory.
gmmu_gz *gmmu_gz_start(const gmmu_file *file, const void *beginning, size_t size, bool ended,
                       gmmu_error *err);
// Inflates up to SIZE bytes. Returns their number, 0 at the end, or -1 and *err.
ptrdiff_t gmmu_gz_read(gmmu_gz *z, void *to, size_t size, gmmu_error *err);
// Returns the number of compressed bytes taken so far.
uint64_t gmmu_gz_offset(const gmmu_gz *z);
void gmmu_gz_free(gmmu_gz *z);

#endif
