// SPDX-License-Identifier: Apache-2.0
// counters.h: the event counters, the RTL's beside the twin's.
#pragma once
#include "lockstep/pair.h"

namespace lockstep {

// f(block, name, the RTL's, the twin's) for those that the top counts itself.
template <typename F>
void each_counter_of_top(Pair &p, F f) {
    Vdut &dut = *p.dut;
    gmmu_tier_stats &s = p.twin.stats;
    f("gmmu_tier", "stat_walks", dut.stat_walks, s.walks);
    f("gmmu_tier", "stat_stale_hits", dut.stat_stale_hits, s.stale_hits);
    f("gmmu_tier", "stat_merged", dut.stat_merged, s.merged);
    f("gmmu_tier", "stat_fault_drops", dut.stat_fault_drops, s.fault_drops);
    f("gmmu_tier", "stat_rec_drops", dut.stat_rec_drops, s.rec_drops);
    f("gmmu_tier", "stat_drv_errors", dut.stat_drv_errors, s.drv_errors);
    f("gmmu_tier", "stat_none", dut.stat_none, s.none);
    if (p.cfg.frame_mem)
        f("frame_mem", "stat_touch_drops", dut.stat_touch_drops, s.touch_drops);
}

// Both count on from START, as if the run were already that long. An output register of the top is
// its model's own variable, so it can be set like this.
inline void count_from(Pair &p, uint32_t start) {
    each_counter_of_top(
        p, [&](const char *, const char *, IData &rtl, uint32_t &twin) { rtl = twin = start++; });
}

inline void compare_counters(Pair &p) {
    const auto compare = [&](const char *block, const char *name, uint32_t rtl, uint32_t twin) {
        p.expect(block, name, rtl, twin);
    };
    each_counter_of_top(p, compare);
    if (!p.cfg.frame_mem)
        compare("frame_mem", "stat_touch_drops", p.dut->stat_touch_drops, p.twin.stats.touch_drops);
    compare("trace_sampler", "stat_stolen", p.dut->stat_stolen, p.twin.sampler.stolen);
    compare("rit_export", "stat_rit_drops", p.dut->stat_rit_drops, p.twin.rit_export.drops);
    compare("hir_cache", "stat_hir_drops", p.dut->stat_hir_drops, p.twin.hir.drops);
    compare("hir_cache", "stat_hir_skipped", p.dut->stat_hir_skipped, p.twin.hir.skipped);
}

}  // namespace lockstep
