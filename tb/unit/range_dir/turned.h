// SPDX-License-Identifier: Apache-2.0
// turned.h: a record of which the bench turns one bit (open.vlt), at rest and at any cycle of an
// operation: the record is bad until the next reset, and no other is.
#ifndef GMMU_TB_RANGE_DIR_TURNED_H
#define GMMU_TB_RANGE_DIR_TURNED_H

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "bench.h"
#include "blocks/range_dir.h"
#include "flips/bits.h"

class RangeDirTurned : public bench::Block {
   public:
    uint64_t refused = 0, others = 0;  // operations on the bad record; on others
    uint64_t amid = 0, done = 0;       // operations in which the record turned bad: BADWORD; OK

    explicit RangeDirTurned(const bench::Setup &s) : Block("range_dir", s), bits_(context, "") {
        dut->rst = dut->s_valid = dut->m_ready = 0;
        for (const flips::Register *r : bits_.all_rams())
            if ((r->part + ".").find(".use_ram.") != std::string::npos)
                uses_ = r;
        expect("the bench finds its RAM", uses_ != nullptr, 1);
    }

    // A record turns bad at rest; then OPS operations on it and on others, which come and go, so
    // that it moves.
    bool at_rest(unsigned ops) {
        fill(8, bench::mask(cfg.addr_w));
        const uint64_t bad = twin_.range[rng.below(twin_.used)].start;
        flip(place_of(bad));
        for (unsigned i = 0; i < ops && ok(); i++) {
            const uint32_t k = place_of(bad), j = static_cast<uint32_t>(rng.below(twin_.used));
            const gmmu_range &on = twin_.range[j];
            const unsigned kind = static_cast<unsigned>(rng.below(GMMU_RANGE_OPS));
            const bool all = kind >= GMMU_RANGE_READ_CPU && kind <= GMMU_RANGE_RELEASE;
            gmmu_range_op op =
                make(kind, on.start, kind == GMMU_RANGE_BASE ? rng.bits(16) : on.last);
            op.whole = rng.below(2);
            if (rng.below(4) == 0 && twin_.used < cfg.ranges) {  // another record
                op = make(GMMU_RANGE_LOOKUP, twin_.range[j].last + 1, 0);
                op.last = op.start + 3;
                others += others_are_sound(op);
                continue;
            }
            if (all && j != k && rng.below(2)) {  // this one, the bad one and those between them
                op.start = twin_.range[std::min(j, k)].start;
                op.last = twin_.range[std::max(j, k)].last;
                is_refused(op);
            } else if (j == k) {
                is_refused(op);
            } else if (needs_room(op, on)) {
                const gmmu_range_op find = make(GMMU_RANGE_LOOKUP, op.start, op.last);
                is_refused(op);
                if (kind != GMMU_RANGE_TO_GPU)  // what FIND did stays
                    gmmu_range_dir_op(&twin_, find, room_.data());
            } else if ((kind != GMMU_RANGE_RELEASE || twin_.used > 4) &&
                       (!all || j + 3 < k || k < j)) {
                others += others_are_sound(op);  // (the next ones are checked, too)
            }
        }
        const gmmu_range &r = twin_.range[place_of(bad)];
        is_refused(make(GMMU_RANGE_LOOKUP, r.start, r.last));
        return ok();
    }

    // OPS operations in a row, one a cycle, on a bad record and on others.
    bool dense(unsigned ops) {
        fill(4, bench::mask(cfg.addr_w), true);
        const uint32_t k = static_cast<uint32_t>(rng.below(twin_.used));
        flip(k);
        std::vector<gmmu_range_beat> wanted;
        uint64_t told = 0, bad = 0;
        bool turned = dut->turned;
        const unsigned until = ops + 200;
        size_t got = 0;
        dut->m_ready = 1;
        for (unsigned i = 0; i < until && ok(); i++) {
            const uint32_t j = rng.below(2) ? k : static_cast<uint32_t>(rng.below(twin_.used));
            static const unsigned kinds[] = {GMMU_RANGE_LOOKUP, GMMU_RANGE_READ_GPU,
                                             GMMU_RANGE_WRITE_GPU, GMMU_RANGE_INV_CPU,
                                             GMMU_RANGE_BASE};
            gmmu_range_op op = make(kinds[rng.below(5)], twin_.range[j].start, twin_.range[j].last);
            if (i < ops && rng.below(8) != 0) {
                offer(op);
                gmmu_range_beat answer = {};
                if (j == k) {
                    answer.code = GMMU_RANGE_BADWORD;
                    answer.tag = op.tag;
                    bad++;
                } else {
                    expect("beats", gmmu_range_dir_op(&twin_, op, room_.data()), 1);
                    answer = room_[0];
                }
                wanted.push_back(answer);
            }
            settle();
            expect("an operation a cycle", dut->s_valid && !dut->s_ready, 0);
            told += dut->turned != turned;
            turned = dut->turned;
            if (dut->m_valid && expect("an answer", got < wanted.size(), 1)) {
                const gmmu_range_beat &w = wanted[got++];
                expect("code", dut->m_code, w.code);
                expect("tag", dut->m_tag, w.tag);
                if (w.code == GMMU_RANGE_OK)
                    expect("base", dut->m_base, w.base);
            }
            edge();
            dut->s_valid = 0;
        }
        expect("answers", got, wanted.size());
        expect("a bad record is told each time", told, bad);
        refused += bad;
        is_refused(make(GMMU_RANGE_LOOKUP, twin_.range[k].start, twin_.range[k].last));
        return ok();
    }
    // A record turns bad WHEN cycles after an operation on it and on others was taken. What it does
    // to others it does whole; the record itself is bad, unless the operation was answered OK.
    bool meanwhile(unsigned kind, unsigned when) {
        const unsigned n = 5;
        const bool room = kind == GMMU_RANGE_READ_GPU;
        fill(n, room ? n * SIZE - rng.below(SIZE) : bench::mask(cfg.addr_w), true);
        const uint32_t k = static_cast<uint32_t>(rng.below(room ? 2 : n));
        gmmu_range_op op = make(kind, twin_.range[0].start, twin_.range[n - 1].last);
        if (room) {  // the records 0 and 1 leave for one more
            for (uint32_t j = 2; j < n; j++)
                for (unsigned hits = 0; hits < 2; hits++)
                    others_are_sound(
                        make(GMMU_RANGE_LOOKUP, twin_.range[j].start, twin_.range[j].last));
            op.start = op.last + 1;
            op.last = op.start + SIZE + rng.below(SIZE - 1);
        }
        const std::vector<gmmu_range> was(twin_.range, twin_.range + n);
        const uint32_t beats = gmmu_range_dir_op(&twin_, op, room_.data());
        const std::vector<gmmu_range_beat> wanted(room_.begin(), room_.begin() + beats);
        const bool told = dut->turned;
        const std::vector<gmmu_range_beat> got = ask(op, when, k);
        if (!ok())
            return false;
        const bool bad = got.back().code == GMMU_RANGE_BADWORD;
        expect("BADWORD is told", dut->turned != told, bad);
        (bad ? amid : done)++;
        // the beats, in their order; of the bad record some may be left out, and where room is made
        // those behind
        size_t at = 0, of_others = 0, left_out = 0;
        std::vector<gmmu_range> is = was;
        for (const gmmu_range_beat &b : got) {
            while (bad && at < beats && b.kind != GMMU_RANGE_ANSWER && !same(wanted[at], b)) {
                left_out += wanted[at].start != was[k].start;
                at++;
            }
            if (b.kind == GMMU_RANGE_ANSWER)
                break;
            if (!expect("a beat that the operation has", at < beats && same(wanted[at], b), 1))
                return false;
            at++;
            expect("no UP with a word that is bad", bad && b.kind == GMMU_RANGE_UP, 0);
            for (gmmu_range &r : is)
                if (r.start == b.start) {
                    of_others += r.start != was[k].start;
                    r.state = kind == GMMU_RANGE_READ_CPU ? GMMU_RANGE_S : GMMU_RANGE_C;
                    r.base_ok = r.base_ok && kind == GMMU_RANGE_READ_CPU;
                }
        }
        expect("a beat of another record is left out", left_out, 0);
        if (!bad)
            expect("beats", got.size(), beats);
        if (bad && of_others != 0 && !room)
            for (uint32_t j = 0; j < n; j++)
                expect("what is done to others is done to all",
                       j == k || is[j].state != was[j].state, 1);
        for (unsigned again = 0; again < 2; again++)
            for (uint32_t j = 0; j < n && ok(); j++) {
                const gmmu_range_beat a =
                    ask(make(GMMU_RANGE_LOOKUP, was[j].start, was[j].last)).back();
                const bool odd = a.code == GMMU_RANGE_BADWORD;
                if (j == k && bad)
                    expect("the record stays bad", a.code, GMMU_RANGE_BADWORD);
                if (j == k && (bad || odd))
                    continue;
                expect("code of a record behind it", a.code, GMMU_RANGE_OK);
                expect("state of a record behind it", a.state, is[j].state);
                expect("base_ok of a record behind it", a.base_ok, is[j].base_ok);
                expect("base of a record behind it", a.base, is[j].base_ok ? is[j].base : 0);
            }
        if (room && bad) {
            const gmmu_range_beat a = ask(make(GMMU_RANGE_LOOKUP, op.start, op.last)).back();
            expect("the record that got no room is there", a.code, GMMU_RANGE_OK);
            expect("the record that got no room", a.state, GMMU_RANGE_C);
        }
        return ok();
    }

   private:
    enum { SIZE = 16, NEVER = 1 << 30 };
    const flips::Bits bits_;
    const flips::Register *uses_ = nullptr;
    gmmu_range_dir twin_;
    std::vector<gmmu_range_beat> room_;

    void flip(uint32_t place) {
        flips::Bit{uses_, place, static_cast<uint32_t>(rng.below(uses_->width))}.flip();
    }
    uint32_t place_of(uint64_t start) const {
        uint32_t i = 0;
        while (i < twin_.used && twin_.range[i].start != start) i++;
        return i;
    }
    static bool same(const gmmu_range_beat &a, const gmmu_range_beat &b) {
        return a.kind == b.kind && a.start == b.start && a.last == b.last &&
               a.base_ok == b.base_ok && a.base == b.base;
    }
    static bool needs_room(const gmmu_range_op &op, const gmmu_range &on) {
        return on.state == GMMU_RANGE_C &&
               (op.op == GMMU_RANGE_READ_GPU || op.op == GMMU_RANGE_WRITE_GPU ||
                op.op == GMMU_RANGE_TO_GPU);
    }
    gmmu_range_op make(unsigned op, uint64_t start, uint64_t last) {
        gmmu_range_op o = {};
        o.op = static_cast<uint8_t>(op);
        o.tag = static_cast<uint8_t>(rng.next());
        o.start = start;
        o.last = last;
        return o;
    }
    // A reset, then N records, each in some state, or ALL in GPU memory with a base and newer
    // there.
    void fill(unsigned n, uint64_t limit, bool all = false) {
        dut->rst = 1;
        for (int i = 0; i < 3; i++) tick();
        dut->rst = 0;
        memory.arena.used = 0;
        (void)gmmu_range_dir_init(&twin_, cfg.ranges, 0, &memory.arena);
        room_.resize(gmmu_range_dir_most_beats(&twin_));
        dut->cfg_range_bytes = twin_.limit = limit;
        for (unsigned i = 0; i < n && ok(); i++) {
            const uint64_t start = 64 * i + 8, last = start + SIZE - 1;
            others_are_sound(
                make(all ? unsigned{GMMU_RANGE_WRITE_GPU} : static_cast<unsigned>(rng.below(3)),
                     start, last));
            if (all || rng.below(2))
                others_are_sound(make(GMMU_RANGE_BASE, start, 1 + rng.bits(12)));
        }
    }

    void offer(const gmmu_range_op &op) {
        dut->s_valid = 1;
        dut->s_op = op.op;
        dut->s_tag = op.tag;
        dut->s_asid = op.asid;
        dut->s_start = op.start;
        dut->s_last = op.last;
        dut->s_whole = op.whole;
        dut->s_pin = op.pin;
    }
    // An operation without a bad word is the twin's.
    bool others_are_sound(const gmmu_range_op &op) {
        const uint32_t n = gmmu_range_dir_op(&twin_, op, room_.data());
        const std::vector<gmmu_range_beat> got = ask(op);
        if (expect("beats", got.size(), n))
            for (uint32_t i = 0; i < n; i++) expect("the twin's beat", same(got[i], room_[i]), 1);
        expect("code", got.back().code, room_[n - 1].code);
        expect("state", got.back().state, room_[n - 1].state);
        return ok();
    }
    // One that needs a bad word does nothing and says so.
    void is_refused(const gmmu_range_op &op) {
        const bool told = dut->turned;
        const std::vector<gmmu_range_beat> got = ask(op);
        expect("beats of a refused operation", got.size(), 1);
        expect("code of a bad record", got.back().code, GMMU_RANGE_BADWORD);
        expect("a bad record is told", dut->turned != told, 1);
        refused++;
    }
    // The beats of an operation; WHEN cycles after it was taken the record at PLACE turns bad.
    std::vector<gmmu_range_beat> ask(const gmmu_range_op &op, unsigned when = NEVER,
                                     uint32_t place = 0) {
        std::vector<gmmu_range_beat> got;
        offer(op);
        unsigned taken = 0;
        bool over = false;
        for (unsigned c = 0, rest = 0; c < 4000 && rest < 4; c++) {
            dut->m_ready = rng.below(4) != 0;
            settle();
            if (taken != 0 && taken++ == when + 1)
                flip(place);
            if (dut->m_valid && dut->m_ready && !over) {
                gmmu_range_beat b = {};
                b.kind = static_cast<uint8_t>(dut->m_kind);
                b.code = static_cast<uint8_t>(dut->m_code);
                b.tag = static_cast<uint8_t>(dut->m_tag);
                b.state = static_cast<uint8_t>(dut->m_state);
                b.start = dut->m_start;
                b.last = dut->m_last;
                b.base_ok = dut->m_base_ok;
                b.base = dut->m_base;
                got.push_back(b);
                over = dut->m_tlast;
                expect("its answer is its last beat", b.kind == GMMU_RANGE_ANSWER, over);
            }
            rest += over;
            if (taken == 0 && dut->s_valid && dut->s_ready)
                taken = 1;
            edge();
            if (taken != 0)
                dut->s_valid = 0;
        }
        actions++;
        if (!expect("an answer comes", over, 1))
            got.push_back({});
        expect("tag", got.back().tag, op.tag);
        return got;
    }
};

#endif
