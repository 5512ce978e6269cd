// SPDX-License-Identifier: Apache-2.0
// memory.c: what policies share that grow with the pages.
#include <stdio.h>

#include "policy/policy.h"

uint32_t gmmu_policy_capacity(uint32_t cap, uint32_t page) {
    uint32_t twice = cap > GMMU_MAX_PAGES / 2 ? GMMU_MAX_PAGES : cap * 2;
    uint32_t need = page < 1024 ? 1024 : page + 1;
    return need > twice ? need : twice;
}

int gmmu_policy_no_memory(const char *policy, gmmu_error *err) {
    (void)snprintf(err->text, sizeof err->text, "%s: out of memory", policy);
    return GMMU_BAD;
}
