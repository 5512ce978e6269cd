// SPDX-License-Identifier: Apache-2.0
// 2mm.c: E = (A B) D, the two grids of PolyBench/GPU's 2mm.
//
//   grid 1, thread (i, j):  for k:  C[i*n + j] += A[i*n + k] * B[k*n + j]
//   grid 2, thread (i, j):  for k:  E[i*n + j] += C[i*n + k] * D[k*n + j]
//
// A warp is 32 columns of a row: it walks along one row of the left matrix and down all rows of the
// right one. The sum begins at 0 in a register and is stored in every iteration: 3N accesses a
// thread (RDGC, Table 4).
#include "simt/kernels/kernels.h"
#include "simt/kernels/poly.h"
#include "simt/warp.h"

enum { A, B, C, D, E, ARRAYS };
enum { LOAD_LEFT, LOAD_RIGHT, STORE_SUM, SITES };  // of each grid

typedef struct {
    WARP_STATE;
    uint64_t k;
    uint64_t row[GMMU_WARP], column[GMMU_WARP];
    float sum[GMMU_WARP], left[GMMU_WARP], right[GMMU_WARP];
} regs;

static void *mm_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t n = p->size;
    const poly_array shape[ARRAYS] = {[A] = {"A", n * n, true},
                                      [B] = {"B", n * n, true},
                                      [C] = {"C", n * n, true},
                                      [D] = {"D", n * n, true},
                                      [E] = {"E", n * n, true}};
    poly *s = poly_create("2mm", p, space, shape, ARRAYS, E, err);
    if (s != NULL) {
        s->tiles = lanes_tile_rows(n, p->block);
        s->work = 2 * (double)n * (double)n * (double)n;
    }
    return s;
}

static bool mm_launch(void *self, gmmu_simt_grid *grid) {
    poly *s = self;
    *grid = lanes_tile_grid(&s->tiles);
    return ++s->grids <= 2;
}

static gmmu_simt_event mm_step(void *self, const gmmu_simt_warp *w, void *registers,
                               gmmu_simt_op *op) {
    poly *s = self;
    regs *r = registers;
    bool first = s->grids == 1;
    unsigned site = first ? 0 : SITES;
    const gmmu_array *left = s->array[first ? A : C];
    const gmmu_array *right = s->array[first ? B : D];
    const gmmu_array *out = s->array[first ? C : E];
    WARP_BEGIN;
    EACH {
        r->row[lane] = lanes_row(&s->tiles, w, lane);
        r->column[lane] = lanes_column(&s->tiles, w, lane);
    }
    IF(r->row[lane] < s->n && r->column[lane] < s->n) {
        for (r->k = 0; r->k < s->n; r->k++) {
            LD(site + LOAD_LEFT, left, r->row[lane] * s->n + r->k, r->left);
            LD(site + LOAD_RIGHT, right, r->k * s->n + r->column[lane], r->right);
            EACH r->sum[lane] += r->left[lane] * r->right[lane];
            ST(site + STORE_SUM, out, float, r->row[lane] * s->n + r->column[lane], r->sum[lane]);
            s->done += lanes_count(r->warp.mask);
        }
    }
    ENDIF;
    WARP_END;
}

// OUT = LEFT RIGHT, a row of OUT at a time.
static void multiply(uint64_t n, const float *left, const float *right, float *out) {
    for (uint64_t i = 0; i < n; i++) {
        for (uint64_t j = 0; j < n; j++) out[i * n + j] = 0;
        for (uint64_t k = 0; k < n; k++)
            for (uint64_t j = 0; j < n; j++) out[i * n + j] += left[i * n + k] * right[k * n + j];
    }
}

static void mm_plain(const poly *s, float *const host[]) {
    multiply(s->n, host[A], host[B], host[C]);
    multiply(s->n, host[C], host[D], host[E]);
}

static int mm_check(const void *self, gmmu_error *err) {
    return poly_check(self, mm_plain, err);
}

const gmmu_simt_kernel gmmu_simt_2mm = {.name = "2mm",
                                        .size_text = "rows and columns of the matrices",
                                        .default_size = 512,
                                        .max_size = 16384,
                                        .regs = sizeof(regs),
                                        .create = mm_create,
                                        .destroy = poly_destroy,
                                        .launch = mm_launch,
                                        .step = mm_step,
                                        .progress = poly_progress,
                                        .check = mm_check,
                                        .result = poly_result};
