// SPDX-License-Identifier: Apache-2.0
// gramschmidt.c: QR decomposition by the modified Gram-Schmidt process, the three grids a column of
// PolyBench/GPU's gramschmidt.
//
//   for k = 0 to N - 1:
//     grid 1, one thread:        R[k][k] = |column k of A|
//     grid 2, thread i:          Q[i][k] = A[i][k] / R[k][k]
//     grid 3, thread j, j > k:   for i:  R[k][j] += Q[i][k] * A[i][j]
//                                for i:  A[i][j] -= Q[i][k] * R[k][j]
//
// A has N rows and, as in least squares, one column more, the right-hand side, which is projected
// but not normalised: so its thread works in all N grids of the third kind. Its sum begins at 0 in
// a register and is stored in every iteration, 3 accesses; the second loop loads R[k][j] again
// behind each store to A, 4 accesses: 7N a thread and grid, 7N^2 in all (RDGC, Table 4).
#include <math.h>

#include "simt/kernels/kernels.h"
#include "simt/kernels/poly.h"
#include "simt/warp.h"

enum { A, R, Q, ARRAYS };
enum {
    LOAD_NORM,
    STORE_NORM,
    LOAD_COLUMN,
    LOAD_LENGTH,
    STORE_Q,
    LOAD_Q,
    LOAD_A,
    STORE_R,
    LOAD_A_OLD,
    LOAD_Q_AGAIN,
    LOAD_R,
    STORE_A
};

typedef struct {
    WARP_STATE;
    uint64_t i;
    float sum[GMMU_WARP], a[GMMU_WARP], q[GMMU_WARP], length[GMMU_WARP];
} regs;

static void *gram_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t n = p->size;
    const poly_array shape[ARRAYS] = {
        [A] = {"A", n * (n + 1), true}, [R] = {"R", n * (n + 1), false}, [Q] = {"Q", n * n, false}};
    poly *s = poly_create("gramschmidt", p, space, shape, ARRAYS, A, err);
    if (s != NULL)
        s->work = (double)n * (double)n * ((double)n + 1);
    return s;
}

static bool gram_launch(void *self, gmmu_simt_grid *grid) {
    poly *s = self;
    unsigned kind = s->grids % 3;
    *grid = poly_line(s, kind == 0 ? 1 : kind == 1 ? s->n : s->n + 1);
    return s->grids++ < 3 * s->n;
}

static gmmu_simt_event step_norm(const poly *s, const gmmu_simt_warp *w, regs *r,
                                 gmmu_simt_op *op) {
    uint64_t n = s->n;
    uint64_t k = (s->grids - 1) / 3;
    WARP_BEGIN;
    IF(GID == 0) {
        for (r->i = 0; r->i < n; r->i++) {
            LD(LOAD_NORM, s->array[A], r->i * (n + 1) + k, r->a);
            EACH r->sum[lane] += r->a[lane] * r->a[lane];
        }
        ST(STORE_NORM, s->array[R], float, k *(n + 1) + k, sqrtf(r->sum[lane]));
    }
    ENDIF;
    WARP_END;
}

static gmmu_simt_event step_q(const poly *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    uint64_t n = s->n;
    uint64_t k = (s->grids - 1) / 3;
    WARP_BEGIN;
    IF(GID < n) {
        LD(LOAD_COLUMN, s->array[A], GID * (n + 1) + k, r->a);
        LD(LOAD_LENGTH, s->array[R], k * (n + 1) + k, r->length);
        ST(STORE_Q, s->array[Q], float, GID *n + k, r->a[lane] / r->length[lane]);
    }
    ENDIF;
    WARP_END;
}

static gmmu_simt_event step_project(poly *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    uint64_t n = s->n;
    uint64_t k = (s->grids - 1) / 3;
    WARP_BEGIN;
    IF(GID > k && GID <= n) {
        for (r->i = 0; r->i < n; r->i++) {
            LD(LOAD_Q, s->array[Q], r->i * n + k, r->q);
            LD(LOAD_A, s->array[A], r->i * (n + 1) + GID, r->a);
            EACH r->sum[lane] += r->q[lane] * r->a[lane];
            ST(STORE_R, s->array[R], float, k *(n + 1) + GID, r->sum[lane]);
            s->done += lanes_count(r->warp.mask);
        }
        for (r->i = 0; r->i < n; r->i++) {
            LD(LOAD_A_OLD, s->array[A], r->i * (n + 1) + GID, r->a);
            LD(LOAD_Q_AGAIN, s->array[Q], r->i * n + k, r->q);
            LD(LOAD_R, s->array[R], k * (n + 1) + GID, r->length);
            ST(STORE_A, s->array[A], float, r->i *(n + 1) + GID,
               r->a[lane] - r->q[lane] * r->length[lane]);
            s->done += lanes_count(r->warp.mask);
        }
    }
    ENDIF;
    WARP_END;
}

static gmmu_simt_event gram_step(void *self, const gmmu_simt_warp *w, void *registers,
                                 gmmu_simt_op *op) {
    poly *s = self;
    switch ((s->grids - 1) % 3) {
        case 0:
            return step_norm(s, w, registers, op);
        case 1:
            return step_q(s, w, registers, op);
        default:
            return step_project(s, w, registers, op);
    }
}

// PolyBench's sequential code, with the columns' sums side by side.
static void gram_plain(const poly *s, float *const host[]) {
    uint64_t n = s->n;
    uint64_t columns = n + 1;
    for (uint64_t k = 0; k < n; k++) {
        float *r = host[R] + k * columns;
        float square = 0;
        for (uint64_t i = 0; i < n; i++) {
            float a = host[A][i * columns + k];
            square += a * a;
        }
        r[k] = sqrtf(square);
        for (uint64_t i = 0; i < n; i++) host[Q][i * n + k] = host[A][i * columns + k] / r[k];
        for (uint64_t i = 0; i < n; i++)
            for (uint64_t j = k + 1; j < columns; j++)
                r[j] += host[Q][i * n + k] * host[A][i * columns + j];
        for (uint64_t i = 0; i < n; i++)
            for (uint64_t j = k + 1; j < columns; j++)
                host[A][i * columns + j] -= host[Q][i * n + k] * r[j];
    }
}

static int gram_check(const void *self, gmmu_error *err) {
    return poly_check(self, gram_plain, err);
}

const gmmu_simt_kernel gmmu_simt_gramschmidt = {.name = "gramschmidt",
                                                .size_text = "rows; one column more",
                                                .default_size = 592,
                                                .max_size = 16384,
                                                .regs = sizeof(regs),
                                                .create = gram_create,
                                                .destroy = poly_destroy,
                                                .launch = gram_launch,
                                                .step = gram_step,
                                                .progress = poly_progress,
                                                .check = gram_check,
                                                .result = poly_result};
