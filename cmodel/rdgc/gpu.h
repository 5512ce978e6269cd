// SPDX-License-Identifier: Apache-2.0
// gpu.h: descriptions of GPUs: text files with the parameters of the cache model and of the TLBs
// (docs/guide/rdgc.md, "GPU descriptions"). The descriptions of config/gpus are compiled in, and
// are found by name.
#ifndef GMMU_RDGC_GPU_H
#define GMMU_RDGC_GPU_H

#include <stdio.h>

#include "rdgc/config.h"
#include "rdgc/gpu_files.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GMMU_GPU_NAME 64     // bytes of a name, with the final zero
#define GMMU_GPU_PAGES 3     // number of page sizes of a GPU, at most
#define GMMU_GPU_TEXT 65536  // bytes of a description, at most

typedef struct {
    char name[GMMU_GPU_NAME];
    gmmu_rdgc_config rdgc;
    // Entries of the TLBs (HPE, Table I); 0: no TLB.
    uint32_t l1_tlb;  // of an SM, fully associative
    uint32_t l2_tlb;  // shared
    uint32_t l2_tlb_ways;
    uint32_t page_shift[GMMU_GPU_PAGES];  // log2 of the page sizes; the first is the usual one
    uint32_t page_sizes;                  // their number
} gmmu_gpu;

// Returns RDGC's baseline with HPE's TLBs: the values that a description does not state.
gmmu_gpu gmmu_gpu_defaults(void);
// Reads the description TEXT; messages call it NAME. GMMU_OK, or GMMU_BAD and *err (file, line,
// found, expected).
int gmmu_gpu_parse(gmmu_gpu *g, const char *text, const char *name, gmmu_error *err);
// Reads the description from IN.
int gmmu_gpu_read(gmmu_gpu *g, FILE *in, const char *name, gmmu_error *err);
// Finds a compiled-in description by its name, or reads a file by its path.
int gmmu_gpu_find(gmmu_gpu *g, const char *name_or_path, gmmu_error *err);
// Sets one key, as a line of a description does.
int gmmu_gpu_set(gmmu_gpu *g, const char *key, const char *value, gmmu_error *err);
// Checks the description. GMMU_OK: all values agree, as in each description that was read.
int gmmu_gpu_check(const gmmu_gpu *g, gmmu_error *err);
// Return the name of key number I (NULL behind the last key), and the value of the key in the form
// of gmmu_gpu_set.
const char *gmmu_gpu_key(size_t i);
void gmmu_gpu_get(const gmmu_gpu *g, size_t i, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
