// SPDX-License-Identifier: Apache-2.0
// trace_sampler.h: checks what the sampler makes of a walk, and its own THRESH and SCRUB.
#pragma once
#include "lockstep/checker.h"

namespace lockstep {

class TraceSampler : public Checker<TraceSampler> {
   public:
    static constexpr const char *block = "trace_sampler";
    using Checker::Checker;

    const char *under_way() const {
        return restless() ? "quiet with a SCRUB or THRESH owed" : nullptr;
    }
    bool restless() const { return scrub_due || thresh_owed; }

    void did(const Walk &w) {
        const gmmu_sampled &s = w.out.sampled;
        expect("WALK selected", dut.tvi_sampled_selected, s.selected);
        expect("WALK stolen without need", dut.tvi_sampled_stolen, s.stolen);
        expect("WALK sampled page found", dut.tvi_sampled_hit, s.hit);
        expect("WALK sample", dut.tvi_sampled_record, s.record);
        if (!s.record)
            return;
        expect("WALK sample interval", dut.tvi_sampled_interval, s.rec.interval);
        expect("WALK sample row", dut.tvi_sampled_row, s.rec.cls.row);
        expect("WALK sample generation", dut.tvi_sampled_gen, s.rec.cls.gen);
        expect("WALK sample censored", !dut.tvi_sampled_hit, s.rec.censored);
    }

    bool step(Thresh &t) {
        expect("THRESH not owed", 1, gmmu_trace_sampler_thresh_owed(&twin.sampler));
        t.out = gmmu_tier_thresh(&twin);
        return true;
    }
    void did(const Thresh &t) { expect("THRESH threshold", dut.tvi_thresh, t.out); }

    bool step(Scrub &s) {
        expect("SCRUB not due", 1, gmmu_tier_scrub_due(&twin));
        s.out = gmmu_tier_scrub(&twin, &s.record, &s.exported);
        return true;
    }
    void did(const Scrub &s) {
        expect("SCRUB index", dut.tvi_scrub_index, s.out.index);
        expect("SCRUB removed", dut.tvi_scrub_removed, s.out.removed);
        if (!s.out.removed)
            return;
        expect("SCRUB age", dut.tvi_scrub_age, s.out.rec.interval);
        expect("SCRUB row", dut.tvi_scrub_row, s.out.rec.cls.row);
        expect("SCRUB generation", dut.tvi_scrub_gen, s.out.rec.cls.gen);
    }

    void end() {
        if (p.acted) {
            thresh_owed = gmmu_trace_sampler_thresh_owed(&twin.sampler);
            scrub_due = gmmu_tier_scrub_due(&twin);
        }
        watch(thresh_owed, thresh_since);
        if (thresh_since != 0)
            expect("THRESH overdue", now() - thresh_since > 16, 0);
        if (dut.tvi_scrub_valid)
            scrub_since = 0;
        watch(scrub_due, scrub_since);
        // FRAME_MEM: nothing takes a turn a frame
        const uint64_t frames = cfg.frame_mem ? 8192 : cfg.frames;
        if (scrub_since != 0)
            expect("SCRUB overdue", now() - scrub_since > 16 * frames + 32768, 0);
    }

   private:
    bool thresh_owed = false, scrub_due = false;  // of the twin, which changes with actions alone
    uint64_t thresh_since = 0, scrub_since = 0;
};

}  // namespace lockstep
