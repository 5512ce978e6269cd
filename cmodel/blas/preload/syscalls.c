// SPDX-License-Identifier: Apache-2.0
// syscalls.c: what the kernel does with the program's memory where pages are closed
// (GMMU_TRACK=full): a system call would get EFAULT, and nobody would know. What it is about to
// access is opened first, and counts as touched. Who changes the handler of SIGSEGV, or blocks it,
// has what is behind ours.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // RTLD_NEXT, preadv
#endif
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <threads.h>
#include <unistd.h>

#include "blas/preload/preload.h"
#include "blas/preload/signals.h"
#include "semcache/segv.h"

static bool closes(void) {
    return gmmu_blas_the_recorder != NULL && !gmmu_blas_within(GMMU_BLAS_FRAME) &&
           gmmu_blas_recorder_closes(gmmu_blas_the_recorder);
}

// The program's call that returns to CODE is about to read N bytes from P, or to write there.
static void touch(const void *p, size_t n, bool writes, const void *code) {
    if (p != NULL && n != 0 && !gmmu_blas_within(GMMU_BLAS_FRAME))
        gmmu_blas_shadow_touch(p, n, writes);
    if (p != NULL && n != 0 && closes())
        gmmu_blas_recorder_touched(gmmu_blas_the_recorder, (uintptr_t)p, (uintptr_t)p + (n - 1),
                                   writes, (uintptr_t)code);
}

static void touch_all(const struct iovec *v, int n, bool writes, const void *code) {
    touch(v, n < 0 ? 0 : (size_t)n * sizeof *v, false, code);
    for (int i = 0; i < n; i++) touch(v[i].iov_base, v[i].iov_len, writes, code);
}

#define HERE __builtin_return_address(0)

// NOLINTBEGIN(bugprone-macro-parentheses): types, names and statements take none
// The function that the program would have called: found once, by whoever needs it first.
#define REAL(name)                                                 \
    static __typeof__(&name) real;                                 \
    if (__atomic_load_n((void **)&real, __ATOMIC_ACQUIRE) == NULL) \
        __atomic_store_n((void **)&real, dlsym(RTLD_NEXT, #name), __ATOMIC_RELEASE);

// NAME(PARAMETERS) of type RESULT becomes the real NAME(ARGUMENTS), after FIRST
#define WRAP(result, name, parameters, arguments, first) \
    result gmmu_blas_##name parameters;                  \
    result gmmu_blas_##name parameters {                 \
        REAL(name)                                       \
        first;                                           \
        return real arguments;                           \
    }                                                    \
    GMMU_BLAS_PUBLIC extern __typeof__(name) name __attribute__((alias("gmmu_blas_" #name)));

// NOLINTEND(bugprone-macro-parentheses)

// ---- files and sockets

WRAP(ssize_t, read, (int fd, void *p, size_t n), (fd, p, n), touch(p, n, true, HERE))
WRAP(ssize_t, write, (int fd, const void *p, size_t n), (fd, p, n), touch(p, n, false, HERE))
WRAP(ssize_t, pread, (int fd, void *p, size_t n, off_t at), (fd, p, n, at), touch(p, n, true, HERE))
WRAP(ssize_t, pread64, (int fd, void *p, size_t n, off64_t at), (fd, p, n, at),
     touch(p, n, true, HERE))
WRAP(ssize_t, pwrite, (int fd, const void *p, size_t n, off_t at), (fd, p, n, at),
     touch(p, n, false, HERE))
WRAP(ssize_t, pwrite64, (int fd, const void *p, size_t n, off64_t at), (fd, p, n, at),
     touch(p, n, false, HERE))
WRAP(ssize_t, readv, (int fd, const struct iovec *v, int n), (fd, v, n),
     touch_all(v, n, true, HERE))
WRAP(ssize_t, writev, (int fd, const struct iovec *v, int n), (fd, v, n),
     touch_all(v, n, false, HERE))
WRAP(ssize_t, preadv, (int fd, const struct iovec *v, int n, off_t at), (fd, v, n, at),
     touch_all(v, n, true, HERE))
WRAP(ssize_t, pwritev, (int fd, const struct iovec *v, int n, off_t at), (fd, v, n, at),
     touch_all(v, n, false, HERE))
WRAP(ssize_t, preadv64, (int fd, const struct iovec *v, int n, off64_t at), (fd, v, n, at),
     touch_all(v, n, true, HERE))
WRAP(ssize_t, pwritev64, (int fd, const struct iovec *v, int n, off64_t at), (fd, v, n, at),
     touch_all(v, n, false, HERE))
WRAP(ssize_t, preadv2, (int fd, const struct iovec *v, int n, off_t at, int flags),
     (fd, v, n, at, flags), touch_all(v, n, true, HERE))
WRAP(ssize_t, pwritev2, (int fd, const struct iovec *v, int n, off_t at, int flags),
     (fd, v, n, at, flags), touch_all(v, n, false, HERE))
WRAP(ssize_t, preadv64v2, (int fd, const struct iovec *v, int n, off64_t at, int flags),
     (fd, v, n, at, flags), touch_all(v, n, true, HERE))
WRAP(ssize_t, pwritev64v2, (int fd, const struct iovec *v, int n, off64_t at, int flags),
     (fd, v, n, at, flags), touch_all(v, n, false, HERE))
WRAP(ssize_t, recv, (int fd, void *p, size_t n, int flags), (fd, p, n, flags),
     touch(p, n, true, HERE))
WRAP(ssize_t, recvfrom,
     (int fd, void *p, size_t n, int flags, struct sockaddr *from, socklen_t *bytes),
     (fd, p, n, flags, from, bytes), touch(p, n, true, HERE))
WRAP(ssize_t, recvmsg, (int fd, struct msghdr *m, int flags), (fd, m, flags),
     touch_all(m->msg_iov, (int)m->msg_iovlen, true, HERE))
WRAP(ssize_t, send, (int fd, const void *p, size_t n, int flags), (fd, p, n, flags),
     touch(p, n, false, HERE))
WRAP(ssize_t, sendto,
     (int fd, const void *p, size_t n, int flags, const struct sockaddr *to, socklen_t bytes),
     (fd, p, n, flags, to, bytes), touch(p, n, false, HERE))
WRAP(ssize_t, sendmsg, (int fd, const struct msghdr *m, int flags), (fd, m, flags),
     touch_all(m->msg_iov, (int)m->msg_iovlen, false, HERE))

// ---- stdio: what is large goes past the stream's buffer

WRAP(size_t, fread, (void *p, size_t size, size_t n, FILE *f), (p, size, n, f),
     touch(p, size *n, true, HERE))
WRAP(size_t, fwrite, (const void *p, size_t size, size_t n, FILE *f), (p, size, n, f),
     touch(p, size *n, false, HERE))
WRAP(char *, fgets, (char *p, int n, FILE *f), (p, n, f),
     touch(p, n < 0 ? 0 : (size_t)n, true, HERE))
WRAP(int, fputs, (const char *p, FILE *f), (p, f), touch(p, closes() ? strlen(p) : 0, false, HERE))
WRAP(int, puts, (const char *p), (p), touch(p, closes() ? strlen(p) : 0, false, HERE))
WRAP(ssize_t, getdelim, (char **p, size_t *n, int end, FILE *f), (p, n, end, f),
     touch(*p, *p == NULL ? 0 : *n, true, HERE))
WRAP(ssize_t, getline, (char **p, size_t *n, FILE *f), (p, n, f),
     touch(*p, *p == NULL ? 0 : *n, true, HERE))

// ---- memory: what is discarded is written; what the program protects itself is its own

WRAP(int, madvise, (void *p, size_t n, int advice), (p, n, advice),
     if (advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE)
         touch(p, n, true, HERE))
WRAP(int, mprotect, (void *p, size_t n, int protection), (p, n, protection),
     if (n != 0 && closes())
         gmmu_blas_recorder_left(gmmu_blas_the_recorder, (uintptr_t)p, (uintptr_t)p + (n - 1)))

// ---- threads: shadow execution is for one

WRAP(int, pthread_create,
     (pthread_t * thread, const pthread_attr_t *attributes, void *(*run)(void *), void *given),
     (thread, attributes, run, given), gmmu_blas_shadow_thread())
WRAP(int, thrd_create, (thrd_t * thread, thrd_start_t run, void *given), (thread, run, given),
     gmmu_blas_shadow_thread())

// ---- signals

int gmmu_blas_sigaction(int number, const struct sigaction *action, struct sigaction *old);
int gmmu_blas_sigaction(int number, const struct sigaction *action, struct sigaction *old) {
    REAL(sigaction)
    if (number == SIGSEGV && gmmu_segv_action(action, old))
        return 0;
    struct sigaction copy;
    const int status = real(number, gmmu_blas_signals_action(number, action, &copy), old);
    if (status == 0)
        gmmu_blas_signals_hide(old);
    return status;
}

void gmmu_blas_handle_signals(void (*finish)(void)) {
    REAL(sigaction)
    gmmu_blas_signals_begin(real, finish);
}
GMMU_BLAS_PUBLIC extern __typeof__(sigaction) sigaction
    __attribute__((alias("gmmu_blas_sigaction")));

void (*gmmu_blas_signal(int number, void (*handler)(int)))(int);
void (*gmmu_blas_signal(int number, void (*handler)(int)))(int) {
    REAL(signal)
    struct sigaction action = {.sa_flags = SA_RESTART}, old;
    action.sa_handler = handler;
    if (number == SIGSEGV && gmmu_segv_action(&action, &old))
        return old.sa_handler;
    struct sigaction copy;
    const bool its_own = gmmu_blas_signals_action(number, &action, &copy) == &action;
    old.sa_flags = 0;
    old.sa_handler = real(number, its_own ? handler : copy.sa_handler);
    gmmu_blas_signals_hide(&old);
    return old.sa_handler;
}
GMMU_BLAS_PUBLIC extern __typeof__(signal) signal __attribute__((alias("gmmu_blas_signal")));

// SIGSEGV stays open: an access to a page that we have closed would be the program's end.
static const sigset_t *but_segv(int how, const sigset_t *set, sigset_t *copy) {
    if (set == NULL || how == SIG_UNBLOCK || !closes() || sigismember(set, SIGSEGV) != 1)
        return set;
    *copy = *set;
    (void)sigdelset(copy, SIGSEGV);
    return copy;
}

int gmmu_blas_sigprocmask(int how, const sigset_t *set, sigset_t *old);
int gmmu_blas_sigprocmask(int how, const sigset_t *set, sigset_t *old) {
    REAL(sigprocmask)
    sigset_t copy;
    return real(how, but_segv(how, set, &copy), old);
}
GMMU_BLAS_PUBLIC extern __typeof__(sigprocmask) sigprocmask
    __attribute__((alias("gmmu_blas_sigprocmask")));

int gmmu_blas_pthread_sigmask(int how, const sigset_t *set, sigset_t *old);
int gmmu_blas_pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
    REAL(pthread_sigmask)
    sigset_t copy;
    return real(how, but_segv(how, set, &copy), old);
}
GMMU_BLAS_PUBLIC extern __typeof__(pthread_sigmask) pthread_sigmask
    __attribute__((alias("gmmu_blas_pthread_sigmask")));
