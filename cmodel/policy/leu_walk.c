// SPDX-License-Identifier: Apache-2.0
// leu_walk.c: see leu_walk.h.
#include "policy/leu_walk.h"

#include <stdio.h>

#include "blocks/crc32c.h"

static bool fits(uint64_t value, unsigned bits) {
    return bits >= 64 || value >> bits == 0;
}

int gmmu_leu_walk(const char *policy, const gmmu_config *cfg, const gmmu_walk *walk,
                  gmmu_tier_walk_in *in, gmmu_error *err) {
    if (!fits(walk->vpn, cfg->vpn_w) || !fits(walk->asid, cfg->asid_w)) {
        snprintf(err->text, sizeof err->text,
                 "%s: found page 0x%llx of address space %u, expected at most %u and %u bits "
                 "(configuration %s)",
                 policy, (unsigned long long)walk->vpn, walk->asid, cfg->vpn_w, cfg->asid_w,
                 cfg->name);
        return GMMU_BAD;
    }
    *in = (gmmu_tier_walk_in){.vpn = walk->vpn,
                              .ref = gmmu_fold_ref(walk->ref, cfg->ref_w),
                              .asid = walk->asid,
                              .write = walk->write};
    return GMMU_OK;
}
