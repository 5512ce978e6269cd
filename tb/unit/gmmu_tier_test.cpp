// SPDX-License-Identifier: Apache-2.0
// gmmu_tier_test.cpp: the whole unit against its C twin, action by action, on random stimuli.
//
// State space: few pages, references and frames, so that hits, faults, merges, evictions,
// re-allocated rows, full queues and same-cycle meetings on one frame are frequent; walks from one
// every cycle to sparse; a driver that answers at once, late, or does odd things (frees, pins,
// cancels, asks, fills what nobody asked for); decisions taken at once or late.
// Parameter space: the configuration that it is built for; cfg_frames from 1 to all, pseudo-counts
// and censoring on and off, refresh periods from every walk to rare; the three RAM collision
// models; random initial state.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <sstream>

#include "fault_table.h"
#include "gmmu_tier/ranges.h"
#include "gmmu_tier/scene.h"
#include "gmmu_tier/styles.h"

#ifndef GMMU_FAULTS
#include "gmmu_tier/contexts.h"
#include "gmmu_tier/epochs.h"
#include "gmmu_tier/owed.h"
#include "gmmu_tier/tiers.h"
#include "gmmu_tier/time.h"
#include "gmmu_tier/turned.h"
#endif

namespace {

// `make test` sets GMMU_QUICK; the whole is in `make long-tests`.
bool quick() {
    return std::getenv("GMMU_QUICK") != nullptr;
}
// Of the random runs one of so many is done.
[[maybe_unused]] unsigned thinned() {
    return quick() ? 3 : 1;
}

#ifndef GMMU_FAULTS

class GmmuTierScenes : public testing::TestWithParam<const char *> {};  // RAM model

// One walk, one operation, one decision, or a few operations without a gap, and rest between: what
// is under way is alone.
TEST_P(GmmuTierScenes, FewThingsBetweenRests) {
    for (unsigned feed = 0; feed < 2; feed++) {
        Scene s(regs_of(8, feed, 2), GetParam());
        for (uint32_t f = 0; f < 8; f++) {
            s.drv(GMMU_FILL, f, f);
            s.rest();
        }
        for (unsigned i = 0; i < 12; i++) {
            s.hit(i % 8, i % 8, 0x10 + i % 3);
            s.rest();
            s.hit(i % 8, (i + 1) % 8, 0x10);  // the frame holds another page
            s.rest();
            s.fault(100 + i, 0x20);
            s.rest();
            s.drv(GMMU_CANCEL, s.decisions.empty() ? 0 : s.decisions.back().frame, 100 + i);
            s.rest();
            s.drv(1 + i % GMMU_ASK, i % 8, i % 8);
            s.rest();
            s.drv(GMMU_UNPIN, i % 8, 0);
            s.rest();
        }
        for (unsigned n = 1; n <= 7; n++) {
            for (uint32_t f = 0; f < n; f++) s.drv(GMMU_FILL, f, f);
            s.rest();
            for (uint32_t f = 0; f < n; f++) s.drv(GMMU_FREE, f, 0);
            s.rest();
        }
        if (!s.end())
            break;
    }
}

// A decision is not taken, so the next fault stays undecided and there is no calm: a REFRESH waits
// for its longest time, or for the fourth walk. All the time faults and operations come.
TEST_P(GmmuTierScenes, NoCalm) {
    const uint64_t longest = config().frame_mem ? 4096 : 4ull << gmmu_index_bits(config().frames);
    std::mt19937 rng(seed_of_run());
    Scene s(regs_of(6, GMMU_FEED_RESIDENT, 0), GetParam());
    for (uint32_t f = 0; f < 4; f++) s.drv(GMMU_FILL, f, f);
    s.rest();
    s.step.take_decisions(false);
    s.fault(10, 0x10);
    s.cycles(40);
    s.fault(11, 0x11);
    s.cycles(40);
    const unsigned rounds = config().frames > 1000 ? 9 : 18;
    for (unsigned r = 0; r < rounds && s.good(); r++) {
        for (unsigned w = 0; w < r % 6; w++) {
            const uint32_t f = rng() % 4;
            s.hit(f, f, 0x10 + rng() % 4);
            s.cycles(rng() % 5 == 0 ? rng() % 1000 : rng() % 40);
        }
        if (config().frames <= 1000 || r % 4 == 3)
            s.cycles(r % 3 == 0 ? rng() % longest : longest + 200 + rng() % longest);
        if (r % 6 == 5) {  // faults that are full, by and by
            s.drv(GMMU_ASK, 0, 12 + r);
            s.fault(40 + r, 0x12);
        }
    }
    for (unsigned i = 0; i < 2 * config().faults; i++)
        s.drv(GMMU_ASK, 0, 80 + i);  // more than there are entries
    EXPECT_TRUE(s.end());
}

// The tick that makes rows pending comes with a record, of the same walk or of a page that leaves
// in that cycle, and after so many records that a row operation need not wait for more: it is
// learnt before the REFRESH.
TEST_P(GmmuTierScenes, RecordWithTheTick) {
    gmmu_regs regs = regs_of(8, GMMU_FEED_RESIDENT, 5);
    regs.sample = 12;  // the sampler, which is not calm either, sees few pages
    Scene s(regs, GetParam());
    for (uint32_t f = 0; f < 8; f++) s.drv(GMMU_FILL, f, f);
    for (unsigned w = 1; w < 20 * 32 && s.good(); w++) {
        const bool tick = w % 32 == 0, left = tick && w % 64 == 0;
        if (left)
            s.hit(99, 3, 0x10);  // the frame holds another page: no record
        else
            s.hit(w % 3, w % 3, 0x10);
        s.cycles(left ? 5 : 1);
        if (left)
            s.drv(GMMU_FREE, 3, 0);
        s.cycles(tick ? 4000 : 24);
        if (left)
            s.drv(GMMU_FILL, 3, 3);
    }
    EXPECT_TRUE(s.end());
}

// More frames than a sample takes, so that the hand stands anywhere; between searches at rest
// another search, or several in turn.
TEST_P(GmmuTierScenes, SearchSwitchesAtRest) {
    std::mt19937 rng(seed_of_run());
    gmmu_regs regs = regs_of(config().k + 24, GMMU_FEED_RESIDENT, 4);
    regs.search = GMMU_SEARCH_SAMPLE;
    Scene s(regs, GetParam());
    for (uint32_t f = 0; f < regs.frames; f++) s.drv(GMMU_FILL, f, f);
    for (unsigned i = 0; i < 60 && s.good(); i++) {
        s.rest();
        for (unsigned n = rng() % 3; n > 0; n--) {
            regs.search = (regs.search + 1 + rng() % 2) % 3;
            s.step.configure(regs);
            s.cycles(1 + rng() % 12);
        }
        s.hit(rng() % regs.frames, rng() % regs.frames, 0x10 + rng() % 4);
        s.fault(1000 + i, 0x20 + rng() % 4);
        s.rest();
        s.fill_decided();
    }
    EXPECT_TRUE(s.end());
}

// One of two contexts ends, its address space is flushed, at rest or while the other walks in every
// cycle. Of it nothing is left but its part in row 0: no row, no priorities, no name; a new context
// with the number begins with rows that know nothing. What the other one taught is as it was.
TEST_P(GmmuTierScenes, AnAddressSpaceGoes) {
    for (const bool dense : {false, true}) {
        TwoContexts s(GetParam(), dense);
        const std::vector<unsigned> first = s.rows_of(1), second = s.rows_of(2);
        std::vector<std::vector<uint32_t>> before;
        for (unsigned r = 0; r < config().classes; r++) before.push_back(s.contents(r));
        ASSERT_FALSE(first.empty());
        const uint64_t took = s.flush();
        EXPECT_LE(took, config().classes * (dense ? 64u : 1u) + 16);
        EXPECT_GE(took, dense ? (config().classes - 1) * 63 : config().classes);
        for (const unsigned r : first) s.expect_gone(r, before[r][0]);
        EXPECT_TRUE(s.rows_of(1).empty());
        EXPECT_EQ(s.rows_of(2), second);
        for (const unsigned r : second)
            if (r != 0) {
                EXPECT_EQ(s.contents(r), before[r]);
            }
        s.step.flush(3, false);  // the order is taken back
        // a new context has the number: the first walk of each reference gets a new row
        for (unsigned w = 0; w < 2 && s.good(); w++) {
            s.hit_of(1, 100 + w, 7, 0x10 + w);
            s.rest();
        }
        EXPECT_FALSE(s.rows_of(1).empty());
        for (const unsigned r : s.rows_of(1)) EXPECT_TRUE(s.is_empty(r));
        EXPECT_TRUE(s.end());
        EXPECT_EQ(s.step.twin.stats.flushes, 1u);
    }
}

TEST_P(GmmuTierScenes, ClocksRest) {
    const Mismatch m = clocks_rest(GetParam(), seed_of_run(), nullptr);
    EXPECT_FALSE(m.found) << m.text();
}

// All frames are in use, at numbers with many bits set: operations on the frames beyond are
// refused, a search comes by all, and no more are in use than there are. The driver is silent, or
// has an operation in each cycle.
TEST_P(GmmuTierScenes, AllFrames) {
    for (const uint32_t frames : {21u, 32u, 40u, 63u, 256u})
        for (unsigned search = 0; search < 3; search++) {
            if (frames > config().frames || (frames == 256 && config().frames > 256))
                continue;
            gmmu_regs regs = regs_of(frames, GMMU_FEED_SAMPLER, 6);
            regs.search = search;
            Scene s(regs, GetParam());
            for (uint32_t f = 0; f < frames; f++) s.drv(GMMU_FILL, f, f);
            for (uint32_t f = frames;
                 f < std::min(frames + 24, 1u << gmmu_index_bits(config().frames)); f++)
                s.drv(1 + f % GMMU_CANCEL, f, f);
            for (uint32_t bit = 1; bit >> gmmu_index_bits(config().frames) == 0; bit <<= 1)
                if ((frames ^ bit) > frames && (frames ^ bit) < config().frames)
                    s.drv(GMMU_FILL, frames ^ bit, frames);
            for (unsigned i = 0; i < 12 && s.good(); i++) {
                for (unsigned w = 0; w < 20; w++) {
                    const uint32_t f = (7 * w + i) % frames;
                    s.hit(f, f, 0x10 + w % 5);
                }
                s.fault(200 + i, 0x20);
                const std::size_t before = s.decisions.size();
                bool offered = false;
                for (unsigned c = 0; c < 8 * frames + (config().frame_mem ? 80000 : 2000) &&
                                     s.good() && s.decisions.size() == before;
                     c++) {
                    if (i % 3 != 0 && !offered)
                        s.offer_drv(c % 2 ? GMMU_UNPIN : GMMU_PIN, 0, 0);
                    offered = i % 3 != 0;
                    if (s.cycle().drv_taken)
                        offered = false;
                }
                s.cycles(offered ? 20 : 0);
                if (s.decisions.size() == before)
                    break;
                EXPECT_EQ(s.decisions.back().tier, GMMU_TIER_2);
                s.drv(GMMU_FILL, s.decisions.back().frame, 200 + i);
            }
            if (!s.end())
                return;
            EXPECT_EQ(s.decisions.size(), 12u);
        }
}
INSTANTIATE_TEST_SUITE_P(GmmuTier, GmmuTierScenes, testing::Values("old", "new", "garbage"));

// Pages leave in a row beside walk hits, which are learnt first, until ages find their queue full:
// each that is learnt makes room for one, but not for that of a page that leaves in that cycle.
TEST(GmmuTier, ManyPagesLeave) {
    const uint32_t last = std::min(16 * config().sideq, config().frames - 1);  // the one that stays
    std::mt19937 rng(seed_of_run());
    Scene s(regs_of(last + 1, GMMU_FEED_RESIDENT, 9), "garbage");
    uint64_t full = 0, late = 0;  // ages without a place, ages with one that came too late
    for (unsigned round = 0; round < 24 && s.good(); round++) {
        for (uint32_t f = 0; f <= last; f++) {
            s.drv(GMMU_FILL, f, f);
            s.hit(f, f, 0x10 + f % 3);
        }
        s.rest();
        const unsigned hits = round < 20 ? 68 + round : 30 * (round - 19);  // of a hundred cycles
        bool learnt = false;  // in the cycle before, an age
        for (uint32_t f = 0; f < last; f++) {
            s.offer_drv(GMMU_FREE, f, 0);
            for (bool taken = false; s.good() && !taken;) {
                if (rng() % 100 < hits)
                    s.offer_hit(last, last, 0x10);
                taken = s.cycle().drv_taken;
                const bool dropped = s.step.dut->tvi_drv_record == GMMU_REC_DROPPED;
                full += dropped;
                late += dropped && learnt;
                learnt = s.step.dut->tvi_bg_valid && s.step.dut->tvi_bg_kind == GMMU_BG_LEARN &&
                         s.step.dut->tvi_bg_queue;
            }
        }
    }
    EXPECT_TRUE(s.end());
    if (config().frame_mem || last < 8 * config().sideq)
        return;
    EXPECT_GT(full, 100u);
    EXPECT_GT(late, 2u);
}

// Pages leave in a row while walk hits fill the other queue, and others are hit in a row, at ages a
// little above each power of two, where the bin tells whether an upper bit is lost in any place of
// a queue.
TEST(GmmuTier, OldPagesLeave) {
    if (config().time_w > 20)
        return;  // as TimeWraps
    enum { IN_A_ROW = 3, LOWEST = 8 };
    const uint32_t leave = IN_A_ROW * (config().time_w - 2 - LOWEST),
                   last = 2 * leave;  // of all frames: the one that is hit
    Scene s(regs_of(last + 1, GMMU_FEED_RESIDENT, 9), "garbage");
    for (uint32_t f = 0; f <= last; f++) {
        s.drv(GMMU_FILL, f, f);
        s.hit(f, f, 0x10 + f % 3);
    }
    uint32_t t = last + 1;
    for (uint32_t f = 0; f < leave && s.good();) {
        s.offer_hit(last, last, 0x10);
        t++;
        if (t <=
            last + 20 + (1u << (LOWEST + f / IN_A_ROW))) {  // a FREE sees a time some cycles ago
            s.cycle();
        } else {
            s.drv(GMMU_FREE, f++, 0);
            if (f % IN_A_ROW == 0) {
                for (uint32_t g = f - IN_A_ROW; g < f; g++, t++)
                    s.hit(leave + g, leave + g, 0x10 + g % 3);
                s.cycles(400);  // the walks' records go first
            }
        }
    }
    for (unsigned w = 0; w < 1024; w++)
        s.hit(last, last, 0x10);  // refresh ticks: the counts are seen
    EXPECT_TRUE(s.end());
}

TEST(GmmuTier, TimeWraps) {
    if (config().time_w > 20)
        return;  // 16 M walks: tiny has the same RTL and wraps in a second
    Activity did;
    const Mismatch m = time_wraps("garbage", seed_of_run(), nullptr, &did);
    EXPECT_FALSE(m.found) << m.text();
    EXPECT_GT(did.walks, 1ull << config().time_w);
}

// AGE clamps slots of Tier 2 and the predictor's entries.
TEST(GmmuTier, SlotsGrowOld) {
    if (config().time_w > 20 || config().t2_slots == 0)
        return;
    Activity did;
    for (const uint32_t tier : {GMMU_PLACE_PRIORITY, GMMU_PLACE_REUSE}) {
        const Mismatch m = slots_grow_old("garbage", seed_of_run(), tier, nullptr, &did);
        ASSERT_FALSE(m.found) << m.text();
    }
    EXPECT_GT(did.walks, 2ull << config().time_w);
    EXPECT_GT(did.clamped_slots, 20u);
    EXPECT_GT(did.clamped_entries, 10u);
    std::printf("AGE clamped %llu slots and %llu entries\n",
                static_cast<unsigned long long>(did.clamped_slots),
                static_cast<unsigned long long>(did.clamped_entries));
}

// A library's calls, recorded, beside walks and a driver.
TEST(GmmuTier, RecordedCalls) {
    if (config().ranges == 0)
        return;
    for (const char *trace : {"chain", "lu", "newmark"})
        for (const unsigned percent : {100u, 60u}) {
            uint64_t asked = 0, taken = 0;
            const Mismatch m = recorded_ranges(percent == 100 ? "garbage" : "old", seed_of_run(),
                                               trace, percent, 300, &asked, &taken);
            EXPECT_FALSE(m.found) << trace << ": " << m.text();
            EXPECT_EQ(taken, asked) << trace;
            EXPECT_GT(asked, 20u);
        }
}

// Many settings of the registers, each for a short time.
class ManyShortRuns : public testing::TestWithParam<unsigned> {};
TEST_P(ManyShortRuns, Lockstep) {
    Activity did;
    for (uint32_t s = 6 * GetParam(); s < 6 * GetParam() + 6; s++) {
        const Mismatch m = all_styles(s % 3 == 0   ? "garbage"
                                      : s % 3 == 1 ? "new"
                                                   : "old",
                                      seed_of_run() * 1000 + s, 300, nullptr, &did);
        ASSERT_FALSE(m.found) << m.text();
        ASSERT_FALSE(HasFailure());
    }
    EXPECT_GT(did.victims, 25u);
}
INSTANTIATE_TEST_SUITE_P(GmmuTier, ManyShortRuns, testing::Range(0u, 4u));

using Number = unsigned long long;

// What the random runs did, for whoever reads the log.
void print(const Activity &did) {
    std::printf("%s: %llu walks and %llu other actions compared in %llu cycles, %llu victims\n",
                GMMU_CONFIG_NAME, Number{did.walks}, Number{did.cands}, Number{did.cycles},
                Number{did.victims});
    // in `large` beside what the memory may take (docs/guide/schedule.md)
    std::printf("longest search by sample %llu cycles\n", Number{did.longest_search});
    std::printf("%llu HAND, %llu passed a page, %llu pages kept\n", Number{did.hands},
                Number{did.passed}, Number{did.kept});
    std::printf("%llu RANGE\n", Number{did.ranges});
    std::printf("%llu FLUSH, %llu of them took a row, %llu walks had none; longest flush %llu\n",
                Number{did.flush_rows}, Number{did.flushed_rows}, Number{did.rowless},
                Number{did.longest_flush});
}
const char *const places[Activity::PLACES] = {"swapped", "in another's place", "had room",
                                              "to Tier 3"};
void print_tiers(const Activity &did) {
    std::printf("%llu FORGET, %llu FORETELL meanwhile\n", Number{did.forgotten}, Number{did.blind});
    for (unsigned i = 0; i < Activity::PLACES; i++)
        std::printf("%s %llu, ", places[i], Number{did.placed[i]});
    std::printf(
        "%llu of %llu RISE, %llu CAND2, %llu FORETELL, longest PLACE %llu cycles, at worst %llu; "
        "an operation waited %llu at worst; a STAY %llu\n",
        Number{did.risen}, Number{did.rises}, Number{did.cands2}, Number{did.foretells},
        Number{did.longest_place}, Number{did.longest_placing}, Number{did.longest_wait},
        Number{did.longest_stay});
}

// All that is rare happened, often enough; nothing took longer than it may. SHORT: a run at odd
// sizes, in which some things may not happen.
void expect_corners(const Activity &did, bool is_short) {
    EXPECT_GT(did.victims, 100u);
    EXPECT_GT(did.flush_rows, 500u / thinned());
    if (config().classes > 1) {  // row 0 is never taken
        EXPECT_GT(did.flushed_rows, 100u / thinned());
    }
    EXPECT_GT(did.rowless, 20u / thinned());
    EXPECT_LE(did.longest_search, 100u);
    if (is_short)
        return;
    if (config().ranges != 0) {
        EXPECT_GT(did.ranges, 10000u / thinned());
    }
    if (!config().frame_mem) {
        EXPECT_GT(did.passed, 1000u / thinned());
    }
    EXPECT_GT(did.longest_search, 0u);  // there is an undisturbed one
}
void expect_corners_of_tiers(const Activity &did, bool is_short) {
    EXPECT_LE(did.longest_place, 100u);
    if (is_short)
        return;
    EXPECT_GT(did.kept, 100u / thinned());
    EXPECT_GT(did.forgotten, 20u / thinned());
    EXPECT_GT(did.blind, 20u / thinned());
    for (unsigned i = 0; i < Activity::PLACES; i++)
        EXPECT_GT(did.placed[i], 100u / thinned()) << places[i];
}

TEST(GmmuTier, RandomLockstep) {
    const uint64_t cycles = (config().frames > 1000 ? 30000 : 60000) / (quick() ? 2 : 1);
    // scripts/block_sim.py wants many actions, at any sizes
    const char *wants = std::getenv("GMMU_ACTIONS");
    const uint64_t wanted = wants ? std::strtoull(wants, nullptr, 0) : 0;
    Activity did;
    for (uint32_t s = 0; wanted ? did.walks + did.cands < wanted : s < 6; s++)
        for (unsigned r = 0; r < 3; r++) {
            if (wanted && did.walks + did.cands >= wanted)
                break;
            if (quick() && !wanted && r != s % 3)
                continue;  // a seed with one model of the RAMs
            const char *const ram = r == 0 ? "old" : r == 1 ? "new" : "garbage";
            const Mismatch m = all_styles(ram, seed_of_run() * 100 + s, cycles, nullptr, &did);
            ASSERT_FALSE(m.found) << m.text();
        }
    print(did);
    if (wanted)
        std::printf("gmmu_tier (%s): %llu actions compared in %llu cycles\n", GMMU_CONFIG_NAME,
                    Number{did.walks + did.cands}, Number{did.cycles});
    expect_corners(did, wants != nullptr);
    if (config().t2_slots == 0)
        return;
    print_tiers(did);
    expect_corners_of_tiers(did, wants != nullptr);
}

// Behind a walker that replays and a driver to which faults take time.
TEST(GmmuTier, Time) {
    const char *wants = std::getenv("GMMU_ACTIONS");  // scripts/block_sim.py
    const uint64_t wanted = wants ? std::strtoull(wants, nullptr, 0) : 0;
    const uint32_t seeds = quick() ? 24 : 120;
    TimePassed all;
    for (uint32_t s = 0; wanted ? all.actions < wanted : s < seeds; s++) {
        const char *const ram = s % 3 == 0 ? "garbage" : s % 3 == 1 ? "new" : "old";
        const uint32_t seed = seed_of_run() * 1000 + s;
        const Mismatch m = any_time(ram, AnyTime(seed), seed, 1500, &all);
        ASSERT_FALSE(m.found) << m.text() << " [seed " << seed << ", ram=" << ram << "]";
        ASSERT_FALSE(HasFailure()) << "seed " << seed << ", ram=" << ram;
    }
    all.print();
    if (wanted) {
        std::printf("gmmu_tier (%s): %llu actions compared in %llu cycles\n", GMMU_CONFIG_NAME,
                    Number{all.actions}, Number{all.cycles});
        return;  // at any sizes
    }
    EXPECT_GT(all.unit.again, 1000u);
    EXPECT_GT(all.unit.lost, 100u);
    EXPECT_GT(all.unit.late, 20u);
    EXPECT_GT(all.unit.ahead, 100u);
    EXPECT_GT(all.unit.none_fresh, 50u);
    EXPECT_GT(all.driver.evictions, 1000u);
    EXPECT_GT(all.driver.forced, 0u);
    EXPECT_GT(all.driver.cancelled, 100u);
    EXPECT_GT(all.driver.prefetched, 20u);
    EXPECT_GT(all.driver.freed, 100u);
    EXPECT_GT(all.driver.pinned, 5u);
    EXPECT_GT(all.ended, all.runs / 2);
}

// More pages than frames and slots together, of which there are many: Tier 2 fills, then each page
// that goes down drives one out, from slots at numbers with many bits set.
TEST(GmmuTier, ManySlots) {
    if (config().t2_slots == 0)
        return;
    TimePassed all;
    for (const uint32_t tier : {GMMU_PLACE_PRIORITY, GMMU_PLACE_ORDER}) {
        AnyTime a(seed_of_run());
        a.regs.frames = std::min(48u, config().frames);
        a.regs.t2_slots = std::min(600u, config().t2_slots);
        a.regs.tier = tier;
        a.regs.t2_full = a.regs.ahead = 0;
        a.regs.tier_model = 1;
        a.regs.tier_near = 0;  // all pages are for Tier 2
        a.regs.tier_far = (1u << (config().time_w - 1)) - 1;
        a.d = {};
        a.d.latency = 20;
        a.d.batch = 8;
        a.w = {};
        a.w.warps = 4;
        a.pages = a.regs.frames + a.regs.t2_slots + 100;
        a.events = 0;
        a.swept = tier == GMMU_PLACE_ORDER;
        const Mismatch m = any_time("garbage", a, seed_of_run(), 3ull * a.pages, &all);
        ASSERT_FALSE(m.found) << m.text();
    }
    all.print();
    EXPECT_EQ(all.ended, all.runs);
    EXPECT_GE(all.slots, std::min(600u, config().t2_slots) * 3 / 4);
}

#else

// A row of the tables of faults.
struct Fault {
    std::string line, number, block, file;
};

std::vector<Fault> table_of_faults() {
    const auto field = [](std::istringstream &fields) {
        std::string s;
        std::getline(fields, s, '|');
        s.erase(0, s.find_first_not_of(' '));
        return s.erase(s.find_last_not_of(' ') + 1);
    };
    std::vector<Fault> all;
    for (const std::string &line : rows_of_faults()) {
        std::istringstream fields(line);
        Fault f;
        f.line = line;
        f.number = field(fields);
        f.block = field(fields);
        f.file = field(fields);
        all.push_back(f);
    }
    return all;
}

// The runs that look for a fault, in their order: random ones by their seed, or one with a name.
// Those of a block must be found by its own bench; here it is a matter of names.
bool is_own(const Fault &f) {
    return f.block == "clk_gate" || f.block == "gmmu_tier" || f.block == "tier_place" ||
           f.block == "walk_pipe" || f.block == "fault_unit" || f.block == "side_port";
}
std::vector<std::string> runs_for(const Fault &f) {
    // some of tier_place's need one of eight seeds, or luck
    const uint32_t seeds = f.block == "tier_place" ? 36 : is_own(f) ? 12 : 8;
    std::vector<std::string> runs;
    for (uint32_t s = 0; s < seeds; s++) runs.push_back(std::to_string(s));
    if (is_own(f))
        runs.push_back("wraps");
    if (f.block == "tier2_table")
        runs.push_back("slots");
    if (f.block == "clk_gate")
        runs.push_back("rests");
    return runs;
}
Mismatch one_run(const Fault &f, const std::string &run) {
    const std::string arg = "+fault=" + f.number;
    Activity did;
    if (run == "wraps")
        return time_wraps("old", seed_of_run(), arg.c_str(), &did);
    if (run == "slots")
        return slots_grow_old("old", seed_of_run(), GMMU_PLACE_PRIORITY, arg.c_str(), &did);
    if (run == "rests")
        return clocks_rest("garbage", seed_of_run(), arg.c_str());
    const uint64_t cycles[] = {4000, 20000, 60000};
    const auto s = static_cast<uint32_t>(std::stoul(run));
    return all_styles(s % 2 ? "garbage" : "old", seed_of_run() * 100 + s,
                      cycles[std::min(s / 4, 2u)], arg.c_str(), &did);
}

// Of each fault the run that found it when all were tried, or "none".
const char *const known_runs = "tb/unit/gmmu_tier/fault_runs.txt";
std::map<std::string, std::string> runs_known() {
    const char *root = std::getenv("GMMU_ROOT");
    std::ifstream in(std::string(root ? root : ".") + "/" + known_runs);
    std::map<std::string, std::string> known;
    for (std::string line; std::getline(in, line);) {
        std::istringstream fields(line);
        std::string number, run;
        if (line[0] != '#' && fields >> number >> run)
            known[number] = run;
    }
    return known;
}

// The mismatch that a fault makes, if any, and the run. `make test` begins with the run that is
// known, and takes "none" as it stands for faults that other benches must find; a fault that is not
// in the list, or that its run no longer finds, is looked for in all runs. The whole form always
// looks in all.
Mismatch find(const Fault &f, const std::map<std::string, std::string> &known, std::string *by) {
    std::vector<std::string> runs = runs_for(f);
    const auto hint = known.find(f.number);
    if (quick() && hint != known.end()) {
        if (hint->second == "none" && !is_own(f))
            return {};
        if (std::find(runs.begin(), runs.end(), hint->second) != runs.end())
            runs.insert(runs.begin(), hint->second);
    }
    for (const std::string &run : runs) {
        const Mismatch m = one_run(f, run);
        if (m.found) {
            *by = run;
            return m;
        }
    }
    EXPECT_FALSE(is_own(f)) << "not found: " << f.line;
    return {};
}

// May a fault of a block show first in what another one says? In these fields, and no others.
bool shared(const Fault &f, const Mismatch &m) {
    static const struct {
        const char *faulty, *block, *field;
    } elsewhere[] = {
        // an engine that does not end keeps ref_rit's next REFRESH waiting
        {"ppuc", "ref_rit", "REFRESH overdue"},
        // priorities in the other bank: what is read was never written, nor its parity
        {"ppuc", "gmmu_tier", "stat_parity"},
        // row 0's name, which was never written, nor its parity
        {"rit_export", "gmmu_tier", "stat_parity"},
        // what a frame says goes into its slot
        {"frame_table", "tier2_table", "decision t2_dirty"},
        // a HAND that should be void is one too many
        {"gmmu_tier", "victim_select", "HAND behind the candidate"},
        // a forced ASK that is entered as any other
        {"fault_queue", "victim_select", "not forced"},
        // an operation on a range that is lost, and a clock that rests too soon
        {"gmmu_tier", "range_dir", "a beat overdue"},
        {"gmmu_tier", "range_dir", "quiet with a packet"},
        // a fault that is decided though it was filled stays in the queue
        {"gmmu_tier", "fault_queue", "WALK fault"},
        {"gmmu_tier", "fault_queue", "DRV outstanding fault"},
        // what a slot says becomes of the operation that names it, and of its page
        {"tier2_table", "gmmu_tier", "DRV refused"},
        {"tier2_table", "gmmu_tier", "FILL dirty"},
        {"tier2_table", "fault_queue", "FILL "},
        {"tier2_table", "gmmu_tier", "length of the reset sequence"},
        {"tier2_table", "tier_place", "PLACE tier"},
        {"tier2_table", "tier_place", "RISE rises"},
        {"tier2_table", "tier_place", "RISE not owed"},
        {"tier2_table", "tier_place", "stat_t2_stale"},
        {"tier_place", "gmmu_tier", "DRV refused"},
        {"tier_place", "gmmu_tier", "FILL dirty"},
        {"tier_place", "fault_queue", "FILL "},
        // a STAY that is not asked for is missing when the driver comes again
        {"tier_place", "gmmu_tier", "DRV before the STAY"},
        // what is done to a slot is what it says next
        {"tier_place", "tier2_table", "CAND2 eligible"},
        {"tier_place", "tier2_table", "CAND2 last access"},
        {"tier_place", "tier2_table", "decision t2_dirty"},
        // a risen page that is clean though it differs is seen at the latest when it is the victim
        {"tier_place", "frame_table", "decision victim dirty"},
        // a store that is lost on the way to the frame: by the queue, or by what a FILL adds
        {"fault_queue", "gmmu_tier", "FILL dirty"},
        // a fault that is another one's, or none, in the operation that ends the fault, and in its
        // search
        {"fault_queue", "gmmu_tier", "DRV refused"},
        {"fault_queue", "victim_select", "decision fresh"},
        {"fault_queue", "frame_table", "DECIDE tier"},
        {"fault_queue", "victim_select", "forced without an ASK"},
        {"fault_queue", "tier2_table", "CAND2 eligible"},
        // a replay that is taken for an access, or not for a replay
        {"walk_pipe", "ref_rit", ""},
        {"walk_pipe", "trace_sampler", ""},
        {"walk_pipe", "hir_cache", ""},
        {"walk_pipe", "fault_queue", ""},
        {"walk_pipe", "gmmu_tier", ""},
        // a frame that is fresh, or a search that is forced, though it should not, and the other
        // way round
        {"fault_unit", "fault_queue", ""},
        {"fault_unit", "frame_table", ""},
        {"fault_unit", "victim_select", ""},
        {"fault_unit", "gmmu_tier", ""},
        // a decision that comes too soon
        {"side_port", "fault_queue", ""},
        {"side_port", "gmmu_tier", ""}};
    for (const auto &e : elsewhere)
        if (f.block == e.faulty && m.block == e.block && m.field.rfind(e.field, 0) == 0)
            return true;
    // a small part shows in whichever block that has one sees it first
    return f.file.find("rtl/lib/") != std::string::npos || f.block == "clk_gate";
}

// Every row of the tables of faults, by hand put into the RTL: the bench goes red and names the
// block. Each row of this block must be found; some of the others need states that only their own
// bench reaches.
TEST(GmmuTier, FaultsAreFound) {
    unsigned rows = 0, named = 0;
    Activity did;
    {
        const Mismatch m = all_styles("garbage", 3, 20000, "+fault=0", &did);
        ASSERT_FALSE(m.found) << "fault 0 is no fault: " << m.text();
    }
    const char *only = std::getenv("GMMU_FAULT_BLOCK");  // of one block
    const std::map<std::string, std::string> known = runs_known();
    unsigned searched = 0;  // a run that is known, and finds its fault no longer
    for (const Fault &f : table_of_faults()) {
        if (only != nullptr && f.block != only)
            continue;
        if (f.block == "frame_mem")
            continue;  // not a part of this configuration
        if (f.file.rfind("rtl/bus/", 0) == 0 || f.file.rfind("rtl/ring/", 0) == 0)
            continue;  // around gmmu_tier, and not a part of it
        if (f.block == "hir_cache")
            continue;  // its bench finds them all; nothing else in the unit depends on it
        if (f.block == "tier_predict")
            continue;  // as hir_cache's
        const unsigned long number = std::stoul(f.number);
        if (number >= 1210 && number < 1400)
            continue;  // of words that turn bad: none does here, the blocks' own benches turn bits
        rows++;
        SCOPED_TRACE(f.line);
        std::string by = "none";
        const Mismatch m = find(f, known, &by);
        const auto hint = known.find(f.number);
        searched += hint == known.end() || hint->second != by;
        std::printf("run %s %s\n", f.number.c_str(), by.c_str());
        if (!m.found) {
            std::printf("not found here: %s\n", f.line.c_str());
            continue;
        }
        const bool good = shared(f, m) || m.block == f.block;
        std::printf("fault %s of %s seen as %s: %s\n", f.number.c_str(), f.block.c_str(),
                    m.block.c_str(), m.field.c_str());
        EXPECT_TRUE(good) << f.line << "\n  " << m.text();
        named += good;
    }
    std::printf("%u faults, %u found and named, the other %u by their blocks' benches\n", rows,
                named, rows - named);
    if (searched != 0)
        std::printf("%s lacks the runs of %u faults, or has others\n", known_runs, searched);
    if (only == nullptr) {
        EXPECT_GT(named, rows * 79 / 100);
    }
}

#endif

}  // namespace
