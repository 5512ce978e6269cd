// SPDX-License-Identifier: Apache-2.0
// packet.h: packets on a serial line (docs/reference/formats.md): the same as
// rtl/lib/gmmu_packet_rx.v, gmmu_packet_tx.v.
#ifndef GMMU_BOARD_PACKET_H
#define GMMU_BOARD_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    GMMU_PACKET_MOST = 4096,                           // bytes of a packet, its head among them
    GMMU_PACKET_HEAD = 4,                              // sequence, kind, length
    GMMU_PACKET_LINE = 2 * (GMMU_PACKET_MOST + 4) + 2  // bytes on the line, at most
};

typedef struct {
    uint8_t seq, kind;
    uint16_t size;  // of the payload, in bytes; at most GMMU_PACKET_MOST - GMMU_PACKET_HEAD
    uint8_t payload[GMMU_PACKET_MOST];
} gmmu_packet;

// What has come of a packet. All zero to begin with.
typedef struct {
    bool inside, escaped, bad;
    size_t count;
    uint8_t bytes[GMMU_PACKET_MOST + 4];
    uint64_t dropped;  // what was between two marks and is no packet
} gmmu_packet_ear;

// P as it goes onto the line, into TO with room for GMMU_PACKET_LINE; how many bytes.
size_t gmmu_packet_write(const gmmu_packet *p, uint8_t *to);
// The next byte of the line. True: *P is a whole packet.
bool gmmu_packet_hear(gmmu_packet_ear *e, uint8_t byte, gmmu_packet *p);

#ifdef __cplusplus
}
#endif
#endif
