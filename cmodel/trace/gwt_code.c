// SPDX-License-Identifier: Apache-2.0
// gwt_code.c: see gwt_code.h.
#include "trace/gwt_code.h"

#include <string.h>

#include "trace/gwt_varint.h"

// How a field is coded.
enum { CONSTANT = 0, DELTA = 1, BITS = 2 };

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
        *to++ = CONSTANT;
        return gwt_put_varint(to, first);
    }
    *to++ = DELTA;
    uint64_t last = 0;
    for (size_t i = 0; i < count; i++, from += sizeof *walks) {
        uint64_t value = load(from, width);
        uint64_t d = value - last;
        to = gwt_put_varint(to, d << 1 ^ (0 - (d >> 63)));
        last = value;
    }
    return to;
}

static unsigned char *put_bits(unsigned char *to, const gmmu_walk *walks, size_t count) {
    size_t same = 1;
    while (same < count && walks[same].write == walks[0].write) {
        same++;
    }
    *to++ = same == count ? CONSTANT : BITS;
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

size_t gmmu_gwt_encode(unsigned char *raw, const gmmu_walk *walks, size_t count) {
    unsigned char *p = raw;
    p = put_column(p, walks, count, offsetof(gmmu_walk, vpn), 8);
    p = put_column(p, walks, count, offsetof(gmmu_walk, ref), 8);
    p = put_bits(p, walks, count);
    p = put_column(p, walks, count, offsetof(gmmu_walk, sm), 4);
    p = put_column(p, walks, count, offsetof(gmmu_walk, asid), 4);
    p = put_column(p, walks, count, offsetof(gmmu_walk, time), 8);
    return (size_t)(p - raw);
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
static inline __attribute__((always_inline)) bool column(gwt_bytes *b, gmmu_walk *walks,
                                                         size_t count, size_t field, size_t width) {
    if (b->at == b->end) {
        return false;
    }
    unsigned char *to = (unsigned char *)walks + field;
    unsigned mode = *b->at++;
    uint64_t value = 0;
    uint64_t coded = 0;
    if (mode == CONSTANT) {
        bool good = gwt_varint(b, &value) && (width == 8 || value <= UINT32_MAX);
        for (size_t i = 0; good && i < count; i++, to += sizeof *walks) {
            (void)store(to, width, value);
        }
        return good;
    }
    bool good = mode == DELTA;
    for (size_t i = 0; good && i < count; i++, to += sizeof *walks) {
        good = gwt_varint(b, &coded);
        value += coded >> 1 ^ (0 - (coded & 1));
        good = store(to, width, value) && good;
    }
    return good;
}

static bool write_bits(gwt_bytes *b, gmmu_walk *walks, size_t count) {
    if (b->end - b->at < 2) {
        return false;
    }
    unsigned mode = *b->at++;
    if (mode == CONSTANT) {
        unsigned value = *b->at++;
        for (size_t i = 0; i < count; i++) {
            walks[i].write = value == 1;
        }
        return value <= 1;
    }
    size_t size = (count + 7) / 8;
    if (mode != BITS || (size_t)(b->end - b->at) < size) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        walks[i].write = (b->at[i / 8] >> (i % 8) & 1) != 0;
    }
    bool good = count % 8 == 0 || b->at[size - 1] >> (count % 8) == 0;
    b->at += size;
    return good;
}

const char *gmmu_gwt_decode(const unsigned char *raw, size_t size, gmmu_walk *w, size_t count) {
    gwt_bytes b = {.at = raw, .end = raw + size};
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
