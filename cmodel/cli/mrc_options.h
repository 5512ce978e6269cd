// SPDX-License-Identifier: Apache-2.0
// mrc_options.h: what the files of `gmmu mrc` share.
#ifndef GMMU_CLI_MRC_OPTIONS_H
#define GMMU_CLI_MRC_OPTIONS_H

#include "cli/arguments.h"
#include "run/curves.h"

typedef struct {
    shared_arguments a;  // without sizes: POINTS of them
    uint64_t points;     // 0: every size
    bool log, points_given;
    double rate;    // of a sample; 0: none of a fixed rate
    uint64_t most;  // pages of a sample; 0: none of a fixed size
    bool check;
} mrc_options;

// Prints the curves S, which took SECONDS.
void mrc_print(const mrc_options *o, const gmmu_curves *s, double seconds);

#endif
