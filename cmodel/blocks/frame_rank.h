// SPDX-License-Identifier: Apache-2.0
// frame_rank.h: ranks of frames that lie side by side, for a search that is made in one go.
//
// The same as gmmu_ppuc_priority_of and gmmu_victim_select_rank, frame by frame; eight at a time
// where the processor has AVX2.
#ifndef GMMU_FRAME_RANK_H
#define GMMU_FRAME_RANK_H

#include "blocks/ppuc.h"
#include "blocks/victim_select.h"

#ifdef __cplusplus
extern "C" {
#endif

// Most frames at once: few, as the rank that others have to beat falls from block to block.
enum { GMMU_RANKS = 16 };

// What all frames of a search have in common.
typedef struct {
    const gmmu_ppuc *ppuc;
    uint32_t time, time_mask;
} gmmu_rank_at;

// Of the frames that were ranked, the first one is bit 0.
typedef struct {
    uint64_t low;  // those that may leave and rank at most as high as asked for
    bool guarded;  // there is a guarded one, of which its rank does not tell
} gmmu_ranked;

// The ranks of the N frames SEEN at a time; a frame that may not leave is above all others. RANK
// has room for a multiple of 8.
gmmu_ranked gmmu_frame_rank(const gmmu_rank_at *at, const gmmu_frame_seen *seen, uint32_t n,
                            uint64_t most, uint64_t *rank);
// The same frame by frame.
gmmu_ranked gmmu_frame_rank_portable(const gmmu_rank_at *at, const gmmu_frame_seen *seen,
                                     uint32_t n, uint64_t most, uint64_t *rank);

#ifdef __cplusplus
}
#endif
#endif
