// SPDX-License-Identifier: Apache-2.0
// page.h: a page's name, and the operations that name a page.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>

#include "blocks/gmmu_tier.h"

namespace driver {

using Page = std::pair<uint32_t, uint64_t>;  // address space, number there
using Operation = gmmu_tier_drv_in;
using Decision = gmmu_tier_decision;

inline Page page_of(const Operation &o) {
    return {o.asid, o.vpn};
}
// The page that comes.
inline Page page_of(const Decision &d) {
    return {d.asid, d.vpn};
}
// Does a page leave its frame by D?
inline bool has_victim(const Decision &d) {
    return d.tier == GMMU_TIER_2 || d.tier == GMMU_TIER_3;
}
// Does O put its page into its frame?
inline bool fills(const Operation &o) {
    return o.op == GMMU_FILL || o.op == GMMU_T2_SWAP;
}
inline Operation operation(unsigned kind, uint32_t frame, Page page) {
    Operation o = {};
    o.op = static_cast<decltype(o.op)>(kind);
    o.frame = frame;
    o.asid = page.first;
    o.vpn = page.second;
    return o;
}

struct HashOfPage {
    std::size_t operator()(const Page &p) const {
        return static_cast<std::size_t>((p.second ^ (static_cast<uint64_t>(p.first) << 48)) *
                                        0x9E3779B97F4A7C15ull);
    }
};

}  // namespace driver
