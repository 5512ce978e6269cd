// SPDX-License-Identifier: Apache-2.0
// mru.h: most recently used.
#ifndef GMMU_TB_SLOW_POLICIES_MRU_H
#define GMMU_TB_SLOW_POLICIES_MRU_H

#include <vector>

#include "policy.h"

namespace slow {

// The queue's front is the page that was accessed last.
class Mru : public Policy {
   public:
    using Policy::Policy;
    void access(Page x) override {
        if (has(t_, x)) {
            take(&t_, x);
        } else if (t_.size() == m) {
            t_.erase(t_.begin());
        }
        push(&t_, x);
    }
    void resident(std::vector<Page> *all) const override { add(t_, all); }

   private:
    Queue t_;
};

}  // namespace slow

#endif
