// SPDX-License-Identifier: Apache-2.0
// log_bin.h: log-spaced bins of intervals, four an octave (docs/reference/formats.md, "Bins";
// rtl/lib/gmmu_log_bin.v).
#ifndef GMMU_LOG_BIN_H
#define GMMU_LOG_BIN_H

#include <stdint.h>

// The bin, 0 to BINS - 1, of interval X (walks); the last of BINS bins, at least 1, also takes all
// larger X.
static inline unsigned gmmu_bin(uint64_t x, unsigned bins) {
    unsigned b = (unsigned)x;
    if (x >= 8) {
        const unsigned octave = 63u - (unsigned)__builtin_clzll(x);
        b = 8 + 4 * (octave - 3) + (unsigned)((x >> (octave - 2)) & 3);
    }
    return b < bins ? b : bins - 1;
}

// The same of a short interval, without looking for the highest bit: a floating-point number has
// the octave and what follows it side by side.
static inline unsigned gmmu_bin_short(uint32_t x, unsigned bins) {
    const union {
        double value;
        uint64_t bits;
    } as = {.value = (double)x};
    const unsigned log = (unsigned)(as.bits >> 50) - ((1023 + 3) << 2) + 8;
    const unsigned b = x < 8 ? x : log;
    return b < bins ? b : bins - 1;
}

// Smallest interval (walks) of bin B, 0 to 251; 0 of bin 252, which begins behind all 64-bit
// intervals.
static inline uint64_t gmmu_bin_low(unsigned b) {
    return b < 8 ? b : (uint64_t)(4 + (b & 3)) << ((b - 8) / 4 + 1);
}

// Largest interval (walks) of bin B, 0 to 251: its support point.
static inline uint64_t gmmu_bin_edge(unsigned b) {
    return gmmu_bin_low(b + 1) - 1;
}

#endif
