// SPDX-License-Identifier: Apache-2.0
// range_dir.h: twin of rtl/ranges/gmmu_range_dir.v: keeps for ranges of memory of any size where
// their newest bytes are, on the CPU or the GPU, and names the transfers that are needed before CPU
// or GPU access a range (docs/reference/blocks/range_dir.md).
//
// Source: SemCache (AlSaber and Kulkarni, ICS '13) §4.
//
// One action, RANGE(op): an operation gives a packet of beats, transfers in the order in which they
// are to be executed, then the answer. Addresses are compared, never added to, so a range may end
// with the last byte of the address space.
#ifndef GMMU_RANGE_DIR_H
#define GMMU_RANGE_DIR_H

#include <stdbool.h>
#include <stdint.h>

#include "gmmu/arena.h"
#include "gmmu/codes.h"

#ifdef __cplusplus
extern "C" {
#endif

// States, operations, kinds of beats and answers are in gmmu/codes.h. An unknown operation is
// answered BAD. With an answer other than OK and NOSPACE nothing was done.
enum { GMMU_RANGE_OPS = GMMU_RANGE_BASE + 1 };
enum { GMMU_RANGE_MOST_HITS = 255, GMMU_RANGE_MOST_PINS = 15 };  // 8 bits, 4 bits

typedef struct {
    uint64_t start, last;  // the first byte, the last byte
    uint64_t base;         // place in GPU memory, if base_ok
    uint32_t asid;
    uint8_t state;  // GMMU_RANGE_C, G, S
    uint8_t hits, pins;
    bool base_ok;
    uint64_t note;  // note of the last operation that found the record; not in the hardware
} gmmu_range;

// A beat of s_axis_range.
typedef struct {
    uint64_t start, last;  // BASE: `last` is the base
    uint32_t asid;
    uint8_t op, tag;
    bool whole;  // WRITE_GPU, WRITE_CPU: every byte of the range will be written
    bool pin;    // READ_GPU, WRITE_GPU: the record stays as it is until UNPIN
    uint64_t note;
} gmmu_range_op;

// A beat of m_axis_xfer. A transfer names a whole record, with its content before the transfer.
typedef struct {
    uint64_t start, last, base;
    uint32_t asid;
    uint8_t kind;              // GMMU_RANGE_UP, DOWN, DROP, ANSWER
    uint8_t code, tag, state;  // ANSWER
    bool base_ok;
    bool hit;  // ANSWER: a record contained the range; READ_CPU, WRITE_CPU, RELEASE: met the range
} gmmu_range_beat;

typedef struct {
    gmmu_range *range;  // disjoint in an address space; in order of (asid, start)
    uint32_t ranges;    // RANGES: most records
    uint32_t used;      // number of records
    uint64_t limit;     // cfg_range_bytes: bytes of GPU memory for G and S; may change at any time
    uint64_t gpu_bytes, pinned_bytes;  // GPU memory of all records; of the pinned records
    // Not in the hardware. If a record has to leave a table of more than 16 times `sample` records,
    // only `sample` records are looked at, from a hand that goes round. 0: all records.
    uint32_t sample, hand;
    // The worth of a record, in place of its hits, when a record has to leave; NULL in the
    // hardware.
    uint64_t (*worth)(const void *context, const gmmu_range *r);
    const void *context;
} gmmu_range_dir;

// RANGES records, at least 2. Not 0: ARENA is too small.
int gmmu_range_dir_init(gmmu_range_dir *d, uint32_t ranges, uint64_t limit, gmmu_arena *arena);
// The record that has byte AT, or NULL; valid until the next operation.
const gmmu_range *gmmu_range_dir_at(const gmmu_range_dir *d, uint32_t asid, uint64_t at);
// Most beats of a packet: DOWN and DROP of each record, UP, ANSWER.
static inline uint32_t gmmu_range_dir_most_beats(const gmmu_range_dir *d) {
    return 2 * d->ranges + 2;
}
// RANGE(op): writes the packet to BEATS, which has room for the most beats. Returns the number of
// beats, at least 1.
uint32_t gmmu_range_dir_op(gmmu_range_dir *d, gmmu_range_op op, gmmu_range_beat *beats);

#ifdef __cplusplus
}
#endif
#endif
