// SPDX-License-Identifier: Apache-2.0
// random_trace.h: random walk traces of structured shapes for the tests of policies.
#ifndef GMMU_TB_RANDOM_TRACE_H
#define GMMU_TB_RANDOM_TRACE_H

#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

#include "gmmu/trace.h"

// The seed of all random tests: GMMU_SEED, or a fixed one.
inline uint64_t test_seed() {
    const char *text = std::getenv("GMMU_SEED");
    return text != nullptr ? std::strtoull(text, nullptr, 0) : 20190930;
}

class RandomTrace {
   public:
    explicit RandomTrace(uint64_t seed) : rng_(seed) {}

    uint64_t below(uint64_t n) { return rng_() % n; }

    // LENGTH walks over at most PAGES pages, in one of the shapes: cycles, scans over a hot set,
    // skewed, phases that move, uniform.
    std::vector<gmmu_walk> make(size_t length, uint64_t pages) {
        const uint64_t shape = below(5);
        const uint64_t refs_by = below(4);  // page, region, position, chance
        const uint64_t refs = 1 + below(4);
        const uint64_t asids = below(3) == 0 ? 1 + below(3) : 1;
        const uint64_t write_percent = below(3) * 40;
        const uint64_t stride = 1 + below(1000);
        const uint64_t jitter = below(3) == 0 ? 10 : 0;
        std::vector<gmmu_walk> trace;
        uint64_t phase_base = 0;
        for (size_t i = 0; i < length; i++) {
            uint64_t page = 0;
            if (shape == 0) {
                page = i % pages;
            } else if (shape == 1) {
                page = i % 2 == 0 ? below(1 + pages / 4) : (i / 2) % pages;
            } else if (shape == 2) {
                page = below(1 + below(1 + below(pages)));
            } else if (shape == 3) {
                if (i % 32 == 0) {
                    phase_base = below(pages);
                }
                page = (phase_base + i % (1 + pages / 2)) % pages;
            } else {
                page = below(pages);
            }
            if (jitter != 0 && below(jitter) == 0) {
                page = below(pages);
            }
            gmmu_walk w = {};
            // Equal page numbers in several address spaces are different pages.
            w.asid = static_cast<uint32_t>(page % asids);
            w.vpn = page / asids * stride;
            w.ref = refs_by == 0   ? page
                    : refs_by == 1 ? page * refs / pages
                    : refs_by == 2 ? i % refs
                                   : below(refs);
            w.write = below(100) < write_percent;
            trace.push_back(w);
        }
        return trace;
    }

   private:
    std::mt19937_64 rng_;
};

#endif
