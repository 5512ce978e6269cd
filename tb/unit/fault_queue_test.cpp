// SPDX-License-Identifier: Apache-2.0
// fault_queue_test.cpp: the outstanding faults, RTL against C twin in every cycle.
//
// State space: faults of few pages or of many, some that differ in one bit only, so that both ports
// meet on a page and on an entry in one cycle; queue empty to full; every operation on undecided,
// decided and filled faults and on pages that have none; pages in play that nobody asks for; ages
// around the clamp, time that wraps and jumps; sequence numbers that wrap; reset in the middle of a
// run; at the end of a run all that is left is asked for and decided. Parameter space: the
// configuration that it is built for (one entry, numbers of entries that are no power of two);
// random initial state.
#include <set>
#include <utility>
#include <vector>

#include "bench.h"

namespace {

struct Style {
    unsigned pages = 1;   // in play
    unsigned walk = 0;    // permille of the cycles bring a fault
    unsigned side = 0;    // permille of the cycles bring a side operation
    unsigned decide = 0;  // permille of the side operations are decisions, if there is a head
    unsigned same = 0;    // permille of the walks have the page of the side operation
    unsigned jump = 0;    // permille of the cycles move time
    uint64_t cycles = 0;
};

struct Page {
    uint32_t asid;
    uint64_t vpn;
};

class FaultQueue : public bench::Block {
   public:
    uint64_t queued = 0, joined = 0, dropped = 0, decided = 0, given_up = 0, ended = 0, clamps = 0;
    uint64_t both = 0;  // cycles in which both ports ask for one page

    explicit FaultQueue(const bench::Setup &s) : Block("fault_queue", s) {
        dut->rst = 0;
        idle();
    }

    void reset() {
        memory.arena.used = 0;
        gmmu_fault_queue_init(&twin_, &cfg, &memory.arena);
        dut->rst = 1;
        next_ = ahead_ = {};
        undecided_ = popped_ = stood_ = was_read_ = false;
        for (uint64_t i = rng.below(4) + 1; i > 0; i--) {
            idle();
            dut->w_fault = rng.below(2);
            dut->s_ask = rng.below(2);
            tick();
        }
        dut->rst = 0;
    }

    bool run(const Style &s) {
        do  // of many pages more than there are entries are different
            some_pages(s.pages);
        while (s.pages >= 2 * cfg.faults && different() <= cfg.faults);
        for (uint64_t i = 0; i < s.cycles && ok(); i++) cycle(s);
        return ok();
    }

    // Looks at every page and every head until nothing is undecided.
    void drain() {
        for (const Page &p : pages_) step({CANCEL, p, 0}, {});
        while (ok() && gmmu_fault_queue_head(&twin_) >= 0)
            step({rng.below(2) ? DECIDE : GIVE_UP, pages_[0], 0}, {});
        for (const Page &p : pages_) step({FILL, p, 0}, {});
        for (int i = 0; i < 5; i++) step({NONE, {}, 0}, {});
    }

   private:
    enum Op { NONE, FILL, CANCEL, ASK, AGE, DECIDE, GIVE_UP };
    struct Side {
        Op op;
        Page page;
        unsigned entry;       // AGE
        gmmu_class cls = {};  // of a page that has no fault, and its last access
        uint32_t last = 0;
    };
    struct Walk {
        bool fault;
        Page page;
        gmmu_class cls;
        bool write;
    };
    // A cycle's operations, and time before the walk.
    struct Step {
        Side side;
        Walk walk;
        uint64_t now;
    };
    gmmu_fault_queue twin_ = {};
    std::vector<Page> pages_;
    uint64_t now_ = 0;                         // of the step that is made
    bool jumps_ = false;                       // time does, before the next step
    Step next_ = {};                           // the DUT knows its pages, time and entry
    Step ahead_ = {};                          // the one after it: its pages
    bool stood_ = false;                       // the head, in the cycle before
    bool undecided_ = false, popped_ = false;  // of the cycle before: a head before it, none after
    bool was_read_ = false;                    // in the cycle before the head was read

    const unsigned slot_bits_ = gmmu_index_bits(cfg.t2_slots);
    const unsigned row_bits_ = gmmu_index_bits(cfg.classes);
    uint32_t pack(gmmu_class c) const { return static_cast<uint32_t>(c.row) << cfg.gen_w | c.gen; }
    gmmu_class random_class() {
        return {static_cast<uint16_t>(rng.bits(row_bits_)),
                static_cast<uint16_t>(rng.bits(cfg.gen_w))};
    }
    // Few, so that some are named, and such as differ from these in one bit.
    uint32_t slot() {
        const uint32_t one = rng.below(3) ? 0 : 1u << rng.below(slot_bits_);
        return static_cast<uint32_t>((rng.below(3) ^ one) & bench::mask(slot_bits_));
    }
    uint32_t limit() const { return 1u << (cfg.time_w - 2); }
    uint32_t time(uint64_t t) const { return static_cast<uint32_t>(t & bench::mask(cfg.time_w)); }

    void some_pages(unsigned n) {
        pages_.clear();
        for (unsigned i = 0; i < n; i++)
            pages_.push_back({static_cast<uint32_t>(rng.bits(cfg.asid_w)), rng.edgy(cfg.vpn_w)});
        for (unsigned i = 1; i < n; i += 2) {  // every second one is nearly the one before
            pages_[i] = pages_[i - 1];
            if (rng.below(2))
                pages_[i].vpn ^= 1ull << rng.below(cfg.vpn_w);
            else
                pages_[i].asid ^= 1u << rng.below(cfg.asid_w);
        }
    }
    unsigned different() const {
        std::set<std::pair<uint32_t, uint64_t>> all;
        for (const Page &p : pages_) all.insert({p.asid, p.vpn});
        return static_cast<unsigned>(all.size());
    }

    // Any page, often one in play.
    Page noise() {
        if (!pages_.empty() && rng.below(2))
            return pages_[rng.below(pages_.size())];
        return {static_cast<uint32_t>(rng.bits(cfg.asid_w)), rng.bits(cfg.vpn_w)};
    }

    // Nothing is asked for; what stands beside is noise.
    void idle() {
        dut->s_fill = dut->s_cancel = dut->s_ask = dut->s_age = dut->s_decide = dut->s_give_up = 0;
        dut->w_fault = 0;
        const Page side = noise(), walk = noise();
        dut->s_asid = side.asid;
        dut->s_vpn = side.vpn;
        dut->w_asid = walk.asid;
        dut->w_vpn = walk.vpn;
        dut->s_time = rng.bits(cfg.time_w);
        dut->w_time = rng.bits(cfg.time_w);
        dut->w_class = pack(random_class());
        dut->w_write = rng.below(2);
        dut->s_age_entry = rng.below(cfg.faults);
        const Page next_side = noise(), next_walk = noise();
        const Page ahead_side = noise(), ahead_walk = noise();
        dut->b_s_asid = ahead_side.asid;
        dut->b_s_vpn = ahead_side.vpn;
        dut->b_w_asid = ahead_walk.asid;
        dut->b_w_vpn = ahead_walk.vpn;
        dut->a_s_asid = next_side.asid;
        dut->a_s_vpn = next_side.vpn;
        dut->a_w_asid = next_walk.asid;
        dut->a_w_vpn = next_walk.vpn;
        dut->a_time = rng.bits(cfg.time_w);
        dut->s_t2 = rng.below(2);
        dut->w_t2 = rng.below(2);
        dut->s_slot = dut->a_s_slot;
        dut->a_s_slot = dut->b_s_slot;
        dut->b_s_slot = slot();
        dut->w_slot = dut->a_w_slot;
        dut->a_w_slot = slot();
    }

    void cycle(const Style &s) {
        if (jumps_)
            jump();
        Side side = {NONE, pages_[rng.below(pages_.size())],
                     static_cast<unsigned>(rng.below(cfg.faults))};
        if (rng.chance(s.side)) {
            if (rng.chance(s.decide))
                side.op = rng.chance(800) ? DECIDE : GIVE_UP;
            else
                side.op = ahead_.side.op == AGE ? by_page()
                                                : static_cast<Op>(FILL + rng.below(AGE - FILL + 1));
        }
        Walk walk = {rng.chance(s.walk), pages_[rng.below(pages_.size())], random_class(),
                     rng.chance(300)};
        jumps_ = rng.chance(s.jump);
        walk.fault &= !jumps_;  // a walk's time is that of the next cycle
        if (rng.chance(s.same))
            walk.page = side.page;
        step(side, walk);
    }

    // Time moves to where an entry's age is about the clamp, across 0, or anywhere.
    void jump() {
        const uint64_t near = rng.below(5) - 2;
        switch (rng.below(3)) {
            case 0:
                now_ = twin_.fault[rng.below(cfg.faults)].last + limit() + near;
                break;
            case 1:
                now_ = near;
                break;
            default:
                now_ += rng.edgy(cfg.time_w - 1);
        }
    }

    Op by_page() { return static_cast<Op>(FILL + rng.below(AGE - FILL)); }

    // One cycle: the side operation and the walk of the step before the last, with what it is to
    // know of the last one and of this one; then what was compared is clocked in.
    void step(const Side &side_ahead, const Walk &walk_ahead) {
        idle();
        const Step then = ahead_;
        ahead_ = {side_ahead, walk_ahead, now_};
        if (ahead_.side.op != NONE) {
            dut->b_s_asid = ahead_.side.page.asid;
            dut->b_s_vpn = ahead_.side.page.vpn;
        }
        if (ahead_.walk.fault) {
            now_++;
            dut->b_w_asid = ahead_.walk.page.asid;
            dut->b_w_vpn = ahead_.walk.page.vpn;
        }
        dut->a_time = time(then.now);
        if (then.side.op != NONE) {
            dut->a_s_asid = then.side.page.asid;
            dut->a_s_vpn = then.side.page.vpn;
        }
        if (then.walk.fault) {
            dut->a_w_asid = then.walk.page.asid;
            dut->a_w_vpn = then.walk.page.vpn;
        }
        if (then.side.op == AGE)
            dut->s_age_entry = then.side.entry;
        act(next_);
        next_ = then;
    }

    // A decision where there is no head yet is an operation on a page.
    void act(const Step &in) {
        Side s = in.side;
        const Walk &w = in.walk;
        const bool head_is_known = was_read_ && !popped_, head_stood = stood_ && head_is_known;
        was_read_ = undecided_ && !popped_;
        stood_ = head_is_known;
        if ((s.op == DECIDE || s.op == GIVE_UP) && !head_stood)
            s.op = by_page();
        const uint32_t now = time(in.now);
        s.cls = random_class();
        s.last = rng.below(4) ? now : time(rng.bits(cfg.time_w));
        dut->s_else_class = pack(s.cls);
        dut->s_else_last = s.last;
        dut->s_time = now;
        if (s.op == FILL || s.op == CANCEL || s.op == ASK) {
            dut->s_fill = s.op == FILL;
            dut->s_cancel = s.op == CANCEL;
            dut->s_ask = s.op == ASK;
            dut->s_asid = s.page.asid;
            dut->s_vpn = s.page.vpn;
        }
        dut->s_age = s.op == AGE;
        if (s.op == AGE)
            dut->s_age_entry = s.entry;
        dut->s_decide = s.op == DECIDE;
        dut->s_give_up = s.op == GIVE_UP;
        dut->w_fault = w.fault;
        const uint32_t then = time(in.now + 1);
        if (w.fault) {
            dut->w_asid = w.page.asid;
            dut->w_vpn = w.page.vpn;
            dut->w_class = pack(w.cls);
            dut->w_write = w.write;
            dut->w_time = then;
        }
        settle();
        head(head_is_known);
        undecided_ = gmmu_fault_queue_head(&twin_) >= 0;
        popped_ = s.op == DECIDE || s.op == GIVE_UP;
        side(s, now);
        if (w.fault)
            walk(w, then);
        both += w.fault && (s.op == FILL || s.op == CANCEL || s.op == ASK) &&
                w.page.vpn == s.page.vpn && w.page.asid == s.page.asid;
        actions += (s.op != NONE) + w.fault;
        edge();
    }

    bool full() const {
        for (unsigned i = 0; i < cfg.faults; i++)
            if (!twin_.fault[i].valid)
                return false;
        return true;
    }

    void head(bool known) {
        const int i = gmmu_fault_queue_head(&twin_);
        expect("a fault waits", dut->waiting, i >= 0);
        expect("a head", dut->head_valid, known);
        expect("full", dut->s_full, full());
        expect("a slot is named", dut->s_named, gmmu_fault_queue_named(&twin_, dut->s_slot));
        if (!known)
            return;
        const gmmu_fault &f = twin_.fault[i];
        expect("head's entry", dut->head_entry, static_cast<unsigned>(i));
        expect("head filled", dut->head_filled, f.filled);
        expect("head's asid", dut->head_asid, f.asid);
        expect("head's vpn", dut->head_vpn, f.vpn);
        expect("head's number", dut->head_seq, f.seq);
        expect("head is in Tier 2", dut->head_t2, f.t2);
        if (f.t2)
            expect("head's slot", dut->head_slot, f.slot);
    }

    // The page's fault as it was.
    void found(const gmmu_fault_found &f) {
        expect("side hit", dut->s_hit, f.fault.valid);
        expect("side decided", dut->s_decided, f.fault.decided);
        expect("side class", dut->s_class, f.fault.valid ? pack(f.fault.cls) : 0);
        expect("side last access", dut->s_last, f.fault.valid ? f.fault.last : dut->s_time);
        expect("side dirty", dut->s_dirty, f.fault.dirty);
        if (f.fault.valid)
            expect("side entry", dut->s_entry, f.entry);
        ended += f.fault.decided;
    }

    void side(const Side &s, uint32_t now) {
        if (s.op == FILL) {
            found(gmmu_fault_queue_fill(&twin_, s.page.asid, s.page.vpn));
        } else if (s.op == CANCEL) {
            found(gmmu_fault_queue_cancel(&twin_, s.page.asid, s.page.vpn));
        } else if (s.op == ASK) {
            const gmmu_fault_put p = gmmu_fault_queue_ask(&twin_, s.page.asid, s.page.vpn, now);
            expect("ASK hit", dut->s_hit, p.outcome == GMMU_FAULT_JOINED);
            expect("ASK entry", dut->s_entry, p.entry);
            if (dut->s_t2)
                gmmu_fault_queue_names(&twin_, p, dut->s_slot);
            if (p.outcome == GMMU_FAULT_QUEUED) {
                twin_.fault[p.entry].cls = s.cls;
                twin_.fault[p.entry].last = s.last;
            }
        } else if (s.op == AGE) {
            const bool clamped = gmmu_fault_queue_age(&twin_, s.entry, now, limit());
            expect("AGE clamped", dut->s_clamped, clamped);
            clamps += clamped;
        } else if (s.op == DECIDE) {
            gmmu_fault_queue_decide(&twin_);
            decided++;
        } else if (s.op == GIVE_UP) {
            gmmu_fault_queue_give_up(&twin_);
            given_up++;
        }
        if (s.op != AGE)
            expect("clamped without AGE", dut->s_clamped, 0);
    }

    void walk(const Walk &w, uint32_t now) {
        expect("walk finds it full", dut->w_full, full());
        const gmmu_fault_put p =
            gmmu_fault_queue_walk(&twin_, w.page.asid, w.page.vpn, w.cls, w.write, now);
        expect("walk joined", dut->w_joined, p.outcome == GMMU_FAULT_JOINED);
        expect("walk dropped", dut->w_full && !dut->w_joined, p.outcome == GMMU_FAULT_DROPPED);
        if (p.outcome != GMMU_FAULT_DROPPED)
            expect("walk entry", dut->w_entry, p.entry);
        if (dut->w_t2)
            gmmu_fault_queue_names(&twin_, p, dut->w_slot);
        queued += p.outcome == GMMU_FAULT_QUEUED;
        joined += p.outcome == GMMU_FAULT_JOINED;
        dropped += p.outcome == GMMU_FAULT_DROPPED;
    }
};

bench::Outcome run(const bench::Setup &s) {
    const unsigned n = bench::config().faults;
    // clang-format off
    const Style styles[] = {{.pages = 2, .walk = 1000, .side = 1000, .decide = 300, .same = 500, .jump = 20, .cycles = 4000},
                            {.pages = n + 1, .walk = 1000, .side = 1000, .decide = 300, .same = 200, .jump = 20, .cycles = 6000},
                            {.pages = 2 * n, .walk = 700, .side = 900, .decide = 500, .same = 200, .jump = 5, .cycles = 6000},
                            {.pages = 4 * n, .walk = 200, .side = 900, .decide = 500, .same = 300, .jump = 50, .cycles = 6000},
                            {.pages = 2 * n, .walk = 1000, .side = 300, .decide = 900, .same = 300, .jump = 5, .cycles = 4000},
                            {.pages = 8 * n, .walk = 900, .side = 1000, .decide = 700, .same = 100, .jump = 10, .cycles = 6000},
                            {.pages = 2 * n + 1, .walk = 100, .side = 1000, .decide = 200, .same = 900, .jump = 5, .cycles = 4000}};
    // clang-format on
    FaultQueue b(s);
    b.reset();
    for (const Style &style : styles)
        if (!b.mismatch.found) {
            (void)b.run(style);
            b.drain();
        }
    if (!b.mismatch.found) {
        (void)b.run(styles[1]);
        b.reset();  // in the middle
        (void)b.run(styles[2]);
        b.drain();
    }
    bench::Outcome o;
    o.add(b);
    return o;
}

#ifdef GMMU_FAULTS

TEST(FaultQueueFaults, EachIsSeen) {
    bench::expect_faults_seen("fault_queue", 2, run);
}

#else

TEST(FaultQueue, LockStep) {
    bench::expect_lockstep("fault_queue", 8, run);
}

TEST(FaultQueue, BothPortsInEveryCycle) {
    const unsigned n = bench::config().faults;
    FaultQueue b({.ram = "old", .seed = bench::seed_of_run()});
    const uint64_t cycles = 50000;
    b.reset();
    EXPECT_TRUE(b.run({.pages = 2 * n,
                       .walk = 1000,
                       .side = 1000,
                       .decide = 400,
                       .same = 300,
                       .jump = 20,
                       .cycles = cycles}))
        << b.mismatch.text();
    EXPECT_GT(b.actions, 2 * cycles * 97 / 100);
    // the stimuli are worth it
    EXPECT_GT(b.queued, cycles / 50);
    EXPECT_GT(b.joined, cycles / 20);
    EXPECT_GT(b.dropped, cycles / 50);
    EXPECT_GT(b.decided, cycles / 50);
    EXPECT_GT(b.given_up, cycles / 200);
    EXPECT_GT(b.ended, cycles / 200);
    EXPECT_GT(b.clamps, cycles / 1000);
    EXPECT_GT(b.both, cycles / 20);
}

#endif

}  // namespace
