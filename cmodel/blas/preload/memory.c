// SPDX-License-Identifier: Apache-2.0
// memory.c: libgmmu_blas.so begins and ends; and the calls of the program that give memory back, or
// end it without its destructors. The functions are defined by other names: theirs are aliases.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // RTLD_NEXT, mremap
#endif
#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "blas/preload/preload.h"

gmmu_blas_recorder *gmmu_blas_the_recorder;
GMMU_BLAS_THREAD bool gmmu_blas_inside;

// the real ones
static struct {
    void (*free)(void *);
    void *(*realloc)(void *, size_t);
    void *(*reallocarray)(void *, size_t, size_t);
    int (*munmap)(void *, size_t);
    void *(*mremap)(void *, size_t, size_t, int, ...);
    void *(*mmap)(void *, size_t, int, int, int, off_t);
    int (*dlclose)(void *);
    void (*exit_now)(int);
    void (*exit_quickly)(int);
} real;

// Also what comes before our constructor: libraries begin in any order.
static void find_real(void) {
    static GMMU_BLAS_THREAD bool looking;
    const struct {
        void **to;
        const char *name;
    } all[] = {{(void **)&real.realloc, "realloc"}, {(void **)&real.reallocarray, "reallocarray"},
               {(void **)&real.munmap, "munmap"},   {(void **)&real.mremap, "mremap"},
               {(void **)&real.mmap, "mmap"},       {(void **)&real.dlclose, "dlclose"},
               {(void **)&real.exit_now, "_exit"},  {(void **)&real.exit_quickly, "quick_exit"},
               {(void **)&real.free, "free"}};
    if (real.free != NULL || looking)
        return;
    looking = true;
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
        *all[i].to = dlsym(RTLD_NEXT, all[i].name);
    looking = false;
}

// Before BYTES from P on are given back.
static void given_back(const void *p, size_t bytes) {
    gmmu_blas_recorder *r = gmmu_blas_the_recorder;
    if (r == NULL || gmmu_blas_inside || p == NULL || bytes == 0 || !gmmu_blas_recorder_works(r))
        return;
    gmmu_blas_inside = true;
    gmmu_blas_recorder_freed(r, (uintptr_t)p, (uintptr_t)p + (bytes - 1));
    gmmu_blas_inside = false;
}

static void block_given_back(void *p) {
    if (p != NULL && gmmu_blas_the_recorder != NULL && !gmmu_blas_inside)
        given_back(p, malloc_usable_size(p));
}

void gmmu_blas_free(void *p);
void gmmu_blas_free(void *p) {
    if (real.free == NULL)
        find_real();
    block_given_back(p);
    if (real.free != NULL)  // else it is lost
        real.free(p);
}

void *gmmu_blas_realloc(void *p, size_t bytes);
void *gmmu_blas_realloc(void *p, size_t bytes) {
    find_real();
    block_given_back(p);
    return real.realloc(p, bytes);
}

void *gmmu_blas_reallocarray(void *p, size_t n, size_t bytes);
void *gmmu_blas_reallocarray(void *p, size_t n, size_t bytes) {
    find_real();
    block_given_back(p);
    return real.reallocarray(p, n, bytes);
}

int gmmu_blas_munmap(void *p, size_t bytes);
int gmmu_blas_munmap(void *p, size_t bytes) {
    find_real();
    given_back(p, bytes);
    return real.munmap(p, bytes);
}

void *gmmu_blas_mremap(void *p, size_t from, size_t to, int flags, ...);
void *gmmu_blas_mremap(void *p, size_t from, size_t to, int flags, ...) {
    va_list more;
    va_start(more, flags);
    void *where = (flags & MREMAP_FIXED) != 0 ? va_arg(more, void *) : NULL;
    va_end(more);
    find_real();
    given_back(p, from);
    if ((flags & MREMAP_FIXED) == 0)
        return real.mremap(p, from, to, flags);
    given_back(where, to);
    return real.mremap(p, from, to, flags, where);
}

void *gmmu_blas_mmap(void *p, size_t bytes, int protection, int flags, int file, off_t offset);
void *gmmu_blas_mmap(void *p, size_t bytes, int protection, int flags, int file, off_t offset) {
    find_real();
    if ((flags & MAP_FIXED) != 0)
        given_back(p, bytes);
    return real.mmap(p, bytes, protection, flags, file, offset);
}

int gmmu_blas_dlclose(void *handle);
int gmmu_blas_dlclose(void *handle) {
    find_real();
    const int status = real.dlclose(handle);
    if (!gmmu_blas_inside)
        gmmu_blas_forget();
    return status;
}

static void at_end(void) {
    if (gmmu_blas_the_recorder == NULL || gmmu_blas_inside)
        return;
    gmmu_blas_inside = true;
    gmmu_blas_recorder_finish(gmmu_blas_the_recorder);
    gmmu_blas_inside = false;
}

_Noreturn void gmmu_blas_exit_now(int status);
_Noreturn void gmmu_blas_exit_now(int status) {
    find_real();
    at_end();
    real.exit_now(status);
    abort();
}

_Noreturn void gmmu_blas_exit_quickly(int status);
_Noreturn void gmmu_blas_exit_quickly(int status) {
    find_real();
    at_end();
    real.exit_quickly(status);
    abort();
}

// the names that the program knows
GMMU_BLAS_PUBLIC extern __typeof__(free) free __attribute__((alias("gmmu_blas_free")));
GMMU_BLAS_PUBLIC extern __typeof__(realloc) realloc __attribute__((alias("gmmu_blas_realloc")));
GMMU_BLAS_PUBLIC extern __typeof__(reallocarray) reallocarray
    __attribute__((alias("gmmu_blas_reallocarray")));
GMMU_BLAS_PUBLIC extern __typeof__(munmap) munmap __attribute__((alias("gmmu_blas_munmap")));
GMMU_BLAS_PUBLIC extern __typeof__(mremap) mremap __attribute__((alias("gmmu_blas_mremap")));
GMMU_BLAS_PUBLIC extern __typeof__(mmap) mmap __attribute__((alias("gmmu_blas_mmap")));
GMMU_BLAS_PUBLIC extern __typeof__(mmap) mmap64 __attribute__((alias("gmmu_blas_mmap")));
GMMU_BLAS_PUBLIC extern __typeof__(dlclose) dlclose __attribute__((alias("gmmu_blas_dlclose")));
GMMU_BLAS_PUBLIC extern __typeof__(_exit) _exit __attribute__((alias("gmmu_blas_exit_now")));
GMMU_BLAS_PUBLIC extern __typeof__(_Exit) _Exit __attribute__((alias("gmmu_blas_exit_now")));
GMMU_BLAS_PUBLIC extern __typeof__(quick_exit) quick_exit
    __attribute__((alias("gmmu_blas_exit_quickly")));

// ---- a call that is counted

void gmmu_blas_go_on(gmmu_blas_frame *f) {
    gmmu_blas_inside = true;
    gmmu_blas_recorder_begin(gmmu_blas_the_recorder, f->target.site, &f->call, &f->record);
}

void gmmu_blas_leave(gmmu_blas_frame *f) {
    gmmu_blas_recorder_end(gmmu_blas_the_recorder, &f->record);
    gmmu_blas_inside = false;
}

// ---- begin and end

static void before_fork(void) {
    if (!gmmu_blas_inside)
        gmmu_blas_recorder_lock(gmmu_blas_the_recorder);
}

static void after_fork(void) {
    if (!gmmu_blas_inside)
        gmmu_blas_recorder_unlock(gmmu_blas_the_recorder);
}

__attribute__((constructor)) static void begin(void) {
    gmmu_blas_settings settings;
    gmmu_error err = {""};
    find_real();
    gmmu_blas_inside = true;
    if (gmmu_blas_settings_read(&settings, &err)) {
        gmmu_blas_the_recorder = gmmu_blas_recorder_create(&settings);
        if (gmmu_blas_the_recorder == NULL)
            (void)snprintf(err.text, sizeof err.text, "no memory");
        else if (pthread_atfork(before_fork, after_fork, after_fork) != 0)
            gmmu_blas_the_recorder = NULL;
    }
    if (err.text[0] != 0)
        (void)dprintf(STDERR_FILENO, "gmmu_blas: %s; nothing is recorded\n", err.text);
    gmmu_blas_inside = false;
}

__attribute__((destructor)) static void end(void) {
    at_end();
}
