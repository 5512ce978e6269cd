// SPDX-License-Identifier: Apache-2.0
// record_test.cpp: tests of `gmmu record`: TLBs, coalescer, scheduler, committed traces.
//
// The front end is held against models written in the plainest way: a TLB as a list of pages, a
// coalescer as a search through a vector. kernels_test.cpp has the kernels.
#include "simt/record.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <list>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "simt/kernels/kernels.h"
#include "simt/simt.h"
#include "simt/tlb.h"
#include "simt_bench.h"

namespace {

using namespace simt_bench;

// ---------------------------------------------------------------- TLB

TEST(Tlb, EqualsListModelOnRandomStreams) {
    uint64_t random = 7;
    unsigned long checked = 0;
    struct {
        unsigned entries, ways;
    } shapes[] = {{1, 1}, {2, 2}, {8, 1}, {12, 4}, {128, 128}, {512, 16}, {96, 32}};
    for (auto shape : shapes) {
        for (uint64_t pages : {uint64_t{2}, uint64_t{shape.entries}, uint64_t{3} * shape.entries}) {
            gmmu_tlb t;
            ASSERT_TRUE(gmmu_tlb_init(&t, shape.entries, shape.ways));
            NaiveTlb naive(shape.entries, shape.ways);
            uint64_t vpn = 0;
            for (int i = 0; i < 5000; i++) {
                uint64_t r = gmmu_simt_random(&random);
                // Repeats, strides and jumps; the top bits must count too.
                vpn = r % 8 == 0 ? vpn : r % 8 < 4 ? vpn + 1 : (r >> 32) % pages;
                uint64_t page = vpn % (pages + 1) | (r >> 8 & 1) << 51;
                ASSERT_EQ(gmmu_tlb_access(&t, page), naive.access(page)) << i;
                checked++;
            }
            gmmu_tlb_free(&t);
        }
    }
    std::printf("%lu accesses\n", checked);
}

TEST(Tlb, CyclicStreamOverTheSizeNeverHits) {
    gmmu_tlb t;
    ASSERT_TRUE(gmmu_tlb_init(&t, 16, 16));
    for (int i = 0; i < 100; i++) EXPECT_FALSE(gmmu_tlb_access(&t, static_cast<uint64_t>(i % 17)));
    gmmu_tlb_free(&t);
}

TEST(Tlb, DegenerateAndBadShapes) {
    gmmu_tlb t;
    ASSERT_TRUE(gmmu_tlb_init(&t, 0, 0));
    EXPECT_FALSE(gmmu_tlb_access(&t, 5));
    EXPECT_FALSE(gmmu_tlb_access(&t, 5));
    gmmu_tlb_free(&t);
    EXPECT_FALSE(gmmu_tlb_init(&t, 8, 0));
    EXPECT_FALSE(gmmu_tlb_init(&t, 8, 3));
    ASSERT_TRUE(gmmu_tlb_init(&t, 1, 1));
    EXPECT_FALSE(gmmu_tlb_access(&t, 0));  // an unused entry is not page 0
    EXPECT_TRUE(gmmu_tlb_access(&t, 0));
    gmmu_tlb_free(&t);
}

// ---------------------------------------------------------------- coalescer

TEST(Coalesce, DistinctPagesInOrderOfLanes) {
    uint64_t random = 3;
    for (int trial = 0; trial < 20000; trial++) {
        uint64_t addr[GMMU_WARP], vpn[GMMU_WARP];
        unsigned shift = 9 + static_cast<unsigned>(gmmu_simt_random(&random) % 22);
        uint64_t spread = gmmu_simt_random(&random) % 40 + 1;
        auto mask = static_cast<uint32_t>(gmmu_simt_random(&random) | (trial % 2 ? UINT32_MAX : 0));
        std::vector<uint64_t> expected;
        for (unsigned lane = 0; lane < GMMU_WARP; lane++) {
            uint64_t page = gmmu_simt_random(&random) % spread;
            addr[lane] = (page << shift) + (gmmu_simt_random(&random) & ((1u << shift) - 1));
            if ((mask >> lane & 1) &&
                std::find(expected.begin(), expected.end(), page) == expected.end())
                expected.push_back(page);
        }
        unsigned n = gmmu_simt_coalesce(addr, mask, shift, vpn);
        ASSERT_EQ(std::vector<uint64_t>(vpn, vpn + n), expected);
    }
}

TEST(Coalesce, Extremes) {
    uint64_t addr[GMMU_WARP], vpn[GMMU_WARP];
    for (unsigned lane = 0; lane < GMMU_WARP; lane++) addr[lane] = uint64_t{lane} * 4096;
    EXPECT_EQ(gmmu_simt_coalesce(addr, 0, 12, vpn), 0u);
    EXPECT_EQ(gmmu_simt_coalesce(addr, UINT32_MAX, 12, vpn), 32u);
    EXPECT_EQ(gmmu_simt_coalesce(addr, UINT32_MAX, 17, vpn), 1u);
    EXPECT_EQ(gmmu_simt_coalesce(addr, UINT32_C(1) << 31, 12, vpn), 1u);
    EXPECT_EQ(vpn[0], 31u);
}

// ---------------------------------------------------------------- address space

TEST(Space, ArraysArePageAlignedAndApart) {
    gmmu_error err = {};
    gmmu_space s;
    gmmu_space_init(&s, 12);
    const gmmu_array *a = gmmu_space_alloc(&s, "a", 512, 8, &err);   // exactly a page
    const gmmu_array *b = gmmu_space_alloc(&s, "b", 4097, 1, &err);  // a byte over a page
    const gmmu_array *c = gmmu_space_alloc(&s, "c", 0, 4, &err);
    const gmmu_array *d = gmmu_space_alloc(&s, "d", 1, 1, &err);
    ASSERT_NE(d, nullptr);
    EXPECT_EQ(a->base, 256u << 12);
    EXPECT_EQ(b->base, 257u << 12);
    EXPECT_EQ(c->base, 259u << 12);
    EXPECT_EQ(d->base, 260u << 12);
    EXPECT_EQ(s.pages, 5u);
    EXPECT_EQ(gmmu_space_alloc(&s, "e", UINT64_MAX / 2, 8, &err), nullptr);
    EXPECT_NE(std::string(err.text).find("no memory"), std::string::npos);
    while (s.arrays < GMMU_SPACE_ARRAYS) ASSERT_NE(gmmu_space_alloc(&s, "f", 1, 1, &err), nullptr);
    EXPECT_EQ(gmmu_space_alloc(&s, "g", 1, 1, &err), nullptr);
    gmmu_space_free(&s);
    EXPECT_EQ(s.pages, 0u);
}

// ---------------------------------------------------------------- scheduler, with a kernel of its
// own

// Each warp: `before` accesses, a barrier (unless its index is 0 and it leaves early), `after`
// more.
struct Probe {
    const gmmu_array *array;
    unsigned block;
    uint64_t blocks;
    bool launched;
    bool out_of_bounds;
    struct Event {
        uint64_t block;
        unsigned index, phase;
        uint32_t lanes;
    };
    std::vector<Event> events;
};

struct ProbeRegs {
    unsigned before, after, passed;
};

constexpr unsigned kBefore = 2, kAfter = 3, kLate = 20;
bool probe_late = false;
bool probe_early_exit = false;
bool probe_out_of_bounds = false;
Probe *probe = nullptr;  // the one that runs

void *probe_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    probe = new Probe{};
    probe->array = gmmu_space_alloc(space, "p", p->size * p->block, 4, err);
    probe->block = p->block;
    probe->blocks = p->size;
    return probe;
}
void probe_destroy(void *self) {
    delete static_cast<Probe *>(self);
}
bool probe_launch(void *self, gmmu_simt_grid *grid) {
    auto *p = static_cast<Probe *>(self);
    grid->blocks = p->blocks;
    grid->threads = p->block;
    return !std::exchange(p->launched, true);
}
gmmu_simt_event probe_step(void *self, const gmmu_simt_warp *w, void *registers, gmmu_simt_op *op) {
    auto *p = static_cast<Probe *>(self);
    auto *r = static_cast<ProbeRegs *>(registers);
    if (r->before < kBefore + (probe_late && w->index == 0 ? kLate : 0)) {
        r->before++;
    } else if (probe_early_exit && w->index == 0) {
        return GMMU_SIMT_EXIT;
    } else if (!r->passed) {
        r->passed = 1;
        return GMMU_SIMT_BARRIER;
    } else if (r->after < kAfter) {
        r->after++;
    } else {
        return GMMU_SIMT_EXIT;
    }
    p->events.push_back({w->block, w->index, r->passed, w->lanes});
    op->array = p->array;
    op->mask = w->lanes;
    op->ref = w->block;  // so that the walk says which block made it
    op->write = false;
    for (unsigned lane = 0; lane < GMMU_WARP; lane++)
        op->index[lane] = probe_out_of_bounds ? p->array->count : w->thread + lane;
    return GMMU_SIMT_MEM;
}
double probe_progress(const void *) {
    return 0;
}
int probe_check(const void *, gmmu_error *) {
    return GMMU_OK;
}
const gmmu_array *probe_result(const void *self) {
    return static_cast<const Probe *>(self)->array;
}

const gmmu_simt_kernel probe_kernel = {
    "probe",       "blocks",     4,          1000,           sizeof(ProbeRegs), probe_create,
    probe_destroy, probe_launch, probe_step, probe_progress, probe_check,       probe_result};

gmmu_simt_params probe_params(uint64_t blocks, unsigned block, unsigned sms, unsigned per_sm) {
    gmmu_simt_params p = gmmu_simt_defaults(&probe_kernel);
    p.size = blocks;
    p.block = block;
    p.sms = sms;
    p.blocks_per_sm = per_sm;
    return p;
}

TEST(Scheduler, RoundRobinOverWarpsAndSms) {
    probe_early_exit = false;
    gmmu_simt_params p = probe_params(4, 64, 2, 2);
    Machine m = machine(&probe_kernel, p);
    gmmu_error err = {};
    gmmu_simt_hooks hooks = {};
    ASSERT_EQ(gmmu_simt_run(m.get(), &hooks, &err), GMMU_OK);
    // Blocks 0 and 2 on SM 0, 1 and 3 on SM 1; two warps each; the SMs take turns.
    std::vector<std::pair<uint64_t, unsigned>> expected, found;
    for (unsigned round = 0; round < kBefore + kAfter; round++)
        for (uint64_t slot = 0; slot < 2; slot++)
            for (unsigned warp = 0; warp < 2; warp++)
                for (uint64_t sm = 0; sm < 2; sm++) expected.emplace_back(2 * slot + sm, warp);
    for (auto &e : probe->events) found.emplace_back(e.block, e.index);
    EXPECT_EQ(found, expected);
}

TEST(Scheduler, NextFreeSlotGetsTheNextBlock) {
    probe_early_exit = false;
    Recording rec = run(&probe_kernel, probe_params(11, 32, 3, 1));
    std::map<uint64_t, uint32_t> sm_of;
    for (auto &a : rec.accesses)
        EXPECT_EQ(sm_of.emplace(std::get<1>(a), std::get<3>(a)).first->second, std::get<3>(a));
    ASSERT_EQ(sm_of.size(), 11u);
    for (auto &e : sm_of)
        EXPECT_EQ(e.second, e.first % 3) << "blocks of equal length take the SMs in turn";
}

TEST(Scheduler, BarrierHoldsUntilAllLiveWarpsArrive) {
    probe_late = true;
    for (bool early : {false, true}) {
        probe_early_exit = early;
        gmmu_simt_params p = probe_params(9, 150, 2, 3);  // 5 warps, the last of 22 threads
        Machine m = machine(&probe_kernel, p);
        gmmu_error err = {};
        gmmu_simt_hooks hooks = {};
        ASSERT_EQ(gmmu_simt_run(m.get(), &hooks, &err), GMMU_OK);
        std::map<uint64_t, unsigned> before;
        uint64_t events = 0;
        for (auto &e : probe->events) {
            events++;
            EXPECT_EQ(e.lanes, e.index == 4 ? (1u << 22) - 1 : UINT32_MAX);
            if (e.phase == 0)
                before[e.block]++;
            else
                EXPECT_EQ(before[e.block], 5 * kBefore + kLate);
        }
        EXPECT_EQ(events, 9u * (5 * kBefore + kLate + (early ? 4 : 5) * kAfter));
    }
    probe_early_exit = probe_late = false;
}

TEST(Scheduler, AccessOutsideAnArrayIsAnError) {
    probe_out_of_bounds = true;
    Machine m = machine(&probe_kernel, probe_params(1, 32, 1, 1));
    gmmu_error err = {};
    gmmu_simt_hooks hooks = {};
    EXPECT_EQ(gmmu_simt_run(m.get(), &hooks, &err), GMMU_BAD);
    EXPECT_STREQ(err.text, "probe: found an access to p[32] by 0x0, expected an index below 32");
    probe_out_of_bounds = false;
}

TEST(Scheduler, AHookStopsTheRun) {
    auto stop = [](void *, const gmmu_walk *, gmmu_error *) -> int { return 77; };
    Machine m = machine(&gmmu_simt_atax, [] {
        gmmu_simt_params p = gmmu_simt_defaults(&gmmu_simt_atax);
        p.size = 10;
        return p;
    }());
    gmmu_error err = {};
    gmmu_simt_hooks hooks = {};
    hooks.walk = stop;
    EXPECT_EQ(gmmu_simt_run(m.get(), &hooks, &err), 77);
}

TEST(Scheduler, ParametersOutOfRangeAreNamed) {
    struct {
        const char *name;
        void (*set)(gmmu_simt_params *);
    } cases[] = {{"size", [](gmmu_simt_params *p) { p->size = 0; }},
                 {"size", [](gmmu_simt_params *p) { p->size = UINT64_MAX; }},
                 {"sms", [](gmmu_simt_params *p) { p->sms = 257; }},
                 {"blocks-per-sm", [](gmmu_simt_params *p) { p->blocks_per_sm = 0; }},
                 {"block", [](gmmu_simt_params *p) { p->block = 1025; }},
                 {"page-shift", [](gmmu_simt_params *p) { p->page_shift = 8; }},
                 {"page-shift", [](gmmu_simt_params *p) { p->page_shift = 31; }},
                 {"l1-tlb", [](gmmu_simt_params *p) { p->l1_entries = 1 << 21; }},
                 {"l2-tlb", [](gmmu_simt_params *p) { p->l2_entries = 1 << 21; }},
                 {"l2-ways", [](gmmu_simt_params *p) { p->l2_ways = 0; }},
                 {"l2-tlb", [](gmmu_simt_params *p) { p->l2_entries = 100; }}};
    for (auto &c : cases) {
        gmmu_simt_params p = gmmu_simt_defaults(&gmmu_simt_atax);
        c.set(&p);
        gmmu_error err = {};
        EXPECT_EQ(gmmu_simt_create(&gmmu_simt_atax, &p, &err), nullptr) << c.name;
        EXPECT_EQ(std::string(err.text).rfind(std::string(c.name) + ": found ", 0), 0u) << err.text;
    }
}

// ---------------------------------------------------------------- recording to a file

std::string slurp(const std::string &path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return in ? out.str() : "";
}

bool exists(const std::string &path) {
    return std::ifstream(path).good();
}

std::string root() {
    const char *r = std::getenv("GMMU_ROOT");
    return r ? r : ".";
}

class Record : public testing::Test {
   protected:
    std::string out = testing::TempDir() + "record_test." + std::to_string(getpid()) + ".walk";
    gmmu_simt_stats stats = {};
    gmmu_error err = {};
    static gmmu_simt_request request(const gmmu_simt_kernel *k, uint64_t size,
                                     const std::string &output) {
        gmmu_simt_request r = {};
        r.kernel = k;
        r.params = gmmu_simt_defaults(k);
        r.params.size = size;
        r.output = output.c_str();
        return r;
    }
    void TearDown() override { std::remove(out.c_str()); }
};

TEST_F(Record, TheTraceSaysHowItWasMade) {
    gmmu_simt_request r = request(&gmmu_simt_atax, 40, out);
    ASSERT_EQ(gmmu_simt_record(&r, &stats, &err), GMMU_RECORD_OK) << err.text;
    std::string text = slurp(out);
    EXPECT_EQ(text.rfind("# gmmu-walk 1 page_shift=12\n"
                         "# gmmu record atax --size 40 --seed 1 --sms 16 --blocks-per-sm 8 "
                         "--block 256 --page-shift 12 --l1-tlb 128 --l2-tlb 512 --l2-ways 16\n",
                         0),
              0u)
        << text.substr(0, 300);
    EXPECT_FALSE(exists(out + ".part"));
    EXPECT_EQ(stats.walks, stats.distinct);
}

TEST_F(Record, WhatTheReaderReadsIsWhatTheFrontEndMade) {
    gmmu_simt_request r = request(&gmmu_simt_atax, 100, out);
    r.params.l1_entries = 3;
    r.params.l2_entries = 0;
    for (bool with_time : {false, true}) {
        r.with_time = with_time;
        ASSERT_EQ(gmmu_simt_record(&r, &stats, &err), GMMU_RECORD_OK) << err.text;
        Recording rec = run(&gmmu_simt_atax, r.params);
        gmmu_reader *reader = gmmu_reader_open(out.c_str(), &err);
        ASSERT_NE(reader, nullptr) << err.text;
        gmmu_walk w;
        std::vector<Walk> read;
        while (gmmu_reader_next(reader, &w, &err) == GMMU_OK) read.push_back(tuple_of(&w));
        gmmu_reader_close(reader);
        if (!with_time)
            for (Walk &x : rec.walks) std::get<2>(x) = 0;
        EXPECT_EQ(read, rec.walks);
        EXPECT_GT(read.size(), 1000u);
    }
}

TEST_F(Record, AWrongResultLeavesNoFile) {
    for (const gmmu_simt_kernel *k : all_kernels()) {
        // heartwall's size is frames, each of a second
        gmmu_simt_request r = request(k, std::string(k->name) == "heartwall" ? 1 : 24, out);
        r.inject_fault = true;
        EXPECT_EQ(gmmu_simt_record(&r, &stats, &err), GMMU_RECORD_WRONG);
        std::string text = err.text;
        EXPECT_NE(text.find(": found "), std::string::npos) << text;
        EXPECT_EQ(text.find('\n'), std::string::npos) << text;
        EXPECT_FALSE(exists(out));
        EXPECT_FALSE(exists(out + ".part"));
    }
}

TEST_F(Record, BadOutputAndBadParameter) {
    gmmu_simt_request r = request(&gmmu_simt_atax, 8, "");
    std::string folder = out + "/no/such/folder";
    r.output = folder.c_str();
    EXPECT_EQ(gmmu_simt_record(&r, &stats, &err), GMMU_RECORD_BAD);
    EXPECT_NE(std::string(err.text).find("No such file"), std::string::npos) << err.text;
    r.output = out.c_str();
    r.params.sms = 0;
    EXPECT_EQ(gmmu_simt_record(&r, &stats, &err), GMMU_RECORD_BAD);
    EXPECT_STREQ(err.text, "sms: found 0, expected 1 to 256");
    EXPECT_FALSE(exists(out));
}

TEST_F(Record, ADeviceIsWrittenAsItIs) {
    gmmu_simt_request r = request(&gmmu_simt_bfs, 100, "");
    r.output = "/dev/null";
    EXPECT_EQ(gmmu_simt_record(&r, &stats, &err), GMMU_RECORD_OK) << err.text;
    EXPECT_FALSE(exists("/dev/null.part"));
}

TEST_F(Record, ReportsProgress) {
    gmmu_simt_request r = request(&gmmu_simt_atax, 600, out);
    std::vector<double> seen;
    r.ctx = &seen;
    r.progress = [](void *ctx, double done) {
        static_cast<std::vector<double> *>(ctx)->push_back(done);
    };
    ASSERT_EQ(gmmu_simt_record(&r, &stats, &err), GMMU_RECORD_OK) << err.text;
    EXPECT_EQ(seen.size(), stats.instructions >> 15);
    EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
    for (double done : seen) EXPECT_TRUE(done > 0 && done <= 1) << done;
}

// The second line of each committed trace is the command that made it.
class Committed : public testing::TestWithParam<const char *> {};

TEST_P(Committed, IsMadeAgainByteForByte) {
    std::string path = root() + "/sim/traces/" + GetParam() + ".walk";
    std::string committed = slurp(path);
    ASSERT_FALSE(committed.empty()) << path << " (GMMU_ROOT is the repository's root)";
    std::istringstream in(committed);
    std::string line, word;
    std::getline(in, line);
    std::getline(in, line);
    std::istringstream words(line);
    for (const char *expected : {"#", "gmmu", "record"}) {
        words >> word;
        ASSERT_EQ(word, expected) << line;
    }
    words >> word;
    gmmu_simt_request r = {};
    r.kernel = gmmu_simt_find(word.c_str());
    ASSERT_NE(r.kernel, nullptr) << line;
    std::map<std::string, uint64_t> given;
    for (uint64_t value; words >> word >> value;) given[word] = value;
    ASSERT_EQ(given.size(), 9u) << line;
    auto number = [&](const char *name) { return static_cast<unsigned>(given.at(name)); };
    r.params.size = given.at("--size");
    r.params.seed = given.at("--seed");
    r.params.sms = number("--sms");
    r.params.blocks_per_sm = number("--blocks-per-sm");
    r.params.block = number("--block");
    r.params.page_shift = number("--page-shift");
    r.params.l1_entries = number("--l1-tlb");
    r.params.l2_entries = number("--l2-tlb");
    r.params.l2_ways = number("--l2-ways");
    std::string out =
        testing::TempDir() + "record_test." + std::to_string(getpid()) + "." + GetParam() + ".walk";
    r.output = out.c_str();
    gmmu_simt_stats stats;
    gmmu_error err;
    ASSERT_EQ(gmmu_simt_record(&r, &stats, &err), GMMU_RECORD_OK) << err.text;
    EXPECT_TRUE(slurp(out) == committed) << path << " differs from " << out;
    if (!HasFailure())
        std::remove(out.c_str());
    std::printf("%llu walks, %llu distinct pages\n", static_cast<unsigned long long>(stats.walks),
                static_cast<unsigned long long>(stats.distinct));
}

INSTANTIATE_TEST_SUITE_P(Traces, Committed,
                         testing::Values("atax", "bfs", "gemm", "2dconv", "hotspot", "srad_v2",
                                         "spmv", "kmeans"));

// ---------------------------------------------------------------- the command, where it is built

class Command : public testing::Test {
   protected:
    std::string binary, out = testing::TempDir() + "record_test." + std::to_string(getpid());
    void SetUp() override {
        const char *b = std::getenv("GMMU_BIN");
        binary = b ? b : root() + "/build/gmmu-asan";
        if (access(binary.c_str(), X_OK) != 0)
            GTEST_SKIP() << binary << " is not built";
    }
    void TearDown() override { std::remove(out.c_str()); }
    // Exit status; what it said on standard error goes to *said.
    int command(const std::string &arguments, std::string *said) const {
        FILE *p = popen((binary + " record " + arguments + " 2>&1 >/dev/null").c_str(), "r");
        if (p == nullptr)
            return -1;
        said->clear();
        for (int c; (c = std::fgetc(p)) != EOF;) *said += static_cast<char>(c);
        int status = pclose(p);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
};

TEST_F(Command, StatusAndOneLine) {
    struct {
        const char *arguments;
        int status;
        const char *said;
    } cases[] = {
        {"atax --size 40 -o ", 0, "result check passed\n"},
        {"bfs --size 40 --inject-fault -o ", 1, "record: bfs: cost["},
        {"atax --sms 0 -o ", 2, "record: sms: found 0, expected 1 to 256\n"},
        {"atax --sms 99999999999 -o ", 2, "expected 1 to 256\n"},
        {"atax --l2-ways=1x -o ", 2, "--l2-ways: found '1x', expected a number\n"},
        {"atax --l2-ways=-1 -o ", 2, "--l2-ways: found '-1', expected a number\n"},
        {"atax --seed=99999999999999999999 -o ", 2, "expected a number\n"},
        {"gemmm -o ", 2,
         "found kernel 'gemmm', expected atax or bfs or gemm or 2dconv or hotspot or srad_v2 or "},
        {"atax bfs -o ", 2, "found a second kernel 'bfs', expected one\n"},
        {"-o ", 2, "expected a kernel\n"},
        {"gemm --size 40 --caches l1 -o ", 0, " cache accesses, L1 hits "},
        {"gemm --size 40 --caches l2 --set l1.size=16K --set l1.ways=4 -o ", 0, "%, L2 hits "},
        {"gemm --caches=l3 -o ", 2, "--caches: found 'l3', expected off, l1 or l2\n"},
        {"gemm --set=l1.size -o ", 2, "--set: found 'l1.size', expected KEY=VALUE\n"},
        {"gemm --set=a_key_that_is_much_longer_than_any_key_of_the_caches_of_any_gpu.size=4 -o ", 2,
         "expected KEY=VALUE\n"},
        {"gemm --set=l1.no=4 -o ", 2, "--set: "},
        {"gemm --caches l1 --set l1.ways=3 -o ", 2, "record: l1."},
        {"gemm --size 60 --shootdown lru -o ", 0, " frames, "},
        {"gemm --size 60 --shootdown fifo --shootdown leu:sample=0 --frames 9 --frames 20 -o ", 0,
         "20 frames, "},
        {"gemm --shootdown opt -o ", 2,
         "--shootdown: found 'opt', expected one policy that needs no future\n"},
        {"gemm --shootdown lru,fifo -o ", 2, "expected one policy that needs no future\n"},
        {"gemm --shootdown nobody -o ", 2, "--shootdown: "},
        {"gemm --shootdown lru --frames 5,6 -o ", 2, "--frames: found '5,6', expected one size\n"},
        {"gemm --shootdown lru --frames x -o ", 2, "--frames: "},
        {"gemm --frames 5 -o ", 2, "found --frames, expected --shootdown with it\n"},
        {"gemm --sms 0 --shootdown lru -o ", 2, "record: sms: found 0, expected 1 to 256\n"}};
    for (auto &c : cases) {
        std::string said;
        EXPECT_EQ(command(c.arguments + out, &said), c.status) << c.arguments;
        EXPECT_NE(said.find(c.said), std::string::npos) << said;
        EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
        EXPECT_EQ(std::remove(out.c_str()) == 0, c.status == 0) << c.arguments;
    }
    std::string said;
    EXPECT_EQ(command("atax", &said), 2);
    EXPECT_NE(said.find("expected -o F\n"), std::string::npos) << said;
    EXPECT_EQ(command("atax --no-such", &said), 2);
    EXPECT_EQ(command("--help", &said), 0);
}

// ---------------------------------------------------------------- hints

struct Hinted {
    std::vector<uint64_t> walks;  // their pages
    std::vector<gmmu_hint> hints;
};

Hinted recorded(const gmmu_simt_kernel *k, const gmmu_simt_params &p, bool hints,
                const std::string &ending) {
    const std::string path =
        testing::TempDir() + "record_test_" + std::to_string(getpid()) + ending;
    gmmu_simt_request order = {};
    order.kernel = k;
    order.params = p;
    order.output = path.c_str();
    order.hints = hints;
    gmmu_simt_stats stats = {};
    gmmu_error err = {};
    Hinted all;
    EXPECT_EQ(gmmu_simt_record(&order, &stats, &err), GMMU_RECORD_OK) << err.text;
    gmmu_reader *r = gmmu_reader_open(path.c_str(), &err);
    EXPECT_NE(r, nullptr) << err.text;
    for (int status = GMMU_OK; status == GMMU_OK;) {
        gmmu_walk w = {};
        size_t count = 0;
        status = gmmu_reader_next(r, &w, &err);
        EXPECT_NE(status, GMMU_BAD) << err.text;
        if (status == GMMU_OK)
            all.walks.push_back(w.vpn);
        const gmmu_hint *h = gmmu_reader_hints(r, &count);
        all.hints.insert(all.hints.end(), h, h + count);
    }
    gmmu_reader_close(r);
    (void)std::remove(path.c_str());
    return all;
}

// A launch before the first walk of each grid, with the entry of its code; all arrays allocated
// before and freed behind. The same walks as without hints.
TEST(Hints, LaunchesAndArrays) {
    struct {
        const char *kernel;
        uint64_t size;
        std::vector<uint64_t> entries;  // of its grids' code, repeated
    } cases[] = {{"atax", 40, {0x10, 0x50}},
                 {"kmeans", 600, {0x10, 0x30, 0x30, 0x30, 0x30}},
                 {"bfs", 900, {0x10, 0xa0}}};
    for (const auto &c : cases) {
        const gmmu_simt_kernel *k = gmmu_simt_find(c.kernel);
        ASSERT_NE(k, nullptr);
        gmmu_simt_params p = gmmu_simt_defaults(k);
        p.size = c.size;
        p.l1_entries = p.l2_entries = 0;
        const Hinted plain = recorded(k, p, false, ".walk");
        EXPECT_TRUE(plain.hints.empty());
        for (const char *ending : {".walk", ".gwt"}) {
            const Hinted got = recorded(k, p, true, ending);
            EXPECT_EQ(got.walks, plain.walks);
            Machine m = machine(k, p);
            ASSERT_NE(m.get(), nullptr);
            const gmmu_space *space = gmmu_simt_space(m.get());
            const size_t arrays = space->arrays;
            ASSERT_GT(got.hints.size(), 2 * arrays);
            for (size_t i = 0; i < arrays; i++) {
                const gmmu_hint &first = got.hints[i];
                const gmmu_hint &last = got.hints[got.hints.size() - arrays + i];
                EXPECT_EQ(first.kind, GMMU_HINT_ALLOC);
                EXPECT_EQ(first.walk, 0U);
                EXPECT_EQ(first.id, i);
                EXPECT_EQ(first.first, space->array[i].base >> 12);
                EXPECT_EQ(first.pages, gmmu_space_array_pages(space, &space->array[i]));
                EXPECT_EQ(last.kind, GMMU_HINT_FREE);
                EXPECT_EQ(last.walk, got.walks.size());
                EXPECT_EQ(last.first, first.first);
                EXPECT_EQ(last.pages, first.pages);
            }
            // when each grid began, seen from the front end itself
            struct Seen {
                uint64_t walks = 0;
                bool fresh = false;
                std::vector<std::pair<uint64_t, uint64_t>> launches;  // walk, entry
            } seen;
            gmmu_simt_hooks hooks = {};
            hooks.ctx = &seen;
            hooks.grid = [](void *ctx, const gmmu_simt_grid *, gmmu_error *) -> int {
                static_cast<Seen *>(ctx)->fresh = true;
                return GMMU_OK;
            };
            hooks.access = [](void *ctx, const gmmu_walk *a, gmmu_error *) -> int {
                Seen *s = static_cast<Seen *>(ctx);
                if (s->fresh)
                    s->launches.emplace_back(s->walks, a->ref);
                s->fresh = false;
                s->walks++;  // without TLBs each access walks
                return GMMU_OK;
            };
            gmmu_error err = {};
            ASSERT_EQ(gmmu_simt_run(m.get(), &hooks, &err), GMMU_OK) << err.text;
            ASSERT_EQ(got.hints.size(), 2 * arrays + seen.launches.size());
            for (size_t i = 0; i < seen.launches.size(); i++) {
                const gmmu_hint &h = got.hints[arrays + i];
                EXPECT_EQ(h.kind, GMMU_HINT_LAUNCH);
                EXPECT_EQ(h.walk, seen.launches[i].first);
                EXPECT_EQ(h.id, seen.launches[i].second);
                EXPECT_EQ(h.id, c.entries[i % c.entries.size()]) << c.kernel << i;
            }
        }
    }
}

}  // namespace
