// SPDX-License-Identifier: Apache-2.0
// beat.h: fields of a stream's beat (docs/reference/formats.md), in words of 32 bits, bit 0 first.
#ifndef GMMU_BEAT_H
#define GMMU_BEAT_H

#include "gmmu/config.h"

// Sets field F, of at most 64 bits, to VALUE; bits of VALUE beyond the field do not count. WORDS is
// 0 where F lies, and reaches to the last bit of F.
static inline void gmmu_beat_put(uint32_t *words, gmmu_field f, uint64_t value) {
    for (unsigned i = 0; i < f.width; i++)
        words[(f.offset + i) / 32] |= (uint32_t)(value >> i & 1) << (f.offset + i) % 32;
}

// Returns field F, of at most 64 bits. WORDS reaches to the last bit of F.
static inline uint64_t gmmu_beat_get(const uint32_t *words, gmmu_field f) {
    uint64_t value = 0;
    for (unsigned i = 0; i < f.width; i++)
        value |= (uint64_t)(words[(f.offset + i) / 32] >> (f.offset + i) % 32 & 1) << i;
    return value;
}

#endif
