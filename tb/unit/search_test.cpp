// SPDX-License-Identifier: Apache-2.0
// search_test.cpp: what makes the twin's replay fast against what is written plainly: CRC-32C by
// the processor's instruction, bins of short intervals, ranks of frames side by side, and a round
// of a search in one go.
//
// State space: keys of every width, random and all ones; every interval up to 2^16, edges of all
// bins and their neighbours; frames full of random pages, some pinned, leaving, free or of a class
// that is gone, kept ones from the round before, hands anywhere. Parameter space: BINS 16 to 116,
// POOL, K, both searches.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "blocks/crc32c.h"
#include "blocks/frame_rank.h"
#include "blocks/gmmu_tier.h"
#include "blocks/log_bin.h"

namespace {

TEST(Search, CrcByInstructionIsThePortableOne) {
    std::mt19937_64 rng(1);
    for (unsigned bits = 0; bits <= 64; bits++) {
        for (int i = 0; i < 2000; i++) {
            const uint64_t x = i == 0 ? UINT64_MAX : rng();  // bits beyond do not count
            const uint32_t crc = static_cast<uint32_t>(rng());
            ASSERT_EQ(gmmu_crc32c_bits(crc, x, bits), gmmu_crc32c_bits_portable(crc, x, bits))
                << bits;
            const uint32_t asid = static_cast<uint32_t>(rng());
            const unsigned asid_w = static_cast<unsigned>(rng() % 33);
            ASSERT_EQ(gmmu_hash(asid, asid_w, x, bits),
                      ~gmmu_crc32c_bits_portable(gmmu_crc32c_bits_portable(0xFFFFFFFFu, x, bits),
                                                 asid, asid_w));
        }
    }
}

TEST(Search, BinsOfShortIntervals) {
    for (unsigned bins : {16u, 32u, 72u, 88u, 116u}) {
        for (uint32_t x = 0; x < 65536; x++)
            ASSERT_EQ(gmmu_bin_short(x, bins), gmmu_bin(x, bins)) << x;
        for (unsigned b = 0; b < 128; b++)
            for (uint64_t x = gmmu_bin_low(b) == 0 ? 0 : gmmu_bin_low(b) - 1;
                 x <= gmmu_bin_low(b) + 1 && x <= UINT32_MAX; x++)
                ASSERT_EQ(gmmu_bin_short(static_cast<uint32_t>(x), bins), gmmu_bin(x, bins)) << x;
        ASSERT_EQ(gmmu_bin_short(UINT32_MAX, bins), gmmu_bin(UINT32_MAX, bins));
    }
}

struct Unit {
    std::vector<char> memory;
    gmmu_tier u;
    Unit(const gmmu_config &c, const gmmu_regs &regs) : memory(gmmu_tier_bytes(&c)) {
        EXPECT_EQ(gmmu_tier_init(&u, &c, &regs, memory.data(), memory.size()), 0);
    }
};

// Frames, classes and priorities at random; the same for the same SEED.
void fill(gmmu_tier *u, uint64_t seed) {
    std::mt19937_64 rng(seed);
    const auto below = [&rng](uint64_t n) { return rng() % n; };
    u->walk.time = static_cast<uint32_t>(rng()) & u->walk.time_mask;
    for (unsigned r = 0; r < u->cfg.classes; r++) {
        u->rit.way[r].gen = r == 0 ? 0 : static_cast<uint16_t>(below(1u << u->cfg.gen_w));
        if (r != 0)
            gmmu_ppuc_forget(&u->ppuc, r);
        if (below(4) == 0)  // not ready
            continue;
        const unsigned kinds = 1 + static_cast<unsigned>(below(4));  // ties
        for (unsigned b = 0; b < u->cfg.bins; b++)
            u->ppuc.engine.priority[b] = static_cast<uint16_t>(below(kinds) << below(14));
        u->ppuc.engine.cls = {static_cast<uint16_t>(r), u->rit.way[r].gen};
        (void)gmmu_ppuc_install(&u->ppuc, true);
    }
    for (uint32_t f = 0; f < u->cfg.frames; f++) {
        const uint16_t row = static_cast<uint16_t>(below(u->cfg.classes));
        gmmu_frame page = {};
        page.vpn = f;
        page.last =
            static_cast<uint32_t>(u->walk.time - below(1u << below(18))) & u->walk.time_mask;
        page.cls = {row, static_cast<uint16_t>(u->rit.way[row].gen ^ (row != 0 && below(5) == 0))};
        page.valid = below(10) != 0;
        page.pinned = page.valid && below(10) == 0;
        page.leaving = page.valid && below(10) == 0;
        gmmu_frame_table_put(&u->frames.table, f, page);
    }
}

// Ages up to all of time's range, blocks of every length, frames in a row of many classes or of
// one, bounds on ranks, between them and beyond all.
TEST(Search, RanksSideBySideAreThoseOneByOne) {
    std::mt19937_64 rng(1);
    for (const char *name : {"tiny", "default"}) {
        const gmmu_config c = *gmmu_config_find(name);
        const gmmu_regs regs = gmmu_regs_default(&c);
        Unit a(c, regs);
        for (uint64_t seed = 1; seed <= 20; seed++) {
            fill(&a.u, seed);
            for (uint32_t f = 0; f < regs.frames; f++) {
                gmmu_frame page = gmmu_frame_table_get(&a.u.frames.table, f);
                if (rng() % 2)
                    page.last = static_cast<uint32_t>(rng()) & a.u.walk.time_mask;
                if (seed % 2)
                    page.cls = gmmu_frame_table_class(&a.u.frames.table, f / 64 * 64);
                page.guarded = f == seed;
                gmmu_frame_table_put(&a.u.frames.table, f, page);
            }
            for (uint32_t mask : {a.u.walk.time_mask, UINT32_MAX})
                for (uint32_t first = 0; first + 72 <= regs.frames; first += 61) {
                    const gmmu_rank_at at = {&a.u.ppuc, a.u.walk.time, mask};
                    const gmmu_frame_seen *seen = &a.u.frames.table.seen[first];
                    const uint32_t n = static_cast<uint32_t>(rng() % 65);
                    uint64_t some[72] = {}, other[72] = {};
                    (void)gmmu_frame_rank(&at, seen, n, 0, some);
                    for (uint64_t most : {UINT64_MAX, some[n / 2], some[n / 2] - 1, some[0] + 1}) {
                        const gmmu_ranked x = gmmu_frame_rank(&at, seen, n, most, some);
                        const gmmu_ranked y = gmmu_frame_rank_portable(&at, seen, n, most, other);
                        ASSERT_EQ(x.low, y.low) << most;
                        ASSERT_EQ(x.guarded, y.guarded);
                        for (uint32_t i = 0; i < n; i++) ASSERT_EQ(some[i], other[i]) << i;
                    }
                }
        }
    }
}

void same_slots(const gmmu_victim_select &a, const gmmu_victim_select &b) {
    ASSERT_EQ(a.valid, b.valid);
    ASSERT_EQ(a.kept, b.kept);
    for (unsigned i = 0; i < a.pool; i++) {
        if ((a.valid >> i & 1) == 0)
            continue;
        ASSERT_EQ(a.frame[i], b.frame[i]);
        ASSERT_EQ(a.last[i], b.last[i]);
        ASSERT_EQ(a.priority[i], b.priority[i]);
    }
    const gmmu_victim_cand *best = gmmu_victim_select_best(&a);
    ASSERT_EQ(best == nullptr, gmmu_victim_select_best(&b) == nullptr);
    ASSERT_EQ(best == nullptr, a.valid == 0);
    if (best != nullptr) {
        ASSERT_EQ(best->frame, b.best.frame);
        ASSERT_EQ(best->last, b.best.last);
        ASSERT_EQ(best->priority, b.best.priority);
    }
    ASSERT_EQ(a.hand, b.hand);
    ASSERT_EQ(a.rounds, b.rounds);
    ASSERT_EQ(a.active, b.active);
}

// Some frames are protected, and a few of them are so old that a search lets go of them.
void guard(gmmu_tier *u, uint64_t seed) {
    std::mt19937_64 rng(seed);
    gmmu_tier_protect(u, 128);
    u->frames.segment.count = 0;
    u->frames.segment.t = static_cast<uint32_t>(rng() % (256u << 18));
    for (uint32_t f = 0; f < u->cfg.frames; f++) {
        const bool is = rng() % 4 == 0;
        u->frames.table.seen[f].guarded = is;
        u->frames.segment.count += is;
    }
}

TEST(Search, ARoundIsItsCandidatesInTurn) {
    uint64_t held = 0, again = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        std::mt19937_64 rng(seed);
        gmmu_config c = *gmmu_config_find("tiny");
        c.pool = rng() % 2 ? 16 : 1u << rng() % 7;
        c.k = 1 + static_cast<unsigned>(rng() % 80);
        gmmu_regs regs = gmmu_regs_default(&c);
        regs.frames = 1 + static_cast<uint32_t>(rng() % c.frames);
        regs.search = rng() % 2 ? GMMU_SEARCH_SAMPLE : GMMU_SEARCH_SCAN;
        Unit a(c, regs), b(c, regs), d(c, regs);
        const bool guarded = rng() % 2;
        for (uint64_t search = 0; search < 5; search++) {
            for (Unit *u : {&a, &b, &d}) {
                fill(&u->u, 10 * seed + search);
                if (guarded)
                    guard(&u->u, seed);
            }
            for (unsigned round = 0; round < GMMU_SEARCH_ROUNDS; round++) {
                gmmu_tier_round(&a.u);
                do (void)gmmu_tier_cand(&b.u, gmmu_victim_select_next(&b.u.select, regs.frames));
                while (b.u.select.active);
                same_slots(a.u.select, b.u.select);
                const gmmu_searched all = gmmu_tier_searched(&d.u);
                (void)gmmu_victim_select_next(&d.u.select, regs.frames);
                gmmu_round_blocks(&all, nullptr);
                d.u.select.active = false;
                d.u.select.rounds++;
                same_slots(d.u.select, b.u.select);
                ASSERT_EQ(a.u.frames.segment.count, b.u.frames.segment.count);
                ASSERT_EQ(d.u.frames.segment.count, b.u.frames.segment.count);
            }
            held += static_cast<unsigned>(__builtin_popcountll(a.u.select.valid));
            const unsigned retries = static_cast<unsigned>(rng() % 3);
            for (unsigned retry = 0; retry < retries && a.u.select.valid != 0; retry++, again++) {
                for (Unit *u : {&a, &b, &d}) gmmu_victim_select_retry(&u->u.select);
                same_slots(a.u.select, b.u.select);
            }
            const bool taken = a.u.select.valid != 0 && rng() % 2;
            for (Unit *u : {&a, &b, &d}) {
                if (taken)
                    gmmu_victim_select_taken(&u->u.select);
                gmmu_victim_select_end(&u->u.select);
            }
            same_slots(a.u.select, b.u.select);
        }
    }
    EXPECT_GT(held, 5000u);
    EXPECT_GT(again, 500u);
}

}  // namespace
