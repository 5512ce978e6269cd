// SPDX-License-Identifier: Apache-2.0
// report.h: what a lock-step run tells: the first mismatch, what the RTL did, what a cycle brought.
#pragma once
#include <cinttypes>
#include <cstdio>
#include <string>

#include "blocks/gmmu_tier.h"

struct Mismatch {
    bool found = false;
    std::string block, field;
    uint64_t rtl = 0, twin = 0, cycle = 0, walk = 0;
    std::string text() const {
        char s[256];
        std::snprintf(s, sizeof s,
                      "block %s: %s: RTL 0x%" PRIx64 ", C model 0x%" PRIx64 " (cycle %" PRIu64
                      ", after walk %" PRIu64 ")",
                      block.c_str(), field.c_str(), rtl, twin, cycle, walk);
        return s;
    }
};

// What the RTL did so far.
struct Activity {
    uint64_t cycles = 0, walks = 0, replays = 0, enters = 0, expires = 0, drvs = 0, cands = 0,
             decisions = 0, victims = 0, learns = 0, row_ops = 0, installs = 0, ages = 0,
             scrubs = 0, touches = 0, sends = 0, exports = 0;
    // cycles from the first candidate to the decision, undisturbed; without those that the frames'
    // memory may take (docs/guide/schedule.md)
    uint64_t longest_search = 0;
    // cycles from a DECIDE to its PLACE, undisturbed; where victims went
    uint64_t longest_place = 0;
    // with tiers: cycles that a driver's operation waited, and that a decision waited for its place
    uint64_t longest_wait = 0, longest_stay = 0, longest_placing = 0;
    uint64_t clamped_slots = 0, clamped_entries = 0;  // by AGE
    enum { SWAPPED, EVICTED, HAD_ROOM, TO_TIER_3, PLACES };
    uint64_t placed[PLACES] = {};
    uint64_t hands = 0, passed = 0, kept = 0;  // search clock; of frames that were hit; DECIDE kept
    uint64_t ranges = 0;
    uint64_t flush_rows = 0, flushed_rows = 0, rowless = 0, longest_flush = 0;
    uint64_t forgotten = 0, blind = 0;  // FORGET; FORETELL meanwhile
    uint64_t foretells = 0, rises = 0, risen = 0, cands2 = 0, places = 0;
    uint64_t actions() const {
        return walks + replays + enters + expires + drvs + cands + decisions + learns + row_ops +
               installs + ages + scrubs + touches + sends + foretells + rises + cands2 + places +
               hands + ranges + flush_rows;
    }
    // The actions of this cycle.
    template <typename Dut>
    void count(const Dut &dut) {
        walks += dut.tvi_walk_valid;
        replays += dut.tvi_replay_valid;
        enters += dut.tvi_enter_valid;
        ages += dut.tvi_age_fault;
        if (dut.tvi_side_valid) {
            const unsigned kind = dut.tvi_side_kind;
            drvs += kind == GMMU_SIDE_DRV;
            ages += kind == GMMU_SIDE_AGE;
            installs += kind == GMMU_SIDE_INSTALL;
            cands += kind == GMMU_SIDE_CAND;
            hands += kind == GMMU_SIDE_HAND;
            touches += kind == GMMU_SIDE_TOUCH;
            rises += kind == GMMU_SIDE_RISE;
            cands2 += kind == GMMU_SIDE_CAND2;
            places += kind == GMMU_SIDE_PLACE;
            expires += kind == GMMU_SIDE_EXPIRE;
            decisions += kind == GMMU_SIDE_DECIDE && dut.tvi_dec_tier != GMMU_TIER_RETRY;
            victims += kind == GMMU_SIDE_DECIDE && dut.tvi_dec_tier == GMMU_TIER_2;
        }
        foretells += dut.tvi_foretell_valid;
        blind += dut.tvi_foretell_valid && dut.tvi_forgetting;
        ranges += dut.tvi_range;
        scrubs += dut.tvi_scrub_valid + dut.tvi_thresh_valid;
        sends += dut.tvi_send;
        flush_rows += dut.tvi_flush_valid;
        flushed_rows += dut.tvi_flush_removed;
        rowless += dut.tvi_flush_valid && dut.tvi_walk_valid;
        exports += (dut.tvi_rit_walk == GMMU_RIT_QUEUED) + (dut.tvi_rit_side == GMMU_RIT_QUEUED);
        if (dut.tvi_bg_valid)
            (dut.tvi_bg_kind == GMMU_BG_LEARN ? learns : row_ops)++;
    }
};

// After a cycle: was the driver's operation taken, and did a decision come?
struct Cycle {
    bool drv_taken, decided, quiet;
    gmmu_tier_decision decision;
};
