// SPDX-License-Identifier: Apache-2.0
// bounds.cpp: `bam` is `clock`, and `opt-tiers` is `opt` twice: near memory has opt's faults at
// Tier 1's size, Tier 3's reads and writes are those of opt with both tiers' pages, access by
// access.
//
// State space: random traces of five shapes, 1 to 60 walks over 1 to 14 pages, and of 2500 over
// 200; recorded ones. Parameter space: every pair of sizes up to one more than the distinct pages;
// of the recorded ones 10 % and 4 times as much, and odd ones. GMMU_LONG: all recorded traces.
#include <gtest/gtest.h>

#include <cstdio>

#include "numbered_trace.h"
#include "policy/registry.h"
#include "random_trace.h"
#include "recorded.h"

namespace {

gmmu_outcome step(gmmu_sim *sim, const Numbered &n, size_t t) {
    gmmu_outcome out = {};
    gmmu_error err = {};
    EXPECT_EQ(gmmu_sim_access(sim, n.index[t], &n.trace[t], &out, &err), GMMU_OK) << err.text;
    return out;
}

void expect_bounds(const Numbered &n, uint32_t frames, uint32_t tier2, uint64_t *vectors) {
    gmmu_sim *tiers = n.sim(&gmmu_policy_opt_tiers, frames, nullptr, 1, tier2);
    gmmu_sim *near = n.sim(&gmmu_policy_opt, frames);
    gmmu_sim *both = n.sim(&gmmu_policy_opt, frames + tier2);
    gmmu_sim *bam = n.sim(&gmmu_policy_bam, frames, nullptr, 1, tier2);
    gmmu_sim *clock = n.sim(&gmmu_policy_clock, frames);
    bool same = true;
    for (size_t t = 0; same && t < n.trace.size(); t++) {
        const gmmu_outcome a = step(tiers, n, t), b = step(near, n, t), c = step(both, n, t);
        same = a.fault == b.fault && gmmu_outcome_victim(&a) == gmmu_outcome_victim(&b) &&
               (a.fault && a.move[0].from == GMMU_FAR) == c.fault;
        const gmmu_outcome d = step(bam, n, t), e = step(clock, n, t);
        same = same && d.fault == e.fault && gmmu_outcome_victim(&d) == gmmu_outcome_victim(&e);
        EXPECT_TRUE(same) << "walk " << t + 1 << ", " << frames << " and " << tier2 << " pages";
        ++*vectors;
    }
    const gmmu_tier_counts counts = gmmu_sim_tier_counts(tiers);
    EXPECT_EQ(gmmu_sim_counts(tiers).faults, gmmu_sim_counts(near).faults);
    EXPECT_EQ(counts.tier3_reads, gmmu_sim_counts(both).faults);
    EXPECT_EQ(counts.tier3_writes, gmmu_sim_counts(both).writebacks);
    EXPECT_EQ(counts.wasted_lookups, counts.tier3_reads);
    EXPECT_EQ(counts.tier2_hits, gmmu_sim_counts(near).faults - counts.tier3_reads);
    EXPECT_EQ(gmmu_sim_counts(bam).writebacks, gmmu_sim_counts(clock).writebacks);
    EXPECT_EQ(gmmu_sim_tier_counts(bam).tier3_reads, gmmu_sim_counts(clock).faults);
    EXPECT_EQ(gmmu_sim_tier_counts(bam).tier3_writes, gmmu_sim_counts(clock).writebacks);
    for (gmmu_sim *sim : {tiers, near, both, bam, clock}) {
        gmmu_sim_destroy(sim);
    }
    ASSERT_TRUE(same);
}

TEST(Bounds, OfRandomTracesAtEverySize) {
    RandomTrace random(test_seed());
    uint64_t vectors = 0;
    for (int i = 0; i < 1500 && !HasFatalFailure(); i++) {
        const Numbered n(random.make(1 + random.below(60), 1 + random.below(i % 8 == 0 ? 14 : 7)));
        for (uint32_t frames = 1; frames <= n.distinct() + 1; frames++) {
            for (uint32_t tier2 = 1; frames + tier2 <= n.distinct() + 2; tier2++) {
                expect_bounds(n, frames, tier2, &vectors);
                ASSERT_FALSE(HasFatalFailure()) << "trace " << i << " of seed " << test_seed();
            }
        }
    }
    for (int i = 0; i < 20 && !HasFatalFailure(); i++) {
        const Numbered n(random.make(2500, 20 + random.below(200)));
        expect_bounds(n, 1 + static_cast<uint32_t>(random.below(n.distinct())),
                      1 + static_cast<uint32_t>(random.below(n.distinct())), &vectors);
    }
    std::printf("[ vectors  ] bounds: %llu accesses\n", static_cast<unsigned long long>(vectors));
}

TEST(Bounds, OfRecordedTraces) {
    uint64_t vectors = 0;
    for (const std::string &path : recorded_traces(
             {"hotspot.walk", "srad_v2.walk", "backprop.gwt", "pathfinder.gwt", "bfs.walk",
              "multivectoradd.gwt", "lavamd.gwt", "gemm.walk", "kmeans.walk", "spmv.walk"})) {
        SCOPED_TRACE(path);
        const Numbered n(read_trace(path));
        const uint32_t frames = std::max(1u, n.distinct() / 10);
        expect_bounds(n, frames, 4 * frames, &vectors);
        expect_bounds(n, std::max(1u, n.distinct() / 3), 17, &vectors);
        ASSERT_FALSE(HasFatalFailure());
    }
    std::printf("[ vectors  ] bounds, recorded: %llu accesses\n",
                static_cast<unsigned long long>(vectors));
}

}  // namespace
