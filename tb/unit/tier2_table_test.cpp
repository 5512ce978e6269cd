// SPDX-License-Identifier: Apache-2.0
// tier2_table_test.cpp: the slots of Tier 2, RTL against C twin in every cycle.
//
// State space: one to a few slots in play, first and last among them, so that operations meet on a
// slot; reads in every cycle, operations that may write with four cycles of none behind them, and
// with gaps; every change from every state that it is made in; pages and times that are the slot's,
// or differ in one bit; ages around the clamp, time that wraps and jumps; slots beyond cfg_slots
// and beyond the last one; all slots after a reset; a reset in the middle of a run. Parameter
// space: the configuration that it is built for (one slot, numbers of slots that are no power of
// two), cfg_slots from none to all; the three RAM collision models, random initial state. With bits
// that turn over in words as they are written: a slot is as in the twin, or told bad, from the
// first look on until PUT or EMPTY.
#include <vector>

#include "bench.h"

namespace {

enum Op { LOOK, PUT, EMPTY, RISE, LEAVE, STAY, AGE, OPS };

struct Style {
    unsigned slots = 1;  // in play
    unsigned often = 0;  // permille of the cycles bring an operation, if they may
    unsigned write = 0;  // permille of those may write
    unsigned jump = 0;   // permille of the cycles move time
    uint64_t cycles = 0;
};

class Tier2Table : public bench::Block {
   public:
    uint64_t done[OPS] = {}, clamps = 0, mine = 0, nearly = 0, beyond = 0;
    // looks at slots whose word turned bad, such slots that were held, those that are known to have
    // been
    uint64_t bad = 0, was_held = 0, counts = 0;

    explicit Tier2Table(const bench::Setup &s) : Block("tier2_table", s) {
        dut->rst = 0;
        dut->clear = 0;
        noise();
    }

    void reset() {
        dut->rst = 1;
        for (uint64_t i = rng.below(4) + 3; i > 0; i--) {
            noise();
            tick();
        }
        dut->rst = 0;
        stage_[0] = stage_[1] = stage_[2] = stage_[3] = {};
        for (int i = 0; i < 3; i++) {  // the unit may begin later
            noise();
            settle();
            expect("cleared without being told to", dut->cleared, 0);
            edge();
        }
        dut->clear = 1;
        for (uint32_t i = 0; i < cfg.t2_slots; i++) {
            noise();
            settle();
            expect("cleared too soon", dut->cleared, 0);
            edge();
        }
        for (int i = 0; i < 6; i++) {  // others may take longer
            noise();
            settle();
            expect("cleared", dut->cleared, 1);
            edge();
        }
        dut->clear = 0;
        memory.arena.used = 0;
        twin_ = {};
        (void)gmmu_tier2_table_init(&twin_, &cfg, &memory.arena);
        for (uint32_t i = 0; i < cfg.t2_slots; i++) {  // the arena's bytes are of the run before
            twin_.slots.table.seen[i] = {};
            twin_.slots.table.page[i] = {};
        }
        pages_.assign(1, {});
        bad_.assign(cfg.t2_slots, false);
        turns_ = turned_ = false;
        all_free();
    }

    bool run(const Style &s) {
        drain();
        const uint32_t n = cfg.t2_slots, some[] = {0, 1, n - 1, n, n / 2};
        enabled_ = rng.below(3) == 0 ? static_cast<uint32_t>(rng.below(n + 1)) : n;
        if (rng.below(4) == 0)
            enabled_ = some[rng.below(5)];
        pool_ = {n - 1, 0};
        if (enabled_ != 0 && enabled_ < n)
            pool_ = {enabled_, enabled_ - 1};
        while (pool_.size() < s.slots) pool_.push_back(static_cast<uint32_t>(rng.below(n)));
        pool_.resize(s.slots);
        pages_.clear();
        for (unsigned i = 0; i < 2 * s.slots; i++)
            pages_.push_back(
                i % 2 == 0 ? Page{static_cast<uint32_t>(rng.bits(cfg.asid_w)), rng.edgy(cfg.vpn_w)}
                           : near(pages_[i - 1]));
        for (uint64_t i = 0; i < s.cycles && ok(); i++) cycle(&s);
        drain();
        return ok();
    }

    // Words turned bad; most of the slots that were held are known as such: a bit of the state
    // seldom turns.
    void expect_counted() {
        expect("bad words, and held ones", bad >= 50 && was_held >= 10, 1);
        expect("are counted", 2 * counts > was_held, 1);
    }

   private:
    struct Page {
        uint32_t asid = 0;
        uint64_t vpn = 0;
    };
    struct Stage {
        bool valid = false;
        Op op = LOOK;
        uint32_t slot = 0, enabled = 0, time = 0, expect = 0;
        Page page;
    };
    gmmu_tier2_table twin_ = {};
    Stage stage_[4];  // at s0, s1, s2, s3
    std::vector<uint32_t> pool_;
    std::vector<Page> pages_;
    uint32_t enabled_ = 0;
    std::vector<bool> bad_;  // of each slot: its word was seen bad, and not written since
    bool turned_ = false, turns_ = false;  // `turned`; it turns over with the next edge
    uint32_t turns_slot_ = 0;
    uint64_t now_ = 0;
    unsigned wait_ = 0;  // cycles without an operation

    const unsigned slot_bits_ = gmmu_index_bits(cfg.t2_slots);
    const unsigned row_bits_ = gmmu_index_bits(cfg.classes);
    // Each slot, or as many as there is time for, from its first to its last.
    void all_free() {
        const uint32_t n = cfg.t2_slots, most = 2048;
        const uint64_t from = n > most ? rng.below(n) : 0;
        enabled_ = n;
        wait_ = 0;
        for (uint32_t i = 0; i < (n > most ? most : n) && ok(); i++) {
            pool_.assign(1, static_cast<uint32_t>((from + (n > most ? 31ull * i : i)) % n));
            looking_ = true;
            cycle(&look_);
        }
        looking_ = false;
        drain();
    }
    static constexpr Style look_ = {.slots = 1, .often = 1000};
    bool looking_ = false;

    uint32_t pack(gmmu_class c) const { return static_cast<uint32_t>(c.row) << cfg.gen_w | c.gen; }
    uint32_t time(uint64_t t) const { return static_cast<uint32_t>(t & bench::mask(cfg.time_w)); }
    bool exists(uint32_t slot) const { return slot < cfg.t2_slots; }
    unsigned state(uint32_t slot) const {
        return exists(slot) ? gmmu_tier2_table_state(&twin_, slot) : 0u;
    }
    Page near(Page p) {
        if (rng.below(cfg.vpn_w + cfg.asid_w) < cfg.vpn_w)
            p.vpn ^= 1ull << rng.below(cfg.vpn_w);
        else
            p.asid ^= 1u << rng.below(cfg.asid_w);
        return p;
    }

    // Nothing is asked for; what stands beside is noise.
    void noise() {
        dut->s1_valid = begun_;
        begun_ = false;
        dut->s0_slot = rng.bits(slot_bits_);
        dut->cfg_slots = dut->rst || rng.below(4) == 0 ? rng.below(cfg.t2_slots + 1) : enabled_;
        dut->s2_asid = rng.bits(cfg.asid_w);
        dut->s2_vpn = rng.bits(cfg.vpn_w);
        dut->s2_time = rng.bits(cfg.time_w);
        dut->s2_expect = rng.bits(cfg.time_w);
        dut->s3_slot = rng.bits(slot_bits_);
        dut->s3_put = dut->s3_empty = dut->s3_rise = dut->s3_leave = dut->s3_stay = dut->s3_age = 0;
        dut->put_asid = rng.bits(cfg.asid_w);
        dut->put_vpn = rng.bits(cfg.vpn_w);
        dut->put_class = rng.bits(row_bits_ + cfg.gen_w);
        dut->put_last = rng.bits(cfg.time_w);
        dut->put_dirty = dut->put_bad = rng.below(2);
    }

    void drain() {
        for (int i = 0; i < 6; i++) cycle(nullptr);
    }

    // An operation begins, one is compared, one takes effect.
    void cycle(const Style *s) {
        if (s != nullptr && rng.chance(s->jump))
            jump();
        noise();
        for (int i = 3; i > 0; i--) stage_[i] = stage_[i - 1];
        stage_[0] = {};
        stage_[1].enabled = static_cast<uint32_t>(dut->cfg_slots);
        if (wait_ != 0)
            wait_--;
        else if (s != nullptr && rng.chance(s->often))
            begin(*s);
        if (stage_[2].valid)
            compare(stage_[2]);
        if (stage_[3].valid)
            effect(stage_[3]);  // what is read at s0 is another slot, or does not change
        now_ += rng.below(2);
        edge_after();
    }
    void edge_after() {
        settle();
        told();
        if (stage_[3].valid)
            check(stage_[3]);
        else
            expect("clamped without AGE", dut->s3_clamped, 0);
        change();
        edge();
    }

    // `turned`, and the slot, a cycle after the operation.
    void told() {
        expect("turned", dut->turned, turned_ != turns_);
        if (turns_)
            expect("of this slot", dut->bad_slot, turns_slot_);
        turned_ = dut->turned;
        turns_ = false;
    }
    // The slot's word was read, and had turned bad: nothing of it holds until it is written.
    bool spoilt(const Stage &a) {
        const bool is = dut->s3_bad;
        if (setup.flip == 0 || bad_[a.slot])
            expect("bad", is, bad_[a.slot]);
        const bool held = is && !bad_[a.slot] && state(a.slot) == GMMU_SLOT_HELD;
        was_held += held;
        counts += held && dut->s3_counts;
        bad_[a.slot] = is;
        turns_ = is && a.slot < a.enabled;
        turns_slot_ = a.slot;
        bad += is;
        if (is) {
            expect("held, bad", dut->s3_held, 0);
            expect("rising, bad", dut->s3_rising, 0);
            expect("leaving, bad", dut->s3_leaving, 0);
            expect("clamped, bad", dut->s3_clamped, 0);
        }
        return is;
    }

    void begin(const Style &s) {
        Stage &a = stage_[0];
        a.valid = true;
        a.op = rng.chance(s.write) ? static_cast<Op>(PUT + rng.below(OPS - PUT)) : LOOK;
        a.slot = pool_[rng.below(pool_.size())];
        if (!looking_ && rng.below(16) == 0)
            a.slot = static_cast<uint32_t>(rng.bits(slot_bits_));
        if (!exists(a.slot) && a.op == AGE)
            a.op = LOOK;
        wait_ = a.op != LOOK ? 4 : 0;
        begun_ = true;
        dut->s0_slot = a.slot;
    }

    // s2: with a page, with a last access
    void compare(Stage &a) {
        gmmu_frame is = {};
        if (exists(a.slot))
            is = gmmu_tier2_table_get(&twin_, a.slot);
        a.page = pages_[rng.below(pages_.size())];
        if (rng.below(3) != 0)
            a.page = {is.asid, is.vpn};
        if (rng.below(4) == 0)
            a.page = near(a.page);
        a.expect = rng.below(3) == 0 ? time(rng.bits(cfg.time_w)) : is.last;
        if (rng.below(3) == 0)
            a.expect ^= 1u << rng.below(cfg.time_w);
        a.time = time(now_);
        dut->s2_asid = a.page.asid;
        dut->s2_vpn = a.page.vpn;
        dut->s2_expect = a.expect;
        dut->s2_time = a.time;
    }

    // s3: what becomes of it, as its state and the one who asks allow
    struct Change {
        Op op = LOOK;
        uint32_t slot = 0, time = 0;
        gmmu_frame page;
        bool bad = false;  // PUT: what comes had turned bad
    } change_;
    bool begun_ = false;  // an operation, in the cycle before
    void effect(const Stage &a) {
        settle();
        const bool lost = exists(a.slot) && dut->s3_bad;
        const unsigned is = lost ? 0u + GMMU_SLOT_FREE : state(a.slot);
        const bool enabled = a.slot < a.enabled && exists(a.slot);
        Change &c = change_;
        c = {};
        c.slot = a.slot;
        c.time = a.time;
        dut->s3_slot = a.slot;
        if (a.op == AGE) {
            dut->s3_age = 1;
            c.op = AGE;
        } else if (!enabled || rng.below(8) == 0) {
            return;  // it is refused
        } else if (a.op == PUT && is != GMMU_SLOT_HELD) {
            const Page p = pages_[rng.below(pages_.size())];
            c.page.asid = p.asid;
            c.page.vpn = p.vpn;
            c.page.valid = true;
            c.page.cls = {static_cast<uint16_t>(rng.bits(row_bits_)),
                          static_cast<uint16_t>(rng.bits(cfg.gen_w))};
            c.page.last = time(rng.below(2) ? now_ - rng.below(4) : rng.edgy(cfg.time_w));
            c.page.dirty = rng.below(2);
            dut->s3_put = 1;
            dut->put_asid = p.asid;
            dut->put_vpn = p.vpn;
            dut->put_class = pack(c.page.cls);
            dut->put_last = c.page.last;
            dut->put_dirty = c.page.dirty;
            // (with flips one may make it even again)
            c.bad = setup.flip == 0 && cfg.parity && rng.chance(20);
            dut->put_bad = c.bad;
            c.op = PUT;
        } else if (a.op == EMPTY) {
            dut->s3_empty = 1;
            c.op = EMPTY;
        } else if (a.op == RISE && is == GMMU_SLOT_HELD) {
            dut->s3_rise = 1;
            c.op = RISE;
        } else if (a.op == LEAVE && is == GMMU_SLOT_HELD) {
            dut->s3_leave = 1;
            c.op = LEAVE;
        } else if (a.op == STAY && (is == GMMU_SLOT_RISING || is == GMMU_SLOT_LEAVING)) {
            dut->s3_stay = 1;
            c.op = STAY;
        }
    }
    void change() {
        const Change c = change_;
        change_ = {};
        if (!stage_[3].valid)
            return;
        actions++;
        done[c.op]++;
        if (c.op == PUT || c.op == EMPTY)
            bad_[c.slot] = c.bad;
        if (c.op == PUT)
            gmmu_tier2_table_put(&twin_, c.slot, c.page);
        else if (c.op == EMPTY)
            gmmu_tier2_table_free(&twin_, c.slot);
        else if (c.op == RISE || c.op == LEAVE || c.op == STAY)
            gmmu_tier2_table_set(&twin_, c.slot,
                                 c.op == RISE    ? GMMU_SLOT_RISING
                                 : c.op == LEAVE ? GMMU_SLOT_LEAVING
                                                 : GMMU_SLOT_HELD);
    }

    void check(const Stage &a) {
        const unsigned is = state(a.slot);
        bool clamped = false;
        expect("enabled", dut->s3_enabled, a.slot < a.enabled);
        if (!exists(a.slot)) {
            beyond++;
            return;
        }
        if (spoilt(a))
            return;
        expect("counts", dut->s3_counts, is == GMMU_SLOT_HELD);
        expect("held", dut->s3_held, is == GMMU_SLOT_HELD);
        expect("rising", dut->s3_rising, is == GMMU_SLOT_RISING);
        expect("leaving", dut->s3_leaving, is == GMMU_SLOT_LEAVING);
        if (is != GMMU_SLOT_FREE) {
            const gmmu_frame f = gmmu_tier2_table_get(&twin_, a.slot);
            const bool has = gmmu_tier2_table_has(&twin_, a.slot, a.page.asid, a.page.vpn);
            expect("of the page", dut->s3_mine, has);
            expect("last accessed when expected", dut->s3_expected, a.expect == f.last);
            expect("dirty", dut->s3_dirty, f.dirty);
            expect("asid", dut->s3_asid, f.asid);
            expect("vpn", dut->s3_vpn, f.vpn);
            expect("class", dut->s3_class, pack(f.cls));
            expect("last access", dut->s3_last, f.last);
            expect("age", dut->s3_interval, time(a.time - f.last));
            mine += has;
            nearly += !has;
        }
        if (change_.op == AGE)
            clamped = gmmu_tier2_table_age(&twin_, a.slot, change_.time);
        expect("clamped", dut->s3_clamped, clamped);
        clamps += clamped;
    }

    // Time moves to where a slot's age is about the clamp, across 0, or anywhere.
    void jump() {
        const uint32_t slot = pool_[rng.below(pool_.size())];
        const uint64_t by = rng.below(7) - 3;
        switch (rng.below(3)) {
            case 0:
                if (exists(slot))
                    now_ =
                        gmmu_tier2_table_get(&twin_, slot).last + (1ull << (cfg.time_w - 2)) + by;
                break;
            case 1:
                now_ = by;
                break;
            default:
                now_ += rng.edgy(cfg.time_w - 1);
        }
    }
};

bench::Outcome run(const bench::Setup &s) {
    const Style styles[] = {
        {.slots = 1, .often = 1000, .write = 700, .jump = 50, .cycles = 3000},
        {.slots = 2, .often = 1000, .write = 500, .jump = 20, .cycles = 4000},
        {.slots = 3, .often = 600, .write = 800, .jump = 100, .cycles = 4000},
        {.slots = 8, .often = 1000, .write = 300, .jump = 5, .cycles = 4000},
        {.slots = 16, .often = 900, .write = 900, .jump = 30, .cycles = 6000},
        {.slots = 5, .often = 1000, .write = 100, .jump = 200, .cycles = 4000},
    };
    Tier2Table b(s);
    b.reset();
    for (const Style &style : styles)
        if (!b.mismatch.found)
            (void)b.run(style);
    if (!b.mismatch.found) {
        b.reset();  // whatever was under way and in the slots is gone
        (void)b.run(styles[4]);
    }
    bench::Outcome o;
    if (!o.add(b) || !bench::config().parity)
        return o;
    bench::Setup flips = s;
    flips.flip = 8;
    Tier2Table f(flips);
    f.reset();
    for (int i = 0; i < 4 && !f.mismatch.found; i++) (void)f.run(styles[4]);
    for (const Style &style : styles)
        if (!f.mismatch.found)
            (void)f.run(style);
    f.expect_counted();
    o.add(f);
    return o;
}

#ifdef GMMU_FAULTS

TEST(Tier2TableFaults, EachIsSeen) {
    bench::expect_faults_seen("tier2_table", 2, run);
}

#else

TEST(Tier2Table, LockStep) {
    bench::expect_lockstep("tier2_table", 8, run);
}

TEST(Tier2Table, LooksInEveryCycle) {
    Tier2Table b({.ram = "garbage", .seed = bench::seed_of_run()});
    const uint64_t n = 20000;
    b.reset();
    for (int i = 0; i < 4; i++)
        EXPECT_TRUE(b.run({.slots = 8, .often = 1000, .write = 600, .jump = 20, .cycles = n}))
            << b.mismatch.text();
    // the stimuli are worth it
    for (int op = 0; op < OPS; op++) EXPECT_GT(b.done[op], n / 200) << op;
    EXPECT_GT(b.clamps, n / 400);
    EXPECT_GT(b.mine, n / 20);
    EXPECT_GT(b.nearly, n / 50);
    b.reset();
    const uint64_t looks = b.actions;
    EXPECT_TRUE(b.run({.slots = 8, .often = 1000, .jump = 20, .cycles = n})) << b.mismatch.text();
    EXPECT_EQ(b.actions, looks + n);
}

TEST(Tier2Table, WordsThatTurnBad) {
    if (!bench::config().parity)
        return;
    Tier2Table b({.ram = "garbage", .seed = bench::seed_of_run(), .flip = 20});
    b.reset();
    for (int i = 0; i < 20; i++)
        EXPECT_TRUE(b.run({.slots = 8, .often = 1000, .write = 500, .jump = 20, .cycles = 5000}))
            << b.mismatch.text();
    EXPECT_GT(b.bad, 1000u);
    std::printf("tier2_table (%s): %llu operations, %llu of them on a word that had turned bad\n",
                GMMU_CONFIG_NAME, (unsigned long long)b.actions, (unsigned long long)b.bad);
}

#endif

}  // namespace
