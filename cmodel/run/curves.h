// SPDX-License-Identifier: Apache-2.0
// curves.h: miss-ratio curves of policies from one reading of a trace: what `gmmu mrc` and the
// Python package run.
//
//   gmmu_curves (curves_state.h) -> one reading of the trace (curves_read.h) -> curves -> rows
//
// gmmu_curves_begin comes first, then the source is opened.
#ifndef GMMU_RUN_CURVES_H
#define GMMU_RUN_CURVES_H

#include "run/curves_read.h"
#include "run/curves_state.h"

#ifdef __cplusplus
extern "C" {
#endif

// Reads the whole of SOURCE, which was just opened, and computes the rows. False and *err on
// failure.
bool gmmu_curves_run(gmmu_curves *s, gmmu_source *source, gmmu_error *err);
// Frees the result, also after a failure.
void gmmu_curves_free(gmmu_curves *s);

#ifdef __cplusplus
}
#endif
#endif
