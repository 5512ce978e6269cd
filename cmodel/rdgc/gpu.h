// SPDX-License-Identifier: Apache-2.0
// gpu.h: descriptions of GPUs: the parameters of the cache model and the TLBs, in a text file
// (docs/guide/rdgc.md, "GPU descriptions"). Those of config/gpus are compiled in and go by their
// names.
#ifndef GMMU_RDGC_GPU_H
#define GMMU_RDGC_GPU_H

#include <stdio.h>

#include "rdgc/config.h"
#include "rdgc/gpu_files.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GMMU_GPU_NAME 64     // bytes of a name, its end included
#define GMMU_GPU_PAGES 3     // page sizes of a GPU
#define GMMU_GPU_TEXT 65536  // bytes of a description

typedef struct {
    char name[GMMU_GPU_NAME];
    gmmu_rdgc_config rdgc;
    // TLBs (HPE, Table I), in entries; 0: none
    uint32_t l1_tlb;  // of an SM, fully associative
    uint32_t l2_tlb;  // shared
    uint32_t l2_tlb_ways;
    uint32_t page_shift[GMMU_GPU_PAGES];  // log2 of the page sizes; the first is the usual one
    uint32_t page_sizes;                  // their number
} gmmu_gpu;

// The paper's baseline, HPE's TLBs: what a description does not state.
gmmu_gpu gmmu_gpu_defaults(void);
// The description TEXT, called NAME in messages. GMMU_OK, or GMMU_BAD and *err: file, line, found,
// expected.
int gmmu_gpu_parse(gmmu_gpu *g, const char *text, const char *name, gmmu_error *err);
// That of IN.
int gmmu_gpu_read(gmmu_gpu *g, FILE *in, const char *name, gmmu_error *err);
// A compiled-in one by its name, or a file by its path.
int gmmu_gpu_find(gmmu_gpu *g, const char *name_or_path, gmmu_error *err);
// Sets one key, as a line of a description does.
int gmmu_gpu_set(gmmu_gpu *g, const char *key, const char *value, gmmu_error *err);
// GMMU_OK when all agrees; a description that was read does.
int gmmu_gpu_check(const gmmu_gpu *g, gmmu_error *err);
// The name of key number I, NULL past the last; and its value as gmmu_gpu_set takes it.
const char *gmmu_gpu_key(size_t i);
void gmmu_gpu_get(const gmmu_gpu *g, size_t i, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
