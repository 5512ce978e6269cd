// SPDX-License-Identifier: Apache-2.0
// mvt.c: x1 += A y1, x2 += A^T y2, the two grids of PolyBench/GPU's mvt.
//
//   grid 1, thread i:  for j:  x1[i] += A[i*n + j] * y1[j]      a warp touches 32 rows of A
//   grid 2, thread i:  for j:  x2[i] += A[j*n + i] * y2[j]      a warp touches one row of A
//
// The sum is loaded once and stored in every iteration: 3N + 1 accesses a thread (RDGC, Table 4).
#include "simt/kernels/kernels.h"
#include "simt/kernels/poly.h"
#include "simt/warp.h"

enum { A, X1, X2, Y1, Y2, ARRAYS };
enum { LOAD_X, LOAD_A, LOAD_Y, STORE_X, SITES };  // of each grid

typedef struct {
    WARP_STATE;
    uint64_t k;
    float sum[GMMU_WARP], a[GMMU_WARP], y[GMMU_WARP];
} regs;

static void *mvt_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t n = p->size;
    const poly_array shape[ARRAYS] = {[A] = {"A", n * n, true},
                                      [X1] = {"x1", n, true},
                                      [X2] = {"x2", n, true},
                                      [Y1] = {"y1", n, true},
                                      [Y2] = {"y2", n, true}};
    poly *s = poly_create("mvt", p, space, shape, ARRAYS, X2, err);
    if (s != NULL)
        s->work = 2 * (double)n * (double)n;
    return s;
}

static gmmu_simt_event mvt_step(void *self, const gmmu_simt_warp *w, void *registers,
                                gmmu_simt_op *op) {
    poly *s = self;
    regs *r = registers;
    bool rows = s->grids == 1;
    unsigned site = rows ? 0 : SITES;
    const gmmu_array *x = s->array[rows ? X1 : X2];
    const gmmu_array *y = s->array[rows ? Y1 : Y2];
    WARP_BEGIN;
    IF(GID < s->n) {
        LD(site + LOAD_X, x, GID, r->sum);
        for (r->k = 0; r->k < s->n; r->k++) {
            LD(site + LOAD_A, s->array[A], rows ? GID * s->n + r->k : r->k * s->n + GID, r->a);
            LD(site + LOAD_Y, y, r->k, r->y);
            EACH r->sum[lane] += r->a[lane] * r->y[lane];
            ST(site + STORE_X, x, float, GID, r->sum[lane]);
            s->done += lanes_count(r->warp.mask);
        }
    }
    ENDIF;
    WARP_END;
}

// PolyBench's sequential code.
static void mvt_plain(const poly *s, float *const host[]) {
    uint64_t n = s->n;
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < n; j++) host[X1][i] += host[A][i * n + j] * host[Y1][j];
    for (uint64_t j = 0; j < n; j++)
        for (uint64_t i = 0; i < n; i++) host[X2][i] += host[A][j * n + i] * host[Y2][j];
}

static int mvt_check(const void *self, gmmu_error *err) {
    return poly_check(self, mvt_plain, err);
}

const gmmu_simt_kernel gmmu_simt_mvt = {.name = "mvt",
                                        .size_text = "rows and columns of the matrix",
                                        .default_size = 1024,
                                        .max_size = 32768,
                                        .regs = sizeof(regs),
                                        .create = mvt_create,
                                        .destroy = poly_destroy,
                                        .launch = poly_launch_lines,
                                        .step = mvt_step,
                                        .progress = poly_progress,
                                        .check = mvt_check,
                                        .result = poly_result};
