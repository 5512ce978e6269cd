// SPDX-License-Identifier: Apache-2.0
// unit_rings.h: the unit's rings for software: decisions and packets from memory, operations to
// memory, one beat at a time through registers (docs/reference/blocks/ring.md). Needs the functions
// of a gmmu_bus, and of the C library nothing but memset: firmware takes unit_rings.c alone.
//
// The memory of a ring is the caller's. The CPU and the unit must see each other's writes: memory
// that is coherent with the unit, or uncached. write32 of the bus comes after all earlier writes to
// memory.
#ifndef GMMU_DRIVER_UNIT_RINGS_H
#define GMMU_DRIVER_UNIT_RINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "driver/unit_bus.h"
#include "gmmu/ring.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GMMU_UNIT_BEAT_WORDS = 16 };  // most words of a beat

// A channel. Members are read by callers, and written by the functions alone.
typedef struct {
    const gmmu_bus *bus;
    uint32_t at;     // byte address of the channel's words
    unsigned bits;   // of TDATA
    unsigned bytes;  // of an entry
    bool in, packets, window;
    volatile uint32_t *memory;
    uint32_t size;  // entries
    uint32_t head;  // out: as last written; in: as last read
    uint32_t tail;  // out: as last read; in: as last written
    uint32_t next;  // out: the entry that is taken next; in: that is posted next
    bool phase;     // out: of entry `next`, when the entry is new
} gmmu_unit_ring;

// When an out channel interrupts. An interrupt comes by the first of those that are set.
typedef struct {
    uint32_t watermark;  // so many entries are in the ring; 0: not by their number
    unsigned wait;       // entries have waited for 2^wait cycles; 0: not by time
    bool overflow;       // a packet was dropped
    bool error;          // memory answered with an error
} gmmu_unit_interrupts;

// Each function that returns a bool returns false if the bus answered with an error. A function
// that waits returns false after MOST reads of the channel's state, too.

// Finds channel CHANNEL (GMMU_RING_DECISION …) and resets it. False also: there are no rings, or
// the unit has no such channel.
bool gmmu_rings_open(gmmu_unit_ring *r, const gmmu_bus *b, unsigned channel, unsigned most);
// Resets the channel: the ring is empty, errors and drops are forgotten. The channel keeps its
// ring, whose memory is cleared, or its window.
bool gmmu_rings_reset(gmmu_unit_ring *r, unsigned most);
// Bytes of memory that a ring of SIZE entries needs.
static inline uint64_t gmmu_rings_bytes(const gmmu_unit_ring *r, uint32_t size) {
    return (uint64_t)size * r->bytes;
}
// After a reset: the channel has a ring of SIZE entries, 2 to 65535, in MEMORY, which the unit sees
// at ADDRESS; both are multiples of 64.
bool gmmu_rings_memory(gmmu_unit_ring *r, void *memory, uint64_t address, uint32_t size);
// After a reset: the channel is a window of registers.
bool gmmu_rings_window(gmmu_unit_ring *r);
// Sets when the channel interrupts, before the channel is enabled.
bool gmmu_rings_interrupts(gmmu_unit_ring *r, const gmmu_unit_interrupts *when);
bool gmmu_rings_enable(gmmu_unit_ring *r);
// The channel stops. What was begun is finished, and the ring keeps its entries.
bool gmmu_rings_disable(gmmu_unit_ring *r, unsigned most);

// ---- after an interrupt
// *CHANNELS: a bit for each channel that asks.
bool gmmu_rings_asking(const gmmu_bus *b, uint32_t *channels);
// *EVENTS: the bits of GMMU_RING_STATUS_HIGH_…, which are cleared but for ERROR. A bit whose
// condition still holds comes back: clear after gmmu_rings_give_back.
bool gmmu_rings_events(gmmu_unit_ring *r, uint32_t *events);
// *PACKETS: dropped since the reset.
bool gmmu_rings_dropped(gmmu_unit_ring *r, uint32_t *packets);

// ---- out channels in memory. Beats have the fields of docs/reference/formats.md, bit 0 of word 0
// first (gmmu_decision_layout_of and others, blocks/beat.h).
// Learns from the registers what the unit has written. *ENTRIES, if not NULL: those not yet taken.
bool gmmu_rings_look(gmmu_unit_ring *r, uint32_t *entries);
// Takes the next entry of those that gmmu_rings_look has seen. False: there is none.
bool gmmu_rings_take(gmmu_unit_ring *r, uint32_t beat[GMMU_UNIT_BEAT_WORDS], bool *last);
// Takes the next entry if its phase in memory says that the entry is new: no access to the bus.
// Only where memory shows the last byte of an entry no sooner than the others.
bool gmmu_rings_poll(gmmu_unit_ring *r, uint32_t beat[GMMU_UNIT_BEAT_WORDS], bool *last);
// Of rit, hir, xfer: beats of the next packet, if gmmu_rings_look has seen all of them; else 0.
uint32_t gmmu_rings_packet(const gmmu_unit_ring *r);
// Gives back the entries that were taken. Of those that were polled some may stay for the next
// call: the unit has not yet learnt that they are in memory.
bool gmmu_rings_give_back(gmmu_unit_ring *r);

// ---- in channels in memory
// Writes the next operation to the ring. *FULL: the ring had no room, and nothing was written.
bool gmmu_rings_post(gmmu_unit_ring *r, const uint32_t *beat, bool *full);
// The doorbell: the unit may read what was posted.
bool gmmu_rings_ring(gmmu_unit_ring *r);
// *OPERATIONS: posted, and not yet taken by the unit.
bool gmmu_rings_waiting(gmmu_unit_ring *r, uint32_t *operations);

// ---- windows
// *THERE: the stream offers a beat, which was taken into BEAT.
bool gmmu_rings_read_one(gmmu_unit_ring *r, uint32_t beat[GMMU_UNIT_BEAT_WORDS], bool *last,
                         bool *there);
// *BUSY: the unit has not taken the operation before, and nothing was done.
bool gmmu_rings_write_one(gmmu_unit_ring *r, const uint32_t *beat, bool *busy);

#ifdef __cplusplus
}
#endif
#endif
