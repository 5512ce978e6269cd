// SPDX-License-Identifier: Apache-2.0
// rrip_hpe.c: what HPE compares itself with (HPE, section V.B): RRIP with frequency priority and a
// delay field against instant thrashing; rrip.h.
//
// Parameters: bits = M (2; the text gives none); distant = 1: new pages are "distant" (2^M - 1), 0:
// "long" (2^M - 2), the default; delay = the threshold in faults (0). The paper sets distant = 1
// and delay = 128 for applications of its type II, the defaults for all others, knowing the type.
#include "policy/option.h"
#include "policy/rrip.h"

static void *create(const gmmu_policy_config *config, gmmu_error *err) {
    gmmu_rrip_rules rules = {.name = "rrip-hpe", .bits = 2, .frequency = true};
    uint64_t distant = 0;
    const gmmu_option options[] = {GMMU_NUMBER("bits", &rules.bits, 1, 4),
                                   GMMU_NUMBER("distant", &distant, 0, 1),
                                   GMMU_NUMBER("delay", &rules.delay, 0, UINT32_MAX)};
    if (!gmmu_options_read("rrip-hpe", config, options, 3, err)) {
        return NULL;
    }
    rules.insert = (UINT64_C(1) << rules.bits) - 2 + distant;
    return gmmu_rrip_create(&rules, config, err);
}

const gmmu_policy gmmu_policy_rrip_hpe = {
    .name = "rrip-hpe",
    .help = "RRIP, frequency priority, with HPE's delay field",
    .options =
        "bits=N (2): bits of a prediction\n"
        "distant=0|1 (0): new pages are distant\n"
        "delay=N (0): faults",
    .why = gmmu_rrip_why,
    .tie_rule = "the lower frame",
    .page_only = true,
    .obeys = true,
    .create = create,
    .access = gmmu_rrip_access,
    .evict = gmmu_rrip_evict,
    .destroy = gmmu_rrip_destroy,
};
