// SPDX-License-Identifier: Apache-2.0
// recorder.cpp: calls become a trace; memory with operands in it, and no other, is freed in it;
// settings that are wrong are refused.
#include "blas/recorder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <bitset>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "blas/seen.h"
#include "random_trace.h"

namespace {

TEST(BlasSeen, IsASetOfBytes) {
    std::mt19937_64 rng(test_seed());
    constexpr unsigned SPACE = 2000;
    gmmu_blas_seen *s = gmmu_blas_seen_create();
    std::bitset<SPACE> bytes;
    const auto random_range = [&](unsigned most) {
        const uint64_t start = rng() % SPACE;
        return gmmu_blas_range{start, std::min<uint64_t>(SPACE - 1, start + rng() % most)};
    };
    uint64_t had = 0;
    for (int i = 0; i < 200000; i++) {
        if (rng() % 2 != 0) {
            const gmmu_blas_range r = random_range(30);
            ASSERT_TRUE(gmmu_blas_seen_add(s, r));
            ASSERT_TRUE(gmmu_blas_seen_maybe(s, r));
            const gmmu_blas_range around = gmmu_blas_seen_around(s, random_range(9));
            ASSERT_TRUE(around.start == 0 || !bytes.test(around.start) ||
                        !bytes.test(around.start - 1));
            ASSERT_TRUE(around.last + 1 == SPACE || !bytes.test(around.last) ||
                        !bytes.test(around.last + 1));
            for (uint64_t b = r.start; b <= r.last; b++) bytes.set(b);
        } else {
            const gmmu_blas_range r = random_range(60);
            bool some = false;
            for (uint64_t b = r.start; b <= r.last; b++) some |= bytes.test(b);
            ASSERT_EQ(gmmu_blas_seen_remove(s, r), some);
            for (uint64_t b = r.start; b <= r.last; b++) bytes.reset(b);
            had += some;
        }
    }
    EXPECT_GT(had, 10000u);
    // far away nothing was; at the ends of memory it is the same
    EXPECT_FALSE(gmmu_blas_seen_maybe(s, {1u << 20, (1u << 20) + 100}));
    gmmu_blas_seen_clear(s);
    EXPECT_FALSE(gmmu_blas_seen_remove(s, {0, UINT64_MAX}));
    ASSERT_TRUE(gmmu_blas_seen_add(s, {UINT64_MAX - 10, UINT64_MAX}));
    ASSERT_TRUE(gmmu_blas_seen_add(s, {0, 5}));
    ASSERT_TRUE(gmmu_blas_seen_add(s, {100, uint64_t{1} << 40}));
    EXPECT_TRUE(gmmu_blas_seen_maybe(s, {uint64_t{1} << 30, uint64_t{1} << 30}));
    EXPECT_TRUE(gmmu_blas_seen_remove(s, {UINT64_MAX, UINT64_MAX}));
    EXPECT_TRUE(gmmu_blas_seen_remove(s, {5, 99}));
    EXPECT_FALSE(gmmu_blas_seen_remove(s, {5, 99}));
    EXPECT_TRUE(gmmu_blas_seen_remove(s, {0, UINT64_MAX}));
    gmmu_blas_seen_destroy(s);
}

class Environment {
   public:
    explicit Environment(const std::vector<std::pair<const char *, std::string>> &is) {
        for (const char *name : {"GMMU_TRACK", "GMMU_TRACE", "GMMU_REPORT", "GMMU_MIN"})
            unsetenv(name);
        for (const auto &[name, value] : is) setenv(name, value.c_str(), 1);
    }
};

TEST(BlasSettings, AreReadOrRefused) {
    gmmu_blas_settings s;
    gmmu_error err;
    Environment none({});
    ASSERT_TRUE(gmmu_blas_settings_read(&s, &err));
    EXPECT_EQ(s.trace, nullptr);
    EXPECT_STREQ(s.report, "stderr");
    EXPECT_EQ(s.least, 16u);
    EXPECT_TRUE(s.find_least);
    Environment all({{"GMMU_TRACK", "calls"}, {"GMMU_TRACE", "x%p.sem"}, {"GMMU_MIN", "0x10"}});
    ASSERT_TRUE(gmmu_blas_settings_read(&s, &err));
    EXPECT_EQ(s.least, 16u);
    EXPECT_FALSE(s.find_least);
    EXPECT_EQ(s.trace[0], '/');  // wherever the program goes
    free(const_cast<char *>(s.trace));
    EXPECT_EQ(s.report, nullptr);
    Environment trace({{"GMMU_TRACE", "/x.sem"}, {"GMMU_TRACK", "calls"}});  // has all calls
    ASSERT_TRUE(gmmu_blas_settings_read(&s, &err));
    EXPECT_EQ(s.least, 0u);
    EXPECT_FALSE(s.find_least);
    const std::pair<const char *, std::string> bad[] = {
        {"GMMU_TRACK", "call"},
        {"GMMU_MIN", "1000001"},
        {"GMMU_MIN", "many\n"},
        {"GMMU_TRACE", "/" + std::string(5000, 'x')},
        {"GMMU_REPORT", "/" + std::string(4090, 'x')}};
    for (const auto &b : bad) {
        Environment one({b});
        EXPECT_FALSE(gmmu_blas_settings_read(&s, &err));
        EXPECT_EQ(std::string(err.text).find(std::string(b.first) + ": found \""), 0u) << err.text;
        EXPECT_NE(std::string(err.text).find(", expected "), std::string::npos);
    }
    Environment end({});
    char name[12];
    EXPECT_TRUE(gmmu_blas_file_name(name, sizeof name, "a%pb%q%", 123));
    EXPECT_STREQ(name, "a123b%q%");
    EXPECT_TRUE(gmmu_blas_file_name(name, sizeof name, "12345678901", 1));
    EXPECT_FALSE(gmmu_blas_file_name(name, sizeof name, "123456789012", 1));
    EXPECT_FALSE(gmmu_blas_file_name(name, sizeof name, "12345678%p", 12345));
}

gmmu_blas_call product(int64_t n, double *memory, gmmu_blas_scalar beta) {
    gmmu_blas_call c = {};
    c.family = GMMU_BLAS_GEMM;
    c.type = 'd';
    c.trans = c.trans_b = 'N';
    c.m = c.n = c.k = c.lda = c.ldb = c.ldc = n;
    c.a = memory;
    c.b = memory + n * n;
    c.c = memory + 2 * n * n;
    c.beta = beta;
    return c;
}

TEST(BlasRecorder, WritesWhatIsCalledAndFreed) {
    char name[] = "/tmp/gmmu_blas_XXXXXX";
    close(mkstemp(name));
    gmmu_blas_settings s = {};
    s.trace = name;
    s.least = 5;
    gmmu_blas_recorder *r = gmmu_blas_recorder_create(&s);
    ASSERT_NE(r, nullptr);
    gmmu_blas_site *site = gmmu_blas_recorder_site(r, "a place+0x1", "dgemm_");
    EXPECT_EQ(gmmu_blas_recorder_site(r, "a_place+0x1", "dgemm_"), site);
    EXPECT_NE(gmmu_blas_recorder_site(r, "a_place+0x1", "dsymm_"), site);
    std::vector<double> memory(300);
    const auto call = [&](const gmmu_blas_call &c) {
        gmmu_blas_record record;
        gmmu_blas_recorder_begin(r, site, &c, &record);
        gmmu_blas_recorder_end(r, &record);
    };
    const uint64_t at = reinterpret_cast<uint64_t>(memory.data());
    gmmu_blas_recorder_freed(r, at, at + 100);         // before any call: nobody's
    call(product(4, memory.data(), GMMU_BLAS_ZERO));   // below the least
    call(product(-1, memory.data(), GMMU_BLAS_ZERO));  // wrong
    call(product(10, memory.data(), GMMU_BLAS_ZERO));
    gmmu_blas_recorder_freed(r, at + 2400, at + 100000);  // behind it
    gmmu_blas_recorder_freed(r, at - 16, at + 3);
    gmmu_blas_recorder_freed(r, at - 16, at + 3);  // gone
    call(product(5, memory.data(), GMMU_BLAS_OTHER));
    gmmu_blas_recorder_destroy(r);

    gmmu_error err = {};
    gmmu_sem_reader *reader = gmmu_sem_open(name, &err);
    ASSERT_NE(reader, nullptr) << err.text;
    std::vector<gmmu_sem_event> events;
    gmmu_sem_event e;
    while (gmmu_sem_next(reader, &e, &err) == GMMU_OK) events.push_back(e);
    ASSERT_EQ(events.size(), 3u);
    EXPECT_EQ(events[0].kind, GMMU_SEM_CALL);
    EXPECT_EQ(events[0].flops, 2000u);
    EXPECT_EQ(events[0].operands, 3u);
    EXPECT_EQ(events[0].operand[0].start, at);
    EXPECT_EQ(events[0].operand[2].last, at + 2399);
    EXPECT_TRUE(events[0].operand[2].whole);
    EXPECT_EQ(events[1].kind, GMMU_SEM_FREE);
    EXPECT_EQ(events[1].operand[0].last, at + 3);
    EXPECT_TRUE(events[2].operand[2].reads);
    EXPECT_STREQ(gmmu_sem_sites(reader)->name[0], "a_place+0x1");
    gmmu_sem_close(reader);
    unlink(name);
}

TEST(BlasRecorder, StopsWhereItCannotWrite) {
    for (const char *name : {"/dev/full", "/nonesuch/x.sem"}) {
        gmmu_blas_settings s = {};
        s.trace = name;
        gmmu_blas_recorder *r = gmmu_blas_recorder_create(&s);
        ASSERT_NE(r, nullptr);
        gmmu_blas_site *site = gmmu_blas_recorder_site(r, "a", "dgemm_");
        std::vector<double> memory(300);
        testing::internal::CaptureStderr();
        for (int i = 0; i < 3; i++) {
            const gmmu_blas_call c = product(10, memory.data(), GMMU_BLAS_ZERO);
            gmmu_blas_record record;
            EXPECT_EQ(gmmu_blas_recorder_works(r), i == 0);
            gmmu_blas_recorder_begin(r, site, &c, &record);
            gmmu_blas_recorder_end(r, &record);
        }
        gmmu_blas_recorder_destroy(r);
        const std::string said = testing::internal::GetCapturedStderr();
        EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
        EXPECT_NE(said.find("; recording stops"), std::string::npos) << said;
    }
}

TEST(BlasRecorder, ReportsEachSite) {
    char name[] = "/tmp/gmmu_blas_XXXXXX";
    close(mkstemp(name));
    gmmu_blas_settings s = {};
    s.report = name;
    gmmu_blas_recorder *r = gmmu_blas_recorder_create(&s);
    std::vector<double> memory(30000);
    for (int i = 0; i < 30; i++) {
        gmmu_blas_site *site =
            gmmu_blas_recorder_site(r, ("place" + std::to_string(i % 3)).c_str(), "dgemm_");
        const gmmu_blas_call c = product(10 * (1 + i % 3), memory.data(), GMMU_BLAS_ZERO);
        gmmu_blas_record record;
        gmmu_blas_recorder_begin(r, site, &c, &record);
        gmmu_blas_recorder_end(r, &record);
    }
    gmmu_blas_recorder_finish(r);
    gmmu_blas_recorder_destroy(r);
    std::ifstream file(name);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    EXPECT_NE(text.find("30 calls, 0 below GMMU_MIN=0; "), std::string::npos) << text;
    for (const char *place : {"place0", "place1", "place2"})
        EXPECT_NE(text.find(std::string("dgemm_ <- ") + place), std::string::npos) << text;
    EXPECT_NE(text.find("write-back, most"), std::string::npos);
    unlink(name);
}

}  // namespace
