// SPDX-License-Identifier: Apache-2.0
// unpack.c: see unpack.h.
#include "trace/unpack.h"

#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "trace/message.h"

enum {
    WINDOW = 15 + 16,     // zlib then takes gzip members and checks their CRC and length
    ZSTD_WINDOW = 30,     // log2 of the most bytes that a frame may look back
    XZ_MEMORY = 1 << 30,  // most bytes of memory for a stream
};

typedef enum { MORE, STREAM_END, BROKEN } step_result;

struct gmmu_packing {
    const char *name;
    bool (*begins)(const unsigned char *at, size_t size);
    bool (*start)(gmmu_unpack *u);
    // Unpacks from u->at … u->end to *TO, of *ROOM bytes, and moves all of them. BROKEN: u->why.
    step_result (*step)(gmmu_unpack *u, unsigned char **to, size_t *room);
    // Begins the stream behind the end of another; NULL: `step` goes on by itself.
    void (*again)(gmmu_unpack *u);
    void (*stop)(gmmu_unpack *u);
};

struct gmmu_unpack {
    const gmmu_packing *how;
    const gmmu_file *file;
    union {
        z_stream gzip;
        lzma_stream xz;
        ZSTD_DStream *zstd;
    } z;
    const char *why;                // the data is broken
    bool inside;                    // of a stream
    bool raw_ended;                 // everything has been read
    uint64_t raw;                   // compressed bytes read
    const unsigned char *at, *end;  // of these the bytes that are left
    unsigned char in[UNPACK_INPUT];
};

static size_t left(const gmmu_unpack *u) {
    return (size_t)(u->end - u->at);
}

// ---- gzip

static bool gzip_begins(const unsigned char *at, size_t size) {
    return size >= 3 && memcmp(at, "\x1f\x8b\x08", 3) == 0;
}

static bool gzip_start(gmmu_unpack *u) {
    return inflateInit2(&u->z.gzip, WINDOW) == Z_OK;
}

static step_result gzip_step(gmmu_unpack *u, unsigned char **to, size_t *room) {
    z_stream *z = &u->z.gzip;
    z->next_in = (unsigned char *)u->at;
    z->avail_in = (unsigned)left(u);
    z->next_out = *to;
    z->avail_out = (unsigned)*room;
    int status = inflate(z, Z_NO_FLUSH);
    u->at = z->next_in;
    *to = z->next_out;
    *room = z->avail_out;
    u->why = status == Z_MEM_ERROR ? "no memory left" : z->msg != NULL ? z->msg : "other data";
    return status == Z_OK ? MORE : status == Z_STREAM_END ? STREAM_END : BROKEN;
}

static void gzip_again(gmmu_unpack *u) {
    (void)inflateReset(&u->z.gzip);
}

static void gzip_stop(gmmu_unpack *u) {
    (void)inflateEnd(&u->z.gzip);
}

// ---- xz

static bool xz_begins(const unsigned char *at, size_t size) {
    return size >= 6 && memcmp(at, "\xfd\x37zXZ\0", 6) == 0;
}

static bool xz_start(gmmu_unpack *u) {
    u->z.xz = (lzma_stream)LZMA_STREAM_INIT;
    return lzma_stream_decoder(&u->z.xz, XZ_MEMORY,
                               LZMA_TELL_UNSUPPORTED_CHECK | LZMA_CONCATENATED) == LZMA_OK;
}

static const char *xz_why(lzma_ret status) {
    switch (status) {
        case LZMA_MEM_ERROR:
            return "no memory left";
        case LZMA_MEMLIMIT_ERROR:
            return "a dictionary of more than 1 GiB";
        case LZMA_FORMAT_ERROR:
            return "no header of a stream";
        case LZMA_OPTIONS_ERROR:
            return "unknown options";
        case LZMA_UNSUPPORTED_CHECK:
            return "an unknown check";
        default:
            return "corrupt data";
    }
}

static step_result xz_step(gmmu_unpack *u, unsigned char **to, size_t *room) {
    lzma_stream *z = &u->z.xz;
    z->next_in = u->at;
    z->avail_in = left(u);
    z->next_out = *to;
    z->avail_out = *room;
    lzma_ret status = lzma_code(z, u->raw_ended ? LZMA_FINISH : LZMA_RUN);
    u->at = z->next_in;
    *to = z->next_out;
    *room = z->avail_out;
    u->why = xz_why(status);
    return status == LZMA_OK ? MORE : status == LZMA_STREAM_END ? STREAM_END : BROKEN;
}

static void xz_stop(gmmu_unpack *u) {
    lzma_end(&u->z.xz);
}

// ---- zstd

// A frame, or one that is skipped.
static bool zstd_begins(const unsigned char *at, size_t size) {
    return size >= 4 && (memcmp(at, "\x28\xb5\x2f\xfd", 4) == 0 ||
                         ((at[0] & 0xf0) == 0x50 && memcmp(at + 1, "\x2a\x4d\x18", 3) == 0));
}

static bool zstd_start(gmmu_unpack *u) {
    u->z.zstd = ZSTD_createDStream();
    return u->z.zstd != NULL &&
           !ZSTD_isError(ZSTD_DCtx_setParameter(u->z.zstd, ZSTD_d_windowLogMax, ZSTD_WINDOW));
}

static step_result zstd_step(gmmu_unpack *u, unsigned char **to, size_t *room) {
    ZSTD_inBuffer in = {.src = u->at, .size = left(u)};
    ZSTD_outBuffer out = {.dst = *to, .size = *room};
    size_t status = ZSTD_decompressStream(u->z.zstd, &out, &in);
    u->at += in.pos;
    *to += out.pos;
    *room -= out.pos;
    if (ZSTD_isError(status)) {
        u->why = ZSTD_getErrorName(status);
        return BROKEN;
    }
    return status == 0 ? STREAM_END : MORE;
}

static void zstd_again(gmmu_unpack *u) {
    (void)ZSTD_DCtx_reset(u->z.zstd, ZSTD_reset_session_only);
}

static void zstd_stop(gmmu_unpack *u) {
    (void)ZSTD_freeDStream(u->z.zstd);
}

static const gmmu_packing packings[] = {
    {"gzip", gzip_begins, gzip_start, gzip_step, gzip_again, gzip_stop},
    {"xz", xz_begins, xz_start, xz_step, NULL, xz_stop},
    {"zstd", zstd_begins, zstd_start, zstd_step, zstd_again, zstd_stop},
};

const gmmu_packing *gmmu_packing_find(const char *at, size_t size) {
    for (size_t i = 0; i < sizeof packings / sizeof packings[0]; i++) {
        if (packings[i].begins((const unsigned char *)at, size)) {
            return &packings[i];
        }
    }
    return NULL;
}

void gmmu_unpack_free(gmmu_unpack *u) {
    if (u != NULL) {
        u->how->stop(u);
        free(u);
    }
}

uint64_t gmmu_unpack_offset(const gmmu_unpack *u) {
    return u->raw - left(u);
}

gmmu_unpack *gmmu_unpack_start(const gmmu_packing *how, const gmmu_file *file,
                               const void *beginning, size_t size, bool ended, gmmu_error *err) {
    gmmu_unpack *u = malloc(sizeof *u);
    if (u != NULL) {
        memset(u, 0, offsetof(gmmu_unpack, in));
        u->how = how;
    }
    if (u == NULL || !how->start(u)) {
        gmmu_unpack_free(u);
        FAIL(err, file->name, 0, "out of memory");
        return NULL;
    }
    memcpy(u->in, beginning, size);
    u->file = file;
    u->inside = true;
    u->raw = size;
    u->raw_ended = ended;
    u->at = u->in;
    u->end = u->in + size;
    return u;
}

// Makes some compressed bytes available unless the input has ended.
static bool more(gmmu_unpack *u, gmmu_error *err) {
    if (left(u) == 0 && !u->raw_ended) {
        ptrdiff_t got = gmmu_file_read(u->file, u->in, sizeof u->in, err);
        if (got < 0) {
            return false;
        }
        u->raw_ended = got == 0;
        u->raw += (uint64_t)got;
        u->at = u->in;
        u->end = u->in + got;
    }
    return true;
}

ptrdiff_t gmmu_unpack_read(gmmu_unpack *u, void *to, size_t size, gmmu_error *err) {
    const size_t most = size < UNPACK_INPUT ? size : (size_t)UNPACK_INPUT;
    size_t room = most;
    unsigned char *next = to;
    while (room == most) {
        if (!more(u, err)) {
            return -1;
        }
        const bool ended = u->raw_ended && left(u) == 0;
        if (ended && !u->inside) {
            return 0;
        }
        if (!u->inside) {
            if (u->how->again != NULL) {
                u->how->again(u);
            }
            u->inside = true;
        }
        // at the end, too: bytes may be left in the decoder
        step_result result = u->how->step(u, &next, &room);
        if (ended && result != STREAM_END && room == most) {
            u->why = "the end of the file";
            result = BROKEN;
        }
        if (result == STREAM_END) {
            u->inside = false;
        } else if (result == BROKEN) {
            FAIL(err, u->file->name, 0, "found %s at byte %llu, expected %s data", u->why,
                 (unsigned long long)gmmu_unpack_offset(u), u->how->name);
            return -1;
        }
    }
    return (ptrdiff_t)(most - room);
}
