// SPDX-License-Identifier: Apache-2.0
// untimed.cpp: one cache without time.
#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <string>

#include "compare.h"
#include "random_cache.h"
#include "rdgc/rdgc.h"
#include "slow_rdgc.h"

namespace {

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

}  // namespace
