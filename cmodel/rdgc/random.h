// SPDX-License-Identifier: Apache-2.0
// random.h: the random numbers of a model (docs/guide/rdgc.md): splitmix64.
#ifndef GMMU_RDGC_RANDOM_H
#define GMMU_RDGC_RANDOM_H

#include <stdint.h>

// Returns a number below BELOW: the upper half of the next number of *STATE, times BELOW, without
// its lower half.
static inline uint32_t gmmu_rdgc_random(uint64_t *state, uint32_t below) {
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)(((z ^ (z >> 31)) >> 32) * below >> 32);
}

#endif
