// SPDX-License-Identifier: Apache-2.0
// command_line_mrc.cpp: what a user may get wrong with gmmu mrc.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "fail.h"

namespace {

// The page of address space 0 that gmmu_sample_hash takes to N >> 32: its steps backwards.
uint64_t page_of_hash(uint64_t n) {
    const auto unshift = [](uint64_t y, unsigned shift) {
        uint64_t x = y;
        for (unsigned i = shift; i < 64; i += shift) x = y ^ x >> shift;
        return x;
    };
    const auto divide =
        [](uint64_t y, uint64_t odd) {  // modulo 2^64; each step doubles the bits that are right
            uint64_t inverse = odd;
            for (int i = 0; i < 6; i++) inverse *= 2 - odd * inverse;
            return y * inverse;
        };
    for (int i = 0; i < 2; i++)
        n = unshift(
            divide(unshift(divide(unshift(n, 31), 0x94d049bb133111eb), 27), 0xbf58476d1ce4e5b9),
            30);
    return n - 0x9e3779b97f4a7c15;
}

TEST_F(Fail, CommandLineMrc) {
    put("none.walk", kNone);
    std::string first = "# gmmu-walk 1 page_shift=12\n";
    for (uint64_t i = 0; i < 8; i++) first += std::to_string(page_of_hash(i)) + ",1,r\n";
    put("first.walk", first + first.substr(first.find('\n') + 1));
    expect({
        {"mrc", 2, "found no trace"},
        {"mrc small.walk wide.walk", 2, "found a second trace"},
        {"mrc --help", 0, "options: mc="},
        {"mrc small.walk --sample size=4294967290", 2,
         "--sample size: found \"4294967290\", expected no more than"},
        {"mrc small.walk --sample rate=x", 2, "--sample: found \"rate=x\""},
        {"mrc small.walk --sample rate=.5 --points 1 --format csv", 0, "lru,"},
        {"mrc small.walk --points 1000001", 2, "--points: found \"1000001\""},
        {"mrc small.walk --threads x", 2, "--threads: found \"x\""},
        {"mrc small.walk --threads 1025", 2, "--threads: found \"1025\""},
        {"mrc small.walk --points 1 --log --policy lru --format csv", 0, "lru,24,90,24"},
        {"mrc small.walk --points 11 --log --policy lru", 0, "10 sizes"},
        {"mrc none.walk --sample rate=0.5 --check --policy lru --format csv", 0,
         "lru,1,0,0,0,0,0,0.000000,0.000000,0.000000"},
        {"mrc first.walk --sample rate=1e-9 --points 2 --policy lru --format csv", 0,
         "lru,3221225469,16,"},
        {"mrc first.walk --sample size=1 --frames 1,3 --policy lru --format csv", 0,
         "lru,3,16,0,0,0,0,0.000000,0.000000"},
    });
}

}  // namespace
