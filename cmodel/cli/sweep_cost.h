// SPDX-License-Identifier: Apache-2.0
// sweep_cost.h: about how long a job takes, and which shard it belongs to. Both depend on the plan
// and the traces alone, so that all machines agree.
#ifndef GMMU_CLI_SWEEP_COST_H
#define GMMU_CLI_SWEEP_COST_H

#include "cli/sweep_jobs.h"

// Seconds of one core to read a trace for a batch of jobs.
double sweep_read_cost(const sweep_trace *t);
// Gives each job its cost and its shard of SHARDS. False and *err: no memory.
bool sweep_shards(sweep_jobs *jobs, unsigned shards, gmmu_error *err);

#endif
