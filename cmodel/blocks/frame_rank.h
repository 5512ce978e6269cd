// SPDX-License-Identifier: Apache-2.0
// frame_rank.h: ranks of neighbouring frames, for a search that is made in one go.
//
// The ranks are those of gmmu_ppuc_priority_of and gmmu_victim_select_rank, frame by frame. A
// processor with AVX2 computes eight ranks at a time.
#ifndef GMMU_FRAME_RANK_H
#define GMMU_FRAME_RANK_H

#include "blocks/ppuc.h"
#include "blocks/victim_select.h"

#ifdef __cplusplus
extern "C" {
#endif

// Most frames at once: few, because the rank that other frames have to beat falls from block to
// block.
enum { GMMU_RANKS = 16 };

// The inputs that all frames of a search share.
typedef struct {
    const gmmu_ppuc *ppuc;
    uint32_t time, time_mask;
} gmmu_rank_at;

// The result for the ranked frames; bit 0 is the first frame.
typedef struct {
    uint64_t low;  // frames that may leave and whose rank is at most MOST
    bool guarded;  // a frame is guarded; the ranks do not show which
} gmmu_ranked;

// The ranks of the N frames SEEN; a frame that may not leave ranks above all others. RANK has room
// for a multiple of 8 ranks.
gmmu_ranked gmmu_frame_rank(const gmmu_rank_at *at, const gmmu_frame_seen *seen, uint32_t n,
                            uint64_t most, uint64_t *rank);
// gmmu_frame_rank without AVX2, frame by frame.
gmmu_ranked gmmu_frame_rank_portable(const gmmu_rank_at *at, const gmmu_frame_seen *seen,
                                     uint32_t n, uint64_t most, uint64_t *rank);

#ifdef __cplusplus
}
#endif
#endif
