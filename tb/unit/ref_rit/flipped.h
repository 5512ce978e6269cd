// SPDX-License-Identifier: Apache-2.0
// flipped.h: executions, looks and records while bits turn over in words as they go to RAMs: what
// is found is right all the same, and a count that says too much is told, and 0 from then on.
#ifndef GMMU_TB_REF_RIT_FLIPPED_H
#define GMMU_TB_REF_RIT_FLIPPED_H

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "bench.h"

class Flipped : public bench::Block {
   public:
    uint64_t turns = 0, hits = 0, allocations = 0;
    uint64_t looks = 0, found = 0, told_by_looks = 0;  // looks; with a row; words that one reported
    uint64_t learns = 0, snaps = 0, too_many = 0;      // LEARNs, bins of REFRESHes, counts too high

    explicit Flipped(const bench::Setup &s)
        : Block("ref_rit", s), owner_(cfg.classes, Owner{false, {}, 0, 0}), most_(cfg.bins) {}

    // A row that is found is the one that was given to this reference, with the generation of then,
    // which is another than that of the row's last owner.
    bool run(uint64_t executions) {
        reset();
        for (uint64_t i = 0; i < executions && ok(); i++) {
            Exec e = {};
            // executions and looks, and at times looks alone: they report what they meet
            const bool alone = i % 1024 >= 768;
            e.valid = !alone && rng.below(4) != 0;
            e.look = !e.valid && rng.below(alone ? 6 : 2) == 0;
            alone_ = alone ? alone_ + 1 : 0;
            e.asid = static_cast<uint32_t>(rng.below(2));
            e.ref = rng.below(3) ? rng.below(cfg.classes) : rng.below(cfg.classes * 4ull);
            if (!taken_ && rng.below(4)) {
                const size_t row = rng.below(cfg.classes);
                rec_ = {{static_cast<uint16_t>(owner_[row].there ? row : 0),
                         static_cast<uint16_t>(owner_[row].gen)},
                        static_cast<uint32_t>(rng.below(2) * 100),
                        rng.below(4) == 0};
                taken_ = true;
            }
            cycle(e);
        }
        if (executions >= 100000 && cfg.classes > 1) {  // row 0 alone has no name
            expect("looks that find a row", found > 1000, 1);
            expect("looks that report a word that turned bad", told_by_looks > 10, 1);
        }
        return ok();
    }

   private:
    struct Exec {
        bool valid;
        uint32_t asid;
        uint64_t ref;
        bool look;
    };
    struct Owner {
        bool there;
        Exec of;
        uint64_t gen;
        uint64_t turns;  // words that had turned bad when it was given
    };
    std::vector<Owner> owner_;
    std::array<Exec, 7> pipe_ = {};  // w3 to w9
    uint64_t turned_ = 0;
    unsigned alone_ = 0;                               // cycles without an execution so far
    std::deque<std::pair<uint64_t, uint64_t>> again_;  // when to look, words that were bad before
    gmmu_rit_record rec_ = {};                         // that waits
    bool taken_ = false;                               // there is one
    std::deque<bool> learning_;                        // censored, of the LEARNs under way
    std::vector<std::array<uint64_t, 2>> most_;        // row 0's counts {reuse, censored}: no more
    bool owed_ = false;                                // a count of the cycle before was too high
    bool snapped_ = false;                             // it was in a REFRESH
    bool full_ = false;                                // one was full since the last HALVE
    enum { HALVE = 2 };                                // tvi_kind

    void reset() {
        dut->rst = 1;
        dut->w2_valid = dut->w2_look = dut->w9_tick = dut->rec0_valid = dut->rec1_valid = 0;
        dut->rec0_bad = dut->rec1_bad = dut->refresh_hurry = dut->clear = 0;
        dut->refresh_ready = dut->refresh_calm = 1;
        dut->qa_row = dut->qb_row = dut->qa_gen = dut->qb_gen = 0;
        clear_bits(dut->rec1);
        for (int i = 0; i < 8; i++) tick();
        dut->rst = 0;
        dut->clear = 1;
        for (settle(); !dut->cleared; settle()) edge();
        dut->clear = 0;
        for (int i = 0; i < 8; i++) tick();
    }
    void cycle(const Exec &e) {
        dut->w2_valid = e.valid;
        dut->w2_look = e.look;
        dut->w2_asid = e.asid;
        dut->w2_ref = e.ref;
        dut->w9_tick = rng.below(32) == 0;
        dut->refresh_hurry = rng.below(64) == 0;
        dut->rec0_valid = taken_;
        clear_bits(dut->rec0);
        put_bits(dut->rec0, {0, 1}, rec_.censored);
        put_bits(dut->rec0, {1, cfg.time_w}, rec_.interval);
        put_bits(dut->rec0, {1 + cfg.time_w, cfg.gen_w}, rec_.cls.gen);
        put_bits(dut->rec0, {1 + cfg.time_w + cfg.gen_w, gmmu_index_bits(cfg.classes)},
                 rec_.cls.row);
        settle();
        const Exec w9 = pipe_.back();
        if (w9.look) {
            expect("a look allocates", dut->w9_alloc, 0);
            expect("a look gives a row", dut->given, 0);
            looks++;
        }
        if (w9.valid || w9.look) {
            Owner &row = owner_[dut->w9_row];
            if (dut->w9_alloc) {
                if (row.there && dut->w9_gen == row.gen)
                    again_.push_back({cycles + 8, row.turns});
                row = {true, w9, dut->w9_gen, turns};
                allocations++;
            } else if (dut->w9_row != 0) {
                expect("the row's asid", row.of.asid, w9.asid);
                expect("the row's reference", row.of.ref, w9.ref);
                expect("the row was given", row.there, 1);
                expect("its generation", dut->w9_gen, row.gen);
                hits += w9.valid;
                found += w9.look;
            } else if (w9.look) {
                expect("the generation of a look without a row", dut->w9_gen, 0);
            }
            actions++;
        }
        const bool told = (dut->turned ^ turned_) >> 2 & 1;
        turns += told;
        told_by_looks += told && alone_ > 16;
        if (!again_.empty() && again_.front().first == cycles) {  // all is told by now
            // (of a set that turned bad twice the bit that turned over is as it was; a generation
            // of one bit is once)
            expect("a generation again", turns - again_.front().second <= (cfg.gen_w > 1 ? 1u : 0u),
                   0);
            again_.pop_front();
        }
        counts();
        turned_ = dut->turned;
        edge();
        for (size_t i = pipe_.size() - 1; i > 0; i--) pipe_[i] = pipe_[i - 1];
        pipe_[0] = e;
    }

    // A count of row 0 is at most what was learnt since it was last seen. More is told a cycle
    // after the LEARN, two after the bin of a REFRESH, whose snapshot hears of it after one.
    void counts() {
        if (owed_)
            expect("a count that turned bad is told", (dut->turned ^ turned_) & 1, 1);
        owed_ = false;
        if (snapped_) {
            expect("a snapshot's count that turned bad is told", dut->snap_bad, 1);
            owed_ = true;
        }
        snapped_ = false;
        if (dut->tvi_valid && dut->tvi_kind == HALVE && dut->tvi_row == 0) {
            expect("HALVE of row 0 without a count that is full", full_, 1);
            full_ = false;
        }
        if (dut->rec0_done)
            learning_.push_back(done_.front()), done_.pop_front();
        if (dut->rec0_pop) {
            done_.push_back(rec_.censored);
            taken_ = false;
        }
        if (dut->learnt_valid) {
            const bool censored = learning_.front();
            learning_.pop_front();
            uint64_t &most = most_[dut->learnt_bin][censored];
            learns++;
            most++;
            owed_ = owed_ || !seen(dut->learnt_bin, dut->learnt_gcount, most);
        }
        if (dut->snap_valid) {
            std::array<uint64_t, 2> &most = most_[dut->snap_bin];
            snaps++;
            const bool reuse = seen(dut->snap_bin, dut->snap_greuse, most[0]);
            snapped_ = !seen(dut->snap_bin, dut->snap_gcensored, most[1]) || !reuse;
        }
    }
    // 1: COUNT may be; else the bin is 0 from now on.
    bool seen(size_t bin, uint64_t count, uint64_t &most) {
        if (count > most) {
            too_many++;
            most_[bin] = {};
            return false;
        }
        most = count;
        full_ = full_ || count >= bench::mask(cfg.cnt_w) - 1;
        return true;
    }
    std::deque<bool> done_;  // censored, of the records that were popped
};

#endif
