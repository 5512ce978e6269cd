// SPDX-License-Identifier: Apache-2.0
// frame_rank.c: see frame_rank.h.
#include "blocks/frame_rank.h"

gmmu_ranked gmmu_frame_rank_portable(const gmmu_rank_at *at, const gmmu_frame_seen *seen,
                                     uint32_t n, uint64_t most, uint64_t *rank) {
    const gmmu_ppuc ppuc = *at->ppuc;
    const uint32_t time = at->time, mask = at->time_mask;
    gmmu_ranked all = {0};
    for (uint32_t i = 0; i < n; i++) {
        const gmmu_frame_seen f = seen[i];
        const uint32_t age = (time - f.last) & mask;
        const uint32_t priority = gmmu_ppuc_priority_of(&ppuc, (gmmu_class){f.row, f.gen}, age);
        const bool may = f.valid && !f.pinned && !f.leaving;
        rank[i] = gmmu_victim_select_rank(may ? priority : GMMU_STAYS, age);
        all.low |= (uint64_t)(may && rank[i] <= most) << i;
        all.guarded |= f.guarded;
    }
    return all;
}

#ifdef __x86_64__
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))

// gmmu_bin_short: a float has octave and mantissa side by side, too. Bits so far below the highest
// one that the float would round them are cleared before.
AVX2 static inline __m256i bins_of(__m256i x, unsigned bins) {
    x = _mm256_min_epu32(x, _mm256_set1_epi32(INT32_MAX));
    const __m256i top = _mm256_andnot_si256(_mm256_srli_epi32(x, 8), x);
    const __m256i bits = _mm256_castps_si256(_mm256_cvtepi32_ps(top));
    const __m256i log =
        _mm256_sub_epi32(_mm256_srli_epi32(bits, 21), _mm256_set1_epi32(((127 + 3) << 2) - 8));
    const __m256i small = _mm256_cmpgt_epi32(_mm256_set1_epi32(8), x);
    return _mm256_min_epu32(_mm256_blendv_epi8(log, x, small), _mm256_set1_epi32((int)bins - 1));
}

// Where the rows begin that serve frames of classes CLS. Frames side by side are mostly of one.
AVX2 static inline __m256i rows_of(const gmmu_ppuc *p, __m256i cls) {
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

// N is a multiple of 8, but for frames at the end that do not count.
AVX2 static gmmu_ranked rank_eights(const gmmu_rank_at *at, const gmmu_frame_seen *seen, uint32_t n,
                                    uint64_t most, uint64_t *rank) {
    const gmmu_ppuc p = *at->ppuc;
    const __m256i time = _mm256_set1_epi32((int)at->time), low16 = _mm256_set1_epi32(0xFFFF);
    const __m256i mask = _mm256_set1_epi32((int)at->time_mask);
    const __m256i ones = _mm256_set1_epi32(-1), flag_bits = _mm256_set1_epi32(-(1 << 28));
    const __m256i state = _mm256_set1_epi32(7 << 28), valid = _mm256_set1_epi32(1 << 28);
    const __m256i stays = _mm256_set1_epi32(GMMU_STAYS);
    const uint64_t least = (uint64_t)GMMU_STAYS << 32;
    const __m256i above = _mm256_set1_epi64x((int64_t)(most < least ? most + 1 : least));
    __m256i flags = _mm256_setzero_si256();
    uint64_t low = 0;
    for (uint32_t i = 0; i < n; i += 8) {
        const __m256 a = _mm256_loadu_ps((const float *)&seen[i]);
        const __m256 b = _mm256_loadu_ps((const float *)&seen[i + 4]);
        const __m256i last = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0x88));
        const __m256i rest = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0xDD));
        const __m256i age = _mm256_and_si256(_mm256_sub_epi32(time, last), mask);
        const __m256i base = rows_of(&p, _mm256_andnot_si256(flag_bits, rest));
        // two priorities, of which the first one is meant
        const __m256i two = _mm256_i32gather_epi32((const int *)p.priority,
                                                   _mm256_add_epi32(base, bins_of(age, p.bins)), 2);
        const __m256i may = _mm256_cmpeq_epi32(_mm256_and_si256(rest, state), valid);
        const __m256i priority = _mm256_blendv_epi8(stays, _mm256_and_si256(two, low16), may);
        const __m256i youth = _mm256_xor_si256(age, ones);
        const __m256i front = _mm256_unpacklo_epi32(youth, priority);
        const __m256i back = _mm256_unpackhi_epi32(youth, priority);
        _mm256_storeu_si256((__m256i *)&rank[i], front);
        _mm256_storeu_si256((__m256i *)&rank[i + 4], back);
        const int four = _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(above, front)));
        const int next = _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(above, back)));
        low |= (uint64_t)(unsigned)(four | next << 4) << i;
        flags = _mm256_or_si256(flags, rest);
    }
    // the highest bit is `guarded`
    return (gmmu_ranked){low, _mm256_movemask_ps(_mm256_castsi256_ps(flags)) != 0};
}

gmmu_ranked gmmu_frame_rank(const gmmu_rank_at *at, const gmmu_frame_seen *seen, uint32_t n,
                            uint64_t most, uint64_t *rank) {
    const uint32_t eights = __builtin_cpu_supports("avx2") ? n & ~7u : 0;
    gmmu_ranked all = {0};
    if (eights != 0)
        all = rank_eights(at, seen, eights, most, rank);
    if (eights != n) {
        const gmmu_ranked rest =
            gmmu_frame_rank_portable(at, seen + eights, n - eights, most, rank + eights);
        all.low |= rest.low << eights;
        all.guarded |= rest.guarded;
    }
    return all;
}
#else
gmmu_ranked gmmu_frame_rank(const gmmu_rank_at *at, const gmmu_frame_seen *seen, uint32_t n,
                            uint64_t most, uint64_t *rank) {
    return gmmu_frame_rank_portable(at, seen, n, most, rank);
}
#endif
