// SPDX-License-Identifier: Apache-2.0
// transparent.c: what a program may do around its calls, and does as well with libgmmu_blas.so:
// TRANSPARENT WHAT, with WHAT one of
//   null    arguments that BLAS and LAPACK do not reference are NULL
//   cancel  threads are cancelled between their calls
//   fork    forks, with handlers of another library that allocate (HANDLERS: that library)
//   child   leaves a child that lives on, and calls nothing
//   flags   prints the flags of floating-point arithmetic
//   grow    grows its matrices by realloc
//   calls   calls, many times
// It prints the same with and without the library (tb/blas_test.sh).
#define _GNU_SOURCE
#include <fenv.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef HANDLERS
static void handler(void) {
    void *volatile p = malloc(100000);
    free(p);
}

__attribute__((constructor)) static void begin(void) {
    (void)pthread_atfork(handler, handler, handler);
}

void handlers_are_there(void);
void handlers_are_there(void) {}
#else
void handlers_are_there(void);
void dgemm_(const char *ta, const char *tb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, size_t, size_t);
void daxpy_(const int *n, const double *alpha, const double *x, const int *incx, double *y,
            const int *incy);
void dsyevr_(const char *jobz, const char *range, const char *uplo, const int *n, double *a,
             const int *lda, const double *vl, const double *vu, const int *il, const int *iu,
             const double *abstol, int *m, double *w, double *z, const int *ldz, int *support,
             double *work, const int *lwork, int *iwork, const int *liwork, int *info, size_t,
             size_t, size_t);

enum { N = 64, BYTES = N * N * (int)sizeof(double) };

static void multiply(const double *a, const double *b, double *c) {
    const int n = N;
    const double one = 1, zero = 0;
    dgemm_("N", "N", &n, &n, &n, &one, a, &n, b, &n, &zero, c, &n, 1, 1);
}

static void null(void) {
    enum { WORK = N * 64, INTEGERS = N * 20 };
    const int n = N, work_size = WORK, integers = INTEGERS, none = 0, one = 1;
    const double tolerance = 0;
    int found = 0, info = -1;
    double *a = malloc(BYTES), *z = malloc(BYTES), *w = malloc(N * sizeof *w),
           *work = malloc(WORK * sizeof *work);
    int *support = malloc(2 * N * sizeof *support), *integer = malloc(INTEGERS * sizeof *integer);
    for (int i = 0; i < N * N; i++) a[i] = 1.0 / (i / N + i % N + 1);
    dsyevr_("V", "A", "U", &n, a, &n, NULL, NULL, NULL, NULL, &tolerance, &found, w, z, &n, support,
            work, &work_size, integer, &integers, &info, 1, 1, 1);
    printf("dsyevr: %d values, status %d, the last %.5f\n", found, info, w[N - 1]);
    daxpy_(&none, NULL, NULL, &one, NULL, &one);
    puts("daxpy of nothing: done");
}

static double of_thread[3][N * N];

static void *many(void *given) {
    for (;;) {
        multiply(of_thread[0], of_thread[1], of_thread[2]);
        pthread_testcancel();
    }
    return given;
}

static void cancel(void) {
    static double own[3][N * N];
    unsigned cancelled = 0;
    for (int i = 0; i < 20; i++) {
        pthread_t thread;
        void *result = NULL;
        if (pthread_create(&thread, NULL, many, NULL) != 0)
            exit(1);
        (void)usleep(3000);
        (void)pthread_cancel(thread);
        (void)pthread_join(thread, &result);
        cancelled += result == PTHREAD_CANCELED;
        multiply(own[0], own[1], own[2]);
    }
    printf("cancelled: %u\n", cancelled);
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    static double a[N * N], b[N * N], c[N * N];
    handlers_are_there();
    if (strcmp(what, "null") == 0) {
        null();
    } else if (strcmp(what, "cancel") == 0) {
        cancel();
    } else if (strcmp(what, "fork") == 0) {
        multiply(a, b, c);
        (void)fflush(stdout);
        for (int i = 0; i < 3; i++) {
            int status = -1;
            const pid_t child = fork();
            if (child == 0)
                exit(i);
            (void)waitpid(child, &status, 0);
            printf("child: %d\n", WEXITSTATUS(status));
        }
    } else if (strcmp(what, "child") == 0) {
        multiply(a, b, c);
        (void)fflush(stdout);
        if (fork() == 0) {
            (void)fclose(stdout);
            (void)fclose(stderr);
            (void)sleep(20);
            _exit(0);
        }
    } else if (strcmp(what, "flags") == 0) {
        (void)feclearexcept(FE_ALL_EXCEPT);
        multiply(a, b, c);
        printf("flags: %#x\n", (unsigned)fetestexcept(FE_ALL_EXCEPT));
    } else if (strcmp(what, "grow") == 0) {
        void *volatile nothing = NULL;
        double *x = realloc(nothing, BYTES), *y = realloc(malloc(16), BYTES),
               *z = realloc(nothing, BYTES);
        for (int i = 0; i < N * N; i++) x[i] = y[i] = i % 7;
        multiply(x, y, z);
        printf("of blocks that grew: %.0f %.0f\n", z[0], z[N * N - 1]);
    } else {
        for (int i = 0; i < 400; i++) multiply(a, b, c);
    }
    puts("end");
    return 0;
}
#endif
