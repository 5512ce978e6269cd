// SPDX-License-Identifier: Apache-2.0
// sweep_batch.h: some replays of one trace, which is read once for all of them.
#ifndef GMMU_CLI_SWEEP_BATCH_H
#define GMMU_CLI_SWEEP_BATCH_H

#include "cli/sweep_jobs.h"
#include "cli/sweep_watch.h"

typedef struct {
    const sweep_request *o;
    sweep_jobs *jobs;
    gmmu_store *store;
    const char *identity;  // as of sweep_jobs_make
    unsigned threads;
    sweep_watch *watch;
} sweep_run;

// COUNT jobs of one trace. Each gets a state, and its result is put into the store. JOBS is used
// up. False and *err: the store cannot be written.
bool sweep_batch(const sweep_run *r, sweep_job **jobs, size_t count, gmmu_error *err);

#endif
