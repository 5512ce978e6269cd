// SPDX-License-Identifier: Apache-2.0
// cache.h: a cache, a step at a time.
#ifndef GMMU_TB_SLOW_RDGC_CACHE_H
#define GMMU_TB_SLOW_RDGC_CACHE_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "arithmetic.h"
#include "events.h"
#include "rdgc/config.h"

namespace slow_rdgc {

class Cache {
   public:
    struct Sent {
        uint64_t step;
        size_t place;
        bool miss;  // or bypassed
    };

    // SEED is the random source's first s.
    Cache(const gmmu_rdgc_cache_config &config, uint64_t seed)
        : c_(config),
          sets_of_bank_(config.capacity / config.block / config.ways / config.partitions /
                        config.banks),
          counts_(config.ways),
          random_(seed) {}

    void scale(uint64_t numerator, uint64_t denominator) {
        n_ = numerator;
        d_ = denominator;
    }

    Place place(uint64_t b) const {
        const uint64_t cp = c_.partition_chunk;
        const uint64_t cb = c_.bank_chunk;
        const uint64_t q = b / cp / c_.partitions * cp + b % cp;
        const uint64_t i = q / cb / c_.banks * cb + q % cb;
        Place p = {};
        p.partition = b / cp % c_.partitions;
        p.bank = q / cb % c_.banks;
        p.set = set(i);
        p.mshr_set = p.partition / quotient_up(c_.partitions, c_.mshr_sets);
        return p;
    }

    // Events of the steps are appended to LOG, if there is one.
    std::vector<Sent> profile(const std::vector<Access> &list, std::vector<Event> *log) {
        std::vector<Waiting> all;
        for (size_t n = 0; n < list.size(); n++) {
            all.push_back({n, list[n], place(list[n].block)});
        }
        std::sort(all.begin(), all.end(), [&](const Waiting &a, const Waiting &b) {
            return std::make_tuple(a.access.warp, bank_number(a.at), a.n) <
                   std::make_tuple(b.access.warp, bank_number(b.at), b.n);
        });
        std::vector<const Waiting *> unresolved;
        for (const Waiting &w : all) {
            unresolved.push_back(&w);
        }
        std::vector<Sent> sent;
        while (!unresolved.empty()) {
            unresolved = one_step(unresolved, &sent, log);
            step_++;
            counts_.steps++;
        }
        return sent;
    }

    // Without time.
    Status access(uint64_t block, bool write) {
        if (c_.bypass == GMMU_RDGC_RWON) {
            counts_.bypassed++;
            return Status::kPassed;
        }
        const Place p = place(block);
        const uint64_t rd = distance(block, p);
        counter(write)[rd]++;
        if (c_.bypass == GMMU_RDGC_WON && write) {
            counts_.bypassed++;
            leave(block, p);
            return Status::kPassed;
        }
        if (rd < c_.ways) {
            touch(block, p);
            return Status::kHit;
        }
        fill(block, p);
        return Status::kMiss;
    }

    void drain(std::vector<Event> *log) {
        while (!outstanding_.empty()) {
            fill(outstanding_.front().block, outstanding_.front().at);
            if (log != nullptr) {
                log->push_back(Event::update(step_, outstanding_.front().block));
            }
            outstanding_.erase(outstanding_.begin());
        }
    }
    void flush() {
        sets_.clear();
        outstanding_.clear();
    }
    // Not counted; true: it was there.
    bool remove(uint64_t block) {
        Set &set = set_at(place(block));
        const auto at = find(&set, block);
        if (at == set.end()) {
            return false;
        }
        set.erase(at);
        return true;
    }
    void clear_counts() { counts_ = Counts(c_.ways); }
    const Counts &counts() const { return counts_; }
    uint64_t step() const { return step_; }

   private:
    struct Line {
        uint64_t block;
        uint64_t count;  // of LFU
    };
    using Set = std::vector<Line>;  // front: position 0
    struct Waiting {
        size_t n;  // its place in the list
        Access access;
        Place at;
    };
    struct Outstanding {
        uint64_t block;
        Place at;
        uint64_t due;
        uint64_t merged;
    };

    uint64_t set(uint64_t i) const {
        const uint64_t s = sets_of_bank_;
        switch (c_.index) {
            case GMMU_RDGC_MOD:
                return i % s;
            case GMMU_RDGC_SMOD:
                return i / (uint64_t{1} << c_.shift) % s;
            case GMMU_RDGC_PRI:
                return i % largest_prime(s);
            default:
                break;
        }
        const uint64_t values = uint64_t{1} << index_bits(s);
        return ((i % values) ^ (i / values % values)) % s;
    }

    uint64_t bank_number(const Place &p) const { return p.partition * c_.banks + p.bank; }

    Set &set_at(const Place &p) { return sets_[{bank_number(p), p.set}]; }
    static Set::iterator find(Set *set, uint64_t block) {
        return std::find_if(set->begin(), set->end(),
                            [&](const Line &l) { return l.block == block; });
    }

    // RD as it is counted: of LRU the position, of the others 0; K is infinite.
    uint64_t distance(uint64_t block, const Place &p) {
        Set &set = set_at(p);
        const auto at = find(&set, block);
        if (at == set.end()) {
            return c_.ways;
        }
        return c_.replacement == GMMU_RDGC_LRU ? static_cast<uint64_t>(at - set.begin()) : 0;
    }

    std::vector<uint64_t> &counter(bool write) { return write ? counts_.w : counts_.r; }

    // A hit changes its set.
    void touch(uint64_t block, const Place &p) {
        Set &set = set_at(p);
        const auto at = find(&set, block);
        if (at == set.end()) {
            return;  // it has left in this phase
        }
        if (c_.replacement == GMMU_RDGC_LRU || c_.replacement == GMMU_RDGC_LFU) {
            const Line line = {at->block, at->count + 1};
            set.erase(at);
            set.insert(set.begin(), line);
        }
    }

    // A write hit under WON.
    void leave(uint64_t block, const Place &p) {
        Set &set = set_at(p);
        const auto at = find(&set, block);
        if (at != set.end()) {
            set.erase(at);
            counts_.write_evictions++;
        }
    }

    void fill(uint64_t block, const Place &p) {
        Set &set = set_at(p);
        if (find(&set, block) != set.end()) {
            throw std::logic_error("a block arrives that is there");
        }
        if (set.size() == c_.ways) {
            set.erase(victim(&set));
            counts_.evictions++;
        }
        set.insert(set.begin(), Line{block, 1});
        counts_.fills++;
    }

    Set::iterator victim(Set *set) {
        if (c_.replacement == GMMU_RDGC_RANDOM) {
            return set->begin() + static_cast<ptrdiff_t>(draw_below(&random_, c_.ways));
        }
        auto out = set->end() - 1;
        if (c_.replacement == GMMU_RDGC_LFU) {
            for (auto at = set->end(); at != set->begin();) {
                --at;
                if (at->count < out->count) {
                    out = at;
                }
            }
        }
        return out;
    }

    uint64_t busy(uint64_t mshr_set) const {
        return static_cast<uint64_t>(
            std::count_if(outstanding_.begin(), outstanding_.end(),
                          [&](const Outstanding &o) { return o.at.mshr_set == mshr_set; }));
    }

    // Of an access that has just reserved its MSHR.
    uint64_t latency(uint64_t mshr_set) const {
        if (!c_.adaptive) {
            return c_.latency;
        }
        // floor(x / y + 1/2), x and y in thousandths: floor((2x + y) / 2y)
        const uint64_t x = c_.k1 * d_ + c_.k2 * busy(mshr_set) * n_;
        const uint64_t y = 1000 * d_;
        return std::max<uint64_t>(1, (2 * x + y) / (2 * y));
    }

    void arrivals(std::vector<Event> *log) {
        for (auto o = outstanding_.begin(); o != outstanding_.end();) {
            if (o->due > step_) {
                ++o;
                continue;
            }
            fill(o->block, o->at);
            if (log != nullptr) {
                log->push_back(Event::update(step_, o->block));
            }
            o = outstanding_.erase(o);
        }
    }

    // Those that are still unresolved after the step.
    std::vector<const Waiting *> one_step(const std::vector<const Waiting *> &order,
                                          std::vector<Sent> *sent, std::vector<Event> *log) {
        if (c_.arrival == GMMU_RDGC_START) {
            arrivals(log);
        }
        std::vector<uint64_t> ports_taken(c_.partitions * c_.banks);
        std::vector<const Waiting *> still;
        std::vector<const Waiting *> changes;  // hits and evictions by write hits
        for (const Waiting *w : order) {
            uint64_t &taken = ports_taken[bank_number(w->at)];
            if (taken == c_.ports) {
                still.push_back(w);
                continue;
            }
            const uint64_t port = taken++;
            const uint64_t rd =
                c_.bypass == GMMU_RDGC_RWON ? c_.ways : distance(w->access.block, w->at);
            const Status status = try_access(w->access, w->at, rd);
            if (status == Status::kFailed) {
                still.push_back(w);
            } else if (status == Status::kMiss || status == Status::kPassed) {
                sent->push_back({step_, w->n, status == Status::kMiss});
            }
            if (status != Status::kFailed && rd < c_.ways) {
                changes.push_back(w);
            }
            if (log != nullptr) {
                log->push_back(Event::access(step_, w->access, w->n, w->at, port, rd, status));
            }
        }
        const uint64_t free = uint64_t{c_.mshr_sets} * c_.mshrs - outstanding_.size();
        for (const Waiting *w : changes) {
            if (c_.bypass == GMMU_RDGC_WON && w->access.write) {
                leave(w->access.block, w->at);
            } else {
                touch(w->access.block, w->at);
            }
        }
        if (c_.arrival == GMMU_RDGC_END) {
            arrivals(log);
        }
        if (log != nullptr) {
            log->push_back(Event::end(step_, free));
        }
        return still;
    }

    // Has its port; the sets stay as they are.
    Status try_access(const Access &a, const Place &p, uint64_t rd) {
        if (c_.bypass == GMMU_RDGC_RWON) {
            counts_.bypassed++;
            return Status::kPassed;
        }
        if (c_.bypass == GMMU_RDGC_WON && a.write) {
            counts_.w[rd]++;
            counts_.bypassed++;
            return Status::kPassed;
        }
        if (rd < c_.ways) {
            counter(a.write)[rd]++;
            return Status::kHit;
        }
        for (Outstanding &o : outstanding_) {
            if (o.block == a.block) {
                if (o.merged < c_.merges) {
                    o.merged++;
                    counts_.merges++;
                    counter(a.write)[c_.ways]++;
                    return Status::kMerged;
                }
                counts_.rf++;
                return Status::kFailed;
            }
        }
        if (busy(p.mshr_set) == c_.mshrs) {
            counts_.rf++;
            return Status::kFailed;
        }
        outstanding_.push_back({a.block, p, 0, 0});
        outstanding_.back().due = step_ + latency(p.mshr_set);
        counter(a.write)[c_.ways]++;
        return Status::kMiss;
    }

    const gmmu_rdgc_cache_config c_;
    const uint64_t sets_of_bank_;
    Counts counts_;
    uint64_t random_;
    uint64_t n_ = 1, d_ = 1;
    uint64_t step_ = 0;
    std::map<std::pair<uint64_t, uint64_t>, Set> sets_;  // by bank number, set
    std::vector<Outstanding> outstanding_;               // in order of insertion
};

}  // namespace slow_rdgc

#endif
