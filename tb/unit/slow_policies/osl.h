// SPDX-License-Identifier: Apache-2.0
// osl.h: OSL: optimal steps of leases.
#ifndef GMMU_TB_SLOW_POLICIES_OSL_H
#define GMMU_TB_SLOW_POLICIES_OSL_H

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "policy.h"
#include "positions.h"

namespace slow {

// Li et al., ASPLOS 2019: among all longer leases of all pages the one with the most hits per cost
// is given, over and over. Of equal ones the page that appeared first, of one page the longest.
class Osl : public Policy {
   public:
    explicit Osl(const Setting &s) : Policy(s), end_(s.trace.size()) {
        for (auto &[page, at] : positions(s.trace)) {
            leases_.push_back({std::move(at), 1, 0, 0, 1, 0});
        }
        uint64_t left = (s.frames - 1) * end_;  // a lease of one costs one
        for (;;) {
            Lease *best = nullptr;
            Step most{0, 1, 0};
            for (Lease &l : leases_) {
                for (size_t i = 0; i + 1 < l.at.size(); i++) {
                    const uint64_t longer = l.at[i + 1] - l.at[i];
                    if (longer <= l.lease) {
                        continue;
                    }
                    const Step step = {hits(l, longer) - hits(l, l.lease),
                                       cost(l, longer) - cost(l, l.lease), longer};
                    const uint64_t here = step.hits * most.cost;
                    const uint64_t there = most.hits * step.cost;
                    if (here > there || (here == there && &l == best && longer > most.lease)) {
                        best = &l;
                        most = step;
                    }
                }
            }
            if (best == nullptr) {
                break;
            }
            if (most.cost > left) {
                best->longer = most.lease;
                best->share = left;
                best->shares = most.cost;
                break;
            }
            left -= most.cost;
            best->lease = most.lease;
        }
    }
    void access(Page p) override {
        Lease &l = leases_[p];
        // The k-th access gets the longer lease if floor(k · share / shares) is a new number.
        const uint64_t before = l.accesses++ * l.share / l.shares;
        const bool longer = l.accesses * l.share / l.shares != before;
        until_[p] = now_ + (longer ? l.longer : l.lease);
        for (auto i = until_.begin(); i != until_.end();) {
            i = i->second == now_ ? until_.erase(i) : std::next(i);
        }
        now_++;
    }
    void resident(std::vector<Page> *all) const override {
        for (const auto &[page, until] : until_) {
            all->push_back(page);
        }
    }

   private:
    struct Lease {
        std::vector<uint64_t> at;  // the page's accesses
        uint64_t lease, longer, share, shares, accesses;
    };
    struct Step {
        uint64_t hits, cost, lease;
    };
    static uint64_t hits(const Lease &l, uint64_t lease) {
        uint64_t n = 0;
        for (size_t i = 0; i + 1 < l.at.size(); i++) {
            n += l.at[i + 1] - l.at[i] <= lease ? 1 : 0;
        }
        return n;
    }
    uint64_t cost(const Lease &l, uint64_t lease) const {
        uint64_t sum = std::min(lease, end_ - l.at.back());
        for (size_t i = 0; i + 1 < l.at.size(); i++) {
            sum += std::min(lease, l.at[i + 1] - l.at[i]);
        }
        return sum;
    }
    uint64_t end_;
    std::vector<Lease> leases_;  // of each page
    uint64_t now_ = 0;
    std::map<Page, uint64_t> until_;  // the walk with which its lease ends
};

}  // namespace slow

#endif
