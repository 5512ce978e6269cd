// SPDX-License-Identifier: Apache-2.0
// leu_exact.cpp: what leu-exact shows of a decision.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <set>
#include <vector>

#include "gmmu/trace.h"
#include "numbered_trace.h"
#include "policy/policy.h"
#include "policy/registry.h"
#include "policy/replay.h"
#include "random_trace.h"
#include "slow_models.h"

namespace {

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
        const gmmu_watch watch = {Shown::add, &shown, nullptr};
        ASSERT_TRUE(gmmu_sim_watch(sim, &watch));
        std::set<uint32_t> resident;
        for (size_t t = 0; t < n.trace.size(); t++) {
            shown.list.clear();
            gmmu_outcome out = {};
            gmmu_error err = {};
            ASSERT_EQ(gmmu_sim_access(sim, n.index[t], &n.trace[t], &out, &err), GMMU_OK);
            ASSERT_EQ(shown.list.empty(), gmmu_outcome_victim(&out) == GMMU_NO_PAGE);
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
                ASSERT_EQ(least->page, gmmu_outcome_victim(&out));
                vectors++;
            }
            resident.erase(gmmu_outcome_victim(&out));
            resident.insert(n.index[t]);
        }
        gmmu_sim_destroy(sim);
    }
    EXPECT_FALSE(gmmu_policy_lru.watch != nullptr);
    std::printf("[ vectors  ] leu-exact, shown: %llu decisions\n",
                static_cast<unsigned long long>(vectors));
}

}  // namespace
