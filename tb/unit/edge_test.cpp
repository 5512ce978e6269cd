// SPDX-License-Identifier: Apache-2.0
// edge_test.cpp: ends of ranges of the blocks' C twins that no bench of the RTL comes to, since it keeps
// to what the hardware is given.
#include <gtest/gtest.h>

#include <vector>

#include "blocks/crc32c.h"
#include "blocks/log_bin.h"
#include "blocks/ppuc.h"
#include "blocks/ref_rit.h"
#include "blocks/rit_export.h"
#include "blocks/victim_select.h"
#include "blocks/gmmu_tier.h"

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
    for (unsigned b = 0; b < c.bins; b++)
        EXPECT_EQ(priority[b], p.priority[c.bins + b]) << b;
    EXPECT_NE(priority[0], 0);
}

TEST(Edge, ReferencesAreFoldedOnlyIfTheyAreTooWide) {
    EXPECT_EQ(gmmu_fold_ref(UINT64_MAX, 64), UINT64_MAX);
    EXPECT_EQ(gmmu_fold_ref(0xffffffff, 32), 0xffffffffU);
    EXPECT_LT(gmmu_fold_ref(0x100000000, 32), 1ULL << 32);
    EXPECT_NE(gmmu_fold_ref(0x100000000, 32), gmmu_fold_ref(0x200000000, 32));
}

TEST(Edge, BinsBeginAtTheirEdges) {
    for (unsigned b = 0; b < 88; b++)
        EXPECT_EQ(gmmu_bin(gmmu_bin_edge(b), 88), b);
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
    gmmu_victim_select_offer(&v, {c.k, 0, 0}, false, 200);
    for (unsigned i = 1; i < c.k; i++) {
        (void)gmmu_victim_select_next(&v, 200);
        gmmu_victim_select_offer(&v, {c.k + i, 0, 0}, false, 200);
    }
    EXPECT_EQ(gmmu_victim_select_next(&v, 3), 0U);
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
