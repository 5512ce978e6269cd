// SPDX-License-Identifier: Apache-2.0
// command_line_explain.cpp: what a user may get wrong with gmmu explain.
#include <gtest/gtest.h>

#include "fail.h"

namespace {

TEST_F(Fail, CommandLineExplain) {
    put("bad.walk", kBad);
    put("five.walk", kFive);
    expect({
        {"explain --event 3", 2, "found no trace"},
        {"explain small.walk", 2, "found no --event"},
        {"explain small.walk small.walk --event 3", 2, "found a second trace"},
        {"explain small.walk --event 0", 2, "--event: found \"0\""},
        {"explain small.walk --event 3 --format csv", 2, "expected table or json"},
        {"explain small.walk --event 3 --frames 3,4", 2, "found a list"},
        {"explain small.walk --event 3 --policy lru,fifo", 2, "found a list"},
        {"explain small.walk --event 91 --frames 7", 2, "expected no more than the 90 walks"},
        {"explain bad.walk --event 2 --frames 7", 2, "bad.walk:3"},
        {"explain bad.walk --event 2 --frames 50%", 2, "bad.walk:3"},
        {"explain small.walk --event 1 --frames 7", 0, "cold fault, memory has room"},
        {"explain small.walk --event 1 --frames 7 --format json", 0, "cold fault, memory has room"},
        {"explain small.walk --event 9 --frames 7", 0, "cold fault, memory is full"},
        {"explain five.walk --event 2 --frames 7", 0, "hit"},
        {"explain five.walk --event 2 --frames 7 --format json", 0, "hit"},
        {"explain small.walk --event 61 --frames 11 --top 2 --format json", 0, "\"write\": true"},
        {"explain small.walk --event 60 --frames 5 --top 2", 0, "more"},
        {"explain small.walk --event 60 --frames 5 --top 2 --format json", 0, "candidates"},
        {"explain small.walk --event 80 --frames 5 --policy lru", 0,
         "why: used longest ago of all resident pages"},
        {"explain small.walk --event 80 --frames 5 --policy fifo --format json", 0, "victim"},
        {"explain wide.walk --event 4600 --frames 200 --policy leu:config=tiny:refresh=2:sample=0",
         0, "PPUC"},
        {"explain - <small.walk --event 60 --frames 50%", 0, "<- victim"},
        {"explain wide.walk --event 4600 --frames 200 --policy "
         "leu:config=tiny:sample=0:protect=217",
         0, "not protected"},
        {"explain wide.walk --event 4600 --frames 200 --policy leu:search=sample:k=8:duel=1", 0,
         "guarded_alone"},
        {"explain wide.walk --event 4600 --frames 200 --policy leu:k=8:duel=1 --format json", 0,
         "\"share\": 0.96875"},
        {"explain wide.walk --every 1000 --frames 200 --policy leu:protect=128", 0, "filling"},
        {"explain wide.walk --every 1000 --frames 200 --policy leu:protect=128 --format json", 0,
         "\"limit\": 100"},
        {"explain - <wide.walk --every 4599 --frames 20% --policy leu:protect=128", 0, "4599"},
        {"explain small.walk --every 5 --event 5", 2, "found --event and --every"},
        {"explain small.walk --every 0", 2, "--every: found \"0\""},
        {"explain small.walk --every 5 --frames 7 --policy leu", 2, "--every: found policy leu"},
        {"explain bad.walk --every 2 --frames 7 --policy leu:protect=128", 2, "bad.walk:3"},
        {"explain bad.walk --every 2 --frames 7 --policy leu:protect=128 --format json", 2,
         "bad.walk:3"},
        {"explain - <small.walk --event 91 --frames 50%", 2, "expected no more than the 90 walks"},
    });
}

}  // namespace
