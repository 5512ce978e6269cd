// SPDX-License-Identifier: Apache-2.0
// file.h: the file, pipe or standard input of a trace, as raw bytes.
#ifndef GMMU_TRACE_FILE_H
#define GMMU_TRACE_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "gmmu/trace.h"

typedef struct {
    int fd;         // -1: not open
    char *name;     // for messages
    uint64_t size;  // size in bytes; 0: no regular file
} gmmu_file;

// Opens PATH; "-" is standard input. False and *err on failure. gmmu_file_close is needed in any
// case.
bool gmmu_file_open(gmmu_file *f, const char *path, gmmu_error *err);
// Reads up to SIZE bytes by one read(2), repeated if interrupted. Returns their number, 0 at the
// end, or -1 and *err.
ptrdiff_t gmmu_file_read(const gmmu_file *f, void *to, size_t size, gmmu_error *err);
// Goes to OFFSET of a regular file. False and *err on failure.
bool gmmu_file_goto(const gmmu_file *f, uint64_t offset, gmmu_error *err);
// Closes the file, but not standard input, and frees the name. Once for each gmmu_file_open.
void gmmu_file_close(gmmu_file *f);

#endif
