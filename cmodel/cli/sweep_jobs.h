// SPDX-License-Identifier: Apache-2.0
// sweep_jobs.h: the jobs of a plan, each with the key of its result.
#ifndef GMMU_CLI_SWEEP_JOBS_H
#define GMMU_CLI_SWEEP_JOBS_H

#include "cli/sweep_request.h"
#include "cli/sweep_trace.h"

// A replay, which may stand in several lines of the plan.
typedef struct {
    char key[GMMU_STORE_KEY];
    const sweep_trace *trace;
    const gmmu_choice *choice;
    uint32_t frames, tier2;  // tier2 0: none
    uint64_t seed;
    bool as_opt;
    double cost;     // seconds of one core, about; by sweep_shards
    unsigned shard;  // from 1; by sweep_shards
    enum { SWEEP_MISSING, SWEEP_DONE, SWEEP_ERROR, SWEEP_LOST } state;  // LOST: not to be had now
} sweep_job;

// A line of the plan, in its order: matrix, trace, configuration, policy, size.
typedef struct {
    const sweep_matrix *matrix;
    const sweep_setting *setting;
    const gmmu_choice *choice;
    const gmmu_size *size;
    const char *name;  // of the trace
    const sweep_trace *trace;
    char *problem;  // why there is no job; NULL: there is one
    size_t job;
} sweep_line;

typedef struct {
    sweep_trace *traces;
    size_t trace_count;
    sweep_line *lines;
    size_t line_count;
    sweep_job *jobs;  // in the order of their first lines
    size_t job_count;
} sweep_jobs;

// Expands PLAN, which must outlive JOBS. IDENTITY: what stands for the program in the keys.
// False and *err: no memory. sweep_jobs_free in any case.
bool sweep_jobs_make(sweep_jobs *jobs, const sweep_plan *plan, unsigned threads, gmmu_store *store,
                     const char *identity, gmmu_error *err);
void sweep_jobs_free(sweep_jobs *jobs);

#endif
