// SPDX-License-Identifier: Apache-2.0
// page_set_chain_test.cpp: HPE's page set chain against a literal second one
// (slow_page_set_chain.h), every alternative of docs/papers/hpe.md among the parameters.
//
// State space: sweeps, random pages and bursts of hits, so that all three categories, divisions,
// wrong evictions, jumps and switches occur; faults that stay open, pages freed, pages evicted
// unasked, hits on sets that are gone, faults told twice. Parameter space: page sets of 1 to 32
// pages, 1 to 200 frames, intervals 1 to 64, FIFO 0 to 128, history none to enough, triggers 0
// to 16; in half of the runs the alternatives, each with one chance in two or three.
#include "driver/page_set_chain.h"

#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdlib>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "slow_page_set_chain.h"

namespace {

using slow_psc::Name;
using slow_psc::Page;
using slow_psc::Slow;

uint32_t seed_of_run() {
    const char *s = std::getenv("GMMU_SEED");
    return s ? static_cast<uint32_t>(std::strtoul(s, nullptr, 0)) : 1;
}

// Both, fed alike and compared at every answer.
struct Both {
    gmmu_psc c;
    std::vector<char> memory;
    Slow slow;
    explicit Both(const gmmu_psc_config &cfg) : memory(gmmu_psc_bytes(&cfg)) {
        slow.cfg = cfg;
        EXPECT_EQ(gmmu_psc_init(&c, &cfg, memory.data(), memory.size()), 0);
    }
    int fault(const Page &p) {
        const int r = gmmu_psc_fault(&c, p.first, p.second);
        EXPECT_EQ(r, slow.fault(p));
        return r;
    }
    int filled(const Page &p) {
        const int r = gmmu_psc_filled(&c, p.first, p.second);
        EXPECT_EQ(r, slow.filled(p));
        return r;
    }
    void bring(uint64_t vpn) {
        EXPECT_EQ(fault({0, vpn}), 0);
        EXPECT_EQ(filled({0, vpn}), 0);
    }
    void hits(const gmmu_psc_record &r) {
        gmmu_psc_hits(&c, &r);
        slow.hits(r);
    }
    void hits(uint64_t vpn, uint8_t times) {
        gmmu_psc_record r{};
        r.set = vpn / slow.cfg.set_pages;
        r.count[vpn % slow.cfg.set_pages] = times;
        hits(r);
    }
    std::optional<Page> victim() {
        const gmmu_psc_page v = gmmu_psc_victim(&c);
        const std::optional<Page> want = slow.victim();
        EXPECT_EQ(v.found, want.has_value());
        if (!v.found || !want)
            return {};
        EXPECT_EQ(Page(v.asid, v.vpn), *want);
        return Page(v.asid, v.vpn);
    }
    int evicted(const Page &p) {
        const int r = gmmu_psc_evicted(&c, p.first, p.second);
        EXPECT_EQ(r, slow.evicted(p));
        return r;
    }
    int freed(const Page &p) {
        const int r = gmmu_psc_freed(&c, p.first, p.second);
        EXPECT_EQ(r, slow.freed(p));
        return r;
    }
    uint64_t evict() {
        const std::optional<Page> v = victim();
        EXPECT_TRUE(v.has_value());
        EXPECT_EQ(evicted(v.value_or(Page())), 0);
        return v.value_or(Page()).second;
    }
    void compare() const {
        const gmmu_psc_stats &a = c.stats, &b = slow.stats;
        EXPECT_EQ(a.faults, slow.faults);
        EXPECT_EQ(a.intervals, b.intervals);
        EXPECT_EQ(a.records, b.records);
        EXPECT_EQ(a.stale, b.stale);
        EXPECT_EQ(a.searches, b.searches);
        EXPECT_EQ(a.compared, b.compared);
        EXPECT_EQ(a.most_compared, b.most_compared);
        EXPECT_EQ(a.mruc_searches, b.mruc_searches);
        EXPECT_EQ(a.mruc_compared, b.mruc_compared);
        EXPECT_EQ(a.divided, b.divided);
        EXPECT_EQ(a.undivided, b.undivided);
        EXPECT_EQ(a.evicted, b.evicted);
        EXPECT_EQ(a.jumps, b.jumps);
        EXPECT_EQ(a.switches, b.switches);
        EXPECT_EQ(a.length_sum, b.length_sum);
        EXPECT_EQ(a.most_length, b.most_length);
        EXPECT_EQ(c.length, slow.sets());
        EXPECT_EQ(c.category, slow.category);
        EXPECT_EQ(static_cast<int>(c.strategy), slow.strategy);
        EXPECT_EQ(c.skip, slow.skip);
        EXPECT_EQ(c.resident, slow.resident);
        for (int k = 0; k < 2; k++) {
            EXPECT_EQ(a.wrong[k], b.wrong[k]);
            EXPECT_EQ(a.lasted[k], b.lasted[k]);
            EXPECT_EQ(a.gone[k], b.gone[k]);
            EXPECT_EQ(c.lasted[k], slow.lasted[k]);
        }
        EXPECT_EQ(c.census.irregular, slow.census.irregular);
        EXPECT_EQ(c.census.small, slow.census.small);
        EXPECT_EQ(c.census.large, slow.census.large);
        EXPECT_EQ(c.census.old, slow.census.old);
        EXPECT_EQ(c.census.length, slow.census.length);
    }
};

TEST(PageSetChain, RandomEventsAsTheLiteralModel) {
    std::mt19937_64 rng(seed_of_run());
    const auto below = [&](uint64_t n) { return rng() % n; };
    uint64_t seen[4] = {}, victims = 0, jumps = 0, switches = 0, back = 0, divided = 0,
             undivided = 0, refused = 0;
    for (int run = 0; run < 450 && !testing::Test::HasFailure(); run++) {
        gmmu_psc_config cfg =
            gmmu_psc_paper(static_cast<uint32_t>(1 + below(below(2) ? 200 : 20)), 1u << below(6));
        cfg.waiting = static_cast<uint32_t>(below(4));
        cfg.history = static_cast<uint32_t>(below(3) ? cfg.frames : below(3));
        cfg.interval = static_cast<uint32_t>(1 + below(below(2) ? 64 : 8));
        cfg.fifo = static_cast<uint32_t>(below(8) ? 128 : below(4));
        cfg.trigger = static_cast<uint32_t>(below(below(2) ? 17 : 4));
        cfg.jump = static_cast<uint32_t>(below(17));
        cfg.total = below(2);
        if (below(4) == 0)
            cfg.count_max = static_cast<uint32_t>(1 + below(40));
        if (below(4) == 0)
            cfg.divide = static_cast<uint32_t>(below(cfg.count_max + 2));
        if (below(2)) {
            cfg.large = static_cast<uint32_t>(below(8));
            cfg.jumps = static_cast<uint32_t>(below(3));
            cfg.force = below(2) ? GMMU_PSC_OPEN : static_cast<gmmu_psc_category>(1 + below(3));
            cfg.counted = static_cast<gmmu_psc_counted>(below(3));
            cfg.mruc = static_cast<gmmu_psc_mruc>(below(3));
            for (bool *b : {&cfg.brief, &cfg.untried, &cfg.tie, &cfg.afresh, &cfg.again,
                            &cfg.window, &cfg.second})
                *b = below(2);
        }
        Both b(cfg);
        const unsigned how = static_cast<unsigned>(below(3));  // sweeps, random pages, both
        const uint64_t pages = cfg.frames + 1 + below(cfg.frames + cfg.set_pages * 2),
                       stride = 1 + below(3);
        const unsigned hit_rate = static_cast<unsigned>(below(3) ? below(10) : 0);
        const uint64_t steps = 1500;
        uint64_t at = 0;
        std::set<Page> open;
        for (uint64_t step = 0; step < steps && !testing::Test::HasFailure(); step++) {
            const bool sweep = how == 0 || (how == 2 && step / 300 % 2);
            at = sweep ? (at + stride) % pages : below(pages);
            const Page p{static_cast<uint32_t>(how == 1 ? below(2) : 0), at};
            while (b.slow.resident + open.size() >= cfg.frames) {
                const std::optional<Page> v = b.victim();
                victims += v.has_value();
                if (!v)
                    break;
                if (below(50) == 0)
                    (void)b.evicted(p);  // may well not be resident
                (void)b.evicted(*v);
            }
            const bool refusal = b.fault(p) != 0;
            refused += refusal;
            if (!refusal && below(30) == 0)
                open.insert(p);
            else
                (void)b.filled(p);
            if (!open.empty() && below(4) == 0) {
                (void)(below(2) ? b.filled(*open.begin()) : b.freed(*open.begin()));
                open.erase(open.begin());
            }
            if (below(40) == 0)
                (void)b.freed({p.first, below(pages)});
            while (below(10) < hit_rate) {
                gmmu_psc_record r{};
                r.asid = p.first;
                r.set = (below(4) ? at : below(pages)) / cfg.set_pages;
                const unsigned k = static_cast<unsigned>(below(4));
                for (auto &n : r.count) n = static_cast<uint8_t>(below(3) ? k : below(4));
                b.hits(r);
            }
        }
        b.compare();
        seen[b.c.category]++;
        jumps += b.c.stats.jumps;
        switches += b.c.stats.switches;
        back += b.c.stats.switches > 1;
        divided += b.c.stats.divided;
        undivided += b.c.stats.undivided;
    }
    for (const unsigned k : {1, 2, 3}) EXPECT_GT(seen[k], 0U) << k;
    for (const uint64_t n : {jumps, switches, back, divided, undivided, refused}) EXPECT_GT(n, 0U);
    std::printf("page_set_chain: %" PRIu64 " victims compared; runs regular %" PRIu64
                ", irregular#1 %" PRIu64 ", #2 %" PRIu64 "; %" PRIu64 " jumps, %" PRIu64
                " switches, %" PRIu64 " divisions\n",
                victims, seen[1], seen[2], seen[3], jumps, switches, divided);
}

// Section IV.C's example: even pages of set 8000 first, odd pages later.
TEST(PageSetChain, DividesAsNw) {
    Both b(gmmu_psc_paper(64, 16));
    for (uint64_t i = 0; i < 16; i += 2) b.bring(0x80000 + i);
    for (int i = 0; i < 18; i++) b.hits(0x80000, 3);
    EXPECT_EQ(b.c.stats.divided, 0U);  // 8 + 54 touches
    b.hits(0x80002, 2);
    EXPECT_EQ(b.c.stats.divided, 1U);
    EXPECT_EQ(b.slow.sets(), 1U);
    for (uint64_t i = 1; i < 16; i += 2) b.bring(0x80000 + i);
    EXPECT_EQ(b.slow.sets(), 2U);
    for (uint64_t i = 0; i < 16; i += 2) EXPECT_EQ(b.evict(), 0x80000 + i);
    for (uint64_t i = 1; i < 16; i += 2) EXPECT_EQ(b.evict(), 0x80000 + i);
    EXPECT_EQ(b.slow.sets(), 0U);
    EXPECT_FALSE(b.victim().has_value());
    b.bring(0x80003);  // the first division still holds
    b.bring(0x80002);
    EXPECT_EQ(b.slow.sets(), 2U);
    EXPECT_EQ(b.c.stats.wrong[0] + b.c.stats.wrong[1], 2U);
    b.compare();
}

// Table III at its limits: REG sets with 4 touches, LARGE with 12, IRR with 3, of 4 pages each.
gmmu_psc_category category_of(unsigned reg, unsigned large, unsigned irr) {
    gmmu_psc_config cfg = gmmu_psc_paper(4 * (reg + large) + 3 * irr, 4);
    Both b(cfg);
    uint64_t set = 0;
    for (unsigned i = 0; i < reg + large + irr; i++, set++) {
        if (i >= reg && i < reg + large) {
            b.bring(4 * set);
            b.hits(4 * set, 8);
        }
        for (uint64_t k = i >= reg && i < reg + large ? 1 : 0; k < (i < reg + large ? 4 : 3); k++)
            b.bring(4 * set + k);
    }
    b.compare();
    return b.c.category;
}

TEST(PageSetChain, ClassifiesAsTableIII) {
    EXPECT_EQ(category_of(10, 0, 3), GMMU_PSC_REGULAR);  // ratio1 is the threshold
    EXPECT_EQ(category_of(10, 0, 4), GMMU_PSC_IRREGULAR_2);
    EXPECT_EQ(category_of(3, 5, 0), GMMU_PSC_REGULAR);
    EXPECT_EQ(category_of(3, 6, 0), GMMU_PSC_IRREGULAR_1);  // ratio2 is 2
    EXPECT_EQ(category_of(0, 1, 0), GMMU_PSC_IRREGULAR_1);  // x / 0
    EXPECT_EQ(category_of(0, 0, 1), GMMU_PSC_IRREGULAR_2);
    Both b(gmmu_psc_paper(4, 4));
    EXPECT_FALSE(b.victim().has_value());  // 0 / 0
    EXPECT_EQ(b.c.category, GMMU_PSC_REGULAR);
}

// MRU-C over old sets with COUNTS, LRU first; returns the place of the set that is chosen.
uint64_t mruc(const std::vector<unsigned> &counts, uint64_t skip = 0) {
    gmmu_psc_config cfg = gmmu_psc_paper(1000, 8);
    cfg.interval = 1;
    Both b(cfg);
    for (size_t i = 0; i < counts.size() + 2; i++) {  // two more: the middle and the new partition
        b.bring(8 * i);
        if (i < counts.size() && counts[i] > 1)
            b.hits(8 * i, static_cast<uint8_t>(counts[i] - 1));
    }
    b.c.category = b.slow.category = GMMU_PSC_REGULAR;
    b.c.strategy = GMMU_PSC_MRU_C;
    b.slow.strategy = 1;
    b.c.skip = b.slow.skip = skip;
    return b.victim().value_or(Page{0, 9999}).second / 8;
}

TEST(PageSetChain, MruC) {
    EXPECT_EQ(mruc({8, 8, 9, 7}), 1U);      // the set size, from the MRU end
    EXPECT_EQ(mruc({12, 10, 10, 30}), 2U);  // all above: the least, nearest to the MRU end
    EXPECT_EQ(mruc({12, 2, 20, 7}), 0U);    // some below: the least above
    EXPECT_EQ(mruc({7, 3, 7, 1}), 2U);      // all below: the most
    EXPECT_EQ(mruc({8, 8, 8, 8}, 2), 1U);   // two sets skipped
    EXPECT_EQ(mruc({8, 8, 8, 8}, 99), 0U);  // the last one is never skipped
    EXPECT_EQ(mruc({}), 0U);                // old is empty: LRU of the middle partition
}

TEST(PageSetChain, SaysWhatItCannotDo) {
    gmmu_psc_config cfg = gmmu_psc_paper(2, 16);
    std::vector<char> memory(gmmu_psc_bytes(&cfg));
    gmmu_psc c;
    EXPECT_EQ(gmmu_psc_init(&c, &cfg, memory.data(), memory.size()), 0);
    EXPECT_NE(gmmu_psc_init(&c, &cfg, memory.data(), memory.size() - 1), 0);
    const auto bad = [&](uint32_t gmmu_psc_config::*field, uint32_t value) {
        gmmu_psc_config b = cfg;
        b.*field = value;
        EXPECT_EQ(gmmu_psc_bytes(&b), 0U);
        EXPECT_NE(gmmu_psc_init(&c, &b, memory.data(), memory.size()), 0);
    };
    using C = gmmu_psc_config;
    bad(&C::frames, 0);
    bad(&C::frames, UINT32_MAX);
    bad(&C::waiting, UINT32_MAX);
    bad(&C::history, UINT32_MAX);
    for (const uint32_t n : {0U, 12U, 64U}) bad(&C::set_pages, n);
    bad(&C::interval, 0);
    bad(&C::fifo, UINT32_MAX);
    bad(&C::count_max, 0);
    bad(&C::count_max, 65536);
    bad(&C::ratio_den, 0);
    Both b(cfg);
    EXPECT_NE(b.filled({0, 5}), 0);  // no such set
    EXPECT_NE(b.evicted({0, 5}), 0);
    EXPECT_NE(b.freed({0, 5}), 0);
    for (const uint64_t vpn : {0, 16, 32}) EXPECT_EQ(b.fault({0, vpn}), 0);
    EXPECT_NE(b.fault({0, 48}), 0);  // a fourth set, 2 frames + 1
    EXPECT_NE(b.filled({0, 1}), 0);  // a page of a set that is there
    EXPECT_NE(b.evicted({0, 0}), 0);
    EXPECT_NE(b.freed({0, 1}), 0);
    EXPECT_EQ(b.freed({0, 0}), 0);
    EXPECT_EQ(b.fault({0, 48}), 0);
    b.compare();
}

}  // namespace
