// SPDX-License-Identifier: Apache-2.0
// slow_rdgc.h: RDGC written a second time, from docs/guide/rdgc.md and the paper alone: literal, a
// step at a time, lists that are searched from their front. What cmodel/rdgc is compared with;
// nothing is shared with it but the structs of parameters (config.h).
#ifndef GMMU_TB_SLOW_RDGC_H
#define GMMU_TB_SLOW_RDGC_H

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "rdgc/config.h"
#include "slow_rdgc/arithmetic.h"
#include "slow_rdgc/blocks.h"
#include "slow_rdgc/cache.h"
#include "slow_rdgc/events.h"
#include "slow_rdgc/logical.h"

namespace slow_rdgc {

struct Share {
    uint64_t hits = 0, accesses = 0;
    void add(const std::vector<uint64_t> &counter) {
        for (size_t rd = 0; rd < counter.size(); rd++) {
            hits += rd + 1 < counter.size() ? counter[rd] : 0;
            accesses += counter[rd];
        }
    }
};

class Model {
   public:
    explicit Model(const gmmu_rdgc_config &config)
        : c_(config), l2_(config.l2, config.seed + 1 + config.sms), l1_log(config.sms) {
        gmmu_rdgc_cache_config l1 = c_.l1;
        if (l1.bypass == GMMU_RDGC_RWON) {  // one set in a bank
            l1.capacity = uint64_t{l1.block} * l1.ways * l1.partitions * l1.banks;
        }
        for (uint64_t j = 0; j < c_.sms; j++) {
            l1_.emplace_back(l1, c_.seed + 1 + j);
        }
    }

    void run(const Grid &grid) {
        const Logical trace(grid);
        const std::vector<uint64_t> sm_of = map_blocks(c_, grids++, grid.blocks);
        std::vector<std::vector<uint64_t>> blocks_of(c_.sms);  // SB of each SM
        for (uint64_t b = 0; b < grid.blocks; b++) {
            blocks_of[sm_of[b]].push_back(b);
        }
        const auto active = static_cast<uint64_t>(
            std::count_if(blocks_of.begin(), blocks_of.end(), [](auto &s) { return !s.empty(); }));
        std::map<uint64_t, std::vector<Access>> l2_lists;  // by the step of the grid
        uint64_t longest = 0;
        for (uint64_t sm = 0; sm < c_.sms; sm++) {
            l1_[sm].scale(active, uint64_t{c_.l2.partitions} * c_.l2.banks);
            const uint64_t before = l1_[sm].counts().steps;
            analyse(sm, blocks_of[sm], grid, trace, &l2_lists);
            longest = std::max(longest, l1_[sm].counts().steps - before);
        }
        l1_steps_longest += longest;
        for (const auto &[t, list] : l2_lists) {
            l2_given.push_back(list);
            l2_.profile(list, &l2_log);
        }
        for (uint64_t sm = 0; sm < c_.sms; sm++) {
            l1_[sm].drain(&l1_log[sm]);
            if (!c_.keep_l1) {
                l1_[sm].flush();
            }
        }
        l2_.drain(&l2_log);
        if (!c_.keep_l2) {
            l2_.flush();
        }
    }

    Counts l1() const {
        Counts sum(c_.l1.ways);
        for (const Cache &l1 : l1_) {
            sum.add(l1.counts());
        }
        return sum;
    }
    const Counts &l1(uint64_t sm) const { return l1_[sm].counts(); }
    const Counts &l2() const { return l2_.counts(); }
    Share l1_reads() const {
        Share s;
        s.add(l1().r);
        return s;
    }
    Share l2_all() const {
        Share s;
        s.add(l2().r);
        s.add(l2().w);
        return s;
    }

   private:
    // Algorithm 2.
    void analyse(uint64_t sm, const std::vector<uint64_t> &blocks, const Grid &grid,
                 const Logical &trace, std::map<uint64_t, std::vector<Access>> *l2_lists) {
        const uint64_t start = l1_[sm].step();
        const uint64_t wpb = quotient_up(grid.threads, 32);
        const auto [cb, nitr] = concurrent_blocks(c_, wpb, blocks.size());
        for (uint64_t i = 0; i < nitr; i++) {
            for (uint64_t j : trace.used) {
                for (uint64_t k = i * cb; k < (i + 1) * cb && k < blocks.size(); k++) {
                    for (uint64_t l = 0; l < quotient_up(wpb, c_.schedulers); l++) {
                        one_list(sm, blocks[k], j, l, wpb, trace, start, l2_lists);
                    }
                }
            }
        }
    }

    void one_list(uint64_t sm, uint64_t block, uint64_t number, uint64_t l, uint64_t wpb,
                  const Logical &trace, uint64_t start,
                  std::map<uint64_t, std::vector<Access>> *l2_lists) {
        const bool bypassed = c_.l1.bypass == GMMU_RDGC_RWON;
        std::vector<Access> w;
        std::vector<std::vector<uint64_t>> addresses;  // of each of W
        for (uint64_t warp = l * c_.schedulers; warp < (l + 1) * c_.schedulers && warp < wpb;
             warp++) {
            for (const bool write : {false, true}) {
                const auto found = trace.accesses.find({block, number, warp, write});
                if (found == trace.accesses.end()) {
                    continue;
                }
                instructions++;
                for (const Coalesced &a :
                     coalesce(found->second, bypassed ? c_.l2.block : c_.l1.block)) {
                    coalesced++;
                    w.push_back({a.block, warp, write});
                    addresses.push_back(a.addresses);
                }
            }
        }
        for (const Cache::Sent &sent : l1_[sm].profile(w, &l1_log[sm])) {
            std::vector<Access> &list = (*l2_lists)[sent.step - start];
            for (uint64_t b : l2_blocks(w[sent.place].block, sent.miss, addresses[sent.place])) {
                list.push_back({b, sm, w[sent.place].write});
            }
        }
    }

    // Of an L1 block that is sent on, ascending.
    std::vector<uint64_t> l2_blocks(uint64_t block, bool miss,
                                    const std::vector<uint64_t> &addresses) const {
        if (c_.l1.bypass == GMMU_RDGC_RWON) {
            return {block};
        }
        if (c_.l2.block >= c_.l1.block) {
            return {block * c_.l1.block / c_.l2.block};
        }
        std::vector<uint64_t> out;
        for (uint64_t k = 0; k < c_.l1.block / c_.l2.block; k++) {
            const uint64_t b = block * (c_.l1.block / c_.l2.block) + k;
            if (miss || std::any_of(addresses.begin(), addresses.end(),
                                    [&](uint64_t a) { return a / c_.l2.block == b; })) {
                out.push_back(b);
            }
        }
        return out;
    }

    const gmmu_rdgc_config c_;
    std::vector<Cache> l1_;
    Cache l2_;

   public:
    uint64_t grids = 0, instructions = 0, coalesced = 0, l1_steps_longest = 0;
    std::vector<std::vector<Event>> l1_log;  // of each SM
    std::vector<Event> l2_log;
    std::vector<std::vector<Access>> l2_given;  // L2's lists
};

}  // namespace slow_rdgc

#endif
