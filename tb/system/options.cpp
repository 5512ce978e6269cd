// SPDX-License-Identifier: Apache-2.0
// options.cpp: what the simulation is told on its command line.
#include "options.h"

#include <getopt.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

bool wrong(const std::string &text) {
    std::fprintf(stderr, "sim: %s\n", text.c_str());
    return false;
}

bool number(const char *name, const char *text, uint64_t most, uint64_t *value) {
    const size_t digits = std::strspn(text, "0123456789");
    errno = 0;
    *value = std::strtoull(text, nullptr, 10);
    if (digits != 0 && text[digits] == '\0' && errno == 0 && *value <= most)
        return true;
    return wrong(std::string("found ") + name + " " + text + ", expected a whole number up to " +
                 std::to_string(most));
}

const char help[] =
    "Usage: sim-CONFIG --test FILE [OPTION...]\n"
    "Runs a description of sim/tests/ on the RTL and the C model in lock-step, at the sizes of\n"
    "configuration CONFIG (docs/guide/simulations.md). `make sim TEST=NAME` builds and calls it.\n"
    "\n"
    "  --test FILE        the description, JSON\n"
    "  --out DIR          where report.json and waves go (build/sim)\n"
    "  --seed N           of random gaps, latencies, back-pressure and the initial state (1)\n"
    "  --mode MODE        cross: RTL against C model (the default); rtl, model: one of them alone\n"
    "  --step N           this step alone, from 0\n"
    "  --quick            without the steps that are \"long\"\n"
    "  --fault N          with this fault of tb/faults.txt; in sim-tiny-faults and its -fst\n"
    "  --wave-from CYCLE, --wave-to CYCLE\n"
    "                     the cycles that go to waves.fst, in sim-CONFIG-fst alone, or\n"
    "                     to ports.vcd, the ports alone, in sim-CONFIG-ports\n"
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
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":", longs, nullptr)) != -1;) {
        uint64_t value = 0;
        switch (c) {
            case 't':
                o->test = optarg;
                break;
            case 'o':
                o->out = optarg;
                break;
            case 's':
                if (!number("--seed", optarg, UINT32_MAX, &value))
                    return false;
                o->seed = static_cast<uint32_t>(value);
                break;
            case 'm':
                o->mode = optarg;
                break;
            case 'n':
                if (!number("--step", optarg, INT32_MAX, &value))
                    return false;
                o->only = static_cast<int>(value);
                break;
            case 'f':
                if (!number("--wave-from", optarg, UINT64_MAX, &o->wave_from))
                    return false;
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
                if (!number("--wave-to", optarg, UINT64_MAX, &o->wave_to))
                    return false;
                break;
            case ':':
                return wrong(std::string("found no value of ") + argv[optind - 1] +
                             ", expected one; --help lists all options");
            default:
                return wrong(std::string("found ") + argv[optind - 1] +
                             ", expected an option with its value; --help lists all options");
        }
    }
    if (optind < argc)
        return wrong(std::string("found ") + argv[optind] +
                     ", expected options; --help lists all options");
    if (!o->test.empty() && (o->mode == "cross" || o->mode == "rtl" || o->mode == "model"))
        return true;
    return wrong(o->test.empty() ? "found no --test, expected --test FILE; --help lists all options"
                                 : "found --mode " + o->mode + ", expected cross, rtl or model");
}
