// SPDX-License-Identifier: Apache-2.0
// gwt.h: sizes and checksum of the binary form of a walk trace (docs/reference/formats.md, "Walk
// trace, binary form").
#ifndef GMMU_TRACE_GWT_H
#define GMMU_TRACE_GWT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    GWT_VERSION = 1,
    GWT_MAGIC = 8,          // bytes of the magic
    GWT_HEADER = 48,        // bytes of a header without its texts
    GWT_BLOCK = 24,         // bytes of a block without its payload
    GWT_END = 28,           // bytes of the end record without the index
    GWT_ENTRY = 16,         // bytes of an entry of the index
    GWT_TRAILER = 16,       // bytes at the end of the file
    GWT_TEXT = 4096,        // longest source and licence
    GWT_COMMENT = 1 << 20,  // longest comment
    GWT_WALKS = 1 << 16,    // most walks in a block
    GWT_FULL = 1 << 13,     // walks in a block of the writer: decoded, the walks fit into a cache
    GWT_VARINT = 10,        // longest varint
    // Most bytes of a block before compression: three fields of 64 bits and two of 32 bits as
    // varints, a bit for write, a mode for each field.
    GWT_RAW = GWT_WALKS * (3 * GWT_VARINT + 2 * 5) + GWT_WALKS / 8 + 6
};

// "GWT\n"
#define GWT_TRAILER_MAGIC UINT32_C(0x0a545747)

static const unsigned char gwt_magic[GWT_MAGIC] = {0x89, 'G', 'W', 'T', '\r', '\n', 0x1a, '\n'};

// Returns the 32 bits at FROM, the lowest byte first. FROM may lie anywhere.
static inline uint32_t gwt_get32(const void *from) {
    const unsigned char *p = from;
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

// The same for 64 bits.
static inline uint64_t gwt_get64(const void *from) {
    return gwt_get32(from) | (uint64_t)gwt_get32((const char *)from + 4) << 32;
}

// Puts VALUE into the 4 bytes at TO, the lowest byte first. TO may lie anywhere.
static inline void gwt_put32(void *to, uint32_t value) {
    unsigned char *p = to;
    for (unsigned i = 0; i < 4; i++) {
        p[i] = (unsigned char)(value >> (8 * i));
    }
}

// The same for 8 bytes.
static inline void gwt_put64(void *to, uint64_t value) {
    gwt_put32(to, (uint32_t)value);
    gwt_put32((char *)to + 4, (uint32_t)(value >> 32));
}

// Tables of CRC-32C (Castagnoli, reflected), four bytes a step.
typedef struct {
    uint32_t t[4][256];
} gwt_crc;

// Fills the tables, which gwt_crc_add needs.
static inline void gwt_crc_init(gwt_crc *c) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t x = i;
        for (unsigned k = 0; k < 8; k++) {
            x = x >> 1 ^ ((x & 1) != 0 ? 0x82F63B78U : 0);
        }
        c->t[0][i] = x;
    }
    for (unsigned n = 1; n < 4; n++) {
        for (uint32_t i = 0; i < 256; i++) {
            c->t[n][i] = c->t[n - 1][i] >> 8 ^ c->t[0][c->t[n - 1][i] & 0xff];
        }
    }
}

// Returns the CRC with SIZE more bytes. CRC is the CRC of the bytes before, 0 at the start.
static inline uint32_t gwt_crc_add(const gwt_crc *c, uint32_t crc, const void *from, size_t size) {
    const unsigned char *p = from;
    uint32_t x = ~crc;
    for (; size >= 4; size -= 4, p += 4) {
        x ^= gwt_get32(p);
        x = c->t[3][x & 0xff] ^ c->t[2][x >> 8 & 0xff] ^ c->t[1][x >> 16 & 0xff] ^ c->t[0][x >> 24];
    }
    for (; size > 0; size--, p++) {
        x = x >> 8 ^ c->t[0][(x ^ *p) & 0xff];
    }
    return ~x;
}

// True: the checksum reports damage. A fuzzer's damage passes on purpose.
static inline bool gwt_crc_bad(uint32_t found, uint32_t stated) {
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    (void)found;
    (void)stated;
    return false;
#else
    return found != stated;
#endif
}

#endif
