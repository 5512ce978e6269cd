// SPDX-License-Identifier: Apache-2.0
// page.h: pages of the predictor's bench, and such as hash nearly alike.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "bench.h"
#include "blocks/crc32c.h"

struct Page {
    uint32_t asid;
    uint64_t vpn;
};

// What has to be added to a page, bit by bit modulo 2, so that just bit H of its hash is another,
// or, if it has no bit H, none is: the hash is linear. {0, 0}: nothing does it. SOME, of what
// changes no bit.
inline Page difference(const gmmu_config &cfg, unsigned h, uint64_t some) {
    struct Row {
        uint64_t hash, vpn;
        uint32_t asid;
    };
    const uint64_t none = gmmu_hash(0, cfg.asid_w, 0, cfg.vpn_w);
    const uint64_t used = bench::mask(gmmu_log2(cfg.tp_sets) + cfg.tp_tag_w);
    Page same = {0, 0};
    std::vector<Row> rows;  // each with a highest bit of its own
    Row want = {1ull << h, 0, 0};
    for (unsigned i = 0; i < cfg.vpn_w + cfg.asid_w; i++) {
        Row r = {0, i < cfg.vpn_w ? 1ull << i : 0, i < cfg.vpn_w ? 0 : 1u << (i - cfg.vpn_w)};
        r.hash = (gmmu_hash(r.asid, cfg.asid_w, r.vpn, cfg.vpn_w) ^ none) & used;
        for (const Row &o : rows)
            if ((r.hash ^ o.hash) < r.hash)
                r = {r.hash ^ o.hash, r.vpn ^ o.vpn, r.asid ^ o.asid};
        if (r.hash != 0) {
            rows.push_back(r);
        } else if ((same.asid == 0 && same.vpn == 0) || (some >> i & 1)) {
            same = {same.asid ^ r.asid, same.vpn ^ r.vpn};
        }
        std::sort(rows.begin(), rows.end(),
                  [](const Row &a, const Row &b) { return a.hash > b.hash; });
    }
    if ((used >> h & 1) == 0)
        return same;
    for (const Row &o : rows)
        if ((want.hash ^ o.hash) < want.hash)
            want = {want.hash ^ o.hash, want.vpn ^ o.vpn, want.asid ^ o.asid};
    return want.hash == 0 ? Page{want.asid, want.vpn} : Page{0, 0};
}
