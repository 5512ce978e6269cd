// SPDX-License-Identifier: Apache-2.0
// sweep_run.h: makes the results that the store lacks.
#ifndef GMMU_CLI_SWEEP_RUN_H
#define GMMU_CLI_SWEEP_RUN_H

#include "cli/sweep_batch.h"

// Makes the jobs of the request's shard that are missing, and waits for those that other processes
// make. False and *err: the store cannot be written.
bool sweep_run_all(sweep_run *r, gmmu_error *err);

#endif
