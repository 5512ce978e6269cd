// SPDX-License-Identifier: Apache-2.0
// space.c: a GPU's virtual address space.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // memfd_create
#endif
#include "simt/space.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

void gmmu_space_init(gmmu_space *s, unsigned page_shift) {
    *s = (gmmu_space){.page_shift = page_shift};
}

uint64_t gmmu_space_array_pages(const gmmu_space *s, const gmmu_array *a) {
    uint64_t bytes = a->count * a->element;
    return bytes == 0 ? 1 : ((bytes - 1) >> s->page_shift) + 1;
}

// BYTES of addresses, a multiple of GMMU_SPACE_FOLD, all on the same memory. NULL: no memory.
static void *map_folded(size_t bytes) {
    int file = memfd_create("gmmu", MFD_CLOEXEC);
    char *base = MAP_FAILED;
    if (file >= 0 && ftruncate(file, GMMU_SPACE_FOLD) == 0)
        base = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    bool ok = base != MAP_FAILED;
    for (size_t at = 0; ok && at < bytes; at += GMMU_SPACE_FOLD)
        ok = mmap(base + at, GMMU_SPACE_FOLD, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
                  0) != MAP_FAILED;
    if (file >= 0)
        (void)close(file);
    if (!ok && base != MAP_FAILED)
        (void)munmap(base, bytes);
    return ok ? base : NULL;
}

static gmmu_array *allocate(gmmu_space *s, const char *name, uint64_t count, size_t element,
                            bool fold, gmmu_error *err) {
    if (s->arrays == GMMU_SPACE_ARRAYS) {
        snprintf(err->text, sizeof err->text, "array %s: found %u arrays already, expected fewer",
                 name, s->arrays);
        return NULL;
    }
    bool fits = count <= (PTRDIFF_MAX - GMMU_SPACE_FOLD) / element;
    size_t bytes = fits ? (size_t)count * element : 0;
    size_t mapped = 0;
    if (fold && bytes > GMMU_SPACE_FOLD)
        mapped = (bytes + GMMU_SPACE_FOLD - 1) / GMMU_SPACE_FOLD * GMMU_SPACE_FOLD;
    void *data = NULL;
    if (mapped != 0)
        data = map_folded(mapped);
    else if (fits)
        data = calloc(count == 0 ? 1 : (size_t)count, element);
    if (data == NULL) {
        snprintf(err->text, sizeof err->text,
                 "array %s: no memory for %" PRIu64 " elements of %zu bytes", name, count, element);
        return NULL;
    }
    gmmu_array *a = &s->array[s->arrays++];
    *a = (gmmu_array){.name = name,
                      .base = (GMMU_SPACE_FIRST_PAGE + s->pages) << s->page_shift,
                      .count = count,
                      .element = element,
                      .data = data,
                      .mapped = mapped};
    s->pages += gmmu_space_array_pages(s, a);
    return a;
}

gmmu_array *gmmu_space_alloc(gmmu_space *s, const char *name, uint64_t count, size_t element,
                             gmmu_error *err) {
    return allocate(s, name, count, element, s->fold, err);
}

gmmu_array *gmmu_space_alloc_whole(gmmu_space *s, const char *name, uint64_t count, size_t element,
                                   gmmu_error *err) {
    return allocate(s, name, count, element, false, err);
}

void gmmu_space_free(gmmu_space *s) {
    for (unsigned i = 0; i < s->arrays; i++) {
        if (s->array[i].mapped != 0)
            (void)munmap(s->array[i].data, s->array[i].mapped);
        else
            free(s->array[i].data);
    }
    gmmu_space_init(s, s->page_shift);
}
