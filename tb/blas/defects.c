// SPDX-License-Identifier: Apache-2.0
// defects.c: programs and libraries, each by a macro, that meet libgmmu_blas.so as other people's
// do (tb/blas/defects.sh says what each shows).
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(LIBRARY)
// a BLAS that says who it is: LIBRARY is its name
void dgemm_(void);
void dgemm_(void) {
    puts("dgemm_ of " LIBRARY);
}
#ifdef MAIN
int main(void) {
    dgemm_();
    return 0;
}
#endif
#elif defined(BEGINS)
__attribute__((constructor)) static void begins(void) {
    puts("begins");
}
__attribute__((destructor)) static void ends(void) {
    puts("ends");
}
#elif defined(OUTSIDE)
void drotmg_(double *, double *, double *, const double *, double *);
int main(void) {
    double d[2] = {1, 2}, x = 3, parameters[5] = {0};
    const double y = 4;
    drotmg_(&d[0], &d[1], &x, &y, parameters);
    printf("%.3f\n", x);
    return 0;
}
#elif defined(LEAVES)
// A handler of refused arguments that leaves the call, as R's does; in C++ by an exception. The
// calls behind it are made from frames that lie below the one that was left.
#include <setjmp.h>
#ifdef __cplusplus
#define C extern "C"
#else
#define C
#endif
C void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *pivots, int *info);
C void dpotri_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t);
C void dgemm_(const char *ta, const char *tb, const int *m, const int *n, const int *k,
              const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
              const double *beta, double *c, const int *ldc, size_t, size_t);
C void xerbla_(const char *name, const int *info, size_t length);

#ifndef __cplusplus
static jmp_buf back;
#endif
static const int n = 40, bad = -1;
static double *matrix;

void xerbla_(const char *name, const int *info, size_t length) {
    printf("%.6s refuses %d\n", name, length == 0 ? 0 : *info);
#ifdef __cplusplus
    throw 1;
#else
    longjmp(back, 1);
#endif
}

static void product(void) {
    const double one = 1, zero = 0;
    dgemm_("N", "N", &n, &n, &n, &one, matrix, &n, matrix, &n, &zero, matrix + n * n, &n, 1, 1);
}

static void refused(bool driver) {
    int pivots[40], info;
    if (driver)
        dpotri_("U", &bad, matrix, &n, &info, 1);
    else
        dgetrf_(&bad, &n, matrix, &n, pivots, &info);
}

// COUNT frames further down.
static __attribute__((noinline)) int deeper(int count, bool driver) {
    volatile char frame[256];
    for (unsigned i = 0; i < sizeof frame; i++) frame[i] = (char)i;
    if (count > 0)
        return deeper(count - 1, driver) + frame[count];
    if (driver)
        product();
    else
        refused(true);
    return frame[7];
}

static void leave(bool driver, int count) {
#ifdef __cplusplus
    try {
        if (count == 0)
            refused(driver);
        else
            (void)deeper(count, false);
    } catch (int) {
    }
#else
    if (setjmp(back) == 0) {
        if (count == 0)
            refused(driver);
        else
            (void)deeper(count, false);
    }
#endif
}

int main(int argc, char **argv) {
    matrix = (double *)calloc(2 * n * n, sizeof *matrix);
    if (matrix == NULL || argc != 2)
        return 3;
    for (int i = 0; i < n; i++) matrix[i * n + i] = 2;
    product();
    leave(false, 0);
    product();  // from where the routine was called, or above
    leave(true, 0);
    (void)deeper(20, true);
    leave(true, 10);  // left far below
    product();
    printf("%.1f\n", matrix[n * n]);
    leave(false, 0);
    free(matrix);  // is noticed, too
    if (strcmp(argv[1], "left") == 0)
        leave(true, 0);  // the program ends within
    return 0;
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
void dscal_(const int *n, const double *alpha, double *x, const int *inc);
void dgemv_(const char *trans, const int *m, const int *n, const double *alpha, const double *a,
            const int *lda, const double *x, const int *incx, const double *beta, double *y,
            const int *incy, size_t);

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

// Has memory of its own, and is there to the end.
static void *waits(void *given) {
    char *memory = malloc(100000);
    memset(memory, 1, 100000);
    free(memory);
    sem_post(given);
    pause();
    return NULL;
}

// A thread that touches nothing of the matrices.
static void idle(void) {
    sem_t is_there;
    pthread_t is;
    if (sem_init(&is_there, 0, 0) != 0 || pthread_create(&is, NULL, waits, &is_there) != 0)
        exit(3);
    (void)sem_wait(&is_there);
    for (int i = 0; i < 2; i++) {
        double *memory = product(64);
        (void)sums(memory);
        free(memory);
    }
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

static void own_handler(int number) {
    const char text[] = "its own handler\n";
    if (write(1, text, sizeof text - 1) < 0 || number != SIGTERM)
        _exit(4);
}

static void *until_killed(void *given) {
    for (;;) free(product(*(const int *)given));
    return NULL;
}

// The program ends without its destructors, or by a signal.
static void end(const char *how) {
    static const int four = 4;
    free(product(10));
    if (strcmp(how, "term") == 0)
        (void)raise(SIGTERM);
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "_exit") == 0)
        _exit(7);
    if (strcmp(how, "own") == 0) {
        struct sigaction old, its = {.sa_handler = own_handler};
        (void)sigaction(SIGTERM, &its, &old);
        (void)raise(SIGTERM);
        printf("was %s\n", old.sa_handler == SIG_DFL ? "default" : "another");
        (void)signal(SIGTERM, SIG_DFL);
        printf("is %s\n", signal(SIGTERM, SIG_DFL) == SIG_DFL ? "default" : "another");
        fflush(stdout);
        (void)raise(SIGTERM);
    }
    if (strcmp(how, "ignore") == 0) {
        (void)signal(SIGTERM, SIG_IGN);
        (void)raise(SIGTERM);
    }
    // killed anywhere: in the recorder, in malloc, in a call
    if (strcmp(how, "busy") == 0) {
        pthread_t thread;
        (void)ualarm(30000, 0);
        if (pthread_create(&thread, NULL, until_killed, (void *)(uintptr_t)&four) == 0)
            (void)until_killed((void *)(uintptr_t)&four);
    }
    if (strcmp(how, "busy alone") == 0) {
        (void)ualarm(30000, 0);
        (void)until_killed((void *)(uintptr_t)&four);
    }
    // a worker of a pool, which waits for work
    if (strcmp(how, "pool") == 0) {
        int ready[2];
        char is = 0;
        if (pipe(ready) != 0)
            exit(3);
        const pid_t child = fork();
        if (child == 0) {
            free(product(10));
            free(product(10));
            if (write(ready[1], &is, 1) == 1)
                for (;;) (void)pause();
        }
        if (read(ready[0], &is, 1) != 1 || kill(child, SIGTERM) != 0)
            exit(3);
        (void)waitpid(child, NULL, 0);
    }
}

// A module with a scope of its own.
static void deep(const char *module) {
    void *handle = dlopen(module, RTLD_NOW | RTLD_DEEPBIND);
    void (*call)(void) = NULL;
    if (handle != NULL)
        *(void **)&call = dlsym(handle, "call");
    if (call == NULL)
        exit(3);
    call();
    puts("called");
}

// Operands that overlap in part: what one site wrote, another takes back to merge it.
static void merge(void) {
    static double x[10][40000], y[100];
    const int n = 20000, rows = 100, columns = 200, one = 1;
    const double two = 2, zero = 0;
    for (int i = 0; i < 10; i++) {
        dscal_(&n, &two, x[i], &one);
        dgemv_("N", &rows, &columns, &two, x[i] + 10000, &rows, x[i], &one, &zero, y, &one, 1);
    }
}

static double cpu_us(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

// CPU time of a call elsewhere while COUNT operands live, as a multiple of its time with 8.
static double calls_beside(const int count) {
    const int large = 4096, small = 8, one = 1;
    const double x = 1.0000001;
    double *q = calloc(8, sizeof *q), least = 1e30;
    for (int i = 0; i < count; i++) {
        double *p = calloc((size_t)large, sizeof *p);
        dscal_(&large, &x, p, &one);
        p[i % large] = i;
    }
    dscal_(&small, &x, q, &one);
    for (int i = 0; i < 20; i++) {
        const double from = cpu_us();
        for (int k = 0; k < 10; k++) dscal_(&small, &x, q, &one);
        const double took = cpu_us() - from;
        least = took < least ? took : least;
    }
    return least;
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "beside") == 0) {
        const double few = calls_beside(8), many = calls_beside(1000);
        printf("%s\n", many < 6 * few ? "independent of what lives" : "depends on what lives");
        fprintf(stderr, "%.1f %.1f us\n", few / 10, many / 10);
        return 0;
    }
    if (strcmp(what, "many") == 0 && argc > 3) {
        const int n = atoi(argv[2]);
        const double one = 1, zero = 0;
        static double m[3][10000];
        for (int i = atoi(argv[3]); i > 0; i--)
            dgemm_("N", "N", &n, &n, &n, &one, m[0], &n, m[1], &n, &zero, m[2], &n, 1, 1);
        return 0;
    }
    if (strcmp(what, "deep") == 0 && argc > 2) {
        deep(argv[2]);
        return 0;
    }
    if (strcmp(what, "merge") == 0) {
        merge();
        return 0;
    }
    if (strcmp(what, "end") == 0 && argc > 2) {
        end(argv[2]);
        return 0;
    }
    if (strcmp(what, "thread") == 0) {
        thread();
        return 0;
    }
    if (strcmp(what, "idle") == 0) {
        idle();
        return 0;
    }
    if (strcmp(what, "nothing") == 0)
        return 0;
    return 3;
}
#endif
