// SPDX-License-Identifier: Apache-2.0
// lockstep.h: the RTL beside its twin, action by action.
#ifndef GMMU_TB_REF_RIT_LOCKSTEP_H
#define GMMU_TB_REF_RIT_LOCKSTEP_H

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "bench.h"
#include "blocks/crc32c.h"
#include "blocks/log_bin.h"
#include "flushes.h"
#include "references.h"
#include "styles.h"

// What the counter of passes starts from: as far as no run counts, where mutants are run
// (scripts/mutate.py).
#ifndef GMMU_COUNTS_FROM
#define GMMU_COUNTS_FROM 0
#endif

class RefRit : public bench::Block {
   public:
    uint64_t executions = 0, learns = 0, done[4] = {}, allocations = 0, wraps = 0, applied = 0,
             own_halves = 0, flushed = 0, stolen = 0, longest_flush = 0, looks = 0, found = 0,
             stolen_looks = 0;

    explicit RefRit(const bench::Setup &s) : Block("ref_rit", s) {
        dut->rst = 0;
        random_inputs();
    }

    void reset() {
        memory.arena.used = 0;
        gmmu_ref_rit_init(&twin_, &cfg, &memory.arena);
        dut->rst = 1;
        for (int i = 0; i < 8; i++) {
            random_inputs();
            tick();
        }
        dut->rst = 0;
        dut->cfg_flush = 0;
        dut->w2_valid = dut->w2_look = dut->w9_tick = dut->rec0_valid = dut->rec1_valid = 0;
        dut->rec0_bad = dut->rec1_bad = 0;
        dut->qa_row %= cfg.classes;  // no other row is asked for
        dut->clear = 1;
        const uint64_t began = cycles, cells = static_cast<uint64_t>(cfg.classes) * cfg.bins;
        dut->rec0_valid = rng.below(2);
        dut->rec1_valid = !dut->rec0_valid;
        for (settle(); !dut->cleared && cycles < began + cells + 8; settle()) {
            expect("a record is taken while the counts are cleared", dut->rec0_pop || dut->rec1_pop,
                   0);
            edge();
        }
        expect("cycles that clearing takes", cycles - began, cells);
        for (uint64_t i = rng.below(6); i > 0; i--) {  // others may need longer
            edge();
            settle();
            expect("cleared, and so it stays", dut->cleared, 1);
        }
        dut->rec0_valid = dut->rec1_valid = 0;
        dut->clear = 0;
        dut->qb_row = dut->qb_gen = 0;
        for (int i = 0; i < 8; i++) tick();
        was_current_ = gmmu_ref_rit_current(&twin_, {dut->qa_row, dut->qa_gen});
        asked_before_ = {dut->qb_row, dut->qb_gen};
        for (Exec &e : exec_) e = {};
        for (unsigned q = 0; q < 2; q++) {
            queue_[q].clear();
            taken_[q].clear();
        }
        popped_ = 0;
        for (Due &d : due_) d = {};
        learnt_.clear();
        snap_.clear();
        header_.clear();
        places_.assign(1, gmmu_class{});
        running_until_ = busy_until_ = 0;
        wanted_for_ = stalled_for_ = 0;
        running_history_ = 0;
        halve_from_.assign(cfg.classes, 0);
        first_ = 0;
        given_[0] = given_[1] = -1;
        flushes_.reset();
        flushes_done_ = 0;
        script_.clear();
        told_ = counts_told_ = counts_bad_ = 0;
        turned_ = dut->turned;
        bad_count_ = {};
        snap_was_ = SNAP_NONE;
        lost_gen_.assign(cfg.classes, false);
    }

    bool run(const Style &s) {
        refs_.draw(s.sets, s.refs);
        steady_ = places_.back();
        steady_x_ = rng.edgy(cfg.time_w);
        most_censored_ = !most_censored_;
        for (uint64_t i = 0; i < s.cycles && ok(); i++) cycle(s);
        return ok();
    }

    // No more walks: everything owed gets done, and every dirty row is looked at.
    bool drain() {
        const Style last_walk = {.execute = 1000, .tick = 1000, .ready = 1000, .calm = 1000};
        const Style still = {.ready = 1000, .calm = 1000};
        const Style on_its_way = {.tick = 1000, .ready = 1000, .calm = 1000};
        cycle(last_walk);
        for (unsigned i = 0; i <= EXECUTE_CYCLES; i++) cycle(on_its_way);
        const uint64_t limit = cycles + 4ull * cfg.classes * (2 * cfg.bins + START_BOUND) + 4096;
        do {
            cycle(still);
        } while (ok() && cycles < limit &&
                 !(dut->idle && queue_[0].empty() && queue_[1].empty() && !flushes_.to_come()));
        for (unsigned i = 0; i < 2 * DRAIN_CYCLES; i++) cycle(still);
        expect("idle at the end", dut->idle, 1);
        for (unsigned r = 0; r < cfg.classes; r++)
            expect("row settled at the end", 0,
                   twin_.row[r].clear_owed || twin_.row[r].halve_owed || twin_.row[r].pending);
        return ok();
    }

    // Learns one record of each of INTERVALS into row 0.
    bool learn(const std::vector<uint64_t> &intervals) {
        const Style still = {.execute = 0};
        refs_.draw(1, 1);
        for (uint64_t x : intervals) queue_[0].push_back({{0, 0}, static_cast<uint32_t>(x), false});
        while (ok() && (!queue_[0].empty() || !taken_[0].empty() || !learnt_.empty())) cycle(still);
        return ok();
    }

   protected:
    // A tick, and until it is seen.
    void tick_of(const Style &now, const Style &then) {
        cycle(now);
        for (unsigned t = 0; t < EXECUTE_CYCLES + 2; t++) cycle(then);
    }
    struct Learnt {
        uint64_t due;
        gmmu_rit_learnt is;
    };
    struct Snap {
        uint64_t due;
        unsigned row, bin;
        uint16_t reuse, censored, greuse, gcensored;
        bool bad;  // a word of the bin is
    };
    struct Header {
        uint64_t due;
        gmmu_class cls;
    };
    using Exec = References::Exec;
    std::deque<Exec> script_;  // executions, looks and gaps that come first, one a cycle
    bool turns_ = false;       // bits turn over in the directory
    uint64_t told_ = 0;        // words of it that were told since the reset
    unsigned turned_ = 0;      // `turned` of the cycle before
    // as told_, of words of counts, and how many of them were used
    uint64_t counts_told_ = 0, counts_bad_ = 0;
    struct {
        bool there;
        unsigned row, bin;
    } bad_count_ = {};  // the word of counts that is bad
    enum { SNAP_NONE, SNAP_GOOD, SNAP_BAD } snap_was_ = SNAP_NONE;  // of the cycle before
    std::vector<bool> lost_gen_;  // rows whose generation in the directory is not that of the row's
    Flushes flushes_{cfg, rng};
    uint32_t flushes_done_ = 0;  // a cycle ago: they are counted late
    bool flush_removed_ = false;
    bool was_current_ = false;  // what was asked for in the cycle before
    bool may_pend_ = false;     // something was pending in the cycle before, or may have become so
    gmmu_class asked_before_ = {};  // the second question of the cycle before
    gmmu_ref_rit twin_;
    References refs_{cfg, rng, twin_};
    Exec exec_[EXECUTE_CYCLES + 1] = {};
    struct Due {
        int kind;
        unsigned row;
    };
    std::deque<gmmu_rit_record> queue_[2], taken_[2];  // to be popped; popped, LEARN to come
    unsigned popped_ = 0;                              // history of the pops, the last one lowest
    Due due_[CHOICE_CYCLES + 1] = {};  // the row operation due so many cycles before
    std::deque<Learnt> learnt_;
    std::deque<Snap> snap_;
    std::deque<Header> header_;
    std::vector<gmmu_class> places_;  // classes of late, the newest last
    gmmu_class steady_ = {};
    uint64_t steady_x_ = 0;
    bool most_censored_ = false;
    uint64_t running_until_ = 0;  // a row operation issues its bins up to this cycle
    uint64_t busy_until_ = 0;     // the engine's
    unsigned wanted_for_ = 0, stalled_for_ = 0;
    std::vector<uint64_t> halve_from_;  // cycle in which HALVE of a row is known to be owed
    unsigned running_history_ = 0;      // of the cycles before, the last one lowest
    unsigned first_ = 0;                // records that still go before the next row operation
    int given_[2] = {-1, -1};           // row given to another reference one, two cycles before

    void random_inputs() {
        dut->clear = 0;
        dut->w2_valid = rng.below(2);
        dut->w2_look = !dut->w2_valid;
        dut->w2_asid = rng.bits(cfg.asid_w);
        dut->w2_ref = rng.bits(cfg.ref_w);
        dut->w9_tick = rng.below(2);
        dut->cfg_flush = rng.bits(cfg.asid_w + 1);
        dut->rec0_valid = rng.below(2);
        dut->rec1_valid = rng.below(2);
        put_record(dut->rec0, {});
        put_record(dut->rec1, {});
        dut->refresh_ready = rng.below(2);
        dut->refresh_calm = rng.below(2);
        dut->refresh_hurry = rng.below(2);
    }

    // {row, gen, interval, censored}
    template <typename T>
    void put_record(T &port, const gmmu_rit_record &r) {
        const unsigned row_w = gmmu_index_bits(cfg.classes);
        clear_bits(port);
        put_bits(port, {0, 1}, r.censored);
        put_bits(port, {1, cfg.time_w}, r.interval);
        put_bits(port, {1 + cfg.time_w, cfg.gen_w}, r.cls.gen);
        put_bits(port, {1 + cfg.time_w + cfg.gen_w, row_w}, r.cls.row);
    }

    uint64_t some_interval(const Style &s) {
        if (s.bins == 1)
            return steady_x_;
        const unsigned b = static_cast<unsigned>(rng.below(s.bins == 0 ? cfg.bins + 2 : s.bins));
        uint64_t x = gmmu_bin_low(b) + (rng.below(3) - 1);  // the low end, next to it
        if (rng.chance(50))
            x = rng.edgy(cfg.time_w);
        return x & bench::mask(cfg.time_w);
    }

    gmmu_rit_record some_record(const Style &s) {
        gmmu_rit_record r = {};
        r.cls = rng.chance(s.steady) ? steady_ : places_[rng.below(places_.size())];
        if (rng.chance(50))
            r.cls.gen ^= static_cast<uint16_t>(1u << rng.below(cfg.gen_w));
        r.interval = static_cast<uint32_t>(some_interval(s));
        r.censored = rng.chance(s.bins == 1 && most_censored_ ? 800 : 200);
        return r;
    }

    bool any_pending() const {
        bool any = false;
        for (unsigned r = 0; r < cfg.classes; r++) any |= twin_.row[r].pending;
        return any;
    }

    // The row operation that is due: its kind, and the row: the lowest one, for REFRESH the next in
    // turn. LEARN: none.
    int due(unsigned *row) const {
        int clear = -1, halve = -1, refresh = -1;
        for (unsigned r = cfg.classes; r-- > 0;) {
            const gmmu_rit_row &w = twin_.row[r];
            if (w.clear_owed)
                clear = static_cast<int>(r);
            else if (w.halve_owed && cycles >= halve_from_[r])
                halve = static_cast<int>(r);
        }
        for (unsigned i = cfg.classes; i-- > 0;) {
            const unsigned r = (twin_.turn + i) % cfg.classes;
            if (twin_.row[r].pending && !twin_.row[r].clear_owed)
                refresh = static_cast<int>(r);
        }
        if (!dut->refresh_ready || !(dut->refresh_calm || dut->refresh_hurry))
            refresh = -1;
        const int kind = refresh >= 0 && dut->refresh_hurry ? REFRESH
                         : clear >= 0                       ? CLEAR
                         : halve >= 0                       ? HALVE
                         : refresh >= 0                     ? REFRESH
                                                            : LEARN;
        *row = static_cast<unsigned>(kind == CLEAR ? clear : kind == HALVE ? halve : refresh);
        return kind;
    }

    void cycle(const Style &s) {
        // inputs
        for (int i = EXECUTE_CYCLES; i > 0; i--) exec_[i] = exec_[i - 1];
        if (!script_.empty()) {
            exec_[0] = script_.front();
            script_.pop_front();
        } else
            exec_[0] = s.look != 0 && rng.chance(s.look) ? refs_.look()
                                                         : refs_.next(s.hot, rng.chance(s.execute));
        const Exec &now = exec_[EXECUTE_CYCLES];
        dut->w2_valid = exec_[0].valid;
        dut->w2_look = exec_[0].look;
        dut->w2_asid = exec_[0].asid;
        dut->w2_ref = exec_[0].ref;
        const bool tick_now = now.valid && rng.chance(s.tick);
        dut->w9_tick = tick_now;
        dut->cfg_flush = flushes_.next(exec_[0].valid || exec_[0].look, s.flush,
                                       s.flush != 0 ? refs_.some_asid() : 0);
        if (rng.below(20000) == 0 ||
            ((steady_.row == 0 || !gmmu_ref_rit_current(&twin_, steady_)) && rng.chance(20))) {
            steady_ = places_.back();
            steady_x_ = rng.edgy(cfg.time_w);
        }
        if (queue_[0].size() < cfg.recq && rng.chance(s.rec0))
            queue_[0].push_back(some_record(s));
        if (queue_[1].size() < cfg.sideq && rng.chance(s.rec1))
            queue_[1].push_back(some_record(s));
        dut->rec0_valid = !queue_[0].empty();
        dut->rec1_valid = !queue_[1].empty();
        put_record(dut->rec0, queue_[0].empty() ? gmmu_rit_record{} : queue_[0].front());
        put_record(dut->rec1, queue_[1].empty() ? gmmu_rit_record{} : queue_[1].front());
        dut->refresh_ready =
            cycles >= busy_until_ &&
            (s.ready ? rng.chance(s.ready) : now.valid || exec_[EXECUTE_CYCLES - 1].valid);
        dut->refresh_calm = queue_[0].empty() && queue_[1].empty() && rng.chance(s.calm);
        dut->refresh_hurry = rng.chance(s.hurry);
        const gmmu_class qa = asked(), qb = asked();
        dut->qa_row = qa.row;
        dut->qa_gen = qa.gen;
        dut->qb_row = qb.row;
        dut->qb_gen = qb.gen;
        settle();

        // side: the questions see the state before this cycle's actions
        expect("first class was current", dut->qa1_current, was_current_);
        was_current_ = gmmu_ref_rit_current(&twin_, qa);
        expect("first class is current", dut->qa_current, was_current_);
        expect("second class of the cycle before is current", dut->qb_current,
               gmmu_ref_rit_current(&twin_, asked_before_));
        asked_before_ = qb;
        expect("pending", dut->pending, any_pending());
        if (!dut->resting || any_pending())
            expect("idle while something is under way or pending", dut->idle, 0);
        else if (!may_pend_)
            expect("idle: resting, and nothing pending or made so in the cycle before", dut->idle,
                   1);
        may_pend_ = any_pending() || tick_now || (dut->tvi_valid && dut->tvi_kind == LEARN);
        const unsigned turned = dut->turned ^ turned_;
        counts_told_ += turned & 1;
        told_ += turned >> 2 & 1;
        turned_ = dut->turned;
        expect("a word turned bad", turns_ ? turned & 2 : turned, 0);
        if (dut->resting)
            resting();
        background();
        const bool takes = flush();
        if ((now.valid || now.look) && takes)
            no_row(now, tick_now);
        else if (now.valid)
            walk(now, tick_now);
        else if (now.look)
            look(now);
        else
            expect("allocation without an execution", dut->w9_alloc, 0);
        const bool given = takes ? flush_removed_ : now.valid && dut->w9_alloc;
        expect("a row is given", dut->given, given);
        given_[1] = given_[0];
        given_[0] = given ? dut->given_row : -1;
        results();
        edge();
    }

    gmmu_class asked() {
        gmmu_class c = places_[rng.below(places_.size())];
        if (rng.chance(200))
            c.row = static_cast<uint16_t>(rng.below(cfg.classes));
        if (rng.chance(200))
            c.gen ^= static_cast<uint16_t>(1u << rng.below(cfg.gen_w));
        if (lost_gen_[c.row])
            c.row = 0;
        return c;
    }

    void resting() {
        bool owed = false;
        for (unsigned r = 0; r < cfg.classes; r++)
            owed |= twin_.row[r].clear_owed || twin_.row[r].halve_owed;
        expect("resting while a row operation is owed", owed, 0);
        expect("resting while results are under way",
               taken_[0].empty() && taken_[1].empty() && learnt_.empty() && snap_.empty(), 1);
    }

    void background() {
        const bool records = dut->rec0_valid || dut->rec1_valid;
        const bool running = cycles < running_until_;
        for (unsigned i = CHOICE_CYCLES; i > 0; i--) due_[i] = due_[i - 1];
        due_[0].kind = due(&due_[0].row);
        const Due chosen = due_[CHOICE_CYCLES];
        const bool pop = dut->rec0_pop || dut->rec1_pop;
        const bool learn = dut->rec0_done || dut->rec1_done;
        expect("a record that is done with is a LEARN", dut->tvi_valid && dut->tvi_kind == LEARN,
               learn);
        expect("LEARN so many cycles after the pop", learn, popped_ >> (TAKE_CYCLES - 1) & 1);
        expect("one LEARN a cycle", dut->rec0_done && dut->rec1_done, 0);
        foretell(chosen, records, running, pop);
        popped_ = popped_ << 1 | pop;
        if (!pop && !dut->tvi_valid) {
            // one record a cycle, unless a row operation is under way or due
            stalled_for_ = records && !running ? stalled_for_ + 1 : 0;
            expect("LEARN one a cycle",
                   stalled_for_ > (chosen.kind == LEARN ? 0u : DRAIN_CYCLES + 4u), 0);
        } else {
            stalled_for_ = 0;
        }
        wanted_for_ = due_[0].kind != LEARN && !running ? wanted_for_ + 1 : 0;
        expect("row operation overdue", wanted_for_ > START_BOUND, 0);
        if (dut->tvi_valid && ok()) {
            actions++;
            done[dut->tvi_kind]++;
            if (learn)
                learn_one();
            else
                start(chosen.kind, chosen.row);
        }
        if (pop)
            pop_one();
    }

    // A record goes unless a row operation is due whose turn it is; that one starts when the
    // records before it are counted, the row operation before has ended and its row is still that
    // of the choice.
    void foretell(const Due &chosen, bool records, bool running, bool pop) {
        const bool want = chosen.kind != LEARN && (first_ == 0 || !records);
        const bool stale = chosen.kind == REFRESH && (given_[0] == static_cast<int>(chosen.row) ||
                                                      given_[1] == static_cast<int>(chosen.row));
        const bool rest =
            (popped_ & bench::mask(DRAIN_CYCLES)) == 0 && !running && (running_history_ & 15) == 0;
        expect("a record is taken", pop, records && !running && !want);
        expect("a row operation starts", dut->tvi_valid && dut->tvi_kind != LEARN,
               want && !stale && rest);
        first_ = running ? unsigned{TURN} : first_ - (pop && first_ != 0);
        running_history_ = running_history_ << 1 | running;
    }

    void pop_one() {
        const unsigned q = dut->rec1_pop;
        expect("one pop a cycle", dut->rec0_pop && dut->rec1_pop, 0);
        expect("the walk's records first", q == 1 && dut->rec0_valid, 0);
        if (!expect("pop from an empty queue", queue_[q].empty(), 0))
            return;
        taken_[q].push_back(queue_[q].front());
        queue_[q].pop_front();
    }

    void learn_one() {
        const unsigned q = dut->rec1_done;
        expect("LEARN queue", dut->tvi_queue, q);
        if (!expect("LEARN of a record that was not popped", taken_[q].empty(), 0))
            return;
        const gmmu_rit_record rec = taken_[q].front();
        taken_[q].pop_front();
        // the unit knows that a row is full when the record is counted
        for (const unsigned r : {0u, static_cast<unsigned>(rec.cls.row)})
            if (!twin_.row[r].halve_owed)
                halve_from_[r] = cycles + LEARN_CYCLES + 1;
        const gmmu_rit_learnt l = gmmu_ref_rit_learn(&twin_, rec);
        if (l.applied)
            uses(rec.cls.row, l.bin);
        uses(0, l.bin);
        expect("LEARN row", dut->tvi_row, rec.cls.row);
        expect("LEARN applied", dut->tvi_applied, l.applied);
        learnt_.push_back({cycles + LEARN_CYCLES, l});
        learns++;
        applied += l.applied;
    }

    void start(int kind, unsigned row) {
        if (!expect("row operation", dut->tvi_kind, static_cast<uint64_t>(kind)) ||
            !expect("row of the operation", dut->tvi_row, row))
            return;
        expect("row operations one at a time", cycles < running_until_, 0);
        running_until_ = cycles + 1 + cfg.bins;
        wanted_for_ = 0;
        if (kind == CLEAR) {
            gmmu_ref_rit_clear(&twin_, row);
            bad_count_.there = bad_count_.there && bad_count_.row != row;
        } else if (kind == HALVE) {
            gmmu_ref_rit_halve(&twin_, row);
            uses(row, bad_count_.bin);
            own_halves += row != 0;
        } else {
            expect("REFRESH of a row that owes a CLEAR", twin_.row[row].clear_owed, 0);
            const gmmu_rit_row *r = gmmu_ref_rit_refresh(&twin_, row), *g = &twin_.row[0];
            header_.push_back({cycles + 1, {static_cast<uint16_t>(row), twin_.way[row].gen}});
            for (unsigned b = 0; b < cfg.bins; b++)
                snap_.push_back({cycles + SNAP_CYCLES + b, row, b, r->reuse[b], r->censored[b],
                                 g->reuse[b], g->censored[b], is_bad(row, b) || is_bad(0, b)});
            uses(row, bad_count_.bin);
            uses(0, bad_count_.bin);
            busy_until_ = cycles + SNAP_CYCLES + cfg.bins + rng.below(4 * cfg.bins);
        }
    }

    bool is_bad(unsigned row, unsigned bin) const {
        return bad_count_.there && bad_count_.row == row && bad_count_.bin == bin;
    }
    // Counts that turned bad are told with their use, and are 0 from then on.
    void uses(unsigned row, unsigned bin) {
        if (!is_bad(row, bin))
            return;
        twin_.row[row].reuse[bin] = twin_.row[row].censored[bin] = 0;
        bad_count_.there = false;
        counts_bad_++;
    }

    // The slot at w9. True: it is a FLUSH's.
    bool flush() {
        const Flushes::Slot f = flushes_.at_w9();
        expect("flushing", dut->flushing, flushes_.flushing());
        expect("flushes done", dut->stat_flushes, uint32_t{GMMU_COUNTS_FROM} + flushes_done_);
        flushes_done_ = flushes_.done;
        expect("FLUSH", dut->w9_flush, f.valid);
        if (!f.valid)
            return false;
        expect("FLUSH row", dut->given_row, f.row);
        flush_removed_ = gmmu_ref_rit_flush(&twin_, f.row, flushes_.asid);
        flushed += flush_removed_;
        if (f.row + 1 == cfg.classes) {
            longest_flush = std::max(longest_flush, flushes_.cycles);
            expect("a flush takes too long",
                   flushes_.cycles > cfg.classes * (FLUSH_WAITS + 1) + EXECUTE_CYCLES + 1, 0);
        }
        return true;
    }
    // An execution or a look whose slot it was.
    void no_row(const Exec &e, bool tick_now) {
        expect("WALK without a row", dut->w9_row, 0);
        expect("WALK without a row: generation", dut->w9_gen, 0);
        expect("WALK without a row: allocated", dut->w9_alloc, 0);
        if (tick_now)
            gmmu_ref_rit_tick(&twin_);
        stolen += e.valid;
        stolen_looks += e.look;
    }

    void walk(const Exec &e, bool tick_now) {
        const gmmu_rit_place at = gmmu_ref_rit_execute(&twin_, e.asid, e.ref);
        expect("WALK row", dut->w9_row, at.cls.row);
        expect("WALK generation", dut->w9_gen, at.cls.gen);
        expect("WALK allocated", dut->w9_alloc, at.allocated);
        if (tick_now)
            gmmu_ref_rit_tick(&twin_);
        places_.push_back(at.cls);
        if (places_.size() > 64)
            places_.erase(places_.begin(), places_.begin() + 32);
        executions++;
        actions++;
        allocations += at.allocated;
        if (at.allocated)
            lost_gen_[at.cls.row] = false;
        wraps += at.allocated && at.cls.gen == 0;
    }

    // What it changes, and should not, shows in the executions behind.
    void look(const Exec &e) {
        const gmmu_class at = gmmu_ref_rit_look(&twin_, e.asid, e.ref);
        expect("look: row", dut->w9_row, at.row);
        expect("look: generation", dut->w9_gen, at.gen);
        expect("look: allocated", dut->w9_alloc, 0);
        looks++;
        found += at.row != 0;
    }

    void results() {
        const bool learnt = !learnt_.empty() && learnt_.front().due == cycles;
        expect("result of LEARN", dut->learnt_valid, learnt);
        if (learnt && ok()) {
            const gmmu_rit_learnt l = learnt_.front().is;
            learnt_.pop_front();
            expect("LEARN bin", dut->learnt_bin, l.bin);
            expect("LEARN count", dut->learnt_count, l.row_count);
            expect("LEARN count of all", dut->learnt_gcount, l.global_count);
        }
        const bool header = !header_.empty() && header_.front().due == cycles;
        expect("REFRESH header", dut->snap_start, header);
        if (header && ok()) {
            expect("REFRESH row", dut->snap_row, header_.front().cls.row);
            expect("REFRESH generation", dut->snap_gen, header_.front().cls.gen);
            header_.pop_front();
        }
        const bool snap = !snap_.empty() && snap_.front().due == cycles;
        if (snap_was_ != SNAP_NONE)
            expect("REFRESH of a bad word", dut->snap_bad, snap_was_ == SNAP_BAD);
        snap_was_ = SNAP_NONE;
        expect("REFRESH count comes", dut->snap_valid, snap);
        if (snap && ok()) {
            const Snap n = snap_.front();
            snap_.pop_front();
            snap_was_ = n.bad ? SNAP_BAD : SNAP_GOOD;
            expect("REFRESH bin", dut->snap_bin, n.bin);
            expect("REFRESH last bin", dut->snap_last, n.bin + 1 == cfg.bins);
            expect("REFRESH reuses", dut->snap_reuse, n.reuse);
            expect("REFRESH censored", dut->snap_censored, n.censored);
            expect("REFRESH reuses of all", dut->snap_greuse, n.greuse);
            expect("REFRESH censored of all", dut->snap_gcensored, n.gcensored);
        }
    }
};

#endif
