// SPDX-License-Identifier: Apache-2.0
// program.c: a program that calls BLAS in the ways that tb/blas_test.sh asks for. It prints sums,
// which do not depend on whether it is recorded.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void dgemm_(const char *ta, const char *tb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, size_t, size_t);
void cblas_dgemm(int layout, int ta, int tb, int m, int n, int k, double alpha, const double *a,
                 int lda, const double *b, int ldb, double beta, double *c, int ldc);
void dgesv_(const int *n, const int *nrhs, double *a, const int *lda, int *pivots, double *b,
            const int *ldb, int *info);
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *pivots, int *info);
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t);

// C = A·B of N × N, all of them in MEMORY.
static void multiply(double *memory, int n) {
    const double one = 1, zero = 0;
    const size_t size = (size_t)n * (size_t)n;
    for (size_t i = 0; i < 2 * size; i++) memory[i] = 1 + (double)(i % 7);
    dgemm_("N", "T", &n, &n, &n, &one, memory, &n, memory + size, &n, &zero, memory + 2 * size, &n,
           1, 1);
}

static double sum(const double *from, size_t n) {
    double all = 0;
    for (size_t i = 0; i < n; i++) all += from[i];
    return all;
}

static double *product(int n) {
    double *memory = malloc(3 * sizeof(double) * (size_t)n * (size_t)n);
    if (memory == NULL)
        exit(3);
    multiply(memory, n);
    return memory;
}

static void say(const char *what, double value) {
    printf("%s %.3f\n", what, value);
    fflush(stdout);
}

static void *many(void *given) {
    const int n = 4 + *(int *)given;
    double *all = malloc(sizeof *all);
    *all = 0;
    for (int i = 0; i < 200; i++) {
        double *memory = product(n);
        *all += sum(memory + 2 * n * n, (size_t)(n * n));
        free(memory);
    }
    return all;
}

static void threads(void) {
    pthread_t thread[4];
    int which[4] = {0, 1, 2, 3};
    for (int i = 0; i < 4; i++) pthread_create(&thread[i], NULL, many, &which[i]);
    for (int i = 0; i < 4; i++) {
        void *all;
        pthread_join(thread[i], &all);
        say("thread", *(double *)all);
        free(all);
    }
}

static void forks(void) {
    double *memory = product(10);
    say("parent", memory[200]);
    const pid_t child = fork();
    if (child == 0) {
        multiply(memory, 10);
        multiply(memory, 10);
        say("child", memory[200]);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    multiply(memory, 10);
    free(memory);
}

// Memory is given back in every way, and used again.
static void frees(void) {
    double *memory = product(10);
    free(memory);
    memory = product(10);
    memory = realloc(memory, 100000);
    multiply(memory, 10);
    memory = reallocarray(memory, 1000, 1000);
    free(memory);
    const size_t bytes = 1 << 20;
    double *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    multiply(map, 100);
    map = mremap(map, bytes, 2 * bytes, MREMAP_MAYMOVE);
    multiply(map, 100);
    map = mmap(map, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    multiply(map, 100);
    say("map", sum(map, 30000));
    munmap(map, bytes);
}

// What the program opens after it has closed all is its own.
static void closes(const char *path) {
    double *memory = product(10);
    for (int fd = 3; fd < 1024; fd++) close(fd);
    for (int i = 3; i < 400; i++)
        if (open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) < 0)
            exit(3);
    multiply(memory, 10);
    say("closed", memory[200]);
    free(memory);
}

// Not one byte is left: SOONER, before the first call.
static void exhausts(int sooner) {
    static double memory[2][300];
    if (!sooner)
        multiply(memory[0], 10);
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_AS, &none);
    size_t size = 1 << 20;
    while (size >= 16)
        if (malloc(size) == NULL)
            size /= 2;
    for (int i = 0; i < 100; i++) {
        multiply(memory[1], 10);
        multiply(memory[0] + i, 4);
    }
    char line[100];
    const int n = snprintf(line, sizeof line, "exhausted %.3f\n", memory[1][200]);
    if (write(1, line, (size_t)n) != n)
        exit(3);
    _exit(0);
}

static void solves(void) {
    double a[16] = {4, 1, 0, 0, 1, 4, 1, 0, 0, 1, 4, 1, 0, 0, 1, 4}, b[4] = {1, 2, 3, 4};
    int pivots[4], info;
    const int n = 4, one = 1;
    dgesv_(&n, &one, a, &n, pivots, b, &n, &info);
    say("solved", sum(b, 4));
    double c[4] = {0};
    cblas_dgemm(101, 111, 112, 2, 2, 2, 1, a, 2, a + 4, 3, 0, c, 2);
    say("by rows", sum(c, 4));
}

// Factorisations of contents that come again, that differ by a byte, or beside what is read.
static void factors(void) {
    enum { N = 32, LD = 40 };
    static double base[N * N], a[LD * N], b[N];
    int pivots[N], info;
    const int n = N, ld = LD, one = 1;
    double all = 0;
    for (int i = 0; i < N * N; i++) base[i] = i % (N + 1) == 0 ? N : 1 / (2.0 + i % 13);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < i; k++) base[k * N + i] = base[i * N + k];
    for (int i = 0; i < 6; i++) {  // the last has a byte of its own
        memcpy(a, base, sizeof base);
        ((unsigned char *)a)[1001] ^= i == 5;
        for (int k = 0; k < N; k++) b[k] = i + k;
        dgesv_(&n, &one, a, &n, pivots, b, &n, &info);
        all += sum(b, N) + info;
    }
    for (int i = 0; i < N; i++) memcpy(a + i * LD, base + i * N, N * sizeof(double));
    dgetrf_(&n, &n, a, &ld, pivots, &info);
    all += sum(a, N) + info;
    for (int i = 0; i < 3; i++) {
        memcpy(a, base, sizeof base);
        a[i < 2 ? N : 1] += i;  // in the upper triangle, which is not read, or the lower
        dpotrf_("L", &n, a, &n, &info, 1);
        all += sum(a, N) + info;
    }
    say("factors", all);
}

static uint64_t cpu_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

// CPU time of a call, least of COUNT; of small ones, a hundred thousand together.
static void times(int n, int count) {
    double *memory = product(n);
    const double one = 1, zero = 0;
    const size_t size = (size_t)n * (size_t)n;
    const int each = n < 16 ? 100000 : 1;
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < count; i++) {
        const uint64_t from = cpu_ns();
        for (int k = 0; k < each; k++)
            dgemm_("N", "N", &n, &n, &n, &one, memory, &n, memory + size, &n, &zero,
                   memory + 2 * size, &n, 1, 1);
        const uint64_t took = cpu_ns() - from;
        least = took < least ? took : least;
    }
    printf("%.1f\n", (double)least / each);
    free(memory);
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "threads") == 0)
        threads();
    else if (strcmp(what, "fork") == 0)
        forks();
    else if (strcmp(what, "free") == 0)
        frees();
    else if (strcmp(what, "close") == 0)
        closes(argv[2]);
    else if (strcmp(what, "exhaust") == 0)
        exhausts(argc > 2);
    else if (strcmp(what, "solve") == 0)
        solves();
    else if (strcmp(what, "factors") == 0)
        factors();
    else if (strcmp(what, "time") == 0 && argc > 3)
        times(atoi(argv[2]), atoi(argv[3]));
    else
        return 3;
    return 0;
}
