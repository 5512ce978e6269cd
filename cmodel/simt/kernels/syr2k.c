// SPDX-License-Identifier: Apache-2.0
// syr2k.c: C = alpha A B^T + alpha B A^T + beta C, the grid of PolyBench/GPU's syr2k.
//
//   thread (i, j):  C[i*n + j] *= beta
//                   for k:  C[i*n + j] += alpha * A[i*n + k] * B[j*n + k]
//                                       + alpha * B[i*n + k] * A[j*n + k]
//
// A warp is 32 columns of a row of C: it walks along one row and along 32 rows of A and B. The sum
// is loaded once and stored in every iteration; C * beta, which the first one overwrites, stays in
// a register: 5N + 1 accesses a thread (RDGC, Table 4).
#include "simt/kernels/kernels.h"
#include "simt/kernels/poly.h"
#include "simt/warp.h"

static const float alpha = 12435;
static const float beta = 4546;

enum { A, B, C, ARRAYS };
enum { LOAD_OLD, LOAD_A_ROW, LOAD_B_COLUMN, LOAD_B_ROW, LOAD_A_COLUMN, STORE_SUM };

typedef struct {
    WARP_STATE;
    uint64_t k;
    uint64_t row[GMMU_WARP], column[GMMU_WARP];
    float sum[GMMU_WARP];
    float a_row[GMMU_WARP], b_column[GMMU_WARP], b_row[GMMU_WARP], a_column[GMMU_WARP];
} regs;

static void *syr2k_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t n = p->size;
    const poly_array shape[ARRAYS] = {
        [A] = {"A", n * n, true}, [B] = {"B", n * n, true}, [C] = {"C", n * n, true}};
    poly *s = poly_create("syr2k", p, space, shape, ARRAYS, C, err);
    if (s != NULL) {
        s->tiles = lanes_tile_rows(n, p->block);
        s->work = (double)n * (double)n * (double)n;
    }
    return s;
}

static gmmu_simt_event syr2k_step(void *self, const gmmu_simt_warp *w, void *registers,
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
        for (r->k = 0; r->k < s->n; r->k++) {
            LD(LOAD_A_ROW, s->array[A], r->row[lane] * s->n + r->k, r->a_row);
            LD(LOAD_B_COLUMN, s->array[B], r->column[lane] * s->n + r->k, r->b_column);
            LD(LOAD_B_ROW, s->array[B], r->row[lane] * s->n + r->k, r->b_row);
            LD(LOAD_A_COLUMN, s->array[A], r->column[lane] * s->n + r->k, r->a_column);
            EACH r->sum[lane] += alpha * r->a_row[lane] * r->b_column[lane] +
                                 alpha * r->b_row[lane] * r->a_column[lane];
            ST(STORE_SUM, s->array[C], float, r->row[lane] * s->n + r->column[lane], r->sum[lane]);
            s->done += lanes_count(r->warp.mask);
        }
    }
    ENDIF;
    WARP_END;
}

// PolyBench's sequential code, with the sum of the two products that the grid has.
static void syr2k_plain(const poly *s, float *const host[]) {
    uint64_t n = s->n;
    for (uint64_t i = 0; i < n; i++) {
        for (uint64_t j = 0; j < n; j++) {
            const float *ai = host[A] + i * n;
            const float *bi = host[B] + i * n;
            const float *aj = host[A] + j * n;
            const float *bj = host[B] + j * n;
            float c = 4546.0F * host[C][i * n + j];
            for (uint64_t k = 0; k < n; k++)
                c += 12435.0F * ai[k] * bj[k] + 12435.0F * bi[k] * aj[k];
            host[C][i * n + j] = c;
        }
    }
}

static int syr2k_check(const void *self, gmmu_error *err) {
    return poly_check(self, syr2k_plain, err);
}

const gmmu_simt_kernel gmmu_simt_syr2k = {.name = "syr2k",
                                          .size_text = "rows and columns of the matrices",
                                          .default_size = 592,
                                          .max_size = 16384,
                                          .regs = sizeof(regs),
                                          .create = syr2k_create,
                                          .destroy = poly_destroy,
                                          .launch = poly_launch_tiles,
                                          .step = syr2k_step,
                                          .progress = poly_progress,
                                          .check = syr2k_check,
                                          .result = poly_result};
