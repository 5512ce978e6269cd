// SPDX-License-Identifier: Apache-2.0
// counters.h: the event counters, the RTL's beside the twin's.
#pragma once
#include <cstring>

#include "lockstep/pair.h"

namespace lockstep {

#ifdef GMMU_MUTANTS
// The top's own counters start there (scripts/mutate.py): no run is long enough for the upper bits.
enum : uint32_t { COUNTS_FROM = 0x7FFFFFFC };
inline void start_counting(gmmu_counters &twin) {
    twin.walks = twin.stale_hits = twin.merged = twin.fault_drops = twin.rec_drops =
        twin.drv_errors = twin.none = COUNTS_FROM;
}
#else
inline void start_counting(gmmu_counters &) {}
#endif

// Both count on from START, as if the run were already that long: those that the top counts itself.
// An output register of the top is its model's own variable, so it can be set like this.
inline void count_from(Pair &p, uint32_t start) {
    Vdut &dut = *p.dut;
    gmmu_counters &twin = p.twin.stats;
    dut.stat_walks = twin.walks = start;
    dut.stat_stale_hits = twin.stale_hits = start + 1;
    dut.stat_merged = twin.merged = start + 2;
    dut.stat_fault_drops = twin.fault_drops = start + 3;
    dut.stat_rec_drops = twin.rec_drops = start + 4;
    dut.stat_drv_errors = twin.drv_errors = start + 5;
    dut.stat_none = twin.none = start + 6;
    dut.stat_replays = twin.replays = start + 8;
    dut.stat_again = twin.again = start + 9;
    dut.stat_lost = twin.lost = start + 10;
    dut.stat_late = twin.late = start + 11;
    dut.stat_none_fresh = twin.none_fresh = start + 12;
    dut.stat_ahead = twin.ahead = start + 13;
    if (p.cfg.frame_mem)
        dut.stat_touch_drops = twin.touch_drops = start + 7;
}

// The block that counts.
inline const char *counting(const char *name) {
    static const struct {
        const char *name, *block;
    } others[] = {{"touch_drops", "frame_mem"}, {"stolen", "trace_sampler"},
                  {"rit_drops", "rit_export"},  {"hir_drops", "hir_cache"},
                  {"hir_skipped", "hir_cache"}, {"t2_stale", "tier_place"},
                  {"t2_none", "tier_place"},    {"flushes", "ref_rit"}};
    for (const auto &o : others)
        if (std::strcmp(o.name, name) == 0)
            return o.block;
    return "gmmu_tier";
}

inline void compare_counters(Pair &p) {
    gmmu_counters twin = gmmu_tier_counters(&p.twin);
    if (p.turns) {
        twin.parity = p.dut->stat_parity;
        twin.parity_last = p.dut->stat_parity_last;
    }
#define GMMU_COMPARE(name) p.expect(counting(#name), "stat_" #name, p.dut->stat_##name, twin.name);
    GMMU_COUNTERS(GMMU_COMPARE)
#undef GMMU_COMPARE
}

}  // namespace lockstep
