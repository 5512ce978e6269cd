// SPDX-License-Identifier: Apache-2.0
// styles.h: random runs one behind the other: all styles in turn, and until time wraps.
#pragma once
#include "random_run.h"

const Style styles[] = {
    // clang-format off
    {.name = "one walk a cycle, prompt driver", .walk_permille = 1000, .drv_permille = 1000},
    {.name = "one walk a cycle, odd driver", .walk_permille = 1000, .drv_permille = 300, .odd_permille = 500, .ready_permille = 500,
     .stale_permille = 20, .replay_permille = 300},
    {.name = "dense walks, slow driver", .walk_permille = 700, .drv_permille = 20, .odd_permille = 100, .ready_permille = 100, .stale_permille = 5, .replay_permille = 300},
    {.name = "sparse walks, prompt driver", .walk_permille = 60, .drv_permille = 1000, .odd_permille = 50, .stale_permille = 5},
    {.name = "sparse walks, odd driver", .walk_permille = 100, .drv_permille = 400, .odd_permille = 600, .ready_permille = 300, .stale_permille = 50,
     .replay_permille = 300},
    {.name = "rest between walks", .walk_permille = 2, .drv_permille = 1000, .times = 6},
    {.name = "no walks, busy driver", .walk_permille = 2, .drv_permille = 1000, .odd_permille = 700, .ready_permille = 700, .stale_permille = 100,
     .replay_permille = 300},
    // clang-format on
};

// Tiers, mostly on, with few slots, thresholds of all sizes.
inline void tier_registers(gmmu_regs &regs, uint32_t seed, std::mt19937 &rng) {
    const uint32_t all = config().t2_slots;
    const uint32_t some[] = {regs.frames / 2 + 1, 5, 1, regs.frames, all, 2 * regs.frames};
    regs.t2_slots = seed % 17 == 16 ? 0 : std::min(all, some[rng() % 6]);
    const uint32_t tiers[] = {GMMU_PLACE_PRIORITY, GMMU_PLACE_REUSE,    GMMU_PLACE_ORDER,
                              GMMU_PLACE_PRIORITY, GMMU_PLACE_PRIORITY, GMMU_PLACE_RANDOM,
                              GMMU_PLACE_REUSE,    GMMU_PLACE_NONE};
    regs.tier = tiers[seed % 8];
    regs.t2_full = rng() % 2;
    regs.tier_default = rng() % 2;
    regs.tier_model = rng() % 4 != 0;
    regs.tier_near = rng() % (1u << (3 + rng() % 6));
    regs.tier_far = regs.tier_near + rng() % (1u << (3 + rng() % 8));
    regs.tie = rng() % 2;
    if (seed % 8 == 1) {  // pages are kept: one of six seeds that begin at a multiple of 100 is so
        regs.search = GMMU_SEARCH_CLOCK;
        regs.tier_model = 1;
        regs.tier_near = 50 + rng() % 400;
        regs.tier_far = 2 * regs.tier_near;
    }
}

// All styles in turn; the registers from SEED. Returns the mismatch, if any.
inline Mismatch all_styles(const char *ram, uint32_t seed, uint64_t cycles, const char *arg,
                           Activity *did) {
    std::mt19937 rng(seed * 7919 + 17);
    gmmu_regs regs = gmmu_regs_default(&config());
    const uint32_t sizes[] = {8, 1, 5, 32, 3, config().frames < 200 ? config().frames : 200};
    regs.frames = sizes[seed % 6] < config().frames ? sizes[seed % 6] : config().frames;
    regs.pseudo = rng() % 4 != 0;
    regs.censor = rng() % 4 != 0;
    const unsigned searches[] = {GMMU_SEARCH_SCAN,   GMMU_SEARCH_CLOCK, GMMU_SEARCH_SAMPLE,
                                 GMMU_SEARCH_SAMPLE, GMMU_SEARCH_SCAN,  3};  // a clock too
    regs.search = searches[(seed % 6 + seed / 100) % 6];
    regs.feed = rng() % 3 == 0;
    regs.sample = rng() % 3 == 0 ? rng() % 4 : 0;
    const uint32_t periods[] = {0, 4, 6, 9};
    regs.refresh = rng() % 3 ? periods[rng() % 4] : rng() % (config().time_w + 1);
    const unsigned refs = 3 + rng() % (2 * config().classes);
    regs.rit_batch = rng() % 3 ? 1 + rng() % (rng() % 2 ? 8 : config().ritq + 8) : 0;
    regs.rit_fault = rng() % 2;
    regs.rit_wait = rng() % 12;
    regs.transfer = rng() % 4 ? 1 + rng() % 40 : rng() % 2;
    regs.protect = seed % 3 ? rng() % 256 : 0;
    regs.ahead = seed % 3 == 2 ? 1 + rng() % std::max(1u, regs.frames / 2) : 0;
    regs.fresh = seed % 4 == 3 ? 0 : 1 + rng() % 10;
    if (config().t2_slots != 0)
        tier_registers(regs, seed, rng);
    RandomRun run(ram, seed, regs, arg);
    run.shares = regs.protect % 2 ? 1 + rng() % 8 : 0;
    const unsigned changes[] = {0, 3, 100};
    run.changes = changes[seed / 100 % 2 + seed % 2];
    const unsigned flushes[] = {2, 0, 30, 300};
    run.flushes = flushes[seed % 4];
    run.lockstep().rit().ready = rng() % 3 ? 1000 : 100 + rng() % 900;
    run.lockstep().hir().ready = rng() % 3 ? 1000 : 60 + rng() % 900;
    const unsigned rates[] = {0, 20, 300, 1000};
    run.ranges = rates[seed % 4];
    run.lockstep().ranges().ready = seed % 5 ? 1000 : 100 + rng() % 900;
    const unsigned pages = regs.frames * 2 + 3;
    for (const Style &s : styles)
        if (!run.run(s, cycles * s.times, pages, refs)) {
            run.lockstep().mismatch.field += std::string(" [") + s.name + ", ram=" + ram + "]";
            break;
        }
    const Activity &one = run.lockstep().did;
    did->walks += one.walks;
    did->cands += one.actions() - one.walks;
    did->victims += one.victims;
    did->cycles += one.cycles;
    for (unsigned i = 0; i < Activity::PLACES; i++) did->placed[i] += one.placed[i];
    did->rises += one.rises;
    did->risen += one.risen;
    did->cands2 += one.cands2;
    did->hands += one.hands;
    did->passed += one.passed;
    did->kept += one.kept;
    did->foretells += one.foretells;
    did->ranges += one.ranges;
    did->flush_rows += one.flush_rows;
    did->flushed_rows += one.flushed_rows;
    did->rowless += one.rowless;
    did->forgotten += one.forgotten;
    did->blind += one.blind;
    did->longest_flush = std::max(did->longest_flush, one.longest_flush);
    did->longest_stay = std::max(did->longest_stay, one.longest_stay);
    did->longest_wait = std::max(did->longest_wait, one.longest_wait);
    did->longest_placing = std::max(did->longest_placing, one.longest_placing);
    if (regs.search == GMMU_SEARCH_SAMPLE)
        did->longest_place = std::max(did->longest_place, one.longest_place);
    if (regs.search == GMMU_SEARCH_SAMPLE || config().frame_mem)
        did->longest_search = std::max(did->longest_search, run.lockstep().did.longest_search);
    return run.lockstep().mismatch;
}

// So many walks at one a cycle that time wraps (where that is not too long), and then all styles.
inline Mismatch time_wraps(const char *ram, uint32_t seed, const char *arg, Activity *did) {
    gmmu_regs regs = gmmu_regs_default(&config());
    regs.frames = 9;
    regs.refresh = 9;
    regs.protect = 200;
    RandomRun run(ram, seed, regs, arg);
    const uint64_t walks = 3ull << (config().time_w - 2);
    Style s = styles[0];
    for (uint64_t done = 0; done < walks; done += 4000) {
        // two faults stay for so long that AGE clamps them
        if (done == 0 && run.begin()) {
            run.old_fault(0, false);
            run.old_fault(1, true);
        }
        if (done / 4000 == walks * 5 / 8 / 4000) {
            run.fill_old_fault(0, 8);
            run.old_fault(0, true);
        }
        // now many pages are forgotten, now all are in use
        const unsigned pages = done / 4000 % 4 == 0 ? 40 : 5;
        // at last faults grow old, because no driver answers
        s.drv_permille = done < walks / 2 ? 1000 : 0;
        if (!run.run(s, 4000, pages, 5))
            break;
    }
    // at the first of these fills time is above 3/4 of its range and all visits of AGE were for a
    // while, at the second it has wrapped
    for (unsigned slot = 0; slot < 2 && !run.lockstep().mismatch.found; slot++) {
        (void)run.run(styles[1], walks / 4, 20, 5);
        if (!run.lockstep().mismatch.found)
            run.fill_old_fault(slot, 7 + slot);
    }
    did->walks += run.lockstep().did.walks;
    did->cands += run.lockstep().did.actions() - run.lockstep().did.walks;
    did->victims += run.lockstep().did.victims;
    did->cycles += run.lockstep().did.cycles;
    return run.lockstep().mismatch;
}

// Pages come and go by TIER, then few are used for so long that AGE clamps what is behind them, in
// Tier 2 and in the predictor; and again, when time wraps. By GMMU_PLACE_REUSE the slots are the
// last and the first ones of all.
inline Mismatch slots_grow_old(const char *ram, uint32_t seed, uint32_t tier, const char *arg,
                               Activity *did) {
    const uint32_t limit = 1u << (config().time_w - 2);
    gmmu_regs regs = gmmu_regs_default(&config());
    regs.frames = 9;
    regs.refresh = 9;
    regs.tier = tier;
    const bool all = tier == GMMU_PLACE_REUSE;
    regs.t2_slots = all ? config().t2_slots : std::min(12u, config().t2_slots);
    regs.tier_model = 1;
    regs.tier_near = limit / 8;
    regs.tier_far = limit + limit / 2;
    RandomRun run(ram, seed, regs, arg);
    if (all)
        run.slots_from(config().t2_slots - 8);
    for (unsigned round = 0; round < 2 && !run.lockstep().mismatch.found; round++)
        (void)(run.run(styles[0], 20000, 30, 5) && run.run(styles[0], 2ull * limit, 5, 5));
    if (!run.lockstep().mismatch.found)
        (void)run.run(styles[1], 20000, 30, 5);
    const Activity &one = run.lockstep().did;
    did->walks += one.walks;
    did->clamped_slots += one.clamped_slots;
    did->clamped_entries += one.clamped_entries;
    return run.lockstep().mismatch;
}
