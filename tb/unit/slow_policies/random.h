// SPDX-License-Identifier: Apache-2.0
// random.h: a frame at random.
#ifndef GMMU_TB_SLOW_POLICIES_RANDOM_H
#define GMMU_TB_SLOW_POLICIES_RANDOM_H

#include <cstdint>
#include <vector>

#include "policy.h"

namespace slow {

// Steele, Lea and Flood, OOPSLA 2014, Fig. 17's mix with the golden gamma.
inline uint64_t splitmix64(uint64_t *state) {
    *state += 0x9e3779b97f4a7c15U;
    uint64_t z = *state;
    z ^= z >> 30;
    z *= 0xbf58476d1ce4e5b9U;
    z ^= z >> 27;
    z *= 0x94d049bb133111ebU;
    z ^= z >> 31;
    return z;
}

class Random : public Policy {
   public:
    explicit Random(const Setting &s) : Policy(s), state_(s.option("seed", s.seed)) {}
    void access(Page p) override {
        if (has(frames_, p)) {
            return;
        }
        if (frames_.size() < m) {
            frames_.push_back(p);
            return;
        }
        // floor(x · m / 2^64), m below 2^32, in two halves of x
        const uint64_t x = splitmix64(&state_);
        const uint64_t low = ((x & 0xffffffffU) * m) >> 32;
        frames_[((x >> 32) * m + low) >> 32] = p;
    }
    void resident(std::vector<Page> *all) const override { add(frames_, all); }

   private:
    uint64_t state_;
    std::vector<Page> frames_;
};

}  // namespace slow

#endif
