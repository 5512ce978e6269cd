// SPDX-License-Identifier: Apache-2.0
// edge_test.cpp: ends of ranges of the blocks' C twins that no bench of the RTL comes to, since it
// keeps to what the hardware is given.
#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "blocks/crc32c.h"
#include "blocks/frame_table.h"
#include "blocks/log_bin.h"
#include "blocks/ppuc.h"
#include "blocks/ref_rit.h"
#include "blocks/rit_export.h"
#include "blocks/schedule.h"
#include "blocks/trace_sampler.h"
#include "blocks/victim_select.h"
#include "gmmu/csr.h"
#include "policy/leu_study.h"

namespace {

// A block and its memory.
struct Memory {
    std::vector<char> bytes = std::vector<char>(1 << 22);
    gmmu_arena arena = {bytes.data(), bytes.size(), 0};
};

TEST(Edge, MinifloatIsNeverDeadUnlessItIsZero) {
    EXPECT_EQ(gmmu_minifloat(0, 1), 0);
    EXPECT_EQ(gmmu_minifloat_value(0), 0.0);
    EXPECT_EQ(gmmu_minifloat(1, 1ULL << 63), 1);
    EXPECT_EQ(gmmu_minifloat(1, (1ULL << 63) + 1), 1);
    EXPECT_EQ(gmmu_minifloat(1, 1), 63 << 10);
    EXPECT_EQ(gmmu_minifloat_value(63 << 10), 1.0);
}

TEST(Edge, PpucRefusesMoreBinsThanItHasRoomFor) {
    Memory m;
    gmmu_ppuc p;
    gmmu_config c = *gmmu_config_find("tiny");
    EXPECT_EQ(gmmu_ppuc_init(&p, &c, &m.arena), 0);
    c.bins = 257;
    EXPECT_NE(gmmu_ppuc_init(&p, &c, &m.arena), 0);
}

// A row on its own has the priorities that REFRESH and INSTALL give it.
TEST(Edge, PpucRowIsThatOfRefresh) {
    Memory m;
    gmmu_ppuc p;
    gmmu_ref_rit rit;
    const gmmu_config &c = *gmmu_config_find("tiny");
    ASSERT_EQ(gmmu_ppuc_init(&p, &c, &m.arena), 0);
    ASSERT_EQ(gmmu_ref_rit_init(&rit, &c, &m.arena), 0);
    std::vector<uint64_t> reuse(c.bins), censored(c.bins);
    std::vector<uint16_t> priority(c.bins);
    for (unsigned b = 0; b < c.bins; b++) {
        rit.row[1].reuse[b] = static_cast<uint16_t>(reuse[b] = b * 37 % 11);
        rit.row[1].censored[b] = static_cast<uint16_t>(censored[b] = b * 13 % 5);
    }
    gmmu_ppuc_row(reuse.data(), censored.data(), c.bins, priority.data());
    gmmu_ppuc_refresh(&p, {1, 0}, &rit.row[1], &rit.row[0], false);
    ASSERT_TRUE(gmmu_ppuc_install(&p, true));
    for (unsigned b = 0; b < c.bins; b++) EXPECT_EQ(priority[b], p.priority[c.bins + b]) << b;
    EXPECT_NE(priority[0], 0);
}

TEST(Edge, ReferencesAreFoldedOnlyIfTheyAreTooWide) {
    EXPECT_EQ(gmmu_fold_ref(UINT64_MAX, 64), UINT64_MAX);
    EXPECT_EQ(gmmu_fold_ref(0xffffffff, 32), 0xffffffffU);
    EXPECT_LT(gmmu_fold_ref(0x100000000, 32), 1ULL << 32);
    EXPECT_NE(gmmu_fold_ref(0x100000000, 32), gmmu_fold_ref(0x200000000, 32));
}

TEST(Edge, BinsBeginAtTheirEdges) {
    for (unsigned b = 0; b < 88; b++) EXPECT_EQ(gmmu_bin(gmmu_bin_edge(b), 88), b);
}

// Every size just outside its range, from below and from above.
TEST(Edge, ConfigurationsThatCannotBe) {
    const struct {
        const char *says;
        std::function<void(gmmu_config &)> change;
    } cases[] = {
        {"VPN_W", [](gmmu_config &c) { c.vpn_w = 0; }},
        {"VPN_W", [](gmmu_config &c) { c.vpn_w = 65; }},
        {"REF_W", [](gmmu_config &c) { c.ref_w = 0; }},
        {"REF_W", [](gmmu_config &c) { c.ref_w = 65; }},
        {"ASID_W", [](gmmu_config &c) { c.asid_w = 0; }},
        {"ASID_W", [](gmmu_config &c) { c.asid_w = 33; }},
        {"SM_W", [](gmmu_config &c) { c.sm_w = 0; }},
        {"SM_W", [](gmmu_config &c) { c.sm_w = 33; }},
        {"TIME_W", [](gmmu_config &c) { c.time_w = 7; }},
        {"TIME_W", [](gmmu_config &c) { c.time_w = 33; }},
        {"FRAMES", [](gmmu_config &c) { c.frames = 0; }},
        {"FAULTS", [](gmmu_config &c) { c.faults = 0; }},
        {"2^(TIME_W-6)", [](gmmu_config &c) { c.frames = 1 << 15; }},
        {"FAULTS must not exceed FRAMES", [](gmmu_config &c) { c.frames = 2; }},
        {"2^SEQ_W", [](gmmu_config &c) { c.seq_w = 2; }},
        {"LATE must be", [](gmmu_config &c) { c.late = 6; }},
        {"LATE must be", [](gmmu_config &c) { c.late = 1 << 21; }},
        {"FAULTS must be 1..2^20",
         [](gmmu_config &c) { c.time_w = c.seq_w = 32, c.frames = 1 << 22, c.faults = 1 << 21; }},
        {"NOTES", [](gmmu_config &c) { c.notes = 1; }},
        {"NOTES", [](gmmu_config &c) { c.notes = 12; }},
        {"NOTES", [](gmmu_config &c) { c.notes = 1 << 17; }},
        {"CLASSES", [](gmmu_config &c) { c.ways = 0; }},
        {"CLASSES", [](gmmu_config &c) { c.classes = 9; }},
        {"CLASSES", [](gmmu_config &c) { c.classes = 12; }},
        {"CLASSES", [](gmmu_config &c) { c.classes = 0; }},
        {"SAMPLER", [](gmmu_config &c) { c.sways = 0; }},
        {"SAMPLER", [](gmmu_config &c) { c.sampler = 66; }},
        {"SAMPLER", [](gmmu_config &c) { c.sampler = 12; }},
        {"SAMPLER", [](gmmu_config &c) { c.sampler = c.sways = 2; }},
        {"SAMPLER", [](gmmu_config &c) { c.sampler = 512; }},
        {"SAMPLER", [](gmmu_config &c) { c.time_w = 32, c.sways = 1, c.sampler = 1 << 17; }},
        {"BINS", [](gmmu_config &c) { c.bins = 15; }},
        {"BINS", [](gmmu_config &c) { c.bins = 117; }},
        {"CNT_W", [](gmmu_config &c) { c.cnt_w = 1; }},
        {"CNT_W", [](gmmu_config &c) { c.cnt_w = 17; }},
        {"EXEC_W", [](gmmu_config &c) { c.exec_w = 1; }},
        {"EXEC_W", [](gmmu_config &c) { c.exec_w = 17; }},
        {"GEN_W", [](gmmu_config &c) { c.gen_w = 0; }},
        {"GEN_W", [](gmmu_config &c) { c.gen_w = 16; }},
        {"SEQ_W", [](gmmu_config &c) { c.seq_w = 33; }},
        {"POOL", [](gmmu_config &c) { c.pool = 0; }},
        {"K must", [](gmmu_config &c) { c.k = 0; }},
        {"RECQ", [](gmmu_config &c) { c.recq = 5; }},
        {"RECQ", [](gmmu_config &c) { c.recq = 2; }},
        {"SIDEQ", [](gmmu_config &c) { c.sideq = 5; }},
        {"SIDEQ", [](gmmu_config &c) { c.sideq = 2; }},
        {"TOUCHQ", [](gmmu_config &c) { c.touchq = 5; }},
        {"TOUCHQ", [](gmmu_config &c) { c.touchq = 2; }},
        {"LINES", [](gmmu_config &c) { c.lines = 5; }},
        {"LINES", [](gmmu_config &c) { c.lines = 2; }},
        {"RITQ", [](gmmu_config &c) { c.ritq = 5; }},
        {"RITQ", [](gmmu_config &c) { c.ritq = 2; }},
        {"RITQ", [](gmmu_config &c) { c.ritq = 256; }},
        {"RANGES", [](gmmu_config &c) { c.ranges = 1; }},
        {"RANGES", [](gmmu_config &c) { c.ranges = 1025; }},
        {"RANGES", [](gmmu_config &c) { c.vpn_w = 53; }},
    };
    for (const auto &t : cases) {
        gmmu_config c = *gmmu_config_find("tiny");
        EXPECT_EQ(gmmu_config_error(&c), nullptr);
        t.change(c);
        const char *error = gmmu_config_error(&c);
        ASSERT_NE(error, nullptr) << t.says;
        EXPECT_NE(std::string(error).find(t.says), std::string::npos) << error;
    }
    gmmu_config c = *gmmu_config_find("tiny");
    c.frames = c.faults = 1;  // the least
    EXPECT_EQ(gmmu_config_error(&c), nullptr);
    c.seq_w = 32;
    EXPECT_EQ(gmmu_config_error(&c), nullptr);
    EXPECT_EQ(gmmu_config_find("none"), nullptr);
}

// The table by which scripts/limits.py elaborates the RTL: the same sizes, the same limits.
TEST(Edge, ConfigurationsHaveTheLimitsOfTheRtl) {
    const char *root = std::getenv("GMMU_ROOT");
    std::ifstream table(std::string(root != nullptr ? root : ".") + "/tb/limits.txt");
    ASSERT_TRUE(table.good());
    unsigned rows = 0;
    for (std::string line; std::getline(table, line);) {
        const std::size_t bar = line.find(" | ");
        if (line[0] == '#' || bar == std::string::npos)
            continue;
        const std::string says = line.substr(bar + 3);
        if (says.rfind("bus ", 0) == 0)
            continue;
        std::istringstream words(line.substr(0, bar));
        std::string name, change;
        words >> name;
        ASSERT_NE(gmmu_config_find(name.c_str()), nullptr) << line;
        gmmu_config c = *gmmu_config_find(name.c_str());
        while (words >> change) {
            const std::size_t is = change.find('=');
            std::string size = change.substr(0, is);
            for (char &letter : size) letter = static_cast<char>(std::tolower(letter));
            unsigned *found = nullptr;
#define SIZE(its, address) found = size == #its ? &c.its : found;
            GMMU_CSR_SIZE_LIST(SIZE)
#undef SIZE
            ASSERT_NE(found, nullptr) << line;
            *found = static_cast<unsigned>(std::stoul(change.substr(is + 1)));
        }
        const char *error = gmmu_config_error(&c);
        EXPECT_STREQ(error != nullptr ? error : "good", says.c_str()) << line;
        rows++;
    }
    EXPECT_GT(rows, 100u);
}

TEST(Edge, AStudyOfFinerBinsMayHaveMoreOfThem) {
    gmmu_config c = *gmmu_config_find("tiny");
    gmmu_leu_study none = {}, fine = {};
    fine.octave = 8;
    c.bins = 116;
    EXPECT_EQ(gmmu_leu_study_error(&none, &c), nullptr);
    c.bins = 117;
    EXPECT_NE(gmmu_leu_study_error(&none, &c), nullptr);
    EXPECT_EQ(gmmu_leu_study_error(&fine, &c), nullptr);
    c.bins = 160;
    EXPECT_EQ(gmmu_leu_study_error(&fine, &c), nullptr);
    c.bins = 161;
    EXPECT_NE(gmmu_leu_study_error(&fine, &c), nullptr);
    c.bins = 15;
    EXPECT_NE(gmmu_leu_study_error(&fine, &c), nullptr);
}

TEST(Edge, TheUnitRefusesRegistersThatCannotBe) {
    gmmu_tier u;
    gmmu_config c = *gmmu_config_find("tiny");
    gmmu_regs r = gmmu_regs_default(&c);
    std::vector<char> memory(gmmu_tier_bytes(&c));
    EXPECT_EQ(gmmu_tier_init(&u, &c, &r, memory.data(), memory.size()), 0);
    EXPECT_NE(gmmu_tier_init(&u, &c, &r, memory.data(), memory.size() - 1), 0);
    for (const uint32_t frames : {0U, c.frames + 1}) {
        r.frames = frames;
        EXPECT_NE(gmmu_tier_init(&u, &c, &r, memory.data(), memory.size()), 0);
    }
    r.frames = 1;
    c.k = 0;
    EXPECT_NE(gmmu_tier_init(&u, &c, &r, memory.data(), memory.size()), 0);
}

// A unit of its own, whose decisions are noted.
struct Unit {
    gmmu_config cfg;
    gmmu_regs regs;
    std::vector<char> memory;
    gmmu_tier u;
    std::vector<gmmu_tier_decision> decisions;
    explicit Unit(const std::function<void(gmmu_config &, gmmu_regs &)> &change)
        : cfg(*gmmu_config_find("tiny")) {
        regs = gmmu_regs_default(&cfg);
        change(cfg, regs);
        memory.resize(gmmu_tier_bytes(&cfg));
        EXPECT_EQ(gmmu_tier_init(&u, &cfg, &regs, memory.data(), memory.size()), 0);
    }
    void walk(uint64_t vpn, bool fault, uint32_t frame = 0) {
        gmmu_tier_walk_in in = {};
        in.vpn = vpn;
        in.fault = fault;
        in.frame = frame;
        (void)gmmu_tier_walk(&u, in);
    }
    gmmu_tier_drv_out drive(unsigned op, uint64_t vpn, uint32_t frame) {
        gmmu_tier_drv_in in = {};
        in.op = op;
        in.vpn = vpn;
        in.frame = frame;
        return gmmu_tier_drv(&u, in);
    }
    void settle() {
        gmmu_tier_settle(
            &u,
            [](void *to, const gmmu_tier_decision *d) {
                static_cast<Unit *>(to)->decisions.push_back(*d);
            },
            this);
    }
    // The page comes into FRAME, which is free.
    void bring(uint64_t vpn, uint32_t frame) {
        walk(vpn, true);
        settle();
        EXPECT_FALSE(drive(GMMU_FILL, vpn, frame).refused);
        settle();
    }
};

// A fault that waits for 2^(TIME_W-2) walks is aged as pages are, so that its time stays
// comparable.
TEST(Edge, FaultsThatWaitAreAged) {
    Unit t([](gmmu_config &, gmmu_regs &) {});
    const unsigned all = gmmu_config_stamps(&t.cfg);
    uint32_t index = 0;
    t.walk(5, true);
    (void)gmmu_tier_enter(&t.u);
    for (unsigned i = 0; i < all; i++) EXPECT_FALSE(gmmu_tier_age(&t.u, &index));
    for (uint32_t i = 0; i < 1U << (t.cfg.time_w - 2); i++) t.walk(6, false);
    for (unsigned i = 0; i < all; i++)
        EXPECT_EQ(gmmu_tier_age(&t.u, &index), i == t.cfg.frames) << i;
    for (unsigned i = 0; i < all; i++)
        EXPECT_EQ(gmmu_tier_age(&t.u, &index), i == t.cfg.frames) << "it stays at the limit";
}

TEST(Edge, NoFrameMayLeave) {
    Unit t([](gmmu_config &, gmmu_regs &r) { r.frames = 1; });
    t.bring(1, 0);
    (void)t.drive(GMMU_PIN, 1, 0);
    t.decisions.clear();
    t.walk(2, true);
    t.settle();
    ASSERT_EQ(t.decisions.size(), 1U);
    EXPECT_EQ(t.decisions[0].tier, static_cast<unsigned>(GMMU_TIER_NONE));
    EXPECT_EQ(t.u.stats.none, 1U);
}

// A candidate that was accessed between its turn and the decision is no longer what it was: the
// search goes on.
TEST(Edge, CandidateThatIsAccessed) {
    Unit t([](gmmu_config &, gmmu_regs &r) { r.frames = 2; });
    t.bring(1, 0);
    t.bring(2, 1);
    t.decisions.clear();
    t.walk(3, true);
    for (unsigned i = 0; i < 2; i++)
        (void)gmmu_tier_cand(&t.u, gmmu_victim_select_next(&t.u.select, 2));
    const uint32_t best = gmmu_victim_select_best(&t.u.select)->frame;
    t.walk(best + 1, false, best);
    t.settle();
    ASSERT_EQ(t.decisions.size(), 1U);
    EXPECT_EQ(t.decisions[0].tier, static_cast<unsigned>(GMMU_TIER_2));
    EXPECT_EQ(t.decisions[0].frame, 1 - best);
}

// Batches go out though nobody takes them.
TEST(Edge, ExportWithoutAListener) {
    Unit t([](gmmu_config &, gmmu_regs &r) { r.rit_batch = 1, r.rit_fault = 1; });
    t.bring(1, 0);
    for (unsigned i = 0; i < 200; i++) {
        t.walk(1, false, 0);
        t.settle();
    }
    EXPECT_EQ(t.u.rit_export.waiting, 0U);
    EXPECT_EQ(t.u.rit_export.drops, 0U);
    EXPECT_GT(t.u.rit_export.seq, 0U);
}

// A hit in a frame table that lies in memory says what became of its record.
TEST(Edge, TouchSaysWhatItQueued) {
    Unit t([](gmmu_config &c, gmmu_regs &r) {
        c.frame_mem = 1, c.t2_slots = r.t2_slots = 0, r.search = GMMU_SEARCH_SAMPLE,
        r.feed = GMMU_FEED_RESIDENT;
    });
    t.bring(1, 0);
    t.walk(1, false, 0);
    unsigned record = GMMU_REC_NONE;
    EXPECT_TRUE(gmmu_tier_touch(&t.u, &record).valid);
    EXPECT_NE(record, static_cast<unsigned>(GMMU_REC_NONE));
}

// A page table may name a frame that the unit does not have.
TEST(Edge, HitOfAFrameThatIsNotThere) {
    Memory m;
    gmmu_frame_table t;
    const gmmu_config &c = *gmmu_config_find("tiny");
    ASSERT_EQ(gmmu_frame_table_init(&t, &c, &m.arena), 0);
    EXPECT_FALSE(gmmu_frame_table_hit(&t, c.frames, 0, 0, {0, 0}, false, 1).valid);
}

// With one way a set, all of set 0 is the global row's: its references have no row.
TEST(Edge, ReferencesWithoutARow) {
    Memory m;
    gmmu_ref_rit rit;
    gmmu_config c = *gmmu_config_find("tiny");
    c.ways = 1;
    ASSERT_EQ(gmmu_config_error(&c), nullptr);
    ASSERT_EQ(gmmu_ref_rit_init(&rit, &c, &m.arena), 0);
    unsigned without = 0;
    for (uint64_t ref = 0; ref < 200; ref++) {
        const gmmu_rit_place at = gmmu_ref_rit_execute(&rit, 0, ref);
        EXPECT_EQ(at.allocated, at.cls.row != 0);
        without += at.cls.row == 0;
    }
    EXPECT_GT(without, 5U);
    EXPECT_LT(without, 80U);
}

// Names of pages differ where address space and page number do, whichever of them is wide.
TEST(Edge, NamesOfWidePages) {
    gmmu_config c = *gmmu_config_find("default");
    for (const unsigned vpn_w : {20U, 30U, 52U}) {
        c.vpn_w = vpn_w;
        EXPECT_NE(gmmu_trace_sampler_name(&c, 255, 5), gmmu_trace_sampler_name(&c, 254, 5));
        EXPECT_NE(gmmu_trace_sampler_name(&c, 1, (1ULL << vpn_w) - 1),
                  gmmu_trace_sampler_name(&c, 1, 0));
    }
}

// The hand is behind the frames that are left: it begins anew.
TEST(Edge, FewerFramesThanTheHandHasPassed) {
    Memory m;
    gmmu_victim_select v;
    gmmu_config c = *gmmu_config_find("tiny");
    ASSERT_EQ(gmmu_victim_select_init(&v, &c, GMMU_SEARCH_SAMPLE, &m.arena), 0);
    for (unsigned i = 0; i < c.k; i++) {
        EXPECT_EQ(gmmu_victim_select_next(&v, 200), i);
        EXPECT_FALSE(gmmu_victim_select_searched(&v) && i + 1 < c.k);
        gmmu_victim_select_offer(&v, {i, 0, 0}, false, 200);
    }
    EXPECT_TRUE(gmmu_victim_select_searched(&v));
    EXPECT_EQ(gmmu_victim_select_next(&v, 200), c.k);
    EXPECT_FALSE(gmmu_victim_select_searched(&v)) << "the second round is under way";
    gmmu_victim_select_offer(&v, {c.k, 0, 0}, false, 200);
    for (unsigned i = 1; i < c.k; i++) {
        (void)gmmu_victim_select_next(&v, 200);
        gmmu_victim_select_offer(&v, {c.k + i, 0, 0}, false, 200);
    }
    gmmu_victim_select_end(&v);
    EXPECT_EQ(gmmu_victim_select_next(&v, 3), 0U);
}

// A scan puts the hand to 0 at rest, also one that never comes: the next sample begins there.
TEST(Edge, AScanAtRestMovesTheHand) {
    Memory m;
    gmmu_victim_select v;
    gmmu_config c = *gmmu_config_find("tiny");
    ASSERT_EQ(gmmu_victim_select_init(&v, &c, GMMU_SEARCH_SAMPLE, &m.arena), 0);
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned i = 0; i < c.k; i++)
            gmmu_victim_select_offer(&v, {gmmu_victim_select_next(&v, 200), 0, 0}, false, 200);
        gmmu_victim_select_end(&v);
        gmmu_victim_select_configure(&v, GMMU_SEARCH_SAMPLE, 200, true);
        EXPECT_EQ(v.hand, c.k) << "nothing has changed";
        gmmu_victim_select_configure(&v, GMMU_SEARCH_SCAN, 200, true);
        gmmu_victim_select_configure(&v, GMMU_SEARCH_SAMPLE, 200, true);
        EXPECT_EQ(gmmu_victim_select_next(&v, 200), 0U);
    }
}

TEST(Edge, ExportWithoutABatchSizeTakesTheWholeQueue) {
    Memory m;
    gmmu_rit_export x;
    const gmmu_config &c = *gmmu_config_find("tiny");
    ASSERT_EQ(gmmu_rit_export_init(&x, &c, &m.arena), 0);
    gmmu_rit_event e = {};
    for (unsigned i = 0; i < c.ritq; i++) {
        EXPECT_FALSE(gmmu_rit_export_due(&x, 0));
        EXPECT_FALSE(gmmu_rit_export_due(&x, c.ritq + 1));
        EXPECT_NE(gmmu_rit_export_put(&x, &e), static_cast<unsigned>(GMMU_RIT_DROPPED));
    }
    EXPECT_TRUE(gmmu_rit_export_due(&x, 0));
    EXPECT_TRUE(gmmu_rit_export_due(&x, c.ritq + 1));
    EXPECT_EQ(gmmu_rit_export_put(&x, &e), static_cast<unsigned>(GMMU_RIT_DROPPED));
}

}  // namespace
