// SPDX-License-Identifier: Apache-2.0
// policy_test.cpp: lru, fifo, clock, opt and leu-exact against slow models written here, victim by
// victim; the unit's own form of leu. The other policies: policies_test.cpp.
//
// State space: random traces of five shapes, 1 to 4 references, 1 to 3 address spaces, with and
// without writes. Parameter space: every memory size from 1 to one more than the distinct pages.
#include "policy/policy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "blocks/log_bin.h"
#include "numbered_trace.h"
#include "policy/octave_bin.h"
#include "random_trace.h"

namespace {

__extension__ typedef unsigned __int128 Wide;

Page page_of(const gmmu_walk &w) {
    return {w.asid, w.vpn};
}

// What a slow model knows of a trace; victims are chosen from the residents at walk `now` (from 0).
struct View {
    const std::vector<gmmu_walk> &trace;
    size_t now;
    std::set<Page> resident;
    std::map<Page, size_t> last, inserted;
};

class Model {
   public:
    virtual ~Model() = default;
    virtual void reuse(const gmmu_walk &earlier, uint64_t interval) {
        (void)earlier;
        (void)interval;
    }
    virtual void hit(const Page &p) { (void)p; }
    virtual void filled(const Page &p) { (void)p; }
    virtual Page victim(const View &v) = 0;
};

class Lru : public Model {
   public:
    Page victim(const View &v) override {
        return *std::min_element(v.resident.begin(), v.resident.end(),
                                 [&](auto &a, auto &b) { return v.last.at(a) < v.last.at(b); });
    }
};

class Fifo : public Model {
   public:
    Page victim(const View &v) override {
        return *std::min_element(v.resident.begin(), v.resident.end(), [&](auto &a, auto &b) {
            return v.inserted.at(a) < v.inserted.at(b);
        });
    }
};

// The queue form of CLOCK: the hand is the front; a page with its bit set goes to the back.
class Clock : public Model {
   public:
    void hit(const Page &p) override {
        for (auto &e : queue_) {
            e.second = e.second || e.first == p;
        }
    }
    void filled(const Page &p) override { queue_.emplace_back(p, false); }
    Page victim(const View &) override {
        while (queue_.front().second) {
            queue_.emplace_back(queue_.front().first, false);
            queue_.erase(queue_.begin());
        }
        Page p = queue_.front().first;
        queue_.erase(queue_.begin());
        return p;
    }

   private:
    std::vector<std::pair<Page, bool>> queue_;
};

class Opt : public Model {
   public:
    Page victim(const View &v) override {
        std::optional<Page> best;
        size_t best_next = 0;
        for (const Page &p : v.resident) {  // ascending, so that the lower page number stays
            size_t next = v.now + 1;
            while (next < v.trace.size() && page_of(v.trace[next]) != p) {
                next++;
            }
            if (!best || next > best_next ||
                (next == best_next && v.last.at(p) < v.last.at(*best))) {
                best = p;
                best_next = next;
            }
        }
        return *best;
    }
};

struct Fraction {
    uint64_t profit, left, cost;
    bool operator<(const Fraction &o) const {
        return static_cast<Wide>(profit) * o.left * o.cost <
               static_cast<Wide>(o.profit) * left * cost;
    }
};

class Leu : public Model {
   public:
    void reuse(const gmmu_walk &earlier, uint64_t interval) override {
        histogram_[{earlier.asid, earlier.ref}][interval]++;
    }
    Page victim(const View &v) override {
        std::optional<Page> best;
        Fraction least{};
        for (const Page &p : v.resident) {
            size_t at = v.last.at(p);
            Fraction f = priority({p.first, v.trace[at].ref}, v.now - at);
            if (!best || f < least || (!(least < f) && at < v.last.at(*best))) {
                best = p;
                least = f;
            }
        }
        return *best;
    }

   private:
    Fraction priority(const Page &ref, uint64_t tau) {
        const auto &h = histogram_[ref];
        uint64_t left = 0;
        for (auto [interval, n] : h) {
            left += interval > tau ? n : 0;
        }
        Fraction most{0, 1, 1};
        uint64_t profit = 0;
        for (auto i = h.upper_bound(tau); i != h.end(); ++i) {
            profit += i->second;
            most = std::max(most, Fraction{profit, left, i->first - tau});
        }
        return most;
    }
    std::map<Page, std::map<uint64_t, uint64_t>> histogram_;
};

std::unique_ptr<Model> make_model(const std::string &name) {
    if (name == "lru") {
        return std::make_unique<Lru>();
    }
    if (name == "fifo") {
        return std::make_unique<Fifo>();
    }
    if (name == "clock") {
        return std::make_unique<Clock>();
    }
    if (name == "opt") {
        return std::make_unique<Opt>();
    }
    return std::make_unique<Leu>();
}

// Replays POLICY and its model side by side. Returns the walks compared, 0 at a difference.
uint64_t compare(const Numbered &n, const gmmu_policy *policy, uint32_t frames) {
    std::unique_ptr<Model> model = make_model(policy->name);
    gmmu_sim *sim = n.sim(policy, frames);
    View v{n.trace, 0, {}, {}, {}};
    std::set<Page> dirty;
    gmmu_counts counts = {};
    bool same = true;
    for (v.now = 0; v.now < n.trace.size() && same; v.now++) {
        const gmmu_walk &w = n.trace[v.now];
        const Page p = page_of(w);
        if (v.last.count(p) != 0) {
            model->reuse(n.trace[v.last[p]], v.now - v.last[p]);
        }
        const bool fault = v.resident.count(p) == 0;
        std::optional<Page> victim;
        counts.accesses++;
        if (fault) {
            counts.faults++;
            counts.cold += v.last.count(p) == 0 ? 1 : 0;
            if (v.resident.size() == frames) {
                victim = model->victim(v);
                v.resident.erase(*victim);
                counts.evictions++;
                counts.writebacks += dirty.erase(*victim);
            }
            v.resident.insert(p);
            v.inserted[p] = v.now;
            model->filled(p);
        } else {
            model->hit(p);
        }
        if (w.write) {
            dirty.insert(p);
        }
        v.last[p] = v.now;

        gmmu_outcome out = {};
        gmmu_error err = {};
        EXPECT_EQ(gmmu_sim_access(sim, n.index[v.now], &w, &out, &err), GMMU_OK) << err.text;
        std::optional<Page> chosen;
        if (out.victim != GMMU_NO_PAGE) {
            chosen = n.page(out.victim);
        }
        same = out.fault == fault && chosen == victim;
        EXPECT_TRUE(same) << policy->name << ", " << frames << " frames, walk " << v.now + 1
                          << ": victim vpn " << (chosen ? chosen->second : 0) << ", expected "
                          << (victim ? victim->second : 0);
    }
    gmmu_counts got = gmmu_sim_counts(sim);
    EXPECT_EQ(got.accesses, counts.accesses);
    EXPECT_EQ(got.faults, counts.faults);
    EXPECT_EQ(got.cold, counts.cold);
    EXPECT_EQ(got.evictions, counts.evictions);
    EXPECT_EQ(got.writebacks, counts.writebacks);
    gmmu_sim_destroy(sim);
    return same ? v.now : 0;
}

class PolicyTest : public testing::TestWithParam<const char *> {};

TEST_P(PolicyTest, EveryVictimEqualsTheSlowModelAtEverySize) {
    const gmmu_policy *policy = gmmu_policy_find(GetParam(), std::string(GetParam()).size());
    ASSERT_NE(policy, nullptr);
    RandomTrace random(test_seed());
    uint64_t vectors = 0;
    enum { TRACES = 10000 };
    for (int i = 0; i < TRACES; i++) {
        Numbered n(random.make(1 + random.below(60), 1 + random.below(i % 8 == 0 ? 14 : 7)));
        for (uint32_t frames = 1; frames <= n.distinct() + 1; frames++) {
            uint64_t walks = compare(n, policy, frames);
            ASSERT_NE(walks, 0U) << "trace " << i << " of seed " << test_seed();
            vectors += walks;
        }
    }
    std::printf("[ vectors  ] %s: %llu walks in %d traces\n", policy->name,
                static_cast<unsigned long long>(vectors), TRACES);
}

// Long enough for arrays to grow, and for logs of last accesses to be compacted many times.
TEST_P(PolicyTest, EveryVictimEqualsTheSlowModelOnLongTraces) {
    const gmmu_policy *policy = gmmu_policy_find(GetParam(), std::string(GetParam()).size());
    ASSERT_NE(policy, nullptr);
    RandomTrace random(test_seed() + 1);
    uint64_t vectors = 0;
    for (int i = 0; i < 12; i++) {
        Numbered n(random.make(2500, 20 + random.below(200)));
        for (uint32_t frames : {n.distinct() / 4 + 1, n.distinct() * 3 / 4 + 1}) {
            uint64_t walks = compare(n, policy, frames);
            ASSERT_NE(walks, 0U) << "trace " << i << " of seed " << test_seed();
            vectors += walks;
        }
    }
    std::printf("[ vectors  ] %s, long: %llu walks\n", policy->name,
                static_cast<unsigned long long>(vectors));
}

// More pages and frames than the first capacity of any array.
TEST_P(PolicyTest, EveryVictimEqualsTheSlowModelWithManyPages) {
    const gmmu_policy *policy = gmmu_policy_find(GetParam(), std::string(GetParam()).size());
    ASSERT_NE(policy, nullptr);
    std::vector<gmmu_walk> trace(3000);
    for (size_t i = 0; i < trace.size(); i++) {
        trace[i].vpn = i % 2200;
        trace[i].ref = i % 2200 % 3;
    }
    EXPECT_EQ(compare(Numbered(trace), policy, 2100), trace.size());
}

INSTANTIATE_TEST_SUITE_P(All, PolicyTest,
                         testing::Values("lru", "fifo", "clock", "opt", "leu-exact"),
                         [](const auto &test) {
                             std::string name = test.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

// The pages in memory after each walk.
std::vector<std::set<uint32_t>> contents(const Numbered &n, const gmmu_policy *policy,
                                         uint32_t frames) {
    std::vector<std::set<uint32_t>> all;
    std::set<uint32_t> resident;
    gmmu_sim *sim = n.sim(policy, frames);
    for (size_t i = 0; i < n.trace.size(); i++) {
        gmmu_outcome out = {};
        gmmu_error err = {};
        EXPECT_EQ(gmmu_sim_access(sim, n.index[i], &n.trace[i], &out, &err), GMMU_OK);
        resident.erase(out.victim);
        resident.insert(n.index[i]);
        all.push_back(resident);
    }
    gmmu_sim_destroy(sim);
    return all;
}

// Stack algorithms: a larger memory holds all that a smaller one holds (Mattson et al., 1970).
TEST(Inclusion, LruOptAndLeuExactKeepIt) {
    RandomTrace random(test_seed() + 2);
    uint64_t vectors = 0;
    for (int i = 0; i < 300; i++) {
        Numbered n(random.make(120, 2 + random.below(14)));
        for (const gmmu_policy *policy :
             {&gmmu_policy_lru, &gmmu_policy_opt, &gmmu_policy_leu_exact}) {
            auto smaller = contents(n, policy, 1);
            for (uint32_t frames = 2; frames <= n.distinct(); frames++) {
                auto larger = contents(n, policy, frames);
                for (size_t t = 0; t < smaller.size(); t++) {
                    ASSERT_TRUE(std::includes(larger[t].begin(), larger[t].end(),
                                              smaller[t].begin(), smaller[t].end()))
                        << policy->name << ", " << frames << " frames, walk " << t + 1 << ", trace "
                        << i;
                    vectors++;
                }
                smaller = std::move(larger);
            }
        }
    }
    std::printf("[ vectors  ] inclusion: %llu pairs of memories\n",
                static_cast<unsigned long long>(vectors));
}

// The fewest faults of all choices of victims, with mandatory insertion.
uint64_t fewest_faults(const Numbered &n, size_t i, uint32_t resident, unsigned frames,
                       std::map<std::pair<size_t, uint32_t>, uint64_t> *known) {
    if (i == n.trace.size()) {
        return 0;
    }
    auto found = known->find({i, resident});
    if (found != known->end()) {
        return found->second;
    }
    const uint32_t bit = 1U << n.index[i];
    uint64_t least = UINT64_MAX;
    if ((resident & bit) != 0) {
        least = fewest_faults(n, i + 1, resident, frames, known);
    } else if (static_cast<unsigned>(__builtin_popcount(resident)) < frames) {
        least = 1 + fewest_faults(n, i + 1, resident | bit, frames, known);
    } else {
        for (uint32_t victim = 1; victim <= resident; victim <<= 1) {
            if ((resident & victim) != 0) {
                least = std::min(
                    least, 1 + fewest_faults(n, i + 1, (resident & ~victim) | bit, frames, known));
            }
        }
    }
    (*known)[{i, resident}] = least;
    return least;
}

TEST(Opt, HasTheFewestFaultsOfAllChoices) {
    RandomTrace random(test_seed() + 3);
    uint64_t vectors = 0;
    for (int i = 0; i < 150; i++) {
        Numbered n(random.make(2 + random.below(30), 1 + random.below(7)));
        for (uint32_t frames = 1; frames <= n.distinct(); frames++) {
            std::map<std::pair<size_t, uint32_t>, uint64_t> known;
            gmmu_sim *sim = n.sim(&gmmu_policy_opt, frames);
            for (size_t t = 0; t < n.trace.size(); t++) {
                gmmu_outcome out = {};
                gmmu_error err = {};
                ASSERT_EQ(gmmu_sim_access(sim, n.index[t], &n.trace[t], &out, &err), GMMU_OK);
            }
            EXPECT_EQ(gmmu_sim_counts(sim).faults, fewest_faults(n, 0, 0, frames, &known));
            gmmu_sim_destroy(sim);
            vectors++;
        }
    }
    std::printf("[ vectors  ] opt, brute force: %llu\n", static_cast<unsigned long long>(vectors));
}

TEST(Opt, RefusesAnotherTraceThanItsFuture) {
    gmmu_walk a = {};
    gmmu_walk b = {};
    b.vpn = 1;
    Numbered n({a, b});
    gmmu_sim *sim = n.sim(&gmmu_policy_opt, 1);
    gmmu_outcome out = {};
    gmmu_error err = {};
    EXPECT_EQ(gmmu_sim_access(sim, 1, &b, &out, &err), GMMU_BAD);
    EXPECT_EQ(gmmu_sim_access(sim, 0, &a, &out, &err), GMMU_OK);
    EXPECT_EQ(gmmu_sim_access(sim, 1, &b, &out, &err), GMMU_OK);
    EXPECT_EQ(gmmu_sim_access(sim, 0, &a, &out, &err), GMMU_BAD);
    gmmu_sim_destroy(sim);
}

// What a watch shows of a decision.
struct Shown {
    std::vector<gmmu_candidate> list;
    static void add(void *context, const gmmu_candidate *c) {
        static_cast<Shown *>(context)->list.push_back(*c);
    }
};

TEST(LeuExact, ShowsTheResidentsAndTheLeastOfThemIsTheVictim) {
    RandomTrace random(test_seed() + 4);
    uint64_t vectors = 0;
    for (int i = 0; i < 200; i++) {
        Numbered n(random.make(150, 3 + random.below(20)));
        const uint32_t frames = n.distinct() / 2 + 1;
        gmmu_sim *sim = n.sim(&gmmu_policy_leu_exact, frames);
        Shown shown;
        const gmmu_watch watch = {Shown::add, &shown};
        ASSERT_TRUE(gmmu_sim_watch(sim, &watch));
        std::set<uint32_t> resident;
        for (size_t t = 0; t < n.trace.size(); t++) {
            shown.list.clear();
            gmmu_outcome out = {};
            gmmu_error err = {};
            ASSERT_EQ(gmmu_sim_access(sim, n.index[t], &n.trace[t], &out, &err), GMMU_OK);
            ASSERT_EQ(shown.list.empty(), out.victim == GMMU_NO_PAGE);
            if (!shown.list.empty()) {
                std::set<uint32_t> pages;
                for (const gmmu_candidate &c : shown.list) {
                    pages.insert(c.page);
                }
                ASSERT_EQ(pages, resident);
                ASSERT_EQ(shown.list.size(), resident.size());
                auto fraction = [](const gmmu_candidate &c) {
                    return c.lease == 0 ? Fraction{0, 1, 1} : Fraction{c.profit, c.left, c.cost};
                };
                auto least =
                    std::min_element(shown.list.begin(), shown.list.end(), [&](auto &a, auto &b) {
                        return fraction(a) < fraction(b) ||
                               (!(fraction(b) < fraction(a)) && a.tau > b.tau);
                    });
                ASSERT_EQ(least->page, out.victim);
                vectors++;
            }
            resident.erase(out.victim);
            resident.insert(n.index[t]);
        }
        gmmu_sim_destroy(sim);
    }
    EXPECT_FALSE(gmmu_policy_lru.watch != nullptr);
    std::printf("[ vectors  ] leu-exact, shown: %llu decisions\n",
                static_cast<unsigned long long>(vectors));
}

TEST(Registry, FindsByNameAndByNumber) {
    size_t count = 0;
    for (const gmmu_policy *p = nullptr; (p = gmmu_policy_at(count)) != nullptr; count++) {
        EXPECT_EQ(gmmu_policy_find(p->name, std::string(p->name).size()), p);
    }
    EXPECT_GE(count, 5U);
    EXPECT_EQ(gmmu_policy_find("lr", 2), nullptr);
    EXPECT_EQ(gmmu_policy_find("lru:x", 3), &gmmu_policy_lru);
}

TEST(Registry, RefusesOptionsThatAPolicyDoesNotTake) {
    Numbered n({gmmu_walk{}});
    for (const gmmu_policy *p : {&gmmu_policy_lru, &gmmu_policy_fifo, &gmmu_policy_clock,
                                 &gmmu_policy_opt, &gmmu_policy_leu_exact}) {
        gmmu_policy_config config = {1, n.pages, &n.future, "size=2", 1};
        gmmu_error err = {};
        EXPECT_EQ(gmmu_sim_create(p, &config, &err), nullptr);
        EXPECT_EQ(std::string(err.text), std::string("policy ") + p->name +
                                             ": found the option \"size=2\", expected none");
        config.options = nullptr;
        config.frames = 0;
        EXPECT_EQ(gmmu_sim_create(p, &config, &err), nullptr);
    }
    gmmu_policy_config config = {1, n.pages, nullptr, nullptr, 1};
    gmmu_error err = {};
    EXPECT_EQ(gmmu_sim_create(&gmmu_policy_opt, &config, &err), nullptr);
}

// Pages in cycles of several lengths, and at random, by a few references: something to choose from.
std::vector<gmmu_walk> mixed_trace() {
    std::mt19937_64 rng(7);
    std::vector<gmmu_walk> trace;
    for (unsigned i = 0; i < 20000; i++) {
        const uint64_t ref = rng() % 6;
        const uint64_t page = ref == 5 ? rng() % 400 : ref * 400 + i / (1 + ref) % (60 + 50 * ref);
        gmmu_walk w = {};
        w.vpn = page;
        w.ref =
            0x1000 + 16 * (rng() % 16 == 0 ? 6 + i / 300 : ref);  // rare ones, never warm for long
        trace.push_back(w);
    }
    return trace;
}

// The victims of leu with OPTIONS, and what it notes at the end.
std::vector<uint32_t> leu_victims(const Numbered &n, const std::string &options,
                                  std::string *note = nullptr) {
    gmmu_policy_config config = {200, n.pages, nullptr, options.c_str(), 1};
    gmmu_error err = {};
    gmmu_sim *sim = gmmu_sim_create(&gmmu_policy_leu, &config, &err);
    std::vector<uint32_t> victims;
    if (sim == nullptr) {
        ADD_FAILURE() << err.text;
        return victims;
    }
    for (size_t i = 0; i < n.trace.size(); i++) {
        gmmu_outcome out = {};
        EXPECT_EQ(gmmu_sim_access(sim, n.index[i], &n.trace[i], &out, &err), GMMU_OK) << err.text;
        if (out.victim != GMMU_NO_PAGE)
            victims.push_back(out.victim);
    }
    char text[160] = "";
    EXPECT_TRUE(gmmu_sim_note(sim, text, sizeof text));
    if (note != nullptr)
        *note = text;
    gmmu_sim_destroy(sim);
    return victims;
}

TEST(Leu, OptionsThatSayTheDefaultChangeNothing) {
    Numbered n(mixed_trace());
    const std::string base = "search=sample";
    const auto victims = leu_victims(n, base);
    ASSERT_GT(victims.size(), 1000U);
    for (const char *same :
         {"config=default:search=sample", "octave=4", "drop=0", "keep=0", "prior=8", "early=6",
          "engine=0", "k=64", "pool=16", "classes=64", "count=11", "sampler=1024", "pseudo=1",
          "censor=1", "feed=0", "sample=2", "refresh=6"})
        EXPECT_TRUE(leu_victims(n, base + ":" + same) == victims) << same;
    EXPECT_NE(leu_victims(n, base + ":search=scan"), victims);
    EXPECT_EQ(leu_victims(n, "search=scan"), leu_victims(n, ""));
}

TEST(Leu, EveryOptionHasAnEffect) {
    Numbered n(mixed_trace());
    const std::string base = "search=sample:sample=0:sampler=256:count=7";
    const auto victims = leu_victims(n, base);
    for (const char *other :
         {"octave=1", "octave=2", "octave=8", "drop=7", "drop=10", "keep=1", "prior=64", "early=12",
          "engine=50", "k=8", "pool=2", "classes=4", "count=4", "sampler=512", "pseudo=0",
          "censor=0", "feed=1", "sample=3", "refresh=10"})
        EXPECT_TRUE(leu_victims(n, base + ":" + other) != victims) << other;
}

TEST(Leu, NotesTheStateOfTheSampler) {
    Numbered n(mixed_trace());
    std::string note;
    unsigned threshold = 0, sampler = 0, sampled = 0, dropped = 1;
    const auto read = [&] {
        return std::sscanf(note.c_str(), "threshold=%u sampler=%u sampled=%u dropped=%u",
                           &threshold, &sampler, &sampled, &dropped);
    };
    (void)leu_victims(n, "sample=1:sampler=4096", &note);
    ASSERT_EQ(read(), 4) << note;
    EXPECT_EQ(threshold, 32768U);  // half of the pages, and room for them
    EXPECT_EQ(sampler, 4096U);
    EXPECT_NEAR(sampled, n.distinct() / 2.0, n.distinct() / 8.0);
    EXPECT_EQ(dropped, 0U);
    (void)leu_victims(n, "sample=0:sampler=64", &note);
    ASSERT_EQ(read(), 4) << note;
    EXPECT_LT(threshold, 65536U);  // it fell
    EXPECT_LE(sampled, 64U);
    gmmu_sim *lru = n.sim(&gmmu_policy_lru, 1);
    char text[160];
    EXPECT_FALSE(gmmu_sim_note(lru, text, sizeof text));
    gmmu_sim_destroy(lru);
}

TEST(Leu, RefusesOptionsOutOfRange) {
    Numbered n({gmmu_walk{}});
    for (
        const char *bad :
        {"octave=3",   "octave=0",    "octave=16", "octave=5",    "drop=11",
         "count=1",    "count=17",    "keep=2",    "prior=0",     "early=0",
         "sample=9",   "refresh=21",  "feed=2",    "k=0",         "k=",
         "k=-1",       "k=+1",        "k=9x",      "k",           "none=1",
         "search=all", "config=none", "classes=5", "sampler=100", "sampler=99999999999999999999"}) {
        gmmu_policy_config config = {1, n.pages, nullptr, bad, 1};
        gmmu_error err = {};
        EXPECT_EQ(gmmu_sim_create(&gmmu_policy_leu, &config, &err), nullptr) << bad;
        EXPECT_EQ(std::string(err.text).substr(0, 5), "leu: ") << bad;
    }
}

TEST(Leu, BinsOfAnyWidth) {
    for (uint64_t x = 0; x < 100000; x++) ASSERT_EQ(gmmu_bin(x, 72), gmmu_bin_of(x, 72, 2)) << x;
    for (unsigned b = 0; b < 116; b++) ASSERT_EQ(gmmu_bin_low(b), gmmu_bin_low_of(b, 2)) << b;
    for (unsigned s = 0; s < 4; s++)
        for (unsigned b = 0; b < 16u << s; b++) {
            ASSERT_EQ(gmmu_bin_of(gmmu_bin_low_of(b, s), 200, s), b) << s;
            ASSERT_EQ(gmmu_bin_of(gmmu_bin_low_of(b + 1, s) - 1, 200, s), b) << s;
        }
    EXPECT_EQ(gmmu_bin_of(1ull << 40, 20, 0), 19U);
}

TEST(Registry, SplitsOptions) {
    const char *options = "config=tiny:k:p=a=b";
    std::vector<std::pair<std::string, std::string>> got;
    const char *key = nullptr;
    const char *value = nullptr;
    size_t key_length = 0;
    size_t value_length = 0;
    while (gmmu_policy_option(&options, &key, &key_length, &value, &value_length)) {
        got.emplace_back(std::string(key, key_length), std::string(value, value_length));
    }
    EXPECT_EQ(got, (decltype(got){{"config", "tiny"}, {"k", ""}, {"p", "a=b"}}));
}

TEST(Pages, NumbersInOrderOfAppearanceAndFindsAgain) {
    gmmu_pages *p = gmmu_pages_create();
    std::map<Page, uint32_t> slow;
    RandomTrace random(test_seed() + 5);
    for (int i = 0; i < 100000; i++) {
        const Page key = {static_cast<uint32_t>(random.below(3)), random.below(30000) << 12};
        const uint32_t expected = slow.emplace(key, slow.size()).first->second;
        ASSERT_EQ(gmmu_pages_index(p, key.first, key.second), expected);
        ASSERT_EQ(gmmu_pages_find(p, key.first, key.second), expected);
        ASSERT_EQ(gmmu_pages_asid(p, expected), key.first);
        ASSERT_EQ(gmmu_pages_number(p, expected), key.second);
    }
    EXPECT_EQ(gmmu_pages_count(p), slow.size());
    EXPECT_EQ(gmmu_pages_find(p, 7, 1), GMMU_NO_PAGE);
    gmmu_pages_destroy(p);
}

}  // namespace
