// SPDX-License-Identifier: Apache-2.0
// s3fifo.h: S3-FIFO.
#ifndef GMMU_TB_SLOW_POLICIES_S3FIFO_H
#define GMMU_TB_SLOW_POLICIES_S3FIFO_H

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "policy.h"

namespace slow {

// Yang et al., SOSP 2023, Algorithm 1, with the departures that docs/reference/policies.md names.
class S3Fifo : public Policy {
   public:
    explicit S3Fifo(const Setting &s) : Policy(s), small_(s.share("small", 10)) {}
    void access(Page x) override {
        if (has(s_, x) || has(m_, x)) {
            freq_[x] = std::min(freq_[x] + 1, 3);
            return;
        }
        if (s_.size() + m_.size() == m) {
            if (s_.size() >= small_) {
                evict_s();
            } else {
                evict_m();
            }
        }
        if (has(g_, x)) {
            take(&g_, x);
            push(&m_, x);
        } else {
            push(&s_, x);
        }
        freq_[x] = 0;
    }
    void resident(std::vector<Page> *all) const override {
        add(s_, all);
        add(m_, all);
    }

   private:
    void evict_s() {
        for (;;) {
            const Page t = pop(&s_);
            if (freq_[t] <= 1) {
                push(&g_, t);
                if (g_.size() > m - small_) {
                    pop(&g_);
                }
                return;
            }
            freq_[t] = 0;
            push(&m_, t);
            if (m_.size() > m - small_) {
                evict_m();
                return;
            }
        }
    }
    void evict_m() {
        for (;;) {
            const Page t = pop(&m_);
            if (freq_[t] == 0) {
                return;
            }
            freq_[t]--;
            push(&m_, t);
        }
    }
    uint64_t small_;
    Queue s_, m_, g_;
    std::map<Page, int> freq_;
};

}  // namespace slow

#endif
