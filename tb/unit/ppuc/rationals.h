// SPDX-License-Identifier: Apache-2.0
// rationals.h: the twin itself, against Eq. 1 and 2 of the LEU paper in exact rationals.
#ifndef GMMU_TB_PPUC_RATIONALS_H
#define GMMU_TB_PPUC_RATIONALS_H

#include <gtest/gtest.h>

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "bench.h"
#include "blocks/log_bin.h"
#include "rows.h"

// The bins, written down a second time: exact up to 8, then four an octave.
struct Span {
    uint64_t low, edge;
};
inline std::vector<Span> spans(unsigned bins) {
    std::vector<Span> s;
    for (uint64_t x = 0; s.size() < bins && x < 8; x++) s.push_back({x, x});
    for (uint64_t octave = 8; s.size() < bins; octave *= 2)
        for (uint64_t quarter = 0; quarter < 4 && s.size() < bins; quarter++)
            s.push_back({octave + quarter * octave / 4, octave + (quarter + 1) * octave / 4 - 1});
    return s;
}

struct Ratio {
    Wide num, den;
};

// max over l of (C(l) - C(tau)) / (at_risk(tau) * (l - tau)), all leases l one by one.
inline Ratio priority_of(const std::vector<Wide> &reuse, const std::vector<Wide> &censored,
                         const std::vector<Span> &bin, unsigned b) {
    const uint64_t tau = bin[b].low;
    Wide at_risk = 0;
    for (std::size_t j = b; j < bin.size(); j++) at_risk += reuse[j] + censored[j];
    Ratio best = {0, 1};
    const auto lease = [&](uint64_t l) {
        Wide mass = 0;  // of the bins from tau's on that end by l
        for (std::size_t j = b; j < bin.size(); j++)
            if (std::max(bin[j].edge, tau + 1) <= l)
                mass += reuse[j];
        if (mass * best.den > best.num * (l - tau))
            best = {mass, l - tau};
    };
    if (bin.back().edge < 1024) {
        for (uint64_t l = tau + 1; l <= std::max(bin.back().edge, tau + 1); l++) lease(l);
    } else {  // between two edges C does not grow, but the cost does
        for (std::size_t j = b; j < bin.size(); j++) lease(std::max(bin[j].edge, tau + 1));
    }
    return {best.num, best.den * at_risk};
}

TEST(Ppuc, TwinIsTheExactRationalRoundedDown) {
    const gmmu_config &c = bench::config();
    const std::vector<Span> bin = spans(c.bins);
    bench::Random rng(bench::seed_of_run());
    bench::Memory memory(gmmu_tier_bytes(&c) + 64);
    gmmu_ppuc twin;
    ASSERT_EQ(gmmu_ppuc_init(&twin, &c, &memory.arena), 0);
    for (unsigned b = 0; b < c.bins; b++) {
        ASSERT_EQ(gmmu_bin_low(b), bin[b].low);
        ASSERT_EQ(gmmu_bin_edge(b), bin[b].edge);
        ASSERT_EQ(gmmu_bin(bin[b].low, c.bins), b);
        ASSERT_EQ(gmmu_bin(bin[b].edge, c.bins), b);
    }
    uint64_t values = 0, dead = 0;
    double largest = 0;
    for (unsigned i = 0; i < 1500; i++) {
        Row row = some_row(rng), global = some_row(rng);
        const gmmu_class cls = {static_cast<uint16_t>(rng.below(c.classes)), 0};
        if (cls.row == 0)
            row = global;
        const bool pseudo = rng.below(2);
        const gmmu_rit_row view = row.view(), all = global.view();
        gmmu_ppuc_refresh(&twin, cls, &view, &all, pseudo);
        // a cold row: 8 more observations, as the global ones are distributed; everything times
        // the number of those
        const uint64_t n = global.observations();
        const bool cold = pseudo && cls.row != 0 && row.observations() < 8 && n > 0;
        std::vector<Wide> reuse(c.bins), censored(c.bins);
        for (unsigned b = 0; b < c.bins; b++) {
            reuse[b] =
                cold ? static_cast<Wide>(row.reuse[b]) * n + 8u * global.reuse[b] : row.reuse[b];
            censored[b] = cold ? static_cast<Wide>(row.censored[b]) * n + 8u * global.censored[b]
                               : row.censored[b];
        }
        for (unsigned b = 0; b < c.bins; b++) {
            const Ratio r = priority_of(reuse, censored, bin, b);
            const uint16_t code = twin.engine.priority[b];
            values++;
            ASSERT_EQ(code == 0, r.num == 0) << "dead if and only if there is no mass";
            if (code == 0) {
                dead++;
                continue;
            }
            // (1024 + M) * 2^(E - 73) against num / den
            const Wide exact = r.num << (73 - (code >> 10));
            const Wide is = (1024u + (code & 1023u)) * r.den;
            ASSERT_LE(is, exact) << "bin " << b;
            ASSERT_LT((exact - is) * 1024, exact) << "bin " << b;
            const double error = static_cast<double>(exact - is) / static_cast<double>(exact);
            largest = std::max(largest, error);
            const double value = static_cast<double>(r.num) / static_cast<double>(r.den);
            ASSERT_NEAR(gmmu_minifloat_value(code) / value, 1.0, 1.0 / 1024);
        }
    }
    EXPECT_GT(dead, values / 100);
    std::printf("ppuc (%s): %" PRIu64 " values, largest relative error %.3e (bound %.3e)\n",
                GMMU_CONFIG_NAME, values, largest, std::ldexp(1.0, -10));
}

#endif
