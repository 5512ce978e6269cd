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
        const bool may = f.valid && !f.pinned && !f.leaving && !f.fresh;
        rank[i] = gmmu_victim_select_rank(may ? priority : GMMU_STAYS, age);
        all.low |= (uint64_t)(may && rank[i] <= most) << i;
        all.guarded |= f.guarded;
    }
    return all;
}

#ifdef __x86_64__
#include "blocks/frame_lanes.h"

// N is a multiple of 8, but for frames at the end that do not count.
AVX2 static gmmu_ranked rank_eights(const gmmu_rank_at *at, const gmmu_frame_seen *seen, uint32_t n,
                                    uint64_t most, uint64_t *rank) {
    const gmmu_ppuc p = *at->ppuc;
    const __m256i ones = _mm256_set1_epi32(-1);
    const uint64_t least = (uint64_t)GMMU_STAYS << 32;
    const __m256i above = _mm256_set1_epi64x((int64_t)(most < least ? most + 1 : least));
    __m256i flags = _mm256_setzero_si256();
    uint64_t low = 0;
    for (uint32_t i = 0; i < n; i += 8) {
        const gmmu_lanes_seen is = gmmu_lanes_load(&seen[i]);
        const gmmu_lanes l = gmmu_lanes_of(&p, at->time, at->time_mask, is);
        const __m256i youth = _mm256_xor_si256(l.age, ones);
        const __m256i front = _mm256_unpacklo_epi32(youth, l.priority);
        const __m256i back = _mm256_unpackhi_epi32(youth, l.priority);
        _mm256_storeu_si256((__m256i *)&rank[i], front);
        _mm256_storeu_si256((__m256i *)&rank[i + 4], back);
        const int four = _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(above, front)));
        const int next = _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(above, back)));
        low |= (uint64_t)(unsigned)(four | next << 4) << i;
        flags = _mm256_or_si256(flags, is.rest);
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
