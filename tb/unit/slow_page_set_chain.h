// SPDX-License-Identifier: Apache-2.0
// slow_page_set_chain.h: a literal second page set chain (HPE): three lists, maps, and every rule
// as the paper's text and docs/papers/hpe.md (E1 to E14, with their alternatives) word it.
#ifndef GMMU_TB_SLOW_PAGE_SET_CHAIN_H
#define GMMU_TB_SLOW_PAGE_SET_CHAIN_H

#include <algorithm>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "driver/page_set_chain.h"

namespace slow_psc {

using Page = std::pair<uint32_t, uint64_t>;         // asid, vpn
using Name = std::tuple<uint32_t, uint64_t, bool>;  // asid, page set, secondary?

struct Slow {
    struct Set {
        Name name;
        uint64_t count = 0;
        std::set<uint64_t> faulted, here, awaited;  // page numbers
    };
    gmmu_psc_config cfg;
    std::list<Set> part[3];  // old, middle, new; LRU first
    std::map<std::pair<uint32_t, uint64_t>, std::set<uint64_t>> primary;
    struct Gone {
        Page page;
        uint64_t interval;  // in which it left
    };
    std::deque<std::optional<Gone>> fifo[2];
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
        const uint64_t before = s->count;
        s->count = std::min<uint64_t>(before + times, cfg.count_max);
        if (!(before < cfg.divide && cfg.divide <= s->count))
            return;
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
        if (category != GMMU_PSC_OPEN) {
            lasted[strategy]++;
            stats.lasted[strategy]++;
        }
        stats.intervals++;
        stats.length_sum += sets();
        stats.most_length = std::max<uint64_t>(stats.most_length, sets());
        if (cfg.brief) {
            skip = 0;
            chosen.reset();
        }
    }
    void adjust() {
        if (category == GMMU_PSC_REGULAR && !(census.old < cfg.large) && stats.jumps != cfg.jumps) {
            skip += cfg.jump;
            stats.jumps++;
            chosen.reset();
        }
        if (category == GMMU_PSC_IRREGULAR_2 &&
            ((!cfg.untried && !tried) || lasted[1 - strategy] > lasted[strategy] ||
             (cfg.tie && lasted[0] == lasted[1]))) {
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
                if (!found && e && e->page == p) {
                    found = true;
                    const bool old = e->interval + 2 <= stats.intervals;
                    e.reset();
                    if (cfg.window && old)
                        continue;
                    stats.wrong[by]++;
                    wrong[by]++;
                    const bool full = cfg.again && cfg.trigger ? wrong[by] % cfg.trigger == 0
                                                               : wrong[by] == cfg.trigger;
                    if (by == strategy && full) {
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
        const int counted = cfg.counted == GMMU_PSC_COUNT_ALL   ? 3
                            : cfg.counted == GMMU_PSC_COUNT_OLD ? 1
                                                                : 2;
        for (int k = 0; k < counted; k++)
            for (const Set &s : part[k]) {
                (s.count % z ? census.irregular : census.regular)++;
                if (s.count == z || s.count == 2 * z)
                    census.small++;
                if (s.count == 3 * z || s.count == 4 * z)
                    census.large++;
            }
        census.old = static_cast<uint32_t>(part[0].size());
        census.length = static_cast<uint32_t>(sets());
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
        if (cfg.force != GMMU_PSC_OPEN)
            category = cfg.force;
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
        for (const bool secondary : {cfg.second, !cfg.second}) {
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
            Set *equal = nullptr, *above = nullptr, *below = nullptr, *least = nullptr;
            for (Set *s : seen) {
                compared++;
                if (s->here.empty())
                    continue;
                if (s->count == cfg.set_pages || cfg.mruc == GMMU_PSC_ANY_COUNT) {
                    equal = s;
                    break;
                }
                if (!least || s->count < least->count)
                    least = s;
                if (s->count > cfg.set_pages && (!above || s->count < above->count))
                    above = s;
                if (s->count < cfg.set_pages && (!below || s->count > below->count))
                    below = s;
            }
            stats.mruc_compared += compared;
            if (cfg.mruc == GMMU_PSC_LEAST)
                above = least;
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
        if (cfg.afresh || (chosen && find(*chosen)->here.empty()))
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
        stats.gone[strategy]++;
        fifo[strategy].push_back(Gone{p, stats.intervals});
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

}  // namespace slow_psc

#endif
