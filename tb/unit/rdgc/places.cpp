// SPDX-License-Identifier: Apache-2.0
// places.cpp: where a block lies.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "cache_log.h"
#include "rdgc/rdgc.h"

namespace {

gmmu_rdgc_place place(const gmmu_rdgc_cache_config &c, uint64_t block) {
    Log log(c);
    return gmmu_rdgc_cache_place(log.cache, block);
}

// GTX 970's L2: blocks 0 to 6 in bank 0 of partitions 0 to 6, 7 to 13 in bank 1, then bank 0 again,
// next set. MSHR sets 0 to 2 serve two partitions each, set 3 the last.
TEST(Rdgc, TwoLevelInterleaving) {
    gmmu_rdgc_cache_config c = small();
    c.partitions = 7;
    c.banks = 2;
    c.mshr_sets = 4;
    c.ways = 8;
    c = sets(c, 512);
    EXPECT_EQ(c.capacity, 1792u << 10);
    const unsigned mshr_set[] = {0, 0, 1, 1, 2, 2, 3};
    for (const uint64_t b : {0, 1, 6, 7, 8, 13, 14, 15, 27, 28, 7 * 2 * 512, 7 * 2 * 512 + 13}) {
        const gmmu_rdgc_place p = place(c, b);
        EXPECT_EQ(p.partition, b % 7) << b;
        EXPECT_EQ(p.bank, b / 7 % 2) << b;
        EXPECT_EQ(p.set, b / 14 % 512) << b;
        EXPECT_EQ(p.mshr_set, mshr_set[b % 7]) << b;
    }
    // 5 partitions, 4 sets: two each, the last set is not used. 6 and 4: the last neither.
    c.partitions = 5;
    const unsigned of_five[] = {0, 0, 1, 1, 2};
    for (uint64_t b = 0; b < 5; b++) EXPECT_EQ(place(sets(c, 1), b).mshr_set, of_five[b]);
    c.partitions = 8;
    for (uint64_t b = 0; b < 8; b++) EXPECT_EQ(place(sets(c, 1), b).mshr_set, b / 2);
}

// Chunks of four blocks a partition, of two a bank:
//   block      0 1 2 3  4 5 6 7  8 9 10 11  12 …
//   partition  0        1        0           1
//   bank       0 0 1 1  0 0 1 1  0 0 1  1
//   in bank    0 1 0 1  0 1 0 1  2 3 2  3
TEST(Rdgc, Chunks) {
    gmmu_rdgc_cache_config c = small();
    c.partitions = c.banks = 2;
    c.partition_chunk = 4;
    c.bank_chunk = 2;
    c = sets(c, 16);
    const unsigned partition[] = {0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1};
    const unsigned bank[] = {0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0};
    const unsigned within[] = {0, 1, 0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2};
    for (uint64_t b = 0; b < 13; b++) {
        const gmmu_rdgc_place p = place(c, b);
        EXPECT_EQ(p.partition, partition[b]) << b;
        EXPECT_EQ(p.bank, bank[b]) << b;
        EXPECT_EQ(p.set, within[b]) << b;
    }
}

// Whatever the counts, blocks 0 … lie each in another place until all sets are taken; large numbers
// follow the formulae too.
TEST(Rdgc, PlacesAreOneToOne) {
    std::mt19937_64 random(5);
    for (unsigned round = 0; round < 300; round++) {
        gmmu_rdgc_cache_config c = small();
        c.partitions = 1 + static_cast<uint32_t>(random() % 9);
        c.banks = 1 + static_cast<uint32_t>(random() % 5);
        c.partition_chunk = 1 + static_cast<uint32_t>(random() % 4);
        c.bank_chunk = 1 + static_cast<uint32_t>(random() % 4);
        const uint32_t n =
            c.partition_chunk * c.bank_chunk * (1 + static_cast<uint32_t>(random() % 5));
        c = sets(c, n);
        Log log(c);
        std::map<std::vector<uint32_t>, unsigned> seen;
        const uint64_t all = static_cast<uint64_t>(c.partitions) * c.banks * n;
        for (uint64_t b = 0; b < all; b++) {
            const gmmu_rdgc_place p = gmmu_rdgc_cache_place(log.cache, b);
            EXPECT_LT(p.partition, c.partitions);
            EXPECT_LT(p.bank, c.banks);
            EXPECT_LT(p.set, n);
            seen[{p.partition, p.bank, p.set}]++;
        }
        EXPECT_EQ(seen.size(), all) << "round " << round;
        for (unsigned i = 0; i < 20; i++) {
            const uint64_t b = random() >> (random() % 40);
            const uint64_t chunk = b / c.partition_chunk;
            const uint64_t q = chunk / c.partitions * c.partition_chunk + b % c.partition_chunk;
            const uint64_t in_bank = q / c.bank_chunk / c.banks * c.bank_chunk + q % c.bank_chunk;
            const gmmu_rdgc_place p = gmmu_rdgc_cache_place(log.cache, b);
            EXPECT_EQ(p.partition, chunk % c.partitions);
            EXPECT_EQ(p.bank, q / c.bank_chunk % c.banks);
            EXPECT_EQ(p.set, in_bank % n);
        }
    }
}

uint32_t set_of(gmmu_rdgc_index index, uint32_t shift, uint32_t n, uint64_t block) {
    gmmu_rdgc_cache_config c = small();
    c.index = index;
    c.shift = shift;
    return place(sets(c, n), block).set;
}

TEST(Rdgc, IndexMod) {
    EXPECT_EQ(set_of(GMMU_RDGC_MOD, 0, 4, 5), 1u);
    EXPECT_EQ(set_of(GMMU_RDGC_MOD, 0, 3, 5), 2u);
    EXPECT_EQ(set_of(GMMU_RDGC_MOD, 0, 1, 5), 0u);
    // Two sets of one block: A and C drive each other out, B does not.
    gmmu_rdgc_cache_config c = small();
    c.ways = 1;
    expect_steps(sets(c, 2), {"0A", "0B", "0C", "0B", "0A"},
                 {"0.0 A miss inf  | 3", "+A  0.0 B miss inf  | 3", "+B  0.0 C miss inf  | 3",
                  "+C  0.0 B hit 0  | 4", "0.0 A miss inf  | 3"});
}

// Bits i + 2 and i + 3 instead of i and i + 1: 5 = 01 01, 3 = 00 11, 16 = 1 00 00, 12 = 11 00.
TEST(Rdgc, IndexSmod) {
    EXPECT_EQ(set_of(GMMU_RDGC_SMOD, 2, 4, 5), 1u);
    EXPECT_EQ(set_of(GMMU_RDGC_SMOD, 2, 4, 3), 0u);
    EXPECT_EQ(set_of(GMMU_RDGC_SMOD, 2, 4, 16), 0u);
    EXPECT_EQ(set_of(GMMU_RDGC_SMOD, 2, 4, 12), 3u);
    EXPECT_EQ(set_of(GMMU_RDGC_SMOD, 2, 3, 12), 0u);
    EXPECT_EQ(set_of(GMMU_RDGC_SMOD, 0, 4, 5), 1u);
    EXPECT_EQ(set_of(GMMU_RDGC_SMOD, 40, 4, UINT64_C(3) << 40), 3u);
}

// The largest primes up to 1, 2, 3, 4, 6, 8, 9, 64, 1024 are 1, 2, 3, 3, 5, 7, 7, 61, 1021.
TEST(Rdgc, IndexPri) {
    const unsigned cases[][2] = {{1, 1}, {2, 2}, {3, 3},   {4, 3},      {6, 5},
                                 {8, 7}, {9, 7}, {64, 61}, {1024, 1021}};
    for (const auto &k : cases) {
        EXPECT_EQ(set_of(GMMU_RDGC_PRI, 0, k[0], k[1] - 1), k[1] - 1) << k[0];
        EXPECT_EQ(set_of(GMMU_RDGC_PRI, 0, k[0], k[1]), 0u) << k[0];
    }
    EXPECT_EQ(set_of(GMMU_RDGC_PRI, 0, 4, 5), 2u);
}

// Two index bits with the two above: 4 = 01 00 -> 01, 6 = 01 10 -> 11, 16 = 01 00 00 -> 00. With
// three sets modulo 3 afterwards: 7 = 01 11 -> 10, 3 = 00 11 -> 11 -> 0.
TEST(Rdgc, IndexXor) {
    EXPECT_EQ(set_of(GMMU_RDGC_XOR, 0, 4, 4), 1u);
    EXPECT_EQ(set_of(GMMU_RDGC_XOR, 0, 4, 6), 3u);
    EXPECT_EQ(set_of(GMMU_RDGC_XOR, 0, 4, 16), 0u);
    EXPECT_EQ(set_of(GMMU_RDGC_XOR, 0, 4, 3), 3u);
    EXPECT_EQ(set_of(GMMU_RDGC_XOR, 0, 3, 7), 2u);
    EXPECT_EQ(set_of(GMMU_RDGC_XOR, 0, 3, 3), 0u);
    EXPECT_EQ(set_of(GMMU_RDGC_XOR, 0, 1, 12345), 0u);
}

}  // namespace
