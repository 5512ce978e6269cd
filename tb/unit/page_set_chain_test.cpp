// SPDX-License-Identifier: Apache-2.0
// page_set_chain_test.cpp: HPE's page set chain against a literal second one: three lists, maps,
// and every rule as the paper's text and docs/decisions.md (E1 to E14) word it.
//
// State space: sweeps, random pages and bursts of hits, so that all three categories, divisions,
// wrong evictions, jumps and switches occur; faults that stay open, pages freed, pages evicted
// unasked, hits on sets that are gone, faults told twice. Parameter space: page sets of 1 to 32
// pages, 1 to 200 frames, intervals 1 to 64, FIFO 0 to 128, history none to enough, triggers 0
// to 16.
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

namespace {

using Page = std::pair<uint32_t, uint64_t>;         // asid, vpn
using Name = std::tuple<uint32_t, uint64_t, bool>;  // asid, page set, secondary?

uint32_t seed_of_run() {
    const char *s = std::getenv("GMMU_SEED");
    return s ? static_cast<uint32_t>(std::strtoul(s, nullptr, 0)) : 1;
}

struct Slow {
    struct Set {
        Name name;
        uint64_t count = 0;
        std::set<uint64_t> faulted, here, awaited;  // page numbers
    };
    gmmu_psc_config cfg;
    std::list<Set> part[3];  // old, middle, new; LRU first
    std::map<std::pair<uint32_t, uint64_t>, std::set<uint64_t>> primary;
    std::deque<std::optional<Page>> fifo[2];
    uint64_t wrong[2] = {}, lasted[2] = {}, faults = 0, skip = 0, resident = 0;
    gmmu_psc_category category = GMMU_PSC_OPEN;
    int strategy = 0;
    bool tried = false;
    gmmu_psc_census census{};
    gmmu_psc_stats stats{};
    std::optional<Name> chosen;

    uint64_t set_of(uint64_t vpn) const { return vpn / cfg.set_pages; }
    Name name_of(const Page &p) const {
        const auto d = primary.find({p.first, set_of(p.second)});
        return {p.first, set_of(p.second), d != primary.end() && d->second.count(p.second) == 0};
    }
    size_t sets() const { return part[0].size() + part[1].size() + part[2].size(); }
    Set *find(const Name &n) {
        for (auto &l : part)
            for (Set &s : l)
                if (s.name == n)
                    return &s;
        return nullptr;
    }
    void erase_if_empty(const Name &n) {
        for (auto &l : part)
            for (auto s = l.begin(); s != l.end(); ++s)
                if (s->name == n && s->here.empty() && s->awaited.empty()) {
                    if (chosen == n)
                        chosen.reset();
                    l.erase(s);
                    return;
                }
    }
    void touch(const Name &n, uint64_t times) {
        for (int k = 0; k < 2; k++)
            for (auto s = part[k].begin(); s != part[k].end(); ++s)
                if (s->name == n) {
                    part[2].splice(part[2].end(), part[k], s);
                    if (chosen == n)
                        chosen.reset();
                    k = 2;
                    break;
                }
        Set *s = find(n);
        if (s->count >= cfg.count_max)
            return;
        s->count += times;
        if (s->count < cfg.count_max)
            return;
        s->count = cfg.count_max;
        const std::pair<uint32_t, uint64_t> key{std::get<0>(n), std::get<1>(n)};
        if (s->faulted.size() == cfg.set_pages || primary.count(key))
            return;
        if (primary.size() == cfg.history) {
            stats.undivided++;
        } else {
            primary[key] = s->faulted;
            stats.divided++;
        }
    }
    void end_interval() {
        part[0].splice(part[0].end(), part[1]);
        part[1].splice(part[1].end(), part[2]);
        wrong[0] = wrong[1] = 0;
        if (category != GMMU_PSC_OPEN)
            lasted[strategy]++;
        stats.intervals++;
    }
    void adjust() {
        if (category == GMMU_PSC_REGULAR && !(census.old < 4 * cfg.set_pages)) {
            skip += cfg.jump;
            stats.jumps++;
            chosen.reset();
        }
        if (category == GMMU_PSC_IRREGULAR_2 &&
            (!tried || lasted[1 - strategy] > lasted[strategy])) {
            tried = true;
            strategy = 1 - strategy;
            if (!cfg.total)
                lasted[strategy] = 0;
            stats.switches++;
            chosen.reset();
        }
    }
    int fault(const Page &p) {
        const Name n = name_of(p);
        if (!find(n) && sets() == uint64_t{cfg.frames} + cfg.waiting)
            return 1;
        if (faults != 0 && faults % cfg.interval == 0)
            end_interval();
        faults++;
        bool found = false;
        for (int by = 0; by < 2; by++)
            for (auto &e : fifo[by])
                if (!found && e == p) {
                    found = true;
                    e.reset();
                    stats.wrong[by]++;
                    wrong[by]++;
                    if (by == strategy && wrong[by] == cfg.trigger) {
                        adjust();
                        by = 2;
                        break;
                    }
                }
        if (!find(n))
            part[2].push_back({n, 0, {}, {}, {}});
        Set *s = find(n);
        s->faulted.insert(p.second);
        if (!s->here.count(p.second))
            s->awaited.insert(p.second);
        touch(n, 1);
        return 0;
    }
    void classify() {
        const uint64_t z = cfg.set_pages;
        for (const auto &l : part)
            for (const Set &s : l) {
                (s.count % z ? census.irregular : census.regular)++;
                if (s.count == z || s.count == 2 * z)
                    census.small++;
                if (s.count == 3 * z || s.count == 4 * z)
                    census.large++;
            }
        census.old = static_cast<uint32_t>(part[0].size());
        // ratios as exact fractions; x/0 is beyond any number, 0/0 is 0
        const auto above = [](uint64_t a, uint64_t b, uint64_t num, uint64_t den, bool equal) {
            if (b == 0)
                return a > 0;
            return equal ? a * den >= b * num : a * den > b * num;
        };
        category = above(census.irregular, census.regular, cfg.ratio_num, cfg.ratio_den, false)
                       ? GMMU_PSC_IRREGULAR_2
                   : above(census.large, census.small, 2, 1, true) ? GMMU_PSC_IRREGULAR_1
                                                                   : GMMU_PSC_REGULAR;
        strategy = category == GMMU_PSC_REGULAR;
    }
    int filled(const Page &p) {
        Set *s = find(name_of(p));
        if (!s || !s->awaited.erase(p.second))
            return 1;
        s->here.insert(p.second);
        if (++resident == cfg.frames && category == GMMU_PSC_OPEN)
            classify();
        return 0;
    }
    void hits(const gmmu_psc_record &r) {
        stats.records++;
        uint64_t times[2] = {};
        for (uint64_t i = 0; i < cfg.set_pages; i++)
            times[std::get<2>(name_of({r.asid, r.set * cfg.set_pages + i}))] += r.count[i];
        for (const bool secondary : {false, true}) {
            const Name n{r.asid, r.set, secondary};
            if (times[secondary] == 0)
                continue;
            if (find(n))
                touch(n, times[secondary]);
            else
                stats.stale++;
        }
    }
    void choose() {
        uint64_t compared = 0;
        if (strategy == 1) {
            stats.mruc_searches++;
            std::vector<Set *> seen;  // from the search point to the LRU end
            uint64_t left_out = 0;
            for (auto s = part[0].rbegin(); s != part[0].rend(); ++s)
                if (left_out++ >= skip || left_out == part[0].size())
                    seen.push_back(&*s);
            Set *equal = nullptr, *above = nullptr, *below = nullptr;
            for (Set *s : seen) {
                compared++;
                if (s->here.empty())
                    continue;
                if (s->count == cfg.set_pages) {
                    equal = s;
                    break;
                }
                if (s->count > cfg.set_pages && (!above || s->count < above->count))
                    above = s;
                if (s->count < cfg.set_pages && (!below || s->count > below->count))
                    below = s;
            }
            stats.mruc_compared += compared;
            if (Set *s = equal ? equal : above ? above : below)
                chosen = s->name;
        }
        for (auto &l : part)
            for (Set &s : l)
                if (!chosen) {
                    compared++;
                    if (!s.here.empty())
                        chosen = s.name;
                }
        stats.searches++;
        stats.compared += compared;
        stats.most_compared = std::max(stats.most_compared, compared);
    }
    std::optional<Page> victim() {
        if (category == GMMU_PSC_OPEN)
            classify();
        if (chosen && find(*chosen)->here.empty())
            chosen.reset();
        if (!chosen)
            choose();
        if (!chosen)
            return {};
        return Page{std::get<0>(*chosen), *find(*chosen)->here.begin()};
    }
    int evicted(const Page &p) {
        const Name n = name_of(p);
        Set *s = find(n);
        if (!s || !s->here.erase(p.second))
            return 1;
        resident--;
        stats.evicted++;
        fifo[strategy].push_back(p);
        if (fifo[strategy].size() > cfg.fifo)
            fifo[strategy].pop_front();
        erase_if_empty(n);
        return 0;
    }
    int freed(const Page &p) {
        const Name n = name_of(p);
        Set *s = find(n);
        if (!s)
            return 1;
        const bool here = s->here.erase(p.second) > 0;
        resident -= here;
        if (!here && !s->awaited.erase(p.second))
            return 1;
        erase_if_empty(n);
        return 0;
    }
};

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
        EXPECT_EQ(c.category, slow.category);
        EXPECT_EQ(static_cast<int>(c.strategy), slow.strategy);
        EXPECT_EQ(c.skip, slow.skip);
        EXPECT_EQ(c.resident, slow.resident);
        for (int k = 0; k < 2; k++) {
            EXPECT_EQ(a.wrong[k], b.wrong[k]);
            EXPECT_EQ(c.lasted[k], slow.lasted[k]);
        }
        EXPECT_EQ(c.census.irregular, slow.census.irregular);
        EXPECT_EQ(c.census.small, slow.census.small);
        EXPECT_EQ(c.census.large, slow.census.large);
        EXPECT_EQ(c.census.old, slow.census.old);
    }
};

TEST(PageSetChain, RandomEventsAsTheLiteralModel) {
    std::mt19937_64 rng(seed_of_run());
    const auto below = [&](uint64_t n) { return rng() % n; };
    uint64_t seen[4] = {}, victims = 0, jumps = 0, switches = 0, back = 0, divided = 0,
             undivided = 0, refused = 0;
    for (int run = 0; run < 400 && !testing::Test::HasFailure(); run++) {
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
