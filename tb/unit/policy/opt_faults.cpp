// SPDX-License-Identifier: Apache-2.0
// opt_faults.cpp: which evictions of a policy are OPT's too, against their definition: each
// eviction written down as the page and its last walk, beside those of a slow OPT.
//
// State space: random traces of five shapes. Parameter space: every memory size from 1 to one more
// than the distinct pages; policies that keep to OPT closely and not at all, and OPT itself.
#include "policy/opt_faults.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "numbered_trace.h"
#include "policy/registry.h"
#include "random_trace.h"
#include "slow_models.h"

namespace {

using Eviction = std::pair<Page, size_t>;  // a page, and its last walk before it left

std::set<Eviction> evictions_of_opt(const Numbered &n, uint32_t frames) {
    std::unique_ptr<Model> opt = make_model("opt");
    std::set<Eviction> out;
    View v{n.trace, 0, {}, {}, {}};
    for (v.now = 0; v.now < n.trace.size(); v.now++) {
        const Page p = page_of(n.trace[v.now]);
        if (v.resident.count(p) == 0) {
            if (v.resident.size() == frames) {
                const Page victim = opt->victim(v);
                v.resident.erase(victim);
                out.emplace(victim, v.last[victim]);
            }
            v.resident.insert(p);
        }
        v.last[p] = v.now;
    }
    return out;
}

// Counts, while SIM replays, the evictions that are among OPT's or of pages that do not come again.
uint64_t as_opt(const Numbered &n, gmmu_sim *sim, const std::set<Eviction> &opt) {
    std::map<Page, size_t> last, final;
    for (size_t i = 0; i < n.trace.size(); i++) {
        final[page_of(n.trace[i])] = i;
    }
    uint64_t count = 0;
    for (size_t i = 0; i < n.trace.size(); i++) {
        gmmu_outcome out = {};
        gmmu_error err = {};
        EXPECT_EQ(gmmu_sim_access(sim, n.index[i], &n.trace[i], &out, &err), GMMU_OK) << err.text;
        if (gmmu_outcome_victim(&out) != GMMU_NO_PAGE) {
            const Page victim = n.page(gmmu_outcome_victim(&out));
            const size_t left = last[victim];
            count += left == final[victim] || opt.count({victim, left}) != 0 ? 1 : 0;
        }
        last[page_of(n.trace[i])] = i;
    }
    return count;
}

TEST(OptFaults, EvictionsThatAreOptsToo) {
    RandomTrace random(test_seed());
    uint64_t all = 0, shared = 0;
    for (int round = 0; round < 60; round++) {
        const Numbered n(random.make(1 + random.below(200), 1 + random.below(16)));
        for (uint32_t frames = 1; frames <= n.distinct() + 1; frames++) {
            gmmu_error err = {};
            uint8_t *faults = gmmu_opt_faults(&n.future, frames, &err);
            ASSERT_NE(faults, nullptr) << err.text;
            const std::set<Eviction> opt = evictions_of_opt(n, frames);
            for (const gmmu_policy *policy : {&gmmu_policy_opt, &gmmu_policy_lru, &gmmu_policy_lirs,
                                              &gmmu_policy_random, &gmmu_policy_leu_exact}) {
                gmmu_sim *sim = n.sim(policy, frames);
                gmmu_sim_beside_opt(sim, faults);
                const uint64_t expected = as_opt(n, sim, opt);
                const uint64_t evictions = gmmu_sim_counts(sim).evictions;
                EXPECT_EQ(gmmu_sim_as_opt(sim), expected)
                    << policy->name << ", " << frames << " frames, round " << round;
                if (policy == &gmmu_policy_opt) {
                    EXPECT_EQ(expected, evictions);
                } else {
                    all += evictions;
                    shared += expected;
                }
                gmmu_sim_destroy(sim);
            }
            std::free(faults);
        }
    }
    EXPECT_GT(shared, all / 10);  // both kinds occur
    EXPECT_LT(shared, all * 9 / 10);
}

TEST(OptFaults, NothingIsCountedUnasked) {
    const Numbered n(RandomTrace(test_seed()).make(100, 10));
    gmmu_sim *sim = n.sim(&gmmu_policy_lru, 2);
    const uint64_t found = as_opt(n, sim, {});
    EXPECT_LE(found, gmmu_sim_counts(sim).evictions);
    EXPECT_EQ(gmmu_sim_as_opt(sim), 0);
    gmmu_sim_destroy(sim);
}

}  // namespace
