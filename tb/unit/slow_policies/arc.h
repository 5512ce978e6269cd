// SPDX-License-Identifier: Apache-2.0
// arc.h: ARC.
#ifndef GMMU_TB_SLOW_POLICIES_ARC_H
#define GMMU_TB_SLOW_POLICIES_ARC_H

#include <algorithm>
#include <cstdint>
#include <vector>

#include "policy.h"

namespace slow {

// Megiddo and Modha, FAST 2003, Fig. 4, case by case.
class Arc : public Policy {
   public:
    using Policy::Policy;
    void access(Page x) override {
        const uint64_t c = m;
        const bool in_b2 = has(b2_, x);
        if (has(t1_, x) || has(t2_, x)) {  // I
            take(has(t1_, x) ? &t1_ : &t2_, x);
            push(&t2_, x);
        } else if (has(b1_, x)) {  // II
            p_ = std::min(p_ + step(b1_, b2_), c);
            replace(in_b2);
            take(&b1_, x);
            push(&t2_, x);
        } else if (in_b2) {  // III
            const uint64_t by = step(b2_, b1_);
            p_ = p_ < by ? 0 : p_ - by;
            replace(in_b2);
            take(&b2_, x);
            push(&t2_, x);
        } else {  // IV
            if (t1_.size() + b1_.size() == c) {
                if (t1_.size() < c) {
                    pop(&b1_);
                    replace(in_b2);
                } else {
                    pop(&t1_);
                }
            } else if (t1_.size() + t2_.size() + b1_.size() + b2_.size() >= c) {
                if (t1_.size() + t2_.size() + b1_.size() + b2_.size() == 2 * c) {
                    pop(&b2_);
                }
                replace(in_b2);
            }
            push(&t1_, x);
        }
    }
    void resident(std::vector<Page> *all) const override {
        add(t1_, all);
        add(t2_, all);
    }

   private:
    // After a hit in `in`, whole pages.
    static uint64_t step(const Queue &in, const Queue &other) {
        return in.size() >= other.size() ? 1 : other.size() / in.size();
    }
    void replace(bool in_b2) {
        if (!t1_.empty() && (t1_.size() > p_ || (in_b2 && t1_.size() == p_))) {
            push(&b1_, pop(&t1_));
        } else {
            push(&b2_, pop(&t2_));
        }
    }
    uint64_t p_ = 0;
    Queue t1_, t2_, b1_, b2_;
};

}  // namespace slow

#endif
