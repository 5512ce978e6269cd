// SPDX-License-Identifier: Apache-2.0
// opt_faults.h: the walks at which Belady's MIN (OPT) faults. With these walks a replay counts how
// many of a policy's evictions OPT makes too.
//
// An eviction takes a page away between two consecutive walks to the page. OPT makes the eviction
// too if there is no next walk, or if OPT, with as many frames, faults at the next walk: OPT's
// memory then has let the page go between the same two walks. A page that left and is walked again
// comes back by exactly one fault. So the number of common evictions is
//     evictions − (faults − cold) + faults, not cold, at whose walk OPT faults.
// All evictions of OPT itself count. The optimum is not unique: a tie rule takes one of equal
// choices.
#ifndef GMMU_POLICY_OPT_FAULTS_H
#define GMMU_POLICY_OPT_FAULTS_H

#include <stdint.h>

#include "gmmu/trace.h"
#include "policy/future.h"

#ifdef __cplusplus
extern "C" {
#endif

// Returns a bit for each walk of FUTURE: bit I % 8 of byte I / 8 is 1 if OPT with FRAMES frames
// faults at walk I. The caller frees the array. NULL and *err on failure.
uint8_t *gmmu_opt_faults(const gmmu_future *future, uint32_t frames, gmmu_error *err);

#ifdef __cplusplus
}
#endif
#endif
