// SPDX-License-Identifier: Apache-2.0
// parity_log.h: which words that turned bad the unit tells of, by stat_parity and stat_parity_last.
#pragma once
#include <algorithm>
#include <iterator>
#include <set>

#include "gmmu/codes.h"
#include "lockstep/checker.h"

namespace lockstep {

class ParityLog : public Checker<ParityLog> {
   public:
    static constexpr const char *block = "gmmu_tier";
    using Checker::Checker;

    enum { PLACES = GMMU_PARITY_FAULT };
    // Since reset: how many were told, by place (GMMU_PARITY_…), and with which numbers.
    uint64_t told[PLACES + 1] = {};
    std::set<uint32_t> numbers[PLACES + 1];
    // What was told otherwise: not one at a time, of no place, or the last one changed by itself.
    bool odd = false;

    void settled() {
        if (dut.rst) {
            std::fill(std::begin(told), std::end(told), 0);
            for (auto &n : numbers) n.clear();
            count = last = 0;
            return;
        }
        const uint32_t now = dut.stat_parity, here = dut.stat_parity_last;
        if (now == count) {
            odd |= here != last;
            return;
        }
        const uint32_t place = here >> 24;
        odd |= now != count + 1 || place == 0 || place > PLACES;
        count = now;
        last = here;
        if (place <= PLACES) {
            told[place]++;
            numbers[place].insert(here & 0xFFFFFF);
        }
    }

   private:
    uint32_t count = 0, last = 0;
};

}  // namespace lockstep
