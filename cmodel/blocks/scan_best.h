// SPDX-License-Identifier: Apache-2.0
// scan_best.h: the best candidate of a `scan`, without a look at every frame.
//
// A scan asks every enabled frame. Where nothing can happen between it and the decision, its best
// candidate alone counts; it is among the oldest frames of each reference and bin (frame_ages.h),
// and of each reference in the first bin that has a frame, its bins taken by their priorities.
#ifndef GMMU_SCAN_BEST_H
#define GMMU_SCAN_BEST_H

#include "blocks/search_round.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GMMU_SCAN_BINS = 128 };  // most BINS

__extension__ typedef unsigned __int128 gmmu_bin_places;  // a bit each

// The bins of a row by their priorities, of equal ones the older first.
typedef struct {
    gmmu_bin_places below[GMMU_SCAN_BINS + 1];  // of each bin: the places of those below it
    uint8_t bin[GMMU_SCAN_BINS];
    uint32_t installs;  // after which they were put in order
} gmmu_scan_row;

typedef struct {
    gmmu_scan_row *row;  // NULL: there are too many bins
    uint64_t looks;      // at frames, by rounds that were refused since frames took their places
} gmmu_scan_best;

int gmmu_scan_best_init(gmmu_scan_best *s, const gmmu_config *cfg, gmmu_arena *arena);
// A round of U's scan, of which the slots but the best candidate's stay empty. False, and nothing
// is done: it is no scan, or one that is under way, frames are protected, or so many were changed
// that a look at all of them is quicker.
bool gmmu_scan_best_round(gmmu_scan_best *s, const gmmu_searched *u);

#ifdef __cplusplus
}
#endif
#endif
