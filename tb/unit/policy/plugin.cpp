// SPDX-License-Identifier: Apache-2.0
// plugin.cpp: policies that are added to the registry, and what interface number 1 of plugins is.
#include "policy/plugin.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "policy/registry.h"

namespace {

// A plugin that was built with other offsets reads wrong members. A change of one of the numbers
// needs a new GMMU_PLUGIN_ABI, and its numbers here.
TEST(Plugin, TheInterfaceHasOneLayout) {
    ASSERT_EQ(GMMU_PLUGIN_ABI, 1);
#define OFFSET(type, member) offsetof(type, member),
#define POLICY(member) OFFSET(gmmu_policy, member)
    const std::vector<size_t> policy = {
        POLICY(name) POLICY(help) POLICY(options) POLICY(needs_future) POLICY(page_only)
            POLICY(obeys) POLICY(tiers) POLICY(moves_many) POLICY(ideal) POLICY(larger) POLICY(rule)
                POLICY(why) POLICY(tie_rule) POLICY(create) POLICY(access) POLICY(evict)
                    POLICY(hint) POLICY(prefetch) POLICY(size_sum) POLICY(watch) POLICY(facts)
                        POLICY(note) POLICY(destroy)};
#undef POLICY
    EXPECT_EQ(policy, (std::vector<size_t>{0,  8,  16, 24, 25, 26,  27,  28,  32,  40,  48, 56,
                                           64, 72, 80, 88, 96, 104, 112, 120, 128, 136, 144}));
#define CONFIG(member) OFFSET(gmmu_policy_config, member)
    const std::vector<size_t> config = {
        CONFIG(frames) CONFIG(pages) CONFIG(future) CONFIG(page_shift) CONFIG(options) CONFIG(seed)
            CONFIG(watched) CONFIG(tier2) CONFIG(eligible) CONFIG(context)};
#undef CONFIG
    EXPECT_EQ(config, (std::vector<size_t>{0, 8, 16, 24, 32, 40, 48, 52, 56, 72}));
#define OUTCOME(member) OFFSET(gmmu_outcome, member)
    const std::vector<size_t> outcome = {OUTCOME(fault) OUTCOME(stuck) OUTCOME(count) OUTCOME(
        move) OUTCOME(after) OUTCOME(after_count) OUTCOME(untouched_in) OUTCOME(untouched_out)};
#undef OUTCOME
    EXPECT_EQ(outcome, (std::vector<size_t>{0, 1, 4, 8, 40, 48, 52, 56}));
#define WALK(member) OFFSET(gmmu_walk, member)
    const std::vector<size_t> walk = {WALK(vpn) WALK(ref) WALK(time) WALK(asid) WALK(sm)
                                          WALK(write)};
#undef WALK
#undef OFFSET
    EXPECT_EQ(walk, (std::vector<size_t>{0, 8, 16, 24, 28, 32}));
#define SIZE(type) sizeof(type),
    const std::vector<size_t> sizes = {GMMU_PLUGIN_TYPES(SIZE)};
#undef SIZE
    EXPECT_EQ(sizes, (std::vector<size_t>{160, 80, 16, 48, 40, 40, 64, 8, 24, 64, 24, 512}));
}

TEST(Registry, AddsPoliciesBehindTheOthers) {
    static gmmu_policy a = gmmu_policy_lru, b = gmmu_policy_fifo;
    a.name = "added-lru";
    b.name = "added_fifo+1.0";
    size_t count = 0;
    while (gmmu_policy_at(count) != nullptr) {
        count++;
    }
    const gmmu_policy *both[] = {&a, &b};
    gmmu_error err = {};
    ASSERT_TRUE(gmmu_policy_add(both, 2, &err)) << err.text;
    EXPECT_EQ(gmmu_policy_at(count), &a);
    EXPECT_EQ(gmmu_policy_at(count + 1), &b);
    EXPECT_EQ(gmmu_policy_at(count + 2), nullptr);
    EXPECT_EQ(gmmu_policy_find("added-lru", 9), &a);
    EXPECT_EQ(gmmu_plugin_of(&a), nullptr);
    EXPECT_EQ(gmmu_plugin_path(0), nullptr);
}

// One wrong policy among good ones: none is added.
TEST(Registry, RefusesPoliciesThatLackSomething) {
    const auto refusal = [](void (*spoil)(gmmu_policy *)) -> std::string {
        gmmu_policy good = gmmu_policy_lru, wrong = gmmu_policy_lru;
        good.name = "good";
        wrong.name = "wrong";
        spoil(&wrong);
        const gmmu_policy *both[] = {&good, &wrong};
        gmmu_error err = {};
        EXPECT_FALSE(gmmu_policy_add(both, 2, &err));
        EXPECT_EQ(gmmu_policy_find("good", 4), nullptr);
        return err.text;
    };
    const std::string letters = ", expected letters, digits and the characters _-+.";
    EXPECT_EQ(refusal([](gmmu_policy *p) { p->name = nullptr; }),
              "policy number 2: found the name \"\"" + letters);
    EXPECT_EQ(refusal([](gmmu_policy *p) { p->name = ""; }),
              "policy number 2: found the name \"\"" + letters);
    EXPECT_EQ(refusal([](gmmu_policy *p) { p->name = "a,b"; }),
              "policy number 2: found the name \"a,b\"" + letters);
    EXPECT_EQ(refusal([](gmmu_policy *p) { p->help = nullptr; }),
              "policy wrong: found no member, expected help");
    EXPECT_EQ(refusal([](gmmu_policy *p) { p->help = "two\nlines"; }),
              "policy wrong: found a help of several lines, expected one");
    EXPECT_EQ(refusal([](gmmu_policy *p) { p->create = nullptr; }),
              "policy wrong: found no member, expected create");
    EXPECT_EQ(refusal([](gmmu_policy *p) { p->access = nullptr; }),
              "policy wrong: found no member, expected access");
    EXPECT_EQ(refusal([](gmmu_policy *p) { p->destroy = nullptr; }),
              "policy wrong: found no member, expected destroy");
    const std::string known = ": found a name that another policy has, expected a new one";
    EXPECT_EQ(refusal([](gmmu_policy *p) { p->name = "lru"; }), "policy lru" + known);
    EXPECT_EQ(refusal([](gmmu_policy *p) { p->name = "good"; }), "policy good" + known);
}

}  // namespace
