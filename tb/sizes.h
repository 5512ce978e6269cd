// SPDX-License-Identifier: Apache-2.0
// sizes.h: the configuration that a bench is built for: a named one, or one with some sizes changed.
#pragma once
#include "blocks/gmmu_tier.h"

// GMMU_SIZES (scripts/block_sim.py) sets members of `c`: "c.frames = 1; c.pool = 3;".
inline const gmmu_config &config_of_build() {
    static const gmmu_config sized = [] {
        gmmu_config c = *gmmu_config_find(GMMU_CONFIG_NAME);
#ifdef GMMU_SIZES
        GMMU_SIZES
#endif
        return c;
    }();
    return sized;
}
