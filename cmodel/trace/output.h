// SPDX-License-Identifier: Apache-2.0
// output.h: the file, pipe or standard output of a written trace, with a buffer,
// compressed if the name ends in .gz, .xz or .zst.
#ifndef GMMU_TRACE_OUTPUT_H
#define GMMU_TRACE_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

#include "gmmu/trace.h"
#include "trace/pack.h"

enum { WRITE_BUFFER = 1 << 18 };

typedef struct {
    int fd;
    bool failed;  // a write failed, and is not tried again
    size_t used;
    uint64_t written;  // number of bytes that have left the buffer
    char *name;
    gmmu_pack *pack;  // NULL: not compressed
    char buffer[WRITE_BUFFER];
} gmmu_output;

// Creates PATH; "-" is standard output. *O must be 0 up to its buffer. GMMU_BAD and *err on
// failure: *O then needs no close.
int gmmu_output_open(gmmu_output *o, const char *path, gmmu_error *err);
// Sets *err to the failure WHAT of the file NAME. Returns GMMU_BAD.
int gmmu_output_fail(gmmu_error *err, const char *name, const char *what);
// Writes the bytes in the buffer; of a compressed file some stay in the compressor until the close.
// GMMU_OK, or GMMU_BAD and *err.
int gmmu_output_flush(gmmu_output *o, gmmu_error *err);
// Writes SIZE bytes, any number. GMMU_OK, or GMMU_BAD and *err.
int gmmu_output_bytes(gmmu_output *o, const void *from, size_t size, gmmu_error *err);
// Writes SIZE bytes over the beginning of a file; of a stream, or of a compressed file, nothing is
// written. GMMU_OK, or GMMU_BAD and *err.
int gmmu_output_over(gmmu_output *o, const void *from, size_t size, gmmu_error *err);
// Closes. A write error that only shows here is reported if STATUS is GMMU_OK. Returns the final
// status.
int gmmu_output_close(gmmu_output *o, int status, gmmu_error *err);
// Closes, and removes the file.
void gmmu_output_discard(gmmu_output *o, const char *path);

#endif
