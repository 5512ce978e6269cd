// SPDX-License-Identifier: Apache-2.0
// semcache_sum.h: `gmmu semcache --sum`: the reports of several processes, as of MPI's ranks, as
// one.
#ifndef GMMU_CLI_SEMCACHE_SUM_H
#define GMMU_CLI_SEMCACHE_SUM_H

#include "cli/table.h"
#include "gmmu/trace.h"

// Reads the COUNT files of GMMU_JSON and prints their sum: SITES at most (0: all). Returns the exit
// status; of 2 *err says why.
int semcache_sum(const char *const *files, size_t count, size_t sites, output_format format,
                 gmmu_error *err);

#endif
