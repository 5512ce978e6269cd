// SPDX-License-Identifier: Apache-2.0
// variable.c: see variable.h.
#include "policy/variable.h"

#include <stdlib.h>

#include "policy/option.h"

void *gmmu_variable_create(const char *policy, const gmmu_policy_config *config, size_t size,
                           bool (*plan)(void *state, uint32_t frames), void (*destroy)(void *state),
                           gmmu_error *err) {
    if (!gmmu_policy_no_options(policy, config, err)) {
        return NULL;
    }
    gmmu_variable *s = calloc(1, size);
    if (s != NULL) {
        s->future = config->future;
        if (plan(s, config->frames)) {
            return s;
        }
        destroy(s);
    }
    (void)gmmu_policy_no_memory(policy, err);
    return NULL;
}

uint64_t gmmu_variable_size_sum(const void *state) {
    return ((const gmmu_variable *)state)->size_sum;
}
