// SPDX-License-Identifier: Apache-2.0
// sgemm.c: C = beta C + alpha A B' in single precision, the grid of Parboil's sgemm (after Volkov).
//
//   block of 16 x 8 threads: 128 rows and 16 columns of C; thread t: row t of them
//     for i = 0 to n by 8:  tile[ty][tx] = B[column tx, i + ty];  barrier
//                           for j < 8:  a = A[row, i + j];  for c < 16: sum[c] += a * tile[j][c]
//                           barrier
//     for c < 16:  C[row, c] = beta * C[row, c] + alpha * sum[c]
//
// All matrices are stored column by column. The sums are in registers, in the order of the CPU's
// code, so that both must be equal bit for bit. Where n is no multiple of 128, 16 or 8, threads and
// iterations outside do nothing; Parboil asks for multiples.
#include <stdlib.h>

#include "simt/kernels/kernels.h"
#include "simt/kernels/lanes.h"
#include "simt/warp.h"

enum { TILE = 16, DEPTH = 8, ROWS = TILE * DEPTH };  // columns, k's and rows of a block
enum { LOAD_B, LOAD_A, LOAD_C, STORE_C };

static const float alpha = 1.5F;
static const float beta = 0.75F;

typedef struct {
    uint64_t n;
    bool launched;
    uint64_t done;    // rows of tiles of C
    uint64_t across;  // blocks side by side along the rows
    const gmmu_array *a, *b, *c;
} sgemm;

typedef struct {
    WARP_STATE;
    uint64_t i;
    unsigned j;
    uint64_t row[GMMU_WARP], column[GMMU_WARP];  // of C: own row, of B's element to load
    float a[GMMU_WARP], b[GMMU_WARP], c[GMMU_WARP], sum[TILE][GMMU_WARP];
} regs;

// C as it was.
static float old_c(uint64_t i) {
    return (float)(i % 1021) / 1024;
}

static void *sgemm_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t n = p->size;
    uint64_t random = p->seed;
    sgemm *s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(err->text, sizeof err->text, "sgemm: no memory");
        return NULL;
    }
    s->n = n;
    s->across = (n + ROWS - 1) / ROWS;
    if ((s->a = gmmu_space_alloc(space, "A", n * n, sizeof(float), err)) == NULL ||
        (s->b = gmmu_space_alloc(space, "B", n * n, sizeof(float), err)) == NULL ||
        (s->c = gmmu_space_alloc(space, "C", n * n, sizeof(float), err)) == NULL) {
        free(s);
        return NULL;
    }
    for (uint64_t i = 0; i < n * n; i++) {
        ((float *)s->a->data)[i] = lanes_random(&random);
        ((float *)s->b->data)[i] = lanes_random(&random);
        ((float *)s->c->data)[i] = old_c(i);
    }
    return s;
}

static bool sgemm_launch(void *self, gmmu_simt_grid *grid) {
    sgemm *s = self;
    *grid = (gmmu_simt_grid){.blocks = s->across * ((s->n + TILE - 1) / TILE),
                             .threads = ROWS,
                             .shared = sizeof(float[DEPTH][TILE])};
    bool first = !s->launched;
    s->launched = true;
    return first;
}

static gmmu_simt_event sgemm_step(void *self, const gmmu_simt_warp *w, void *registers,
                                  gmmu_simt_op *op) {
    sgemm *s = self;
    regs *r = registers;
    float(*tile)[TILE] = w->shared;
    WARP_BEGIN;
    EACH {
        r->row[lane] = BID % s->across * ROWS + TID;
        r->column[lane] = BID / s->across * TILE + TID % TILE;
    }
    for (r->i = 0; r->i < s->n; r->i += DEPTH) {
        EACH r->b[lane] = 0;
        IF(r->column[lane] < s->n && r->i + TID / TILE < s->n) {
            LD(LOAD_B, s->b, r->column[lane] + (r->i + TID / TILE) * s->n, r->b);
        }
        ENDIF;
        EACH tile[TID / TILE][TID % TILE] = r->b[lane];
        SYNC;
        for (r->j = 0; r->j < DEPTH && r->i + r->j < s->n; r->j++) {
            IF(r->row[lane] < s->n) {
                LD(LOAD_A, s->a, r->row[lane] + (r->i + r->j) * s->n, r->a);
                for (unsigned c = 0; c < TILE; c++)
                    EACH r->sum[c][lane] += r->a[lane] * tile[r->j][c];
            }
            ENDIF;
        }
        SYNC;
    }
    for (r->j = 0; r->j < TILE && BID / s->across * TILE + r->j < s->n; r->j++) {
        IF(r->row[lane] < s->n) {
            LD(LOAD_C, s->c, r->row[lane] + (BID / s->across * TILE + r->j) * s->n, r->c);
            ST(STORE_C, s->c, float, r->row[lane] + (BID / s->across * TILE + r->j) * s->n,
               r->c[lane] * beta + alpha * r->sum[r->j][lane]);
            s->done += lanes_count(r->warp.mask);
        }
        ENDIF;
    }
    WARP_END;
}

static double sgemm_progress(const void *self) {
    const sgemm *s = self;
    return (double)s->done / ((double)s->n * (double)s->n);
}

// A column of C at a time; A and B are written by no grid.
static int sgemm_check(const void *self, gmmu_error *err) {
    const sgemm *s = self;
    uint64_t n = s->n;
    const float *a = s->a->data;
    const float *b = s->b->data;
    float *column = malloc(n * sizeof *column);
    int rc = GMMU_OK;
    if (column == NULL) {
        snprintf(err->text, sizeof err->text, "sgemm: no memory for the check");
        return GMMU_SIMT_NO_MEMORY;
    }
    for (uint64_t j = 0; rc == GMMU_OK && j < n; j++) {
        for (uint64_t i = 0; i < n; i++) column[i] = 0;
        for (uint64_t k = 0; k < n; k++)
            for (uint64_t i = 0; i < n; i++) column[i] += a[k * n + i] * b[k * n + j];
        for (uint64_t i = 0; i < n; i++) column[i] = beta * old_c(j * n + i) + alpha * column[i];
        rc = lanes_compare("sgemm", "C", (const float *)s->c->data + j * n, column, n, err);
    }
    free(column);
    return rc;
}

static const gmmu_array *sgemm_result(const void *self) {
    return ((const sgemm *)self)->c;
}

const gmmu_simt_kernel gmmu_simt_sgemm = {.name = "sgemm",
                                          .size_text = "rows and columns of the matrices",
                                          .default_size = 1024,
                                          .max_size = 32768,
                                          .regs = sizeof(regs),
                                          .create = sgemm_create,
                                          .destroy = free,
                                          .launch = sgemm_launch,
                                          .step = sgemm_step,
                                          .progress = sgemm_progress,
                                          .check = sgemm_check,
                                          .result = sgemm_result};
