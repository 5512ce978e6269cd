// SPDX-License-Identifier: Apache-2.0
// kernels.c: the kernels that `gmmu record` knows.
#include "simt/kernels/kernels.h"

#include <string.h>

#define ENTRY(name) &gmmu_simt_##name,
const gmmu_simt_kernel *const gmmu_simt_kernels[] = {GMMU_SIMT_KERNELS(ENTRY) NULL};

const gmmu_simt_kernel *gmmu_simt_find(const char *name) {
    for (unsigned i = 0; gmmu_simt_kernels[i] != NULL; i++)
        if (strcmp(gmmu_simt_kernels[i]->name, name) == 0)
            return gmmu_simt_kernels[i];
    return NULL;
}
