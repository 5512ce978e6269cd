// SPDX-License-Identifier: Apache-2.0
// parameters.cpp: parameters by name.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "rdgc/rdgc.h"

namespace {

TEST(Rdgc, ParametersByName) {
    gmmu_error err{};
    gmmu_rdgc_config c = gmmu_rdgc_defaults();
    EXPECT_EQ(gmmu_rdgc_config_check(&c, &err), GMMU_OK);
    const std::vector<std::pair<std::string, std::string>> values = {
        {"l1.size", "24K"},
        {"l1.ways", "192"},
        {"l1.block", "32"},
        {"l1.index", "smod-3"},
        {"l1.replace", "lfu"},
        {"l1.bypass", "rwon"},
        {"l1.latency", "7"},
        {"l2.size", "2M"},
        {"l2.partitions", "7"},
        {"l2.banks", "3"},
        {"l2.ports", "4"},
        {"l2.partition_chunk", "8"},
        {"l2.bank_chunk", "9"},
        {"l2.index", "xor"},
        {"l2.replace", "random"},
        {"l2.bypass", "won"},
        {"l2.mshr_sets", "5"},
        {"l2.mshrs", "6"},
        {"l2.merges", "0"},
        {"l2.latency", "adaptive"},
        {"l2.k1", "1.5"},
        {"l2.k2", "0.125"},
        {"l2.arrival", "end"},
        {"l1.merged", "hit"},
        {"l1.allocate", "miss"},
        {"l2.hit", "48"},
        {"schedule", "loose"},
        {"reads", "9"},
        {"gap", "10"},
        {"atomics", "past"},
        {"quads", "yes"},
        {"sms", "26"},
        {"schedulers", "2"},
        {"max_warps", "32"},
        {"max_blocks", "16"},
        {"mapping", "rand"},
        {"keep_l1", "yes"},
        {"keep_l2", "no"},
        {"seed", "18446744073709551615"},
        {"l1.index", "pri"},
    };
    for (const auto &[key, value] : values)
        EXPECT_EQ(gmmu_rdgc_config_set(&c, key.c_str(), value.c_str(), &err), GMMU_OK) << err.text;
    EXPECT_EQ(c.l1.capacity, 24u << 10);
    EXPECT_EQ(c.l1.ways, 192u);
    EXPECT_EQ(c.l1.block, 32u);
    EXPECT_EQ(c.l1.index, GMMU_RDGC_PRI);
    EXPECT_EQ(c.l1.shift, 3u);
    EXPECT_EQ(c.l1.replacement, GMMU_RDGC_LFU);
    EXPECT_EQ(c.l1.bypass, GMMU_RDGC_RWON);
    EXPECT_FALSE(c.l1.adaptive);
    EXPECT_EQ(c.l1.latency, 7u);
    EXPECT_EQ(c.l2.capacity, 2u << 20);
    EXPECT_EQ(c.l2.partitions, 7u);
    EXPECT_EQ(c.l2.banks, 3u);
    EXPECT_EQ(c.l2.ports, 4u);
    EXPECT_EQ(c.l2.partition_chunk, 8u);
    EXPECT_EQ(c.l2.bank_chunk, 9u);
    EXPECT_EQ(c.l2.index, GMMU_RDGC_XOR);
    EXPECT_EQ(c.l2.replacement, GMMU_RDGC_RANDOM);
    EXPECT_EQ(c.l2.bypass, GMMU_RDGC_WON);
    EXPECT_EQ(c.l2.mshr_sets, 5u);
    EXPECT_EQ(c.l2.mshrs, 6u);
    EXPECT_EQ(c.l2.merges, 0u);
    EXPECT_TRUE(c.l2.adaptive);
    EXPECT_EQ(c.l2.k1, 1500u);
    EXPECT_EQ(c.l2.k2, 125u);
    EXPECT_EQ(c.l2.arrival, GMMU_RDGC_END);
    EXPECT_TRUE(c.l1.merged);
    EXPECT_FALSE(c.l2.merged);
    EXPECT_EQ(c.l1.allocate, GMMU_RDGC_ON_MISS);
    EXPECT_EQ(c.l2.allocate, GMMU_RDGC_ON_FILL);
    EXPECT_EQ(c.l2.hit, 48u);
    EXPECT_EQ(c.schedule, GMMU_RDGC_LOOSE);
    EXPECT_EQ(c.reads, 9u);
    EXPECT_EQ(c.gap, 10u);
    EXPECT_EQ(c.atomics, GMMU_RDGC_PAST_L1);
    EXPECT_TRUE(c.quads);
    EXPECT_EQ(c.sms, 26u);
    EXPECT_EQ(c.schedulers, 2u);
    EXPECT_EQ(c.max_warps, 32u);
    EXPECT_EQ(c.max_blocks, 16u);
    EXPECT_EQ(c.mapping, GMMU_RDGC_RAND);
    EXPECT_TRUE(c.keep_l1);
    EXPECT_FALSE(c.keep_l2);
    EXPECT_EQ(c.seed, UINT64_MAX);
    // what is got sets the same
    c.l1.index = GMMU_RDGC_SMOD;
    gmmu_rdgc_config again = gmmu_rdgc_defaults();
    std::string keys;
    size_t n = 0;
    for (const char *key; (key = gmmu_rdgc_config_key(n)) != nullptr; n++) {
        char text[64];
        gmmu_rdgc_config_get(&c, n, text, sizeof text);
        EXPECT_EQ(gmmu_rdgc_config_set(&again, key, text, &err), GMMU_OK)
            << key << "=" << text << ": " << err.text;
        char back[64];
        gmmu_rdgc_config_get(&again, n, back, sizeof back);
        EXPECT_STREQ(text, back) << key;
    }
    EXPECT_EQ(n, 2u * 21 + 13);
    EXPECT_EQ(gmmu_rdgc_config_key(n + 1), nullptr);
    EXPECT_EQ(again.l1.shift, 3u);
    EXPECT_EQ(again.l2.k2, 125u);
}

}  // namespace
