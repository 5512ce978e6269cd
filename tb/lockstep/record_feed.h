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

    // What became of a record is told a cycle later.
    void begin() {
        expect("record of a walk", dut.tvi_walk_record, of_walk);
        expect("DRV record", dut.tvi_drv_record, of_drv);
        expect("SCRUB record", dut.tvi_scrub_record, of_scrub);
        of_walk = of_drv = of_scrub = GMMU_REC_NONE;
    }
    void did(const Walk &w) {
        if (!cfg.frame_mem || regs.feed == GMMU_FEED_SAMPLER)
            of_walk = w.out.record;
    }
    void did(const Touch &t) {
        if (regs.feed == GMMU_FEED_RESIDENT)
            of_walk = t.record;
    }
    void did(const Drv &d) { of_drv = d.out.record; }
    void did(const Scrub &s) { of_scrub = s.record; }

   private:
    unsigned of_walk = GMMU_REC_NONE, of_drv = GMMU_REC_NONE, of_scrub = GMMU_REC_NONE;
};

}  // namespace lockstep
