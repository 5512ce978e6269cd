// SPDX-License-Identifier: Apache-2.0
// hir_cache_test.cpp: the HIR cache's RTL against its C twin, action by action and beat by beat,
// each in exactly the cycle that the documentation says.
//
// State space: a walk in every cycle to sparse ones; bursts to one entry, page sets of one set and
// of all, tags that differ in one bit, sets that overflow; swaps as often as they can be and as
// rare as it takes to fill the cache; generations that wrap while sets lie untouched; consumers
// that take every beat, few, none for thousands of cycles; counts of drops beyond 65535, more than
// 65536 packets; cfg_transfer that changes in any cycle; resets at any time; recorded walks.
// Parameter space: the configuration that it is built for; the three RAM collision models; random
// initial state. With bits that turn over in words as they are written: what leaves is right, or
// empty, and the log never overflows.
#include "blocks/hir_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bench.h"
#include "gmmu/trace.h"
#include "hir_cache/flipped.h"
#include "hir_cache/hir.h"

namespace {

struct Sum : bench::Outcome {
    uint64_t counted = 0, touched = 0, dropped = 0, packets = 0, skipped = 0, longest = 0,
             same_entry = 0, during_drain = 0;
    bool add(const Hir &b) {
        counted += b.counted;
        touched += b.touched;
        dropped += b.dropped;
        packets += b.packets;
        skipped += b.skipped;
        longest = std::max(longest, b.longest);
        same_entry += b.same_entry;
        during_drain += b.during_drain;
        return Outcome::add(b);
    }
};

Sum g_seen;  // of all runs: are the stimuli worth it?

bench::Outcome run(const bench::Setup &s) {
    Hir b(s);
    bench::Random any(s.seed * 31 + 7);
    const unsigned w = bench::config().hir_ways, all = bench::config().hir_sets * w;
    const unsigned many = std::min(all, 2000u);
    const Style styles[] = {
        // clang-format off
        {.walk = 1000, .fault = 30, .again = 300, .sets = kAll, .tags = w + 1, .asids = 2, .transfer = 16, .cycles = 4000},  // HPE's
        {.walk = 950, .fault = 60, .again = 200, .sets = 1, .tags = w + 1, .transfer = 6, .cycles = 4000},  // one set that overflows
        {.walk = 1000, .fault = 100, .again = 100, .sets = 2, .tags = w, .asids = 2, .transfer = 2, .cycles = 4000},  // just fitting
        // bursts to one entry
        {.walk = 1000, .fault = 20, .again = 950, .sets = 4, .tags = 3, .asids = 2, .transfer = 3, .ready = 900, .cycles = 3000},
        // conflict storms, a slow consumer
        {.walk = 980, .fault = 50, .again = 500, .sets = 3, .tags = 2 * w, .asids = 4, .transfer = 4, .ready = 300, .cycles = 3000},
        {.walk = 950, .fault = 200, .again = 400, .sets = kAll, .tags = 2, .transfer = 1, .stall = 40, .cycles = 4000},  // swaps as often as can be
        {.walk = 1000, .fault = 500, .again = 500, .sets = 2, .tags = w + 2, .asids = 2, .transfer = 1, .cycles = 4000},
        {.walk = 120, .fault = 700, .sets = kAll, .tags = 2, .transfer = 1, .cycles = 16000},  // generations wrap, sets lie untouched
        {.walk = 30, .fault = 900, .sets = 3, .tags = 2, .transfer = 1, .cycles = 10000},
        // filled; none taken for long
        {.walk = 970, .fault = 5, .again = 200, .sets = kAll, .tags = w + 4, .asids = 3, .transfer = 2, .stall = 3 * many,
         .cycles = 3ull * many + 2000},
        {.walk = 970, .fault = 50, .again = 200, .sets = kAll, .tags = w + 4, .asids = kAll, .transfer = 16, .ready = 30, .cycles = 4000},
        {.walk = 500, .fault = 500, .again = 300, .sets = 4, .tags = w, .asids = 2, .cycles = 500},  // no swap ever
        // cfg_transfer changes
        {.walk = 950, .fault = 300, .again = 300, .sets = 5, .tags = w + 1, .asids = 2, .transfer = 5, .ready = 800, .stall = 100,
         .cycles = 5000, .flicker = 30},
        {.walk = 950, .fault = 900, .again = 300, .sets = 5, .tags = w + 1, .asids = 2, .transfer = 60, .ready = 900, .stall = 20,
         .cycles = 3000, .flicker = 200},
        {.walk = 10, .fault = 500, .again = 300, .sets = 5, .tags = w + 1, .asids = 2, .transfer = 1, .cycles = 4000},  // alone in the stages
        // clang-format on
    };
    b.reset();
    for (int i = 0; i < 24 && b.ok(); i++) {
        b.reset();
        (void)b.run({.walk = 900,
                     .fault = 200,
                     .again = 300,
                     .sets = kAll,
                     .tags = w,
                     .asids = 2,
                     .transfer = 1,
                     .cycles = 40});
    }
    for (int round = 0; round < 2 && b.ok(); round++)
        for (const Style &style : styles) {
            if (!b.ok())
                break;
            if (any.below(3) == 0)
                b.reset();
            (void)b.run(style);
            if (any.below(2))
                (void)b.drain();
        }
    g_seen.add(b);
    bench::Outcome o;
    if (!o.add(b) || !bench::config().parity)
        return o;
    bench::Setup flips = s;
    flips.flip = 12;
    Flipped f(flips);
    (void)f.run(80000, 0);
    (void)f.run(80000, 1);
    f.expect_told();
    o.add(f);
    return o;
}

// More packets than numbers; a count of drops beyond its end; so many faults to a swap as the
// register can say.
bench::Outcome slow(const bench::Setup &s) {
    Hir b(s);
    const unsigned w = bench::config().hir_ways;
    b.reset();
    (void)b.run(
        {.walk = 1000, .fault = 990, .sets = kAll, .tags = 2, .transfer = 1, .cycles = 65536 * 12});
    if (b.ok() && b.packets < 65536)
        b.mismatch = {true, "hir_cache", "packets of the bench", b.cycles, b.packets, 65536, s};
    b.reset();
    for (unsigned transfer : {65535u, 65534u, 32769u})
        (void)b.run({.walk = 1000,
                     .fault = 995,
                     .sets = 2,
                     .tags = w,
                     .transfer = transfer,
                     .cycles = 2 * 65800});
    Walk hit, fault;
    hit.valid = fault.valid = fault.fault = true;
    hit.transfer = fault.transfer = 1;
    b.reset();
    const unsigned sets = bench::config().hir_sets, pages = bench::config().hir_pages;
    for (unsigned extra : {65534u, 65535u, 65536u, 65550u}) {
        for (unsigned i = 0; i < w + extra && b.ok(); i++) {
            hit.vpn = static_cast<uint64_t>(std::min(i, w)) * sets * pages &
                      bench::mask(bench::config().vpn_w);
            b.cycle(hit, true);
        }
        (void)b.drain();
    }
    bench::Outcome o;
    o.add(b);
    return o;
}

#ifdef GMMU_FAULTS

TEST(HirCacheFaults, EachIsSeen) {
    bench::expect_faults_seen("hir_cache", 1, [](const bench::Setup &s) {
        bench::Outcome o = run(s);
        if (o.mismatch.found || std::string(s.ram) != "garbage")
            return o;
        const bench::Outcome rest = slow(s);
        o.actions += rest.actions;
        o.cycles += rest.cycles;
        o.mismatch = rest.mismatch;
        return o;
    });
}

#else

TEST(HirCache, LockStep) {
    g_seen = {};
    bench::expect_lockstep("hir_cache", 4, run);
    if (bench::actions_of_run() != 0)
        return;  // at any sizes
    std::printf("hir_cache: %" PRIu64 " counted (%" PRIu64 " once more the page before, %" PRIu64
                " while the other bank drains), %" PRIu64 " first touches, %" PRIu64
                " dropped, %" PRIu64 " packets of at most %" PRIu64 " records, %" PRIu64
                " swaps skipped\n",
                g_seen.counted, g_seen.same_entry, g_seen.during_drain, g_seen.touched,
                g_seen.dropped, g_seen.packets, g_seen.longest, g_seen.skipped);
    const unsigned thinned = bench::quick() ? 3 : 1;
    EXPECT_GT(g_seen.same_entry, 10000u / thinned);
    EXPECT_GT(g_seen.during_drain, 10000u / thinned);
    EXPECT_GT(g_seen.touched, 10000u / thinned);
    EXPECT_GT(g_seen.dropped, 10000u / thinned);
    EXPECT_GT(g_seen.packets, 5000u / thinned);
    EXPECT_GT(g_seen.skipped, 1000u / thinned);
    EXPECT_GE(
        g_seen.longest,
        std::min(bench::config().hir_sets * bench::config().hir_ways, 1024u / thinned) * 9 / 10);
}

TEST(HirCache, WordsThatTurnBad) {
    if (!bench::config().parity)
        return;
    for (const char *ram : {"garbage", "old", "new"}) {
        Flipped b({.ram = ram, .seed = bench::seed_of_run(), .flip = 12});
        EXPECT_TRUE(b.run(100000, 0)) << b.mismatch.text();
        EXPECT_TRUE(b.run(100000, 1)) << b.mismatch.text();
        b.expect_told();
        EXPECT_FALSE(b.mismatch.found) << b.mismatch.text();
        std::printf("hir_cache (%s): %" PRIu64 " hits, %" PRIu64 " dropped; %" PRIu64
                    " words turned bad; of %" PRIu64 " records %" PRIu64 " empty\n",
                    GMMU_CONFIG_NAME, b.hits, b.dropped, b.turns, b.records, b.empty);
    }
}

TEST(HirCache, NumbersWrapAndDropsSaturate) {
    const bench::Outcome o = slow({.ram = "garbage", .seed = bench::seed_of_run()});
    EXPECT_FALSE(o.mismatch.found) << o.mismatch.text();
}

// A hit in every cycle, to one entry, to one set, to all, while the other bank drains: each is done
// five cycles later (the bench compares that in every cycle), and none is lost where there is room.
TEST(HirCache, OneHitACycle) {
    const gmmu_hir_config c = hir_config();
    const unsigned entries = c.sets * c.ways, n = 4 * entries + 1000;
    Hir b({.ram = "garbage", .seed = bench::seed_of_run()});
    b.reset();
    Walk fault;
    fault.valid = fault.fault = true;
    fault.transfer = 1;
    uint64_t hits = 0, wanted = 0;
    for (int round = 0; round < 6 && b.ok(); round++) {
        for (unsigned i = 0; i < n && b.ok(); i++) {
            Walk w;
            w.valid = true;
            w.transfer = 1;
            // all sets; one set; one entry
            const uint64_t set = round % 3 == 0   ? i % entries
                                 : round % 3 == 1 ? i % c.ways * c.sets
                                                  : 0;
            w.vpn = (set * c.pages + i % 3 % c.pages) & bench::mask(c.vpn_w);
            b.cycle(w, i % 2 == 0);
            wanted++;
        }
        b.cycle(fault, true);
    }
    for (unsigned i = 0; i < 3 * entries + 30 && b.ok(); i++) b.cycle({}, true);
    hits = b.counted + b.touched;
    EXPECT_FALSE(b.mismatch.found) << b.mismatch.text();
    EXPECT_EQ(b.hits, wanted);
    EXPECT_EQ(hits, wanted);
    EXPECT_EQ(b.dropped, 0u);
    EXPECT_GE(b.packets, 3u);
    EXPECT_GT(b.during_drain, 3u * entries);
}

// ======== recorded walks

using Page = std::pair<uint32_t, uint64_t>;

struct Traced {
    std::vector<Page> walks;
    std::size_t pages = 0;  // distinct ones
};

// The first so many walks of a trace, as wide as the block's pages.
Traced read_trace(const std::string &path, std::size_t most) {
    Traced t;
    gmmu_error err;
    gmmu_reader *r = gmmu_reader_open(path.c_str(), &err);
    EXPECT_NE(r, nullptr) << err.text;
    if (r == nullptr)
        return t;
    std::map<Page, bool> seen;
    gmmu_walk w;
    int status = GMMU_OK;
    while (t.walks.size() < most && (status = gmmu_reader_next(r, &w, &err)) == GMMU_OK) {
        const Page p = {w.asid & static_cast<uint32_t>(bench::mask(bench::config().asid_w)),
                        w.vpn & bench::mask(bench::config().vpn_w)};
        t.walks.push_back(p);
        seen[p] = true;
    }
    EXPECT_NE(status, GMMU_BAD) << err.text;
    gmmu_reader_close(r);
    t.pages = seen.size();
    return t;
}

// Hits and faults by LRU in memory for 75 % of the pages.
class Lru {
   public:
    explicit Lru(std::size_t frames) : frames_(std::max<std::size_t>(1, frames)) {}
    bool access(const Page &p) {
        const auto at = where_.find(p);
        const bool hit = at != where_.end();
        if (hit) {
            order_.erase(at->second);
        } else if (where_.size() == frames_) {
            where_.erase(order_.back());
            order_.pop_back();
        }
        order_.push_front(p);
        where_[p] = order_.begin();
        return hit;
    }

   private:
    std::size_t frames_;
    std::list<Page> order_;
    std::map<Page, std::list<Page>::iterator> where_;
};

// Short forms of a few traces; with GMMU_LONG (make conformance) the whole of all, dense and with
// gaps.
TEST(HirCache, RecordedWalks) {
    const bool all = std::getenv("GMMU_LONG") != nullptr;
    const char *root = std::getenv("GMMU_ROOT");
    const std::string folder = std::string(root ? root : ".") + "/sim/traces";
    std::vector<std::string> paths;
    for (const auto &entry : std::filesystem::directory_iterator(folder)) {
        const std::string ext = entry.path().extension();
        const std::string name = entry.path().stem();
        if ((ext == ".walk" || ext == ".gwt") &&
            (all || name == "bfs" || name == "sad" || name == "spmv" || name == "histo"))
            paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    ASSERT_GE(paths.size(), all ? 39u : 4u);
    uint64_t walks = 0, packets = 0, dropped = 0, hits = 0, cycles = 0;
    for (const std::string &path : paths) {
        const Traced t = read_trace(path, all ? SIZE_MAX : 15000);
        ASSERT_FALSE(t.walks.empty()) << path;
        Hir b({.ram = "garbage", .seed = bench::seed_of_run()});
        bench::Random rng(t.walks.size());
        Lru memory(t.pages * 3 / 4);
        b.reset();
        const unsigned gap = static_cast<unsigned>(rng.below(4)) * 200;  // permille of the cycles
        for (const Page &p : t.walks) {
            Walk w;
            w.transfer = 16;
            while (rng.chance(gap) && b.ok()) b.cycle(w, rng.chance(900));
            w.valid = true;
            w.asid = p.first;
            w.vpn = p.second;
            w.fault = !memory.access(p);
            b.cycle(w, rng.chance(900));
            if (!b.ok())
                break;
        }
        b.drain();
        ASSERT_FALSE(b.mismatch.found) << path << ": " << b.mismatch.text();
        EXPECT_EQ(b.hits + b.faults, t.walks.size() + 1) << path;
        walks += t.walks.size();
        hits += b.hits;
        packets += b.packets;
        dropped += b.dropped;
        cycles += b.cycles;
    }
    std::printf("hir_cache (%s): %" PRIu64 " recorded walks of %zu traces compared in %" PRIu64
                " cycles: %" PRIu64 " hits, %" PRIu64 " dropped, %" PRIu64 " packets\n",
                GMMU_CONFIG_NAME, walks, paths.size(), cycles, hits, dropped, packets);
    EXPECT_GT(packets, 10u);
}

#endif

}  // namespace
