// SPDX-License-Identifier: Apache-2.0
// leu2_arith.h: arithmetic of policy `leu2`: logarithms, probabilities, random bits
// (docs/reference/leu2.md).
#ifndef GMMU_POLICY_LEU2_ARITH_H
#define GMMU_POLICY_LEU2_ARITH_H

#include <stdint.h>

static inline int gmmu_clamp(int x, int least, int most) {
    return x < least ? least : x > most ? most : x;
}

// Returns log2 of X in 1/2^BITS, linear within an octave. X is at least 1.
static inline unsigned gmmu_log2_of(uint32_t x, unsigned bits) {
    const unsigned octave = 31U - (unsigned)__builtin_clz(x);
    return (octave << bits) + (unsigned)((((uint64_t)x << bits) >> octave) & ((1U << bits) - 1));
}

// Returns the probability of a logit of AT / 16, -127 <= AT <= 127, in 1/255: 255 / (1 + exp(-AT /
// 16)), from a table.
static inline uint8_t gmmu_probability_at(int at) {
    static const uint8_t half[128] = {
        128, 131, 135, 139, 143, 147, 151, 155, 159, 162, 166, 170, 173, 177, 180, 183,  //
        186, 190, 193, 195, 198, 201, 204, 206, 208, 211, 213, 215, 217, 219, 221, 223,  //
        225, 226, 228, 229, 231, 232, 233, 235, 236, 237, 238, 239, 240, 241, 241, 242,  //
        243, 244, 244, 245, 245, 246, 247, 247, 248, 248, 248, 249, 249, 249, 250, 250,  //
        250, 251, 251, 251, 251, 252, 252, 252, 252, 252, 253, 253, 253, 253, 253, 253,  //
        253, 253, 253, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254,  //
        254, 254, 254, 254, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,  //
        255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
    return (uint8_t)(at >= 0 ? half[at] : 255 - half[-at]);
}

// Returns LFSR after 32 steps of the Galois LFSR.
static inline uint32_t gmmu_lfsr_steps(uint32_t lfsr) {
    for (unsigned i = 0; i < 32; i++) {
        lfsr = (lfsr >> 1) ^ ((lfsr & 1) != 0 ? 0x80200003U : 0);
    }
    return lfsr;
}

#endif
