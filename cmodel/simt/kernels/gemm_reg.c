// SPDX-License-Identifier: Apache-2.0
// gemm_reg.c: C = alpha A B + beta C, the grid of PolyBench/GPU's gemm in single precision, with
// the loads that compiled code has.
//
//   thread (i, j):  C[i*n + j] *= beta
//                   for k:  C[i*n + j] += alpha * A[i*n + k] * B[k*n + j]
//
// A warp is 32 columns of a row of C: it walks along one row of A, and down 32 columns of B. The
// sum is loaded once and stored in every iteration; gemm is the same grid with a load in every
// iteration.
#include "simt/kernels/kernels.h"
#include "simt/kernels/poly.h"
#include "simt/warp.h"

static const float alpha = 32412;
static const float beta = 2123;

enum { A, B, C, ARRAYS };
enum { LOAD_OLD, STORE_SCALED, LOAD_B, LOAD_A, STORE_SUM };

typedef struct {
    WARP_STATE;
    uint64_t k;
    uint64_t row[GMMU_WARP], column[GMMU_WARP];
    float sum[GMMU_WARP], a[GMMU_WARP], b[GMMU_WARP];
} regs;

static void *gemm_reg_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t n = p->size;
    const poly_array shape[ARRAYS] = {
        [A] = {"A", n * n, true}, [B] = {"B", n * n, true}, [C] = {"C", n * n, true}};
    poly *s = poly_create("gemm_reg", p, space, shape, ARRAYS, C, err);
    if (s != NULL) {
        s->tiles = lanes_tile_rows(n, p->block);
        s->work = (double)n * (double)n * (double)n;
    }
    return s;
}

static gmmu_simt_event gemm_reg_step(void *self, const gmmu_simt_warp *w, void *registers,
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
            LD(LOAD_B, s->array[B], r->k * s->n + r->column[lane], r->b);
            LD(LOAD_A, s->array[A], r->row[lane] * s->n + r->k, r->a);
            EACH r->sum[lane] += alpha * r->a[lane] * r->b[lane];
            ST(STORE_SUM, s->array[C], float, r->row[lane] * s->n + r->column[lane], r->sum[lane]);
            s->done += lanes_count(r->warp.mask);
        }
    }
    ENDIF;
    WARP_END;
}

// PolyBench's sequential code.
static void gemm_reg_plain(const poly *s, float *const host[]) {
    uint64_t n = s->n;
    for (uint64_t i = 0; i < n; i++) {
        for (uint64_t j = 0; j < n; j++) {
            float c = 2123.0F * host[C][i * n + j];
            for (uint64_t k = 0; k < n; k++)
                c += 32412.0F * host[A][i * n + k] * host[B][k * n + j];
            host[C][i * n + j] = c;
        }
    }
}

static int gemm_reg_check(const void *self, gmmu_error *err) {
    return poly_check(self, gemm_reg_plain, err);
}

const gmmu_simt_kernel gmmu_simt_gemm_reg = {.name = "gemm_reg",
                                             .size_text = "rows and columns of the matrices",
                                             .default_size = 512,
                                             .max_size = 16384,
                                             .regs = sizeof(regs),
                                             .create = gemm_reg_create,
                                             .destroy = poly_destroy,
                                             .launch = poly_launch_tiles,
                                             .step = gemm_reg_step,
                                             .progress = poly_progress,
                                             .check = gemm_reg_check,
                                             .result = poly_result};
