// SPDX-License-Identifier: Apache-2.0
// octave_bin.h: log-spaced bins of intervals, 2^S an octave. The unit has S = 2 (blocks/log_bin.h);
// policies and studies have other S.
#ifndef GMMU_OCTAVE_BIN_H
#define GMMU_OCTAVE_BIN_H

#include <stdint.h>

// Returns the bin of interval X. The last of BINS bins takes all larger X, too.
static inline unsigned gmmu_bin_of(uint64_t x, unsigned bins, unsigned s) {
    uint64_t b = x;
    if (x >> (s + 1) != 0) {
        const unsigned octave = 63u - (unsigned)__builtin_clzll(x);
        b = ((uint64_t)(octave - s) << s) + (x >> (octave - s));
    }
    return b < bins ? (unsigned)b : bins - 1;
}

// Returns the smallest interval of bin B.
static inline uint64_t gmmu_bin_low_of(unsigned b, unsigned s) {
    const unsigned octave = b >> s;  // 0 and 1: single intervals
    return octave < 2 ? b : (uint64_t)((1u << s) + (b & ((1u << s) - 1))) << (octave - 1);
}

#endif
