// SPDX-License-Identifier: Apache-2.0
// syrk.c: C = alpha A A^T + beta C, the grid of PolyBench/GPU's syrk.
//
//   thread (i, j):  C[i*n + j] *= beta
//                   for k:  C[i*n + j] += alpha * A[i*n + k] * A[j*n + k]
//
// A warp is 32 columns of a row of C: it walks along one row of A and along 32 rows of A. The sum
// is loaded once and stored in every iteration: 3N + 2 accesses a thread (RDGC, Table 4).
#include "simt/kernels/kernels.h"
#include "simt/kernels/poly.h"
#include "simt/warp.h"

static const float alpha = 12435;
static const float beta = 4546;

enum { A, C, ARRAYS };
enum { LOAD_OLD, STORE_SCALED, LOAD_ROW, LOAD_COLUMN, STORE_SUM };

typedef struct {
    WARP_STATE;
    uint64_t k;
    uint64_t row[GMMU_WARP], column[GMMU_WARP];
    float sum[GMMU_WARP], a[GMMU_WARP], b[GMMU_WARP];
} regs;

static void *syrk_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t n = p->size;
    const poly_array shape[ARRAYS] = {[A] = {"A", n * n, true}, [C] = {"C", n * n, true}};
    poly *s = poly_create("syrk", p, space, shape, ARRAYS, C, err);
    if (s != NULL) {
        s->tiles = lanes_tile_rows(n, p->block);
        s->work = (double)n * (double)n * (double)n;
    }
    return s;
}

static gmmu_simt_event syrk_step(void *self, const gmmu_simt_warp *w, void *registers,
                                 gmmu_simt_op *op) {
    poly *s = self;
    regs *r = registers;
    WARP_BEGIN;
    EACH {
        r->row[lane] = lanes_row(&s->tiles, w, lane);
        r->column[lane] = lanes_column(&s->tiles, w, lane);
    }
    IF(r->row[lane] < s->n && r->column[lane] < s->n) {
        LD(LOAD_OLD, s->array[C], r->row[lane] * s->n + r->column[lane], r->sum);
        EACH r->sum[lane] *= beta;
        ST(STORE_SCALED, s->array[C], float, r->row[lane] * s->n + r->column[lane], r->sum[lane]);
        for (r->k = 0; r->k < s->n; r->k++) {
            LD(LOAD_ROW, s->array[A], r->row[lane] * s->n + r->k, r->a);
            LD(LOAD_COLUMN, s->array[A], r->column[lane] * s->n + r->k, r->b);
            EACH r->sum[lane] += alpha * r->a[lane] * r->b[lane];
            ST(STORE_SUM, s->array[C], float, r->row[lane] * s->n + r->column[lane], r->sum[lane]);
            s->done += lanes_count(r->warp.mask);
        }
    }
    ENDIF;
    WARP_END;
}

// PolyBench's sequential code.
static void syrk_plain(const poly *s, float *const host[]) {
    uint64_t n = s->n;
    for (uint64_t i = 0; i < n; i++) {
        for (uint64_t j = 0; j < n; j++) {
            float c = 4546.0F * host[C][i * n + j];
            for (uint64_t k = 0; k < n; k++)
                c += 12435.0F * host[A][i * n + k] * host[A][j * n + k];
            host[C][i * n + j] = c;
        }
    }
}

static int syrk_check(const void *self, gmmu_error *err) {
    return poly_check(self, syrk_plain, err);
}

const gmmu_simt_kernel gmmu_simt_syrk = {.name = "syrk",
                                         .size_text = "rows and columns of the matrices",
                                         .default_size = 720,
                                         .max_size = 16384,
                                         .regs = sizeof(regs),
                                         .create = syrk_create,
                                         .destroy = poly_destroy,
                                         .launch = poly_launch_tiles,
                                         .step = syrk_step,
                                         .progress = poly_progress,
                                         .check = syrk_check,
                                         .result = poly_result};
