// SPDX-License-Identifier: Apache-2.0
// drivers.c: a program that calls LAPACK's drivers, small routines, and routines outside the table,
// as tb/blas/drivers.sh asks. It prints sums, which do not depend on whether it is recorded.
#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void dgesdd_(const char *job, const int *m, const int *n, double *a, const int *lda, double *s,
             double *u, const int *ldu, double *vt, const int *ldvt, double *work, const int *lwork,
             int *iwork, int *info, size_t);
void zheevd_(const char *job, const char *uplo, const int *n, double *a, const int *lda, double *w,
             double *work, const int *lwork, double *rwork, const int *lrwork, int *iwork,
             const int *liwork, int *info, size_t, size_t);
double ddot_(const int *n, const double *x, const int *incx, const double *y, const int *incy);
float sdot_(const int *n, const float *x, const int *incx, const float *y, const int *incy);
float snrm2_(const int *n, const float *x, const int *incx);
int idamax_(const int *n, const double *x, const int *incx);
void drot_(const int *n, double *x, const int *incx, double *y, const int *incy, const double *c,
           const double *s);
void dscal_(const int *n, const double *alpha, double *x, const int *incx);
double dlange_(const char *norm, const int *m, const int *n, const double *a, const int *lda,
               double *work, size_t);
float slange_(const char *norm, const int *m, const int *n, const float *a, const int *lda,
              float *work, size_t);
void dgesvx_(const char *fact, const char *trans, const int *n, const int *nrhs, double *a,
             const int *lda, double *af, const int *ldaf, int *pivots, char *equed, double *r,
             double *c, double *b, const int *ldb, double *x, const int *ldx, double *rcond,
             double *ferr, double *berr, double *work, int *iwork, int *info, size_t, size_t,
             size_t);
void zposvx_(const char *fact, const char *uplo, const int *n, const int *nrhs, double *a,
             const int *lda, double *af, const int *ldaf, char *equed, double *s, double *b,
             const int *ldb, double *x, const int *ldx, double *rcond, double *ferr, double *berr,
             double *work, double *rwork, int *info, size_t, size_t, size_t);
void dgeevx_(const char *balanc, const char *jobvl, const char *jobvr, const char *sense,
             const int *n, double *a, const int *lda, double *wr, double *wi, double *vl,
             const int *ldvl, double *vr, const int *ldvr, int *ilo, int *ihi, double *scale,
             double *abnrm, double *rconde, double *rcondv, double *work, const int *lwork,
             int *iwork, int *info, size_t, size_t, size_t, size_t);
void dggevx_(const char *balanc, const char *jobvl, const char *jobvr, const char *sense,
             const int *n, double *a, const int *lda, double *b, const int *ldb, double *alphar,
             double *alphai, double *beta, double *vl, const int *ldvl, double *vr, const int *ldvr,
             int *ilo, int *ihi, double *lscale, double *rscale, double *abnrm, double *bbnrm,
             double *rconde, double *rcondv, double *work, const int *lwork, int *iwork, int *bwork,
             int *info, size_t, size_t, size_t, size_t);
void dsgesv_(const int *n, const int *nrhs, const double *a, const int *lda, int *pivots,
             const double *b, const int *ldb, double *x, const int *ldx, double *work, float *swork,
             int *iter, int *info);
void cblas_dtbmv(int layout, int uplo, int trans, int diag, int n, int k, const double *a, int lda,
                 double *x, int incx);
void cblas_drotmg(double *d1, double *d2, double *x, double y, double *parameters);

enum { N = 80 };
static const int n = N, one = 1;

static double *numbers(size_t count) {
    double *all = malloc(count * sizeof *all);
    for (size_t i = 0; i < count; i++)
        all[i] = (double)(i * 7919 % 101) / 101 + (i % (N + 1) == 0 ? 3 : 0);
    return all;
}

static double sum(const double *x, size_t count) {
    double is = 0;
    for (size_t i = 0; i < count; i++) is += x[i] * (double)(i % 13 + 1);
    return is;
}

// The scratch memory was an operand before; the routine is asked for its size, and refuses a size
// that is too small.
static void svd(void) {
    const int ask = -1, small = 3, lwork = 60000;
    const double two = 2;
    double *a = numbers(N * N), *u = numbers(N * N), *vt = numbers(N * N), *s = numbers(N),
           *work = numbers(60000);
    int iwork[8 * N], info;
    dscal_(&lwork, &two, work, &one);
    dgesdd_("A", &n, &n, a, &n, s, u, &n, vt, &n, work, &ask, iwork, &info, 1);
    printf("asked: info %d\n", info);
    dgesdd_("A", &n, &n, a, &n, s, u, &n, vt, &n, work, &small, iwork, &info, 1);
    printf("refused: info %d\n", info);
    dgesdd_("A", &n, &n, a, &n, s, u, &n, vt, &n, work, &lwork, iwork, &info, 1);
    printf("svd: info %d, %.12g %.12g\n", info, sum(s, N), sum(u, N * N) * sum(vt, N * N));
}

static void eigen(void) {
    const int lwork = 2 * N + N * N, lrwork = 1 + 5 * N + 2 * N * N, liwork = 3 + 5 * N;
    double *a = numbers(2 * N * N), *w = numbers(N), *work = numbers(2 * (size_t)lwork),
           *rwork = numbers((size_t)lrwork);
    int *iwork = calloc((size_t)liwork, sizeof *iwork), info;
    zheevd_("V", "L", &n, a, &n, w, work, &lwork, rwork, &lrwork, iwork, &liwork, &info, 1, 1);
    printf("eigen: info %d, %.12g\n", info, sum(w, N));
}

// Expert drivers. What they find is printed: letters, numbers, and the scratch memory's first.
// Vectors have LONG elements: small ones have no pages of their own.
enum { LONG = 600 };
static void solve(const char *fact, double row, char equed) {
    const int three = 3;
    double *a = numbers(N * N), *af = numbers(N * N), *b = numbers(LONG), *x = numbers(LONG),
           *r = numbers(LONG), *c = numbers(LONG), *ferr = numbers(LONG), *berr = numbers(LONG),
           *work = numbers(LONG), rcond = -1;
    int *pivots = calloc(2 * LONG, sizeof *pivots), *iwork = calloc(2 * LONG, sizeof *iwork), info;
    for (int i = 0; i < N; i++) {
        pivots[i] = i + 1;
        for (int j = 0; j < N && i % 2 == 0; j++) a[i + j * N] *= row;
    }
    dgesvx_(fact, "N", &n, &three, a, &n, af, &n, pivots, &equed, r, c, b, &n, x, &n, &rcond, ferr,
            berr, work, iwork, &info, 1, 1, 1);
    printf("dgesvx %s: info %d, %c %.9g %.9g, %.9g %.9g %.9g %.9g\n", fact, info, equed, rcond,
           work[0], sum(a, N * N), sum(b, 3 * N), sum(x, 3 * N), sum(berr, 3) + sum(ferr, 3));
}

static void expert(void) {
    const int three = 3, lwork = 20000;
    int *iwork = calloc(2 * LONG, sizeof *iwork), *flags = calloc(2 * LONG, sizeof *flags), ilo,
        ihi, info;
    double *a = numbers(2 * N * N), *b = numbers(2 * N * N), *vl = numbers(2 * N * N),
           *vr = numbers(N * N), *work = numbers(20000), *v[8], found[3] = {-1, -1, -1};
    char equed = '?';
    for (int i = 0; i < 8; i++) v[i] = numbers(LONG);
    solve("N", 1, '?');
    solve("E", 1, '?');                                     // nothing to scale
    solve("E", 1e-6, '?');                                  // rows
    solve("F", 1, 'B');                                     // both sides were
    for (int i = 0; i < N; i++) a[2 * (i * N + i)] += 100;  // definite
    zposvx_("E", "U", &n, &three, a, &n, b, &n, &equed, v[0], vl, &n, vr, &n, &found[0], v[1], v[2],
            work, v[3], &info, 1, 1, 1);
    printf("zposvx: info %d, %c %.9g, %.9g\n", info, equed, found[0], sum(vr, 2 * 3 * N));
    a = numbers(N * N);
    dgeevx_("B", "V", "V", "B", &n, a, &n, v[0], v[1], vl, &n, vr, &n, &ilo, &ihi, v[2], &found[0],
            v[3], v[4], work, &lwork, iwork, &info, 1, 1, 1, 1);
    printf("dgeevx: info %d, %d %d %.9g, %.9g %.9g\n", info, ilo, ihi, found[0], sum(v[0], N),
           sum(v[3], N));
    a = numbers(N * N);
    b = numbers(N * N + N);
    dggevx_("B", "N", "V", "B", &n, a, &n, b, &n, v[0], v[1], v[2], vl, &n, vr, &n, &ilo, &ihi,
            v[3], v[4], &found[1], &found[2], v[5], v[6], work, &lwork, iwork, flags, &info, 1, 1,
            1, 1);
    printf("dggevx: info %d, %d %d %.9g %.9g, %.9g %.9g\n", info, ilo, ihi, found[1], found[2],
           sum(v[0], N), sum(v[5], N));
}

// What is returned, by either precision.
static void returned(int count) {
    double *x = numbers(N), *y = numbers(N), all = 0;
    const double c = 0.6, s = 0.8;
    const float f[3] = {3, 4, 12};
    const int three = 3;
    for (int i = 0; i < count; i++) {
        drot_(&n, x, &one, y, &one, &c, &s);
        all += ddot_(&n, x, &one, y, &one) +
               (double)(sdot_(&three, f, &one, f, &one) + snrm2_(&three, f, &one)) +
               idamax_(&n, x, &one);
    }
    printf("returned: %.12g\n", all);
}

// The program's own, in place of the reference's, which ends the program.
#ifdef LEAVES
static jmp_buf back;
#endif
void xerbla_(const char *name, const int *info, size_t length);
void xerbla_(const char *name, const int *info, size_t length) {
    printf("%.6s refuses %d\n", name, length == 0 ? 0 : *info);
#ifdef LEAVES
    longjmp(back, 1);
#endif
}

static void others(void) {
    double *a = numbers(N * N), *b = numbers(3 * N), *x = numbers(3 * N), *work = numbers(4 * N);
    float *swork = calloc(N * (N + 3), sizeof *swork);
    int pivots[N], iter, info;
    const int two = 2, three = 3;
    const float f[4] = {1, 2, 3, 4.5f};
#ifdef LEAVES
    const int bad = -1;
    if (setjmp(back) == 0)
        dsgesv_(&bad, &three, a, &n, pivots, b, &n, x, &n, work, swork, &iter, &info);
#endif
    for (int i = 0; i < 4; i++)
        printf("norms: %.12g %.9g\n", dlange_("1", &n, &n, a, &n, work, 1),
               (double)slange_("M", &two, &two, f, &two, NULL, 1));
    dsgesv_(&n, &three, a, &n, pivots, b, &n, x, &n, work, swork, &iter, &info);
    double small[5] = {0}, d[2] = {1, 2}, at = 3;
    for (int i = 0; i < 3; i++) cblas_dtbmv(102, 121, 111, 131, N, 2, a, 3, x, 1);
    cblas_drotmg(&d[0], &d[1], &at, 4, small);
    printf("cblas: %.12g %.12g\n", sum(x, N), at + sum(small, 5));
    printf("others: info %d, %d %.12g\n", info, iter, sum(x, 3 * N));
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "drivers") == 0) {
        svd();
        eigen();
    } else if (strcmp(what, "expert") == 0) {
        expert();
    } else if (strcmp(what, "returned") == 0 && argc > 2) {
        returned(atoi(argv[2]));
    } else if (strcmp(what, "others") == 0) {
        others();
    } else {
        return 3;
    }
    return 0;
}
