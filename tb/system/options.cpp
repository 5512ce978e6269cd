// SPDX-License-Identifier: Apache-2.0
// options.cpp: what the simulation is told on its command line.
#include "options.h"

#include <getopt.h>

#include <cstdio>
#include <cstdlib>

bool parse_options(int argc, char **argv, Options *o) {
    const option longs[] = {{"test", required_argument, nullptr, 't'},
                            {"out", required_argument, nullptr, 'o'},
                            {"seed", required_argument, nullptr, 's'},
                            {"mode", required_argument, nullptr, 'm'},
                            {"step", required_argument, nullptr, 'n'},
                            {"wave-from", required_argument, nullptr, 'f'},
                            {"wave-to", required_argument, nullptr, 'u'},
                            {"fault", required_argument, nullptr, 'x'},
                            {"quick", no_argument, nullptr, 'q'},
                            {nullptr, 0, nullptr, 0}};
    for (int c; (c = getopt_long(argc, argv, "", longs, nullptr)) != -1;) {
        switch (c) {
            case 't':
                o->test = optarg;
                break;
            case 'o':
                o->out = optarg;
                break;
            case 's':
                o->seed = static_cast<uint32_t>(std::strtoul(optarg, nullptr, 0));
                break;
            case 'm':
                o->mode = optarg;
                break;
            case 'n':
                o->only = std::atoi(optarg);
                break;
            case 'f':
                o->wave_from = std::strtoull(optarg, nullptr, 0);
                break;
            case 'x':
                o->fault = std::string("+fault=") + optarg;
                break;
            case 'q':
                o->quick = true;
                break;
            case 'u':
                o->wave_to = std::strtoull(optarg, nullptr, 0);
                break;
            default:
                return false;
        }
    }
    if (!o->test.empty() && (o->mode == "cross" || o->mode == "rtl" || o->mode == "model"))
        return true;
    std::fprintf(stderr,
                 "sim: usage: --test FILE [--out DIR] [--seed N] [--mode cross|rtl|model] "
                 "[--step N] [--quick] [--fault N] "
                 "[--wave-from CYCLE --wave-to CYCLE]\n");
    return false;
}
