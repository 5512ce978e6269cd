// SPDX-License-Identifier: Apache-2.0
// time_twin_test.cpp: the twin on the standard schedule in front of a walker that replays and a
// driver that serves faults in batches, in a time of its own (tb/driver/twin_run.h). A slow model
// judges every walk, operation and decision (witness.h).
//
// State space: one to hundreds of accesses at a time, 1 to 3 TLBs; walks of different pages that
// overtake, so that faults come late; pages that nobody asked for, decisions that are not followed,
// pages that leave by themselves, pinned frames, accesses that are given up, decisions ahead; slots
// of Tier 2 that hold another page.
// Parameter space: `tiny`, `default` and small sizes: 2 to 64 places for arrived pages or none, 4
// to 512 faults, frames behind memory; all searches and all ways to place a victim; cfg_fresh from
// off to many walks.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <tuple>

#include "driver/twin_run.h"
#include "time_twin/witness.h"

namespace {

using driver::Access;
using driver::BatchDriver;
using driver::Page;
using driver::TwinRun;
using driver::Walker;

gmmu_config sizes(const char *name) {
    return *gmmu_config_find(name);
}

uint32_t seed_of_run() {
    const char *s = std::getenv("GMMU_SEED");
    return s == nullptr ? 1 : static_cast<uint32_t>(std::strtoul(s, nullptr, 0));
}

// A run with its witness; ends at the first difference.
struct Watched {
    TwinRun run;
    Witness witness;

    Watched(const gmmu_config &cfg, const gmmu_regs &regs, const BatchDriver::Settings &d,
            const Walker::Settings &w, Walker::Source source, BatchDriver::Guess guess = nullptr)
        : run(cfg, regs, d, w, std::move(source), std::move(guess)), witness(&run) {
        EXPECT_TRUE(run.good());
    }
    // Is called before each step.
    std::function<void()> meanwhile = [] {};
    // True: everything has ended, in at most MOST steps.
    bool all(uint64_t most) {
        while (run.steps < most && !testing::Test::HasFatalFailure() && run.step()) meanwhile();
        return run.done();
    }
    // What is never to happen to a driver that keeps to the order.
    void expect_order() const {
        EXPECT_EQ(run.unit.stats.stale_hits, 0u);
        EXPECT_EQ(run.walker.counts().accesses, run.walker.counts().walks);
        EXPECT_EQ(run.walker.counts().served + run.walker.counts().given_up,
                  run.walker.counts().accesses);
        EXPECT_FALSE(run.walker.any_waits());
    }
};

// N accesses, of any warp: PAGES pages, of which some are much more frequent, in two address
// spaces.
Walker::Source some_pages(uint64_t n, unsigned pages, uint32_t seed) {
    auto left = std::make_shared<uint64_t>(n);
    auto rng = std::make_shared<std::mt19937>(seed);
    return [left, rng, pages](unsigned, Access *a) {
        if (*left == 0)
            return false;
        --*left;
        const unsigned p = (*rng)() % pages;
        a->page = Page(p % 7 == 3, (*rng)() % 2 ? p : p / 4);
        a->ref = (*rng)() % 9;
        a->write = (*rng)() % 4 == 0;
        return true;
    };
}
// N accesses of each warp, to PAGES pages in turn: a sweep that the warps do together.
Walker::Source sweep(uint64_t n, unsigned pages) {
    auto next = std::make_shared<uint64_t>(0);
    return [next, n, pages](unsigned, Access *a) {
        if (*next == n)
            return false;
        a->page = Page(0, (*next)++ % pages);
        a->ref = a->page.second * 4 / pages;
        return true;
    };
}

// ---- the walker itself

// Pages that come and go, each time in the next frame: of a page the frames of its hits never
// decrease, so walks of a page keep their order; of all pages together they do not. Look-ups keep
// their distance.
TEST(Walker, OvertakesBetweenPagesAlone) {
    enum { PAGES = 8, FRAMES = 4096, EVERY = 2, CYCLES = 20000 };
    driver::Book book(FRAMES, 0);
    Walker::Settings w;
    w.warps = 32;
    w.every = EVERY;
    w.delay = 60;
    std::mt19937 rng(seed_of_run());
    Walker walker(&book, w, [&rng](unsigned, Access *a) {
        a->page = Page(0, rng() % PAGES);
        return true;
    });
    std::map<Page, uint32_t> newest;
    uint32_t next = 0, latest = 0;
    uint64_t overtaken = 0, walks = 0, late = 0;
    for (uint64_t cycle = 0; cycle < CYCLES; cycle++) {
        if (cycle % 16 == 0 && next < FRAMES) {
            const Page page(0, rng() % PAGES);
            const int64_t old = book.frames.find(page);
            if (old >= 0)
                book.frames.free(static_cast<uint32_t>(old));
            else
                book.frames.fill(next++, page);
        }
        if (cycle % 100 == 0)
            walker.replay();
        const Walker::Sent *s = walker.next(cycle);
        if (s == nullptr)
            continue;
        walks++;
        ASSERT_LE(walks, cycle / EVERY + 1);
        const Page page(0, s->walk.vpn);
        late += s->walk.fault && book.frames.find(page) >= 0;
        if (s->walk.fault)
            continue;
        ASSERT_GE(s->walk.frame, newest[page]);
        newest[page] = s->walk.frame;
        overtaken += s->walk.frame < latest;
        latest = std::max(latest, s->walk.frame);
    }
    EXPECT_GT(walks, CYCLES / EVERY / 2u);
    EXPECT_GT(overtaken, 100u);
    EXPECT_GT(late, 100u);
}

// An access that faulted comes again with a replay, once for each TLB, and not before; it is served
// when the last of these has hit. A walk that faults in a replay waits for the next one alone.
TEST(Walker, ReplaysOnceForEachTlb) {
    for (unsigned tlbs = 1; tlbs <= 3; tlbs++)
        for (const bool tells : {true, false}) {
            driver::Book book(4, 0);
            Walker::Settings w;
            w.tlbs = tlbs;
            w.tells = tells;
            unsigned given = 0;
            Walker walker(&book, w, [&given](unsigned, Access *a) {
                a->page = Page(1, 5);
                return given++ == 0;
            });
            uint64_t cycle = 0;
            const Walker::Sent *s = walker.next(cycle++);
            ASSERT_NE(s, nullptr);
            EXPECT_TRUE(s->walk.fault && !s->walk.replay && !s->served);
            EXPECT_TRUE(walker.waits(Page(1, 5)));
            for (unsigned i = 0; i < 10; i++) ASSERT_EQ(walker.next(cycle++), nullptr);
            for (unsigned left = tlbs; left > 0; left--) {  // each time one more hits
                walker.replay();
                book.frames.fill(0, Page(1, 5));
                for (unsigned i = 0; i < left; i++) {
                    EXPECT_TRUE(walker.replaying());
                    s = walker.next(cycle++);
                    ASSERT_NE(s, nullptr);
                    EXPECT_EQ(s->walk.replay, tells);
                    EXPECT_EQ(s->walk.fault, i != 0);
                    EXPECT_EQ(s->served, left == 1);
                    if (i == 0)
                        book.frames.free(0);
                }
                EXPECT_FALSE(walker.replaying());
                EXPECT_EQ(walker.any_waits(), left > 1);
                EXPECT_EQ(walker.next(cycle++), nullptr);
            }
            EXPECT_TRUE(walker.done());
            EXPECT_EQ(walker.counts().served, 1u);
        }
}

// ---- anything, against the slow model

struct Any {
    std::mt19937 rng;
    gmmu_config cfg;
    gmmu_regs regs;
    BatchDriver::Settings d;
    Walker::Settings w;
    unsigned pages = 1;
    unsigned under_way = 0;
    unsigned events = 0;  // steps from one flush, or another cfg_fresh, to the next; 0: none

    unsigned below(unsigned n) { return rng() % n; }
    bool half() { return below(2) != 0; }

    Any(uint32_t seed, bool tiers) : rng(seed) {
        cfg = sizes(tiers || half() ? "tiny" : "default");
        if (!tiers)
            cfg.t2_slots = 0;
        static const unsigned late[] = {0, 1, 2, 8, 64}, faults[] = {4, 8, 64, 512};
        cfg.late = late[below(5)];
        cfg.faults = faults[below(4)];
        cfg.frame_mem = !tiers && below(4) == 0;
        cfg.pool = 4;
        cfg.k = 16;
        cfg.frames = 256;
        regs = gmmu_regs_default(&cfg);
        regs.frames = 1 + below(below(3) ? 24 : 100);
        regs.search = below(3);
        regs.feed = below(2);
        regs.protect = half() ? 0 : below(200);
        regs.fresh = cfg.late == 0 ? 0 : below(12);
        regs.ahead = below(3) ? 0 : below(regs.frames / 4 + 1);
        regs.tier = tiers ? 1 + below(4) : 0;
        regs.t2_slots = tiers ? 1 + below(half() ? 8 : 100) : 0;
        regs.t2_full = below(2);
        d.batch = 1 + below(half() ? 4 : 64);
        d.any_size = half();
        d.collects = below(200);
        d.latency = below(half() ? 40 : 2000);
        d.each = below(40);
        d.lag = half() ? 0 : below(60);
        d.patience = 100 + below(400);
        d.prefetches = half() ? 0 : below(900);
        d.cancels = half() ? 0 : below(200);
        d.frees = half() ? 0 : below(400);
        d.frees_unused = half();
        d.pins = half() ? 0 : below(200);
        d.most_pins = below(regs.frames / 3 + 1);
        d.seed = rng();
        w.warps = 1 + below(half() ? 8 : 100);
        w.tlbs = 1 + below(3);
        w.tells = below(4) != 0;
        w.every = 1 + below(half() ? 3 : 12);
        w.delay = half() ? 0 : below(400);
        w.gives_up = half() ? 0 : below(500);
        w.seed = rng();
        pages = 1 + below(4 * regs.frames + 8);
        under_way = half() ? 0 : below(200);
        events = below(3) ? 0 : 1 + below(3000);
    }
    // The driver and the walker name slots that hold other pages.
    void stale_slots() {
        d.stale_slots = 100;
        w.stale_slot = 200;
    }
};

void run_any(Any &a, uint64_t accesses, Witness::Seen *all) {
    const uint32_t spread = a.pages + a.pages / 2;
    std::mt19937 guess(a.rng());
    Watched t(a.cfg, a.regs, a.d, a.w, some_pages(accesses, a.pages, a.rng()),
              [&guess, spread](Page p) { return Page(p.first, guess() % spread); });
    t.witness.in_order = a.w.stale_slot == 0 && a.under_way == 0;
    t.run.under_way = a.under_way;
    t.meanwhile = [&a, &t] {
        if (a.events == 0 || a.below(a.events) != 0)
            return;
        if (a.half()) {
            t.witness.flush();
            t.run.flush(a.below(2));
        } else {
            a.regs.fresh = a.cfg.late == 0 ? 0 : a.below(12);
            t.witness.fresh_changes(a.regs.fresh);
            t.run.change(a.regs);
        }
    };
    // (Without fresh frames a page may leave before its use, again and again; an operation that is
    // refused for a wrong slot is not repeated.)
    const bool progress =
        a.cfg.late >= 8 && a.regs.fresh >= 6 && a.events == 0 && a.w.stale_slot == 0;
    const bool ended = t.all(progress ? 4000000 : 100000);
    ASSERT_FALSE(testing::Test::HasFatalFailure());
    EXPECT_TRUE(ended || !progress) << "steps " << t.run.steps << ", cycle " << t.run.cycle;
    if (ended && a.w.stale_slot == 0)
        t.expect_order();
    const Witness::Seen &s = t.witness.seen;
    for (auto member : {&Witness::Seen::joined, &Witness::Seen::again, &Witness::Seen::late,
                        &Witness::Seen::lost, &Witness::Seen::entered, &Witness::Seen::dropped,
                        &Witness::Seen::free, &Witness::Seen::victims, &Witness::Seen::none,
                        &Witness::Seen::none_fresh, &Witness::Seen::filled, &Witness::Seen::ahead,
                        &Witness::Seen::by_force, &Witness::Seen::used, &Witness::Seen::expired,
                        &Witness::Seen::crowded, &Witness::Seen::compared})
        all->*member += s.*member;
}

void print(const char *name, const Witness::Seen &s) {
    using ull = unsigned long long;
    std::printf(
        "%s: faults %llu new, %llu joined, %llu again, %llu lost, %llu late, %llu dropped; "
        "decisions %llu FREE, %llu victims (%llu by force), %llu NONE (%llu fresh), %llu "
        "ahead; fresh frames %llu used, %llu expired (%llu crowded); %llu states compared\n",
        name, (ull)s.entered, (ull)s.joined, (ull)s.again, (ull)s.lost, (ull)s.late, (ull)s.dropped,
        (ull)s.free, (ull)s.victims, (ull)s.by_force, (ull)s.none, (ull)s.none_fresh, (ull)s.ahead,
        (ull)s.used, (ull)s.expired, (ull)s.crowded, (ull)s.compared);
}

class AnyDriver : public testing::TestWithParam<const char *> {};
TEST_P(AnyDriver, AgainstTheSlowModel) {
    const std::string kind = GetParam();
    Witness::Seen all;
    for (uint32_t seed = 0; seed < 60; seed++) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Any a(1000 * seed_of_run() + seed, kind != "frames");
        if (kind == "stale")
            a.stale_slots();
        ASSERT_NO_FATAL_FAILURE(run_any(a, 3000, &all));
    }
    print(kind.c_str(), all);
    EXPECT_GT(all.again, 10000u);
    EXPECT_GT(all.lost, 10000u);
    EXPECT_GT(all.late, 50u);
    EXPECT_GT(all.victims, 10000u);
    EXPECT_GT(all.none_fresh, 1000u);
    EXPECT_GT(all.filled + all.ahead, 1000u);
    EXPECT_TRUE(all.by_force > 0 || kind != "frames");
    EXPECT_GT(all.used, 5000u);
    EXPECT_GT(all.expired - all.crowded, 300u);
    EXPECT_GT(all.crowded, 1000u);
}
INSTANTIATE_TEST_SUITE_P(Time, AnyDriver, testing::Values("frames", "tiers", "stale"));

// ---- forward progress

struct Shape {
    const char *name;
    unsigned frames, warps, batch;
};
const Shape shapes[] = {
    {"batches larger than memory", 24, 96, 96},
    {"fewer frames than warps", 5, 40, 8},
    {"one frame", 1, 6, 4},
    {"two frames more than warps", 34, 32, 32},
};

class Progress : public testing::TestWithParam<unsigned> {};  // search
TEST_P(Progress, EveryAccessEndsAndFaultsTwiceAtMost) {
    for (const Shape &shape : shapes)
        for (unsigned tlbs = 1; tlbs <= 3; tlbs++)
            for (const bool swept : {true, false})
                for (const bool fetches : {false, true}) {
                    SCOPED_TRACE(std::string(shape.name) + ", " + std::to_string(tlbs) + " TLBs" +
                                 (swept ? ", sweep" : ", random") +
                                 (fetches ? ", prefetches" : ""));
                    const gmmu_config cfg = sizes("default");
                    gmmu_regs regs = gmmu_regs_default(&cfg);
                    regs.frames = shape.frames;
                    regs.search = GetParam();
                    regs.ahead = fetches ? shape.frames / 4 : 0;
                    regs.fresh = 12;  // a replay of all warps is within so many walks
                    BatchDriver::Settings d;
                    d.batch = shape.batch;
                    d.any_size = false;
                    d.collects = 600;
                    d.each = 20;
                    d.frees = fetches ? 100 : 0;
                    d.prefetches = fetches ? 500 : 0;
                    d.seed = seed_of_run();
                    Walker::Settings w;
                    w.warps = shape.warps;
                    w.tlbs = tlbs;
                    w.every = 10;
                    w.delay = 40;
                    w.seed = seed_of_run() + 7;
                    const uint64_t n = 2000;
                    const unsigned pages = 3 * std::max(shape.frames, shape.warps);
                    Watched t(cfg, regs, d, w,
                              swept ? sweep(n, pages) : some_pages(n, pages, seed_of_run()));
                    t.witness.most_faults = 2;
                    t.witness.compare_every = 20;
                    EXPECT_TRUE(t.all(3000000));
                    ASSERT_FALSE(testing::Test::HasFatalFailure());
                    t.expect_order();
                    EXPECT_EQ(t.run.walker.counts().served, n);
                    EXPECT_EQ(t.run.unit.stats.fault_drops, 0u);
                }
}
INSTANTIATE_TEST_SUITE_P(Time, Progress, testing::Range(0u, 3u));

// ---- sizes of `default`

// Hundreds of accesses that wait, batches of any size up to two, pages that nobody asked for: no
// fault is dropped, every access is served.
TEST(Time, DefaultDropsNoFault) {
    const gmmu_config cfg = sizes("default");
    for (const unsigned warps : {256u, 512u})
        for (const bool tells : {true, false})
            for (const unsigned frames : {200u, 1000u}) {
                SCOPED_TRACE(std::to_string(warps) + " warps, " + std::to_string(frames) +
                             " frames");
                gmmu_regs regs = gmmu_regs_default(&cfg);
                regs.frames = frames;
                regs.fresh = 12;
                regs.ahead = frames / 8;
                BatchDriver::Settings d;
                d.collects = 2000;
                d.each = 10;
                d.lag = 500;
                d.prefetches = 200;
                d.cancels = 20;
                d.frees = 50;
                d.seed = seed_of_run();
                Walker::Settings w;
                w.warps = warps;
                w.tlbs = 1;
                w.tells = tells;
                w.every = 10;
                w.delay = 100;
                w.seed = seed_of_run();
                Watched t(cfg, regs, d, w, some_pages(10000, 3000, seed_of_run()));
                t.witness.compare_every = 50;
                EXPECT_TRUE(t.all(20000000));
                ASSERT_FALSE(testing::Test::HasFatalFailure());
                t.expect_order();
                EXPECT_EQ(t.run.walker.counts().served, 10000u);
                EXPECT_EQ(t.run.unit.stats.fault_drops, 0u);
                EXPECT_EQ(t.run.unit.stats.lost + t.run.unit.stats.again == 0, !tells);
                EXPECT_GT(t.run.walker.counts().most_waiting, warps / 2);
            }
}

// ---- late faults

// The unit without a driver of its own, step by step.
struct Bare {
    std::vector<char> memory;
    gmmu_tier u;
    std::vector<driver::Decision> decisions;

    Bare(const gmmu_config &cfg, const gmmu_regs &regs) : memory(gmmu_tier_bytes(&cfg)) {
        EXPECT_EQ(gmmu_tier_init_beyond(&u, &cfg, &regs, memory.data(), memory.size()), 0);
        u.hir_unheard = true;
    }
    static void sink(void *self, const driver::Decision *d) {
        static_cast<Bare *>(self)->decisions.push_back(*d);
    }
    // A walk of page VPN: a fault, or (FRAME not negative) a hit.
    void walk(uint64_t vpn, int frame, bool replay = false) {
        gmmu_tier_walk_in w = {};
        w.vpn = vpn;
        w.fault = frame < 0;
        w.frame = frame < 0 ? 0 : static_cast<uint32_t>(frame);
        w.replay = replay;
        if (replay)
            (void)gmmu_tier_replay(&u, w);
        else
            (void)gmmu_tier_walk(&u, w);
        gmmu_tier_settle(&u, sink, this);
    }
    gmmu_tier_drv_out op(unsigned kind, uint32_t frame, uint64_t vpn, bool force = false) {
        driver::Operation o = driver::operation(kind, frame, {0, vpn});
        o.force = force;
        const gmmu_tier_drv_out out = gmmu_tier_drv(&u, o);
        gmmu_tier_settle(&u, sink, this);
        return out;
    }
};

gmmu_regs few_frames(const gmmu_config &cfg, uint32_t frames, unsigned fresh) {
    gmmu_regs regs = gmmu_regs_default(&cfg);
    regs.frames = frames;
    regs.fresh = fresh;
    return regs;
}

// The smallest case: fault 50, FILL 50, fault 50, with four frames. Without a ring the page is
// decided again and an innocent page leaves for it.
TEST(Time, TheSmallestLateFault) {
    for (const unsigned late : {0u, 8u}) {
        gmmu_config cfg = sizes("tiny");
        cfg.late = late;
        Bare b(cfg, few_frames(cfg, 4, 0));
        for (uint32_t f = 0; f < 3; f++) (void)b.op(GMMU_FILL, f, f);
        b.walk(50, -1);
        ASSERT_EQ(b.decisions.size(), 1u);
        EXPECT_EQ(b.decisions[0].tier, GMMU_TIER_FREE + 0u);
        (void)b.op(GMMU_FILL, 3, 50);
        b.walk(50, -1);
        EXPECT_EQ(b.decisions.size(), late == 0 ? 2u : 1u);
        EXPECT_EQ(b.u.stats.late, late == 0 ? 0u : 1u);
        (void)b.op(GMMU_ASK, 0, 50);  // joins the second decision, or does nothing and counts
        EXPECT_EQ(b.decisions.size(), late == 0 ? 2u : 1u);
        EXPECT_EQ(b.u.stats.late, late == 0 ? 0u : 2u);
        EXPECT_EQ(b.u.stats.walks, 2u);  // a late fault is an access
    }
}

// Each way in which a page leaves ends its place in the ring: its next fault gets a decision.
TEST(Time, AFaultOfAPageThatLeftGetsADecision) {
    const gmmu_config cfg = sizes("tiny");
    enum Way { DECIDED, FREED, REPLACED, AGED, FLUSHED, LOWERED, CANCELLED, STAYS };
    for (int way = DECIDED; way <= STAYS; way++) {
        SCOPED_TRACE(way);
        Bare b(cfg, few_frames(cfg, 4, 0));
        for (uint32_t f = 0; f < 4; f++) (void)b.op(GMMU_FILL, f, 10 + f);
        bool decided = true;
        uint64_t page = 13;
        switch (way) {
            case DECIDED:
            case CANCELLED:
                b.walk(50, -1);
                ASSERT_EQ(b.decisions.size(), 1u);
                ASSERT_EQ(b.decisions[0].tier, GMMU_TIER_2 + 0u);
                page = b.decisions[0].victim_vpn;
                if (way == CANCELLED)  // the page is back, its place in the ring is not
                    (void)b.op(GMMU_CANCEL, b.decisions[0].frame, 50);
                break;
            case FREED:
                (void)b.op(GMMU_FREE, 3, 0);
                break;
            case REPLACED:
                (void)b.op(GMMU_FILL, 3, 60);
                break;
            case AGED:  // the ring has eight places
                for (unsigned i = 0; i < 8; i++) (void)b.op(GMMU_FILL, i % 3, 70 + i);
                break;
            case FLUSHED:
                gmmu_tier_flush(&b.u, 1);
                break;
            case LOWERED: {
                gmmu_regs regs = b.u.regs;
                regs.frames = 3;
                gmmu_tier_configure(&b.u, &regs);
                break;
            }
            default:
                decided = false;
        }
        const std::size_t before = b.decisions.size();
        b.walk(page, -1);
        EXPECT_EQ(b.decisions.size(), before + decided);
        EXPECT_EQ(b.u.stats.late, decided ? 0u : 1u);
    }
}

// Accesses wait for FAULTS pages. A late fault comes of a victim that the driver has not unmapped
// yet: by the page table its access is answered, for the unit the page has left. So its entry is
// one too many, and the last of the faults finds none. CANCEL ends the entry, ASK brings the fault
// back. A walker that looks into the page table again before it sends a fault loses none.
TEST(Time, ALateFaultOfAVictimTakesAnEntry) {
    const gmmu_config cfg = sizes("tiny");
    for (const bool looks_again : {false, true}) {
        SCOPED_TRACE(looks_again);
        Bare b(cfg, few_frames(cfg, 2 * cfg.faults, 0));
        for (uint32_t f = 0; f < 2 * cfg.faults; f++) (void)b.op(GMMU_FILL, f, 100 + f);
        b.walk(0, -1);
        ASSERT_EQ(b.decisions.size(), 1u);
        ASSERT_EQ(b.decisions[0].tier, GMMU_TIER_2 + 0u);
        const uint64_t victim = b.decisions[0].victim_vpn;
        if (!looks_again)
            b.walk(victim, -1);
        for (uint64_t page = 1; page < cfg.faults; page++) b.walk(page, -1);
        EXPECT_EQ(b.u.stats.fault_drops, looks_again ? 0u : 1u);
        ASSERT_EQ(b.decisions.size(), cfg.faults);
        if (looks_again)
            continue;
        ASSERT_EQ(b.decisions[1].vpn, victim);
        (void)b.op(GMMU_CANCEL, b.decisions[1].frame, victim);
        (void)b.op(GMMU_ASK, 0, cfg.faults - 1);
        ASSERT_EQ(b.decisions.size(), cfg.faults + 1);
        EXPECT_EQ(b.decisions.back().vpn, cfg.faults - 1);
        EXPECT_EQ(b.u.stats.fault_drops, 1u);
    }
}

// A page in two frames counts as arrived until it has left both.
TEST(Time, APageInTwoFrames) {
    const gmmu_config cfg = sizes("tiny");
    Bare b(cfg, few_frames(cfg, 4, 0));
    (void)b.op(GMMU_FILL, 0, 5);
    (void)b.op(GMMU_FILL, 1, 5);
    (void)b.op(GMMU_FREE, 0, 5);
    b.walk(5, -1);
    EXPECT_EQ(b.u.stats.late, 1u);
    (void)b.op(GMMU_FREE, 1, 5);
    b.walk(5, -1);
    EXPECT_EQ(b.u.stats.late, 1u);
    ASSERT_EQ(b.decisions.size(), 1u);
}

// ---- all of it off

// What a decision says, without the number.
using Said = std::tuple<Page, unsigned, uint32_t, Page, uint16_t, bool, uint32_t>;
Said said(const driver::Decision &d) {
    return {driver::page_of(d), d.tier,         d.frame,      {d.victim_asid, d.victim_vpn},
            d.priority,         d.victim_dirty, d.victim_last};
}
struct Listener : driver::Watcher {
    std::vector<Said> all;
    void decided(const driver::Decision &d) override { all.push_back(said(d)); }
};

// The replay harness of the standard schedule: each access is one walk; a driver that answers
// before the next walk.
std::vector<Said> plain(const gmmu_config &cfg, const gmmu_regs &regs, Walker::Source source) {
    Bare b(cfg, regs);
    driver::Driver prompt(regs.frames, 0);
    std::vector<Said> all;
    Access a;
    while (source(0, &a)) {
        gmmu_tier_walk_in w = {};
        w.asid = a.page.first;
        w.vpn = a.page.second;
        w.ref = a.ref;
        w.write = a.write;
        prompt.book.look_up(&w);
        (void)gmmu_tier_walk(&b.u, w);
        gmmu_tier_settle(&b.u, Bare::sink, &b);
        for (const driver::Decision &d : b.decisions) {
            all.push_back(said(d));
            prompt.decided(d);
        }
        b.decisions.clear();
        while (const driver::Operation *o = prompt.next()) {
            (void)gmmu_tier_drv(&b.u, *o);
            prompt.taken();
            gmmu_tier_settle(&b.u, Bare::sink, &b);
        }
    }
    EXPECT_EQ(b.u.stats.replays + b.u.stats.late + b.u.stats.lost + b.u.stats.none_fresh, 0u);
    return all;
}

// Without replays, ring and fresh frames the decisions are those of the harness. Replays that hit,
// and a ring that sees no late fault, change no decision.
TEST(Time, OffIsAsBefore) {
    enum { ACCESSES = 12000 };
    struct Way {
        const char *name;
        unsigned late, tlbs;
    };
    const Way ways[] = {{"off", 0, 0}, {"ring", 64, 0}, {"replays", 0, 1}, {"both", 64, 3}};
    for (unsigned search = 0; search < 3; search++)
        for (unsigned feed = 0; feed < 2; feed++)
            for (const bool swept : {true, false}) {
                gmmu_config cfg = sizes("tiny");
                gmmu_regs regs = few_frames(cfg, 60, 0);
                regs.search = search;
                regs.feed = feed;
                regs.protect = 64 * feed;
                cfg.late = 0;
                const auto source = [swept] {
                    return swept ? sweep(ACCESSES, 80) : some_pages(ACCESSES, 200, seed_of_run());
                };
                const std::vector<Said> want = plain(cfg, regs, source());
                ASSERT_GT(want.size(), 1000u);
                for (const Way &way : ways) {
                    SCOPED_TRACE(std::string(way.name) + ", search " + std::to_string(search));
                    cfg.late = way.late;
                    BatchDriver::Settings d;
                    d.batch = 1;
                    d.latency = 0;
                    Walker::Settings w;
                    w.tlbs = way.tlbs;
                    w.every = 16;
                    TwinRun run(cfg, regs, d, w, source());
                    Listener listener;
                    run.watcher = &listener;
                    EXPECT_TRUE(run.run());
                    EXPECT_EQ(run.unit.stats.walks, ACCESSES + 0u);
                    EXPECT_EQ(run.unit.stats.replays, way.tlbs * run.walker.counts().faults);
                    ASSERT_EQ(listener.all, want);
                }
            }
}

// ---- a walker that cannot tell replays

// Each replay is an access: as many walks as look-ups, none lost or asked again; the first replay
// that hits ends fresh, as any hit.
TEST(Time, ReplaysThatAreNotTold) {
    const gmmu_config cfg = sizes("tiny");
    Walker::Settings w;
    w.warps = 6;
    w.tlbs = 2;
    w.tells = false;
    w.every = 3;
    BatchDriver::Settings d;
    d.batch = 4;
    d.latency = 200;
    Watched t(cfg, few_frames(cfg, 12, 8), d, w, some_pages(5000, 40, seed_of_run()));
    EXPECT_TRUE(t.all(1000000));
    t.expect_order();
    const gmmu_counters c = gmmu_tier_counters(&t.run.unit);
    EXPECT_EQ(c.replays + c.again + c.lost, 0u);
    EXPECT_EQ(c.walks, t.run.walker.counts().walks + t.run.walker.counts().repeated);
    EXPECT_GT(t.witness.seen.used, 1000u);
}

// ---- fresh frames

// All frames are fresh: NONE; after replays the page that was used leaves; by force a fresh page.
TEST(Time, FreshFramesLeaveByForceAlone) {
    const gmmu_config cfg = sizes("tiny");
    for (unsigned search = 0; search < 3; search++) {
        SCOPED_TRACE(search);
        gmmu_regs regs = few_frames(cfg, 3, 10);
        regs.search = search;
        Bare b(cfg, regs);
        for (uint64_t p = 0; p < 3; p++) {
            b.walk(p, -1);
            (void)b.op(GMMU_FILL, static_cast<uint32_t>(p), p);
        }
        b.decisions.clear();
        b.walk(9, -1);
        ASSERT_EQ(b.decisions.size(), 1u);
        EXPECT_EQ(b.decisions[0].tier, GMMU_TIER_NONE + 0u);
        EXPECT_TRUE(b.decisions[0].fresh);
        EXPECT_EQ(b.u.stats.none_fresh, 1u);
        b.walk(1, 1, true);  // page 1 is used
        (void)b.op(GMMU_ASK, 0, 9);
        ASSERT_EQ(b.decisions.size(), 2u);
        EXPECT_EQ(b.decisions[1].tier, GMMU_TIER_2 + 0u);
        EXPECT_EQ(b.decisions[1].frame, 1u);
        (void)b.op(GMMU_ASK, 0, 8);
        ASSERT_EQ(b.decisions.size(), 3u);
        EXPECT_EQ(b.decisions[2].tier, GMMU_TIER_NONE + 0u);
        (void)b.op(GMMU_ASK, 0, 8, true);
        ASSERT_EQ(b.decisions.size(), 4u);
        EXPECT_EQ(b.decisions[3].tier, GMMU_TIER_2 + 0u);
        if (search != GMMU_SEARCH_CLOCK) {
            EXPECT_EQ(b.decisions[3].frame, 0u);  // the oldest
        }
    }
}

// cfg_fresh N: a page that is not used is fresh for 2^N to 2^(N + 1) walks and replays.
TEST(Time, FreshEnds) {
    const gmmu_config cfg = sizes("tiny");
    for (unsigned n = 1; n < 9; n++)
        for (unsigned before = 0; before < 40; before++) {
            Bare b(cfg, few_frames(cfg, 2, n));
            (void)b.op(GMMU_FILL, 0, 0);
            for (unsigned i = 0; i < before; i++) b.walk(0, 0, i % 3 == 0);
            b.walk(1, -1);
            (void)b.op(GMMU_FILL, 1, 1);
            unsigned went = 0;
            for (; gmmu_frame_table_get(&b.u.frames.table, 1).fresh && went < 2000; went++)
                b.walk(0, 0, went % 2);
            ASSERT_GE(went, 1u << n) << n << ", " << before;
            ASSERT_LE(went, 2u << n) << n << ", " << before;
        }
}

}  // namespace
