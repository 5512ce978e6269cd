// SPDX-License-Identifier: Apache-2.0
// alone.h: the twin alone, on the standard schedule.
#pragma once
#include <vector>

#include "blocks/schedule.h"
#include "host/bad.h"

class Alone {
   public:
    std::vector<gmmu_tier_decision> decisions;

    Alone(const gmmu_config &cfg, const gmmu_regs &regs) : memory(gmmu_tier_bytes(&cfg) + 16) {
        if (gmmu_tier_init(&u, &cfg, &regs, memory.data(), memory.size()) != 0)
            bad("configuration is not legal");
    }
    gmmu_tier_walk_out walk(const gmmu_tier_walk_in &w) {
        const gmmu_tier_walk_out out = gmmu_tier_walk(&u, w);
        gmmu_tier_settle(&u, take, this);
        return out;
    }
    void drv(const gmmu_tier_drv_in &d) {
        (void)gmmu_tier_drv(&u, d);
        gmmu_tier_settle(&u, take, this);
    }
    void protect(uint32_t share) { gmmu_tier_protect(&u, share); }

   private:
    gmmu_tier u;
    std::vector<char> memory;
    static void take(void *self, const gmmu_tier_decision *d) {
        static_cast<Alone *>(self)->decisions.push_back(*d);
    }
};
