// SPDX-License-Identifier: Apache-2.0
// import_mooncake.cpp: blocks of requests.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "gmmu/trace.h"
#include "samples.h"
#include "trace_bytes.h"

namespace {

TEST(Import, Mooncake) {
    Read got = read_bytes(kMooncake, GMMU_FORM_MOONCAKE);
    ASSERT_EQ(got.error, "");
    EXPECT_EQ(got.reasons, std::vector<std::string>{"1 requests without blocks"});
    expect_equal(got.walks, {{.time = 5},
                             {.vpn = 9, .ref = 1, .time = 5},
                             {.time = 7},
                             {.vpn = 1, .ref = 1, .time = 7},
                             {.vpn = 2, .ref = 2, .time = 7},
                             {.vpn = 3, .ref = 2, .time = 7},
                             {.vpn = 4, .ref = 3, .time = 7},
                             {.vpn = 5, .ref = 3, .time = 7},
                             {.vpn = 6, .ref = 3, .time = 7},
                             {.vpn = 7, .ref = 3, .time = 7},
                             {.vpn = INT64_MAX, .ref = 4, .time = 7}});
    // A request longer than a line elsewhere, with more blocks than are given at once; it lies
    // across the end of the buffer.
    std::string wide;
    Walks all;
    for (uint64_t request = 0; request < 30; request++) {
        wide += "{\"timestamp\":" + std::to_string(request) + ",\"hash_ids\":[";
        for (uint64_t i = 0; i < 9000; i++) {
            wide += (i == 0 ? "" : ",") + std::to_string(100000 + i);
            uint64_t bits = 0;
            while (i >> bits != 0) {
                bits++;
            }
            all.push_back({.vpn = 100000 + i, .ref = bits, .time = request});
        }
        wide += "]}\n";
    }
    got = read_bytes(wide, GMMU_FORM_MOONCAKE);
    EXPECT_EQ(got.error, "");
    expect_equal(got.walks, all);
    const Errors cases = {
        {"[1]", "1: found \"[1]\", expected an object with timestamp and hash_ids"},
        {"7", "1: found \"7\", expected an object"},
        {"{\"timestamp\": 1", "1: found \"column 15: '}' expected"},
        {"\n{} x", "2: found \"column 4: end of file expected near 'x'\", expected a request as"},
        {"{\"timestamp\": 1, \"timestamp\": 1}", "1: found \"column "},
        {"\xff", "1: found \"column "},
        {std::string("{}\0", 3), "1: found \"column "},
        {std::string(4000, '['), "1: found \"column "},
        {"{\"hash_ids\": [1]}", "1: found \"nothing\", expected a timestamp"},
        {"{\"timestamp\": 1.5, \"hash_ids\": [1]}", "1: found \"1.5\", expected a timestamp"},
        {"{\"timestamp\": -1, \"hash_ids\": [1]}", "1: found \"-1\", expected a timestamp"},
        {"{\"timestamp\": \"1\", \"hash_ids\": [1]}", "1: found \"\"1\"\", expected a timestamp"},
        {"{\"timestamp\": 1}", "1: found \"nothing\", expected hash_ids"},
        {"{\"timestamp\": 1, \"hash_ids\": 1}", "1: found \"1\", expected hash_ids"},
        {"{\"timestamp\": 1, \"hash_ids\": [1, -1]}",
         "1: found \"-1\", expected a whole number in"},
        {"{\"timestamp\": 1, \"hash_ids\": [1, {}]}",
         "1: found \"{}\", expected a whole number in"},
        {"{\"timestamp\": 1, \"hash_ids\": [9223372036854775808]}", "1: found \"column "},
        {std::string(1100000, '['), "1: found a line of more than 1048574 bytes"},
    };
    for (const auto &c : cases) {
        const Read bad = read_bytes(c.first + "\n", GMMU_FORM_MOONCAKE);
        EXPECT_EQ(bad.error.rfind(c.second, 0), 0U) << bad.error << "\nexpected " << c.second;
    }
    got = read_bytes("{}\n" + std::string(3000000, 'x') + "\n" + kMooncake + "\n{",
                     GMMU_FORM_MOONCAKE, true);
    EXPECT_EQ(got.walks.size(), 11U);
    EXPECT_EQ(got.loss.lines, 3U);
}

}  // namespace
