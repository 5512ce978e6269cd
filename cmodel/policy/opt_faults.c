// SPDX-License-Identifier: Apache-2.0
// opt_faults.c: see opt_faults.h.
#include "policy/opt_faults.h"

#include <stdlib.h>

#include "policy/policy.h"
#include "policy/registry.h"
#include "policy/replay.h"

uint8_t *gmmu_opt_faults(const gmmu_future *future, uint32_t frames, gmmu_error *err) {
    const gmmu_policy_config config = {.frames = frames, .future = future};
    gmmu_sim *opt = gmmu_sim_create(&gmmu_policy_opt, &config, err);
    if (opt == NULL) {
        return NULL;
    }
    uint8_t *faults = calloc((size_t)(future->count / 8) + 1, 1);
    bool good = faults != NULL;
    if (!good) {
        (void)gmmu_policy_no_memory("opt", err);
    }
    const gmmu_walk walk = {0};  // OPT looks at the page alone
    for (uint64_t i = 0; good && i < future->count; i++) {
        gmmu_outcome out;
        good = gmmu_sim_access(opt, future->pages[i], &walk, &out, err) == GMMU_OK;
        if (good && out.fault) {
            faults[i / 8] |= (uint8_t)(1U << (i % 8));
        }
    }
    gmmu_sim_destroy(opt);
    if (!good) {
        free(faults);
        return NULL;
    }
    return faults;
}
