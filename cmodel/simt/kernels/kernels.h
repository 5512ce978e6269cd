// SPDX-License-Identifier: Apache-2.0
// kernels.h: the kernels that `gmmu record` knows.
#ifndef GMMU_SIMT_KERNELS_H
#define GMMU_SIMT_KERNELS_H

#include "simt/simt.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const gmmu_simt_kernel gmmu_simt_atax;
extern const gmmu_simt_kernel gmmu_simt_bfs;

// All of them, ended by NULL.
extern const gmmu_simt_kernel *const gmmu_simt_kernels[];
// The kernel called NAME, or NULL.
const gmmu_simt_kernel *gmmu_simt_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif
