// SPDX-License-Identifier: Apache-2.0
// memory.c: what policies share that grow with the pages.
#include <stdio.h>
#include <string.h>

#include "policy/policy.h"

uint32_t gmmu_policy_expected(const gmmu_policy_config *config, uint32_t most) {
    const uint32_t pages = config->pages == NULL ? 0 : gmmu_pages_count(config->pages);
    return pages < most ? pages : most;
}

uint32_t gmmu_policy_capacity(uint32_t cap, uint32_t page) {
    uint32_t twice = cap > GMMU_MAX_PAGES / 2 ? GMMU_MAX_PAGES : cap * 2;
    uint32_t need = page < 1024 ? 1024 : page + 1;
    return need > twice ? need : twice;
}

// ARRAY is the address of a pointer of any type.
bool gmmu_policy_room(void *array, uint32_t *cap, uint32_t index, size_t size, int fill) {
    uint32_t more = gmmu_policy_capacity(*cap, index);
    void *old = NULL;
    memcpy(&old, array, sizeof old);
    void *grown = gmmu_grow(old, *cap, more, size, fill);
    if (grown == NULL) {
        return false;
    }
    memcpy(array, &grown, sizeof grown);
    *cap = more;
    return true;
}

int gmmu_policy_no_memory(const char *policy, gmmu_error *err) {
    (void)snprintf(err->text, sizeof err->text, "%s: out of memory", policy);
    return GMMU_BAD;
}
