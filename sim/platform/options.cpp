// SPDX-License-Identifier: Apache-2.0
// options.cpp: see options.h.
#include "options.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "parameters.h"

namespace {

const char *const usage =
    "Usage: platform TRACE [OPTION=VALUE | OPTION VALUE]...\n"
    "Plays a walk trace on a GPU with its driver, link, host memory and SSD\n"
    "(docs/guide/platform.md). A value in brackets is the default.\n"
    "\n"
    "  --policy P      decides who leaves: unit, the unit; none: all pages are resident; or a\n"
    "                  policy of gmmu replay with its options (unit)\n"
    "  --model M       model of the unit: lt, the C twin; rtl; or rtl-ring: the RTL with the\n"
    "                  driver behind registers and rings in memory (lt)\n"
    "  --config C      sizes of the unit: tiny, default, onchip, large (default; with rtl and\n"
    "                  rtl-ring: the sizes of the program)\n"
    "  --driver D      driver of the unit. unit: by the unit's victims; hpe: HPE's page set\n"
    "                  chain behind m_axis_hir; rimm: the RIMM host behind m_axis_rit;\n"
    "                  duel: by the unit's victims, with a duel of shares that sets\n"
    "                  cfg_protect (unit)\n"
    "  --place P       cfg_tier of the unit, with --tier2: order, random, reuse or priority\n"
    "                  (priority)\n"
    "  --search S      cfg_search of the unit: scan, sample or clock (scan; with tiers as\n"
    "                  policy tier)\n"
    "  --frames N      GPU memory: pages, or a percentage of the distinct pages (50%)\n"
    "  --distinct N    the trace has N distinct pages: a percentage then needs no second reading\n"
    "                  of the trace, which may be a pipe. Checked at the end\n"
    "  --tier2 N       host memory: pages, or a multiple of the frames (4x); all other pages\n"
    "                  are on the SSD. Without --tier2 all other pages are in host memory\n"
    "  --page SIZE     larger pages than the trace's: 64K, 2M or any power of two in bytes\n"
    "  --walks N       only the first N walks of the trace\n"
    "  --seed N        seed of the random choices of policies (1)\n"
    "  --parameters F  file of parameters (config/platform.json)\n"
    "  --set KEY=VALUE one parameter, after the file; may be repeated\n"
    "  --format F      table, csv or json (table)\n"
    "  --series 1      with json: depths of the queues over time\n"
    "  --timeline F    writes all events with their times to F, for Perfetto\n"
    "  --lose-copy N, --lose-batch N, --lose-resume N, --lose-decision N\n"
    "                  loses the N-th one, which the watchdog must report (resume: a warp's, or\n"
    "                  a replay of the GPU)\n"
    "  --lose-others N a batch that has no frame for its pages takes no others, from the N-th on\n";

uint64_t number(const std::string &name, const std::string &text) {
    char *end = nullptr;
    errno = 0;
    const uint64_t n = std::strtoull(text.c_str(), &end, 10);
    if (text.empty() || text[0] < '0' || text[0] > '9' || *end != 0 || errno != 0 || n == 0)
        bad("--" + name + ": found " + text + ", expected a whole number, at least 1");
    return n;
}

void one_of(const std::string &name, const std::string &text,
            const std::vector<std::string> &words) {
    std::string all;
    for (const std::string &w : words) {
        if (text == w)
            return;
        all += (all.empty() ? "" : " or ") + w;
    }
    bad("--" + name + ": found " + text + ", expected " + all);
}

struct Text {
    const char *name;
    std::string *to;
};
struct Number {
    const char *name;
    uint64_t *to;
};

void take(Options *o, const std::string &name, const std::string &value) {
    const Text texts[] = {
        {"policy", &o->policy},         {"model", &o->model},       {"config", &o->config},
        {"frames", &o->frames},         {"tier2", &o->tier2},       {"format", &o->format},
        {"parameters", &o->parameters}, {"timeline", &o->timeline}, {"driver", &o->driver},
        {"place", &o->place},           {"search", &o->search},     {"page", &o->page},
    };
    const Number numbers[] = {
        {"walks", &o->walks},
        {"seed", &o->seed},
        {"distinct", &o->distinct},
        {"lose-copy", &o->lose_copy},
        {"lose-batch", &o->lose_batch},
        {"lose-resume", &o->lose_resume},
        {"lose-decision", &o->lose_decision},
        {"lose-others", &o->lose_others},
    };
    for (const Text &t : texts) {
        if (name == t.name) {
            *t.to = value;
            return;
        }
    }
    for (const Number &n : numbers) {
        if (name == n.name) {
            *n.to = number(name, value);
            return;
        }
    }
    if (name == "set")
        o->set.push_back(value);
    else if (name == "series")
        o->series = number(name, value) != 0;
    else
        bad("found --" + name + ", expected an option of --help");
}

}  // namespace

bool parse_options(int argc, char **argv, Options *o) {
    for (int i = 1; i < argc; i++) {
        const std::string arg = argv[i];
        if (arg == "--help") {
            std::fputs(usage, stdout);
            return false;
        }
        if (arg.compare(0, 2, "--") != 0) {
            if (!o->trace.empty())
                bad("found " + arg + ", expected one trace, which is " + o->trace);
            o->trace = arg;
            continue;
        }
        const size_t at = arg.find('=');
        if (at != std::string::npos) {
            take(o, arg.substr(2, at - 2), arg.substr(at + 1));
        } else if (i + 1 < argc) {
            take(o, arg.substr(2), argv[i + 1]);
            i++;
        } else {
            bad("found " + arg + " without a value, expected one");
        }
    }
    if (o->trace.empty())
        bad("found no trace, expected platform TRACE");
    one_of("model", o->model, {"lt", "rtl", "rtl-ring"});
    one_of("driver", o->driver, {"unit", "hpe", "rimm", "duel"});
    one_of("format", o->format, {"table", "csv", "json"});
    return true;
}
