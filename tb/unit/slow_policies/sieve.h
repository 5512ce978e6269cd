// SPDX-License-Identifier: Apache-2.0
// sieve.h: SIEVE.
#ifndef GMMU_TB_SLOW_POLICIES_SIEVE_H
#define GMMU_TB_SLOW_POLICIES_SIEVE_H

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "policy.h"

namespace slow {

// Zhang et al., NSDI 2024, Algorithm 1, line by line; prev is towards the head.
class Sieve : public Policy {
   public:
    using Policy::Policy;
    void access(Page x) override {
        if (has(t_, x)) {
            visited_.insert(x);
            return;
        }
        if (t_.size() == m) {
            Page o = p_ ? *p_ : t_.back();
            while (visited_.count(o) != 0) {
                visited_.erase(o);
                const std::optional<Page> before = prev(o);
                o = before ? *before : t_.back();
            }
            p_ = prev(o);
            take(&t_, o);
        }
        push(&t_, x);
        visited_.erase(x);
    }
    void resident(std::vector<Page> *all) const override { add(t_, all); }

   private:
    std::optional<Page> prev(Page o) const {
        auto i = std::find(t_.begin(), t_.end(), o);
        return i == t_.begin() ? std::nullopt : std::optional<Page>(*(i - 1));
    }
    Queue t_;
    std::set<Page> visited_;
    std::optional<Page> p_;
};

}  // namespace slow

#endif
