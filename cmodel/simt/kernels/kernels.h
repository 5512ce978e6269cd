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
extern const gmmu_simt_kernel gmmu_simt_gemm;
extern const gmmu_simt_kernel gmmu_simt_2dconv;
extern const gmmu_simt_kernel gmmu_simt_hotspot;
extern const gmmu_simt_kernel gmmu_simt_srad_v2;
extern const gmmu_simt_kernel gmmu_simt_spmv;
extern const gmmu_simt_kernel gmmu_simt_kmeans;

// All of them, ended by NULL.
extern const gmmu_simt_kernel *const gmmu_simt_kernels[];
// The kernel called NAME, or NULL.
const gmmu_simt_kernel *gmmu_simt_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif
