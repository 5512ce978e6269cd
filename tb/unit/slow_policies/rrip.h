// SPDX-License-Identifier: Apache-2.0
// rrip.h: SRRIP, and RRIP as HPE has it.
#ifndef GMMU_TB_SLOW_POLICIES_RRIP_H
#define GMMU_TB_SLOW_POLICIES_RRIP_H

#include <algorithm>
#include <cstdint>
#include <vector>

#include "policy.h"

namespace slow {

// Jaleel et al., ISCA 2010, section 4.1 and 4.2, over all of memory; HPE, section V.B: the delay.
class Rrip : public Policy {
   public:
    Rrip(const Setting &s, bool frequency)
        : Policy(s),
          distant_((1U << s.option("bits", 2)) - 1),
          insert_(distant_ - (s.option("distant", 0) != 0 ? 0 : 1)),
          delay_(s.option("delay", 0)),
          frequency_(frequency) {}
    void access(Page p) override {
        for (Frame &f : frames_) {
            if (f.page == p) {
                f.rrpv = frequency_ && f.rrpv > 0 ? f.rrpv - 1 : 0;
                return;
            }
        }
        fault_++;
        const Frame mine = {p, insert_, fault_};
        if (frames_.size() < m) {
            frames_.push_back(mine);
        } else {
            *victim() = mine;
        }
    }
    void resident(std::vector<Page> *all) const override {
        for (const Frame &f : frames_) {
            all->push_back(f.page);
        }
    }

   private:
    struct Frame {
        Page page;
        unsigned rrpv;
        uint64_t fault;  // the one that brought it in
    };
    Frame *victim() {
        for (;;) {
            bool all_distant = true;
            for (Frame &f : frames_) {
                if (f.rrpv == distant_ && fault_ - f.fault >= delay_) {
                    return &f;
                }
                all_distant = all_distant && f.rrpv == distant_;
            }
            if (all_distant) {
                return &*std::min_element(
                    frames_.begin(), frames_.end(),
                    [](const Frame &a, const Frame &b) { return a.fault < b.fault; });
            }
            for (Frame &f : frames_) {
                f.rrpv += f.rrpv < distant_ ? 1 : 0;
            }
        }
    }
    unsigned distant_, insert_;
    uint64_t delay_;
    bool frequency_;
    uint64_t fault_ = 0;
    std::vector<Frame> frames_;
};

}  // namespace slow

#endif
