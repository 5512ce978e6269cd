// SPDX-License-Identifier: Apache-2.0
// rdgc_slow_test.cpp: cmodel/rdgc against slow_rdgc.h on random configurations x traces.
//
// Parameter space: every key of a cache and of the physical model, at its ends and at odd values in
// between: 1 to 32768 ways, sets of any factors, 1 to 256 partitions and banks, chunks, all index
// functions, replacements and bypasses, 1 to 4096 MSHRs, merges from 0 on, fixed and adaptive
// latency, both arrivals. State space: lists of 0 to 8 warps with 0 to 32 accesses each over a pool
// of blocks that is small, as large as, or larger than the cache; grids of partial warps and
// blocks, divergence, reads and writes of one AN, holes in AN, several grids in turn.
//
// Compared, with and without a watcher: every event of every step, what is sent on and when, every
// counter after every list, L2's lists, the metrics, Algorithm 3, the order of the logical trace.
//
// A case is drawn from one seed, the first from GMMU_SEED, the next from the number after it: a
// case that fails says GMMU_SEED=N, and is the first one then. GMMU_LONG: ten times as many.
#include <gtest/gtest.h>
#ifdef __SANITIZE_ADDRESS__  // coverage is measured without
#include <sanitizer/common_interface_defs.h>
#endif

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "random_trace.h"
#include "rdgc/rdgc.h"
#include "slow_rdgc.h"

namespace {

using slow_rdgc::Access;
using slow_rdgc::Counts;
using slow_rdgc::Event;
using slow_rdgc::Lanes;
using slow_rdgc::Status;
using slow_rdgc::ThreadAccess;

class Random {
   public:
    explicit Random(uint64_t seed) : rng_(seed) {}
    uint64_t bits() { return rng_(); }
    uint64_t below(uint64_t n) { return rng_() % n; }
    bool percent(uint64_t p) { return below(100) < p; }
    uint64_t of(std::initializer_list<uint64_t> values) {
        return *(values.begin() + below(values.size()));
    }
    uint32_t of32(std::initializer_list<uint64_t> values) {
        return static_cast<uint32_t>(of(values));
    }
    template <class T>
    void shuffle(std::vector<T> *v) {
        for (size_t i = v->size(); i > 1; i--) {
            std::swap((*v)[i - 1], (*v)[below(i)]);
        }
    }

   private:
    std::mt19937_64 rng_;
};

uint64_t cases(uint64_t n) {
    return std::getenv("GMMU_LONG") != nullptr ? 10 * n : n;
}

// ---- the fast model's objects

struct CacheDelete {
    void operator()(gmmu_rdgc_cache *c) const { gmmu_rdgc_cache_destroy(c); }
};
struct ModelDelete {
    void operator()(gmmu_rdgc *m) const { gmmu_rdgc_destroy(m); }
};
struct TraceDelete {
    void operator()(gmmu_rdgc_trace *t) const { gmmu_rdgc_trace_destroy(t); }
};
using FastCache = std::unique_ptr<gmmu_rdgc_cache, CacheDelete>;
using FastModel = std::unique_ptr<gmmu_rdgc, ModelDelete>;
using FastTrace = std::unique_ptr<gmmu_rdgc_trace, TraceDelete>;

// Writes down what a cache's watcher is called with.
struct Log {
    std::vector<Event> events;
    gmmu_rdgc_watch watch = {};

    Log() {
        watch.ctx = this;
        watch.update = [](void *ctx, uint64_t step, uint64_t block) {
            static_cast<Log *>(ctx)->events.push_back(Event::update(step, block));
        };
        watch.access = [](void *ctx, uint64_t step, const gmmu_rdgc_event *e) {
            static_cast<Log *>(ctx)->events.push_back(
                {Event::Kind::kAccess, step, e->access->block, e->place, e->partition, e->bank,
                 e->port, e->set, e->rd, e->access->warp, status(e->status), e->access->write, 0});
        };
        watch.step = [](void *ctx, uint64_t step, uint32_t free_mshrs) {
            static_cast<Log *>(ctx)->events.push_back(Event::end(step, free_mshrs));
        };
    }
    Log(const Log &) = delete;
    Log &operator=(const Log &) = delete;

    static Status status(gmmu_rdgc_status s) {
        switch (s) {
            case GMMU_RDGC_HIT:
                return Status::kHit;
            case GMMU_RDGC_MISS:
                return Status::kMiss;
            case GMMU_RDGC_MERGED:
                return Status::kMerged;
            case GMMU_RDGC_FAILED:
                return Status::kFailed;
            default:
                return Status::kPassed;
        }
    }
};

Counts counts_of(const gmmu_rdgc_counts &c) {
    Counts out(c.ways);
    std::copy(c.r, c.r + c.ways + 1, out.r.begin());
    std::copy(c.w, c.w + c.ways + 1, out.w.begin());
    out.merges = c.merges;
    out.rf = c.rf;
    out.steps = c.steps;
    out.fills = c.fills;
    out.evictions = c.evictions;
    out.write_evictions = c.write_evictions;
    out.bypassed = c.bypassed;
    return out;
}

// ---- what differs, in words; empty: nothing

std::string compare(const std::string &what, const gmmu_rdgc_counts &fast, const Counts &slow) {
    if (fast.ways + 1U == slow.r.size()) {
        const Counts f = counts_of(fast);
        if (f.r == slow.r && f.w == slow.w && f.merges == slow.merges && f.rf == slow.rf &&
            f.steps == slow.steps && f.fills == slow.fills && f.evictions == slow.evictions &&
            f.write_evictions == slow.write_evictions && f.bypassed == slow.bypassed) {
            return "";
        }
    }
    return what + " counters: fast " + counts_of(fast).text() + "\n  slow " + slow.text();
}

std::string compare(const std::string &what, const std::vector<Event> &fast,
                    const std::vector<Event> &slow) {
    const size_t n = std::min(fast.size(), slow.size());
    size_t at = 0;
    while (at < n && fast[at] == slow[at]) {
        at++;
    }
    if (at == fast.size() && at == slow.size()) {
        return "";
    }
    std::string text = what + " event " + std::to_string(at) + ":";
    for (size_t i = at < 4 ? 0 : at - 4; i < at; i++) {
        text += "\n  both " + slow[i].text();
    }
    text += "\n  fast " + (at < fast.size() ? fast[at].text() : "nothing");
    text += "\n  slow " + (at < slow.size() ? slow[at].text() : "nothing");
    return text;
}

std::string compare(const std::string &what, uint64_t fast, uint64_t slow) {
    return fast == slow
               ? ""
               : what + ": fast " + std::to_string(fast) + ", slow " + std::to_string(slow);
}

std::string compare(const std::string &what, const gmmu_rdgc_share &fast,
                    const slow_rdgc::Share &slow) {
    const std::string hits = compare(what + " hits", fast.hits, slow.hits);
    return hits.empty() ? compare(what + " accesses", fast.accesses, slow.accesses) : hits;
}

// WARP r or w BLOCK of the first ones.
std::string text_of(const std::vector<Access> &list) {
    std::string text;
    for (size_t i = 0; i < list.size() && i < 40; i++) {
        text += " " + std::to_string(list[i].warp) + (list[i].write ? "w" : "r") +
                std::to_string(list[i].block);
    }
    return text + (list.size() > 40 ? " ..." : "");
}

// The first of several; each argument is evaluated.
std::string first_of(std::initializer_list<std::string> found) {
    for (const std::string &f : found) {
        if (!f.empty()) {
            return f;
        }
    }
    return "";
}

std::string keys(const gmmu_rdgc_config &c, const std::string &prefix) {
    std::string text;
    for (size_t i = 0; gmmu_rdgc_config_key(i) != nullptr; i++) {
        const std::string key = gmmu_rdgc_config_key(i);
        char value[64];
        gmmu_rdgc_config_get(&c, i, value, sizeof value);
        if (key.compare(0, prefix.size(), prefix) == 0) {
            text += " " + key + "=" + value;
        }
    }
    return text;
}

uint64_t running;  // seed of the case

// What a sanitizer says does not tell the case.
void tell_running() {
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_set_death_callback(
        [] { std::fprintf(stderr, "GMMU_SEED=%" PRIu64 "\n", running); });
#endif
}

// Runs N cases; ONE gives what differs. Three that fail are enough.
template <class One>
void run_cases(uint64_t n, One one) {
    tell_running();
    int failed = 0;
    for (uint64_t i = 0; i < cases(n) && failed < 3; i++) {
        running = test_seed() + i;
        std::string differs;
        try {
            differs = one(running);
        } catch (const std::exception &e) {
            differs = std::string(" slow model: ") + e.what();
        }
        if (!differs.empty()) {
            failed++;
            ADD_FAILURE() << "GMMU_SEED=" << running << differs;
        }
    }
}

// ---- random caches

uint64_t lines_of(const gmmu_rdgc_cache_config &c) {
    return c.capacity / c.block;
}

// What a latency can at most be, roughly.
uint64_t longest_latency(const gmmu_rdgc_cache_config &c, uint64_t n, uint64_t d) {
    return c.adaptive ? 1 + (c.k1 + uint64_t{c.k2} * c.mshrs * n / d) / 1000 : c.latency;
}

gmmu_rdgc_cache_config random_cache(Random *r) {
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

std::vector<Access> random_list(Random *r, Pool *pool, uint64_t write_percent, size_t most) {
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

std::string compare_sent(const std::string &which, const std::vector<gmmu_rdgc_sent> &fast,
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

std::string compare_places(const gmmu_rdgc_cache *fast, const slow_rdgc::Cache &slow,
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

// ---- one cache, step by step

struct Pair {  // a slow cache and two fast ones, of which one is watched
    slow_rdgc::Cache slow;
    FastCache watched, alone;
    Log log;
    std::vector<Event> slow_log;
    gmmu_error err = {};

    Pair(const gmmu_rdgc_cache_config &c, uint64_t seed)
        : slow(c, seed),
          watched(gmmu_rdgc_cache_create(&c, seed, &err)),
          alone(gmmu_rdgc_cache_create(&c, seed, &err)) {
        if (watched != nullptr) {
            gmmu_rdgc_cache_watch(watched.get(), &log.watch);
        }
    }
    std::string profile(const std::vector<Access> &list, bool counters) {
        std::vector<gmmu_rdgc_access> own;
        for (const Access &a : list) {
            own.push_back({a.block, 0, static_cast<uint16_t>(a.warp), a.write});
        }
        std::vector<gmmu_rdgc_sent> sent1(list.size() + 1);
        std::vector<gmmu_rdgc_sent> sent2(list.size() + 1);
        if (gmmu_rdgc_cache_reserve(watched.get(), list.size(), &err) != GMMU_OK ||
            gmmu_rdgc_cache_reserve(alone.get(), list.size(), &err) != GMMU_OK) {
            return err.text;
        }
        log.events.clear();
        slow_log.clear();
        const size_t n1 =
            gmmu_rdgc_cache_profile(watched.get(), own.data(), own.size(), sent1.data());
        const size_t n2 =
            gmmu_rdgc_cache_profile(alone.get(), own.data(), own.size(), sent2.data());
        const auto sent = slow.profile(list, &slow_log);
        return first_of(
            {compare("cache", log.events, slow_log), compare_sent("watched", sent1, n1, sent),
             compare_sent("unwatched", sent2, n2, sent), counters ? compare_counts() : "",
             compare("watched, step", gmmu_rdgc_cache_step(watched.get()), slow.step()),
             compare("unwatched, step", gmmu_rdgc_cache_step(alone.get()), slow.step())});
    }
    std::string compare_counts() {
        return first_of(
            {compare("watched", *gmmu_rdgc_cache_counts(watched.get()), slow.counts()),
             compare("unwatched", *gmmu_rdgc_cache_counts(alone.get()), slow.counts())});
    }
    void scale(uint32_t n, uint32_t d) {
        gmmu_rdgc_cache_scale(watched.get(), n, d);
        gmmu_rdgc_cache_scale(alone.get(), n, d);
        slow.scale(n, d);
    }
    std::string drain() {
        log.events.clear();
        slow_log.clear();
        gmmu_rdgc_cache_drain(watched.get());
        gmmu_rdgc_cache_drain(alone.get());
        slow.drain(&slow_log);
        return first_of({compare("drain", log.events, slow_log), compare_counts()});
    }
    std::string remove(uint64_t block) {
        const uint64_t was = slow.remove(block) ? 1 : 0;
        return first_of(
            {compare("watched, remove", gmmu_rdgc_cache_remove(watched.get(), block) ? 1 : 0, was),
             compare("unwatched, remove", gmmu_rdgc_cache_remove(alone.get(), block) ? 1 : 0,
                     was)});
    }
    void flush() {
        gmmu_rdgc_cache_flush(watched.get());
        gmmu_rdgc_cache_flush(alone.get());
        slow.flush();
    }
    void clear_counts() {
        gmmu_rdgc_cache_clear_counts(watched.get());
        gmmu_rdgc_cache_clear_counts(alone.get());
        slow.clear_counts();
    }
};

std::string cache_text(const gmmu_rdgc_cache_config &c, uint64_t seed) {
    gmmu_rdgc_config all = gmmu_rdgc_defaults();
    all.l1 = c;
    return " cache seed " + std::to_string(seed) + keys(all, "l1.") + "\n";
}

std::string timed_case(uint64_t seed, Totals *totals) {
    Random r(seed);
    gmmu_rdgc_cache_config c = random_cache(&r);
    const uint64_t cache_seed = r.of({0, 1, UINT64_MAX, r.bits()});
    const bool scaled = r.percent(70);
    const uint32_t n = scaled ? r.of32({1, 1, 3, 8, 14, 1024}) : 1;
    const uint32_t d = scaled ? r.of32({1, 1, 7, 8, 14, 65536}) : 1;
    const uint64_t latency = longest_latency(c, n, d);
    // each access may wait for an arrival
    uint64_t left = std::clamp<uint64_t>(6000 / latency, 40, r.of({40, 400, 400}));
    if (latency > 1000) {  // too long to wait for: as many accesses as find an MSHR
        c.merges = GMMU_RDGC_MAX_MERGES;
        left = c.mshrs;
    } else if (r.percent(1)) {
        left *= 4;
    }
    std::string text =
        cache_text(c, cache_seed) + "scale " + std::to_string(n) + " " + std::to_string(d) + "\n";
    Pair pair(c, cache_seed);
    if (pair.watched == nullptr || pair.alone == nullptr) {
        return text + pair.err.text;
    }
    if (scaled) {
        pair.scale(n, d);
    }
    Pool pool(&r, c);
    const uint64_t write_percent = r.of({0, 0, 20, 20, 50, 100});
    std::string differs;
    for (uint64_t lists = 0; lists < 60 && left > 0 && differs.empty(); lists++) {
        const std::vector<Access> list =
            random_list(&r, &pool, write_percent, std::min<uint64_t>(left, 256));
        left -= std::min<uint64_t>(left, list.size());
        totals->accesses += list.size();
        const bool counters = c.ways < 100 || left == 0;
        differs = pair.profile(list, counters);
        totals->add(pair.slow_log, c.ways);
        if (differs.empty() && r.percent(4)) {
            differs = pair.drain();
            for (uint64_t more = r.below(4); more > 0 && differs.empty(); more--) {
                differs = pair.remove(pool.next());
            }
        }
        if (r.percent(3)) {
            pair.flush();
        }
        if (r.percent(3)) {
            pair.clear_counts();
        }
        if (differs.empty() && r.percent(20)) {
            differs = compare_places(pair.alone.get(), pair.slow, r.bits() >> (2 + r.below(62)));
        }
        if (!differs.empty()) {
            text += "list " + std::to_string(lists) + ":" + text_of(list);
            text += "\n";
        }
    }
    differs = differs.empty() ? pair.drain() : differs;
    return differs.empty() ? "" : text + differs;
}

constexpr uint64_t kTimed = 4500;

TEST(RdgcSlow, CacheStepByStep) {
    Totals t;
    run_cases(kTimed, [&](uint64_t seed) { return timed_case(seed, &t); });
    std::printf("%" PRIu64 " caches x traces compared, %" PRIu64 " accesses, %" PRIu64
                " events: %" PRIu64 " hits, %" PRIu64 " misses, %" PRIu64 " merged, %" PRIu64
                " failed, %" PRIu64 " passed (%" PRIu64 " evict)\n",
                cases(kTimed), t.accesses, t.events, t.hits, t.misses, t.merged, t.failed, t.passed,
                t.write_hits);
}

// ---- one cache without time

std::string untimed_case(uint64_t seed, uint64_t *accesses) {
    Random r(seed);
    const gmmu_rdgc_cache_config c = random_cache(&r);
    const uint64_t cache_seed = r.of({0, 1, UINT64_MAX, r.bits()});
    gmmu_error err = {};
    const FastCache fast(gmmu_rdgc_cache_create(&c, cache_seed, &err));
    if (fast == nullptr) {
        return cache_text(c, cache_seed) + err.text;
    }
    slow_rdgc::Cache slow(c, cache_seed);
    Pool pool(&r, c);
    const uint64_t write_percent = r.of({0, 0, 20, 20, 50, 100});
    std::string differs;
    const uint64_t length = r.of({20, 100, 400, 1000});
    for (uint64_t i = 0; i < length && differs.empty(); i++) {
        const uint64_t block = pool.next();
        const bool write = r.percent(write_percent);
        const Status f = Log::status(gmmu_rdgc_cache_access(fast.get(), block, write));
        const Status s = slow.access(block, write);
        if (f != s) {
            differs = "access " + std::to_string(i) + (write ? " write " : " read ") +
                      std::to_string(block) + ": fast " + slow_rdgc::status_name(f) + ", slow " +
                      slow_rdgc::status_name(s);
        }
        (*accesses)++;
        if (r.percent(2) && differs.empty()) {
            const uint64_t other = pool.next();
            differs = compare("remove " + std::to_string(other),
                              gmmu_rdgc_cache_remove(fast.get(), other) ? 1 : 0,
                              slow.remove(other) ? 1 : 0);
        }
        if (r.below(200) == 0) {
            gmmu_rdgc_cache_flush(fast.get());
            slow.flush();
        }
        if (r.below(200) == 0) {
            gmmu_rdgc_cache_drain(fast.get());  // of nothing
            slow.drain(nullptr);
        }
        if (r.below(200) == 0) {
            gmmu_rdgc_cache_clear_counts(fast.get());
            slow.clear_counts();
        }
        if (differs.empty() && (i + 1 == length || r.below(100) == 0)) {
            differs = compare("cache", *gmmu_rdgc_cache_counts(fast.get()), slow.counts());
        }
    }
    return differs.empty() ? "" : cache_text(c, cache_seed) + differs;
}

TEST(RdgcSlow, CacheWithoutTime) {
    uint64_t accesses = 0;
    run_cases(2000, [&](uint64_t seed) { return untimed_case(seed, &accesses); });
    std::printf("%" PRIu64 " caches x traces without time compared, %" PRIu64 " accesses\n",
                cases(2000), accesses);
}

// ---- the physical model

gmmu_rdgc_config random_config(Random *r) {
    gmmu_rdgc_config c = {};
    c.l1 = random_cache(r);
    c.l2 = random_cache(r);
    while (c.l1.block / c.l2.block > GMMU_RDGC_MAX_SECTORS) {
        c.l2.capacity *= 2;
        c.l2.block *= 2;
    }
    c.l1.bypass = static_cast<gmmu_rdgc_bypass>(r->of({0, 0, 1, 1, 1, 1, 1, 2, 2}));
    c.l2.bypass = static_cast<gmmu_rdgc_bypass>(r->of({0, 0, 0, 0, 0, 0, 0, 1, 1, 2}));
    c.sms = r->of32({1, 1, 2, 3, 4, 5, 7, 8, 16, 33});
    c.schedulers = r->of32({1, 2, 2, 3, 4, 5, 64});
    c.max_warps = r->of32({1, 2, 3, 4, 7, 8, 16, 64, 65536});
    c.max_blocks = r->of32({1, 2, 3, 4, 8, 32, 65536});
    c.mapping = static_cast<gmmu_rdgc_mapping>(r->of({0, 0, 1, 2, 3, 3}));
    c.keep_l1 = r->percent(40);
    c.keep_l2 = r->percent(60);
    c.seed = r->of({0, 1, UINT64_MAX, r->bits()});
    if (r->percent(1)) {
        c.sms = GMMU_RDGC_MAX_SMS;
        c.l1.ways = std::min(c.l1.ways, 4U);
        c.l1.capacity = uint64_t{c.l1.block} * c.l1.ways * c.l1.partitions * c.l1.banks;
    }
    // long waits, and long lists of what waits, are in the cases of one cache
    if (c.l2.mshrs < 8) {
        c.l2.ports = std::min(c.l2.ports, 4U);
    }
    for (gmmu_rdgc_cache_config *l : {&c.l1, &c.l2}) {
        const bool few = l->mshrs < 8 || l->merges < 2;
        const uint32_t most = r->percent(2) ? 100 : few ? 3 : 10;
        l->latency = std::min(l->latency, most);
        l->k1 = std::min(l->k1, 1000 * most);
        const uint32_t d = l == &c.l1 ? c.l2.partitions * c.l2.banks : 1;
        if (longest_latency(*l, l == &c.l1 ? c.sms : 1, d) > 2 * most) {
            l->k2 = l->mshrs > 1000 ? 1 : 250;
        }
    }
    return c;
}

// A random kernel: each number has a pattern of addresses, of active threads, and of read and
// write.
class Kernel {
   public:
    // ROOM: bytes of an array. SHARE: of the usual length, one in so many.
    Kernel(Random *r, uint64_t room, uint64_t share) : r_(r), share_(share) {
        for (uint64_t &base : base_) {
            base = r->of({0, 0x10000, r->bits() >> (8 + r->below(40)), UINT64_MAX - room + 1,
                          0 - room / 2});  // before the end of memory, and across it
        }
        room_ = room;
    }

    slow_rdgc::Grid grid() {
        slow_rdgc::Grid g = {};
        g.threads = r_->of({1, 7, 31, 32, 33, 48, 64, 64, 65, 96, 128, 128, 256});
        g.blocks = r_->of({1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17});
        if (r_->percent(3)) {
            g.threads = 1024;
            g.blocks = 1 + r_->below(2);
        } else if (r_->percent(3)) {
            g.threads = 1 + r_->below(40);
            g.blocks = 100;
        }
        const uint64_t numbers = std::clamp<uint64_t>(
            r_->of({1000, 2000, 4000}) / share_ / (g.threads * g.blocks), 1, 1 + r_->below(10));
        uint64_t number = r_->percent(10) ? r_->below(30) : 0;
        number = r_->percent(2) ? GMMU_RDGC_MAX_NUMBER - 4 * numbers : number;
        for (uint64_t n = 0; n < numbers; n++) {
            const uint64_t kind = r_->below(10);  // read, write, both
            const uint64_t pattern = r_->bits();
            if (kind < 8) {
                site(&g, number, kind >= 6, pattern);
            } else {
                site(&g, number, false, pattern);
                site(&g, number, true, r_->percent(50) ? pattern : r_->bits());
            }
            number += r_->percent(90) ? 1 : 1 + r_->below(4);
        }
        if (number > GMMU_RDGC_MAX_NUMBER / 2) {
            site(&g, GMMU_RDGC_MAX_NUMBER, true, r_->bits());
        }
        return g;
    }

   private:
    void site(slow_rdgc::Grid *g, uint64_t number, bool write, uint64_t pattern) {
        Random p(pattern);
        const uint64_t base = base_[p.below(std::size(base_))];
        const uint64_t kind = p.below(8);
        const uint64_t stride =
            p.of({0, 4, 4, 4, 8, 8, 16, 32, 64, 128, 256, 4096, 3, 5, 2048 + 4});
        const uint64_t offset = p.of({0, 0, 4, 128, p.below(room_)});
        const uint64_t active = r_->below(9);
        for (uint64_t b = 0; b < g->blocks; b++) {
            const bool block_in = !r_->percent(25);
            for (uint64_t t = 0; t < g->threads; t++) {
                if (t % 32 == 0) {
                    warp_in_ = r_->percent(50);
                }
                if (!in(active, t, block_in)) {
                    continue;
                }
                const uint64_t thread = b * g->threads + t;
                uint64_t at = thread * stride;
                switch (kind) {
                    case 0:
                        at = t * stride;
                        break;
                    case 1:
                        at = b * stride;
                        break;
                    case 2:
                        at = p.bits();
                        break;
                    case 3:
                        at = 0 - thread * stride;
                        break;  // downwards
                    case 4:
                        at = (thread ^ 5) * stride;
                        break;
                    case 5:
                        at = t / 8 * stride + t % 8 * 4;
                        break;
                    default:
                        break;
                }
                g->accesses.push_back({number, b, t, write, base + (offset + at) % room_});
            }
        }
    }
    bool in(uint64_t active, uint64_t t, bool block_in) {
        switch (active) {
            case 0:
                return r_->percent(50);
            case 1:
                return t % 2 == 1;
            case 2:
                return t % 32 == 31;
            case 3:
                return warp_in_;
            case 4:
                return block_in;
            case 5:
                return r_->percent(10);
            default:
                return true;
        }
    }

    Random *r_;
    uint64_t base_[3];
    uint64_t room_;
    uint64_t share_;
    bool warp_in_ = true;
};

std::string number_text(Random *r, uint64_t n) {
    char text[32];
    std::snprintf(text, sizeof text, r->percent(50) ? "%" PRIu64 : "0x%" PRIx64, n);
    return text;
}

std::string grid_text(Random *r, const slow_rdgc::Grid &g, const std::vector<ThreadAccess> &order) {
    std::string text = "# gmmu-rdgc 1 blocks=" + std::to_string(g.blocks) +
                       " threads=" + std::to_string(g.threads) + "\n";
    for (const ThreadAccess &a : order) {
        text += number_text(r, a.number) + "," + number_text(r, a.block) + "," +
                number_text(r, a.thread) + (a.write ? ",w," : ",r,") + number_text(r, a.address) +
                "\n";
        text += r->percent(1) ? "\n# a remark\n" : "";
    }
    return text;
}

// The grids as the fast model's trace: from the text, or added warp by warp, in any order.
FastTrace fast_trace(Random *r, const std::vector<slow_rdgc::Grid> &grids, gmmu_error *err) {
    FastTrace t(gmmu_rdgc_trace_create(err));
    std::string text;
    const bool by_text = r->percent(30);
    for (const slow_rdgc::Grid &g : grids) {
        std::vector<ThreadAccess> order = g.accesses;
        if (by_text) {
            r->shuffle(&order);
            text += grid_text(r, g, order);
            continue;
        }
        if (gmmu_rdgc_trace_begin(t.get(), g.blocks, g.threads, err) != GMMU_OK) {
            return nullptr;
        }
        // some warps in several parts
        std::map<std::tuple<uint64_t, uint64_t, uint64_t, bool, uint64_t>, Lanes> parts;
        const uint64_t split = r->of({1, 1, 2, 5});
        for (const ThreadAccess &a : order) {
            uint64_t part = a.thread % split;
            while (!parts[{a.block, a.number, a.thread / 32, a.write, part}]
                        .emplace(static_cast<unsigned>(a.thread % 32), a.address)
                        .second) {
                part += split;  // twice: not in one call
            }
        }
        std::vector<decltype(parts)::const_iterator> calls;
        for (auto p = parts.begin(); p != parts.end(); ++p) {
            calls.push_back(p);
        }
        if (r->percent(80)) {
            r->shuffle(&calls);
        }
        for (const auto &call : calls) {
            const auto &[block, number, warp, write, part] = call->first;
            uint64_t addr[GMMU_WARP];
            std::fill(std::begin(addr), std::end(addr), 0xdeadU);
            uint32_t mask = 0;
            for (const auto &[lane, address] : call->second) {
                addr[lane] = address;
                mask |= 1U << lane;
            }
            if (gmmu_rdgc_trace_add(t.get(), block, warp, number, write, mask, addr, err) !=
                GMMU_OK) {
                return nullptr;
            }
        }
    }
    if (by_text) {
        const std::unique_ptr<FILE, int (*)(FILE *)> in(fmemopen(text.data(), text.size(), "r"),
                                                        fclose);
        return gmmu_rdgc_trace_read(t.get(), in.get(), "text", err) == GMMU_OK ? std::move(t)
                                                                               : nullptr;
    }
    return gmmu_rdgc_trace_order(t.get(), err) == GMMU_OK ? std::move(t) : nullptr;
}

std::string text_of(const slow_rdgc::WarpKey &key, const Lanes &lanes) {
    const auto &[block, number, warp, write] = key;
    std::ostringstream out;
    out << "block " << block << " AN " << number << " warp " << warp
        << (write ? " write" : " read");
    for (const auto &[lane, address] : lanes) {
        out << " " << lane << ":" << address;
    }
    return out.str();
}

std::string compare_logical(const gmmu_rdgc_grid &fast, const slow_rdgc::Grid &g) {
    const slow_rdgc::Logical slow(g);
    std::string differs = first_of(
        {compare("blocks", fast.blocks, g.blocks), compare("threads", fast.threads, g.threads),
         compare("warps", fast.warps, (g.threads + 31) / 32),
         compare("numbers", fast.numbers, slow.numbers),
         compare("longest", fast.longest, slow.longest), compare("reads", fast.reads, slow.reads),
         compare("writes", fast.writes, slow.writes),
         compare("records", fast.count, slow.accesses.size())});
    uint32_t i = 0;
    std::map<uint64_t, uint64_t> of_block;
    for (auto a = slow.accesses.begin(); a != slow.accesses.end() && differs.empty(); ++a, ++i) {
        const gmmu_rdgc_record &record = fast.records[i];
        of_block[std::get<0>(a->first)]++;
        uint64_t addr[GMMU_WARP];
        std::fill(std::begin(addr), std::end(addr), 0xdeadU);
        const unsigned nt = gmmu_rdgc_record_addresses(&fast, &record, addr);
        Lanes lanes;
        for (unsigned lane = 0; lane < GMMU_WARP; lane++) {
            if ((record.mask >> lane & 1) != 0) {
                lanes[lane] = addr[lane];
            } else if (addr[lane] != 0xdeadU) {
                differs = "record " + std::to_string(i) + " has an address for an idle lane";
            }
        }
        const slow_rdgc::WarpKey key = {record.block, record.number, record.warp, record.write};
        if (key != a->first || lanes != a->second || nt != lanes.size()) {
            differs = "record " + std::to_string(i) + ": fast " + text_of(key, lanes) +
                      "\n  slow " + text_of(a->first, a->second);
        }
    }
    for (uint64_t b = 0, first = 0; b <= g.blocks && differs.empty(); b++) {
        differs = fast.first[b] == first ? "" : "first of block " + std::to_string(b) + " differs";
        first += of_block[b];
    }
    return differs;
}

// What the fast model writes, read here.
std::string compare_text(const gmmu_rdgc_trace *t, const std::vector<slow_rdgc::Grid> &grids) {
    char *buffer = nullptr;
    size_t size = 0;
    FILE *out = open_memstream(&buffer, &size);
    const int status = gmmu_rdgc_trace_write(t, out);
    fclose(out);
    std::istringstream in(std::string(buffer, size));
    std::free(buffer);
    if (status != 0) {
        return "trace_write fails";
    }
    std::vector<slow_rdgc::Grid> found;
    for (std::string line; std::getline(in, line);) {
        slow_rdgc::Grid g = {};
        if (std::sscanf(line.c_str(), "# gmmu-rdgc 1 blocks=%" SCNu64 " threads=%" SCNu64,
                        &g.blocks, &g.threads) == 2) {
            found.push_back(g);
            continue;
        }
        std::replace(line.begin(), line.end(), ',', ' ');
        std::istringstream fields(line);
        std::string number, block, thread, s, address;
        if (found.empty() || !(fields >> number >> block >> thread >> s >> address)) {
            return "text: found " + line;
        }
        auto value = [](const std::string &n) { return std::strtoull(n.c_str(), nullptr, 0); };
        found.back().accesses.push_back(
            {value(number), value(block), value(thread), s == "w", value(address)});
    }
    std::string differs = compare("grids of the text", found.size(), grids.size());
    for (size_t i = 0; i < grids.size() && differs.empty(); i++) {
        std::vector<ThreadAccess> own = grids[i].accesses;
        std::sort(own.begin(), own.end());
        std::sort(found[i].accesses.begin(), found[i].accesses.end());
        differs = first_of({compare("blocks of the text", found[i].blocks, grids[i].blocks),
                            compare("threads of the text", found[i].threads, grids[i].threads),
                            own == found[i].accesses ? "" : "the text has other accesses"});
    }
    return differs;
}

// The fast model with all that it can be watched by, or with nothing.
struct Watched {
    FastModel model;
    std::vector<std::unique_ptr<Log>> l1;
    Log l2;
    std::vector<std::vector<Access>> given;

    Watched(const gmmu_rdgc_config &c, bool watch, gmmu_error *err)
        : model(gmmu_rdgc_create(&c, err)) {
        if (model == nullptr || !watch) {
            return;
        }
        for (unsigned sm = 0; sm < c.sms; sm++) {
            l1.push_back(std::make_unique<Log>());
            gmmu_rdgc_cache_watch(gmmu_rdgc_l1(model.get(), sm), &l1.back()->watch);
        }
        gmmu_rdgc_cache_watch(gmmu_rdgc_l2(model.get()), &l2.watch);
        gmmu_rdgc_watch_l2(
            model.get(),
            [](void *ctx, const gmmu_rdgc_access *list, size_t n) {
                std::vector<Access> own;
                for (size_t i = 0; i < n; i++) {
                    own.push_back({list[i].block, list[i].warp, list[i].write});
                }
                static_cast<Watched *>(ctx)->given.push_back(own);
            },
            this);
    }

    std::string compare_results(const slow_rdgc::Model &slow, const gmmu_rdgc_config &c) const {
        const gmmu_rdgc_result *r = gmmu_rdgc_get_result(model.get());
        std::string differs = first_of(
            {compare("L1", r->l1, slow.l1()), compare("L2", r->l2, slow.l2()),
             compare("l1_steps_longest", r->l1_steps_longest, slow.l1_steps_longest),
             compare("instructions", r->instructions, slow.instructions),
             compare("coalesced", r->coalesced, slow.coalesced),
             compare("grids", r->grids, slow.grids),
             compare("L1 reads", gmmu_rdgc_l1_reads(r), slow.l1_reads()),
             compare("L2", gmmu_rdgc_l2_all(r), slow.l2_all()),
             compare("L2 cache", *gmmu_rdgc_cache_counts(gmmu_rdgc_l2(model.get())), slow.l2())});
        for (unsigned sm = 0; sm < c.sms && differs.empty(); sm++) {
            differs = compare("L1 of SM " + std::to_string(sm),
                              *gmmu_rdgc_cache_counts(gmmu_rdgc_l1(model.get(), sm)), slow.l1(sm));
        }
        return differs;
    }

    std::string compare_logs(const slow_rdgc::Model &slow) const {
        std::string differs;
        for (size_t sm = 0; sm < l1.size() && differs.empty(); sm++) {
            differs = compare("L1 of SM " + std::to_string(sm), l1[sm]->events, slow.l1_log[sm]);
        }
        if (differs.empty()) {
            differs = compare("L2's lists", given.size(), slow.l2_given.size());
        }
        for (size_t i = 0; i < given.size() && differs.empty(); i++) {
            const std::vector<Access> &s = slow.l2_given[i];
            const auto same = [](const Access &a, const Access &b) {
                return a.block == b.block && a.warp == b.warp && a.write == b.write;
            };
            if (!std::equal(given[i].begin(), given[i].end(), s.begin(), s.end(), same)) {
                differs = "L2's list " + std::to_string(i) + ": fast" + text_of(given[i]) +
                          "\n  slow" + text_of(s);
            }
        }
        return differs.empty() ? compare("L2", l2.events, slow.l2_log) : differs;
    }
};

std::string compare_measure(const gmmu_rdgc_config &c, const gmmu_rdgc_trace *t,
                            const std::vector<slow_rdgc::Grid> &grids, size_t first, size_t count) {
    gmmu_rdgc_metrics m;
    gmmu_error err;
    if (gmmu_rdgc_measure(&c, t, first, count, &m, &err) != GMMU_OK) {
        return err.text;
    }
    gmmu_rdgc_config bypassed = c;
    bypassed.l1.bypass = GMMU_RDGC_RWON;
    slow_rdgc::Model on(c);
    slow_rdgc::Model off(bypassed);
    for (size_t i = first; i < first + count; i++) {
        on.run(grids[i]);
        off.run(grids[i]);
    }
    return first_of({compare("L1_R", m.l1_r, on.l1_reads()), compare("L2", m.l2, on.l2_all()),
                     compare("L2_L1B", m.l2_l1b, off.l2_all())});
}

struct PhysicalTotals {
    Totals l1, l2;
    uint64_t instructions = 0, grids = 0, lists = 0;
};

std::string physical_case(uint64_t seed, PhysicalTotals *totals) {
    Random r(seed);
    const gmmu_rdgc_config c = random_config(&r);
    std::string text = keys(c, "");
    Kernel kernel(&r, r.of({512, 4096, 4096, 16384, 16384, 131072}),
                  std::max(1U, c.l1.block / c.l2.block / (c.l2.mshrs < 8 ? 1 : 4)));
    std::vector<slow_rdgc::Grid> grids;
    std::string differs;
    for (uint64_t n = r.of({1, 1, 2, 3}); n > 0; n--) {
        grids.push_back(kernel.grid());
        text += " grid " + std::to_string(grids.back().blocks) + "x" +
                std::to_string(grids.back().threads) + ": " +
                std::to_string(grids.back().accesses.size()) + " accesses";
    }
    text += "\n";
    gmmu_error err = {};
    if (gmmu_rdgc_config_check(&c, &err) != GMMU_OK) {
        return text + err.text;
    }
    if (r.percent(3)) {  // a thread with two accesses of one AN and S
        slow_rdgc::Grid &g = grids.back();
        const size_t n = g.accesses.size();
        if (n > 0) {
            g.accesses.push_back(g.accesses[r.below(n)]);
            g.accesses.back().address ^= r.of({0, 4});
            const bool refused = fast_trace(&r, grids, &err) == nullptr;
            EXPECT_THROW(slow_rdgc::Logical{g}, std::logic_error);
            g.accesses.pop_back();
            if (!refused) {
                return text + "two accesses of one AN and S are taken";
            }
        }
    }
    const FastTrace trace = fast_trace(&r, grids, &err);
    Watched watched(c, true, &err);
    Watched alone(c, false, &err);
    if (trace == nullptr || watched.model == nullptr || alone.model == nullptr) {
        return text + err.text;
    }
    slow_rdgc::Model slow(c);
    differs = compare("grids", gmmu_rdgc_trace_grids(trace.get()), grids.size());
    for (size_t i = 0; i < grids.size() && differs.empty(); i++) {
        const gmmu_rdgc_grid *grid = gmmu_rdgc_trace_grid(trace.get(), i);
        differs = compare_logical(*grid, grids[i]);
        if (!differs.empty()) {
            break;
        }
        if (gmmu_rdgc_run(watched.model.get(), grid, &err) != GMMU_OK ||
            gmmu_rdgc_run(alone.model.get(), grid, &err) != GMMU_OK) {
            return text + err.text;
        }
        slow.run(grids[i]);
        differs = first_of({watched.compare_logs(slow), watched.compare_results(slow, c),
                            alone.compare_results(slow, c)});
    }
    if (differs.empty() && r.percent(30)) {
        const size_t first = r.below(grids.size());
        differs = compare_measure(c, trace.get(), grids, first, r.below(grids.size() - first + 1));
    }
    if (differs.empty() && r.percent(20)) {
        differs = compare_text(trace.get(), grids);
    }
    for (const auto &log : slow.l1_log) {
        totals->l1.add(log, c.l1.ways);
    }
    totals->l2.add(slow.l2_log, c.l2.ways);
    totals->instructions += slow.instructions;
    totals->l1.accesses += slow.coalesced;
    totals->grids += slow.grids;
    totals->lists += slow.l2_given.size();
    return differs.empty() ? "" : text + differs;
}

constexpr uint64_t kPhysical = 400;

TEST(RdgcSlow, PhysicalModel) {
    PhysicalTotals t;
    run_cases(kPhysical, [&](uint64_t seed) { return physical_case(seed, &t); });
    std::printf("%" PRIu64 " GPUs x kernels compared, %" PRIu64 " grids, %" PRIu64
                " accesses of warps, %" PRIu64 " of L1: %" PRIu64 " hits, %" PRIu64
                " misses, %" PRIu64 " merged, %" PRIu64 " failed, %" PRIu64 " passed (%" PRIu64
                " evict); %" PRIu64 " lists of L2, %" PRIu64 " hits, %" PRIu64 " misses, %" PRIu64
                " merged, %" PRIu64 " failed\n",
                cases(kPhysical), t.grids, t.instructions, t.l1.accesses, t.l1.hits, t.l1.misses,
                t.l1.merged, t.l1.failed, t.l1.passed, t.l1.write_hits, t.lists, t.l2.hits,
                t.l2.misses, t.l2.merged, t.l2.failed);
}

// ---- parts on their own, over the whole of their arguments

std::string algorithms_case(uint64_t seed) {
    Random r(seed);
    gmmu_rdgc_config c = random_config(&r);
    if (r.percent(30)) {
        c.sms = 1 + static_cast<uint32_t>(r.below(GMMU_RDGC_MAX_SMS));
        c.max_warps = 1 + static_cast<uint32_t>(r.below(GMMU_RDGC_MAX_INFLIGHT));
        c.max_blocks = 1 + static_cast<uint32_t>(r.below(GMMU_RDGC_MAX_INFLIGHT));
    }
    const std::string text = keys(c, "") + "\n";

    const auto wpb = 1 + static_cast<uint32_t>(r.below(32));
    const auto bsm = static_cast<uint32_t>(
        r.of({0, 1, 2, c.max_blocks, c.max_blocks + 1, c.max_warps / wpb + r.below(2),
              GMMU_RDGC_MAX_BLOCKS, r.below(GMMU_RDGC_MAX_BLOCKS), r.below(100)}));
    uint32_t cb = 7;
    uint32_t nitr = 7;
    gmmu_rdgc_concurrent_blocks(&c, wpb, bsm, &cb, &nitr);
    const auto [slow_cb, slow_nitr] = slow_rdgc::concurrent_blocks(c, wpb, bsm);
    const std::string what = "WpB " + std::to_string(wpb) + " BSM " + std::to_string(bsm);

    const uint64_t number = r.of({0, 1, 2, r.below(1U << 31)});
    const auto blocks = static_cast<uint32_t>(r.below(300));
    std::vector<uint32_t> sm(blocks + 1, 77);
    gmmu_rdgc_map_blocks(&c, number, blocks, sm.data());
    const std::vector<uint64_t> slow_sm = slow_rdgc::map_blocks(c, number, blocks);
    std::string differs =
        first_of({compare(what + " CB", cb, slow_cb), compare(what + " Nitr", nitr, slow_nitr),
                  compare("behind the last block", sm[blocks], 77)});
    for (uint32_t b = 0; b < blocks && differs.empty(); b++) {
        differs = compare("grid " + std::to_string(number) + " block " + std::to_string(b), sm[b],
                          slow_sm[b]);
    }

    const auto shift = static_cast<unsigned>(2 + r.below(11));
    const auto sector_shift =
        static_cast<unsigned>(shift - r.below(std::min<uint64_t>(shift - 2, 5) + 1));
    const uint64_t spread = uint64_t{1} << r.of({1, 5, 7, 9, 12, 20});
    const uint64_t base = r.of({0, UINT64_MAX - 2 * spread, r.bits() >> r.below(40)});
    uint64_t addr[GMMU_WARP];
    Lanes lanes;
    auto mask = static_cast<uint32_t>(r.of({0, 1, 1U << 31, UINT32_MAX, r.bits(), r.bits()}));
    const uint64_t step = r.of({0, 4, 32, 128, spread / 8});
    for (unsigned lane = 0; lane < GMMU_WARP; lane++) {
        addr[lane] = base + (r.percent(50) ? r.below(spread) : lane * step % spread);
        if ((mask >> lane & 1) != 0) {
            lanes[lane] = addr[lane];
        }
    }
    uint64_t block[GMMU_WARP];
    uint32_t sectors[GMMU_WARP];
    const unsigned n = gmmu_rdgc_coalesce(addr, mask, shift, sector_shift, block, sectors);
    const auto slow = slow_rdgc::coalesce(lanes, uint64_t{1} << shift);
    differs = first_of({differs, compare("coalesced", n, slow.size())});
    for (unsigned i = 0; i < n && differs.empty(); i++) {
        uint32_t touched = 0;
        for (uint64_t a : slow[i].addresses) {
            const uint64_t sector = (a >> sector_shift) - (slow[i].block << (shift - sector_shift));
            touched |= 1U << sector;
        }
        const std::string where = "coalesced " + std::to_string(i);
        differs = first_of({compare(where, block[i], slow[i].block),
                            compare(where + " sectors", sectors[i], touched)});
    }
    return differs.empty() ? "" : text + differs;
}

TEST(RdgcSlow, Algorithms) {
    run_cases(4000, algorithms_case);
    std::printf("%" PRIu64 " arguments of Algorithm 3, block mapping, coalescing compared\n",
                cases(4000));
}

// ---- the slow model itself, against the paper's Table 3

// Blocks A to H are 0 to 7; even ones lie in bank 0.
std::vector<Event> table3(gmmu_rdgc_arrival arrival, uint64_t *steps) {
    gmmu_rdgc_cache_config c = {};
    c.ways = 4;
    c.block = 128;
    c.partitions = 1;
    c.banks = 2;
    c.capacity = 2 * 4 * 128;
    c.ports = 2;
    c.partition_chunk = c.bank_chunk = 1;
    c.mshr_sets = 1;
    c.mshrs = 2;
    c.merges = 8;
    c.latency = 1;
    c.arrival = arrival;
    slow_rdgc::Cache cache(c, 1);
    std::vector<Event> log;
    // two schedulers: the first list has two warps
    cache.profile({{0, 0, false},
                   {1, 0, false},
                   {2, 0, false},
                   {3, 0, false},
                   {4, 1, false},
                   {5, 1, false},
                   {6, 1, false},
                   {7, 1, false}},
                  &log);
    cache.profile({{0, 2, false}, {3, 2, false}}, &log);
    *steps = cache.step();
    return log;
}

TEST(RdgcSlow, Table3OfThePaper) {
    uint64_t steps = 0;
    std::ostringstream out;
    uint64_t shown = 99;
    for (const Event &e : table3(GMMU_RDGC_START, &steps)) {
        if (e.step != shown) {
            out << (shown == 99 ? "" : "\n") << e.step << ":";
            shown = e.step;
        }
        const char name = static_cast<char>('A' + e.block);
        if (e.kind == Event::Kind::kUpdate) {
            out << " +" << name;
        } else if (e.kind == Event::Kind::kStep) {
            out << " free " << e.free_mshrs;
        } else {
            out << " " << name << "=B" << e.bank << "P" << e.port
                << slow_rdgc::status_name(e.status);
            out << (e.status == Status::kHit ? std::to_string(e.rd) : "");
        }
    }
    // the columns of the table, top down
    EXPECT_EQ(out.str(),
              "0: A=B0P0miss C=B0P1miss B=B1P0failed D=B1P1failed free 0\n"
              "1: +A +C B=B1P0miss D=B1P1miss E=B0P0failed G=B0P1failed free 0\n"
              "2: +B +D E=B0P0miss G=B0P1miss F=B1P0failed H=B1P1failed free 0\n"
              "3: +E +G F=B1P0miss H=B1P1miss free 0\n"
              "4: +F +H A=B0P0hit3 D=B1P0hit2 free 2");
    EXPECT_EQ(steps, 5);
    table3(GMMU_RDGC_END, &steps);  // by the text
    EXPECT_EQ(steps, 8);
}

}  // namespace
