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

// Pages 0, 1, 2… of one address space are counted; the page STRAY (of SPACE) ends that.
void counts_until(uint32_t count, uint32_t space, uint64_t stray) {
    gmmu_pages *p = gmmu_pages_create();
    EXPECT_EQ(gmmu_pages_find(p, 0, 0), GMMU_NO_PAGE);
    for (uint32_t i = 0; i < count; i++) {
        EXPECT_EQ(gmmu_pages_find(p, 5, i), GMMU_NO_PAGE);
        ASSERT_EQ(gmmu_pages_index(p, 5, i), i);
        ASSERT_EQ(gmmu_pages_index(p, 5, i / 2), i / 2);
        EXPECT_EQ(gmmu_pages_asid(p, i), 5U);
        EXPECT_EQ(gmmu_pages_number(p, i), i);
    }
    for (const gmmu_walk &w :
         {gmmu_walk{.vpn = stray, .asid = space}, gmmu_walk{.vpn = 1U << 30}}) {
        EXPECT_EQ(gmmu_pages_find(p, w.asid, w.vpn), GMMU_NO_PAGE);
        const uint32_t index = gmmu_pages_count(p);
        ASSERT_EQ(gmmu_pages_index(p, w.asid, w.vpn), index);
        EXPECT_EQ(gmmu_pages_find(p, w.asid, w.vpn), index);
        EXPECT_EQ(gmmu_pages_number(p, index), w.vpn);
        EXPECT_EQ(gmmu_pages_asid(p, index), w.asid);
        for (uint32_t i = 0; i < count; i++) {
            ASSERT_EQ(gmmu_pages_index(p, 5, i), i);
            EXPECT_EQ(gmmu_pages_asid(p, i), 5U);
            EXPECT_EQ(gmmu_pages_number(p, i), i);
        }
    }
    EXPECT_EQ(gmmu_pages_count(p), count + 2);
    gmmu_pages_destroy(p);
}

TEST(Pages, CountsUntilAPageIsOutOfOrder) {
    for (uint32_t count : {0U, 1U, 700U, 769U, 5000U}) {
        counts_until(count, 5, count + 1);
        counts_until(count, 6, 0);
        counts_until(count, 6, count);
    }
}

TEST(Pages, NumbersManyWalksAsOneByOne) {
    RandomTrace random(test_seed() + 6);
    for (uint64_t bound : {1U, 40U, 3000U}) {
        for (uint32_t spaces : {1U, 2U}) {
            gmmu_pages *one = gmmu_pages_create();
            gmmu_pages *many = gmmu_pages_create();
            for (uint64_t size : {0U, 1U, 15U, 16U, 17U, 900U, 40000U}) {
                std::vector<gmmu_walk> walks(size);
                std::vector<uint32_t> expected;
                for (gmmu_walk &w : walks) {
                    w.asid = static_cast<uint32_t>(random.below(spaces));
                    w.vpn = random.below(bound);
                    expected.push_back(gmmu_pages_index(one, w.asid, w.vpn));
                }
                std::vector<uint32_t> index(size);
                EXPECT_EQ(gmmu_pages_index_walks(many, walks.data(), size, index.data()), size);
                EXPECT_EQ(index, expected);
            }
            gmmu_pages_destroy(one);
            gmmu_pages_destroy(many);
        }
    }
}

}  // namespace
