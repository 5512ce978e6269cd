// SPDX-License-Identifier: Apache-2.0
// bytes.h: the bytes of an input in a buffer, unpacked if they are compressed.
#ifndef GMMU_TRACE_BYTES_H
#define GMMU_TRACE_BYTES_H

#include <stddef.h>
#include <stdint.h>

#include "trace/file.h"
#include "trace/unpack.h"

enum { BUFFER = UNPACK_INPUT, MAX_LINE = 4096 };

typedef struct {
    gmmu_file file;
    gmmu_unpack *packed;   // NULL: not compressed
    bool ended;            // the whole input has been read into the buffer
    bool stuck;            // nothing can be read behind an error
    uint64_t read;         // number of bytes read, unpacked
    const char *at, *end;  // the bytes left in the buffer; *end is 0
    char buffer[BUFFER + 1];
} gmmu_bytes;

// Opens PATH; *B is all 0 up to its buffer. False and *err on failure; gmmu_bytes_close in any
// case.
bool gmmu_bytes_open(gmmu_bytes *b, const char *path, gmmu_error *err);
// Unpacks from here on if the next bytes are gzip's, xz's or zstd's. False and *err on failure.
bool gmmu_bytes_unpack(gmmu_bytes *b, gmmu_error *err);
// Closes the input, and frees what *B holds.
void gmmu_bytes_close(gmmu_bytes *b);

// Moves the bytes left to the buffer's front, and reads more. False and *err on failure.
bool gmmu_bytes_refill(gmmu_bytes *b, gmmu_error *err);

// Brings the whole next line, of at most MAX_LINE bytes, into the buffer. False and *err on
// failure.
static inline bool gmmu_bytes_ready(gmmu_bytes *b, gmmu_error *err) {
    return b->end - b->at > MAX_LINE + 2 || b->ended || gmmu_bytes_refill(b, err);
}

// Returns the offset of the next byte in the input.
static inline uint64_t gmmu_bytes_offset(const gmmu_bytes *b) {
    return b->read - (uint64_t)(b->end - b->at);
}

// Reads SIZE bytes, or fewer at the end of the input; *got is their number. False and *err on
// failure.
bool gmmu_bytes_fetch(gmmu_bytes *b, void *to, size_t size, size_t *got, gmmu_error *err);
// Goes behind the end of the next line, or to the end of the input.
void gmmu_bytes_skip_line(gmmu_bytes *b);
// True: gmmu_bytes_goto works.
bool gmmu_bytes_seekable(const gmmu_bytes *b);
// Goes to OFFSET of the input. False and *err on failure.
bool gmmu_bytes_goto(gmmu_bytes *b, uint64_t offset, gmmu_error *err);
// Returns the bytes of file.size that are used.
uint64_t gmmu_bytes_used(const gmmu_bytes *b);

#endif
