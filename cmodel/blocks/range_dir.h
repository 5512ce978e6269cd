// SPDX-License-Identifier: Apache-2.0
// range_dir.h: twin of block range_dir: ranges of memory of any size, where the newest bytes of
// each are, on the CPU or the GPU, and what has to be transferred before one of them touches a
// range (SemCache: AlSaber and Kulkarni, ICS '13, §4). docs/reference/blocks/range_dir.md says the
// same in words.
//
// One action, RANGE(op): an operation gives a packet of beats, transfers in the order in which they
// are to be executed, then the answer. The arithmetic is that of the fields' widths; an address is
// compared, never added to, so a range may end with the last byte of the address space.
#ifndef GMMU_RANGE_DIR_H
#define GMMU_RANGE_DIR_H

#include <stdbool.h>
#include <stdint.h>

#include "gmmu/arena.h"
#include "gmmu/codes.h"

#ifdef __cplusplus
extern "C" {
#endif

// States, operations (others are BAD), kinds of beats and answers: gmmu/codes.h. All answers but OK
// and NOSPACE: nothing was done.
enum { GMMU_RANGE_OPS = GMMU_RANGE_BASE + 1 };
enum { GMMU_RANGE_MOST_HITS = 255, GMMU_RANGE_MOST_PINS = 15 };  // 8 bits, 4 bits

typedef struct {
    uint64_t start, last;  // the first byte, the last byte
    uint64_t base;         // in GPU memory, if base_ok
    uint32_t asid;
    uint8_t state;  // GMMU_RANGE_C, G, S
    uint8_t hits, pins;
    bool base_ok;
    uint64_t note;  // that of the operation that looked it up last; the hardware has none
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

// A beat of m_axis_xfer. A transfer is of a whole record, as it was before it.
typedef struct {
    uint64_t start, last, base;
    uint32_t asid;
    uint8_t kind;              // GMMU_RANGE_UP, DOWN, DROP, ANSWER
    uint8_t code, tag, state;  // ANSWER
    bool base_ok;
    bool hit;  // ANSWER: a record contained the range; READ_CPU, WRITE_CPU, RELEASE: one met it
} gmmu_range_beat;

typedef struct {
    gmmu_range *range;  // disjoint in an address space; in order of (asid, start)
    uint32_t ranges;    // RANGES: how many there may be
    uint32_t used;      // how many there are
    uint64_t limit;     // cfg_range_bytes: bytes of GPU memory for G and S; may change at any time
    uint64_t gpu_bytes, pinned_bytes;  // of GPU memory: all records', and those of pinned ones
    // Not of the hardware: where one has to leave a table of more than 16 times `sample` records,
    // so many are looked at, from a hand that goes round; 0: all.
    uint32_t sample, hand;
    // What a record is worth, in place of its hits, where one has to leave; NULL in the hardware.
    uint64_t (*worth)(const void *context, const gmmu_range *r);
    const void *context;
} gmmu_range_dir;

// RANGES records, at least 2. Not 0: ARENA is too small.
int gmmu_range_dir_init(gmmu_range_dir *d, uint32_t ranges, uint64_t limit, gmmu_arena *arena);
// The record that has byte AT, or NULL. Changes nothing.
const gmmu_range *gmmu_range_dir_at(const gmmu_range_dir *d, uint32_t asid, uint64_t at);
// The most beats of a packet: DOWN and DROP of each record, UP, ANSWER.
static inline uint32_t gmmu_range_dir_most_beats(const gmmu_range_dir *d) {
    return 2 * d->ranges + 2;
}
// RANGE(op): the packet, in BEATS, which has room for the most; how many they are, at least 1.
uint32_t gmmu_range_dir_op(gmmu_range_dir *d, gmmu_range_op op, gmmu_range_beat *beats);

#ifdef __cplusplus
}
#endif
#endif
