// SPDX-License-Identifier: Apache-2.0
// names.c: a routine that no loaded library has is not there, though this library defines all
// names: dlsym answers as without it, and weak references of what is loaded when the program begins
// are unbound. (A weak reference of an object that dlopen loads later finds ours.)
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // RTLD_NEXT, dlvsym, dladdr1
#endif
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "blas/preload/imports.h"
#include "blas/preload/preload.h"

typedef void *(*dlsym_function)(void *, const char *);

bool gmmu_blas_is_name(const char *name) {
    const size_t n = strlen(name);
    if (n == 0 || (name[n - 1] != '_' && strstr(name, "cblas_") == NULL))
        return false;
    for (unsigned i = 0; i < gmmu_blas_names_count; i++)
        if (strcmp(gmmu_blas_names[i], name) == 0)
            return true;
    return false;
}

static dlsym_function real_dlsym(void) {
    static dlsym_function real;
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.17", "GLIBC_2.2.5"};
    for (unsigned i = 0; i < 3 && __atomic_load_n((void **)&real, __ATOMIC_ACQUIRE) == NULL; i++)
        __atomic_store_n((void **)&real, dlvsym(RTLD_NEXT, "dlsym", versions[i]), __ATOMIC_RELEASE);
    return real;
}

// Is MAP in front of this library in the order in which symbols are looked up?
static bool before_us(const struct link_map *map) {
    Dl_info info;
    struct link_map *ours = NULL;
    if (dladdr1(__extension__(void *) before_us, &info, (void **)&ours, RTLD_DL_LINKMAP) == 0)
        return false;
    while (ours != NULL && ours != map) ours = ours->l_prev;
    return ours != NULL;
}

// Would CODE's dlsym(HANDLE, NAME), NAME being one of ours, find something without this library?
static bool is_there(dlsym_function real, void *handle, const char *name, const void *code) {
    Dl_info info;
    struct link_map *map = NULL;
    if (gmmu_blas_is_ours(code))
        return true;
    if (dladdr1((const char *)code - 1, &info, (void **)&map, RTLD_DL_LINKMAP) == 0)
        map = NULL;
    if (handle == RTLD_NEXT)
        return map == NULL || !before_us(map) || gmmu_blas_next(name) != NULL;
    void *volatile found = real(handle, name);
    return found == NULL || !gmmu_blas_is_ours(found) ||
           (handle == RTLD_DEFAULT ? gmmu_blas_look(name, map) : gmmu_blas_next(name)) != NULL;
}

// dlsym looks at its return address: who asks must stay who asked, and so REAL is jumped to.
void *gmmu_blas_dlsym(void *handle, const char *name);
void *gmmu_blas_dlsym(void *handle, const char *name) {
    const dlsym_function real = real_dlsym();
    if (name != NULL && gmmu_blas_is_name(name) &&
        !is_there(real, handle, name, __builtin_return_address(0)))
        return gmmu_blas_next(name);  // NULL, and dlerror says so
    return real(handle, name);
}
GMMU_BLAS_PUBLIC extern __typeof__(dlsym) dlsym __attribute__((alias("gmmu_blas_dlsym")));

// ---- weak references

enum { MOST_WEAK = 256 };

typedef struct {
    gmmu_blas_import import[MOST_WEAK];
    unsigned used;
} weak_ones;

static void keep_weak(void *context, const gmmu_blas_import *import) {
    weak_ones *w = context;
    if (import->weak && w->used < MOST_WEAK && gmmu_blas_is_ours(*import->slot) &&
        gmmu_blas_is_name(import->name))
        w->import[w->used++] = *import;
}

void gmmu_blas_unbind_weak(void) {
    static weak_ones w;
    w.used = 0;
    gmmu_blas_imports(keep_weak, &w);
    for (unsigned i = 0; i < w.used; i++) {
        const gmmu_blas_import *is = &w.import[i];
        const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
        void *at = (void *)((uintptr_t)is->slot & ~(page - 1));
        if (gmmu_blas_next(is->name) != NULL ||
            (is->read_only && mprotect(at, page, PROT_READ | PROT_WRITE) != 0))
            continue;
        *is->slot = NULL;
        if (is->read_only)
            (void)mprotect(at, page, PROT_READ);
    }
}
