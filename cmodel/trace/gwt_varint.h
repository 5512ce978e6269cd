// SPDX-License-Identifier: Apache-2.0
// gwt_varint.h: numbers in a .gwt: LEB128, at most GWT_VARINT bytes.
#ifndef GMMU_TRACE_GWT_VARINT_H
#define GMMU_TRACE_GWT_VARINT_H

#include <stdbool.h>
#include <stdint.h>

// Puts VALUE into the bytes at TO, at most GWT_VARINT. Returns the byte behind.
static inline unsigned char *gwt_put_varint(unsigned char *to, uint64_t value) {
    for (; value >= 0x80; value >>= 7) {
        *to++ = (unsigned char)(value | 0x80);
    }
    *to++ = (unsigned char)value;
    return to;
}

typedef struct {
    const unsigned char *at, *end;
} gwt_bytes;

// Takes a LEB128 number of at most 64 bits off B. False, and B stays: the bytes end before, or
// there are more bits.
static inline bool gwt_varint(gwt_bytes *b, uint64_t *value) {
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

#endif
