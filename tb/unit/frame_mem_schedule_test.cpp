// SPDX-License-Identifier: Apache-2.0
// frame_mem_schedule_test.cpp: what the frame table behind a memory port changes, in C alone.
//
// On the standard schedule a TOUCH comes right behind its walk, so nothing may change: the same
// decisions, the same counters, on a recorded trace. Without a settle in between the walk hits
// pile up: then the drops are counted and the victims are dirty.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "blocks/schedule.h"
#include "driver/driver.h"
#include "gmmu/trace.h"

namespace {

class Unit {
   public:
    gmmu_tier u;
    std::vector<gmmu_tier_decision> made;
    Unit(const gmmu_config &cfg, const gmmu_regs &regs) : memory_(gmmu_tier_bytes(&cfg) + 16) {
        EXPECT_EQ(gmmu_tier_init(&u, &cfg, &regs, memory_.data(), memory_.size()), 0);
    }
    void settle() {
        gmmu_tier_settle(
            &u,
            [](void *self, const gmmu_tier_decision *d) {
                static_cast<Unit *>(self)->made.push_back(*d);
            },
            this);
    }

   private:
    std::vector<char> memory_;
};

gmmu_config large(unsigned frame_mem) {
    gmmu_config c = *gmmu_config_find("large");
    c.frames = 2048;  // the sizes of both are equal
    c.frame_mem = frame_mem;
    return c;
}

class FrameMemSchedule : public testing::TestWithParam<unsigned> {};

TEST_P(FrameMemSchedule, DecidesAsTheTableOnTheChip) {
    const char *root = std::getenv("GMMU_ROOT");
    const std::string path = std::string(root ? root : ".") + "/sim/traces/bfs.walk";
    const gmmu_config on_chip = large(0), in_memory = large(1);
    gmmu_regs regs = gmmu_regs_default(&on_chip);
    regs.frames = 1704;
    regs.search = GMMU_SEARCH_SAMPLE;
    regs.feed = GetParam();
    Unit a(on_chip, regs), b(in_memory, regs);
    driver::Driver harness(regs.frames, 0);
    gmmu_error err = {};
    gmmu_reader *r = gmmu_reader_open(path.c_str(), &err);
    ASSERT_NE(r, nullptr) << err.text;
    gmmu_walk walk;
    uint64_t faults = 0;
    while (gmmu_reader_next(r, &walk, &err) == GMMU_OK) {
        gmmu_tier_walk_in w = {};
        w.vpn = walk.vpn;
        w.asid = walk.asid;
        w.ref = walk.ref;
        w.write = walk.write;
        harness.book.look_up(&w);
        for (Unit *x : {&a, &b}) {
            (void)gmmu_tier_walk(&x->u, w);
            x->settle();
        }
        ASSERT_EQ(a.made.size(), b.made.size());
        if (!w.fault)
            continue;
        faults++;
        ASSERT_EQ(a.made.size(), 1u);
        const gmmu_tier_decision &p = a.made[0], &q = b.made[0];
        ASSERT_EQ(p.tier, q.tier) << "fault " << faults;
        ASSERT_EQ(p.frame, q.frame) << "fault " << faults;
        ASSERT_EQ(p.priority, q.priority) << "fault " << faults;
        ASSERT_EQ(p.victim_vpn, q.victim_vpn) << "fault " << faults;
        ASSERT_EQ(p.victim_dirty, q.victim_dirty) << "fault " << faults;
        harness.decided(p);
        const driver::Operation *fill = harness.next();
        ASSERT_NE(fill, nullptr);
        for (Unit *x : {&a, &b}) {
            x->made.clear();
            (void)gmmu_tier_drv(&x->u, *fill);
            x->settle();
        }
        harness.taken();
    }
    gmmu_reader_close(r);
    EXPECT_GT(faults, 5000u);
    EXPECT_EQ(a.u.stats.stale_hits, b.u.stats.stale_hits);
    EXPECT_EQ(a.u.stats.rec_drops, b.u.stats.rec_drops);
    EXPECT_EQ(b.u.stats.touch_drops, 0u);
}

INSTANTIATE_TEST_SUITE_P(Feeds, FrameMemSchedule,
                         testing::Values(GMMU_FEED_SAMPLER, GMMU_FEED_RESIDENT));

// Page P in frame F after a fault; returns the decisions.
void bring(Unit *x, uint64_t page, uint32_t frame) {
    gmmu_tier_walk_in w = {};
    w.vpn = page;
    w.fault = true;
    (void)gmmu_tier_walk(&x->u, w);
    x->settle();
    gmmu_tier_drv_in fill = {};
    fill.op = GMMU_FILL;
    fill.vpn = page;
    fill.frame = frame;
    (void)gmmu_tier_drv(&x->u, fill);
    x->settle();
}

TEST(FrameMem, DropsAreCountedAndMakeVictimsDirty) {
    const gmmu_config cfg = large(1);
    gmmu_regs regs = gmmu_regs_default(&cfg);
    regs.frames = 2;
    Unit x(cfg, regs);
    bring(&x, 100, 0);
    bring(&x, 101, 1);
    gmmu_tier_walk_in hit = {};
    hit.vpn = 101;
    hit.frame = 1;
    const unsigned reads = cfg.touchq - cfg.touchq / 4;
    for (unsigned i = 0; i < reads; i++)
        EXPECT_EQ(gmmu_tier_walk(&x.u, hit).touch, static_cast<unsigned>(GMMU_REC_QUEUED));
    EXPECT_EQ(gmmu_tier_walk(&x.u, hit).touch, static_cast<unsigned>(GMMU_REC_DROPPED));
    EXPECT_FALSE(x.u.frames.mem.lost);
    hit.write = true;
    for (unsigned i = reads; i < cfg.touchq; i++)
        EXPECT_EQ(gmmu_tier_walk(&x.u, hit).touch, static_cast<unsigned>(GMMU_REC_QUEUED));
    EXPECT_FALSE(x.u.frames.mem.lost);
    hit.frame = 0;  // stale or not: nobody looks
    EXPECT_EQ(gmmu_tier_walk(&x.u, hit).touch, static_cast<unsigned>(GMMU_REC_DROPPED));
    EXPECT_TRUE(x.u.frames.mem.lost);
    EXPECT_EQ(x.u.stats.touch_drops, 2u);
    hit.frame = 2;  // not enabled
    EXPECT_EQ(gmmu_tier_walk(&x.u, hit).touch, static_cast<unsigned>(GMMU_REC_NONE));
    EXPECT_EQ(x.u.stats.stale_hits, 1u);
    x.settle();
    EXPECT_EQ(x.u.frames.mem.n, 0u);
    x.made.clear();
    gmmu_tier_walk_in fault = {};
    fault.vpn = 102;
    fault.fault = true;
    (void)gmmu_tier_walk(&x.u, fault);
    x.settle();
    ASSERT_EQ(x.made.size(), 1u);
    EXPECT_EQ(x.made[0].tier, static_cast<unsigned>(GMMU_TIER_2));
    EXPECT_EQ(x.made[0].frame, 0u);  // page 100 was not used since
    EXPECT_TRUE(x.made[0].victim_dirty);
}

// A hit that comes to its turn after the page was filled anew changes nothing.
TEST(FrameMem, AnOldHitChangesNothing) {
    const gmmu_config cfg = large(1);
    gmmu_regs regs = gmmu_regs_default(&cfg);
    regs.frames = 2;
    Unit x(cfg, regs);
    bring(&x, 100, 0);
    gmmu_tier_walk_in hit = {};
    hit.vpn = 100;
    hit.write = true;
    (void)gmmu_tier_walk(&x.u, hit);
    hit.fault = true;
    hit.vpn = 7;
    (void)gmmu_tier_walk(&x.u, hit);
    gmmu_tier_drv_in fill = {};
    fill.op = GMMU_FILL;
    fill.vpn = 100;
    (void)gmmu_tier_drv(&x.u, fill);
    const gmmu_frame before = gmmu_frame_table_get(&x.u.frames.table, 0);
    EXPECT_FALSE(gmmu_tier_touch(&x.u, nullptr).valid);
    const gmmu_frame after = gmmu_frame_table_get(&x.u.frames.table, 0);
    EXPECT_EQ(after.last, before.last);
    EXPECT_FALSE(after.dirty);
    EXPECT_EQ(x.u.stats.stale_hits, 1u);
}

}  // namespace
