// SPDX-License-Identifier: Apache-2.0
// mutants.cpp: the tests of a block, once for each mutant of its RTL (scripts/mutate.py).
//
// Linked with a bench as it is, instead of GoogleTest's main. The mutated netlist asks
// gmmu_mutant() for its number once, when it is made. Each mutant is tested in a child process, up
// to its first failure: a bench that dies or never ends is seen too. Arguments: OUTPUT and the
// mutants' numbers; output is a line a mutant: number, survived | killed | died | hung.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

static int the_mutant = 0;
extern "C" int gmmu_mutant() {
    return the_mutant;
}

static double cpu_of_children() {
    rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return static_cast<double>(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

// How the tests end with mutant N; they get LIMIT seconds of processor time.
static const char *outcome_of(int n, double limit) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        const rlimit cpu = {static_cast<rlim_t>(limit), static_cast<rlim_t>(limit) + 1};
        setrlimit(RLIMIT_CPU, &cpu);
        if (n != 0 && (std::freopen("/dev/null", "w", stdout) == nullptr ||
                       std::freopen("/dev/null", "w", stderr) == nullptr))
            _exit(99);
        the_mutant = n;
        const int status = RUN_ALL_TESTS();
        std::fflush(nullptr);
        _exit(status == 0 ? 0 : 1);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child)
        std::exit(2);
    if (WIFEXITED(status) && WEXITSTATUS(status) <= 1)
        return WEXITSTATUS(status) == 0 ? "survived" : "killed";
    return WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL)
               ? "hung"
               : "died";
}

int main(int argc, char **argv) {
    testing::InitGoogleTest(&argc, argv);
    testing::FLAGS_gtest_fail_fast = true;
    testing::FLAGS_gtest_print_time = false;
    if (argc < 3) {
        std::fprintf(stderr, "usage: %s OUTPUT NUMBER...\n", argv[0]);
        return 2;
    }
    if (std::string(outcome_of(0, 600)) != "survived") {
        std::fprintf(stderr, "the control, mutant 0, does not pass\n");
        return 1;
    }
    // three times what the control took
    const double limit = 5 + 3 * cpu_of_children();
    std::FILE *out = std::fopen(argv[1], "w");
    if (out == nullptr)
        return 2;
    int survived = 0;
    for (int i = 2; i < argc; i++) {
        const int n = std::atoi(argv[i]);
        const std::string how = outcome_of(n, limit);
        survived += how == "survived";
        std::fprintf(out, "%d %s\n", n, how.c_str());
        if (isatty(2))
            std::fprintf(stderr, "\r%d of %d mutants, %d survive ", i - 1, argc - 2, survived);
    }
    if (isatty(2))
        std::fprintf(stderr, "\n");
    return std::fclose(out) != 0;
}
