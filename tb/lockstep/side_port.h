// SPDX-License-Identifier: Apache-2.0
// side_port.h: checks the side port: whose turn each slot is, the driver's operations, and AGE.
#pragma once
#include <algorithm>
#include <deque>

#include "lockstep/checker.h"

namespace lockstep {

class SidePort : public Checker<SidePort> {
   public:
    static constexpr const char *block = "gmmu_tier";
    using Checker::Checker;

    void settled() {
        const bool found = dut.s_axis_drv_tvalid && dut.tvi_drv_found;
        history = history << 1 | found;
        twos = twos << 1 | (cfg.t2_slots != 0 &&
                            (p.drv_in.op == GMMU_T2_FILL_DONE || p.drv_in.op == GMMU_T2_SWAP));
        // the driver and the search take turns; AGE and INSTALL are rare; four FILLs leave four
        // slots that are nobody's, a DECIDE one before it and one behind: 4 + 1 + 1 + 1 + 2. Behind
        // a STAY that is owed (tier_place.h) an operation waits, too
        const bool stays = cfg.t2_slots != 0 && gmmu_tier_foretell_owed(&twin, GMMU_TP_STAY);
        if (!found || p.drv_taken)
            waited = 0;
        else if (!stays)
            waited++;
        // before that its page is looked for, behind a note and a DECIDE that had the table
        if (!dut.s_axis_drv_tvalid || found || !p.compare)
            sought = 0;
        else if (dut.s_axis_walk_tready)
            sought++;
        expect("the driver's page is looked for",
               sought > 512 + 32ull * (cfg.faults + cfg.late) + 2 * p.memory_slack(), 0);
        if (cfg.t2_slots != 0) {
            p.did.longest_wait = std::max(p.did.longest_wait, uint64_t{waited});
        }
        expect("the driver waits",
               p.compare && !cfg.frame_mem && waited > (!slots_rest() ? 22u : 9u), 0);
    }
    const char *under_way() const {
        return !operations.empty()  ? "quiet with a driver operation under way"
               : twin.side.age_owed ? "quiet with an AGE owed"
                                    : nullptr;
    }
    // The driver and the search take turns, slot by slot: while a round of candidates is under way,
    // each slot of the side port that AGE and INSTALL leave is the driver's, if it waited and had
    // not the one before, or else brings a candidate; with tiers a slot's operation waits for
    // another one. The fourth slot behind a FILL, and an AGE of a frame, is nobody's but INSTALL's;
    // the one right behind it is nobody's where an AGE of a frame comes next.
    // T2_FILL_DONE and T2_SWAP have two slots in a row, both before or both behind such a one, and
    // come with the second; the first is nobody's.
    void begin() {
        const bool valid = dut.tvi_side_valid;
        const unsigned kind = dut.tvi_side_kind;
        rested = gmmu_tier_placing(&twin) ? 0 : rested + 1;
        renewed <<= 1;
        const bool written = !cfg.frame_mem && (renewed >> 4 & 1) != 0;
        if (decided)
            expect("the slot behind a DECIDE is none of the driver's",
                   valid && kind == GMMU_SIDE_DRV, 0);
        if (written)
            expect("a slot is nobody's", valid && kind != GMMU_SIDE_INSTALL, 0);
        if (age_next && !written) {
            expect("an AGE comes behind a slot that was left for it",
                   valid && kind == GMMU_SIDE_AGE && dut.tvi_age_index < cfg.frames, 1);
            age_next = false;
        }
        if (!cfg.frame_mem && !written && !decided && slots_rest() && twin.select.active &&
            !(valid &&
              (kind == GMMU_SIDE_AGE || kind == GMMU_SIDE_INSTALL || kind == GMMU_SIDE_EXPIRE))) {
            const bool waits = history >> LATENCY & 1, two = twos >> LATENCY & 1;
            if (waits && two && !slot_known)  // the one before was not followed
                looked = valid && kind == GMMU_SIDE_DRV;
            const bool look = waits && two && !looked && !driver_was_last && !(renewed >> 3 & 1);
            const bool driver = waits && (two ? looked : !driver_was_last);
            age_next = !valid && !look && (renewed >> 1 & 1) && twin.side.age_owed;
            slot_known = !age_next;
            if (!age_next)
                expect("a slot is the driver's", valid && kind == GMMU_SIDE_DRV, driver);
            const unsigned turn = twin.select.clock ? GMMU_SIDE_HAND : GMMU_SIDE_CAND;
            if (!driver && !age_next)
                p.expect("victim_select", "a slot is the search's", valid && kind == turn, !look);
            looked = look;
        } else {
            slot_known = looked = false;
        }
        decided = !cfg.frame_mem && valid && kind == GMMU_SIDE_DECIDE;
        if (valid && (kind == GMMU_SIDE_DRV || kind == GMMU_SIDE_CAND || kind == GMMU_SIDE_HAND ||
                      kind == GMMU_SIDE_DECIDE))
            driver_was_last = kind == GMMU_SIDE_DRV;
    }

    // With tiers an operation waits for others that may change a slot, and while a victim gets its
    // place: what may keep one waiting came at least so many cycles ago.
    void did(const Cand2 &) { rested = 0; }
    void did(const Rise &) { rested = 0; }
    void did(const Place &) { rested = 0; }
    void did(const Foretell &) { rested = 0; }

    bool step(Drv &d) {
        if (!expect("a DRV that was not asked for", operations.empty(), 0))
            return false;
        d.in = operations.front();
        operations.pop_front();
        if (cfg.t2_slots != 0)  // another CANCEL would make another one owed
            expect("DRV before the STAY of the CANCEL before",
                   gmmu_tier_foretell_owed(&twin, GMMU_TP_STAY), 0);
        d.out = gmmu_tier_drv(&twin, d.in);
        return true;
    }
    void did(const Drv &d) {
        expect("DRV refused", dut.tvi_drv_refused, d.out.refused);
        renewed |= (d.in.op == GMMU_FILL || (d.in.op == GMMU_T2_SWAP && cfg.t2_slots != 0)) &&
                   d.in.frame < twin.regs.frames;
        if (d.in.t2 || d.in.op > GMMU_ASK || d.in.op == GMMU_CANCEL)
            rested = 0;
    }

    bool step(Age &a) {
        expect("AGE not owed", 0, !twin.side.age_owed);
        a.clamped = gmmu_tier_age(&twin, &a.index);
        age_since = 0;
        return true;
    }
    void did(const Age &a) {
        expect("AGE index", dut.tvi_age_index, a.index);
        renewed |= a.index < cfg.frames;
        if (a.index >= cfg.frames)
            rested = 0;
    }

    void end() {
        watch(twin.side.age_owed, age_since);
        if (age_since != 0)
            expect("AGE overdue", now() - age_since > (of_fault() ? 128u : 9u) + p.memory_slack(),
                   0);
    }
    void taken() {
        if (p.drv_taken && p.compare)
            operations.push_back(p.drv_in);
        p.drv_under_way = operations.size();
    }
    void finish() { expect("driver operations not done", 0, operations.size()); }

   private:
    enum { LATENCY = 4 };  // from a slot's grant to its effect
    std::deque<gmmu_tier_drv_in> operations;
    unsigned waited = 0;
    uint64_t sought = 0;
    uint32_t history = 0;     // valid, cycle by cycle
    uint32_t twos = 0;        // of an operation that has two slots
    bool looked = false;      // the slot before was its first,
    bool slot_known = false;  // or it is known that it was not
    uint32_t renewed = 0;     // the effect of a FILL or an AGE of a frame, cycle by cycle
    bool age_next = false;    // the slot before was left for it
    bool decided = false;     // by the slot before
    bool driver_was_last = false;
    uint64_t age_since = 0;
    unsigned rested = 0;

    // AGE of a fault waits for the table of the faults.
    bool of_fault() const {
        return twin.side.age_next >= cfg.frames && twin.side.age_next < cfg.frames + cfg.faults;
    }
    bool slots_rest() const { return cfg.t2_slots == 0 || rested > 12; }
};

}  // namespace lockstep
