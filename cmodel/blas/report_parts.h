// SPDX-License-Identifier: Apache-2.0
// report_parts.h: what the report says, before it is text or JSON.
#ifndef GMMU_BLAS_REPORT_PARTS_H
#define GMMU_BLAS_REPORT_PARTS_H

#include "blas/report.h"

// The lower bound is the lower of the two, in bytes and in time.
typedef struct {
    gmmu_sem_row least, most;
} gmmu_blas_bounds;

// A row of the table: a site, or all. STATS: NULL of all, and of calls below the minimum alone.
typedef struct {
    const char *routine, *name, *shown;
    uint32_t number;
    uint64_t calls, below, flops, ns, bytes;
    double naive_ns;
    gmmu_blas_bounds is;
    gmmu_blas_stats *stats;
} gmmu_blas_row;

// Returns the rows of the sites that have calls, what could be gained most first, and *all; to be
// freed. NULL: no memory.
gmmu_blas_row *gmmu_blas_rows(const gmmu_blas_report *r, uint32_t *n, gmmu_blas_row *all);

// A way to offload, and what it saves.
typedef struct {
    const char *protocol;
    uint64_t minimum;
    double ns;
} gmmu_blas_way;

void gmmu_blas_ways(const gmmu_blas_report *r, gmmu_blas_way *least, gmmu_blas_way *most);

// A protocol's sums; BOUND is "", "least" or "most".
typedef struct {
    const char *name, *bound;
    gmmu_sem_row row;
} gmmu_blas_protocol;
enum { GMMU_BLAS_PROTOCOLS = 8 };
unsigned gmmu_blas_protocols(const gmmu_blas_report *r,
                             gmmu_blas_protocol all[GMMU_BLAS_PROTOCOLS]);

// The report as one line of JSON.
void gmmu_blas_report_json(FILE *to, const gmmu_blas_report *r);

// The name of the CPU's site of this NUMBER.
const char *gmmu_blas_side_name(const gmmu_blas_report *r, uint32_t number);

#endif
