// SPDX-License-Identifier: Apache-2.0
// wraps.cpp: the calls that fail. The linker sends the calls of the C code here (--wrap in the
// Makefile).
#include <argp.h>
#include <pthread.h>
#include <sys/stat.h>
#include <zlib.h>
#include <zstd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>

#include "fail.h"

Plan plan;
std::atomic<long> calls;
Shared *shared;

void arm(const Plan &with) {
    shared->fired = false;
    calls = 0;
    plan = with;
}

namespace {

bool fails(Group group) {
    if (plan.group != group)
        return false;
    const long n = ++calls;
    if (n != plan.at && n != plan.again)
        return false;
    shared->fired = true;
    errno = group == MEMORY ? ENOMEM : plan.error;
    return true;
}

// With plan.small: how many bytes this call does; 0: it is interrupted.
size_t piece(size_t size) {
    static unsigned n;
    return !plan.small ? size : n++ % 3 == 0 ? 0 : size < 1000 ? size : 1000;
}

}  // namespace

#define WRAP(type, name, parameters, arguments, group, failure)    \
    extern "C" type __real_##name parameters;                      \
    extern "C" type __wrap_##name parameters {                     \
        return fails(group) ? (failure) : __real_##name arguments; \
    }

WRAP(void *, malloc, (size_t n), (n), MEMORY, nullptr)
WRAP(void *, calloc, (size_t n, size_t size), (n, size), MEMORY, nullptr)
WRAP(void *, realloc, (void *p, size_t n), (p, n), MEMORY, nullptr)
WRAP(char *, strdup, (const char *s), (s), MEMORY, nullptr)
WRAP(char *, strndup, (const char *s, size_t n), (s, n), MEMORY, nullptr)
WRAP(FILE *, open_memstream, (char **text, size_t *size), (text, size), MEMORY, nullptr)
WRAP(ZSTD_CCtx *, ZSTD_createCCtx, (), (), MEMORY, nullptr)
WRAP(ZSTD_DCtx *, ZSTD_createDCtx, (), (), MEMORY, nullptr)
WRAP(size_t, ZSTD_compressCCtx,
     (ZSTD_CCtx * c, void *to, size_t room, const void *from, size_t n, int level),
     (c, to, room, from, n, level), MEMORY,
     static_cast<size_t>(-64))  // ZSTD_error_memory_allocation
WRAP(error_t, argp_parse,
     (const argp *a, int argc, char **argv, unsigned flags, int *at, void *input),
     (a, argc, argv, flags, at, input), MEMORY, ENOMEM)
WRAP(void *, aligned_alloc, (size_t step, size_t n), (step, n), MEMORY, nullptr)
WRAP(int, pthread_create, (pthread_t * t, const pthread_attr_t *a, void *(*run)(void *), void *arg),
     (t, a, run, arg), MEMORY, EAGAIN)
WRAP(int, inflateInit2_, (z_streamp z, int bits, const char *version, int size),
     (z, bits, version, size), MEMORY, Z_MEM_ERROR)
WRAP(int, inflate, (z_streamp z, int flush), (z, flush), MEMORY, Z_MEM_ERROR)
WRAP(off_t, lseek, (int fd, off_t offset, int whence), (fd, offset, whence), FILES, -1)
WRAP(int, fstat, (int fd, struct stat *s), (fd, s), FILES, -1)
WRAP(int, stat, (const char *path, struct stat *s), (path, s), FILES, -1)
WRAP(int, lstat, (const char *path, struct stat *s), (path, s), FILES, -1)
WRAP(int, rename, (const char *from, const char *to), (from, to), FILES, -1)

WRAP(int, fflush, (FILE * f), (f), FILES, EOF)
WRAP(int, ferror, (FILE * f), (f), FILES, 1)

extern "C" int __real_open(const char *path, int flags, ...);
extern "C" int __wrap_open(const char *path, int flags, ...) {
    return fails(FILES) ? -1 : __real_open(path, flags, 0666);
}

extern "C" int __real_close(int fd);
extern "C" int __wrap_close(int fd) {
    const int status = __real_close(fd);
    return fails(FILES) ? -1 : status;
}

extern "C" int __real_fclose(FILE *f);
extern "C" int __wrap_fclose(FILE *f) {
    const int status = __real_fclose(f);
    return fails(MEMORY) ? EOF : status;
}

extern "C" int __wrap_asprintf(char **text, const char *format, ...) {
    if (fails(MEMORY))
        return -1;
    va_list list;
    va_start(list, format);
    const int n = vasprintf(text, format, list);
    va_end(list);
    return n;
}

extern "C" int __wrap_isatty(int) {
    return plan.terminal;
}

extern "C" long __real_sysconf(int name);
extern "C" long __wrap_sysconf(int name) {
    return plan.cores != 0 ? plan.cores : __real_sysconf(name);
}

#define WRAP_TRANSFER(name, parameters, arguments)                 \
    extern "C" ssize_t __real_##name parameters;                   \
    extern "C" ssize_t __wrap_##name parameters {                  \
        if (fails(FILES)) {                                        \
            size = (size + 1) / 2;                                 \
            return plan.error != 0 ? -1 : __real_##name arguments; \
        }                                                          \
        size = piece(size);                                        \
        errno = EINTR;                                             \
        return size == 0 ? -1 : __real_##name arguments;           \
    }
WRAP_TRANSFER(read, (int fd, void *to, size_t size), (fd, to, size))
WRAP_TRANSFER(write, (int fd, const void *from, size_t size), (fd, from, size))
WRAP_TRANSFER(pwrite, (int fd, const void *from, size_t size, off_t at), (fd, from, size, at))
