// SPDX-License-Identifier: Apache-2.0
// rit_export_test.cpp: the exporter's RTL against its C twin: what it takes, drops and sends, beat
// by beat.
//
// State space: walks with and without record, faults, side records, alone and in one cycle, from
// one in every cycle to none for longer than any wait; few rows, so that a row gets another
// reference in the cycle of its record, in the one before and after; consumers that take every
// beat, few, none for so long that the queue is full and the count of drops saturates; packets that
// end between the two records of a cycle; more packets than their number has values; resets at any
// time. Parameter space: the configuration that it is built for; batches of 1 to RITQ records,
// more, 0; waits of 1 to 32768 cycles; registers that change in any cycle; the three RAM collision
// models; random initial state.
#include "blocks/rit_export.h"

#include <algorithm>
#include <deque>
#include <vector>

#include "bench.h"

namespace {

struct Style {
    unsigned walk, rec, fault, side, alloc;  // permille; rec, fault and alloc of the walks
    unsigned ready;                          // permille of the cycles
    unsigned batch, wait;
    bool faults;     // cfg_fault
    unsigned rows;   // in use
    unsigned stall;  // the consumer takes nothing in the first so many cycles
    uint64_t cycles;
    unsigned flicker = 0;  // permille of the cycles in which the registers are any
};

class Export : public bench::Block {
   public:
    uint64_t put = 0, sent = 0, packets = 0, lost = 0, told = 0, both = 0, split = 0, known = 0,
             unknown = 0, waits = 0, by_fault = 0, by_size = 0;
    // `turned`; of these for a name; records that were left out or nameless
    uint64_t turns = 0, by_name = 0, spoiled = 0;
    bool wrapped = false;

    explicit Export(const bench::Setup &s) : Block("rit_export", s) {
        dut->rst = 0;
        dut->walk_valid = dut->side_valid = dut->rec_valid = dut->walk_gone = 0;
    }

    void reset() {
        memory.arena.used = 0;
        gmmu_rit_export_init(&twin_, &cfg, &memory.arena);
        dut->rst = 1;
        for (uint64_t i = rng.below(4); i < 4; i++) {
            noise();
            dut->walk_valid = dut->side_valid = dut->rec_valid = dut->cfg_fault = 1;
            dut->m_tready = rng.below(2);
            dut->cfg_batch = 1;
            tick();
        }
        dut->rst = 0;
        beats_.clear();
        gen_.assign(cfg.classes, -1);
        now_ = rng.edgy(cfg.time_w);
        waited_ = 0;
        batch_ = 1;
        since_send_ = 3;
        side_was_ = walk_was_ = GMMU_RIT_NONE;
        due_[0] = due_[1] = false;
        came_ = false;
        drops_.assign(3, 0);
        ended_at_side_ = stands_ = owed_ = false;
        turned_ = 0;
        put = sent = lost = told = 0;
    }

    // Words turned bad and were told.
    void expect_told() {
        expect("records that turned bad are told", turns >= 50 && spoiled >= 50, 1);
    }
    // Names, too, in a run of records of one kind; of whom a bit of the generation turned over is
    // no longer the row's, and not told.
    void expect_names_told(const Style &s) {
        const uint64_t before = by_name;
        (void)run(s);
        expect("names that turned bad are told", by_name - before >= 20, 1);
    }

    bool run(const Style &s) {
        for (uint64_t i = 0; i < s.cycles && ok(); i++) {
            Style now = s;
            if (rng.chance(s.flicker)) {
                now.batch = static_cast<unsigned>(rng.below(rng.below(2) ? 4 : 256));
                now.faults = rng.below(2);
                now.wait = static_cast<unsigned>(rng.below(16));
            }
            dut->cfg_batch = now.batch;
            dut->cfg_fault = now.faults;
            dut->cfg_wait = now.wait;
            cycle(now, i < s.stall);
        }
        return ok();
    }

    // No more records: all leave, none is missing.
    bool drain() {
        Style rest = {};
        rest.ready = 1000;
        rest.rows = 2;
        rest.batch = 1 + static_cast<unsigned>(rng.below(cfg.ritq));
        rest.cycles = 8 * cfg.ritq + 64;
        (void)run(rest);
        expect("records that left", sent, put);
        expect("idle at rest", dut->idle, 1);
        expect("records that wait", 0, twin_.waiting);
        if (!wrapped)
            expect("drops that headers told", told + twin_.dropped, lost);
        return ok();
    }

   private:
    struct Beat {
        uint32_t words[GMMU_RIT_WORDS];
        bool last, head;
    };
    unsigned turned_ = 0;
    bool stands_ = false, owed_ = false;  // the first beat stood in the cycle before; told now
    uint64_t head_time_ = 0;              // of the packet whose beats leave
    gmmu_rit_export twin_;
    std::deque<Beat> beats_;
    std::vector<int> gen_;  // of each row; -1: none yet
    uint64_t now_ = 0, waited_ = 0;
    unsigned batch_ = 0;                    // cfg_batch of the cycle before
    unsigned since_send_ = 0;               // cycles, at most 3
    unsigned side_was_ = 0, walk_was_ = 0;  // outcomes of the cycle before
    bool due_[2] = {};                      // two cycles before, in the cycle before
    bool came_ = false;                     // a record, in the cycle before
    std::deque<uint32_t> drops_;            // so many, three cycles before and then
    bool ended_at_side_ = false;
    uint64_t interval_ = 0;  // of the record that comes now
    uint32_t class_ = 0;

    const unsigned row_bits = gmmu_index_bits(cfg.classes);
    uint32_t code(gmmu_class c) const { return static_cast<uint32_t>(c.row) << cfg.gen_w | c.gen; }

    void noise() {
        dut->side_class = rng.bits(row_bits + cfg.gen_w);
        dut->rec1_class = class_;  // of the cycle before
        class_ = static_cast<uint32_t>(rng.bits(row_bits + cfg.gen_w));
        dut->walk_class = rng.bits(row_bits + cfg.gen_w);
        dut->side_age = rng.edgy(cfg.time_w);
        dut->rec1_interval = interval_;  // of the cycle before
        interval_ = rng.edgy(cfg.time_w);
        dut->rec_censored = rng.below(2);
        dut->walk_fault = rng.below(2);
        dut->walk_alloc = rng.below(2);
        dut->walk_asid = rng.bits(cfg.asid_w);
        dut->walk_vpn = rng.edgy(cfg.vpn_w);
        dut->walk_ref = rng.edgy(cfg.ref_w);
        dut->now = static_cast<uint32_t>(now_);
    }

    // A row that has a name, or row 0; mostly its present use, else one nearby.
    gmmu_class some_class(unsigned rows) {
        gmmu_class c = {static_cast<uint16_t>(rng.below(std::min(rows, cfg.classes))), 0};
        if (gen_[c.row] < 0)
            c.row = 0;
        c.gen = static_cast<uint16_t>(c.row == 0 ? rng.below(2) : gen_[c.row]);
        if (rng.chance(200))
            c.gen ^= static_cast<uint16_t>(1u << rng.below(cfg.gen_w));
        return c;
    }

    void cycle(const Style &s, bool stall) {
        noise();
        const bool walk = rng.chance(s.walk), side = rng.chance(s.side);
        const bool alloc = walk && rng.chance(s.alloc);  // row 0 too: it has no name all the same
        const bool rec = walk && rng.chance(s.rec), fault = walk && rng.chance(s.fault);
        const gmmu_class side_class = some_class(s.rows);
        gmmu_class at = {static_cast<uint16_t>(rng.bits(row_bits)),
                         static_cast<uint16_t>(rng.bits(cfg.gen_w))};
        // the row goes to nobody: it has no name
        const bool gone = !alloc && rng.chance(s.alloc / 4);
        if (alloc || gone) {
            at.row = static_cast<uint16_t>(rng.below(std::min(s.rows, cfg.classes)));
            at.gen = static_cast<uint16_t>(rng.chance(300)
                                               ? rng.bits(cfg.gen_w)
                                               : (gen_[at.row] + 1) & bench::mask(cfg.gen_w));
        }
        dut->walk_valid = walk;
        dut->side_valid = side;
        dut->rec_valid = rec;
        dut->side_class = code(side_class);
        dut->walk_alloc = walk || gone ? alloc : rng.below(2);
        dut->walk_gone = gone;
        dut->walk_class = code(at);
        if (walk)
            dut->walk_fault = fault;
        dut->m_tready = !stall && rng.chance(s.ready);
        const gmmu_rit_record beside = {side_class, static_cast<uint32_t>(dut->side_age), true};
        if (alloc || gone)
            gen_[at.row] = at.gen;
        const gmmu_class rec_class = some_class(s.rows);
        class_ = code(rec_class);
        const gmmu_rit_record own = {rec_class, static_cast<uint32_t>(interval_),
                                     dut->rec_censored != 0};
        settle();

        const bool on = batch_ != 0;
        expect("stat_drops", dut->stat_drops, drops_.front());
        expect("side record of the cycle before", dut->tvi_side, side_was_);
        expect("record of the walk before", dut->tvi_walk, walk_was_);
        send(s);
        // the side record, then the walk
        unsigned wanted = GMMU_RIT_NONE;
        gmmu_rit_event ev = {};
        came_ = false;
        if (side && on) {
            ev.time = static_cast<uint32_t>(now_);
            gmmu_rit_export_record(&twin_, beside, &ev);
            wanted = gmmu_rit_export_put(&twin_, &ev);
            note(ev, wanted);
        }
        side_was_ = wanted;
        if (alloc)
            gmmu_rit_export_name(&twin_, at, dut->walk_asid, dut->walk_ref);
        if (gone)
            gmmu_rit_export_name(&twin_, at, 0, 0);
        wanted = GMMU_RIT_NONE;
        const uint64_t time = (now_ + 1) & bench::mask(cfg.time_w);
        if (walk && on && (rec || (fault && s.faults))) {
            ev = {};
            ev.access = true;
            ev.fault = fault && s.faults;
            ev.asid = dut->walk_asid;
            ev.vpn = dut->walk_vpn;
            ev.ref = dut->walk_ref;
            ev.time = static_cast<uint32_t>(time);
            if (rec)
                gmmu_rit_export_record(&twin_, own, &ev);
            wanted = gmmu_rit_export_put(&twin_, &ev);
            note(ev, wanted);
        }
        walk_was_ = wanted;
        both += side_was_ == GMMU_RIT_QUEUED && wanted == GMMU_RIT_QUEUED;
        batch_ = s.batch;
        drops_.pop_front();
        drops_.push_back(twin_.drops);
        stream();
        edge();
        if (walk)
            now_ = time;
        if (rng.chance(5))
            now_ = rng.edgy(cfg.time_w);
    }

    void note(const gmmu_rit_event &ev, unsigned outcome) {
        actions++;
        came_ = true;
        put += outcome == GMMU_RIT_QUEUED;
        lost += outcome == GMMU_RIT_DROPPED;
        known += ev.rec && ev.known;
        unknown += ev.rec && !ev.known;
    }

    // A batch that was due two cycles before is closed when no more than the last beat of the
    // packet before is there. The records of the two cycles between still belong to it if it is not
    // full.
    void send(const Style &s) {
        const unsigned most = batch_ == 0 || batch_ > cfg.ritq ? cfg.ritq : batch_;
        const bool full = twin_.waiting >= most, late = waited_ >> s.wait != 0;
        const bool due = twin_.waiting != 0 && (full || twin_.flush || late);
        const bool wanted = due_[0] && beats_.size() <= 1;
        expect("SEND", dut->tvi_send, wanted);
        // nor is a record of the cycle before under way (a drop: a full queue is due)
        const bool idle = beats_.empty() && !due_[0] && !due_[1] && !came_;
        expect("idle", dut->idle, idle);
        expect("rests", dut->rests, idle && twin_.waiting == 0);
        due_[0] = due_[1];
        due_[1] = due;
        since_send_ = wanted ? 0 : std::min(since_send_ + 1, 3u);
        waited_ = wanted || twin_.waiting == 0 ? 0 : std::min<uint64_t>(waited_ + 1, 65535);
        if (!wanted)
            return;
        by_size += full;
        by_fault += !full && twin_.flush;
        waits += !full && !twin_.flush;
        wrapped |= twin_.dropped == 65535;
        gmmu_rit_packet p;
        gmmu_rit_export_send(&twin_, batch_, static_cast<uint32_t>(now_), &p);
        Beat b = {{}, false, true};
        gmmu_rit_pack_head(&cfg, &p.head, b.words);
        beats_.push_back(b);
        for (unsigned i = 0; i < p.head.n; i++) {
            gmmu_rit_pack_event(&cfg, &p.event[i], b.words);
            b.head = false;
            b.last = i + 1 == p.head.n;
            beats_.push_back(b);
        }
        // the next packet begins with the walk of the side record that ended the last one
        split += ended_at_side_ && p.event[0].access;
        ended_at_side_ = !p.event[p.head.n - 1].access;
        told += p.head.dropped;
        packets++;
        actions++;
    }

    // What stands at the port: what was sent, in order and without a gap; a header three cycles
    // after its SEND, if the packet before has left by then; a beat that was not taken stays.
    static uint64_t field(const Beat &b, gmmu_field f) {
        uint64_t value = 0;
        for (unsigned i = 0; i < f.width; i++) {
            const unsigned bit = f.offset + i;
            value |= static_cast<uint64_t>(b.words[bit / 32] >> bit % 32 & 1) << i;
        }
        return value;
    }
    // A record tells nothing but its packet's time, and that is told in the next cycle, or its
    // reference is not known, as a word or a name turned bad.
    bool spoilt(const Beat &b) {
        const gmmu_rit_layout l = gmmu_rit_layout_of(&cfg);
        bool nothing = true, nameless = field(b, l.known) != 0;
        for (const gmmu_field f : {l.rec, l.censored, l.known, l.r_asid, l.r_ref, l.interval,
                                   l.access, l.fault, l.asid, l.vpn, l.ref, l.time}) {
            const uint64_t is = get_bits(dut->m_tdata, f);
            const bool name = f.offset == l.known.offset || f.offset == l.r_asid.offset ||
                              f.offset == l.r_ref.offset;
            nothing = nothing && is == (f.offset == l.time.offset ? head_time_ : 0);
            nameless = nameless && is == (name ? 0 : field(b, f));
        }
        spoiled += dut->m_tready && (nothing || nameless);
        owed_ = nothing && !stands_;
        return nothing || nameless;
    }

    void stream() {
        const bool turns_over = dut->turned != turned_;
        turned_ = dut->turned;
        turns += turns_over;
        if (owed_)
            expect("a record that turned bad is told", turns_over, 1);
        else
            by_name += turns_over;
        owed_ = false;
        if (setup.flip == 0)
            expect("a word that turned bad", dut->turned, 0);
        const bool wanted = !beats_.empty() && (!beats_.front().head || since_send_ == 3);
        if (!expect("m_tvalid", dut->m_tvalid, wanted) || !wanted)
            return;
        const Beat &b = beats_.front();
        const unsigned bits =
            std::max(gmmu_rit_layout_of(&cfg).bits, gmmu_rit_head_layout_of(&cfg).bits);
        const bool other = setup.flip != 0 && !b.head && spoilt(b);
        for (unsigned i = 0; i < bits && !other; i += 32)
            expect(b.head ? "header" : "record",
                   get_bits(dut->m_tdata, {i, std::min(32u, bits - i)}), b.words[i / 32]);
        expect("m_tlast", dut->m_tlast, b.last);
        stands_ = !dut->m_tready;
        if (b.head)
            head_time_ = field(b, gmmu_rit_head_layout_of(&cfg).time);
        if (dut->m_tready) {
            sent += !b.head;
            beats_.pop_front();
        }
    }
};

bench::Outcome run(const bench::Setup &s) {
    bench::Outcome o;
    Export b(s);
    bench::Random any(s.seed * 31 + 7);
    const unsigned q = bench::config().ritq;
    // walk, rec, fault, side, alloc, ready, batch, wait, faults, rows, stall, cycles
    const Style styles[] = {
        {1000, 700, 50, 200, 100, 1000, q, 12, true, 5, 0, 4000},
        {1000, 900, 0, 900, 300, 700, q / 2, 12, false, 4, 0, 4000},
        {600, 500, 300, 300, 500, 900, 1, 3, true, 3, 0, 4000},
        {300, 300, 100, 100, 200, 1000, 3, 2, true, 6, 0, 4000},
        {300, 300, 100, 100, 200, 1000, 5, 0, false, 6, 0, 4000},
        {200, 500, 30, 100, 100, 300, q - 1, 5, true, 1000, 0, 4000},
        {100, 500, 0, 50, 100, 1000, q, 7, true, 1000, 0, 6000},
        {500, 500, 100, 500, 300, 1000, 0, 4, true, 4, 0, 500},
        {500, 500, 100, 500, 300, 800, q + 1, 9, true, 4, 0, 3000},
        {500, 500, 100, 500, 300, 800, 255, 9, false, 1000, 0, 3000},
        {900, 900, 100, 900, 300, 1000, q, 9, true, 4, 300, 2000},
        {900, 900, 100, 900, 300, 500, 7, 9, true, 4, 300, 2000},
        {2, 500, 100, 4, 300, 1000, q, 11, true, 4, 0, 12000},
        {1000, 1000, 0, 1000, 500, 1000, 2, 15, false, 3, 0, 3000},
        {400, 1000, 0, 400, 500, 1000, 3, 15, false, 3, 0, 3000},
    };
    b.reset();
    for (int round = 0; round < 2 && !b.mismatch.found; round++) {
        for (const Style &style : styles) {
            if (b.mismatch.found)
                break;
            if (any.below(3) == 0)
                b.reset();
            (void)b.run(style);
            if (any.below(2))
                (void)b.drain();
        }
    }
    for (unsigned batch = 1; batch < 256; batch *= 2)
        (void)b.run({700, 900, 10, 100, 200, 800, batch, 6, true, 4, 0, 300});
    // two records in each cycle, the queue full at most SENDs
    for (unsigned bit = 1; bit <= q; bit *= 2)
        (void)b.run({1000, 1000, 10, 1000, 200, 1000, 1 | bit, 15, true, 4, 0, 8 * bit + 60});
    // registers that change at any time
    (void)b.run({300, 600, 50, 200, 200, 700, 5, 4, true, 4, 0, 6000, 300});
    (void)b.run({20, 900, 50, 10, 200, 900, q, 8, true, 4, 0, 6000, 100});
    (void)b.run({900, 900, 50, 700, 200, 700, q, 4, true, 4, 0, 6000, 500});
    // the queue fills without a fault, faults are dropped; then what is there leaves
    for (int i = 0; i < 30; i++) {
        (void)b.run({1000, 1000, 15, 0, 100, 0, 7, 15, true, 4, 0, 2 * q});
        (void)b.run({0, 0, 0, 0, 0, 1000, 7, 15, true, 4, 0, 3 * q});
        (void)b.drain();
    }
    if (!o.add(b) || !bench::config().parity)
        return o;
    bench::Setup flips = s;
    flips.flip = 10;
    Export f(flips);
    f.reset();
    for (unsigned i = 0; i < 3; i++) {
        (void)f.run(styles[i]);
        (void)f.drain();
    }
    f.expect_told();
    f.expect_names_told({1000, 0, 0, 500, 300, 1000, q, 12, false, 5, 0, 4000});
    f.expect_names_told({1000, 700, 0, 0, 300, 1000, q, 12, false, 5, 0, 4000});
    o.add(f);
    return o;
}

// Waits of all lengths, exactly; a count of drops that saturates; more packets than numbers.
bench::Outcome slow(const bench::Setup &s) {
    bench::Outcome o;
    Export b(s);
    const unsigned q = bench::config().ritq;
    b.reset();
    for (unsigned wait = 0; wait < 16; wait++)
        (void)b.run({1, 1000, 0, 1, 500, 1000, q, wait, true, 4, 0, 3000 + (3ull << wait)});
    // the wait is over for longer than it is counted before the packet before has left
    (void)b.run({10, 1000, 0, 0, 500, 0, q, 15, true, 4, 0, 800});
    (void)b.run({0, 0, 0, 0, 0, 0, q, 15, true, 4, 0, 34000});
    (void)b.run({10, 1000, 0, 0, 500, 0, q, 15, true, 4, 0, 800});
    (void)b.run({0, 0, 0, 0, 0, 0, q, 15, true, 4, 0, 70000});
    (void)b.run({0, 0, 0, 0, 0, 1000, q, 15, true, 4, 0, 100});
    // the longest count, and the shortest wait
    (void)b.run({10, 1000, 0, 0, 500, 0, q, 0, true, 4, 0, 800});
    (void)b.run({0, 0, 0, 0, 0, 0, q, 0, true, 4, 0, 34000});
    (void)b.run({0, 0, 0, 0, 0, 1000, q, 0, true, 4, 0, 100});
    (void)b.drain();
    b.reset();
    (void)b.run({1000, 1000, 0, 1000, 500, 1000, q, 4, true, 4, 34000, 35000});
    (void)b.run(
        {1000, 1000, 0, 100, 500, 1000, q, 4, true, 4, 61000, 62000});  // it saturates by one
    (void)b.drain();
    b.reset();
    (void)b.run({500, 1000, 0, 100, 500, 1000, 1, 1, true, 4, 0, 330000});
    (void)b.drain();
    EXPECT_TRUE(b.mismatch.found || (b.wrapped && b.packets > 70000 && b.waits > 30))
        << b.packets << " " << b.waits;
    o.add(b);
    return o;
}

#ifdef GMMU_FAULTS

TEST(RitExportFaults, EachIsSeen) {
    bench::expect_faults_seen("rit_export", 1, [](const bench::Setup &s) {
        bench::Outcome o = run(s);
        if (!o.mismatch.found) {
            const bench::Outcome more = slow(s);
            o.actions += more.actions;
            o.mismatch = more.mismatch;
        }
        return o;
    });
}

#else

TEST(RitExport, LockStep) {
    bench::expect_lockstep("rit_export", 6, run);
}

// A reset of one to four cycles leaves nothing of the registers' random state behind: no word is
// reported as corrupt that nobody wrote.
TEST(RitExport, ShortResetsLeaveNothingBehind) {
    for (uint32_t seed = 0; seed < 400; seed++) {
        Export b({"garbage", 100000 * bench::seed_of_run() + seed, 0});
        b.reset();
        ASSERT_TRUE(b.run({300, 300, 100, 200, 300, 900, 4, 2, true, 4, 0, 20}))
            << b.mismatch.text();
    }
}

TEST(RitExport, LongCounts) {
    const bench::Outcome o = slow({"garbage", bench::seed_of_run(), 0});
    EXPECT_FALSE(o.mismatch.found) << o.mismatch.text();
}

TEST(RitExport, StimuliReachTheCorners) {
    Export b({"garbage", bench::seed_of_run(), 0});
    b.reset();
    (void)b.run({900, 900, 100, 900, 300, 900, bench::config().ritq - 1, 9, true, 4, 0, 20000});
    (void)b.run({300, 300, 100, 200, 300, 900, 4, 2, true, 4, 0, 20000});
    EXPECT_FALSE(b.mismatch.found) << b.mismatch.text();
    EXPECT_GT(b.both, 500u);
    EXPECT_GT(b.split, 50u);
    EXPECT_GT(b.lost, 500u);
    EXPECT_GT(b.known, 2000u);
    EXPECT_GT(b.unknown, 2000u);
    EXPECT_GT(b.by_size, 100u);
    EXPECT_GT(b.by_fault, 100u);
    EXPECT_GT(b.waits, 100u);
}

TEST(RitExport, NothingIsLostWhenTheHostKeepsUp) {
    // records in 7 of 10 cycles leave in batches of half the queue: n + 3 cycles each
    Export b({"old", bench::seed_of_run(), 0});
    const unsigned q = bench::config().ritq;
    if (q < 32)
        GTEST_SKIP() << "a batch of " << q / 2 << " of " << q / 2 + 3
                     << " cycles is too slow for that";
    b.reset();
    EXPECT_TRUE(b.run({1000, 700, 0, 0, 10, 1000, q / 2, 9, false, 4, 0, 50000}))
        << b.mismatch.text();
    EXPECT_EQ(b.lost, 0u);
    EXPECT_TRUE(b.drain()) << b.mismatch.text();
    EXPECT_GT(b.sent, 34000u);
}

TEST(RitExportTwin, BeatsCarryEveryField) {
    bench::Random rng(3);
    for (const gmmu_config *c = gmmu_configs; c->name != nullptr; c++) {
        uint32_t words[GMMU_RIT_WORDS];
        ASSERT_LE(gmmu_rit_layout_of(c).bits, 32u * GMMU_RIT_WORDS);
        for (int i = 0; i < 2000; i++) {
            gmmu_rit_event e = {};
            e.rec = rng.below(2);
            e.censored = rng.below(2);
            e.known = rng.below(2);
            e.access = rng.below(2);
            e.fault = rng.below(2);
            e.r_asid = static_cast<uint32_t>(rng.edgy(c->asid_w));
            e.asid = static_cast<uint32_t>(rng.edgy(c->asid_w));
            e.r_ref = rng.edgy(c->ref_w);
            e.ref = rng.edgy(c->ref_w);
            e.vpn = rng.edgy(c->vpn_w);
            e.time = static_cast<uint32_t>(rng.edgy(c->time_w));
            e.interval = static_cast<uint32_t>(rng.edgy(c->time_w));
            gmmu_rit_pack_event(c, &e, words);
            const gmmu_rit_event g = gmmu_rit_unpack_event(c, words);
            EXPECT_TRUE(g.rec == e.rec && g.censored == e.censored && g.known == e.known &&
                        g.access == e.access && g.fault == e.fault && g.r_asid == e.r_asid &&
                        g.asid == e.asid && g.r_ref == e.r_ref && g.ref == e.ref &&
                        g.vpn == e.vpn && g.time == e.time && g.interval == e.interval);
            const gmmu_rit_head h = {
                static_cast<uint32_t>(rng.bits(16)), static_cast<uint32_t>(rng.bits(8)),
                static_cast<uint32_t>(rng.bits(16)), static_cast<uint32_t>(rng.bits(c->time_w))};
            gmmu_rit_pack_head(c, &h, words);
            const gmmu_rit_head k = gmmu_rit_unpack_head(c, words);
            EXPECT_TRUE(k.seq == h.seq && k.n == h.n && k.dropped == h.dropped && k.time == h.time);
        }
    }
}

#endif

}  // namespace
