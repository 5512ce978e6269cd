// SPDX-License-Identifier: Apache-2.0
// kernels.c: the kernels that `gmmu record` knows.
#include "simt/kernels/kernels.h"

#include <string.h>

const gmmu_simt_kernel *const gmmu_simt_kernels[] = {
    &gmmu_simt_atax,   &gmmu_simt_bfs,     &gmmu_simt_gemm,
    &gmmu_simt_2dconv, &gmmu_simt_hotspot, &gmmu_simt_srad_v2,
    &gmmu_simt_spmv,   &gmmu_simt_kmeans,  NULL};

const gmmu_simt_kernel *gmmu_simt_find(const char *name) {
    for (unsigned i = 0; gmmu_simt_kernels[i] != NULL; i++)
        if (strcmp(gmmu_simt_kernels[i]->name, name) == 0)
            return gmmu_simt_kernels[i];
    return NULL;
}
