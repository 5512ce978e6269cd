// SPDX-License-Identifier: Apache-2.0
// driver.h: plays the walker and the driver in front of the unit: what is resident where.
#pragma once
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "blocks/gmmu_tier.h"
#include "gmmu/trace.h"

// Where each page is; the driver's word is the truth, the walker asks it.
class Residency {
   public:
    explicit Residency(uint32_t frames) : page_of(frames) {
        for (uint32_t f = frames; f-- > 0;) free_frames.push_back(f);
    }
    struct Page {
        uint32_t asid = 0;
        uint64_t vpn = 0;
        bool operator==(const Page &o) const { return asid == o.asid && vpn == o.vpn; }
    };
    // The frame of a page, or -1.
    int64_t find(Page p) const {
        const auto it = where.find(p);
        return it == where.end() ? -1 : static_cast<int64_t>(it->second);
    }
    bool has_free() const { return !free_frames.empty(); }
    // The answer to a decision: the page goes into the lowest free frame or over the victim.
    gmmu_tier_drv_in fill(const gmmu_tier_decision &d) {
        if (d.tier != GMMU_TIER_FREE)
            unmap(d.frame);
        const gmmu_tier_drv_in op = prepare(d);
        arrived();
        return op;
    }
    // The same in steps: the victim's page is unmapped, the FILL is made, its page has arrived.
    void unmap(uint32_t frame) { where.erase(page_of[frame]); }
    gmmu_tier_drv_in prepare(const gmmu_tier_decision &d) {
        coming = {};
        coming.op = GMMU_FILL;
        coming.asid = d.asid;
        coming.vpn = d.vpn;
        coming.frame = d.frame;
        if (d.tier == GMMU_TIER_FREE) {
            coming.frame = free_frames.back();
            free_frames.pop_back();
        }
        return coming;
    }
    void arrived() {
        page_of[coming.frame] = {coming.asid, coming.vpn};
        where[{coming.asid, coming.vpn}] = coming.frame;
    }

   private:
    struct Hash {
        std::size_t operator()(const Page &p) const {
            return static_cast<std::size_t>((p.vpn ^ (static_cast<uint64_t>(p.asid) << 48)) *
                                            0x9E3779B97F4A7C15ull);
        }
    };
    gmmu_tier_drv_in coming = {};
    std::unordered_map<Page, uint32_t, Hash> where;
    std::vector<Page> page_of;
    std::vector<uint32_t> free_frames;  // lowest last
};
