// SPDX-License-Identifier: Apache-2.0
// others.c: see others.h. The address by which an object calls such a routine is replaced by that
// of a stub. What the routine's arguments are is not known: registers are kept as they are, and of
// the stack behind the return address a window is copied, which is larger than the arguments of any
// routine. Results are handed on in all registers that have any. A call is timed with what it
// calls; calls of the table within it are recorded as ever.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // dladdr1, process_vm_readv
#endif
#include "blas/preload/others.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "blas/preload/imports.h"
#include "blas/preload/preload.h"

#ifdef __x86_64__
enum { MOST = 512, MOST_SLOTS = 2048, MOST_LIBRARIES = 32, WINDOW = 512, MOST_TOLD = 8, NAME = 40 };

// A routine; the stub and the code behind it know where REAL is. 64 bytes.
typedef struct {
    uint64_t calls;
    void *real;
    uint64_t ns;
    char name[NAME];
} other;
_Static_assert(sizeof(other) == 64, "the stubs");

other gmmu_blas_other[MOST] __attribute__((visibility("hidden")));
static unsigned used;

extern const char gmmu_blas_other_stubs[] __attribute__((visibility("hidden")));
enum { STUB = 16 };

// A stub: r11, which calls by the linker change anyway, is the routine.
__asm__(
    ".text\n"
    ".balign 16\n"
    "gmmu_blas_other_stubs:\n"
    ".set gmmu_blas_i, 0\n"
    ".rept 512\n"
    ".balign 16\n"
    "    lea gmmu_blas_other + gmmu_blas_i(%rip), %r11\n"
    "    jmp gmmu_blas_other_call\n"
    ".set gmmu_blas_i, gmmu_blas_i + 64\n"
    ".endr\n"
    ".hidden gmmu_blas_other_stubs\n"
    ".type gmmu_blas_other_call, @function\n"
    "gmmu_blas_other_call:\n"
    ".cfi_startproc\n"
    "    push %rbp\n"
    ".cfi_def_cfa_offset 16\n"
    ".cfi_offset %rbp, -16\n"
    "    mov %rsp, %rbp\n"
    ".cfi_def_cfa_register %rbp\n"
    "    sub $208, %rsp\n"
    "    mov %rdi, -8(%rbp)\n"
    "    mov %rsi, -16(%rbp)\n"
    "    mov %rdx, -24(%rbp)\n"
    "    mov %rcx, -32(%rbp)\n"
    "    mov %r8, -40(%rbp)\n"
    "    mov %r9, -48(%rbp)\n"
    "    mov %rax, -56(%rbp)\n"
    "    mov %r11, -64(%rbp)\n"
    "    mov %r10, -72(%rbp)\n"
    "    movups %xmm0, -96(%rbp)\n"
    "    movups %xmm1, -112(%rbp)\n"
    "    movups %xmm2, -128(%rbp)\n"
    "    movups %xmm3, -144(%rbp)\n"
    "    movups %xmm4, -160(%rbp)\n"
    "    movups %xmm5, -176(%rbp)\n"
    "    movups %xmm6, -192(%rbp)\n"
    "    movups %xmm7, -208(%rbp)\n"
    "    mov %r11, %rdi\n"
    "    lea 16(%rbp), %rsi\n"
    "    call gmmu_blas_other_begin\n"
    "    mov %rax, -80(%rbp)\n"  // when it began; 0: it is not timed
    "    test %rax, %rax\n"
    "    je 1f\n"
    "    sub $512, %rsp\n"
    "    lea 16(%rbp), %rsi\n"
    "    mov %rsp, %rdi\n"
    "    mov $64, %ecx\n"
    "    cld\n"
    "    rep movsq\n"
    "1:\n"
    "    mov -8(%rbp), %rdi\n"
    "    mov -16(%rbp), %rsi\n"
    "    mov -24(%rbp), %rdx\n"
    "    mov -32(%rbp), %rcx\n"
    "    mov -40(%rbp), %r8\n"
    "    mov -48(%rbp), %r9\n"
    "    mov -72(%rbp), %r10\n"
    "    mov -64(%rbp), %r11\n"
    "    movups -96(%rbp), %xmm0\n"
    "    movups -112(%rbp), %xmm1\n"
    "    movups -128(%rbp), %xmm2\n"
    "    movups -144(%rbp), %xmm3\n"
    "    movups -160(%rbp), %xmm4\n"
    "    movups -176(%rbp), %xmm5\n"
    "    movups -192(%rbp), %xmm6\n"
    "    movups -208(%rbp), %xmm7\n"
    "    cmpq $0, -80(%rbp)\n"
    "    mov -56(%rbp), %rax\n"
    "    jne 2f\n"
    ".cfi_remember_state\n"
    "    leave\n"
    ".cfi_def_cfa %rsp, 8\n"
    "    jmp *8(%r11)\n"
    ".cfi_restore_state\n"
    "2:\n"
    "    call *8(%r11)\n"
    "    mov %rax, -8(%rbp)\n"
    "    mov %rdx, -16(%rbp)\n"
    "    movups %xmm0, -96(%rbp)\n"
    "    movups %xmm1, -112(%rbp)\n"
    "    mov -64(%rbp), %rdi\n"
    "    mov -80(%rbp), %rsi\n"
    "    call gmmu_blas_other_end\n"
    "    mov -8(%rbp), %rax\n"
    "    mov -16(%rbp), %rdx\n"
    "    movups -96(%rbp), %xmm0\n"
    "    movups -112(%rbp), %xmm1\n"
    "    leave\n"
    ".cfi_def_cfa %rsp, 8\n"
    "    ret\n"
    ".cfi_endproc\n"
    ".size gmmu_blas_other_call, . - gmmu_blas_other_call\n");

// Where the outermost timed call of this thread has its arguments. A call that was left by longjmp
// lies below the stack that is in use.
static GMMU_BLAS_THREAD uintptr_t outermost;

// May the window be copied? The stack ends behind it, or perhaps within it.
static bool may_copy(const void *arguments) {
    char copy[WINDOW];
    const uintptr_t at = (uintptr_t)arguments;
    if ((at ^ (at + WINDOW - 1)) >> 12 == 0)
        return true;
    const struct iovec to = {copy, sizeof copy}, from = {(void *)at, WINDOW};
    return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == WINDOW;
}

uint64_t gmmu_blas_other_begin(other *o, const void *arguments)
    __attribute__((visibility("hidden"), used));
uint64_t gmmu_blas_other_begin(other *o, const void *arguments) {
    const uintptr_t at = (uintptr_t)arguments;
    if (gmmu_blas_inside || (outermost != 0 && at < outermost))
        return 0;  // a part of another call
    const int error = errno;
    (void)__atomic_fetch_add(&o->calls, 1, __ATOMIC_RELAXED);
    const bool timed = may_copy(arguments);
    errno = error;
    if (!timed)
        return 0;
    outermost = at;
    return gmmu_blas_clock();
}

void gmmu_blas_other_end(other *o, uint64_t began) __attribute__((visibility("hidden"), used));
void gmmu_blas_other_end(other *o, uint64_t began) {
    (void)__atomic_fetch_add(&o->ns, gmmu_blas_clock() - began, __ATOMIC_RELAXED);
    outermost = 0;
}

// ---- which calls are replaced

typedef struct {
    gmmu_blas_import import[MOST_SLOTS];
    unsigned used;
} slots;

// A routine of BLAS or LAPACK has a type's letter first, and a Fortran name or one of cblas.
static bool may_be(const char *name) {
    const size_t n = strlen(name);
    const char *plain = strncmp(name, "scipy_", 6) == 0 ? name + 6 : name;
    const bool c = strncmp(plain, "cblas_", 6) == 0;
    if (n < 4 || n >= NAME || (!c && name[n - 1] != '_') || name[0] == '_')
        return false;
    plain += c ? 6 : 0;
    if (*plain == 0 || strchr("sdczi", *plain) == NULL)
        return false;
    for (const char *p = plain; *p != 0; p++)
        if ((*p < 'a' || *p > 'z') && (*p < '0' || *p > '9') && *p != '_')
            return false;
    return !gmmu_blas_is_name(name);
}

static void keep(void *context, const gmmu_blas_import *import) {
    slots *s = context;
    if (s->used < MOST_SLOTS && !import->weak && may_be(import->name) &&
        !gmmu_blas_is_ours(*import->slot))
        s->import[s->used++] = *import;
}

// Is OBJECT, whose memory begins at BASE, a BLAS or LAPACK?
static bool is_library(const void *base, const struct link_map *object) {
    static struct {
        const void *base;
        bool is;
    } known[MOST_LIBRARIES];
    static unsigned count;
    static const char *const signs[] = {"dgemm_",           "dgetrf_",      "dgemm_64_",
                                        "dgetrf_64_",       "scipy_dgemm_", "scipy_dgemm_64_",
                                        "scipy_dgetrf_64_", "scipy_dgetrf_"};
    for (unsigned i = 0; i < count; i++)
        if (known[i].base == base)
            return known[i].is;
    bool is = false;
    for (unsigned i = 0; !is && i < sizeof signs / sizeof signs[0]; i++)
        is = gmmu_blas_defined(object, signs[i]) != NULL;
    if (count < MOST_LIBRARIES) {
        known[count].base = base;
        known[count++].is = is;
    }
    return is;
}

// The routine that the slot's object calls; NULL: it is none of a BLAS or LAPACK.
static void *real_of(const gmmu_blas_import *import) {
    Dl_info own, info;
    struct link_map *map = NULL;
    const ElfW(Sym) *symbol = NULL;
    void *real = *import->slot;
    if (dladdr1(import->slot, &own, (void **)&map, RTLD_DL_LINKMAP) == 0)
        return NULL;
    if (real == NULL || dladdr(real, &info) == 0 || info.dli_fbase == own.dli_fbase)
        real = gmmu_blas_look(import->name, map);  // not bound yet
    if (real == NULL || gmmu_blas_is_ours(real) ||
        dladdr1(real, &info, (void **)&symbol, RTLD_DL_SYMENT) == 0 ||
        info.dli_fbase == own.dli_fbase || symbol == NULL ||
        (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC &&
         ELF64_ST_TYPE(symbol->st_info) != STT_GNU_IFUNC))
        return NULL;
    struct link_map *object = NULL;
    return dladdr1(real, &info, (void **)&object, RTLD_DL_LINKMAP) != 0 && object != NULL &&
                   is_library(info.dli_fbase, object)
               ? real
               : NULL;
}

static void *stub_of(const char *name, void *real) {
    for (unsigned i = 0; i < used; i++)
        if (gmmu_blas_other[i].real == real && strcmp(gmmu_blas_other[i].name, name) == 0)
            return (void *)(uintptr_t)(gmmu_blas_other_stubs + (size_t)i * STUB);
    if (used == MOST)
        return NULL;
    other *o = &gmmu_blas_other[used];
    o->real = real;
    (void)snprintf(o->name, sizeof o->name, "%s", name);
    return (void *)(uintptr_t)(gmmu_blas_other_stubs + (size_t)used++ * STUB);
}

static void replace(const gmmu_blas_import *import) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    void *at = (void *)((uintptr_t)import->slot & ~(page - 1)), *real = real_of(import);
    void *stub = real == NULL ? NULL : stub_of(import->name, real);
    if (stub == NULL || (import->read_only && mprotect(at, page, PROT_READ | PROT_WRITE) != 0))
        return;
    __atomic_store_n(import->slot, stub, __ATOMIC_RELEASE);
    if (import->read_only)
        (void)mprotect(at, page, PROT_READ);
}

static int count_loaded(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    *(unsigned long long *)context = info->dlpi_adds;
    return 1;
}

void gmmu_blas_others_look(void) {
    static slots all;
    static unsigned long long seen;
    static int busy;
    unsigned long long loaded = 0;
    (void)dl_iterate_phdr(count_loaded, &loaded);
    if (loaded == __atomic_load_n(&seen, __ATOMIC_RELAXED) || gmmu_blas_the_recorder == NULL ||
        __atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE) != 0)
        return;
    __atomic_store_n(&seen, loaded, __ATOMIC_RELAXED);
    all.used = 0;
    gmmu_blas_imports(keep, &all);
    for (unsigned i = 0; i < all.used; i++) replace(&all.import[i]);
    __atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
}

// ---- the report

static int most_time_first(const void *a, const void *b) {
    const other *x = *(const other *const *)a, *y = *(const other *const *)b;
    return x->ns == y->ns ? (x->calls < y->calls) - (x->calls > y->calls) : x->ns < y->ns ? 1 : -1;
}

void gmmu_blas_others_report(FILE *to) {
    const other *all[MOST];
    unsigned n = 0;
    uint64_t calls = 0, ns = 0;
    for (unsigned i = 0; i < used; i++)
        if (gmmu_blas_other[i].calls != 0) {
            all[n++] = &gmmu_blas_other[i];
            calls += gmmu_blas_other[i].calls;
            ns += gmmu_blas_other[i].ns;
        }
    if (n == 0)
        return;
    qsort(all, n, sizeof(void *), most_time_first);
    (void)fprintf(
        to, "%" PRIu64 " calls of routines outside the table, %.3f s with what they call: ", calls,
        (double)ns * 1e-9);
    for (unsigned i = 0; i < n && i < MOST_TOLD; i++)
        (void)fprintf(to, "%s%" PRIu64 " %s %.3f s", i == 0 ? "" : ", ", all[i]->calls,
                      all[i]->name, (double)all[i]->ns * 1e-9);
    (void)fprintf(to, n > MOST_TOLD ? " and %u more\n" : "\n", n - MOST_TOLD);
}

bool gmmu_blas_is_other(const void *code) {
    return (uintptr_t)code - (uintptr_t)gmmu_blas_other_stubs < (uintptr_t)MOST * STUB;
}

void gmmu_blas_others_clear(void) {
    for (unsigned i = 0; i < used; i++) gmmu_blas_other[i].calls = gmmu_blas_other[i].ns = 0;
}
#else
void gmmu_blas_others_look(void) {}
bool gmmu_blas_is_other(const void *code) {
    (void)code;
    return false;
}
void gmmu_blas_others_report(FILE *to) {
    (void)to;
}
void gmmu_blas_others_clear(void) {}
#endif
