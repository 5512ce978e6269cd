// SPDX-License-Identifier: Apache-2.0
// logical.h: passes a run of the SIMT front end to RDGC's logical model (rdgc/logical.h).
#ifndef GMMU_SIMT_LOGICAL_H
#define GMMU_SIMT_LOGICAL_H

#include "rdgc/logical.h"
#include "simt/simt.h"

#ifdef __cplusplus
extern "C" {
#endif

// The hooks `grid` and `op` of gmmu_simt_hooks. TRACE is a gmmu_rdgc_trace. GMMU_OK, or GMMU_BAD
// and *err.
int gmmu_simt_logical_grid(void *trace, const gmmu_simt_grid *grid, gmmu_error *err);
int gmmu_simt_logical_op(void *trace, const gmmu_simt_warp *w, unsigned sm, const gmmu_simt_op *op,
                         gmmu_error *err);

#ifdef __cplusplus
}
#endif
#endif
