// SPDX-License-Identifier: Apache-2.0
// sweep_request.h: what the command line of `gmmu sweep` and the plan ask for.
#ifndef GMMU_CLI_SWEEP_REQUEST_H
#define GMMU_CLI_SWEEP_REQUEST_H

#include "cli/arguments.h"

// A configuration: how replays are set.
typedef struct {
    char *name;  // of the column `configuration`; NULL: it has none
    char *unit;  // the unit's configuration, for policies that have the option `config`; NULL: none
    gmmu_source_form from;  // how traces are read
    gmmu_size tier2;
    bool tiers;  // tier2 is given
    bool as_opt;
    uint64_t seed;
} sweep_setting;

// A matrix of jobs: each trace in each configuration with each policy at each size.
typedef struct {
    char **traces;  // as named in tables
    char **paths;   // as opened
    size_t trace_count;
    sweep_setting *settings;
    size_t setting_count;
    gmmu_choice *policies;  // configuration by configuration, of each all policies
    size_t policy_count;    // of all configurations together
    gmmu_size *sizes;
    size_t size_count;
} sweep_matrix;

typedef struct {
    sweep_matrix *matrices;
    size_t count;
} sweep_plan;

typedef enum { SWEEP_RUN, SWEEP_LIST, SWEEP_COLLECT } sweep_action;

typedef struct {
    shared_arguments a;
    const char *plan;  // a file; NULL: the command line is the plan
    const char **traces;
    size_t trace_count;
    const char *configurations;  // a list of the unit's; NULL: none
    sweep_setting base;          // what configurations are without a word of their own
    const char *store, *output, *program;
    sweep_action action;
    uint64_t shard, shards;  // from 1; 1 of 1: all
    uint64_t lease;          // seconds
    bool ratios, notes, partial, retry, no_header;
} sweep_request;

#endif
