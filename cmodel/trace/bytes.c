// SPDX-License-Identifier: Apache-2.0
// bytes.c: see bytes.h.
#include "trace/bytes.h"

#include <string.h>

// Bytes read at once, but for the first ones: they stay in the cache until they are used.
enum { PIECE = 1 << 17 };

// An empty buffer, of input from OFFSET on.
static void restart(gmmu_bytes *b, uint64_t offset) {
    b->read = offset;
    b->at = b->end = b->buffer;
    b->buffer[0] = '\0';
    b->ended = false;
}

bool gmmu_bytes_open(gmmu_bytes *b, const char *path, gmmu_error *err) {
    restart(b, 0);
    return gmmu_file_open(&b->file, path, err);
}

void gmmu_bytes_close(gmmu_bytes *b) {
    gmmu_unpack_free(b->packed);
    gmmu_file_close(&b->file);
}

bool gmmu_bytes_unpack(gmmu_bytes *b, gmmu_error *err) {
    size_t left = (size_t)(b->end - b->at);
    const gmmu_packing *how = gmmu_packing_find(b->at, left);
    if (how == NULL) {
        return true;
    }
    b->packed = gmmu_unpack_start(how, &b->file, b->at, left, b->ended, err);
    if (b->packed == NULL) {
        return false;
    }
    restart(b, 0);
    return gmmu_bytes_ready(b, err);
}

static ptrdiff_t read_some(gmmu_bytes *b, void *to, size_t size, gmmu_error *err) {
    ptrdiff_t got = b->packed != NULL ? gmmu_unpack_read(b->packed, to, size, err)
                                      : gmmu_file_read(&b->file, to, size, err);
    if (got < 0) {
        b->stuck = true;
    } else {
        b->ended = got == 0;
        b->read += (uint64_t)got;
    }
    return got;
}

bool gmmu_bytes_refill(gmmu_bytes *b, gmmu_error *err) {
    size_t left = (size_t)(b->end - b->at);
    memmove(b->buffer, b->at, left);
    b->at = b->buffer;
    ptrdiff_t got = 1;
    const size_t most = b->read == 0 ? BUFFER : PIECE;
    while (left < BUFFER && got > 0) {
        const size_t room = BUFFER - left;
        got = read_some(b, b->buffer + left, room < most ? room : most, err);
        left += got > 0 ? (size_t)got : 0;
        if (left > MAX_LINE + 2) {
            break;  // a pipe delivers what it has: do not wait for more
        }
    }
    b->end = b->buffer + left;
    b->buffer[left] = '\0';
    return got >= 0;
}

bool gmmu_bytes_fetch(gmmu_bytes *b, void *to, size_t size, size_t *got, gmmu_error *err) {
    *got = 0;
    while (*got < size) {
        size_t left = (size_t)(b->end - b->at);
        if (left == 0 && (b->ended || !gmmu_bytes_refill(b, err))) {
            return b->ended;
        }
        left = (size_t)(b->end - b->at);
        size_t n = left < size - *got ? left : size - *got;
        memcpy((char *)to + *got, b->at, n);
        b->at += n;
        *got += n;
        if (left == 0) {
            break;
        }
    }
    return true;
}

void gmmu_bytes_skip_line(gmmu_bytes *b) {
    gmmu_error ignored;
    do {
        const char *newline = memchr(b->at, '\n', (size_t)(b->end - b->at));
        b->at = newline != NULL ? newline + 1 : b->end;
        if (newline != NULL) {
            break;
        }
    } while (!b->ended && gmmu_bytes_ready(b, &ignored));
}

bool gmmu_bytes_seekable(const gmmu_bytes *b) {
    return b->file.size != 0 && b->packed == NULL;
}

bool gmmu_bytes_goto(gmmu_bytes *b, uint64_t offset, gmmu_error *err) {
    if (!gmmu_file_goto(&b->file, offset, err)) {
        return false;
    }
    restart(b, offset);
    return true;
}

uint64_t gmmu_bytes_used(const gmmu_bytes *b) {
    return b->packed != NULL ? gmmu_unpack_offset(b->packed) : gmmu_bytes_offset(b);
}
