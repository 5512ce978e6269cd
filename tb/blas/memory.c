// SPDX-License-Identifier: Apache-2.0
// memory.c: a program that asks for its memory in every way that libgmmu_blas.so stands in front
// of, also in ways that are refused, and computes in it. It prints the same without the library,
// with it, and in shadow execution (tb/blas_test.sh). MEMORY WAY: ends by `return`, `_exit` or
// `quick`.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void dgemm_(const char *ta, const char *tb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, size_t, size_t);

enum { N = 64, BYTES = N * N * (int)sizeof(double) };

// Not known when compiling, so that no call is left out or warned about.
static volatile size_t huge = SIZE_MAX / 2, none = 0;

static void fill(double *a, int seed) {
    for (int i = 0; i < N * N; i++) a[i] = (double)((i * 7 + seed) % 31) - 15;
}

// C := A·B, and what the program then reads of C.
static void product(const char *what, const double *a, const double *b, double *c) {
    const int n = N;
    const double one = 1, zero = 0;
    double sum = 0;
    dgemm_("N", "N", &n, &n, &n, &one, a, &n, b, &n, &zero, c, &n, 1, 1);
    for (int i = 0; i < N * N; i++) sum += c[i] * (i % 5);
    printf("%s: %.0f\n", what, sum);
}

static void *aligned(size_t alignment, size_t bytes) {
    void *p = NULL;
    const int status = posix_memalign(&p, alignment, bytes);
    printf("posix_memalign %zu: %s, %s\n", alignment, status == 0 ? "given" : strerror(status),
           p == NULL                       ? "none"
           : (uintptr_t)p % alignment == 0 ? "aligned"
                                           : "askew");
    return p;
}

static void refused(const char *what, const void *p) {
    printf("%s: %s\n", what, p != NULL ? "given" : strerror(errno));
    errno = 0;
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "return";
    double *a = aligned(64, BYTES), *b = aligned(4096, BYTES), *far = aligned(65536, BYTES);
    double *c = aligned_alloc(256, BYTES), *d = calloc(N * N, sizeof *d);
    if (a == NULL || b == NULL || far == NULL || c == NULL || d == NULL)
        return 1;
    fill(a, 1);
    fill(b, 2);
    fill(far, 3);
    product("of posix_memalign", a, b, c);
    product("of posix_memalign, wide", a, far, c);
    product("into calloc", a, b, d);

    (void)aligned(24, BYTES);  // no power of two
    (void)aligned(2, BYTES);   // less than a pointer's
    refused("malloc", malloc(2 * huge));
    refused("calloc", calloc(huge, 16));
    refused("reallocarray", reallocarray(NULL, huge, 16));
    product("after what was refused", a, b, c);

    c = reallocarray(c, 4, BYTES);  // its content goes with it
    double sum = 0;
    for (int i = 0; c != NULL && i < N * N; i++) sum += c[i] * (i % 3);
    printf("after reallocarray: %.0f\n", sum);
    d = realloc(d, none);
    printf("realloc to nothing: %s\n", d == NULL ? "none" : "given");

    double *m = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    double *at = mmap(NULL, (size_t)4 * BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (c == NULL || m == MAP_FAILED || at == MAP_FAILED)
        return 1;
    fill(m, 4);
    product("of mmap", a, m, c);
    m = mremap(m, BYTES, (size_t)2 * BYTES, MREMAP_MAYMOVE);
    product("of mremap", a, m, c);
    m = mremap(m, (size_t)2 * BYTES, (size_t)2 * BYTES, MREMAP_MAYMOVE | MREMAP_FIXED, at);
    printf("mremap to a place: %s\n", m == at ? "there" : "elsewhere");
    product("of mremap to a place", a, m, c);
    (void)munmap(m, (size_t)2 * BYTES);

    void *library = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
    printf("dlclose: %d\n", library == NULL ? 1 : dlclose(library));
    product("after dlclose", a, b, c);

    free(a);
    free(b);
    free(c);
    free(far);
    (void)fflush(stdout);
    if (strcmp(way, "_exit") == 0)
        _exit(3);
    if (strcmp(way, "quick") == 0)
        quick_exit(4);
    return 5;
}
