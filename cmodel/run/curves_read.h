// SPDX-License-Identifier: Apache-2.0
// curves_read.h: one reading of the trace through the stacks of curves.
#ifndef GMMU_RUN_CURVES_READ_H
#define GMMU_RUN_CURVES_READ_H

#include "run/curves_state.h"

#ifdef __cplusplus
extern "C" {
#endif

// False and *err: what is asked for is impossible. To be called before the source is opened.
bool gmmu_curves_begin(gmmu_curves *s, gmmu_error *err);
// Reads the whole of the source. False and *err on failure.
bool gmmu_curves_read(gmmu_curves *s, gmmu_error *err);

#ifdef __cplusplus
}
#endif
#endif
