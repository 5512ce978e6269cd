// SPDX-License-Identifier: Apache-2.0
// long_lists.cpp: long lists.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "cache_log.h"
#include "rdgc/rdgc.h"

namespace {

// One warp reads random blocks of 64 banks of one port: step s has the s-th access of each bank
// that has so many, by bank. Blocks in falling order make the sort of the list long.
TEST(Rdgc, LongLists) {
    std::mt19937_64 random(11);
    gmmu_rdgc_cache_config c = small();
    c.partitions = 8;
    c.banks = 8;
    c.mshrs = 4096;
    c = sets(c, 4);
    for (unsigned round = 0; round < 4; round++) {
        std::vector<Access> list;
        for (uint64_t i = 0; i < 3000; i++)
            list.push_back({0, round == 0 ? 6000 - i : random() % 100000 * 3000 + i});
        Log log(c);
        std::vector<std::vector<uint64_t>> banks(64);
        for (const Access &a : list) banks[a.block % 8 * 8 + a.block / 8 % 8].push_back(a.block);
        log.profile(list);
        size_t at = 0;
        for (size_t step = 0; at < list.size(); step++)
            for (const std::vector<uint64_t> &bank : banks)
                if (step < bank.size()) {
                    ASSERT_EQ(log.events[at].block, bank[step]) << round << " " << at;
                    ASSERT_EQ(log.events[at++].step, step);
                }
        EXPECT_EQ(log.events.size(), list.size());
    }
}

// A watch may leave functions out.
TEST(Rdgc, AnEmptyWatch) {
    Log log(small(), false);
    const gmmu_rdgc_watch none = {};
    gmmu_rdgc_cache_watch(log.cache, &none);
    log << "0ABA";
    EXPECT_EQ(log.counts().steps, 3u);
    EXPECT_EQ(log.reads(), (std::vector<uint64_t>{0, 1, 0, 0, 2}));
}

}  // namespace
