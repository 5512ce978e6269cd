// SPDX-License-Identifier: Apache-2.0
// segment_twin_test.cpp: the protected segment in the twin of the whole unit, and what it does to
// loops.
//
// State space: random walks and driver operations (FILL with and without a last access, FREE, PIN,
// CANCEL, decisions not followed) in a small memory, shares that change while running, both
// searches, frames on the chip and behind the memory port; loops longer than the memory.
// Parameter space: shares 0 to 256, 8 to 64 frames; loops of 110 to 200 % of the memory.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "blocks/schedule.h"
#include "numbered_trace.h"
#include "policy/registry.h"

namespace {

// A unit, and a driver that knows where each page is.
struct System {
    enum : uint32_t { PAGES = 150, NOWHERE = UINT32_MAX };
    std::vector<char> memory;
    gmmu_tier u;
    std::mt19937_64 rng;
    std::vector<uint32_t> frame_of = std::vector<uint32_t>(PAGES, NOWHERE), page_of;
    std::vector<int64_t> left = std::vector<int64_t>(PAGES, -1);  // last access of the last stay
    std::vector<gmmu_tier_decision> decisions;
    uint64_t bad_victims = 0, victims = 0, guarded_most = 0;
    bool guards = false;  // before the decision: an eligible frame that is not protected

    System(const gmmu_config &c, const gmmu_regs &regs, uint64_t seed)
        : memory(gmmu_tier_bytes(&c)), rng(seed), page_of(c.frames, NOWHERE) {
        EXPECT_EQ(gmmu_tier_init(&u, &c, &regs, memory.data(), memory.size()), 0);
    }
    uint64_t below(uint64_t n) { return rng() % n; }
    const gmmu_frame_seen &seen(uint32_t f) const { return u.frames.table.seen[f]; }

    static void decided(void *ctx, const gmmu_tier_decision *d) {
        static_cast<System *>(ctx)->decisions.push_back(*d);
    }
    void settle() { gmmu_tier_settle(&u, decided, this); }
    void drv(gmmu_tier_drv_in in) {
        (void)gmmu_tier_drv(&u, in);
        settle();
    }
    // The bits and the count are one.
    void check() {
        uint32_t bits = 0;
        for (uint32_t f = 0; f < u.cfg.frames; f++) {
            bits += seen(f).guarded;
            ASSERT_TRUE(!seen(f).guarded || (seen(f).valid && !seen(f).leaving)) << f;
        }
        ASSERT_EQ(bits, u.frames.segment.count);
        guarded_most = bits > guarded_most ? bits : guarded_most;
    }
    void empty(uint32_t frame) {
        if (page_of[frame] != NOWHERE)
            frame_of[page_of[frame]] = NOWHERE;
        page_of[frame] = NOWHERE;
    }
    void fill(const gmmu_tier_decision &d) {
        gmmu_tier_drv_in in = {};
        in.vpn = d.vpn;
        in.frame = d.frame;
        if (d.tier == GMMU_TIER_2) {
            victims++;
            left[d.victim_vpn] = d.victim_last;
            if (below(20) == 0) {  // not followed
                in.op = GMMU_CANCEL;
                drv(in);
                return;
            }
            empty(d.frame);
        } else if (d.tier == GMMU_TIER_FREE) {
            for (in.frame = 0; page_of[in.frame] != NOWHERE; in.frame++) {
            }
        } else {
            return;
        }
        in.op = GMMU_FILL;
        in.returns = left[d.vpn] >= 0 && below(4) != 0;
        in.was = static_cast<uint32_t>(left[d.vpn]);
        page_of[in.frame] = static_cast<uint32_t>(d.vpn);
        frame_of[d.vpn] = in.frame;
        drv(in);
    }
    void step() {
        const uint32_t page = static_cast<uint32_t>(below(4) ? below(PAGES / 3) : below(PAGES));
        gmmu_tier_walk_in w = {};
        w.vpn = page;
        w.ref = below(5);
        w.fault = frame_of[page] == NOWHERE;
        w.frame = w.fault ? 0 : frame_of[page];
        (void)gmmu_tier_walk(&u, w);
        decisions.clear();
        settle();
        check();
        const std::vector<gmmu_tier_decision> now = decisions;
        for (const gmmu_tier_decision &d : now) fill(d);
        gmmu_tier_drv_in in = {};
        in.frame = static_cast<uint32_t>(below(u.regs.frames));
        if (below(30) == 0 && page_of[in.frame] != NOWHERE) {
            in.op = below(2) ? GMMU_PIN : GMMU_UNPIN;
            drv(in);
        } else if (below(40) == 0) {
            in.op = GMMU_FREE;
            empty(in.frame);
            drv(in);
        }
        check();
    }
};

TEST(SegmentTwin, TheCountIsThatOfTheBits) {
    uint64_t victims = 0, runs_with_guards = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        gmmu_config c = *gmmu_config_find("tiny");
        c.frame_mem = seed % 3 == 0;
        c.t2_slots = c.frame_mem ? 0 : c.t2_slots;
        gmmu_regs regs = gmmu_regs_default(&c);
        regs.frames = 8u << seed % 4;
        regs.search = seed % 2 ? GMMU_SEARCH_SAMPLE : GMMU_SEARCH_SCAN;
        System s(c, regs, seed);
        for (unsigned i = 0; i < 3000 && !testing::Test::HasFailure(); i++) {
            if (i % 700 == 0)
                gmmu_tier_protect(&s.u, static_cast<unsigned>(s.below(5) * 64));
            s.step();
        }
        victims += s.victims;
        runs_with_guards += s.guarded_most > 0;
    }
    EXPECT_GT(victims, 20000u);
    EXPECT_GT(runs_with_guards, 50u);
}

// In a scan a protected frame leaves only if no other may.
TEST(SegmentTwin, AnUnprotectedFrameLeavesFirst) {
    uint64_t chosen = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        std::mt19937_64 rng(seed);
        gmmu_config c = *gmmu_config_find("tiny");
        gmmu_regs regs = gmmu_regs_default(&c);
        regs.frames = 64;
        regs.search = GMMU_SEARCH_SCAN;
        System s(c, regs, seed);
        gmmu_tier_protect(&s.u, 200);
        s.u.walk.time = 5000;
        s.u.frames.segment.t = 256u * 100000;  // nobody is let go
        bool other = false;
        for (uint32_t f = 0; f < 64; f++) {
            gmmu_frame page = {};
            page.valid = true;
            page.last = static_cast<uint32_t>(rng() % 5000);
            page.pinned = rng() % 3 == 0;
            page.guarded = rng() % 8 != 0;
            other |= !page.pinned && !page.guarded;
            s.u.frames.segment.count += page.guarded;
            gmmu_frame_table_put(&s.u.frames.table, f, page);
        }
        gmmu_tier_round(&s.u);
        const gmmu_victim_cand *best = gmmu_victim_select_best(&s.u.select);
        ASSERT_NE(best, nullptr);
        ASSERT_EQ(s.seen(best->frame).guarded, !other);
        chosen += other;
    }
    EXPECT_GT(chosen, 200u);
}

uint64_t evictions(const Numbered &n, const gmmu_policy *policy, uint32_t frames,
                   const char *options) {
    gmmu_sim *sim = n.sim(policy, frames, options);
    gmmu_error err = {};
    EXPECT_EQ(gmmu_sim_replay(sim, n.index.data(), n.trace.data(), n.trace.size(), &err), GMMU_OK);
    const uint64_t count = gmmu_sim_counts(sim).evictions;
    gmmu_sim_destroy(sim);
    return count;
}

// A loop that does not fit, by a reference for each pass: LEU learns nothing from a reference that
// is new; what is kept stays.
TEST(SegmentTwin, ALoopKeepsItsShare) {
    for (uint32_t loop : {220u, 300u, 400u}) {
        std::vector<gmmu_walk> trace;
        for (unsigned i = 0; i < 40 * loop; i++) {
            gmmu_walk w = {};
            w.vpn = i % loop;
            w.ref = 16 * (1 + i / loop);
            trace.push_back(w);
        }
        const Numbered n(trace);
        const uint64_t opt = evictions(n, &gmmu_policy_opt, 200, nullptr);
        const uint64_t lru = evictions(n, &gmmu_policy_lru, 200, nullptr);
        const uint64_t kept = evictions(n, &gmmu_policy_leu, 200, "search=sample:protect=248");
        EXPECT_EQ(lru, 40 * loop - 200);
        EXPECT_LT(10 * kept, 12 * opt) << loop;
    }
}

}  // namespace
