// SPDX-License-Identifier: Apache-2.0
// logical.h: the logical model: threads' accesses become those of warps.
#ifndef GMMU_TB_SLOW_RDGC_LOGICAL_H
#define GMMU_TB_SLOW_RDGC_LOGICAL_H

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

namespace slow_rdgc {

struct ThreadAccess {
    uint64_t number;  // AN
    uint64_t block;   // BID
    uint64_t thread;  // TID
    bool write;       // S
    uint64_t address;
    bool operator<(const ThreadAccess &o) const {
        return std::tie(block, number, thread, write, address) <
               std::tie(o.block, o.number, o.thread, o.write, o.address);
    }
    bool operator==(const ThreadAccess &o) const { return !(*this < o) && !(o < *this); }
};

struct Grid {
    uint64_t blocks;   // NB
    uint64_t threads;  // Bdim
    std::vector<ThreadAccess> accesses;
};

// Of a warp's access: block, AN, warp, write: the order of the trace.
using WarpKey = std::tuple<uint64_t, uint64_t, uint64_t, bool>;
using Lanes = std::map<unsigned, uint64_t>;  // address of each active lane

struct Logical {
    std::map<WarpKey, Lanes> accesses;
    std::set<uint64_t> used;  // AN; the lists of all others are empty
    uint64_t numbers = 0;     // largest AN + 1
    uint64_t longest = 0;     // L
    uint64_t reads = 0, writes = 0;

    explicit Logical(const Grid &g) {
        std::map<std::pair<uint64_t, uint64_t>, uint64_t> of_thread;
        for (const ThreadAccess &a : g.accesses) {
            Lanes &lanes = accesses[{a.block, a.number, a.thread / 32, a.write}];
            if (!lanes.emplace(static_cast<unsigned>(a.thread % 32), a.address).second) {
                throw std::logic_error("a thread has two accesses of one AN and S");
            }
            used.insert(a.number);
            numbers = std::max(numbers, a.number + 1);
            longest = std::max(longest, ++of_thread[{a.block, a.thread}]);
            (a.write ? writes : reads)++;
        }
    }
};

}  // namespace slow_rdgc

#endif
