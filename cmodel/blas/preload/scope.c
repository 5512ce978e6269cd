// SPDX-License-Identifier: Apache-2.0
// scope.c: what a name means without this library: in the global scope behind ours, in what an
// object depends on, and in an object alone.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // RTLD_NEXT
#endif
#include <dlfcn.h>
#include <link.h>
#include <string.h>

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

// ---- in an object alone, by the tables in its memory

typedef struct {
    const ElfW(Sym) * symbols;
    const char *strings;
    const uint32_t *gnu, *sysv;  // hash tables of the names; NULL: there is none
} tables;

static tables tables_of(const struct link_map *object) {
    tables t = {0};
    for (const ElfW(Dyn) *d = object->l_ld; d != NULL && d->d_tag != DT_NULL; d++) {
        // glibc has made these addresses absolute; not those of the vDSO
        const uintptr_t value = d->d_un.d_ptr;
        const uintptr_t at = value < object->l_addr ? object->l_addr + value : value;
        if (d->d_tag == DT_SYMTAB)
            t.symbols = (const ElfW(Sym) *)at;
        if (d->d_tag == DT_STRTAB)
            t.strings = (const char *)at;
        if (d->d_tag == DT_GNU_HASH)
            t.gnu = (const uint32_t *)at;
        if (d->d_tag == DT_HASH)
            t.sysv = (const uint32_t *)at;
    }
    return t;
}

static bool is(const tables *t, uint32_t symbol, const char *name) {
    const ElfW(Sym) *s = &t->symbols[symbol];
    return s->st_shndx != SHN_UNDEF && strcmp(t->strings + s->st_name, name) == 0;
}

// Header: buckets, first symbol, words of the filter, a shift; filter; buckets; a hash of each
// symbol, whose lowest bit ends a bucket.
static uint32_t by_gnu(const tables *t, const char *name) {
    uint32_t h = 5381;
    for (const unsigned char *c = (const unsigned char *)name; *c != 0; c++) h = 33 * h + *c;
    const uint32_t count = t->gnu[0], first = t->gnu[1];
    const uint32_t *bucket = (const uint32_t *)((const ElfW(Addr) *)(t->gnu + 4) + t->gnu[2]);
    const uint32_t *hash = bucket + count;
    uint32_t symbol = count == 0 ? 0 : bucket[h % count];
    if (symbol < first)
        return 0;
    while ((hash[symbol - first] | 1U) != (h | 1U) || !is(t, symbol, name))
        if ((hash[symbol++ - first] & 1U) != 0)
            return 0;
    return symbol;
}

// Header: buckets, symbols; buckets; of each symbol the next one of its bucket, 0 at the end.
static uint32_t by_sysv(const tables *t, const char *name) {
    uint32_t h = 0;
    for (const unsigned char *c = (const unsigned char *)name; *c != 0; c++) {
        h = (h << 4) + *c;
        h = (h ^ (h >> 28 << 4)) & 0x0fffffff;
    }
    const uint32_t count = t->sysv[0];
    uint32_t symbol = count == 0 ? 0 : t->sysv[2 + h % count];
    while (symbol != 0 && !is(t, symbol, name)) symbol = t->sysv[2 + count + symbol];
    return symbol;
}

const void *gmmu_blas_defined(const struct link_map *object, const char *routine) {
    const tables t = tables_of(object);
    if (t.symbols == NULL || t.strings == NULL)
        return NULL;
    const uint32_t symbol = t.gnu != NULL    ? by_gnu(&t, routine)
                            : t.sysv != NULL ? by_sysv(&t, routine)
                                             : 0;
    return symbol == 0 ? NULL : (const void *)(object->l_addr + t.symbols[symbol].st_value);
}
