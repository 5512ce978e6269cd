// SPDX-License-Identifier: Apache-2.0
// play.h: plays walks to a unit behind a link, as the unit's walker and driver, on the standard
// schedule (docs/guide/schedule.md). Each decision of the unit is compared with the C model's.
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
    uint64_t decisions;   // number of decisions that came and equal the model's
    uint64_t mismatches;  // 0 or 1. 1: WHERE describes the mismatch, and no more walks are played
    char where[400];
} gmmu_board_score;

// Reads the sizes and the version of the unit behind L. False and *err: there is no unit.
bool gmmu_board_play_config(gmmu_link *l, gmmu_config *cfg, uint32_t *version, gmmu_error *err);

// Begins a play to the unit with sizes CFG behind L. The unit is reset and gets REGS, without tiers
// and batches of records. NULL and *err: no memory, the link failed, or the model cannot play CFG
// and REGS.
gmmu_board_play *gmmu_board_play_create(gmmu_link *l, const gmmu_config *cfg, const gmmu_regs *regs,
                                        gmmu_error *err);
void gmmu_board_play_free(gmmu_board_play *p);

// Plays the next walk. Walks are sent when a packet is full. False and *err: the link failed, the
// walk is beyond the unit's sizes, or a mismatch was found (see the score).
bool gmmu_board_play_walk(gmmu_board_play *p, const gmmu_walk *w, gmmu_error *err);
// Sends the walks that are left, and compares the counters.
bool gmmu_board_play_end(gmmu_board_play *p, gmmu_error *err);
gmmu_board_score gmmu_board_play_score(const gmmu_board_play *p);

#ifdef __cplusplus
}
#endif
#endif
