// SPDX-License-Identifier: Apache-2.0
// fault_queue.h: checks the outstanding faults: who enters and where, what each remembers, the
// head.
#pragma once
#include "lockstep/checker.h"

namespace lockstep {

class FaultQueue : public Checker<FaultQueue> {
   public:
    static constexpr const char *block = "fault_queue";
    using Checker::Checker;

    void did(const Walk &w) {
        expect("WALK fault", dut.tvi_walk_fault, w.out.fault);
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
        if (d.out.entry_hit || d.out.fault != GMMU_FAULT_NONE)  // dropped: 0
            expect("DRV fault entry", dut.tvi_drv_entry, d.out.entry);
    }
    void did(const Age &a) {
        if (a.index >= cfg.frames && a.index < cfg.frames + cfg.faults)
            expect("AGE clamped", dut.tvi_age_clamped, a.clamped);
    }
};

}  // namespace lockstep
