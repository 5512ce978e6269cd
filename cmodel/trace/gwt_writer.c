// SPDX-License-Identifier: Apache-2.0
// gwt_writer.c: writes the binary form of a walk trace (docs/reference/formats.md, "Walk trace,
// binary form"): collects a block of walks, codes it, compresses it.
#include "trace/gwt_writer.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "trace/gwt.h"
#include "trace/gwt_code.h"
#include "trace/gwt_hints.h"
#include "trace/page_counter.h"

enum { LEVEL = 3, FAST = 1 };

typedef struct {
    gwt_crc crc;
    ZSTD_CCtx *zstd;
    int level;     // where pages are not to be counted, speed matters more than size
    size_t count;  // walks in the block
    uint64_t walk_count;
    gmmu_page_counter pages;
    unsigned char *entries;  // of the index
    uint64_t blocks, block_room;
    unsigned char *head;  // the header with its texts, to be written again with the counts
    size_t head_size;
    gmmu_hint_queue hints;  // that are not in a block yet
    gmmu_walk walks[GWT_FULL];
    unsigned char raw[GWT_RAW];
    // the walks, and the hints behind them, within what a block may have
    unsigned char packed[ZSTD_COMPRESSBOUND(GWT_RAW)];
} gwt_writer;

_Static_assert(GWT_HINT_RAW + ZSTD_COMPRESSBOUND(GWT_RAW / GWT_WALKS * GWT_FULL + 6) <=
                   ZSTD_COMPRESSBOUND(GWT_RAW),
               "a full block has room for hints");

static void dispose(void *own) {
    gwt_writer *g = own;
    if (g != NULL) {
        (void)ZSTD_freeCCtx(g->zstd);
        gmmu_page_counter_free(&g->pages);
        gmmu_hint_queue_free(&g->hints);
        free(g->entries);
        free(g->head);
        free(g);
    }
}

static void seal_head(gwt_writer *g, uint64_t walks, uint64_t pages) {
    gwt_put64(g->head + 16, walks);
    gwt_put64(g->head + 24, pages);
    uint32_t crc = gwt_crc_add(&g->crc, 0, g->head, 44);
    crc = gwt_crc_add(&g->crc, crc, g->head + GWT_HEADER, g->head_size - GWT_HEADER);
    gwt_put32(g->head + 44, crc);
}

static int start(gmmu_writer *w, const gmmu_about *about, gmmu_error *err) {
    const char *texts[] = {about->source, about->licence, about->comment};
    size_t length[3];
    size_t size = GWT_HEADER;
    for (size_t i = 0; i < 3; i++) {
        size_t most = i < 2 ? GWT_TEXT : GWT_COMMENT;
        length[i] = texts[i] == NULL ? 0 : strlen(texts[i]);
        if (length[i] > most) {
            (void)snprintf(err->text, sizeof err->text,
                           "%.200s: found a text of %zu bytes for the header, expected at most %zu",
                           w->out.name, length[i], most);
            return GMMU_BAD;
        }
        size += length[i];
    }
    gwt_writer *g = w->own = malloc(sizeof *g);
    if (g == NULL) {
        return gmmu_output_fail(err, w->out.name, "out of memory");
    }
    memset(g, 0, offsetof(gwt_writer, walks));
    gwt_crc_init(&g->crc);
    bool counted = about->pages != GMMU_UNKNOWN;
    bool good = gmmu_page_counter_start(&g->pages, counted);
    g->zstd = ZSTD_createCCtx();
    g->level = counted ? LEVEL : FAST;
    g->head = calloc(1, size);
    g->head_size = size;
    if (!good || g->zstd == NULL || g->head == NULL) {
        return gmmu_output_fail(err, w->out.name, "out of memory");
    }
    memcpy(g->head, gwt_magic, GWT_MAGIC);
    gwt_put32(g->head + 8, GWT_VERSION);
    gwt_put32(g->head + 12, about->page_shift);
    unsigned char *to = g->head + GWT_HEADER;
    for (size_t i = 0; i < 3; i++) {
        gwt_put32(g->head + 32 + 4 * i, (uint32_t)length[i]);
        if (length[i] != 0) {
            memcpy(to, texts[i], length[i]);
        }
        to += length[i];
    }
    seal_head(g, GMMU_UNKNOWN, GMMU_UNKNOWN);
    return gmmu_output_bytes(&w->out, g->head, size, err);
}

// Notes where the block begins.
static bool put_entry(gwt_writer *g, uint64_t offset) {
    if (g->blocks == g->block_room) {
        uint64_t room = g->block_room == 0 ? 64 : 2 * g->block_room;
        unsigned char *bigger = realloc(g->entries, room * GWT_ENTRY);
        if (bigger == NULL) {
            return false;
        }
        g->entries = bigger;
        g->block_room = room;
    }
    gwt_put64(g->entries + g->blocks * GWT_ENTRY, offset);
    gwt_put64(g->entries + g->blocks * GWT_ENTRY + 8, g->walk_count);
    g->blocks++;
    return true;
}

// Fails, and has all that follows fail.
static int fail(gmmu_output *out, const char *what, gmmu_error *err) {
    out->failed = true;
    return gmmu_output_fail(err, out->name, what);
}

// Writes the walks, with the first HINTS hints.
static int put_block(gmmu_output *out, gwt_writer *g, size_t hints, gmmu_error *err) {
    size_t raw = gmmu_gwt_encode(g->raw, g->walks, g->count);
    size_t size = ZSTD_compressCCtx(g->zstd, g->packed, sizeof g->packed, g->raw, raw, g->level);
    if (ZSTD_isError(size) != 0 || g->blocks == UINT32_MAX) {
        return fail(out, ZSTD_isError(size) != 0 ? ZSTD_getErrorName(size) : "too many blocks",
                    err);
    }
    if (hints != 0) {
        size += gmmu_gwt_put_hints(g->packed + size, g->hints.items + g->hints.at, hints,
                                   g->walk_count);
        gmmu_hint_queue_drop(&g->hints, hints);
    }
    unsigned char head[GWT_BLOCK] = {'G', 'W', 'T', 'B'};
    gwt_put32(head + 4, (uint32_t)g->count);
    gwt_put32(head + 8, (uint32_t)raw);
    gwt_put32(head + 12, (uint32_t)size);
    gwt_put32(head + 16, gwt_crc_add(&g->crc, 0, g->packed, size));
    gwt_put32(head + 20, gwt_crc_add(&g->crc, 0, head, 20));
    if (!put_entry(g, out->written + out->used)) {
        return fail(out, "out of memory", err);
    }
    g->walk_count += g->count;
    g->count = 0;
    int status = gmmu_output_bytes(out, head, sizeof head, err);
    return status == GMMU_OK ? gmmu_output_bytes(out, g->packed, size, err) : status;
}

static int put(gmmu_writer *w, const gmmu_walk *walk, gmmu_error *err) {
    gwt_writer *g = w->own;
    int status = GMMU_OK;
    // more hints do not fit into a block; those behind its last walk go into the next
    if (g->count == GWT_FULL || g->hints.count > GMMU_HINTS) {
        uint64_t end = g->walk_count + g->count;
        status = put_block(&w->out, g, gmmu_hint_queue_before(&g->hints, end), err);
    }
    if (status != GMMU_OK) {
        return status;
    }
    gmmu_page_counter_add(&g->pages, walk);
    g->walks[g->count++] = *walk;
    return GMMU_OK;
}

static int hint(gmmu_writer *w, const gmmu_hint *given, gmmu_error *err) {
    gwt_writer *g = w->own;
    gmmu_hint h = *given;
    h.walk = g->walk_count + g->count;
    return gmmu_hint_queue_add(&g->hints, &h) ? GMMU_OK : fail(&w->out, "out of memory", err);
}

// The last block, the end record, the index and the trailer; in a file, the counts in the header.
static int finish(gmmu_writer *w, gmmu_error *err) {
    gwt_writer *g = w->own;
    gmmu_output *out = &w->out;
    if (out->failed) {
        return gmmu_output_fail(err, out->name, "an earlier write failed");
    }
    if (g->count == 0 && g->hints.count != 0) {
        (void)snprintf(err->text, sizeof err->text,
                       "%.200s: found hints and no walk, expected a walk with them", out->name);
        return GMMU_BAD;
    }
    if (g->hints.count > GMMU_HINTS && g->count > 1) {
        // the hints behind the last walk stand in its block
        const gmmu_walk last = g->walks[--g->count];
        const uint64_t end_before = g->walk_count + g->count;
        if (put_block(out, g, gmmu_hint_queue_before(&g->hints, end_before), err) != GMMU_OK) {
            return GMMU_BAD;
        }
        g->walks[g->count++] = last;
    }
    if (g->hints.count > GMMU_HINTS) {
        (void)snprintf(err->text, sizeof err->text,
                       "%.200s: found %zu hints before and behind the last walk, expected at most "
                       "%d in a .gwt",
                       out->name, g->hints.count, GMMU_HINTS);
        return GMMU_BAD;
    }
    if (g->count != 0 && put_block(out, g, g->hints.count, err) != GMMU_OK) {
        return GMMU_BAD;
    }
    unsigned char end[GWT_END] = {'G', 'W', 'T', 'E'};
    unsigned char trailer[4 + GWT_TRAILER] = {0};
    gwt_put32(end + 4, (uint32_t)g->blocks);
    gwt_put64(end + 8, g->walk_count);
    gwt_put64(end + 16, g->pages.count);
    gwt_put32(end + 24, gwt_crc_add(&g->crc, 0, end, 24));
    gwt_put32(trailer, gwt_crc_add(&g->crc, 0, g->entries, g->blocks * GWT_ENTRY));
    gwt_put64(trailer + 4, out->written + out->used);
    gwt_put32(trailer + 12, gwt_crc_add(&g->crc, 0, trailer + 4, 8));
    gwt_put32(trailer + 16, GWT_TRAILER_MAGIC);
    if (gmmu_output_bytes(out, end, sizeof end, err) != GMMU_OK ||
        gmmu_output_bytes(out, g->entries, g->blocks * GWT_ENTRY, err) != GMMU_OK ||
        gmmu_output_bytes(out, trailer, sizeof trailer, err) != GMMU_OK ||
        gmmu_output_flush(out, err) != GMMU_OK) {
        return GMMU_BAD;
    }
    seal_head(g, g->walk_count, g->pages.count);
    return gmmu_output_over(out, g->head, GWT_HEADER, err);
}

const gmmu_form_writer gmmu_gwt_writer = {
    .start = start,
    .put = put,
    .hint = hint,
    .finish = finish,
    .close = dispose,
};
