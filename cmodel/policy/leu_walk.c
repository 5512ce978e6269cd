// SPDX-License-Identifier: Apache-2.0
// leu_walk.c: see leu_walk.h.
#include "policy/leu_walk.h"

#include <stdio.h>

void gmmu_leu_walk_beyond(const char *policy, const gmmu_config *cfg, const gmmu_walk *walk,
                          gmmu_error *err) {
    snprintf(err->text, sizeof err->text,
             "%s: found page 0x%llx of address space %u, expected at most %u and %u bits "
             "(configuration %s)",
             policy, (unsigned long long)walk->vpn, walk->asid, cfg->vpn_w, cfg->asid_w, cfg->name);
}
