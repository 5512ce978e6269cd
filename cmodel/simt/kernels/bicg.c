// SPDX-License-Identifier: Apache-2.0
// bicg.c: s = A^T r, q = A p, the two grids of PolyBench/GPU's bicg, the kernel of BiCG solvers.
//
//   grid 1, thread j:  s[j] = 0;  for i:  s[j] += A[i*n + j] * r[i]      a warp touches one row of
//   A grid 2, thread i:  q[i] = 0;  for j:  q[i] += A[i*n + j] * p[j]      a warp touches 32 rows
//   of A
//
// The sum stays in a register and is stored in every iteration: 1 + 3N accesses a thread (RDGC,
// Table 4).
#include "simt/kernels/kernels.h"
#include "simt/kernels/poly.h"
#include "simt/warp.h"

enum { A, R, S, P, Q, ARRAYS };
enum { STORE_ZERO, LOAD_A, LOAD_VECTOR, STORE_SUM, SITES };  // of each grid

typedef struct {
    WARP_STATE;
    uint64_t k;
    float sum[GMMU_WARP], a[GMMU_WARP], vector[GMMU_WARP];
} regs;

static void *bicg_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t n = p->size;
    const poly_array shape[ARRAYS] = {[A] = {"A", n * n, true},
                                      [R] = {"r", n, true},
                                      [S] = {"s", n, true},
                                      [P] = {"p", n, true},
                                      [Q] = {"q", n, true}};
    poly *s = poly_create("bicg", p, space, shape, ARRAYS, Q, err);
    if (s != NULL)
        s->work = 2 * (double)n * (double)n;
    return s;
}

static gmmu_simt_event bicg_step(void *self, const gmmu_simt_warp *w, void *registers,
                                 gmmu_simt_op *op) {
    poly *s = self;
    regs *r = registers;
    bool rows = s->grids == 2;
    unsigned site = rows ? SITES : 0;
    const gmmu_array *out = s->array[rows ? Q : S];
    const gmmu_array *vector = s->array[rows ? P : R];
    WARP_BEGIN;
    IF(GID < s->n) {
        ST(site + STORE_ZERO, out, float, GID, 0);
        for (r->k = 0; r->k < s->n; r->k++) {
            LD(site + LOAD_A, s->array[A], rows ? GID * s->n + r->k : r->k * s->n + GID, r->a);
            LD(site + LOAD_VECTOR, vector, r->k, r->vector);
            EACH r->sum[lane] += r->a[lane] * r->vector[lane];
            ST(site + STORE_SUM, out, float, GID, r->sum[lane]);
            s->done += lanes_count(r->warp.mask);
        }
    }
    ENDIF;
    WARP_END;
}

// PolyBench's sequential code.
static void bicg_plain(const poly *s, float *const host[]) {
    uint64_t n = s->n;
    for (uint64_t j = 0; j < n; j++) host[S][j] = 0;
    for (uint64_t i = 0; i < n; i++) {
        host[Q][i] = 0;
        for (uint64_t j = 0; j < n; j++) {
            host[S][j] += host[R][i] * host[A][i * n + j];
            host[Q][i] += host[A][i * n + j] * host[P][j];
        }
    }
}

static int bicg_check(const void *self, gmmu_error *err) {
    return poly_check(self, bicg_plain, err);
}

const gmmu_simt_kernel gmmu_simt_bicg = {.name = "bicg",
                                         .size_text = "rows and columns of the matrix",
                                         .default_size = 1024,
                                         .max_size = 32768,
                                         .regs = sizeof(regs),
                                         .create = bicg_create,
                                         .destroy = poly_destroy,
                                         .launch = poly_launch_lines,
                                         .step = bicg_step,
                                         .progress = poly_progress,
                                         .check = bicg_check,
                                         .result = poly_result};
