// SPDX-License-Identifier: Apache-2.0
// stack.cpp: what holds of all memory sizes and choices: inclusion, and opt's fewest faults.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "gmmu/trace.h"
#include "numbered_trace.h"
#include "policy/policy.h"
#include "policy/registry.h"
#include "policy/replay.h"
#include "random_trace.h"

namespace {

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
        resident.erase(gmmu_outcome_victim(&out));
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

}  // namespace
