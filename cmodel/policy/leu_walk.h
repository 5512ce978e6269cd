// SPDX-License-Identifier: Apache-2.0
// leu_walk.h: converts a walk of a trace to a walk of the unit, for the policies that drive the
// unit
// (`leu`, `leu-host`).
#ifndef GMMU_POLICY_LEU_WALK_H
#define GMMU_POLICY_LEU_WALK_H
#include "blocks/crc32c.h"
#include "blocks/gmmu_tier.h"
#include "policy/policy.h"
#ifdef __cplusplus
extern "C" {
#endif

// Sets *err for a WALK beyond the widths of CFG.
void gmmu_leu_walk_beyond(const char *policy, const gmmu_config *cfg, const gmmu_walk *walk,
                          gmmu_error *err);
// Sets page, folded reference and kind of *in from WALK; the caller sets fault and frame. GMMU_BAD
// and *err, which begins with POLICY: page number or address space have more bits than CFG.
static inline int gmmu_leu_walk(const char *policy, const gmmu_config *cfg, const gmmu_walk *walk,
                                gmmu_tier_walk_in *in, gmmu_error *err) {
    if ((cfg->vpn_w < 64 && walk->vpn >> cfg->vpn_w != 0) ||
        (cfg->asid_w < 32 && walk->asid >> cfg->asid_w != 0)) {
        gmmu_leu_walk_beyond(policy, cfg, walk, err);
        return GMMU_BAD;
    }
    *in = (gmmu_tier_walk_in){};
    in->vpn = walk->vpn;
    in->ref = gmmu_fold_ref(walk->ref, cfg->ref_w);
    in->asid = walk->asid;
    in->write = walk->write;
    return GMMU_OK;
}

#ifdef __cplusplus
}
#endif
#endif
