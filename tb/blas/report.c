// SPDX-License-Identifier: Apache-2.0
// report.c: programs whose reports are known by construction (tb/blas/report.sh).
//
//   shapes        products of known shapes, by columns and by rows
//   many          products of ever other shapes from one place
//   sides         the CPU reads what a product wrote, and writes what it reads, 10 times
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *,
            const double *, const int *, const double *, const int *, const double *, double *,
            const int *, size_t, size_t);
void dsyrk_(const char *, const char *, const int *, const int *, const double *, const double *,
            const int *, const double *, double *, const int *, size_t, size_t);
void cblas_dgemm(int, int, int, int, int, int, double, const double *, int, const double *, int,
                 double, double *, int);

enum { ROWS = 101, STAYS = 111, SIDE = 200, TIMES = 10 };

static double *matrix(int rows, int columns) {
    const size_t n = (size_t)rows * (size_t)columns;
    double *is = malloc(n * sizeof *is);
    if (is == NULL)
        exit(3);
    for (size_t i = 0; i < n; i++) is[i] = (double)(i % 7);
    return is;
}

__attribute__((noinline)) static void columns(int m, int n, int k) {
    const double one = 1, zero = 0;
    double *a = matrix(m, k), *b = matrix(k, n), *c = matrix(m, n);
    dgemm_("N", "N", &m, &n, &k, &one, a, &m, b, &k, &zero, c, &m, 1, 1);
    printf("%.0f\n", c[0]);
    free(a);
    free(b);
    free(c);
}

__attribute__((noinline)) static void rows(int m, int n, int k) {
    double *a = matrix(m, k), *b = matrix(k, n), *c = matrix(m, n);
    cblas_dgemm(ROWS, STAYS, STAYS, m, n, k, 1, a, k, b, n, 0, c, n);
    printf("%.0f\n", c[0]);
    free(a);
    free(b);
    free(c);
}

static void shapes(void) {
    const int n = 90, k = 30;
    const double one = 1, zero = 0;
    double *a = matrix(n, k), *c = matrix(n, n);
    for (int i = 0; i < 5; i++) columns(40, 50, 60);
    for (int i = 0; i < 2; i++) columns(100, 100, 100);
    for (int i = 0; i < 3; i++) rows(30, 70, 20);
    dsyrk_("U", "N", &n, &k, &one, a, &n, &zero, c, &n, 1, 1);
    printf("%.0f\n", c[0]);
    free(a);
    free(c);
}

__attribute__((noinline)) static double read_all(const double *from) {
    double sum = 0;
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++) sum += from[i];
    return sum;
}

__attribute__((noinline)) static void write_all(double *to, int value) {
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++) to[i] = value;
}

static void sides(void) {
    const int n = SIDE;
    const double one = 1, zero = 0;
    double *a = matrix(n, n), *b = matrix(n, n), *c = matrix(n, n), sum = 0;
    for (int i = 0; i < TIMES; i++) {
        write_all(a, i);
        dgemm_("N", "N", &n, &n, &n, &one, a, &n, b, &n, &zero, c, &n, 1, 1);
        sum += read_all(c);
    }
    printf("%.0f\n", sum);
    free(a);
    free(b);
    free(c);
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "shapes") == 0)
        shapes();
    else if (strcmp(what, "many") == 0)
        for (int i = 0; i < 20; i++) columns(30 + i, 40, 50);
    else if (strcmp(what, "sides") == 0)
        sides();
    else
        return 2;
    return 0;
}
