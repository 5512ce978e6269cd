// SPDX-License-Identifier: Apache-2.0
// sizes.h: the configuration that a bench is built for: a named one, or one with some sizes
// changed.
#pragma once
#include <cstdlib>
#include <sstream>
#include <string>
#include <utility>

#include "blocks/gmmu_tier.h"
#include "names.h"

// GMMU_SIZES (scripts/block_sim.py) sets members of `c`: "c.frames = 1; c.pool = 3;".
// A named configuration, or one with changes: "tiny.FRAMES3.LINES4" (scripts/config_args.py).
inline gmmu_config changed_config(const std::string &name) {
    std::istringstream parts(name);
    std::string part;
    std::getline(parts, part, '.');
    gmmu_config c = *gmmu_config_find(part.c_str());
    while (std::getline(parts, part, '.')) {
        const std::size_t at = part.find_last_not_of("0123456789") + 1;
        const std::string key = part.substr(0, at);
#define GMMU_SIZE(NAME, member) {#NAME, &c.member},
        const std::pair<const char *, unsigned *> fields[] = {GMMU_SIZE_NAMES(GMMU_SIZE)};
#undef GMMU_SIZE
        unsigned *field = nullptr;
        for (const auto &f : fields) field = key == f.first ? f.second : field;
        if (field == nullptr || at == part.size())
            std::abort();
        *field = static_cast<unsigned>(std::stoul(part.substr(at)));
    }
    return c;
}

inline const gmmu_config &config_of_build() {
    static const gmmu_config sized = [] {
        gmmu_config c = changed_config(GMMU_CONFIG_NAME);
#ifdef GMMU_SIZES
        GMMU_SIZES
#endif
        return c;
    }();
    return sized;
}
