// SPDX-License-Identifier: Apache-2.0
// cover.cpp: linked into what `make coverage` runs: a program that is stopped for its time, or that
// crashes, still leaves its counts.
#include <unistd.h>

#include <csignal>

extern "C" {
void __gcov_dump(void);
void gmmu_cover_models(void) __attribute__((weak));  // tb/cover.h
}

namespace {

void leave_counts(int signal) {
    std::signal(signal, SIG_DFL);
    __gcov_dump();
    if (gmmu_cover_models != nullptr)
        gmmu_cover_models();
    raise(signal);
}

__attribute__((constructor)) void prepare() {
    const int signals[] = {SIGTERM, SIGABRT, SIGSEGV};
    for (int signal : signals) std::signal(signal, leave_counts);
}

}  // namespace
