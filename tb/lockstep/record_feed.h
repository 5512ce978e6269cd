// SPDX-License-Identifier: Apache-2.0
// record_feed.h: checks what becomes of each record: queued, dropped, and in order to ref_rit.
#pragma once
#include "lockstep/checker.h"

namespace lockstep {

class RecordFeed : public Checker<RecordFeed> {
   public:
    static constexpr const char *block = "gmmu_tier";
    using Checker::Checker;

    const char *under_way() const { return restless() ? "quiet with a record waiting" : nullptr; }
    bool restless() const {
        return twin.feed.queue[GMMU_QUEUE_WALK].n != 0 || twin.feed.queue[GMMU_QUEUE_SIDE].n != 0;
    }

    void did(const Walk &w) {
        if (!cfg.frame_mem || regs.feed == GMMU_FEED_SAMPLER)
            expect("WALK record", dut.tvi_walk_record, w.out.record);
    }
    void did(const Touch &t) {
        if (regs.feed == GMMU_FEED_RESIDENT)
            expect("TOUCH record", dut.tvi_walk_record, t.record);
    }
    void did(const Drv &d) { expect("DRV record", dut.tvi_drv_record, d.out.record); }
    void did(const Scrub &s) { expect("SCRUB record", dut.tvi_scrub_record, s.record); }
};

}  // namespace lockstep
