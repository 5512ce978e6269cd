// SPDX-License-Identifier: Apache-2.0
// accesses.cpp: what the program does to operands between calls comes between the calls of the
// trace, with the code that did it where that is known.
//
// State space: stores, loads, a system call, memory that the program protects itself, frees, a
// fork. Parameter space: writes by each back end, full; settings that cannot be.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "blas/blocks.h"
#include "blas/place.h"
#include "blas/recorder.h"

namespace accesses {

struct Setting {
    gmmu_sem_track track;
    gmmu_track_backend backend;
};

class Recorded : public testing::TestWithParam<Setting> {
   protected:
    enum : int { N = 64 };
    const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t bytes = N * N * sizeof(double);
    std::string name = testing::TempDir() + "gmmu_accesses." + std::to_string(getpid());
    gmmu_blas_recorder *r = nullptr;
    double *m = nullptr;

    void SetUp() override {
        gmmu_blas_settings s = {};
        s.track = GetParam().track;
        s.backend = GetParam().backend;
        s.trace = name.c_str();
        s.report = "/dev/null";
        m = static_cast<double *>(
            mmap(nullptr, 3 * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        r = gmmu_blas_recorder_create(&s);
        ASSERT_NE(r, nullptr);
        if (!gmmu_blas_recorder_works(r) && s.backend == GMMU_TRACK_UFFD)
            GTEST_SKIP();
        ASSERT_TRUE(gmmu_blas_recorder_works(r));
    }
    void TearDown() override {
        gmmu_blas_recorder_destroy(r);
        munmap(m, 3 * bytes);
        std::remove(name.c_str());
    }
    // C = A B, whose kernel writes one element.
    void call() {
        gmmu_blas_call c = {};
        c.family = GMMU_BLAS_GEMM;
        c.type = 'd';
        c.trans = c.trans_b = 'N';
        c.m = c.n = c.k = c.lda = c.ldb = c.ldc = N;
        c.a = m;
        c.b = m + N * N;
        c.c = m + 2 * N * N;
        gmmu_blas_record record;
        gmmu_blas_recorder_begin(r, gmmu_blas_recorder_site(r, "here", "dgemm_"), &c, &record);
        m[2 * N * N + 7] += 1 + m[3];
        gmmu_blas_recorder_end(r, &record);
    }
    // The kinds of the trace's lines, and what cpu lines say of M.
    std::string lines() const {
        std::ifstream file(name);
        std::string line, all;
        for (std::getline(file, line); std::getline(file, line);) {
            char kind[8], site[256];
            unsigned long long time, start, size;
            char how;
            if (std::sscanf(line.c_str(), "cpu %llu %255s %c:0x%llx+%llu", &time, site, &how,
                            &start, &size) != 5) {
                std::sscanf(line.c_str(), "%7s", kind);
                all += std::string(kind) + " ";
                continue;
            }
            const unsigned long long base = reinterpret_cast<uintptr_t>(m);
            all += std::string(1, how) + std::to_string((start - base) / page) + " ";
        }
        return all;
    }
    bool full() const { return GetParam().track == GMMU_SEM_FULL; }
};

TEST_P(Recorded, StoresAndLoadsBetweenCalls) {
    volatile double *v = m;
    call();
    call();
    EXPECT_EQ(lines(), "call call ");
    v[1 * page / sizeof(double)] = 5;
    v[10 * page / sizeof(double)] = 5;
    (void)v[20 * page / sizeof(double)];
    call();
    EXPECT_EQ(lines(), full() ? "call call w1 w10 r20 call " : "call call w1 w10 call ");
    v[20 * page / sizeof(double)] = v[20 * page / sizeof(double)] + 1;
    gmmu_blas_recorder_freed(r, reinterpret_cast<uintptr_t>(m),
                             reinterpret_cast<uintptr_t>(m) + bytes - 1);
    v[0] = 1;  // is no operand's
    gmmu_blas_recorder_finish(r);
    const std::string all = lines();
    const size_t free_at = all.find("free");
    ASSERT_NE(free_at, std::string::npos);
    EXPECT_NE(all.find("w20", free_at), std::string::npos) << all;
    EXPECT_EQ(all.find("w0", free_at), std::string::npos) << all;
}

TEST_P(Recorded, SystemCallsAndProtection) {
    call();
    const uint64_t at = reinterpret_cast<uintptr_t>(m) + 3 * page;
    EXPECT_EQ(gmmu_blas_recorder_closes(r), GetParam().backend == GMMU_TRACK_MPROTECT);
    gmmu_blas_recorder_touched(r, at, at + 7, true, 0);
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    ASSERT_EQ(write(ends[1], "12345678", 8), 8);
    EXPECT_EQ(read(ends[0], reinterpret_cast<void *>(at), 8), 8);
    call();
    EXPECT_EQ(lines(), "call w3 call ");
    close(ends[0]);
    close(ends[1]);
    gmmu_blas_recorder_left(r, at, at + page - 1);
    ASSERT_EQ(mprotect(reinterpret_cast<void *>(at), page, PROT_READ), 0);
    EXPECT_EQ(lines(), "call w3 call u3 ");
    ASSERT_EQ(mprotect(reinterpret_cast<void *>(at), page, PROT_READ | PROT_WRITE), 0);
    gmmu_blas_recorder_left(r, at, at + page - 1);  // is not watched any more
    EXPECT_EQ(lines(), "call w3 call u3 ");
    call();
    m[3 * page / sizeof(double)] = 9;
    call();
    EXPECT_EQ(lines(), "call w3 call u3 call w3 call ");
}

const Setting settings[] = {{GMMU_SEM_WRITES, GMMU_TRACK_UFFD},
                            {GMMU_SEM_WRITES, GMMU_TRACK_COMPARE},
                            {GMMU_SEM_WRITES, GMMU_TRACK_MPROTECT},
                            {GMMU_SEM_FULL, GMMU_TRACK_MPROTECT}};
INSTANTIATE_TEST_SUITE_P(All, Recorded, testing::ValuesIn(settings));

TEST(BlasAccesses, SettingsAreReadOrRefused) {
    const char *const names[] = {"GMMU_TRACK", "GMMU_TRACK_BACKEND"};
    gmmu_blas_settings s;
    gmmu_error err;
    for (const char *n : names) unsetenv(n);
    ASSERT_TRUE(gmmu_blas_settings_read(&s, &err));
    EXPECT_EQ(s.track, GMMU_SEM_CALLS);
    EXPECT_EQ(s.backend, GMMU_TRACK_AUTO);
    setenv(names[0], "full", 1);
    setenv(names[1], "mprotect", 1);
    ASSERT_TRUE(gmmu_blas_settings_read(&s, &err));
    EXPECT_EQ(s.track, GMMU_SEM_FULL);
    EXPECT_EQ(s.backend, GMMU_TRACK_MPROTECT);
    setenv(names[1], "none", 1);
    EXPECT_FALSE(gmmu_blas_settings_read(&s, &err));
    EXPECT_STREQ(err.text,
                 "GMMU_TRACK_BACKEND: found \"none\", expected auto, uffd, compare or mprotect");
    for (const char *n : names) unsetenv(n);
}

TEST(BlasAccesses, ABackEndThatSeesNoReadsRecordsNothing) {
    gmmu_blas_settings s = {};
    s.track = GMMU_SEM_FULL;
    s.backend = GMMU_TRACK_COMPARE;
    testing::internal::CaptureStderr();
    gmmu_blas_recorder *r = gmmu_blas_recorder_create(&s);
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "gmmu_blas: GMMU_TRACK_BACKEND: found a back end that sees no reads, expected "
              "mprotect; recording stops\n");
    ASSERT_NE(r, nullptr);
    EXPECT_FALSE(gmmu_blas_recorder_works(r));
    gmmu_blas_recorder_destroy(r);
}

TEST(BlasAccesses, BlocksThatHaveTheirPagesForThemselves) {
    const uint64_t page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    // as glibc writes it before what it maps by itself
    uint64_t *m = static_cast<uint64_t *>(
        mmap(nullptr, 8 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    const uint64_t start = reinterpret_cast<uintptr_t>(m);
    auto b = std::make_unique<gmmu_blas_blocks>();
    const auto alone = [&](uint64_t n) {
        return gmmu_blas_blocks_alone(b.get(), start + n * page, start + (n + 1) * page - 1);
    };
    EXPECT_FALSE(alone(0));  // no header
    m[1] = 4 * page | 2;
    EXPECT_FALSE(alone(3));  // its beginning was not seen
    EXPECT_TRUE(alone(0));
    EXPECT_TRUE(alone(3));
    EXPECT_FALSE(alone(4));
    gmmu_blas_blocks_drop(b.get(), start + 4 * page, start + 5 * page);
    EXPECT_TRUE(alone(2));
    gmmu_blas_blocks_drop(b.get(), start + 16, start + 100);
    EXPECT_FALSE(alone(2));
    for (uint64_t size : {4 * page | 1, 4 * page + 16 + 2, uint64_t{2}, uint64_t{1} << 50 | 2}) {
        m[1] = size;
        EXPECT_FALSE(alone(0)) << size;
    }
    m[0] = 1;
    m[1] = 4 * page | 2;
    EXPECT_FALSE(alone(0));
    munmap(m, 8 * page);
}

TEST(BlasAccesses, PlacesOfCode) {
    char name[64];
    gmmu_blas_place_name(name, sizeof name, reinterpret_cast<uintptr_t>(&gmmu_blas_place_name));
    EXPECT_EQ(std::string(name).find("blas_test+0x"), 0u) << name;
    gmmu_blas_place_name(name, sizeof name, reinterpret_cast<uintptr_t>(&std::strtod));
    EXPECT_NE(std::string(name).find("+0x"), std::string::npos);
    gmmu_blas_place_name(name, sizeof name, 16);
    EXPECT_STREQ(name, "?+0x10");
}

}  // namespace accesses
