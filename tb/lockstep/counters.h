// SPDX-License-Identifier: Apache-2.0
// counters.h: the event counters, the RTL's beside the twin's.
#pragma once
#include <cstring>

#include "lockstep/pair.h"

namespace lockstep {

// Those that the top and its fault unit count themselves.
#define GMMU_OWN_COUNTERS(X) \
    X(walks)                 \
    X(stale_hits)            \
    X(merged)                \
    X(fault_drops)           \
    X(rec_drops)             \
    X(drv_errors)            \
    X(none)                  \
    X(replays)               \
    X(again)                 \
    X(lost)                  \
    X(late)                  \
    X(none_fresh)            \
    X(ahead)
#define GMMU_ONE(name) +1
static_assert(GMMU_COUNTERS(GMMU_ONE) == GMMU_OWN_COUNTERS(GMMU_ONE) + 12,
              "a new counter is counted by the top, and has its place above, or by another part");
#undef GMMU_ONE

#ifdef GMMU_MUTANTS
// The own counters, tier_place's, and the count of walks of which epochs are made, start there
// (scripts/mutate.py): no run is long enough for the upper bits.
enum : uint32_t { COUNTS_FROM = 0x7FFFFFFC, WENT_FROM = 0x7FFFEFFB };
inline void start_counting(gmmu_tier &twin) {
#define GMMU_START(name) twin.stats.name = COUNTS_FROM;
    GMMU_OWN_COUNTERS(GMMU_START)
    GMMU_START(t2_stale)
    GMMU_START(t2_none)
#undef GMMU_START
    twin.walk.went = WENT_FROM;
}
#else
inline void start_counting(gmmu_tier &) {}
#endif

// Both count on from START, as if the run were already that long, each from another number: the own
// counters. An output register of the top is its model's own variable, so it can be set like this.
inline void count_from(Pair &p, uint32_t start) {
    Vdut &dut = *p.dut;
    gmmu_counters &twin = p.twin.stats;
#define GMMU_SET(name) dut.stat_##name = twin.name = start++;
    GMMU_OWN_COUNTERS(GMMU_SET)
#undef GMMU_SET
    if (p.cfg.frame_mem)
        dut.stat_touch_drops = twin.touch_drops = start;
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
