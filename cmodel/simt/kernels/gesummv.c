// SPDX-License-Identifier: Apache-2.0
// gesummv.c: y = alpha A x + beta B x, the grid of PolyBench/GPU's gesummv.
//
//   thread i:  for j:  tmp[i] += A[i*n + j] * x[j];  y[i] += B[i*n + j] * x[j]
//              y[i] = alpha * tmp[i] + beta * y[i]
//
// A warp touches 32 rows of A and of B. Each of the two sums is loaded again behind the other's
// store, and so is x[j]: 8 accesses an iteration. Behind the loop y[i] is still in a register:
// 8N + 2 a thread (RDGC, Table 4).
#include "simt/kernels/kernels.h"
#include "simt/kernels/poly.h"
#include "simt/warp.h"

static const float alpha = 43532;
static const float beta = 12313;

enum { A, B, X, Y, TMP, ARRAYS };
enum {
    LOAD_TMP,
    LOAD_A,
    LOAD_X,
    STORE_TMP,
    LOAD_Y,
    LOAD_B,
    LOAD_X_AGAIN,
    STORE_Y,
    LOAD_TMP_LAST,
    STORE_Y_LAST
};

typedef struct {
    WARP_STATE;
    uint64_t k;
    float tmp[GMMU_WARP], y[GMMU_WARP], matrix[GMMU_WARP], x[GMMU_WARP];
} regs;

static void *gesummv_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t n = p->size;
    const poly_array shape[ARRAYS] = {[A] = {"A", n * n, true},
                                      [B] = {"B", n * n, true},
                                      [X] = {"x", n, true},
                                      [Y] = {"y", n, false},
                                      [TMP] = {"tmp", n, false}};
    poly *s = poly_create("gesummv", p, space, shape, ARRAYS, Y, err);
    if (s != NULL)
        s->work = (double)n * (double)n;
    return s;
}

static bool gesummv_launch(void *self, gmmu_simt_grid *grid) {
    poly *s = self;
    *grid = poly_line(s, s->n);
    return s->grids++ == 0;
}

static gmmu_simt_event gesummv_step(void *self, const gmmu_simt_warp *w, void *registers,
                                    gmmu_simt_op *op) {
    poly *s = self;
    regs *r = registers;
    WARP_BEGIN;
    IF(GID < s->n) {
        for (r->k = 0; r->k < s->n; r->k++) {
            LD(LOAD_TMP, s->array[TMP], GID, r->tmp);
            LD(LOAD_A, s->array[A], GID * s->n + r->k, r->matrix);
            LD(LOAD_X, s->array[X], r->k, r->x);
            ST(STORE_TMP, s->array[TMP], float, GID, r->tmp[lane] + r->matrix[lane] * r->x[lane]);
            LD(LOAD_Y, s->array[Y], GID, r->y);
            LD(LOAD_B, s->array[B], GID * s->n + r->k, r->matrix);
            LD(LOAD_X_AGAIN, s->array[X], r->k, r->x);
            EACH r->y[lane] += r->matrix[lane] * r->x[lane];
            ST(STORE_Y, s->array[Y], float, GID, r->y[lane]);
            s->done += lanes_count(r->warp.mask);
        }
        LD(LOAD_TMP_LAST, s->array[TMP], GID, r->tmp);
        ST(STORE_Y_LAST, s->array[Y], float, GID, alpha * r->tmp[lane] + beta * r->y[lane]);
    }
    ENDIF;
    WARP_END;
}

// PolyBench's sequential code.
static void gesummv_plain(const poly *s, float *const host[]) {
    uint64_t n = s->n;
    for (uint64_t i = 0; i < n; i++) {
        for (uint64_t j = 0; j < n; j++) {
            host[TMP][i] += host[A][i * n + j] * host[X][j];
            host[Y][i] += host[B][i * n + j] * host[X][j];
        }
        host[Y][i] = 43532.0F * host[TMP][i] + 12313.0F * host[Y][i];
    }
}

static int gesummv_check(const void *self, gmmu_error *err) {
    return poly_check(self, gesummv_plain, err);
}

const gmmu_simt_kernel gmmu_simt_gesummv = {.name = "gesummv",
                                            .size_text = "rows and columns of the matrices",
                                            .default_size = 768,
                                            .max_size = 32768,
                                            .regs = sizeof(regs),
                                            .create = gesummv_create,
                                            .destroy = poly_destroy,
                                            .launch = gesummv_launch,
                                            .step = gesummv_step,
                                            .progress = poly_progress,
                                            .check = gesummv_check,
                                            .result = poly_result};
