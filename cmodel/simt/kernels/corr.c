// SPDX-License-Identifier: Apache-2.0
// corr.c: correlation matrix, the four grids of PolyBench/GPU's correlation.
//
//   grid 1, thread j:       mean[j]   = sum over i of data[i][j] / N
//   grid 2, thread j:       stddev[j] = sqrt(sum over i of (data[i][j] - mean[j])^2 / N); 1 if tiny
//   grid 3, thread (i, j):  data[i][j] = (data[i][j] - mean[j]) / (sqrt(N) * stddev[j])
//   grid 4, thread j1:      symmat[j1][j1] = 1
//                           for j2 > j1:  for i:  symmat[j1][j2] += data[i][j1] * data[i][j2]
//                                         symmat[j2][j1] = symmat[j1][j2]
//
// N observations of M = N + 1 variables, so that the first thread of grid 4, which has most to do,
// has N others: a store of 1, and for each pair a store of 0, three accesses an observation and a
// store to the transposed element, (3N + 2) N + 1 in all (RDGC, Table 4). The host sets the last
// element of the diagonal. As in PolyBench, rows and columns count from 1, those of number 0 are
// not used. A warp's lanes are at 32 rows of symmat, each one column before the other. PolyBench
// divides by a constant where N belongs.
#include <math.h>

#include "simt/kernels/kernels.h"
#include "simt/kernels/poly.h"
#include "simt/warp.h"

static const float tiny = 0.005F;  // standard deviation

enum { DATA, MEAN, STDDEV, SYMMAT, ARRAYS };
enum {
    STORE_MEAN_ZERO,
    LOAD_DATA,
    STORE_MEAN_SUM,
    STORE_MEAN,
    STORE_STDDEV_ZERO,
    LOAD_DATA_AGAIN,
    LOAD_MEAN,
    STORE_STDDEV_SUM,
    STORE_STDDEV,
    LOAD_OLD,
    LOAD_ITS_MEAN,
    STORE_CENTRED,
    LOAD_STDDEV,
    STORE_REDUCED,
    STORE_ONE,
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

static void *corr_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t m = p->size + 1;
    const poly_array shape[ARRAYS] = {[DATA] = {"data", m * (m + 1), true},
                                      [MEAN] = {"mean", m + 1, true},
                                      [STDDEV] = {"stddev", m + 1, true},
                                      [SYMMAT] = {"symmat", (m + 1) * (m + 1), true}};
    poly *s = poly_create("corr", p, space, shape, ARRAYS, SYMMAT, err);
    if (s != NULL) {
        s->tiles = lanes_tile_rows(m, p->block);
        s->work = (double)s->n * (double)s->n * (double)m / 2;
    }
    return s;
}

static bool corr_launch(void *self, gmmu_simt_grid *grid) {
    poly *s = self;
    uint64_t m = s->n + 1;
    *grid = s->grids == 2 ? lanes_tile_grid(&s->tiles) : poly_line(s, m);
    if (s->grids++ < 4)
        return true;
    ((float *)s->array[SYMMAT]->data)[m * (m + 1) + m] = 1;
    return false;
}

static gmmu_simt_event step_mean(const poly *s, const gmmu_simt_warp *w, regs *r,
                                 gmmu_simt_op *op) {
    uint64_t m = s->n + 1;
    WARP_BEGIN;
    IF(GID < m) {
        ST(STORE_MEAN_ZERO, s->array[MEAN], float, GID + 1, 0);
        for (r->i = 1; r->i <= s->n; r->i++) {
            LD(LOAD_DATA, s->array[DATA], r->i * (m + 1) + GID + 1, r->a);
            EACH r->sum[lane] += r->a[lane];
            ST(STORE_MEAN_SUM, s->array[MEAN], float, GID + 1, r->sum[lane]);
        }
        ST(STORE_MEAN, s->array[MEAN], float, GID + 1, r->sum[lane] / (float)s->n);
    }
    ENDIF;
    WARP_END;
}

static float stddev_of(float squares, uint64_t n) {
    float stddev = sqrtf(squares / (float)n);
    return stddev <= tiny ? 1 : stddev;
}

static gmmu_simt_event step_stddev(const poly *s, const gmmu_simt_warp *w, regs *r,
                                   gmmu_simt_op *op) {
    uint64_t m = s->n + 1;
    WARP_BEGIN;
    IF(GID < m) {
        ST(STORE_STDDEV_ZERO, s->array[STDDEV], float, GID + 1, 0);
        for (r->i = 1; r->i <= s->n; r->i++) {
            LD(LOAD_DATA_AGAIN, s->array[DATA], r->i * (m + 1) + GID + 1, r->a);
            LD(LOAD_MEAN, s->array[MEAN], GID + 1, r->b);
            EACH r->a[lane] -= r->b[lane];
            EACH r->sum[lane] += r->a[lane] * r->a[lane];
            ST(STORE_STDDEV_SUM, s->array[STDDEV], float, GID + 1, r->sum[lane]);
        }
        ST(STORE_STDDEV, s->array[STDDEV], float, GID + 1, stddev_of(r->sum[lane], s->n));
    }
    ENDIF;
    WARP_END;
}

static gmmu_simt_event step_reduce(const poly *s, const gmmu_simt_warp *w, regs *r,
                                   gmmu_simt_op *op) {
    uint64_t m = s->n + 1;
    WARP_BEGIN;
    EACH {
        r->row[lane] = lanes_row(&s->tiles, w, lane) + 1;
        r->column[lane] = lanes_column(&s->tiles, w, lane) + 1;
    }
    IF(r->row[lane] <= s->n && r->column[lane] <= m) {
        LD(LOAD_OLD, s->array[DATA], r->row[lane] * (m + 1) + r->column[lane], r->a);
        LD(LOAD_ITS_MEAN, s->array[MEAN], r->column[lane], r->b);
        EACH r->a[lane] -= r->b[lane];
        ST(STORE_CENTRED, s->array[DATA], float, r->row[lane] * (m + 1) + r->column[lane],
           r->a[lane]);
        LD(LOAD_STDDEV, s->array[STDDEV], r->column[lane], r->b);
        ST(STORE_REDUCED, s->array[DATA], float, r->row[lane] * (m + 1) + r->column[lane],
           r->a[lane] / (sqrtf((float)s->n) * r->b[lane]));
    }
    ENDIF;
    WARP_END;
}

static gmmu_simt_event step_corr(poly *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    uint64_t m = s->n + 1;
    WARP_BEGIN;
    IF(GID + 1 < m) {
        EACH r->column[lane] = GID + 1;
        EACH r->second[lane] = GID + 2;
        ST(STORE_ONE, s->array[SYMMAT], float, r->column[lane] * (m + 1) + r->column[lane], 1);
        WHILE(r->second[lane] <= m) {
            EACH r->sum[lane] = 0;
            ST(STORE_ZERO, s->array[SYMMAT], float, r->column[lane] * (m + 1) + r->second[lane], 0);
            for (r->i = 1; r->i <= s->n; r->i++) {
                LD(LOAD_FIRST, s->array[DATA], r->i * (m + 1) + r->column[lane], r->a);
                LD(LOAD_SECOND, s->array[DATA], r->i * (m + 1) + r->second[lane], r->b);
                EACH r->sum[lane] += r->a[lane] * r->b[lane];
                ST(STORE_SUM, s->array[SYMMAT], float, r->column[lane] * (m + 1) + r->second[lane],
                   r->sum[lane]);
                s->done += lanes_count(r->warp.mask);
            }
            ST(STORE_TRANSPOSED, s->array[SYMMAT], float,
               r->second[lane] * (m + 1) + r->column[lane], r->sum[lane]);
            EACH r->second[lane]++;
        }
        ENDWHILE;
    }
    ENDIF;
    WARP_END;
}

static gmmu_simt_event corr_step(void *self, const gmmu_simt_warp *w, void *registers,
                                 gmmu_simt_op *op) {
    poly *s = self;
    switch (s->grids) {
        case 1:
            return step_mean(s, w, registers, op);
        case 2:
            return step_stddev(s, w, registers, op);
        case 3:
            return step_reduce(s, w, registers, op);
        default:
            return step_corr(s, w, registers, op);
    }
}

// PolyBench's sequential code, row by row.
static void corr_plain(const poly *s, float *const host[]) {
    uint64_t n = s->n;
    uint64_t m = n + 1;
    uint64_t side = m + 1;
    float *mean = host[MEAN];
    float *stddev = host[STDDEV];
    for (uint64_t j = 1; j <= m; j++) mean[j] = stddev[j] = 0;
    for (uint64_t i = 1; i <= n; i++)
        for (uint64_t j = 1; j <= m; j++) mean[j] += host[DATA][i * side + j];
    for (uint64_t j = 1; j <= m; j++) mean[j] /= (float)n;
    for (uint64_t i = 1; i <= n; i++) {
        for (uint64_t j = 1; j <= m; j++) {
            float distance = host[DATA][i * side + j] - mean[j];
            stddev[j] += distance * distance;
        }
    }
    for (uint64_t j = 1; j <= m; j++) {
        stddev[j] = sqrtf(stddev[j] / (float)n);
        if (stddev[j] <= 0.005F)
            stddev[j] = 1;
    }
    for (uint64_t i = 1; i <= n; i++) {
        for (uint64_t j = 1; j <= m; j++) {
            float *at = host[DATA] + i * side + j;
            *at = (*at - mean[j]) / (sqrtf((float)n) * stddev[j]);
        }
    }
    for (uint64_t j1 = 1; j1 <= m; j1++) {
        float *row = host[SYMMAT] + j1 * side;
        row[j1] = 1;
        for (uint64_t j2 = j1 + 1; j2 <= m; j2++) row[j2] = 0;
        for (uint64_t i = 1; i <= n; i++) {
            const float *data = host[DATA] + i * side;
            for (uint64_t j2 = j1 + 1; j2 <= m; j2++) row[j2] += data[j1] * data[j2];
        }
        for (uint64_t j2 = j1 + 1; j2 <= m; j2++) host[SYMMAT][j2 * side + j1] = row[j2];
    }
}

static int corr_check(const void *self, gmmu_error *err) {
    return poly_check(self, corr_plain, err);
}

const gmmu_simt_kernel gmmu_simt_corr = {.name = "corr",
                                         .size_text = "observations; one variable more",
                                         .default_size = 720,
                                         .max_size = 16384,
                                         .regs = sizeof(regs),
                                         .create = corr_create,
                                         .destroy = poly_destroy,
                                         .launch = corr_launch,
                                         .step = corr_step,
                                         .progress = poly_progress,
                                         .check = corr_check,
                                         .result = poly_result};
