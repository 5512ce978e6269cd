// SPDX-License-Identifier: Apache-2.0
// slow_rdgc.h: RDGC written a second time, from docs/rdgc.md and the paper alone: literal, a step
// at a time, lists that are searched from their front. What cmodel/rdgc is compared with; nothing
// is shared with it but the structs of parameters (config.h).
#ifndef GMMU_TB_SLOW_RDGC_H
#define GMMU_TB_SLOW_RDGC_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "rdgc/config.h"

namespace slow_rdgc {

// ---- arithmetic of the page

inline uint64_t next_random(uint64_t *s) {
    *s += 0x9E3779B97F4A7C15U;
    uint64_t z = *s;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
}

// floor(u * N / 2^32), u the upper half of the next number
inline uint64_t draw_below(uint64_t *s, uint64_t n) {
    return ((next_random(s) >> 32) * n) >> 32;
}

inline uint64_t quotient_up(uint64_t a, uint64_t b) {
    return (a + b - 1) / b;
}

inline bool is_prime(uint64_t n) {
    for (uint64_t d = 2; d * d <= n; d++) {
        if (n % d == 0) {
            return false;
        }
    }
    return n >= 2;
}

// The largest prime <= S; 1 if S is 1.
inline uint64_t largest_prime(uint64_t s) {
    while (s > 1 && !is_prime(s)) {
        s--;
    }
    return s;
}

// The smallest m with 2^m >= S.
inline uint64_t index_bits(uint64_t s) {
    uint64_t m = 0;
    while ((uint64_t{1} << m) < s) {
        m++;
    }
    return m;
}

// ---- a cache

struct Place {
    uint64_t partition, bank, set, mshr_set;
    bool operator==(const Place &o) const {
        return std::tie(partition, bank, set, mshr_set) ==
               std::tie(o.partition, o.bank, o.set, o.mshr_set);
    }
};

// A coalesced access.
struct Access {
    uint64_t block;
    uint64_t warp;
    bool write;
};

enum class Status : uint8_t { kHit, kMiss, kMerged, kFailed, kPassed };

inline const char *status_name(Status s) {
    static const char *const names[] = {"hit", "miss", "merged", "failed", "passed"};
    return names[static_cast<size_t>(s)];
}

// What a watcher sees, in its order.
struct Event {
    enum class Kind : uint8_t { kUpdate, kAccess, kStep } kind;
    uint64_t step;
    uint64_t block;  // update, access
    uint32_t place, partition, bank, port, set, rd;
    uint32_t warp;
    Status status;
    bool write;
    uint32_t free_mshrs;  // step

    static Event update(uint64_t step, uint64_t block) {
        return {Kind::kUpdate, step, block, 0, 0, 0, 0, 0, 0, 0, Status::kHit, false, 0};
    }
    static Event end(uint64_t step, uint64_t free_mshrs) {
        return {Kind::kStep, step, 0, 0, 0, 0, 0, 0, 0, 0, Status::kHit, false, small(free_mshrs)};
    }
    static Event access(uint64_t step, const Access &a, uint64_t place, const Place &p,
                        uint64_t port, uint64_t rd, Status status) {
        return {Kind::kAccess,
                step,
                a.block,
                small(place),
                small(p.partition),
                small(p.bank),
                small(port),
                small(p.set),
                small(rd),
                small(a.warp),
                status,
                a.write,
                0};
    }
    static uint32_t small(uint64_t n) {
        if (n > UINT32_MAX) {
            throw std::logic_error("an event's number is larger than 32 bits");
        }
        return static_cast<uint32_t>(n);
    }
    bool operator==(const Event &o) const {
        return std::tie(kind, step, block, place, partition, bank, port, set, rd, status, warp,
                        write, free_mshrs) == std::tie(o.kind, o.step, o.block, o.place,
                                                       o.partition, o.bank, o.port, o.set, o.rd,
                                                       o.status, o.warp, o.write, o.free_mshrs);
    }
    std::string text() const {
        std::ostringstream out;
        out << "step " << step;
        if (kind == Kind::kUpdate) {
            out << " update block " << block;
        } else if (kind == Kind::kStep) {
            out << " ends, " << free_mshrs << " MSHRs free";
        } else {
            out << " access place " << place << " warp " << warp << (write ? " write " : " read ")
                << block << " partition " << partition << " bank " << bank << " port " << port
                << " set " << set << " " << status_name(status) << " rd " << rd;
        }
        return out.str();
    }
};

struct Counts {
    std::vector<uint64_t> r, w;  // [K + 1]
    uint64_t merges = 0, rf = 0, steps = 0;
    uint64_t fills = 0, evictions = 0, write_evictions = 0, bypassed = 0;

    explicit Counts(uint64_t ways) : r(ways + 1), w(ways + 1) {}
    void add(const Counts &o) {
        for (size_t i = 0; i < r.size(); i++) {
            r[i] += o.r[i];
            w[i] += o.w[i];
        }
        merges += o.merges;
        rf += o.rf;
        steps += o.steps;
        fills += o.fills;
        evictions += o.evictions;
        write_evictions += o.write_evictions;
        bypassed += o.bypassed;
    }
    std::string text() const {
        std::ostringstream out;
        out << "r";
        for (uint64_t n : r) {
            out << " " << n;
        }
        out << " w";
        for (uint64_t n : w) {
            out << " " << n;
        }
        out << " merges " << merges << " rf " << rf << " steps " << steps << " fills " << fills
            << " evictions " << evictions << " write_evictions " << write_evictions << " bypassed "
            << bypassed;
        return out.str();
    }
};

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

// ---- logical model

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

// ---- physical model

struct Coalesced {
    uint64_t block;
    std::vector<uint64_t> addresses;  // of its lanes
};

inline std::vector<Coalesced> coalesce(const Lanes &lanes, uint64_t bytes) {
    std::vector<Coalesced> out;
    for (const auto &[lane, address] : lanes) {
        const uint64_t block = address / bytes;
        auto at = std::find_if(out.begin(), out.end(),
                               [&](const Coalesced &c) { return c.block == block; });
        if (at == out.end()) {
            out.push_back({block, {}});
            at = out.end() - 1;
        }
        at->addresses.push_back(address);
    }
    return out;
}

// Algorithm 3: {CB, Nitr}
inline std::pair<uint64_t, uint64_t> concurrent_blocks(const gmmu_rdgc_config &c, uint64_t wpb,
                                                       uint64_t bsm) {
    if (bsm == 0) {
        return {0, 0};
    }
    uint64_t cb = bsm;
    if (bsm > c.max_blocks) {
        cb = c.max_blocks;
    }
    if (wpb * cb > c.max_warps) {
        cb = c.max_warps / wpb;
        if (cb == 0) {
            cb = 1;
        }
    }
    return {cb, quotient_up(bsm, cb)};
}

// The SM of each block.
inline std::vector<uint64_t> map_blocks(const gmmu_rdgc_config &c, uint64_t number,
                                        uint64_t blocks) {
    std::vector<uint64_t> sm;
    uint64_t s = c.seed + (number << 32);
    for (uint64_t b = 0; b < blocks; b++) {
        switch (c.mapping) {
            case GMMU_RDGC_RR:
                sm.push_back(b % c.sms);
                break;
            case GMMU_RDGC_BPART1:
                sm.push_back(b / 4 % c.sms);
                break;
            case GMMU_RDGC_BPART2:
                sm.push_back(b / 8 % c.sms);
                break;
            default:
                sm.push_back(draw_below(&s, c.sms));
                break;
        }
    }
    return sm;
}

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
