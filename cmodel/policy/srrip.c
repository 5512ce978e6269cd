// SPDX-License-Identifier: Apache-2.0
// srrip.c: SRRIP with hit priority (Jaleel et al., ISCA 2010, section 4.1) over all of memory;
// rrip.h.
//
// Parameter: bits = M, the width of a prediction (2). New pages are "long" (2^M - 2), a hit makes
// 0.
#include "policy/option.h"
#include "policy/rrip.h"

static void *create(const gmmu_policy_config *config, gmmu_error *err) {
    gmmu_rrip_rules rules = {.name = "srrip", .bits = 2};
    const gmmu_option options[] = {GMMU_NUMBER("bits", &rules.bits, 1, 4)};
    if (!gmmu_options_read("srrip", config, options, 1, err)) {
        return NULL;
    }
    rules.insert = (UINT64_C(1) << rules.bits) - 2;
    return gmmu_rrip_create(&rules, config, err);
}

const gmmu_policy gmmu_policy_srrip = {
    .name = "srrip",
    .help = "SRRIP, hit priority",
    .options = "bits=N (2): bits of a prediction",
    .why = gmmu_rrip_why,
    .tie_rule = "the lower frame",
    .page_only = true,
    .obeys = true,
    .create = create,
    .access = gmmu_rrip_access,
    .evict = gmmu_rrip_evict,
    .destroy = gmmu_rrip_destroy,
};
