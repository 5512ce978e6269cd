// SPDX-License-Identifier: Apache-2.0
// search_test.cpp: what makes the twin's replay fast against what is written plainly: CRC-32C by
// the processor's instruction, bins of short intervals, ranks of frames side by side, and a round
// of a search in one go.
//
// A scan by the ages of frames against the round of all frames, decision by decision.
//
// State space: keys of every width, random and all ones; every interval up to 2^16, edges of all
// bins and their neighbours; frames full of random pages, some pinned, leaving, free or of a class
// that is gone, kept ones from the round before, hands anywhere; runs of hits between faults, more
// references than rows, generations that come again, time stamps that wrap and are clamped, frames
// that are pinned, freed, filled late and unasked, decisions that are cancelled, other registers.
// Parameter space: BINS 16 to 116, POOL, K, both searches; with and without AVX2 and AVX-512.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "blocks/crc32c.h"
#include "blocks/frame_rank.h"
#include "blocks/gmmu_tier.h"
#include "blocks/log_bin.h"
#include "blocks/schedule.h"

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
        page.fresh = page.valid && !page.leaving && below(10) == 0;
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

// Frames of one class in long rows, of a few or of any, all of which may leave, or most. The same
// for the same SEED.
void fill_in_rows(gmmu_tier *u, uint64_t seed) {
    std::mt19937_64 rng(seed);
    const auto below = [&rng](uint64_t n) { return rng() % n; };
    fill(u, seed);
    const unsigned same = 1u << below(10), spread = 1 + static_cast<unsigned>(below(23));
    const uint64_t others = below(4);
    for (uint32_t f = 0; f < u->cfg.frames; f++) {
        gmmu_frame page = gmmu_frame_table_get(&u->frames.table, f);
        page.cls = gmmu_frame_table_class(&u->frames.table, f / same * same);
        page.last = (u->walk.time - static_cast<uint32_t>(below(1u << spread))) & u->walk.time_mask;
        if (others != 0 && below(8 * others) != 0) {
            page.valid = true;
            page.pinned = page.leaving = page.fresh = false;
        }
        gmmu_frame_table_put(&u->frames.table, f, page);
    }
}

// Ranks for `young`, as in tier2_table.c.
uint64_t every(void *, uint32_t, const uint32_t *, uint32_t n, const uint64_t *) {
    return n >= 64 ? ~0ull : (1ull << n) - 1;
}
uint64_t younger(void *, uint32_t, uint64_t rank, uint64_t) {
    return rank ^ UINT32_MAX;
}

// A round with 16 places in each of its forms: a register of all places, two registers, block by
// block. The round begins, and ends, as in gmmu_search_round.
TEST(Search, ARoundHasOneResultInAllItsForms) {
    uint64_t wide = 0, held = 0, refused = 0;
    const bool can = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd");
    for (uint64_t seed = 1; seed <= 600; seed++) {
        std::mt19937_64 rng(seed);
        gmmu_config c = *gmmu_config_find("tiny");
        c.pool = 16;
        c.k = 1 + static_cast<unsigned>(rng() % 200);
        c.bins = 16 + static_cast<unsigned>(rng() % 101);
        c.time_w = 20 + static_cast<unsigned>(rng() % 6);
        c.classes = 16;
        gmmu_regs regs = gmmu_regs_default(&c);
        regs.frames = 1 + static_cast<uint32_t>(rng() % c.frames);
        regs.search = rng() % 8 ? GMMU_SEARCH_SAMPLE : GMMU_SEARCH_SCAN;
        const bool young = rng() % 2;
        Unit a(c, regs), b(c, regs), d(c, regs);
        for (uint64_t search = 0; search < 6; search++) {
            for (Unit *u : {&a, &b, &d}) fill_in_rows(&u->u, 10 * seed + search);
            for (unsigned form = 0; form < 3; form++) {
                gmmu_tier *u = form == 0 ? &a.u : form == 1 ? &b.u : &d.u;
                gmmu_searched all = gmmu_tier_searched(u);
                all.young = young;
                const gmmu_rerank by = {every, younger, nullptr};
                (void)gmmu_victim_select_next(&u->select, regs.frames);
                const bool by_wide = form == 0 && gmmu_round_wide(&all);
                wide += by_wide;
                refused += form == 0 && !by_wide;
                ASSERT_EQ(by_wide, form == 0 && can && c.time_w <= 24);
                if (!by_wide && (form == 2 || !gmmu_round_sixteen(&all)))
                    gmmu_round_blocks(&all, young ? &by : nullptr);
                ASSERT_EQ(u->select.left, 0u);
                ASSERT_EQ(u->select.kept, 0u);
                u->select.active = false;
                u->select.rounds++;
            }
            ASSERT_NO_FATAL_FAILURE(same_slots(a.u.select, b.u.select)) << seed;
            ASSERT_NO_FATAL_FAILURE(same_slots(a.u.select, d.u.select)) << seed;
            held += static_cast<unsigned>(__builtin_popcountll(a.u.select.valid));
            const bool taken = a.u.select.valid != 0 && rng() % 8;
            for (Unit *u : {&a, &b, &d}) {
                if (taken)
                    gmmu_victim_select_taken(&u->u.select);
                gmmu_victim_select_end(&u->u.select);
            }
        }
    }
    EXPECT_EQ(wide != 0, can);
    EXPECT_GT(held, 30000u);
    EXPECT_GT(refused, 500u);
    std::printf("search: %llu rounds in one register\n", static_cast<unsigned long long>(wide));
}

// By force a round is that of the same frames of which none is fresh.
TEST(Search, ARoundByForceSeesNoFreshFrame) {
    uint64_t held = 0, more = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        std::mt19937_64 rng(seed);
        gmmu_config c = *gmmu_config_find("tiny");
        c.pool = rng() % 2 ? 16 : 1u << rng() % 7;
        gmmu_regs regs = gmmu_regs_default(&c);
        regs.search = static_cast<uint32_t>(rng() % 3);
        Unit forced(c, regs), none(c, regs), few(c, regs);
        for (Unit *u : {&forced, &none, &few}) fill(&u->u, seed);
        for (uint32_t f = 0; f < c.frames; f++) {
            const bool fresh = rng() % 2;
            forced.u.frames.table.seen[f].fresh = few.u.frames.table.seen[f].fresh = fresh;
            none.u.frames.table.seen[f].fresh = 0;
        }
        gmmu_searched by_force = gmmu_tier_searched(&forced.u);
        by_force.force = true;
        ASSERT_FALSE(gmmu_scan_best_round(&forced.u.scan, &by_force));
        const bool clock = forced.u.select.clock;
        for (unsigned round = 0; round < GMMU_SEARCH_ROUNDS; round++) {
            if (clock)
                gmmu_search_hands(&by_force);
            else
                gmmu_search_round(&by_force, nullptr);
            gmmu_tier_round(&none.u);
            gmmu_tier_round(&few.u);
            if (!clock)
                same_slots(forced.u.select, none.u.select);
            const gmmu_victim_cand *best = gmmu_victim_select_best(&forced.u.select);
            const gmmu_victim_cand *other = gmmu_victim_select_best(&none.u.select);
            ASSERT_EQ(best == nullptr, other == nullptr);
            if (best != nullptr) {
                ASSERT_EQ(best->frame, other->frame);
                ASSERT_EQ(forced.u.select.hand, none.u.select.hand);
                held++;
                more += forced.u.frames.table.seen[best->frame].fresh;
            }
            const gmmu_victim_cand *old = gmmu_victim_select_best(&few.u.select);
            ASSERT_FALSE(old != nullptr && few.u.frames.table.seen[old->frame].fresh);
        }
    }
    EXPECT_GT(held, 300u);
    EXPECT_GT(more, 100u);
}

// A unit and its decisions. BY_AGES: its scans are gmmu_scan_best_round where that can.
struct Scanned {
    std::vector<char> memory;
    gmmu_tier u = {};
    bool by_ages;
    uint64_t rounds = 0, quick = 0;
    std::vector<gmmu_tier_decision> made;
    Scanned(const gmmu_config &c, const gmmu_regs &regs, bool ages)
        : memory(gmmu_tier_bytes(&c)), by_ages(ages) {
        EXPECT_EQ(gmmu_tier_init_beyond(&u, &c, &regs, memory.data(), memory.size()), 0);
    }
    static void round(gmmu_tier *u, void *ctx) {
        auto *self = static_cast<Scanned *>(ctx);
        const gmmu_searched all = gmmu_tier_searched(u);
        const bool quick = self->by_ages && gmmu_scan_best_round(&u->scan, &all);
        self->rounds++;
        self->quick += quick;
        if (!quick)
            gmmu_tier_round(u);
    }
    static void learn(gmmu_tier *u, unsigned queue, void *) { (void)gmmu_tier_learn(u, queue); }
    static void refresh(gmmu_tier *u, unsigned row, void *) { gmmu_tier_refresh(u, row); }
    static bool install(gmmu_tier *u, void *) {
        (void)gmmu_tier_install(u);
        return true;
    }
    static void take(void *ctx, const gmmu_tier_decision *d) {
        static_cast<Scanned *>(ctx)->made.push_back(*d);
    }
    void settle() {
        static const gmmu_schedule_actions by = {round, learn, refresh, install};
        gmmu_tier_settle_by(&u, &by, take, this);
    }
    void walk(const gmmu_tier_walk_in &in) {
        (void)gmmu_tier_walk(&u, in);
        settle();
    }
    void drv(unsigned op, uint32_t frame, uint64_t vpn) {
        gmmu_tier_drv_in in = {};
        in.op = op;
        in.frame = frame;
        in.vpn = vpn;
        (void)gmmu_tier_drv(&u, in);
        settle();
    }
};

void same_decisions(Scanned *a, Scanned *b) {
    ASSERT_EQ(a->made.size(), b->made.size());
    for (size_t i = 0; i < a->made.size(); i++) {
        ASSERT_EQ(a->made[i].tier, b->made[i].tier);
        ASSERT_EQ(a->made[i].frame, b->made[i].frame);
        ASSERT_EQ(a->made[i].priority, b->made[i].priority);
        ASSERT_EQ(a->made[i].victim_vpn, b->made[i].victim_vpn);
        ASSERT_EQ(a->made[i].victim_last, b->made[i].victim_last);
    }
}

TEST(Search, AScanByAgesIsTheRoundOfAllFrames) {
    enum { PAGES = 500, NOWHERE = -1 };
    uint64_t quick = 0, all = 0, none = 0, clamped = 0, evicted = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        std::mt19937_64 rng(seed);
        const auto below = [&rng](uint64_t n) { return rng() % n; };
        gmmu_config c = *gmmu_config_find("tiny");
        c.time_w = 12 + static_cast<unsigned>(below(3));
        c.sampler = 16;
        c.t2_slots = 0;
        c.gen_w = 1 + static_cast<unsigned>(below(3));
        c.bins = 16 + static_cast<unsigned>(below(101));
        gmmu_regs regs = gmmu_regs_default(&c);
        regs.frames = 1 + static_cast<uint32_t>(below(c.frames));
        regs.refresh = static_cast<uint32_t>(below(8));
        regs.feed = static_cast<uint32_t>(below(2));
        regs.t2_slots = 0;
        Scanned a(c, regs, true), b(c, regs, false);
        std::vector<int> frame_of(PAGES, NOWHERE), page_of(c.frames, NOWHERE);
        std::vector<gmmu_tier_decision> open;  // to be filled
        uint64_t hot = 1 + below(PAGES), refs = 1 + below(20);
        const auto both = [&](unsigned op, uint32_t frame, uint64_t vpn) {
            a.drv(op, frame, vpn);
            b.drv(op, frame, vpn);
        };
        const auto fill = [&](uint32_t frame, uint64_t page) {
            if (page_of[frame] != NOWHERE)
                frame_of[static_cast<size_t>(page_of[frame])] = NOWHERE;
            page_of[frame] = static_cast<int>(page);
            frame_of[page] = static_cast<int>(frame);
            both(GMMU_FILL, frame, page);
            const bool fresh = below(4) == 0;
            for (Scanned *s : {&a, &b}) {
                s->u.frames.table.seen[frame].fresh = fresh;
                gmmu_frame_ages_note(&s->u.frames.ages, frame);
            }
        };
        const auto empty = [&](uint32_t frame) {
            if (page_of[frame] == NOWHERE)
                return;
            both(GMMU_FREE, frame, 0);
            frame_of[static_cast<size_t>(page_of[frame])] = NOWHERE;
            page_of[frame] = NOWHERE;
        };
        const auto empty_frame = [&] {
            for (uint32_t i = 0, f = static_cast<uint32_t>(below(regs.frames)); i < regs.frames;
                 i++, f = f + 1 == regs.frames ? 0 : f + 1)
                if (page_of[f] == NOWHERE)
                    return f;
            return static_cast<uint32_t>(below(regs.frames));
        };
        for (unsigned step = 0; step < 6000; step++) {
            if (below(500) == 0) {
                hot = 1 + below(PAGES);
                refs = 1 + below(20);
            }
            const uint32_t frame = static_cast<uint32_t>(below(regs.frames));
            const uint64_t page = below(8) == 0 ? below(PAGES) : below(hot);
            switch (below(64)) {
                case 0:
                    both(GMMU_PIN, frame, 0);
                    break;
                case 1:
                case 2:
                    for (int i = 0; i < 4; i++)
                        both(GMMU_UNPIN, static_cast<uint32_t>(below(regs.frames)), 0);
                    break;
                case 3:
                    empty(frame);
                    break;
                case 4:
                    if (frame_of[page] == NOWHERE)
                        fill(frame, page);
                    break;
                case 5:
                    if (below(8) == 0)
                        for (Scanned *s : {&a, &b}) gmmu_tier_flush(&s->u, 0);
                    break;
                case 6:
                    for (Scanned *s : {&a, &b}) gmmu_frame_store_expire(&s->u.frames, frame);
                    break;
                case 7: {
                    gmmu_mem_touch replay = {};
                    replay.vpn = page;
                    replay.frame =
                        frame_of[page] == NOWHERE ? frame : static_cast<uint32_t>(frame_of[page]);
                    for (Scanned *s : {&a, &b})
                        (void)gmmu_frame_store_replay(&s->u.frames, &replay, regs.frames);
                    break;
                }
                case 8:
                    if (!open.empty() || below(16) != 0)
                        break;
                    regs.search = static_cast<uint32_t>(below(3) == 0);
                    regs.frames = 1 + static_cast<uint32_t>(below(c.frames));
                    for (uint32_t f = regs.frames; f < c.frames; f++) empty(f);
                    regs.protect = below(4) == 0 ? 100 : 0;
                    for (Scanned *s : {&a, &b}) gmmu_tier_configure(&s->u, &regs);
                    break;
                default: {
                    gmmu_tier_walk_in in = {};
                    in.vpn = page;
                    in.ref = below(refs);
                    in.write = below(4) == 0;
                    in.fault = frame_of[page] == NOWHERE;
                    in.frame = in.fault ? 0 : static_cast<uint32_t>(frame_of[page]);
                    a.walk(in);
                    b.walk(in);
                }
            }
            ASSERT_NO_FATAL_FAILURE(same_decisions(&a, &b)) << "seed " << seed << ", step " << step;
            for (const gmmu_tier_decision &d : a.made) {
                none += d.tier == GMMU_TIER_NONE;
                evicted += d.tier == GMMU_TIER_2;
                if (d.tier != GMMU_TIER_NONE)
                    open.push_back(d);
            }
            a.made.clear();
            b.made.clear();
            while (!open.empty() && (open.size() > 2 || below(4) != 0)) {
                const gmmu_tier_decision d = open.front();
                open.erase(open.begin());
                const bool victim = d.tier == GMMU_TIER_2;
                if (victim && below(16) == 0)
                    both(GMMU_CANCEL, d.frame, d.vpn);
                else
                    fill(victim ? d.frame : empty_frame(), d.vpn);
                ASSERT_NO_FATAL_FAILURE(same_decisions(&a, &b));
            }
        }
        for (uint32_t f = 0; f < regs.frames; f++) {
            const uint32_t age =
                (a.u.walk.time - a.u.frames.table.seen[f].last) & a.u.walk.time_mask;
            clamped += age >= 1u << (c.time_w - 2);
        }
        quick += a.quick;
        all += a.rounds - a.quick;
    }
    EXPECT_GT(quick, 20000u);
    EXPECT_GT(all, 2000u);
    EXPECT_GT(none, 10u);
    EXPECT_GT(clamped, 100u);
    EXPECT_GT(evicted, 20000u);
    std::printf("search: %llu scans by ages, %llu by all frames, %llu found none\n",
                static_cast<unsigned long long>(quick), static_cast<unsigned long long>(all),
                static_cast<unsigned long long>(none));
}

}  // namespace
