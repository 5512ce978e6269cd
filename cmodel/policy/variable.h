// SPDX-License-Identifier: Apache-2.0
// variable.h: the common part of the policies of variable size, which know the trace.
#ifndef GMMU_POLICY_VARIABLE_H
#define GMMU_POLICY_VARIABLE_H

#include "policy/policy.h"

// The first member of such a policy's state.
typedef struct {
    const gmmu_future *future;
    uint64_t now;       // number of the next walk
    uint64_t resident;  // number of resident pages
    uint64_t size_sum;  // sum of `resident` over the walks
} gmmu_variable;

// As gmmu_policy.create, for a policy without options. The state has SIZE bytes, all 0 but this
// part. PLAN fills in the rest; false: no memory, and DESTROY frees the state.
void *gmmu_variable_create(const char *policy, const gmmu_policy_config *config, size_t size,
                           bool (*plan)(void *state, uint32_t frames), void (*destroy)(void *state),
                           gmmu_error *err);
// As gmmu_policy.size_sum.
uint64_t gmmu_variable_size_sum(const void *state);

#endif
