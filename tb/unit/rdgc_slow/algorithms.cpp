// SPDX-License-Identifier: Apache-2.0
// algorithms.cpp: parts on their own, over the whole of their arguments.
#include <gtest/gtest.h>

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "compare.h"
#include "random_kernel.h"
#include "rdgc/rdgc.h"
#include "slow_rdgc.h"

namespace {

std::string algorithms_case(uint64_t seed) {
    Random r(seed);
    gmmu_rdgc_config c = random_config(&r);
    if (r.percent(30)) {
        c.sms = 1 + static_cast<uint32_t>(r.below(GMMU_RDGC_MAX_SMS));
        c.max_warps = 1 + static_cast<uint32_t>(r.below(GMMU_RDGC_MAX_INFLIGHT));
        c.max_blocks = 1 + static_cast<uint32_t>(r.below(GMMU_RDGC_MAX_INFLIGHT));
    }
    const std::string text = keys(c, "") + "\n";

    const auto wpb = 1 + static_cast<uint32_t>(r.below(32));
    const auto bsm = static_cast<uint32_t>(
        r.of({0, 1, 2, c.max_blocks, c.max_blocks + 1, c.max_warps / wpb + r.below(2),
              GMMU_RDGC_MAX_BLOCKS, r.below(GMMU_RDGC_MAX_BLOCKS), r.below(100)}));
    uint32_t cb = 7;
    uint32_t nitr = 7;
    gmmu_rdgc_concurrent_blocks(&c, wpb, bsm, &cb, &nitr);
    const auto [slow_cb, slow_nitr] = slow_rdgc::concurrent_blocks(c, wpb, bsm);
    const std::string what = "WpB " + std::to_string(wpb) + " BSM " + std::to_string(bsm);

    const uint64_t number = r.of({0, 1, 2, r.below(1U << 31)});
    const auto blocks = static_cast<uint32_t>(r.below(300));
    std::vector<uint32_t> sm(blocks + 1, 77);
    gmmu_rdgc_map_blocks(&c, number, blocks, sm.data());
    const std::vector<uint64_t> slow_sm = slow_rdgc::map_blocks(c, number, blocks);
    std::string differs =
        first_of({compare(what + " CB", cb, slow_cb), compare(what + " Nitr", nitr, slow_nitr),
                  compare("behind the last block", sm[blocks], 77)});
    for (uint32_t b = 0; b < blocks && differs.empty(); b++) {
        differs = compare("grid " + std::to_string(number) + " block " + std::to_string(b), sm[b],
                          slow_sm[b]);
    }

    const auto shift = static_cast<unsigned>(2 + r.below(11));
    const auto sector_shift =
        static_cast<unsigned>(shift - r.below(std::min<uint64_t>(shift - 2, 5) + 1));
    const uint64_t spread = uint64_t{1} << r.of({1, 5, 7, 9, 12, 20});
    const uint64_t base = r.of({0, UINT64_MAX - 2 * spread, r.bits() >> r.below(40)});
    uint64_t addr[GMMU_WARP];
    Lanes lanes;
    auto mask = static_cast<uint32_t>(r.of({0, 1, 1U << 31, UINT32_MAX, r.bits(), r.bits()}));
    const uint64_t step = r.of({0, 4, 32, 128, spread / 8});
    for (unsigned lane = 0; lane < GMMU_WARP; lane++) {
        addr[lane] = base + (r.percent(50) ? r.below(spread) : lane * step % spread);
        if ((mask >> lane & 1) != 0) {
            lanes[lane] = addr[lane];
        }
    }
    uint64_t block[GMMU_WARP];
    uint32_t sectors[GMMU_WARP];
    const unsigned n = gmmu_rdgc_coalesce(addr, mask, shift, sector_shift, block, sectors);
    const auto slow = slow_rdgc::coalesce(lanes, uint64_t{1} << shift);
    differs = first_of({differs, compare("coalesced", n, slow.size())});
    for (unsigned i = 0; i < n && differs.empty(); i++) {
        uint32_t touched = 0;
        for (uint64_t a : slow[i].addresses) {
            const uint64_t sector = (a >> sector_shift) - (slow[i].block << (shift - sector_shift));
            touched |= 1U << sector;
        }
        const std::string where = "coalesced " + std::to_string(i);
        differs = first_of({compare(where, block[i], slow[i].block),
                            compare(where + " sectors", sectors[i], touched)});
    }
    return differs.empty() ? "" : text + differs;
}

TEST(RdgcSlow, Algorithms) {
    run_cases(4000, algorithms_case);
    std::printf("%" PRIu64 " arguments of Algorithm 3, block mapping, coalescing compared\n",
                cases(4000));
}

}  // namespace
