// SPDX-License-Identifier: Apache-2.0
// play.h: plays walks to a unit behind a link, as its walker and driver, on the standard schedule
// (docs/guide/schedule.md), and compares each of its decisions with the C model's.
#ifndef GMMU_BOARD_PLAY_H
#define GMMU_BOARD_PLAY_H

#include "blocks/schedule.h"
#include "board/link.h"
#include "trace/pages.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gmmu_board_play gmmu_board_play;

typedef struct {
    uint64_t walks, faults, evictions;
    uint64_t decisions;   // that came and were as the model's
    uint64_t mismatches;  // 1: WHERE says which; nothing is played then
    char where[400];
} gmmu_board_score;

// The sizes of the unit behind L, and its version. False and *err: there is none.
bool gmmu_board_play_config(gmmu_link *l, gmmu_config *cfg, uint32_t *version, gmmu_error *err);

// A play to the unit of the sizes CFG behind L, which is reset and gets REGS, without tiers and
// batches of records. NULL and *err: no memory, the link fails, the model cannot play that.
gmmu_board_play *gmmu_board_play_create(gmmu_link *l, const gmmu_config *cfg, const gmmu_regs *regs,
                                        gmmu_error *err);
void gmmu_board_play_free(gmmu_board_play *p);

// The next walk. It goes out when there are enough for a packet. False and *err: the link failed,
// or the walk is beyond the unit's sizes; or a mismatch was found (the score says so).
bool gmmu_board_play_walk(gmmu_board_play *p, const gmmu_walk *w, gmmu_error *err);
// What is left goes out; the counters are compared.
bool gmmu_board_play_end(gmmu_board_play *p, gmmu_error *err);
gmmu_board_score gmmu_board_play_score(const gmmu_board_play *p);

#ifdef __cplusplus
}
#endif
#endif
