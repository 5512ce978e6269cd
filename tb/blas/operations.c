// SPDX-License-Identifier: Apache-2.0
// operations.c: ROUTINE LETTERS M N K: calls a driver of LAPACK in double precision once, on random
// numbers, for scripts/blas_operations.py to count what the call does. LETTERS are the routine's,
// in order. Scratch memory is large enough for any.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// (as the routines have it: pointers alone)
typedef void routine();
// clang-format off
#define ROUTINES(R)                                                                            \
    R(dgees) R(dgeev) R(dgeevx) R(dggev) R(dggevx) R(dgesdd) R(dgesvd) R(dsyev) R(dsyevd)      \
    R(dsyevr) R(dsygv) R(dsygvd) R(dgelsd) R(dgelss) R(dgelsy) R(dgecon) R(dpocon) R(dgesvx)   \
    R(dposvx) R(dgemm) R(dgehrd)
// clang-format on
#define DECLARE(name) routine name##_;
ROUTINES(DECLARE)

static double number(void) {
    static unsigned long long state = 88172645463325252ULL;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) / 9007199254740992.0 - 0.5;
}

static double *matrix(int rows, int columns, int definite) {
    double *a = malloc(sizeof *a * (size_t)rows * (size_t)columns);
    for (long i = 0; i < (long)rows * columns; i++) a[i] = number();
    for (int i = 0; i < rows && i < columns && definite; i++) a[(long)i * rows + i] += 2 * rows;
    return a;
}

static int none(const double *real, const double *imaginary) {
    (void)real;
    (void)imaginary;
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 6)
        return 2;
    const char *name = argv[1], *letter = argv[2];
    int m = atoi(argv[3]), n = atoi(argv[4]), k = atoi(argv[5]), large = m > n ? m : n;
    int definite = strncmp(name, "dpo", 3) == 0 || strncmp(name, "dsyg", 4) == 0;
    int lwork = 40 * (m + n) + 8 * large * large + 1000, liwork = 20 * (m + n) + 1000;
    int info = -1, low = 1, high = n, found, type = 1;
    double *a = matrix(m, n, definite), *b = matrix(large, large > k ? large : k, definite),
           *u = matrix(large, large, 0), *v = matrix(large, large, 0), *x = matrix(large, k, 0),
           *work = malloc(sizeof *work * (size_t)lwork);
    double *w[8], zero = 0, one = 1, small = -1, condition, norm[2];
    int *iwork = malloc(sizeof *iwork * (size_t)liwork),
        *flags = calloc((size_t)large, sizeof *flags),
        *pivots = calloc(2 * (size_t)large, sizeof *pivots);
    char equed = 'N';
    for (int i = 0; i < 8; i++) w[i] = matrix(large, 1, 0);
#define IS(routine) (strcmp(name, routine) == 0)
    if (IS("dgees"))
        dgees_(letter, "N", none, &n, a, &n, &found, w[0], w[1], v, &n, work, &lwork, flags, &info);
    else if (IS("dgeev"))
        dgeev_(letter, letter + 1, &n, a, &n, w[0], w[1], u, &n, v, &n, work, &lwork, &info);
    else if (IS("dgeevx"))
        dgeevx_(letter, letter + 1, letter + 2, letter + 3, &n, a, &n, w[0], w[1], u, &n, v, &n,
                &low, &high, w[2], norm, w[3], w[4], work, &lwork, iwork, &info);
    else if (IS("dggev"))
        dggev_(letter, letter + 1, &n, a, &n, b, &large, w[0], w[1], w[2], u, &n, v, &n, work,
               &lwork, &info);
    else if (IS("dggevx"))
        dggevx_(letter, letter + 1, letter + 2, letter + 3, &n, a, &n, b, &large, w[0], w[1], w[2],
                u, &n, v, &n, &low, &high, w[3], w[4], norm, norm + 1, w[5], w[6], work, &lwork,
                iwork, flags, &info);
    else if (IS("dgesdd"))
        dgesdd_(letter, &m, &n, a, &m, w[0], u, &m, v, &n, work, &lwork, iwork, &info);
    else if (IS("dgesvd"))
        dgesvd_(letter, letter + 1, &m, &n, a, &m, w[0], u, &m, v, &n, work, &lwork, &info);
    else if (IS("dsyev"))
        dsyev_(letter, "L", &n, a, &n, w[0], work, &lwork, &info);
    else if (IS("dsyevd"))
        dsyevd_(letter, "L", &n, a, &n, w[0], work, &lwork, iwork, &liwork, &info);
    else if (IS("dsyevr"))
        dsyevr_(letter, "A", "L", &n, a, &n, &zero, &zero, &low, &high, &zero, &found, w[0], v, &n,
                pivots, work, &lwork, iwork, &liwork, &info);
    else if (IS("dsygv"))
        dsygv_(&type, letter, "L", &n, a, &n, b, &large, w[0], work, &lwork, &info);
    else if (IS("dsygvd"))
        dsygvd_(&type, letter, "L", &n, a, &n, b, &large, w[0], work, &lwork, iwork, &liwork,
                &info);
    else if (IS("dgelsd"))
        dgelsd_(&m, &n, &k, a, &m, b, &large, w[0], &small, &found, work, &lwork, iwork, &info);
    else if (IS("dgelss"))
        dgelss_(&m, &n, &k, a, &m, b, &large, w[0], &small, &found, work, &lwork, &info);
    else if (IS("dgelsy"))
        dgelsy_(&m, &n, &k, a, &m, b, &large, pivots, &small, &found, work, &lwork, &info);
    else if (IS("dgecon"))
        dgecon_("1", &n, a, &n, &one, &condition, work, iwork, &info);
    else if (IS("dpocon"))
        dpocon_("L", &n, a, &n, &one, &condition, work, iwork, &info);
    else if (IS("dgesvx"))
        dgesvx_(letter, "N", &n, &k, a, &n, u, &n, pivots, &equed, w[0], w[1], b, &large, x, &large,
                &condition, w[2], w[3], work, iwork, &info);
    else if (IS("dposvx"))
        dposvx_(letter, "L", &n, &k, a, &n, u, &n, &equed, w[0], b, &large, x, &large, &condition,
                w[2], w[3], work, iwork, &info);
    else if (IS("dgehrd"))
        dgehrd_(&n, &low, &high, a, &n, w[0], work, &lwork, &info);
    else if (IS("dgemm")) {
        dgemm_("N", "N", &n, &n, &n, &one, a, &n, b, &n, &zero, v, &n);
        info = 0;
    }
    if (info != 0)
        fprintf(stderr, "operations: %s: info %d\n", name, info);
    return info != 0;
}
