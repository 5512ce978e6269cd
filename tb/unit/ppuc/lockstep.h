// SPDX-License-Identifier: Apache-2.0
// lockstep.h: the RTL beside its twin.
#ifndef GMMU_TB_PPUC_LOCKSTEP_H
#define GMMU_TB_PPUC_LOCKSTEP_H

#include <algorithm>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <utility>
#include <vector>

#include "bench.h"
#include "blocks/log_bin.h"
#include "rows.h"
#include "schedule.h"

struct Style {
    unsigned lookup = 0;  // permille of the cycles
    unsigned rows = 1;    // in play
    unsigned forget = 0;  // of 125 * BINS cycles
    unsigned gap = 0;     // permille of the snapshot's cycles are gaps
    unsigned wait = 0;    // cycles that INSTALL may take
    unsigned snapshots = 0;
    unsigned cold = 0;  // permille of the snapshots: pseudo-counts of a well-filled row 0
};

class Ppuc : public bench::Block {
   public:
    bool bad_snaps = false;  // counts of some bins turned bad in ref_rit
    unsigned tries = 1;      // of so many cold rows the one with the tightest division is taken
    bool full = false;       // cold rows: row 0 nearly full in all bins, and seven reuses far up
    // most rows meet a reset of one cycle, often as a point comes from the hull's RAM; the next row
    // begins in the cycle after it
    bool resets = false;
    uint64_t lookups = 0, rows = 0, stale = 0, installs = 0, together = 0, slowest = 0;
    uint64_t cut_off = 0, cut_off_pops = 0;  // rows by such resets, and of these as a point comes
    // rows whose counts turned bad, of these in ref_rit; priorities that did
    uint64_t given_up = 0, doomed = 0, lost = 0;

    explicit Ppuc(const bench::Setup &s) : Block("ppuc", s) {
        dut->rst = 0;
        random_inputs();
    }

    void reset(unsigned length = 10) {
        memory.arena.used = 0;
        gmmu_ppuc_init(&twin_, &cfg, &memory.arena);
        gen_.assign(cfg.classes, 0);
        dut->rst = 1;
        for (unsigned i = 0; i < length; i++) {
            random_inputs();
            tick();
        }
        dut->rst = 0;
        answers_.clear();
        served_[0] = served_[1] = Served{};
        turned_ = 0;
        spoilt_ = told_ = put_ = doomed_ = false;
        phase_ = FREE;
        global_ = some_row(rng);
    }

    bool run(const Style &s) {
        const uint64_t until = rows + s.snapshots;
        while (ok() && rows < until) cycle(s);
        return ok();
    }

    // Words turned bad, and each was told.
    void expect_told() {
        expect("rows that are given up", given_up >= 5, 1);
        expect("priorities that turned bad", lost >= 5, 1);
    }
    // Of good words only rows that began with bad counts are given up.
    void expect_doomed() {
        expect("rows whose counts turned bad before", doomed >= 2 && doomed == given_up, 1);
    }

   private:
    struct Answer {
        uint64_t due;
        uint16_t priority;
        uint64_t tag;
        unsigned row;
    };
    struct Served {  // an answer: its row, and whether its priority was not the row's
        bool valid = false, other = false;
        unsigned row = 0;
    };
    Served served_[2];     // of the cycle before, and the one before that
    unsigned turned_ = 0;  // `turned`
    bool installed_ = false, spoilt_ = false, told_ = false;  // INSTALL before; of a row given up
    bool put_ = false, doomed_ = false;  // a bin in the cycle before; one whose counts turned bad
    unsigned installed_row_ = 0;
    enum Phase { FREE, SNAPSHOT, WORK, INSTALL };
    gmmu_ppuc twin_;
    std::vector<uint16_t> gen_;  // of each row
    std::deque<Answer> answers_;
    Phase phase_ = FREE;
    Row row_, global_;
    gmmu_class cls_ = {};
    unsigned bin_ = 0, left_ = 0, wait_ = 0;
    uint64_t started_ = 0, loaded_ = 0;
    std::vector<uint64_t> due_;  // of the priorities, and of INSTALL, after the last beat
    uint64_t reset_at_ = 0;      // likewise a reset, or 0: none
    bool resets_pop_ = false;    // as a point comes from the hull's RAM
    bool at_once_ = false;       // behind it: a row begins in this cycle
    bool pseudo_ = false;
    bool was_current_ = false;  // l0_current of the cycle before

    unsigned tag_bits() const { return 1 + cfg.time_w + gmmu_index_bits(cfg.frames); }

    void random_inputs() {
        dut->cfg_pseudo = rng.below(2);
        dut->snap_start = dut->snap_valid = dut->install = 0;
        dut->snap_last = dut->snap_bad = rng.below(2);
        if (dut->rst) {
            dut->snap_start = rng.below(2);
            dut->snap_valid = rng.below(2);
            dut->install = rng.below(2);
        }
        dut->install_current = rng.below(2);
        dut->snap_row = rng.below(cfg.classes);
        dut->snap_gen = rng.bits(cfg.gen_w);
        dut->snap_bin = rng.below(cfg.bins);
        dut->snap_reuse = rng.bits(cfg.cnt_w);
        dut->snap_censored = rng.bits(cfg.cnt_w);
        dut->snap_greuse = rng.bits(cfg.cnt_w);
        dut->snap_gcensored = rng.bits(cfg.cnt_w);
        dut->forget = dut->l0_valid = rng.below(2);
        dut->forget_row = dut->l0_row = rng.below(cfg.classes);
        dut->l0_current = rng.below(2);
        dut->l1_current = rng.below(2);
        dut->l6_counts = 1;
        dut->l0_tau = rng.bits(cfg.time_w);
        clear_bits(dut->l0_tag);
    }

    // A frame that never held a page may name a row that does not exist.
    unsigned no_rows() const {
        return static_cast<unsigned>(1ull << gmmu_index_bits(cfg.classes)) - cfg.classes;
    }
    uint16_t no_row() { return static_cast<uint16_t>(cfg.classes + rng.below(no_rows())); }
    // Rows in play: the last ones, and row 0.
    uint16_t some_row_number(const Style &s, bool with_zero) {
        const uint64_t n = std::min<uint64_t>(s.rows, cfg.classes - 1);
        if (n == 0 || (with_zero && rng.chance(150)))
            return 0;
        return static_cast<uint16_t>(cfg.classes - 1 - rng.below(n));
    }

    uint64_t some_tau() {
        switch (rng.below(4)) {
            case 0:
                return rng.edgy(cfg.time_w);
            case 1:
                return rng.bits(cfg.time_w);
            default:
                return (gmmu_bin_low(static_cast<unsigned>(rng.below(cfg.bins + 1))) +
                        rng.below(3) - 1) &
                       bench::mask(cfg.time_w);
        }
    }

    void cycle(const Style &s) {
        if (phase_ == WORK && reset_at_ != 0 && cycles - loaded_ == reset_at_) {
            reset(1);
            at_once_ = true;
            cut_off++;
            cut_off_pops += resets_pop_;
        }
        random_inputs();
        if (put_)  // the bin of the cycle before
            dut->snap_bad = bad_snaps && rng.chance(6);
        doomed_ = phase_ != FREE && (doomed_ || (put_ && dut->snap_bad));
        put_ = false;
        if (phase_ == FREE) {
            begin(s);
        } else if (phase_ == SNAPSHOT && !rng.chance(s.gap)) {
            dut->snap_valid = put_ = true;
            dut->snap_bin = bin_;
            dut->snap_last = bin_ + 1 == cfg.bins;
            dut->snap_reuse = row_.reuse[bin_];
            dut->snap_censored = row_.censored[bin_];
            dut->snap_greuse = global_.reuse[bin_];
            dut->snap_gcensored = global_.censored[bin_];
            if (++bin_ == cfg.bins) {
                phase_ = WORK;
                loaded_ = cycles;
            }
        }
        const bool install = phase_ == INSTALL && wait_ == 0;
        const bool current = gen_[cls_.row] == cls_.gen;
        dut->install = install;
        if (install)
            dut->install_current = current;
        // a walk takes a row away, often the engine's
        uint16_t taken = some_row_number(s, false);
        if (cls_.row != 0 && rng.chance(install ? 500 : 100))
            taken = cls_.row;
        // row 0 is nobody's
        const bool forget =
            taken != 0 && (install ? rng.chance(300) : rng.below(125 * cfg.bins) < s.forget);
        dut->forget = forget;
        dut->forget_row = taken;
        // a lookup: not in the cycle of an INSTALL, both are side actions
        const bool lookup = !install && rng.chance(s.lookup);
        const uint16_t row = rng.chance(200)                    ? cls_.row
                             : rng.chance(50) && no_rows() != 0 ? no_row()
                                                                : some_row_number(s, true);
        const bool is_current = rng.chance(850);
        const uint32_t tau = static_cast<uint32_t>(some_tau());
        const uint64_t tag = rng.bits(tag_bits());
        dut->l0_valid = lookup;
        dut->l0_row = row;
        dut->l0_current = is_current;
        dut->l1_current = was_current_;
        was_current_ = is_current;
        dut->l0_tau = tau;
        put_bits(dut->l0_tag, {0, tag_bits()}, tag);
        settle();
        told();

        if (lookup) {
            const unsigned serving =
                gmmu_ppuc_serving_row(&twin_, {row, 0}, is_current && row < cfg.classes);
            expect("CAND row", dut->tvi_serving, serving);
            answers_.push_back(
                {cycles + LOOKUP_CYCLES, gmmu_ppuc_priority(&twin_, serving, tau), tag, serving});
            lookups++;
            actions++;
        }
        engine();
        if (install && ok()) {
            (void)gmmu_ppuc_install(&twin_, current && !spoilt_);
            phase_ = FREE;
            told_ = spoilt_;
            given_up += spoilt_;
            spoilt_ = false;
            actions++;
            (current ? installs : stale)++;
            together += forget && taken == cls_.row;
        } else if (phase_ == INSTALL && wait_ > 0) {
            wait_--;
        }
        if (forget) {
            gmmu_ppuc_forget(&twin_, taken);
            gen_[taken] = static_cast<uint16_t>((gen_[taken] + 1) & bench::mask(cfg.gen_w));
        }
        const bool answer = !answers_.empty() && answers_.front().due == cycles;
        expect("answer to CAND", dut->l6_valid, answer);
        served_[1] = served_[0];
        served_[0] = Served{};
        installed_ = install && current && !told_;
        installed_row_ = cls_.row;
        if (answer) {
            const Answer &a = answers_.front();
            served_[0] = {true, dut->l6_priority != a.priority, a.row};
            if (setup.flip == 0)
                expect("CAND priority", dut->l6_priority, a.priority);
            expect("CAND tag", get_bits(dut->l6_tag, {0, tag_bits()}), answers_.front().tag);
            answers_.pop_front();
        }
        edge();
    }

    // What turned bad is told: a priority two cycles after it came out, when its row is no longer
    // ready; a row that was given up, after its INSTALL.
    void told() {
        const unsigned turns = dut->turned ^ turned_;
        turned_ = dut->turned;
        if (setup.flip == 0 || !served_[1].valid)
            expect("a priority that turned bad", turns & 1, 0);
        else if (served_[1].other)
            expect("a priority that turned bad is told", turns & 1, 1);
        if ((turns & 1) != 0) {
            lost++;
            if (!installed_ || installed_row_ != served_[1].row)
                gmmu_ppuc_forget(&twin_, served_[1].row);
        }
        expect("a row that was given up is told", turns >> 1 & 1, told_);
        told_ = false;
    }

    // REFRESH: the engine's next row.
    void begin(const Style &s) {
        if (!std::exchange(at_once_, false) && rng.chance(300))
            return;
        cls_.row = rng.chance(100) ? 0 : some_row_number(s, false);
        cls_.gen = gen_[cls_.row];
        if (rng.chance(150))
            cls_.gen ^= static_cast<uint16_t>(1u << rng.below(cfg.gen_w));  // out of date
        if (rng.chance(200))
            global_ = some_row(rng);
        row_ = cls_.row == 0 ? global_ : some_row(rng);
        pseudo_ = rng.below(2);
        const unsigned max = static_cast<unsigned>(bench::mask(cfg.cnt_w));
        if (rng.chance(100)) {  // a number of observations that is cold but for one bit
            const unsigned bits = 3 + static_cast<unsigned>(rng.below(bits_of(max * cfg.bins) - 4));
            const std::vector<uint16_t> none(cfg.bins, 0);
            Row &near = cls_.row != 0 && rng.chance(700) ? row_ : global_;
            const uint64_t more = &near == &row_ ? rng.below(8) : 0;
            near = {counts_of(rng, (1u << bits) + more, cfg.bins, max), none};
            if (rng.below(2))
                std::swap(near.reuse, near.censored);
            if (&near == &global_)  // row 0 has any at all
                row_ = cls_.row == 0 ? global_
                                     : Row{counts_of(rng, rng.below(8), cfg.bins, max), none};
            pseudo_ = true;
        }
        Schedule due = schedule(Effective(row_, global_, pseudo_ && cls_.row != 0));
        if (cls_.row != 0 && rng.chance(s.cold)) {  // the largest sums and products
            pseudo_ = true;
            due.tight = ~Wide{0};
            Row best, best_global;
            for (unsigned i = 0; i < tries; i++) {
                large_row(max);
                const Schedule other = schedule(Effective(row_, global_, true));
                if (i == 0 || other.tight < due.tight) {
                    due = other;
                    best = row_;
                    best_global = global_;
                }
            }
            row_ = best;
            global_ = best_global;
        }
        due_ = due.at;
        reset_at_ = 0;
        if (resets && rng.chance(900)) {
            resets_pop_ = !due.pops.empty() && rng.chance(800);
            // rather one of the first: a row of which words turn bad does not come far
            reset_at_ = resets_pop_ ? due.pops[rng.below(rng.below(due.pops.size()) + 1)]
                                    : 1 + rng.below(due_.back());
        }
        dut->cfg_pseudo = pseudo_;
        dut->snap_start = 1;
        dut->snap_row = cls_.row;
        dut->snap_gen = cls_.gen;
        const gmmu_rit_row view = row_.view(), all = global_.view();
        gmmu_ppuc_refresh(&twin_, cls_, &view, &all, pseudo_);
        bin_ = 0;
        left_ = cfg.bins;
        wait_ = static_cast<unsigned>(rng.below(s.wait + 1));
        started_ = cycles;
        phase_ = SNAPSHOT;
        rows++;
    }

    // A cold row of few observations, and a row 0 of many.
    void large_row(unsigned max) {
        const auto some = [&](std::initializer_list<unsigned> kinds) {
            return some_counts(rng, kinds.begin()[rng.below(kinds.size())], cfg.bins, max);
        };
        if (full) {  // 2^20 reuses or more behind a point, and a best mass of as many
            const auto nearly_full = [&] {
                const unsigned less[] = {1, max / 16, max / 8};
                const unsigned below = less[rng.below(3)];
                std::vector<uint16_t> n(cfg.bins);
                for (uint16_t &c : n) c = static_cast<uint16_t>(max - rng.below(below));
                return n;
            };
            const auto far = [&] { return cfg.bins - 1 - rng.below(std::min(cfg.bins, 12u)); };
            std::vector<uint16_t> reuse = nearly_full(), censored = nearly_full();
            global_ = {std::move(reuse), std::move(censored)};
            row_ = {some({0}), some({0})};
            const uint64_t first = rng.below(8), one = far(), other = far();
            for (unsigned i = 0; i < 7; i++) row_.reuse[i < first ? one : other]++;
            return;
        }
        if (tries > 1 &&
            rng.chance(800)) {  // long divisors: many at risk, and a far lease is the best
            global_ = {some({LAST_FULL, LAST_SOME}), some({5})};
            for (uint16_t &c : global_.censored) c = static_cast<uint16_t>(c - rng.below(max / 4));
            row_ = {some({0}), some({0})};
            for (unsigned i = 0; i < 7; i++) row_.reuse[cfg.bins - 1 - rng.below(4)]++;
            return;
        }
        global_ = {some({4, 5, 6, 7, 8, 9, LAST_FULL, LAST_SOME, LAST_SOME}), some({0, 4, 4, 5})};
        row_ = {some({0, COLD_KIND, COLD_KIND, COLD_TWO, COLD_TWO}), some({0})};
        for (unsigned i = 0; i < 7 && rng.chance(300); i++) row_.censored[rng.below(cfg.bins)]++;
        if (row_.observations() > 7 && rng.chance(900)) {  // still cold
            row_.censored.assign(cfg.bins, 0);
            if (rng.chance(500))  // one that makes it warm
                row_.censored[rng.below(cfg.bins)] = 1;
        }
    }

    void engine() {
        expect("engine idle", dut->idle, phase_ == FREE);
        if (dut->tvi_prio_valid) {
            if (!expect("priorities too many", phase_ == WORK && left_ > 0, 1))
                return;
            left_--;
            expect("REFRESH cycle of a priority", cycles - loaded_, due_[left_]);
            expect("REFRESH bin of a priority", dut->tvi_prio_bin, left_);
            expect("REFRESH priority", dut->tvi_prio, twin_.engine.priority[left_]);
            actions++;
        }
        if (dut->install_req && phase_ == WORK) {
            spoilt_ = (setup.flip != 0 || doomed_) && cycles - loaded_ != due_.back();
            expect("a row whose counts turned bad is given up", doomed_ && !spoilt_, 0);
            doomed += doomed_;
            expect("priorities missing", spoilt_ ? 0 : left_, 0);
            expect("REFRESH cycle of its end", spoilt_ ? 0 : cycles - loaded_,
                   spoilt_ ? 0 : due_.back());
            expect("a row that is given up too late", cycles - loaded_ > due_.back(), 0);
            slowest = std::max(slowest, cycles - started_);
            phase_ = INSTALL;
        } else {
            expect("INSTALL wanted", dut->install_req, phase_ == INSTALL);
        }
        if (phase_ == INSTALL) {
            expect("INSTALL row", dut->install_row, cls_.row);
            expect("INSTALL generation", dut->install_gen, cls_.gen);
        }
        // Slope comparisons: two a bin and one a point that goes, so three a bin; one more with the
        // bin's own mass, and the divisor: five products, each as long as the last edge has bits.
        const uint64_t product = (cfg.bins - 9) / 4 + 4 + 5;
        const uint64_t bin = 5 * product + POP_CYCLES + NORM_CYCLES + DIVIDE_CYCLES + OTHER_CYCLES;
        expect("the engine is overdue", phase_ == WORK && cycles - loaded_ > cfg.bins * bin + 2, 0);
    }
};

#endif
