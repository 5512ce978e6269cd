// SPDX-License-Identifier: Apache-2.0
// kernels.h: the kernels that `gmmu record` knows.
#ifndef GMMU_SIMT_KERNELS_H
#define GMMU_SIMT_KERNELS_H

#include "simt/simt.h"

#ifdef __cplusplus
extern "C" {
#endif

// A file each: KERNEL(name in C); `gmmu record` lists them in this order.
#define GMMU_SIMT_KERNELS(KERNEL) \
    KERNEL(atax)                  \
    KERNEL(bfs)                   \
    KERNEL(gemm)                  \
    KERNEL(2dconv)                \
    KERNEL(hotspot)               \
    KERNEL(srad_v2)               \
    KERNEL(spmv)                  \
    KERNEL(spmv_jds)              \
    KERNEL(kmeans)                \
    KERNEL(3dconv)                \
    KERNEL(2mm)                   \
    KERNEL(atax_reg)              \
    KERNEL(gemm_reg)              \
    KERNEL(bicg)                  \
    KERNEL(mvt)                   \
    KERNEL(gesummv)               \
    KERNEL(syrk)                  \
    KERNEL(syr2k)                 \
    KERNEL(corr)                  \
    KERNEL(covar)                 \
    KERNEL(fdtd2d)                \
    KERNEL(gramschmidt)           \
    KERNEL(stencil)               \
    KERNEL(histo)                 \
    KERNEL(sgemm)                 \
    KERNEL(sad)                   \
    KERNEL(cutcp)                 \
    KERNEL(mriq)                  \
    KERNEL(pagerank)              \
    KERNEL(sssp)                  \
    KERNEL(bfs_frontier)          \
    KERNEL(multivectoradd)        \
    KERNEL(hotspot3d)             \
    KERNEL(pathfinder)            \
    KERNEL(nw)                    \
    KERNEL(backprop)              \
    KERNEL(dwt2d)                 \
    KERNEL(cfd)                   \
    KERNEL(btree)                 \
    KERNEL(hybridsort)            \
    KERNEL(lavamd)                \
    KERNEL(heartwall)             \
    KERNEL(leukocyte)             \
    KERNEL(spmm)

#define GMMU_SIMT_DECLARE(name) extern const gmmu_simt_kernel gmmu_simt_##name;
GMMU_SIMT_KERNELS(GMMU_SIMT_DECLARE)
#undef GMMU_SIMT_DECLARE

// All of them, ended by NULL.
extern const gmmu_simt_kernel *const gmmu_simt_kernels[];
// The kernel called NAME, or NULL.
const gmmu_simt_kernel *gmmu_simt_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif
