// SPDX-License-Identifier: Apache-2.0
// loops.cpp: replays of many accesses at once, some with the policy compiled into the loop, against
// accesses one by one; arrays that have their size at the begin against arrays that grow.
//
// State space: random traces of 1 to 4000 walks over 1 to 3000 pages, in pieces of any length.
// Parameter space: every policy of the registry with its usual options, 1 to 400 frames.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "numbered_trace.h"
#include "policy/registry.h"
#include "policy/replay.h"
#include "random_trace.h"

namespace {

using Sim = std::unique_ptr<gmmu_sim, decltype(&gmmu_sim_destroy)>;

Sim create(const gmmu_policy *policy, const Numbered &n, gmmu_pages *pages, uint32_t frames) {
    const gmmu_policy_config config = {.frames = frames,
                                       .pages = pages,
                                       .future = &n.future,
                                       .seed = 1,
                                       .tier2 = policy->tiers ? 2 * frames : 0U};
    gmmu_error err = {};
    Sim sim(gmmu_sim_create(policy, &config, &err), gmmu_sim_destroy);
    EXPECT_NE(sim, nullptr) << err.text;
    return sim;
}

auto counts(const gmmu_sim *sim) {
    const gmmu_counts c = gmmu_sim_counts(sim);
    const gmmu_tier_counts t = gmmu_sim_tier_counts(sim);
    return std::make_tuple(c.accesses, c.faults, c.cold, c.evictions, c.writebacks, t.tier1_hits,
                           t.tier2_hits, t.tier3_reads, t.tier3_writes, t.tier2_puts, t.raised);
}

void compare(const gmmu_policy *policy, const Numbered &n, uint32_t frames, RandomTrace *random) {
    const size_t length = n.trace.size();
    gmmu_pages *growing = gmmu_pages_create();
    const Sim one = create(policy, n, n.pages, frames);
    const Sim walks = create(policy, n, n.pages, frames);
    const Sim bits = create(policy, n, n.pages, frames);
    const Sim grown = create(policy, n, growing, frames);
    std::vector<uint8_t> writes;
    for (const gmmu_walk &w : n.trace) writes.push_back(w.write ? 1 : 0);
    gmmu_error err = {};
    gmmu_outcome out;
    for (size_t from = 0; from < length;) {
        const size_t size = std::min<size_t>(random->below(600), length - from);
        for (size_t i = from; i < from + size; i++) {
            ASSERT_EQ(gmmu_sim_access(one.get(), n.index[i], &n.trace[i], &out, &err), GMMU_OK)
                << policy->name << ": " << err.text;
            ASSERT_EQ(gmmu_pages_index(growing, n.trace[i].asid, n.trace[i].vpn), n.index[i]);
        }
        const uint32_t *index = n.index.data() + from;
        for (gmmu_sim *sim : {walks.get(), grown.get()}) {
            ASSERT_EQ(gmmu_sim_replay(sim, index, n.trace.data() + from, size, &err), GMMU_OK)
                << policy->name << ": " << err.text;
            ASSERT_EQ(counts(sim), counts(one.get())) << policy->name << ", " << frames;
        }
        if (policy->page_only) {
            ASSERT_EQ(gmmu_sim_replay_pages(bits.get(), index, writes.data() + from, size, &err),
                      GMMU_OK)
                << policy->name << ": " << err.text;
            ASSERT_EQ(counts(bits.get()), counts(one.get())) << policy->name << ", " << frames;
        }
        from += size;
    }
    gmmu_pages_destroy(growing);
}

TEST(Loops, ManyAccessesAtOnceAreAsOneByOne) {
    RandomTrace random(test_seed() + 58);
    size_t compiled = 0;
    const gmmu_policy *policy = nullptr;
    for (size_t i = 0; (policy = gmmu_policy_at(i)) != nullptr; i++) {
        compiled += policy->replay != nullptr ? 1 : 0;
        EXPECT_TRUE(policy->replay == nullptr || (policy->page_only && !policy->tiers));
        for (int round = 0; round < 6; round++) {
            const bool large = round == 5;
            const Numbered n(random.make(large ? 4000 : 1 + random.below(300),
                                         large ? 3000 : 1 + random.below(40)));
            compare(policy, n, large ? 400 : 1 + static_cast<uint32_t>(random.below(20)), &random);
        }
    }
    EXPECT_GE(compiled, 12U);
}

TEST(Loops, SayWhatAPolicyBreaks) {
    const Numbered n(std::vector<gmmu_walk>(40, gmmu_walk{.vpn = 1}));
    gmmu_error err = {};
    const Sim sim = create(&gmmu_policy_opt, n, n.pages, 1);
    const uint32_t other = 1;
    const uint8_t write = 0;
    EXPECT_EQ(gmmu_sim_replay_pages(sim.get(), &other, &write, 1, &err), GMMU_BAD);
    EXPECT_EQ(std::string(err.text).find("opt: found another walk"), 0U) << err.text;
}

}  // namespace
