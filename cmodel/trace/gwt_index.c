// SPDX-License-Identifier: Apache-2.0
// gwt_index.c: reads the index at the end of a .gwt, and goes by it to a block.
#include <string.h>

#include "trace/gwt_state.h"

bool gmmu_gwt_index(gmmu_reader *r, uint64_t count, gmmu_error *err) {
    gmmu_gwt *g = r->own;
    unsigned char part[GWT_ENTRY * 256];
    uint32_t found = 0;
    uint64_t left = count * GWT_ENTRY;
    size_t got = 0;
    while (left > 0) {
        size_t size = left < sizeof part ? (size_t)left : sizeof part;
        if (!gmmu_bytes_fetch(&r->in, part, size, &got, err)) {
            return false;
        }
        found = gwt_crc_add(&g->crc, found, part, got);
        left -= got;
        if (got < size) {
            break;
        }
    }
    if (!gmmu_bytes_fetch(&r->in, part, 4 + GWT_TRAILER + 1, &got, err)) {
        return false;
    }
    if (left != 0 || got < 4 + GWT_TRAILER) {
        STUCK(r, err,
              "found the end of the file at byte %" PRIu64 ", expected the index of %" PRIu64
              " blocks and the trailer",
              gmmu_bytes_offset(&r->in), count);
    } else if (gwt_crc_bad(found, gwt_get32(part))) {
        STUCK(r, err, "found CRC-32C %08x of the index, expected %08x", found, gwt_get32(part));
    } else if (gwt_get64(part + 4) != g->offset ||
               gwt_crc_bad(gwt_crc_add(&g->crc, 0, part + 4, 8), gwt_get32(part + 12)) ||
               gwt_get32(part + 16) != GWT_TRAILER_MAGIC) {
        STUCK(r, err, "found a bad trailer, expected that it names byte %" PRIu64, g->offset);
    } else if (got > 4 + GWT_TRAILER) {
        STUCK(r, err, "found bytes after the trailer, expected the end of the file");
    }
    return !r->in.stuck;
}

// Reads SIZE bytes at OFFSET of the file.
static bool fetch_at(gmmu_reader *r, uint64_t offset, void *to, size_t size, gmmu_error *err) {
    size_t got = 0;
    if (!gmmu_bytes_goto(&r->in, offset, err) || !gmmu_bytes_fetch(&r->in, to, size, &got, err)) {
        return false;
    }
    ((gmmu_gwt *)r->own)->offset = offset;
    if (got < size) {
        STUCK(r, err, "found the end of the file after %zu bytes, expected %zu", got, size);
        return false;
    }
    return true;
}

// The number of blocks, from the end record at *offset. False and *err if it is not sound.
static bool find_end(gmmu_reader *r, uint64_t *offset, uint64_t *blocks, uint64_t *walks,
                     gmmu_error *err) {
    gmmu_gwt *g = r->own;
    unsigned char part[GWT_END];
    uint64_t least = g->data + GWT_END + 4 + GWT_TRAILER;
    g->offset = r->in.file.size;
    if (r->in.file.size < least) {
        STUCK(r, err, "found a file of %" PRIu64 " bytes, expected at least %" PRIu64,
              r->in.file.size, least);
        return false;
    }
    if (!fetch_at(r, r->in.file.size - GWT_TRAILER, part, GWT_TRAILER, err)) {
        return false;
    }
    *offset = gwt_get64(part);
    if (gwt_get32(part + 12) != GWT_TRAILER_MAGIC ||
        gwt_crc_bad(gwt_crc_add(&g->crc, 0, part, 8), gwt_get32(part + 8)) || *offset < g->data ||
        *offset > r->in.file.size - (GWT_END + 4 + GWT_TRAILER)) {
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
        r->in.file.size - *offset != GWT_END + *blocks * GWT_ENTRY + 4 + GWT_TRAILER) {
        STUCK(r, err, "found no sound end record, expected one with the index of the blocks");
        return false;
    }
    g->blocks = *blocks;
    return gmmu_gwt_index(r, *blocks, err);
}

int gmmu_gwt_seek(gmmu_reader *r, uint64_t walk, gmmu_error *err) {
    gmmu_gwt *g = r->own;
    uint64_t end = 0;
    uint64_t blocks = 0;
    uint64_t walks = 0;
    r->next = r->last = NULL;
    r->in.stuck = false;
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
    return gmmu_bytes_goto(&r->in, to, err) ? GMMU_OK : GMMU_BAD;
}
