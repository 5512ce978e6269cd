// SPDX-License-Identifier: Apache-2.0
// link.h: requests to a unit behind a serial line, and the unit's responses
// (docs/reference/blocks/uart_link.md).
//
// The line may lose and damage bytes. A request without a response is sent again, and is done once
// all the same.
#ifndef GMMU_BOARD_LINK_H
#define GMMU_BOARD_LINK_H

#include "board/packet.h"
#include "driver/unit_bus.h"
#include "gmmu/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

// A line. READ returns the number of bytes that came within MS milliseconds, at most ROOM; below 0:
// the line is gone. WRITE sends COUNT bytes; false: the line is gone.
typedef struct {
    void *context;
    long (*read)(void *context, uint8_t *to, size_t room, unsigned ms);
    bool (*write)(void *context, const uint8_t *bytes, size_t count);
} gmmu_line;

// Operations of a request (GMMU_LINK_…), and kinds of records of a response (GMMU_LINK_OF_…).
enum {
    GMMU_LINK_NONE = 0,
    GMMU_LINK_WRITE = 1,    // address (2 bytes), data (4)
    GMMU_LINK_READ = 2,     // address (2)
    GMMU_LINK_WALK = 3,     // a beat
    GMMU_LINK_DRV = 4,      // a beat
    GMMU_LINK_RANGE = 5,    // a beat
    GMMU_LINK_LISTEN = 6,   // streams whose beats come back: bit 0 m_axis_rit, 1 _hir, 2 _xfer
    GMMU_LINK_RESTS = 0x80  // flag of an operation: wait until the unit rests
};
enum {
    GMMU_LINK_OF_DECISION = 0,
    GMMU_LINK_OF_RIT = 1,
    GMMU_LINK_OF_HIR = 2,
    GMMU_LINK_OF_XFER = 3,
    GMMU_LINK_OF_WRITE = 4,  // a byte: 1 if the access was refused
    GMMU_LINK_OF_READ = 5,   // a byte: 1 if the access was refused; data (4)
    GMMU_LINK_LAST = 0x80    // flag of a record: the beat had tlast
};
// Status of a response (docs/reference/blocks/uart_link.md).
enum { GMMU_LINK_ALL = 0, GMMU_LINK_FULL = 1, GMMU_LINK_STUCK = 2, GMMU_LINK_BAD = 3 };

// The answer to HELLO.
typedef struct {
    bool fresh;      // this is the first HELLO since the reset
    unsigned bytes;  // most bytes of a request and of a response, head included
    uint32_t clock_hz;
    unsigned walk, drv, range;  // bytes of a beat, as those below
    unsigned decision, rit, hir, xfer;
} gmmu_link_hello;

typedef struct {
    gmmu_line line;
    const char *name;  // name of the line, for messages
    unsigned wait_ms;  // first time to wait for a response; grows if too short
    unsigned tries;    // times that a request is sent before the link gives up
    // from here on for the link alone
    gmmu_link_hello is;
    uint8_t seq;
    unsigned patience_ms;
    unsigned most;  // bytes of a request that is likely to get through, head included
    unsigned good;  // responses to requests sent once, since `most` changed
    uint64_t sent, resent;
    gmmu_packet_ear ear;
    gmmu_packet request, response;
    uint8_t bytes[GMMU_PACKET_LINE];
} gmmu_link;

// The outcome of a request. The response has RECORDS bytes of records at response.payload + 3.
typedef struct {
    unsigned status;  // GMMU_LINK_ALL …
    unsigned done;    // number of operations done
    size_t records;   // bytes of records
} gmmu_link_done;

// Each of these functions returns false with a reason in *err: no response, the line is gone, or
// the response makes no sense.

// Begins a session with HELLO. The caller has set line, name, wait_ms and tries.
bool gmmu_link_open(gmmu_link *l, gmmu_error *err);
// Executes the operations in the SIZE bytes of OPS; SIZE is at most is.bytes - GMMU_PACKET_HEAD.
bool gmmu_link_run(gmmu_link *l, const uint8_t *ops, size_t size, gmmu_link_done *done,
                   gmmu_error *err);
// Returns the record of the response at *AT, and moves *AT behind the record. *SIZE is 0 if the
// kind of the record is not known. False: no record is left.
bool gmmu_link_record(const gmmu_link *l, const gmmu_link_done *done, size_t *at, unsigned *kind,
                      const uint8_t **bytes, size_t *size);

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
