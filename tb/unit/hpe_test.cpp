// SPDX-License-Identifier: Apache-2.0
// hpe_test.cpp: policy `hpe` against a slow model: the literal page set chain, and for HIR a map of
// counters, a list of who came first and a count of the ways taken.
//
// State space: random traces of five shapes, dense and strided, one to three address spaces; sweeps
// over page sets whose pages are touched alike, in halves, often; more pages and frames than the
// first room of any array. Parameter space: memory of one page up to all; every option.
#include <gtest/gtest.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "driver/page_set_chain.h"
#include "numbered_trace.h"
#include "policy/policy.h"
#include "policy/registry.h"
#include "policy/replay.h"
#include "random_trace.h"
#include "slow_page_set_chain.h"

namespace {

using Options = std::map<std::string, uint64_t>;

std::string text_of(const Options &options) {
    std::string text;
    for (const auto &[key, value] : options)
        text += (text.empty() ? "" : ":") + key + "=" + std::to_string(value);
    return text;
}

struct SlowHpe {
    slow_psc::Slow chain;
    Options o;
    std::set<Page> resident;
    // HIR in one interval
    std::map<Page, std::map<uint64_t, uint64_t>> counters;  // (asid, page set): hits of its pages
    std::vector<Page> order;
    std::map<uint64_t, uint64_t> taken;  // ways, of each set
    uint64_t faults = 0, hits = 0;
    std::map<std::string, uint64_t> sent;

    uint64_t option(const char *key, uint64_t otherwise) const {
        const auto found = o.find(key);
        return found == o.end() ? otherwise : found->second;
    }
    SlowHpe(uint64_t frames, const Options &options) : o(options) {
        gmmu_psc_config &c = chain.cfg;
        const auto number = [&](const char *key, uint64_t otherwise) {
            return static_cast<uint32_t>(option(key, otherwise));
        };
        c = {};
        c.frames = static_cast<uint32_t>(frames);
        c.waiting = 1;
        c.history = number("history", frames);
        c.set_pages = number("set", 16);
        c.interval = number("interval", 64);
        c.fifo = number("fifo", 2 * c.interval);
        c.trigger = number("trigger", c.set_pages);
        c.jump = number("jump", 16);
        c.jumps = number("jumps", 0xffffffff);
        c.large = number("large", 4 * c.set_pages);
        c.count_max = number("saturate", 4 * c.set_pages);
        c.divide = number("divide", c.count_max);
        c.ratio_num = number("ratio", 30);
        c.ratio_den = 100;
        c.total = number("total", 0) != 0;
        c.force = static_cast<gmmu_psc_category>(number("category", 0));
        c.counted = static_cast<gmmu_psc_counted>(number("counted", 0));
        c.mruc = static_cast<gmmu_psc_mruc>(number("mruc", 0));
        c.brief = number("brief", 0) != 0;
        c.untried = number("untried", 0) != 0;
        c.tie = number("tie", 0) != 0;
        c.afresh = number("afresh", 0) != 0;
        c.again = number("again", 0) != 0;
        c.window = number("window", 0) != 0;
        c.second = number("second", 0) != 0;
        for (const char *key :
             {"packets", "entries", "most_entries", "hits", "most_hits", "dropped"})
            sent[key] = 0;
    }
    void hit(const Page &p) {
        hits++;
        gmmu_psc_record one{};
        one.asid = p.first;
        one.set = p.second / chain.cfg.set_pages;
        if (option("ideal", 0) != 0) {
            one.count[p.second % chain.cfg.set_pages] = 1;
            chain.hits(one);
            return;
        }
        const Page tag{one.asid, one.set};
        if (counters.count(tag) == 0) {
            uint64_t &ways = taken[(one.set ^ one.asid) % option("sets", 128)];
            if (ways == option("ways", 8)) {
                sent["dropped"]++;
                return;
            }
            ways++;
            order.push_back(tag);
        }
        uint64_t &n = counters[tag][p.second % chain.cfg.set_pages];
        n = std::min<uint64_t>(n + 1, (1U << option("bits", 2)) - 1);
    }
    void transfer() {
        for (const Page &tag : order) {
            gmmu_psc_record r{};
            r.asid = tag.first;
            r.set = tag.second;
            for (const auto &[page, n] : counters[tag]) r.count[page] = static_cast<uint8_t>(n);
            chain.hits(r);
        }
        sent["packets"]++;
        sent["entries"] += order.size();
        sent["most_entries"] = std::max<uint64_t>(sent["most_entries"], order.size());
        sent["hits"] += hits;
        sent["most_hits"] = std::max(sent["most_hits"], hits);
        hits = 0;
        counters.clear();
        order.clear();
        taken.clear();
    }
    // The page that leaves, or none.
    std::optional<Page> fault(const Page &p) {
        std::optional<Page> victim;
        const uint64_t every = option("transfer", 16), when = option("records", 1);
        faults++;
        const bool due = option("ideal", 0) == 0 && every != 0 && faults % every == 0;
        if (due && when == 0)
            transfer();
        EXPECT_EQ(chain.fault(p), 0);
        if (due && when == 1)
            transfer();
        if (resident.size() == chain.cfg.frames) {
            victim = chain.victim();
            EXPECT_EQ(chain.evicted(*victim), 0);
            resident.erase(*victim);
        }
        if (due && when == 2)
            transfer();
        EXPECT_EQ(chain.filled(p), 0);
        resident.insert(p);
        return victim;
    }
    std::map<std::string, std::string> note() const {
        static const char *const category[] = {"open", "regular", "irregular1", "irregular2"};
        const gmmu_psc_stats &n = chain.stats;
        const gmmu_psc_census &c = chain.census;
        const std::map<std::string, uint64_t> numbers = {{"regular", c.regular},
                                                         {"irregular", c.irregular},
                                                         {"small", c.small},
                                                         {"large", c.large},
                                                         {"old", c.old},
                                                         {"length", c.length},
                                                         {"intervals", n.intervals},
                                                         {"length_sum", n.length_sum},
                                                         {"most_length", n.most_length},
                                                         {"lru_intervals", n.lasted[0]},
                                                         {"mruc_intervals", n.lasted[1]},
                                                         {"lru_gone", n.gone[0]},
                                                         {"mruc_gone", n.gone[1]},
                                                         {"lru_wrong", n.wrong[0]},
                                                         {"mruc_wrong", n.wrong[1]},
                                                         {"jumps", n.jumps},
                                                         {"switches", n.switches},
                                                         {"searches", n.searches},
                                                         {"compared", n.compared},
                                                         {"most_compared", n.most_compared},
                                                         {"mruc_searches", n.mruc_searches},
                                                         {"mruc_compared", n.mruc_compared},
                                                         {"divided", n.divided},
                                                         {"undivided", n.undivided},
                                                         {"records", n.records},
                                                         {"stale", n.stale}};
        std::map<std::string, std::string> all = {{"category", category[chain.category]}};
        for (const auto &list : {numbers, sent})
            for (const auto &[key, value] : list) all[key] = std::to_string(value);
        return all;
    }
};

std::map<std::string, std::string> note_of(const gmmu_sim *sim) {
    char text[1024];
    EXPECT_TRUE(gmmu_sim_note(sim, text, sizeof text));
    std::istringstream in(text);
    std::map<std::string, std::string> all;
    for (std::string word; in >> word;)
        all[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
    return all;
}

// Both side by side. Returns the note at the end; empty at a difference.
std::map<std::string, std::string> compare(const Numbered &n, uint32_t frames,
                                           const Options &options) {
    const std::string text = text_of(options);
    gmmu_sim *sim = n.sim(gmmu_policy_find("hpe", 3), frames, text.c_str());
    SlowHpe slow(frames, options);
    bool same = true;
    for (size_t t = 0; t < n.trace.size() && same; t++) {
        gmmu_outcome out = {};
        gmmu_error err = {};
        EXPECT_EQ(gmmu_sim_access(sim, n.index[t], &n.trace[t], &out, &err), GMMU_OK) << err.text;
        const Page page = n.page(n.index[t]);
        const bool hit = slow.resident.count(page) != 0;
        std::optional<Page> victim;
        if (hit)
            slow.hit(page);
        else
            victim = slow.fault(page);
        same = out.fault == !hit &&
               (gmmu_outcome_victim(&out) == GMMU_NO_PAGE) == !victim.has_value() &&
               (!victim || n.page(gmmu_outcome_victim(&out)) == *victim);
        EXPECT_TRUE(same) << "hpe:" << text << ", " << frames << " frames, walk " << t;
    }
    const auto note = note_of(sim);
    EXPECT_EQ(note, slow.note()) << "hpe:" << text << ", " << frames << " frames";
    gmmu_sim_destroy(sim);
    return same ? note : std::map<std::string, std::string>();
}

Options random_options(RandomTrace *random) {
    Options o;
    const auto maybe = [&](const char *key, uint64_t least, uint64_t most, unsigned chance) {
        if (random->below(chance) == 0)
            o[key] = least + random->below(most - least + 1);
    };
    if (random->below(4) != 0)
        o["set"] = 1U << random->below(6);
    const uint64_t set = o.count("set") != 0 ? o["set"] : 16;
    maybe("interval", 1, 20, 2);
    maybe("transfer", 0, 20, 2);
    if (random->below(2) == 0)
        o["sets"] = 1U << random->below(3);
    maybe("ways", 1, 3, 2);
    maybe("bits", 1, std::min<uint64_t>(8, 64 / set), 3);
    maybe("ideal", 1, 1, 4);
    maybe("records", 0, 2, 2);
    maybe("trigger", 0, 5, 2);
    maybe("fifo", 0, 40, 3);
    maybe("jump", 0, 5, 3);
    maybe("large", 0, 3, 2);
    maybe("ratio", 0, 100, 4);
    maybe("saturate", 1, 40, 4);
    maybe("divide", 0, 40, 3);
    maybe("history", 0, 5, 4);
    if (random->below(2) == 0) {
        maybe("jumps", 0, 3, 3);
        maybe("category", 0, 3, 2);
        maybe("counted", 0, 2, 2);
        maybe("mruc", 0, 2, 2);
        for (const char *key :
             {"total", "brief", "untried", "tie", "afresh", "again", "window", "second"})
            maybe(key, 0, 1, 2);
    }
    return o;
}

// The pages of a trace closer together, by a number from 1 on.
std::vector<gmmu_walk> dense(std::vector<gmmu_walk> trace, uint64_t apart) {
    std::map<Page, uint64_t> rank;
    for (const gmmu_walk &w : trace) rank[{w.asid, w.vpn}] = 0;
    uint64_t next = 0;
    for (auto &[page, r] : rank) r = next++ * apart;
    for (gmmu_walk &w : trace) w.vpn = rank[{w.asid, w.vpn}];
    return trace;
}

// Sweeps over page sets; each page is walked TIMES times, and in SPLIT traces the pages with odd
// numbers come in sweeps of their own.
std::vector<gmmu_walk> sweeps(RandomTrace *random, size_t length) {
    const uint64_t pages = 32 + random->below(600), times = 1 + random->below(5);
    const bool split = random->below(2) == 0;
    std::vector<gmmu_walk> trace;
    for (uint64_t round = 0; trace.size() < length; round++)
        for (uint64_t p = split ? round % 2 : 0; p < pages; p += split ? 2 : 1)
            for (uint64_t k = 0; k < times; k++) {
                gmmu_walk w = {};
                w.vpn = random->below(50) == 0 ? random->below(pages) : p;
                trace.push_back(w);
            }
    return trace;
}

TEST(Hpe, DecidesAsTheSlowModelAtEverySize) {
    RandomTrace random(test_seed());
    uint64_t vectors = 0;
    for (int i = 0; i < 800; i++) {
        const Numbered n(dense(random.make(1 + random.below(150), 1 + random.below(24)),
                               random.below(4) == 0 ? 1 + random.below(9) : 1));
        const Options options = random_options(&random);
        for (uint32_t frames = 1; frames <= n.distinct() + 1; frames++) {
            ASSERT_FALSE(compare(n, frames, options).empty())
                << "trace " << i << " of seed " << test_seed();
            vectors += n.trace.size();
        }
    }
    std::printf("[ vectors  ] hpe: %" PRIu64 " walks compared\n", vectors);
}

TEST(Hpe, DecidesAsTheSlowModelOnLongTraces) {
    RandomTrace random(test_seed() + 1);
    uint64_t vectors = 0;
    std::map<std::string, uint64_t> seen;
    for (int i = 0; i < 300; i++) {
        const Numbered n(
            i % 2 == 0 ? sweeps(&random, 3000)
                       : dense(random.make(3000, 50 + random.below(400)), 1 + random.below(2)));
        const Options options = i % 3 == 0 ? Options() : random_options(&random);
        const auto frames = static_cast<uint32_t>(n.distinct() * (40 + random.below(50)) / 100 + 1);
        const auto note = compare(n, frames, options);
        ASSERT_FALSE(note.empty()) << "trace " << i << " of seed " << test_seed() + 1;
        vectors += n.trace.size();
        seen[note.at("category")]++;
        for (const char *key : {"jumps", "switches", "divided", "undivided", "stale", "dropped",
                                "lru_wrong", "mruc_wrong"})
            seen[key] += note.at(key) != "0" ? 1 : 0;
    }
    for (const char *key : {"regular", "irregular1", "irregular2", "jumps", "switches", "divided",
                            "undivided", "stale", "dropped", "lru_wrong", "mruc_wrong"})
        EXPECT_GT(seen[key], 0U) << key;
    std::printf("[ vectors  ] hpe, long: %" PRIu64 " walks compared; regular %" PRIu64
                ", irregular#1 %" PRIu64 ", #2 %" PRIu64 "; jumps in %" PRIu64
                ", switches in %" PRIu64 ", divisions in %" PRIu64 "\n",
                vectors, seen["regular"], seen["irregular1"], seen["irregular2"], seen["jumps"],
                seen["switches"], seen["divided"]);
}

// More pages and frames than the first room of any array.
TEST(Hpe, DecidesAsTheSlowModelWithManyPages) {
    std::vector<gmmu_walk> trace(6000);
    for (size_t i = 0; i < trace.size(); i++) trace[i].vpn = i % 7 == 0 ? i % 1100 : i % 2200;
    const Numbered n(trace);
    for (const uint32_t frames : {1100U, 2100U, 2200U})
        EXPECT_FALSE(compare(n, frames, {}).empty());
}

// Equal page numbers of two address spaces are two pages, also in HIR and on the chain.
TEST(Hpe, KeepsAddressSpacesApart) {
    std::vector<gmmu_walk> trace(400);
    for (size_t i = 0; i < trace.size(); i++) {
        trace[i].vpn = UINT64_MAX - i / 2 % 40;
        trace[i].asid = i % 2 == 0 ? 0 : 65535;
    }
    const Numbered n(trace);
    for (const Options &o : {Options(), Options{{"ideal", 1}}, Options{{"set", 32}, {"ways", 1}}})
        EXPECT_FALSE(compare(n, 50, o).empty());
}

// Nothing is kept beside the state.
TEST(Hpe, RepeatsItself) {
    RandomTrace random(test_seed() + 2);
    for (int i = 0; i < 20; i++) {
        const Numbered n(sweeps(&random, 2000));
        gmmu_sim *a = n.sim(gmmu_policy_find("hpe", 3), n.distinct() / 2);
        gmmu_sim *b = n.sim(gmmu_policy_find("hpe", 3), n.distinct() / 2 + 1);
        gmmu_sim *c = n.sim(gmmu_policy_find("hpe", 3), n.distinct() / 2);
        gmmu_error err = {};
        gmmu_outcome out = {};
        for (size_t t = 0; t < n.trace.size(); t++) {
            ASSERT_EQ(gmmu_sim_access(a, n.index[t], &n.trace[t], &out, &err), GMMU_OK);
            ASSERT_EQ(gmmu_sim_access(b, n.index[t], &n.trace[t], &out, &err), GMMU_OK);
        }
        ASSERT_EQ(gmmu_sim_replay(c, n.index.data(), n.trace.data(), n.trace.size(), &err),
                  GMMU_OK);
        EXPECT_EQ(note_of(a), note_of(c));
        EXPECT_EQ(gmmu_sim_counts(a).faults, gmmu_sim_counts(c).faults);
        for (gmmu_sim *s : {a, b, c}) gmmu_sim_destroy(s);
    }
}

// A sweep over more than memory, each page once a round: LRU evicts at every walk, MRU-C keeps
// most.
TEST(Hpe, KeepsPartOfASweep) {
    std::vector<gmmu_walk> trace(20 * 4096);
    for (size_t i = 0; i < trace.size(); i++) trace[i].vpn = i % 4096;
    const Numbered n(trace);
    const auto evictions = [&](const char *policy) {
        gmmu_sim *sim = n.sim(gmmu_policy_find(policy, std::string(policy).size()), 3072);
        gmmu_error err = {};
        EXPECT_EQ(gmmu_sim_replay(sim, n.index.data(), n.trace.data(), n.trace.size(), &err),
                  GMMU_OK);
        const uint64_t found = gmmu_sim_counts(sim).evictions;
        gmmu_sim_destroy(sim);
        return found;
    };
    EXPECT_EQ(evictions("lru"), trace.size() - 3072);
    EXPECT_LE(evictions("hpe"), evictions("opt") * 3 / 2);
}

TEST(Hpe, NoteFitsWhatThereIsRoomFor) {
    const Numbered n({gmmu_walk{}});
    gmmu_sim *sim = n.sim(gmmu_policy_find("hpe", 3), 1);
    char text[40];
    EXPECT_TRUE(gmmu_sim_note(sim, text, sizeof text));
    EXPECT_EQ(std::string(text),
              std::string("category=open regular=0 irregular=0 smal").substr(0, 39));
    gmmu_sim_destroy(sim);
}

TEST(Hpe, RefusesBadOptions) {
    const Numbered n({gmmu_walk{}});
    const std::pair<const char *, const char *> bad[] = {
        {"set=3", "HIR_PAGES: expected a power of two"},
        {"set=33", "found the option \"set=33\", expected set=1..32"},
        {"set=0", "expected set=1..32"},
        {"sets=3", "HIR_SETS"},
        {"sets=65535:ways=2", "HIR_SETS"},
        {"sets=1024:ways=64", "HIR_WAYS"},
        {"set=32:bits=3", "HIR_CNT_W"},
        {"bits=9", "expected bits=1..8"},
        {"interval=0", "expected interval=1..65535"},
        {"saturate=0", "expected saturate=1..65535"},
        {"category=4", "expected category=0..3"},
        {"nonesuch=1", "found the option \"nonesuch=1\", expected set=1..32, interval=1..65535, "},
        {"nonesuch=1", ", ..."},
        {"ideal", "found the option \"ideal=\""}};
    for (const auto &[options, text] : bad) {
        gmmu_policy_config config = {
            .frames = 1, .pages = n.pages, .future = &n.future, .options = options, .seed = 1};
        gmmu_error err = {};
        EXPECT_EQ(gmmu_sim_create(gmmu_policy_find("hpe", 3), &config, &err), nullptr) << options;
        EXPECT_NE(std::string(err.text).find(text), std::string::npos) << err.text;
    }
    gmmu_policy_config config = {
        .frames = UINT32_MAX, .pages = n.pages, .future = &n.future, .options = "", .seed = 1};
    gmmu_error err = {};
    EXPECT_EQ(gmmu_sim_create(gmmu_policy_find("hpe", 3), &config, &err), nullptr);
    EXPECT_NE(std::string(err.text).find("4294967295 frames: too many frames"), std::string::npos)
        << err.text;
}

TEST(Hpe, RefusesAddressSpacesThatHirCannotName) {
    std::vector<gmmu_walk> trace(1);
    trace[0].asid = 65536;
    const Numbered n(trace);
    gmmu_sim *sim = n.sim(gmmu_policy_find("hpe", 3), 1);
    gmmu_outcome out = {};
    gmmu_error err = {};
    EXPECT_EQ(gmmu_sim_access(sim, 0, &n.trace[0], &out, &err), GMMU_END);
    EXPECT_EQ(std::string(err.text), "hpe: found address space 65536, expected at most 65535");
    gmmu_sim_destroy(sim);
}

}  // namespace
