// SPDX-License-Identifier: Apache-2.0
// ring.h: twin of rtl/ring/gmmu_ring.v: streams of the unit as rings in memory or windows of
// registers (docs/reference/blocks/ring.md).
//
// Time is what happens between two calls of gmmu_ring_clock, one cycle. In a cycle registers are
// read and written first: they see and are judged by what the cycles before have left. Everything
// else may come in any order. A caller without cycles calls gmmu_ring_clock now and then: status
// bits and timers move, operations in progress end there alone.
#ifndef GMMU_BLOCK_RING_H
#define GMMU_BLOCK_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "gmmu/config.h"
#include "gmmu/ring.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    GMMU_RING_MOST_BYTES = 64,  // of an entry
    GMMU_RING_MOST_WORDS = GMMU_RING_MOST_BYTES / 4,
    GMMU_RING_MOST_OPS = 16,     // fetched ahead in a channel
    GMMU_RING_MOST_WRITES = 32,  // under way
};

typedef struct {
    // what the channel is
    bool present, in, packets, drops, window;
    unsigned bits;   // of TDATA
    unsigned bytes;  // of an entry
    // registers
    bool enabled, mode;
    uint32_t flags;  // INT_… of CONF0
    uint32_t threshold, wait, size;
    uint64_t base;
    uint32_t status;  // bits of STATUS_HIGH, without ERROR
    bool error;
    uint32_t dropped;
    unsigned op;  // in progress, GMMU_RING_OP_…
    // the ring; out: head, tail, next; in: head, next, tail, in the order of the ring
    uint32_t head, tail;
    uint32_t next;  // out: the entry to be written next; in: to be fetched next
    bool phase;     // out: of entry `next`
    uint32_t timer;
    unsigned writes;          // out: under way
    bool fetching;            // in: the burst under way is this channel's
    bool inside, discards;    // rit, hir: amid a packet, which is discarded
    unsigned first, fetched;  // in: of `ops`, those fetched and not yet taken
    uint32_t ops[GMMU_RING_MOST_OPS][GMMU_RING_MOST_WORDS];
    // the window: out: what the stream offers; in: the operation that software writes
    uint32_t beat[GMMU_RING_MOST_WORDS];
    bool offered, last;
    bool go;  // out: software takes the beat, in this cycle
    // of this cycle
    bool waited;     // out: the stream has offered a beat
    bool overflows;  // a packet was dropped
    bool restarts;   // the timer begins anew
    // of this cycle, by what the cycles before have left
    uint32_t due;   // status bits
    bool filled;    // there is an entry
    bool windowed;  // out: the window is in use
    bool done;      // the operation in progress ends
} gmmu_ring_channel;

typedef struct {
    gmmu_ring_channel channel[GMMU_RING_CHANNELS];
    unsigned addr_w, data_w, writes, ops;  // RING_ADDR_W, RING_DATA_W, RING_WRITES, RING_OPS
    uint8_t order[GMMU_RING_MOST_WRITES];  // channels of the writes under way, the oldest first
    unsigned under_way;                    // writes
    int burst;                             // channel of the read burst under way, or -1
    uint32_t burst_entries;
    bool stops;
    bool irq, irq_next;
} gmmu_ring;

// What happens with a beat that an out stream offers.
typedef enum {
    GMMU_RING_FATE_NO,       // the stream waits
    GMMU_RING_FATE_ENTRY,    // the beat is written to memory
    GMMU_RING_FATE_DISCARD,  // the beat is taken, and of no effect
    GMMU_RING_FATE_READ,     // the beat is taken by software, which has read it in the window
} gmmu_ring_fate;

// A write of one entry.
typedef struct {
    uint64_t address;
    unsigned bytes;
    uint8_t data[GMMU_RING_MOST_BYTES];
} gmmu_ring_entry;

// A read of entries.
typedef struct {
    uint64_t address;
    uint32_t entries;
    unsigned bytes;  // of all
} gmmu_ring_burst;

// Makes R as at power-up, for a unit of sizes CFG: ADDR_W (32 to 64) bits of an address, DATA_W
// (32, 64, 128) of the data bus, WRITES (1 to GMMU_RING_MOST_WRITES) entries under way, OPS (a
// power of two, 2 to GMMU_RING_MOST_OPS) operations fetched ahead.
void gmmu_ring_init(gmmu_ring *r, const gmmu_config *cfg, unsigned addr_w, unsigned data_w,
                    unsigned writes, unsigned ops);

// Registers. WORD is the number of a word in the page. False: the bus answers with an error.
bool gmmu_ring_read(const gmmu_ring *r, unsigned word, uint32_t *data);
// STROBES: a bit for each byte that is written.
bool gmmu_ring_write(gmmu_ring *r, unsigned word, uint32_t data, unsigned strobes);

// Out stream C offers BEAT, with TLAST, from this cycle on until it is taken; NULL: none. For a
// channel with a window only.
void gmmu_ring_shown(gmmu_ring *r, unsigned c, const uint32_t *beat, bool last);
// What happens with BEAT, the next of out stream C, if the stream has its turn now.
gmmu_ring_fate gmmu_ring_takes(const gmmu_ring *r, unsigned c, const uint32_t *beat, bool last);
// Does what gmmu_ring_takes says. FATE_ENTRY: *ENTRY is the write, which is under way now.
gmmu_ring_fate gmmu_ring_take(gmmu_ring *r, unsigned c, const uint32_t *beat, bool last,
                              gmmu_ring_entry *entry);
// Memory has answered the oldest write under way. OK: without an error.
void gmmu_ring_written(gmmu_ring *r, bool ok);

// Begins a burst for in channel C. False: none is to be read now, or a burst is under way.
bool gmmu_ring_fetch(gmmu_ring *r, unsigned c, gmmu_ring_burst *burst);
// Memory has answered the burst under way with DATA, bytes of the entries. OK: without an error.
void gmmu_ring_fetched(gmmu_ring *r, const uint8_t *data, bool ok);
// The operation that in channel C offers to the unit, or NULL.
const uint32_t *gmmu_ring_op(const gmmu_ring *r, unsigned c);
// The unit has taken the operation.
void gmmu_ring_op_taken(gmmu_ring *r, unsigned c);

// The cycle ends.
void gmmu_ring_clock(gmmu_ring *r);
// The interrupt, in this cycle.
bool gmmu_ring_irq(const gmmu_ring *r);
// Nothing is under way in memory.
bool gmmu_ring_rests(const gmmu_ring *r);
// Nothing is under way in memory, and no operation waits for the unit.
bool gmmu_ring_idle(const gmmu_ring *r);
// STOPS: from this cycle on no beat is taken, no burst begins, no register can be written.
void gmmu_ring_stop(gmmu_ring *r, bool stops);
// The unit is reset; nothing is under way in memory. REGS: the configuration is reset, too.
void gmmu_ring_reset(gmmu_ring *r, bool regs);

#ifdef __cplusplus
}
#endif
#endif
