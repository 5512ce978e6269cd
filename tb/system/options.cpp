// SPDX-License-Identifier: Apache-2.0
// options.cpp: what the simulation is told on its command line.
#include "options.h"

#include <getopt.h>

#include <cstdio>
#include <cstdlib>

namespace {

const char help[] =
    "Usage: sim-CONFIG --test FILE [OPTION...]\n"
    "Runs a description of sim/tests/ on the RTL and the C model in lock-step, at the sizes of\n"
    "configuration CONFIG (docs/guide/simulations.md). `make sim TEST=NAME` builds and calls it.\n"
    "\n"
    "  --test FILE        the description, JSON\n"
    "  --out DIR          where report.json and waves.fst go (build/sim)\n"
    "  --seed N           of random gaps, latencies, back-pressure and the initial state (1)\n"
    "  --mode MODE        cross: RTL against C model (the default); rtl, model: one of them alone\n"
    "  --step N           this step alone, from 0\n"
    "  --quick            without the steps that are \"long\"\n"
    "  --fault N          with this fault of tb/faults.txt; in sim-tiny-faults and its -fst\n"
    "  --wave-from CYCLE, --wave-to CYCLE\n"
    "                     the cycles that go to waves.fst; in sim-CONFIG-fst alone\n"
    "  --help             this text\n"
    "\n"
    "Exit status: 0 all equal, 1 a mismatch, 2 a wrong option or input.\n";

}  // namespace

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
                            {"help", no_argument, nullptr, 'h'},
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
            case 'h':
                std::fputs(help, stdout);
                std::exit(0);
            case 'u':
                o->wave_to = std::strtoull(optarg, nullptr, 0);
                break;
            default:
                return false;
        }
    }
    if (!o->test.empty() && (o->mode == "cross" || o->mode == "rtl" || o->mode == "model"))
        return true;
    std::fprintf(stderr, "sim: %s\n",
                 o->test.empty()
                     ? "found no --test, expected --test FILE; --help lists all options"
                     : ("found --mode " + o->mode + ", expected cross, rtl or model").c_str());
    return false;
}
