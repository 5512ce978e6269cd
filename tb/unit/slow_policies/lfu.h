// SPDX-License-Identifier: Apache-2.0
// lfu.h: the page with the fewest uses, then the least recent.
#ifndef GMMU_TB_SLOW_POLICIES_LFU_H
#define GMMU_TB_SLOW_POLICIES_LFU_H

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "policy.h"

namespace slow {

class Lfu : public Policy {
   public:
    using Policy::Policy;
    void access(Page p) override {
        now_++;
        for (Use &u : uses_) {
            if (u.page == p) {
                u.count++;
                u.last = now_;
                return;
            }
        }
        if (uses_.size() == m) {
            uses_.erase(std::min_element(uses_.begin(), uses_.end(), [](auto &a, auto &b) {
                return std::tie(a.count, a.last) < std::tie(b.count, b.last);
            }));
        }
        uses_.push_back({p, 1, now_});
    }
    void resident(std::vector<Page> *all) const override {
        for (const Use &u : uses_) {
            all->push_back(u.page);
        }
    }

   private:
    struct Use {
        Page page;
        uint64_t count, last;
    };
    uint64_t now_ = 0;
    std::vector<Use> uses_;
};

}  // namespace slow

#endif
