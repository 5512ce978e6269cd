// SPDX-License-Identifier: Apache-2.0
// leu_config.h: the option config=NAME of the policies that drive the unit.
#ifndef GMMU_POLICY_LEU_CONFIG_H
#define GMMU_POLICY_LEU_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GMMU_LEU_CONFIGS "tiny|default|onchip|large"

// The `word` function of a gmmu_option. *CFG, a gmmu_config, becomes the configuration named TEXT
// (LENGTH characters). False: there is no such configuration.
bool gmmu_leu_config(void *cfg, const char *text, size_t length);
// As gmmu_policy's `larger`: the configuration large, if the memory is beyond default's time stamps
// and OPTIONS name no configuration.
const char *gmmu_leu_larger(const char *options, uint32_t frames);

#endif
