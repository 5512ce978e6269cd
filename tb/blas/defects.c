// SPDX-License-Identifier: Apache-2.0
// defects.c: programs and libraries, each by a macro, that meet libgmmu_blas.so as other people's
// do (tb/blas/defects.sh says what each shows).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(LIBRARY)
// a BLAS that says who it is: LIBRARY is its name
void dgemm_(void);
void dgemm_(void) {
    puts("dgemm_ of " LIBRARY);
}
#elif defined(CALLER)
// a library between program and BLAS
void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *,
            const double *, const int *, const double *, const int *, const double *, double *,
            const int *);
void call(void);
void call(void) {
    const int n = 2;
    const double one = 1, zero = 0, a[4] = {1, 2, 3, 4};
    double c[4] = {0};
    dgemm_("N", "N", &n, &n, &n, &one, a, &n, a, &n, &zero, c, &n);
}
#elif defined(PROBE)
// Is a name there? By dlsym in each way, and by a weak reference.
extern void dgemm_64_(void) __attribute__((weak));
extern void dgemm_(void) __attribute__((weak));
static const char *is(const void *p) {
    return p != NULL ? "there" : "not there";
}
static void probe(const char *name) {
    (void)dlerror();
    void *const all[] = {dlsym(RTLD_DEFAULT, name), dlsym(RTLD_NEXT, name),
                         dlsym(dlopen(NULL, RTLD_NOW), name)};
    printf("%s: default %s, next %s, handle %s, error %s\n", name, is(all[0]), is(all[1]),
           is(all[2]), dlerror() != NULL ? "told" : "none");
}
int main(void) {
    probe("dgemm_");
    probe("dgemm_64_");
    probe("cblas_dgemm64_");
    probe("malloc");
    probe("no_such_name");
    printf("weak: dgemm_ %s, dgemm_64_ %s\n", is(__extension__(void *) dgemm_),
           is(__extension__(void *) dgemm_64_));
    // who asks with RTLD_NEXT is who asked: not the program's own
    const bool right =
        dlsym(RTLD_NEXT, "getppid") == dlsym(dlopen("libc.so.6", RTLD_NOW), "getppid");
    printf("next getppid: %s\n", right ? "libc's" : "another");
    return 0;
}
pid_t getppid(void) {
    return 0;
}
#else
void dgemm_(const char *ta, const char *tb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, size_t, size_t);

static double *product(int n) {
    const double one = 1, zero = 0;
    const size_t size = (size_t)n * (size_t)n;
    double *memory = malloc(3 * size * sizeof *memory);
    for (size_t i = 0; i < 2 * size; i++) memory[i] = 1 + (double)(i % 7);
    dgemm_("N", "T", &n, &n, &n, &one, memory, &n, memory + size, &n, &zero, memory + 2 * size, &n,
           1, 1);
    return memory;
}

static void *sums(void *given) {
    double all = 0;
    const double *from = given;
    for (int i = 0; i < 64 * 64; i++) all += from[2 * 64 * 64 + i];
    printf("sum %.1f\n", all);
    return NULL;
}

// Another thread reads what a call wrote: D3.
static void thread(void) {
    double *memory = product(64);
    pthread_t is;
    if (pthread_create(&is, NULL, sums, memory) != 0)
        exit(3);
    pthread_join(is, NULL);
    free(memory);
    memory = product(64);
    (void)sums(memory);
    free(memory);
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "thread") == 0) {
        thread();
        return 0;
    }
    if (strcmp(what, "nothing") == 0)
        return 0;
    return 3;
}
#endif
