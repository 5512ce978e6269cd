// SPDX-License-Identifier: Apache-2.0
// at_once_test.cpp: a walk with all that follows in one go (at_once.h) against WALK, the standard
// schedule, FILL and the schedule again: each victim, and after many walks the whole unit.
//
// State space: hits and faults of pages in cycles and at random, more references than rows,
// generations that come again, executions beyond the count, time stamps that wrap and are clamped,
// free frames, memories of one frame and of many, samplers that fill. Parameter space: `scan` and
// `sample`, places that the wide round takes and others, registers, sizes, LATE of the plain form.
#include "blocks/at_once.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

namespace {

enum { PAGES = 1000, NOWHERE = -1 };

// A unit and its driver, which answers each fault before the next walk.
struct Driven {
    std::vector<char> memory;
    gmmu_tier u = {};
    std::vector<int> frame_of = std::vector<int>(PAGES, NOWHERE), page_of;
    std::vector<gmmu_tier_decision> made;
    uint32_t filled = 0;
    Driven(const gmmu_config &c, const gmmu_regs &regs)
        : memory(gmmu_tier_bytes(&c)), page_of(regs.frames, NOWHERE) {
        EXPECT_EQ(gmmu_tier_init_beyond(&u, &c, &regs, memory.data(), memory.size()), 0);
        u.hir_unheard = true;
    }
    static void take(void *ctx, const gmmu_tier_decision *d) {
        static_cast<Driven *>(ctx)->made.push_back(*d);
    }
    // PAGE is in FRAME; returns the page that was there.
    int moved(uint32_t frame, uint64_t page) {
        const int left = page_of[frame];
        if (left != NOWHERE)
            frame_of[static_cast<size_t>(left)] = NOWHERE;
        page_of[frame] = static_cast<int>(page);
        frame_of[page] = static_cast<int>(frame);
        return left;
    }
    void aim(gmmu_tier_walk_in *in) const {
        in->fault = frame_of[in->vpn] == NOWHERE;
        in->frame = in->fault ? 0 : static_cast<uint32_t>(frame_of[in->vpn]);
    }
    // Action by action. Returns the page that left.
    int plainly(gmmu_tier_walk_in in) {
        aim(&in);
        (void)gmmu_tier_walk(&u, in);
        gmmu_tier_settle(&u, take, this);
        if (!in.fault)
            return NOWHERE;
        EXPECT_EQ(made.size(), 1u);
        gmmu_tier_drv_in fill = {};
        fill.op = GMMU_FILL;
        fill.vpn = in.vpn;
        fill.asid = in.asid;
        fill.frame = made.back().tier == GMMU_TIER_FREE ? filled++ : made.back().frame;
        made.clear();
        (void)gmmu_tier_drv(&u, fill);
        gmmu_tier_settle(&u, take, this);
        EXPECT_TRUE(made.empty());
        return moved(fill.frame, in.vpn);
    }
    // In one go.
    int at_once(gmmu_at_once *a, gmmu_tier_walk_in in) {
        aim(&in);
        if (!in.fault) {
            gmmu_at_once_hit(a, &u, &in);
            return NOWHERE;
        }
        uint32_t frame = filled;
        bool left = false;
        EXPECT_TRUE(gmmu_at_once_fault(a, &u, &in, &frame, &left));
        EXPECT_TRUE(gmmu_tier_settled(&u));
        filled += !left;
        return moved(frame, in.vpn);
    }
};

void same_bytes(const void *a, const void *b, size_t bytes, const char *what) {
    ASSERT_EQ(std::memcmp(a, b, bytes), 0) << what;
}

// All that later actions can read, but what LATE remembers.
void same_units(const gmmu_tier &a, const gmmu_tier &b) {
    const gmmu_config &c = a.cfg;
    for (uint32_t f = 0; f < c.frames; f++) {
        const gmmu_frame x = gmmu_frame_table_get(&a.frames.table, f);
        const gmmu_frame y = gmmu_frame_table_get(&b.frames.table, f);
        ASSERT_EQ(x.vpn, y.vpn) << f;
        ASSERT_EQ(x.asid, y.asid) << f;
        ASSERT_EQ(x.dirty, y.dirty) << f;
        ASSERT_EQ(x.to2, y.to2) << f;
        ASSERT_EQ(a.frames.table.page[f].used, b.frames.table.page[f].used) << f;
        same_bytes(&a.frames.table.seen[f], &b.frames.table.seen[f], sizeof(gmmu_frame_seen),
                   "state of a frame");
    }
    const gmmu_segment &s = a.frames.segment, &t = b.frames.segment;
    ASSERT_EQ(s.limit, t.limit);
    ASSERT_EQ(s.count, t.count);
    ASSERT_EQ(s.t, t.t);
    for (unsigned r = 0; r < c.classes; r++) {
        const gmmu_rit_way &x = a.rit.way[r], &y = b.rit.way[r];
        ASSERT_EQ(x.ref, y.ref) << r;
        ASSERT_EQ(x.asid, y.asid) << r;
        ASSERT_EQ(x.gen, y.gen) << r;
        ASSERT_EQ(x.exec, y.exec) << r;
        ASSERT_EQ(x.valid, y.valid) << r;
        const gmmu_rit_row &p = a.rit.row[r], &q = b.rit.row[r];
        same_bytes(p.reuse, q.reuse, c.bins * sizeof *p.reuse, "reuses");
        same_bytes(p.censored, q.censored, c.bins * sizeof *p.censored, "censored records");
        ASSERT_EQ(p.dirty, q.dirty) << r;
        ASSERT_EQ(p.pending, q.pending) << r;
    }
    ASSERT_EQ(a.rit.turn, b.rit.turn);
    ASSERT_EQ(a.rit.joining, b.rit.joining);
    same_bytes(a.ppuc.priority, b.ppuc.priority, (size_t)c.classes * c.bins * 2, "priorities");
    same_bytes(a.ppuc.ready, b.ppuc.ready, c.classes * sizeof *a.ppuc.ready, "rows that are ready");
    for (unsigned i = 0; i < c.sampler; i++) {
        const gmmu_sampler_entry &x = a.sampler.entry[i], &y = b.sampler.entry[i];
        ASSERT_EQ(x.name, y.name) << i;
        ASSERT_EQ(x.last, y.last) << i;
        ASSERT_EQ(x.cls.row, y.cls.row) << i;
        ASSERT_EQ(x.cls.gen, y.cls.gen) << i;
        ASSERT_EQ(x.valid, y.valid) << i;
    }
    ASSERT_EQ(a.sampler.threshold, b.sampler.threshold);
    ASSERT_EQ(a.sampler.next, b.sampler.next);
    const gmmu_victim_select &v = a.select, &w = b.select;
    ASSERT_EQ(v.valid, w.valid);
    ASSERT_EQ(v.kept, w.kept);
    for (unsigned i = 0; i < v.pool; i++)
        if ((v.kept >> i & 1) != 0) {
            ASSERT_EQ(v.frame[i], w.frame[i]) << i;
        }
    ASSERT_EQ(v.hand, w.hand);
    ASSERT_EQ(v.left, w.left);
    ASSERT_EQ(v.rounds, w.rounds);
    ASSERT_EQ(v.active, w.active);
    ASSERT_EQ(v.rests, w.rests);
    const gmmu_fault_unit &f = a.faults, &g = b.faults;
    ASSERT_EQ(f.resident, g.resident);
    ASSERT_EQ(f.claims, g.claims);
    ASSERT_EQ(f.seq, g.seq);
    ASSERT_EQ(f.spent, g.spent);
    ASSERT_EQ(f.queue.seq, g.queue.seq);
    ASSERT_EQ(f.queue.noted, g.queue.noted);
    ASSERT_EQ(f.queue.undecided, g.queue.undecided);
    ASSERT_EQ(f.queue.note_first, g.queue.note_first);
    ASSERT_EQ(f.queue.order_first, g.queue.order_first);
    ASSERT_EQ(f.queue.taken, g.queue.taken);
    ASSERT_EQ(f.queue.freed, g.queue.freed);
    for (uint32_t x = f.queue.freed, y = g.queue.freed; x != UINT32_MAX; x = f.queue.chain[x]) {
        ASSERT_EQ(x, y);
        ASSERT_FALSE(f.queue.fault[x].valid);
        y = g.queue.chain[y];
    }
    ASSERT_EQ(a.walk.time, b.walk.time);
    ASSERT_EQ(a.walk.went, b.walk.went);
    ASSERT_EQ(a.side.age_next, b.side.age_next);
    const gmmu_counters p = gmmu_tier_counters(&a), q = gmmu_tier_counters(&b);
    same_bytes(&p, &q, sizeof p, "counters");
}

struct Drawn {
    gmmu_config c;
    gmmu_regs regs;
    uint64_t hot, refs;
};

Drawn draw(std::mt19937_64 *rng) {
    const auto below = [rng](uint64_t n) { return (*rng)() % n; };
    Drawn d = {};
    const bool tiny = below(2) == 0;
    d.c = *gmmu_config_find(tiny ? "tiny" : "default");
    if (tiny) {
        d.c.time_w = 12 + static_cast<unsigned>(below(3));
        d.c.sampler = 16;
        d.c.gen_w = 1 + static_cast<unsigned>(below(3));
        d.c.exec_w = 2 + static_cast<unsigned>(below(7));
        d.c.pool = below(2) == 0 ? 16 : 1u << below(7);
        d.c.k = 1 + static_cast<unsigned>(below(80));
    }
    d.c.t2_slots = 0;
    d.c.bins = 16 + static_cast<unsigned>(below(101));
    d.c.frames = 512;
    d.regs = gmmu_regs_default(&d.c);
    d.regs.frames = 1 + static_cast<uint32_t>(below(below(4) == 0 ? 20 : d.c.frames));
    d.regs.search = below(3) == 0 ? GMMU_SEARCH_SCAN : GMMU_SEARCH_SAMPLE;
    d.regs.refresh = static_cast<uint32_t>(below(9));
    d.regs.sample = static_cast<uint32_t>(below(4));
    d.regs.pseudo = static_cast<uint32_t>(below(2));
    d.regs.censor = static_cast<uint32_t>(below(2));
    d.hot = 1 + below(PAGES);
    d.refs = 1 + below(below(2) == 0 ? 3 : 200);
    return d;
}

TEST(AtOnce, IsWalkScheduleFillAndSchedule) {
    uint64_t faults = 0, left = 0, walks = 0, clamped = 0, thresh = 0;
    for (uint64_t seed = 1; seed <= 120; seed++) {
        std::mt19937_64 rng(seed);
        const auto below = [&rng](uint64_t n) { return rng() % n; };
        const Drawn d = draw(&rng);
        gmmu_config c = d.c;
        Driven plain(c, d.regs);
        c.late = 0;
        Driven quick(c, d.regs);
        gmmu_at_once a;
        ASSERT_TRUE(gmmu_at_once_begin(&a, &quick.u));
        uint64_t hot = d.hot, refs = d.refs, turn = 0;
        for (unsigned step = 0; step < 4000; step++) {
            if (below(400) == 0) {
                hot = 1 + below(PAGES);
                refs = 1 + below(20);
            }
            gmmu_tier_walk_in in = {};
            in.vpn = below(3) == 0 ? below(PAGES) : below(4) == 0 ? below(hot) : turn++ % hot;
            in.ref = below(4) == 0 ? below(d.refs) : in.vpn % refs;
            in.asid = static_cast<uint32_t>(in.vpn % 3 == 0);
            in.write = below(4) == 0;
            faults += plain.frame_of[in.vpn] == NOWHERE;
            const int x = plain.plainly(in), y = quick.at_once(&a, in);
            ASSERT_EQ(x, y) << "seed " << seed << ", step " << step;
            left += x != NOWHERE;
            walks++;
            if (step % 97 == 0) {
                ASSERT_NO_FATAL_FAILURE(same_units(plain.u, quick.u))
                    << "seed " << seed << ", step " << step;
            }
        }
        ASSERT_NO_FATAL_FAILURE(same_units(plain.u, quick.u)) << "seed " << seed;
        for (uint32_t f = 0; f < d.regs.frames; f++)
            clamped += ((quick.u.walk.time - quick.u.frames.table.seen[f].last) &
                        quick.u.walk.time_mask) >= 1u << (c.time_w - 2);
        thresh +=
            quick.u.sampler.threshold < static_cast<uint32_t>(GMMU_SAMPLER_ALL) >> d.regs.sample;
    }
    EXPECT_GT(faults, 100000u);
    EXPECT_GT(left, 80000u);
    EXPECT_GT(clamped, 50u);
    EXPECT_GT(thresh, 20u);
    std::printf("at_once: %llu walks, %llu faults, %llu pages left, %llu clamped stamps\n",
                static_cast<unsigned long long>(walks), static_cast<unsigned long long>(faults),
                static_cast<unsigned long long>(left), static_cast<unsigned long long>(clamped));
}

// No page may leave: the fault is noted, and the schedule gives up on it as ever.
TEST(AtOnce, LeavesAFaultWithoutVictimToTheSchedule) {
    gmmu_config c = *gmmu_config_find("tiny");
    c.t2_slots = c.late = 0;
    gmmu_regs regs = gmmu_regs_default(&c);
    regs.frames = 5;
    for (uint32_t search : {GMMU_SEARCH_SCAN, GMMU_SEARCH_SAMPLE}) {
        regs.search = search;
        Driven plain(c, regs), quick(c, regs);
        gmmu_at_once a;
        ASSERT_TRUE(gmmu_at_once_begin(&a, &quick.u));
        gmmu_tier_walk_in in = {};
        for (in.vpn = 0; in.vpn < 5; in.vpn++) ASSERT_EQ(plain.plainly(in), quick.at_once(&a, in));
        gmmu_tier_drv_in pin = {};
        pin.op = GMMU_PIN;
        for (Driven *s : {&plain, &quick})
            for (pin.frame = 0; pin.frame < 5; pin.frame++) (void)gmmu_tier_drv(&s->u, pin);
        in.fault = true;
        (void)gmmu_tier_walk(&plain.u, in);
        uint32_t frame = 5;
        bool left = false;
        ASSERT_FALSE(gmmu_at_once_fault(&a, &quick.u, &in, &frame, &left));
        for (Driven *s : {&plain, &quick}) {
            gmmu_tier_settle(&s->u, Driven::take, s);
            ASSERT_EQ(s->made.size(), 1u);
            ASSERT_EQ(s->made[0].tier, static_cast<unsigned>(GMMU_TIER_NONE));
        }
        ASSERT_NO_FATAL_FAILURE(same_units(plain.u, quick.u));
    }
}

// The short form is for one kind of unit alone.
TEST(AtOnce, RefusesOtherUnits) {
    const auto takes = [](const char *name, auto change) {
        gmmu_config c = *gmmu_config_find(name);
        c.late = 0;
        gmmu_regs regs = gmmu_regs_default(&c);
        bool unheard = true;
        change(&c, &regs, &unheard);
        Driven d(c, regs);
        d.u.hir_unheard = unheard;
        gmmu_at_once a;
        return gmmu_at_once_begin(&a, &d.u);
    };
    const auto is = [](gmmu_config *, gmmu_regs *, bool *) {};
    EXPECT_TRUE(takes("default", is));
    EXPECT_FALSE(takes("large", is));
    EXPECT_FALSE(takes("default", [](gmmu_config *c, gmmu_regs *, bool *) { c->late = 8; }));
    EXPECT_FALSE(takes("default", [](gmmu_config *, gmmu_regs *, bool *b) { *b = false; }));
    EXPECT_FALSE(takes("default", [](gmmu_config *, gmmu_regs *r, bool *) { r->rit_batch = 1; }));
    EXPECT_FALSE(takes("default", [](gmmu_config *, gmmu_regs *r, bool *) { r->feed = 1; }));
    EXPECT_FALSE(takes("default", [](gmmu_config *, gmmu_regs *r, bool *) { r->fresh = 4; }));
    EXPECT_FALSE(takes("default", [](gmmu_config *, gmmu_regs *r, bool *) { r->ahead = 1; }));
    EXPECT_FALSE(takes("default", [](gmmu_config *, gmmu_regs *r, bool *) { r->protect = 99; }));
    EXPECT_FALSE(takes("default",
                       [](gmmu_config *, gmmu_regs *r, bool *) { r->search = GMMU_SEARCH_CLOCK; }));
    EXPECT_FALSE(takes("default",
                       [](gmmu_config *, gmmu_regs *r, bool *) { r->tier = GMMU_PLACE_PRIORITY; }));
}

}  // namespace
