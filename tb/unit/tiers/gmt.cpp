// SPDX-License-Identifier: Apache-2.0
// gmt.cpp: GMT's policies against the literal model (exact/gmt.h), at every access: each page's
// moves between the tiers.
//
// State space: random traces of five shapes, 1 to 90 walks over 1 to 14 pages, and of 1500 over
// 150; recorded ones. Parameter space: sizes of both tiers from 1 to one more than the distinct
// pages; every option, the ends of numbers; regressions every 1 to 40 pairs, so that short traces
// have some.
#include "exact/gmt.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "blocks/crc32c.h"
#include "numbered_trace.h"
#include "policy/draw.h"
#include "policy/registry.h"
#include "random_trace.h"
#include "recorded.h"

namespace {

// What the literal model is given of the world.
struct World {
    uint64_t seed;
    const gmmu_pages *pages;
    unsigned sample;
};

unsigned draw(void *context) {
    return static_cast<unsigned>(gmmu_draw(&static_cast<World *>(context)->seed, 2));
}

bool in_sample(void *context, uint32_t page) {
    const auto *w = static_cast<const World *>(context);
    const uint32_t hash =
        gmmu_hash(gmmu_pages_asid(w->pages, page), 32, gmmu_pages_number(w->pages, page), 64);
    return hash < (UINT64_C(1) << 32 >> w->sample);
}

struct Case {
    gmmu_exact_gmt_config exact = {};
    std::string options;
    const gmmu_policy *policy = nullptr;
};

Case make_case(RandomTrace *random, gmmu_exact_gmt_kind which, uint32_t tier1, uint32_t tier2,
               uint64_t every) {
    Case c;
    c.exact.kind = which;
    c.exact.tier1 = tier1;
    c.exact.tier2 = tier2;
    c.exact.draw = draw;
    c.exact.in_sample = in_sample;
    c.exact.full_evicts = random->below(2) == 0;
    c.options = c.exact.full_evicts ? "full=evict" : "full=drop";
    c.policy = which == GMMU_EXACT_GMT_TIERORDER ? &gmmu_policy_gmt_tierorder
               : which == GMMU_EXACT_GMT_RANDOM  ? &gmmu_policy_gmt_random
               : which == GMMU_EXACT_GMT_REUSE   ? &gmmu_policy_gmt_reuse
                                                 : &gmmu_policy_gmt_foretold;
    if (which < GMMU_EXACT_GMT_REUSE) {
        return c;
    }
    c.exact.limit_both = random->below(2) == 0;
    c.exact.default_random = random->below(2) == 0;
    const uint32_t keeps[] = {0, 1, 2, 8, 1000};
    c.exact.keep = keeps[random->below(5)];
    const unsigned bits[] = {0, 1, 2, 4, 4};
    c.exact.bits = bits[random->below(5)];
    const uint64_t pairs[] = {0, 1, 30, GMMU_EXACT_GMT_MOST_PAIRS};
    c.exact.pairs = pairs[random->below(8) < 5 ? 3 : random->below(4)];
    c.exact.every = every;
    c.exact.sample = random->below(3) == 0 ? static_cast<unsigned>(random->below(4)) : 0;
    c.options += std::string(c.exact.limit_both ? ":limit=both" : ":limit=tier2") +
                 (c.exact.default_random ? ":default=random" : ":default=tierorder") +
                 ":keep=" + std::to_string(c.exact.keep) + ":bits=" + std::to_string(c.exact.bits) +
                 ":samples=" + std::to_string(c.exact.pairs) +
                 ":every=" + std::to_string(c.exact.every) +
                 ":sample=" + std::to_string(c.exact.sample);
    return c;
}

unsigned tier(uint8_t memory) {
    return memory == GMMU_NEAR ? 1 : memory == GMMU_HOST ? 2 : 3;
}

// How often what is rare happened.
struct Seen {
    uint64_t accesses = 0, from2 = 0, left2 = 0, dropped = 0;
    std::string notes;
};

void expect_equal(const Numbered &n, Case c, uint64_t seed, Seen *seen) {
    World world = {seed, n.pages, c.exact.sample};
    c.exact.context = &world;
    c.exact.trace = n.index.data();
    gmmu_sim *sim = n.sim(c.policy, c.exact.tier1, c.options.c_str(), seed, c.exact.tier2);
    gmmu_exact_gmt *model = gmmu_exact_gmt_create(&c.exact, n.distinct(), n.trace.size());
    bool same = true;
    for (size_t t = 0; same && t < n.trace.size(); t++) {
        gmmu_outcome out = {};
        gmmu_error err = {};
        ASSERT_EQ(gmmu_sim_access(sim, n.index[t], &n.trace[t], &out, &err), GMMU_OK) << err.text;
        gmmu_exact_gmt_move moves[3] = {};
        const size_t count = gmmu_exact_gmt_access(model, n.index[t], moves);
        same = out.count == count && out.fault == (count != 0) && out.after_count == 0;
        for (size_t i = 0; same && i < count; i++) {
            const gmmu_move &m = out.move[i];
            same = m.page == moves[i].page && tier(m.from) == moves[i].from &&
                   tier(m.to) == moves[i].to && gmmu_exact_gmt_tier(model, m.page) == moves[i].to;
            seen->left2 += m.from == GMMU_HOST && m.to == GMMU_FAR ? 1 : 0;
        }
        seen->from2 += count != 0 && moves[0].from == 2 ? 1 : 0;
        seen->dropped += count == 2 && moves[1].to == 3 ? 1 : 0;
        seen->accesses++;
        EXPECT_TRUE(same) << c.policy->name << ":" << c.options << ", walk " << t + 1 << ", "
                          << c.exact.tier1 << " and " << c.exact.tier2 << " pages";
    }
    char text[512];
    EXPECT_TRUE(gmmu_sim_note(sim, text, sizeof text));
    seen->notes = text;
    gmmu_sim_destroy(sim);
    gmmu_exact_gmt_destroy(model);
    ASSERT_TRUE(same);
}

uint64_t noted(const Seen &s, const std::string &key) {
    const size_t at = (" " + s.notes).find(" " + key + "=");
    return at == std::string::npos
               ? 0
               : std::strtoull(s.notes.c_str() + at + key.size() + 1, nullptr, 10);
}

class GmtTest : public testing::TestWithParam<int> {};

TEST_P(GmtTest, EveryMoveIsTheLiteralModels) {
    const auto which = static_cast<gmmu_exact_gmt_kind>(GetParam());
    RandomTrace random(test_seed());
    Seen seen;
    uint64_t right = 0, kept = 0, forced = 0, lines = 0;
    const auto look = [&] {
        right += noted(seen, "right");
        kept += noted(seen, "kept");
        forced += noted(seen, "forced");
        lines += noted(seen, "lines") != 0 ? 1 : 0;
    };
    for (int i = 0; i < 1200; i++) {
        const Numbered n(random.make(1 + random.below(90), 1 + random.below(i % 8 == 0 ? 14 : 7)));
        for (uint32_t tier1 = 1; tier1 <= n.distinct() + 1; tier1++) {
            const auto tier2 = static_cast<uint32_t>(1 + random.below(n.distinct() + 1));
            expect_equal(n, make_case(&random, which, tier1, tier2, 1 + random.below(12)),
                         random.below(1000), &seen);
            ASSERT_FALSE(HasFatalFailure()) << "trace " << i << " of seed " << test_seed();
            look();
        }
    }
    for (int i = 0; i < 150; i++) {
        const Numbered n(random.make(1500, 20 + random.below(130)));
        const auto tier1 = static_cast<uint32_t>(1 + random.below(n.distinct() / 2));
        const auto tier2 = static_cast<uint32_t>(1 + random.below(n.distinct()));
        expect_equal(n, make_case(&random, which, tier1, tier2, 1 + random.below(40)),
                     random.below(1000), &seen);
        ASSERT_FALSE(HasFatalFailure()) << "long trace " << i << " of seed " << test_seed();
        look();
    }
    EXPECT_GT(seen.from2, 1000u);
    EXPECT_GT(seen.left2, 1000u);
    EXPECT_GT(seen.dropped, 1000u);
    if (which >= GMMU_EXACT_GMT_REUSE) {
        EXPECT_GT(right, 1000u);
        EXPECT_GT(kept, 1000u);
        EXPECT_GT(forced, 1000u);
        EXPECT_GT(lines, 1000u);
    }
    std::printf("[ vectors  ] gmt %d: %llu accesses; %llu right, %llu kept, %llu forced\n",
                GetParam(), static_cast<unsigned long long>(seen.accesses),
                static_cast<unsigned long long>(right), static_cast<unsigned long long>(kept),
                static_cast<unsigned long long>(forced));
}

// The literal model takes time with the square: one short trace; GMMU_LONG: more.
TEST_P(GmtTest, EveryMoveIsTheLiteralModelsOnRecordedTraces) {
    const auto which = static_cast<gmmu_exact_gmt_kind>(GetParam());
    RandomTrace random(test_seed() + 1);
    Seen seen;
    std::vector<std::string> names = {"pathfinder.gwt"};
    if (std::getenv("GMMU_LONG") != nullptr) {
        names.insert(names.end(), {"backprop.gwt", "srad_v2.walk", "hotspot.walk"});
    }
    for (const std::string &name : names) {
        SCOPED_TRACE(name);
        const Numbered n(read_trace(trace_folder() + "/" + name));
        const uint32_t tier1 = n.distinct() / 10;
        expect_equal(n, make_case(&random, which, tier1, 4 * tier1, 100), 1, &seen);
        ASSERT_FALSE(HasFatalFailure());
    }
}

INSTANTIATE_TEST_SUITE_P(All, GmtTest, testing::Values(0, 1, 2, 3), [](const auto &test) {
    return test.param == 0   ? "TierOrder"
           : test.param == 1 ? "Random"
           : test.param == 2 ? "Reuse"
                             : "Foretold";
});

// More pages and frames than the first room of any array.
TEST(Gmt, ManyPages) {
    std::vector<gmmu_walk> trace(6000);
    for (size_t i = 0; i < trace.size(); i++) {
        trace[i].vpn = i % 7 == 0 ? i % 1100 : i % 2900;
    }
    const Numbered n(trace);
    RandomTrace random(test_seed() + 2);
    Seen seen;
    for (int which = 0; which < 4; which++) {
        expect_equal(n,
                     make_case(&random, static_cast<gmmu_exact_gmt_kind>(which), 1300, 1200, 500),
                     1, &seen);
    }
}

// A table of sets with a way for each page is no bound; a smaller one forgets, and foretells less.
TEST(Gmt, HistoryInATableOfSets) {
    RandomTrace random(test_seed() + 3);
    uint64_t all = 0, few = 0;
    for (int i = 0; i < 60; i++) {
        const Numbered n(random.make(1500, 20 + random.below(40)));
        const auto tier1 = static_cast<uint32_t>(1 + random.below(n.distinct() / 3));
        const auto tier2 = static_cast<uint32_t>(1 + random.below(n.distinct()));
        const auto foretold = [&](const char *options) {
            gmmu_sim *sim = n.sim(&gmmu_policy_gmt_reuse, tier1, options, 1, tier2);
            gmmu_error err = {};
            EXPECT_EQ(gmmu_sim_replay(sim, n.index.data(), n.trace.data(), n.trace.size(), &err),
                      GMMU_OK)
                << err.text;
            Seen seen;
            char text[512];
            EXPECT_TRUE(gmmu_sim_note(sim, text, sizeof text));
            seen.notes = text;
            const uint64_t found = noted(seen, "foretold");
            const gmmu_tier_counts c = gmmu_sim_tier_counts(sim);
            gmmu_sim_destroy(sim);
            return std::pair<uint64_t, uint64_t>(found, c.tier3_reads);
        };
        const auto free = foretold("every=50");
        EXPECT_EQ(foretold("every=50:sets=1:ways=64"), free);
        EXPECT_EQ(foretold("every=50:sets=64:ways=64"), free);
        all += free.first;
        few += foretold("every=50:sets=2:ways=4").first;
        few += foretold("every=50:sets=1:ways=1").first;
    }
    EXPECT_GT(few, 0u);
    EXPECT_LT(few, all);
}

TEST(Gmt, OptionsThatAreRefused) {
    const Numbered n({gmmu_walk{}});
    const std::pair<const gmmu_policy *, const char *> bad[] = {
        {&gmmu_policy_gmt_tierorder, "limit=both"}, {&gmmu_policy_gmt_tierorder, "seed=1"},
        {&gmmu_policy_gmt_random, "keep=1"},        {&gmmu_policy_gmt_random, "full=maybe"},
        {&gmmu_policy_gmt_reuse, "full="},          {&gmmu_policy_gmt_reuse, "limit=tier"},
        {&gmmu_policy_gmt_reuse, "default=none"},   {&gmmu_policy_gmt_reuse, "keep=1001"},
        {&gmmu_policy_gmt_reuse, "bits=32"},        {&gmmu_policy_gmt_reuse, "samples=524289"},
        {&gmmu_policy_gmt_reuse, "every=0"},        {&gmmu_policy_gmt_reuse, "ways=0"},
        {&gmmu_policy_gmt_reuse, "sample=9"},       {&gmmu_policy_gmt_reuse, "x"}};
    for (const auto &[policy, options] : bad) {
        gmmu_policy_config config = {
            .frames = 1, .pages = n.pages, .options = options, .seed = 1, .tier2 = 1};
        gmmu_error err = {};
        EXPECT_EQ(gmmu_sim_create(policy, &config, &err), nullptr) << options;
        EXPECT_NE(std::string(err.text).find(std::string(policy->name) + ": found option"),
                  std::string::npos)
            << err.text;
    }
}

}  // namespace
