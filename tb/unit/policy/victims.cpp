// SPDX-License-Identifier: Apache-2.0
// victims.cpp: lru, fifo, clock, opt and leu-exact against slow models, victim by victim.
//
// State space: random traces of five shapes, 1 to 4 references, 1 to 3 address spaces, with and
// without writes. Parameter space: every memory size from 1 to one more than the distinct pages.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gmmu/trace.h"
#include "numbered_trace.h"
#include "policy/policy.h"
#include "policy/registry.h"
#include "policy/replay.h"
#include "random_trace.h"
#include "slow_models.h"

namespace {

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
        if (gmmu_outcome_victim(&out) != GMMU_NO_PAGE) {
            chosen = n.page(gmmu_outcome_victim(&out));
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

}  // namespace
