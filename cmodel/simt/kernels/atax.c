// SPDX-License-Identifier: Apache-2.0
// atax.c: y = A^T (A x), the two grids of PolyBench/GPU's atax, in double precision.
//
//   grid 1, thread i:  for j:  tmp[i] += A[i*n + j] * x[j]      a warp touches 32 rows of A
//   grid 2, thread j:  for i:  y[j]   += A[i*n + j] * tmp[i]    a warp touches one row of A
//
// As in the source, the sum lives in global memory: four instructions an iteration. Each output is
// summed in the same order as on the CPU, so that both must be equal bit for bit.
#include <inttypes.h>
#include <stdlib.h>

#include "simt/kernels/kernels.h"
#include "simt/kernels/lanes.h"
#include "simt/warp.h"

enum { LOAD_SUM, LOAD_A, LOAD_VECTOR, STORE_SUM, SITES };  // of each grid

static const double pi = 3.14159265358979323846;

typedef struct {
    uint64_t n;
    unsigned block;
    unsigned grid;  // 1 or 2 while it runs
    uint64_t done;  // iterations of warps
    const gmmu_array *a, *x, *tmp, *y;
} atax;

typedef struct {
    WARP_STATE;
    uint64_t k;
    double sum[GMMU_WARP], a[GMMU_WARP], vector[GMMU_WARP];
} regs;

static void *atax_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t n = p->size;
    atax *s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(err->text, sizeof err->text, "atax: no memory");
        return NULL;
    }
    s->n = n;
    s->block = p->block;
    if ((s->a = gmmu_space_alloc(space, "A", n * n, sizeof(double), err)) == NULL ||
        (s->x = gmmu_space_alloc(space, "x", n, sizeof(double), err)) == NULL ||
        (s->tmp = gmmu_space_alloc(space, "tmp", n, sizeof(double), err)) == NULL ||
        (s->y = gmmu_space_alloc(space, "y", n, sizeof(double), err)) == NULL) {
        free(s);
        return NULL;
    }
    double *a = s->a->data;
    double *x = s->x->data;
    for (uint64_t i = 0; i < n; i++) {
        x[i] = (double)i * pi;
        for (uint64_t j = 0; j < n; j++) a[i * n + j] = (double)i * (double)j / (double)n;
    }
    return s;
}

static bool atax_launch(void *self, gmmu_simt_grid *grid) {
    atax *s = self;
    *grid = lanes_grid(s->n, s->block);
    return ++s->grid <= 2;
}

static gmmu_simt_event atax_step(void *self, const gmmu_simt_warp *w, void *registers,
                                 gmmu_simt_op *op) {
    atax *s = self;
    regs *r = registers;
    bool first = s->grid == 1;
    uint64_t n = s->n;
    unsigned site = first ? 0 : SITES;
    const gmmu_array *out = first ? s->tmp : s->y;
    const gmmu_array *vector = first ? s->x : s->tmp;
    WARP_BEGIN;
    IF(GID < n) {
        for (r->k = 0; r->k < n; r->k++) {
            LD(site + LOAD_SUM, out, GID, r->sum);
            LD(site + LOAD_A, s->a, first ? GID * n + r->k : r->k * n + GID, r->a);
            LD(site + LOAD_VECTOR, vector, r->k, r->vector);
            ST(site + STORE_SUM, out, double, GID, r->sum[lane] + r->a[lane] * r->vector[lane]);
            s->done++;
        }
    }
    ENDIF;
    WARP_END;
}

static double atax_progress(const void *self) {
    const atax *s = self;
    return (double)s->done * GMMU_WARP / (2.0 * (double)s->n * (double)s->n);
}

static int compare(const char *name, const double *found, const double *expected, uint64_t n,
                   gmmu_error *err) {
    for (uint64_t i = 0; i < n; i++) {
        if (found[i] != expected[i]) {
            snprintf(err->text, sizeof err->text,
                     "atax: %s[%" PRIu64 "]: found %.17g, expected %.17g", name, i, found[i],
                     expected[i]);
            return GMMU_BAD;
        }
    }
    return GMMU_OK;
}

// PolyBench's sequential code. Its inputs A and x are written by no grid.
static int atax_check(const void *self, gmmu_error *err) {
    const atax *s = self;
    uint64_t n = s->n;
    const double *a = s->a->data;
    const double *x = s->x->data;
    double *y = calloc(n, sizeof *y);
    double *tmp = calloc(n, sizeof *tmp);
    int rc = GMMU_SIMT_NO_MEMORY;
    if (y == NULL || tmp == NULL) {
        snprintf(err->text, sizeof err->text, "atax: no memory for the check");
        goto done;
    }
    for (uint64_t i = 0; i < n; i++) {
        // A volatile product: it must not be fused with the sum to a multiply-add.
        for (uint64_t j = 0; j < n; j++) {
            volatile double product = a[i * n + j] * x[j];
            tmp[i] += product;
        }
        for (uint64_t j = 0; j < n; j++) {
            volatile double product = a[i * n + j] * tmp[i];
            y[j] += product;
        }
    }
    rc = compare("tmp", s->tmp->data, tmp, n, err);
    if (rc == GMMU_OK)
        rc = compare("y", s->y->data, y, n, err);
done:
    free(y);
    free(tmp);
    return rc;
}

static const gmmu_array *atax_result(const void *self) {
    return ((const atax *)self)->y;
}

const gmmu_simt_kernel gmmu_simt_atax = {.name = "atax",
                                         .size_text = "rows and columns of the matrix",
                                         .default_size = 640,
                                         .max_size = 32768,
                                         .regs = sizeof(regs),
                                         .create = atax_create,
                                         .destroy = free,
                                         .launch = atax_launch,
                                         .step = atax_step,
                                         .progress = atax_progress,
                                         .check = atax_check,
                                         .result = atax_result};
