// SPDX-License-Identifier: Apache-2.0
// ring.h: channels and words of the block ring (docs/reference/blocks/ring.md).
// clang-format off
#ifndef GMMU_RING_H
#define GMMU_RING_H

// Channels: out, from the unit to memory, 0 to 3; in, from memory to the unit, 4 and 5.
enum {
    GMMU_RING_DECISION = 0,
    GMMU_RING_XFER = 1,
    GMMU_RING_RIT = 2,
    GMMU_RING_HIR = 3,
    GMMU_RING_DRV = 4,
    GMMU_RING_RANGE = 5,
    GMMU_RING_CHANNELS = 6,
};

// Byte addresses in the page of 4 KiB; words have 32 bits.
enum {
    GMMU_RING_PAGE = 0x1000, // of the page, behind gmmu_tier_ring
    GMMU_RING_COMMON_CAP0 = 0x000,
    GMMU_RING_COMMON_CAP1 = 0x008,
    GMMU_RING_FIRST = 0x010, // of channel 0
    GMMU_RING_LENGTH = 0x100, // from a channel to the next
    GMMU_RING_IRQ = 0x800,
};

// Byte addresses within a channel.
enum {
    GMMU_RING_CAP0 = 0x00,
    GMMU_RING_CAP0_HIGH = 0x04,
    GMMU_RING_CAP1_HIGH = 0x0c,
    GMMU_RING_CONF0 = 0x40,
    GMMU_RING_CONF1_HIGH = 0x4c,
    GMMU_RING_CONF2 = 0x50,
    GMMU_RING_STATUS = 0x60,
    GMMU_RING_STATUS_HIGH = 0x64,
    GMMU_RING_HEAD_TAIL = 0x68,
    GMMU_RING_BASE = 0x70,
    GMMU_RING_BASE_HIGH = 0x74,
    GMMU_RING_SIZE = 0x78,
    GMMU_RING_WAIT = 0x7c,
    GMMU_RING_ENTRY = 0x80,
    GMMU_RING_DROPPED = 0x84,
    GMMU_RING_MODE = 0x88,
    GMMU_RING_GO = 0x8c,
    GMMU_RING_WINDOW = 0xc0,
};

// Bits of the words, as masks.
enum {
    GMMU_RING_CAP0_OVERFLOW = 1 << 4,
    GMMU_RING_CAP0_LEVEL = 1 << 5,
    GMMU_RING_CAP1_HIGH_ALWAYS_ON = 1 << 17,
    GMMU_RING_CONF0_INT_OVERFLOW = 1 << 9,
    GMMU_RING_CONF0_INT_LEVEL = 1 << 10,
    GMMU_RING_CONF0_INT_TIME = 1 << 11,
    GMMU_RING_CONF0_INT_ERROR = 1 << 12,
    GMMU_RING_CONF0_ENABLE = 1 << 16,
    GMMU_RING_CONF0_RESET = 1 << 17,
    GMMU_RING_STATUS_ENABLED = 1 << 0,
    GMMU_RING_STATUS_HIGH_OVERFLOW = 1 << 8,
    GMMU_RING_STATUS_HIGH_LEVEL = 1 << 9,
    GMMU_RING_STATUS_HIGH_TIME = 1 << 10,
    GMMU_RING_STATUS_HIGH_ERROR = 1 << 11,
    GMMU_RING_ENTRY_IN = 1 << 8,
    GMMU_RING_ENTRY_PACKETS = 1 << 9,
    GMMU_RING_ENTRY_DROPS = 1 << 10,
    GMMU_RING_ENTRY_WINDOW = 1 << 11,
    GMMU_RING_GO_GO = 1 << 0,
    GMMU_RING_GO_LAST = 1 << 1,
};

// Values of STATUS 31:16, the operation in progress.
enum {
    GMMU_RING_OP_NONE = 0,
    GMMU_RING_OP_DISABLE = 2,
    GMMU_RING_OP_RESET = 3,
};

// The last byte of an entry of an out channel.
enum {
    GMMU_RING_LAST = 1 << 0, // TLAST of the beat
    GMMU_RING_PHASE = 1 << 7, // 1 in the first pass through the ring after a reset, then 0, 1 …
};

#endif
