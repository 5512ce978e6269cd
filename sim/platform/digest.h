// SPDX-License-Identifier: Apache-2.0
// digest.h: of what was decided, in its order: equal for equal sequences of words.
#pragma once
#include <cstdint>

class Digest {
   public:
    void mix(uint64_t word) {
        value_ = (value_ ^ word) * 0x100000001b3u;
        value_ ^= value_ >> 29;
    }
    uint64_t value() const { return value_; }

   private:
    uint64_t value_ = 0xcbf29ce484222325u;
};
