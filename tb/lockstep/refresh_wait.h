// SPDX-License-Identifier: Apache-2.0
// refresh_wait.h: checks when a REFRESH may come and when it must (docs/guide/schedule.md).
//
// A pending row waits, from the first cycle with the engine free, for calm; after its longest time,
// or when WALKS walks came meanwhile, it hurries. A calm ends with what may make a decision ahead
// of need owed, for SETTLES cycles: a search ahead goes before a REFRESH.
#pragma once
#include "lockstep/checker.h"

namespace lockstep {

class RefreshWait : public Checker<RefreshWait> {
   public:
    static constexpr const char *block = "ref_rit";
    using Checker::Checker;

    // the most cycles of a calm that did not count, as something had come that may make a decision
    // ahead owed
    uint64_t most_unsettled = 0;

    const char *under_way() const { return some_pending ? "quiet with a row pending" : nullptr; }

    void begin() {
        expect("rows are pending", dut.tvi_pending, some_pending);
        const bool settled = settle();
        if (some_pending)
            asleep = 0;
        else if (asleep == SETTLED)
            return;
        else
            asleep++;
        const bool idle = !twin.ppuc.engine.busy, waits = some_pending && idle;
        const bool hurry = waited == longest || overtaken >= WALKS;
        // another cfg_ahead is in force in the unit some cycles before it is here
        const bool changing = dut.cfg_ahead != regs.ahead;
        const bool owed = gmmu_tier_ahead_owed(&twin), rests = changing || (settled && !owed);
        not_calm[0] = not_calm[1];
        not_calm[1] = not_calm[2];
        not_calm[2] = !some_pending ? "ref_rit"
                      : !idle       ? "ppuc"
                      : hurry       ? nullptr
                      : rests       ? p.restless
                                    : "fault_unit";
        if (!waits) {
            waited = overtaken = 0;
        } else if (!hurry) {
            waited++;
            overtaken += dut.tvi_walk_valid;
        }
        // in a hurry what may come before it is a row operation under way or chosen, and the
        // records that go first
        hurried = waits && hurry && due() ? hurried + 1 : 0;
        expect("REFRESH overdue in a hurry", hurried > 2 * cfg.bins + 320, 0);
        // and calm, each row operation that is owed
        const bool row_op = dut.tvi_bg_valid && dut.tvi_bg_kind != GMMU_BG_LEARN;
        // (with a frame's word in memory an operation and an EXPIRE are under way for long)
        const bool store_busy =
            cfg.frame_mem && (p.drv_under_way != 0 || gmmu_tier_expire_due(&twin) >= 0);
        // (a search ahead of need is wanted when the decision at the output is taken, or at once; a
        // cycle that is not settled does not count, and does not begin the count anew)
        const bool calm = p.restless == nullptr && !owed && waits && !row_op && !store_busy;
        calmed = calm ? calmed + (settled && !changing) : 0;
        unsettled = calm ? unsettled + !settled : 0;
        most_unsettled = unsettled > most_unsettled ? unsettled : most_unsettled;
        expect("REFRESH overdue in a calm", calmed > cfg.bins + 64, 0);
    }

    void did(const Walk &) { stirred(); }
    void did(const Replay &) { stirred(); }
    void did(const Expire &) { stirred(); }
    // (a CANCEL with nothing to cancel is refused, and counts too)
    void did(const Drv &d) {
        const unsigned op = d.in.op;
        const bool done =
            !d.out.refused && op != GMMU_ASK && op != GMMU_T2_FREE && op != GMMU_T2_CANCEL;
        const bool vain = op == GMMU_CANCEL && d.in.frame < regs.frames &&
                          (!d.in.ahead || gmmu_fault_unit_credit(&twin.faults, regs.frames));
        if (done || vain)
            stirred();
    }
    void did(const Decide &) {
        if (cfg.frame_mem)
            stirred();
        else
            decided = true;
    }
    void did(const Refresh &) {
        if (not_calm[0] != nullptr)
            p.expect(not_calm[0], "REFRESH neither calm nor in a hurry two cycles before", 1, 0);
        pending_since = 0;
    }

    void end() {
        if (dut.tvi_bg_valid || (dut.tvi_walk_valid && (dut.tvi_walk_tick || dut.tvi_walk_alloc))) {
            some_pending = false;
            for (unsigned r = 0; r < cfg.classes && !some_pending; r++)
                some_pending = twin.rit.row[r].pending;
        }
        // a row that is owed a CLEAR first does not count: at a walk a cycle new references may
        // come faster than CLEAR does
        watch(some_pending && due(), pending_since);
        if (pending_since != 0)
            expect("REFRESH overdue", now() - pending_since > bound, 0);
    }

   private:
    enum { WALKS = 4, SETTLED = 3, SETTLES = 4 };
    const uint64_t longest = (cfg.frame_mem ? 4096ull : 4ull << gmmu_index_bits(cfg.frames)) - 1;
    // a refresh of some row starts within the hurry time and one pass of the engine
    const uint64_t x_w = (cfg.bins - 9) / 4 + 4, pass = cfg.bins * (5 * (x_w + 5) + 110);
    const uint64_t bound = cfg.frame_mem ? 163840 : longest + 1 + pass;
    bool some_pending = false;  // a row of the twin is
    uint64_t pending_since = 0, waited = 0, hurried = 0, calmed = 0, unsettled = 0;
    unsigned overtaken = 0;    // walks meanwhile
    uint32_t ahead = 0;        // the register in the cycle before
    bool decided = false;      // DECIDE in the cycle before, whose outcome is known now
    unsigned since = SETTLES;  // cycles since what may make a decision ahead owed
    unsigned asleep = 0;       // cycles without a pending row; of SETTLED, nothing changes any more
    // the block that keeps it from being calm, unless in a hurry; none: nullptr. Two cycles before,
    // one before, now
    const char *not_calm[3] = {};

    void stirred() { since = 0; }
    // Has nothing come for SETTLES cycles that may make a decision ahead owed?
    bool settle() {
        if (regs.ahead != ahead)
            since = 1;  // the inputs changed two cycles before
        ahead = regs.ahead;
        const bool settled = ahead == 0 || since >= SETTLES;
        since += since < SETTLES;
        if (decided)
            stirred();
        decided = false;
        return settled;
    }
    bool due() const {
        for (unsigned r = 0; r < cfg.classes; r++)
            if (twin.rit.row[r].pending && !twin.rit.row[r].clear_owed)
                return true;
        return false;
    }
};

}  // namespace lockstep
