// SPDX-License-Identifier: Apache-2.0
// file.c: see file.h.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // fopencookie
#endif
#include "blas/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    FIRST_DESCRIPTOR = 200,
    STALL = 3,                    // seconds that a reader may take for more
    PATIENCE = 100,               // tries to get a lock,
    PAUSE_NS = 10 * 1000 * 1000,  // this far apart
};

// Locks a regular file, in so many TRIES. False: another open file has the lock, maybe one of this
// process. What is no regular file, as /dev/null, needs no lock: nothing in it can mix.
static bool lock(int fd, int tries) {
    struct stat is;
    if (fstat(fd, &is) != 0 || !S_ISREG(is.st_mode))
        return true;
    while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        if ((errno != EWOULDBLOCK && errno != EINTR) || --tries <= 0)
            return errno != EWOULDBLOCK;
        (void)nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    }
    return true;
}

// A high descriptor of NAME; -1: errno says why.
static int open_own(char *name, size_t size, long process) {
    const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND;
    int fd = open(name, flags, 0666);
    if (fd >= 0 && !lock(fd, 1)) {
        const size_t used = strlen(name);
        (void)close(fd);
        (void)snprintf(name + used, size - used, ".%ld", process);
        fd = open(name, flags, 0666);
    }
    if (fd >= 0 && ftruncate(fd, 0) != 0 && errno != EINVAL) {  // EINVAL: a pipe
        (void)close(fd);
        return -1;
    }
    const int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR);
    if (high >= 0) {
        (void)close(fd);
        fd = high;
    }
    return fd;
}

int gmmu_blas_file_append(const char *name) {
    const int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND, 0666);
    if (fd >= 0)
        (void)lock(fd, PATIENCE);
    return fd;
}

// May a write to the file end the program? To a pipe whose reader has gone, or above a limit.
static bool may_end(const struct stat *is) {
    struct rlimit most;
    return !S_ISREG(is->st_mode) || getrlimit(RLIMIT_FSIZE, &most) != 0 ||
           most.rlim_cur != RLIM_INFINITY;
}

// 0, or the error.
static int write_all(int fd, const char *text, size_t n) {
    int waits = 0;
    for (size_t done = 0; done < n;) {
        const ssize_t some = write(fd, text + done, n - done);
        if (some == 0)
            return EIO;
        if (some > 0)
            done += (size_t)some;
        else if (errno == EAGAIN && waits++ < STALL)
            (void)poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, 1000);
        else if (errno != EINTR)
            return errno;
    }
    return 0;
}

static bool write_quietly(int fd, const char *text, size_t n) {
    sigset_t ends, was, before;
    (void)sigemptyset(&ends);
    (void)sigaddset(&ends, SIGPIPE);
    (void)sigaddset(&ends, SIGXFSZ);
    (void)sigpending(&before);
    (void)pthread_sigmask(SIG_BLOCK, &ends, &was);
    const int error = write_all(fd, text, n);
    const int sent = error == EPIPE ? SIGPIPE : error == EFBIG ? SIGXFSZ : 0;
    if (sent != 0 && sigismember(&before, sent) == 0) {  // ours, and not one of the program
        (void)sigemptyset(&ends);
        (void)sigaddset(&ends, sent);
        (void)sigtimedwait(&ends, NULL, &(struct timespec){0});
    }
    (void)pthread_sigmask(SIG_SETMASK, &was, NULL);
    errno = error;
    return error == 0;
}

static bool write_to(int fd, const struct stat *is, const char *text, size_t n) {
    if (may_end(is))
        return write_quietly(fd, text, n);
    errno = write_all(fd, text, n);
    return errno == 0;
}

bool gmmu_blas_file_write(int fd, const char *text, size_t n) {
    struct stat is;
    return fstat(fd, &is) == 0 && write_to(fd, &is, text, n);
}

static ssize_t put(void *cookie, const char *text, size_t n) {
    gmmu_blas_file *f = cookie;
    struct stat is;
    if (fstat(f->descriptor, &is) != 0 || is.st_dev != f->device || is.st_ino != f->inode) {
        errno = EBADF;
        return 0;
    }
    return write_to(f->descriptor, &is, text, n) ? (ssize_t)n : 0;
}

static int put_away(void *cookie) {
    gmmu_blas_file *f = cookie;
    struct stat is;
    if (fstat(f->descriptor, &is) == 0 && is.st_dev == f->device && is.st_ino == f->inode)
        (void)close(f->descriptor);
    f->descriptor = -1;
    return 0;
}

FILE *gmmu_blas_file_open(gmmu_blas_file *f, char *name, size_t size, long process) {
    const cookie_io_functions_t io = {.write = put, .close = put_away};
    struct stat is;
    f->descriptor = open_own(name, size, process);
    if (f->descriptor < 0 || fstat(f->descriptor, &is) != 0)
        return NULL;
    f->device = is.st_dev;
    f->inode = is.st_ino;
    FILE *stream = fopencookie(f, "w", io);
    if (stream == NULL) {
        (void)put_away(f);
        errno = ENOMEM;
        return NULL;
    }
    // a line is written when it is made: a process that is killed leaves a whole trace
    (void)setvbuf(stream, NULL, _IOLBF, 8192);
    return stream;
}
