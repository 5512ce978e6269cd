// SPDX-License-Identifier: Apache-2.0
// sweep_result.h: the result of a job as the store has it (docs/reference/formats.md, "gmmu sweep's
// store").
#ifndef GMMU_CLI_SWEEP_RESULT_H
#define GMMU_CLI_SWEEP_RESULT_H

#include "cli/replay_row.h"
#include "cli/sweep_jobs.h"
#include "run/crew.h"

// A result that was read; texts belong to its object.
typedef struct {
    json_t *object;
    bool failed;         // a row of kind error
    const char *error;   // why
    const char *added;   // what the size of memory added to the policy, with its ':'
    const char *note;    // of the policy at the end, or NULL
    replay_result row;   // without its label
    bool tiers, as_opt;  // these counts are there
} sweep_result;

// The result of RUN, or, if ERROR is not NULL, that of a job that failed so. The same for all who
// make it.
json_t *sweep_result_make(const sweep_job *job, const char *identity, const gmmu_replay_run *run,
                          const char *error);
// Looks for the result of JOB. CORRUPT: *err. sweep_result_free in any case.
gmmu_store_state sweep_result_get(sweep_result *r, const gmmu_store *store, const char *key,
                                  gmmu_error *err);
void sweep_result_free(sweep_result *r);

#endif
