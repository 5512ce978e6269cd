// SPDX-License-Identifier: Apache-2.0
// spmm.c: sparse times dense, Y = A X: how a graph neural network gathers its neighbours' features,
// a thread a feature of a row.
//
//   grid t, thread (i, f):  sum = 0
//                           for k from ptr[i] to ptr[i + 1] - 1:  sum += val[k] * x[col[k]][f]
//                           y[i][f] = sum;  x and y change places
//
// A is the adjacency matrix of a graph of graph.h in compressed rows, with random weights. X has
// 128 columns, the number of features of ogbn-papers100M (Hu et al., NeurIPS 2020): a row is 512
// bytes, so that a gather takes an eighth of a page of 4 KiB at a random place. The dense part of a
// layer, a multiplication by a small matrix, is left out. Each row is summed in the order of the
// CPU's code, so that both must be equal bit for bit.
#include <stdlib.h>

#include "simt/kernels/graph.h"
#include "simt/kernels/kernels.h"
#include "simt/kernels/lanes.h"
#include "simt/warp.h"

enum { EDGE_FACTOR = 2, FEATURES = 128, LAYERS = 2 };  // LAYERS even: the last one writes h[0]
enum { LOAD_FIRST, LOAD_END, LOAD_COL, LOAD_VAL, LOAD_X, STORE_Y };

typedef struct {
    uint64_t n, seed;
    unsigned block;
    unsigned grids;  // launched so far
    uint64_t done;   // elements
    const gmmu_array *ptr, *col, *val, *h[2];
} spmm;

typedef struct {
    WARP_STATE;
    uint32_t k[GMMU_WARP], end[GMMU_WARP], column[GMMU_WARP];
    float val[GMMU_WARP], x[GMMU_WARP], sum[GMMU_WARP];
} regs;

static void fill(float *x, uint64_t elements, uint64_t seed) {
    for (uint64_t i = 0; i < elements; i++) x[i] = lanes_random(&seed);
}

static void *spmm_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t n = p->size;
    uint64_t entries = gmmu_graph_entries(n, EDGE_FACTOR);
    spmm *s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(err->text, sizeof err->text, "spmm: no memory");
        return NULL;
    }
    s->n = n;
    s->seed = p->seed;
    s->block = p->block;
    if ((s->ptr = gmmu_space_alloc_whole(space, "ptr", n + 1, sizeof(uint32_t), err)) == NULL ||
        (s->col = gmmu_space_alloc_whole(space, "col", entries, sizeof(uint32_t), err)) == NULL ||
        (s->val = gmmu_space_alloc(space, "val", entries, sizeof(float), err)) == NULL ||
        (s->h[0] = gmmu_space_alloc(space, "h0", n * FEATURES, sizeof(float), err)) == NULL ||
        (s->h[1] = gmmu_space_alloc(space, "h1", n * FEATURES, sizeof(float), err)) == NULL) {
        free(s);
        return NULL;
    }
    if (!gmmu_graph_make(n, EDGE_FACTOR, p->seed, s->ptr->data, s->col->data, NULL)) {
        snprintf(err->text, sizeof err->text, "spmm: no memory for %" PRIu64 " rows", n);
        free(s);
        return NULL;
    }
    fill(s->val->data, entries, ~s->seed);
    fill(s->h[0]->data, n * FEATURES, s->seed);
    return s;
}

static bool spmm_launch(void *self, gmmu_simt_grid *grid) {
    spmm *s = self;
    *grid = lanes_grid(s->n * FEATURES, s->block);
    return s->grids++ < LAYERS;
}

static gmmu_simt_event spmm_step(void *self, const gmmu_simt_warp *w, void *registers,
                                 gmmu_simt_op *op) {
    spmm *s = self;
    regs *r = registers;
    const gmmu_array *x = s->h[(s->grids - 1) % 2];
    const gmmu_array *y = s->h[s->grids % 2];
    WARP_BEGIN;
    IF(GID < s->n * FEATURES) {
        LD(LOAD_FIRST, s->ptr, GID / FEATURES, r->k);
        LD(LOAD_END, s->ptr, GID / FEATURES + 1, r->end);
        WHILE(r->k[lane] < r->end[lane]) {
            LD(LOAD_COL, s->col, r->k[lane], r->column);
            LD(LOAD_VAL, s->val, r->k[lane], r->val);
            LD(LOAD_X, x, (uint64_t)r->column[lane] * FEATURES + GID % FEATURES, r->x);
            EACH {
                r->sum[lane] += lanes_product(r->val[lane], r->x[lane]);
                r->k[lane]++;
            }
        }
        ENDWHILE;
        ST(STORE_Y, y, float, GID, r->sum[lane]);
        s->done += lanes_count(r->warp.mask);
    }
    ENDIF;
    WARP_END;
}

static double spmm_progress(const void *self) {
    const spmm *s = self;
    return (double)s->done / ((double)LAYERS * (double)s->n * FEATURES);
}

// Row after row, all features of a row at once.
static int spmm_check(const void *self, gmmu_error *err) {
    const spmm *s = self;
    const uint32_t *ptr = s->ptr->data;
    const uint32_t *col = s->col->data;
    const float *val = s->val->data;
    const uint64_t elements = s->n * FEATURES;
    float *x = malloc(elements * sizeof *x);
    float *y = malloc(elements * sizeof *y);
    int rc = GMMU_SIMT_NO_MEMORY;
    if (x != NULL && y != NULL) {
        fill(x, elements, s->seed);
        for (unsigned t = 0; t < LAYERS; t++) {
            for (uint64_t i = 0; i < s->n; i++) {
                float *row = y + i * FEATURES;
                for (unsigned f = 0; f < FEATURES; f++) row[f] = 0;
                for (uint32_t k = ptr[i]; k < ptr[i + 1]; k++) {
                    const float *other = x + (uint64_t)col[k] * FEATURES;
                    for (unsigned f = 0; f < FEATURES; f++) {
                        volatile float product = val[k] * other[f];
                        row[f] += product;
                    }
                }
            }
            float *swap = x;
            x = y;
            y = swap;
        }
        rc = lanes_compare("spmm", "h0", s->h[0]->data, x, elements, err);
    } else {
        snprintf(err->text, sizeof err->text, "spmm: no memory for the check");
    }
    free(x);
    free(y);
    return rc;
}

static const gmmu_array *spmm_result(const void *self) {
    return ((const spmm *)self)->h[0];
}

const gmmu_simt_kernel gmmu_simt_spmm = {.name = "spmm",
                                         .size_text = "rows and columns of the sparse matrix",
                                         .default_size = 30000,
                                         .max_size = 1 << 26,
                                         .regs = sizeof(regs),
                                         .create = spmm_create,
                                         .destroy = free,
                                         .launch = spmm_launch,
                                         .step = spmm_step,
                                         .progress = spmm_progress,
                                         .check = spmm_check,
                                         .result = spmm_result,
                                         .folds = true};
