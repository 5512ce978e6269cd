// SPDX-License-Identifier: Apache-2.0
// renumber.h: numbers pages and address spaces 0, 1, 2… in order of first appearance.
#ifndef GMMU_TRACE_RENUMBER_H
#define GMMU_TRACE_RENUMBER_H

#include <stddef.h>

#include "gmmu/trace.h"

typedef struct gmmu_renumber gmmu_renumber;

// NULL: no memory.
gmmu_renumber *gmmu_renumber_create(void);
// Numbers the page and the address space of COUNT walks. Returns how many it has numbered: fewer
// without memory, or with more than some 3·10^9 pages.
size_t gmmu_renumber_walks(gmmu_renumber *n, gmmu_walk *walks, size_t count);
// Frees N (NULL: nothing).
void gmmu_renumber_free(gmmu_renumber *n);

#endif
