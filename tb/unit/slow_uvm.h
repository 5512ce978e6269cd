// SPDX-License-Identifier: Apache-2.0
// slow_uvm.h: policy uvm written again from docs/reference/policies.md, page by page: what uvm.c is
// compared with. Nothing is shared with uvm.c.
#ifndef GMMU_TB_SLOW_UVM_H
#define GMMU_TB_SLOW_UVM_H

#include <cstdint>
#include <list>
#include <map>
#include <set>
#include <utility>

namespace slow {

// A page is (asid, vpn).
using UvmPage = std::pair<uint32_t, uint64_t>;

struct UvmSetting {
    uint64_t frames = 1;
    uint64_t chunk = 512;  // pages
    bool order_access = false;
    bool tbn = true;
};

// What one access did.
struct UvmStep {
    bool fault = false;
    std::set<UvmPage> in, out;
};

class Uvm {
   public:
    explicit Uvm(const UvmSetting &s) : s_(s) {
        while (s_.chunk > s_.frames) {
            s_.chunk /= 2;
        }
    }
    UvmStep access(const UvmPage &page) {
        UvmStep step;
        const Block block = {page.first, page.second / s_.chunk};
        const uint64_t at = page.second % s_.chunk;
        step.fault = resident_.count(block) == 0 || resident_[block].count(at) == 0;
        if (!step.fault) {
            if (s_.order_access) {
                to_tail(block);
            }
            return step;
        }
        if (resident_.count(block) == 0 && used_.size() == s_.frames / s_.chunk) {
            const Block head = used_.front();
            used_.pop_front();
            for (const uint64_t i : resident_[head]) {
                step.out.insert({head.first, head.second * s_.chunk + i});
            }
            resident_.erase(head);
        }
        to_tail(block);
        std::set<uint64_t> &pages = resident_[block];
        const Range range = s_.tbn ? grown(pages, at) : Range{at, at + 1};
        for (uint64_t i = range.first; i < range.second; i++) {
            if (pages.insert(i).second) {
                step.in.insert({block.first, block.second * s_.chunk + i});
            }
        }
        return step;
    }
    uint64_t chunks() const { return used_.size(); }
    uint64_t chunk() const { return s_.chunk; }
    uint64_t pages() const {
        uint64_t sum = 0;
        for (const auto &b : resident_) {
            sum += b.second.size();
        }
        return sum;
    }

   private:
    using Block = std::pair<uint32_t, uint64_t>;
    using Range = std::pair<uint64_t, uint64_t>;  // the end is not included
    void to_tail(const Block &b) {
        used_.remove(b);
        used_.push_back(b);
    }
    // The pages of the largest node of the tree above page AT of which more than 51 % are there.
    Range grown(const std::set<uint64_t> &pages, uint64_t at) const {
        std::set<uint64_t> tree = pages;
        const uint64_t big = s_.chunk > 32 ? s_.chunk / 32 : 1;
        for (uint64_t i = 0; i < big; i++) {
            tree.insert(at / big * big + i);
        }
        Range range = {at, at + 1};
        for (uint64_t node = 1; node <= s_.chunk; node *= 2) {
            const uint64_t first = at / node * node;
            uint64_t there = 0;
            for (uint64_t i = first; i < first + node; i++) {
                there += tree.count(i);
            }
            if (there * 100 > node * 51) {
                range = {first, first + node};
            }
        }
        return range;
    }

    UvmSetting s_;
    std::list<Block> used_;                         // the head leaves next
    std::map<Block, std::set<uint64_t>> resident_;  // of the chunks in memory
};

}  // namespace slow

#endif
