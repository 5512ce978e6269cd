// SPDX-License-Identifier: Apache-2.0
// ref_rit.h: checks the rows: a walk's class, LEARN, CLEAR, HALVE, and the counts that a REFRESH
// takes.
#pragma once
#include <algorithm>
#include <deque>
#include <vector>

#include "lockstep/checker.h"

namespace lockstep {

class RefRit : public Checker<RefRit> {
   public:
    static constexpr const char *block = "ref_rit";
    using Checker::Checker;

    const char *under_way() const {
        return was_flushing ? "quiet with a flush under way"
               : !learnt.empty() || !snaps.empty() || owed
                   ? "quiet with a row operation owed or a LEARN under way"
                   : nullptr;
    }

    void did(const Walk &w) {
        expect("WALK row", dut.tvi_walk_row, w.out.place.cls.row);
        expect("WALK generation", dut.tvi_walk_gen, w.out.place.cls.gen);
        expect("WALK row allocated", dut.tvi_walk_alloc, w.out.place.allocated);
    }
    void did(const Replay &r) {
        if (!r.in.fault)
            return;
        expect("REPLAY row", dut.tvi_walk_row, r.out.cls.row);
        expect("REPLAY generation", dut.tvi_walk_gen, r.out.cls.gen);
        expect("REPLAY row allocated", dut.tvi_walk_alloc, 0);
    }
    void did(const Install &i) { expect("INSTALL current", dut.tvi_install_current, i.current); }

    // A row after the other, of the address space that was ordered; a walk gives its row up only
    // behind 63 others.
    bool step(Flush &f) {
        f.row = dut.tvi_flush_row;
        if (!expect("FLUSH not ordered", flushing(), 1) || !expect("FLUSH row", f.row, next_row))
            return false;
        f.out = gmmu_tier_flush_row(&twin, f.row, flush_asid);
        next_row++;
        return true;
    }
    void did(const Flush &f) {
        expect("FLUSH removed", dut.tvi_flush_removed, f.out);
        if (looks())
            expect("a walk without a row, without need", dense >= FLUSH_WAITS, 1);
        if (next_row == cfg.classes) {
            p.did.longest_flush = std::max(p.did.longest_flush, now() - flush_since);
            expect("flush overdue", now() - flush_since > cfg.classes * (FLUSH_WAITS + 1) + 16, 0);
        }
    }

    bool step(Learn &l) {
        const gmmu_record_queue &q = twin.feed.queue[dut.tvi_bg_queue];
        if (!expect("LEARN from an empty queue", q.n == 0, 0))
            return false;
        l.record = q.slot[q.head];
        p.expect("gmmu_tier", "LEARN row of the record", dut.tvi_bg_row, l.record.cls.row);
        l.out = gmmu_tier_learn(&twin, dut.tvi_bg_queue);
        return true;
    }
    void did(const Learn &l) {
        expect("LEARN applied", dut.tvi_bg_applied, l.out.applied);
        learnt.push_back(l.out);
    }

    bool step(Clear &) {
        if (!in_range())
            return false;
        expect("CLEAR not owed", 1, row().clear_owed);
        gmmu_tier_clear(&twin, dut.tvi_bg_row);
        return true;
    }
    bool step(Halve &) {
        if (!in_range())
            return false;
        expect("HALVE not owed", 1, row().halve_owed);
        gmmu_tier_halve(&twin, dut.tvi_bg_row);
        return true;
    }
    bool step(Refresh &) {
        if (!in_range())
            return false;
        expect("REFRESH not pending", 1, row().pending);
        p.expect("ppuc", "REFRESH while the engine is busy", 0, twin.ppuc.engine.busy);
        const auto counts = [&](const uint16_t *c) {
            return std::vector<uint16_t>(c, c + cfg.bins);
        };
        const gmmu_rit_row &all = twin.rit.row[0];
        snaps.push_back(
            {counts(row().reuse), counts(row().censored), counts(all.reuse), counts(all.censored)});
        gmmu_tier_refresh(&twin, dut.tvi_bg_row);
        return true;
    }

    // An order is taken once for each time that go is 1, when no pass is under way, which the twin
    // knows to be over with its last FLUSH.
    void settled() {
        order_taken = order_taken && (regs.flush & 1) != 0;
        if (flushing() || order_taken || (regs.flush & 1) == 0)
            return;
        order_taken = true;
        next_row = 0;
        flush_asid = regs.flush >> 1;
        flush_since = now();
    }

    void end() {
        expect("flushing", dut.tvi_flushing, was_flushing);
        was_flushing = flushing();
        dense = looks() && !dut.tvi_flush_valid ? dense + 1 : 0;
        if (dut.tvi_learnt_valid)
            check_learnt();
        if (dut.tvi_snap_valid)
            check_snap();
        if (dut.tvi_bg_valid || (dut.tvi_walk_valid && dut.tvi_walk_alloc) || dut.tvi_flush_removed)
            owed = owes();
    }
    void finish() {
        expect("results of LEARN missing", 0, learnt.size());
        expect("results of REFRESH missing", 0, snaps.size());
    }

   private:
    struct Snap {
        std::vector<uint16_t> reuse, censored, greuse, gcensored;
        std::size_t at = 0;
    };
    std::deque<gmmu_rit_learnt> learnt;
    std::deque<Snap> snaps;
    enum { FLUSH_WAITS = 63 };
    // The walk of this cycle has the row of its reference: an access, or a replay that faults.
    bool looks() const {
        return dut.tvi_walk_valid || (dut.tvi_replay_valid && dut.tvi_walk_fault != 0);
    }
    unsigned next_row = ~0u;  // of a flush
    uint32_t flush_asid = 0;
    uint64_t flush_since = 0;
    unsigned dense = 0;  // walks in a row that had theirs
    bool order_taken = false, was_flushing = false;
    bool owed = false;  // CLEAR or HALVE, to some row of the twin

    bool flushing() const { return next_row < cfg.classes; }
    bool in_range() { return dut.tvi_bg_row < cfg.classes || expect("row", dut.tvi_bg_row, 0); }
    const gmmu_rit_row &row() const { return twin.rit.row[dut.tvi_bg_row]; }
    bool owes() const {
        for (unsigned r = 0; r < cfg.classes; r++)
            if (twin.rit.row[r].clear_owed || twin.rit.row[r].halve_owed)
                return true;
        return false;
    }
    void check_learnt() {
        if (!expect("a result of LEARN too many", learnt.empty(), 0))
            return;
        const gmmu_rit_learnt l = learnt.front();
        learnt.pop_front();
        expect("LEARN bin", dut.tvi_learnt_bin, l.bin);
        expect("LEARN count", dut.tvi_learnt_count, l.row_count);
        expect("LEARN count of all", dut.tvi_learnt_gcount, l.global_count);
    }
    void check_snap() {
        if (!expect("a snapshot that was not asked for", snaps.empty(), 0))
            return;
        Snap &s = snaps.front();
        expect("REFRESH bin", dut.tvi_snap_bin, s.at);
        expect("REFRESH reuses", dut.tvi_snap_reuse, s.reuse[s.at]);
        expect("REFRESH censored", dut.tvi_snap_censored, s.censored[s.at]);
        expect("REFRESH reuses of all", dut.tvi_snap_greuse, s.greuse[s.at]);
        expect("REFRESH censored of all", dut.tvi_snap_gcensored, s.gcensored[s.at]);
        if (++s.at == cfg.bins)
            snaps.pop_front();
    }
};

}  // namespace lockstep
