// SPDX-License-Identifier: Apache-2.0
// guarded.h: the reference BLAS and LAPACK, and memory that ends where nobody may touch.
#ifndef GMMU_TEST_BLAS_GUARDED_H
#define GMMU_TEST_BLAS_GUARDED_H

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <csetjmp>
#include <csignal>
#include <cstring>

// ---- the reference

inline void *library(const char *name) {
    static void *const blas = dlopen("libblas.so.3", RTLD_NOW | RTLD_LOCAL);
    static void *const lapack = dlopen("liblapack.so.3", RTLD_NOW | RTLD_LOCAL);
    void *const first = blas == nullptr ? nullptr : dlsym(blas, name);
    return first != nullptr || lapack == nullptr ? first : dlsym(lapack, name);
}

// ---- memory that ends where nobody may touch

constexpr size_t PAGE = 4096;

inline sigjmp_buf back;
inline const void *volatile touched;  // what was touched that must not be
inline void on_fault(int, siginfo_t *info, void *) {
    touched = info->si_addr;
    siglongjmp(back, 1);
}

class Guarded {
   public:
    Guarded() {
        base_ = static_cast<char *>(mmap(nullptr, ROOM + 2 * PAGE, PROT_NONE,
                                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
        EXPECT_EQ(mprotect(base_ + PAGE, ROOM, PROT_READ | PROT_WRITE), 0);
    }
    Guarded(const Guarded &) = delete;
    Guarded &operator=(const Guarded &) = delete;
    ~Guarded() { munmap(base_, ROOM + 2 * PAGE); }
    char *nobodys() { return base_; }
    // BYTES, at the end, or the beginning, of what may be touched.
    char *place(size_t bytes, bool end) {
        bytes_ = bytes;
        start_ = base_ + PAGE + (end ? ROOM - bytes : 0);
        EXPECT_LE(bytes, ROOM);
        return start_;
    }
    void fill(unsigned char outside) { memset(base_ + PAGE, outside, ROOM); }
    // All bytes but those of the operand are as FILL left them.
    bool clean(unsigned char outside) const {
        const char *const from = base_ + PAGE;
        return is_all(from, static_cast<size_t>(start_ - from), outside) &&
               is_all(start_ + bytes_, static_cast<size_t>(from + ROOM - start_) - bytes_, outside);
    }

   private:
    static bool is_all(const char *p, size_t n, unsigned char byte) {
        return n == 0 || (static_cast<unsigned char>(*p) == byte && memcmp(p, p + 1, n - 1) == 0);
    }
    static constexpr size_t ROOM = 24 * PAGE;
    char *base_, *start_ = nullptr;
    size_t bytes_ = 0;
};

class BlasOperands : public testing::Test {
   protected:
    void SetUp() override {
        if (library("dgemm_") == nullptr || library("dgesv_") == nullptr)
            GTEST_SKIP() << "found no libblas.so.3 or liblapack.so.3, expected Debian's reference: "
                            "make setup";
        struct sigaction act = {};
        act.sa_sigaction = on_fault;
        act.sa_flags = SA_SIGINFO | SA_NODEFER;
        sigaction(SIGSEGV, &act, &old_);
    }
    void TearDown() override {
        if (old_.sa_handler != SIG_IGN)
            sigaction(SIGSEGV, &old_, nullptr);
    }

   private:
    struct sigaction old_ = {};
};

#endif
