// SPDX-License-Identifier: Apache-2.0
// place.cpp: GMT's policies by the unit (policy `tier`, option place) against those of gmt.c, which
// share no code with it but the model of reuse: every access's moves, page by page.
//
// Where a full Tier 2 drops, all decisions are the same, and so are Tier 1's where it evicts: the
// unit's hand goes over slots, that of gmt.c over pages in the order in which they came. Random
// draws elsewhere; Tier 1 is the same. State space: recorded and random traces. Parameter space:
// sizes of both tiers from one page on, *long* from Tier 2's size or both, predictors large enough
// for all pages; a small one only differs in what it has forgotten.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "numbered_trace.h"
#include "policy/registry.h"
#include "random_trace.h"
#include "recorded.h"

namespace {

struct UnitOfGmt {
    const gmmu_policy *gmt;
    const char *options, *unit;
    bool moves;  // all are the same, not Tier 1's alone
};
const char LARGE[] = ":sets=8192:ways=16";
const UnitOfGmt units_of_gmt[] = {
    {&gmmu_policy_gmt_tierorder, "full=drop", "place=order:full=drop", true},
    {&gmmu_policy_gmt_tierorder, "full=evict", "place=order", false},
    {&gmmu_policy_gmt_random, "full=drop", "place=random:full=drop", false},
    {&gmmu_policy_gmt_reuse, "full=drop", "place=reuse", true},
    {&gmmu_policy_gmt_reuse, "limit=both", "place=reuse:limit=both", true},
    {&gmmu_policy_gmt_reuse, "full=evict", "place=reuse:full=evict", false},
};

struct SeenOfGmt {
    uint64_t accesses = 0, moves = 0, to2 = 0, to3 = 0, up = 0;
};

bool same_moves(const gmmu_outcome &a, const gmmu_outcome &b, bool all) {
    const auto tier1 = [](const gmmu_outcome &o, size_t i) {
        return o.move[i].from == GMMU_NEAR || o.move[i].to == GMMU_NEAR;
    };
    size_t i = 0, j = 0;
    for (;; i++, j++) {
        while (!all && i < a.count && !tier1(a, i)) i++;
        while (!all && j < b.count && !tier1(b, j)) j++;
        if (i == a.count || j == b.count)
            return i == a.count && j == b.count;
        const gmmu_move &m = a.move[i], &n = b.move[j];
        if (m.page != n.page || (all && (m.from != n.from || m.to != n.to)))
            return false;
    }
}

void expect_gmt(const Numbered &n, uint32_t frames, uint32_t tier2, const UnitOfGmt &p,
                SeenOfGmt *seen) {
    const std::string options = std::string(p.unit) + LARGE;
    gmmu_sim *unit = n.sim(&gmmu_policy_tier, frames, options.c_str(), 1, tier2);
    gmmu_sim *gmt = n.sim(p.gmt, frames, p.options, 1, tier2);
    gmmu_error err = {};
    bool same = true;
    for (size_t t = 0; same && t < n.trace.size(); t++) {
        gmmu_outcome a = {}, b = {};
        ASSERT_EQ(gmmu_sim_access(unit, n.index[t], &n.trace[t], &a, &err), GMMU_OK) << err.text;
        ASSERT_EQ(gmmu_sim_access(gmt, n.index[t], &n.trace[t], &b, &err), GMMU_OK) << err.text;
        same = a.fault == b.fault && same_moves(a, b, p.moves);
        EXPECT_TRUE(same) << "walk " << t + 1 << ", " << frames << " and " << tier2 << " pages, "
                          << p.unit;
        seen->accesses++;
        for (size_t i = 0; i < b.count; i++) {
            seen->moves++;
            seen->to2 += b.move[i].to == GMMU_HOST;
            seen->to3 += b.move[i].to == GMMU_FAR;
            seen->up += b.move[i].from == GMMU_HOST && b.move[i].to == GMMU_NEAR;
        }
    }
    gmmu_sim_destroy(unit);
    gmmu_sim_destroy(gmt);
}

void report(const char *what, const SeenOfGmt &s) {
    std::printf(
        "[ vectors  ] tier:place, %s: %llu accesses, %llu moves: %llu to Tier 2, %llu to Tier 3, "
        "%llu up\n",
        what, static_cast<unsigned long long>(s.accesses), static_cast<unsigned long long>(s.moves),
        static_cast<unsigned long long>(s.to2), static_cast<unsigned long long>(s.to3),
        static_cast<unsigned long long>(s.up));
    EXPECT_GT(s.to2, 1000u);
    EXPECT_GT(s.to3, 1000u);
    EXPECT_GT(s.up, 1000u);
}

TEST(TierPlaceOfGmt, IsGmtOnRandomTraces) {
    RandomTrace random(test_seed());
    SeenOfGmt seen;
    for (unsigned i = 0; i < 24 && !HasFailure(); i++) {
        const Numbered n(random.make(20000 + random.below(20000), 10 + random.below(300)));
        const auto some = [&] { return 1 + static_cast<uint32_t>(random.below(n.distinct())); };
        expect_gmt(n, some(), some(), units_of_gmt[i % 6], &seen);
    }
    report("random", seen);
}

TEST(TierPlaceOfGmt, IsGmtOnRecordedTraces) {
    SeenOfGmt seen;
    for (const std::string &path : recorded_traces({"bfs.walk", "hotspot.walk", "lavamd.gwt"})) {
        SCOPED_TRACE(path);
        const Numbered n(read_trace(path));
        const uint32_t frames = std::max(1u, n.distinct() / 10);
        for (const UnitOfGmt &p : units_of_gmt) expect_gmt(n, frames, 4 * frames, p, &seen);
    }
    report("recorded", seen);
}

TEST(TierPlaceOfGmt, RefusesOptionsOutOfRange) {
    const Numbered n({gmmu_walk{}});
    for (const char *bad :
         {"place=gmt", "place=", "full=keep", "limit=all", "default=reuse", "tie=oldest", "sets=3",
          "sets=0", "ways=12", "ways=32", "sets=65536:ways=16:place=reuse"}) {
        const gmmu_policy_config config = {
            .frames = 1, .pages = n.pages, .options = bad, .seed = 1, .tier2 = 4};
        gmmu_error err = {};
        EXPECT_EQ(gmmu_sim_create(&gmmu_policy_tier, &config, &err), nullptr) << bad;
        EXPECT_GT(std::string(err.text).size(), 20u) << bad;
    }
}

}  // namespace
