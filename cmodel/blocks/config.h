// SPDX-License-Identifier: Apache-2.0
// config.h: the named configurations by name, and which configurations are legal.
#ifndef GMMU_BLOCKS_CONFIG_H
#define GMMU_BLOCKS_CONFIG_H

#include "blocks/hir_cache.h"
#include "gmmu/config.h"

#ifdef __cplusplus
extern "C" {
#endif

// The named configuration, NULL if there is none.
const gmmu_config *gmmu_config_find(const char *name);
// NULL, or what is wrong with a configuration; the RTL checks the same at elaboration.
const char *gmmu_config_error(const gmmu_config *cfg);
// The time stamps that AGE visits: of frames, outstanding faults and, with tiers, of slots and of
// the predictor's entries.
uint32_t gmmu_config_stamps(const gmmu_config *cfg);
// Bits of an AGE's index, with no tiers one more than of a frame's.
unsigned gmmu_config_age_w(const gmmu_config *cfg);
// The sizes of CFG that the HIR cache takes.
gmmu_hir_config gmmu_config_hir(const gmmu_config *cfg);

#ifdef __cplusplus
}
#endif
#endif
