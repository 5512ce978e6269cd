// SPDX-License-Identifier: Apache-2.0
// output.h: the file, pipe or standard output that a trace is written to, through a buffer.
#ifndef GMMU_TRACE_OUTPUT_H
#define GMMU_TRACE_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

#include "gmmu/trace.h"

enum { WRITE_BUFFER = 1 << 18 };

typedef struct {
    int fd;
    bool failed;  // what could not be written is not tried again
    size_t used;
    uint64_t written;  // bytes that have left the buffer
    char *name;
    char buffer[WRITE_BUFFER];
} gmmu_output;

// Creates PATH, "-" is standard output; *O is all 0 up to its buffer. GMMU_BAD and *err on failure:
// there is then nothing to close.
int gmmu_output_open(gmmu_output *o, const char *path, gmmu_error *err);
// Sets *err to what went wrong in the file NAME; returns GMMU_BAD.
int gmmu_output_fail(gmmu_error *err, const char *name, const char *what);
int gmmu_output_flush(gmmu_output *o, gmmu_error *err);
// Writes SIZE bytes, of any number.
int gmmu_output_bytes(gmmu_output *o, const void *from, size_t size, gmmu_error *err);
// Writes SIZE bytes over those at the beginning of a file; of a stream it writes none.
int gmmu_output_over(gmmu_output *o, const void *from, size_t size, gmmu_error *err);
// Closes; a write error that only shows here is reported if STATUS is GMMU_OK. The status.
int gmmu_output_close(gmmu_output *o, int status, gmmu_error *err);
// Closes, and takes the file away.
void gmmu_output_discard(gmmu_output *o, const char *path);

#endif
