// SPDX-License-Identifier: Apache-2.0
// link.h: requests to a unit behind a serial line, and its responses
// (docs/reference/blocks/uart_link.md), over a line that loses and damages bytes: what is not
// answered is sent again, and done once all the same.
#ifndef GMMU_BOARD_LINK_H
#define GMMU_BOARD_LINK_H

#include "board/packet.h"
#include "driver/unit_bus.h"
#include "gmmu/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

// A line. READ: how many bytes came within MS milliseconds, 0 none, below 0: it is gone. WRITE:
// false: it is gone.
typedef struct {
    void *context;
    long (*read)(void *context, uint8_t *to, size_t room, unsigned ms);
    bool (*write)(void *context, const uint8_t *bytes, size_t count);
} gmmu_line;

// Operations of a request, and whose bytes a record of a response has.
enum {
    GMMU_LINK_NONE = 0,
    GMMU_LINK_WRITE = 1,    // address (2 bytes), data (4)
    GMMU_LINK_READ = 2,     // address (2)
    GMMU_LINK_WALK = 3,     // a beat
    GMMU_LINK_DRV = 4,      // a beat
    GMMU_LINK_RANGE = 5,    // a beat
    GMMU_LINK_LISTEN = 6,   // which streams' beats come back: bit 0 m_axis_rit, 1 _hir, 2 _xfer
    GMMU_LINK_RESTS = 0x80  // of an operation: it waits until the unit rests
};
enum {
    GMMU_LINK_OF_DECISION = 0,
    GMMU_LINK_OF_RIT = 1,
    GMMU_LINK_OF_HIR = 2,
    GMMU_LINK_OF_XFER = 3,
    GMMU_LINK_OF_WRITE = 4,  // 1: refused
    GMMU_LINK_OF_READ = 5,   // 1: refused; data (4)
    GMMU_LINK_LAST = 0x80    // of a record: the beat had tlast
};
enum { GMMU_LINK_ALL = 0, GMMU_LINK_FULL = 1, GMMU_LINK_STUCK = 2, GMMU_LINK_BAD = 3 };

// What HELLO says.
typedef struct {
    bool fresh;      // nobody had said HELLO since the reset
    unsigned bytes;  // of a request and of a response, heads among them
    uint32_t clock_hz;
    unsigned walk, drv, range;  // bytes of a beat
    unsigned decision, rit, hir, xfer;
} gmmu_link_hello;

typedef struct {
    gmmu_line line;
    const char *name;  // of the line, for messages
    unsigned wait_ms;  // for an answer, to begin with; it grows where that is too short
    unsigned tries;
    // from here on its own
    gmmu_link_hello is;
    uint8_t seq;
    unsigned patience_ms;
    unsigned most;  // bytes of a request that is likely to get through, its head among them
    unsigned good;  // answers to requests sent once, since it changed
    uint64_t sent, resent;
    gmmu_packet_ear ear;
    gmmu_packet request, response;
    uint8_t bytes[GMMU_PACKET_LINE];
} gmmu_link;

// What came of a request, and where its records begin: RECORDS bytes at response.payload + 3.
typedef struct {
    unsigned status;  // GMMU_LINK_ALL …
    unsigned done;    // operations
    size_t records;   // bytes
} gmmu_link_done;

// Each of these is false, and *err says why: nobody answers, the line is gone, the answer makes no
// sense.

// Says HELLO to who is there. line, name, wait_ms and tries are set.
bool gmmu_link_open(gmmu_link *l, gmmu_error *err);
// The SIZE bytes of OPS are done, at most is.bytes - GMMU_PACKET_HEAD.
bool gmmu_link_run(gmmu_link *l, const uint8_t *ops, size_t size, gmmu_link_done *done,
                   gmmu_error *err);
// The record at *AT of a response, which moves on; its bytes. False: it has none left. *SIZE is 0
// where its kind is not known.
bool gmmu_link_record(const gmmu_link *l, const gmmu_link_done *done, size_t *at, unsigned *kind,
                      const uint8_t **bytes, size_t *size);
// Room that a record of a beat of SIZE bytes takes in a response.
static inline size_t gmmu_link_room(size_t size) {
    return size + 1;
}

// The unit's registers over the link. *ERR says why an access failed.
typedef struct {
    gmmu_link *link;
    gmmu_error err;
} gmmu_link_registers;
gmmu_bus gmmu_link_bus(gmmu_link_registers *r);

#ifdef __cplusplus
}
#endif
#endif
