// SPDX-License-Identifier: Apache-2.0
// gwt_writer.c: writes the binary form of a walk trace (docs/formats.md, "Walk trace, binary
// form"): collects a block of walks, codes it field by field, compresses it.
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "trace/gwt.h"
#include "trace/writer.h"

// Pages are counted up to MOST_PAGES, for which the set takes 128 MiB; then they are unknown.
enum { LEVEL = 3, FAST = 1, FIRST_ROOM = 1 << 12, MOST_PAGES = 1 << 22 };

typedef struct {
    uint64_t vpn;
    uint32_t asid;
    uint32_t used;
} page_slot;

struct gmmu_gwt_writer {
    gwt_crc crc;
    ZSTD_CCtx *zstd;
    size_t count;  // walks in the block
    uint64_t walk_count, page_count;
    bool counted;      // pages are to be counted; if not, speed matters more than size
    page_slot *pages;  // a hash set, at most half full; NULL: no longer counted
    uint64_t page_room;
    page_slot page;          // of the last walk
    unsigned char *entries;  // of the index
    uint64_t blocks, block_room;
    unsigned char *head;  // the header with its texts, to be written again with the counts
    size_t head_size;
    gmmu_walk walks[GWT_FULL];
    unsigned char raw[GWT_RAW];
    unsigned char packed[ZSTD_COMPRESSBOUND(GWT_RAW)];
};

void gmmu_gwt_writer_free(gmmu_gwt_writer *g) {
    if (g != NULL) {
        (void)ZSTD_freeCCtx(g->zstd);
        free(g->pages);
        free(g->entries);
        free(g->head);
        free(g);
    }
}

static void seal_head(gmmu_gwt_writer *g) {
    gwt_put64(g->head + 16, g->walk_count);
    gwt_put64(g->head + 24, g->page_count);
    uint32_t crc = gwt_crc_add(&g->crc, 0, g->head, 44);
    crc = gwt_crc_add(&g->crc, crc, g->head + GWT_HEADER, g->head_size - GWT_HEADER);
    gwt_put32(g->head + 44, crc);
}

int gmmu_gwt_start(gmmu_writer *w, const gmmu_about *about, gmmu_error *err) {
    const char *texts[] = {about->source, about->licence, about->comment};
    size_t length[3];
    size_t size = GWT_HEADER;
    for (size_t i = 0; i < 3; i++) {
        size_t most = i < 2 ? GWT_TEXT : GWT_COMMENT;
        length[i] = texts[i] == NULL ? 0 : strlen(texts[i]);
        if (length[i] > most) {
            (void)snprintf(err->text, sizeof err->text,
                           "%.200s: found a text of %zu bytes for the header, expected at most %zu",
                           w->name, length[i], most);
            return GMMU_BAD;
        }
        size += length[i];
    }
    gmmu_gwt_writer *g = w->gwt = malloc(sizeof *g);
    if (g == NULL) {
        return gmmu_writer_fail(err, w->name, "out of memory");
    }
    memset(g, 0, offsetof(gmmu_gwt_writer, walks));
    gwt_crc_init(&g->crc);
    g->zstd = ZSTD_createCCtx();
    g->counted = about->pages != GMMU_UNKNOWN;
    g->page_room = FIRST_ROOM;
    g->pages = g->counted ? calloc(FIRST_ROOM, sizeof *g->pages) : NULL;
    g->head = calloc(1, size);
    g->head_size = size;
    if (g->zstd == NULL || (g->counted && g->pages == NULL) || g->head == NULL) {
        return gmmu_writer_fail(err, w->name, "out of memory");
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
    g->walk_count = g->page_count = GMMU_UNKNOWN;
    seal_head(g);
    g->walk_count = 0;
    g->page_count = g->counted ? 0 : GMMU_UNKNOWN;
    return gmmu_writer_bytes(w, g->head, size, err);
}

static page_slot *find(page_slot *pages, uint64_t room, const page_slot *page) {
    uint64_t hash = (page->vpn ^ (uint64_t)page->asid << 40) * 0x9E3779B97F4A7C15U;
    uint64_t at = (hash ^ hash >> 32) & (room - 1);
    while (pages[at].used != 0 && (pages[at].vpn != page->vpn || pages[at].asid != page->asid)) {
        at = (at + 1) & (room - 1);
    }
    return &pages[at];
}

static void grow_pages(gmmu_gwt_writer *g) {
    uint64_t room = 2 * g->page_room;
    page_slot *bigger = g->page_count < MOST_PAGES ? calloc(room, sizeof *bigger) : NULL;
    for (uint64_t i = 0; bigger != NULL && i < g->page_room; i++) {
        if (g->pages[i].used != 0) {
            *find(bigger, room, &g->pages[i]) = g->pages[i];
        }
    }
    free(g->pages);
    g->pages = bigger;
    g->page_room = room;
    g->page_count = bigger == NULL ? GMMU_UNKNOWN : g->page_count;
}

static void count_page(gmmu_gwt_writer *g, const gmmu_walk *walk) {
    if (g->page.used != 0 && g->page.vpn == walk->vpn && g->page.asid == walk->asid) {
        return;
    }
    g->page = (page_slot){.vpn = walk->vpn, .asid = walk->asid, .used = 1};
    page_slot *slot = find(g->pages, g->page_room, &g->page);
    if (slot->used == 0) {
        *slot = g->page;
        g->page_count++;
        if (g->page_count * 2 >= g->page_room) {
            grow_pages(g);
        }
    }
}

static unsigned char *put_varint(unsigned char *to, uint64_t value) {
    for (; value >= 0x80; value >>= 7) {
        *to++ = (unsigned char)(value | 0x80);
    }
    *to++ = (unsigned char)value;
    return to;
}

static inline uint64_t load(const unsigned char *from, size_t width) {
    uint64_t value = 0;
    uint32_t narrow = 0;
    if (width == 4) {
        memcpy(&narrow, from, 4);
        return narrow;
    }
    memcpy(&value, from, 8);
    return value;
}

// Codes one field: a constant, or the differences as varints.
static inline __attribute__((always_inline)) unsigned char *put_column(unsigned char *to,
                                                                       const gmmu_walk *walks,
                                                                       size_t count, size_t field,
                                                                       size_t width) {
    const unsigned char *from = (const unsigned char *)walks + field;
    uint64_t first = load(from, width);
    size_t same = 1;
    while (same < count && load(from + same * sizeof *walks, width) == first) {
        same++;
    }
    if (same == count) {
        *to++ = GWT_CONSTANT;
        return put_varint(to, first);
    }
    *to++ = GWT_DELTA;
    uint64_t last = 0;
    for (size_t i = 0; i < count; i++, from += sizeof *walks) {
        uint64_t value = load(from, width);
        uint64_t d = value - last;
        to = put_varint(to, d << 1 ^ (0 - (d >> 63)));
        last = value;
    }
    return to;
}

static unsigned char *put_bits(unsigned char *to, const gmmu_walk *walks, size_t count) {
    size_t same = 1;
    while (same < count && walks[same].write == walks[0].write) {
        same++;
    }
    *to++ = same == count ? GWT_CONSTANT : GWT_BITS;
    if (same == count) {
        *to++ = walks[0].write ? 1 : 0;
        return to;
    }
    memset(to, 0, (count + 7) / 8);
    for (size_t i = 0; i < count; i++) {
        to[i / 8] |= (unsigned char)((walks[i].write ? 1U : 0U) << (i % 8));
    }
    return to + (count + 7) / 8;
}

// Notes where the block begins.
static bool put_entry(gmmu_gwt_writer *g, uint64_t offset) {
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

static int put_block(gmmu_writer *w, gmmu_error *err) {
    gmmu_gwt_writer *g = w->gwt;
    unsigned char *p = g->raw;
    p = put_column(p, g->walks, g->count, offsetof(gmmu_walk, vpn), 8);
    p = put_column(p, g->walks, g->count, offsetof(gmmu_walk, ref), 8);
    p = put_bits(p, g->walks, g->count);
    p = put_column(p, g->walks, g->count, offsetof(gmmu_walk, sm), 4);
    p = put_column(p, g->walks, g->count, offsetof(gmmu_walk, asid), 4);
    p = put_column(p, g->walks, g->count, offsetof(gmmu_walk, time), 8);
    size_t raw = (size_t)(p - g->raw);
    size_t size = ZSTD_compressCCtx(g->zstd, g->packed, sizeof g->packed, g->raw, raw,
                                    g->counted ? LEVEL : FAST);
    if (ZSTD_isError(size) != 0 || g->blocks == UINT32_MAX) {
        w->failed = true;
        return gmmu_writer_fail(
            err, w->name, ZSTD_isError(size) != 0 ? ZSTD_getErrorName(size) : "too many blocks");
    }
    unsigned char head[GWT_BLOCK] = {'G', 'W', 'T', 'B'};
    gwt_put32(head + 4, (uint32_t)g->count);
    gwt_put32(head + 8, (uint32_t)raw);
    gwt_put32(head + 12, (uint32_t)size);
    gwt_put32(head + 16, gwt_crc_add(&g->crc, 0, g->packed, size));
    gwt_put32(head + 20, gwt_crc_add(&g->crc, 0, head, 20));
    if (!put_entry(g, w->written + w->used)) {
        w->failed = true;
        return gmmu_writer_fail(err, w->name, "out of memory");
    }
    g->walk_count += g->count;
    g->count = 0;
    int status = gmmu_writer_bytes(w, head, sizeof head, err);
    return status == GMMU_OK ? gmmu_writer_bytes(w, g->packed, size, err) : status;
}

int gmmu_gwt_put(gmmu_writer *w, const gmmu_walk *walk, gmmu_error *err) {
    gmmu_gwt_writer *g = w->gwt;
    if (g->pages != NULL) {
        count_page(g, walk);
    }
    g->walks[g->count++] = *walk;
    return g->count == GWT_FULL ? put_block(w, err) : GMMU_OK;
}

int gmmu_gwt_finish(gmmu_writer *w, gmmu_error *err) {
    gmmu_gwt_writer *g = w->gwt;
    if (w->failed) {
        return gmmu_writer_fail(err, w->name, "an earlier write failed");
    }
    if (g->count != 0 && put_block(w, err) != GMMU_OK) {
        return GMMU_BAD;
    }
    unsigned char end[GWT_END] = {'G', 'W', 'T', 'E'};
    unsigned char trailer[4 + GWT_TRAILER] = {0};
    gwt_put32(end + 4, (uint32_t)g->blocks);
    gwt_put64(end + 8, g->walk_count);
    gwt_put64(end + 16, g->page_count);
    gwt_put32(end + 24, gwt_crc_add(&g->crc, 0, end, 24));
    gwt_put32(trailer, gwt_crc_add(&g->crc, 0, g->entries, g->blocks * GWT_ENTRY));
    gwt_put64(trailer + 4, w->written + w->used);
    gwt_put32(trailer + 12, gwt_crc_add(&g->crc, 0, trailer + 4, 8));
    gwt_put32(trailer + 16, GWT_TRAILER_MAGIC);
    if (gmmu_writer_bytes(w, end, sizeof end, err) != GMMU_OK ||
        gmmu_writer_bytes(w, g->entries, g->blocks * GWT_ENTRY, err) != GMMU_OK ||
        gmmu_writer_bytes(w, trailer, sizeof trailer, err) != GMMU_OK ||
        gmmu_writer_flush(w, err) != GMMU_OK) {
        return GMMU_BAD;
    }
    struct stat status;
    if (w->fd <= STDERR_FILENO || fstat(w->fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        return GMMU_OK;  // the header of a stream says "unknown"
    }
    seal_head(g);
    ssize_t n = 0;
    do {
        n = pwrite(w->fd, g->head, GWT_HEADER, 0);
    } while (n < 0 && errno == EINTR);
    return n == GWT_HEADER ? GMMU_OK
                           : gmmu_writer_fail(err, w->name, n < 0 ? strerror(errno) : "disk full");
}
