// SPDX-License-Identifier: Apache-2.0
// replay_rows.h: the rows that `gmmu replay` prints, of one trace after the other.
#ifndef GMMU_CLI_REPLAY_ROWS_H
#define GMMU_CLI_REPLAY_ROWS_H

#include "cli/replay_request.h"
#include "cli/replay_row.h"
#include "run/crew.h"

typedef struct {
    const replay_request *o;
    table t;
    bool begun;
    replay_row row;
} replay_rows;

// Prints the rows of RUNS, one for each policy and size, that are not lost. DISTINCT: the pages of
// TRACE.
void replay_rows_print(replay_rows *r, const char *trace, const gmmu_replay_run *runs,
                       uint32_t distinct);
// After the last trace.
void replay_rows_end(replay_rows *r);

#endif
