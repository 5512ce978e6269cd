// SPDX-License-Identifier: Apache-2.0
// options.h: what the platform is told on its command line.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

struct Options {
    std::string driver = "unit", place, search;
    std::string page;  // bytes of larger pages; empty: the trace's
    std::string trace, policy = "unit", model = "lt", config, frames = "50%", tier2,
                       format = "table", parameters = "config/platform.json", timeline;
    std::vector<std::string> set;
    uint64_t walks = 0, seed = 1, distinct = 0;
    // what is to go wrong, for tests: number of the job, batch, resumption or replay, decision that
    // is lost
    uint64_t lose_copy = 0, lose_batch = 0, lose_resume = 0, lose_decision = 0, lose_others = 0;
    bool series = false;
};

// Throws Bad. False: help was asked for and is printed.
bool parse_options(int argc, char **argv, Options *o);
