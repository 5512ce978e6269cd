// SPDX-License-Identifier: Apache-2.0
// rdgc_test.cpp: the GPU cache model on cases worked by hand, the paper's Tables 1 and 3 among
// them, and on random lists against plain lists. docs/rdgc.md states the semantics; R1 … are in
// docs/decisions.md.
//
// A cache's steps are written as one line each, such as
//     "+A +C  0.0 E miss 9  1.1 F fail | 2"
// "+A": A fills; "0.0 E miss 9": bank 0, port 0, block E, status, RD (K = infinite); "| 2": free
// MSHRs. Banks are numbered over all partitions. Blocks are A = 0, B = 1 … and numbers from 26 on.
#include "rdgc/rdgc.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "simt/kernels/kernels.h"

namespace {

using Steps = std::vector<std::string>;

std::string name_of(uint64_t block) {
    return block < 26 ? std::string(1, static_cast<char>('A' + block)) : std::to_string(block);
}

// One bank, one port, one fully associative set of four blocks of 32 bytes; one MSHR set of four
// without merges; a fixed latency of one step.
gmmu_rdgc_cache_config small() {
    gmmu_rdgc_cache_config c = gmmu_rdgc_defaults().l1;
    c.block = 32;
    c.ways = 4;
    c.capacity = 4 * 32;
    c.ports = 1;
    c.index = GMMU_RDGC_MOD;
    c.bypass = GMMU_RDGC_OFF;
    c.mshrs = 4;
    c.merges = 0;
    c.adaptive = false;
    c.latency = 1;
    return c;
}

gmmu_rdgc_cache_config sets(gmmu_rdgc_cache_config c, uint32_t n) {
    c.capacity = static_cast<uint64_t>(c.block) * c.ways * c.partitions * c.banks * n;
    return c;
}

struct Access {
    unsigned warp;
    uint64_t block;
    bool write = false;
};

// "0AB 1Cd": warp 0 reads A and B, warp 1 reads C and writes D.
std::vector<Access> parse(const std::string &text) {
    std::vector<Access> list;
    unsigned warp = 0;
    for (const char x : text)
        if (x >= '0' && x <= '9')
            warp = static_cast<unsigned>(x - '0');
        else if (x >= 'A' && x <= 'Z')
            list.push_back({warp, static_cast<uint64_t>(x - 'A'), false});
        else if (x >= 'a' && x <= 'z')
            list.push_back({warp, static_cast<uint64_t>(x - 'a'), true});
    return list;
}

// A cache whose steps are written down.
class Log {
   public:
    explicit Log(const gmmu_rdgc_cache_config &c, bool watched = true, uint64_t seed = 1)
        : config(c), watch{this, update, access, step} {
        gmmu_error err{};
        cache = gmmu_rdgc_cache_create(&c, seed, &err);
        EXPECT_NE(cache, nullptr) << err.text;
        if (watched)
            gmmu_rdgc_cache_watch(cache, &watch);
        EXPECT_EQ(gmmu_rdgc_cache_reserve(cache, 4096, &err), GMMU_OK);
        EXPECT_EQ(gmmu_rdgc_cache_reserve(cache, 10, &err), GMMU_OK);
    }
    Log(const Log &) = delete;
    Log &operator=(const Log &) = delete;
    ~Log() { gmmu_rdgc_cache_destroy(cache); }

    // What went on to the next level: "A@0" is A, in step 0.
    std::string profile(const std::vector<Access> &list) {
        std::vector<gmmu_rdgc_access> w;
        for (const Access &a : list)
            w.push_back({a.block, 0, static_cast<uint16_t>(a.warp), a.write});
        std::vector<gmmu_rdgc_sent> sent(w.size() + 1);
        const size_t n = gmmu_rdgc_cache_profile(cache, w.data(), w.size(), sent.data());
        std::string text;
        for (size_t i = 0; i < n; i++)
            text += (i > 0 ? " " : "") + name_of(w[sent[i].access].block) + "@" +
                    std::to_string(sent[i].step);
        return text;
    }
    std::string profile(const std::string &text) { return profile(parse(text)); }
    Log &operator<<(const std::string &text) {
        profile(text);
        return *this;
    }
    const gmmu_rdgc_counts &counts() const { return *gmmu_rdgc_cache_counts(cache); }
    std::vector<uint64_t> reads() const { return {counts().r, counts().r + config.ways + 1}; }
    std::vector<uint64_t> writes() const { return {counts().w, counts().w + config.ways + 1}; }

    gmmu_rdgc_cache_config config;
    gmmu_rdgc_cache *cache;
    Steps steps;
    struct Event {
        uint64_t step, block;
        unsigned warp;
        gmmu_rdgc_event at;  // its access is gone
    };
    std::vector<Event> events;

   private:
    void put(const std::string &text) { line += (line.empty() ? "" : "  ") + text; }
    static void update(void *ctx, uint64_t, uint64_t block) {
        static_cast<Log *>(ctx)->put("+" + name_of(block));
    }
    static void access(void *ctx, uint64_t now, const gmmu_rdgc_event *e) {
        static const char *const names[] = {"hit", "miss", "join", "fail", "pass"};
        Log *log = static_cast<Log *>(ctx);
        log->events.push_back({now, e->access->block, e->access->warp, *e});
        log->put(std::to_string(e->partition * log->config.banks + e->bank) + "." +
                 std::to_string(e->port) + " " + name_of(e->access->block) + " " +
                 names[e->status] + " " +
                 (e->rd == log->config.ways ? "inf" : std::to_string(e->rd)));
    }
    static void step(void *ctx, uint64_t number, uint32_t free_mshrs) {
        Log *log = static_cast<Log *>(ctx);
        EXPECT_EQ(number, log->steps.size());
        log->put("| " + std::to_string(free_mshrs));
        log->steps.push_back(log->line);
        log->line.clear();
    }
    gmmu_rdgc_watch watch;
    std::string line;
};

// Runs the lists watched and unwatched; the steps must be these, the counters the same both times.
void expect_steps(const gmmu_rdgc_cache_config &c, const std::vector<std::string> &lists,
                  const Steps &steps) {
    Log seen(c), unseen(c, false);
    for (const std::string &l : lists) EXPECT_EQ(seen.profile(l), unseen.profile(l)) << l;
    EXPECT_EQ(seen.steps, steps);
    EXPECT_EQ(unseen.counts().steps, steps.size());
    EXPECT_EQ(seen.counts().steps, steps.size());
    EXPECT_EQ(gmmu_rdgc_cache_step(unseen.cache), steps.size());
    EXPECT_EQ(seen.counts().rf, unseen.counts().rf);
    EXPECT_EQ(seen.counts().merges, unseen.counts().merges);
    EXPECT_EQ(seen.reads(), unseen.reads());
    EXPECT_EQ(seen.writes(), unseen.writes());
    uint64_t fails = 0, joins = 0;
    for (const Log::Event &e : seen.events) {
        fails += e.at.status == GMMU_RDGC_FAILED;
        joins += e.at.status == GMMU_RDGC_MERGED;
    }
    EXPECT_EQ(seen.counts().rf, fails);
    EXPECT_EQ(seen.counts().merges, joins);
}

// ---------------------------------------------------------------- the paper's tables

// Table 1: A B C D A A D C has RD inf inf inf inf 3 0 1 2; 50 % hits with four blocks, 25 % with
// two, the latter from the counters of four (an LRU cache's stack holds all smaller ones) and from
// a cache of two.
TEST(Rdgc, Table1) {
    const uint64_t sequence[] = {0, 1, 2, 3, 0, 0, 3, 2};
    const std::vector<uint32_t> rd = {4, 4, 4, 4, 3, 0, 1, 2};
    Log timed(small());
    for (const uint64_t block : sequence) timed.profile(std::vector<Access>{{0, block}});
    std::vector<uint32_t> found;
    for (const Log::Event &e : timed.events) found.push_back(e.at.rd);
    EXPECT_EQ(found, rd);
    EXPECT_EQ(timed.reads(), (std::vector<uint64_t>{1, 1, 1, 1, 4}));
    EXPECT_EQ(100 * (1 + 1 + 1 + 1) / 8, 50);
    EXPECT_EQ(100 * (timed.counts().r[0] + timed.counts().r[1]) / 8, 25u);

    gmmu_rdgc_cache_config two = small();
    two.ways = 2;
    Log smaller(sets(two, 1));
    unsigned hits = 0;
    for (const uint64_t block : sequence)
        hits += gmmu_rdgc_cache_access(smaller.cache, block, false) == GMMU_RDGC_HIT;
    EXPECT_EQ(100 * hits / 8, 25u);
    EXPECT_EQ(smaller.reads(), (std::vector<uint64_t>{1, 1, 6}));
}

// Table 3: two banks of two ports share two MSHRs; A C E G lie in bank 0, B D F H in bank 1.
gmmu_rdgc_cache_config table3() {
    gmmu_rdgc_cache_config c = small();
    c.banks = 2;
    c.ports = 2;
    c.mshrs = 2;
    return sets(c, 1);
}
const std::vector<std::string> table3_lists = {"0ABCD 1EFGH",
                                               "2AD"};  // two schedulers, three warps

// The table as it is printed, cell by cell.
TEST(Rdgc, Table3AsPrinted) {
    Log log(table3());
    for (const std::string &l : table3_lists) log << l;
    ASSERT_EQ(log.steps.size(), 5u);

    using Row = std::vector<std::string>;
    const Row empty(5, "-");
    std::vector<Row> block(4, empty), rd(4, empty), status(4, empty),
        update(2, empty);  // [2 * bank + port]
    Row free_mshrs;
    static const char *const names[] = {"h", "m", "m", "rf", "p"};
    for (const Log::Event &e : log.events) {
        const size_t row = 2 * e.at.bank + e.at.port;
        block[row][e.step] = name_of(e.block);
        status[row][e.step] = names[e.at.status];
        if (e.at.status != GMMU_RDGC_FAILED)
            rd[row][e.step] = e.at.rd == 4 ? "inf" : std::to_string(e.at.rd);
    }
    for (size_t step = 0; step < 5; step++) {
        const std::string &line = log.steps[step];
        unsigned n = 0;
        for (size_t at = 0; (at = line.find('+', at)) != std::string::npos; at++)
            update.at(n++)[step] = line.substr(at + 1, 1);
        free_mshrs.push_back(line.substr(line.find('|') + 2));
    }
    EXPECT_EQ(block[0], (Row{"A", "E", "E", "-", "A"}));
    EXPECT_EQ(block[1], (Row{"C", "G", "G", "-", "-"}));
    EXPECT_EQ(block[2], (Row{"B", "B", "F", "F", "D"}));
    EXPECT_EQ(block[3], (Row{"D", "D", "H", "H", "-"}));
    EXPECT_EQ(rd[0], (Row{"inf", "-", "inf", "-", "3"}));
    EXPECT_EQ(rd[1], (Row{"inf", "-", "inf", "-", "-"}));
    EXPECT_EQ(rd[2], (Row{"-", "inf", "-", "inf", "2"}));
    EXPECT_EQ(rd[3], (Row{"-", "inf", "-", "inf", "-"}));
    EXPECT_EQ(free_mshrs, (Row{"0", "0", "0", "0", "2"}));
    EXPECT_EQ(status[0], (Row{"m", "rf", "m", "-", "h"}));
    EXPECT_EQ(status[1], (Row{"m", "rf", "m", "-", "-"}));
    EXPECT_EQ(status[2], (Row{"rf", "m", "rf", "m", "h"}));
    EXPECT_EQ(status[3], (Row{"rf", "m", "rf", "m", "-"}));
    EXPECT_EQ(update[0], (Row{"-", "A", "B", "E", "F"}));
    EXPECT_EQ(update[1], (Row{"-", "C", "D", "G", "H"}));
    // 2 + 2 + 2 reservation fails, 8 misses, 2 hits
    EXPECT_EQ(log.counts().rf, 6u);
    EXPECT_EQ(log.reads(), (std::vector<uint64_t>{0, 0, 1, 1, 8}));
    expect_steps(
        table3(), table3_lists,
        {"0.0 A miss inf  0.1 C miss inf  1.0 B fail inf  1.1 D fail inf  | 0",
         "+A  +C  1.0 B miss inf  1.1 D miss inf  0.0 E fail inf  0.1 G fail inf  | 0",
         "+B  +D  0.0 E miss inf  0.1 G miss inf  1.0 F fail inf  1.1 H fail inf  | 0",
         "+E  +G  1.0 F miss inf  1.1 H miss inf  | 0", "+F  +H  0.0 A hit 3  1.0 D hit 2  | 2"});
}

// By the text a block asked for in step i comes at the end of step i + 1 and is there from step i +
// 2 on: A and C free their MSHRs at the end of step 1, so that B and D get them in step 2, E and G
// in step 4, F and H in step 6. The third warp goes in step 7, when F and H have an MSHR but are
// not there yet: D is the first of bank 1. Eight steps.
TEST(Rdgc, Table3ByTheText) {
    gmmu_rdgc_cache_config c = table3();
    c.arrival = GMMU_RDGC_END;
    expect_steps(c, table3_lists,
                 {"0.0 A miss inf  0.1 C miss inf  1.0 B fail inf  1.1 D fail inf  | 0",
                  "1.0 B fail inf  1.1 D fail inf  0.0 E fail inf  0.1 G fail inf  +A  +C  | 0",
                  "1.0 B miss inf  1.1 D miss inf  0.0 E fail inf  0.1 G fail inf  | 0",
                  "0.0 E fail inf  0.1 G fail inf  1.0 F fail inf  1.1 H fail inf  +B  +D  | 0",
                  "0.0 E miss inf  0.1 G miss inf  1.0 F fail inf  1.1 H fail inf  | 0",
                  "1.0 F fail inf  1.1 H fail inf  +E  +G  | 0",
                  "1.0 F miss inf  1.1 H miss inf  | 0", "0.0 A hit 3  1.0 D hit 0  +F  +H  | 0"});
}

// ---------------------------------------------------------------- ports, banks, MSHRs

// One access a step. A comes at the start of step 1.
TEST(Rdgc, OnePort) {
    expect_steps(small(), {"0AB"}, {"0.0 A miss inf  | 3", "+A  0.0 B miss inf  | 3"});
}

TEST(Rdgc, TwoPorts) {
    gmmu_rdgc_cache_config c = small();
    c.ports = 2;
    expect_steps(c, {"0AB"}, {"0.0 A miss inf  0.1 B miss inf  | 2"});
}

// A and C are of bank 0, B of bank 1: C waits for its bank's port.
TEST(Rdgc, TwoBanksOfOnePort) {
    gmmu_rdgc_cache_config c = small();
    c.banks = 2;
    expect_steps(sets(c, 1), {"0ABC"},
                 {"0.0 A miss inf  1.0 B miss inf  | 2", "+A  +B  0.0 C miss inf  | 3"});
}

// Warp 0 before warp 1 at the port.
TEST(Rdgc, LowerWarpsFirstAtThePort) {
    expect_steps(small(), {"0B 1A"}, {"0.0 B miss inf  | 3", "+B  0.0 A miss inf  | 3"});
}

// One MSHR. Warp 0's B is of bank 1, warp 1's A of bank 0: the warp counts before the bank.
TEST(Rdgc, LowerWarpsFirstAtTheMshr) {
    gmmu_rdgc_cache_config c = small();
    c.banks = 2;
    c.mshrs = 1;
    expect_steps(sets(c, 1), {"0B 1A"},
                 {"1.0 B miss inf  0.0 A fail inf  | 0", "+B  0.0 A miss inf  | 0"});
}

// In one warp the bank counts before the place in the list (Table 3).
TEST(Rdgc, LowerBanksFirstInAWarp) {
    gmmu_rdgc_cache_config c = small();
    c.banks = 2;
    c.mshrs = 1;
    expect_steps(sets(c, 1), {"0BA"},
                 {"0.0 A miss inf  1.0 B fail inf  | 0", "+A  1.0 B miss inf  | 0"});
}

// The second access to A joins the first's MSHR: both are misses, one goes on.
TEST(Rdgc, Merge) {
    gmmu_rdgc_cache_config c = small();
    c.ports = 2;
    c.merges = 8;
    expect_steps(c, {"0A 1A"}, {"0.0 A miss inf  0.1 A join inf  | 3"});
    Log log(c);
    EXPECT_EQ(log.profile("0A 1A"), "A@0");
    EXPECT_EQ(log.reads(), (std::vector<uint64_t>{0, 0, 0, 0, 2}));
}

// One merge an MSHR: the third access fails though MSHRs are free, and hits when A is there.
TEST(Rdgc, MergeLimit) {
    gmmu_rdgc_cache_config c = small();
    c.ports = 3;
    c.merges = 1;
    expect_steps(c, {"0A 1A 2A"},
                 {"0.0 A miss inf  0.1 A join inf  0.2 A fail inf  | 3", "+A  0.0 A hit 0  | 4"});
}

TEST(Rdgc, NoMerges) {
    gmmu_rdgc_cache_config c = small();
    c.ports = 2;
    expect_steps(c, {"0A 1A"}, {"0.0 A miss inf  0.1 A fail inf  | 3", "+A  0.0 A hit 0  | 4"});
}

// One MSHR: B fails, and gets it as soon as A comes.
TEST(Rdgc, MshrFull) {
    gmmu_rdgc_cache_config c = small();
    c.ports = 2;
    c.mshrs = 1;
    expect_steps(c, {"0AB"}, {"0.0 A miss inf  0.1 B fail inf  | 0", "+A  0.0 B miss inf  | 0"});
    Log log(c);
    EXPECT_EQ(log.profile("0AB"), "A@0 B@1");
}

// Latency 3: asked for in step 0, there at the start of step 3. B fails in every step until then.
TEST(Rdgc, MshrFullForLong) {
    gmmu_rdgc_cache_config c = small();
    c.ports = 2;
    c.mshrs = 1;
    c.latency = 3;
    expect_steps(c, {"0AB"},
                 {"0.0 A miss inf  0.1 B fail inf  | 0", "0.0 B fail inf  | 0",
                  "0.0 B fail inf  | 0", "+A  0.0 B miss inf  | 0"});
    c.arrival = GMMU_RDGC_END;  // at the end of step 3
    expect_steps(c, {"0AB"},
                 {"0.0 A miss inf  0.1 B fail inf  | 0", "0.0 B fail inf  | 0",
                  "0.0 B fail inf  | 0", "0.0 B fail inf  +A  | 0", "0.0 B miss inf  | 0"});
}

// Two accesses fail in each step that is like the one before.
TEST(Rdgc, MshrFullForTwo) {
    gmmu_rdgc_cache_config c = small();
    c.ports = 2;
    c.mshrs = 1;
    c.latency = 3;
    expect_steps(c, {"0ABC"},
                 {"0.0 A miss inf  0.1 B fail inf  | 0", "0.0 B fail inf  0.1 C fail inf  | 0",
                  "0.0 B fail inf  0.1 C fail inf  | 0", "+A  0.0 B miss inf  0.1 C fail inf  | 0",
                  "0.0 C fail inf  | 0", "0.0 C fail inf  | 0", "+B  0.0 C miss inf  | 0"});
}

// Next to no latency: END with 1 as the text has it. A comes at the end of step 1.
TEST(Rdgc, ArrivalAtTheEnd) {
    gmmu_rdgc_cache_config c = small();
    c.arrival = GMMU_RDGC_END;
    c.merges = 8;
    expect_steps(c, {"0A", "0A", "0A"},
                 {"0.0 A miss inf  | 3", "0.0 A join inf  +A  | 3", "0.0 A hit 0  | 4"});
}

// The list behind does not wait for the blocks of the one before.
TEST(Rdgc, ListsOverlap) {
    gmmu_rdgc_cache_config c = small();
    c.merges = 8;
    c.latency = 3;
    expect_steps(c, {"0A", "0A", "0B", "0A"},
                 {"0.0 A miss inf  | 3", "0.0 A join inf  | 3", "0.0 B miss inf  | 2",
                  "+A  0.0 A hit 0  | 3"});
}

// One MSHR, one port, latency 2. C is on its way in step 1, so A fails; A gets C's MSHR in step 2.
// In step 3 B fails at the only port, behind which C waits, which would hit; in step 5 it does,
// behind A.
TEST(Rdgc, AFailKeepsItsPort) {
    gmmu_rdgc_cache_config c = small();
    c.mshrs = 1;
    c.latency = 2;
    expect_steps(c, {"0C", "0AB 1C"},
                 {"0.0 C miss inf  | 0", "0.0 A fail inf  | 0", "+C  0.0 A miss inf  | 0",
                  "0.0 B fail inf  | 0", "+A  0.0 B miss inf  | 0", "0.0 C hit 1  | 0"});
}

// Of the other bank accesses pass the one that fails. B is there from step 2 on.
TEST(Rdgc, AFailLeavesOtherBanksAlone) {
    gmmu_rdgc_cache_config c = small();
    c.banks = 2;
    c.mshrs = 1;
    c.latency = 2;
    expect_steps(sets(c, 1), {"0B", "0B", "0AC 1B 2B"},
                 {"1.0 B miss inf  | 0", "1.0 B fail inf  | 0", "+B  1.0 B hit 0  | 1",
                  "0.0 A miss inf  1.0 B hit 0  | 0", "0.0 C fail inf  1.0 B hit 0  | 0",
                  "+A  0.0 C miss inf  | 0"});
}

// Two partitions with an MSHR set each, of one MSHR: A and B do not disturb each other. With one
// set B fails.
TEST(Rdgc, MshrSets) {
    gmmu_rdgc_cache_config c = small();
    c.partitions = 2;
    c.mshr_sets = 2;
    c.mshrs = 1;
    c = sets(c, 1);
    expect_steps(c, {"0AB"}, {"0.0 A miss inf  1.0 B miss inf  | 0"});
    c.mshr_sets = 1;
    expect_steps(c, {"0AB"}, {"0.0 A miss inf  1.0 B fail inf  | 0", "+A  1.0 B miss inf  | 0"});
}

// A and B are there. Both accesses to A see the set as it was before the step: RD 1 twice (R10).
TEST(Rdgc, AccessesOfAStepSeeOneState) {
    gmmu_rdgc_cache_config c = small();
    c.ports = 2;
    expect_steps(c, {"0AB", "0A 1A"},
                 {"0.0 A miss inf  0.1 B miss inf  | 2", "+A  +B  0.0 A hit 1  0.1 A hit 1  | 4"});
}

// The stack is B A. Both hit, A with 1 and B with 0; then A goes to the front, then B: B A again,
// so that A has RD 1 once more.
TEST(Rdgc, HitsChangeTheSetInOrder) {
    gmmu_rdgc_cache_config c = small();
    c.ports = 2;
    expect_steps(c, {"0AB", "0A 1B", "0A"},
                 {"0.0 A miss inf  0.1 B miss inf  | 2", "+A  +B  0.0 A hit 1  0.1 B hit 0  | 4",
                  "0.0 A hit 1  | 4"});
}

// Stack C B A: the hits of A and B (positions 2 and 1) each move a block that the other's move has
// moved.
TEST(Rdgc, HitsOfAStepMoveEachOther) {
    gmmu_rdgc_cache_config c = small();
    c.ports = 3;
    expect_steps(c, {"0ABC", "0A 1B", "0CAB"},
                 {"0.0 A miss inf  0.1 B miss inf  0.2 C miss inf  | 1",
                  "+A  +B  +C  0.0 A hit 2  0.1 B hit 1  | 4",  // then A C B, then B A C
                  "0.0 C hit 2  0.1 A hit 1  0.2 B hit 0  | 4"});
}

// Blocks that come in one step come in the order in which they were asked for: A is last in the
// stack.
TEST(Rdgc, FillsInOrderOfInsertion) {
    gmmu_rdgc_cache_config c = small();
    c.ports = 2;
    expect_steps(c, {"0AB", "0BA"},
                 {"0.0 A miss inf  0.1 B miss inf  | 2", "+A  +B  0.0 B hit 0  0.1 A hit 1  | 4"});
}

TEST(Rdgc, AnEmptyListTakesNoStep) {
    Log log(small());
    EXPECT_EQ(log.profile(""), "");
    EXPECT_EQ(gmmu_rdgc_cache_step(log.cache), 0u);
    EXPECT_EQ(log.counts().steps, 0u);
}

// Drained, A is there without a step, and its MSHR is free; flushed, it is not there, nor
// outstanding.
TEST(Rdgc, DrainAndFlush) {
    gmmu_rdgc_cache_config c = small();
    c.latency = 100;
    Log log(c);
    log << "0A";
    gmmu_rdgc_cache_drain(log.cache);
    EXPECT_EQ(gmmu_rdgc_cache_step(log.cache), 1u);
    log << "0A"
        << "0B";
    gmmu_rdgc_cache_flush(log.cache);
    log << "0B"
        << "0A";
    EXPECT_EQ(log.steps,
              (Steps{"0.0 A miss inf  | 3", "+A  0.0 A hit 0  | 4", "0.0 B miss inf  | 3",
                     "0.0 B miss inf  | 3", "0.0 A miss inf  | 2"}));
    gmmu_rdgc_cache_clear_counts(log.cache);
    EXPECT_EQ(log.reads(), (std::vector<uint64_t>(5, 0)));
    EXPECT_EQ(log.counts().steps + log.counts().fills + log.counts().rf, 0u);
    EXPECT_EQ(log.counts().ways, 4u);
}

// ---------------------------------------------------------------- writes and bypassing

gmmu_rdgc_cache_config write_evict() {
    gmmu_rdgc_cache_config c = small();
    c.bypass = GMMU_RDGC_WON;
    return c;
}

// The write finds A with RD 0, evicts it and goes on.
TEST(Rdgc, AWriteHitEvicts) {
    const std::vector<std::string> lists = {"0A", "0A", "0a", "0A"};
    expect_steps(write_evict(), lists,
                 {"0.0 A miss inf  | 3", "+A  0.0 A hit 0  | 4", "0.0 A pass 0  | 4",
                  "0.0 A miss inf  | 3"});
    Log log(write_evict());
    std::string sent;
    for (const std::string &l : lists) sent += log.profile(l) + ";";
    EXPECT_EQ(sent, "A@0;;A@2;A@3;");
    EXPECT_EQ(log.reads(), (std::vector<uint64_t>{1, 0, 0, 0, 2}));
    EXPECT_EQ(log.writes(), (std::vector<uint64_t>{1, 0, 0, 0, 0}));
    EXPECT_EQ(log.counts().write_evictions, 1u);
    EXPECT_EQ(log.counts().evictions, 0u);
    EXPECT_EQ(log.counts().bypassed, 1u);
}

// A write that misses takes no MSHR and brings nothing in.
TEST(Rdgc, AWriteMissPasses) {
    expect_steps(write_evict(), {"0a", "0A"}, {"0.0 A pass inf  | 4", "0.0 A miss inf  | 3"});
    Log log(write_evict());
    log << "0a";
    EXPECT_EQ(log.writes(), (std::vector<uint64_t>{0, 0, 0, 0, 1}));
    EXPECT_EQ(log.counts().write_evictions, 0u);
}

// A write to a block on its way changes nothing: it comes.
TEST(Rdgc, AWriteToAnOutstandingBlock) {
    gmmu_rdgc_cache_config c = write_evict();
    c.latency = 2;
    expect_steps(c, {"0A", "0a", "0A"},
                 {"0.0 A miss inf  | 3", "0.0 A pass inf  | 3", "+A  0.0 A hit 0  | 4"});
}

// Write and read of A in one step: the read still hits, though it is behind; afterwards A has left.
TEST(Rdgc, AWriteEvictsAfterTheStep) {
    gmmu_rdgc_cache_config c = write_evict();
    c.ports = 2;
    expect_steps(
        c, {"0A", "0a 1A", "0A"},
        {"0.0 A miss inf  | 3", "+A  0.0 A pass 0  0.1 A hit 0  | 4", "0.0 A miss inf  | 3"});
    Log log(c);
    log << "0A"
        << "0a 1a";  // two writes hit, one block leaves
    EXPECT_EQ(log.writes(), (std::vector<uint64_t>{2, 0, 0, 0, 0}));
    EXPECT_EQ(log.counts().write_evictions, 1u);
}

// A block leaves from the middle of the stack C B A; A keeps its place behind C, and there is room
// again.
TEST(Rdgc, AWriteEvictsFromTheMiddle) {
    gmmu_rdgc_cache_config c = write_evict();
    c.ways = 3;
    expect_steps(sets(c, 1), {"0A", "0B", "0C", "0b", "0A", "0D", "0C"},
                 {"0.0 A miss inf  | 3", "+A  0.0 B miss inf  | 3", "+B  0.0 C miss inf  | 3",
                  "+C  0.0 B pass 1  | 4", "0.0 A hit 1  | 4", "0.0 D miss inf  | 3",
                  "+D  0.0 C hit 2  | 4"});
}

// All passes, a port each; no counter but `bypassed`.
TEST(Rdgc, Rwon) {
    gmmu_rdgc_cache_config c = small();
    c.bypass = GMMU_RDGC_RWON;
    c.ports = 2;
    expect_steps(
        c, {"0ABc", "0A"},
        {"0.0 A pass inf  0.1 B pass inf  | 4", "0.0 C pass inf  | 4", "0.0 A pass inf  | 4"});
    Log log(c);
    EXPECT_EQ(log.profile("0ABc"), "A@0 B@0 C@1");
    EXPECT_EQ(log.counts().bypassed, 3u);
    EXPECT_EQ(log.reads(), (std::vector<uint64_t>(5, 0)));
    EXPECT_EQ(log.writes(), (std::vector<uint64_t>(5, 0)));
    EXPECT_EQ(gmmu_rdgc_cache_access(log.cache, 0, true), GMMU_RDGC_PASSED);
    EXPECT_EQ(log.counts().bypassed, 4u);
}

// Without bypassing a write brings its block in, and hits; it merges as a read does.
TEST(Rdgc, Off) {
    gmmu_rdgc_cache_config c = small();
    c.merges = 1;
    c.latency = 2;
    expect_steps(
        c, {"0a", "0A", "0a", "0A"},
        {"0.0 A miss inf  | 3", "0.0 A join inf  | 3", "+A  0.0 A hit 0  | 4", "0.0 A hit 0  | 4"});
    Log log(c);
    EXPECT_EQ(log.profile("0a"), "A@0");
    log << "0A"
        << "0a"
        << "0A";
    EXPECT_EQ(log.reads(), (std::vector<uint64_t>{1, 0, 0, 0, 1}));
    EXPECT_EQ(log.writes(), (std::vector<uint64_t>{1, 0, 0, 0, 1}));
    EXPECT_EQ(log.counts().bypassed, 0u);
}

// A set of two: A has stack distance 2 when it is read again, which is K, not above K: it has left.
TEST(Rdgc, TheLastCounterHasRdFromK) {
    gmmu_rdgc_cache_config c = small();
    c.ways = 2;
    Log log(sets(c, 1));
    log << "0A"
        << "0B"
        << "0C"
        << "0A";
    EXPECT_EQ(log.reads(), (std::vector<uint64_t>{0, 0, 4}));
    EXPECT_EQ(log.counts().evictions, 1u);  // the last A has not come yet
}

// ---------------------------------------------------------------- where a block lies

gmmu_rdgc_place place(const gmmu_rdgc_cache_config &c, uint64_t block) {
    Log log(c);
    return gmmu_rdgc_cache_place(log.cache, block);
}

// GTX 970's L2: blocks 0 to 6 in bank 0 of partitions 0 to 6, 7 to 13 in bank 1, then bank 0 again,
// next set. MSHR sets 0 to 2 serve two partitions each, set 3 the last.
TEST(Rdgc, TwoLevelInterleaving) {
    gmmu_rdgc_cache_config c = small();
    c.partitions = 7;
    c.banks = 2;
    c.mshr_sets = 4;
    c.ways = 8;
    c = sets(c, 512);
    EXPECT_EQ(c.capacity, 1792u << 10);
    const unsigned mshr_set[] = {0, 0, 1, 1, 2, 2, 3};
    for (const uint64_t b : {0, 1, 6, 7, 8, 13, 14, 15, 27, 28, 7 * 2 * 512, 7 * 2 * 512 + 13}) {
        const gmmu_rdgc_place p = place(c, b);
        EXPECT_EQ(p.partition, b % 7) << b;
        EXPECT_EQ(p.bank, b / 7 % 2) << b;
        EXPECT_EQ(p.set, b / 14 % 512) << b;
        EXPECT_EQ(p.mshr_set, mshr_set[b % 7]) << b;
    }
    // 5 partitions, 4 sets: two each, the last set is not used. 6 and 4: the last neither.
    c.partitions = 5;
    const unsigned of_five[] = {0, 0, 1, 1, 2};
    for (uint64_t b = 0; b < 5; b++) EXPECT_EQ(place(sets(c, 1), b).mshr_set, of_five[b]);
    c.partitions = 8;
    for (uint64_t b = 0; b < 8; b++) EXPECT_EQ(place(sets(c, 1), b).mshr_set, b / 2);
}

// Chunks of four blocks a partition, of two a bank:
//   block      0 1 2 3  4 5 6 7  8 9 10 11  12 …
//   partition  0        1        0           1
//   bank       0 0 1 1  0 0 1 1  0 0 1  1
//   in bank    0 1 0 1  0 1 0 1  2 3 2  3
TEST(Rdgc, Chunks) {
    gmmu_rdgc_cache_config c = small();
    c.partitions = c.banks = 2;
    c.partition_chunk = 4;
    c.bank_chunk = 2;
    c = sets(c, 16);
    const unsigned partition[] = {0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1};
    const unsigned bank[] = {0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0};
    const unsigned within[] = {0, 1, 0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2};
    for (uint64_t b = 0; b < 13; b++) {
        const gmmu_rdgc_place p = place(c, b);
        EXPECT_EQ(p.partition, partition[b]) << b;
        EXPECT_EQ(p.bank, bank[b]) << b;
        EXPECT_EQ(p.set, within[b]) << b;
    }
}

// Whatever the counts, blocks 0 … lie each in another place until all sets are taken; large numbers
// follow the formulae too.
TEST(Rdgc, PlacesAreOneToOne) {
    std::mt19937_64 random(5);
    for (unsigned round = 0; round < 300; round++) {
        gmmu_rdgc_cache_config c = small();
        c.partitions = 1 + static_cast<uint32_t>(random() % 9);
        c.banks = 1 + static_cast<uint32_t>(random() % 5);
        c.partition_chunk = 1 + static_cast<uint32_t>(random() % 4);
        c.bank_chunk = 1 + static_cast<uint32_t>(random() % 4);
        const uint32_t n =
            c.partition_chunk * c.bank_chunk * (1 + static_cast<uint32_t>(random() % 5));
        c = sets(c, n);
        Log log(c);
        std::map<std::vector<uint32_t>, unsigned> seen;
        const uint64_t all = static_cast<uint64_t>(c.partitions) * c.banks * n;
        for (uint64_t b = 0; b < all; b++) {
            const gmmu_rdgc_place p = gmmu_rdgc_cache_place(log.cache, b);
            EXPECT_LT(p.partition, c.partitions);
            EXPECT_LT(p.bank, c.banks);
            EXPECT_LT(p.set, n);
            seen[{p.partition, p.bank, p.set}]++;
        }
        EXPECT_EQ(seen.size(), all) << "round " << round;
        for (unsigned i = 0; i < 20; i++) {
            const uint64_t b = random() >> (random() % 40);
            const uint64_t chunk = b / c.partition_chunk;
            const uint64_t q = chunk / c.partitions * c.partition_chunk + b % c.partition_chunk;
            const uint64_t in_bank = q / c.bank_chunk / c.banks * c.bank_chunk + q % c.bank_chunk;
            const gmmu_rdgc_place p = gmmu_rdgc_cache_place(log.cache, b);
            EXPECT_EQ(p.partition, chunk % c.partitions);
            EXPECT_EQ(p.bank, q / c.bank_chunk % c.banks);
            EXPECT_EQ(p.set, in_bank % n);
        }
    }
}

uint32_t set_of(gmmu_rdgc_index index, uint32_t shift, uint32_t n, uint64_t block) {
    gmmu_rdgc_cache_config c = small();
    c.index = index;
    c.shift = shift;
    return place(sets(c, n), block).set;
}

TEST(Rdgc, IndexMod) {
    EXPECT_EQ(set_of(GMMU_RDGC_MOD, 0, 4, 5), 1u);
    EXPECT_EQ(set_of(GMMU_RDGC_MOD, 0, 3, 5), 2u);
    EXPECT_EQ(set_of(GMMU_RDGC_MOD, 0, 1, 5), 0u);
    // Two sets of one block: A and C drive each other out, B does not.
    gmmu_rdgc_cache_config c = small();
    c.ways = 1;
    expect_steps(sets(c, 2), {"0A", "0B", "0C", "0B", "0A"},
                 {"0.0 A miss inf  | 3", "+A  0.0 B miss inf  | 3", "+B  0.0 C miss inf  | 3",
                  "+C  0.0 B hit 0  | 4", "0.0 A miss inf  | 3"});
}

// Bits i + 2 and i + 3 instead of i and i + 1: 5 = 01 01, 3 = 00 11, 16 = 1 00 00, 12 = 11 00.
TEST(Rdgc, IndexSmod) {
    EXPECT_EQ(set_of(GMMU_RDGC_SMOD, 2, 4, 5), 1u);
    EXPECT_EQ(set_of(GMMU_RDGC_SMOD, 2, 4, 3), 0u);
    EXPECT_EQ(set_of(GMMU_RDGC_SMOD, 2, 4, 16), 0u);
    EXPECT_EQ(set_of(GMMU_RDGC_SMOD, 2, 4, 12), 3u);
    EXPECT_EQ(set_of(GMMU_RDGC_SMOD, 2, 3, 12), 0u);
    EXPECT_EQ(set_of(GMMU_RDGC_SMOD, 0, 4, 5), 1u);
    EXPECT_EQ(set_of(GMMU_RDGC_SMOD, 40, 4, UINT64_C(3) << 40), 3u);
}

// The largest primes up to 1, 2, 3, 4, 6, 8, 9, 64, 1024 are 1, 2, 3, 3, 5, 7, 7, 61, 1021.
TEST(Rdgc, IndexPri) {
    const unsigned cases[][2] = {{1, 1}, {2, 2}, {3, 3},   {4, 3},      {6, 5},
                                 {8, 7}, {9, 7}, {64, 61}, {1024, 1021}};
    for (const auto &k : cases) {
        EXPECT_EQ(set_of(GMMU_RDGC_PRI, 0, k[0], k[1] - 1), k[1] - 1) << k[0];
        EXPECT_EQ(set_of(GMMU_RDGC_PRI, 0, k[0], k[1]), 0u) << k[0];
    }
    EXPECT_EQ(set_of(GMMU_RDGC_PRI, 0, 4, 5), 2u);
}

// Two index bits with the two above: 4 = 01 00 -> 01, 6 = 01 10 -> 11, 16 = 01 00 00 -> 00. With
// three sets modulo 3 afterwards: 7 = 01 11 -> 10, 3 = 00 11 -> 11 -> 0.
TEST(Rdgc, IndexXor) {
    EXPECT_EQ(set_of(GMMU_RDGC_XOR, 0, 4, 4), 1u);
    EXPECT_EQ(set_of(GMMU_RDGC_XOR, 0, 4, 6), 3u);
    EXPECT_EQ(set_of(GMMU_RDGC_XOR, 0, 4, 16), 0u);
    EXPECT_EQ(set_of(GMMU_RDGC_XOR, 0, 4, 3), 3u);
    EXPECT_EQ(set_of(GMMU_RDGC_XOR, 0, 3, 7), 2u);
    EXPECT_EQ(set_of(GMMU_RDGC_XOR, 0, 3, 3), 0u);
    EXPECT_EQ(set_of(GMMU_RDGC_XOR, 0, 1, 12345), 0u);
}

// ---------------------------------------------------------------- replacement

// h or m for each read, without time.
std::string untimed(gmmu_rdgc_replacement r, uint32_t ways, const std::string &blocks,
                    uint64_t seed = 1) {
    gmmu_rdgc_cache_config c = small();
    c.replacement = r;
    c.ways = ways;
    Log log(sets(c, 1), true, seed);
    std::string found;
    for (const Access &a : parse(blocks))
        found += gmmu_rdgc_cache_access(log.cache, a.block, a.write) == GMMU_RDGC_HIT ? 'h' : 'm';
    return found;
}

// Three ways. A B C A leaves A C B; D drives B out: D A C; B drives C out: B D A; A and D hit: D A
// B; C misses.
TEST(Rdgc, Lru) {
    EXPECT_EQ(untimed(GMMU_RDGC_LRU, 3, "ABCADBADC"), "mmmhmmhhm");
}

// C B A in order of filling; A hits and stays last: D drives it out (D C B). B hits, A drives B
// out, D and C hit.
TEST(Rdgc, Fifo) {
    EXPECT_EQ(untimed(GMMU_RDGC_FIFO, 3, "ABCADBADC"), "mmmhmhmhh");
}

// A counts 2, B and C 1; of these B is nearest the end: D drives B out (D C A). B drives C out (B D
// A), A hits (A B D), C drives D out (C A B), D drives B out.
TEST(Rdgc, Lfu) {
    EXPECT_EQ(untimed(GMMU_RDGC_LFU, 3, "AABCDBACD"), "mhmmmmhmm");
}

// Two ways. A counts 3, B 2: C drives B out and counts 2, B drives C out and counts 1, for what it
// counted is forgotten: D drives B out, and A hits. (With B's 2 kept it would be at 3 as A, and A
// the older.)
TEST(Rdgc, LfuForgets) {
    EXPECT_EQ(untimed(GMMU_RDGC_LFU, 2, "AAABBCCBDA"), "mhhmhmhmmh");
}

// splitmix64 from 0 gives e220a839…, 6e789e6a…, 06c45d18…, f88bb8a8…: times 4, shifted right by 32:
// 3, 1, 0, 3. D C B A: E drives position 3 out, A; of E D C B F drives out D; of F E C B G drives
// out F; of G E C B H drives out B. H G E C are left.
TEST(Rdgc, Random) {
    EXPECT_EQ(untimed(GMMU_RDGC_RANDOM, 4, "ABCDEFGHCEGHC", 0), "mmmmmmmmhhhhh");
    EXPECT_EQ(untimed(GMMU_RDGC_RANDOM, 4, "ABCDEFGHA", 0), "mmmmmmmmm");
}

// Of other policies than LRU a hit is counted in C[0], a miss in C[K].
TEST(Rdgc, CountersWithoutRd) {
    for (const gmmu_rdgc_replacement r : {GMMU_RDGC_LFU, GMMU_RDGC_FIFO, GMMU_RDGC_RANDOM}) {
        gmmu_rdgc_cache_config c = small();
        c.replacement = r;
        Log log(c);
        log << "0A"
            << "0B"
            << "0C"
            << "0A"
            << "0b";
        EXPECT_EQ(log.reads(), (std::vector<uint64_t>{1, 0, 0, 0, 3}));
        EXPECT_EQ(log.writes(), (std::vector<uint64_t>{1, 0, 0, 0, 0}));
        EXPECT_EQ(log.events[3].at.rd, 0u);
        EXPECT_EQ(log.events[2].at.rd, 4u);
    }
}

// A set as a plain list, after docs/rdgc.md.
struct PlainSet {
    struct Block {
        uint64_t block, count;
    };
    std::list<Block> list;

    std::list<Block>::iterator find(uint64_t block) {
        auto at = list.begin();
        while (at != list.end() && at->block != block) ++at;
        return at;
    }
    void fill(uint64_t block, const gmmu_rdgc_cache_config &c, uint64_t *random) {
        if (list.size() == c.ways) {
            auto victim = std::prev(list.end());
            if (c.replacement == GMMU_RDGC_RANDOM) {
                *random += UINT64_C(0x9E3779B97F4A7C15);
                uint64_t z = *random;
                z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
                z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
                z ^= z >> 31;
                victim = std::next(list.begin(), static_cast<long>((z >> 32) * c.ways >> 32));
            }
            if (c.replacement == GMMU_RDGC_LFU)
                for (auto at = list.end(); at != list.begin();)
                    if ((--at)->count < victim->count)
                        victim = at;
            list.erase(victim);
        }
        list.push_front({block, 1});
    }
};

// Untimed accesses of all policies and bypasses against plain lists: results and counters. 2^16
// blocks in few sets, so that hashes collide.
TEST(Rdgc, UntimedAgainstPlainLists) {
    std::mt19937_64 random(7);
    for (const uint32_t ways : {1, 2, 7, 8, 9, 16, 17, 33, 192})
        for (unsigned r = 0; r < 4; r++)
            for (const gmmu_rdgc_bypass bypass : {GMMU_RDGC_OFF, GMMU_RDGC_WON}) {
                gmmu_rdgc_cache_config c = small();
                c.ways = ways;
                c.replacement = static_cast<gmmu_rdgc_replacement>(r);
                c.bypass = bypass;
                c.banks = 3;
                c = sets(c, 5);
                const uint64_t seed = random();
                Log log(c, false, seed);
                uint64_t state = seed;
                std::vector<PlainSet> plain(15);
                std::vector<uint64_t> reads(ways + 1), writes(ways + 1);
                for (unsigned i = 0; i < 2500; i++) {
                    const uint64_t n = random();
                    const uint64_t block = n % 8 == 0  ? n >> 48
                                           : n % 8 < 4 ? (n >> 40) % (15 * ways + 30)
                                                       : (n >> 40) % 100;
                    const bool write = (n >> 8) % 8 == 0;
                    PlainSet &set = plain[block % 3 * 5 + block / 3 % 5];
                    auto at = set.find(block);
                    const bool hit = at != set.list.end();
                    const size_t rd = !hit ? ways
                                      : c.replacement == GMMU_RDGC_LRU
                                          ? static_cast<size_t>(std::distance(set.list.begin(), at))
                                          : 0;
                    (write ? writes : reads)[rd]++;
                    gmmu_rdgc_status expected = hit ? GMMU_RDGC_HIT : GMMU_RDGC_MISS;
                    if (write && bypass == GMMU_RDGC_WON) {
                        expected = GMMU_RDGC_PASSED;
                        if (hit)
                            set.list.erase(at);
                    } else if (!hit) {
                        set.fill(block, c, &state);
                    } else if (c.replacement == GMMU_RDGC_LRU || c.replacement == GMMU_RDGC_LFU) {
                        at->count++;
                        set.list.splice(set.list.begin(), set.list, at);
                    }
                    ASSERT_EQ(gmmu_rdgc_cache_access(log.cache, block, write), expected)
                        << ways << " ways, policy " << r << ", access " << i;
                }
                EXPECT_EQ(log.reads(), reads);
                EXPECT_EQ(log.writes(), writes);
            }
}

// ---------------------------------------------------------------- latency

// Steps pass with writes to Z, which go by.
gmmu_rdgc_cache_config adaptive(uint32_t k1, uint32_t k2) {
    gmmu_rdgc_cache_config c = write_evict();
    c.ports = 4;
    c.ways = 8;
    c.adaptive = true;
    c.k1 = k1;
    c.k2 = k2;
    return sets(c, 1);
}

// K1 = 1, K2 = 0.5: the first of four misses has latency 1.5 -> 2, then 2, 2.5 -> 3, 3.
TEST(Rdgc, AdaptiveLatency) {
    expect_steps(
        adaptive(1000, 500), {"0ABCD", "0z", "0z", "0z"},
        {"0.0 A miss inf  0.1 B miss inf  0.2 C miss inf  0.3 D miss inf  | 0",
         "0.0 Z pass inf  | 0", "+A  +B  0.0 Z pass inf  | 2", "+C  +D  0.0 Z pass inf  | 4"});
}

// The same with 3 active SMs and L2P = 2: 1.75 -> 2, 2.5 -> 3, 3.25 -> 3, 4.
TEST(Rdgc, AdaptiveLatencyScaled) {
    Log log(adaptive(1000, 500));
    gmmu_rdgc_cache_scale(log.cache, 3, 2);
    log << "0ABCD"
        << "0z"
        << "0z"
        << "0z"
        << "0z";
    EXPECT_EQ(log.steps,
              (Steps{"0.0 A miss inf  0.1 B miss inf  0.2 C miss inf  0.3 D miss inf  | 0",
                     "0.0 Z pass inf  | 0", "+A  0.0 Z pass inf  | 1",
                     "+B  +C  0.0 Z pass inf  | 3", "+D  0.0 Z pass inf  | 4"}));
}

// At least one step.
TEST(Rdgc, AdaptiveLatencyOfNothing) {
    gmmu_rdgc_cache_config c = adaptive(0, 0);
    expect_steps(c, {"0A", "0A"}, {"0.0 A miss inf  | 3", "+A  0.0 A hit 0  | 4"});
    c.arrival = GMMU_RDGC_END;
    c.merges = 1;
    expect_steps(c, {"0A", "0A"}, {"0.0 A miss inf  | 3", "0.0 A join inf  +A  | 3"});
}

// Two MSHR sets, K1 = 0, K2 = 2: A, C, E of partition 0 have latency 2, 4, 6; B of partition 1,
// asked for last, has 2 and comes before C and E. In step 3 D (partition 1) has 2 and is due at 5,
// before E.
TEST(Rdgc, ALaterMissMayComeFirst) {
    gmmu_rdgc_cache_config c = adaptive(0, 2000);
    c.partitions = c.mshr_sets = 2;
    expect_steps(sets(c, 1), {"0ACEB", "0z", "0z", "0D", "0z", "0z", "0z"},
                 {"0.0 A miss inf  0.1 C miss inf  0.2 E miss inf  1.0 B miss inf  | 4",
                  "1.0 Z pass inf  | 4", "+A  +B  1.0 Z pass inf  | 6", "1.0 D miss inf  | 5",
                  "+C  1.0 Z pass inf  | 6", "+D  1.0 Z pass inf  | 7", "+E  1.0 Z pass inf  | 8"});
}

// C, asked for in step 0 with latency 4, and B, asked for in step 2 with latency 2, come in one
// step: in the order in which they were asked for.
TEST(Rdgc, FillsOfOneStepKeepTheirOrder) {
    gmmu_rdgc_cache_config c = adaptive(0, 2000);
    c.partitions = c.mshr_sets = 2;
    expect_steps(sets(c, 1), {"0AC", "0z", "0B", "0z", "0z"},
                 {"0.0 A miss inf  0.1 C miss inf  | 6", "1.0 Z pass inf  | 6",
                  "+A  1.0 B miss inf  | 6", "1.0 Z pass inf  | 6", "+C  +B  1.0 Z pass inf  | 8"});
}

// Drained, what came out of order comes in the order of insertion.
TEST(Rdgc, DrainKeepsTheOrderOfInsertion) {
    gmmu_rdgc_cache_config c = adaptive(0, 2000);
    c.partitions = c.mshr_sets = 2;
    Log log(sets(c, 1));
    log << "0ACEB";
    gmmu_rdgc_cache_drain(log.cache);
    log << "0z";
    EXPECT_EQ(log.steps[1], "+A  +C  +E  +B  1.0 Z pass inf  | 8");
}

// ---------------------------------------------------------------- long lists

// One warp reads random blocks of 64 banks of one port: step s has the s-th access of each bank
// that has so many, by bank. Blocks in falling order make the sort of the list long.
TEST(Rdgc, LongLists) {
    std::mt19937_64 random(11);
    gmmu_rdgc_cache_config c = small();
    c.partitions = 8;
    c.banks = 8;
    c.mshrs = 4096;
    c = sets(c, 4);
    for (unsigned round = 0; round < 4; round++) {
        std::vector<Access> list;
        for (uint64_t i = 0; i < 3000; i++)
            list.push_back({0, round == 0 ? 6000 - i : random() % 100000 * 3000 + i});
        Log log(c);
        std::vector<std::vector<uint64_t>> banks(64);
        for (const Access &a : list) banks[a.block % 8 * 8 + a.block / 8 % 8].push_back(a.block);
        log.profile(list);
        size_t at = 0;
        for (size_t step = 0; at < list.size(); step++)
            for (const std::vector<uint64_t> &bank : banks)
                if (step < bank.size()) {
                    ASSERT_EQ(log.events[at].block, bank[step]) << round << " " << at;
                    ASSERT_EQ(log.events[at++].step, step);
                }
        EXPECT_EQ(log.events.size(), list.size());
    }
}

// A watch may leave functions out.
TEST(Rdgc, AnEmptyWatch) {
    Log log(small(), false);
    const gmmu_rdgc_watch none = {};
    gmmu_rdgc_cache_watch(log.cache, &none);
    log << "0ABA";
    EXPECT_EQ(log.counts().steps, 3u);
    EXPECT_EQ(log.reads(), (std::vector<uint64_t>{0, 1, 0, 0, 2}));
}

// ---------------------------------------------------------------- logical model

struct TraceDeleter {
    void operator()(gmmu_rdgc_trace *t) const { gmmu_rdgc_trace_destroy(t); }
};
using Trace = std::unique_ptr<gmmu_rdgc_trace, TraceDeleter>;

Trace new_trace() {
    gmmu_error err{};
    return Trace(gmmu_rdgc_trace_create(&err));
}

// Reads TEXT; "" or what is wrong.
std::string read_text(gmmu_rdgc_trace *t, std::string text) {
    FILE *in = fmemopen(text.data(), text.size(), "r");
    gmmu_error err{};
    const int rc = gmmu_rdgc_trace_read(t, in, "t", &err);
    EXPECT_EQ(fclose(in), 0);
    EXPECT_EQ(rc == GMMU_OK, err.text[0] == '\0');
    return err.text;
}

std::string write_text(const gmmu_rdgc_trace *t) {
    char *text = nullptr;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    EXPECT_EQ(gmmu_rdgc_trace_write(t, out), 0);
    EXPECT_EQ(fclose(out), 0);
    std::string s(text, size);
    free(text);
    return s;
}

// "AN.warp r lanes:address …" of each record of a grid.
std::vector<std::string> shown(const gmmu_rdgc_grid *g) {
    std::vector<std::string> all;
    for (uint32_t i = 0; i < g->count; i++) {
        const gmmu_rdgc_record &r = g->records[i];
        uint64_t addr[GMMU_WARP];
        const unsigned n = gmmu_rdgc_record_addresses(g, &r, addr);
        std::string s = std::to_string(r.block) + "/" + std::to_string(r.number) + "." +
                        std::to_string(r.warp) + (r.write ? " w" : " r") + std::to_string(n);
        for (unsigned lane = 0; lane < GMMU_WARP; lane++)
            if (r.mask >> lane & 1)
                s += " " + std::to_string(lane) + ":" + std::to_string(addr[lane]);
        all.push_back(s);
    }
    return all;
}

// Lines out of order, a warp's lines apart, a read and a write of one AN, a partial warp, two
// grids.
TEST(Rdgc, ThreadsBecomeWarps) {
    const Trace t = new_trace();
    EXPECT_EQ(read_text(t.get(),
                        "# gmmu-rdgc 1 blocks=2 threads=40\n"
                        "# a comment\n"
                        "\n"
                        "1,1,0,w,0x100\n"
                        "0,0,1,r,0x84\r\n"
                        "0,0,33,r,8\n"
                        "0,0,0,r,0x80\n"
                        "1,0,0,w,0xfF\n"
                        "1,0,2,r,3\n"
                        "0,0,5,r,7\n"
                        "# gmmu-rdgc 1 blocks=1 threads=1\n"
                        "7,0,0,r,18446744073709551615"),
              "");
    ASSERT_EQ(gmmu_rdgc_trace_grids(t.get()), 2u);
    const gmmu_rdgc_grid *g = gmmu_rdgc_trace_grid(t.get(), 0);
    EXPECT_EQ(shown(g),
              (std::vector<std::string>{"0/0.0 r3 0:128 1:132 5:7", "0/0.1 r1 1:8", "0/1.0 r1 2:3",
                                        "0/1.0 w1 0:255", "1/1.0 w1 0:256"}));
    EXPECT_EQ(g->blocks, 2u);
    EXPECT_EQ(g->threads, 40u);
    EXPECT_EQ(g->warps, 2u);
    EXPECT_EQ(g->numbers, 2u);
    EXPECT_EQ(g->longest, 2u);  // thread 0 of block 0
    EXPECT_EQ(g->reads, 5u);
    EXPECT_EQ(g->writes, 2u);
    EXPECT_EQ((std::vector<uint32_t>(g->first, g->first + 3)), (std::vector<uint32_t>{0, 4, 5}));
    g = gmmu_rdgc_trace_grid(t.get(), 1);
    EXPECT_EQ(shown(g), (std::vector<std::string>{"0/7.0 r1 0:18446744073709551615"}));
    EXPECT_EQ(g->numbers, 8u);
    EXPECT_EQ(g->longest, 1u);
    // what is written is read back
    const Trace again = new_trace();
    EXPECT_EQ(read_text(again.get(), write_text(t.get())), "");
    EXPECT_EQ(write_text(again.get()), write_text(t.get()));
    EXPECT_EQ(shown(gmmu_rdgc_trace_grid(again.get(), 0)), shown(gmmu_rdgc_trace_grid(t.get(), 0)));
}

TEST(Rdgc, BadTexts) {
    const std::string head = "# gmmu-rdgc 1 blocks=2 threads=40\n";
    const std::string form = "expected \"# gmmu-rdgc 1 blocks=NB threads=Bdim\"";
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"\n", "t: found no grid, " + form},
        {"0,0,0,r,1\n", "t:1: found \"0\", " + form},
        {"# gmmu-rdgc 2 blocks=1 threads=1\n",
         "t:1: found \"# gmmu-rdgc 2 blocks=1 threads=1\", " + form},
        {"# gmmu-rdgc 1 blocks=x threads=1\n",
         "t:1: found \"# gmmu-rdgc 1 blocks=x threads=1\", " + form},
        {"# gmmu-rdgc 1 blocks=1 thread=1\n",
         "t:1: found \"# gmmu-rdgc 1 blocks=1 thread=1\", " + form},
        {"# gmmu-rdgc 1 blocks=1 threads=\n",
         "t:1: found \"# gmmu-rdgc 1 blocks=1 threads=\", " + form},
        {"# gmmu-rdgc 1 blocks=1 threads=1 \n",
         "t:1: found \"# gmmu-rdgc 1 blocks=1 threads=1 \", " + form},
        {"# gmmu-rdgc 1 blocks=0 threads=1\n", "t:1: blocks: found 0, expected 1 to 2147483647"},
        {"# gmmu-rdgc 1 blocks=1 threads=1025\n", "t:1: threads: found 1025, expected 1 to 1024"},
        {head + "x,0,0,r,1\n", "t:2: found \"x\", expected AN, a number below 2^32 - 1"},
        {head + "4294967295,0,0,r,1\n",
         "t:2: found \"4294967295\", expected AN, a number below 2^32 - 1"},
        {head + "0\n", "t:2: found the end of the line, expected BID, a number below NB"},
        {head + "0,2,0,r,1\n", "t:2: found \"2\", expected BID, a number below NB"},
        {head + "0,0,40,r,1\n", "t:2: found \"40\", expected TID, a number below Bdim"},
        {head + "0,0,0x,r,1\n", "t:2: found \"0x\", expected TID, a number below Bdim"},
        {head + "0,0,0,q,1\n", "t:2: found \"q\", expected S, r or w"},
        {head + "0,0,0,rr,1\n", "t:2: found \"rr\", expected S, r or w"},
        {head + "0,0,0,r\n",
         "t:2: found the end of the line, expected ADD, a number below 2^64, and the end of the "
         "line"},
        {head + "0,0,0,r,1,2\n",
         "t:2: found \"1\", expected ADD, a number below 2^64, and the end of the line"},
        {head + "0,0,0,r,\n",
         "t:2: found the end of the line, expected ADD, a number below 2^64, and the end of the "
         "line"},
        {head + "0,0,0,r,18446744073709551616\n",
         "t:2: found \"18446744073709551616\", expected ADD, a number below 2^64, and the end of "
         "the line"},
        {head + "\x01,0,0,r,1\n", "t:2: found \"\\x01\", expected AN, a number below 2^32 - 1"},
        {head + std::string(300, ' ') + "\n",
         "t:2: found a line of more than 254 bytes or with a zero byte, " + form},
        {head + std::string("0,0,0,r,1\0\n0,0,1,r,1\n", 21),
         "t:2: found a line of more than 254 bytes or with a zero byte, " + form},
        {head + "0,0,3,r,1\n0,0,3,r,2\n",
         "t: block 0, thread 3: found two reads with access number 0, expected at most one"},
        {head + "5,1,35,w,1\n0,0,0,r,1\n5,1,35,w,1\n",
         "t: block 1, thread 35: found two writes with access number 5, expected at most one"},
    };
    for (const auto &[text, message] : cases) {
        const Trace t = new_trace();
        EXPECT_EQ(read_text(t.get(), text), message) << text;
    }
}

// A stream that ends in an error when it is read.
TEST(Rdgc, UnreadableText) {
    cookie_io_functions_t broken = {};
    broken.read = [](void *, char *, size_t) -> ssize_t {
        errno = EIO;
        return -1;
    };
    broken.write = [](void *, const char *, size_t) -> ssize_t { return 0; };
    FILE *in = fopencookie(nullptr, "r+", broken);
    const Trace t = new_trace();
    gmmu_error err{};
    EXPECT_EQ(gmmu_rdgc_trace_read(t.get(), in, "t", &err), GMMU_BAD);
    EXPECT_STREQ(err.text,
                 "t: found a read error (Input/output error), expected a per-thread trace");
    EXPECT_EQ(fclose(in), 0);
    // the header, or the line behind it, cannot be written
    ASSERT_EQ(read_text(t.get(), "# gmmu-rdgc 1 blocks=1 threads=1\n0,0,0,r,1\n"), "");
    for (long good = 0; good < 2; good++) {
        cookie_io_functions_t some = {};
        some.write = [](void *ctx, const char *, size_t size) -> ssize_t {
            return --*static_cast<long *>(ctx) < 0 ? 0 : static_cast<ssize_t>(size);
        };
        long left = good;
        FILE *out = fopencookie(&left, "w", some);
        EXPECT_EQ(setvbuf(out, nullptr, _IONBF, 0), 0);
        EXPECT_EQ(gmmu_rdgc_trace_write(t.get(), out), -1);
        EXPECT_EQ(left, -1);
        EXPECT_EQ(fclose(out), 0);
    }
}

TEST(Rdgc, WrongAdditions) {
    const Trace t = new_trace();
    gmmu_error err{};
    const uint64_t addr[GMMU_WARP] = {};
    const auto add = [&](uint64_t block, uint64_t warp, uint64_t number, uint32_t mask) {
        EXPECT_EQ(gmmu_rdgc_trace_add(t.get(), block, warp, number, false, mask, addr, &err),
                  GMMU_BAD);
        return std::string(err.text);
    };
    EXPECT_EQ(add(0, 0, 0, 1), "rdgc: found an access, expected a grid before it");
    ASSERT_EQ(gmmu_rdgc_trace_begin(t.get(), 3, 40, &err), GMMU_OK);
    EXPECT_EQ(add(3, 0, 0, 1), "block: found 3, expected 0 to 2");
    EXPECT_EQ(add(0, 2, 0, 1), "warp: found 2, expected 0 to 1");
    EXPECT_EQ(add(0, 0, UINT32_MAX, 1),
              "access number: found 4294967295, expected 0 to 4294967294");
    EXPECT_EQ(add(0, 0, 0, 0),
              "lanes of warp 0: found mask 0x00000000, expected some of 0xffffffff");
    EXPECT_EQ(add(0, 1, 0, 0x100),
              "lanes of warp 1: found mask 0x00000100, expected some of 0x000000ff");
    EXPECT_EQ(gmmu_rdgc_trace_begin(t.get(), UINT64_C(1) << 31, 1, &err), GMMU_BAD);
    EXPECT_STREQ(err.text, "blocks: found 2147483648, expected 1 to 2147483647");
    // the hook for operations without the hook for grids
    gmmu_simt_warp w = {};
    gmmu_simt_op op = {};
    EXPECT_EQ(gmmu_rdgc_trace_op_hook(t.get(), &w, 0, &op, &err), GMMU_BAD);
    EXPECT_STREQ(err.text, "rdgc: found an access, expected a grid before it");
    const gmmu_simt_grid grid = {.blocks = 0, .threads = 1, .shared = 0};
    EXPECT_EQ(gmmu_rdgc_trace_grid_hook(t.get(), &grid, &err), GMMU_BAD);
    // an empty trace, and an empty grid
    EXPECT_EQ(gmmu_rdgc_trace_order(t.get(), &err), GMMU_OK);
    EXPECT_EQ(gmmu_rdgc_trace_grid(t.get(), 0)->count, 0u);
    EXPECT_EQ(gmmu_rdgc_trace_grid(t.get(), 0)->longest, 0u);
}

// Random warps' accesses of all kinds, added in any order and in parts, against a map.
TEST(Rdgc, OrderAgainstAMap) {
    std::mt19937_64 random(3);
    for (unsigned round = 0; round < 10; round++) {
        const Trace t = new_trace();
        gmmu_error err{};
        for (unsigned g = 0; g < 12; g++) {
            const uint32_t blocks = 1 + static_cast<uint32_t>(random() % 9);
            const uint32_t threads = 1 + static_cast<uint32_t>(random() % 200);
            ASSERT_EQ(gmmu_rdgc_trace_begin(t.get(), blocks, threads, &err), GMMU_OK);
            std::map<std::vector<uint64_t>, std::map<unsigned, uint64_t>>
                expected;  // block, AN, warp, S
            std::map<std::vector<uint64_t>, unsigned> of_thread;
            for (unsigned i = 0; i < 400; i++) {
                const uint64_t block = random() % blocks, warp = random() % ((threads + 31) / 32),
                               number = random() % 20;
                const bool write = random() % 4 == 0;
                auto &lanes = expected[{block, number, warp, write}];
                uint32_t mask = static_cast<uint32_t>(random() >> (random() % 32));
                mask = random() % 3 == 0 ? UINT32_MAX : mask;
                const uint64_t base = random() >> (random() % 60),
                               stride = random() >> (random() % 64);
                const unsigned kind = random() % 5;
                uint64_t addr[GMMU_WARP];
                for (unsigned lane = 0; lane < 32; lane++) {
                    addr[lane] = kind == 0   ? random()
                                 : kind == 1 ? base
                                 : kind == 2 ? base - lane * 4
                                 : kind == 3 ? base + lane * stride
                                             : base + lane / 16 * 1000 + lane % 16 * 4;
                    if (warp * 32 + lane >= threads || lanes.count(lane) > 0)
                        mask &= ~(UINT32_C(1) << lane);
                }
                if (mask == 0)
                    continue;
                ASSERT_EQ(
                    gmmu_rdgc_trace_add(t.get(), block, warp, number, write, mask, addr, &err),
                    GMMU_OK);
                for (unsigned lane = 0; lane < 32; lane++)
                    if (mask >> lane & 1) {
                        lanes[lane] = addr[lane];
                        of_thread[{block, warp, lane}]++;
                    }
                if (i % 150 == 149) {
                    ASSERT_EQ(gmmu_rdgc_trace_order(t.get(), &err), GMMU_OK) << err.text;
                }
            }
            ASSERT_EQ(gmmu_rdgc_trace_order(t.get(), &err), GMMU_OK) << err.text;
            const gmmu_rdgc_grid *grid = gmmu_rdgc_trace_grid(t.get(), g);
            uint32_t at = 0, longest = 0;
            uint64_t numbers = 0, threads_accesses = 0;
            for (const auto &[key, lanes] : expected) {
                if (lanes.empty())
                    continue;
                ASSERT_LT(at, grid->count);
                const gmmu_rdgc_record &r = grid->records[at];
                EXPECT_EQ((std::vector<uint64_t>{r.block, r.number, r.warp, r.write}), key);
                EXPECT_LE(grid->first[r.block], at);
                EXPECT_GT(grid->first[r.block + 1], at);
                uint64_t addr[GMMU_WARP];
                EXPECT_EQ(gmmu_rdgc_record_addresses(grid, &r, addr), lanes.size());
                for (const auto &[lane, a] : lanes) {
                    EXPECT_TRUE(r.mask >> lane & 1);
                    EXPECT_EQ(addr[lane], a);
                }
                numbers = std::max(numbers, key[1] + 1);
                threads_accesses += lanes.size();
                at++;
            }
            for (const auto &[thread, n] : of_thread) longest = std::max(longest, n);
            EXPECT_EQ(grid->count, at);
            EXPECT_EQ(grid->numbers, numbers);
            EXPECT_EQ(grid->longest, longest);
            EXPECT_EQ(grid->reads + grid->writes, threads_accesses);
        }
        EXPECT_EQ(gmmu_rdgc_trace_grids(t.get()), 12u);
    }
}

// The hooks on real kernels: each warp's k-th memory instruction is AN k, with the addresses of
// that moment.
TEST(Rdgc, HooksOnKernels) {
    struct Both {
        gmmu_rdgc_trace *trace;
        std::vector<std::map<std::vector<uint64_t>, std::vector<uint64_t>>>
            seen;  // {block, AN, warp}
        std::map<std::vector<uint64_t>, uint64_t> next;
    };
    for (const char *name : {"2dconv", "gemm", "bfs"}) {
        const gmmu_simt_kernel *k = gmmu_simt_find(name);
        ASSERT_NE(k, nullptr);
        gmmu_simt_params p = gmmu_simt_defaults(k);
        p.size = strcmp(name, "bfs") == 0 ? 3000 : 70;
        gmmu_error err{};
        gmmu_simt *m = gmmu_simt_create(k, &p, &err);
        ASSERT_NE(m, nullptr) << err.text;
        const Trace t = new_trace();
        Both both = {t.get(), {}, {}};
        gmmu_simt_hooks hooks = {};
        hooks.ctx = &both;
        hooks.grid = [](void *ctx, const gmmu_simt_grid *g, gmmu_error *e) {
            Both *b = static_cast<Both *>(ctx);
            b->seen.emplace_back();
            b->next.clear();
            return gmmu_rdgc_trace_grid_hook(b->trace, g, e);
        };
        hooks.op = [](void *ctx, const gmmu_simt_warp *w, unsigned sm, const gmmu_simt_op *op,
                      gmmu_error *e) {
            Both *b = static_cast<Both *>(ctx);
            std::vector<uint64_t> &s =
                b->seen.back()[{w->block, b->next[{w->block, w->index}]++, w->index}];
            s = {op->write, op->mask};
            for (unsigned lane = 0; lane < 32; lane++)
                if (op->mask >> lane & 1)
                    s.push_back(op->array->base + op->index[lane] * op->array->element);
            return gmmu_rdgc_trace_op_hook(b->trace, w, sm, op, e);
        };
        ASSERT_EQ(gmmu_simt_run(m, &hooks, &err), GMMU_OK) << err.text;
        ASSERT_EQ(gmmu_rdgc_trace_order(t.get(), &err), GMMU_OK) << err.text;
        ASSERT_EQ(gmmu_rdgc_trace_grids(t.get()), both.seen.size());
        for (size_t i = 0; i < both.seen.size(); i++) {
            const gmmu_rdgc_grid *g = gmmu_rdgc_trace_grid(t.get(), i);
            ASSERT_EQ(g->count, both.seen[i].size());
            const gmmu_rdgc_record *r = g->records;
            for (const auto &[key, s] : both.seen[i]) {
                EXPECT_EQ((std::vector<uint64_t>{r->block, r->number, r->warp}), key);
                uint64_t addr[GMMU_WARP];
                (void)gmmu_rdgc_record_addresses(g, r, addr);
                std::vector<uint64_t> found = {r->write, r->mask};
                for (unsigned lane = 0; lane < 32; lane++)
                    if (r->mask >> lane & 1)
                        found.push_back(addr[lane]);
                EXPECT_EQ(found, s);
                r++;
            }
            if (strcmp(name, "2dconv") == 0) {
                EXPECT_EQ(g->longest, 10u);  // Table 4: nine reads, one write
                EXPECT_EQ(g->reads, 9 * g->writes);
                EXPECT_EQ(g->writes, 68u * 68);
            }
        }
        // A grid that the model refuses ends the run.
        gmmu_simt_destroy(m);
        m = gmmu_simt_create(k, &p, &err);
        hooks.grid = [](void *, const gmmu_simt_grid *, gmmu_error *) {
            return static_cast<int>(GMMU_BAD);
        };
        EXPECT_EQ(gmmu_simt_run(m, &hooks, &err), GMMU_BAD);
        gmmu_simt_destroy(m);
    }
}

// Lanes 0 to 3 at 70, 5, 64, 6 in blocks of 32 bytes with sectors of 8: 70 and 64 in block 2,
// sector 0; 5 and 6 in block 0, sector 0; lane 4, at 95, in block 2's sector 3; lane 5 does not
// take part.
TEST(Rdgc, Coalesce) {
    const uint64_t addr[GMMU_WARP] = {70, 5, 64, 6, 95, 1000};
    uint64_t block[GMMU_WARP];
    uint32_t sectors[GMMU_WARP];
    ASSERT_EQ(gmmu_rdgc_coalesce(addr, 0x1f, 5, 3, block, sectors), 2u);
    EXPECT_EQ(block[0], 2u);
    EXPECT_EQ(sectors[0], 0x9u);
    EXPECT_EQ(block[1], 0u);
    EXPECT_EQ(sectors[1], 0x1u);
    // sectors no smaller than blocks: one
    ASSERT_EQ(gmmu_rdgc_coalesce(addr, 0x20, 5, 7, block, sectors), 1u);
    EXPECT_EQ(block[0], 31u);
    EXPECT_EQ(sectors[0], 1u);
}

// ---------------------------------------------------------------- physical model

struct Model {
    explicit Model(const gmmu_rdgc_config &c) {
        gmmu_error err{};
        m = gmmu_rdgc_create(&c, &err);
        EXPECT_NE(m, nullptr) << err.text;
        gmmu_rdgc_watch_l2(m, list, this);
        sms.resize(c.sms);
        for (unsigned i = 0; i < c.sms; i++) {
            sms[i] = {this, i};
            watches.push_back({&sms[i], update, access, nullptr});
        }
        for (unsigned i = 0; i < c.sms; i++) gmmu_rdgc_cache_watch(gmmu_rdgc_l1(m, i), &watches[i]);
    }
    Model(const Model &) = delete;
    Model &operator=(const Model &) = delete;
    ~Model() { gmmu_rdgc_destroy(m); }
    void run(const gmmu_rdgc_trace *t) {
        gmmu_error err{};
        for (size_t i = 0; i < gmmu_rdgc_trace_grids(t); i++)
            EXPECT_EQ(gmmu_rdgc_run(m, gmmu_rdgc_trace_grid(t, i), &err), GMMU_OK) << err.text;
    }
    const gmmu_rdgc_result &result() { return *gmmu_rdgc_get_result(m); }

    struct Seen {
        unsigned sm;
        uint64_t step, block;
        unsigned warp;
        bool write;
        gmmu_rdgc_status status;
    };
    struct Sm {
        Model *model;
        unsigned number;
    };
    gmmu_rdgc *m;
    std::vector<Sm> sms;
    std::vector<gmmu_rdgc_watch> watches;
    std::vector<Seen> seen;          // L1, SM by SM
    std::vector<std::string> lists;  // of L2: "sm:block[w] …"

   private:
    static void update(void *, uint64_t, uint64_t) {}
    static void access(void *ctx, uint64_t step, const gmmu_rdgc_event *e) {
        const Sm *sm = static_cast<Sm *>(ctx);
        sm->model->seen.push_back(
            {sm->number, step, e->access->block, e->access->warp, e->access->write, e->status});
    }
    static void list(void *ctx, const gmmu_rdgc_access *list, size_t n) {
        std::string s;
        for (size_t i = 0; i < n; i++)
            s += (i > 0 ? " " : "") + std::to_string(list[i].warp) + ":" +
                 std::to_string(list[i].block) + (list[i].write ? "w" : "");
        static_cast<Model *>(ctx)->lists.push_back(s);
    }
};

gmmu_rdgc_config machine() {
    gmmu_rdgc_config c = gmmu_rdgc_defaults();
    c.sms = 1;
    c.schedulers = 2;
    c.l1.adaptive = c.l2.adaptive = false;
    return c;
}

// Algorithm 3.
TEST(Rdgc, ConcurrentBlocks) {
    gmmu_rdgc_config c = gmmu_rdgc_defaults();
    const auto found = [&](uint32_t max_blocks, uint32_t max_warps, uint32_t warps, uint32_t bsm) {
        c.max_blocks = max_blocks;
        c.max_warps = max_warps;
        uint32_t cb = 99, nitr = 99;
        gmmu_rdgc_concurrent_blocks(&c, warps, bsm, &cb, &nitr);
        return std::vector<uint32_t>{cb, nitr};
    };
    using V = std::vector<uint32_t>;
    EXPECT_EQ(found(32, 64, 8, 5), (V{5, 1}));    // all: 40 warps
    EXPECT_EQ(found(32, 64, 8, 10), (V{8, 2}));   // 80 warps are too many: 64 / 8
    EXPECT_EQ(found(32, 64, 1, 40), (V{32, 2}));  // blocks are the limit
    EXPECT_EQ(found(16, 64, 4, 17), (V{16, 2}));  // both at once: 16 x 4 = 64
    EXPECT_EQ(found(16, 63, 4, 17), (V{15, 2}));  // 63 / 4 = 15
    EXPECT_EQ(found(32, 64, 100, 3), (V{1, 3}));  // R14: not 0
    EXPECT_EQ(found(32, 64, 8, 0), (V{0, 0}));
    EXPECT_EQ(found(65536, 65536, 32, 2147483647), (V{2048, 1048576}));
}

TEST(Rdgc, MappingOfBlocks) {
    gmmu_rdgc_config c = gmmu_rdgc_defaults();
    const auto found = [&](gmmu_rdgc_mapping mapping, uint32_t sms, uint32_t blocks,
                           uint64_t number) {
        c.mapping = mapping;
        c.sms = sms;
        std::vector<uint32_t> sm(blocks);
        gmmu_rdgc_map_blocks(&c, number, blocks, sm.data());
        std::string s;
        for (const uint32_t x : sm) s += std::to_string(x);
        return s;
    };
    EXPECT_EQ(found(GMMU_RDGC_RR, 3, 7, 0), "0120120");
    EXPECT_EQ(found(GMMU_RDGC_BPART1, 2, 13, 0), "0000111100001");
    EXPECT_EQ(found(GMMU_RDGC_BPART2, 2, 18, 0), "000000001111111100");
    c.seed = 0;
    EXPECT_EQ(found(GMMU_RDGC_RAND, 4, 4, 0), "3103");  // as in Random above
    EXPECT_EQ(found(GMMU_RDGC_RAND, 4, 40, 1).find(found(GMMU_RDGC_RAND, 4, 40, 0)),
              std::string::npos);
    c.seed = UINT64_C(1) << 32;
    const std::string one = found(GMMU_RDGC_RAND, 4, 40, 0);
    c.seed = 0;
    EXPECT_EQ(found(GMMU_RDGC_RAND, 4, 40, 1), one);
}

// Two blocks of 96 threads, ANs 0 and 1, two schedulers: AN outermost, then the block, then pairs
// of warps: a step for {w0, w1}, one for {w2}. Each warp reads a block of its own, (AN · 2 + BID) ·
// 3 + WID.
std::string pairs_text() {
    std::string text = "# gmmu-rdgc 1 blocks=2 threads=96\n";
    for (unsigned block = 0; block < 2; block++)
        for (unsigned number = 0; number < 2; number++)
            for (unsigned thread = 0; thread < 96; thread++)
                text += std::to_string(number) + "," + std::to_string(block) + "," +
                        std::to_string(thread) + ",r," +
                        std::to_string(((number * 2 + block) * 3 + thread / 32) * 128 +
                                       thread % 32 * 4) +
                        "\n";
    return text;
}

std::string order_of(const Model &m) {
    std::string s;
    for (const Model::Seen &x : m.seen)
        s += std::to_string(x.step) + ":" + std::to_string(x.block) + " ";
    return s;
}

TEST(Rdgc, OrderOfLists) {
    const Trace t = new_trace();
    ASSERT_EQ(read_text(t.get(), pairs_text()), "");
    Model m(machine());
    m.run(t.get());
    EXPECT_EQ(order_of(m), "0:0 0:1 1:2 2:3 2:4 3:5 4:6 4:7 5:8 6:9 6:10 7:11 ");
    EXPECT_EQ(m.result().instructions, 12u);
    EXPECT_EQ(m.result().coalesced, 12u);
    EXPECT_EQ(m.result().l1.steps, 8u);
    EXPECT_EQ(m.result().l1_steps_longest, 8u);
    // One block at a time (MAXCB = 1, or six warps at most being four): block 0 to its end, then
    // block 1.
    for (const bool blocks : {true, false}) {
        gmmu_rdgc_config c = machine();
        (blocks ? c.max_blocks : c.max_warps) = blocks ? 1 : 5;
        Model one(c);
        one.run(t.get());
        EXPECT_EQ(order_of(one), "0:0 0:1 1:2 2:6 2:7 3:8 4:3 4:4 5:5 6:9 6:10 7:11 ");
    }
    // One scheduler: a warp a list; three: a block's all.
    gmmu_rdgc_config c = machine();
    c.schedulers = 1;
    Model single(c);
    single.run(t.get());
    EXPECT_EQ(order_of(single), "0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7 8:8 9:9 10:10 11:11 ");
    c.schedulers = 3;
    c.l1.ports = 3;
    Model three(c);
    three.run(t.get());
    EXPECT_EQ(order_of(three), "0:0 0:1 0:2 1:3 1:4 1:5 2:6 2:7 2:8 3:9 3:10 3:11 ");
}

// ANs with gaps: block 0 has 0 and 7, block 1 has 4000000000 only. A warp's read goes before its
// write, in one list.
TEST(Rdgc, GapsInAccessNumbers) {
    const Trace t = new_trace();
    ASSERT_EQ(read_text(t.get(),
                        "# gmmu-rdgc 1 blocks=3 threads=1\n"
                        "0,0,0,r,0\n7,0,0,w,256\n7,0,0,r,128\n4000000000,1,0,r,384\n"),
              "");
    Model m(machine());
    m.run(t.get());
    EXPECT_EQ(order_of(m), "0:0 1:1 1:2 2:3 ");
    EXPECT_FALSE(m.seen[1].write);
    EXPECT_TRUE(m.seen[2].write);
    EXPECT_EQ(m.lists, (std::vector<std::string>{"0:0", "0:1 0:2w", "0:3"}));
    // and an iteration without any access: block 2 alone
    gmmu_rdgc_config c = machine();
    c.max_blocks = 1;
    Model alone(c);
    alone.run(t.get());
    EXPECT_EQ(order_of(alone), "0:0 1:1 1:2 2:3 ");
}

// Two SMs, a block of one thread each. AN 0: both read, L2 sees both in one list, by SM. AN 1: both
// read the same again, join or hit: no list. AN 2: SM 1 writes alone. AN 3: SM 0 and, a step
// earlier, SM 1.
TEST(Rdgc, ListsOfL2) {
    const Trace t = new_trace();
    ASSERT_EQ(read_text(t.get(),
                        "# gmmu-rdgc 1 blocks=2 threads=1\n"
                        "0,1,0,r,0\n0,0,0,r,640\n"
                        "1,1,0,r,4\n1,0,0,r,644\n"
                        "2,1,0,w,8\n2,0,0,r,640\n"
                        "3,0,0,w,640\n3,1,0,r,1280\n4,1,0,r,1280\n"),
              "");
    gmmu_rdgc_config c = machine();
    c.sms = 2;
    Model m(c);
    m.run(t.get());
    EXPECT_EQ(m.lists, (std::vector<std::string>{"0:5 1:0", "1:0w", "0:5w 1:10"}));
    // L1, latency 1: C1R of SM 0: miss, hit, hit; of SM 1: miss, hit; miss, hit. Both writes hit.
    EXPECT_EQ(gmmu_rdgc_l1_reads(&m.result()).hits, 4u);
    EXPECT_EQ(gmmu_rdgc_l1_reads(&m.result()).accesses, 7u);
    EXPECT_EQ(m.result().l1.w[0], 2u);
    EXPECT_EQ(m.result().l1.write_evictions, 2u);
    EXPECT_EQ(m.result().l1.steps, 9u);
    EXPECT_EQ(m.result().l1_steps_longest, 5u);
    // L2: 5, 0 miss; 0 written: hit; 5 written: hit; 10 miss. Blocks 0, 5, 10: partitions 0, 1, 2.
    EXPECT_EQ(gmmu_rdgc_l2_all(&m.result()).hits, 2u);
    EXPECT_EQ(gmmu_rdgc_l2_all(&m.result()).accesses, 5u);
    EXPECT_EQ(m.result().l2.steps, 3u);
    EXPECT_EQ(gmmu_rdgc_cache_counts(gmmu_rdgc_l2(m.m))->steps, 3u);
    // L1 bypassed: all nine go to L2, step by step.
    gmmu_rdgc_metrics x;
    gmmu_error err{};
    ASSERT_EQ(gmmu_rdgc_measure(&c, t.get(), 0, 1, &x, &err), GMMU_OK);
    EXPECT_EQ(x.l1_r.hits, 4u);
    EXPECT_EQ(x.l1_r.accesses, 7u);
    EXPECT_EQ(x.l2.hits, 2u);
    EXPECT_EQ(x.l2.accesses, 5u);
    EXPECT_EQ(x.l2_l1b.hits, 6u);
    EXPECT_EQ(x.l2_l1b.accesses, 9u);
}

// L1 blocks of 128 bytes over L2 blocks of 32: a miss fetches all four, a write sends what it
// touches. L1 blocks of 32 over L2 blocks of 128: each L1 miss is one transaction.
TEST(Rdgc, BlockSizes) {
    const std::string text =
        "# gmmu-rdgc 1 blocks=1 threads=3\n"
        "0,0,0,r,260\n"
        "1,0,0,w,128\n1,0,1,w,200\n1,0,2,w,0\n";
    const Trace t = new_trace();
    ASSERT_EQ(read_text(t.get(), text), "");
    gmmu_rdgc_config c = machine();
    c.l2.block = 32;
    Model large(c);
    large.run(t.get());
    EXPECT_EQ(large.lists, (std::vector<std::string>{"0:8 0:9 0:10 0:11", "0:4w 0:6w 0:0w"}));
    EXPECT_EQ(large.result().coalesced, 3u);
    // with writes that allocate all is fetched
    c.l1.bypass = GMMU_RDGC_OFF;
    Model off(c);
    off.run(t.get());
    EXPECT_EQ(off.lists, (std::vector<std::string>{"0:8 0:9 0:10 0:11",
                                                   "0:4w 0:5w 0:6w 0:7w 0:0w 0:1w 0:2w 0:3w"}));
    // L1 disabled: in L2's blocks, two ports
    c.l1.bypass = GMMU_RDGC_RWON;
    Model disabled(c);
    disabled.run(t.get());
    EXPECT_EQ(disabled.lists, (std::vector<std::string>{"0:8", "0:4w 0:6w", "0:0w"}));
    c = machine();
    c.l1.block = 32;
    c.l1.capacity = 4096;
    Model small_blocks(c);
    small_blocks.run(t.get());
    EXPECT_EQ(small_blocks.lists, (std::vector<std::string>{"0:2", "0:1w 0:1w", "0:0w"}));
    // lanes a sector apart: of the block at 128 sectors 0 to 2 are written
    const Trace row = new_trace();
    ASSERT_EQ(
        read_text(row.get(),
                  "# gmmu-rdgc 1 blocks=1 threads=3\n0,0,0,w,128\n0,0,1,w,160\n0,0,2,w,192\n"),
        "");
    c = machine();
    c.l2.block = 32;
    Model of_row(c);
    of_row.run(row.get());
    EXPECT_EQ(of_row.lists, (std::vector<std::string>{"0:4w 0:5w 0:6w"}));
    // the most sectors
    c = machine();
    c.l1.block = 1024;
    c.l1.capacity = 32 << 10;
    c.l2.block = 32;
    Model sectors(c);
    sectors.run(t.get());
    ASSERT_EQ(sectors.lists.size(), 2u);
    EXPECT_EQ(sectors.lists[0].substr(sectors.lists[0].size() - 10), " 0:30 0:31");
    EXPECT_EQ(sectors.lists[1], "0:0w 0:4w 0:6w");
}

// The same grid twice. L1 is emptied in between unless kept, L2 kept unless emptied. What is
// outstanding at the end of the first has come (latency 50).
TEST(Rdgc, BetweenGrids) {
    const Trace t = new_trace();
    const std::string grid = "# gmmu-rdgc 1 blocks=1 threads=1\n0,0,0,r,0\n";
    ASSERT_EQ(read_text(t.get(), grid + grid), "");
    for (const bool keep_l1 : {false, true})
        for (const bool keep_l2 : {false, true}) {
            gmmu_rdgc_config c = machine();
            c.l1.latency = c.l2.latency = 50;
            c.keep_l1 = keep_l1;
            c.keep_l2 = keep_l2;
            Model m(c);
            m.run(t.get());
            EXPECT_EQ(gmmu_rdgc_l1_reads(&m.result()).hits, keep_l1 ? 1u : 0u);
            EXPECT_EQ(gmmu_rdgc_l2_all(&m.result()).accesses, keep_l1 ? 1u : 2u);
            EXPECT_EQ(gmmu_rdgc_l2_all(&m.result()).hits, !keep_l1 && keep_l2 ? 1u : 0u);
            EXPECT_EQ(m.result().grids, 2u);
            EXPECT_EQ(m.result().l1_steps_longest, 2u);
        }
}

// K1 = 0, K2 = 8, L2P = 8: the latency is busy times active SMs. With one active SM the second read
// hits, with two it joins, and the third hits.
TEST(Rdgc, LatencyByActiveSms) {
    for (const unsigned blocks : {1, 2}) {
        const Trace t = new_trace();
        std::string text = "# gmmu-rdgc 1 blocks=" + std::to_string(blocks) + " threads=1\n";
        for (unsigned b = 0; b < blocks; b++)
            for (unsigned i = 0; i < 3; i++)
                text += std::to_string(i) + "," + std::to_string(b) + ",0,r,0\n";
        ASSERT_EQ(read_text(t.get(), text), "");
        gmmu_rdgc_config c = machine();
        c.sms = 4;
        c.l1.adaptive = true;
        c.l1.k1 = 0;
        c.l1.k2 = 8000;
        Model m(c);
        m.run(t.get());
        EXPECT_EQ(m.result().l1.merges, blocks == 1 ? 0u : 2u);
        EXPECT_EQ(gmmu_rdgc_l1_reads(&m.result()).hits, 2u);
    }
}

// Random traces, longer than the SMs run ahead: what L1 is seen to send, sorted by step and SM, is
// what L2 gets. And what goes into L1 is what the records say, in the order of Algorithm 2.
TEST(Rdgc, WhatL1SendsL2Gets) {
    std::mt19937_64 random(17);
    for (unsigned round = 0; round < 12; round++) {
        const Trace t = new_trace();
        gmmu_error err{};
        const uint32_t blocks = 1 + static_cast<uint32_t>(random() % 20),
                       threads = 1 + static_cast<uint32_t>(random() % 150);
        const unsigned numbers = round % 6 == 0 ? 300 : 20;
        ASSERT_EQ(gmmu_rdgc_trace_begin(t.get(), blocks, threads, &err), GMMU_OK);
        for (uint32_t b = 0; b < blocks; b++)
            for (uint32_t w = 0; w < (threads + 31) / 32; w++)
                for (unsigned number = 0; number < numbers; number++) {
                    if (random() % 4 == 0)
                        continue;
                    uint64_t addr[GMMU_WARP];
                    const unsigned lanes = std::min(32U, threads - w * 32);
                    uint32_t mask =
                        random() % 2 == 0 ? static_cast<uint32_t>(random()) : UINT32_MAX;
                    mask = (mask | 1) & (UINT32_MAX >> (32 - lanes));
                    const uint64_t base = random() % 4096 * 16 + 4096, kind = random() % 8;
                    static const int64_t strides[] = {0, 4, -4, 8, 32, -128, 200};
                    for (unsigned lane = 0; lane < 32; lane++)
                        addr[lane] = kind == 7 ? random() % 65536
                                               : base + static_cast<uint64_t>(strides[kind] * lane);
                    ASSERT_EQ(gmmu_rdgc_trace_add(t.get(), b, w, number, random() % 5 == 0, mask,
                                                  addr, &err),
                              GMMU_OK);
                }
        ASSERT_EQ(gmmu_rdgc_trace_order(t.get(), &err), GMMU_OK);
        gmmu_rdgc_config c = machine();
        c.sms = 1 + static_cast<uint32_t>(random() % 5);
        c.schedulers = 1 + static_cast<uint32_t>(random() % 4);
        c.max_blocks = 1 + static_cast<uint32_t>(random() % 4);
        c.mapping = static_cast<gmmu_rdgc_mapping>(random() % 4);
        c.l1.adaptive = random() % 2 == 0;
        c.l1.mshrs = 1 + static_cast<uint32_t>(random() % 8);
        c.l1.block = 32U << random() % 3;
        c.l2.block = c.l1.block << random() % 2;
        c.l1.bypass = static_cast<gmmu_rdgc_bypass>(random() % 3);
        Model m(c);
        m.run(t.get());

        const gmmu_rdgc_grid *g = gmmu_rdgc_trace_grid(t.get(), 0);
        const uint32_t unit = c.l1.bypass == GMMU_RDGC_RWON ? c.l2.block : c.l1.block;
        std::vector<uint32_t> mapping(blocks);
        gmmu_rdgc_map_blocks(&c, 0, blocks, mapping.data());
        // what each SM's L1 gets, list by list: warp, block, write
        std::map<unsigned, std::vector<std::string>> accesses;
        for (uint32_t sm = 0; sm < c.sms; sm++) {
            std::vector<uint32_t> own;
            for (uint32_t b = 0; b < blocks; b++)
                if (mapping[b] == sm)
                    own.push_back(b);
            uint32_t cb = 0, nitr = 0;
            gmmu_rdgc_concurrent_blocks(&c, g->warps, static_cast<uint32_t>(own.size()), &cb,
                                        &nitr);
            for (uint32_t i = 0; i < nitr; i++)
                for (uint32_t j = 0; j < g->numbers; j++)
                    for (uint32_t k = i * cb; k < std::min<size_t>((i + 1) * cb, own.size()); k++)
                        for (uint32_t l = 0; l < (g->warps + c.schedulers - 1) / c.schedulers;
                             l++) {
                            std::vector<std::string> one;
                            for (uint32_t n = g->first[own[k]]; n < g->first[own[k] + 1]; n++) {
                                const gmmu_rdgc_record &r = g->records[n];
                                if (r.number != j || r.warp / c.schedulers != l)
                                    continue;
                                uint64_t addr[GMMU_WARP];
                                (void)gmmu_rdgc_record_addresses(g, &r, addr);
                                std::vector<uint64_t> distinct;
                                for (unsigned lane = 0; lane < 32; lane++)
                                    if ((r.mask >> lane & 1) &&
                                        std::find(distinct.begin(), distinct.end(),
                                                  addr[lane] / unit) == distinct.end())
                                        distinct.push_back(addr[lane] / unit);
                                for (const uint64_t d : distinct)
                                    one.push_back(std::to_string(r.warp) + "." + std::to_string(d) +
                                                  (r.write ? "w" : "r"));
                            }
                            accesses[sm].insert(accesses[sm].end(), one.begin(), one.end());
                        }
        }
        // L1 as seen: resolved accesses, in the order of each list
        std::map<unsigned, std::vector<std::string>> resolved;
        std::map<std::pair<uint64_t, unsigned>, std::string> sent;  // by step and SM
        for (const Model::Seen &s : m.seen) {
            if (s.status != GMMU_RDGC_FAILED)
                resolved[s.sm].push_back(std::to_string(s.warp) + "." + std::to_string(s.block) +
                                         (s.write ? "w" : "r"));
            if (s.status == GMMU_RDGC_MISS || s.status == GMMU_RDGC_PASSED)
                sent[{s.step, s.sm}] += " " + std::to_string(s.sm) + ":" +
                                        std::to_string(s.block * unit / c.l2.block) +
                                        (s.write ? "w" : "");
        }
        for (uint32_t sm = 0; sm < c.sms; sm++) {
            // of two ports the second may be resolved before the first
            std::vector<std::string> a = accesses[sm], b = resolved[sm];
            if (c.l1.bypass == GMMU_RDGC_RWON) {
                EXPECT_EQ(a, b);
            }
            std::sort(a.begin(), a.end());
            std::sort(b.begin(), b.end());
            EXPECT_EQ(a, b);
        }
        std::vector<std::string> lists;
        uint64_t last = UINT64_MAX;
        for (const auto &[key, text] : sent) {
            if (key.first != last)
                lists.emplace_back();
            last = key.first;
            lists.back() += lists.back().empty() ? text.substr(1) : text;
        }
        EXPECT_EQ(m.lists, lists) << "round " << round;
    }
}

// A list for L2 longer than any before, of many SMs.
TEST(Rdgc, ManySms) {
    const Trace t = new_trace();
    std::string text = "# gmmu-rdgc 1 blocks=600 threads=2\n";
    for (unsigned b = 0; b < 600; b++)
        for (unsigned thread = 0; thread < 2; thread++)
            text += "0," + std::to_string(b) + "," + std::to_string(thread) + ",r," +
                    std::to_string((b * 2 + thread) * 128) + "\n";
    ASSERT_EQ(read_text(t.get(), text), "");
    gmmu_rdgc_config c = machine();
    c.sms = 600;
    c.l2.mshrs = 4096;
    c.l2.latency = 1000;
    Model m(c);
    m.run(t.get());
    EXPECT_EQ(m.lists.size(), 1u);
    EXPECT_EQ(m.result().l2.r[8], 1200u);
    EXPECT_EQ(m.result().l2.steps, 150u);  // 1200 over eight banks
}

// ---------------------------------------------------------------- parameters

TEST(Rdgc, ParametersByName) {
    gmmu_error err{};
    gmmu_rdgc_config c = gmmu_rdgc_defaults();
    EXPECT_EQ(gmmu_rdgc_config_check(&c, &err), GMMU_OK);
    const std::vector<std::pair<std::string, std::string>> values = {
        {"l1.size", "24K"},
        {"l1.ways", "192"},
        {"l1.block", "32"},
        {"l1.index", "smod-3"},
        {"l1.replace", "lfu"},
        {"l1.bypass", "rwon"},
        {"l1.latency", "7"},
        {"l2.size", "2M"},
        {"l2.partitions", "7"},
        {"l2.banks", "3"},
        {"l2.ports", "4"},
        {"l2.partition_chunk", "8"},
        {"l2.bank_chunk", "9"},
        {"l2.index", "xor"},
        {"l2.replace", "random"},
        {"l2.bypass", "won"},
        {"l2.mshr_sets", "5"},
        {"l2.mshrs", "6"},
        {"l2.merges", "0"},
        {"l2.latency", "adaptive"},
        {"l2.k1", "1.5"},
        {"l2.k2", "0.125"},
        {"l2.arrival", "end"},
        {"sms", "26"},
        {"schedulers", "2"},
        {"max_warps", "32"},
        {"max_blocks", "16"},
        {"mapping", "rand"},
        {"keep_l1", "yes"},
        {"keep_l2", "no"},
        {"seed", "18446744073709551615"},
        {"l1.index", "pri"},
    };
    for (const auto &[key, value] : values)
        EXPECT_EQ(gmmu_rdgc_config_set(&c, key.c_str(), value.c_str(), &err), GMMU_OK) << err.text;
    EXPECT_EQ(c.l1.capacity, 24u << 10);
    EXPECT_EQ(c.l1.ways, 192u);
    EXPECT_EQ(c.l1.block, 32u);
    EXPECT_EQ(c.l1.index, GMMU_RDGC_PRI);
    EXPECT_EQ(c.l1.shift, 3u);
    EXPECT_EQ(c.l1.replacement, GMMU_RDGC_LFU);
    EXPECT_EQ(c.l1.bypass, GMMU_RDGC_RWON);
    EXPECT_FALSE(c.l1.adaptive);
    EXPECT_EQ(c.l1.latency, 7u);
    EXPECT_EQ(c.l2.capacity, 2u << 20);
    EXPECT_EQ(c.l2.partitions, 7u);
    EXPECT_EQ(c.l2.banks, 3u);
    EXPECT_EQ(c.l2.ports, 4u);
    EXPECT_EQ(c.l2.partition_chunk, 8u);
    EXPECT_EQ(c.l2.bank_chunk, 9u);
    EXPECT_EQ(c.l2.index, GMMU_RDGC_XOR);
    EXPECT_EQ(c.l2.replacement, GMMU_RDGC_RANDOM);
    EXPECT_EQ(c.l2.bypass, GMMU_RDGC_WON);
    EXPECT_EQ(c.l2.mshr_sets, 5u);
    EXPECT_EQ(c.l2.mshrs, 6u);
    EXPECT_EQ(c.l2.merges, 0u);
    EXPECT_TRUE(c.l2.adaptive);
    EXPECT_EQ(c.l2.k1, 1500u);
    EXPECT_EQ(c.l2.k2, 125u);
    EXPECT_EQ(c.l2.arrival, GMMU_RDGC_END);
    EXPECT_EQ(c.sms, 26u);
    EXPECT_EQ(c.schedulers, 2u);
    EXPECT_EQ(c.max_warps, 32u);
    EXPECT_EQ(c.max_blocks, 16u);
    EXPECT_EQ(c.mapping, GMMU_RDGC_RAND);
    EXPECT_TRUE(c.keep_l1);
    EXPECT_FALSE(c.keep_l2);
    EXPECT_EQ(c.seed, UINT64_MAX);
    // what is got sets the same
    c.l1.index = GMMU_RDGC_SMOD;
    gmmu_rdgc_config again = gmmu_rdgc_defaults();
    std::string keys;
    size_t n = 0;
    for (const char *key; (key = gmmu_rdgc_config_key(n)) != nullptr; n++) {
        char text[64];
        gmmu_rdgc_config_get(&c, n, text, sizeof text);
        EXPECT_EQ(gmmu_rdgc_config_set(&again, key, text, &err), GMMU_OK)
            << key << "=" << text << ": " << err.text;
        char back[64];
        gmmu_rdgc_config_get(&again, n, back, sizeof back);
        EXPECT_STREQ(text, back) << key;
    }
    EXPECT_EQ(n, 2u * 18 + 8);
    EXPECT_EQ(gmmu_rdgc_config_key(n + 1), nullptr);
    EXPECT_EQ(again.l1.shift, 3u);
    EXPECT_EQ(again.l2.k2, 125u);
}

TEST(Rdgc, BadValues) {
    const std::vector<std::vector<std::string>> cases = {
        {"l3.size", "1", "found \"l3.size\", expected a parameter as l1.ways or sms"},
        {"l1.ways", "0", "l1.ways: found \"0\", expected 1 to 32768"},
        {"l1.ways", "", "l1.ways: found \"\", expected 1 to 32768"},
        {"l1.ways", "4x", "l1.ways: found \"4x\", expected 1 to 32768"},
        {"l1.ways", "4K", "l1.ways: found \"4K\", expected 1 to 32768"},
        {"l2.ports", "99999999999999999999",
         "l2.ports: found \"99999999999999999999\", expected 1 to 64"},
        {"l1.size", "1G", "l1.size: found \"1G\", expected bytes, or with K or M behind"},
        {"l1.size", "2000000M",
         "l1.size: found \"2000000M\", expected bytes, or with K or M behind"},
        {"l1.size", "K", "l1.size: found \"K\", expected bytes, or with K or M behind"},
        {"l1.index", "smod", "l1.index: found \"smod\", expected mod, smod-n, pri or xor"},
        {"l1.index", "smod-41", "l1.index: found \"smod-41\", expected mod, smod-n, pri or xor"},
        {"l1.index", "hash", "l1.index: found \"hash\", expected mod, smod-n, pri or xor"},
        {"l2.replace", "LRU", "l2.replace: found \"LRU\", expected lru, lfu, fifo or random"},
        {"l2.bypass", "on", "l2.bypass: found \"on\", expected off, won or rwon"},
        {"l1.latency", "0", "l1.latency: found \"0\", expected steps or adaptive"},
        {"l1.arrival", "x", "l1.arrival: found \"x\", expected start or end"},
        {"l1.k1", "0.1234",
         "l1.k1: found \"0.1234\", expected 0 to 1000000 with at most three decimals"},
        {"l1.k1", "0.", "l1.k1: found \"0.\", expected 0 to 1000000 with at most three decimals"},
        {"l1.k1", ".5", "l1.k1: found \".5\", expected 0 to 1000000 with at most three decimals"},
        {"l1.k2", "1000000.001",
         "l1.k2: found \"1000000.001\", expected 0 to 1000000 with at most three decimals"},
        {"l1.k2", "9999999",
         "l1.k2: found \"9999999\", expected 0 to 1000000 with at most three decimals"},
        {"mapping", "random", "mapping: found \"random\", expected rr, bpart1, bpart2 or rand"},
        {"keep_l1", "1", "keep_l1: found \"1\", expected yes or no"},
        {"seed", "18446744073709551616",
         "seed: found \"18446744073709551616\", expected a number below 2^64"},
        {"seed", "1K", "seed: found \"1K\", expected a number below 2^64"},
        {"sms", "1025", "sms: found \"1025\", expected 1 to 1024"},
    };
    for (const auto &k : cases) {
        gmmu_error err{};
        gmmu_rdgc_config c = gmmu_rdgc_defaults();
        const gmmu_rdgc_config before = c;
        EXPECT_EQ(gmmu_rdgc_config_set(&c, k[0].c_str(), k[1].c_str(), &err), GMMU_BAD);
        EXPECT_EQ(err.text, k[2]);
        EXPECT_EQ(c.l1.adaptive, before.l1.adaptive);
        EXPECT_EQ(c.l1.shift, before.l1.shift);
    }
}

TEST(Rdgc, ParametersThatDoNotAgree) {
    const auto message = [](void (*change)(gmmu_rdgc_config *)) {
        gmmu_error err{};
        gmmu_rdgc_config c = gmmu_rdgc_defaults();
        change(&c);
        EXPECT_EQ(gmmu_rdgc_config_check(&c, &err), GMMU_BAD);
        gmmu_error same{};
        EXPECT_EQ(gmmu_rdgc_create(&c, &same), nullptr);
        EXPECT_STREQ(err.text, same.text);
        return std::string(err.text);
    };
    EXPECT_EQ(message([](gmmu_rdgc_config *c) { c->l1.ways = 0; }),
              "l1.ways: found 0, expected 1 to 32768");
    EXPECT_EQ(message([](gmmu_rdgc_config *c) { c->l2.ways = 40000; }),
              "l2.ways: found 40000, expected 1 to 32768");
    EXPECT_EQ(message([](gmmu_rdgc_config *c) { c->l1.k1 = 1000000001; }),
              "l1.k1: found 1000000001, expected 0 to 1000000000 thousandths");
    EXPECT_EQ(message([](gmmu_rdgc_config *c) {
                  c->l1.replacement = static_cast<gmmu_rdgc_replacement>(4);
              }),
              "l1.replace: found 4, expected 0 to 3");
    EXPECT_EQ(message([](gmmu_rdgc_config *c) { c->l1.latency = 0; }),
              "l1.latency: found 0, expected 1 to 1000000");
    EXPECT_EQ(message([](gmmu_rdgc_config *c) { c->l1.shift = 41; }),
              "l1.index: found smod-41, expected smod-0 to smod-40");
    EXPECT_EQ(message([](gmmu_rdgc_config *c) { c->l1.block = 96; }),
              "l1.block: found 96, expected a power of two");
    EXPECT_EQ(
        message([](gmmu_rdgc_config *c) { c->l2.partitions = 3; }),
        "l2.size: found 1048576, expected a multiple of 6144 (block, ways, partitions and banks)");
    EXPECT_EQ(message([](gmmu_rdgc_config *c) { c->l2.capacity = UINT64_C(1) << 32; }),
              "l2.size: found 33554432 blocks, expected at most 16777216");
    EXPECT_EQ(message([](gmmu_rdgc_config *c) { c->l1.mshr_sets = 2; }),
              "l1.mshr_sets: found 2, expected at most partitions = 1");
    EXPECT_EQ(message([](gmmu_rdgc_config *c) { c->sms = 0; }), "sms: found 0, expected 1 to 1024");
    EXPECT_EQ(message([](gmmu_rdgc_config *c) { c->mapping = static_cast<gmmu_rdgc_mapping>(9); }),
              "mapping: found 9, expected 0 to 3");
    EXPECT_EQ(message([](gmmu_rdgc_config *c) {
                  c->l2.block = 4;
                  c->l1.block = 256;
              }),
              "l1.block: found 256, expected at most 32 times l2.block = 4");
    gmmu_error err{};
    gmmu_rdgc_cache_config c = small();
    c.ports = 0;
    EXPECT_EQ(gmmu_rdgc_cache_create(&c, 0, &err), nullptr);
    EXPECT_STREQ(err.text, "ports: found 0, expected 1 to 64");
}

TEST(Rdgc, NothingToDestroy) {
    gmmu_rdgc_destroy(nullptr);
    gmmu_rdgc_cache_destroy(nullptr);
    gmmu_rdgc_trace_destroy(nullptr);
}

}  // namespace
