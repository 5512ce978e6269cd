// SPDX-License-Identifier: Apache-2.0
// timed.cpp: one cache, step by step.
#include <gtest/gtest.h>

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "compare.h"
#include "random_cache.h"
#include "rdgc/rdgc.h"
#include "slow_rdgc.h"

namespace {

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

}  // namespace
