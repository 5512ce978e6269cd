// SPDX-License-Identifier: Apache-2.0
// explain_hints.h: what the driver said before a walk, for `gmmu explain`.
#ifndef GMMU_CLI_EXPLAIN_HINTS_H
#define GMMU_CLI_EXPLAIN_HINTS_H

#include <jansson.h>

#include "cli/source_options.h"
#include "policy/replay.h"

// Hands the hints before the walk that SOURCE gave last to SIM. *COUNT: how many; they are valid
// until its next walk.
const gmmu_hint *explain_give_hints(const gmmu_source *source, gmmu_sim *sim, size_t *count);
// A line each, of more than MOST only the last ones.
void explain_print_hints(const gmmu_hint *hints, size_t count, size_t most);
json_t *explain_json_hints(const gmmu_hint *hints, size_t count);

#endif
