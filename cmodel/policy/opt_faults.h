// SPDX-License-Identifier: Apache-2.0
// opt_faults.h: the walks at which Belady's MIN faults: beside them a replay counts which of a
// policy's evictions are OPT's too.
//
// An eviction takes a page away between one walk to it and the next. It is OPT's too if the page is
// not walked again, or if OPT, with as many frames, faults at that next walk: then its memory has
// let the page go between the same two walks. A page that left and is walked again comes back by
// exactly one fault, so the evictions that are OPT's too are
//     evictions − (faults − cold) + faults, not cold, at whose walk OPT faults.
// All of OPT's own are. The optimum is not unique: of equal choices its tie rule takes one.
#ifndef GMMU_POLICY_OPT_FAULTS_H
#define GMMU_POLICY_OPT_FAULTS_H

#include <stdint.h>

#include "gmmu/trace.h"
#include "policy/future.h"

#ifdef __cplusplus
extern "C" {
#endif

// Bit I % 8 of byte I / 8: OPT with FRAMES frames faults at walk I of FUTURE. The caller frees it;
// NULL and *err on failure.
uint8_t *gmmu_opt_faults(const gmmu_future *future, uint32_t frames, gmmu_error *err);

#ifdef __cplusplus
}
#endif
#endif
