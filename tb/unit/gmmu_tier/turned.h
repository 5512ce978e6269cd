// SPDX-License-Identifier: Apache-2.0
// turned.h: words in the unit's RAMs that turn bad, RAM by RAM: the unit tells of the right place,
// with the right number, and of no other (docs/guide/integration.md); where each stands three times
// nothing else changes.
#pragma once
#include "open.h"
#include "random_run.h"
#include "styles.h"

namespace turned {

// Of the RAMs with NAME in theirs: where their bad words are told; 0: nowhere.
struct Place {
    const char *name;
    unsigned place, other;  // GMMU_PARITY_*; other: of what its bad words became, or read so
};
const Place places[] = {
    {".frame_table.", GMMU_PARITY_FRAME_SIDE, GMMU_PARITY_FRAME_WALK},
    {".tier_place.g_tiers.frames.g_own.ram_b.", 0, 0},  // is not read
    {".hir_cache.g_way[", 0, 0},                        // a tag that turned bad is nobody's
    {".segment.", GMMU_PARITY_PROTECTED, 0},
    {".fault_queue.g_named.", 0, 0},  // three copies of a bit: two of them count
    {".fault_queue.", GMMU_PARITY_FAULT, 0},
    {".tier_place.g_tiers.frames.", GMMU_PARITY_PROMISE, 0},
    {".tier_place.g_tiers.tier2_table.", GMMU_PARITY_SLOT, 0},
    {".tier_place.g_tiers.tier_predict.", GMMU_PARITY_PREDICT, 0},
    {".tier_place.g_tiers.victim_select.", GMMU_PARITY_CANDIDATE2, 0},
    {"gmmu_tier.victim_select.", GMMU_PARITY_CANDIDATE, 0},
    {".hir_cache.", GMMU_PARITY_HIR, 0},
    {".ppuc.engine.", GMMU_PARITY_REFRESH, 0},
    {".ppuc.table_ram.", GMMU_PARITY_PRIORITY, 0},
    {".record_feed.", GMMU_PARITY_RECORD, 0},
    {".ref_rit.directory.", GMMU_PARITY_DIRECTORY, 0},
    {".ref_rit.histogram.", GMMU_PARITY_COUNTS, GMMU_PARITY_REFRESH},
    {".trace_sampler.", GMMU_PARITY_SAMPLER, 0},
    {".range_dir.beats.", 0, 0},  // have no parity, on purpose
    {".range_dir.", GMMU_PARITY_RANGE, 0},
    {".rit_export.", GMMU_PARITY_EXPORT, 0},
};
inline const Place *place_of(const std::string &ram) {
    for (const Place &p : places)
        if (ram.find(p.name) != std::string::npos)
            return &p;
    return nullptr;
}

// Registers with which every RAM is in use.
inline gmmu_regs busy(uint32_t seed) {
    gmmu_regs regs = regs_of(12, seed % 2 ? GMMU_FEED_RESIDENT : GMMU_FEED_SAMPLER, 4);
    regs.search = seed % 3;
    regs.sample = 0;
    regs.rit_batch = 3;
    regs.rit_wait = 8;
    regs.transfer = 8;
    regs.protect = 100;
    regs.fresh = 4;
    regs.t2_slots = seed / 2 % 2 ? 200 : 6;
    regs.tier = seed % 2 ? GMMU_PLACE_REUSE : GMMU_PLACE_PRIORITY;
    regs.tier_model = 1;
    regs.tier_near = 20;
    regs.tier_far = 200;
    return regs;
}

// Bits of one RAM that turn over and back, now and then, while the unit is at work: of each word
// one bit, so that none is ever bad in two.
class Turning {
   public:
    Turning(Lockstep &step, const std::string &name, uint32_t seed)
        : bits(*step.dut->contextp(), ""), ram(bits.find(name)), rng(seed) {
        for (uint32_t w = 0; w < ram->words; w++)
            bit_of.push_back(static_cast<uint32_t>(rng() % ram->width));
        for (uint32_t w = 0; w < ram->words; w++)
            if (w == 0 || rng() % 2)  // a half, so that a wrong number is seen
                words.push_back(w);
    }
    void operator()() {
        if (rng() % 4 == 0) {
            const uint32_t w = words[rng() % words.size()];
            flips::Bit{ram, w, bit_of[w]}.flip();
        }
    }
    bool turns(uint32_t word) const {
        return std::find(words.begin(), words.end(), word) != words.end();
    }

   private:
    const flips::Bits bits;
    const flips::Register *ram;
    std::mt19937 rng;
    std::vector<uint32_t> bit_of, words;
};

// The names of all RAMs.
inline std::vector<std::string> rams() {
    RandomRun run("old", 1, busy(0), nullptr);
    const flips::Bits bits(*run.lockstep().dut->contextp(), "");
    std::vector<std::string> names;
    for (const flips::Register *r : bits.all_rams()) names.push_back(r->part + "." + r->name);
    return names;
}

}  // namespace turned

TEST(GmmuTierTurned, TheRightPlaceIsTold) {
    if (!is_open())
        return;
    const std::vector<std::string> rams = turned::rams();
    std::set<unsigned> seen;
    for (const std::string &name : rams) {
        SCOPED_TRACE(name);
        const turned::Place *where = turned::place_of(name);
        ASSERT_NE(where, nullptr);
        uint64_t told = 0;
        for (uint32_t seed = 0; seed < 2 || (seed < 200 && told == 0 && where->place != 0);
             seed++) {
            RandomRun run(seed % 2 ? "old" : "garbage", seed_of_run() * 100 + seed,
                          turned::busy(seed), nullptr);
            run.ranges = 200;
            Lockstep &step = run.lockstep();
            ASSERT_TRUE(run.begin());
            step.compare = false;
            turned::Turning turning(step, name, seed);
            run.meanwhile = std::ref(turning);
            for (const unsigned style : {0u, 1u, 3u, 4u, 2u})
                ASSERT_TRUE(run.go(styles[style], 600, 40, 12)) << step.mismatch.text();
            ASSERT_TRUE(run.run(styles[1], 600, 40, 12)) << step.mismatch.text();
            const auto &log = step.parity_log();
            EXPECT_FALSE(log.odd);
            for (unsigned p = 1; p <= log.PLACES; p++) {
                if (log.told[p] == 0)
                    continue;
                seen.insert(p);
                told += log.told[p];
                // (of a frame's page that turned bad its slot is, too, if it goes to Tier 2)
                const bool of_page =
                    p == GMMU_PARITY_SLOT && where->other == GMMU_PARITY_FRAME_WALK;
                EXPECT_TRUE(p == where->place || p == where->other || of_page) << "place " << p;
                const bool numbered =
                    p <= GMMU_PARITY_FRAME_WALK || (p == GMMU_PARITY_SLOT && !of_page);
                if (of_page)
                    continue;
                for (const uint32_t n : log.numbers[p])
                    EXPECT_TRUE(numbered ? turning.turns(n) : n == 0) << "place " << p << ", " << n;
            }
        }
        EXPECT_EQ(told != 0, where->place != 0);
    }
    EXPECT_EQ(seen.size(), GMMU_PARITY_FAULT + 0u);
}

// Each frame's number, of a walk and of the driver's operation.
TEST(GmmuTierTurned, EachFrameIsTold) {
    if (!is_open())
        return;
    const uint32_t frames = config().frames;
    OpenScene s(regs_of(frames, GMMU_FEED_RESIDENT, 0), "old");
    Lockstep &step = s.step;
    const flips::Register *pages =
        s.find("frame_store.g_table.frame_table.page_ram.g_shared.ram.mem");
    ASSERT_NE(pages, nullptr);
    for (uint32_t f = 0; f < frames; f++) s.drv(GMMU_FILL, f, f);
    s.rest();
    auto &numbers = step.parity_log().numbers;
    for (uint32_t n = 0; n < frames; n++) {
        const std::set<uint32_t> f = {n * 37 % frames};  // far from the one before
        const flips::Bit bit = {pages, *f.begin(), n % pages->width};
        bit.flip();
        s.hit(*f.begin(), *f.begin(), 0x10);
        s.cycles(20);
        ASSERT_EQ(numbers[GMMU_PARITY_FRAME_WALK], f);
        s.drv(GMMU_PIN, *f.begin(), 0);
        s.cycles(20);
        ASSERT_EQ(numbers[GMMU_PARITY_FRAME_SIDE], f);
        bit.flip();
        for (auto &places : numbers) places.clear();
    }
    EXPECT_GE(step.dut->stat_parity, 2 * frames);
    EXPECT_FALSE(step.parity_log().odd);
}

// Each slot's, of an operation that names it.
TEST(GmmuTierTurned, EachSlotIsTold) {
    if (!is_open())
        return;
    gmmu_regs regs = turned::busy(0);
    regs.t2_slots = config().t2_slots;
    OpenScene s(regs, "garbage");
    Lockstep &step = s.step;
    const flips::Register *slots = s.find("fault_unit.tier_place.g_tiers.tier2_table.slots.mem");
    ASSERT_NE(slots, nullptr);
    auto &numbers = step.parity_log().numbers[GMMU_PARITY_SLOT];
    for (uint32_t n = 0; n < config().t2_slots; n++) {
        const uint32_t slot = n * 397 % config().t2_slots;
        flips::Bit{slots, slot, n % slots->width}.flip();
        s.drv_of_slot(GMMU_T2_CANCEL, 0, slot);
        s.cycles(12);
        ASSERT_EQ(numbers, std::set<uint32_t>{slot});
        flips::Bit{slots, slot, n % slots->width}.flip();
        numbers.clear();
    }
}

// A page is asked for again whose slot's word turned. That is told, and as the page may differ from
// its copy below, it is dirty from then on.
TEST(GmmuTierTurned, APageOfATurnedSlotIsDirty) {
    if (!is_open() || config().t2_slots == 0)
        return;
    gmmu_regs regs = regs_of(1, GMMU_FEED_RESIDENT, 4);
    regs.t2_slots = 2;
    regs.tier = GMMU_PLACE_PRIORITY;
    OpenScene s(regs, "old");
    const flips::Register *slots = s.find("fault_unit.tier_place.g_tiers.tier2_table.slots.mem");
    ASSERT_NE(slots, nullptr);
    s.drv(GMMU_FILL, 0, 1);
    for (uint32_t bit = 0; bit <= slots->width; bit++) {  // first none
        SCOPED_TRACE(bit);
        // page 1 goes down, and comes back
        s.fault(2, 0x10);
        s.rest();
        s.drv_of_slot(GMMU_T2_FILL_DONE, 0, 1);
        s.drv(GMMU_FILL, 0, 2);
        s.drv(GMMU_FREE, 0, 2);
        s.rest();
        if (bit != 0)
            flips::Bit{slots, 1, bit - 1}.flip();
        const uint32_t told = s.step.dut->stat_parity;
        gmmu_tier_walk_in again = {};
        again.vpn = 1;
        again.fault = again.t2 = true;
        again.slot = 1;
        s.step.offer_walk(again);
        s.cycle();
        s.rest();
        EXPECT_EQ(s.step.dut->stat_parity, told + (bit != 0));  // of the page that is to rise
        gmmu_tier_drv_in back = Scene::operation(GMMU_FILL, 0, 1);
        back.t2 = true;
        back.slot = 1;
        s.drv(back);
        s.rest();
        // the next decision tells what it is like now
        s.decisions.clear();
        s.fault(3, 0x10);
        s.rest();
        ASSERT_EQ(s.decisions.size(), 1u);
        EXPECT_EQ(s.decisions[0].victim_dirty, bit != 0);
        s.drv(GMMU_FILL, 0, 3);
        s.drv(GMMU_FREE, 0, 3);
        s.drv(GMMU_FILL, 0, 1);
        s.rest();
    }
}

// What stands three times is as if nothing had turned: all is as in the twin, but that it is told.
TEST(GmmuTierTurned, TwoOfThreeCount) {
    if (!is_open())
        return;
    for (const std::string &name : turned::rams()) {
        const turned::Place *where = turned::place_of(name);
        if (where == nullptr ||
            (where->place != GMMU_PARITY_PROTECTED && where->place != GMMU_PARITY_PROMISE))
            continue;
        SCOPED_TRACE(name);
        for (uint32_t seed = 0; seed < 4; seed++) {
            RandomRun run(seed % 2 ? "new" : "garbage", seed_of_run() * 100 + seed,
                          turned::busy(seed), nullptr);
            Lockstep &step = run.lockstep();
            step.turns = true;
            turned::Turning turning(step, name, seed);
            run.meanwhile = std::ref(turning);
            for (const unsigned style : {0u, 1u, 2u, 4u})
                ASSERT_TRUE(run.go(styles[style], 1000, 40, 12)) << step.mismatch.text();
            ASSERT_TRUE(run.run(styles[1], 1000, 40, 12)) << step.mismatch.text();
            EXPECT_GT(step.parity_log().told[where->place], 0u);
            EXPECT_EQ(step.parity_log().told[where->place], step.dut->stat_parity);
        }
    }
}

// A decision that stands, of which a bit turned, is none any more; and none comes of a mark that
// turned while there is none.
TEST(GmmuTierTurned, NoDecisionOfATurnedBit) {
    if (!is_open())
        return;
    OpenScene s(regs_of(8, GMMU_FEED_RESIDENT, 0), "old");
    Lockstep &step = s.step;
    const flips::Register *made = s.find("fault_unit.made");
    ASSERT_NE(made, nullptr);
    for (uint32_t f = 0; f < 8; f++) s.drv(GMMU_FILL, f, f);
    s.rest();
    for (unsigned wait = 0; wait < 20; wait++) {
        s.hit(1, 1, 0x10);  // (or no clock runs)
        s.cycles(wait);
        made->data[0] ^= 1;
        s.cycles(20);
        EXPECT_TRUE(s.decisions.empty());
    }
    uint64_t page = 100;
    const char *const names[] = {
#ifndef GMMU_MUTANTS  // there, mutants leave the register in pieces
        "d_vpn",
#endif
        "d_asid", "d_frame", "d_v_asid", "d_v_vpn"};
    for (const char *name : names) {
        const flips::Register *r = s.find(std::string("fault_unit.") + name);
        ASSERT_NE(r, nullptr);
        for (uint32_t bit = 0; bit < r->width; bit++) {
            SCOPED_TRACE(name);
            step.take_decisions(false);
            s.fault(++page, 0x10);
            for (unsigned c = 0; c < 2000 && !step.dut->m_axis_decision_tvalid; c++) s.cycle();
            s.cycles(10);
            ASSERT_TRUE(step.dut->m_axis_decision_tvalid);
            flips::Bit{r, 0, bit}.flip();
            s.cycles(3);
            EXPECT_FALSE(step.dut->m_axis_decision_tvalid) << bit;
            step.take_decisions(true);
            s.rest();
            EXPECT_TRUE(s.decisions.empty());
            // the driver asks again, and finds out which frame leaves
            for (uint32_t f = 0; f < 8; f++) s.drv(GMMU_CANCEL, f, page);
            for (uint32_t f = 0; f < 8; f++) s.drv(GMMU_FILL, f, f);
            s.rest();
            s.decisions.clear();
        }
    }
}

// Of the records that wait, one more or less than there are: soon it is known that there are none.
TEST(GmmuTierTurned, QueuesMendThemselves) {
    if (!is_open())
        return;
    OpenScene s(regs_of(8, GMMU_FEED_RESIDENT, 12), "old");
    Lockstep &step = s.step;
    for (uint32_t f = 0; f < 8; f++) s.drv(GMMU_FILL, f, f);
    for (const char *name :
         {"walk_places.count", "walk_records.words.rp", "side_records.words.rp"}) {
        const flips::Register *r = s.find(std::string("learner.record_feed.") + name);
        ASSERT_NE(r, nullptr);
        for (uint32_t bit = 0; bit < r->width; bit++) {
            s.rest();
            s.hit(1, 1, 0x10);
            s.cycles(200);
            flips::Bit{r, 0, bit}.flip();
            s.hit(2, 2, 0x10);
            s.cycles(1500);
            EXPECT_TRUE(step.dut->quiet) << name << " " << bit;
        }
    }
}
