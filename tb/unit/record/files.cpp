// SPDX-License-Identifier: Apache-2.0
// files.cpp: what `gmmu record` writes and says, and the committed traces, made again.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "simt/kernels/kernels.h"
#include "simt/record.h"
#include "simt/simt.h"
#include "simt_bench.h"

namespace {

using namespace simt_bench;

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
        ASSERT_EQ(access(binary.c_str(), X_OK), 0) << binary << " is not built";
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
        {"-o ", 2, "found no kernel, expected one of those in gmmu record --help\n"},
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
        {"gemm --size 40 --element float --stall 100 --threads-per-sm 1536 -o ", 0, " faults, "},
        {"gemm --element int -o ", 2, "--element: found 'int', expected float or double\n"},
        {"gemm --launches 3 -o ", 2,
         "record: launches: found kernel gemm, which has no such choice, expected none\n"},
        {"kmeans --size 40 --features 34 --launches 2 --arrays input,membership -o ", 0,
         " walks, "},
        {"mri-q --size 40 --depth 65537 -o ", 2,
         "record: depth: found 65537, expected 1 to 65536\n"},
        {"gemm --arrays A,X -o ", 2, "record: arrays: found 'X', expected one of kernel gemm's\n"},
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
    EXPECT_NE(said.find("found no -o F, expected the trace to write, as -o F.walk\n"),
              std::string::npos)
        << said;
    EXPECT_EQ(command("atax --no-such", &said), 2);
    EXPECT_EQ(command("--help", &said), 0);
}

}  // namespace
