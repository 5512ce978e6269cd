// SPDX-License-Identifier: Apache-2.0
// splits.c: a program whose calls use parts of matrices that other calls used as a whole, as
// ScaLAPACK's do: Cholesky's and Gauss's factorisations by blocks, each block a call. Between calls
// the program itself reads and writes rows, elements and columns. tb/blas_test.sh runs it in shadow
// execution, where a record of the whole is split. It writes all bytes of its matrices, which do
// not depend on whether they were on the GPU.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t);
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *pivots, int *info);
void dtrsm_(const char *side, const char *uplo, const char *trans, const char *diag, const int *m,
            const int *n, const double *alpha, const double *a, const int *lda, double *b,
            const int *ldb, size_t, size_t, size_t, size_t);
void dsyrk_(const char *uplo, const char *trans, const int *n, const int *k, const double *alpha,
            const double *a, const int *lda, const double *beta, double *c, const int *ldc, size_t,
            size_t);
void dgemm_(const char *ta, const char *tb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, size_t, size_t);

enum {
    N = 192,
    BLOCK = 48,
    WINDOW = 64,
    SHARED = 24,
    LD = N + 8,
    BYTES = LD * N * (int)sizeof(double)
};
static const int n = N, ld = LD;
static const double one = 1, minus = -1, zero = 0;

static double *matrix(unsigned seed) {
    double *a = malloc(BYTES);
    for (int i = 0; i < LD * N; i++) {
        seed = seed * 1664525 + 1013904223;
        a[i] = (double)(seed >> 8) / (1 << 24) - 0.5;
    }
    return a;
}

static double *at(double *a, int i, int j) {
    return a + i + (ptrdiff_t)j * LD;
}

// What the program does to the rest of a matrix, of which the GPU has the newest bytes: the next
// block of columns is written as a whole, so that of these bytes nothing is on the GPU any more.
// Behind them elements are read and written.
static double meanwhile(double *a, int from) {
    double sum = 0;
    for (int j = from; j < from + BLOCK; j++) {
        *at(a, j, j) += 0.25;
        for (int i = 0; i < N; i++) *at(a, i, j) *= 1.0 + 1.0 / 1024;
    }
    for (int j = from + BLOCK; j < N; j++) sum += *at(a, j, j);
    for (int j = from + BLOCK; j < N; j += 7) *at(a, j, j) += 0.25;
    return sum;
}

static double cholesky(double *a) {
    double sum = 0;
    int info = 0;
    for (int k = 0; k < N; k += BLOCK) {
        const int nb = BLOCK, rest = N - k - BLOCK;
        dpotrf_("L", &nb, at(a, k, k), &ld, &info, 1);
        if (info != 0)
            exit(4);
        if (rest == 0)
            break;
        dtrsm_("R", "L", "T", "N", &rest, &nb, &one, at(a, k, k), &ld, at(a, k + nb, k), &ld, 1, 1,
               1, 1);
        for (int j = k + nb; j < N; j += nb) {
            const int below = N - j - nb;
            dsyrk_("L", "N", &nb, &nb, &minus, at(a, j, k), &ld, &one, at(a, j, j), &ld, 1, 1);
            if (below > 0)
                dgemm_("N", "T", &below, &nb, &nb, &minus, at(a, j + nb, k), &ld, at(a, j, k), &ld,
                       &one, at(a, j + nb, j), &ld, 1, 1);
        }
        sum += meanwhile(a, k + nb);
    }
    return sum;
}

static double gauss(double *a, int *pivots) {
    double sum = 0;
    int info = 0;
    for (int k = 0; k < N; k += BLOCK) {
        const int nb = BLOCK, rows = N - k, rest = N - k - nb;
        dgetrf_(&rows, &nb, at(a, k, k), &ld, pivots, &info);
        if (info != 0)
            exit(5);
        for (int i = 0; i < nb; i++)  // the program exchanges the rows beside itself
            for (int j = 0; j < N && pivots[i] - 1 != i; j++)
                if (j < k || j >= k + nb) {
                    const double was = *at(a, k + i, j);
                    *at(a, k + i, j) = *at(a, k + pivots[i] - 1, j);
                    *at(a, k + pivots[i] - 1, j) = was;
                }
        if (rest == 0)
            break;
        dtrsm_("L", "L", "N", "U", &nb, &rest, &one, at(a, k, k), &ld, at(a, k, k + nb), &ld, 1, 1,
               1, 1);
        dgemm_("N", "N", &rest, &rest, &nb, &minus, at(a, k + nb, k), &ld, at(a, k, k + nb), &ld,
               &one, at(a, k + nb, k + nb), &ld, 1, 1);
        sum += meanwhile(a, k + nb);
    }
    return sum;
}

// C = A B by windows of columns, each with some of the one before, which is to the left, or,
// BACKWARDS, to the right. The program writes what two windows share in between: of B the shared
// columns, so that the record of the window before has nothing on the GPU there, and is split.
static void windows(double *a, double *sum, int backwards) {
    double *b = matrix(4), *c = matrix(5);
    const int columns = WINDOW, step = WINDOW - SHARED, count = (N - WINDOW) / step + 1;
    for (int w = 0; w < count; w++) {
        const int from = step * (backwards ? count - 1 - w : w);
        const int shared = backwards ? from + step : from;
        for (int j = shared; j < shared + SHARED; j++)
            for (int i = 0; i < LD; i++) {
                *at(b, i, j) = *at(b, i, j) / 2 + *at(a, i, j);
                *at(c, i, j) /= 2;
            }
        dgemm_("N", "N", &n, &columns, &n, &one, a, &ld, at(b, 0, from), &ld, &one, at(c, 0, from),
               &ld, 1, 1);
    }
    for (int j = 0; j < SHARED; j++)
        for (int i = 0; i < LD; i++) *at(c, i, j) *= 2;
    dgemm_("N", "N", &n, &n, &n, &one, b, &ld, c, &ld, &one, sum, &ld, 1, 1);
    free(b);
    free(c);
}

int main(void) {
    double *a = matrix(1), *b = matrix(2), *c = matrix(3), sum = 0;
    int *pivots = calloc(BYTES, 1);
    for (int round = 0; round < 2; round++) {
        // as a whole: C = A A' + N, B = A C
        dsyrk_("L", "N", &n, &n, &one, a, &ld, &zero, c, &ld, 1, 1);
        for (int j = 0; j < N; j++) *at(c, j, j) += N;
        sum += cholesky(c);
        dgemm_("N", "N", &n, &n, &n, &one, a, &ld, c, &ld, &zero, b, &ld, 1, 1);
        sum += gauss(b, pivots);
        dgemm_("N", "T", &n, &n, &n, &one, b, &ld, c, &ld, &one, a, &ld, 1, 1);
        for (int i = 0; i < LD * N; i++) a[i] /= 1024;
        windows(a, c, round % 2);
    }
    fwrite(&sum, sizeof sum, 1, stdout);
    fwrite(a, 1, BYTES, stdout);
    fwrite(b, 1, BYTES, stdout);
    fwrite(c, 1, BYTES, stdout);
    fwrite(pivots, 1, BYTES, stdout);
    return 0;
}
