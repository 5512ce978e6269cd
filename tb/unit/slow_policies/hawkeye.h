// SPDX-License-Identifier: Apache-2.0
// hawkeye.h: Hawkeye: OPTgen by a list of kept intervals, and queues.
#ifndef GMMU_TB_SLOW_POLICIES_HAWKEYE_H
#define GMMU_TB_SLOW_POLICIES_HAWKEYE_H

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "policy.h"

namespace slow {

class Hawkeye : public Policy {
   public:
    explicit Hawkeye(const Setting &s)
        : Policy(s),
          refs_(s.refs),
          youngest_(s.option("averse", 1) != 0),
          unit_(std::max<uint64_t>(1, s.frames / 16)) {}
    void access(Page p) override {
        const Ref ref = refs_[now_++];
        if (used_.count(p) != 0) {
            const auto [at, earlier] = used_[p];
            learn(earlier, opt_keeps(at / unit_, now_ / unit_) ? 1 : -1);
        }
        if (has(friendly_, p)) {
            take(&friendly_, p);
        } else if (has(averse_, p)) {
            take(&averse_, p);
        } else if (friendly_.size() + averse_.size() == m) {
            leave();
        }
        push(counter(ref) >= 4 ? &friendly_ : &averse_, p);
        used_[p] = {now_, ref};
    }
    void resident(std::vector<Page> *all) const override {
        add(friendly_, all);
        add(averse_, all);
    }

   private:
    int counter(const Ref &ref) { return counters_.emplace(ref, 4).first->second; }
    void learn(const Ref &ref, int by) {
        counters_[ref] = std::min(7, std::max(0, counter(ref) + by));
    }
    // An interval that OPT keeps is noted.
    bool opt_keeps(uint64_t from, uint64_t to) {
        bool room = to - from < 128;
        for (uint64_t slot = from; slot < to && room; slot++) {
            const auto over = std::count_if(kept_.begin(), kept_.end(), [&](const auto &k) {
                return k.first <= slot && slot < k.second;
            });
            room = static_cast<uint64_t>(over) < m;
        }
        if (room) {
            kept_.emplace_back(from, to);
        }
        return room;
    }
    void leave() {
        if (averse_.empty()) {
            learn(used_[pop(&friendly_)].second, -1);
        } else if (youngest_) {
            averse_.erase(averse_.begin());
        } else {
            pop(&averse_);
        }
    }
    const std::vector<Ref> refs_;
    const bool youngest_;
    const uint64_t unit_;
    uint64_t now_ = 0;
    std::map<Ref, int> counters_;
    std::map<Page, std::pair<uint64_t, Ref>> used_;  // each page's last access
    std::vector<std::pair<uint64_t, uint64_t>> kept_;
    Queue friendly_, averse_;
};

}  // namespace slow

#endif
