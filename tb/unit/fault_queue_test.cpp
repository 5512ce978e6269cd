// SPDX-License-Identifier: Apache-2.0
// fault_queue_test.cpp: notes, outstanding faults and arrived pages, RTL against C twin in every
// cycle.
//
// The bench keeps the unit's protocol: an operation is offered, granted and takes effect 3 cycles
// later, or with frames in memory 1 to 200; so do DECIDE and EXPIRE. State space: faults of few
// pages or of many, all in one bucket or some that differ in one bit only; notes, queue and ring
// empty to full; every operation on undecided, decided, filled and arrived pages and on pages that
// have no fault; pages in two frames; frames that are beyond cfg_frames; replays; flushes and
// epochs at any time; ages around the clamp, time that wraps and jumps; sequence numbers that wrap;
// reset in the middle of a run; words with a flipped bit, after which the twin forgets what the RTL
// forgets. Parameter space: the configuration that it is built for (one entry, numbers of entries
// that are no power of two, no ring, no slots); random initial state.
#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "bench.h"

namespace {

struct Style {
    unsigned pages = 1;      // in play
    bool bucket = false;     // all in one bucket
    unsigned frames = 4;     // in play
    unsigned walk = 0;       // permille of the cycles bring a fault
    unsigned op = 0;         // permille of the free cycles begin an operation
    unsigned fill = 0;       // permille of the operations are FILLs
    unsigned decide = 0;     // permille of the free cycles begin a DECIDE
    unsigned slow = 0;       // permille of the actions are slow
    unsigned age = 20;       // permille of the cycles begin an AGE
    unsigned flush = 0;      // in 100000 cycles
    unsigned epochs = 5;     // permille of the cycles end an epoch
    unsigned jump = 5;       // permille of the cycles move time
    unsigned replay = 200;   // permille of the faults are replays
    unsigned give_up = 200;  // permille of the decisions
    uint64_t cycles = 0;
};

struct Page {
    uint32_t asid = 0;
    uint64_t vpn = 0;
    bool operator==(const Page &p) const { return asid == p.asid && vpn == p.vpn; }
};

class FaultQueue : public bench::Block {
   public:
    uint64_t outcomes[8] = {}, asks[8] = {}, noted_not = 0, decided = 0, ahead = 0, given_up = 0,
             ended = 0;
    uint64_t filled = 0, clamps = 0, expired = 0, flushed = 0, forgot = 0, named = 0, twice = 0;
    uint64_t bad_notes = 0;
    uint64_t slowest_enter = 0, slowest_fill = 0;  // by measure()

    explicit FaultQueue(const bench::Setup &s) : Block("fault_queue", s) {
        dut->rst = 0;
        noise();
    }

    void reset() {
        memory.arena.used = 0;
        gmmu_fault_queue_init(&twin_, &cfg, &memory.arena);
        held_.assign(cfg.frames, {});
        op_ = {};
        decide_ = expire_ = {};
        age_ = false;
        slot_[0] = slot_[1] = 0;
        frames_ = 1 + static_cast<uint32_t>(rng.below(std::min(cfg.frames, 8u)));
        dut->rst = 1;
        dut->clear = 1;
        for (uint64_t i = rng.below(4) + 1; i > 0; i--) {
            noise();
            dut->w_fault = rng.below(2);
            dut->find_req = rng.below(2);
            dut->s_fill = rng.below(2);
            dut->d_done = rng.below(2);
            tick();
        }
        dut->rst = 0;
        noise();
        settle();
        was_turned_ = dut->turned;
        uint64_t n = 0;
        for (; !dut->cleared && n < 1u << 20; n++) {
            edge();
            noise();
            settle();
        }
        const uint64_t nodes = 1ull << std::max(1u, gmmu_log2(cfg.faults + cfg.late));
        expect("cycles until cleared", n, std::max<uint64_t>(nodes, cfg.t2_slots));
        edge();
        dut->clear = 0;
        idle_ = due_ = 0;
        passed_note_ = passed_op_ = passed_decide_ = passed_age_ = 0;
    }

    bool run(const Style &s) {
        some_pages(s);
        if (op_.at == NONE && twin_.noted == 0)
            frames_ = std::min(cfg.frames, s.frames);
        const uint64_t end = cycles + s.cycles;
        while (cycles < end && ok()) cycle(s);
        return ok();
    }

    // Ends in a rest, in which an EXPIRE that is due must have come, again and again: between other
    // jobs one may come late.
    void bursts(Style s, unsigned n) {
        some_pages(s);
        for (unsigned i = 0; i < n && ok(); i++) {
            for (uint64_t k = 20 + rng.below(100); k > 0 && ok(); k--) cycle(s);
            rest();
        }
    }

    // All notes enter, all that is undecided is decided or given up, twice; every page is looked
    // at.
    void drain() {
        const Style none = {.frames = 4, .slow = 100, .age = 0, .epochs = 0};
        Style s = none;
        s.decide = 1000;
        decide_all(s);
        alone();
        decide_all(s);
        for (int i = 0; i < 10 && ok(); i++) cycle({.frames = 4, .age = 0, .epochs = 0});
        for (const Page &p : pages_) {
            if (op_.at == NONE)
                offer(CANCEL, p, s);
            for (int i = 0; i < 2000 && ok() && op_.at != NONE; i++) cycle(none);
        }
    }

    // Of N pages in buckets of their own, in two frames: the most cycles from a walk to its ENTER,
    // and from a FILL's offer until the engine rests, the three to its effect not counted.
    void measure(unsigned n) {
        const Style none = {.frames = 2, .age = 0, .epochs = 0, .jump = 0};
        Style decides = none;
        decides.decide = 1000;
        decides.give_up = 0;
        lone_ = true;
        frames_ = 2;
        pages_.assign(1, {});
        for (unsigned i = 0; i < n && ok(); i++) {
            const Page p = {0, i};
            uint64_t began = cycles;
            walk_next_ = true;
            walk_page_ = p;
            do cycle(none);
            while (ok() && !dut->enter_valid && cycles < began + 1000);
            slowest_enter = std::max(slowest_enter, cycles - began);
            for (int k = 0; k < 1000 && (busy() || twin_.undecided != 0); k++) cycle(decides);
            decide_ = {};
            offer(FILL, p, none);
            op_.frame = i % 2;
            began = cycles;
            while (ok() && busy() && cycles < began + 1000) cycle(none);
            slowest_fill = std::max(slowest_fill, cycles - began - 3);
        }
        lone_ = false;
    }

   private:
    void decide_all(const Style &s) {
        for (uint64_t i = 0; i < 200000 && ok() && (busy() || twin_.undecided != 0); i++) cycle(s);
        expect("all is decided", twin_.undecided + twin_.noted, 0);
    }

    // The engine's own work ends without a job of another kind: the places of the ring behind a
    // flush, then two notes of one page, the second of which finds the first in its bucket.
    void alone() {
        const Style none = {.frames = 4, .age = 0, .epochs = 0, .jump = 0};
        Style flushes = none;
        flushes.flush = 100000;
        lone_ = true;
        cycle(flushes);
        rest();
        for (int i = 0; i < 2; i++) {
            walk_next_ = true;
            walk_page_ = pages_[0];
            cycle(none);
        }
        rest();
        lone_ = false;
    }
    // Nothing is asked for any more: the engine rests, and stays at rest.
    void rest() {
        const Style none = {.frames = 4, .age = 0, .epochs = 0, .jump = 0};
        const uint64_t most = 3000 + 256ull * cfg.late;
        for (uint64_t i = 0; i < most && ok() && (rests_ < 4 || busy_itself()); i++) cycle(none);
        expect("the engine rests", busy_itself(), 0);
    }
    // Undecided faults are no work of the engine.
    bool busy_itself() const {
        return dut->busy || twin_.noted != 0 || op_.at != NONE || decide_.at != NONE ||
               expire_.at != NONE;
    }

    enum Op { FILL, FREE, SWAP, CANCEL, ASK, REFUSED };
    enum At { NONE, OFFERED, GRANTED };
    struct Offer {
        At at = NONE;
        Op op = FILL;
        Page page;
        uint32_t frame = 0;
        uint64_t wait = 0;  // cycles to the grant, then to the effect
        bool slow = false;
        bool was_ready = false;
    };
    struct Held {
        bool valid = false, leaving = false;
        Page page;
    };
    gmmu_fault_queue twin_ = {};
    std::vector<Page> pages_;
    std::vector<Held> held_;
    Offer op_, decide_, expire_;
    bool age_ = false, withdrawn_ = false;
    unsigned age_entry_ = 0;
    uint64_t now_ = 0;
    unsigned rests_ = 0;  // cycles without work, a flush or another epoch
    uint32_t frames_ = 1;
    uint32_t slot_[2] = {};  // n_slot, of the two cycles before
    uint64_t idle_ = 0;      // cycles since something happened
    uint64_t due_ = 0;       // cycles since an EXPIRE is due
    // jobs of other kinds since a note, an operation, a DECIDE, an AGE waits
    unsigned passed_note_ = 0, passed_op_ = 0, passed_decide_ = 0, passed_age_ = 0;
    bool was_turned_ = false;
    bool lone_ = false, walk_next_ = false;
    Page walk_page_;

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

    // As in gmmu_fault_queue_hash.v.
    unsigned bucket_bits() const { return std::max(1u, gmmu_log2(cfg.faults + cfg.late)); }
    uint32_t bucket(const Page &p) const {
        const unsigned w = bucket_bits(), bits = cfg.vpn_w + cfg.asid_w;
        uint32_t h = 0;
        for (unsigned i = 0; i < bits; i++) {
            const uint64_t bit = i < cfg.vpn_w ? p.vpn >> i : p.asid >> (i - cfg.vpn_w);
            const unsigned at = i / w % 2 == 0 ? i % w : w - 1 - i % w;
            h ^= static_cast<uint32_t>(bit & 1) << at;
        }
        return h;
    }

    void some_pages(const Style &s) {
        pages_.clear();
        for (unsigned i = 0; i < s.pages; i++)
            pages_.push_back({static_cast<uint32_t>(rng.bits(cfg.asid_w)), rng.edgy(cfg.vpn_w)});
        for (unsigned i = 1; i < s.pages; i += 2)  // every second one is nearly the one before
            pages_[i] =
                flip(pages_[i - 1], static_cast<unsigned>(rng.below(cfg.vpn_w + cfg.asid_w)));
        if (s.bucket && cfg.vpn_w >= bucket_bits()) {
            const uint32_t all = bucket(pages_[0]);
            for (Page &p : pages_) p.vpn ^= bucket(p) ^ all;
            for (unsigned i = 1; i < s.pages; i += 2) pages_[i] = beside(pages_[i - 1]);
        }
    }
    // A page of the same bucket, with two other bits.
    Page beside(const Page &p) {
        const unsigned bits = cfg.vpn_w + cfg.asid_w;
        for (unsigned i = 0; i < 1000; i++) {
            const Page q = flip(flip(p, static_cast<unsigned>(rng.below(bits))),
                                static_cast<unsigned>(rng.below(bits)));
            if (!(q == p) && bucket(q) == bucket(p))
                return q;
        }
        return p;
    }
    Page flip(Page p, unsigned bit) const {
        if (bit < cfg.vpn_w)
            p.vpn ^= 1ull << bit;
        else
            p.asid ^= 1u << (bit - cfg.vpn_w);
        return p;
    }
    const Page &one() { return pages_[rng.below(pages_.size())]; }

    // Nothing is asked for; what stands beside is noise.
    void noise() {
        dut->w_fault = dut->flush = dut->find_take = dut->decide_take = dut->expire_take = 0;
        dut->s_fill = dut->s_free = dut->s_cancel = dut->s_ask = dut->s_refused = 0;
        dut->d_done = dut->s_expire = 0;
        dut->find_req = dut->decide_req = dut->age_req = 0;
        dut->find_asid = rng.bits(cfg.asid_w);
        dut->find_vpn = rng.bits(cfg.vpn_w);
        dut->w_asid = rng.bits(cfg.asid_w);
        dut->w_vpn = rng.bits(cfg.vpn_w);
        dut->w_class = pack(random_class());
        dut->w_time = rng.bits(cfg.time_w);
        dut->w_write = rng.below(2);
        dut->w_t2 = rng.below(2);
        dut->w_slot = slot();
        dut->w_replay = rng.below(2);
        dut->s_frame = rng.below(cfg.frames);
        dut->s_time = rng.bits(cfg.time_w);
        dut->s_t2 = rng.below(2);
        dut->s_slot = slot();
        dut->s_force = rng.below(2);
        dut->s_fresh = rng.below(2);
        dut->s_else_class = pack(random_class());
        dut->s_else_last = rng.bits(cfg.time_w);
        dut->s_left = rng.below(2);
        dut->s_left_asid = rng.bits(cfg.asid_w);
        dut->s_left_vpn = rng.bits(cfg.vpn_w);
        dut->d_claims = rng.below(2);
        dut->d_give_up = rng.below(2);
        dut->d_takes = rng.below(2);
        dut->d_frame = rng.below(cfg.frames);
        dut->d_asid = rng.bits(cfg.asid_w);
        dut->d_vpn = rng.bits(cfg.vpn_w);
        dut->age_entry = rng.below(cfg.faults);
        dut->age_time = rng.bits(cfg.time_w);
        dut->n_slot = slot();
        dut->cfg_frames = frames_;
        dut->epoch_ends = 0;
    }

    bool busy() const {
        return dut->busy || dut->waiting || op_.at != NONE || decide_.at != NONE ||
               expire_.at != NONE || age_;
    }

    uint64_t delay(bool slow) { return slow ? 1 + rng.below(200) : 3; }

    void offer(Op op, const Page &page, const Style &s) {
        op_ = {OFFERED, op, page, static_cast<uint32_t>(rng.below(frames_)), 0, rng.chance(s.slow),
               false};
        if (op_.slow)
            op_.wait = rng.below(50);
        // half of the FILLs are of an outstanding page, if a guess finds one
        const gmmu_fault &f = twin_.fault[rng.below(cfg.faults)];
        if (op == FILL && f.valid && rng.below(2))
            op_.page = {f.asid, f.vpn};
        // a quarter of the operations with a page that is in a frame have this frame
        if (rng.below(4) == 0)
            for (uint32_t i = 0; i < frames_; i++)
                if (held_[i].valid && held_[i].page == page)
                    op_.frame = i;
    }

    void cycle(const Style &s) {
        noise();
        dut->epoch_ends = rng.chance(s.epochs);
        if (rng.chance(s.jump) && !age_)
            jump();
        begin(s);
        drive(s);
        settle();
        compare();
        act();
        edge();
    }

    // What begins in this cycle.
    void begin(const Style &s) {
        if (op_.at == NONE && rng.chance(s.op)) {
            const bool fill = rng.chance(s.fill);
            offer(fill ? (rng.below(5) ? FILL : SWAP) : static_cast<Op>(rng.below(REFUSED + 1)),
                  one(), s);
        }
        if (decide_.at == NONE && rng.chance(s.decide)) {
            decide_ = {};
            decide_.at = OFFERED;
            decide_.slow = rng.chance(s.slow);
            decide_.wait = decide_.slow ? rng.below(50) : 0;
        }
        if (!age_ && rng.chance(s.age)) {
            age_ = true;
            age_entry_ = static_cast<unsigned>(rng.below(cfg.faults));
        }
        if (op_.at == NONE && twin_.noted == 0 && !dut->enter_valid && rng.below(200) == 0 &&
            !pages_.empty() && !lone_) {
            frames_ = 1 + static_cast<uint32_t>(rng.below(std::min(cfg.frames, s.frames)));
            dut->cfg_frames = frames_;
        }
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

    // Sets the inputs of this cycle. The grants follow registers of the DUT.
    void drive(const Style &s) {
        // an operation is withdrawn, perhaps for another one in the next cycle
        const bool withdraws = op_.at == OFFERED && !lone_ && rng.below(100) == 0;
        if (withdraws)
            op_ = {};
        withdrawn_ = withdraws;
        dut->find_req = op_.at == OFFERED;
        if (op_.at == OFFERED) {
            dut->find_asid = op_.page.asid;
            dut->find_vpn = op_.page.vpn;
            dut->find_take = dut->find_ready && op_.wait == 0;
        }
        if (op_.at == GRANTED && op_.wait == 0)
            drive_op();
        dut->decide_req = decide_.at == OFFERED;
        if (decide_.at == OFFERED) {
            if (rng.below(50) == 0 && !dut->decide_ok) {  // withdrawn
                decide_.at = NONE;
                dut->decide_req = 0;
            } else {
                dut->decide_take = dut->decide_ok && decide_.wait == 0;
            }
        }
        if (decide_.at == GRANTED && decide_.wait == 0)
            drive_decide(s);
        dut->expire_take = dut->expire_req && expire_.wait == 0;
        dut->s_expire = expire_.at == GRANTED && expire_.wait == 0;
        dut->age_req = age_;
        dut->age_time = time(now_);
        if (age_)
            dut->age_entry = age_entry_;
        dut->flush = rng.below(100000) < s.flush;
        dut->w_fault = walk_next_ || rng.chance(s.walk);
        if (dut->w_fault) {
            const Page p = walk_next_ ? walk_page_ : one();
            walk_next_ = false;
            dut->w_asid = p.asid;
            dut->w_vpn = p.vpn;
            dut->w_time = time(now_ + 1);
            dut->w_replay = lone_ ? 0 : rng.chance(s.replay);
        }
    }

    void drive_op() {
        const Held &h = held_[op_.frame];
        dut->s_fill = op_.op == FILL || op_.op == SWAP;
        dut->s_free = op_.op == FREE || op_.op == SWAP;
        dut->s_cancel = op_.op == CANCEL;
        dut->s_ask = op_.op == ASK;
        dut->s_refused = op_.op == REFUSED;
        dut->s_frame = op_.frame;
        if (dut->s_fill || dut->s_free) {
            dut->s_left = h.valid;
            if (h.valid) {
                dut->s_left_asid = h.page.asid;
                dut->s_left_vpn = h.page.vpn;
            }
        }
    }

    void drive_decide(const Style &s) {
        dut->d_done = 1;
        const bool no_fault = gmmu_fault_queue_head(&twin_) < 0;  // ahead of need
        const bool retry = rng.below(8) == 0;
        dut->d_give_up = !no_fault && !retry && rng.chance(s.give_up);
        dut->d_claims = !no_fault && !retry && !dut->d_give_up;
        dut->d_takes = 0;
        const uint32_t f = static_cast<uint32_t>(rng.below(frames_));
        dut->d_frame = f;
        if ((no_fault ? !retry : dut->d_claims) && held_[f].valid && !held_[f].leaving) {
            dut->d_takes = 1;
            dut->d_asid = held_[f].page.asid;
            dut->d_vpn = held_[f].page.vpn;
        }
    }

    // ---- the outputs against the twin

    void compare() {
        const bool is_named = gmmu_fault_queue_named(&twin_, slot_[1]);
        if (dut->cleared)
            expect("a slot is named", dut->s_named, is_named);
        named += is_named;
        slot_[1] = slot_[0];
        slot_[0] = dut->n_slot;
        if (dut->forgot)
            forget();
        if (setup.flip == 0)
            expect("nothing is forgotten", dut->forgot, 0);
        if (dut->forgot)
            expect("a corrupt word is reported", dut->turned, !was_turned_);
        else if (setup.flip == 0 || !dut->enter_valid)
            expect("no word is corrupt", dut->turned, was_turned_);
        const bool waits =
            twin_.noted != 0 || twin_.undecided != 0;  // a note until its ENTER is done
        if (dut->enter_valid)
            enter();
        expect("waiting", dut->waiting, waits);
        was_turned_ = dut->turned;
        expect("no room for a note", dut->w_full, twin_.noted == cfg.notes);
        head();
        if (op_.at == GRANTED || (op_.at == OFFERED && dut->find_ready))
            answers();
        expect("it waits for one thing",
               dut->find_ready + dut->decide_ok + dut->expire_req + dut->age_done <= 1, 1);
        expect("ready without an operation", dut->find_ready && op_.at != OFFERED && !withdrawn_,
               0);
        if (dut->expire_req && expire_.at == NONE)
            expire_due();
        rests_ = dut->busy || dut->flush || dut->epoch_ends ? 0 : rests_ + 1;
        if (!dut->busy) {
            if (rests_ >= 3)
                expect("EXPIRE is due", gmmu_fault_queue_expire_due(&twin_) >= 0, 0);
            expect("all notes entered", twin_.noted, 0);
            expect("a head", dut->head_valid, twin_.undecided != 0);
        }
        expect("AGE without a request", dut->age_done && !age_, 0);
        expect("clamped without AGE", dut->age_clamped && !dut->age_done, 0);
        const bool due = expire_.at == NONE && !dut->expire_req && dut->cleared &&
                         gmmu_fault_queue_expire_due(&twin_) >= 0;
        due_ = due ? due_ + 1 : 0;
        expect("EXPIRE comes", due_ < 3000 + 256ull * cfg.late,
               1);  // a look, and anything else, in turn
        const bool pending = op_.at == OFFERED || decide_.at == OFFERED || age_ || twin_.noted != 0;
        idle_ = pending ? idle_ + 1 : 0;
        const uint64_t most = 20000 + 16 * cfg.faults + 4 * (cfg.late + cfg.t2_slots);
        expect("it goes on", idle_ < most, 1);
        turns();
    }

    // Kinds of jobs take turns, so each waits for few jobs of the others. AGE goes first. By the
    // order of the engine a note waits for the job under way and one more; an operation or DECIDE
    // for the two other kinds, with a note before each, and once more if a withdrawn operation took
    // the turn. The bounds leave some room; a job that loses its turns for ever passes any.
    void turns() {
        const bool ops = dut->find_take, decides = dut->decide_take, enters = dut->enter_valid;
        const unsigned others = dut->expire_take ? 1 : 0;
        passed_note_ = twin_.noted != 0 && !enters ? passed_note_ + ops + decides + others : 0;
        passed_op_ =
            op_.at == OFFERED && !dut->find_ready ? passed_op_ + enters + decides + others : 0;
        passed_decide_ =
            decide_.at == OFFERED && !dut->decide_ok ? passed_decide_ + enters + ops + others : 0;
        passed_age_ = age_ && !dut->age_done ? passed_age_ + enters + ops + decides + others : 0;
        expect("a note waits for few jobs", passed_note_ <= 6, 1);
        expect("an operation waits for few jobs", passed_op_ <= 12, 1);
        expect("DECIDE waits for few jobs", passed_decide_ <= 12, 1);
        expect("AGE waits for few jobs", passed_age_ <= 2, 1);
    }

    // A corrupt word: all but the notes is lost.
    void forget() {
        const std::vector<gmmu_fault_note> notes(twin_.note, twin_.note + cfg.notes);
        const uint32_t first = twin_.note_first, noted = twin_.noted;
        memory.arena.used = 0;
        gmmu_fault_queue_init(&twin_, &cfg, &memory.arena);
        std::copy(notes.begin(), notes.end(), twin_.note);
        twin_.note_first = first;
        twin_.noted = noted;
        twin_.seq = dut->head_seq;
        forgot++;
    }

    void enter() {
        idle_ = 0;
        if (!expect("ENTER without a note", twin_.noted != 0, 1))
            return;
        if (setup.flip != 0 && dut->turned != was_turned_) {
            expect("ENTER of a corrupt note", dut->enter_outcome, GMMU_FAULT_DROPPED);
            twin_.note_first = (twin_.note_first + 1) & (cfg.notes - 1);
            twin_.noted--;
            bad_notes++;
            return;
        }
        const gmmu_fault_put p = gmmu_fault_queue_enter(&twin_, frames_);
        expect("ENTER's outcome", dut->enter_outcome, p.outcome);
        expect("ENTER's entry", dut->enter_entry, p.entry);
        outcomes[p.outcome]++;
        actions++;
    }

    void head() {
        const int i = gmmu_fault_queue_head(&twin_);
        if (!dut->head_valid)
            return;
        if (!expect("a head that waits", i >= 0, 1))
            return;
        const gmmu_fault &f = twin_.fault[i];
        expect("head's entry", dut->head_entry, static_cast<unsigned>(i));
        expect("head's asid", dut->head_asid, f.asid);
        expect("head's vpn", dut->head_vpn, f.vpn);
        expect("head's number", dut->head_seq, f.seq);
        expect("head is in Tier 2", dut->head_t2, f.t2 && cfg.t2_slots != 0);
        if (dut->head_t2)
            expect("head's slot", dut->head_slot, f.slot);
        if (dut->decide_ok || decide_.at == GRANTED || !dut->busy) {
            expect("head filled", dut->head_filled, f.filled);
            expect("head forced", dut->head_force, f.force);
            expect("head lost", dut->head_lost, f.lost);
        }
    }

    // The page's fault as it is.
    void answers() {
        const gmmu_fault *f = gmmu_fault_queue_find(&twin_, op_.page.asid, op_.page.vpn);
        const bool late = gmmu_fault_queue_late(&twin_, op_.page.asid, op_.page.vpn, frames_);
        const bool some = twin_.taken < cfg.faults;
        expect("hit", dut->s_hit, f != nullptr);
        expect("decided", dut->s_decided, f != nullptr && f->decided);
        expect("late", dut->s_late, f == nullptr && late);
        expect("full", dut->s_full, !some && twin_.freed == UINT32_MAX);
        expect("class", dut->s_class, f != nullptr ? pack(f->cls) : 0);
        expect("last access", dut->s_last, f != nullptr ? f->last : dut->s_time);
        expect("dirty", dut->s_dirty, f != nullptr && f->dirty);
        if (f != nullptr)
            expect("entry", dut->s_entry, static_cast<unsigned>(f - twin_.fault));
        else if (!dut->s_full)
            expect("free entry", dut->s_entry, some ? twin_.taken : twin_.freed);
    }

    void expire_due() {
        const int64_t frame = gmmu_fault_queue_expire_due(&twin_);
        if (expire_.was_ready)
            return;
        expire_.was_ready = true;
        expire_.slow = rng.below(5) == 0;
        expire_.wait = expire_.slow ? rng.below(50) : 0;
        expect("EXPIRE is not due", frame >= 0, 1);
        expect("frame of EXPIRE", dut->expire_frame, static_cast<uint64_t>(frame));
    }

    // ---- the actions of this cycle: side, AGE, flush, walk (ENTER has been)

    void act() {
        side();
        if (dut->age_done && age_) {
            const bool clamped = gmmu_fault_queue_age(&twin_, age_entry_, time(now_), limit());
            expect("AGE clamped", dut->age_clamped, clamped);
            clamps += clamped;
            age_ = false;
            idle_ = 0;
            actions++;
        }
        if (dut->flush) {
            gmmu_fault_queue_flush(&twin_);
            flushed++;
        }
        if (dut->w_fault) {
            now_++;
            gmmu_fault_note n = {};
            n.vpn = dut->w_vpn;
            n.asid = dut->w_asid;
            n.time = dut->w_time;
            n.slot = dut->w_slot;
            n.cls = unpack(dut->w_class);
            n.write = dut->w_write;
            n.t2 = dut->w_t2;
            n.replay = dut->w_replay;
            noted_not += gmmu_fault_queue_note(&twin_, n) == GMMU_FAULT_DROPPED;
            actions++;
        }
        if (dut->epoch_ends)
            gmmu_fault_queue_epoch(&twin_);
    }
    gmmu_class unpack(uint32_t c) const {
        return {static_cast<uint16_t>(c >> cfg.gen_w),
                static_cast<uint16_t>(c & bench::mask(cfg.gen_w))};
    }

    void side() {
        if (op_.at == OFFERED) {
            if (dut->find_take) {
                op_.at = GRANTED;
                op_.wait = delay(op_.slow) - 1;
                idle_ = 0;
            } else if (dut->find_ready && op_.wait > 0) {
                op_.wait--;
            }
        } else if (op_.at == GRANTED) {
            if (op_.wait == 0)
                effect();
            else
                op_.wait--;
        }
        if (decide_.at == OFFERED) {
            if (dut->decide_take) {
                decide_.at = GRANTED;
                decide_.wait = delay(decide_.slow) - 1;
                idle_ = 0;
            } else if (dut->decide_ok && decide_.wait > 0) {
                decide_.wait--;
            }
        } else if (decide_.at == GRANTED) {
            if (decide_.wait == 0)
                decision();
            else
                decide_.wait--;
        }
        if (dut->expire_take) {
            expire_.at = GRANTED;
            expire_.wait = delay(expire_.slow) - 1;
        } else if (dut->s_expire) {
            expect("the frame fresh longest", dut->expire_frame, oldest_fresh());
            gmmu_fault_queue_expired(&twin_);
            expire_ = {};
            idle_ = 0;
            expired++;
            actions++;
        } else if (expire_.wait > 0) {
            expire_.wait--;
        }
    }
    uint64_t oldest_fresh() {
        const int64_t frame = gmmu_fault_queue_expire_due(&twin_);
        return frame >= 0 ? static_cast<uint64_t>(frame) : UINT64_MAX;
    }

    void effect() {
        const Page p = op_.page;
        Held &h = held_[op_.frame];
        if (op_.op == FILL || op_.op == SWAP) {
            const gmmu_fault_found was = gmmu_fault_queue_fill(&twin_, p.asid, p.vpn);
            ended += was.fault.decided;
            filled += was.fault.valid && !was.fault.decided;
            if (h.valid)
                gmmu_fault_queue_left(&twin_, h.page.asid, h.page.vpn, op_.frame);
            if (cfg.late != 0)
                expect("a frame without an EXPIRE", twin_.arrived[twin_.next].fresh, 0);
            for (uint32_t i = 0; i < held_.size() && i < 64; i++)
                twice += i != op_.frame && held_[i].valid && held_[i].page == p;
            gmmu_fault_queue_arrive(&twin_, p.asid, p.vpn, op_.frame,
                                    was.fault.valid && dut->s_fresh);
            h = {true, false, p};
        } else if (op_.op == FREE) {
            if (h.valid)
                gmmu_fault_queue_left(&twin_, h.page.asid, h.page.vpn, op_.frame);
            h = {};
        } else if (op_.op == CANCEL) {
            ended += gmmu_fault_queue_cancel(&twin_, p.asid, p.vpn).fault.decided;
        } else if (op_.op == ASK) {
            gmmu_fault f = {};
            f.vpn = p.vpn;
            f.asid = p.asid;
            f.last = dut->s_else_last;
            f.cls = unpack(dut->s_else_class);
            f.t2 = dut->s_t2;
            f.slot = dut->s_slot;
            f.force = dut->s_force;
            asks[gmmu_fault_queue_ask(&twin_, f, frames_).outcome]++;
        }
        op_ = {};
        actions++;
    }

    void decision() {
        if (dut->d_takes) {
            Held &h = held_[dut->d_frame];
            gmmu_fault_queue_left(&twin_, h.page.asid, h.page.vpn, dut->d_frame);
            h.leaving = true;
            ahead += !dut->d_claims;
        }
        if (dut->d_claims) {
            gmmu_fault_queue_decide(&twin_);
            decided++;
        } else if (dut->d_give_up) {
            gmmu_fault_queue_give_up(&twin_);
            given_up++;
        }
        decide_ = {};
        actions++;
    }
};

// Sizes of the styles grow with the queue.
std::vector<Style> styles() {
    const unsigned n = bench::config().faults, late = bench::config().late;
    const uint64_t some = 10000 + 20ull * (n + late), many = 2 * some + 60ull * (n + late);
    // clang-format off
    return {{.pages = 2, .frames = 2, .walk = 300, .op = 300, .fill = 500, .decide = 300, .flush = 100, .jump = 20, .cycles = some},
            {.pages = 6, .bucket = true, .frames = 3, .walk = 100, .op = 400, .fill = 400, .decide = 300, .slow = 20, .flush = 50, .cycles = some},
            {.pages = n + 1, .frames = 6, .walk = 500, .op = 100, .fill = 300, .decide = 100, .slow = 20, .age = 50, .cycles = many},
            {.pages = 3 * n, .frames = 200, .walk = 100, .op = 300, .fill = 800, .decide = 300, .flush = 20, .replay = 500, .cycles = many},
            {.pages = 4 * n, .frames = 20, .walk = 1000, .op = 50, .fill = 200, .decide = 20, .slow = 50, .age = 100, .jump = 50, .cycles = many},
            {.pages = 4 * late + 4, .frames = 1000, .walk = 30, .op = 900, .fill = 950, .decide = 100, .slow = 100, .flush = 10, .epochs = 0, .cycles = many},
            {.pages = 12, .bucket = true, .frames = 12, .walk = 80, .op = 500, .fill = 700, .decide = 400, .flush = 100, .epochs = 50, .give_up = 500,
             .cycles = some},
            {.pages = 5, .frames = 8, .walk = 50, .op = 600, .fill = 300, .decide = 500, .slow = 100, .flush = 200, .replay = 700, .cycles = some},
            {.pages = 3, .frames = 4, .walk = 500, .op = 30, .fill = 900, .decide = 300, .flush = 500, .cycles = some},
            {.pages = 6, .frames = 6, .walk = 8, .op = 15, .fill = 700, .decide = 500, .flush = 1000, .epochs = 3, .cycles = many},
            // ASKs, of more pages than there are entries
            {.pages = 2 * n + 4, .frames = 8, .walk = 20, .op = 800, .fill = 200, .decide = 50, .cycles = many},
            // a note in each cycle, and anything else that waits for its turn, without AGE
            {.pages = n + 2, .frames = 6, .walk = 1000, .op = 500, .fill = 400, .decide = 500, .age = 0, .cycles = some},
            // all FILLs are of outstanding pages, so the ring is full of fresh frames
            {.pages = 4 * late + 4, .frames = 1000, .walk = 10, .op = 900, .fill = 1000, .decide = 200, .epochs = 0, .give_up = 0, .cycles = many}};
    // clang-format on
}

bench::Outcome run(const bench::Setup &s) {
    bench::Outcome o;
    {
        FaultQueue b(s);
        b.reset();
        for (const Style &style : styles())
            if (!b.mismatch.found) {
                (void)b.run(style);
                b.drain();
            }
        // FILLs of outstanding pages make frames fresh; with AGE and operations of all kinds
        for (unsigned fill : {1000u, 600u})
            if (!b.mismatch.found)
                b.bursts({.pages = 4 * bench::config().late + 4,
                          .frames = 1000,
                          .walk = 100,
                          .op = 900,
                          .fill = fill,
                          .decide = 400,
                          .age = fill == 600 ? 50u : 0u,
                          .epochs = 30,
                          .give_up = 0},
                         200);
        if (!b.mismatch.found) {
            (void)b.run(styles()[2]);
            b.reset();  // in the middle
            (void)b.run(styles()[3]);
            b.drain();
        }
        if (!o.add(b))
            return o;
    }
    if (bench::config().parity != 0) {
        bench::Setup flips = s;
        flips.flip = 300;
        FaultQueue b(flips);
        b.reset();
        for (unsigned i : {1u, 2u, 3u, 6u})
            if (!b.mismatch.found)
                (void)b.run(styles()[i]);
        o.add(b);
    }
    return o;
}

#ifdef GMMU_FAULTS

TEST(FaultQueueFaults, EachIsSeen) {
    bench::expect_faults_seen("fault_queue", 2, run);
}

#else

TEST(FaultQueue, LockStep) {
    bench::expect_lockstep("fault_queue", 4, run);
}

// What the styles reach.
TEST(FaultQueue, Stimuli) {
    const gmmu_config &cfg = bench::config();
    FaultQueue b({.ram = "garbage", .seed = bench::seed_of_run()});
    b.reset();
    for (const Style &style : styles()) {
        ASSERT_TRUE(b.run(style)) << b.mismatch.text();
        b.drain();
    }
    const bool ring = cfg.late != 0;
    EXPECT_GT(b.outcomes[GMMU_FAULT_QUEUED], 100U);
    EXPECT_GT(b.outcomes[GMMU_FAULT_JOINED], 100U);
    EXPECT_GT(b.outcomes[GMMU_FAULT_DROPPED], 100U);
    EXPECT_GT(b.outcomes[GMMU_FAULT_AGAIN], 50U);
    EXPECT_GT(b.outcomes[GMMU_FAULT_LOST], 50U);
    EXPECT_EQ(b.outcomes[GMMU_FAULT_LATE] > 50U, ring);
    EXPECT_GT(b.asks[GMMU_FAULT_QUEUED], 3U);
    EXPECT_GT(b.asks[GMMU_FAULT_JOINED], 10U);
    EXPECT_GT(b.asks[GMMU_FAULT_DROPPED], 10U);
    EXPECT_EQ(b.asks[GMMU_FAULT_LATE] > 3U, ring);
    EXPECT_GT(b.noted_not, 1000U);
    EXPECT_GT(b.decided, 100U);
    EXPECT_GT(b.ahead, 10U);
    EXPECT_GT(b.given_up, 50U);
    EXPECT_GT(b.ended, 100U);
    EXPECT_GT(b.filled, 10U);
    EXPECT_GT(b.clamps, 20U);
    EXPECT_EQ(b.expired > 10U, ring);
    EXPECT_GT(b.flushed, 10U);
    EXPECT_EQ(b.named > 1000U, cfg.t2_slots != 0);
    EXPECT_GT(b.twice, 10U);
}

TEST(FaultQueue, CorruptWords) {
    const bool parity = bench::config().parity != 0;
    FaultQueue b({.ram = "garbage", .seed = bench::seed_of_run(), .flip = parity ? 200U : 0U});
    b.reset();
    for (unsigned i = 0; i < (parity ? 400U : 8U) && (b.forgot < 6 || b.bad_notes < 2); i++)
        ASSERT_TRUE(b.run(styles()[i % styles().size()])) << b.mismatch.text();
    EXPECT_EQ(b.forgot >= 6, parity);
    EXPECT_EQ(b.bad_notes >= 2, parity);
}

// Without collisions (pages follow each other), all that FILL may have to do.
TEST(FaultQueue, Cycles) {
    const gmmu_config &cfg = bench::config();
    FaultQueue b({.ram = "garbage", .seed = bench::seed_of_run()});
    b.reset();
    b.measure(std::min(cfg.late + 4, 1U << std::min(cfg.vpn_w, 16U)));
    EXPECT_FALSE(b.mismatch.found) << b.mismatch.text();
    EXPECT_LE(b.slowest_enter, cfg.faults + cfg.late > 2 ? 10U : 13U);  // two buckets collide
    EXPECT_LE(b.slowest_fill, cfg.faults + cfg.late > 2 ? 40U : 43U);
    std::printf("fault_queue (%s): ENTER at most %" PRIu64 " cycles behind its walk, FILL %" PRIu64
                " cycles\n",
                GMMU_CONFIG_NAME, b.slowest_enter, b.slowest_fill);
}

#endif

}  // namespace
