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

// The descriptions, generated; the last entry has the name NULL.
extern const gmmu_gpu_file gmmu_gpu_files[];

#ifdef __cplusplus
}
#endif
#endif
