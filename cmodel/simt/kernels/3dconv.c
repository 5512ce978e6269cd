// SPDX-License-Identifier: Apache-2.0
// 3dconv.c: convolution in three dimensions, the grids of PolyBench/GPU's 3DConvolution.
//
//   grid i, thread (j, k):  B[i][j][k] = a weighted sum of eleven points around A[i][j][k]
//
// One grid a plane. N counts the points that are computed in each direction; around them A and B
// have a border of one point (PolyBench's NI is N + 2). PolyBench's code names fifteen points, four
// of them a second or third time: eleven loads and a store, 12 accesses a thread in a grid, 12N in
// all (RDGC, Table 4).
#include "simt/kernels/kernels.h"
#include "simt/kernels/poly.h"
#include "simt/warp.h"

enum { A, B, ARRAYS };
enum { POINTS = 11 };  // loaded, instructions 0 to 10; 11 stores

// Where they lie: plane, row and column before, the same or the next; added modulo 2^64.
static const struct {
    signed char i, j, k;
} points[POINTS] = {{-1, -1, -1}, {+1, -1, -1}, {0, -1, 0},   {0, 0, 0},
                    {0, +1, 0},   {-1, -1, +1}, {+1, -1, +1}, {-1, 0, +1},
                    {+1, 0, +1},  {-1, +1, +1}, {+1, +1, +1}};

// The fifteen terms in PolyBench's order: which point, how much.
enum { TERMS = 15 };
static const struct {
    unsigned char point;
    float weight;
} terms[TERMS] = {{0, 2},  {1, 4}, {0, 5}, {1, 7}, {0, -8}, {1, 10}, {2, -3}, {3, 6},
                  {4, -9}, {5, 2}, {6, 4}, {7, 5}, {8, 7},  {9, -8}, {10, 10}};

typedef struct {
    WARP_STATE;
    unsigned point;
    uint64_t at[GMMU_WARP];  // of the thread's own point in A and B
    float value[POINTS][GMMU_WARP];
} regs;

static void *conv_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t side = p->size + 2;
    const poly_array shape[ARRAYS] = {
        [A] = {"A", side * side * side, true}, [B] = {"B", side * side * side, true}};
    poly *s = poly_create("3dconv", p, space, shape, ARRAYS, B, err);
    if (s != NULL) {
        s->tiles = lanes_tile_rows(side, p->block);
        s->work = (double)s->n * (double)s->n * (double)s->n;
    }
    return s;
}

static bool conv_launch(void *self, gmmu_simt_grid *grid) {
    poly *s = self;
    *grid = lanes_tile_grid(&s->tiles);
    return ++s->grids <= s->n;  // the plane, too
}

static float weighted_sum(const regs *r, unsigned lane) {
    float sum = terms[0].weight * r->value[terms[0].point][lane];
    for (unsigned t = 1; t < TERMS; t++) sum += terms[t].weight * r->value[terms[t].point][lane];
    return sum;
}

static gmmu_simt_event conv_step(void *self, const gmmu_simt_warp *w, void *registers,
                                 gmmu_simt_op *op) {
    poly *s = self;
    regs *r = registers;
    uint64_t side = s->n + 2;
    WARP_BEGIN;
    EACH r->at[lane] =
        (s->grids * side + lanes_row(&s->tiles, w, lane)) * side + lanes_column(&s->tiles, w, lane);
    IF(lanes_inside(&s->tiles, w, lane, 1)) {
        for (r->point = 0; r->point < POINTS; r->point++) {
            LD(r->point, s->array[A],
               r->at[lane] +
                   ((uint64_t)points[r->point].i * side + (uint64_t)points[r->point].j) * side +
                   (uint64_t)points[r->point].k,
               r->value[r->point]);
        }
        ST(POINTS, s->array[B], float, r->at[lane], weighted_sum(r, lane));
        s->done += lanes_count(r->warp.mask);
    }
    ENDIF;
    WARP_END;
}

// PolyBench's sequential code.
static void conv_plain(const poly *s, float *const host[]) {
    uint64_t side = s->n + 2;
    uint64_t plane = side * side;
    for (uint64_t i = 1; i <= s->n; i++) {
        for (uint64_t j = 1; j <= s->n; j++) {
            for (uint64_t k = 1; k <= s->n; k++) {
                const float *a = host[A] + i * plane + j * side + k;
                const float *b = a - plane;  // of the plane before
                const float *c = a + plane;  // of the next one
                const float *up_b = b - side;
                const float *up_c = c - side;
                float sum = 2 * up_b[-1] + 4 * up_c[-1] + 5 * up_b[-1] + 7 * up_c[-1];
                sum = sum - 8 * up_b[-1] + 10 * up_c[-1];
                sum = sum - 3 * *(a - side) + 6 * *a - 9 * a[side];
                sum = sum + 2 * up_b[1] + 4 * up_c[1] + 5 * b[1] + 7 * c[1];
                host[B][i * plane + j * side + k] = sum - 8 * b[side + 1] + 10 * c[side + 1];
            }
        }
    }
}

static int conv_check(const void *self, gmmu_error *err) {
    return poly_check(self, conv_plain, err);
}

const gmmu_simt_kernel gmmu_simt_3dconv = {
    .name = "3dconv",
    .size_text = "planes, rows and columns inside the border",
    .default_size = 158,
    .max_size = 2046,
    .regs = sizeof(regs),
    .create = conv_create,
    .destroy = poly_destroy,
    .launch = conv_launch,
    .step = conv_step,
    .progress = poly_progress,
    .check = conv_check,
    .result = poly_result};
