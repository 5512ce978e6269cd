// SPDX-License-Identifier: Apache-2.0
// packet.c: see packet.h.
#include "board/packet.h"

#include <string.h>

#include "blocks/crc32c.h"

enum { FLAG = 0x7E, ESCAPE = 0x7D, FLIP = 0x20, CRC = 4 };

static uint32_t crc_of(const uint8_t *bytes, size_t count) {
    uint32_t crc = 0xFFFFFFFFU;
    for (size_t i = 0; i < count; i++) crc = gmmu_crc32c_bits(crc, bytes[i], 8);
    return ~crc;
}

static uint8_t *put(uint8_t *to, const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] == FLAG || bytes[i] == ESCAPE) {
            *to++ = ESCAPE;
            *to++ = bytes[i] ^ FLIP;
        } else {
            *to++ = bytes[i];
        }
    }
    return to;
}

size_t gmmu_packet_write(const gmmu_packet *p, uint8_t *to) {
    uint8_t whole[GMMU_PACKET_MOST + CRC] = {p->seq, p->kind, (uint8_t)p->size,
                                             (uint8_t)(p->size >> 8)};
    const size_t count = GMMU_PACKET_HEAD + (size_t)p->size;
    memcpy(whole + GMMU_PACKET_HEAD, p->payload, p->size);
    const uint32_t crc = crc_of(whole, count);
    for (unsigned i = 0; i < CRC; i++) whole[count + i] = (uint8_t)(crc >> 8 * i);
    uint8_t *end = to;
    *end++ = FLAG;
    end = put(end, whole, count + CRC);
    *end++ = FLAG;
    return (size_t)(end - to);
}

// Is what has come between two marks a packet?
static bool whole(const gmmu_packet_ear *e) {
    if (e->bad || e->escaped || e->count < GMMU_PACKET_HEAD + CRC)
        return false;
    const size_t count = e->count - CRC;
    const size_t size = (size_t)e->bytes[3] << 8 | e->bytes[2];
    uint32_t crc = 0;
    for (unsigned i = 0; i < CRC; i++) crc |= (uint32_t)e->bytes[count + i] << 8 * i;
    return size == count - GMMU_PACKET_HEAD && crc == crc_of(e->bytes, count);
}

bool gmmu_packet_hear(gmmu_packet_ear *e, uint8_t byte, gmmu_packet *p) {
    if (byte == FLAG) {
        const bool good = e->inside && whole(e);
        if (good) {
            p->seq = e->bytes[0];
            p->kind = e->bytes[1];
            p->size = (uint16_t)(e->count - GMMU_PACKET_HEAD - CRC);
            memcpy(p->payload, e->bytes + GMMU_PACKET_HEAD, p->size);
        }
        e->dropped += e->inside && !good && e->count != 0;
        e->inside = true;
        e->escaped = e->bad = false;
        e->count = 0;
        return good;
    }
    if (!e->inside)
        return false;
    if (byte == ESCAPE && !e->escaped) {
        e->escaped = true;
        return false;
    }
    if (e->escaped) {
        byte ^= FLIP;
        e->bad |= byte != FLAG && byte != ESCAPE;
        e->escaped = false;
    }
    if (e->count == sizeof e->bytes)
        e->bad = true;
    else
        e->bytes[e->count++] = byte;
    return false;
}
