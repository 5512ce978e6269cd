// SPDX-License-Identifier: Apache-2.0
// policies_test.cpp: the policies of cmodel/policy against slow_policies.h, memory by memory.
//
// State space: random traces of five shapes, 1 to 60 walks over 1 to 12 pages; long ones over more
// pages and frames than the first capacity of any array. Parameter space: every memory size from 1
// to one more than the distinct pages; of each option the default, odd values and the ends.
// policy_test.cpp has clock, opt and leu-exact, which need more than page numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "numbered_trace.h"
#include "policy/policy.h"
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
        bool sound = out.fault != in_[page];
        if (out.victim != GMMU_NO_PAGE) {
            sound = sound && out.fault && out.victim != page;
            sound = leave(out.victim) && sound;
        }
        pages += in_[page] ? 0 : 1;
        in_[page] = true;
        size_sum += pages;
        for (uint32_t i = 0; i < out.left_count; i++) {
            // What leaves after the access takes no memory in its walk, the accessed page does.
            size_sum -= out.left[i] == page ? 0 : 1;
            sound = leave(out.left[i]) && sound;
        }
        return sound;
    }
    bool equals(const std::vector<slow::Page> &all) const {
        return pages == all.size() &&
               std::all_of(all.begin(), all.end(), [&](slow::Page p) { return in_[p]; });
    }
    uint64_t pages = 0;
    uint64_t size_sum = 0;  // over the walks

   private:
    bool leave(uint32_t page) {
        const bool was = in_[page];
        pages -= was ? 1 : 0;
        in_[page] = false;
        return was;
    }
    std::vector<bool> in_;
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
    while (same && t < n.trace.size()) {
        gmmu_outcome out = {};
        gmmu_error err = {};
        EXPECT_EQ(gmmu_sim_access(sim, n.index[t], &n.trace[t], &out, &err), GMMU_OK) << err.text;
        model->access(n.index[t]);
        same = memory.apply(n.index[t], out) && memory.equals(model->resident());
        same = same && (policy->size_sum != nullptr || memory.pages <= frames);
        t++;
    }
    std::string all;
    for (size_t i = 0; i < t && !same && t < 200; i++) {
        all += " " + std::to_string(n.index[i]);
    }
    EXPECT_TRUE(same) << name << ":" << options << ", " << frames << " frames, walk " << t << ":"
                      << all;
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
        Numbered n(random.make(1 + random.below(60), 1 + random.below(i % 10 == 0 ? 16 : 8)));
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
    for (const char *option : GetParam().options) {
        for (int i = 0; i < 3; i++) {
            Numbered n(random.make(2000, 50 + random.below(300)));
            const auto frames = static_cast<uint32_t>(1 + random.below(n.distinct()));
            const uint64_t walks = compare(n, GetParam().name, frames, option, random.below(1000));
            ASSERT_NE(walks, 0U) << "trace " << i << " of seed " << test_seed();
            vectors += walks;
        }
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
    for (uint32_t frames : {1100U, 2100U}) {
        EXPECT_EQ(compare(Numbered(trace), GetParam().name, frames, GetParam().options[0], 1),
                  trace.size());
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, PoliciesTest,
    testing::Values(
        Subject{"lru", {""}}, Subject{"fifo", {""}},
        Subject{"random", {"", "", "seed=0", "seed=9999999999999999999"}}, Subject{"lfu", {""}},
        Subject{"2q",
                {"", "", "in=0:out=0", "in=50", "out=100", "in=100:out=1000", "in=33:out=67"}},
        Subject{"arc", {""}}, Subject{"lirs", {"", "hir=0", "hir=20", "hir=50", "hir=100"}},
        Subject{"clockpro", {"", "", "", "mc=1", "mc=2", "mc=3", "mc=128"}},
        Subject{"srrip", {"", "bits=1", "bits=3", "bits=4"}},
        Subject{"rrip-hpe",
                {"", "distant=1", "delay=1", "delay=2", "distant=1:delay=3", "bits=1:delay=4",
                 "distant=1:delay=8", "bits=4:delay=5", "bits=3:distant=1", "delay=4294967295"}},
        Subject{"sieve", {""}},
        Subject{"s3fifo", {"", "", "small=0", "small=30", "small=50", "small=90", "small=100"}},
        Subject{"vmin", {""}}, Subject{"osl", {""}}),
    [](const auto &test) {
        std::string name = test.param.name;
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    });

}  // namespace
