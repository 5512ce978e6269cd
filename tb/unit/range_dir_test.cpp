// SPDX-License-Identifier: Apache-2.0
// range_dir_test.cpp: range_dir's RTL against its C twin, every beat of every packet, in order.
//
// State space: random operations of all kinds on ranges that are, lie in, meet or miss what there
// is, from a unit to the whole address space, up to its last byte; phases with no, some and many
// pins, with a full table, with GPU memory for nothing, some, all; drivers that say no base, or a
// late one; operations in every cycle, few, bursts; consumers that take every beat, few, none for
// long; resets at any time. Parameter space: the configuration that it is built for; the three RAM
// collision models; random initial state.
//
// Recorded calls: a host's operations, made by SemCache's runtime from .sem traces
// (range_dir/host.h), limited to the block's records and to all, 60 % and 20 % of the GPU memory
// that they would take, write-back, write-through, in pages of 2 MiB; all at once, or each after
// the answer to the one before; Fig. 1's chain and Table 3's calls, of which the RTL's beats are
// counted.
//
// Parity: with bits that turn over in words as they go to RAMs (+flip), operations one after the
// other are answered as the twin says, transfers and all, or BADWORD, which is counted; then both
// are reset. Without such bits nothing is counted.
//
// Timing: an operation a cycle while answers are one beat; else s_ready is low for at most
// 4 RANGES + a search's cycles + 32, RANGES + 11 for each record that leaves for another, and the
// beats.
#include "blocks/range_dir.h"

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "bench.h"
#include "range_dir/host.h"

namespace {

struct Style {
    unsigned valid, ready;  // permille of the cycles
    unsigned pins, unpins;  // percent of the operations that can; of all
    unsigned fill;          // percent: one unit, read and pinned
    unsigned hot;           // percent: on records that there are, as they are
    uint64_t ops;
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
        const Style all = {0, 1000, 0, 0, 0, 0, 0};
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
        Style rest = {0, 1000, 0, 0, 0, 0, 0};
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
    // So many operations, each at once, with one answer each: the cycles that they take.
    uint64_t burst(uint64_t n, unsigned kinds) {
        const Style all = {1000, 1000, 0, 0, 0, 0, 0};
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
        const Style s = {1000, 900, 10, 15, 0, 40, 0};
        for (const uint64_t end = actions + ops; actions < end && ok();) {
            const uint64_t was = bad_words, turns_were = turns;
            next_ = random(s);
            offered_ = true;
            const Style quiet = {0, 900, 0, 0, 0, 0, 0};
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
        const Style one = {0, 900, 0, 0, 0, 0, 0};
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

bench::Outcome run(const bench::Setup &s) {
    const bool fast = bench::config().ranges <= 32;
    bench::Outcome o;
    RangeDir b(s);
    const uint64_t n = fast ? 1500 : 500;
    const Style styles[] = {
        {900, 900, 10, 10, 0, 20, n},
        {1000, 1000, 10, 10, 0, 60, n},
        {300, 500, 30, 20, 0, 10, n},
        {1000, 100, 0, 5, 0, 30, n},
        {1000, 1000, 50, 0, 90, 0, 2ull * bench::config().ranges},
        {1000, 1000, 20, 10, 30, 20, n},
        {900, 900, 0, 80, 0, 0, n},
        {1000, 1000, 0, 10, 0, 95, n},
        {1000, 1000, 70, 2, 0, 90, n},
    };
    for (unsigned round = 0; round < 3; round++) {
        b.reset(round == 0);
        const size_t from = b.any(9);
        for (size_t i = 0; i < 9; i++) {
            if (!b.run(styles[(from + i) % 9]))
                break;
            if (round != 2 || i % 3 == 0)
                (void)b.drain();
        }
        for (unsigned alike = 0; alike < 2 && round == 1; alike++) b.saturate(alike != 0);
        if (round != 0)
            (void)b.tell_all();
    }
    if (!o.add(b) || !bench::config().parity)
        return o;
    bench::Setup flips = s;
    // few, so that a record that moves while it is bad does not turn once more; many where a fault
    // is to be seen
    flips.flip = s.fault != 0 ? 50 : 1000;
    RangeDir flipped(flips);
    (void)flipped.run_flipped(fast ? 5000 : 500);
    (void)o.add(flipped);
    return o;
}

#ifdef GMMU_FAULTS
TEST(RangeDir, FaultsAreSeen) {
    bench::expect_faults_seen("range_dir", 2, run);
}
#else
TEST(RangeDir, LockStep) {
    bench::expect_lockstep("range_dir", 6, run);
}

TEST(RangeDir, AnOperationACycle) {
    for (const unsigned kinds : {1u, 5u}) {
        RangeDir b({"garbage", 7, 0});
        b.reset();
        b.all_memory();
        const uint64_t cycles = b.burst(20000, kinds);
        EXPECT_FALSE(b.mismatch.found) << b.mismatch.text();
        EXPECT_LE(cycles, 20000u + 8);
        EXPECT_EQ(b.alone(), b.search() + 10);
        std::printf("range_dir (%s): 20000 operations in %llu cycles\n", GMMU_CONFIG_NAME,
                    (unsigned long long)cycles);
    }
}

const char *const traces[] = {"chain", "chain512", "lu", "lu_lapack", "kmeans", "newmark"};

// All traces under the protocols, with GPU memory for all, 60 % and 20 % of what they take. A trace
// whose addresses do not fit is left out.
bench::Outcome play_all(const bench::Setup &s) {
    const gmmu_config &c = bench::config();
    bench::Outcome o;
    RangeDir b(s);
    for (const char *trace : traces) {
        const host::Events events =
            host::recorded(std::string("sim/sem/") + trace + ".sem", c.addr_w);
        for (unsigned protocol = 0; protocol < 3 && !events.empty(); protocol++) {
            gmmu_sem_config cfg = {};
            cfg.ranges = c.ranges;
            cfg.write_through = protocol == 1;
            cfg.page = protocol == 2 ? 2ull << 20 : 0;
            cfg.limit = bench::mask(c.addr_w);
            uint64_t most = 0;
            for (const unsigned percent : {100u, 60u, 20u}) {
                if (percent != 100)
                    cfg.limit = std::max<uint64_t>(most * percent / 100, 1);
                host::Runtime runtime(cfg, c.addr_w);
                runtime.play(events);
                most = percent == 100 ? runtime.counts().most_bytes : most;
                static const unsigned permille[] = {1000, 700, 50};
                const Style style = {permille[b.any(3)], permille[b.any(3)], 0, 0, 0, 0, 0};
                if (!b.play(runtime.asked, cfg.limit, style, b.any(3) == 0))
                    break;
            }
        }
    }
    (void)o.add(b);
    return o;
}

TEST(RangeDir, RecordedCalls) {
    bench::expect_lockstep("range_dir", 1, play_all);
}

// Fig. 1's chain of three multiplies, transfers up and down, as the RTL's beats have them.
TEST(RangeDir, TheChainOfFig1) {
    const gmmu_config &c = bench::config();
    const host::Events chain = host::recorded("sim/sem/chain.sem", c.addr_w);
    if (chain.empty() || c.ranges < 5)
        return;  // its addresses have 30 bits; it has five matrices
    const Style style = {1000, 1000, 0, 0, 0, 0, 0};
    static const struct {
        const char *name;
        uint64_t ups, downs;
    } wanted[] = {{"naive", 6, 3}, {"fig9", 9, 3}, {"write-back", 2, 1}, {"write-through", 2, 3}};
    for (unsigned i = 0; i < 4; i++) {
        SCOPED_TRACE(wanted[i].name);
        gmmu_sem_config cfg = {};
        cfg.ranges = c.ranges;
        cfg.limit = bench::mask(c.addr_w);
        cfg.write_through = i == 3;
        host::Runtime runtime(cfg, c.addr_w);
        runtime.play(chain);
        RangeDir b({"garbage", 5 + i, 0});
        (void)b.play(i < 2 ? host::nothing_stays(chain, i == 1) : runtime.asked, cfg.limit, style,
                     false);
        EXPECT_FALSE(b.mismatch.found) << b.mismatch.text();
        EXPECT_EQ(b.told[GMMU_RANGE_UP], wanted[i].ups);
        EXPECT_EQ(b.told[GMMU_RANGE_DOWN], wanted[i].downs);
        EXPECT_EQ(b.told_bytes[GMMU_RANGE_UP], wanted[i].ups << 27);  // N = 4096: 128 MiB each
        EXPECT_EQ(b.told_bytes[GMMU_RANGE_DOWN], wanted[i].downs << 27);
        if (i >= 2) {
            EXPECT_EQ(runtime.counts().ups, wanted[i].ups);
            EXPECT_EQ(runtime.counts().downs, wanted[i].downs);
            EXPECT_EQ(runtime.counts().on_cpu, 0u);
        }
    }
}

// Table 3's lookups: 3 a GEMM, 2 a GESV, XPY, COPY; by the runtime, by the RTL's answers.
TEST(RangeDir, TheLookupsOfTable3) {
    const gmmu_config &c = bench::config();
    if (c.addr_w < 14 || c.ranges < 3)
        return;  // twenty matrices of 512 bytes; three at once
    static const struct {
        const char *name;
        unsigned gemm, gesv, xpy, copy;
        uint64_t lookups;  // the paper's
    } inputs[] = {{"Rocket32", 6720, 1209, 3520, 480, 30578},
                  {"Cube14", 944, 233, 688, 104, 4882},
                  {"Cube10", 470, 131, 394, 62, 2584}};
    for (const auto &in : inputs) {
        SCOPED_TRACE(in.name);
        gmmu_sem_config cfg = {};
        cfg.ranges = c.ranges;
        cfg.limit = bench::mask(c.addr_w);
        host::Runtime runtime(cfg, c.addr_w);
        host::table3(&runtime, in.gemm, in.gesv + in.xpy + in.copy);
        EXPECT_EQ(runtime.counts().lookups, in.lookups);
        EXPECT_EQ(runtime.counts().on_cpu, 0u);
        RangeDir b({"old", 3, 0});
        (void)b.play(runtime.asked, cfg.limit, {1000, 1000, 0, 0, 0, 0, 0}, false);
        EXPECT_FALSE(b.mismatch.found) << b.mismatch.text();
        EXPECT_EQ(b.lookups, in.lookups);
    }
}

TEST(RangeDir, WordsThatTurnBad) {
    if (!bench::config().parity)
        return;
    uint64_t told = 0, actions = 0;
    for (const char *ram : {"garbage", "old", "new"}) {
        bench::Setup s = {ram, bench::seed_of_run(), 0};
        s.flip = 1000;
        RangeDir b(s);
        (void)b.run_flipped(20000);
        EXPECT_FALSE(b.mismatch.found) << b.mismatch.text();
        told += b.bad_words;
        actions += b.actions;
    }
    EXPECT_GT(told, 50u);
    std::printf("range_dir (%s): %llu operations, %llu of them answered BADWORD\n",
                GMMU_CONFIG_NAME, (unsigned long long)actions, (unsigned long long)told);
}

TEST(RangeDir, AllIsReached) {
    RangeDir b({"garbage", 11, 0});
    b.reset(true);
    for (unsigned i = 0; i < 12; i++) {
        if (i % 3 != 0)
            b.all_memory(i % 3 == 2);
        (void)b.run(
            {1000, 1000, 30, 10, i % 3 == 2 ? 90u : 0u, 30, 2000 + 8ull * bench::config().ranges});
        (void)b.run({1000, 1000, 0, 80, 0, 0, 1000});
        (void)b.drain();
    }
    EXPECT_FALSE(b.mismatch.found) << b.mismatch.text();
    for (unsigned i = 0; i < 6; i++) EXPECT_GT(b.of_code[i], 0u) << "code " << i;
    for (uint64_t n : b.of_kind) EXPECT_GT(n, 50u);
    EXPECT_GT(b.full, 50u);
    std::printf("range_dir (%s): s_ready low for at most %llu cycles\n", GMMU_CONFIG_NAME,
                (unsigned long long)b.low);
}
#endif

}  // namespace
