// SPDX-License-Identifier: Apache-2.0
// sparse.c: SuiteSparse: a Poisson matrix of 60 × 60 points is solved by UMFPACK and by CHOLMOD,
// whose dense blocks are BLAS's.
#include <stdio.h>
#include <stdlib.h>
#include <suitesparse/cholmod.h>
#include <suitesparse/umfpack.h>

enum { SIDE = 60, N = SIDE * SIDE };

static int start[N + 1], row[5 * N];
static double value[5 * N], x[N], b[N];

int main(void) {
    int used = 0;
    for (int c = 0; c < N; c++) {
        const int near[5] = {c - SIDE, c - 1, c, c + 1, c + SIDE};
        start[c] = used;
        for (int k = 0; k < 5; k++) {
            const int r = near[k];
            if (r < 0 || r >= N || (k == 1 && c % SIDE == 0) || (k == 3 && r % SIDE == 0))
                continue;
            row[used] = r;
            value[used++] = k == 2 ? 4.0 + c % 7 : -1.0;
        }
        b[c] = 1 + c % 11;
    }
    start[N] = used;
    void *symbolic = NULL, *numeric = NULL;
    if (umfpack_di_symbolic(N, N, start, row, value, &symbolic, NULL, NULL) != UMFPACK_OK ||
        umfpack_di_numeric(start, row, value, symbolic, &numeric, NULL, NULL) != UMFPACK_OK ||
        umfpack_di_solve(UMFPACK_A, start, row, value, x, b, numeric, NULL, NULL) != UMFPACK_OK)
        return 1;
    double sum = 0;
    for (int i = 0; i < N; i++) sum += x[i];
    printf("umfpack %.12g\n", sum);
    umfpack_di_free_symbolic(&symbolic);
    umfpack_di_free_numeric(&numeric);

    cholmod_common c;
    (void)cholmod_start(&c);
    c.supernodal = CHOLMOD_SUPERNODAL;
    cholmod_sparse *a = cholmod_allocate_sparse(N, N, (size_t)used, 1, 1, 1, CHOLMOD_REAL, &c);
    cholmod_dense *right = cholmod_zeros(N, 1, CHOLMOD_REAL, &c);
    if (a == NULL || right == NULL)
        return 1;
    for (int i = 0; i <= N; i++) ((int *)a->p)[i] = start[i];
    for (int i = 0; i < used; i++) {
        ((int *)a->i)[i] = row[i];
        ((double *)a->x)[i] = value[i];
    }
    for (int i = 0; i < N; i++) ((double *)right->x)[i] = b[i];
    cholmod_factor *l = cholmod_analyze(a, &c);
    (void)cholmod_factorize(a, l, &c);
    cholmod_dense *solution = cholmod_solve(CHOLMOD_A, l, right, &c);
    sum = 0;
    for (int i = 0; i < N; i++) sum += ((double *)solution->x)[i];
    printf("cholmod %.12g\n", sum);
    (void)cholmod_free_dense(&solution, &c);
    (void)cholmod_free_dense(&right, &c);
    (void)cholmod_free_factor(&l, &c);
    (void)cholmod_free_sparse(&a, &c);
    (void)cholmod_finish(&c);
    return 0;
}
