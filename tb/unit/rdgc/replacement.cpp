// SPDX-License-Identifier: Apache-2.0
// replacement.cpp: replacement.
#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>
#include <list>
#include <random>
#include <string>
#include <vector>

#include "cache_log.h"
#include "rdgc/rdgc.h"

namespace {

// h or m for each read, without time.
std::string untimed(gmmu_rdgc_replacement r, uint32_t ways, const std::string &blocks,
                    uint64_t seed = 1) {
    gmmu_rdgc_cache_config c = small();
    c.replacement = r;
    c.ways = ways;
    Log log(sets(c, 1), true, seed);
    std::string found;
    for (const Access &a : parse(blocks))
        found += gmmu_rdgc_cache_access(log.cache, a.block, a.write) == GMMU_RDGC_HIT ? 'h' : 'm';
    return found;
}

// Three ways. A B C A leaves A C B; D drives B out: D A C; B drives C out: B D A; A and D hit: D A
// B; C misses.
TEST(Rdgc, Lru) {
    EXPECT_EQ(untimed(GMMU_RDGC_LRU, 3, "ABCADBADC"), "mmmhmmhhm");
}

// C B A in order of filling; A hits and stays last: D drives it out (D C B). B hits, A drives B
// out, D and C hit.
TEST(Rdgc, Fifo) {
    EXPECT_EQ(untimed(GMMU_RDGC_FIFO, 3, "ABCADBADC"), "mmmhmhmhh");
}

// A counts 2, B and C 1; of these B is nearest the end: D drives B out (D C A). B drives C out (B D
// A), A hits (A B D), C drives D out (C A B), D drives B out.
TEST(Rdgc, Lfu) {
    EXPECT_EQ(untimed(GMMU_RDGC_LFU, 3, "AABCDBACD"), "mhmmmmhmm");
}

// Two ways. A counts 3, B 2: C drives B out and counts 2, B drives C out and counts 1, for what it
// counted is forgotten: D drives B out, and A hits. (With B's 2 kept it would be at 3 as A, and A
// the older.)
TEST(Rdgc, LfuForgets) {
    EXPECT_EQ(untimed(GMMU_RDGC_LFU, 2, "AAABBCCBDA"), "mhhmhmhmmh");
}

// splitmix64 from 0 gives e220a839…, 6e789e6a…, 06c45d18…, f88bb8a8…: times 4, shifted right by 32:
// 3, 1, 0, 3. D C B A: E drives position 3 out, A; of E D C B F drives out D; of F E C B G drives
// out F; of G E C B H drives out B. H G E C are left.
TEST(Rdgc, Random) {
    EXPECT_EQ(untimed(GMMU_RDGC_RANDOM, 4, "ABCDEFGHCEGHC", 0), "mmmmmmmmhhhhh");
    EXPECT_EQ(untimed(GMMU_RDGC_RANDOM, 4, "ABCDEFGHA", 0), "mmmmmmmmm");
}

// Of other policies than LRU a hit is counted in C[0], a miss in C[K].
TEST(Rdgc, CountersWithoutRd) {
    for (const gmmu_rdgc_replacement r : {GMMU_RDGC_LFU, GMMU_RDGC_FIFO, GMMU_RDGC_RANDOM}) {
        gmmu_rdgc_cache_config c = small();
        c.replacement = r;
        Log log(c);
        log << "0A"
            << "0B"
            << "0C"
            << "0A"
            << "0b";
        EXPECT_EQ(log.reads(), (std::vector<uint64_t>{1, 0, 0, 0, 3}));
        EXPECT_EQ(log.writes(), (std::vector<uint64_t>{1, 0, 0, 0, 0}));
        EXPECT_EQ(log.events[3].at.rd, 0u);
        EXPECT_EQ(log.events[2].at.rd, 4u);
    }
}

// A set as a plain list, after docs/guide/rdgc.md.
struct PlainSet {
    struct Block {
        uint64_t block, count;
    };
    std::list<Block> list;

    std::list<Block>::iterator find(uint64_t block) {
        auto at = list.begin();
        while (at != list.end() && at->block != block) ++at;
        return at;
    }
    void fill(uint64_t block, const gmmu_rdgc_cache_config &c, uint64_t *random) {
        if (list.size() == c.ways) {
            auto victim = std::prev(list.end());
            if (c.replacement == GMMU_RDGC_RANDOM) {
                *random += UINT64_C(0x9E3779B97F4A7C15);
                uint64_t z = *random;
                z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
                z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
                z ^= z >> 31;
                victim = std::next(list.begin(), static_cast<long>((z >> 32) * c.ways >> 32));
            }
            if (c.replacement == GMMU_RDGC_LFU)
                for (auto at = list.end(); at != list.begin();)
                    if ((--at)->count < victim->count)
                        victim = at;
            list.erase(victim);
        }
        list.push_front({block, 1});
    }
};

// Untimed accesses of all policies and bypasses against plain lists: results and counters. 2^16
// blocks in few sets, so that hashes collide.
TEST(Rdgc, UntimedAgainstPlainLists) {
    std::mt19937_64 random(7);
    for (const uint32_t ways : {1, 2, 7, 8, 9, 16, 17, 33, 192})
        for (unsigned r = 0; r < 4; r++)
            for (const gmmu_rdgc_bypass bypass : {GMMU_RDGC_OFF, GMMU_RDGC_WON}) {
                gmmu_rdgc_cache_config c = small();
                c.ways = ways;
                c.replacement = static_cast<gmmu_rdgc_replacement>(r);
                c.bypass = bypass;
                c.banks = 3;
                c = sets(c, 5);
                const uint64_t seed = random();
                Log log(c, false, seed);
                uint64_t state = seed;
                std::vector<PlainSet> plain(15);
                std::vector<uint64_t> reads(ways + 1), writes(ways + 1);
                for (unsigned i = 0; i < 2500; i++) {
                    const uint64_t n = random();
                    const uint64_t block = n % 8 == 0  ? n >> 48
                                           : n % 8 < 4 ? (n >> 40) % (15 * ways + 30)
                                                       : (n >> 40) % 100;
                    const bool write = (n >> 8) % 8 == 0;
                    PlainSet &set = plain[block % 3 * 5 + block / 3 % 5];
                    auto at = set.find(block);
                    const bool hit = at != set.list.end();
                    const size_t rd = !hit ? ways
                                      : c.replacement == GMMU_RDGC_LRU
                                          ? static_cast<size_t>(std::distance(set.list.begin(), at))
                                          : 0;
                    (write ? writes : reads)[rd]++;
                    gmmu_rdgc_status expected = hit ? GMMU_RDGC_HIT : GMMU_RDGC_MISS;
                    if (write && bypass == GMMU_RDGC_WON) {
                        expected = GMMU_RDGC_PASSED;
                        if (hit)
                            set.list.erase(at);
                    } else if (!hit) {
                        set.fill(block, c, &state);
                    } else if (c.replacement == GMMU_RDGC_LRU || c.replacement == GMMU_RDGC_LFU) {
                        at->count++;
                        set.list.splice(set.list.begin(), set.list, at);
                    }
                    ASSERT_EQ(gmmu_rdgc_cache_access(log.cache, block, write), expected)
                        << ways << " ways, policy " << r << ", access " << i;
                }
                EXPECT_EQ(log.reads(), reads);
                EXPECT_EQ(log.writes(), writes);
            }
}

}  // namespace
