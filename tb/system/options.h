// SPDX-License-Identifier: Apache-2.0
// options.h: what the simulation is told on its command line.
#pragma once
#include <cstdint>
#include <string>

struct Options {
    std::string test, out = "build/sim", mode = "cross";
    uint32_t seed = 1;
    int only = -1;       // this step alone
    std::string fault;   // "+fault=N", in models with the tables of faults
    bool quick = false;  // without the steps that are "long"
    uint64_t wave_from = 1, wave_to = 0;

    bool cross() const { return mode == "cross"; }
    bool rtl() const { return mode != "model"; }  // the RTL runs
    bool model() const { return mode != "rtl"; }  // the twin alone, on the standard schedule, runs
};

// False: they cannot be used; the usage is printed.
bool parse_options(int argc, char **argv, Options *o);
