// SPDX-License-Identifier: Apache-2.0
// explain_series.h: `gmmu explain --every N`: the numbers by which a policy decides, over time.
#ifndef GMMU_CLI_EXPLAIN_SERIES_H
#define GMMU_CLI_EXPLAIN_SERIES_H

#include "cli/arguments.h"
#include "cli/source_options.h"
#include "policy/replay.h"

// A fact as a number, and as a value to print.
static inline double fact_number(const gmmu_fact *f) {
    return (double)f->value / f->per;
}
static inline table_value fact_value(const gmmu_fact *f) {
    return f->per == 1 ? value_number(f->value)
                       : (table_value){.kind = VALUE_ABOUT, .real = fact_number(f)};
}

// Replays the trace and prints a row after every EVERY walks, and one at the end. False and *err:
// bad input, or SIM's policy has no such numbers.
bool explain_series(const shared_arguments *a, uint64_t every, gmmu_source *source,
                    gmmu_pages *pages, gmmu_sim *sim, gmmu_error *err);

#endif
