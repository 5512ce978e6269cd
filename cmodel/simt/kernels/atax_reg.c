// SPDX-License-Identifier: Apache-2.0
// atax_reg.c: y += A^T (tmp += A x), as atax, but in PolyBench/GPU's single precision and with the
// loads that compiled code has.
//
//   grid 1, thread i:  for j:  tmp[i] += A[i*n + j] * x[j]      a warp touches 32 rows of A
//   grid 2, thread j:  for i:  y[j]   += A[i*n + j] * tmp[i]    a warp touches one row of A
//
// The sum is loaded once and stored in every iteration: 1 + 3N accesses a thread (RDGC, Table 4).
#include "simt/kernels/kernels.h"
#include "simt/kernels/poly.h"
#include "simt/warp.h"

enum { A, X, TMP, Y, ARRAYS };
enum { LOAD_SUM, LOAD_A, LOAD_VECTOR, STORE_SUM, SITES };  // of each grid

typedef struct {
    WARP_STATE;
    uint64_t k;
    float sum[GMMU_WARP], a[GMMU_WARP], vector[GMMU_WARP];
} regs;

static void *atax_reg_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t n = p->size;
    const poly_array shape[ARRAYS] = {[A] = {"A", n * n, true},
                                      [X] = {"x", n, true},
                                      [TMP] = {"tmp", n, false},
                                      [Y] = {"y", n, false}};
    poly *s = poly_create("atax_reg", p, space, shape, ARRAYS, Y, err);
    if (s != NULL)
        s->work = 2 * (double)n * (double)n;
    return s;
}

static gmmu_simt_event atax_reg_step(void *self, const gmmu_simt_warp *w, void *registers,
                                     gmmu_simt_op *op) {
    poly *s = self;
    regs *r = registers;
    bool rows = s->grids == 1;
    unsigned site = rows ? 0 : SITES;
    const gmmu_array *out = s->array[rows ? TMP : Y];
    const gmmu_array *vector = s->array[rows ? X : TMP];
    WARP_BEGIN;
    IF(GID < s->n) {
        LD(site + LOAD_SUM, out, GID, r->sum);
        for (r->k = 0; r->k < s->n; r->k++) {
            LD(site + LOAD_A, s->array[A], rows ? GID * s->n + r->k : r->k * s->n + GID, r->a);
            LD(site + LOAD_VECTOR, vector, r->k, r->vector);
            EACH r->sum[lane] += r->a[lane] * r->vector[lane];
            ST(site + STORE_SUM, out, float, GID, r->sum[lane]);
            s->done += lanes_count(r->warp.mask);
        }
    }
    ENDIF;
    WARP_END;
}

// PolyBench's sequential code.
static void atax_reg_plain(const poly *s, float *const host[]) {
    uint64_t n = s->n;
    for (uint64_t i = 0; i < n; i++) {
        for (uint64_t j = 0; j < n; j++) host[TMP][i] += host[A][i * n + j] * host[X][j];
        for (uint64_t j = 0; j < n; j++) host[Y][j] += host[A][i * n + j] * host[TMP][i];
    }
}

static int atax_reg_check(const void *self, gmmu_error *err) {
    return poly_check(self, atax_reg_plain, err);
}

const gmmu_simt_kernel gmmu_simt_atax_reg = {.name = "atax_reg",
                                             .size_text = "rows and columns of the matrix",
                                             .default_size = 1024,
                                             .max_size = 32768,
                                             .regs = sizeof(regs),
                                             .create = atax_reg_create,
                                             .destroy = poly_destroy,
                                             .launch = poly_launch_lines,
                                             .step = atax_reg_step,
                                             .progress = poly_progress,
                                             .check = atax_reg_check,
                                             .result = poly_result};
