// SPDX-License-Identifier: Apache-2.0
// random_cache.h: random caches and lists of accesses.
#ifndef GMMU_TB_RDGC_SLOW_RANDOM_CACHE_H
#define GMMU_TB_RDGC_SLOW_RANDOM_CACHE_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "compare.h"
#include "rdgc/rdgc.h"
#include "slow_rdgc.h"

inline uint64_t lines_of(const gmmu_rdgc_cache_config &c) {
    return c.capacity / c.block;
}

// What a latency can at most be, roughly.
inline uint64_t longest_latency(const gmmu_rdgc_cache_config &c, uint64_t n, uint64_t d) {
    return c.adaptive ? 1 + (c.k1 + uint64_t{c.k2} * c.mshrs * n / d) / 1000 : c.latency;
}

inline gmmu_rdgc_cache_config random_cache(Random *r) {
    gmmu_rdgc_cache_config c = {};
    uint64_t sets = r->of({1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 31, 32, 60});
    c.ways = r->of32({1, 1, 2, 2, 3, 4, 4, 5, 8, 16});
    c.block = r->of32({4, 16, 32, 64, 128, 128, 256, 4096});
    c.partitions = r->of32({1, 1, 1, 2, 3, 4, 5, 7, 7, 8});
    c.banks = r->of32({1, 1, 1, 2, 2, 3, 4});
    c.ports = r->of32({1, 1, 1, 2, 2, 3, 4, 64});
    c.partition_chunk = r->of32({1, 1, 1, 1, 1, 2, 3, 4, 8, 1U << 20});
    c.bank_chunk = r->of32({1, 1, 1, 1, 1, 2, 3, 4, 8, 1U << 20});
    c.index = static_cast<gmmu_rdgc_index>(r->below(4));
    c.shift = c.index == GMMU_RDGC_SMOD ? r->of32({0, 1, 1, 2, 3, 5, 12, 40}) : 0;
    c.replacement =
        r->percent(40) ? GMMU_RDGC_LRU : static_cast<gmmu_rdgc_replacement>(r->below(4));
    c.bypass = static_cast<gmmu_rdgc_bypass>(r->of({0, 0, 0, 1, 1, 1, 1, 2}));
    c.mshr_sets = 1 + static_cast<uint32_t>(r->below(c.partitions));
    if (c.partitions == 7 && r->percent(60)) {
        c.mshr_sets = 4;  // GTX 970
    }
    c.mshrs = r->of32({1, 1, 2, 2, 3, 4, 8, 32});
    c.merges = r->of32({0, 0, 1, 1, 2, 3, 8, 65535});
    c.latency = r->of32({1, 1, 1, 2, 2, 3, 4, 7, 20, 100, 1000});
    c.adaptive = r->percent(40);
    c.k1 = r->of32({0, 1, 125, 499, 500, 501, 1000, 1333, 2000, 2001, 4000, r->below(10000)});
    c.k2 = r->of32({0, 1, 125, 250, 250, 333, 500, 999, 1000, r->below(3000)});
    c.arrival = r->percent(30) ? GMMU_RDGC_END : GMMU_RDGC_START;
    c.hit = 1;
    if (r->percent(3)) {  // an end of one key's values
        switch (r->below(6)) {
            case 0:
                c.ways = GMMU_RDGC_MAX_WAYS;
                sets = c.partitions = c.mshr_sets = c.banks = 1;
                break;
            case 1:
                sets = r->of({4095, 4096, 16381, 65536});
                break;
            case 2:
                c.partitions = GMMU_RDGC_MAX_PARTITIONS;
                c.mshr_sets = r->of32({1, 3, 100, 255, 256});
                break;
            case 3:
                c.banks = GMMU_RDGC_MAX_BANKS;
                break;
            case 4:
                c.mshrs = GMMU_RDGC_MAX_MSHRS;
                break;
            default:
                c.k1 = c.k2 = GMMU_RDGC_MAX_LATENCY * 1000U;
                break;
        }
    }
    c.capacity = uint64_t{c.block} * c.ways * c.partitions * c.banks * sets;
    return c;
}

// Multiples of it collide in a hash that multiplies by the golden ratio.
constexpr uint64_t kFibonacci47 = 2971215073;

// The blocks that a trace of one cache touches: a pool that lies anywhere, with strides that
// collide in partitions, banks and sets.
class Pool {
   public:
    Pool(Random *r, const gmmu_rdgc_cache_config &c) : r_(r) {
        const uint64_t lines = std::min<uint64_t>(lines_of(c), 300);
        size_ = std::max<uint64_t>(
            1, r->of({1, 2, 5, lines / 2, lines, lines + 1, 2 * lines, 2 * lines, 3 * lines}));
        const uint64_t parallel = uint64_t{c.partitions} * c.banks;
        const uint64_t sets = lines_of(c) / c.ways / parallel;
        stride_ = r->of({1, 1, 1, 1, 2, 3, c.partitions, c.banks, parallel, parallel * sets,
                         parallel << slow_rdgc::index_bits(sets), uint64_t{1} << 20, kFibonacci47});
        const uint64_t last = (uint64_t{1} << 62) - 1;  // of the blocks of 4 bytes
        base_ = r->of({0, 0, 0, r->below(1000), (uint64_t{1} << 32) - 3, last - size_ * stride_,
                       r->bits() >> 8});
        shape_ = r->below(5);
    }
    uint64_t next() {
        uint64_t n = r_->below(size_);
        if (shape_ == 0 || (shape_ == 1 && r_->percent(80))) {
            n = at_++ % size_;  // cycles, with leaps
        } else if (shape_ == 2) {
            n = r_->below(1 + n);  // skewed
        } else if (shape_ == 3) {
            at_ = r_->percent(10) ? n : at_;  // a neighbourhood that moves
            n = (at_ + r_->below(4)) % size_;
        }
        return base_ + n * stride_;
    }

   private:
    Random *r_;
    uint64_t size_, stride_, base_, shape_;
    uint64_t at_ = 0;
};

inline std::vector<Access> random_list(Random *r, Pool *pool, uint64_t write_percent, size_t most) {
    std::vector<Access> list;
    uint64_t warp = r->percent(3) ? 65535 - 24 : r->below(4);
    for (uint64_t warps = r->of({0, 1, 1, 2, 2, 3, 4, 4, 8}); warps > 0; warps--) {
        const bool mixed = r->percent(20);
        bool write = r->percent(write_percent);
        const bool distinct = r->percent(70);
        const size_t first = list.size();
        uint64_t n = r->of({0, 1, 1, 2, 3, 4, 4, 8, 16, 32});
        for (n = r->percent(1) ? 200 : n; n > 0 && list.size() < most; n--) {
            const uint64_t block = pool->next();
            write = mixed ? r->percent(write_percent) : write;
            const bool twice = std::any_of(list.begin() + static_cast<ptrdiff_t>(first), list.end(),
                                           [&](const Access &a) { return a.block == block; });
            if (!twice || !distinct) {
                list.push_back({block, warp, write});
            }
        }
        warp += r->percent(30) ? 1 + r->below(3) : 1;
    }
    return list;
}

inline std::string compare_sent(const std::string &which, const std::vector<gmmu_rdgc_sent> &fast,
                                size_t n, const std::vector<slow_rdgc::Cache::Sent> &slow) {
    const std::string differs = compare(which + ", number of sent", n, slow.size());
    for (size_t i = 0; i < slow.size() && differs.empty(); i++) {
        if (fast[i].step != slow[i].step || fast[i].access != slow[i].place) {
            const std::string what = which + ", sent " + std::to_string(i);
            return first_of({compare(what + " step", fast[i].step, slow[i].step),
                             compare(what + " place", fast[i].access, slow[i].place)});
        }
    }
    return differs;
}

inline std::string compare_places(const gmmu_rdgc_cache *fast, const slow_rdgc::Cache &slow,
                                  uint64_t block) {
    const gmmu_rdgc_place f = gmmu_rdgc_cache_place(fast, block);
    const slow_rdgc::Place s = slow.place(block);
    const std::string what = "block " + std::to_string(block);
    return first_of({compare(what + " partition", f.partition, s.partition),
                     compare(what + " bank", f.bank, s.bank), compare(what + " set", f.set, s.set),
                     compare(what + " MSHR set", f.mshr_set, s.mshr_set)});
}

struct Totals {
    uint64_t accesses = 0, events = 0;
    uint64_t hits = 0, misses = 0, merged = 0, failed = 0, passed = 0, write_hits = 0;
    void add(const std::vector<Event> &log, uint64_t ways) {
        events += log.size();
        for (const Event &e : log) {
            if (e.kind == Event::Kind::kAccess) {
                hits += e.status == Status::kHit ? 1 : 0;
                misses += e.status == Status::kMiss ? 1 : 0;
                merged += e.status == Status::kMerged ? 1 : 0;
                failed += e.status == Status::kFailed ? 1 : 0;
                passed += e.status == Status::kPassed ? 1 : 0;
                write_hits += e.status == Status::kPassed && e.rd < ways ? 1 : 0;
            }
        }
    }
};

inline std::string cache_text(const gmmu_rdgc_cache_config &c, uint64_t seed) {
    gmmu_rdgc_config all = gmmu_rdgc_defaults();
    all.l1 = c;
    return " cache seed " + std::to_string(seed) + keys(all, "l1.") + "\n";
}

#endif
