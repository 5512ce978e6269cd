// SPDX-License-Identifier: Apache-2.0
// gwt_reader.c: reads the binary form of a walk trace (docs/formats.md, "Walk trace, binary form").
//
// Block by block: nothing is allocated by a size that has not been compared with the form's
// largest, and nothing is decoded before its checksum was right.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "trace/gwt.h"
#include "trace/reader.h"

struct gmmu_gwt {
    gwt_crc crc;
    ZSTD_DCtx *zstd;
    gmmu_walk *walks;
    unsigned char *packed, *raw;
    size_t walk_room, packed_room, raw_room;
    uint64_t blocks;  // read so far
    uint64_t offset;  // of the block or record that is being read
    uint64_t data;    // where the first block is
    bool done;        // the end record has been read
};

#define BAD(r, err, what, ...)                                                                    \
    do {                                                                                          \
        char why_[256];                                                                           \
        (void)snprintf(why_, sizeof why_, __VA_ARGS__);                                           \
        FAIL(err, (r)->name, 0, "%s %" PRIu64 " at byte %" PRIu64 ": %s", what, (r)->gwt->blocks, \
             (r)->gwt->offset, why_);                                                             \
    } while (0)

// An error after which nothing more can be read.
#define STUCK(r, err, ...)                 \
    do {                                   \
        BAD(r, err, "block", __VA_ARGS__); \
        (r)->stuck = true;                 \
    } while (0)

void gmmu_gwt_free(gmmu_gwt *g) {
    if (g != NULL) {
        (void)ZSTD_freeDCtx(g->zstd);
        free(g->walks);
        free(g->packed);
        free(g->raw);
        free(g);
    }
}

// Reads the header's texts, which are LENGTH bytes, and checks the header's CRC.
static bool texts(gmmu_reader *r, const unsigned char *head, gmmu_error *err) {
    size_t length[3];
    static const char *const names[] = {"source", "licence", "comment"};
    const char **to[] = {&r->about.source, &r->about.licence, &r->about.comment};
    size_t all = 0;
    for (size_t i = 0; i < 3; i++) {
        unsigned most = i < 2 ? GWT_TEXT : GWT_COMMENT;
        length[i] = gwt_get32(head + 32 + 4 * i);
        if (length[i] > most) {
            FAIL(err, r->name, 0, "header: found a %s of %zu bytes, expected at most %u", names[i],
                 length[i], most);
            return false;
        }
        all += length[i];
    }
    char *packed = malloc(all + 1);
    r->texts = malloc(all + 3);
    size_t got = 0;
    bool good = packed != NULL && r->texts != NULL;
    if (!good) {
        FAIL(err, r->name, 0, "out of memory");
    }
    good = good && gmmu_reader_fetch(r, packed, all, &got, err);
    if (good && got < all) {
        FAIL(err, r->name, 0, "header: found the end of the file at byte %zu, expected %zu bytes",
             GWT_HEADER + got, GWT_HEADER + all);
        good = false;
    }
    uint32_t found = 0;
    uint32_t stated = gwt_get32(head + 44);
    if (good) {
        found = gwt_crc_add(&r->gwt->crc, 0, head, 44);
        found = gwt_crc_add(&r->gwt->crc, found, packed, all);
    }
    if (good && gwt_crc_bad(found, stated)) {
        FAIL(err, r->name, 0, "header: found CRC-32C %08x, expected %08x", found, stated);
        good = false;
    }
    size_t from = 0;
    for (size_t i = 0; good && i < 3; i++) {
        char *text = r->texts + from + i;
        memcpy(text, packed + from, length[i]);
        text[length[i]] = '\0';
        *to[i] = length[i] == 0 ? NULL : text;
        from += length[i];
    }
    free(packed);
    return good;
}

bool gmmu_gwt_header(gmmu_reader *r, gmmu_error *err) {
    gmmu_gwt *g = r->gwt = calloc(1, sizeof *r->gwt);
    if (g == NULL || (g->zstd = ZSTD_createDCtx()) == NULL) {
        FAIL(err, r->name, 0, "out of memory");
        return false;
    }
    gwt_crc_init(&g->crc);
    unsigned char head[GWT_HEADER] = {0};
    size_t got = 0;
    if (!gmmu_reader_fetch(r, head, sizeof head, &got, err)) {
        return false;
    }
    size_t magic = got < GWT_MAGIC ? got : GWT_MAGIC;
    if (memcmp(head, gwt_magic, magic) != 0) {
        char shown[40];
        gmmu_reader_printable(shown, sizeof shown, (const char *)head, magic, 0x80);
        FAIL(err, r->name, 0, "header: found \"%s\", expected \"\\x89GWT\\x0d\\x0a\\x1a\\x0a\"",
             shown);
        return false;
    }
    if (got < sizeof head) {
        FAIL(err, r->name, 0, "header: found the end of the file at byte %zu, expected %zu bytes",
             got, sizeof head);
        return false;
    }
    uint32_t version = gwt_get32(head + 8);
    uint32_t shift = gwt_get32(head + 12);
    if (version != GWT_VERSION) {
        FAIL(err, r->name, 0, "header: found version %u, expected %d", version, GWT_VERSION);
        return false;
    }
    if (!texts(r, head, err)) {
        return false;
    }
    if (shift < MIN_SHIFT || shift > MAX_SHIFT) {
        FAIL(err, r->name, 0, "header: found page_shift %u, expected %d to %d", shift, MIN_SHIFT,
             MAX_SHIFT);
        return false;
    }
    r->about.page_shift = shift;
    r->about.walks = gwt_get64(head + 16);
    r->about.pages = gwt_get64(head + 24);
    g->data = gmmu_reader_offset(r);
    return true;
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

typedef struct {
    const unsigned char *at, *end;
} bytes;

// A LEB128 number of at most 64 bits.
static inline bool varint(bytes *b, uint64_t *value) {
    const unsigned char *p = b->at;
    if (p == b->end) {
        return false;
    }
    uint64_t v = *p++;
    if (v >= 0x80) {
        v &= 0x7f;
        unsigned shift = 7;
        uint64_t c = 0x80;
        for (; c >= 0x80; shift += 7) {
            if (p == b->end) {
                return false;
            }
            c = *p++;
            if (shift == 63 && c > 1) {
                return false;
            }
            v |= (c & 0x7f) << shift;
        }
    }
    b->at = p;
    *value = v;
    return true;
}

// Where a field's values go: one in each walk, 4 or 8 bytes wide.
static inline bool store(unsigned char *to, size_t width, uint64_t value) {
    if (width == 4) {
        uint32_t narrow = (uint32_t)value;
        memcpy(to, &narrow, 4);
        return value <= UINT32_MAX;
    }
    memcpy(to, &value, 8);
    return true;
}

// Decodes one field of COUNT walks.
static inline __attribute__((always_inline)) bool column(bytes *b, gmmu_walk *walks, size_t count,
                                                         size_t field, size_t width) {
    if (b->at == b->end) {
        return false;
    }
    unsigned char *to = (unsigned char *)walks + field;
    unsigned mode = *b->at++;
    uint64_t value = 0;
    uint64_t coded = 0;
    if (mode == GWT_CONSTANT) {
        bool good = varint(b, &value) && (width == 8 || value <= UINT32_MAX);
        for (size_t i = 0; good && i < count; i++, to += sizeof *walks) {
            (void)store(to, width, value);
        }
        return good;
    }
    bool good = mode == GWT_DELTA;
    for (size_t i = 0; good && i < count; i++, to += sizeof *walks) {
        good = varint(b, &coded);
        value += coded >> 1 ^ (0 - (coded & 1));
        good = store(to, width, value) && good;
    }
    return good;
}

static bool write_bits(bytes *b, gmmu_walk *walks, size_t count) {
    if (b->end - b->at < 2) {
        return false;
    }
    unsigned mode = *b->at++;
    if (mode == GWT_CONSTANT) {
        unsigned value = *b->at++;
        for (size_t i = 0; i < count; i++) {
            walks[i].write = value == 1;
        }
        return value <= 1;
    }
    size_t size = (count + 7) / 8;
    if (mode != GWT_BITS || (size_t)(b->end - b->at) < size) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        walks[i].write = (b->at[i / 8] >> (i % 8) & 1) != 0;
    }
    bool good = count % 8 == 0 || b->at[size - 1] >> (count % 8) == 0;
    b->at += size;
    return good;
}

// Decodes the SIZE bytes in g->raw. NULL, or the name of what is wrong.
static const char *decode(gmmu_gwt *g, size_t size, size_t count) {
    bytes b = {.at = g->raw, .end = g->raw + size};
    gmmu_walk *w = g->walks;
    if (!column(&b, w, count, offsetof(gmmu_walk, vpn), 8)) {
        return "vpn";
    }
    if (!column(&b, w, count, offsetof(gmmu_walk, ref), 8)) {
        return "ref";
    }
    if (!write_bits(&b, w, count)) {
        return "rw";
    }
    if (!column(&b, w, count, offsetof(gmmu_walk, sm), 4)) {
        return "sm";
    }
    if (!column(&b, w, count, offsetof(gmmu_walk, asid), 4)) {
        return "asid";
    }
    if (!column(&b, w, count, offsetof(gmmu_walk, time), 8)) {
        return "time";
    }
    return b.at == b.end ? NULL : "bytes after the last field";
}

// Reads the index's COUNT entries and its CRC, the trailer, and the end of the file.
static bool read_index(gmmu_reader *r, uint64_t count, gmmu_error *err) {
    gmmu_gwt *g = r->gwt;
    unsigned char part[GWT_ENTRY * 256];
    uint32_t found = 0;
    uint64_t left = count * GWT_ENTRY;
    size_t got = 0;
    while (left > 0) {
        size_t size = left < sizeof part ? (size_t)left : sizeof part;
        if (!gmmu_reader_fetch(r, part, size, &got, err)) {
            return false;
        }
        found = gwt_crc_add(&g->crc, found, part, got);
        left -= got;
        if (got < size) {
            break;
        }
    }
    if (!gmmu_reader_fetch(r, part, 4 + GWT_TRAILER + 1, &got, err)) {
        return false;
    }
    if (left != 0 || got < 4 + GWT_TRAILER) {
        STUCK(r, err,
              "found the end of the file at byte %" PRIu64 ", expected the index of %" PRIu64
              " blocks and the trailer",
              gmmu_reader_offset(r), count);
    } else if (gwt_crc_bad(found, gwt_get32(part))) {
        STUCK(r, err, "found CRC-32C %08x of the index, expected %08x", found, gwt_get32(part));
    } else if (gwt_get64(part + 4) != g->offset ||
               gwt_crc_bad(gwt_crc_add(&g->crc, 0, part + 4, 8), gwt_get32(part + 12)) ||
               gwt_get32(part + 16) != GWT_TRAILER_MAGIC) {
        STUCK(r, err, "found a bad trailer, expected that it names byte %" PRIu64, g->offset);
    } else if (got > 4 + GWT_TRAILER) {
        STUCK(r, err, "found bytes after the trailer, expected the end of the file");
    }
    return !r->stuck;
}

// The end record, of which HEAD is the first GWT_BLOCK bytes.
static int end_record(gmmu_reader *r, unsigned char *head, gmmu_error *err) {
    gmmu_gwt *g = r->gwt;
    size_t got = 0;
    if (!gmmu_reader_fetch(r, head + GWT_BLOCK, GWT_END - GWT_BLOCK, &got, err)) {
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
    } else if (read_index(r, g->blocks, err)) {
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
    uint32_t crc = gwt_crc_add(&r->gwt->crc, 0, head, GWT_BLOCK - 4);
    *b = (block_head){gwt_get32(head + 4), gwt_get32(head + 8), gwt_get32(head + 12),
                      gwt_get32(head + 16)};
    if (memcmp(head, "GWTB", 4) != 0) {
        char shown[24];
        gmmu_reader_printable(shown, sizeof shown, (const char *)head, 4, 0x80);
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
    return !r->stuck;
}

// The payload of a block whose header is good. What is wrong in it does not touch the next block.
static bool payload(gmmu_reader *r, const block_head *b, gmmu_error *err) {
    gmmu_gwt *g = r->gwt;
    size_t got = 0;
    if (!make_room((void **)&g->packed, &g->packed_room, b->packed, 1) ||
        !make_room((void **)&g->raw, &g->raw_room, b->raw, 1) ||
        !make_room((void **)&g->walks, &g->walk_room, b->walks, sizeof *g->walks)) {
        FAIL(err, r->name, 0, "out of memory");
        r->stuck = true;
        return false;
    }
    if (!gmmu_reader_fetch(r, g->packed, b->packed, &got, err)) {
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
    const char *wrong = decode(g, size, b->walks);
    if (wrong != NULL) {
        BAD(r, err, "block", "found a bad code of %s, expected %u walks", wrong, b->walks);
        return false;
    }
    return true;
}

int gmmu_gwt_fill(gmmu_reader *r, gmmu_error *err) {
    gmmu_gwt *g = r->gwt;
    unsigned char head[GWT_END] = {0};
    size_t got = 0;
    block_head b;
    if (g->done) {
        return GMMU_END;
    }
    if (r->stuck) {
        FAIL(err, r->name, 0, "found an error before, expected that reading ended there");
        return GMMU_BAD;
    }
    g->offset = gmmu_reader_offset(r);
    if (!gmmu_reader_fetch(r, head, GWT_BLOCK, &got, err)) {
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
    if (!payload(r, &b, err)) {
        if (!r->stuck) {
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

// Reads SIZE bytes at OFFSET of the file.
static bool fetch_at(gmmu_reader *r, uint64_t offset, void *to, size_t size, gmmu_error *err) {
    size_t got = 0;
    if (!gmmu_reader_goto(r, offset, err) || !gmmu_reader_fetch(r, to, size, &got, err)) {
        return false;
    }
    r->gwt->offset = offset;
    if (got < size) {
        STUCK(r, err, "found the end of the file after %zu bytes, expected %zu", got, size);
        return false;
    }
    return true;
}

// The number of blocks, from the end record at *offset. False and *err if it is not sound.
static bool find_end(gmmu_reader *r, uint64_t *offset, uint64_t *blocks, uint64_t *walks,
                     gmmu_error *err) {
    gmmu_gwt *g = r->gwt;
    unsigned char part[GWT_END];
    uint64_t least = g->data + GWT_END + 4 + GWT_TRAILER;
    g->offset = r->total;
    if (r->total < least) {
        STUCK(r, err, "found a file of %" PRIu64 " bytes, expected at least %" PRIu64, r->total,
              least);
        return false;
    }
    if (!fetch_at(r, r->total - GWT_TRAILER, part, GWT_TRAILER, err)) {
        return false;
    }
    *offset = gwt_get64(part);
    if (gwt_get32(part + 12) != GWT_TRAILER_MAGIC ||
        gwt_crc_bad(gwt_crc_add(&g->crc, 0, part, 8), gwt_get32(part + 8)) || *offset < g->data ||
        *offset > r->total - (GWT_END + 4 + GWT_TRAILER)) {
        STUCK(r, err, "found no trailer, expected one that names the end record");
        return false;
    }
    if (!fetch_at(r, *offset, part, GWT_END, err)) {
        return false;
    }
    *blocks = gwt_get32(part + 4);
    *walks = gwt_get64(part + 8);
    if (memcmp(part, "GWTE", 4) != 0 ||
        gwt_crc_bad(gwt_crc_add(&g->crc, 0, part, GWT_END - 4), gwt_get32(part + 24)) ||
        r->total - *offset != GWT_END + *blocks * GWT_ENTRY + 4 + GWT_TRAILER) {
        STUCK(r, err, "found no sound end record, expected one with the index of the blocks");
        return false;
    }
    g->blocks = *blocks;
    return read_index(r, *blocks, err);
}

int gmmu_gwt_seek(gmmu_reader *r, uint64_t walk, gmmu_error *err) {
    gmmu_gwt *g = r->gwt;
    uint64_t end = 0;
    uint64_t blocks = 0;
    uint64_t walks = 0;
    r->next = r->last = NULL;
    r->stuck = false;
    g->done = false;
    g->blocks = 0;
    if (!find_end(r, &end, &blocks, &walks, err)) {
        return GMMU_BAD;
    }
    uint64_t to = end;
    uint64_t low = 0;  // the block is in low … high - 1; blocks: behind all
    uint64_t high = walk >= walks ? 0 : blocks;
    uint64_t first = walk >= walks ? walks : 0;
    if (walk >= walks) {
        low = blocks;
    }
    unsigned char entry[GWT_ENTRY];
    while (high > low + 1) {
        uint64_t middle = low + (high - low) / 2;
        if (!fetch_at(r, end + GWT_END + middle * GWT_ENTRY, entry, sizeof entry, err)) {
            return GMMU_BAD;
        }
        *(gwt_get64(entry + 8) <= walk ? &low : &high) = middle;
    }
    if (low < blocks) {
        if (!fetch_at(r, end + GWT_END + low * GWT_ENTRY, entry, sizeof entry, err)) {
            return GMMU_BAD;
        }
        to = gwt_get64(entry);
        first = gwt_get64(entry + 8);
        if (to < g->data || to >= end || first > walk || walk - first >= GWT_WALKS) {
            STUCK(r, err,
                  "found an index entry with byte %" PRIu64 " and walk %" PRIu64
                  ", expected the block of walk %" PRIu64,
                  to, first, walk);
            return GMMU_BAD;
        }
    }
    g->blocks = low;
    r->walks = first;
    return gmmu_reader_goto(r, to, err) ? GMMU_OK : GMMU_BAD;
}
