// SPDX-License-Identifier: Apache-2.0
// bad_parameters.cpp: values that are refused, alone and together.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cache_log.h"
#include "rdgc/rdgc.h"

namespace {

TEST(Rdgc, BadValues) {
    const std::vector<std::vector<std::string>> cases = {
        {"l3.size", "1", "found \"l3.size\", expected a parameter as l1.ways or sms"},
        {"l1.ways", "0", "l1.ways: found \"0\", expected 1 to 32768"},
        {"l1.ways", "", "l1.ways: found \"\", expected 1 to 32768"},
        {"l1.ways", "4x", "l1.ways: found \"4x\", expected 1 to 32768"},
        {"l1.ways", "4K", "l1.ways: found \"4K\", expected 1 to 32768"},
        {"l2.ports", "99999999999999999999",
         "l2.ports: found \"99999999999999999999\", expected 1 to 64"},
        {"l1.size", "1G", "l1.size: found \"1G\", expected bytes, or with K or M behind"},
        {"l1.size", "2000000M",
         "l1.size: found \"2000000M\", expected bytes, or with K or M behind"},
        {"l1.size", "K", "l1.size: found \"K\", expected bytes, or with K or M behind"},
        {"l1.index", "smod", "l1.index: found \"smod\", expected mod, smod-n, pri, xor or fermi"},
        {"l1.index", "smod-41",
         "l1.index: found \"smod-41\", expected mod, smod-n, pri, xor or fermi"},
        {"l1.index", "hash", "l1.index: found \"hash\", expected mod, smod-n, pri, xor or fermi"},
        {"l2.replace", "LRU", "l2.replace: found \"LRU\", expected lru, lfu, fifo, random or nru"},
        {"l2.bypass", "on", "l2.bypass: found \"on\", expected off, won or rwon"},
        {"l1.latency", "0", "l1.latency: found \"0\", expected steps or adaptive"},
        {"l1.arrival", "x", "l1.arrival: found \"x\", expected start or end"},
        {"l1.k1", "0.1234",
         "l1.k1: found \"0.1234\", expected 0 to 1000000 with at most three decimals"},
        {"l1.k1", "0.", "l1.k1: found \"0.\", expected 0 to 1000000 with at most three decimals"},
        {"l1.k1", ".5", "l1.k1: found \".5\", expected 0 to 1000000 with at most three decimals"},
        {"l1.k2", "1000000.001",
         "l1.k2: found \"1000000.001\", expected 0 to 1000000 with at most three decimals"},
        {"l1.k2", "9999999",
         "l1.k2: found \"9999999\", expected 0 to 1000000 with at most three decimals"},
        {"mapping", "random",
         "mapping: found \"random\", expected rr, bpart1, bpart2, rand or demand"},
        {"keep_l1", "1", "keep_l1: found \"1\", expected yes or no"},
        {"seed", "18446744073709551616",
         "seed: found \"18446744073709551616\", expected a number below 2^64"},
        {"seed", "1K", "seed: found \"1K\", expected a number below 2^64"},
        {"sms", "1025", "sms: found \"1025\", expected 1 to 1024"},
        {"l1.merged", "yes", "l1.merged: found \"yes\", expected miss or hit"},
        {"l2.allocate", "hit", "l2.allocate: found \"hit\", expected fill or miss"},
        {"l1.hit", "0", "l1.hit: found \"0\", expected 1 to 1000000"},
        {"schedule", "rr", "schedule: found \"rr\", expected lists, lrr, gto or loose"},
        {"reads", "65536", "reads: found \"65536\", expected 1 to 65535"},
        {"gap", "0", "gap: found \"0\", expected 1 to 1000000"},
        {"atomics", "read", "atomics: found \"read\", expected write or past"},
    };
    for (const auto &k : cases) {
        gmmu_error err{};
        gmmu_rdgc_config c = gmmu_rdgc_defaults();
        const gmmu_rdgc_config before = c;
        EXPECT_EQ(gmmu_rdgc_config_set(&c, k[0].c_str(), k[1].c_str(), &err), GMMU_BAD);
        EXPECT_EQ(err.text, k[2]);
        EXPECT_EQ(c.l1.adaptive, before.l1.adaptive);
        EXPECT_EQ(c.l1.shift, before.l1.shift);
    }
}

TEST(Rdgc, ParametersThatDoNotAgree) {
    const auto message = [](void (*change)(gmmu_rdgc_config *)) {
        gmmu_error err{};
        gmmu_rdgc_config c = gmmu_rdgc_defaults();
        change(&c);
        EXPECT_EQ(gmmu_rdgc_config_check(&c, &err), GMMU_BAD);
        gmmu_error same{};
        EXPECT_EQ(gmmu_rdgc_create(&c, &same), nullptr);
        EXPECT_STREQ(err.text, same.text);
        return std::string(err.text);
    };
    EXPECT_EQ(message([](gmmu_rdgc_config *c) { c->l1.ways = 0; }),
              "l1.ways: found 0, expected 1 to 32768");
    EXPECT_EQ(message([](gmmu_rdgc_config *c) { c->l2.ways = 40000; }),
              "l2.ways: found 40000, expected 1 to 32768");
    EXPECT_EQ(message([](gmmu_rdgc_config *c) { c->l1.k1 = 1000000001; }),
              "l1.k1: found 1000000001, expected 0 to 1000000000 thousandths");
    EXPECT_EQ(message([](gmmu_rdgc_config *c) {
                  c->l1.replacement = static_cast<gmmu_rdgc_replacement>(5);
              }),
              "l1.replace: found 5, expected 0 to 4");
    EXPECT_EQ(message([](gmmu_rdgc_config *c) { c->l1.latency = 0; }),
              "l1.latency: found 0, expected 1 to 1000000");
    EXPECT_EQ(message([](gmmu_rdgc_config *c) { c->l1.shift = 41; }),
              "l1.index: found smod-41, expected smod-0 to smod-40");
    EXPECT_EQ(message([](gmmu_rdgc_config *c) { c->l1.block = 96; }),
              "l1.block: found 96, expected a power of two");
    EXPECT_EQ(
        message([](gmmu_rdgc_config *c) { c->l2.partitions = 3; }),
        "l2.size: found 1048576, expected a multiple of 6144 (block, ways, partitions and banks)");
    EXPECT_EQ(message([](gmmu_rdgc_config *c) { c->l2.capacity = UINT64_C(1) << 32; }),
              "l2.size: found 33554432 blocks, expected at most 16777216");
    EXPECT_EQ(message([](gmmu_rdgc_config *c) { c->l1.mshr_sets = 2; }),
              "l1.mshr_sets: found 2, expected at most partitions = 1");
    EXPECT_EQ(message([](gmmu_rdgc_config *c) { c->l2.index = GMMU_RDGC_FERMI; }),
              "l2.index: found fermi with 128 sets, expected it with 32 or 64");
    EXPECT_EQ(message([](gmmu_rdgc_config *c) {
                  c->l1.allocate = GMMU_RDGC_ON_MISS;
                  c->l1.replacement = GMMU_RDGC_RANDOM;
              }),
              "l1.allocate: found miss with replace = random, expected it with lru, fifo or nru");
    EXPECT_EQ(message([](gmmu_rdgc_config *c) { c->mapping = GMMU_RDGC_DEMAND; }),
              "mapping: found demand with schedule = lists, expected it with lrr, gto or loose");
    EXPECT_EQ(message([](gmmu_rdgc_config *c) { c->sms = 0; }), "sms: found 0, expected 1 to 1024");
    EXPECT_EQ(message([](gmmu_rdgc_config *c) { c->mapping = static_cast<gmmu_rdgc_mapping>(9); }),
              "mapping: found 9, expected 0 to 4");
    EXPECT_EQ(message([](gmmu_rdgc_config *c) {
                  c->l2.block = 4;
                  c->l1.block = 256;
              }),
              "l1.block: found 256, expected at most 32 times l2.block = 4");
    gmmu_error err{};
    gmmu_rdgc_cache_config c = small();
    c.ports = 0;
    EXPECT_EQ(gmmu_rdgc_cache_create(&c, 0, &err), nullptr);
    EXPECT_STREQ(err.text, "ports: found 0, expected 1 to 64");
}

TEST(Rdgc, NothingToDestroy) {
    gmmu_rdgc_destroy(nullptr);
    gmmu_rdgc_cache_destroy(nullptr);
    gmmu_rdgc_trace_destroy(nullptr);
}

}  // namespace
