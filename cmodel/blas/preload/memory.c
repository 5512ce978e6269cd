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
#include <time.h>
#include <unistd.h>

#include "blas/allocs.h"
#include "blas/preload/arena.h"
#include "blas/preload/lines.h"
#include "blas/preload/others.h"
#include "blas/preload/preload.h"

gmmu_blas_recorder *gmmu_blas_the_recorder;
GMMU_BLAS_THREAD bool gmmu_blas_inside;
GMMU_BLAS_THREAD uintptr_t gmmu_blas_outer;
GMMU_BLAS_THREAD uint64_t gmmu_blas_inner;
static const uint64_t no_least = 0;
const uint64_t *gmmu_blas_least = &no_least;
unsigned gmmu_blas_watch;

static void watch(unsigned for_what) {
    (void)__atomic_fetch_or(&gmmu_blas_watch, for_what, __ATOMIC_RELAXED);
}

// Is nothing to be done about a block that comes, or goes, but what the real function does?
static inline bool unwatched(unsigned for_what) {
    return (__atomic_load_n(&gmmu_blas_watch, __ATOMIC_RELAXED) & for_what) == 0 &&
           !gmmu_blas_in_arena;
}
enum {
    COMES = GMMU_BLAS_WATCH_CAME | GMMU_BLAS_WATCH_SHADOW,
    GOES = GMMU_BLAS_WATCH_FREED | GMMU_BLAS_WATCH_CAME | GMMU_BLAS_WATCH_SHADOW
};

// the real ones
static struct {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    int (*posix_memalign)(void **, size_t, size_t);
    void *(*aligned_alloc)(size_t, size_t);
    size_t (*malloc_usable_size)(void *);
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
    } all[] = {{(void **)&real.malloc, "malloc"},
               {(void **)&real.calloc, "calloc"},
               {(void **)&real.posix_memalign, "posix_memalign"},
               {(void **)&real.aligned_alloc, "aligned_alloc"},
               {(void **)&real.malloc_usable_size, "malloc_usable_size"},
               {(void **)&real.realloc, "realloc"},
               {(void **)&real.reallocarray, "reallocarray"},
               {(void **)&real.munmap, "munmap"},
               {(void **)&real.mremap, "mremap"},
               {(void **)&real.mmap, "mmap"},
               {(void **)&real.dlclose, "dlclose"},
               {(void **)&real.exit_now, "_exit"},
               {(void **)&real.exit_quickly, "quick_exit"},
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
    if (r == NULL || gmmu_blas_within(GMMU_BLAS_FRAME) || gmmu_blas_shadow_busy() || p == NULL ||
        bytes == 0 || !gmmu_blas_recorder_works(r))
        return;
    gmmu_blas_inside = true;
    gmmu_blas_recorder_freed(r, (uintptr_t)p, (uintptr_t)p + (bytes - 1));
    gmmu_blas_inside = false;
}

// P, of BYTES, was allocated just now.
static void *given(void *p, size_t bytes) {
    gmmu_blas_recorder *r = gmmu_blas_the_recorder;
    if (r == NULL || bytes < GMMU_BLAS_LEAST_ALLOC || p == NULL ||
        gmmu_blas_within(GMMU_BLAS_FRAME) || gmmu_blas_shadow_busy() ||
        !gmmu_blas_recorder_works(r))
        return p;
    gmmu_blas_inside = true;
    gmmu_blas_recorder_came(r, (uintptr_t)p, (uintptr_t)p + (bytes - 1));
    gmmu_blas_inside = false;
    return p;
}

size_t gmmu_blas_malloc_usable_size(void *p);
size_t gmmu_blas_malloc_usable_size(void *p) {
    size_t bytes = gmmu_blas_shadow_size(p);
    if (gmmu_blas_in_arena && bytes == 0)
        bytes = gmmu_blas_arena_size(p);
    find_real();
    return bytes != 0 ? bytes : real.malloc_usable_size(p);
}

// A block of malloc, from its first byte to the last that may be used.
static void *block_given(void *p, size_t bytes) {
    const bool known = bytes >= GMMU_BLAS_LEAST_ALLOC && p != NULL &&
                       gmmu_blas_the_recorder != NULL && !gmmu_blas_within(GMMU_BLAS_FRAME);
    return known ? given(p, gmmu_blas_malloc_usable_size(p)) : p;
}

static void block_given_back(void *p) {
    if (p == NULL || gmmu_blas_the_recorder == NULL || gmmu_blas_within(GMMU_BLAS_FRAME))
        return;
    if ((gmmu_blas_watch & ~(unsigned)GMMU_BLAS_WATCH_FREED) == 0) {  // most blocks are small
        const size_t bytes = real.malloc_usable_size(p);
        if (bytes == 0 || !gmmu_blas_recorder_maybe(gmmu_blas_the_recorder, (uintptr_t)p, bytes))
            return;
    }
    given_back(p, gmmu_blas_malloc_usable_size(p));
}

// A block of those that the shadow's GPU can have, of zeros, if it is the program's and large.
// NULL: it is not, or there is no such block: the real routine gives one, or refuses as it always
// does.
static void *shadowed(size_t alignment, size_t bytes) {
    if (alignment > 4096 || gmmu_blas_within(GMMU_BLAS_FRAME) || !gmmu_blas_shadow_wants(bytes))
        return NULL;
    return gmmu_blas_shadow_malloc(bytes);
}

// before there is a real one (dlsym may ask for memory)
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);

void *gmmu_blas_malloc(size_t bytes);
void *gmmu_blas_malloc(size_t bytes) {
    if (unwatched(COMES) && real.malloc != NULL)
        return real.malloc(bytes);
    if (gmmu_blas_in_arena)
        return gmmu_blas_arena_malloc(1, bytes);
    if (real.free == NULL)
        find_real();
    void *p = shadowed(1, bytes);
    if (p == NULL)
        p = real.malloc == NULL ? __libc_malloc(bytes) : real.malloc(bytes);
    return block_given(p, bytes);
}

void *gmmu_blas_calloc(size_t n, size_t bytes);
void *gmmu_blas_calloc(size_t n, size_t bytes) {
    if (unwatched(COMES) && real.calloc != NULL)
        return real.calloc(n, bytes);
    size_t all;
    if (real.free == NULL)
        find_real();
    if (__builtin_mul_overflow(n, bytes, &all))
        all = 0;  // it is refused
    if (gmmu_blas_in_arena)
        return all == 0 ? NULL : gmmu_blas_arena_malloc(1, all);
    void *p = shadowed(1, all);
    if (p == NULL)
        p = real.calloc == NULL ? __libc_calloc(n, bytes) : real.calloc(n, bytes);
    return block_given(p, all);
}

int gmmu_blas_posix_memalign(void **p, size_t alignment, size_t bytes);
int gmmu_blas_posix_memalign(void **p, size_t alignment, size_t bytes) {
    find_real();
    // one that is refused is the real routine's to refuse
    const bool good = (alignment & (alignment - 1)) == 0 && alignment % sizeof(void *) == 0;
    void *is = NULL;
    if (gmmu_blas_in_arena)
        is = gmmu_blas_arena_malloc(alignment, bytes);
    else if (good && alignment != 0)
        is = shadowed(alignment, bytes);
    const int status = is == NULL ? real.posix_memalign(p, alignment, bytes) : 0;
    if (is != NULL)
        *p = is;
    if (status == 0)
        (void)block_given(*p, bytes);
    return status;
}

void *gmmu_blas_aligned_alloc(size_t alignment, size_t bytes);
void *gmmu_blas_aligned_alloc(size_t alignment, size_t bytes) {
    find_real();
    if (gmmu_blas_in_arena)
        return gmmu_blas_arena_malloc(alignment, bytes);
    void *is = shadowed(alignment, bytes);
    return block_given(is == NULL ? real.aligned_alloc(alignment, bytes) : is, bytes);
}

void gmmu_blas_free(void *p);
void gmmu_blas_free(void *p) {
    if (unwatched(GOES) && real.free != NULL) {
        real.free(p);
        return;
    }
    if (gmmu_blas_in_arena)
        return;
    if (real.free == NULL)
        find_real();
    block_given_back(p);
    if ((gmmu_blas_watch & GMMU_BLAS_WATCH_SHADOW) != 0 && gmmu_blas_shadow_size(p) != 0)
        gmmu_blas_shadow_free(p);
    else if (real.free != NULL)  // else it is lost
        real.free(p);
}

void *gmmu_blas_realloc(void *p, size_t bytes);
void *gmmu_blas_realloc(void *p, size_t bytes) {
    if (unwatched(GOES) && real.realloc != NULL)
        return real.realloc(p, bytes);
    if (gmmu_blas_in_arena) {
        const size_t had = p == NULL ? 0 : gmmu_blas_malloc_usable_size(p);
        void *more = gmmu_blas_arena_malloc(1, bytes);
        if (more != NULL && had != 0)
            memcpy(more, p, had < bytes ? had : bytes);
        return more;
    }
    const size_t was = gmmu_blas_shadow_size(p);
    find_real();
    if (bytes > PTRDIFF_MAX)  // it is refused, and the block stays
        return real.realloc(was == 0 ? p : NULL, bytes);
    void *to = shadowed(1, bytes);  // also of a block that grows large
    if (was == 0 && to == NULL) {
        block_given_back(p);
        return block_given(real.realloc(p, bytes), bytes);
    }
    to = block_given(to == NULL && bytes != 0 ? real.malloc(bytes) : to, bytes);
    const size_t had = was != 0 ? was : p == NULL ? 0 : real.malloc_usable_size(p);
    if (to != NULL && had != 0)
        memcpy(to, p, had < bytes ? had : bytes);
    if (p != NULL && (to != NULL || bytes == 0))
        gmmu_blas_free(p);
    return to;
}

void *gmmu_blas_reallocarray(void *p, size_t n, size_t bytes);
void *gmmu_blas_reallocarray(void *p, size_t n, size_t bytes) {
    size_t all;
    find_real();
    if (__builtin_mul_overflow(n, bytes, &all))
        return real.reallocarray(p, n, bytes);  // says so
    return gmmu_blas_realloc(p, all);
}

int gmmu_blas_munmap(void *p, size_t bytes);
int gmmu_blas_munmap(void *p, size_t bytes) {
    find_real();
    given_back(p, bytes);
    return real.munmap(p, bytes);
}

static void *mapped(void *p, size_t bytes) {
    return p == MAP_FAILED ? p : given(p, bytes);
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
        return mapped(real.mremap(p, from, to, flags), to);
    given_back(where, to);
    return mapped(real.mremap(p, from, to, flags, where), to);
}

void *gmmu_blas_mmap(void *p, size_t bytes, int protection, int flags, int file, off_t offset);
void *gmmu_blas_mmap(void *p, size_t bytes, int protection, int flags, int file, off_t offset) {
    find_real();
    if ((flags & MAP_FIXED) != 0)
        given_back(p, bytes);
    return mapped(real.mmap(p, bytes, protection, flags, file, offset), bytes);
}

int gmmu_blas_dlclose(void *handle);
int gmmu_blas_dlclose(void *handle) {
    find_real();
    const int status = real.dlclose(handle);
    if (!gmmu_blas_within(GMMU_BLAS_FRAME))
        gmmu_blas_forget();
    return status;
}

static long began;  // the process in which our constructor ran
static bool said;   // that nothing was seen

static void finish(void) {
    char line[2048];
    gmmu_blas_recorder *r = gmmu_blas_the_recorder;
    gmmu_blas_recorder_finish(r);
    gmmu_blas_shadow_end();
    if (said || began != (long)getpid() || gmmu_blas_recorder_seen(r) ||
        !gmmu_blas_recorder_works(r))
        return;
    said = true;
    if (gmmu_blas_unseen(line, sizeof line))
        gmmu_blas_recorder_say(r, line);
}

// (A call that ends the program, as the reference's xerbla does, never returns.)
static void at_end(void) {
    if (gmmu_blas_the_recorder == NULL || (gmmu_blas_inside && gmmu_blas_outer == 0))
        return;
    gmmu_blas_outer = 0;
    gmmu_blas_inside = true;
    finish();
    gmmu_blas_inside = false;
}

// The same in a handler of a signal, which this thread may have got within a call.
static void at_signal(void) {
    if (gmmu_blas_the_recorder == NULL)
        return;
    gmmu_blas_outer = 0;
    gmmu_blas_inside = true;
    finish();
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
GMMU_BLAS_PUBLIC extern __typeof__(malloc) malloc __attribute__((alias("gmmu_blas_malloc")));
GMMU_BLAS_PUBLIC extern __typeof__(calloc) calloc __attribute__((alias("gmmu_blas_calloc")));
GMMU_BLAS_PUBLIC extern __typeof__(posix_memalign) posix_memalign
    __attribute__((alias("gmmu_blas_posix_memalign")));
GMMU_BLAS_PUBLIC extern __typeof__(aligned_alloc) aligned_alloc
    __attribute__((alias("gmmu_blas_aligned_alloc")));
GMMU_BLAS_PUBLIC extern __typeof__(malloc_usable_size) malloc_usable_size
    __attribute__((alias("gmmu_blas_malloc_usable_size")));
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

static uint64_t clock_takes;  // ns between two readings, one after the other

static void time_clock(void) {
    uint64_t is = UINT64_MAX;
    for (int i = 0; i < 20; i++) {
        const uint64_t first = gmmu_blas_clock(), took = gmmu_blas_clock() - first;
        is = took < is ? took : is;
    }
    clock_takes = is;
}

gmmu_blas_side gmmu_blas_below(const gmmu_blas_target *target, uint64_t flops) {
    if (flops >= __atomic_load_n(gmmu_blas_least, __ATOMIC_RELAXED))
        return GMMU_BLAS_NOT_BELOW;
    gmmu_blas_counter *below = atomic_load_explicit(&target->below, memory_order_relaxed);
    return gmmu_blas_count(below, &gmmu_blas_inside) ? GMMU_BLAS_TIMED : GMMU_BLAS_BELOW;
}

void gmmu_blas_below_took(const gmmu_blas_target *target, uint64_t ns) {
    gmmu_blas_count_ns(atomic_load_explicit(&target->below, memory_order_relaxed),
                       ns > clock_takes ? ns - clock_takes : 0);
}

static void go_on(gmmu_blas_frame *f, gmmu_blas_site *site) {
    f->on_gpu = false;
    f->inner = gmmu_blas_inner;
    f->record.operands = 0;
    if (!gmmu_blas_recorder_works(gmmu_blas_the_recorder))
        return;
    gmmu_blas_recorder_begin(gmmu_blas_the_recorder, site, &f->call, &f->record);
    f->placed = f->record.operands;
    if (f->placed == 0)
        return;
    if ((gmmu_blas_watch & GMMU_BLAS_WATCH_FREED) == 0)
        watch(GMMU_BLAS_WATCH_FREED);
    // scratch memory elsewhere is used where it is
    for (unsigned i = 0; i < f->record.scratch; i++) {
        const gmmu_sem_operand scratch = f->record.operand[f->record.operands + i];
        if (gmmu_blas_shadow_has(&scratch))
            f->record.operand[f->placed++] = scratch;
    }
    f->on_gpu = gmmu_blas_shadow_call(f->record.operand, f->placed, f->base);
}

void gmmu_blas_go_on(gmmu_blas_frame *f, gmmu_blas_site *site) {
    gmmu_blas_outer = 0;  // in the recorder
    go_on(f, site);
    gmmu_blas_enter(&f->mark);
}

void gmmu_blas_leave(gmmu_blas_frame *f) {
    gmmu_blas_outer = 0;
    if (f->on_gpu)
        gmmu_blas_shadow_called(f->record.operand, f->placed);
    if (f->record.operands != 0) {
        // (what cblas calls is the same routine by its Fortran name)
        f->record.inner = f->call.family >= GMMU_BLAS_POTRF ? gmmu_blas_inner - f->inner : 0;
        gmmu_blas_recorder_end(gmmu_blas_the_recorder, &f->record);
    }
    gmmu_blas_exit();
}

// ---- begin and end

// Handlers of other libraries run meanwhile, too: what they allocate and free is not recorded, as
// the lock is taken.
static GMMU_BLAS_THREAD bool forks;

static void before_fork(void) {
    if (gmmu_blas_inside)
        return;
    gmmu_blas_recorder_lock(gmmu_blas_the_recorder);
    forks = gmmu_blas_inside = true;
}

static void after_fork(void) {
    if (!forks)
        return;
    forks = gmmu_blas_inside = false;
    gmmu_blas_recorder_unlock(gmmu_blas_the_recorder);
}

static void in_child(void) {
    after_fork();
    gmmu_blas_recorder_forked(gmmu_blas_the_recorder);
    gmmu_blas_others_clear();
    gmmu_blas_shadow_forked();
}

__attribute__((constructor)) static void begin(void) {
    gmmu_blas_settings settings;
    gmmu_error err = {""};
    find_real();
    began = (long)getpid();
    gmmu_blas_inside = true;
    if (gmmu_blas_settings_read(&settings, &err)) {
        gmmu_blas_the_recorder = gmmu_blas_recorder_create(&settings);
        if (gmmu_blas_the_recorder == NULL)
            (void)snprintf(err.text, sizeof err.text, "no memory");
        else if (pthread_atfork(before_fork, after_fork, in_child) != 0)
            gmmu_blas_the_recorder = NULL;
        else if (settings.shadow != 0 &&
                 !gmmu_blas_shadow_begin(settings.shadow, settings.shadow_threads,
                                         (gmmu_blas_heap){real.malloc, real.free}))
            (void)snprintf(err.text, sizeof err.text, "GMMU_SHADOW: no memory");
    }
    if (gmmu_blas_the_recorder != NULL) {
        gmmu_blas_least = gmmu_blas_recorder_least(gmmu_blas_the_recorder);
        gmmu_blas_recorder_lines(gmmu_blas_the_recorder, gmmu_blas_program_line);
        gmmu_blas_handle_signals(at_signal);
        time_clock();
        gmmu_blas_recorder_more(gmmu_blas_the_recorder, gmmu_blas_others_report);
        if (settings.trace != NULL)
            watch(GMMU_BLAS_WATCH_CAME);
        if (settings.shadow != 0)
            watch(GMMU_BLAS_WATCH_SHADOW);
    }
    gmmu_blas_unbind_weak();
    gmmu_blas_others_look();
    if (err.text[0] != 0)
        (void)dprintf(STDERR_FILENO, "gmmu_blas: %s; nothing is recorded\n", err.text);
    gmmu_blas_inside = false;
}

__attribute__((destructor)) static void end(void) {
    at_end();
}
