// SPDX-License-Identifier: Apache-2.0
// spmv.c: repeated y = A x, x = y / 2, with A in compressed sparse rows; a thread a row.
//
//   grid 1, thread i:  for k from ptr[i] to ptr[i+1] - 1:  sum += val[k] * x[col[k]];  y[i] = sum
//   grid 2, thread i:  x[i] = y[i] / 2
//
// Lengths of rows and popularity of columns follow power laws: a row starts with 2 to 3 elements,
// which double with probability 1/4, up to 8 times in turn; the density of column c falls as
// c^(-2/3), columns renamed at random. Each row is summed in the order of the CPU's code, so that
// both must be equal bit for bit.
#include <stdlib.h>

#include "simt/kernels/kernels.h"
#include "simt/kernels/lanes.h"
#include "simt/warp.h"

enum { ITERATIONS = 8, SHORTEST = 2, DOUBLINGS = 8 };

// Memory instructions, in order.
enum { LOAD_FIRST, LOAD_END, LOAD_COL, LOAD_VAL, LOAD_X, STORE_Y, LOAD_Y, STORE_X };

typedef struct {
    uint64_t n;
    unsigned block;
    unsigned grids;  // launched so far
    uint64_t done;   // rows
    const gmmu_array *ptr, *col, *val, *x, *y;
} spmv;

typedef struct {
    WARP_STATE;
    uint32_t k[GMMU_WARP], end[GMMU_WARP], column[GMMU_WARP];
    float val[GMMU_WARP], x[GMMU_WARP], sum[GMMU_WARP];
} regs;

static uint64_t row_length(uint64_t *random) {
    uint64_t r = gmmu_simt_random(random);
    uint64_t length = SHORTEST;
    for (unsigned i = 0; i < DOUBLINGS && r % 4 == 0; i++, r /= 4) length *= 2;
    return length + (r >> 32) % length;
}

static uint64_t any_column(uint64_t *random, uint64_t n) {
    uint64_t u = gmmu_simt_random(random) >> 43;  // 21 bits
    return ((u * u >> 21) * u >> 21) * n >> 21;
}

static float x_at_first(uint64_t i) {
    return 1.0F + (float)(i % 7) / 8.0F;
}

static void fill(spmv *s, const uint32_t *name, uint64_t random) {
    for (uint64_t k = 0; k < s->col->count; k++) {
        ((uint32_t *)s->col->data)[k] = name[any_column(&random, s->n)];
        ((float *)s->val->data)[k] = lanes_random(&random);
    }
    for (uint64_t i = 0; i < s->n; i++) ((float *)s->x->data)[i] = x_at_first(i);
}

static void *spmv_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t n = p->size;
    uint64_t random = p->seed;
    spmv *s = calloc(1, sizeof *s);
    uint32_t *name = malloc(n * sizeof *name);
    if (s == NULL || name == NULL) {
        snprintf(err->text, sizeof err->text, "spmv: no memory");
        goto failed;
    }
    s->n = n;
    s->block = p->block;
    if ((s->ptr = gmmu_space_alloc(space, "ptr", n + 1, sizeof(uint32_t), err)) == NULL)
        goto failed;
    uint32_t *ptr = s->ptr->data;
    for (uint64_t i = 0; i < n; i++) {
        ptr[i + 1] = ptr[i] + (uint32_t)row_length(&random);
        uint64_t other = gmmu_simt_random(&random) % (i + 1);
        name[i] = (uint32_t)i;
        name[i] = name[other];
        name[other] = (uint32_t)i;
    }
    if ((s->col = gmmu_space_alloc(space, "col", ptr[n], sizeof(uint32_t), err)) == NULL ||
        (s->val = gmmu_space_alloc(space, "val", ptr[n], sizeof(float), err)) == NULL ||
        (s->x = gmmu_space_alloc(space, "x", n, sizeof(float), err)) == NULL ||
        (s->y = gmmu_space_alloc(space, "y", n, sizeof(float), err)) == NULL)
        goto failed;
    fill(s, name, random);
    free(name);
    return s;
failed:
    free(name);
    free(s);
    return NULL;
}

static bool spmv_launch(void *self, gmmu_simt_grid *grid) {
    spmv *s = self;
    *grid = lanes_grid(s->n, s->block);
    return s->grids++ < 2 * ITERATIONS;
}

static gmmu_simt_event multiply(spmv *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    WARP_BEGIN;
    IF(GID < s->n) {
        LD(LOAD_FIRST, s->ptr, GID, r->k);
        LD(LOAD_END, s->ptr, GID + 1, r->end);
        WHILE(r->k[lane] < r->end[lane]) {
            LD(LOAD_COL, s->col, r->k[lane], r->column);
            LD(LOAD_VAL, s->val, r->k[lane], r->val);
            LD(LOAD_X, s->x, r->column[lane], r->x);
            EACH {
                r->sum[lane] += lanes_product(r->val[lane], r->x[lane]);
                r->k[lane]++;
            }
        }
        ENDWHILE;
        ST(STORE_Y, s->y, float, GID, r->sum[lane]);
        s->done += lanes_count(r->warp.mask);
    }
    ENDIF;
    WARP_END;
}

static gmmu_simt_event scale(spmv *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    WARP_BEGIN;
    IF(GID < s->n) {
        LD(LOAD_Y, s->y, GID, r->sum);
        ST(STORE_X, s->x, float, GID, r->sum[lane] / 2);
        s->done += lanes_count(r->warp.mask);
    }
    ENDIF;
    WARP_END;
}

static gmmu_simt_event spmv_step(void *self, const gmmu_simt_warp *w, void *registers,
                                 gmmu_simt_op *op) {
    spmv *s = self;
    return s->grids % 2 == 1 ? multiply(s, w, registers, op) : scale(s, w, registers, op);
}

static double spmv_progress(const void *self) {
    const spmv *s = self;
    return (double)s->done / (2.0 * ITERATIONS * (double)s->n);
}

static int spmv_check(const void *self, gmmu_error *err) {
    const spmv *s = self;
    uint64_t n = s->n;
    const uint32_t *ptr = s->ptr->data;
    const uint32_t *col = s->col->data;
    const float *val = s->val->data;
    float *x = malloc(n * sizeof *x);
    float *y = calloc(n, sizeof *y);
    int rc = GMMU_SIMT_NO_MEMORY;
    if (x == NULL || y == NULL) {
        snprintf(err->text, sizeof err->text, "spmv: no memory for the check");
        goto done;
    }
    for (uint64_t i = 0; i < n; i++) x[i] = x_at_first(i);
    for (unsigned t = 0; t < ITERATIONS; t++) {
        for (uint64_t i = 0; i < n; i++) {
            y[i] = 0;
            for (uint32_t k = ptr[i]; k < ptr[i + 1]; k++) {
                volatile float product = val[k] * x[col[k]];
                y[i] += product;
            }
        }
        for (uint64_t i = 0; i < n; i++) x[i] = 0.5F * y[i];
    }
    rc = lanes_compare("spmv", "y", s->y->data, y, n, err);
    if (rc == GMMU_OK)
        rc = lanes_compare("spmv", "x", s->x->data, x, n, err);
done:
    free(x);
    free(y);
    return rc;
}

static const gmmu_array *spmv_result(const void *self) {
    return ((const spmv *)self)->x;
}

const gmmu_simt_kernel gmmu_simt_spmv = {.name = "spmv",
                                         .size_text = "rows and columns of the matrix",
                                         .default_size = 100000,
                                         .max_size = 1 << 24,
                                         .regs = sizeof(regs),
                                         .create = spmv_create,
                                         .destroy = free,
                                         .launch = spmv_launch,
                                         .step = spmv_step,
                                         .progress = spmv_progress,
                                         .check = spmv_check,
                                         .result = spmv_result};
