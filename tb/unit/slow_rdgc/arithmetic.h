// SPDX-License-Identifier: Apache-2.0
// arithmetic.h: arithmetic of docs/guide/rdgc.md.
#ifndef GMMU_TB_SLOW_RDGC_ARITHMETIC_H
#define GMMU_TB_SLOW_RDGC_ARITHMETIC_H

#include <cstdint>

namespace slow_rdgc {

inline uint64_t next_random(uint64_t *s) {
    *s += 0x9E3779B97F4A7C15U;
    uint64_t z = *s;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
}

// floor(u * N / 2^32), u the upper half of the next number
inline uint64_t draw_below(uint64_t *s, uint64_t n) {
    return ((next_random(s) >> 32) * n) >> 32;
}

inline uint64_t quotient_up(uint64_t a, uint64_t b) {
    return (a + b - 1) / b;
}

inline bool is_prime(uint64_t n) {
    for (uint64_t d = 2; d * d <= n; d++) {
        if (n % d == 0) {
            return false;
        }
    }
    return n >= 2;
}

// The largest prime <= S; 1 if S is 1.
inline uint64_t largest_prime(uint64_t s) {
    while (s > 1 && !is_prime(s)) {
        s--;
    }
    return s;
}

// The smallest m with 2^m >= S.
inline uint64_t index_bits(uint64_t s) {
    uint64_t m = 0;
    while ((uint64_t{1} << m) < s) {
        m++;
    }
    return m;
}

}  // namespace slow_rdgc

#endif
