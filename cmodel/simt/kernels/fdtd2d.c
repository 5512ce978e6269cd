// SPDX-License-Identifier: Apache-2.0
// fdtd2d.c: finite differences in the time domain, the three grids a time step of PolyBench/GPU's
// fdtd2d: electric fields ex, ey and magnetic field hz on N x N points, ten time steps.
//
//   grid 1, thread (i, j):  ey[i][j]  = fict[t] in row 0, else ey[i][j] - (hz[i][j] - hz[i-1][j]) /
//   2 grid 2, thread (i, j):  ex[i][j] -= (hz[i][j] - hz[i][j-1]) / 2, not in column 0 grid 3,
//   thread (i, j):  hz[i][j] -= 0.7 (ex[i][j+1] - ex[i][j] + ey[i+1][j] - ey[i][j])
//
// Rows of ex have N + 1 points, ey has N + 1 rows; what no grid writes there stays as it was.
// RDGC's Table 4 has 6, 4, 6 accesses: grid 1 has six in its two branches, of which a thread makes
// two or four.
#include "simt/kernels/kernels.h"
#include "simt/kernels/poly.h"
#include "simt/warp.h"

enum { STEPS = 10 };

enum { FICT, EX, EY, HZ, ARRAYS };
enum {
    LOAD_FICT,
    STORE_EY_TOP,
    LOAD_EY,
    LOAD_HZ,
    LOAD_HZ_UP,
    STORE_EY,
    LOAD_EX,
    LOAD_HZ_AGAIN,
    LOAD_HZ_LEFT,
    STORE_EX,
    LOAD_HZ_OLD,
    LOAD_EX_RIGHT,
    LOAD_EX_HERE,
    LOAD_EY_DOWN,
    LOAD_EY_HERE,
    STORE_HZ
};

typedef struct {
    WARP_STATE;
    uint64_t row[GMMU_WARP], column[GMMU_WARP];
    float old[GMMU_WARP], a[GMMU_WARP], b[GMMU_WARP], c[GMMU_WARP], d[GMMU_WARP];
} regs;

static void *fdtd_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t n = p->size;
    const poly_array shape[ARRAYS] = {[FICT] = {"fict", STEPS, true},
                                      [EX] = {"ex", n * (n + 1), true},
                                      [EY] = {"ey", (n + 1) * n, true},
                                      [HZ] = {"hz", n * n, true}};
    poly *s = poly_create("fdtd2d", p, space, shape, ARRAYS, HZ, err);
    if (s != NULL) {
        s->tiles = lanes_tile_rows(n, p->block);
        s->work = 3.0 * STEPS * (double)n * (double)n;
    }
    return s;
}

static bool fdtd_launch(void *self, gmmu_simt_grid *grid) {
    poly *s = self;
    *grid = lanes_tile_grid(&s->tiles);
    return s->grids++ < 3 * STEPS;
}

static gmmu_simt_event step_ey(poly *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    uint64_t n = s->n;
    WARP_BEGIN;
    EACH {
        r->row[lane] = lanes_row(&s->tiles, w, lane);
        r->column[lane] = lanes_column(&s->tiles, w, lane);
    }
    IF(r->row[lane] < n && r->column[lane] < n) {
        s->done += lanes_count(r->warp.mask);
        IF(r->row[lane] == 0) {
            LD(LOAD_FICT, s->array[FICT], (s->grids - 1) / 3, r->a);
            ST(STORE_EY_TOP, s->array[EY], float, r->column[lane], r->a[lane]);
        }
        ELSE {
            LD(LOAD_EY, s->array[EY], r->row[lane] * n + r->column[lane], r->old);
            LD(LOAD_HZ, s->array[HZ], r->row[lane] * n + r->column[lane], r->a);
            LD(LOAD_HZ_UP, s->array[HZ], (r->row[lane] - 1) * n + r->column[lane], r->b);
            ST(STORE_EY, s->array[EY], float, r->row[lane] * n + r->column[lane],
               r->old[lane] - 0.5F * (r->a[lane] - r->b[lane]));
        }
        ENDIF;
    }
    ENDIF;
    WARP_END;
}

static gmmu_simt_event step_ex(poly *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    uint64_t n = s->n;
    WARP_BEGIN;
    EACH {
        r->row[lane] = lanes_row(&s->tiles, w, lane);
        r->column[lane] = lanes_column(&s->tiles, w, lane);
    }
    IF(r->row[lane] < n && r->column[lane] < n && r->column[lane] > 0) {
        s->done += lanes_count(r->warp.mask);
        LD(LOAD_EX, s->array[EX], r->row[lane] * (n + 1) + r->column[lane], r->old);
        LD(LOAD_HZ_AGAIN, s->array[HZ], r->row[lane] * n + r->column[lane], r->a);
        LD(LOAD_HZ_LEFT, s->array[HZ], r->row[lane] * n + r->column[lane] - 1, r->b);
        ST(STORE_EX, s->array[EX], float, r->row[lane] * (n + 1) + r->column[lane],
           r->old[lane] - 0.5F * (r->a[lane] - r->b[lane]));
    }
    ENDIF;
    WARP_END;
}

static gmmu_simt_event step_hz(poly *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    uint64_t n = s->n;
    WARP_BEGIN;
    EACH {
        r->row[lane] = lanes_row(&s->tiles, w, lane);
        r->column[lane] = lanes_column(&s->tiles, w, lane);
    }
    IF(r->row[lane] < n && r->column[lane] < n) {
        s->done += lanes_count(r->warp.mask);
        LD(LOAD_HZ_OLD, s->array[HZ], r->row[lane] * n + r->column[lane], r->old);
        LD(LOAD_EX_RIGHT, s->array[EX], r->row[lane] * (n + 1) + r->column[lane] + 1, r->a);
        LD(LOAD_EX_HERE, s->array[EX], r->row[lane] * (n + 1) + r->column[lane], r->b);
        LD(LOAD_EY_DOWN, s->array[EY], (r->row[lane] + 1) * n + r->column[lane], r->c);
        LD(LOAD_EY_HERE, s->array[EY], r->row[lane] * n + r->column[lane], r->d);
        ST(STORE_HZ, s->array[HZ], float, r->row[lane] * n + r->column[lane],
           r->old[lane] - 0.7F * (r->a[lane] - r->b[lane] + r->c[lane] - r->d[lane]));
    }
    ENDIF;
    WARP_END;
}

static gmmu_simt_event fdtd_step(void *self, const gmmu_simt_warp *w, void *registers,
                                 gmmu_simt_op *op) {
    poly *s = self;
    switch ((s->grids - 1) % 3) {
        case 0:
            return step_ey(s, w, registers, op);
        case 1:
            return step_ex(s, w, registers, op);
        default:
            return step_hz(s, w, registers, op);
    }
}

// PolyBench's sequential code.
static void fdtd_plain(const poly *s, float *const host[]) {
    uint64_t n = s->n;
    float *ex = host[EX];
    float *ey = host[EY];
    float *hz = host[HZ];
    for (unsigned t = 0; t < STEPS; t++) {
        for (uint64_t j = 0; j < n; j++) ey[j] = host[FICT][t];
        for (uint64_t at = n; at < n * n; at++) ey[at] -= 0.5F * (hz[at] - hz[at - n]);
        for (uint64_t i = 0; i < n; i++)
            for (uint64_t j = 1; j < n; j++)
                ex[i * (n + 1) + j] -= 0.5F * (hz[i * n + j] - hz[i * n + j - 1]);
        for (uint64_t i = 0; i < n; i++) {
            for (uint64_t j = 0; j < n; j++) {
                const float *x = ex + i * (n + 1) + j;
                const float *y = ey + i * n + j;
                hz[i * n + j] -= 0.7F * (x[1] - x[0] + y[n] - y[0]);
            }
        }
    }
}

static int fdtd_check(const void *self, gmmu_error *err) {
    return poly_check(self, fdtd_plain, err);
}

const gmmu_simt_kernel gmmu_simt_fdtd2d = {.name = "fdtd2d",
                                           .size_text = "rows and columns of points",
                                           .default_size = 800,
                                           .max_size = 32768,
                                           .regs = sizeof(regs),
                                           .create = fdtd_create,
                                           .destroy = poly_destroy,
                                           .launch = fdtd_launch,
                                           .step = fdtd_step,
                                           .progress = poly_progress,
                                           .check = fdtd_check,
                                           .result = poly_result};
