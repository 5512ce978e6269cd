// SPDX-License-Identifier: Apache-2.0
// packet.h: packets on a serial line (docs/reference/formats.md), as rtl/lib/gmmu_packet_rx.v and
// gmmu_packet_tx.v receive and send them.
#ifndef GMMU_BOARD_PACKET_H
#define GMMU_BOARD_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    GMMU_PACKET_MOST = 4096,                           // most bytes of a packet, head included
    GMMU_PACKET_HEAD = 4,                              // bytes of a head: sequence, kind, length
    GMMU_PACKET_LINE = 2 * (GMMU_PACKET_MOST + 4) + 2  // most bytes on the line
};

typedef struct {
    uint8_t seq, kind;
    uint16_t size;  // bytes of the payload, at most GMMU_PACKET_MOST - GMMU_PACKET_HEAD
    uint8_t payload[GMMU_PACKET_MOST];
} gmmu_packet;

// The receiver's state. All zero at the beginning.
typedef struct {
    bool inside, escaped, bad;
    size_t count;
    uint8_t bytes[GMMU_PACKET_MOST + 4];
    uint64_t dropped;  // number of pieces between two marks that were no packet
} gmmu_packet_ear;

// Writes P as on the line to TO, which has room for GMMU_PACKET_LINE bytes. Returns the number of
// bytes.
size_t gmmu_packet_write(const gmmu_packet *p, uint8_t *to);
// Takes the next byte of the line. True: *P is a complete packet.
bool gmmu_packet_hear(gmmu_packet_ear *e, uint8_t byte, gmmu_packet *p);

#ifdef __cplusplus
}
#endif
#endif
