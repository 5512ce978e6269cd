// SPDX-License-Identifier: Apache-2.0
// gpu_files.h: the descriptions of config/gpus, compiled in.
#ifndef GMMU_RDGC_GPU_FILES_H
#define GMMU_RDGC_GPU_FILES_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *name, *text;
} gmmu_gpu_file;

// Ended by one whose name is NULL. Generated.
extern const gmmu_gpu_file gmmu_gpu_files[];

#ifdef __cplusplus
}
#endif
#endif
