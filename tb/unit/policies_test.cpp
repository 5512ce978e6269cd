// SPDX-License-Identifier: Apache-2.0
// policies_test.cpp: the policies of cmodel/policy against slow_policies.h, memory by memory.
//
// State space: random traces of five shapes, 1 to 60 walks over 1 to 12 pages; long ones over more
// pages and frames than the first capacity of any array. Parameter space: every memory size from 1
// to one more than the distinct pages; of each option the default, odd values and the ends.
// policy_test.cpp has lru, fifo, clock, opt and leu-exact.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "numbered_trace.h"
#include "policy/policy.h"
#include "policy/registry.h"
#include "policy/replay.h"
#include "random_trace.h"
#include "slow_policies.h"

namespace {

struct Subject {
    const char *name;
    std::vector<const char *> options;  // each trace has one of them
};

std::ostream &operator<<(std::ostream &out, const Subject &s) {
    return out << s.name;
}

const gmmu_policy *find(const std::string &name) {
    const gmmu_policy *policy = gmmu_policy_find(name.c_str(), name.size());
    EXPECT_NE(policy, nullptr) << name;
    return policy;
}

slow::Setting setting(const Numbered &n, uint32_t frames, const std::string &options,
                      uint64_t seed) {
    slow::Setting s;
    s.frames = frames;
    s.seed = seed;
    s.trace = n.index;
    for (const gmmu_walk &w : n.trace) {
        s.refs.emplace_back(w.asid, w.ref);
    }
    for (size_t at = 0; at < options.size();) {
        const size_t is = options.find('=', at);
        const size_t end = std::min(options.find(':', is), options.size());
        s.options[options.substr(at, is - at)] =
            std::strtoull(options.substr(is + 1, end - is - 1).c_str(), nullptr, 10);
        at = end + 1;
    }
    return s;
}

// What is in memory, told from the outcomes alone.
class Memory {
   public:
    explicit Memory(size_t distinct) : in_(distinct) {}
    // False if OUT brings in what is there, or removes what is not.
    bool apply(uint32_t page, const gmmu_outcome &out) {
        const bool fault = in_[page] == 0;
        bool sound = out.fault == fault && out.count >= (fault ? 1 : 0) && out.count <= 2;
        for (uint32_t i = 0; i < out.count; i++) {
            const gmmu_move &m = out.move[i];
            const bool comes = fault && i == 0;
            sound = sound && fault && m.from == (comes ? GMMU_FAR : GMMU_NEAR) &&
                    m.to == (comes ? GMMU_NEAR : GMMU_FAR) && (m.page == page) == comes;
            sound = (comes || leave(m.page)) && sound;
        }
        pages += fault ? 1 : 0;
        in_[page] = 1;
        size_sum += pages;
        for (uint32_t i = 0; i < out.after_count; i++) {
            // What leaves after the access takes no memory in its walk, the accessed page does.
            const gmmu_move &m = out.after[i];
            sound = sound && m.from == GMMU_NEAR && m.to == GMMU_FAR;
            size_sum -= m.page == page ? 0 : 1;
            sound = leave(m.page) && sound;
        }
        return sound;
    }
    bool equals(const std::vector<slow::Page> &all) const {
        return pages == all.size() &&
               std::all_of(all.begin(), all.end(), [&](slow::Page p) { return in_[p] != 0; });
    }
    uint64_t pages = 0;
    uint64_t size_sum = 0;  // over the walks

   private:
    bool leave(uint32_t page) {
        const bool was = in_[page] != 0;
        pages -= was ? 1 : 0;
        in_[page] = 0;
        return was;
    }
    std::vector<uint8_t> in_;  // of each page
};

// Replays NAME and its slow model side by side. Returns the walks compared, 0 at a difference.
uint64_t compare(const Numbered &n, const char *name, uint32_t frames, const char *options,
                 uint64_t seed) {
    const gmmu_policy *policy = find(name);
    gmmu_sim *sim = n.sim(policy, frames, options, seed);
    std::unique_ptr<slow::Policy> model = slow::make(name, setting(n, frames, options, seed));
    Memory memory(n.distinct());
    bool same = true;
    size_t t = 0;
    gmmu_error err = {};
    std::vector<slow::Page> all;
    while (same && t < n.trace.size()) {
        gmmu_outcome out = {};
        EXPECT_EQ(gmmu_sim_access(sim, n.index[t], &n.trace[t], &out, &err), GMMU_OK) << err.text;
        model->access(n.index[t]);
        all.clear();
        model->resident(&all);
        same = memory.apply(n.index[t], out) && memory.equals(all);
        same = same && (policy->size_sum != nullptr || memory.pages <= frames);
        t++;
    }
    std::string walks;
    for (size_t i = 0; i < t && !same && t < 200; i++) {
        walks += " " + std::to_string(n.index[i]);
    }
    EXPECT_TRUE(same) << name << ":" << options << ", " << frames << " frames, walk " << t << ":"
                      << walks;
    if (same && policy->size_sum != nullptr) {
        EXPECT_EQ(gmmu_sim_frames(sim), (memory.size_sum + t / 2) / t);
    }
    gmmu_sim_destroy(sim);
    return same ? t : 0;
}

class PoliciesTest : public testing::TestWithParam<Subject> {};

TEST_P(PoliciesTest, MemoryEqualsTheSlowModelsAtEverySize) {
    RandomTrace random(test_seed());
    uint64_t vectors = 0;
    enum { TRACES = 10000 };
    for (int i = 0; i < TRACES; i++) {
        const auto &options = GetParam().options;
        const char *option = options[random.below(options.size())];
        Numbered n(random.make(1 + random.below(60), 1 + random.below(i % 8 == 0 ? 14 : 7)));
        for (uint32_t frames = 1; frames <= n.distinct() + 1; frames++) {
            const uint64_t walks = compare(n, GetParam().name, frames, option, random.below(1000));
            ASSERT_NE(walks, 0U) << "trace " << i << " of seed " << test_seed();
            vectors += walks;
        }
    }
    std::printf("[ vectors  ] %s: %llu walks in %d traces\n", GetParam().name,
                static_cast<unsigned long long>(vectors), TRACES);
}

TEST_P(PoliciesTest, MemoryEqualsTheSlowModelsOnLongTraces) {
    RandomTrace random(test_seed() + 1);
    uint64_t vectors = 0;
    const auto &options = GetParam().options;
    for (size_t i = 0; i < 24; i++) {
        Numbered n(random.make(2000, 50 + random.below(300)));
        const auto frames = static_cast<uint32_t>(1 + random.below(n.distinct()));
        const uint64_t walks =
            compare(n, GetParam().name, frames, options[i % options.size()], random.below(1000));
        ASSERT_NE(walks, 0U) << "trace " << i << " of seed " << test_seed() + 1;
        vectors += walks;
    }
    std::printf("[ vectors  ] %s, long: %llu walks\n", GetParam().name,
                static_cast<unsigned long long>(vectors));
}

// More pages and frames than the first capacity of any array.
TEST_P(PoliciesTest, MemoryEqualsTheSlowModelsWithManyPages) {
    std::vector<gmmu_walk> trace(4000);
    for (size_t i = 0; i < trace.size(); i++) {
        trace[i].vpn = i % 7 == 0 ? i % 1100 : i % 2200;
    }
    Numbered n(trace);
    for (const char *option : GetParam().options) {
        const uint32_t frames = option == GetParam().options[0] ? 2100 : 1100;
        EXPECT_EQ(compare(n, GetParam().name, frames, option, 1), trace.size());
    }
}

// More frequencies at once than the first capacity of an array.
TEST(Lfu, KeepsManyFrequencies) {
    enum { PAGES = 1100, MORE = 3000 };
    std::vector<gmmu_walk> trace;
    RandomTrace random(test_seed() + 7);
    gmmu_walk w = {};
    for (w.vpn = 0; w.vpn < PAGES; w.vpn++) {
        trace.insert(trace.end(), w.vpn + 1, w);
    }
    for (int i = 0; i < MORE; i++) {
        w.vpn = random.below(PAGES + 100);
        trace.push_back(w);
    }
    Numbered n(trace);
    gmmu_sim *sim = n.sim(find("lfu"), PAGES);
    std::map<uint32_t, std::pair<uint64_t, uint64_t>> used;              // page: accesses, the last
    std::set<std::pair<std::pair<uint64_t, uint64_t>, uint32_t>> order;  // the same by use
    for (size_t t = 0; t < n.trace.size(); t++) {
        const uint32_t page = n.index[t];
        uint32_t victim = GMMU_NO_PAGE;
        if (used.count(page) != 0) {
            order.erase({used[page], page});
        } else if (used.size() == PAGES) {
            victim = order.begin()->second;
            order.erase(order.begin());
            used.erase(victim);
        }
        used[page] = {used[page].first + 1, t};
        order.insert({used[page], page});
        gmmu_outcome out = {};
        gmmu_error err = {};
        ASSERT_EQ(gmmu_sim_access(sim, page, &n.trace[t], &out, &err), GMMU_OK);
        ASSERT_EQ(gmmu_outcome_victim(&out), victim) << "walk " << t + 1;
    }
    gmmu_sim_destroy(sim);
}

// More leases that end with one walk than the first capacity of an array: page i is accessed at 2i
// and at K + i, which gives it a lease of K - i, and all leases end at 2K.
TEST(Osl, EndsManyLeasesAtOnce) {
    enum { PAGES = 1100, K = 2 * PAGES };
    std::vector<gmmu_walk> trace(2 * K + 10);
    for (uint64_t i = 0; i < PAGES; i++) {
        trace[2 * i].vpn = trace[K + i].vpn = i + 1;
    }
    EXPECT_EQ(compare(Numbered(trace), "osl", PAGES + 100, "", 1), trace.size());
}

INSTANTIATE_TEST_SUITE_P(
    All, PoliciesTest,
    testing::Values(

        Subject{"random", {"", "", "seed=0", "seed=9999999999999999999"}}, Subject{"lfu", {""}},
        Subject{"2q",
                {"", "", "in=0:out=0", "in=50", "out=100", "in=100:out=1000", "in=33:out=67"}},
        Subject{"arc", {""}}, Subject{"lirs", {"", "hir=0", "hir=20", "hir=50", "hir=100"}},
        Subject{"clockpro", {"", "", "", "mc=1", "mc=2", "mc=3", "mc=128"}},
        Subject{"srrip", {"", "bits=1", "bits=3", "bits=4"}},
        Subject{"rrip-hpe",
                {"", "distant=1", "delay=1", "delay=2", "distant=1:delay=3", "bits=1:delay=4",
                 "distant=1:delay=8", "bits=4:delay=5", "bits=3:distant=1", "delay=600",
                 "delay=4294967295"}},
        Subject{"sieve", {""}},
        Subject{"s3fifo", {"", "", "small=0", "small=30", "small=50", "small=90", "small=100"}},
        Subject{"vmin", {""}}, Subject{"osl", {""}}, Subject{"mru", {""}},
        Subject{"mean-ri", {"", "", "tesla=0"}}, Subject{"osl-rank", {"", "", "tesla=0"}},
        Subject{"hawkeye", {"", "averse=0"}},
        Subject{"mockingjay", {"", "", "hit=0", "fine=1", "fine=1:hit=0"}}),
    [](const auto &test) {
        std::string name = test.param.name;
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    });

const char *const fixed[] = {"lru",      "fifo",    "clock",    "random",    "lfu",
                             "2q",       "arc",     "lirs",     "clockpro",  "srrip",
                             "rrip-hpe", "sieve",   "s3fifo",   "leu-exact", "opt",
                             "mru",      "mean-ri", "osl-rank", "hawkeye",   "mockingjay"};

// The outcome of each access, and the counts at the end.
struct Record {
    std::vector<bool> fault;
    std::vector<uint32_t> victim;
    gmmu_counts counts;
    uint32_t frames;
    bool operator==(const Record &o) const { return fault == o.fault && victim == o.victim; }
};

class Replay {
   public:
    Replay(const Numbered &n, const char *name, uint32_t frames, const char *options = nullptr,
           uint64_t seed = 1)
        : n_(n), sim_(n.sim(find(name), frames, options, seed)) {}
    ~Replay() { gmmu_sim_destroy(sim_); }
    Replay(const Replay &) = delete;
    Replay &operator=(const Replay &) = delete;
    bool step() {
        const size_t t = record_.fault.size();
        if (t == n_.trace.size()) {
            return false;
        }
        gmmu_outcome out = {};
        gmmu_error err = {};
        EXPECT_EQ(gmmu_sim_access(sim_, n_.index[t], &n_.trace[t], &out, &err), GMMU_OK);
        record_.fault.push_back(out.fault);
        record_.victim.push_back(gmmu_outcome_victim(&out));
        return true;
    }
    Record finish() {
        while (step()) {
        }
        record_.counts = gmmu_sim_counts(sim_);
        record_.frames = gmmu_sim_frames(sim_);
        return record_;
    }

   private:
    const Numbered &n_;
    gmmu_sim *sim_;
    Record record_ = {};
};

uint64_t faults(const Numbered &n, const char *name, uint32_t frames) {
    return Replay(n, name, frames).finish().counts.faults;
}

// VMIN has no more faults than OPT with the same size on average, OPT no more than any policy of
// that size, and OSL no fewer than VMIN with the average that OSL had.
TEST(Bounds, OfFixedAndOfVariableSize) {
    RandomTrace random(test_seed() + 2);
    uint64_t vectors = 0;
    for (int i = 0; i < 400; i++) {
        Numbered n(random.make(1 + random.below(150), 1 + random.below(16)));
        for (uint32_t frames = 1; frames <= n.distinct(); frames++) {
            const uint64_t opt = faults(n, "opt", frames);
            ASSERT_LE(faults(n, "vmin", frames), opt) << frames;
            for (const char *name : fixed) {
                ASSERT_LE(opt, faults(n, name, frames)) << name << ", " << frames << " frames";
            }
            Replay osl(n, "osl", frames);
            const Record run = osl.finish();
            ASSERT_LE(faults(n, "vmin", run.frames + 1), run.counts.faults) << frames;
            vectors++;
        }
    }
    std::printf("[ vectors  ] bounds: %llu sizes\n", static_cast<unsigned long long>(vectors));
}

// All sets of reuses that could be kept, at every size.
TEST(Vmin, HasTheFewestFaultsOfAllChoices) {
    RandomTrace random(test_seed() + 3);
    uint64_t vectors = 0;
    for (int i = 0; i < 300; i++) {
        Numbered n(random.make(1 + random.below(14), 1 + random.below(5)));
        std::vector<uint64_t> reuses;
        for (const auto &[page, at] : slow::positions(n.index)) {
            for (size_t k = 0; k + 1 < at.size(); k++) {
                reuses.push_back(at[k + 1] - at[k]);
            }
        }
        for (uint32_t frames = 1; frames <= n.distinct() + 1; frames++) {
            uint64_t most = 0;
            for (uint32_t kept = 0; kept < 1U << reuses.size(); kept++) {
                uint64_t size = n.trace.size();
                uint64_t hits = 0;
                for (size_t k = 0; k < reuses.size(); k++) {
                    hits += kept >> k & 1;
                    size += (kept >> k & 1) != 0 ? reuses[k] - 1 : 0;
                }
                most = size <= frames * n.trace.size() ? std::max(most, hits) : most;
            }
            ASSERT_EQ(faults(n, "vmin", frames), n.trace.size() - most) << frames << " frames";
            vectors++;
        }
    }
    std::printf("[ vectors  ] vmin, brute force: %llu\n", static_cast<unsigned long long>(vectors));
}

// A larger memory keeps all that a smaller one keeps: its faults are some of the smaller one's.
TEST(Vmin, FaultsOfALargerMemoryAreAmongThoseOfASmaller) {
    RandomTrace random(test_seed() + 4);
    for (int i = 0; i < 200; i++) {
        Numbered n(random.make(100, 2 + random.below(14)));
        Record smaller = Replay(n, "vmin", 1).finish();
        for (uint32_t frames = 2; frames <= n.distinct(); frames++) {
            Record larger = Replay(n, "vmin", frames).finish();
            for (size_t t = 0; t < n.trace.size(); t++) {
                ASSERT_TRUE(smaller.fault[t] || !larger.fault[t]) << frames << ", walk " << t;
            }
            smaller = std::move(larger);
        }
    }
}

TEST(Policies, ThatAreTheSameWithSomeOptions) {
    RandomTrace random(test_seed() + 5);
    for (int i = 0; i < 500; i++) {
        Numbered n(random.make(1 + random.below(100), 1 + random.below(12)));
        const Record one = Replay(n, "lru", 1).finish();
        for (const char *name : fixed) {
            ASSERT_EQ(Replay(n, name, 1).finish(), one) << name;
        }
        for (uint32_t frames = 2; frames <= n.distinct(); frames++) {
            ASSERT_EQ(Replay(n, "rrip-hpe", frames, "delay=4294967295").finish(),
                      Replay(n, "fifo", frames).finish());
            ASSERT_EQ(Replay(n, "lirs", frames, "hir=100").finish(),
                      Replay(n, "lru", frames).finish());
            ASSERT_EQ(Replay(n, "random", frames, "seed=7", 3).finish(),
                      Replay(n, "random", frames, "", 7).finish());
        }
    }
}

// Two memories at once, of different sizes, do what each does alone: nothing is kept beside them.
TEST(Policies, RepeatThemselvesAndDoNotShareState) {
    RandomTrace random(test_seed() + 6);
    std::vector<const char *> names(std::begin(fixed), std::end(fixed));
    names.insert(names.end(), {"vmin", "osl"});
    for (int i = 0; i < 100; i++) {
        Numbered n(random.make(200, 2 + random.below(30)));
        const auto frames = static_cast<uint32_t>(1 + random.below(n.distinct()));
        for (const char *name : names) {
            Replay a(n, name, frames);
            Replay b(n, name, frames + 1);
            while (a.step() && b.step()) {
            }
            ASSERT_EQ(a.finish(), Replay(n, name, frames).finish()) << name;
            ASSERT_EQ(b.finish(), Replay(n, name, frames + 1).finish()) << name;
        }
    }
}

// Each frame is chosen about equally often, and another seed chooses others: the number of times
// of one of F frames in N evictions has a standard deviation below sqrt(N / F).
TEST(Random, ChoosesEveryFrameAsOften) {
    enum { FRAMES = 13, WALKS = 130000 };
    std::vector<gmmu_walk> trace(WALKS);
    for (size_t i = 0; i < trace.size(); i++) {
        trace[i].vpn = i;  // never again
    }
    Numbered n(trace);
    const Record run = Replay(n, "random", FRAMES).finish();
    std::map<uint32_t, uint32_t> frame_of;
    std::vector<uint64_t> chosen(FRAMES);
    for (uint32_t i = 0; i < WALKS; i++) {
        const uint32_t frame = i < FRAMES ? i : frame_of.at(run.victim[i]);
        chosen[frame] += i < FRAMES ? 0 : 1;
        frame_of[i] = frame;
    }
    for (uint64_t times : chosen) {
        EXPECT_NEAR(static_cast<double>(times), WALKS / FRAMES, 500) << "5 standard deviations";
    }
    EXPECT_FALSE(Replay(n, "random", FRAMES, "", 2).finish() == run);
}

TEST(Bounds, RefuseAnotherTraceThanTheirFuture) {
    gmmu_walk a = {};
    gmmu_walk b = {};
    b.vpn = 1;
    Numbered n({a, b});
    for (const char *name : {"vmin", "osl"}) {
        gmmu_sim *sim = n.sim(find(name), 1);
        gmmu_outcome out = {};
        gmmu_error err = {};
        EXPECT_EQ(gmmu_sim_access(sim, 1, &b, &out, &err), GMMU_BAD);
        EXPECT_EQ(std::string(err.text).substr(0, 3), std::string(name).substr(0, 3)) << err.text;
        EXPECT_EQ(gmmu_sim_access(sim, 0, &a, &out, &err), GMMU_OK);
        EXPECT_EQ(gmmu_sim_access(sim, 1, &b, &out, &err), GMMU_OK);
        EXPECT_EQ(gmmu_sim_access(sim, 0, &a, &out, &err), GMMU_BAD) << "past the end";
        gmmu_sim_destroy(sim);
    }
}

TEST(Policies, RefuseBadOptions) {
    const std::pair<const char *, const char *> bad[] = {
        {"arc", "p=1"},           {"lfu", "x"},
        {"sieve", "a="},          {"vmin", "tau=3"},
        {"osl", "lease=1"},       {"2q", "in=101"},
        {"2q", "out=1001"},       {"2q", "in"},
        {"lirs", "hir=-1"},       {"lirs", "hir=101"},
        {"s3fifo", "small=x"},    {"s3fifo", "small=101"},
        {"srrip", "bits=0"},      {"srrip", "bits=5"},
        {"srrip", "delay=1"},     {"rrip-hpe", "distant=2"},
        {"clockpro", "mc= 1"},    {"random", "seed=10000000000000000000"},
        {"clockpro", "mc="},      {"rrip-hpe", "delay=4294967296"},
        {"mru", "x=1"},           {"mean-ri", "tesla=2"},
        {"osl-rank", "lease=1"},  {"hawkeye", "averse=2"},
        {"mockingjay", "fine=2"}, {"mockingjay", "hit=x"},
    };
    Numbered n({gmmu_walk{}});
    for (const auto &[name, options] : bad) {
        gmmu_policy_config config = {
            .frames = 1, .pages = n.pages, .future = &n.future, .options = options, .seed = 1};
        gmmu_error err = {};
        EXPECT_EQ(gmmu_sim_create(find(name), &config, &err), nullptr) << name << ":" << options;
        const std::string expected = "policy " + std::string(name) + ": found the option \"";
        EXPECT_EQ(std::string(err.text).substr(0, expected.size()), expected);
    }
}

}  // namespace
