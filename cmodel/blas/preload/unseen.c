// SPDX-License-Identifier: Apache-2.0
// unseen.c: a program has ended and no call was seen, though a BLAS is there: one line says what is
// loaded, and why its calls did not come here.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // dladdr1
#endif
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "blas/preload/imports.h"
#include "blas/preload/others.h"
#include "blas/preload/preload.h"

enum { LINE = 2048, MOST_LIBRARIES = 16, MOST_NAMES = 4, MOST_SHOWN = 256 };

// Names of one kind, each once; further ones are counted.
typedef struct {
    char text[MOST_SHOWN];
    char who[MOST_SHOWN];  // the object of the first
    unsigned shown, more;
} names;

typedef struct {
    const void *base[MOST_LIBRARIES];  // of objects that define routines
    const char *library[MOST_LIBRARIES];
    unsigned libraries;
    names own;      // the program's own definitions
    names past;     // bound to another than ours
    names outside;  // of a BLAS library, and not in the table
    names here;     // bound to ours, or not bound yet
} findings;

static void append(char *to, size_t size, const char *format, ...) {
    const size_t used = strlen(to);
    va_list more;
    va_start(more, format);
    (void)vsnprintf(to + used, size - used, format, more);
    va_end(more);
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static bool has(const names *n, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = n->text; (at = strstr(at, name)) != NULL; at += length)
        if ((at == n->text || at[-1] == ' ') && (at[length] == 0 || at[length] == ','))
            return true;
    return false;
}

static void add(names *n, const char *who, const char *name) {
    if (has(n, name))
        return;
    if (n->shown == MOST_NAMES || strlen(n->text) + strlen(name) + 3 > sizeof n->text) {
        n->more++;
        return;
    }
    if (n->shown++ == 0)
        (void)snprintf(n->who, sizeof n->who, "%s", *who == 0 ? "the program" : base_name(who));
    append(n->text, sizeof n->text, "%s%s", n->shown == 1 ? "" : ", ", name);
}

// ---- what is loaded

static const char *const signs[] = {"dgemm_",          "sgemm_",           "cblas_dgemm",
                                    "dgetrf_",         "dgemm_64_",        "scipy_dgemm_",
                                    "scipy_dgemm_64_", "cblas_dgemm64_",   "zgemm_",
                                    "scipy_dgetrf_",   "scipy_dgetrf_64_", "scipy_cblas_dgemm64_"};

static const void *base_of(const void *code) {
    Dl_info info;
    return code != NULL && dladdr(code, &info) != 0 ? info.dli_fbase : NULL;
}

// Does the object define a routine itself?
static void look_at(findings *f, const struct link_map *object) {
    const void *found = NULL;
    for (unsigned i = 0; found == NULL && i < sizeof signs / sizeof signs[0]; i++)
        found = gmmu_blas_defined(object, signs[i]);
    if (found == NULL || gmmu_blas_is_ours(found) || f->libraries == MOST_LIBRARIES)
        return;
    f->base[f->libraries] = base_of(found);
    f->library[f->libraries++] = object->l_name;
}

static void look_at_all(findings *f) {
    Dl_info info;
    struct link_map *map = NULL;
    if (dladdr1(__extension__(void *) look_at_all, &info, (void **)&map, RTLD_DL_LINKMAP) == 0)
        return;
    while (map != NULL && map->l_prev != NULL) map = map->l_prev;
    for (; map != NULL; map = map->l_next)
        if (*map->l_name != 0)
            look_at(f, map);
}

// ---- what the program itself defines, by its file's symbol table

static bool within(size_t size, uint64_t at, uint64_t bytes) {
    return at <= size && bytes <= size - at;
}

static void own_names(findings *f, const unsigned char *file, size_t size) {
    const ElfW(Ehdr) *e = (const void *)file;
    if (size < sizeof *e || memcmp(e->e_ident, ELFMAG, SELFMAG) != 0 ||
        e->e_shentsize != sizeof(ElfW(Shdr)) ||
        !within(size, e->e_shoff, (uint64_t)e->e_shnum * sizeof(ElfW(Shdr))))
        return;
    const ElfW(Shdr) *section = (const void *)(file + e->e_shoff);
    for (unsigned i = 0; i < e->e_shnum; i++) {
        const ElfW(Shdr) *s = &section[i];
        if (s->sh_type != SHT_SYMTAB || s->sh_link >= e->e_shnum ||
            !within(size, s->sh_offset, s->sh_size) ||
            !within(size, section[s->sh_link].sh_offset, section[s->sh_link].sh_size) ||
            section[s->sh_link].sh_size == 0)
            continue;
        const ElfW(Sym) *symbol = (const void *)(file + s->sh_offset);
        const char *text = (const char *)file + section[s->sh_link].sh_offset;
        const uint64_t most = section[s->sh_link].sh_size;
        if (text[most - 1] != 0)
            continue;
        for (size_t k = 0; k < s->sh_size / sizeof *symbol; k++)
            if (symbol[k].st_shndx != SHN_UNDEF && (symbol[k].st_info & 15) == STT_FUNC &&
                symbol[k].st_name < most && gmmu_blas_is_name(text + symbol[k].st_name))
                add(&f->own, "", text + symbol[k].st_name);
    }
}

static void look_at_program(findings *f) {
    const int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat is;
    if (fd < 0)
        return;
    if (fstat(fd, &is) == 0 && is.st_size > 0) {
        void *file = mmap(NULL, (size_t)is.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (file != MAP_FAILED) {
            own_names(f, file, (size_t)is.st_size);
            (void)munmap(file, (size_t)is.st_size);
        }
    }
    (void)close(fd);
}

// ---- who refers to what

static bool is_library(const findings *f, const void *base) {
    for (unsigned i = 0; i < f->libraries; i++)
        if (base != NULL && f->base[i] == base)
            return true;
    return false;
}

static bool is_listed(const findings *f, const char *object) {
    for (unsigned i = 0; i < f->libraries; i++)
        if (strcmp(f->library[i], object) == 0)
            return true;
    return false;
}

static void see(void *context, const gmmu_blas_import *import) {
    findings *f = context;
    if (is_listed(f, import->object))
        return;
    const bool known = gmmu_blas_is_name(import->name);
    if (gmmu_blas_is_other(*import->slot) || is_library(f, base_of(*import->slot)))
        add(known ? &f->past : &f->outside, import->object, import->name);
    else if (known)  // bound to ours, or not bound yet
        add(&f->here, import->object, import->name);
}

static void tell(char *line, const char *what, const names *n) {
    if (n->shown == 0)
        return;
    append(line, LINE, "; %s %s: %s", n->who, what, n->text);
    if (n->more != 0)
        append(line, LINE, " and %u more", n->more);
}

// ---- a process that merely inherited what is preloaded

// OBJECT is one of LD_PRELOAD's.
static bool is_preloaded(const char *object) {
    const char *list = getenv("LD_PRELOAD"), *name = base_name(object);
    const size_t length = strlen(name);
    while (list != NULL && *list != 0) {
        const size_t n = strcspn(list, " :");
        if (n >= length && strncmp(list + n - length, name, length) == 0 &&
            (n == length || list[n - length - 1] == '/'))
            return true;
        list += n;
        list += strspn(list, " :");
    }
    return false;
}

// M needs the library NAME.
static bool needs(const struct link_map *m, const char *name) {
    const char *text = NULL;
    for (const ElfW(Dyn) *d = m->l_ld; d != NULL && d->d_tag != DT_NULL; d++)
        if (d->d_tag == DT_STRTAB)
            text = (const char *)d->d_un.d_ptr;  // NOLINT(performance-no-int-to-ptr)
    // the kernel's vDSO is not relocated, and needs nothing
    for (const ElfW(Dyn) *d = m->l_ld; text != NULL && d->d_tag != DT_NULL; d++)
        if (d->d_tag == DT_NEEDED && strcmp(base_name(text + d->d_un.d_val), name) == 0)
            return true;
    return false;
}

// True: all libraries are there by LD_PRELOAD, and nothing else needs them.
static bool only_preloaded(const findings *f) {
    Dl_info info;
    struct link_map *map = NULL;
    if (dladdr1(__extension__(void *) only_preloaded, &info, (void **)&map, RTLD_DL_LINKMAP) == 0)
        return false;
    while (map != NULL && map->l_prev != NULL) map = map->l_prev;
    for (unsigned i = 0; i < f->libraries; i++) {
        if (!is_preloaded(f->library[i]))
            return false;
        for (const struct link_map *m = map; m != NULL; m = m->l_next)
            if (!is_preloaded(m->l_name) && needs(m, base_name(f->library[i])))
                return false;
    }
    return true;
}

bool gmmu_blas_unseen(char *line, size_t size) {
    findings f;
    memset(&f, 0, sizeof f);
    look_at_all(&f);
    look_at_program(&f);
    if (size < LINE || (f.libraries == 0 && f.own.shown == 0))
        return false;
    gmmu_blas_imports(see, &f);
    if (f.own.shown + f.past.shown + f.outside.shown + f.here.shown == 0 && only_preloaded(&f))
        return false;
    (void)snprintf(line, LINE, "gmmu_blas: process %ld (%.60s): no call seen", (long)getpid(),
                   program_invocation_short_name);
    for (unsigned i = 0; i < f.libraries; i++)
        append(line, LINE, "%s%s", i == 0 ? "; " : ", ", base_name(f.library[i]));
    if (f.libraries != 0)
        append(line, LINE, f.libraries == 1 ? " is loaded" : " are loaded");
    tell(line, "has routines linked statically", &f.own);
    tell(line, "calls a library directly (RTLD_DEEPBIND)", &f.past);
    tell(line, "uses routines outside the table", &f.outside);
    tell(line, "refers to routines and did not call them", &f.here);
    if (f.own.shown + f.past.shown + f.outside.shown + f.here.shown == 0)
        append(line, LINE,
               "; nothing refers to a routine: it is not called, or by an address of dlsym");
    append(line, LINE, "\n");
    return true;
}
