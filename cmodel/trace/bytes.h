// SPDX-License-Identifier: Apache-2.0
// bytes.h: the bytes of an input in a buffer, inflated if they are compressed with gzip.
#ifndef GMMU_TRACE_BYTES_H
#define GMMU_TRACE_BYTES_H

#include <stddef.h>
#include <stdint.h>

#include "trace/file.h"
#include "trace/gz.h"

enum { BUFFER = GZ_INPUT, MAX_LINE = 4096 };

typedef struct {
    gmmu_file file;
    gmmu_gz *gz;           // NULL: not compressed
    bool ended;            // everything has been read into the buffer
    bool stuck;            // what follows an error cannot be read
    uint64_t read;         // bytes, inflated
    const char *at, *end;  // what is left in the buffer; *end is 0
    char buffer[BUFFER + 1];
} gmmu_bytes;

// Opens PATH; *B is all 0 up to its buffer. False and *err on failure; gmmu_bytes_close in any
// case.
bool gmmu_bytes_open(gmmu_bytes *b, const char *path, gmmu_error *err);
// If what is read next is gzip's: has it inflated. False and *err on failure.
bool gmmu_bytes_inflate(gmmu_bytes *b, gmmu_error *err);
void gmmu_bytes_close(gmmu_bytes *b);

// Moves what is left to the buffer's front, and reads more.
bool gmmu_bytes_refill(gmmu_bytes *b, gmmu_error *err);

// Makes the whole next line, if it is no longer than MAX_LINE, lie in the buffer.
static inline bool gmmu_bytes_ready(gmmu_bytes *b, gmmu_error *err) {
    return b->end - b->at > MAX_LINE + 2 || b->ended || gmmu_bytes_refill(b, err);
}

// The offset in the input of what is read next.
static inline uint64_t gmmu_bytes_offset(const gmmu_bytes *b) {
    return b->read - (uint64_t)(b->end - b->at);
}

// Reads SIZE bytes, or fewer at the end of the input: *got. False on a read error.
bool gmmu_bytes_fetch(gmmu_bytes *b, void *to, size_t size, size_t *got, gmmu_error *err);
// Goes behind the next line's end, or to the end of the input.
void gmmu_bytes_skip_line(gmmu_bytes *b);
// Whether gmmu_bytes_goto works.
bool gmmu_bytes_seekable(const gmmu_bytes *b);
// Goes to OFFSET.
bool gmmu_bytes_goto(gmmu_bytes *b, uint64_t offset, gmmu_error *err);
// How much of file.size has been used.
uint64_t gmmu_bytes_used(const gmmu_bytes *b);

#endif
