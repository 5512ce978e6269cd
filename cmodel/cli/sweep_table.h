// SPDX-License-Identifier: Apache-2.0
// sweep_table.h: what `gmmu sweep` prints: the jobs, or their results.
#ifndef GMMU_CLI_SWEEP_TABLE_H
#define GMMU_CLI_SWEEP_TABLE_H

#include "cli/sweep_jobs.h"

// How many lines of the request's shard there are in which state.
typedef struct {
    size_t all, done, failed, missing;
} sweep_tally;

// Looks for the results of all jobs of the request's shard; says what is corrupt.
sweep_tally sweep_look(const sweep_request *o, sweep_jobs *jobs, const gmmu_store *store);
// Prints a row a line: key, state, cost. After sweep_look, as the next.
void sweep_print_list(const sweep_request *o, const sweep_jobs *jobs, const gmmu_store *store);
// Prints the results in the order of the plan. False and *err: a result is gone.
bool sweep_print_results(const sweep_request *o, const sweep_jobs *jobs, const sweep_plan *plan,
                         const gmmu_store *store, gmmu_error *err);

#endif
