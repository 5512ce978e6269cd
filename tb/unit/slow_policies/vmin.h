// SPDX-License-Identifier: Apache-2.0
// vmin.h: VMIN.
#ifndef GMMU_TB_SLOW_POLICIES_VMIN_H
#define GMMU_TB_SLOW_POLICIES_VMIN_H

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "policy.h"
#include "positions.h"

namespace slow {

// Prieve and Fabry, CACM 1976: the shortest reuses that fit, found by sorting them.
class Vmin : public Policy {
   public:
    explicit Vmin(const Setting &s) : Policy(s) {
        std::vector<std::pair<uint64_t, uint64_t>> reuses;  // (interval, begin)
        for (const auto &[page, at] : positions(s.trace)) {
            for (size_t i = 0; i + 1 < at.size(); i++) {
                reuses.emplace_back(at[i + 1] - at[i], at[i]);
            }
        }
        std::sort(reuses.begin(), reuses.end());
        uint64_t size = s.trace.size();  // each walk's own page
        for (const auto &[interval, begin] : reuses) {
            size += interval - 1;
            if (size > s.frames * s.trace.size()) {
                break;
            }
            kept_.insert(begin);
        }
    }
    void access(Page p) override {
        resident_.erase(p);
        if (kept_.count(now_++) != 0) {
            resident_.insert(p);
        }
    }
    void resident(std::vector<Page> *all) const override { add(resident_, all); }

   private:
    std::set<uint64_t> kept_;  // the walks after which the page stays
    uint64_t now_ = 0;
    std::set<Page> resident_;
};

}  // namespace slow

#endif
