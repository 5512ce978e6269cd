// SPDX-License-Identifier: Apache-2.0
// 2dconv.c: 3 x 3 convolution, the grid of PolyBench/GPU's 2DConvolution, in single precision.
//
//   thread (i, j), not on the border:  B[i*n + j] = c11 * A[(i-1)*n + j-1] + ... nine products
//
// PolyBench runs the grid once; here it runs ITERATIONS times, from A to B and back in turn, so
// that pages are used again. The nine products are added in the order of the CPU's code, so that
// both must be equal bit for bit.
#include <stdlib.h>

#include "simt/kernels/kernels.h"
#include "simt/kernels/lanes.h"

enum { ITERATIONS = 12, TAPS = 9 };

// Row by row from the upper left.
static const float taps[TAPS] = {0.2F, 0.5F, -0.8F, -0.3F, 0.6F, -0.9F, 0.4F, 0.7F, 0.1F};

typedef struct {
    uint64_t n;
    uint64_t seed;
    unsigned grids;  // launched so far
    uint64_t done;   // points
    lanes_tiles tiles;
    const gmmu_array *image[2];  // A, B
} conv;

typedef struct {
    unsigned pc;  // a tap, or TAPS: the store
    float sum[GMMU_WARP];
} regs;

static void fill(float *image, uint64_t n, uint64_t seed) {
    for (uint64_t i = 0; i < n * n; i++) image[i] = lanes_random(&seed);
}

static void conv_destroy(void *self) {
    free(self);
}

static void *conv_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t n = p->size;
    conv *s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(err->text, sizeof err->text, "2dconv: no memory");
        return NULL;
    }
    s->n = n;
    s->seed = p->seed;
    s->tiles = lanes_tile_rows(n, p->block);
    if ((s->image[0] = gmmu_space_alloc(space, "A", n * n, sizeof(float), err)) == NULL ||
        (s->image[1] = gmmu_space_alloc(space, "B", n * n, sizeof(float), err)) == NULL) {
        conv_destroy(s);
        return NULL;
    }
    fill(s->image[0]->data, n, s->seed);
    return s;
}

static bool conv_launch(void *self, gmmu_simt_grid *grid) {
    conv *s = self;
    *grid = lanes_tile_grid(&s->tiles);
    return s->grids++ < ITERATIONS;
}

static gmmu_simt_event conv_step(void *self, const gmmu_simt_warp *w, void *registers,
                                 gmmu_simt_op *op) {
    conv *s = self;
    regs *r = registers;
    const gmmu_array *from = s->image[(s->grids - 1) % 2];
    const gmmu_array *to = s->image[s->grids % 2];
    uint32_t mask = lanes_inside(&s->tiles, w, 1);
    if (mask == 0 || r->pc > TAPS)
        return GMMU_SIMT_EXIT;
    bool store = r->pc == TAPS;
    lanes_access(op, r->pc, store ? to : from, store, mask);
    for (unsigned lane = 0; lane < GMMU_WARP; lane++) {
        if (!lanes_on(mask, lane))
            continue;
        uint64_t row = lanes_row(&s->tiles, w, lane);
        uint64_t column = lanes_column(&s->tiles, w, lane);
        if (store) {
            op->index[lane] = row * s->n + column;
            continue;
        }
        op->index[lane] = (row + r->pc / 3 - 1) * s->n + column + r->pc % 3 - 1;
        float product = lanes_product(taps[r->pc], ((const float *)from->data)[op->index[lane]]);
        r->sum[lane] = r->pc == 0 ? product : r->sum[lane] + product;
    }
    if (store) {
        lanes_store(op, r->sum);
        s->done += lanes_count(mask);
    }
    r->pc++;
    return GMMU_SIMT_MEM;
}

static double conv_progress(const void *self) {
    const conv *s = self;
    return (double)s->done / (ITERATIONS * (double)s->n * (double)s->n);
}

static int conv_check(const void *self, gmmu_error *err) {
    const conv *s = self;
    uint64_t n = s->n;
    float *a = calloc(n * n, sizeof *a);
    float *b = calloc(n * n, sizeof *b);
    int rc = GMMU_SIMT_NO_MEMORY;
    if (a == NULL || b == NULL) {
        snprintf(err->text, sizeof err->text, "2dconv: no memory for the check");
        goto done;
    }
    fill(a, n, s->seed);
    for (unsigned t = 0; t < ITERATIONS; t++) {
        for (uint64_t i = 1; i + 1 < n; i++) {
            for (uint64_t j = 1; j + 1 < n; j++) {
                const float *up = a + (i - 1) * n + j;
                const float *at = a + i * n + j;
                const float *down = a + (i + 1) * n + j;
                float sum = lanes_product(0.2F, up[-1]);
                sum += lanes_product(0.5F, up[0]);
                sum += lanes_product(-0.8F, up[1]);
                sum += lanes_product(-0.3F, at[-1]);
                sum += lanes_product(0.6F, at[0]);
                sum += lanes_product(-0.9F, at[1]);
                sum += lanes_product(0.4F, down[-1]);
                sum += lanes_product(0.7F, down[0]);
                sum += lanes_product(0.1F, down[1]);
                b[i * n + j] = sum;
            }
        }
        float *other = a;
        a = b;
        b = other;
    }
    rc = lanes_compare("2dconv", s->image[ITERATIONS % 2]->name, s->image[ITERATIONS % 2]->data, a,
                       n * n, err);
done:
    free(a);
    free(b);
    return rc;
}

static const gmmu_array *conv_result(const void *self) {
    return ((const conv *)self)->image[ITERATIONS % 2];
}

const gmmu_simt_kernel gmmu_simt_2dconv = {.name = "2dconv",
                                           .size_text = "rows and columns of the image",
                                           .default_size = 800,
                                           .max_size = 32768,
                                           .regs = sizeof(regs),
                                           .create = conv_create,
                                           .destroy = conv_destroy,
                                           .launch = conv_launch,
                                           .step = conv_step,
                                           .progress = conv_progress,
                                           .check = conv_check,
                                           .result = conv_result};
