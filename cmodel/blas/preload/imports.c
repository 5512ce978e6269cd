// SPDX-License-Identifier: Apache-2.0
// imports.c: see imports.h.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // dl_iterate_phdr
#endif
#include "blas/preload/imports.h"

#include <link.h>
#include <stddef.h>
#include <stdint.h>

#include "blas/preload/preload.h"

#if UINTPTR_MAX == UINT64_MAX
#define SYMBOL_OF(info) ELF64_R_SYM(info)
#define TYPE_OF(info) ELF64_ST_TYPE(info)
#define BINDING_OF(info) ELF64_ST_BIND(info)
#else
#define SYMBOL_OF(info) ELF32_R_SYM(info)
#define TYPE_OF(info) ELF32_ST_TYPE(info)
#define BINDING_OF(info) ELF32_ST_BIND(info)
#endif

typedef struct {
    void (*each)(void *context, const gmmu_blas_import *import);
    void *context;
} receiver;

typedef struct {
    uintptr_t base, relro, relro_end;
    const ElfW(Sym) * symbols;
    const char *strings;
    const char *name;
} object;

static void table(const receiver *to, const object *o, const ElfW(Rela) * r, size_t bytes,
                  size_t skip) {
    for (size_t i = skip; i < bytes / sizeof *r; i++) {
        const ElfW(Sym) *s = &o->symbols[SYMBOL_OF(r[i].r_info)];
        const unsigned type = TYPE_OF(s->st_info);
        if (SYMBOL_OF(r[i].r_info) == 0 || s->st_shndx != SHN_UNDEF ||
            (type != STT_FUNC && type != STT_NOTYPE))
            continue;
        const uintptr_t at = o->base + r[i].r_offset;
        const gmmu_blas_import import = {.object = o->name,
                                         .name = o->strings + s->st_name,
                                         .slot = (void **)at,
                                         .weak = BINDING_OF(s->st_info) == STB_WEAK,
                                         .read_only = at >= o->relro && at < o->relro_end};
        to->each(to->context, &import);
    }
}

// glibc has made most addresses of the dynamic section absolute; not those of the vDSO.
static uintptr_t absolute(const object *o, uintptr_t address) {
    return address < o->base ? o->base + address : address;
}

static int in_object(struct dl_phdr_info *info, size_t size, void *context) {
    object o = {.base = info->dlpi_addr, .name = info->dlpi_name};
    const ElfW(Dyn) *dynamic = NULL;
    const ElfW(Rela) *rela = NULL, *jumps = NULL;
    size_t rela_bytes = 0, relative = 0, jump_bytes = 0;
    (void)size;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type == PT_DYNAMIC)
            dynamic = (const ElfW(Dyn) *)(o.base + p->p_vaddr);
        if (p->p_type == PT_GNU_RELRO) {
            o.relro = o.base + p->p_vaddr;
            o.relro_end = o.relro + p->p_memsz;
        }
    }
    if (dynamic == NULL || gmmu_blas_is_ours(dynamic))
        return 0;
    for (const ElfW(Dyn) *d = dynamic; d->d_tag != DT_NULL; d++) switch (d->d_tag) {
            case DT_SYMTAB:
                o.symbols = (const ElfW(Sym) *)absolute(&o, d->d_un.d_ptr);
                break;
            case DT_STRTAB:
                o.strings = (const char *)absolute(&o, d->d_un.d_ptr);
                break;
            case DT_RELA:
                rela = (const ElfW(Rela) *)absolute(&o, d->d_un.d_ptr);
                break;
            case DT_RELASZ:
                rela_bytes = d->d_un.d_val;
                break;
            case DT_RELACOUNT:
                relative = d->d_un.d_val;
                break;
            case DT_JMPREL:
                jumps = (const ElfW(Rela) *)absolute(&o, d->d_un.d_ptr);
                break;
            case DT_PLTRELSZ:
                jump_bytes = d->d_un.d_val;
                break;
            default:
                break;
        }
    if (o.symbols == NULL || o.strings == NULL)
        return 0;
    if (rela != NULL)
        table(context, &o, rela, rela_bytes, relative);
    if (jumps != NULL)
        table(context, &o, jumps, jump_bytes, 0);
    return 0;
}

void gmmu_blas_imports(void (*each)(void *context, const gmmu_blas_import *import), void *context) {
    receiver to = {each, context};
    (void)dl_iterate_phdr(in_object, &to);
}
