// SPDX-License-Identifier: Apache-2.0
// replay_cost.cpp: what a walker that cannot tell replays costs: recorded traces behind a walker
// and a driver to which faults take time (tb/driver/twin_run.h), with replays told and not told.
//
// Of each trace and size of memory a line for each walker: evictions, faults and how they ended,
// cycles.
#include <getopt.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "driver/trace_source.h"
#include "driver/twin_run.h"

namespace {

struct Settings {
    const gmmu_config *config = gmmu_config_find("default");
    std::vector<unsigned> shares = {50, 75};  // of the distinct pages fit into memory, in percent
    std::vector<unsigned> fresh = {12};       // cfg_fresh
    unsigned search = GMMU_SEARCH_SCAN;
    uint64_t walks = UINT64_MAX;
    driver::Walker::Settings walker;
    driver::BatchDriver::Settings driver;
};

const char help[] =
    "Usage: replay-cost [OPTION...] TRACE...\n"
    "Plays recorded traces through the C model behind a walker that replays and a driver with\n"
    "batches, once with replays told to the unit, once not, and prints what each costs.\n"
    "\n"
    "  --config NAME     sizes of the unit (default: default); the frames are those of the memory\n"
    "  --memory P,...    memory, in percent of the distinct pages (default: 50,75)\n"
    "  --fresh N,...     cfg_fresh (default: 12)\n"
    "  --search NAME     scan, sample or clock (default: scan)\n"
    "  --warps N         accesses at a time (default: 256)\n"
    "  --tlbs N          walks of an access in a replay (default: 1)\n"
    "  --every N         cycles from a look-up to the next (default: 10)\n"
    "  --delay N         most cycles from a look-up to the unit (default: 200)\n"
    "  --latency N       cycles from a batch's begin to its first page (default: 20000)\n"
    "  --batch N         most faults of a batch (default: 256)\n"
    "  --prefetch N      of 1000 pages so many bring a neighbour (default: 0)\n"
    "  --walks N         walks of a trace, at most (default: all)\n"
    "  --seed N          (default: 1)\n";

[[noreturn]] void fail(const std::string &what) {
    std::fprintf(stderr, "replay-cost: %s\n", what.c_str());
    std::exit(2);
}

uint64_t number(const char *option, const char *text, uint64_t least, uint64_t most) {
    char *end;
    const uint64_t n = std::strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != 0 || n < least || n > most)
        fail(std::string("--") + option + ": found " + text + ", expected a number from " +
             std::to_string(least) + " to " + std::to_string(most));
    return n;
}

std::vector<unsigned> numbers(const char *option, std::string text, uint64_t least, uint64_t most) {
    std::vector<unsigned> all;
    for (std::size_t comma = 0; comma != std::string::npos;) {
        comma = text.find(',');
        all.push_back(
            static_cast<unsigned>(number(option, text.substr(0, comma).c_str(), least, most)));
        text.erase(0, comma == std::string::npos ? comma : comma + 1);
    }
    return all;
}

unsigned search_of(const char *name) {
    const char *const names[] = {"scan", "sample", "clock"};
    for (unsigned i = 0; i < 3; i++)
        if (std::strcmp(names[i], name) == 0)
            return i;
    fail(std::string("--search: found ") + name + ", expected scan, sample or clock");
}

// One run. False: not all accesses were served.
bool play(const std::string &path, const Settings &set, uint32_t frames, unsigned share,
          unsigned fresh, bool tells) {
    gmmu_config cfg = *set.config;
    cfg.frames = frames;
    gmmu_regs regs = gmmu_regs_default(&cfg);
    regs.search = set.search;
    regs.fresh = fresh;
    driver::Walker::Settings walker = set.walker;
    walker.tells = tells;
    driver::TraceSource trace(path, cfg.ref_w, set.walks);
    driver::TwinRun run(cfg, regs, set.driver, walker,
                        [&trace](unsigned, driver::Access *a) { return trace.next(a); });
    if (!run.good())
        fail(path + ": the unit cannot have " + std::to_string(frames) + " frames");
    const bool all = run.run() && run.walker.counts().served == run.walker.counts().accesses;
    if (!trace.error().empty())
        fail(trace.error());
    const gmmu_counters c = gmmu_tier_counters(&run.unit);
    const driver::BatchDriver::Counts &d = run.driver.counts();
    std::printf("%s,%u,%u,%u,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%u,%u,%u,%u,%u,%u,%u,%" PRIu64
                ",%s\n",
                path.substr(path.find_last_of('/') + 1).c_str(), share, frames, fresh,
                tells ? "told" : "untold", run.walker.counts().walks, run.walker.counts().repeated,
                d.evictions, c.walks, c.merged, c.again, c.lost, c.late, c.none, c.fault_drops,
                run.cycle, all ? "all" : "not all");
    (void)std::fflush(stdout);
    return all;
}

}  // namespace

int main(int argc, char **argv) {
    Settings set;
    set.walker.warps = 256;
    set.walker.every = 10;
    set.walker.delay = 200;
    set.driver.collects = 200;
    enum {
        CONFIG = 1,
        MEMORY,
        FRESH,
        SEARCH,
        WARPS,
        TLBS,
        EVERY,
        DELAY,
        LATENCY,
        BATCH,
        PREFETCH,
        WALKS,
        SEED,
        HELP
    };
    const option options[] = {{"config", 1, nullptr, CONFIG},
                              {"memory", 1, nullptr, MEMORY},
                              {"fresh", 1, nullptr, FRESH},
                              {"search", 1, nullptr, SEARCH},
                              {"warps", 1, nullptr, WARPS},
                              {"tlbs", 1, nullptr, TLBS},
                              {"every", 1, nullptr, EVERY},
                              {"delay", 1, nullptr, DELAY},
                              {"latency", 1, nullptr, LATENCY},
                              {"batch", 1, nullptr, BATCH},
                              {"prefetch", 1, nullptr, PREFETCH},
                              {"walks", 1, nullptr, WALKS},
                              {"seed", 1, nullptr, SEED},
                              {"help", 0, nullptr, HELP},
                              {nullptr, 0, nullptr, 0}};
    for (int o, at; (o = getopt_long(argc, argv, "", options, &at)) != -1;) {
        const auto n = [&](uint64_t least, uint64_t most) {
            return static_cast<unsigned>(number(options[at].name, optarg, least, most));
        };
        switch (o) {
            case CONFIG:
                set.config = gmmu_config_find(optarg);
                if (set.config == nullptr)
                    fail(std::string("--config: found ") + optarg + ", expected a configuration");
                break;
            case MEMORY:
                set.shares = numbers("memory", optarg, 1, 100);
                break;
            case FRESH:
                set.fresh = numbers("fresh", optarg, 0, 30);
                break;
            case SEARCH:
                set.search = search_of(optarg);
                break;
            case WARPS:
                set.walker.warps = n(1, 1 << 20);
                break;
            case TLBS:
                set.walker.tlbs = n(1, 1024);
                break;
            case EVERY:
                set.walker.every = n(1, 1 << 20);
                break;
            case DELAY:
                set.walker.delay = n(0, 1 << 20);
                break;
            case LATENCY:
                set.driver.latency = n(0, 1 << 30);
                break;
            case BATCH:
                set.driver.batch = n(1, 1 << 20);
                break;
            case PREFETCH:
                set.driver.prefetches = n(0, 1000);
                break;
            case WALKS:
                set.walks = number("walks", optarg, 1, UINT64_MAX);
                break;
            case SEED:
                set.walker.seed = set.driver.seed = n(0, UINT32_MAX);
                break;
            case HELP:
                (void)std::fputs(help, stdout);
                return 0;
            default:
                return 2;
        }
    }
    if (optind == argc)
        fail("found no trace, expected one or more (--help)");
    std::printf(
        "trace,memory,frames,fresh,replays,accesses,repeated,evictions,walks,joined,again,"
        "lost,late,none,drops,cycles,served\n");
    bool all = true;
    for (int i = optind; i < argc; i++) {
        driver::TraceSource whole(argv[i], set.config->ref_w, set.walks);
        const uint64_t pages = whole.count().second;
        if (!whole.error().empty())
            fail(whole.error());
        for (const unsigned share : set.shares)
            for (const unsigned fresh : set.fresh)
                for (const bool tells : {true, false}) {
                    const uint64_t frames = std::max<uint64_t>(1, pages * share / 100);
                    all &= play(argv[i], set, static_cast<uint32_t>(frames), share, fresh, tells);
                }
    }
    return all ? 0 : 1;
}
