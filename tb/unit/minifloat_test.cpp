// SPDX-License-Identifier: Apache-2.0
// minifloat_test.cpp: the priorities of ppuc's C twin against exact arithmetic of 128 bits, written
// here a second time from docs/reference/blocks/ppuc.md, at the corner of every legal size.
//
// State space: rows with as many observations as can be, and with seven, which get the
// pseudo-observations; in the first, the last and all bins; reuses, censored records and both;
// beside a global histogram whose counts are all at their maximum. Parameter space: every legal
// BINS and CNT_W. Besides, minifloats of random and of extreme fractions.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "blocks/config.h"
#include "blocks/ppuc.h"

namespace {

__extension__ typedef unsigned __int128 Wide;

// Is the value of CODE, (1024 + m) / 2^(73 - exponent), not above num/den?
bool not_above(unsigned code, Wide num, Wide den) {
    const unsigned shift = 73 - (code >> 10);
    return num >> (127 - shift) != 0 || (1024 + code % 1024) * den <= num << shift;
}

// The largest code whose value is not above num/den; 0 for 0, and never 0 for more.
unsigned exact_code(Wide num, Wide den) {
    unsigned code = 0;
    for (unsigned bit = 1U << 15; bit != 0; bit >>= 1)
        if (not_above(code | bit, num, den))
            code |= bit;
    return num != 0 && code == 0 ? 1 : code;
}

uint64_t low(unsigned bin) {
    return bin < 8 ? bin : static_cast<uint64_t>(4 + bin % 4) << (bin / 4 - 1);
}

// Eq. 1 of LEU over bins, as a fraction that no rounding has touched.
unsigned exact_priority(const std::vector<Wide> &reuse, const std::vector<Wide> &censored,
                        unsigned tau_bin) {
    const unsigned bins = static_cast<unsigned>(reuse.size());
    const uint64_t tau = low(tau_bin);
    Wide at_risk = 0, mass = 0, best = 0, cost = 1;
    for (unsigned b = tau_bin; b < bins; b++) at_risk += reuse[b] + censored[b];
    for (unsigned b = tau_bin; b < bins; b++) {
        const uint64_t lease = std::max(low(b + 1) - 1, tau + 1);
        mass += reuse[b];
        if (mass * cost > best * (lease - tau)) {
            best = mass;
            cost = lease - tau;
        }
    }
    return exact_code(best, at_risk * cost);
}

struct Row {
    std::vector<uint16_t> reuse, censored;
    explicit Row(unsigned bins) : reuse(bins), censored(bins) {}
    gmmu_rit_row view() { return {reuse.data(), censored.data(), false, false, false, false}; }
};

// What the twin makes of ROW, beside GLOBAL, is what exact arithmetic makes of it.
void check(Row &row, Row &global, const std::string &what) {
    const unsigned bins = static_cast<unsigned>(row.reuse.size());
    std::vector<uint16_t> priority(bins);
    std::vector<uint64_t> low;
    for (unsigned b = 0; b <= bins; b++) low.push_back(gmmu_bin_low(b));
    gmmu_ppuc p{};
    p.bins = bins;
    p.low = low.data();
    p.engine.priority = priority.data();
    const gmmu_rit_row r = row.view(), g = global.view();
    gmmu_ppuc_refresh(&p, {1, 0}, &r, &g, true);
    Wide n = 0, n_global = 0;
    for (unsigned b = 0; b < bins; b++) {
        n += row.reuse[b] + row.censored[b];
        n_global += global.reuse[b] + global.censored[b];
    }
    std::vector<Wide> reuse(row.reuse.begin(), row.reuse.end()),
        censored(row.censored.begin(), row.censored.end());
    for (unsigned b = 0; b < bins && n < 8; b++) {
        reuse[b] = reuse[b] * n_global + 8 * static_cast<Wide>(global.reuse[b]);
        censored[b] = censored[b] * n_global + 8 * static_cast<Wide>(global.censored[b]);
    }
    for (unsigned b = 0; b < bins; b++)
        ASSERT_EQ(priority[b], exact_priority(reuse, censored, b)) << what << ", bin " << b;
}

TEST(Minifloat, PrioritiesAreExactAtTheCornerOfEverySize) {
    for (unsigned bins = 16; bins <= 116; bins++)
        for (unsigned cnt_w = 2; cnt_w <= 16; cnt_w++) {
            gmmu_config c = *gmmu_config_find("default");
            c.bins = bins;
            c.cnt_w = cnt_w;
            ASSERT_EQ(gmmu_config_error(&c), nullptr);
            const auto most = static_cast<uint16_t>((1U << cnt_w) - 1);
            const std::string size =
                "BINS " + std::to_string(bins) + ", CNT_W " + std::to_string(cnt_w);
            Row all(bins), reused(bins), last(bins), few(bins), few_last(bins);
            for (unsigned b = 0; b < bins; b++)
                all.reuse[b] = all.censored[b] = reused.reuse[b] = most;
            last.reuse[bins - 1] = most;
            few.reuse[0] = 3;
            few.censored[bins - 1] = std::min<uint16_t>(most, 4);
            few_last.reuse[bins - 1] = std::min<uint16_t>(most, 7);
            for (Row *row : {&all, &reused, &last, &few, &few_last})
                for (Row *global : {&all, &reused, &last}) check(*row, *global, size);
            if (HasFatalFailure())
                return;
        }
    gmmu_config beyond = *gmmu_config_find("default");
    beyond.bins = 117;
    EXPECT_NE(gmmu_config_error(&beyond), nullptr);
    beyond.bins = 116;
    beyond.cnt_w = 17;
    EXPECT_NE(gmmu_config_error(&beyond), nullptr);
}

TEST(Minifloat, IsTheExactFractionRoundedDown) {
    std::mt19937_64 rng(1);
    for (int i = 0; i < 300000; i++) {
        const uint64_t den = (rng() >> 1 >> rng() % 63) + 1;  // up to 2^63
        const uint64_t num = std::min(den, rng() >> rng() % 64);
        if (den >> 63 == 0) {
            ASSERT_EQ(gmmu_minifloat(num, den), exact_code(num, den)) << num << "/" << den;
        }
    }
    const uint64_t top = (1ULL << 63) - 1;
    for (uint64_t num : {UINT64_C(0), UINT64_C(1), UINT64_C(2), top / 2, top / 2 + 1, top - 1, top})
        ASSERT_EQ(gmmu_minifloat(num, top), exact_code(num, top)) << num;
}

}  // namespace
