// SPDX-License-Identifier: Apache-2.0
// mockingjay.h: Mockingjay, page by page.
#ifndef GMMU_TB_SLOW_POLICIES_MOCKINGJAY_H
#define GMMU_TB_SLOW_POLICIES_MOCKINGJAY_H

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "policy.h"

namespace slow {

class Mockingjay : public Policy {
   public:
    explicit Mockingjay(const Setting &s)
        : Policy(s),
          refs_(s.refs),
          hit_(s.option("hit", 1) != 0),
          fine_(s.option("fine", 0) != 0),
          unit_(std::max<int64_t>(1, static_cast<int64_t>(s.frames) / 16)) {}
    void access(Page p) override {
        const Signature sign{refs_[static_cast<size_t>(now_)], hit_ && in_.count(p) != 0};
        now_++;
        learn(p);
        teach_[p] = {now_, sign};
        last_[p] = now_;
        for (auto &[page, etr] : in_) {
            const bool ticks = !fine_ && now_ % (8 * unit_) == 0;
            etr -= ticks && std::abs(etr) != 15 ? 1 : 0;
        }
        if (in_.count(p) == 0 && in_.size() == m) {
            in_.erase(victim());
        }
        const auto found = predictions_.find(sign);
        const int64_t predicted = found == predictions_.end() ? 0 : found->second;
        if (fine_) {
            in_[p] = now_ * ONE + predicted * unit_;
        } else {
            in_[p] = predicted > 105 * ONE ? 15 : predicted / (8 * ONE);
        }
    }
    void resident(std::vector<Page> *all) const override {
        for (const auto &[page, etr] : in_) {
            all->push_back(page);
        }
    }

   private:
    using Signature = std::pair<Ref, bool>;
    enum : int64_t { ONE = 65536, INF = 127 };

    // The pages that teach, this page P first, then in the order of their accesses.
    void learn(Page p) {
        if (teach_.count(p) != 0 && (now_ - teach_[p].first) / unit_ <= INF) {
            const auto [at, sign] = teach_[p];
            const int64_t walks = now_ - at;
            const int64_t seen = fine_ ? walks * ONE / unit_ : walks / unit_ * ONE;
            const bool fresh = predictions_.count(sign) == 0;
            int64_t &value = predictions_[sign];
            const int64_t step = (seen - value) / 16;
            if (fresh) {
                value = seen;
            } else if (fine_) {
                value += step;
            } else if (std::abs(step) >= ONE) {
                value += step > 0 ? ONE : -ONE;
            }
            teach_.erase(p);
        }
        std::vector<std::pair<int64_t, Page>> order;
        for (const auto &[page, t] : teach_) {
            order.emplace_back(t.first, page);
        }
        std::sort(order.begin(), order.end());
        for (const auto &[at, page] : order) {
            if ((now_ - at) / unit_ > INF) {
                const Signature sign = teach_[page].second;
                const auto known = predictions_.find(sign);
                const int64_t more = known == predictions_.end() ? INF * ONE : known->second + ONE;
                predictions_[sign] = std::min<int64_t>(more, INF * ONE);
                teach_.erase(page);
            }
        }
    }
    Page victim() const {
        const int64_t zero = fine_ ? now_ * ONE : 0;
        return std::max_element(
                   in_.begin(), in_.end(),
                   [&](const auto &a, const auto &b) { return key(a, zero) < key(b, zero); })
            ->first;
    }
    std::tuple<int64_t, bool, int64_t> key(const std::pair<const Page, int64_t> &of,
                                           int64_t zero) const {
        const int64_t last = last_.at(of.first);
        return {std::abs(of.second - zero), of.second < zero, fine_ ? -last : last};
    }
    const std::vector<Ref> refs_;
    const bool hit_, fine_;
    const int64_t unit_;
    int64_t now_ = 0;
    std::map<Signature, int64_t> predictions_;
    std::map<Page, std::pair<int64_t, Signature>> teach_;
    std::map<Page, int64_t> last_;
    std::map<Page, int64_t> in_;  // ETR, or arrival
};

}  // namespace slow

#endif
