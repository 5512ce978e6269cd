// SPDX-License-Identifier: Apache-2.0
// replay_request.h: what the command line of `gmmu replay` asks for.
#ifndef GMMU_CLI_REPLAY_REQUEST_H
#define GMMU_CLI_REPLAY_REQUEST_H

#include "cli/arguments.h"

typedef struct {
    shared_arguments a;
    const char **traces;
    size_t trace_count;
    const char *output;  // NULL: standard output
    bool no_header;
    bool ratios;
    bool notes;
    bool ideal;   // --hpe-ideal
    bool as_opt;  // --as-opt
    bool tiers;   // --tier2
    gmmu_size tier2;
    uint64_t seed;
    uint64_t distinct;  // --distinct; 0: the trace is read twice for a percentage
} replay_request;

#endif
