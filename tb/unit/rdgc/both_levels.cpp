// SPDX-License-Identifier: Apache-2.0
// both_levels.cpp: what L1 sends is what L2 gets; many SMs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "logical.h"
#include "physical.h"
#include "rdgc/rdgc.h"

namespace {

// Random traces, longer than the SMs run ahead: what L1 is seen to send, sorted by step and SM, is
// what L2 gets. And what goes into L1 is what the records say, in the order of Algorithm 2.
TEST(Rdgc, WhatL1SendsL2Gets) {
    std::mt19937_64 random(17);
    for (unsigned round = 0; round < 12; round++) {
        const Trace t = new_trace();
        gmmu_error err{};
        const uint32_t blocks = 1 + static_cast<uint32_t>(random() % 20),
                       threads = 1 + static_cast<uint32_t>(random() % 150);
        const unsigned numbers = round % 6 == 0 ? 300 : 20;
        ASSERT_EQ(gmmu_rdgc_trace_begin(t.get(), blocks, threads, &err), GMMU_OK);
        for (uint32_t b = 0; b < blocks; b++)
            for (uint32_t w = 0; w < (threads + 31) / 32; w++)
                for (unsigned number = 0; number < numbers; number++) {
                    if (random() % 4 == 0)
                        continue;
                    uint64_t addr[GMMU_WARP];
                    const unsigned lanes = std::min(32U, threads - w * 32);
                    uint32_t mask =
                        random() % 2 == 0 ? static_cast<uint32_t>(random()) : UINT32_MAX;
                    mask = (mask | 1) & (UINT32_MAX >> (32 - lanes));
                    const uint64_t base = random() % 4096 * 16 + 4096, kind = random() % 8;
                    static const int64_t strides[] = {0, 4, -4, 8, 32, -128, 200};
                    for (unsigned lane = 0; lane < 32; lane++)
                        addr[lane] = kind == 7 ? random() % 65536
                                               : base + static_cast<uint64_t>(strides[kind] * lane);
                    ASSERT_EQ(gmmu_rdgc_trace_add(t.get(), b, w, number, random() % 5 == 0, mask,
                                                  addr, &err),
                              GMMU_OK);
                }
        ASSERT_EQ(gmmu_rdgc_trace_order(t.get(), &err), GMMU_OK);
        gmmu_rdgc_config c = machine();
        c.sms = 1 + static_cast<uint32_t>(random() % 5);
        c.schedulers = 1 + static_cast<uint32_t>(random() % 4);
        c.max_blocks = 1 + static_cast<uint32_t>(random() % 4);
        c.mapping = static_cast<gmmu_rdgc_mapping>(random() % 4);
        c.l1.adaptive = random() % 2 == 0;
        c.l1.mshrs = 1 + static_cast<uint32_t>(random() % 8);
        c.l1.block = 32U << random() % 3;
        c.l2.block = c.l1.block << random() % 2;
        c.l1.bypass = static_cast<gmmu_rdgc_bypass>(random() % 3);
        Model m(c);
        m.run(t.get());

        const gmmu_rdgc_grid *g = gmmu_rdgc_trace_grid(t.get(), 0);
        const uint32_t unit = c.l1.bypass == GMMU_RDGC_RWON ? c.l2.block : c.l1.block;
        std::vector<uint32_t> mapping(blocks);
        gmmu_rdgc_map_blocks(&c, 0, blocks, mapping.data());
        // what each SM's L1 gets, list by list: warp, block, write
        std::map<unsigned, std::vector<std::string>> accesses;
        for (uint32_t sm = 0; sm < c.sms; sm++) {
            std::vector<uint32_t> own;
            for (uint32_t b = 0; b < blocks; b++)
                if (mapping[b] == sm)
                    own.push_back(b);
            uint32_t cb = 0, nitr = 0;
            gmmu_rdgc_concurrent_blocks(&c, g->warps, static_cast<uint32_t>(own.size()), &cb,
                                        &nitr);
            for (uint32_t i = 0; i < nitr; i++)
                for (uint32_t j = 0; j < g->numbers; j++)
                    for (uint32_t k = i * cb; k < std::min<size_t>((i + 1) * cb, own.size()); k++)
                        for (uint32_t l = 0; l < (g->warps + c.schedulers - 1) / c.schedulers;
                             l++) {
                            std::vector<std::string> one;
                            for (uint32_t n = g->first[own[k]]; n < g->first[own[k] + 1]; n++) {
                                const gmmu_rdgc_record &r = g->records[n];
                                if (r.number != j || r.warp / c.schedulers != l)
                                    continue;
                                uint64_t addr[GMMU_WARP];
                                (void)gmmu_rdgc_record_addresses(g, &r, addr);
                                std::vector<uint64_t> distinct;
                                for (unsigned lane = 0; lane < 32; lane++)
                                    if ((r.mask >> lane & 1) &&
                                        std::find(distinct.begin(), distinct.end(),
                                                  addr[lane] / unit) == distinct.end())
                                        distinct.push_back(addr[lane] / unit);
                                for (const uint64_t d : distinct)
                                    one.push_back(std::to_string(r.warp) + "." + std::to_string(d) +
                                                  (r.write ? "w" : "r"));
                            }
                            accesses[sm].insert(accesses[sm].end(), one.begin(), one.end());
                        }
        }
        // L1 as seen: resolved accesses, in the order of each list
        std::map<unsigned, std::vector<std::string>> resolved;
        std::map<std::pair<uint64_t, unsigned>, std::string> sent;  // by step and SM
        for (const Model::Seen &s : m.seen) {
            if (s.status != GMMU_RDGC_FAILED)
                resolved[s.sm].push_back(std::to_string(s.warp) + "." + std::to_string(s.block) +
                                         (s.write ? "w" : "r"));
            if (s.status == GMMU_RDGC_MISS || s.status == GMMU_RDGC_PASSED)
                sent[{s.step, s.sm}] += " " + std::to_string(s.sm) + ":" +
                                        std::to_string(s.block * unit / c.l2.block) +
                                        (s.write ? "w" : "");
        }
        for (uint32_t sm = 0; sm < c.sms; sm++) {
            // of two ports the second may be resolved before the first
            std::vector<std::string> a = accesses[sm], b = resolved[sm];
            if (c.l1.bypass == GMMU_RDGC_RWON) {
                EXPECT_EQ(a, b);
            }
            std::sort(a.begin(), a.end());
            std::sort(b.begin(), b.end());
            EXPECT_EQ(a, b);
        }
        std::vector<std::string> lists;
        uint64_t last = UINT64_MAX;
        for (const auto &[key, text] : sent) {
            if (key.first != last)
                lists.emplace_back();
            last = key.first;
            lists.back() += lists.back().empty() ? text.substr(1) : text;
        }
        EXPECT_EQ(m.lists, lists) << "round " << round;
    }
}

// A list for L2 longer than any before, of many SMs.
TEST(Rdgc, ManySms) {
    const Trace t = new_trace();
    std::string text = "# gmmu-rdgc 1 blocks=600 threads=2\n";
    for (unsigned b = 0; b < 600; b++)
        for (unsigned thread = 0; thread < 2; thread++)
            text += "0," + std::to_string(b) + "," + std::to_string(thread) + ",r," +
                    std::to_string((b * 2 + thread) * 128) + "\n";
    ASSERT_EQ(read_text(t.get(), text), "");
    gmmu_rdgc_config c = machine();
    c.sms = 600;
    c.l2.mshrs = 4096;
    c.l2.latency = 1000;
    Model m(c);
    m.run(t.get());
    EXPECT_EQ(m.lists.size(), 1u);
    EXPECT_EQ(m.result().l2.r[8], 1200u);
    EXPECT_EQ(m.result().l2.steps, 150u);  // 1200 over eight banks
}

}  // namespace
