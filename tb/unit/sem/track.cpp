// SPDX-License-Identifier: Apache-2.0
// track.cpp: which bytes a program changes between calls, by each back end, against a slow model
// that compares every byte.
//
// State space: random programs: calls on ranges that overlap, begin and end anywhere, opened before
// or not; writes of the program, of read(2), of another thread, to what is armed and next to it;
// memory that is given up in parts, unmapped and mapped again, MADV_DONTNEED. Parameter space: each
// back end, writes and full, tracking pages alone or with neighbours.
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <thread>

#include "random_trace.h"
#include "sem/tracked.h"

namespace {

using namespace tracked;

TEST_P(Tracked, EachChangeIsSeenAndNothingThatIsNotArmed) {
    enum : uint64_t { PAGES = 40 };
    const uint64_t space = PAGES * PAGE;
    std::mt19937_64 rng(test_seed() + 77);
    const auto below = [&](uint64_t n) { return rng() % n; };
    unsigned char *m = map(PAGES);
    std::vector<unsigned char> is(space), base(space), armed(space), told(space);
    uint64_t changes = 0, told_bytes = 0, needed = 0;
    const auto set = [&](uint64_t at, unsigned char v) { m[at] = is[at] = v; };
    for (int step = 0; step < (std::getenv("GMMU_LONG") != nullptr ? 40000 : 3000); step++) {
        const uint64_t start = below(4) != 0 ? below(space) : PAGE * below(PAGES);
        const uint64_t most = below(3) == 0 ? 40 : 5 * PAGE;
        const uint64_t last = std::min(space - 1, start + below(most));
        const uint64_t from = address(m) + start, to = address(m) + last;
        switch (below(9)) {
            case 0:
            case 1: {  // a call
                const bool writes = below(2) != 0, opens = below(3) != 0 || writes;
                if (opens)
                    gmmu_track_open(t, from, to, writes);
                if (writes)
                    for (uint64_t i = start; i <= last; i += 1 + below(300))
                        set(i, static_cast<unsigned char>(rng()));
                ASSERT_TRUE(gmmu_track_arm(t, from, to, writes));
                for (uint64_t i = start; i <= last; i++) {
                    if (writes || armed[i] == 0)
                        base[i] = is[i];
                    armed[i] = 1;
                }
                break;
            }
            case 2:  // the program writes here and there
            case 3:
                for (uint64_t n = below(20); n != 0; n--)
                    set(below(space), static_cast<unsigned char>(rng()));
                break;
            case 4: {
                const uint64_t n = std::min<uint64_t>(last - start + 1, 256);
                from_file(m + start, n);
                if (!full())
                    std::memcpy(is.data() + start, m + start, n);
                else  // what is read here would be told, too: it is by this thread's code
                    for (uint64_t i = start; i < start + n; i++) is[i] = m[i];
                break;
            }
            case 5:
                std::thread([&] {
                    for (uint64_t i = start; i <= last; i += 97) set(i, 0x5A);
                }).join();
                break;
            case 6:
                if (below(4) != 0)
                    break;
                gmmu_track_drop(t, from, to);
                std::fill(armed.begin() + static_cast<ptrdiff_t>(start),
                          armed.begin() + static_cast<ptrdiff_t>(last) + 1, 0);
                break;
            case 7: {  // zeroes: discarded, or other memory at this place
                if (below(6) != 0 || mprotects())  // does not see it
                    break;
                const uint64_t p = below(PAGES), n = std::min<uint64_t>(1 + below(4), PAGES - p);
                if (below(2) == 0)
                    (void)map(n, m + p * PAGE);
                else
                    EXPECT_EQ(madvise(m + p * PAGE, n * PAGE, MADV_DONTNEED), 0);
                std::fill_n(is.begin() + static_cast<ptrdiff_t>(p * PAGE), n * PAGE, 0);
                break;
            }
            default:
                std::fill(told.begin(), told.end(), 0);
                for (const gmmu_track_change &c : collect()) {
                    ASSERT_GE(c.start, address(m));
                    ASSERT_LT(c.last, address(m) + space);
                    ASSERT_LE(c.start, c.last);
                    changes++;
                    for (uint64_t i = c.start - address(m); i <= c.last - address(m); i++) {
                        ASSERT_EQ(armed[i], 1) << i;
                        told[i] = told[i] != 0 || c.writes;
                        told_bytes++;
                    }
                }
                for (uint64_t i = 0; i < space; i++) {
                    if (armed[i] != 0 && is[i] != base[i]) {
                        needed++;
                        ASSERT_EQ(told[i], 1) << "byte " << i << " in step " << step;
                    }
                    base[i] = is[i];
                }
        }
        if (HasFatalFailure())
            break;
    }
    std::printf("[ vectors  ] %s: %llu changes told, %llu bytes, %llu had changed\n",
                name_of(GetParam()).c_str(), static_cast<unsigned long long>(changes),
                static_cast<unsigned long long>(told_bytes),
                static_cast<unsigned long long>(needed));
    EXPECT_GT(needed, 1000u);
    gmmu_track_drop(t, address(m), address(m) + space - 1);
    munmap(m, space);
}

TEST_P(Tracked, NeighboursOnAPageAreNotTold) {
    unsigned char *m = map(4);
    arm(m + PAGE + 100, 2 * PAGE);
    m[PAGE + 99] = 1;
    m[3 * PAGE + 100] = 1;
    collect();
    EXPECT_TRUE(seen.empty());
    m[PAGE + 100] = 1;
    m[3 * PAGE + 99] = 1;
    collect();
    ASSERT_EQ(seen.size(), 2u);
    EXPECT_EQ(seen[0].start, address(m + PAGE + 100));
    EXPECT_EQ(seen[0].last, address(m + PAGE + 100));
    EXPECT_EQ(seen[1].start, address(m + 3 * PAGE + 99));
    EXPECT_EQ(seen[1].last, address(m + 3 * PAGE + 99));
    collect();
    EXPECT_TRUE(seen.empty());
    // two operands that meet within a page: each has its own changes
    arm(m, 300);
    arm(m + 300, 300);
    m[299] = 7;
    collect();
    EXPECT_TRUE(wrote(m + 299));
    EXPECT_FALSE(wrote(m + 300));
    gmmu_track_drop(t, address(m), address(m) + 4 * PAGE - 1);
    munmap(m, 4 * PAGE);
}

TEST_P(Tracked, WhatACallWritesIsNotTheProgram) {
    unsigned char *m = map(8);
    arm(m + 10, 7 * PAGE);
    for (int time = 0; time < 3; time++) {
        gmmu_track_open(t, address(m + 10), address(m + 10) + 7 * PAGE - 1, true);
        std::memset(m + 10, 1 + time, 7 * PAGE);
        collect();  // of another thread, meanwhile
        EXPECT_TRUE(seen.empty());
        arm(m + 10, 7 * PAGE);
        collect();
        EXPECT_TRUE(seen.empty());
    }
    // a part of it; the rest is still watched
    gmmu_track_open(t, address(m + PAGE + 50), address(m + 2 * PAGE + 50), true);
    std::memset(m + PAGE + 50, 9, PAGE);
    m[PAGE + 49] = 1;      // on the same page, but not the call's
    m[3 * PAGE + 77] = 1;  // on another
    arm(m + PAGE + 50, PAGE + 1);
    collect();
    EXPECT_TRUE(wrote(m + PAGE + 49));
    EXPECT_TRUE(wrote(m + 3 * PAGE + 77));
    EXPECT_FALSE(wrote(m + 4 * PAGE));
    if (!mprotects()) {
        EXPECT_FALSE(wrote(m + PAGE + 50));
    }
    gmmu_track_drop(t, address(m), address(m) + 8 * PAGE - 1);
    munmap(m, 8 * PAGE);
}

TEST_P(Tracked, ByThreadsAndTheKernel) {
    unsigned char *m = map(16);
    arm(m, 16 * PAGE);
    from_file(m + 3 * PAGE - 2, 4);
    std::thread a([&] { m[5 * PAGE] = 1; }), b([&] { m[9 * PAGE + 17] = 1; });
    a.join();
    b.join();
    collect();
    EXPECT_TRUE(wrote(m + 5 * PAGE));
    EXPECT_TRUE(wrote(m + 9 * PAGE + 17));
    EXPECT_TRUE(wrote(m + 3 * PAGE - 1) || m[3 * PAGE - 1] == 0);
    EXPECT_FALSE(wrote(m + 15 * PAGE));
    gmmu_track_drop(t, address(m), address(m) + 16 * PAGE - 1);
    munmap(m, 16 * PAGE);
}

// Threads that compute, each with a call of its own under way, and others that write.
TEST_P(Tracked, SeveralThreadsAtOnce) {
    enum : unsigned { THREADS = 4 };
    unsigned char *m = map(THREADS * 8);
    std::vector<std::thread> threads;
    for (unsigned k = 0; k < THREADS; k++)
        threads.emplace_back([&, k] {
            unsigned char *mine = m + k * 8 * PAGE + 100;  // its last page is shared with the next
            const uint64_t start = address(mine),
                           last = start + 8 * PAGE - (k + 1 == THREADS) * 200 - 1;
            for (int time = 0; time < 60; time++) {
                uint64_t found = 0;
                struct Want {
                    uint64_t at, *found;
                } want = {start + 3 * PAGE, &found};
                gmmu_track_open(t, start, last, true);
                std::memset(mine, time, last - start + 1);
                EXPECT_TRUE(gmmu_track_arm(t, start, last, true));
                mine[3 * PAGE] = 0xAA;
                EXPECT_TRUE(gmmu_track_collect(
                    t,
                    [](void *c, const gmmu_track_change *change) {
                        const Want *w = static_cast<Want *>(c);
                        *w->found += change->start <= w->at && w->at <= change->last;
                    },
                    &want));
                EXPECT_LE(found, 2u);  // another thread may have collected it
                if (time % 16 == 15)
                    gmmu_track_drop(t, start, last);
            }
        });
    for (std::thread &i : threads) i.join();
    gmmu_track_drop(t, address(m), address(m) + THREADS * 8 * PAGE - 1);
    munmap(m, THREADS * 8 * PAGE);
}

TEST_P(Tracked, FreeAndReuse) {
    unsigned char *m = map(8);
    arm(m, 8 * PAGE);
    EXPECT_TRUE(gmmu_track_has(t, address(m), address(m)));
    gmmu_track_drop(t, address(m + 100), address(m) + 6 * PAGE);
    EXPECT_FALSE(gmmu_track_has(t, address(m + 100), address(m) + 6 * PAGE));
    std::memset(m + 100, 3, 5 * PAGE);
    collect();
    for (const gmmu_track_change &c : seen) EXPECT_LT(c.last, address(m + 100));
    m[50] = 1;
    m[7 * PAGE] = 1;
    collect();
    EXPECT_TRUE(wrote(m + 50));
    EXPECT_TRUE(wrote(m + 7 * PAGE));
    // unmapped without a word: nothing is told of what is not there
    munmap(m, 8 * PAGE);
    collect();
    unsigned char *again = map(8, m);
    arm(again, 8 * PAGE);
    again[4 * PAGE] = 1;
    collect();
    EXPECT_TRUE(wrote(again + 4 * PAGE));
    gmmu_track_drop(t, address(m), address(m) + 8 * PAGE - 1);
    munmap(m, 8 * PAGE);
}

TEST_P(Tracked, AChildOfForkStartsAfresh) {
    unsigned char *m = map(8);
    arm(m, 8 * PAGE);
    const pid_t child = fork();
    if (child == 0) {
        int bad = 0;
        m[5] = 1;
        collect();
        bad |= seen.empty() ? 0 : 1;
        bad |= gmmu_track_has(t, address(m), address(m)) ? 2 : 0;
        bad |= gmmu_track_arm(t, address(m), address(m) + 8 * PAGE - 1, true) ? 0 : 4;
        m[2 * PAGE] = 1;
        collect();
        bad |= wrote(m + 2 * PAGE) ? 0 : 8;
        bad |= wrote(m + 6 * PAGE) ? 16 : 0;
        _exit(bad);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    collect();
    EXPECT_TRUE(seen.empty());
    m[7 * PAGE] = 1;
    collect();
    EXPECT_TRUE(wrote(m + 7 * PAGE));
    gmmu_track_drop(t, address(m), address(m) + 8 * PAGE - 1);
    munmap(m, 8 * PAGE);
}

// As many ranges as there may be mappings, and more: pages with a gap after each.
TEST_P(Tracked, MoreRangesThanMappings) {
    enum : uint64_t { RANGES = 36000 };
    unsigned char *m = map(2 * RANGES);
    for (uint64_t k = 0; k < RANGES; k++) arm(m + 2 * k * PAGE, PAGE);
    collect();
    EXPECT_TRUE(seen.empty());
    for (uint64_t k = 0; k < RANGES; k += 5) m[2 * k * PAGE + 11] = 1;
    m[PAGE] = 1;  // in a gap
    collect();
    uint64_t found = 0;
    std::vector<unsigned char> of(RANGES);
    for (const gmmu_track_change &c : seen)
        if (c.writes)
            for (uint64_t at = c.start - address(m); at <= c.last - address(m); at += PAGE)
                of[at / (2 * PAGE)] = 1;
    for (uint64_t k = 0; k < RANGES; k++) found += of[k] != 0 && k % 5 == 0;
    EXPECT_EQ(found, RANGES / 5);
    void *more = mmap(nullptr, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(more, MAP_FAILED);  // there is room for the program's own
    munmap(more, PAGE);
    if (mprotects()) {
        EXPECT_GT(gmmu_track_counted(t).crowded, 0u);
    }
    gmmu_track_drop(t, address(m), address(m) + 2 * RANGES * PAGE - 1);
    munmap(m, 2 * RANGES * PAGE);
}

// Memory of each kind: of the program's image, of the stack, shared with another process.
TEST_P(Tracked, MemoryOfEachKind) {
    static unsigned char data[4 * 65536] = {1};
    unsigned char stack[64 * 1024];
    std::memset(stack, 1, sizeof stack);
    unsigned char *shared = static_cast<unsigned char *>(
        mmap(nullptr, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    unsigned char *heap = static_cast<unsigned char *>(std::calloc(10000, 1));
    arm(data, sizeof data);
    arm(stack, sizeof stack);
    arm(shared, 4 * PAGE);
    arm(heap, 10000);
    data[70000]++;
    stack[40000] = 7;
    heap[5000]++;
    if (fork() == 0) {
        shared[2 * PAGE] = 9;
        _exit(0);
    }
    wait(nullptr);
    collect();
    EXPECT_TRUE(wrote(data + 70000));
    EXPECT_TRUE(wrote(stack + 40000));
    EXPECT_TRUE(wrote(heap + 5000));
    EXPECT_TRUE(wrote(shared + 2 * PAGE));
    gmmu_track_drop(t, 0, UINT64_MAX);
    std::free(heap);
    munmap(shared, 4 * PAGE);
}

TEST_P(Tracked, BadRangesChangeNothing) {
    unsigned char *m = map(1);
    EXPECT_TRUE(gmmu_track_arm(t, address(m) + 5, address(m) + 4, true));
    gmmu_track_open(t, address(m) + 5, address(m) + 4, true);
    gmmu_track_drop(t, address(m) + 5, address(m) + 4);
    m[4] = 1;
    EXPECT_FALSE(gmmu_track_has(t, address(m), address(m) + PAGE - 1));
    collect();
    EXPECT_TRUE(seen.empty());
    munmap(m, PAGE);
}

const Setting settings[] = {{GMMU_SEM_WRITES, GMMU_TRACK_AUTO},
                            {GMMU_SEM_WRITES, GMMU_TRACK_UFFD},
                            {GMMU_SEM_WRITES, GMMU_TRACK_COMPARE},
                            {GMMU_SEM_WRITES, GMMU_TRACK_MPROTECT},
                            {GMMU_SEM_FULL, GMMU_TRACK_MPROTECT}};
INSTANTIATE_TEST_SUITE_P(All, Tracked, testing::ValuesIn(settings),
                         [](const testing::TestParamInfo<Setting> &i) { return name_of(i.param); });

}  // namespace
