// SPDX-License-Identifier: Apache-2.0
// unpack.h: unpacks a file that is compressed with gzip, xz or zstd, one stream after the other.
#ifndef GMMU_TRACE_UNPACK_H
#define GMMU_TRACE_UNPACK_H

#include <stddef.h>
#include <stdint.h>

#include "trace/file.h"

enum { UNPACK_INPUT = 1 << 20 };  // bytes read from the file at once

typedef struct gmmu_unpack gmmu_unpack;
typedef struct gmmu_packing gmmu_packing;

// Returns the packing of a file that begins with the SIZE bytes at AT; NULL: none that is unpacked.
const gmmu_packing *gmmu_packing_find(const char *at, size_t size);
// Begins to unpack FILE. The SIZE bytes at BEGINNING, at most UNPACK_INPUT, are read already;
// ENDED: the file has no more. NULL and *err: no memory.
gmmu_unpack *gmmu_unpack_start(const gmmu_packing *how, const gmmu_file *file,
                               const void *beginning, size_t size, bool ended, gmmu_error *err);
// Unpacks up to SIZE bytes. Returns their number, 0 at the end, or -1 and *err.
ptrdiff_t gmmu_unpack_read(gmmu_unpack *u, void *to, size_t size, gmmu_error *err);
// Returns the number of compressed bytes taken so far.
uint64_t gmmu_unpack_offset(const gmmu_unpack *u);
// Frees U (NULL: nothing). The file stays open.
void gmmu_unpack_free(gmmu_unpack *u);

#endif
