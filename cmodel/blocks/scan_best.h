// SPDX-License-Identifier: Apache-2.0
// scan_best.h: the best candidate of a `scan`, without a look at every frame.
//
// A scan asks every enabled frame. If nothing can happen between the scan and the decision, only
// the best candidate counts. The best candidate is among the oldest frames of each reference and
// bin (frame_ages.h). For each reference the first bin with a frame is enough, in the order of the
// bins' priorities.
#ifndef GMMU_SCAN_BEST_H
#define GMMU_SCAN_BEST_H

#include "blocks/search_round.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GMMU_SCAN_BINS = 128 };  // most BINS

__extension__ typedef unsigned __int128 gmmu_bin_places;  // a bit a place in the order of the bins

// The bins of a row by their priorities; of equal priorities the older bin first.
typedef struct {
    gmmu_bin_places below[GMMU_SCAN_BINS + 1];  // for each bin: the places of the bins below
    uint8_t bin[GMMU_SCAN_BINS];
    uint32_t installs;  // number of the INSTALL for which the bins are in order
} gmmu_scan_row;

typedef struct {
    gmmu_scan_row *row;  // NULL: there are too many bins
    uint64_t looks;      // frames looked at by refused rounds, since frames took their places
} gmmu_scan_best;

// Makes S for the sizes CFG. Not 0: ARENA is too small.
int gmmu_scan_best_init(gmmu_scan_best *s, const gmmu_config *cfg, gmmu_arena *arena);
// A round of U's scan; only the place of the best candidate is filled. False, and nothing is done:
// the search is no scan, by force or under way, frames are protected, or so many frames changed
// that a look at all of them is quicker.
bool gmmu_scan_best_round(gmmu_scan_best *s, const gmmu_searched *u);

#ifdef __cplusplus
}
#endif
#endif
