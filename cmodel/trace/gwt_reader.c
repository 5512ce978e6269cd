// SPDX-License-Identifier: Apache-2.0
// gwt_reader.c: reads the binary form of a walk trace (docs/reference/formats.md, "Walk trace,
// binary form").
//
// Block by block: nothing is allocated by a size that has not been compared with the form's
// largest, and nothing is decoded before its checksum was right.
#include <stdlib.h>
#include <string.h>

#include "trace/gwt_code.h"
#include "trace/gwt_hints.h"
#include "trace/gwt_state.h"
#include "trace/gwt_writer.h"

static void dispose(void *own) {
    gmmu_gwt *g = own;
    if (g != NULL) {
        (void)ZSTD_freeDCtx(g->zstd);
        free(g->walks);
        free(g->packed);
        free(g->raw);
        free(g);
    }
}

static bool start(gmmu_reader *r, const gmmu_import_settings *given, gmmu_error *err) {
    (void)given;
    gmmu_gwt *g = r->own = calloc(1, sizeof *g);
    if (g == NULL || (g->zstd = ZSTD_createDCtx()) == NULL) {
        FAIL(err, r->in.file.name, 0, "out of memory");
        return false;
    }
    gwt_crc_init(&g->crc);
    return gmmu_gwt_header(r, err);
}

// Makes *ROOM items of SIZE bytes at least COUNT, which has been compared with the form's largest.
static bool make_room(void **items, size_t *room, size_t count, size_t size) {
    if (count <= *room) {
        return true;
    }
    free(*items);
    *items = malloc(count * size);
    *room = *items == NULL ? 0 : count;
    return *items != NULL;
}

// The end record, of which HEAD is the first GWT_BLOCK bytes.
static int end_record(gmmu_reader *r, unsigned char *head, gmmu_error *err) {
    gmmu_gwt *g = r->own;
    size_t got = 0;
    if (!gmmu_bytes_fetch(&r->in, head + GWT_BLOCK, GWT_END - GWT_BLOCK, &got, err)) {
        return GMMU_BAD;
    }
    uint32_t crc = gwt_crc_add(&g->crc, 0, head, GWT_END - 4);
    uint64_t walks = gwt_get64(head + 8);
    if (got < GWT_END - GWT_BLOCK) {
        STUCK(r, err, "found the end of the file, expected an end record of %d bytes", GWT_END);
    } else if (gwt_crc_bad(crc, gwt_get32(head + 24))) {
        STUCK(r, err, "found CRC-32C %08x of the end record, expected %08x", crc,
              gwt_get32(head + 24));
    } else if (gwt_get32(head + 4) != g->blocks || walks != r->walks) {
        STUCK(r, err, "found %" PRIu64 " blocks and %" PRIu64 " walks, expected %u and %" PRIu64,
              g->blocks, r->walks, gwt_get32(head + 4), walks);
    } else if (r->about.walks != GMMU_UNKNOWN && r->about.walks != walks) {
        STUCK(r, err, "found %" PRIu64 " walks, expected %" PRIu64 " as in the header", walks,
              r->about.walks);
    } else if (gmmu_gwt_index(r, g->blocks, err)) {
        g->done = true;
        return GMMU_END;
    }
    return GMMU_BAD;
}

// The sizes in a block's header.
typedef struct {
    uint32_t walks, raw, packed, crc;
} block_head;

// Compares HEAD with the form; false and *err if it is not a block's.
static bool check_head(gmmu_reader *r, const unsigned char *head, block_head *b, gmmu_error *err) {
    uint32_t crc = gwt_crc_add(&((const gmmu_gwt *)r->own)->crc, 0, head, GWT_BLOCK - 4);
    *b = (block_head){gwt_get32(head + 4), gwt_get32(head + 8), gwt_get32(head + 12),
                      gwt_get32(head + 16)};
    if (memcmp(head, "GWTB", 4) != 0) {
        char shown[24];
        gmmu_printable(shown, sizeof shown, (const char *)head, 4, 0x80);
        STUCK(r, err, "found the tag \"%s\", expected \"GWTB\" or \"GWTE\"", shown);
    } else if (gwt_crc_bad(crc, gwt_get32(head + 20))) {
        STUCK(r, err, "found CRC-32C %08x of the block's header, expected %08x", crc,
              gwt_get32(head + 20));
    } else if (b->walks == 0 || b->walks > GWT_WALKS) {
        STUCK(r, err, "found %u walks, expected 1 to %d", b->walks, GWT_WALKS);
    } else if (b->raw == 0 || b->raw > GWT_RAW) {
        STUCK(r, err, "found %u bytes before compression, expected 1 to %d", b->raw, GWT_RAW);
    } else if (b->packed == 0 || b->packed > ZSTD_COMPRESSBOUND(GWT_RAW)) {
        STUCK(r, err, "found %u compressed bytes, expected 1 to %u", b->packed,
              (unsigned)ZSTD_COMPRESSBOUND(GWT_RAW));
    }
    return !r->in.stuck;
}

// The payload of a block whose header is good. What is wrong in it does not touch the next block.
static bool payload(gmmu_reader *r, const block_head *b, gmmu_error *err) {
    gmmu_gwt *g = r->own;
    size_t got = 0;
    if (!make_room((void **)&g->packed, &g->packed_room, b->packed, 1) ||
        !make_room((void **)&g->raw, &g->raw_room, b->raw, 1) ||
        !make_room((void **)&g->walks, &g->walk_room, b->walks, sizeof *g->walks)) {
        FAIL(err, r->in.file.name, 0, "out of memory");
        r->in.stuck = true;
        return false;
    }
    if (!gmmu_bytes_fetch(&r->in, g->packed, b->packed, &got, err)) {
        return false;
    }
    if (got < b->packed) {
        STUCK(r, err, "found the end of the file after %zu bytes, expected %u", got, b->packed);
        return false;
    }
    uint32_t crc = gwt_crc_add(&g->crc, 0, g->packed, b->packed);
    if (gwt_crc_bad(crc, b->crc)) {
        BAD(r, err, "block", "found CRC-32C %08x, expected %08x", crc, b->crc);
        return false;
    }
    size_t size = ZSTD_decompressDCtx(g->zstd, g->raw, b->raw, g->packed, b->packed);
    if (ZSTD_isError(size) != 0) {
        BAD(r, err, "block", "found a zstd frame with \"%s\", expected %u bytes",
            ZSTD_getErrorName(size), b->raw);
        return false;
    }
    if (size != b->raw) {
        BAD(r, err, "block", "found %zu bytes after decompression, expected %u", size, b->raw);
        return false;
    }
    const char *wrong = gmmu_gwt_decode(g->raw, size, g->walks, b->walks);
    if (wrong != NULL) {
        BAD(r, err, "block", "found a bad code of %s, expected %u walks", wrong, b->walks);
        return false;
    }
    return true;
}

// The hints behind the frame of the walks, if there are some. Bytes that are none mean nothing.
static bool hints(gmmu_reader *r, const block_head *b, gmmu_error *err) {
    gmmu_gwt *g = r->own;
    size_t frame = ZSTD_findFrameCompressedSize(g->packed, b->packed);
    if (ZSTD_isError(frame) != 0 || !gmmu_gwt_has_hints(g->packed + frame, b->packed - frame)) {
        return true;
    }
    size_t before = r->hints.count;
    size_t good = 0;
    const char *wrong = gmmu_gwt_get_hints(g->packed + frame, b->packed - frame, r->walks, b->walks,
                                           &r->hints, &good);
    if (wrong != NULL) {
        r->hints.count = before;
        BAD(r, err, "block", "found a bad %s behind %zu hints, expected hints among %u walks",
            wrong, good, b->walks);
    }
    return wrong == NULL;
}

static int fill(gmmu_reader *r, gmmu_error *err) {
    gmmu_gwt *g = r->own;
    unsigned char head[GWT_END] = {0};
    size_t got = 0;
    block_head b;
    if (g->done) {
        return GMMU_END;
    }
    if (r->in.stuck) {
        FAIL(err, r->in.file.name, 0, "found an error before, expected that reading ended there");
        return GMMU_BAD;
    }
    g->offset = gmmu_bytes_offset(&r->in);
    if (!gmmu_bytes_fetch(&r->in, head, GWT_BLOCK, &got, err)) {
        return GMMU_BAD;
    }
    if (got < GWT_BLOCK) {
        STUCK(r, err,
              "found the end of the file after %zu bytes, expected a block or the end "
              "record",
              got);
        return GMMU_BAD;
    }
    if (memcmp(head, "GWTE", 4) == 0) {
        return end_record(r, head, err);
    }
    if (!check_head(r, head, &b, err)) {
        return GMMU_BAD;
    }
    if (!payload(r, &b, err) || !hints(r, &b, err)) {
        if (!r->in.stuck) {
            g->blocks++;
            r->walks += b.walks;
            r->loss.walks += b.walks;
        }
        return GMMU_BAD;
    }
    g->blocks++;
    r->next = g->walks;
    r->last = g->walks + b.walks;
    return GMMU_OK;
}

const gmmu_form_kind gmmu_form_gwt = {
    .name = "gwt",
    .writer = &gmmu_gwt_writer,
    .first = 0x89,
    .binary = true,
    .blocks = true,
    .open = start,
    .fill = fill,
    .seek = gmmu_gwt_seek,
    .close = dispose,
};
