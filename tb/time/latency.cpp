// SPDX-License-Identifier: Apache-2.0
// latency.cpp: cycles of the RTL alone, on recorded traces: from a fault to its decision, from the
// last event to `quiet`, and from a decision to the next one for which a fault waits
// (docs/guide/on_chip.md).
//
// The first hits and faults of a trace go by one a cycle. A walker with one fault at a time waits
// for the decision and its FILL; a walker with batches goes on until so many faults are
// outstanding. The driver takes each decision at once, and needs no time for the page.
#include <getopt.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "driver/trace_source.h"
#include "system/unit.h"

namespace {

const char help[] =
    "Usage: latency-default [OPTION...] TRACE...\n"
    "Plays the begin of recorded traces to the RTL, and prints cycles as CSV.\n"
    "\n"
    "  --memory P,...    memory, in percent of the distinct pages (default: 25,50,75)\n"
    "  --search NAME,... scan, sample, clock (default: scan,sample)\n"
    "  --victims N       a run ends after so many victims (default: 500)\n"
    "  --batch N,...     faults outstanding at a time (default: 1,64)\n"
    "  --pause N         with a fault at a time, every N walks the walker waits for `quiet`\n"
    "                    (default: 97; 0: never)\n"
    "  --rit N           cfg_rit_batch (default: 0, no records)\n"
    "  --seed N          of the registers' first content (default: 1)\n";

struct Settings {
    std::vector<std::string> memory = {"25", "50", "75"}, search = {"scan", "sample"},
                             batch = {"1", "64"};
    uint64_t victims = 500, pause = 97;
    uint32_t rit = 0, seed = 1;
};

[[noreturn]] void fail(const std::string &what) {
    std::fprintf(stderr, "latency: %s\n", what.c_str());
    std::exit(2);
}

uint64_t number(const char *option, const std::string &text, uint64_t least, uint64_t most) {
    char *end;
    const uint64_t n = std::strtoull(text.c_str(), &end, 10);
    if (text.empty() || text[0] < '0' || text[0] > '9' || *end != 0 || n < least || n > most)
        fail(std::string("--") + option + ": found " + text + ", expected a number from " +
             std::to_string(least) + " to " + std::to_string(most));
    return n;
}

std::vector<std::string> words(std::string text) {
    std::vector<std::string> all;
    for (std::size_t comma = 0; comma != std::string::npos;) {
        comma = text.find(',');
        all.push_back(text.substr(0, comma));
        text.erase(0, comma == std::string::npos ? comma : comma + 1);
    }
    return all;
}

unsigned search_of(const std::string &name) {
    const char *const names[] = {"scan", "sample", "clock"};
    for (unsigned i = 0; i < 3; i++)
        if (name == names[i])
            return i;
    fail("--search: found " + name + ", expected scan, sample or clock");
}

// Counts of cycles: how many, the middle, the 99th of 100, the most.
class Sample {
   public:
    void add(uint64_t cycles) { all_.push_back(cycles); }
    std::size_t size() const { return all_.size(); }
    std::string csv() {
        std::sort(all_.begin(), all_.end());
        if (all_.empty())
            return "0,,,,";
        const auto at = [this](unsigned percent) {
            return std::to_string(all_[(all_.size() - 1) * percent / 100]);
        };
        return std::to_string(all_.size()) + "," + at(0) + "," + at(50) + "," + at(99) + "," +
               at(100);
    }

   private:
    std::vector<uint64_t> all_;
};

class Run {
   public:
    Sample free, victim, quiet;
    Sample next_free, next_victim;  // since the decision before, for which the fault waited

    Run(const gmmu_config &cfg, const gmmu_regs &regs, const Settings &set, unsigned most)
        : set_(set), most_(most), unit_(cfg, regs, rtl_alone(set)) {}

    // False: the unit ends no reset, a decision does not come, or a victim is not where the driver
    // has it.
    bool play(driver::TraceSource *trace) {
        if (!unit_.reset())
            return false;
        uint64_t walks = 0;
        driver::Access a;
        while (victims_ < set_.victims && trace->next(&a)) {
            const auto at = frame_of_.find(a.page);
            const bool fault = at == frame_of_.end();
            if (fault && asked_.count(a.page) != 0)
                continue;  // its walk waits for the page
            gmmu_tier_walk_in in = {};
            in.vpn = a.page.second;
            in.asid = a.page.first;
            in.ref = a.ref;
            in.write = a.write;
            in.fault = fault;
            in.frame = fault ? 0 : at->second;
            unit_.offer_walk(in);
            if (fault) {
                asked_[a.page] = now();
            }
            step();
            if (asked_.size() >= most_ && !serve())
                return false;
            if (set_.pause != 0 && ++walks % set_.pause == 0 && most_ == 1 && quiet.size() < PAUSES)
                rest();
        }
        return serve() && good_ && unit_.drv_errors() == 0 && unit_.fault_drops() == 0;
    }
    uint64_t cycles() const { return unit_.did().cycles; }

   private:
    const Settings &set_;
    const unsigned most_;
    Unit unit_;
    std::map<driver::Page, uint32_t> frame_of_;
    std::map<driver::Page, uint64_t> asked_;   // outstanding: the cycle of the fault
    std::vector<gmmu_tier_decision> waiting_;  // decisions that were taken
    std::vector<driver::Page> again_;          // decisions NONE: to be asked for
    uint32_t used_ = 0;
    uint64_t victims_ = 0, decided_ = 0;
    bool good_ = true;

    static Options rtl_alone(const Settings &set) {
        Options o;
        o.mode = "rtl";
        o.seed = set.seed;
        return o;
    }
    uint64_t now() const { return unit_.did().cycles; }
    // One cycle; a decision is taken at once.
    Cycle step() {
        unit_.take_decisions(true);
        const Cycle c = unit_.cycle();
        if (c.decided)
            take(c.decision);
        return c;
    }
    void take(const gmmu_tier_decision &d) {
        const driver::Page page = driver::page_of(d);
        const auto asked = asked_.find(page);
        if (asked == asked_.end() || d.tier == GMMU_TIER_3) {
            good_ = false;
            return;
        }
        if (d.tier == GMMU_TIER_NONE) {  // walks used all candidates meanwhile
            again_.push_back(page);
            return;
        }
        (d.tier == GMMU_TIER_FREE ? free : victim).add(now() - asked->second);
        if (asked->second < decided_)
            (d.tier == GMMU_TIER_FREE ? next_free : next_victim).add(now() - decided_);
        decided_ = now();
        if (d.tier == GMMU_TIER_2) {
            const auto left = frame_of_.find(driver::Page(d.victim_asid, d.victim_vpn));
            good_ = good_ && left != frame_of_.end() && left->second == d.frame;
            if (left != frame_of_.end())
                frame_of_.erase(left);  // unmapped
            victims_++;
        }
        waiting_.push_back(d);
    }
    // All outstanding faults are decided, and their pages come.
    bool serve() {
        const std::size_t faults = asked_.size();
        for (uint64_t until = now() + LIMIT; waiting_.size() < faults && good_; step()) {
            if (now() > until)
                return false;
            if (again_.empty())
                continue;
            unit_.offer_drv(driver::operation(GMMU_ASK, 0, again_.back()));
            again_.pop_back();
            while (!step().drv_taken) {
            }
        }
        for (const gmmu_tier_decision &d : waiting_) {
            gmmu_tier_drv_in fill = {};
            fill.op = GMMU_FILL;
            fill.vpn = d.vpn;
            fill.asid = d.asid;
            fill.frame = d.tier == GMMU_TIER_FREE ? used_++ : d.frame;
            unit_.offer_drv(fill);
            while (!step().drv_taken) {
            }
            frame_of_[driver::page_of(d)] = fill.frame;
        }
        waiting_.clear();
        asked_.clear();
        return good_;
    }
    void rest() {
        const uint64_t from = now();
        for (unsigned n = 0; n < 2 && now() < from + LIMIT;) n = step().quiet ? n + 1 : 0;
        quiet.add(now() - from - 1);
    }
    enum : uint64_t { LIMIT = 4000000, PAUSES = 25 };
};

void print(const std::string &where, const char *what, Sample *s) {
    if (s->size() != 0)
        std::printf("%s,%s,%s\n", where.c_str(), what, s->csv().c_str());
}

void play(const std::string &path, const Settings &set, const std::string &share,
          const std::string &search, const std::string &batch) {
    const gmmu_config &cfg = config_of_unit();
    driver::TraceSource whole(path, cfg.ref_w);
    const uint64_t pages = whole.count().second;
    if (!whole.error().empty())
        fail(whole.error());
    const uint64_t frames = pages * number("memory", share, 1, 100) / 100;
    if (frames == 0 || frames > cfg.frames) {
        std::fprintf(stderr,
                     "latency: %s, %s %%: left out with %" PRIu64 " frames, expected 1 to %u\n",
                     path.c_str(), share.c_str(), frames, cfg.frames);
        return;
    }
    gmmu_regs regs = gmmu_regs_default(&cfg);
    regs.frames = static_cast<uint32_t>(frames);
    regs.search = search_of(search);
    regs.rit_batch = set.rit;
    const auto most = static_cast<unsigned>(number("batch", batch, 1, cfg.notes));
    driver::TraceSource trace(path, cfg.ref_w);
    Run run(cfg, regs, set, most);
    if (!run.play(&trace))
        fail(path + ": the unit did not answer as its driver expects");
    const std::string where = path.substr(path.find_last_of('/') + 1) + "," + share + "," +
                              std::to_string(frames) + "," + search + "," + batch;
    print(where, "free", &run.free);
    print(where, "victim", &run.victim);
    print(where, "next free", &run.next_free);
    print(where, "next victim", &run.next_victim);
    print(where, "quiet", &run.quiet);
    (void)std::fflush(stdout);
}

}  // namespace

int main(int argc, char **argv) {
    Settings set;
    enum { MEMORY = 1, SEARCH, VICTIMS, BATCH, PAUSE, RIT, SEED, HELP };
    const option options[] = {{"memory", 1, nullptr, MEMORY},   {"search", 1, nullptr, SEARCH},
                              {"victims", 1, nullptr, VICTIMS}, {"batch", 1, nullptr, BATCH},
                              {"pause", 1, nullptr, PAUSE},     {"rit", 1, nullptr, RIT},
                              {"seed", 1, nullptr, SEED},       {"help", 0, nullptr, HELP},
                              {nullptr, 0, nullptr, 0}};
    for (int o; (o = getopt_long(argc, argv, "", options, nullptr)) != -1;) switch (o) {
            case MEMORY:
                set.memory = words(optarg);
                break;
            case SEARCH:
                set.search = words(optarg);
                break;
            case VICTIMS:
                set.victims = number("victims", optarg, 1, UINT64_MAX);
                break;
            case BATCH:
                set.batch = words(optarg);
                break;
            case PAUSE:
                set.pause = number("pause", optarg, 0, UINT64_MAX);
                break;
            case RIT:
                set.rit = static_cast<uint32_t>(number("rit", optarg, 0, 128));
                break;
            case SEED:
                set.seed = static_cast<uint32_t>(number("seed", optarg, 1, 65535));
                break;
            case HELP:
                std::fputs(help, stdout);
                return 0;
            default:
                return 2;
        }
    if (optind == argc) {
        std::fputs(help, stderr);
        return 2;
    }
    std::printf("trace,memory,frames,search,batch,what,times,least,median,of_100_99,most\n");
    for (int i = optind; i < argc; i++)
        for (const std::string &share : set.memory)
            for (const std::string &search : set.search)
                for (const std::string &batch : set.batch) play(argv[i], set, share, search, batch);
    return 0;
}
