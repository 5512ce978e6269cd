// SPDX-License-Identifier: Apache-2.0
// cover_end.c: linked into the command and libgmmu_blas.so of `make coverage`, with --wrap: what
// ends itself by a signal or by _exit leaves its counts.
#include <signal.h>
#include <unistd.h>

void __gcov_dump(void);
void __gcov_reset(void);
int __real_raise(int number);
int __real_kill(pid_t process, int number);
_Noreturn void __real__exit(int status);

// A signal may come back from its handler: what is counted later is added.
static void leave_counts(void) {
    __gcov_dump();
    __gcov_reset();
}

__attribute__((visibility("hidden"))) int __wrap_raise(int number) {
    leave_counts();
    return __real_raise(number);
}

__attribute__((visibility("hidden"))) int __wrap_kill(pid_t process, int number) {
    if (process == getpid())
        leave_counts();
    return __real_kill(process, number);
}

__attribute__((visibility("hidden"))) _Noreturn void __wrap__exit(int status) {
    leave_counts();
    __real__exit(status);
}
