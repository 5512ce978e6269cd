// SPDX-License-Identifier: Apache-2.0
// twin.h: what the twin finds, against a plain map of last accesses.
#ifndef GMMU_TB_TRACE_SAMPLER_TWIN_H
#define GMMU_TB_TRACE_SAMPLER_TWIN_H

#include <gtest/gtest.h>

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <random>
#include <vector>

#include "blocks/trace_sampler.h"
#include "pages.h"

// A walk over phases: a hot part, a loop, strides, chance.
inline std::vector<Page> some_trace(std::mt19937_64 &rng, std::size_t length, unsigned pages) {
    std::vector<Page> t;
    unsigned loop = 0;
    while (t.size() < length) {
        uint64_t n;
        switch (rng() % 4) {
            case 0:
                n = rng() % (pages / 8);
                break;
            case 1:
            case 2:
                n = loop++ % pages;
                break;
            default:
                n = rng() % pages;
        }
        t.push_back({static_cast<uint32_t>(n & 1), (n * 3) & mask(config().vpn_w)});
    }
    return t;
}

// With every page selected and room for all, exactly the reuse intervals that a map of last
// accesses finds, each with the class of the earlier access.
TEST(TraceSamplerTwin, EveryReuseAtFullRate) {
    std::mt19937_64 rng(seed_of_run());
    Twin twin(65536, 16, 0);
    struct Last {
        uint32_t time;
        gmmu_class cls;
    };
    std::map<Page, Last> last;
    uint32_t time = 0;
    uint64_t reuses = 0;
    for (const Page &p : some_trace(rng, 200000, 8000)) {
        time++;
        const gmmu_class cls = {static_cast<uint16_t>(rng() % 64),
                                static_cast<uint16_t>(rng() % 16)};
        const auto it = last.find(p);
        const gmmu_sampled a = gmmu_trace_sampler_access(&twin.ts, p.asid, p.vpn, cls, time, false);
        ASSERT_TRUE(a.selected);
        ASSERT_EQ(a.hit, it != last.end());
        ASSERT_EQ(a.record, a.hit);
        if (a.hit) {
            ASSERT_FALSE(a.rec.censored);
            ASSERT_EQ(a.rec.interval, time - it->second.time);
            ASSERT_EQ(a.rec.cls.row, it->second.cls.row);
            ASSERT_EQ(a.rec.cls.gen, it->second.cls.gen);
            reuses++;
        }
        last[p] = {time, cls};
    }
    EXPECT_EQ(twin.ts.occupied, last.size());
    EXPECT_FALSE(twin.ts.thresh_owed);
    EXPECT_GT(reuses, 100000u);
}

// Pages of equal hash have equal names only if the rest of their keys folds alike: never while the
// page numbers are below 2^(32 + REST - ASID_W) (docs/reference/blocks/trace_sampler.md, "The
// page's name").
TEST(TraceSamplerTwin, NamesOfPages) {
    const unsigned vpn_w = config().vpn_w, asid_w = config().asid_w;
    const auto name = [](const Page &p) {
        return gmmu_trace_sampler_name(&config(), p.asid, p.vpn);
    };
    std::mt19937_64 rng(seed_of_run() + 4);
    if (vpn_w <= 32) {  // the hash alone tells them apart
        std::map<uint64_t, Page> seen;
        for (unsigned i = 0; i < 200000; i++) {
            const Page p = {static_cast<uint32_t>(rng() & mask(asid_w)), rng() & mask(vpn_w)};
            const Page first = seen.emplace(name(p), p).first->second;
            ASSERT_TRUE(first.asid == p.asid && first.vpn == p.vpn);
        }
        return;
    }
    const unsigned exact =
        asid_w < GMMU_SAMPLER_REST ? std::min(vpn_w - 32, GMMU_SAMPLER_REST - asid_w) : 0;
    uint64_t equal = 0;
    for (unsigned i = 0; i < 200000; i++) {
        const Page p = {static_cast<uint32_t>(rng() & mask(asid_w)), rng() & mask(32 + exact)};
        Page q = {static_cast<uint32_t>(rng() & mask(asid_w)), rng() & mask(32 + exact)};
        q = with_hash(q, hash_of(p));
        if (asid_w < GMMU_SAMPLER_REST) {
            ASSERT_EQ(name(p) == name(q), p.asid == q.asid && p.vpn == q.vpn);
        }
        // upper bits of all kinds: one in 2^REST of those with equal hash
        q = with_hash({static_cast<uint32_t>(rng() & mask(asid_w)), rng() & mask(vpn_w)},
                      hash_of(p));
        equal += name(p) == name(q);
    }
    const double rate = static_cast<double>(equal) / 200000 * (1u << GMMU_SAMPLER_REST);
    std::printf("names: %" PRIu64 " of 200000 pairs of equal hash are equal: %.2f in 2^%u\n", equal,
                rate, static_cast<unsigned>(GMMU_SAMPLER_REST));
    EXPECT_GT(rate, 0.2);
    EXPECT_LT(rate, 3.0);
}

inline double distance(const std::map<unsigned, uint64_t> &a,
                       const std::map<unsigned, uint64_t> &b) {
    uint64_t na = 0, nb = 0;
    std::map<unsigned, double> diff;
    for (const auto &x : a) na += x.second;
    for (const auto &x : b) nb += x.second;
    for (const auto &x : a)
        diff[x.first] += static_cast<double>(x.second) / static_cast<double>(na);
    for (const auto &x : b)
        diff[x.first] -= static_cast<double>(x.second) / static_cast<double>(nb);
    double sum = 0;
    for (const auto &x : diff) sum += std::fabs(x.second);
    return sum / 2;
}

// One page in eight: the share of each bin is that of the full histogram, within 0.05 in total
// variation distance; the number of records is an eighth, within 10 %.
TEST(TraceSamplerTwin, AnEighthOfThePagesIsEnough) {
    std::mt19937_64 rng(seed_of_run() + 1);
    const std::vector<Page> trace = some_trace(rng, 400000, 20000);
    std::map<unsigned, uint64_t> full, sampled;
    uint64_t n = 0, m = 0;
    for (unsigned sample : {0u, 3u}) {
        Twin twin(262144, 16, sample);
        uint32_t time = 0;
        for (const Page &p : trace) {
            const gmmu_sampled a =
                gmmu_trace_sampler_access(&twin.ts, p.asid, p.vpn, {1, 0}, ++time, false);
            if (a.record) {
                ASSERT_TRUE(a.hit);
                (sample ? m : n)++;
                (sample ? sampled : full)[static_cast<unsigned>(std::log2(a.rec.interval) * 4)]++;
            }
        }
    }
    const double d = distance(full, sampled),
                 rate = static_cast<double>(m) / static_cast<double>(n);
    std::printf("sampled 1/8: %" PRIu64 " of %" PRIu64
                " reuses (%.4f), total variation distance %.4f\n",
                m, n, rate, d);
    EXPECT_LT(d, 0.05);
    EXPECT_NEAR(rate, 0.125, 0.0125);
}

// A footprint 64 times the table: the threshold falls until the sample fits, and not much further;
// then nearly every sampled access finds its page.
TEST(TraceSamplerTwin, FixedSize) {
    std::mt19937_64 rng(seed_of_run() + 2);
    const unsigned entries = 1024;
    Twin twin(entries, 4, 0);
    gmmu_trace_sampler *ts = &twin.ts;
    uint32_t time = 0, threshs = 0, late = 0, late_hits = 0;
    const unsigned pages = 64 * entries;
    for (unsigned i = 0; i < 3000000; i++) {
        time = (time + 1) & ts->time_mask;
        const gmmu_sampled a = gmmu_trace_sampler_access(ts, 0, rng() % pages, {1, 0}, time, false);
        late += i > 2000000 && a.selected;  // the sample fits by then
        late_hits += i > 2000000 && a.hit;
        ASSERT_LE(ts->occupied, entries);
        if (ts->thresh_owed) {
            const uint32_t before = ts->threshold;
            ASSERT_EQ(gmmu_trace_sampler_thresh(ts), before - std::max(1u, before / 8));
            threshs++;
        }
        while (ts->pass_left > 0) gmmu_trace_sampler_scrub(ts, time);
        ASSERT_LT(ts->occupied, entries - entries / 8);
        if (i % 512 == 0)
            gmmu_trace_sampler_scrub(ts, time);
    }
    // Selected pages: more than fit, or as few as 6/8 of those that fit, but for the sets'
    // overflow.
    const double selected =
        static_cast<double>(pages) * ts->threshold / static_cast<double>(GMMU_SAMPLER_ALL);
    std::printf(
        "fixed size: %u THRESH, threshold %u, %.0f of %u pages in the sample, %u entries of %u\n",
        threshs, ts->threshold, selected, pages, ts->occupied, entries);
    EXPECT_GT(late_hits, late * 95 / 100);
    EXPECT_GT(selected, 0.6 * entries);
    EXPECT_LT(selected, 1.2 * entries);
    // the rule's whole way down, and its end
    while (ts->threshold > 1) {
        const uint32_t before = ts->threshold;
        ASSERT_EQ(gmmu_trace_sampler_thresh(ts), before - std::max(1u, before / 8));
    }
    EXPECT_EQ(gmmu_trace_sampler_thresh(ts), 1u);
}

// Pages at any stride from 1 to 4096 spread over the sets (hash[15:0]) and over the ranks
// (hash[31:16]). CRC-32C is linear, so single strides are worse than chance (docs/reference/blocks/
// trace_sampler.md); stated and asserted here: in nine strides of ten chi-square is below its mean
// + 6 standard deviations for both; no set gets four times its share; one page in eight is 0.5
// to 1.5 of an eighth where there are 4096 pages, at most 3 where there are 256; over all strides
// the root mean square of that error is that of independent chance, within 20 %.
TEST(TraceSamplerTwin, HashSpreadsStrides) {
    const unsigned sets = entries_of_config() / ways_of_config();
    const unsigned n =
        static_cast<unsigned>(std::min<uint64_t>(16 * sets, (mask(config().vpn_w) + 1) / 4096));
    std::mt19937_64 rng(seed_of_run() + 3);
    unsigned beyond = 0;
    double worst_set = 0, worst_rank = 0, load = 0, least = 8, most = 0, squares = 0;
    for (unsigned stride = 1; stride <= 4096; stride++) {
        const uint64_t base = rng() & mask(config().vpn_w);
        std::vector<unsigned> in_set(sets), in_rank(16);
        unsigned eighth = 0;
        for (unsigned i = 0; i < n; i++) {
            const uint32_t h =
                hash_of({0, (base + static_cast<uint64_t>(stride) * i) & mask(config().vpn_w)});
            in_set[h % sets]++;
            in_rank[h >> 28]++;
            eighth += h >> 16 < GMMU_SAMPLER_ALL / 8;
        }
        const auto excess = [n](const std::vector<unsigned> &count) {
            const double mean = static_cast<double>(n) / static_cast<double>(count.size());
            const double free = static_cast<double>(count.size() - 1);
            double chi = 0;
            for (unsigned c : count) chi += (c - mean) * (c - mean) / mean;
            return (chi - free) / std::sqrt(2 * free);  // standard deviations above the mean
        };
        const double x = excess(in_set), y = excess(in_rank), share = eighth * 8.0 / n;
        beyond += x > 6 || y > 6;
        worst_set = std::max(worst_set, x);
        worst_rank = std::max(worst_rank, y);
        load = std::max(
            load, static_cast<double>(*std::max_element(in_set.begin(), in_set.end())) * sets / n);
        least = std::min(least, share);
        most = std::max(most, share);
        squares += (share - 1) * (share - 1);
    }
    const double rms = std::sqrt(squares / 4096), chance = std::sqrt(7.0 / n);
    std::printf(
        "strides 1..4096, %u pages each: %u beyond 6 deviations (worst: sets %.1f, ranks %.1f), "
        "fullest set "
        "%.2f of its share, an eighth is %.3f to %.3f of one, rms error %.3f (chance: %.3f)\n",
        n, beyond, worst_set, worst_rank, load, least, most, rms, chance);
    EXPECT_LT(beyond, 4096u / 10);
    EXPECT_LT(load, 4.0);
    EXPECT_GE(least, n >= 4096 ? 0.5 : 0.0);
    EXPECT_LT(most, n >= 4096 ? 1.5 : 3.0);
    EXPECT_LT(rms, 1.2 * chance);
}

#endif
