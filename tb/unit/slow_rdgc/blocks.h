// SPDX-License-Identifier: Apache-2.0
// blocks.h: the physical model's parts: coalescing, and which SM runs a block.
#ifndef GMMU_TB_SLOW_RDGC_BLOCKS_H
#define GMMU_TB_SLOW_RDGC_BLOCKS_H

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "arithmetic.h"
#include "logical.h"
#include "rdgc/config.h"

namespace slow_rdgc {

struct Coalesced {
    uint64_t block;
    std::vector<uint64_t> addresses;  // of its lanes
};

inline std::vector<Coalesced> coalesce(const Lanes &lanes, uint64_t bytes) {
    std::vector<Coalesced> out;
    for (const auto &[lane, address] : lanes) {
        const uint64_t block = address / bytes;
        auto at = std::find_if(out.begin(), out.end(),
                               [&](const Coalesced &c) { return c.block == block; });
        if (at == out.end()) {
            out.push_back({block, {}});
            at = out.end() - 1;
        }
        at->addresses.push_back(address);
    }
    return out;
}

// Algorithm 3: {CB, Nitr}
inline std::pair<uint64_t, uint64_t> concurrent_blocks(const gmmu_rdgc_config &c, uint64_t wpb,
                                                       uint64_t bsm) {
    if (bsm == 0) {
        return {0, 0};
    }
    uint64_t cb = bsm;
    if (bsm > c.max_blocks) {
        cb = c.max_blocks;
    }
    if (wpb * cb > c.max_warps) {
        cb = c.max_warps / wpb;
        if (cb == 0) {
            cb = 1;
        }
    }
    return {cb, quotient_up(bsm, cb)};
}

// The SM of each block.
inline std::vector<uint64_t> map_blocks(const gmmu_rdgc_config &c, uint64_t number,
                                        uint64_t blocks) {
    std::vector<uint64_t> sm;
    uint64_t s = c.seed + (number << 32);
    for (uint64_t b = 0; b < blocks; b++) {
        switch (c.mapping) {
            case GMMU_RDGC_RR:
                sm.push_back(b % c.sms);
                break;
            case GMMU_RDGC_BPART1:
                sm.push_back(b / 4 % c.sms);
                break;
            case GMMU_RDGC_BPART2:
                sm.push_back(b / 8 % c.sms);
                break;
            default:
                sm.push_back(draw_below(&s, c.sms));
                break;
        }
    }
    return sm;
}

}  // namespace slow_rdgc

#endif
