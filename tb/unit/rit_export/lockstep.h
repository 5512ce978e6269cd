// SPDX-License-Identifier: Apache-2.0
// lockstep.h: the exporter's RTL beside its twin, beat by beat.
#ifndef GMMU_TB_RIT_EXPORT_LOCKSTEP_H
#define GMMU_TB_RIT_EXPORT_LOCKSTEP_H

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "bench.h"
#include "blocks/rit_export.h"

// What the counters of events start from: as far as no run counts, where mutants are run
// (scripts/mutate.py).
#ifndef GMMU_COUNTS_FROM
#define GMMU_COUNTS_FROM 0
#endif

struct Style {
    unsigned walk = 0, rec = 0, fault = 0, side = 0,
             alloc = 0;  // permille; rec, fault and alloc of the walks
    unsigned ready = 0;  // permille of the cycles
    unsigned batch = 0, wait = 0;
    bool faults = true;  // cfg_fault
    unsigned rows = 4;   // in use
    unsigned stall = 0;  // the consumer takes nothing in the first so many cycles
    uint64_t cycles = 0;
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
        (void)run({.ready = 1000,
                   .batch = 1 + static_cast<unsigned>(rng.below(cfg.ritq)),
                   .faults = false,
                   .rows = 2,
                   .cycles = 8 * cfg.ritq + 64});
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
        expect("stat_drops", dut->stat_drops, uint32_t{GMMU_COUNTS_FROM} + drops_.front());
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

#endif
