// SPDX-License-Identifier: Apache-2.0
// scope.c: what a name means without this library: in the global scope behind ours, and in what an
// object depends on.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // RTLD_NEXT
#endif
#include <dlfcn.h>
#include <link.h>

#include "blas/preload/preload.h"

// this library's memory, by the linker
extern const char __ehdr_start[] __attribute__((visibility("hidden")));  // NOLINT
extern const char _end[] __attribute__((visibility("hidden")));          // NOLINT

bool gmmu_blas_is_ours(const void *p) {
    return (uintptr_t)p - (uintptr_t)__ehdr_start < (uintptr_t)_end - (uintptr_t)__ehdr_start;
}

void *gmmu_blas_look_in(const char *object, const char *routine) {
    void *handle = dlopen(object, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == NULL)
        return NULL;
    void *found = dlsym(handle, routine);
    (void)dlclose(handle);
    return found == NULL || gmmu_blas_is_ours(found) ? NULL : found;
}

void *gmmu_blas_next(const char *routine) {
    void *volatile found = dlsym(RTLD_NEXT, routine);  // no tail call: it is ours that asks
    return found;
}

void *gmmu_blas_look(const char *routine, const struct link_map *caller) {
    void *found = gmmu_blas_next(routine);
    if (found == NULL && caller != NULL && *caller->l_name != 0)
        found = gmmu_blas_look_in(caller->l_name, routine);
    return found;
}
