// SPDX-License-Identifier: Apache-2.0
// beat.h: fields of a stream's beat (docs/reference/formats.md), in words of 32 bits, bit 0 first.
#ifndef GMMU_BEAT_H
#define GMMU_BEAT_H

#include "gmmu/config.h"

// WORDS is 0 where F lies.
static inline void gmmu_beat_put(uint32_t *words, gmmu_field f, uint64_t value) {
    for (unsigned i = 0; i < f.width; i++)
        words[(f.offset + i) / 32] |= (uint32_t)(value >> i & 1) << (f.offset + i) % 32;
}

static inline uint64_t gmmu_beat_get(const uint32_t *words, gmmu_field f) {
    uint64_t value = 0;
    for (unsigned i = 0; i < f.width; i++)
        value |= (uint64_t)(words[(f.offset + i) / 32] >> (f.offset + i) % 32 & 1) << i;
    return value;
}

#endif
