// SPDX-License-Identifier: Apache-2.0
// compare.h: cmodel/rdgc against slow_rdgc.h on random configurations and traces: random numbers,
// the fast model's objects, and what differs, in words.
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
#ifndef GMMU_TB_RDGC_SLOW_COMPARE_H
#define GMMU_TB_RDGC_SLOW_COMPARE_H

#include <gtest/gtest.h>

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "random_trace.h"
#include "rdgc/rdgc.h"
#include "slow_rdgc.h"

#ifdef __SANITIZE_ADDRESS__  // coverage is measured without
#include <sanitizer/common_interface_defs.h>
#endif

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

inline uint64_t cases(uint64_t n) {
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

inline Counts counts_of(const gmmu_rdgc_counts &c) {
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

inline std::string compare(const std::string &what, const gmmu_rdgc_counts &fast,
                           const Counts &slow) {
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

inline std::string compare(const std::string &what, const std::vector<Event> &fast,
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

inline std::string compare(const std::string &what, uint64_t fast, uint64_t slow) {
    return fast == slow
               ? ""
               : what + ": fast " + std::to_string(fast) + ", slow " + std::to_string(slow);
}

inline std::string compare(const std::string &what, const gmmu_rdgc_share &fast,
                           const slow_rdgc::Share &slow) {
    const std::string hits = compare(what + " hits", fast.hits, slow.hits);
    return hits.empty() ? compare(what + " accesses", fast.accesses, slow.accesses) : hits;
}

// WARP r or w BLOCK of the first ones.
inline std::string text_of(const std::vector<Access> &list) {
    std::string text;
    for (size_t i = 0; i < list.size() && i < 40; i++) {
        text += " " + std::to_string(list[i].warp) + (list[i].write ? "w" : "r") +
                std::to_string(list[i].block);
    }
    return text + (list.size() > 40 ? " ..." : "");
}

// The first of several; each argument is evaluated.
inline std::string first_of(std::initializer_list<std::string> found) {
    for (const std::string &f : found) {
        if (!f.empty()) {
            return f;
        }
    }
    return "";
}

inline std::string keys(const gmmu_rdgc_config &c, const std::string &prefix) {
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

inline uint64_t running;  // seed of the case

// What a sanitizer says does not tell the case.
inline void tell_running() {
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_set_death_callback(
        [] { std::fprintf(stderr, "GMMU_SEED=%" PRIu64 "\n", running); });
#endif
}

// Runs N cases; ONE gives what differs. Three that fail are enough.
template <class One>
inline void run_cases(uint64_t n, One one) {
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

inline std::string text_of(const slow_rdgc::WarpKey &key, const Lanes &lanes) {
    const auto &[block, number, warp, write] = key;
    std::ostringstream out;
    out << "block " << block << " AN " << number << " warp " << warp
        << (write ? " write" : " read");
    for (const auto &[lane, address] : lanes) {
        out << " " << lane << ":" << address;
    }
    return out.str();
}

#endif
