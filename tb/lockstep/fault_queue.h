// SPDX-License-Identifier: Apache-2.0
// fault_queue.h: checks the outstanding faults: who enters and where, what each remembers, the
// head.
#pragma once
#include <algorithm>

#include "lockstep/checker.h"

namespace lockstep {

class FaultQueue : public Checker<FaultQueue> {
   public:
    static constexpr const char *block = "fault_queue";
    using Checker::Checker;

    const char *under_way() const {
        return twin.faults.queue.noted != 0       ? "quiet with a fault noted"
               : gmmu_tier_expire_due(&twin) >= 0 ? "quiet with an EXPIRE owed"
                                                  : nullptr;
    }
    bool restless() const { return twin.faults.queue.noted != 0; }

    void did(const Walk &w) { expect("WALK fault", dut.tvi_walk_fault, w.out.fault); }
    void did(const Replay &r) { expect("REPLAY fault", dut.tvi_walk_fault, r.out.fault); }

    bool step(Enter &e) {
        if (!expect("ENTER without a note", twin.faults.queue.noted == 0, 0))
            return false;
        e.out = gmmu_tier_enter(&twin);
        entered_at = now();
        return true;
    }
    void did(const Enter &e) {
        expect("ENTER fault", dut.tvi_enter_fault, e.out.outcome);
        if (e.out.outcome != GMMU_FAULT_DROPPED && e.out.outcome != GMMU_FAULT_LATE)
            expect("ENTER entry", dut.tvi_enter_entry, e.out.entry);
    }
    bool step(Expire &x) {
        const int64_t frame = gmmu_tier_expire_due(&twin);
        if (!expect("EXPIRE not owed", frame < 0, 0))
            return false;
        x.frame = static_cast<uint32_t>(frame);
        expect("EXPIRE frame", dut.tvi_side_frame, x.frame);
        gmmu_tier_expire(&twin, x.frame);
        due_since = 0;
        return true;
    }

    void did(const Drv &d) {
        expect("DRV outstanding fault", dut.tvi_drv_hit, d.out.entry_hit);
        expect("DRV ASK", dut.tvi_drv_fault, d.out.fault);
        if (d.in.op == GMMU_FILL && !d.out.refused) {
            const gmmu_frame f = gmmu_frame_table_get(&twin.frames.table, d.in.frame);
            expect("FILL last access", dut.tvi_fill_last, f.last);
            expect("FILL row", dut.tvi_fill_row, f.cls.row);
            expect("FILL generation", dut.tvi_fill_gen, f.cls.gen);
        }
        if (d.out.entry_hit || d.out.fault == GMMU_FAULT_QUEUED || d.out.fault == GMMU_FAULT_JOINED)
            expect("DRV fault entry", dut.tvi_drv_entry, d.out.entry);
        if (d.in.op == GMMU_FILL && !d.out.refused)
            expect("FILL fresh", dut.tvi_fill_fresh, d.out.fresh);
    }
    void did(const Age &a) {
        const bool mine = a.index >= cfg.frames && a.index < cfg.frames + cfg.faults;
        expect("AGE of a fault", dut.tvi_age_fault, mine);
        if (mine)
            expect("AGE clamped", dut.tvi_age_clamped, a.clamped);
    }

    // A note waits for its turn and for the driver's operations, each with a search of the table.
    void end() {
        watch(twin.faults.queue.noted != 0, noted_since);
        if (noted_since != 0)
            expect("ENTER overdue", now() - std::max(noted_since, entered_at) > bound(), 0);
        watch(gmmu_tier_expire_due(&twin) >= 0, due_since);
        if (due_since != 0)
            expect("EXPIRE overdue", now() - due_since > 2 * bound(), 0);
    }

   private:
    uint64_t noted_since = 0, entered_at = 0, due_since = 0;

    uint64_t bound() const { return 128 + 16ull * (cfg.faults + cfg.late) + p.memory_slack(); }
};

}  // namespace lockstep
