// SPDX-License-Identifier: Apache-2.0
// 2dconv.c: 3 x 3 convolution, the grid of PolyBench/GPU's 2DConvolution, in single precision.
//
//   thread (i, j), not on the border:  B[i*n + j] = c11 * A[(i-1)*n + j-1] + ... nine products
//
// PolyBench runs the grid once; here it runs ITERATIONS times unless chosen, from A to B and back
// in turn, so that pages are used again. The nine products are added in the order of the CPU's
// code, so that both must be equal bit for bit.
#include <stdlib.h>

#include "simt/kernels/kernels.h"
#include "simt/kernels/lanes.h"
#include "simt/warp.h"

enum { ITERATIONS = 12, MOST = 1 << 16, TAPS = 9 };

// Row by row from the upper left.
static const float taps[TAPS] = {0.2F, 0.5F, -0.8F, -0.3F, 0.6F, -0.9F, 0.4F, 0.7F, 0.1F};

typedef struct {
    uint64_t n;
    uint64_t seed;
    unsigned launches;
    unsigned grids;  // launched so far
    uint64_t done;   // points
    lanes_tiles tiles;
    const gmmu_array *image[2];  // A, B
} conv;

typedef struct {
    WARP_STATE;
    unsigned tap;
    uint64_t row[GMMU_WARP], column[GMMU_WARP];
    float value[GMMU_WARP], sum[GMMU_WARP];
} regs;

static void fill(float *image, uint64_t n, uint64_t seed) {
    for (uint64_t i = 0; i < n * n; i++) image[i] = lanes_random(&seed);
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
    s->launches = p->launches;
    s->tiles = lanes_tile_rows(n, p->block);
    if ((s->image[0] = gmmu_space_alloc(space, "A", n * n, sizeof(float), err)) == NULL ||
        (s->image[1] = gmmu_space_alloc(space, "B", n * n, sizeof(float), err)) == NULL) {
        free(s);
        return NULL;
    }
    fill(s->image[0]->data, n, s->seed);
    return s;
}

static bool conv_launch(void *self, gmmu_simt_grid *grid) {
    conv *s = self;
    *grid = lanes_tile_grid(&s->tiles);
    return s->grids++ < s->launches;
}

static gmmu_simt_event conv_step(void *self, const gmmu_simt_warp *w, void *registers,
                                 gmmu_simt_op *op) {
    conv *s = self;
    regs *r = registers;
    const gmmu_array *from = s->image[(s->grids - 1) % 2];
    const gmmu_array *to = s->image[s->grids % 2];
    WARP_BEGIN;
    EACH {
        r->row[lane] = lanes_row(&s->tiles, w, lane);
        r->column[lane] = lanes_column(&s->tiles, w, lane);
    }
    RETURN_IF(!lanes_inside(&s->tiles, w, lane, 1));
    for (r->tap = 0; r->tap < TAPS; r->tap++) {
        LD(r->tap, from, (r->row[lane] + r->tap / 3 - 1) * s->n + r->column[lane] + r->tap % 3 - 1,
           r->value);
        EACH {
            float product = lanes_product(taps[r->tap], r->value[lane]);
            r->sum[lane] = r->tap == 0 ? product : r->sum[lane] + product;
        }
    }
    ST(TAPS, to, float, r->row[lane] * s->n + r->column[lane], r->sum[lane]);
    s->done += lanes_count(r->warp.mask);
    WARP_END;
}

static double conv_progress(const void *self) {
    const conv *s = self;
    return (double)s->done / (s->launches * (double)s->n * (double)s->n);
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
    for (unsigned t = 0; t < s->launches; t++) {
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
    rc = lanes_compare("2dconv", s->image[s->launches % 2]->name, s->image[s->launches % 2]->data,
                       a, n * n, err);
done:
    free(a);
    free(b);
    return rc;
}

static const gmmu_array *conv_result(const void *self) {
    const conv *s = self;
    return s->image[s->launches % 2];
}

const gmmu_simt_kernel gmmu_simt_2dconv = {.name = "2dconv",
                                           .size_text = "rows and columns of the image",
                                           .default_size = 800,
                                           .max_size = 32768,
                                           .regs = sizeof(regs),
                                           .create = conv_create,
                                           .destroy = free,
                                           .launch = conv_launch,
                                           .step = conv_step,
                                           .progress = conv_progress,
                                           .check = conv_check,
                                           .result = conv_result,
                                           .launches = {ITERATIONS, MOST},
                                           .folds = true};
