// SPDX-License-Identifier: Apache-2.0
// positions.h: the future of each page, for the policies that know it.
#ifndef GMMU_TB_SLOW_POLICIES_POSITIONS_H
#define GMMU_TB_SLOW_POLICIES_POSITIONS_H

#include <cstdint>
#include <map>
#include <vector>

#include "policy.h"

namespace slow {

// Where each page is accessed, walks from 0.
inline std::map<Page, std::vector<uint64_t>> positions(const std::vector<Page> &trace) {
    std::map<Page, std::vector<uint64_t>> all;
    for (size_t t = 0; t < trace.size(); t++) {
        all[trace[t]].push_back(t);
    }
    return all;
}

}  // namespace slow

#endif
