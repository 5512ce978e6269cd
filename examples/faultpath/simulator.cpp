// SPDX-License-Identifier: Apache-2.0
// simulator.cpp: the loop of a GPU simulator around FaultPath, in the parts of GPGPU-Sim's class
// gmmu_t with UVM Smart: walks that take time, accesses that wait for a page, a link that brings a
// page at a time, a link that writes victims back. The accesses are those of a walk trace.
//
// With --at-once nothing takes time: faults, evictions and write-backs are those of
// `gmmu replay --policy leu:search=sample`.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <set>
#include <string>

#include "fault_path.h"
#include "gmmu/trace.h"

namespace {

enum : uint64_t { WALK = 100, FAULT = 20000, BRING = 400, WRITE = 400 };  // cycles
constexpr unsigned WARPS = 256;                                           // accesses at a time

struct Times {
    uint64_t walk, fault, bring, write;
};

[[noreturn]] void fail(const std::string &what) {
    std::fprintf(stderr, "simulator: %s\n", what.c_str());
    std::exit(2);
}

struct Access {
    FaultPath::Page page;
    uint64_t pc;
    bool write;
};

std::vector<Access> read(const char *path) {
    std::vector<Access> all;
    gmmu_error err = {};
    gmmu_reader *trace = gmmu_reader_open(path, &err);
    gmmu_walk w;
    int got = trace != nullptr ? GMMU_OK : GMMU_BAD;
    while (got == GMMU_OK && (got = gmmu_reader_next(trace, &w, &err)) == GMMU_OK)
        all.push_back({{w.asid, w.vpn}, w.ref, w.write});
    gmmu_reader_close(trace);
    if (got == GMMU_BAD)
        fail(err.text);
    return all;
}

class Simulator {
   public:
    Simulator(uint32_t frames, unsigned warps, Times times)
        : path_(frames, warps), warps_(warps), times_(times), free_(frames) {}

    // Cycles until all accesses are served.
    uint64_t run(const std::vector<Access> &accesses) {
        std::size_t next = 0, served = 0;
        while (served < accesses.size()) {
            // one access a cycle goes to the walker, if a warp is ready
            if (next < accesses.size() && next - served < warps_)
                walks_.push_back({accesses[next++], cycle_ + times_.walk});
            while (!walks_.empty() && walks_.front().ready <= cycle_) {
                const Access a = walks_.front().access;
                walks_.pop_front();
                if (path_.walk(a.page, a.pc, a.write)) {
                    served++;
                    rescue(a.page);
                } else {
                    waiting_[a.page]++;
                }
            }
            decide();
            served += link();
            cycle_++;
        }
        while (!writes_.empty()) {
            cycle_++;
            (void)link();
        }
        return cycle_;
    }
    const FaultPath &path() const { return path_; }
    uint64_t kept() const { return kept_; }

   private:
    struct Walking {
        Access access;
        uint64_t ready;
    };
    struct Coming {
        FaultPath::Page page;
        uint64_t ready;  // of the driver's time for a fault
    };
    FaultPath path_;
    const unsigned warps_;
    const Times times_;
    uint64_t cycle_ = 0, bring_until_ = 0, write_until_ = 0, free_;
    bool bringing_ = false, writing_ = false;
    std::deque<Walking> walks_;
    std::map<FaultPath::Page, uint64_t> waiting_;           // accesses that wait for a page
    std::deque<Coming> reads_;                              // decided, and not yet under way
    std::deque<FaultPath::Page> writes_;                    // victims that are not yet unmapped
    std::map<FaultPath::Page, FaultPath::Page> comes_for_;  // of a victim: whose victim it is
    uint64_t kept_ = 0;

    // A page that was to leave is used, and is still mapped: the page stays, and the fault whose
    // victim the page was gets another decision.
    void rescue(FaultPath::Page page) {
        const auto w = std::find(writes_.begin(), writes_.end(), page);
        if (w == writes_.end())
            return;
        const FaultPath::Page comes = comes_for_.at(page);
        const auto r = std::find_if(reads_.begin(), reads_.end(),
                                    [&comes](const Coming &c) { return c.page == comes; });
        if (bringing_ && r == reads_.begin())
            return;
        writes_.erase(w);
        reads_.erase(r);
        path_.keep(comes);
        path_.ask(comes);
        kept_++;
    }
    // The driver's side of a fault: the page is queued for the link, its victim for the way back.
    void decide() {
        FaultPath::Decision d;
        while (path_.decision(&d)) {
            if (d.nobody) {
                path_.ask(d.page);
                return;  // later
            }
            if (d.leaves) {
                writes_.push_back(d.victim);
                comes_for_[d.victim] = d.page;
            }
            reads_.push_back({d.page, cycle_ + times_.fault});
        }
    }
    // Both directions of the link. Returns the accesses that are served.
    uint64_t link() {
        uint64_t served = 0;
        for (bool moved = true; moved;) {
            moved = false;
            if (writing_ && cycle_ >= write_until_) {
                writing_ = false;
                free_++;
                moved = true;
            }
            if (!writing_ && !writes_.empty()) {
                const bool dirty = path_.unmapped(writes_.front());  // and it leaves the TLBs
                writes_.pop_front();
                write_until_ = cycle_ + (dirty ? times_.write : 0);
                writing_ = moved = true;
            }
            if (bringing_ && cycle_ >= bring_until_) {
                const FaultPath::Page page = reads_.front().page;
                reads_.pop_front();
                path_.arrived(page);
                served += waiting_[page];
                waiting_.erase(page);
                bringing_ = false;
                moved = true;
            }
            if (!bringing_ && !reads_.empty() && reads_.front().ready <= cycle_ && free_ > 0) {
                free_--;
                bring_until_ = cycle_ + times_.bring;
                bringing_ = moved = true;
            }
        }
        return served;
    }
};

}  // namespace

int main(int argc, char **argv) {
    const bool at_once = argc == 4 && std::strcmp(argv[3], "--at-once") == 0;
    if (argc != 3 && !at_once)
        fail("expected TRACE FRAMES [--at-once]; FRAMES may be in percent of the pages");
    const std::vector<Access> accesses = read(argv[1]);
    std::set<FaultPath::Page> pages;
    for (const Access &a : accesses) pages.insert(a.page);
    const std::string size = argv[2];
    const uint64_t number = std::strtoull(argv[2], nullptr, 10);
    const auto frames =
        static_cast<uint32_t>(size.back() == '%' ? pages.size() * number / 100 : number);
    if (frames == 0)
        fail("found " + size + ", expected at least one frame");
    Simulator sim(frames, at_once ? 1U : WARPS,
                  at_once ? Times{0, 0, 0, 0} : Times{WALK, FAULT, BRING, WRITE});
    const uint64_t cycles = sim.run(accesses);
    const FaultPath &p = sim.path();
    std::printf("%zu,%zu,%u,%llu,%llu,%llu\n", accesses.size(), pages.size(), frames,
                static_cast<unsigned long long>(p.faults()),
                static_cast<unsigned long long>(p.evictions()),
                static_cast<unsigned long long>(p.writebacks()));
    if (!at_once)
        std::printf("%llu cycles, %llu victims kept\n", static_cast<unsigned long long>(cycles),
                    static_cast<unsigned long long>(sim.kept()));
    if (p.errors() != 0)
        fail(
            "the unit refused an operation, dropped a fault, or met a hit of a page that had left");
    return 0;
}
