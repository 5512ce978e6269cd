// SPDX-License-Identifier: Apache-2.0
// file.h: the file, pipe or standard input that a trace is read from, as it lies there.
#ifndef GMMU_TRACE_FILE_H
#define GMMU_TRACE_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "gmmu/trace.h"

typedef struct {
    int fd;         // -1: none
    char *name;     // for messages
    uint64_t size;  // bytes; 0: no regular file
} gmmu_file;

// Opens PATH, "-" is standard input. False and *err on failure; gmmu_file_close in any case.
bool gmmu_file_open(gmmu_file *f, const char *path, gmmu_error *err);
// Up to SIZE bytes by one read(2) that is not interrupted: their number, 0 at the end, -1 and *err.
ptrdiff_t gmmu_file_read(const gmmu_file *f, void *to, size_t size, gmmu_error *err);
// Goes to OFFSET of a regular file.
bool gmmu_file_goto(const gmmu_file *f, uint64_t offset, gmmu_error *err);
void gmmu_file_close(gmmu_file *f);

#endif
