// SPDX-License-Identifier: Apache-2.0
// rank.h: mean-ri and osl-rank: one number a reference, from all walks so far.
#ifndef GMMU_TB_SLOW_POLICIES_RANK_H
#define GMMU_TB_SLOW_POLICIES_RANK_H

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "policy.h"

namespace slow {

class Rank : public Policy {
   public:
    Rank(const Setting &s, bool osl)
        : Policy(s), refs_(s.refs), osl_(osl), tesla_(s.option("tesla", 1) != 0) {}
    void access(Page p) override {
        if (last_.count(p) != 0) {
            intervals_[refs_[last_[p]]][static_cast<int64_t>(now_ - last_[p])]++;
        }
        if (in_.count(p) == 0 && in_.size() == m) {
            in_.erase(victim());
        }
        in_.insert(p);
        last_[p] = now_++;
    }
    void resident(std::vector<Page> *all) const override { add(in_, all); }

   private:
    struct Number {
        int64_t num, den;  // den 0: none
    };
    Number number(const Ref &ref) const {
        const auto found = intervals_.find(ref);
        if (found == intervals_.end()) {
            return {0, 0};
        }
        Number mean{0, 0};
        Number lease{0, 1};
        Number most{0, 1};
        for (const auto &[l, times] : found->second) {
            mean = {mean.num + l * times, mean.den + times};
            Number ppuc{0, 0};
            for (const auto &[i, n] : found->second) {
                ppuc = {ppuc.num + (i <= l ? n : 0), ppuc.den + std::min(i, l) * n};
            }
            if (ppuc.num * most.den >= most.num * ppuc.den) {
                most = ppuc;
                lease.num = l;
            }
        }
        return osl_ ? lease : mean;
    }
    // Of the pages that cannot be ranked the oldest; else the page that is expected latest.
    Page victim() const {
        std::map<Ref, Number> numbers;
        std::optional<Page> passed;
        std::optional<Page> latest;
        Number most{};
        for (const Page p : in_) {
            const size_t at = last_.at(p);
            if (numbers.count(refs_[at]) == 0) {
                numbers[refs_[at]] = number(refs_[at]);
            }
            const Number n = numbers[refs_[at]];
            const auto tau = static_cast<int64_t>(now_ - at);
            if (n.den == 0 || (tesla_ && n.num <= tau * n.den)) {
                passed = passed && last_.at(*passed) < at ? passed : p;
                continue;
            }
            const Number left{n.num - (tesla_ ? tau * n.den : 0), n.den};
            const int64_t order = latest ? left.num * most.den - most.num * left.den : 1;
            if (order > 0 || (order == 0 && at < last_.at(*latest))) {
                latest = p;
                most = left;
            }
        }
        return passed ? *passed : *latest;
    }
    const std::vector<Ref> refs_;
    const bool osl_, tesla_;
    size_t now_ = 0;
    std::map<Ref, std::map<int64_t, int64_t>> intervals_;
    std::map<Page, size_t> last_;
    std::set<Page> in_;
};

}  // namespace slow

#endif
