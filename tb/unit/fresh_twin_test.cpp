// SPDX-License-Identifier: Apache-2.0
// fresh_twin_test.cpp: replays and fresh frames in the twin of frame_store, against a slow model.
//
// State space: random hits, replays, FILL (fresh or not), FREE, PIN, UNPIN, CANCEL, AGE, EXPIRE,
// TAKE and KEEP (by force or not), HAND's pass, on few frames and pages, so that stale hits and
// replays come; frames on the chip and behind the memory port, with a queue of touches that
// overflows. Parameter space: 1 to 6 frames, TIME_W 14, generations of 15 bits.
#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <random>
#include <vector>

#include "blocks/config.h"
#include "blocks/frame_store.h"

namespace {

struct Slow {
    bool valid = false, pinned = false, leaving = false, fresh = false, dirty = false, used = false;
    uint64_t vpn = 0;
    uint32_t last = 0;
    uint16_t row = 0, gen = 0;
    bool may(bool force) const { return valid && !pinned && !leaving && (force || !fresh); }
};

struct Both {
    gmmu_config cfg;
    std::vector<char> memory;
    gmmu_frame_store twin = {};
    std::vector<Slow> slow;
    std::deque<gmmu_mem_touch> queue;
    bool lost = false;
    uint32_t time = 0, mask;
    std::mt19937_64 rng;
    uint64_t ended = 0, stale = 0, refused = 0, forced = 0, dropped = 0, early = 0;

    Both(uint64_t seed, bool behind) : cfg(*gmmu_config_find("tiny")), rng(seed) {
        cfg.frames = 1 + static_cast<unsigned>(below(6));
        cfg.time_w = 14;
        cfg.gen_w = GMMU_MOST_GEN_W;
        cfg.t2_slots = 0;
        cfg.touchq = 4;
        cfg.frame_mem = behind;
        mask = (1u << cfg.time_w) - 1;
        gmmu_arena count = {};
        (void)gmmu_frame_store_init(&twin, &cfg, &count);
        memory.resize(count.used);
        gmmu_arena arena = {};
        arena.base = memory.data();
        arena.size = memory.size();
        EXPECT_EQ(gmmu_frame_store_init(&twin, &cfg, &arena), 0);
        slow.resize(cfg.frames);
    }
    uint64_t below(uint64_t n) { return rng() % n; }

    // A hit or a replay takes effect. False: stale.
    bool effect(const gmmu_mem_touch &t, bool waited) {
        Slow *f = t.frame < cfg.frames ? &slow[t.frame] : nullptr;
        if (f == nullptr || !f->valid || f->vpn != t.vpn)
            return false;
        if (waited && !t.replay && ((t.time - f->last) & mask) > mask / 2) {
            early++;
            return false;
        }
        ended += f->fresh;
        f->fresh = false;
        f->dirty |= t.write;
        if (t.replay)
            return true;
        f->last = t.time;
        f->row = t.cls.row;
        f->gen = t.cls.gen;
        f->used = true;
        return true;
    }
    void access() {
        gmmu_mem_touch t = {};
        t.frame = static_cast<uint32_t>(below(cfg.frames + (below(8) == 0)));
        t.vpn = below(3);
        t.time = time;
        t.cls = {static_cast<uint16_t>(below(cfg.classes)), static_cast<uint16_t>(below(1u << 15))};
        t.write = below(4) == 0;
        const bool replay = below(2);
        const gmmu_stored_hit did = replay ? gmmu_frame_store_replay(&twin, &t, cfg.frames)
                                           : gmmu_frame_store_hit(&twin, &t, cfg.frames);
        t.replay = replay;
        if (!twin.behind || t.frame >= cfg.frames) {
            const bool holds = effect(t, false);
            ASSERT_EQ(did.stale, !holds);
            ASSERT_EQ(did.reuse.valid, holds && !replay);
            ASSERT_EQ(did.waits, static_cast<unsigned>(GMMU_REC_NONE));
            stale += !holds && replay;
            return;
        }
        const bool room = queue.size() < (t.write ? 4u : 3u);
        ASSERT_EQ(did.waits, static_cast<unsigned>(room ? GMMU_REC_QUEUED : GMMU_REC_DROPPED));
        ASSERT_FALSE(did.stale);
        lost |= !room && t.write;
        dropped += !room;
        if (room)
            queue.push_back(t);
    }
    void touch() {
        const gmmu_mem_touch t = queue.front();
        queue.pop_front();
        const gmmu_stored_hit did = gmmu_frame_store_touch(&twin);
        const bool holds = effect(t, true);
        ASSERT_EQ(did.stale, !holds);
        ASSERT_EQ(did.reuse.valid, holds && !t.replay);
        stale += !holds && t.replay;
    }
    void take(uint32_t frame, Slow *f) {
        const bool force = below(4) == 0, keep = below(4) == 0;
        const uint32_t last = below(4) == 0 ? time : f->last;
        const bool does = f->may(force) && f->last == last;
        refused += f->fresh && f->may(true) && !force;
        forced += does && f->fresh;
        gmmu_frame was = {};
        if (keep) {
            ASSERT_EQ(gmmu_frame_store_keep(&twin, frame, last, force), does);
            f->used |= does;
            return;
        }
        ASSERT_EQ(gmmu_frame_store_take(&twin, frame, last, &was, force), does);
        if (!does)
            return;
        ASSERT_EQ(was.fresh, f->fresh);
        ASSERT_EQ(was.dirty, f->dirty || lost);
        f->leaving = true;
        f->fresh = false;
    }
    void side() {
        const uint32_t frame = static_cast<uint32_t>(below(cfg.frames));
        Slow *f = &slow[frame];
        switch (below(10)) {
            case 0:
            case 1: {
                gmmu_frame page = {};
                page.vpn = below(3);
                page.last = static_cast<uint32_t>(time - below(10)) & mask;
                page.cls = {static_cast<uint16_t>(below(cfg.classes)),
                            static_cast<uint16_t>(below(1u << 15))};
                page.dirty = below(2);
                page.fresh = below(2);
                (void)gmmu_frame_store_fill(&twin, frame, page, false, 0, time);
                *f = {true,  false,    false,     page.fresh,   page.dirty,
                      false, page.vpn, page.last, page.cls.row, page.cls.gen};
                break;
            }
            case 2:
                (void)gmmu_frame_store_free(&twin, frame, time);
                *f = {};
                break;
            case 3:
                f->pinned = below(2) && f->valid;
                gmmu_frame_store_pin(&twin, frame, f->pinned);
                break;
            case 4:
                f->pinned = false;
                gmmu_frame_store_pin(&twin, frame, false);
                break;
            case 5:
                ASSERT_EQ(gmmu_frame_store_stay(&twin, frame), f->leaving);
                f->leaving = false;
                break;
            case 6:
                if (gmmu_frame_store_age(&twin, frame, time))
                    f->last = (time - twin.age_limit) & mask;
                break;
            case 7:
                gmmu_frame_store_expire(&twin, frame);
                f->fresh = false;
                break;
            case 8:
                if (f->may(false)) {
                    ASSERT_EQ(gmmu_frame_table_pass(&twin.table, frame), f->used);
                    f->used = false;
                }
                break;
            default:
                take(frame, f);
        }
    }
    void check() const {
        for (uint32_t i = 0; i < cfg.frames; i++) {
            const gmmu_frame is = gmmu_frame_table_get(&twin.table, i);
            const Slow &f = slow[i];
            ASSERT_EQ(is.valid, f.valid);
            ASSERT_EQ(is.pinned, f.pinned);
            ASSERT_EQ(is.leaving, f.leaving);
            ASSERT_EQ(is.fresh, f.fresh);
            ASSERT_EQ(gmmu_frame_table_eligible(&twin.table, i), f.may(false));
            ASSERT_EQ(gmmu_frame_table_forcible(&twin.table, i), f.may(true));
            if (!f.valid)
                continue;
            ASSERT_EQ(is.vpn, f.vpn);
            ASSERT_EQ(is.last, f.last);
            ASSERT_EQ(is.cls.row, f.row);
            ASSERT_EQ(is.cls.gen, f.gen);
            ASSERT_EQ(is.dirty, f.dirty);
            ASSERT_EQ(twin.table.page[i].used, f.used);
        }
    }
};

TEST(Fresh, ReplaysAndFreshFramesAgainstASlowModel) {
    for (const bool behind : {false, true}) {
        uint64_t ended = 0, stale = 0, refused = 0, forced = 0, dropped = 0, early = 0;
        for (uint64_t seed = 1; seed <= 40; seed++) {
            Both b(seed, behind);
            for (unsigned step = 0; step < 3000; step++) {
                b.time = (b.time + 1) & b.mask;
                if (!b.queue.empty() && b.below(3) == 0)
                    b.touch();
                else if (b.below(2))
                    b.access();
                else
                    b.side();
                ASSERT_NO_FATAL_FAILURE(b.check()) << "seed " << seed << ", step " << step;
            }
            ended += b.ended;
            stale += b.stale;
            refused += b.refused;
            forced += b.forced;
            dropped += b.dropped;
            early += b.early;
        }
        EXPECT_GT(ended, 1000u);
        EXPECT_GT(stale, 1000u);
        EXPECT_GT(refused, 300u);
        EXPECT_GT(forced, 50u);
        EXPECT_EQ(dropped > 1000, behind);
        EXPECT_EQ(early > 0, behind);
    }
}

// A replay keeps class, last and the CLOCK bit; a hit does not.
TEST(Fresh, AReplayIsNoAccess) {
    Both b(1, false);
    gmmu_frame page = {};
    page.vpn = 5;
    page.last = 10;
    page.cls = {2, 7};
    page.fresh = true;
    (void)gmmu_frame_store_fill(&b.twin, 0, page, false, 0, 20);
    gmmu_mem_touch t = {};
    t.vpn = 5;
    t.time = 30;
    t.cls = {3, 9};
    t.write = true;
    EXPECT_FALSE(gmmu_frame_table_eligible(&b.twin.table, 0));
    const gmmu_stored_hit did = gmmu_frame_store_replay(&b.twin, &t, b.cfg.frames);
    EXPECT_FALSE(did.stale);
    EXPECT_FALSE(did.reuse.valid);
    const gmmu_frame is = gmmu_frame_table_get(&b.twin.table, 0);
    EXPECT_TRUE(is.dirty);
    EXPECT_FALSE(is.fresh);
    EXPECT_EQ(is.last, 10u);
    EXPECT_EQ(is.cls.row, 2u);
    EXPECT_EQ(is.cls.gen, 7u);
    EXPECT_FALSE(b.twin.table.page[0].used);
    EXPECT_TRUE(gmmu_frame_table_eligible(&b.twin.table, 0));
}

}  // namespace
