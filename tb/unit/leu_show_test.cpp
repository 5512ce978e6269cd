// SPDX-License-Identifier: Apache-2.0
// leu_show_test.cpp: what policy `leu` shows of its decisions (gmmu explain) is how it decides.
//
// State space: every decision of random traces of five shapes; a duel over two loops.
// Parameter space: scan and samples of 1 to 64 frames, lists of 1 to 16, shares 0 to
// 256, duels; 5 to 200 frames.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "numbered_trace.h"
#include "policy/registry.h"
#include "random_trace.h"

namespace {

using Facts = std::map<std::string, double>;

Facts named(const gmmu_fact *facts, size_t count) {
    Facts all;
    for (size_t i = 0; i < count; i++)
        all[facts[i].name] = static_cast<double>(facts[i].value) / facts[i].per;
    EXPECT_EQ(all.size(), count) << "a name twice";
    return all;
}

// What was shown of a decision.
struct Shown {
    std::vector<gmmu_candidate> list;
    Facts facts;
    static void add(void *context, const gmmu_candidate *c) {
        static_cast<Shown *>(context)->list.push_back(*c);
    }
    static void learn(void *context, const gmmu_fact *facts, size_t count) {
        EXPECT_TRUE(static_cast<Shown *>(context)->list.empty()) << "facts come first";
        static_cast<Shown *>(context)->facts = named(facts, count);
    }
    size_t with(gmmu_guard guard) const {
        return static_cast<size_t>(std::count_if(
            list.begin(), list.end(), [&](const gmmu_candidate &c) { return c.guard == guard; }));
    }
    size_t unseen() const {
        return static_cast<size_t>(std::count_if(
            list.begin(), list.end(), [&](const gmmu_candidate &c) { return c.unseen; }));
    }
};

// Leu's priorities are 0, or (1024 + m) 2^(e - 73): its parts as they were put.
std::pair<unsigned, uint64_t> priority(const gmmu_candidate &c) {
    if (c.profit == 0)
        return {0, 0};
    return {1000u - static_cast<unsigned>(__builtin_ctzll(c.left) + __builtin_ctzll(c.cost)),
            c.profit};
}

// Lower: leaves before. Only met ones.
auto order(const gmmu_candidate &c) {
    return std::make_tuple(c.guard == GMMU_GUARD_KEPT, priority(c), UINT64_MAX - c.tau);
}

struct Seen {
    uint64_t decisions = 0, let_go = 0, unheeded = 0, spared = 0, unseen = 0, kept_left = 0;
};

Facts facts_of(const gmmu_sim *sim) {
    gmmu_fact facts[GMMU_MOST_FACTS];
    return named(facts, gmmu_sim_facts(sim, facts));
}

// What the facts say of each other and of the candidates.
void check_facts(const Shown &shown, uint32_t frames) {
    const size_t guarded = shown.list.size() - shown.with(GMMU_GUARD_NONE);
    ASSERT_EQ(shown.list.size(), frames);
    if (shown.facts.empty()) {
        ASSERT_EQ(guarded, 0u);
        return;
    }
    ASSERT_EQ(shown.facts.at("protected"), static_cast<double>(guarded));
    if (shown.facts.count("share") == 0)
        return;
    const double share = shown.facts.at("share");
    ASSERT_EQ(shown.with(share != 0 ? GMMU_GUARD_UNHEEDED : GMMU_GUARD_KEPT), 0u);
    ASSERT_EQ(shown.facts.at("limit"), static_cast<double>(static_cast<uint32_t>(share * frames)));
}

// The victim is the first of those that are shown, in the order of the search; as many are
// protected afterwards as the candidates say.
void check_decision(const Shown &shown, uint32_t victim, const Facts &after, Seen *seen) {
    const gmmu_candidate *left = nullptr;
    std::set<uint32_t> pages;
    for (const gmmu_candidate &c : shown.list) {
        ASSERT_TRUE(pages.insert(c.page).second);
        if (c.page == victim)
            left = &c;
    }
    ASSERT_NE(left, nullptr);
    ASSERT_FALSE(left->unseen);
    for (const gmmu_candidate &c : shown.list)
        ASSERT_TRUE(c.unseen || order(*left) <= order(c)) << "page " << c.page;
    const size_t let_go = shown.with(GMMU_GUARD_LET_GO);
    seen->decisions++;
    seen->let_go += let_go;
    seen->unheeded += shown.with(GMMU_GUARD_UNHEEDED);
    seen->unseen += shown.unseen();
    seen->kept_left += left->guard == GMMU_GUARD_KEPT;
    for (const gmmu_candidate &c : shown.list)
        seen->spared += c.guard == GMMU_GUARD_KEPT && !c.unseen && priority(c) < priority(*left);
    if (shown.facts.empty())
        return;
    const bool loses = left->guard == GMMU_GUARD_KEPT || left->guard == GMMU_GUARD_UNHEEDED;
    const double least = shown.facts.at("protected") - static_cast<double>(let_go) - loses;
    ASSERT_GE(after.at("protected"), least);
    ASSERT_LE(after.at("protected"), least + 1);  // the page that came
}

void check(const Numbered &n, uint32_t frames, const std::string &options, Seen *seen) {
    SCOPED_TRACE(options + ", " + std::to_string(frames) + " frames");
    gmmu_sim *sim = n.sim(&gmmu_policy_leu, frames, options.c_str());
    Shown shown;
    const gmmu_watch watch = {Shown::add, &shown, Shown::learn};
    ASSERT_TRUE(gmmu_sim_watch(sim, &watch));
    const size_t names = facts_of(sim).size();
    for (size_t t = 0; t < n.trace.size() && !testing::Test::HasFatalFailure(); t++) {
        shown = {};
        gmmu_outcome out = {};
        gmmu_error err = {};
        ASSERT_EQ(gmmu_sim_access(sim, n.index[t], &n.trace[t], &out, &err), GMMU_OK) << err.text;
        const uint32_t victim = gmmu_outcome_victim(&out);
        const Facts after = facts_of(sim);
        ASSERT_EQ(after.size(), names);
        ASSERT_EQ(shown.list.empty(), victim == GMMU_NO_PAGE);
        if (victim == GMMU_NO_PAGE)
            continue;
        check_facts(shown, frames);
        check_decision(shown, victim, after, seen);
    }
    gmmu_sim_destroy(sim);
}

TEST(LeuShow, TheVictimIsTheFirstOfThoseThatTheSearchMeets) {
    RandomTrace random(test_seed());
    Seen seen;
    for (int i = 0; i < 60 && !HasFatalFailure(); i++) {
        const Numbered n(random.make(1200, 10 + random.below(120)));
        const uint32_t frames = std::max(5u, n.distinct() * 2 / 3);
        std::string options = "config=tiny:refresh=3:sample=0";
        if (i % 3 != 0)
            options += ":search=sample:k=" + std::to_string(1u << random.below(7)) +
                       ":pool=" + std::to_string(1u << random.below(5));
        if (i % 4 == 3)
            options += ":duel=1";
        else
            options += ":protect=" + std::to_string(random.below(5) * 64);
        check(n, frames, options, &seen);
    }
    std::printf(
        "[ vectors  ] %llu decisions; %llu let go, %llu spared, %llu by name, %llu unseen\n",
        static_cast<unsigned long long>(seen.decisions),
        static_cast<unsigned long long>(seen.let_go), static_cast<unsigned long long>(seen.spared),
        static_cast<unsigned long long>(seen.unheeded),
        static_cast<unsigned long long>(seen.unseen));
    EXPECT_GT(seen.decisions, 5000u);
    EXPECT_GT(seen.let_go, 500u);
    EXPECT_GT(seen.spared, 5000u);
    EXPECT_GT(seen.unheeded, 1000u);
    EXPECT_GT(seen.unseen, 10000u);
    EXPECT_GT(seen.kept_left, 0u);
}

// Two loops by one reference, as in share_duel_test: the duel keeps protection, and that is shown.
TEST(LeuShow, TheDuelIsShown) {
    std::vector<gmmu_walk> trace;
    for (unsigned i = 0; i < 20000; i++) {
        gmmu_walk w = {};
        w.vpn = i % 5 == 0 ? i / 5 % 250 : 1000 + i % 2003;
        w.ref = 16;
        trace.push_back(w);
    }
    const Numbered n(trace);
    gmmu_sim *sim = n.sim(&gmmu_policy_leu, 300, "search=sample:duel=1");
    const Facts begin = facts_of(sim);
    gmmu_error err = {};
    ASSERT_EQ(gmmu_sim_replay(sim, n.index.data(), n.trace.data(), n.trace.size(), &err), GMMU_OK);
    const Facts end = facts_of(sim);
    gmmu_sim_destroy(sim);
    EXPECT_EQ(begin.at("share"), 248 / 256.);
    EXPECT_EQ(begin.at("changes"), 0);
    EXPECT_EQ(begin.at("protected"), 0);
    EXPECT_EQ(begin.at("filling"), 1);
    EXPECT_EQ(begin.at("limit"), 300 * 248 / 256);
    EXPECT_EQ(begin.at("T"), 300 * 248 / 256);
    EXPECT_EQ(end.at("share"), 248 / 256.);
    EXPECT_EQ(end.at("filling"), 0);
    EXPECT_EQ(end.at("shadow_frames"), 300 / 4);
    EXPECT_EQ(end.at("shadow_limit"), 300 / 4 * 248 / 256);
    EXPECT_NEAR(end.at("shadow_protected"), end.at("shadow_limit"), 4);
    EXPECT_GT(end.at("shadow_T"), 16);
    // the shadow that is followed is not by two standard deviations the worse one
    const double kept = end.at("guarded_alone"), left = end.at("plain_alone");
    EXPECT_GT(left, kept);
}

// Nothing is protected: there is nothing to tell.
TEST(LeuShow, NoFactsWithoutProtection) {
    const Numbered n(RandomTrace(1).make(100, 20));
    for (const char *name : {"leu", "lru", "leu-exact"}) {
        gmmu_sim *sim = n.sim(gmmu_policy_find(name, std::string(name).size()), 7);
        EXPECT_TRUE(facts_of(sim).empty()) << name;
        gmmu_sim_destroy(sim);
    }
}

}  // namespace
