// SPDX-License-Identifier: Apache-2.0
// table3.cpp: the slow model itself, against the paper's Table 3.
#include <gtest/gtest.h>

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "compare.h"
#include "rdgc/rdgc.h"
#include "slow_rdgc.h"

namespace {

// Blocks A to H are 0 to 7; even ones lie in bank 0.
std::vector<Event> table3(gmmu_rdgc_arrival arrival, uint64_t *steps) {
    gmmu_rdgc_cache_config c = {};
    c.ways = 4;
    c.block = 128;
    c.partitions = 1;
    c.banks = 2;
    c.capacity = 2 * 4 * 128;
    c.ports = 2;
    c.partition_chunk = c.bank_chunk = 1;
    c.mshr_sets = 1;
    c.mshrs = 2;
    c.merges = 8;
    c.latency = 1;
    c.arrival = arrival;
    c.hit = 1;
    slow_rdgc::Cache cache(c, 1);
    std::vector<Event> log;
    // two schedulers: the first list has two warps
    cache.profile({{0, 0, false},
                   {1, 0, false},
                   {2, 0, false},
                   {3, 0, false},
                   {4, 1, false},
                   {5, 1, false},
                   {6, 1, false},
                   {7, 1, false}},
                  &log);
    cache.profile({{0, 2, false}, {3, 2, false}}, &log);
    *steps = cache.step();
    return log;
}

TEST(RdgcSlow, Table3OfThePaper) {
    uint64_t steps = 0;
    std::ostringstream out;
    uint64_t shown = 99;
    for (const Event &e : table3(GMMU_RDGC_START, &steps)) {
        if (e.step != shown) {
            out << (shown == 99 ? "" : "\n") << e.step << ":";
            shown = e.step;
        }
        const char name = static_cast<char>('A' + e.block);
        if (e.kind == Event::Kind::kUpdate) {
            out << " +" << name;
        } else if (e.kind == Event::Kind::kStep) {
            out << " free " << e.free_mshrs;
        } else {
            out << " " << name << "=B" << e.bank << "P" << e.port
                << slow_rdgc::status_name(e.status);
            out << (e.status == Status::kHit ? std::to_string(e.rd) : "");
        }
    }
    // the columns of the table, top down
    EXPECT_EQ(out.str(),
              "0: A=B0P0miss C=B0P1miss B=B1P0failed D=B1P1failed free 0\n"
              "1: +A +C B=B1P0miss D=B1P1miss E=B0P0failed G=B0P1failed free 0\n"
              "2: +B +D E=B0P0miss G=B0P1miss F=B1P0failed H=B1P1failed free 0\n"
              "3: +E +G F=B1P0miss H=B1P1miss free 0\n"
              "4: +F +H A=B0P0hit3 D=B1P0hit2 free 2");
    EXPECT_EQ(steps, 5);
    table3(GMMU_RDGC_END, &steps);  // by the text
    EXPECT_EQ(steps, 8);
}

}  // namespace
