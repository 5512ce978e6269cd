// SPDX-License-Identifier: Apache-2.0
// sweep_plan.h: the matrices of a sweep, from the command line or from a file
// (docs/guide/sweeps.md).
#ifndef GMMU_CLI_SWEEP_PLAN_H
#define GMMU_CLI_SWEEP_PLAN_H

#include "cli/sweep_request.h"

// False and *err: a plan that cannot be read, or no memory. sweep_plan_free in any case.
bool sweep_plan_make(sweep_plan *plan, const sweep_request *o, gmmu_error *err);
void sweep_plan_free(sweep_plan *plan);

#endif
