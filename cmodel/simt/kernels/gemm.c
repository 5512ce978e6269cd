// SPDX-License-Identifier: Apache-2.0
// gemm.c: C = alpha A B + beta C, the grid of PolyBench/GPU's gemm, in double precision, or in
// single precision as PolyBench has it.
//
//   thread (i, j):  C[i*n + j] *= beta
//                   for k:  C[i*n + j] += alpha * A[i*n + k] * B[k*n + j]
//
// A warp is 32 columns of a row: it walks along one row of A and down all rows of B. As in the
// source, the sum lives in global memory. Every element is summed in the order of the CPU's code,
// so that both must be equal bit for bit.
#include <inttypes.h>
#include <stdlib.h>

#include "simt/kernels/kernels.h"
#include "simt/kernels/lanes.h"
#include "simt/warp.h"

static const double alpha = 32412;
static const double beta = 2123;

typedef struct {
    uint64_t n;
    bool single;  // elements are floats
    bool launched;
    uint64_t done;  // products
    lanes_tiles tiles;
    const gmmu_array *a, *b, *c;
} gemm;

enum { LOAD_OLD, STORE_SCALED, LOAD_SUM, LOAD_A, LOAD_B, STORE_SUM };

typedef struct {
    WARP_STATE;
    uint64_t k;
    uint64_t row[GMMU_WARP], column[GMMU_WARP];
    double sum[GMMU_WARP], a[GMMU_WARP], b[GMMU_WARP];
    float sum1[GMMU_WARP], a1[GMMU_WARP], b1[GMMU_WARP];  // of floats
} regs;

// PolyBench's inputs: ((double)i * j + offset) / n.
static double input(uint64_t i, uint64_t j, unsigned offset, uint64_t n) {
    volatile double product = (double)i * (double)j;
    return (product + offset) / (double)n;
}

static float input1(uint64_t i, uint64_t j, unsigned offset, uint64_t n) {
    return (lanes_product((float)i, (float)j) + (float)offset) / (float)n;
}

static void fill(const gmmu_array *array, bool single, unsigned offset, uint64_t n) {
    for (uint64_t i = 0; i < n; i++) {
        for (uint64_t j = 0; j < n; j++) {
            if (single)
                ((float *)array->data)[i * n + j] = input1(i, j, offset, n);
            else
                ((double *)array->data)[i * n + j] = input(i, j, offset, n);
        }
    }
}

static void *gemm_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t n = p->size;
    gemm *s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(err->text, sizeof err->text, "gemm: no memory");
        return NULL;
    }
    s->n = n;
    s->single = p->element == sizeof(float);
    s->tiles = lanes_tile_rows(n, p->block);
    if ((s->a = gmmu_space_alloc(space, "A", n * n, p->element, err)) == NULL ||
        (s->b = gmmu_space_alloc(space, "B", n * n, p->element, err)) == NULL ||
        (s->c = gmmu_space_alloc(space, "C", n * n, p->element, err)) == NULL) {
        free(s);
        return NULL;
    }
    fill(s->a, s->single, 0, n);
    fill(s->b, s->single, 1, n);
    fill(s->c, s->single, 2, n);
    return s;
}

static bool gemm_launch(void *self, gmmu_simt_grid *grid) {
    gemm *s = self;
    *grid = lanes_tile_grid(&s->tiles);
    bool first = !s->launched;
    s->launched = true;
    return first;
}

static gmmu_simt_event step_double(gemm *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    WARP_BEGIN;
    EACH {
        r->row[lane] = lanes_row(&s->tiles, w, lane);
        r->column[lane] = lanes_column(&s->tiles, w, lane);
    }
    IF(r->row[lane] < s->n && r->column[lane] < s->n) {
        LD(LOAD_OLD, s->c, r->row[lane] * s->n + r->column[lane], r->sum);
        ST(STORE_SCALED, s->c, double, r->row[lane] * s->n + r->column[lane], r->sum[lane] * beta);
        for (r->k = 0; r->k < s->n; r->k++) {
            LD(LOAD_SUM, s->c, r->row[lane] * s->n + r->column[lane], r->sum);
            LD(LOAD_A, s->a, r->row[lane] * s->n + r->k, r->a);
            LD(LOAD_B, s->b, r->k * s->n + r->column[lane], r->b);
            ST(STORE_SUM, s->c, double, r->row[lane] * s->n + r->column[lane],
               r->sum[lane] + alpha * r->a[lane] * r->b[lane]);
            s->done += lanes_count(r->warp.mask);
        }
    }
    ENDIF;
    WARP_END;
}

static gmmu_simt_event step_single(gemm *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    const float alpha1 = (float)alpha;
    const float beta1 = (float)beta;
    WARP_BEGIN;
    EACH {
        r->row[lane] = lanes_row(&s->tiles, w, lane);
        r->column[lane] = lanes_column(&s->tiles, w, lane);
    }
    IF(r->row[lane] < s->n && r->column[lane] < s->n) {
        LD(LOAD_OLD, s->c, r->row[lane] * s->n + r->column[lane], r->sum1);
        ST(STORE_SCALED, s->c, float, r->row[lane] * s->n + r->column[lane], r->sum1[lane] * beta1);
        for (r->k = 0; r->k < s->n; r->k++) {
            LD(LOAD_SUM, s->c, r->row[lane] * s->n + r->column[lane], r->sum1);
            LD(LOAD_A, s->a, r->row[lane] * s->n + r->k, r->a1);
            LD(LOAD_B, s->b, r->k * s->n + r->column[lane], r->b1);
            ST(STORE_SUM, s->c, float, r->row[lane] * s->n + r->column[lane],
               r->sum1[lane] + lanes_product(alpha1 * r->a1[lane], r->b1[lane]));
            s->done += lanes_count(r->warp.mask);
        }
    }
    ENDIF;
    WARP_END;
}

static gmmu_simt_event gemm_step(void *self, const gmmu_simt_warp *w, void *registers,
                                 gmmu_simt_op *op) {
    gemm *s = self;
    return s->single ? step_single(s, w, registers, op) : step_double(s, w, registers, op);
}

static double gemm_progress(const void *self) {
    const gemm *s = self;
    return (double)s->done / ((double)s->n * (double)s->n * (double)s->n);
}

// PolyBench's sequential code, a row of C at a time; A and B are written by no grid.
static int check_double(const gemm *s, gmmu_error *err) {
    uint64_t n = s->n;
    const double *a = s->a->data;
    const double *b = s->b->data;
    const double *c = s->c->data;
    double *row = malloc(n * sizeof *row);
    int rc = GMMU_OK;
    if (row == NULL) {
        snprintf(err->text, sizeof err->text, "gemm: no memory for the check");
        return GMMU_SIMT_NO_MEMORY;
    }
    for (uint64_t i = 0; rc == GMMU_OK && i < n; i++) {
        for (uint64_t j = 0; j < n; j++) row[j] = input(i, j, 2, n) * beta;
        for (uint64_t k = 0; k < n; k++) {
            double scaled = alpha * a[i * n + k];
            for (uint64_t j = 0; j < n; j++) {
                volatile double product = scaled * b[k * n + j];
                row[j] += product;
            }
        }
        for (uint64_t j = 0; rc == GMMU_OK && j < n; j++) {
            if (c[i * n + j] != row[j]) {
                snprintf(err->text, sizeof err->text,
                         "gemm: C[%" PRIu64 "]: found %.17g, expected %.17g", i * n + j,
                         c[i * n + j], row[j]);
                rc = GMMU_BAD;
            }
        }
    }
    free(row);
    return rc;
}

static int check_single(const gemm *s, gmmu_error *err) {
    uint64_t n = s->n;
    const float *a = s->a->data;
    const float *b = s->b->data;
    float *row = malloc(n * sizeof *row);
    int rc = GMMU_OK;
    if (row == NULL) {
        snprintf(err->text, sizeof err->text, "gemm: no memory for the check");
        return GMMU_SIMT_NO_MEMORY;
    }
    for (uint64_t i = 0; rc == GMMU_OK && i < n; i++) {
        for (uint64_t j = 0; j < n; j++) row[j] = lanes_product(input1(i, j, 2, n), (float)beta);
        for (uint64_t k = 0; k < n; k++) {
            float scaled = lanes_product((float)alpha, a[i * n + k]);
            for (uint64_t j = 0; j < n; j++) row[j] += lanes_product(scaled, b[k * n + j]);
        }
        rc = lanes_compare("gemm", "C", (const float *)s->c->data + i * n, row, n, err);
    }
    free(row);
    return rc;
}

static int gemm_check(const void *self, gmmu_error *err) {
    const gemm *s = self;
    return s->single ? check_single(s, err) : check_double(s, err);
}

static const gmmu_array *gemm_result(const void *self) {
    return ((const gemm *)self)->c;
}

const gmmu_simt_kernel gmmu_simt_gemm = {.name = "gemm",
                                         .size_text = "rows and columns of the matrices",
                                         .default_size = 320,
                                         .max_size = 16384,
                                         .regs = sizeof(regs),
                                         .create = gemm_create,
                                         .destroy = free,
                                         .launch = gemm_launch,
                                         .step = gemm_step,
                                         .progress = gemm_progress,
                                         .check = gemm_check,
                                         .result = gemm_result,
                                         .element = {sizeof(double), sizeof(double)}};
