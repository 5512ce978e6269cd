// SPDX-License-Identifier: Apache-2.0
// pool.h: threads that share out tasks. Whatever a task does must depend on its own number alone:
// then the number of threads changes no result.
#ifndef GMMU_POOL_POOL_H
#define GMMU_POOL_POOL_H

#include <stddef.h>

typedef struct gmmu_pool gmmu_pool;

// THREADS threads, the caller's included, or as many as can be had. NULL: the caller's alone.
gmmu_pool *gmmu_pool_create(unsigned threads);
// How many there are, at least 1.
unsigned gmmu_pool_threads(const gmmu_pool *p);
// Calls TASK(context, i) once for each i below COUNT; all have ended when it returns.
void gmmu_pool_run(gmmu_pool *p, void (*task)(void *context, size_t i), void *context,
                   size_t count);
void gmmu_pool_destroy(gmmu_pool *p);

#endif
