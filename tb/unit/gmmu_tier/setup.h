// SPDX-License-Identifier: Apache-2.0
// setup.h: seed, sizes and registers of the runs of gmmu_tier_test.
#pragma once
#include <algorithm>
#include <cstdlib>

#include "sizes.h"

inline uint32_t seed_of_run() {
    const char *s = std::getenv("GMMU_SEED");
    return s ? static_cast<uint32_t>(std::strtoul(s, nullptr, 0)) : 1;
}

inline const gmmu_config &config() {
    return config_of_build();
}

inline gmmu_regs regs_of(uint32_t frames, unsigned feed, unsigned refresh) {
    gmmu_regs regs = gmmu_regs_default(&config());
    regs.frames = std::min(frames, config().frames);
    regs.feed = feed;
    regs.refresh = refresh;
    regs.censor = true;
    return regs;
}
