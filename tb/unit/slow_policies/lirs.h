// SPDX-License-Identifier: Apache-2.0
// lirs.h: LIRS.
#ifndef GMMU_TB_SLOW_POLICIES_LIRS_H
#define GMMU_TB_SLOW_POLICIES_LIRS_H

#include <cstdint>
#include <set>
#include <vector>

#include "policy.h"

namespace slow {

// Jiang and Zhang, SIGMETRICS 2002, section 3.3, the three cases. The front of the paper's list Q,
// from where pages are replaced, is the back here.
class Lirs : public Policy {
   public:
    explicit Lirs(const Setting &s) : Policy(s), llirs_(m - s.share("hir", 1)) {}
    void access(Page x) override {
        if (lir_.count(x) != 0) {
            take(&s_, x);
            push(&s_, x);
        } else if (lir_.size() < llirs_) {  // the LIR set is not full: all pages become LIR
            lir_.insert(x);
            push(&s_, x);
        } else if (has(q_, x)) {
            take(&q_, x);
            hir(x);
        } else {
            if (lir_.size() + q_.size() == m) {
                pop(&q_);
            }
            hir(x);
        }
        prune();
    }
    void resident(std::vector<Page> *all) const override {
        add(q_, all);
        add(lir_, all);
    }

   private:
    // An access to an HIR page, taken off Q.
    void hir(Page x) {
        if (!has(s_, x)) {
            push(&s_, x);
            push(&q_, x);
            return;
        }
        take(&s_, x);
        push(&s_, x);
        lir_.insert(x);
        const Page bottom = pop(&s_);
        lir_.erase(bottom);
        push(&q_, bottom);
    }
    void prune() {
        while (!s_.empty() && lir_.count(s_.back()) == 0) {
            s_.pop_back();
        }
    }
    uint64_t llirs_;
    Queue s_, q_;
    std::set<Page> lir_;
};

}  // namespace slow

#endif
