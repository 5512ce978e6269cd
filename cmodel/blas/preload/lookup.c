// SPDX-License-Identifier: Apache-2.0
// lookup.c: the real routine for a call, kept by routine and place. It is the one that the caller
// would have reached without this library: first of those in the global scope behind ours
// (RTLD_NEXT: a BLAS that the user preloads, too), then of what the caller's object depends on. A
// module that was loaded locally, as Python's are, has its library in no scope that RTLD_NEXT
// searches.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // dladdr1
#endif
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blas/preload/lines.h"
#include "blas/preload/others.h"
#include "blas/preload/preload.h"

enum { BUCKETS = 1024 };
static _Atomic(gmmu_blas_target *) bucket[BUCKETS];
atomic_uint gmmu_blas_generation = 1;

void gmmu_blas_forget(void) {
    (void)atomic_fetch_add(&gmmu_blas_generation, 1);
}

static void *look(const char *routine, const struct link_map *caller) {
    void *found = gmmu_blas_look(routine, caller);
    // a pointer to our function was handed on to an object that does not depend on the library
    const struct link_map *m = caller;
    while (m != NULL && m->l_prev != NULL) m = m->l_prev;
    for (; m != NULL && found == NULL; m = m->l_next)
        if (*m->l_name != 0)
            found = gmmu_blas_look_in(m->l_name, routine);
    return found;
}

// The caller as symbol+offset or object+offset.
static void name_place(char *to, size_t size, const void *caller, const Dl_info *info) {
    const char *object = info->dli_fname == NULL ? "?" : info->dli_fname;
    const char *slash = strrchr(object, '/');
    const uintptr_t at = (uintptr_t)caller;
    if (info->dli_sname != NULL && strlen(info->dli_sname) < size - 24)
        (void)snprintf(to, size, "%s+0x%" PRIxPTR, info->dli_sname,
                       at - (uintptr_t)info->dli_saddr);
    else
        (void)snprintf(to, size, "%.*s+0x%" PRIxPTR, (int)size - 24,
                       slash == NULL ? object : slash + 1, at - (uintptr_t)info->dli_fbase);
}

// The site of PLACE as a person reads it: a C++ program has the function that demangles names.
static void show(gmmu_blas_site *site, const char *place) {
    char *(*demangle)(const char *, char *, size_t *, int *) = NULL;
    char symbol[GMMU_SEM_MOST_NAME], shown[2 * GMMU_SEM_MOST_NAME];
    int status = 0;
    const size_t n = strcspn(place, "+");
    void *found = strncmp(place, "_Z", 2) == 0 && n < sizeof symbol
                      ? dlsym(RTLD_DEFAULT, "__cxa_demangle")
                      : NULL;
    if (found == NULL)
        return;
    memcpy(&demangle, &found, sizeof found);
    memcpy(symbol, place, n);
    symbol[n] = 0;
    char *name = demangle(symbol, NULL, NULL, &status);
    if (name != NULL && status == 0) {
        (void)snprintf(shown, sizeof shown, "%.*s%s", GMMU_SEM_MOST_NAME, name, place + n);
        gmmu_blas_recorder_show(gmmu_blas_the_recorder, site, shown);
    }
    free(name);
}

// The object of REAL is the library of SITE, by its file's own name.
static void name_library(gmmu_blas_site *site, const void *real) {
    Dl_info info;
    char path[PATH_MAX];
    if (dladdr(real, &info) != 0 && info.dli_fname != NULL)
        gmmu_blas_recorder_library(gmmu_blas_the_recorder, site,
                                   realpath(info.dli_fname, path) == NULL ? info.dli_fname : path);
}

static gmmu_blas_target *resolve(gmmu_blas_target *n, const char *routine, const void *caller,
                                 unsigned now) {
    char place[GMMU_SEM_MOST_NAME];
    Dl_info info = {0};
    struct link_map *map = NULL;
    if (dladdr1((const char *)caller - 1, &info, (void **)&map, RTLD_DL_LINKMAP) == 0)
        map = NULL;
    void *real = look(routine, map);
    if (real == NULL) {
        (void)fprintf(stderr,
                      "gmmu_blas: %s, called by %s: found no such routine in what that depends "
                      "on, nor elsewhere, expected one beside libgmmu_blas.so's\n",
                      routine, info.dli_fname == NULL ? "?" : info.dli_fname);
        abort();
    }
    name_place(place, sizeof place, caller, &info);
    gmmu_blas_site *site = gmmu_blas_the_recorder == NULL
                               ? NULL
                               : gmmu_blas_recorder_site(gmmu_blas_the_recorder, place, routine);
    if (site != NULL) {
        show(site, place);
        name_library(site, real);
    }
    gmmu_blas_forget_interpreters();
    atomic_store(&n->real, real);
    atomic_store(&n->below, site == NULL ? NULL : gmmu_blas_recorder_below(site));
    atomic_store(&n->site, site);
    atomic_store(&n->generation, now);
    return n;
}

static gmmu_blas_target *slowly(const char *routine, const void *caller,
                                _Atomic(gmmu_blas_target *) *head, gmmu_blas_target *n,
                                gmmu_blas_target *spare) {
    const bool was_inside = gmmu_blas_inside;
    const int error = errno;
    gmmu_blas_inside = true;
    gmmu_blas_others_look();
    if (n == NULL) {
        n = calloc(1, sizeof *n);
        const bool is_spare = n == NULL;
        if (is_spare)
            n = spare;
        n->routine = routine;
        n->caller = caller;
        (void)resolve(n, routine, caller, atomic_load(&gmmu_blas_generation));
        n->next = atomic_load(head);
        // two threads may add the same: either is found
        while (!is_spare && !atomic_compare_exchange_weak(head, &n->next, n)) {
        }
    } else {
        (void)resolve(n, routine, caller, atomic_load(&gmmu_blas_generation));
    }
    gmmu_blas_inside = was_inside;
    errno = error;
    return n;
}

const gmmu_blas_target *gmmu_blas_find(_Atomic(gmmu_blas_target *) *last, const char *routine,
                                       const void *caller, gmmu_blas_target *spare) {
    const uint64_t key =
        ((uintptr_t)caller ^ (uintptr_t)routine << 7) * UINT64_C(0x9E3779B97F4A7C15);
    _Atomic(gmmu_blas_target *) *head = &bucket[key >> 54];
    gmmu_blas_target *n = atomic_load_explicit(head, memory_order_acquire);
    while (n != NULL && (n->caller != caller || n->routine != routine)) n = n->next;
    if (n == NULL || atomic_load_explicit(&n->generation, memory_order_acquire) !=
                         atomic_load_explicit(&gmmu_blas_generation, memory_order_relaxed))
        n = slowly(routine, caller, head, n, spare);
    if (n != spare)
        atomic_store_explicit(last, n, memory_order_release);
    return n;
}
