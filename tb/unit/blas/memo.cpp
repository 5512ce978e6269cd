// SPDX-License-Identifier: Apache-2.0
// memo.cpp: factorisations whose content is kept: found if all their bytes are the same, and by
// nothing else; and blocks of memory that are told once.
//
// State space: single bytes changed at random, gaps and the other triangle changed, equal digests,
// limits, contents in use, calls recorded and played, a fork, no memory for copies. Parameter
// space: GETRF, POTRF, GESV in all four types, both triangles, sizes from 1 on, leading dimensions.
#include "blas/memo.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "blas/allocs.h"
#include "blas/flops.h"
#include "blas/recorder.h"
#include "semcache/play.h"

namespace memos {

using Left = std::vector<gmmu_blas_range>;

void add_left(void *context, uint64_t start, uint64_t last) {
    static_cast<Left *>(context)->push_back({start, last});
}

gmmu_blas_call factorisation(gmmu_blas_family family, char type, void *a, int64_t m, int64_t n,
                             int64_t ld, char uplo = 'L') {
    gmmu_blas_call c = {};
    c.family = family;
    c.type = type;
    c.integer = 4;
    c.uplo = uplo;
    c.m = m;
    c.n = n;
    c.k = 1;
    c.a = a;
    c.lda = ld;
    c.ldb = n;
    c.b = c.pivots = c.info = a;  // not looked at
    return c;
}

unsigned element(char type) {
    return type == 's' ? 4 : type == 'z' ? 16 : 8;
}

class Memos : public testing::Test {
   protected:
    Left left;
    gmmu_blas_memos *m = nullptr;

    void make(uint64_t limit, uint64_t mask = UINT64_MAX) {
        m = gmmu_blas_memos_create(limit, mask);
        ASSERT_NE(m, nullptr);
    }
    void TearDown() override { gmmu_blas_memos_destroy(m); }
    gmmu_blas_content *begin(const gmmu_blas_call &c, bool *found) {
        gmmu_blas_computation is;
        EXPECT_TRUE(gmmu_blas_computation_of(&c, &is));
        return gmmu_blas_memos_begin(m, &is, found, add_left, &left);
    }
    // As a call: was it found?
    bool ask(const gmmu_blas_call &c) {
        bool found;
        gmmu_blas_content *content = begin(c, &found);
        EXPECT_NE(content, nullptr);
        if (content != nullptr)
            gmmu_blas_memos_end(m, content, found, 10);
        return found;
    }
};

TEST_F(Memos, OnlyFactorisationsAreKept) {
    double a[16] = {};
    gmmu_blas_computation is;
    gmmu_blas_call c = factorisation(GMMU_BLAS_GETRS, 'd', a, 4, 4, 4);
    c.trans = 'N';
    EXPECT_FALSE(gmmu_blas_computation_of(&c, &is));
    c = factorisation(GMMU_BLAS_GETRF, 'd', a, 4, 0, 4);
    EXPECT_FALSE(gmmu_blas_computation_of(&c, &is)) << "nothing to do";
    c = factorisation(GMMU_BLAS_GETRF, 'd', a, 4, 4, 3);
    EXPECT_FALSE(gmmu_blas_computation_of(&c, &is)) << "refused";
    c = factorisation(GMMU_BLAS_GETRF, 'z', a, 2, 3, 5);
    ASSERT_TRUE(gmmu_blas_computation_of(&c, &is));
    EXPECT_STREQ(is.name, "zgetrf");
    EXPECT_EQ(is.result, 2 * 3 * 16 + 2 * 4U);
    c = factorisation(GMMU_BLAS_POTRF, 's', a, 0, 4, 4, 'u');
    ASSERT_TRUE(gmmu_blas_computation_of(&c, &is));
    EXPECT_STREQ(is.name, "spotrf-U");
    EXPECT_EQ(is.result, 4 * 4 * 4U);
}

// A random matrix is found again, also with another leading dimension; not with one byte of it
// changed; what its factorisation does not read may be anything. Digests of a bit as of all.
TEST_F(Memos, FoundIfAllBytesAreTheSame) {
    std::mt19937_64 rng(1);
    auto below = [&](uint64_t n) { return rng() % n; };
    for (const uint64_t mask : {UINT64_MAX, UINT64_C(1), UINT64_C(0)}) {
        make(1 << 24, mask);
        for (int i = 0; i < 600; i++) {
            const char type = "sdcz"[below(4)];
            const bool potrf = below(2) == 0;
            const char uplo = below(2) == 0 ? 'U' : 'L';
            const auto family = potrf           ? GMMU_BLAS_POTRF
                                : below(2) == 0 ? GMMU_BLAS_GETRF
                                                : GMMU_BLAS_GESV;
            const auto n = static_cast<int64_t>(1 + below(9));
            const auto rows = family == GMMU_BLAS_GETRF ? static_cast<int64_t>(1 + below(9)) : n;
            const auto ld = rows + static_cast<int64_t>(below(3));
            const auto other = rows + static_cast<int64_t>(below(3));
            const unsigned size = element(type);
            std::vector<uint8_t> a(static_cast<size_t>(n * ld) * size),
                b(static_cast<size_t>(n * other) * size);
            for (auto &x : a) x = static_cast<uint8_t>(below(256));
            for (auto &x : b) x = static_cast<uint8_t>(below(256));
            std::vector<size_t> read;  // bytes of B
            for (int64_t column = 0; column < n; column++)
                for (int64_t row = 0; row < rows; row++) {
                    if (potrf && (uplo == 'U' ? row > column : row < column))
                        continue;
                    const auto from = static_cast<size_t>(column * ld + row) * size;
                    const auto to = static_cast<size_t>(column * other + row) * size;
                    memcpy(&b[to], &a[from], size);
                    for (unsigned k = 0; k < size; k++) read.push_back(to + k);
                }
            const auto first = factorisation(family, type, a.data(), rows, n, ld, uplo);
            const auto second = factorisation(family, type, b.data(), rows, n, other, uplo);
            (void)ask(first);  // tiny contents may be there by chance
            EXPECT_TRUE(ask(first));
            EXPECT_TRUE(ask(second));
            const auto before = gmmu_blas_memos_counted(m);
            b[read[below(read.size())]] ^= static_cast<uint8_t>(1U << below(8));
            const bool found = ask(second);
            EXPECT_TRUE(!found || size * rows * n <= 16) << "a byte was changed";
            EXPECT_EQ(gmmu_blas_memos_counted(m).contents, before.contents + (found ? 0 : 1));
        }
        gmmu_blas_memos_destroy(m);
        m = nullptr;
    }
}

TEST_F(Memos, OneComputationIsNotAnother) {
    make(1 << 20);
    std::vector<double> a(64, 1.5);
    EXPECT_FALSE(ask(factorisation(GMMU_BLAS_GETRF, 'd', a.data(), 4, 4, 4)));
    EXPECT_TRUE(ask(factorisation(GMMU_BLAS_GESV, 'd', a.data(), 0, 4, 4))) << "the same factors";
    EXPECT_FALSE(ask(factorisation(GMMU_BLAS_GETRF, 'd', a.data(), 2, 8, 2))) << "shape";
    EXPECT_FALSE(ask(factorisation(GMMU_BLAS_GETRF, 'd', a.data(), 8, 2, 8))) << "shape";
    EXPECT_FALSE(ask(factorisation(GMMU_BLAS_GETRF, 'c', a.data(), 4, 4, 4))) << "type";
    EXPECT_FALSE(ask(factorisation(GMMU_BLAS_POTRF, 'd', a.data(), 0, 4, 4, 'L'))) << "triangle";
    EXPECT_FALSE(ask(factorisation(GMMU_BLAS_POTRF, 'd', a.data(), 0, 4, 4, 'U'))) << "triangle";
    auto wide = factorisation(GMMU_BLAS_GETRF, 'd', a.data(), 4, 4, 4);
    wide.integer = 8;
    EXPECT_FALSE(ask(wide)) << "pivots of 64 bits";
    const auto n = gmmu_blas_memos_counted(m);
    EXPECT_EQ(n.asked, 8U);
    EXPECT_EQ(n.found, 1U);
    EXPECT_EQ(n.ns, 80U);
    EXPECT_EQ(n.found_ns, 10U);
    EXPECT_EQ(n.contents, 7U);
    gmmu_blas_memos_clear(m);
    EXPECT_EQ(gmmu_blas_memos_counted(m).bytes, 0U);
    EXPECT_FALSE(ask(factorisation(GMMU_BLAS_GETRF, 'd', a.data(), 4, 4, 4)));
}

// At most LIMIT bytes; who was used longest ago goes, but no content of a call that runs.
TEST_F(Memos, KeepsTheLimit) {
    make(3 * 128);
    std::vector<std::vector<double>> a;
    for (int i = 0; i < 5; i++) a.emplace_back(16, i + 1);
    auto of = [&](size_t i) { return factorisation(GMMU_BLAS_GETRF, 'd', a[i].data(), 4, 4, 4); };
    for (size_t i = 0; i < 3; i++) EXPECT_FALSE(ask(of(i)));
    EXPECT_TRUE(ask(of(0)));
    EXPECT_TRUE(left.empty());
    EXPECT_FALSE(ask(of(3)));
    ASSERT_EQ(left.size(), 1U);
    EXPECT_EQ(left[0].last - left[0].start, 127U);
    EXPECT_TRUE(ask(of(0)));
    EXPECT_TRUE(ask(of(2)));
    EXPECT_FALSE(ask(of(1))) << "it had left";
    EXPECT_EQ(gmmu_blas_memos_counted(m).bytes, 384U);
    EXPECT_EQ(gmmu_blas_memos_counted(m).left, 2U);

    std::vector<double> large(400, 1);
    bool found;
    EXPECT_EQ(begin(factorisation(GMMU_BLAS_GETRF, 'd', large.data(), 20, 20, 20), &found),
              nullptr);
    EXPECT_EQ(gmmu_blas_memos_counted(m).contents, 3U) << "nothing left for what does not fit";

    gmmu_blas_content *running[4];
    for (size_t i = 0; i < 3; i++) ASSERT_NE(running[i] = begin(of(i), &found), nullptr);
    EXPECT_EQ(begin(of(4), &found), nullptr) << "all of it runs";
    gmmu_blas_memos_end(m, running[1], true, 0);
    running[1] = begin(of(4), &found);
    ASSERT_NE(running[1], nullptr);
    for (auto *k : running)
        if (k != running[3])
            gmmu_blas_memos_end(m, k, false, 0);
    EXPECT_EQ(gmmu_blas_memos_counted(m).refused, 2U);
    EXPECT_LE(gmmu_blas_memos_counted(m).bytes, 384U);
}

TEST_F(Memos, KeepsSoManyContents) {
    make(1 << 24);
    double a = 0;
    for (int i = 0; i < GMMU_BLAS_MOST_CONTENTS + 10; i++, a += 1)
        EXPECT_FALSE(ask(factorisation(GMMU_BLAS_GETRF, 'd', &a, 1, 1, 1)));
    EXPECT_EQ(gmmu_blas_memos_counted(m).contents, static_cast<uint64_t>(GMMU_BLAS_MOST_CONTENTS));
    EXPECT_EQ(left.size(), 10U);
}

TEST_F(Memos, ACallIsItsFactorisationAndTheRest) {
    make(1 << 20);
    std::vector<double> a(200);
    for (const int64_t ld : {10, 12}) {
        gmmu_blas_call c = factorisation(GMMU_BLAS_GESV, 'd', a.data(), 0, 10, ld);
        bool found;
        gmmu_blas_content *content = begin(c, &found);
        ASSERT_NE(content, nullptr);
        gmmu_sem_event call = {};
        call.kind = GMMU_SEM_CALL;
        call.flops = gmmu_blas_flops(&c);
        call.ns = 1000;
        call.operands = gmmu_blas_operands(&c, call.operand);
        const gmmu_sem_event was = call;
        const gmmu_sem_event memo = gmmu_blas_memo_split(content, &call);
        EXPECT_EQ(memo.kind, GMMU_SEM_MEMO);
        EXPECT_EQ(memo.flops, content->of.flops);
        EXPECT_EQ(memo.flops + call.flops, was.flops);
        EXPECT_EQ(memo.ns + call.ns, was.ns);
        EXPECT_EQ(memo.result, 10 * 10 * 8 + 10 * 4U);
        EXPECT_FALSE(call.operand[0].reads);
        EXPECT_TRUE(call.operand[0].writes);
        EXPECT_TRUE(call.operand[0].whole);
        EXPECT_EQ(call.operand[0].run != 0, ld != 10) << "gaps are no part of it";
        gmmu_blas_memos_end(m, content, found, memo.ns);
    }
    gmmu_blas_call c = factorisation(GMMU_BLAS_POTRF, 'd', a.data(), 0, 10, 10);
    bool found;
    gmmu_blas_content *content = begin(c, &found);
    gmmu_sem_event call = {};
    call.flops = gmmu_blas_flops(&c);
    call.operands = gmmu_blas_operands(&c, call.operand);
    const gmmu_sem_event memo = gmmu_blas_memo_split(content, &call);
    EXPECT_EQ(call.flops, 0U);
    EXPECT_EQ(memo.ns, 1U) << "0 is not known";
    EXPECT_EQ(call.ns, 1U);
    EXPECT_FALSE(call.operand[0].whole) << "a triangle";
    gmmu_blas_memos_end(m, content, found, memo.ns);
}

// ---- recorded

class RecordedMemos : public testing::TestWithParam<gmmu_sem_track> {
   protected:
    enum : int { N = 24 };
    std::string name = testing::TempDir() + "gmmu_memos." + std::to_string(getpid());
    std::string text = name + ".txt";
    gmmu_blas_recorder *r = nullptr;
    double *a = nullptr;

    void SetUp() override {
        gmmu_blas_settings s = {};
        s.track = GetParam();
        s.trace = name.c_str();
        s.report = text.c_str();
        s.memo = 1;
        a = static_cast<double *>(mmap(nullptr, N * N * sizeof(double), PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        r = gmmu_blas_recorder_create(&s);
        ASSERT_NE(r, nullptr);
        ASSERT_TRUE(gmmu_blas_recorder_works(r));
    }
    void TearDown() override {
        gmmu_blas_recorder_destroy(r);
        munmap(a, N * N * sizeof(double));
        std::remove(name.c_str());
        std::remove(text.c_str());
    }
    void factor(double seed) {
        for (int i = 0; i < N * N; i++) a[i] = seed + i;
        const gmmu_blas_call c = factorisation(GMMU_BLAS_GETRF, 'd', a, N, N, N);
        gmmu_blas_record record;
        gmmu_blas_recorder_begin(r, gmmu_blas_recorder_site(r, "here", "dgetrf_"), &c, &record);
        for (int i = 0; i < N * N; i++) a[i] = 1 / (1 + a[i]);
        gmmu_blas_recorder_end(r, &record);
    }
    gmmu_sem_row played() const {
        gmmu_sem_play_config config = {};
        config.protocol.kind = GMMU_SEM_WB;
        config.runtime.limit = 1 << 30;
        config.link = gmmu_sem_usual_link;
        gmmu_sem_play *p = gmmu_sem_play_create(&config);
        gmmu_error err;
        gmmu_sem_event e;
        gmmu_sem_reader *from = gmmu_sem_open(name.c_str(), &err);
        EXPECT_NE(from, nullptr) << err.text;
        while (from != nullptr && gmmu_sem_next(from, &e, &err) == GMMU_OK)
            EXPECT_TRUE(gmmu_sem_play_event(p, &e));
        gmmu_sem_close(from);
        const gmmu_sem_row all = gmmu_sem_play_total(p);
        gmmu_sem_play_destroy(p);
        return all;
    }
    std::string report() {
        gmmu_blas_recorder_finish(r);
        std::ifstream file(text);
        return {std::istreambuf_iterator<char>(file), {}};
    }
};

INSTANTIATE_TEST_SUITE_P(Tracks, RecordedMemos,
                         testing::Values(GMMU_SEM_CALLS, GMMU_SEM_WRITES, GMMU_SEM_FULL));

TEST_P(RecordedMemos, AReplayFindsWhatWasFound) {
    for (const double seed : {1, 2, 1, 1, 3, 2}) factor(seed);
    const gmmu_sem_row all = played();
    EXPECT_EQ(all.calls, 6U);
    EXPECT_EQ(all.memos, 6U);
    EXPECT_EQ(all.elided, 3U);
    EXPECT_EQ(all.up_bytes, 3 * sizeof(double) * N * N) << "each content once; A is all written";
    const std::string said = report();
    EXPECT_NE(said.find("6 factorisations, 3 of contents that were kept"), std::string::npos)
        << said;
    EXPECT_NE(said.find("3 contents kept, 0.01 MiB; 0 had left, 0 found no room"),
              std::string::npos);
    EXPECT_EQ(said.find("results kept, most") == std::string::npos, GetParam() == GMMU_SEM_FULL);
}

TEST_P(RecordedMemos, WhatLeftIsMadeAgain) {
    // 1 MiB has room for 227 contents of 24 × 24 doubles
    for (int i = 0; i < 240; i++) factor(i);
    factor(0);
    factor(239);
    const gmmu_sem_row all = played();
    EXPECT_EQ(all.memos, 242U);
    EXPECT_EQ(all.elided, 1U);
    EXPECT_NE(report().find("; 14 had left, 0 found no room"), std::string::npos);
}

TEST_P(RecordedMemos, AForkedProcessBeginsAnew) {
    factor(1);
    (void)fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        factor(1);
        factor(1);
        _exit(report().find("2 factorisations, 1 of") == std::string::npos);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
}

TEST_P(RecordedMemos, ACallThatForksIsWhole) {
    const gmmu_blas_call c = factorisation(GMMU_BLAS_GETRF, 'd', a, N, N, N);
    gmmu_blas_record record;
    gmmu_blas_recorder_begin(r, gmmu_blas_recorder_site(r, "here", "dgetrf_"), &c, &record);
    const pid_t child = fork();
    if (child == 0) {
        gmmu_blas_recorder_end(r, &record);
        _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    gmmu_blas_recorder_end(r, &record);
}

// ---- blocks of memory

TEST(Allocs, EachIsToldOnce) {
    gmmu_blas_allocs a = {};
    EXPECT_EQ(gmmu_blas_allocs_tell(&a, 10, 20), nullptr);
    for (uint64_t i = 100; i > 0; i--) gmmu_blas_allocs_add(&a, 100 * i, 100 * i + 49);
    EXPECT_EQ(gmmu_blas_allocs_tell(&a, 520, 550), nullptr) << "it ends behind";
    EXPECT_EQ(gmmu_blas_allocs_tell(&a, 560, 570), nullptr) << "between";
    const gmmu_blas_range *block = gmmu_blas_allocs_tell(&a, 510, 549);
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(block->start, 500U);
    EXPECT_EQ(block->last, 549U);
    EXPECT_EQ(gmmu_blas_allocs_tell(&a, 500, 500), nullptr) << "again";
    gmmu_blas_allocs_untold(&a);
    EXPECT_NE(gmmu_blas_allocs_tell(&a, 500, 500), nullptr);
    gmmu_blas_allocs_remove(&a, 449, 600);
    for (const uint64_t at : {400, 500, 600}) EXPECT_EQ(gmmu_blas_allocs_tell(&a, at, at), nullptr);
    gmmu_blas_allocs_remove(&a, 450, 650);
    EXPECT_NE(gmmu_blas_allocs_tell(&a, 700, 700), nullptr);
    gmmu_blas_allocs_add(&a, 740, 1100);
    EXPECT_EQ(gmmu_blas_allocs_tell(&a, 700, 700), nullptr) << "another lies there";
    EXPECT_NE(gmmu_blas_allocs_tell(&a, 1060, 1060), nullptr);
    gmmu_blas_allocs_free(&a);
}

TEST(Allocs, OfTooManyTheLaterAreNotKnown) {
    gmmu_blas_allocs a = {};
    const uint64_t most = GMMU_BLAS_MOST_ALLOCS;
    for (uint64_t i = 0; i <= most; i++) gmmu_blas_allocs_add(&a, 2 * i, 2 * i);
    EXPECT_NE(gmmu_blas_allocs_tell(&a, 2 * (most - 1), 2 * (most - 1)), nullptr);
    EXPECT_EQ(gmmu_blas_allocs_tell(&a, 2 * most, 2 * most), nullptr);
    gmmu_blas_allocs_free(&a);
}

}  // namespace memos
