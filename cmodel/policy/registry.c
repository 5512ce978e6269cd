// SPDX-License-Identifier: Apache-2.0
// registry.c: the policies by number and by name.
#include "policy/registry.h"

#include <string.h>

#define ROW(policy) &gmmu_policy_##policy,
static const gmmu_policy *const table[] = {GMMU_POLICIES(ROW)};
#undef ROW

const gmmu_policy *gmmu_policy_at(size_t i) {
    return i < sizeof table / sizeof table[0] ? table[i] : NULL;
}

const gmmu_policy *gmmu_policy_find(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (strlen(table[i]->name) == length && memcmp(table[i]->name, name, length) == 0) {
            return table[i];
        }
    }
    return NULL;
}
