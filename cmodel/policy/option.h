// SPDX-License-Identifier: Apache-2.0
// option.h: the numeric options of a policy, "key=value:key=value".
#ifndef GMMU_POLICY_OPTION_H
#define GMMU_POLICY_OPTION_H

#include "policy/policy.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *key;
    uint64_t *value;     // the default, replaced by what is found
    uint64_t low, high;  // the range, both included
} gmmu_option;

// Reads config->options into the values of COUNT OPTIONS. False and *err when a key is unknown or
// a value is no decimal number in its range.
bool gmmu_options_read(const char *policy, const gmmu_policy_config *config,
                       const gmmu_option *options, size_t count, gmmu_error *err);

// PERCENT of FRAMES, rounded down, at least 1.
uint32_t gmmu_percent(uint32_t frames, uint64_t percent);

#ifdef __cplusplus
}
#endif
#endif
