// SPDX-License-Identifier: Apache-2.0
// covar.c: covariance matrix, the three grids of PolyBench/GPU's covariance.
//
//   grid 1, thread j:       mean[j] = sum over i of data[i][j] / N
//   grid 2, thread (i, j):  data[i][j] -= mean[j]
//   grid 3, thread j1:      for j2 from j1 on:  for i:  symmat[j1][j2] += data[i][j1] * data[i][j2]
//                                               symmat[j2][j1] = symmat[j1][j2]
//
// N observations of N variables. As in PolyBench, rows and columns count from 1, those of number 0
// are not used. A warp's lanes are at 32 rows of symmat, each one column before the other. Each
// pair of variables has a store of 0, three accesses an observation and a store to the transposed
// element: (3N + 2) N for the first thread, which has most (RDGC, Table 4). PolyBench divides by a
// constant where N belongs.
#include "simt/kernels/kernels.h"
#include "simt/kernels/poly.h"
#include "simt/warp.h"

enum { DATA, MEAN, SYMMAT, ARRAYS };
enum {
    STORE_MEAN_ZERO,
    LOAD_DATA,
    STORE_MEAN_SUM,
    STORE_MEAN,
    LOAD_OLD,
    LOAD_MEAN,
    STORE_CENTRED,
    STORE_ZERO,
    LOAD_FIRST,
    LOAD_SECOND,
    STORE_SUM,
    STORE_TRANSPOSED
};

typedef struct {
    WARP_STATE;
    uint64_t i;
    uint64_t row[GMMU_WARP], column[GMMU_WARP], second[GMMU_WARP];
    float sum[GMMU_WARP], a[GMMU_WARP], b[GMMU_WARP];
} regs;

static void *covar_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t side = p->size + 1;
    const poly_array shape[ARRAYS] = {[DATA] = {"data", side * side, true},
                                      [MEAN] = {"mean", side, true},
                                      [SYMMAT] = {"symmat", side * side, true}};
    poly *s = poly_create("covar", p, space, shape, ARRAYS, SYMMAT, err);
    if (s != NULL) {
        s->tiles = lanes_tile_rows(s->n, p->block);
        s->work = (double)s->n * (double)s->n * ((double)s->n + 1) / 2;
    }
    return s;
}

static bool covar_launch(void *self, gmmu_simt_grid *grid) {
    poly *s = self;
    *grid = s->grids == 1 ? lanes_tile_grid(&s->tiles) : poly_line(s, s->n);
    return s->grids++ < 3;
}

static gmmu_simt_event step_mean(const poly *s, const gmmu_simt_warp *w, regs *r,
                                 gmmu_simt_op *op) {
    WARP_BEGIN;
    IF(GID < s->n) {
        ST(STORE_MEAN_ZERO, s->array[MEAN], float, GID + 1, 0);
        for (r->i = 1; r->i <= s->n; r->i++) {
            LD(LOAD_DATA, s->array[DATA], r->i * (s->n + 1) + GID + 1, r->a);
            EACH r->sum[lane] += r->a[lane];
            ST(STORE_MEAN_SUM, s->array[MEAN], float, GID + 1, r->sum[lane]);
        }
        ST(STORE_MEAN, s->array[MEAN], float, GID + 1, r->sum[lane] / (float)s->n);
    }
    ENDIF;
    WARP_END;
}

static gmmu_simt_event step_centre(const poly *s, const gmmu_simt_warp *w, regs *r,
                                   gmmu_simt_op *op) {
    WARP_BEGIN;
    EACH {
        r->row[lane] = lanes_row(&s->tiles, w, lane) + 1;
        r->column[lane] = lanes_column(&s->tiles, w, lane) + 1;
    }
    IF(r->row[lane] <= s->n && r->column[lane] <= s->n) {
        LD(LOAD_OLD, s->array[DATA], r->row[lane] * (s->n + 1) + r->column[lane], r->a);
        LD(LOAD_MEAN, s->array[MEAN], r->column[lane], r->b);
        ST(STORE_CENTRED, s->array[DATA], float, r->row[lane] * (s->n + 1) + r->column[lane],
           r->a[lane] - r->b[lane]);
    }
    ENDIF;
    WARP_END;
}

static gmmu_simt_event step_covar(poly *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    uint64_t side = s->n + 1;
    WARP_BEGIN;
    IF(GID < s->n) {
        EACH r->column[lane] = GID + 1;
        EACH r->second[lane] = GID + 1;
        WHILE(r->second[lane] <= s->n) {
            EACH r->sum[lane] = 0;
            ST(STORE_ZERO, s->array[SYMMAT], float, r->column[lane] * side + r->second[lane], 0);
            for (r->i = 1; r->i <= s->n; r->i++) {
                LD(LOAD_FIRST, s->array[DATA], r->i * side + r->column[lane], r->a);
                LD(LOAD_SECOND, s->array[DATA], r->i * side + r->second[lane], r->b);
                EACH r->sum[lane] += r->a[lane] * r->b[lane];
                ST(STORE_SUM, s->array[SYMMAT], float, r->column[lane] * side + r->second[lane],
                   r->sum[lane]);
                s->done += lanes_count(r->warp.mask);
            }
            ST(STORE_TRANSPOSED, s->array[SYMMAT], float, r->second[lane] * side + r->column[lane],
               r->sum[lane]);
            EACH r->second[lane]++;
        }
        ENDWHILE;
    }
    ENDIF;
    WARP_END;
}

static gmmu_simt_event covar_step(void *self, const gmmu_simt_warp *w, void *registers,
                                  gmmu_simt_op *op) {
    poly *s = self;
    switch (s->grids) {
        case 1:
            return step_mean(s, w, registers, op);
        case 2:
            return step_centre(s, w, registers, op);
        default:
            return step_covar(s, w, registers, op);
    }
}

// PolyBench's sequential code, row by row.
static void covar_plain(const poly *s, float *const host[]) {
    uint64_t n = s->n;
    uint64_t side = n + 1;
    float *mean = host[MEAN];
    for (uint64_t j = 1; j <= n; j++) mean[j] = 0;
    for (uint64_t i = 1; i <= n; i++)
        for (uint64_t j = 1; j <= n; j++) mean[j] += host[DATA][i * side + j];
    for (uint64_t j = 1; j <= n; j++) mean[j] /= (float)n;
    for (uint64_t i = 1; i <= n; i++)
        for (uint64_t j = 1; j <= n; j++) host[DATA][i * side + j] -= mean[j];
    for (uint64_t j1 = 1; j1 <= n; j1++) {
        float *row = host[SYMMAT] + j1 * side;
        for (uint64_t j2 = j1; j2 <= n; j2++) row[j2] = 0;
        for (uint64_t i = 1; i <= n; i++) {
            const float *data = host[DATA] + i * side;
            for (uint64_t j2 = j1; j2 <= n; j2++) row[j2] += data[j1] * data[j2];
        }
        for (uint64_t j2 = j1; j2 <= n; j2++) host[SYMMAT][j2 * side + j1] = row[j2];
    }
}

static int covar_check(const void *self, gmmu_error *err) {
    return poly_check(self, covar_plain, err);
}

const gmmu_simt_kernel gmmu_simt_covar = {.name = "covar",
                                          .size_text = "variables and observations",
                                          .default_size = 720,
                                          .max_size = 16384,
                                          .regs = sizeof(regs),
                                          .create = covar_create,
                                          .destroy = poly_destroy,
                                          .launch = covar_launch,
                                          .step = covar_step,
                                          .progress = poly_progress,
                                          .check = covar_check,
                                          .result = poly_result};
