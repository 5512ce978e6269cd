// SPDX-License-Identifier: Apache-2.0
// track_full.cpp: reads, and the code that touches; handlers of SIGSEGV that a program has itself;
// settings that cannot be.
//
// State space: random reads, writes and calls; faults of the program's own before, between and
// after ours. Parameter space: mprotect, full; a system that refuses userfaultfd.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <algorithm>
#include <csetjmp>
#include <csignal>
#include <cstddef>
#include <random>

#include "random_trace.h"
#include "sem/tracked.h"
#include "semcache/segv.h"

namespace {

using namespace tracked;

// ---- reads, and the code that touches

class Full : public Tracked {};
INSTANTIATE_TEST_SUITE_P(All, Full, testing::Values(Setting{GMMU_SEM_FULL, GMMU_TRACK_MPROTECT}));

__attribute__((noinline)) void writes_one(volatile unsigned char *p) {
    *p = 1;
}

TEST_P(Full, ReadsAndTheCodeThatTouched) {
    unsigned char *m = map(8);
    arm(m, 8 * PAGE);
    volatile unsigned char *v = m;
    unsigned sum = v[PAGE + 5];
    writes_one(v + 4 * PAGE);
    sum += v[4 * PAGE];
    collect();
    EXPECT_TRUE(has_read(m + PAGE));
    EXPECT_FALSE(wrote(m + PAGE));
    EXPECT_TRUE(wrote(m + 4 * PAGE));
    EXPECT_FALSE(has_read(m + 2 * PAGE));
    for (const gmmu_track_change &c : seen) {
        const uint64_t begin = reinterpret_cast<uintptr_t>(&writes_one);
#if defined(__x86_64__)
        EXPECT_EQ(c.writes, c.code >= begin && c.code < begin + 512);
#endif
    }
    collect();
    EXPECT_TRUE(seen.empty());
    EXPECT_EQ(sum, 1u);
    gmmu_track_drop(t, address(m), address(m) + 8 * PAGE - 1);
    munmap(m, 8 * PAGE);
}

// With nothing but operands on their pages, reads are seen to the last byte's page.
TEST(Track, EachReadOfWhatIsArmedIsSeen) {
    enum : uint64_t { PAGES = 24 };
    gmmu_track_config c = {};
    c.mode = GMMU_SEM_FULL;
    c.alone = [](void *, uint64_t, uint64_t) { return true; };
    gmmu_error err;
    gmmu_track *t = gmmu_track_create(&c, &err);
    ASSERT_NE(t, nullptr);
    volatile unsigned char *m = static_cast<unsigned char *>(
        mmap(nullptr, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    const uint64_t base = address(const_cast<unsigned char *>(m));
    std::mt19937_64 rng(test_seed() + 5);
    std::vector<unsigned char> armed(PAGES * PAGE), read(PAGES), wrote(PAGES);
    uint64_t reads = 0;
    for (int step = 0; step < 4000; step++) {
        const uint64_t start = rng() % (PAGES * PAGE);
        const uint64_t last = std::min(PAGES * PAGE - 1, start + rng() % (3 * PAGE));
        if (rng() % 4 == 0) {  // a call: it reads, or writes
            const bool writes = rng() % 2;
            gmmu_track_open(t, base + start, base + last, writes);
            if (writes) {
                m[start] = 1;
                m[last] = 1;
            }
            ASSERT_TRUE(gmmu_track_arm(t, base + start, base + last, writes));
            for (uint64_t i = start; i <= last; i++) armed[i] = 1;
            for (uint64_t p = start / PAGE; p <= last / PAGE && writes; p++)
                wrote[p] = 0;  // by the call, too
        } else if (rng() % 3 != 0) {
            const bool writes = rng() % 3 == 0;
            if (writes)
                m[start] = static_cast<unsigned char>(m[start] + 1);
            else
                (void)m[start];
            if (armed[start] != 0)
                (writes ? wrote : read)[start / PAGE] = 1;
        } else {
            struct Told {
                uint64_t base;
                std::vector<unsigned char> read, wrote;
            } told = {base, std::vector<unsigned char>(PAGES), std::vector<unsigned char>(PAGES)};
            ASSERT_TRUE(gmmu_track_collect(
                t,
                [](void *x, const gmmu_track_change *change) {
                    Told *i = static_cast<Told *>(x);
                    for (uint64_t p = (change->start - i->base) / PAGE;
                         p <= (change->last - i->base) / PAGE; p++)
                        (change->writes ? i->wrote : i->read)[p] = 1;
                },
                &told));
            for (uint64_t p = 0; p < PAGES; p++) {
                ASSERT_LE(wrote[p], told.wrote[p]) << p << " in step " << step;
                ASSERT_TRUE(read[p] <= told.read[p] || told.wrote[p] != 0) << p << ", " << step;
                reads += read[p];
                read[p] = wrote[p] = 0;
            }
        }
        if (step % 1000 == 999) {
            gmmu_track_drop(t, base, base + PAGES * PAGE - 1);
            std::fill(armed.begin(), armed.end(), 0);
            std::fill(read.begin(), read.end(), 0);
            std::fill(wrote.begin(), wrote.end(), 0);
        }
    }
    EXPECT_GT(reads, 1000u);
    gmmu_track_destroy(t);
    munmap(const_cast<unsigned char *>(m), PAGES * PAGE);
}

// ---- handlers of the program

sigjmp_buf jump;
volatile uintptr_t fault_at;

void on_segv(int, siginfo_t *info, void *) {
    fault_at = reinterpret_cast<uintptr_t>(info->si_addr);
    siglongjmp(jump, 1);
}

TEST(Segv, TheProgramsOwnHandlerHasItsOwnFaults) {
    struct sigaction its = {}, before = {};
    its.sa_sigaction = on_segv;
    its.sa_flags = SA_SIGINFO;
    ASSERT_EQ(sigaction(SIGSEGV, &its, &before), 0);
    gmmu_track_config c = {};
    c.mode = GMMU_SEM_FULL;
    gmmu_error err;
    gmmu_track *t = gmmu_track_create(&c, &err);
    ASSERT_NE(t, nullptr);
    EXPECT_STREQ(gmmu_track_backend_name(t), "mprotect");
    unsigned char *m = static_cast<unsigned char *>(
        mmap(nullptr, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    volatile unsigned char *bad = static_cast<unsigned char *>(
        mmap(nullptr, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_TRUE(gmmu_track_arm(t, address(m), address(m) + 2 * PAGE - 1, true));
    for (int time = 0; time < 3; time++) {
        fault_at = 0;
        if (sigsetjmp(jump, 1) == 0)
            bad[3] = 1;
        EXPECT_EQ(fault_at, address(const_cast<unsigned char *>(bad)) + 3);
        m[1] = 1;  // ours, after that
    }
    // the program protects by itself what is armed: its handler gets that, too
    ASSERT_EQ(mprotect(m + PAGE, PAGE, PROT_NONE), 0);
    fault_at = 0;
    if (sigsetjmp(jump, 1) == 0)
        m[PAGE] = 1;
    if (fault_at == 0) {
        EXPECT_EQ(m[PAGE], 1);  // or it was taken for ours
    }
    struct sigaction was = {};
    EXPECT_TRUE(gmmu_segv_action(nullptr, &was));
    EXPECT_EQ(was.sa_sigaction, on_segv);
    gmmu_track_destroy(t);
    m[1] = 2;
    ASSERT_EQ(sigaction(SIGSEGV, &before, &was), 0);
    EXPECT_EQ(was.sa_sigaction, on_segv);  // it has it back
    munmap(m, 2 * PAGE);
    munmap(const_cast<unsigned char *>(bad), PAGE);
}

void on_segv_once(int, siginfo_t *, void *) {
    (void)!write(STDERR_FILENO, "once;", 5);
}

bool never_ours(void *faults, uint64_t, gmmu_segv_access, uint64_t) {
    if (++*static_cast<int *>(faults) > 9)
        _exit(3);  // it comes again and again
    return false;
}

// SA_RESETHAND: the handler runs once; the second fault has the default action.
TEST(Segv, AHandlerForOneFault) {
    for (const int flags : {SA_SIGINFO, 0}) {
        EXPECT_EXIT(
            {
                static int faults = 0;
                struct sigaction its = {};
                if (flags != 0)
                    its.sa_sigaction = on_segv_once;
                else
                    its.sa_handler = [](int) { (void)!write(STDERR_FILENO, "once;", 5); };
                its.sa_flags = flags | static_cast<int>(SA_RESETHAND);
                if (sigaction(SIGSEGV, &its, nullptr) != 0 || !gmmu_segv_add(never_ours, &faults))
                    _exit(4);
                *static_cast<volatile unsigned char *>(
                    mmap(nullptr, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) = 1;
                _exit(5);
            },
            testing::KilledBySignal(SIGSEGV), "^once;$");
    }
}

TEST(Segv, WithoutAHandlerTheProgramDies) {
    gmmu_track_config c = {};
    c.mode = GMMU_SEM_FULL;
    EXPECT_EXIT(
        {
            struct sigaction none = {};
            none.sa_handler = SIG_DFL;
            sigaction(SIGSEGV, &none, nullptr);
            gmmu_error err;
            if (gmmu_track_create(&c, &err) == nullptr)
                _exit(9);
            void *p = mmap(nullptr, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            *static_cast<volatile char *>(p) = 1;
        },
        testing::KilledBySignal(SIGSEGV), "");
}

// ---- what is to be had

TEST(Track, SettingsThatCannotBe) {
    gmmu_error err;
    gmmu_track_config c = {};
    c.mode = GMMU_SEM_FULL;
    for (gmmu_track_backend b : {GMMU_TRACK_UFFD, GMMU_TRACK_COMPARE}) {
        c.backend = b;
        EXPECT_EQ(gmmu_track_create(&c, &err), nullptr);
        EXPECT_STREQ(err.text, "found a back end that sees no reads, expected mprotect");
    }
    gmmu_track_backend b;
    EXPECT_TRUE(gmmu_track_backend_by_name("uffd", &b));
    EXPECT_EQ(b, GMMU_TRACK_UFFD);
    EXPECT_FALSE(gmmu_track_backend_by_name("magic", &b));
    c.mode = GMMU_SEM_CALLS;
    c.backend = GMMU_TRACK_AUTO;
    gmmu_track *t = gmmu_track_create(&c, &err);
    ASSERT_NE(t, nullptr);
    EXPECT_STREQ(gmmu_track_backend_name(t), "none");
    EXPECT_TRUE(gmmu_track_arm(t, 4096, 8191, true));
    EXPECT_TRUE(gmmu_track_collect(t, nullptr, nullptr));
    gmmu_track_destroy(t);
}

// What a sandbox does: userfaultfd is refused, by seccomp.
[[noreturn]] void without_userfaultfd() {
    sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_userfaultfd, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    sock_fprog filter = {sizeof code / sizeof code[0], code};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
        _exit(0);
    gmmu_track_config c = {};
    c.mode = GMMU_SEM_WRITES;
    gmmu_error err;
    gmmu_track *t = gmmu_track_create(&c, &err);
    if (t == nullptr || std::strcmp(gmmu_track_backend_name(t), "compare") != 0)
        _exit(1);
    c.backend = GMMU_TRACK_UFFD;
    _exit(gmmu_track_create(&c, &err) == nullptr ? 0 : 2);
}

TEST(Track, UserfaultfdDenied) {
    EXPECT_EXIT(without_userfaultfd(), testing::ExitedWithCode(0), "");
}

}  // namespace
