// SPDX-License-Identifier: Apache-2.0
// slots.h: the slots of Tier 2 as a random driver sees them: what it believes to be where.
#pragma once
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "blocks/gmmu_tier.h"

class Slots {
   public:
    explicit Slots(uint32_t n) : page_in(n) {}

    uint32_t n() const { return static_cast<uint32_t>(page_in.size()); }
    bool find(uint32_t asid, uint64_t vpn, uint32_t *slot) const {
        const auto it = where.find({asid, vpn});
        if (it != where.end())
            *slot = it->second;
        return it != where.end();
    }
    void put(uint32_t slot, uint32_t asid, uint64_t vpn) {
        if (slot >= n())
            return;
        free(slot);
        page_in[slot] = {true, {asid, vpn}};
        where[{asid, vpn}] = slot;
    }
    void free(uint32_t slot) {
        if (slot >= n())
            return;
        const auto it = where.find(page_in[slot].page);
        if (page_in[slot].valid && it != where.end() && it->second == slot)
            where.erase(it);
        page_in[slot].valid = false;
        freed = slot;
    }
    // A slot for the victim of D: that of the page that leaves, or one that is empty.
    bool room_for(const gmmu_tier_decision &d, uint32_t *slot) {
        if (d.t2_valid) {
            *slot = d.t2_slot;
            return true;
        }
        for (uint32_t i = 0; i < n(); i++) {
            next = next + 1 < n() ? next + 1 : 0;
            if (!page_in[next].valid) {
                *slot = next;
                return true;
            }
        }
        return false;
    }
    // The next empty one is looked for from there.
    void from(uint32_t slot) { next = slot; }
    uint32_t last_freed() const { return freed; }

   private:
    using Key = std::pair<uint32_t, uint64_t>;
    struct Page {
        bool valid = false;
        Key page = {};
    };
    std::vector<Page> page_in;
    std::map<Key, uint32_t> where;
    uint32_t next = 0, freed = 0;
};
