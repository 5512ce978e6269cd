// SPDX-License-Identifier: Apache-2.0
// lockstep.h: the RTL beside its twin, every beat of every packet, in order.
#ifndef GMMU_TB_RANGE_DIR_LOCKSTEP_H
#define GMMU_TB_RANGE_DIR_LOCKSTEP_H

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "bench.h"
#include "blocks/range_dir.h"

struct Style {
    unsigned valid = 0, ready = 0;  // permille of the cycles
    unsigned pins = 0, unpins = 0;  // percent of the operations that can; of all
    unsigned fill = 0;              // percent: one unit, read and pinned
    unsigned hot = 0;               // percent: on records that there are, as they are
    uint64_t ops = 0;
};

class RangeDir : public bench::Block {
   public:
    uint64_t turns = 0, bad_words = 0;  // `turned`, BADWORD
    uint64_t of_code[6] = {}, of_kind[4] = {}, low = 0, full = 0;
    // what the RTL said: beats and bytes by kind; answers to LOOKUP
    uint64_t told[4] = {}, told_bytes[4] = {}, lookups = 0;

    explicit RangeDir(const bench::Setup &s) : Block("range_dir", s) {
        dut->rst = dut->s_valid = dut->m_ready = 0;
    }

    // BYTES: units are bytes.
    void reset(bool bytes = false) {
        dut->rst = 1;
        for (uint64_t i = rng.below(3); i < 3; i++) {
            noise();
            dut->s_valid = rng.below(2);
            dut->m_ready = rng.below(2);
            tick();
        }
        dut->rst = dut->s_valid = 0;
        memory.arena.used = 0;
        (void)gmmu_range_dir_init(&twin_, cfg.ranges, 0, &memory.arena);
        room_.resize(gmmu_range_dir_most_beats(&twin_));
        beats_.clear();
        budget_.clear();
        asked_.clear();
        offered_ = held_ = turned_ = false;
        low_ = waited_ = 0;
        // units: single bytes, or so many that the last one ends with the address space
        shift_ = bytes ? 0 : static_cast<unsigned>(rng.below(cfg.addr_w - 1));
        units_ = std::min<uint64_t>(4ull * cfg.ranges, bench::mask(cfg.addr_w - shift_));
        first_ = rng.below(2) ? 0 : bench::mask(cfg.addr_w) - ((units_ << shift_) - 1);
        set_limit();
    }
    // GPU memory: for nothing, all, or some of the units; only while nothing is under way.
    void set_limit() {
        const uint64_t some = rng.below(units_ + 1) << shift_;
        twin_.limit = rng.below(6) == 0 ? 0 : rng.below(3) == 0 ? bench::mask(cfg.addr_w) : some;
        dut->cfg_range_bytes = twin_.limit;
    }

    // GPU memory for all, or none.
    void all_memory(bool all = true) {
        dut->cfg_range_bytes = twin_.limit = all ? bench::mask(cfg.addr_w) : 0;
    }
    uint64_t any(uint64_t n) { return rng.below(n); }
    // Cycles of a search: two for each bit of a place, 0 to RANGES, one more for each level of more
    // than 16 records, whose RAM has a register behind it. Bit b's level has a record for every
    // second multiple of 2^b up to RANGES, the first one among them.
    uint64_t search() const {
        uint64_t all = 0;
        for (unsigned b = 0; cfg.ranges >> b != 0; b++)
            all += ((cfg.ranges + (1ull << b)) >> (b + 1)) > 16 ? 3 : 2;
        return all;
    }

    // Then cycles from an operation to its answer, when nothing waits.
    uint64_t alone() {
        const Style all = {.ready = 1000};
        next_ = make(GMMU_RANGE_LOOKUP, 0, unit(0), unit(0) + bench::mask(shift_));
        offered_ = true;
        const uint64_t from = cycles;
        while ((offered_ || !beats_.empty()) && ok()) cycle(all);
        return cycles - 1 - from;
    }

    bool run(const Style &s) {
        for (const uint64_t end = actions + s.ops; actions < end && ok();) cycle(s);
        return ok();
    }
    // All operations are answered.
    bool drain() {
        Style rest = {.ready = 1000};
        for (uint64_t i = 0; i < 200000 && ok() && (offered_ || !beats_.empty()); i++) cycle(rest);
        for (unsigned i = 0; i < 8 && ok(); i++) cycle(rest);
        expect("beats that are missing", beats_.size(), 0);
        expect("idle", dut->idle, 1);
        return ok();
    }
    // Every record, told by the answers; then all are given back.
    bool tell_all() {
        std::vector<gmmu_range> all(twin_.range, twin_.range + twin_.used);
        for (const gmmu_range &r : all) {
            put(GMMU_RANGE_LOOKUP, r.asid, r.start, r.last);
            for (unsigned i = 0; i < r.pins; i++) put(GMMU_RANGE_UNPIN, r.asid, r.start, r.last);
        }
        for (uint64_t a = 0; a <= bench::mask(cfg.asid_w) && a < 8; a++)
            put(GMMU_RANGE_RELEASE, static_cast<uint32_t>(a), 0, bench::mask(cfg.addr_w));
        return drain();
    }
    // Records with more hits than can be counted, two of them merged, or, if ALIKE, with many and
    // about as many, some written and sent to the CPU; then others, for which they leave.
    void saturate(bool alike) {
        (void)tell_all();
        all_memory();
        const uint64_t n = std::min<uint64_t>(cfg.ranges, units_ / 2), many = 100 + rng.below(140);
        for (uint64_t i = 0; i < n; i++) {
            on(GMMU_RANGE_READ_GPU, i);
            const uint64_t sum = i < 3 ? 190 + 70 * i : rng.below(8);
            for (uint64_t hits = alike && i < 8 ? many + rng.below(12) : sum; hits > 0; hits--)
                on(GMMU_RANGE_LOOKUP, i);
            if (alike && rng.below(2)) {
                on(GMMU_RANGE_WRITE_GPU, i);
                on(GMMU_RANGE_TO_CPU, i);
            }
        }
        if (n > 3 && !alike)
            put(GMMU_RANGE_READ_GPU, 0, unit(0), unit(1) + bench::mask(shift_));
        // pinned, so that all others leave, in their order
        for (uint64_t i = n; i < 2 * n; i++) on(GMMU_RANGE_READ_GPU, i, true);
        for (uint64_t i = n; i < 2 * n; i++) on(GMMU_RANGE_UNPIN, i);
        (void)drain();
    }
    // Records of any size and place, TIMES one or two of them, for which GPU memory is just enough,
    // or a byte too little.
    bool to_the_byte(unsigned times) {
        reset(true);
        for (unsigned i = 0; i < times && ok(); i++) {
            all_memory();
            put(GMMU_RANGE_RELEASE, 0, 0, bench::mask(cfg.addr_w));
            gmmu_range_op two[2];
            uint64_t bytes = 0;
            for (gmmu_range_op &o : two) {
                // most bits of first and last byte alike, as a carry goes past those
                const uint64_t a = rng.edgy(cfg.addr_w), b = a ^ rng.edgy(cfg.addr_w) ^ rng.edgy(8);
                o = make(GMMU_RANGE_READ_GPU, 0, std::min(a, b & bench::mask(cfg.addr_w)),
                         std::max(a, b & bench::mask(cfg.addr_w)));
                bytes = bytes + (o.last - o.start) + 1;
                if (rng.below(2))
                    break;
            }
            const bool both = bytes != two[0].last - two[0].start + 1;
            if (bytes == 0 || bytes > bench::mask(cfg.addr_w))
                continue;
            (void)drain();
            dut->cfg_range_bytes = twin_.limit = bytes - rng.below(2);
            put(GMMU_RANGE_READ_GPU, 0, two[0].start, two[0].last, rng.below(2) != 0);
            if (both)
                put(GMMU_RANGE_READ_GPU, 0, two[1].start, two[1].last);
            (void)drain();
            put(GMMU_RANGE_UNPIN, 0, two[0].start, two[0].last);
            (void)drain();
        }
        return ok();
    }
    // Ranges that end before they start, within a record in each state, alone and before another.
    bool upside_down() {
        reset(true);
        all_memory();
        for (unsigned kind = 0; kind < GMMU_RANGE_BASE && ok(); kind++)
            for (const unsigned state :
                 {GMMU_RANGE_LOOKUP, GMMU_RANGE_READ_GPU, GMMU_RANGE_WRITE_GPU})
                for (const unsigned next : {4u, 5u}) {
                    put(GMMU_RANGE_RELEASE, 0, 0, bench::mask(cfg.addr_w));
                    put(state, 0, unit(0), unit(3) + bench::mask(shift_));
                    put(GMMU_RANGE_WRITE_GPU, 0, unit(next), unit(next) + bench::mask(shift_));
                    put(kind, 0, unit(2), unit(1), rng.below(2) != 0);
                    put(GMMU_RANGE_LOOKUP, 0, unit(0), unit(0) + bench::mask(shift_));
                }
        return drain();
    }
    // So many operations, each at once, with one answer each: the cycles that they take.
    uint64_t burst(uint64_t n, unsigned kinds) {
        const Style all = {.valid = 1000, .ready = 1000};
        for (uint64_t i = 0; i < cfg.ranges / 2 && i < units_; i++) on(GMMU_RANGE_READ_GPU, i);
        (void)drain();
        const uint64_t from = cycles;
        for (uint64_t i = 0; i < n && ok(); i++) {
            const uint64_t at =
                unit(kinds == 1 ? 0 : rng.below(std::min<uint64_t>(cfg.ranges / 2, units_)));
            static const unsigned op[] = {GMMU_RANGE_LOOKUP, GMMU_RANGE_READ_GPU,
                                          GMMU_RANGE_READ_CPU, GMMU_RANGE_LOOKUP, GMMU_RANGE_BASE};
            next_ = make(op[rng.below(kinds)], 0, at, at + bench::mask(shift_));
            offered_ = true;
            cycle(all);
            expect("an operation a cycle", !offered_, 1);
        }
        const uint64_t took = cycles - from;
        (void)drain();
        return took;
    }

    // One after the other, with bits that turn over; after a word that turned bad all is as new.
    bool run_flipped(uint64_t ops) {
        reset();
        const Style s = {.valid = 1000, .ready = 900, .pins = 10, .unpins = 15, .hot = 40};
        for (const uint64_t end = actions + ops; actions < end && ok();) {
            const uint64_t was = bad_words, turns_were = turns;
            next_ = random(s);
            offered_ = true;
            const Style quiet = {.ready = 900};
            while ((offered_ || !beats_.empty()) && ok()) cycle(quiet);
            for (unsigned i = 0; i < 12 && ok(); i++) cycle(quiet);
            expect("BADWORD is told", turns != turns_were, bad_words != was);
            if (bad_words != was)
                reset();
        }
        return ok();
    }

    // A host's operations in their order: whenever there is room, or, if it WAITS, each after the
    // answer to the one before. The runtime's packets are the twin's too.
    bool play(const std::vector<host::Asked> &list, uint64_t limit, const Style &s, bool waits) {
        reset(true);
        dut->cfg_range_bytes = twin_.limit = limit;
        list_ = &list;
        at_ = 0;
        waits_ = waits;
        while (at_ < list.size() && ok()) cycle(s);
        (void)drain();
        list_ = nullptr;
        return ok();
    }

   private:
    const std::vector<host::Asked> *list_ = nullptr;
    size_t at_ = 0;
    bool waits_ = false;
    std::deque<unsigned> asked_;  // operations that are not answered
    gmmu_range_dir twin_;
    std::vector<gmmu_range_beat> room_;
    std::deque<gmmu_range_beat> beats_;  // expected
    std::deque<uint64_t> budget_;        // cycles, of each operation that is not answered
    gmmu_range_op next_ = {};
    gmmu_range_beat was_ = {};
    bool offered_ = false, held_ = false, stalled_ = false, skipped_ = false, turned_ = false;
    uint64_t low_ = 0, waited_ = 0, first_ = 0, units_ = 0;
    unsigned shift_ = 0;

    uint64_t unit(uint64_t i) const { return first_ + (i << shift_); }

    void noise() {
        dut->s_op = rng.below(16);
        dut->s_tag = rng.below(256);
        dut->s_asid = rng.bits(cfg.asid_w);
        dut->s_start = rng.edgy(cfg.addr_w);
        dut->s_last = rng.edgy(cfg.addr_w);
        dut->s_whole = rng.below(2);
        dut->s_pin = rng.below(2);
    }
    gmmu_range_op make(unsigned op, uint32_t asid, uint64_t start, uint64_t last) {
        gmmu_range_op o = {};
        o.op = static_cast<uint8_t>(op);
        o.tag = static_cast<uint8_t>(rng.next());
        o.asid = asid;
        o.start = start;
        o.last = last;
        return o;
    }
    void put(unsigned op, uint32_t asid, uint64_t start, uint64_t last, bool pin = false) {
        const Style one = {.ready = 900};
        next_ = make(op, asid, start, last);
        next_.pin = pin;
        offered_ = true;
        while (offered_ && ok()) cycle(one);
    }
    void on(unsigned op, uint64_t i, bool pin = false) {
        put(op, 0, unit(i), unit(i) + bench::mask(shift_), pin);
    }

    gmmu_range_op random(const Style &s) {
        static const unsigned weight[] = {12, 24, 20, 14, 12, 4, 4, 4, 3, 3, 0, 8, 1, 0, 0, 1};
        unsigned kind = GMMU_RANGE_UNPIN;
        if (rng.below(100) >= s.unpins) {
            unsigned at = static_cast<unsigned>(rng.below(110));
            for (kind = 0; at >= weight[kind]; kind++) at -= weight[kind];
        }
        const uint64_t spaces = std::min<uint64_t>(bench::mask(cfg.asid_w) + 1, 3);
        int64_t from = static_cast<int64_t>(rng.below(units_)),
                to = from + static_cast<int64_t>(rng.below(3));
        gmmu_range_op o = make(kind, static_cast<uint32_t>(rng.below(spaces)), 0, 0);
        const bool hot = rng.below(100) < s.hot;
        if (twin_.used != 0 && (hot || rng.below(2))) {
            uint32_t i = static_cast<uint32_t>(rng.below(twin_.used));
            for (uint32_t n = 0;
                 kind == GMMU_RANGE_UNPIN && twin_.range[i].pins == 0 && n < twin_.used; n++)
                i = (i + 1) % twin_.used;
            const gmmu_range &r = twin_.range[i];
            o.asid = r.asid;
            from = static_cast<int64_t>((r.start - first_) >> shift_);
            to = static_cast<int64_t>((r.last - first_) >> shift_);
            if (r.start < first_ || from > to ||
                to >= static_cast<int64_t>(units_)) {  // of the whole address space
                from = 0;
                to = static_cast<int64_t>(units_) - 1;
            }
            if (!hot && rng.below(3) == 0) {
                from += static_cast<int64_t>(rng.below(static_cast<uint64_t>(to - from + 1)));
                to -= static_cast<int64_t>(rng.below(static_cast<uint64_t>(to - from + 1)));
            } else if (!hot && rng.below(4) == 0) {
                from -= static_cast<int64_t>(rng.below(3));
                to += static_cast<int64_t>(rng.below(3));
            }
        } else if (rng.below(50) == 0) {
            to += static_cast<int64_t>(rng.below(units_));
        }
        from = std::max<int64_t>(from, 0);
        to = std::min(to, static_cast<int64_t>(units_) - 1);
        o.start = unit(static_cast<uint64_t>(from));
        o.last = unit(static_cast<uint64_t>(to)) + bench::mask(shift_);
        o.whole = rng.below(5) < 2;
        o.pin = rng.below(100) < s.pins;
        if (rng.below(100) < s.fill) {
            o.op = GMMU_RANGE_READ_GPU;
            o.last = o.start + bench::mask(shift_);
            o.pin = true;
        } else if (kind == GMMU_RANGE_BASE) {
            o.last = rng.edgy(cfg.addr_w);
        } else if (rng.below(300) == 0) {
            o.start = rng.edgy(cfg.addr_w);  // often above last
        } else if (rng.below(400) == 0) {
            o.start = 0;
            o.last = bench::mask(cfg.addr_w);
        }
        return o;
    }

    // The runtime's packet is the twin's, of N beats.
    void same(const std::vector<gmmu_range_beat> &packet, uint32_t n) {
        if (packet.empty())
            return;
        expect("beats of the runtime's packet", n, packet.size());
        for (uint32_t i = 0; i < n && ok(); i++) {
            const gmmu_range_beat &a = room_[i], &b = packet[i];
            expect("the runtime's kind", a.kind, b.kind);
            expect("the runtime's code", a.code, b.code);
            expect("the runtime's state", a.state, b.state);
            expect("the runtime's hit", a.hit, b.hit);
            expect("the runtime's asid", a.asid, b.asid);
            expect("the runtime's start", a.start, b.start);
            expect("the runtime's last", a.last, b.last);
            expect("the runtime's base_ok", a.base_ok, b.base_ok);
            expect("the runtime's base", a.base, b.base);
        }
    }

    // The twin's packet of an operation that was taken, and what it may take.
    void take(const gmmu_range_op &o) {
        const uint32_t used = twin_.used;
        const uint32_t n = gmmu_range_dir_op(&twin_, o, room_.data());
        uint64_t leave = 0;
        if (list_ != nullptr)
            same((*list_)[at_ - 1].packet, n);
        asked_.push_back(o.op);
        for (uint32_t i = 0; i < n; i++) {
            const gmmu_range_beat &b = room_[i];
            leave += b.kind == GMMU_RANGE_DROP &&
                     (b.asid != o.asid || b.last < o.start || o.last < b.start);
            beats_.push_back(b);
            of_kind[b.kind]++;
        }
        // a record in C that leaves sends nothing
        leave += used == cfg.ranges && o.op <= GMMU_RANGE_WRITE_GPU;
        full += used == cfg.ranges;
        of_code[room_[n - 1].code]++;
        budget_.push_back(4ull * cfg.ranges + search() + 32 + (cfg.ranges + 11ull) * leave + n);
    }

    bool same(const gmmu_range_beat &b) const {
        return dut->m_kind == b.kind && dut->m_asid == b.asid && dut->m_start == b.start &&
               dut->m_last == b.last && dut->m_base_ok == b.base_ok && dut->m_base == b.base;
    }
    // With words that turn bad transfers may be left out, or end early, where the answer says so.
    bool lost() {
        const bool answer = dut->m_kind == GMMU_RANGE_ANSWER;
        while (beats_.size() > 1 && (answer || !same(beats_.front()))) {
            beats_.pop_front();
            skipped_ = true;
        }
        if (!answer || dut->m_code != GMMU_RANGE_BADWORD) {
            if (answer)
                expect("transfers that are missing", skipped_, 0);
            return false;
        }
        expect("it is an answer", dut->m_tlast, 1);
        beats_.clear();
        budget_.clear();
        asked_.clear();
        skipped_ = false;
        bad_words++;
        actions++;
        return true;
    }
    void compare() {
        if (!expect("a beat without an operation", beats_.empty(), 0))
            return;
        if (setup.flip != 0 && lost())
            return;
        const gmmu_range_beat b = beats_.front();
        beats_.pop_front();
        expect("kind", dut->m_kind, b.kind);
        expect("code", dut->m_code, b.code);
        expect("tag", dut->m_tag, b.tag);
        expect("state", dut->m_state, b.state);
        expect("hit", dut->m_hit, b.hit);
        expect("asid", dut->m_asid, b.asid);
        expect("start", dut->m_start, b.start);
        expect("last", dut->m_last, b.last);
        expect("base_ok", dut->m_base_ok, b.base_ok);
        expect("base", dut->m_base, b.base);
        expect("tlast", dut->m_tlast, b.kind == GMMU_RANGE_ANSWER);
        told[dut->m_kind & 3]++;
        told_bytes[dut->m_kind & 3] += dut->m_last - dut->m_start + 1;
        if (b.kind == GMMU_RANGE_ANSWER) {
            lookups += asked_.front() == GMMU_RANGE_LOOKUP && dut->m_code == GMMU_RANGE_OK;
            asked_.pop_front();
            actions++;
            if (!budget_.empty())
                budget_.pop_front();
        }
    }

    void cycle(const Style &s) {
        if (!offered_ && list_ != nullptr) {
            offered_ = at_ < list_->size() && !(waits_ && !beats_.empty()) && rng.chance(s.valid);
            if (offered_) {
                next_ = (*list_)[at_++].op;
                next_.tag = static_cast<uint8_t>(rng.next());
            }
        } else if (!offered_) {
            if (beats_.empty() && dut->idle && rng.below(20) == 0)
                set_limit();
            offered_ = rng.chance(s.valid);
            if (offered_)
                next_ = random(s);
        }
        noise();
        dut->s_valid = offered_;
        if (offered_) {
            dut->s_op = next_.op;
            dut->s_tag = next_.tag;
            dut->s_asid = next_.asid;
            dut->s_start = next_.start;
            dut->s_last = next_.last;
            dut->s_whole = next_.whole;
            dut->s_pin = next_.pin;
        }
        const bool ready = rng.chance(s.ready);
        dut->m_ready = ready;
        settle();
        if (held_) {
            expect("a beat stays until it is taken", dut->m_valid, 1);
            expect("its start stays", dut->m_start, was_.start);
            expect("its tag stays", dut->m_tag, was_.tag);
        }
        turns += dut->turned != turned_;
        turned_ = dut->turned;
        if (setup.flip == 0)
            expect("a word that turned bad", dut->turned, 0);
        held_ = dut->m_valid && !ready;
        was_.start = dut->m_start;
        was_.tag = static_cast<uint8_t>(dut->m_tag);
        if (dut->m_valid && ready)
            compare();
        if (offered_ && dut->s_ready) {
            take(next_);
            offered_ = false;
        }
        expect("idle with a beat", dut->m_valid && dut->idle, 0);
        // an operation that never ends
        waited_ = beats_.empty() || (dut->m_valid && ready) ? 0 : waited_ + 1;
        expect("no beat for a long time", waited_ > 100000 + 1000ull * cfg.ranges, 0);
        // how long none is taken, with a consumer that takes all: the oldest that waits in the
        // queue of 32 or 64 is what it waits for
        stalled_ = stalled_ || s.ready < 1000;
        if (s.ready == 1000 && beats_.empty())
            stalled_ = false;
        low_ = dut->s_ready || stalled_ ? 0 : low_ + 1;
        low = std::max(low, low_);
        if (low_ != 0) {
            uint64_t most = 0;
            for (size_t i = 0; i < std::min<size_t>(budget_.size(), 4); i++)
                most = std::max(most, budget_[i]);
            expect("s_ready is low for too long", low_ > most, 0);
        }
        edge();
    }
};

#endif
