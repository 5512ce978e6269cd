// SPDX-License-Identifier: Apache-2.0
// registry.cpp: the list of policies, their options, and the numbers of pages.
#include "policy/registry.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gmmu/trace.h"
#include "numbered_trace.h"
#include "policy/option.h"
#include "policy/policy.h"
#include "policy/replay.h"
#include "random_trace.h"

namespace {

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
        gmmu_policy_config config = {
            .frames = 1, .pages = n.pages, .future = &n.future, .options = "size=2", .seed = 1};
        gmmu_error err = {};
        EXPECT_EQ(gmmu_sim_create(p, &config, &err), nullptr);
        EXPECT_EQ(std::string(err.text), std::string("policy ") + p->name +
                                             ": found the option \"size=2\", expected none");
        config.options = nullptr;
        config.frames = 0;
        EXPECT_EQ(gmmu_sim_create(p, &config, &err), nullptr);
    }
    gmmu_policy_config config = {.frames = 1, .pages = n.pages, .seed = 1};
    gmmu_error err = {};
    EXPECT_EQ(gmmu_sim_create(&gmmu_policy_opt, &config, &err), nullptr);
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
