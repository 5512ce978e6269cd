// SPDX-License-Identifier: Apache-2.0
// schedule.h: how long the engine takes for a row.
#ifndef GMMU_TB_PPUC_SCHEDULE_H
#define GMMU_TB_PPUC_SCHEDULE_H

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bench.h"
#include "blocks/log_bin.h"
#include "rows.h"

inline unsigned bits_of(Wide n) {
    unsigned bits = 0;
    for (; n != 0; n >>= 1) bits++;
    return bits;
}

// What the engine computes with: counts, or those of a cold row.
struct Effective {
    bool cold;
    std::vector<uint64_t> reuse, censored;
    Effective(const Row &row, const Row &global, bool pseudo)
        : cold(false),
          reuse(row.reuse.begin(), row.reuse.end()),
          censored(row.censored.begin(), row.censored.end()) {
        const uint64_t n = global.observations();
        cold = pseudo && row.observations() < 8 && n > 0;
        for (std::size_t b = 0; cold && b < reuse.size(); b++) {
            reuse[b] = reuse[b] * n + 8u * global.reuse[b];
            censored[b] = censored[b] * n + 8u * global.censored[b];
        }
    }
};

struct Schedule {
    std::vector<uint64_t> at;    // cycles after the last beat; the last entry is INSTALL
    Wide tight;                  // the least difference that decides on a bit of a long division
    std::vector<uint64_t> pops;  // when a point comes from the hull's RAM
};

// When the engine writes each priority, in cycles after the last beat of the snapshot: the hull
// pass step by step (docs/reference/blocks/ppuc.md), so that a wrong comparison is seen although
// its priority comes out the same.
inline Schedule schedule(const Effective &counts) {
    const gmmu_config &c = bench::config();
    const unsigned bins = c.bins;
    const unsigned x_w = (bins - 9) / 4 + 4;                     // bits of the last edge
    const unsigned sum_w = c.cnt_w + gmmu_index_bits(bins) + 5;  // of an effective sum
    const uint64_t parts = counts.cold ? 4 : 1, product = x_w + 4, look = 2, pop = 2;
    struct Point {
        uint64_t x, beyond;
    };
    std::vector<Point> hull;
    Schedule s = {std::vector<uint64_t>(bins + 1), ~Wide{0}, {}};
    uint64_t now = 3, beyond = 0, at_risk = 0;
    // from (X, COUNT): points that the one behind them beats go
    const auto trim = [&](uint64_t x, uint64_t count) {
        for (;;) {
            now += look;
            if (hull.size() < 2)
                return;
            const Point &top = hull.back(), &under = hull[hull.size() - 2];
            now += product;
            if (Wide{count - top.beyond} * (under.x - x) > Wide{count - under.beyond} * (top.x - x))
                return;
            now += pop;
            if (hull.size() > 2)
                s.pops.push_back(now - 1);
            hull.pop_back();
        }
    };
    for (unsigned b = bins; b-- > 0;) {
        const uint64_t tau = gmmu_bin_low(b), edge = gmmu_bin_edge(b), mass = counts.reuse[b];
        const uint64_t from = beyond + mass;
        at_risk += mass + counts.censored[b];
        now += 2 + parts + 1 + parts + 2;  // read; reuses; censored records; sums
        trim(tau, from);
        uint64_t best = mass, cost = edge > tau ? edge - tau : 1;
        if (!hull.empty()) {
            const Point &top = hull.back();
            if (Wide{from - top.beyond} * cost > Wide{mass} * (top.x - tau)) {
                best = from - top.beyond;
                cost = top.x - tau;
            }
        }
        now += 1 + product + 2;
        if (best != 0) {
            // both shifted up until they are as long as a product; the first bit of the quotient
            // may be 0
            const Wide divisor = Wide{at_risk} * cost;
            const unsigned up = sum_w + x_w - bits_of(divisor), up_best = sum_w - bits_of(best);
            Wide rest = Wide{best} << (up_best + x_w);
            const unsigned steps = rest >= divisor << up ? 11 : 12;
            now += product + std::max(up, up_best) + 1 + 2 * steps;
            for (unsigned i = 0; i < steps && up < 2; i++) {
                const bool fits = rest >= divisor << up;
                const Wide less = fits ? rest - (divisor << up) : (divisor << up) - rest;
                if (less != 0)
                    s.tight = std::min(s.tight, less);
                rest = (fits ? less : rest) << 1;
            }
        }
        s.at[b] = now;
        now++;
        if (mass != 0) {
            trim(edge, beyond);
            now++;
            hull.push_back({edge, beyond});
        }
        now++;
        beyond = from;
    }
    s.at.back() = now;
    return s;
}

#endif
