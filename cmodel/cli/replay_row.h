// SPDX-License-Identifier: Apache-2.0
// replay_row.h: the row of one policy at one memory size, as `gmmu replay` and `gmmu sweep` print
// it.
#ifndef GMMU_CLI_REPLAY_ROW_H
#define GMMU_CLI_REPLAY_ROW_H

#include "cli/table.h"
#include "policy/counts.h"

enum { REPLAY_COLUMNS = 26 };

// What a replay has counted.
typedef struct {
    const char *label;          // of the policy
    uint32_t frames, distinct;  // pages of memory, and of the trace
    gmmu_counts counts;
    gmmu_tier_counts tiers;
    uint64_t as_opt;
} replay_result;

// What all rows of a table have.
typedef struct {
    bool configured, tiers, as_opt, ratios, to_opt, notes;
} replay_shape;

// What a row has beside its result. NULL: the cell is empty, or so is the column.
typedef struct {
    const char *trace, *configuration, *size, *note;
    bool tiers, as_opt;        // the result has these counts
    const replay_result *opt;  // OPT's at the same size
} replay_beside;

typedef struct {
    table_column columns[REPLAY_COLUMNS];
    table_value values[REPLAY_COLUMNS];
    size_t count;
} replay_row;

// Trace, policy, frames, then the counts, with the distinct pages behind the accesses, and what
// SHAPE adds.
void replay_row_fill(replay_row *r, const replay_shape *shape, const replay_result *result,
                     const replay_beside *beside);

#endif
