// SPDX-License-Identifier: Apache-2.0
// offload.h: newmark's library of linear algebra: BLAS and LAPACK on the CPU, or on a GPU behind
// SemCache's runtime, in shadow execution: GPU memory is a second heap, in which the kernels run,
// transfers copy real bytes, and what the GPU has newer is unreadable (NaN) in the CPU's memory.
//
// Results are the same bits either way, if BLAS has one thread. A call is recorded as a .sem trace.
#ifndef NEWMARK_OFFLOAD_H
#define NEWMARK_OFFLOAD_H

#include <stdio.h>

#include "newmark/newmark.h"
#include "semcache/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    bool gpu;                 // false: on the CPU, without a runtime
    bool dry;                 // nothing is computed or copied: the calls, the transfers, the trace
    bool columns;             // kernels want matrices by columns: they are transposed, and kept so
    gmmu_sem_config runtime;  // pages are not supported
    FILE *trace;              // NULL: none; its errors are the caller's to look for
} offload_config;

typedef struct {
    uint64_t gemm, gesv, xpy, copy;  // calls
    uint64_t factorised, transposed;
    uint64_t reads, writes;  // what the CPU says that it accesses
    gmmu_sem_counts sem;
} offload_counts;

typedef struct offload offload;

// NULL: no memory.
offload *offload_create(const offload_config *config);
void offload_destroy(offload *o);
newmark_library offload_library(offload *o);
offload_counts offload_counted(const offload *o);
// False: memory ran out, and what came of it is wrong.
bool offload_good(const offload *o);

#ifdef __cplusplus
}
#endif
#endif
