// SPDX-License-Identifier: Apache-2.0
// two_q.h: 2Q.
#ifndef GMMU_TB_SLOW_POLICIES_TWO_Q_H
#define GMMU_TB_SLOW_POLICIES_TWO_Q_H

#include <cstdint>
#include <vector>

#include "policy.h"

namespace slow {

// Johnson and Shasha, VLDB 1994, section 2.2, "2Q, full version".
class TwoQ : public Policy {
   public:
    explicit TwoQ(const Setting &s)
        : Policy(s), kin_(s.share("in", 25)), kout_(s.share("out", 50)) {}
    void access(Page p) override {
        if (has(am_, p)) {
            take(&am_, p);
            push(&am_, p);
        } else if (has(a1out_, p)) {
            take(&a1out_, p);
            reclaim();
            push(&am_, p);
        } else if (!has(a1in_, p)) {
            reclaim();
            push(&a1in_, p);
        }
    }
    void resident(std::vector<Page> *all) const override {
        add(a1in_, all);
        add(am_, all);
    }

   private:
    void reclaim() {
        if (a1in_.size() + am_.size() < m) {
            return;
        }
        if (a1in_.size() > kin_ || am_.empty()) {
            push(&a1out_, pop(&a1in_));
            if (a1out_.size() > kout_) {
                pop(&a1out_);
            }
        } else {
            pop(&am_);
        }
    }
    uint64_t kin_, kout_;
    Queue a1in_, a1out_, am_;
};

}  // namespace slow

#endif
