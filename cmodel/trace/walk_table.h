// SPDX-License-Identifier: Apache-2.0
// walk_table.h: tables whose rows are accesses: their columns, and what comes of a row.
#ifndef GMMU_TRACE_WALK_TABLE_H
#define GMMU_TRACE_WALK_TABLE_H

#include "trace/table.h"

// The columns, by our own names and by those that other tools use.
extern const gmmu_column gmmu_walk_columns[];
// As gmmu_table_kind's row.
bool gmmu_walk_row(gmmu_reader *r, const char *const *value, refusal *no);

#endif
