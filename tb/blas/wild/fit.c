// SPDX-License-Identifier: Apache-2.0
// fit.c: GSL, linked with the cblas of BLAS in place of its own: products, a Cholesky solution, a
// fit by least squares.
#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit.h>
#include <stdio.h>

int main(void) {
    const size_t n = 150, columns = 20;
    gsl_matrix *a = gsl_matrix_alloc(n, n), *s = gsl_matrix_calloc(n, n);
    gsl_vector *b = gsl_vector_alloc(n), *x = gsl_vector_alloc(n);
    unsigned long state = 1;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            state = state * 6364136223846793005ul + 1442695040888963407ul;
            gsl_matrix_set(a, i, k, (double)(state >> 33) / 2147483648.0);
        }
        gsl_vector_set(b, i, (double)(i % 13));
    }
    gsl_blas_dgemm(CblasNoTrans, CblasTrans, 1, a, a, 0, s);
    for (size_t i = 0; i < n; i++) gsl_matrix_set(s, i, i, gsl_matrix_get(s, i, i) + 1);
    gsl_matrix *l = gsl_matrix_alloc(n, n);
    gsl_matrix_memcpy(l, s);
    gsl_linalg_cholesky_decomp1(l);
    gsl_linalg_cholesky_solve(l, b, x);
    printf("solution %.12g\n", gsl_blas_dasum(x));
    gsl_matrix_view some = gsl_matrix_submatrix(a, 0, 0, n, columns);
    gsl_multifit_linear_workspace *work = gsl_multifit_linear_alloc(n, columns);
    gsl_vector *c = gsl_vector_alloc(columns);
    gsl_matrix *cov = gsl_matrix_alloc(columns, columns);
    double chisq;
    gsl_multifit_linear(&some.matrix, b, c, cov, &chisq, work);
    printf("fit %.12g %.12g\n", gsl_blas_dasum(c), chisq);
    return 0;
}
