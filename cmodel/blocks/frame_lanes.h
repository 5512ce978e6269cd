// SPDX-License-Identifier: Apache-2.0
// frame_lanes.h: priorities and ages of eight frames side by side, with AVX2.
#ifndef GMMU_FRAME_LANES_H
#define GMMU_FRAME_LANES_H

#include <immintrin.h>

#include "blocks/frame_table.h"
#include "blocks/ppuc.h"
#include "blocks/victim_select.h"

#define AVX2 __attribute__((target("avx2")))
#define LANES AVX2 static inline __attribute__((always_inline))

// gmmu_bin_short of eight intervals: the exponent and the top of the mantissa of a float are the
// octave and the next bits. Bits so far below the highest bit that the float would be rounded are
// cleared before.
LANES __m256i gmmu_lanes_bins(__m256i x, unsigned bins) {
    x = _mm256_min_epu32(x, _mm256_set1_epi32(INT32_MAX));
    const __m256i top = _mm256_andnot_si256(_mm256_srli_epi32(x, 8), x);
    const __m256i bits = _mm256_castps_si256(_mm256_cvtepi32_ps(top));
    const __m256i log =
        _mm256_sub_epi32(_mm256_srli_epi32(bits, 21), _mm256_set1_epi32(((127 + 3) << 2) - 8));
    const __m256i small = _mm256_cmpgt_epi32(_mm256_set1_epi32(8), x);
    return _mm256_min_epu32(_mm256_blendv_epi8(log, x, small), _mm256_set1_epi32((int)bins - 1));
}

// The first elements of the rows that serve frames of classes CLS. Neighbouring frames are mostly
// of one class.
LANES __m256i gmmu_lanes_rows(const gmmu_ppuc *p, __m256i cls) {
    const uint32_t first = (uint32_t)_mm256_cvtsi256_si32(cls);
    if (_mm256_movemask_epi8(_mm256_cmpeq_epi32(cls, _mm256_set1_epi32((int)first))) == -1) {
        const uint32_t row = first >> 16, gen = first & 0xFFFF;
        return _mm256_set1_epi32(p->ready[row] == gen + 1 ? (int)(row * p->bins) : 0);
    }
    const __m256i row = _mm256_srli_epi32(cls, 16);
    const __m256i gen = _mm256_and_si256(cls, _mm256_set1_epi32(0xFFFF));
    const __m256i ready = _mm256_i32gather_epi32((const int *)p->ready, row, 4);
    const __m256i its = _mm256_cmpeq_epi32(ready, _mm256_add_epi32(gen, _mm256_set1_epi32(1)));
    return _mm256_and_si256(its, _mm256_mullo_epi32(row, _mm256_set1_epi32((int)p->bins)));
}

enum { FRESH = 1 << 15 };  // `fresh` in the other half of a gmmu_frame_seen

// Eight frames: `last` and the other half of each gmmu_frame_seen; priorities and ages.
typedef struct {
    __m256i last, rest;
} gmmu_lanes_seen;
typedef struct {
    __m256i priority, age;  // priority GMMU_STAYS: the page may not leave
} gmmu_lanes;

// The halves of the four frames A and the four frames B, in the order 0 1 4 5 2 3 6 7.
LANES gmmu_lanes_seen gmmu_lanes_apart(__m256i a, __m256i b) {
    const __m256 front = _mm256_castsi256_ps(a), back = _mm256_castsi256_ps(b);
    return (gmmu_lanes_seen){_mm256_castps_si256(_mm256_shuffle_ps(front, back, 0x88)),
                             _mm256_castps_si256(_mm256_shuffle_ps(front, back, 0xDD))};
}
// The halves of the eight frames from SEEN on, which may lie anywhere, in the order of
// gmmu_lanes_apart.
LANES gmmu_lanes_seen gmmu_lanes_load(const gmmu_frame_seen *seen) {
    return gmmu_lanes_apart(_mm256_loadu_si256((const __m256i *)&seen[0]),
                            _mm256_loadu_si256((const __m256i *)&seen[4]));
}

// Priorities, by gmmu_ppuc_priority_of, and ages, in walks modulo TIME_MASK + 1, of the eight
// frames SEEN at time NOW, in the same order. `guarded` changes nothing.
LANES gmmu_lanes gmmu_lanes_of(const gmmu_ppuc *p, uint32_t now, uint32_t time_mask,
                               gmmu_lanes_seen seen) {
    const __m256i low16 = _mm256_set1_epi32(0xFFFF), valid = _mm256_set1_epi32(1 << 28);
    // `fresh`, and `valid`, `pinned`, `leaving`; all flags are these and `guarded`
    const __m256i state = _mm256_set1_epi32(7 << 28 | FRESH);
    const __m256i flag_bits = _mm256_set1_epi32(-(1 << 28) | FRESH);
    const __m256i time = _mm256_set1_epi32((int)now);
    const __m256i mask = _mm256_set1_epi32((int)time_mask);
    const __m256i age = _mm256_and_si256(_mm256_sub_epi32(time, seen.last), mask);
    const __m256i base = gmmu_lanes_rows(p, _mm256_andnot_si256(flag_bits, seen.rest));
    // a gather of 32 bits reads two priorities; the first is used
    const __m256i two = _mm256_i32gather_epi32(
        (const int *)p->priority, _mm256_add_epi32(base, gmmu_lanes_bins(age, p->bins)), 2);
    const __m256i may = _mm256_cmpeq_epi32(_mm256_and_si256(seen.rest, state), valid);
    return (gmmu_lanes){
        _mm256_blendv_epi8(_mm256_set1_epi32(GMMU_STAYS), _mm256_and_si256(two, low16), may), age};
}

#endif
