// SPDX-License-Identifier: Apache-2.0
// draw.h: random numbers of the policies that choose by chance (SplitMix64; Steele, Lea, Flood,
// OOPSLA '14).
#ifndef GMMU_POLICY_DRAW_H
#define GMMU_POLICY_DRAW_H

#include <stdint.h>

__extension__ typedef unsigned __int128 gmmu_u128;

// Returns a number below BELOW (at least 1) from *SEED, and moves *SEED on.
static inline uint64_t gmmu_draw(uint64_t *seed, uint64_t below) {
    *seed += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *seed;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (uint64_t)(((gmmu_u128)(z ^ (z >> 31)) * below) >> 64);
}

#endif
