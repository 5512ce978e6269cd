// SPDX-License-Identifier: Apache-2.0
// digest.h: a digest of decisions, in their order, with all fields that leave the unit.
#pragma once
#include <cstdint>

#include "driver/page.h"

namespace driver {

class Digest {
   public:
    uint64_t decisions = 0;

    void add(const Decision &d) {
        decisions++;
        const uint64_t fields[] = {
            d.seq,        d.asid,         d.vpn,      d.tier,        d.frame,  d.victim_asid,
            d.victim_vpn, d.victim_dirty, d.priority, d.victim_last, d.ahead,  d.lost,
            d.fresh,      d.rise,         d.swap,     d.pred,        d.forced, d.t2_valid,
            d.t2_slot,    d.t2_asid,      d.t2_vpn,   d.t2_dirty};
        for (const uint64_t f : fields) word(f);
    }
    uint64_t value() const { return hash_; }

   private:
    uint64_t hash_ = 0xCBF29CE484222325ull;  // FNV-1a, by bytes

    void word(uint64_t w) {
        for (unsigned i = 0; i < 8; i++) hash_ = (hash_ ^ (w >> 8 * i & 0xFF)) * 0x100000001B3ull;
    }
};

}  // namespace driver
