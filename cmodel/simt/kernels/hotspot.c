// SPDX-License-Identifier: Apache-2.0
// hotspot.c: heat flow on a chip, the grid of Rodinia's hotspot with pyramid height 1.
//
// A block loads a square of the temperatures and of the power, with a border of one point, into
// shared memory, waits, and writes the next temperature of the points within the border. Grids go
// from one temperature array to the other in turn. The source array is not written during a grid,
// so that what a thread reads of its neighbours in shared memory is what the array holds.
// The order of operations is the CPU's, so that both must be equal bit for bit.
#include <stdlib.h>

#include "simt/kernels/kernels.h"
#include "simt/kernels/lanes.h"
#include "simt/warp.h"

enum { ITERATIONS = 16, MOST = 1 << 16 };  // grids, unless chosen
enum { LOAD_TEMP, LOAD_POWER, STORE_TEMP };

static const float ambient = 80;

typedef struct {
    float rx, ry, rz;  // 1 / resistance
    float step;        // over capacity
} constants;

typedef struct {
    uint64_t n;
    uint64_t seed;
    unsigned side;   // of a block
    uint64_t inner;  // side of what a block writes
    uint64_t across;
    unsigned launches;
    unsigned grids;  // launched so far
    uint64_t done;   // points
    constants k;
    const gmmu_array *temp[2], *power;
} hotspot;

typedef struct {
    WARP_STATE;
    bool on[GMMU_WARP], inner[GMMU_WARP];  // the point is on the chip; not on the square's border
    uint64_t i[GMMU_WARP], j[GMMU_WARP];
    float shared[GMMU_WARP];
} regs;

// Rodinia's chip of 16 mm x 16 mm x 0.5 mm, cut in n x n points.
static constants chip(uint64_t n) {
    const double thick = 0.0005;
    const double conductivity = 100;
    const double heat = 1.75e6;
    double point = 0.016 / (double)n;
    double capacity = 0.5 * heat * thick * point * point;
    double slope = 3.0e6 / (0.5 * thick * heat);
    return (constants){.rx = (float)(2.0 * conductivity * thick),
                       .ry = (float)(2.0 * conductivity * thick),
                       .rz = (float)(conductivity * point * point / thick),
                       .step = (float)(0.001 / slope / capacity)};
}

static void fill(float *temp, float *power, uint64_t points, uint64_t seed) {
    for (uint64_t i = 0; i < points; i++) {
        temp[i] = 320.0F + lanes_product(20.0F, lanes_random(&seed));
        power[i] = lanes_product(0.001F, lanes_random(&seed));
    }
}

static void *hotspot_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t n = p->size;
    hotspot *s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(err->text, sizeof err->text, "hotspot: no memory");
        return NULL;
    }
    s->n = n;
    s->seed = p->seed;
    s->launches = p->launches;
    s->side = lanes_side(p->block);
    if (s->side < 3)
        s->side = 3;
    s->inner = s->side - 2;
    s->across = (n + s->inner - 1) / s->inner;
    s->k = chip(n);
    if ((s->temp[0] = gmmu_space_alloc(space, "temp0", n * n, sizeof(float), err)) == NULL ||
        (s->temp[1] = gmmu_space_alloc(space, "temp1", n * n, sizeof(float), err)) == NULL ||
        (s->power = gmmu_space_alloc(space, "power", n * n, sizeof(float), err)) == NULL) {
        free(s);
        return NULL;
    }
    fill(s->temp[0]->data, s->power->data, n * n, s->seed);
    return s;
}

static bool hotspot_launch(void *self, gmmu_simt_grid *grid) {
    hotspot *s = self;
    *grid = (gmmu_simt_grid){.blocks = s->across * s->across, .threads = s->side * s->side};
    return s->grids++ < s->launches;
}

// The next temperature of point (i, j); at the chip's edge the point is its own neighbour.
static float next(const hotspot *s, const float *t, uint64_t i, uint64_t j) {
    uint64_t n = s->n;
    float at = t[i * n + j];
    float north = i == 0 ? at : t[(i - 1) * n + j];
    float south = i == n - 1 ? at : t[(i + 1) * n + j];
    float west = j == 0 ? at : t[i * n + j - 1];
    float east = j == n - 1 ? at : t[i * n + j + 1];
    float sum = ((const float *)s->power->data)[i * n + j];
    sum += lanes_product(south + north - lanes_product(2, at), s->k.ry);
    sum += lanes_product(east + west - lanes_product(2, at), s->k.rx);
    sum += lanes_product(ambient - at, s->k.rz);
    return at + lanes_product(s->k.step, sum);
}

// Which point LANE has.
static void place(const hotspot *s, const gmmu_simt_warp *w, regs *r, unsigned lane) {
    unsigned y = TID / s->side;
    unsigned x = TID % s->side;
    // One more than the row and the column, so that the border before the first is 0.
    uint64_t row = BID / s->across * s->inner + y;
    uint64_t column = BID % s->across * s->inner + x;
    r->on[lane] = row > 0 && column > 0 && row <= s->n && column <= s->n;
    r->inner[lane] = y > 0 && y <= s->inner && x > 0 && x <= s->inner;
    r->i[lane] = row - 1;
    r->j[lane] = column - 1;
}

static gmmu_simt_event hotspot_step(void *self, const gmmu_simt_warp *w, void *registers,
                                    gmmu_simt_op *op) {
    hotspot *s = self;
    regs *r = registers;
    const gmmu_array *from = s->temp[(s->grids - 1) % 2];
    const gmmu_array *to = s->temp[s->grids % 2];
    WARP_BEGIN;
    EACH place(s, w, r, lane);
    IF(r->on[lane]) {
        LD(LOAD_TEMP, from, r->i[lane] * s->n + r->j[lane], r->shared);
        LD(LOAD_POWER, s->power, r->i[lane] * s->n + r->j[lane], r->shared);
    }
    ENDIF;
    SYNC;
    IF(r->on[lane] && r->inner[lane]) {
        ST(STORE_TEMP, to, float, r->i[lane] * s->n + r->j[lane],
           next(s, from->data, r->i[lane], r->j[lane]));
        s->done += lanes_count(r->warp.mask);
    }
    ENDIF;
    WARP_END;
}

static double hotspot_progress(const void *self) {
    const hotspot *s = self;
    return (double)s->done / (s->launches * (double)s->n * (double)s->n);
}

// The plain implementation: a frame of copied edge points around the chip, no tiles.
static int hotspot_check(const void *self, gmmu_error *err) {
    const hotspot *s = self;
    uint64_t n = s->n;
    uint64_t pitch = n + 2;
    float *now = malloc(n * n * sizeof *now);
    float *power = malloc(n * n * sizeof *power);
    float *framed = calloc(pitch * pitch, sizeof *framed);
    int rc = GMMU_SIMT_NO_MEMORY;
    if (now == NULL || power == NULL || framed == NULL) {
        snprintf(err->text, sizeof err->text, "hotspot: no memory for the check");
        goto done;
    }
    fill(now, power, n * n, s->seed);
    for (unsigned t = 0; t < s->launches; t++) {
        for (uint64_t i = 0; i < n; i++)
            memcpy(framed + (i + 1) * pitch + 1, now + i * n, n * sizeof *now);
        memcpy(framed + 1, now, n * sizeof *now);
        memcpy(framed + (n + 1) * pitch + 1, now + (n - 1) * n, n * sizeof *now);
        for (uint64_t i = 1; i <= n; i++) {
            framed[i * pitch] = framed[i * pitch + 1];
            framed[i * pitch + n + 1] = framed[i * pitch + n];
        }
        const float *c = framed + pitch + 1;
        for (uint64_t i = 0; i < n * n; i++) {
            volatile float twice = 2.0F * *c;
            volatile float vertical = (c[pitch] + c[-(ptrdiff_t)pitch] - twice) * s->k.ry;
            volatile float across = (c[1] + c[-1] - twice) * s->k.rx;
            volatile float out = (ambient - *c) * s->k.rz;
            volatile float change = s->k.step * (power[i] + vertical + across + out);
            now[i] = *c + change;
            // Over the right and the left frame from the end of a row.
            c += (uint64_t)(c - framed) % pitch == n ? 3 : 1;
        }
    }
    rc = lanes_compare("hotspot", s->temp[s->launches % 2]->name, s->temp[s->launches % 2]->data,
                       now, n * n, err);
done:
    free(now);
    free(power);
    free(framed);
    return rc;
}

static const gmmu_array *hotspot_result(const void *self) {
    const hotspot *s = self;
    return s->temp[s->launches % 2];
}

const gmmu_simt_kernel gmmu_simt_hotspot = {.name = "hotspot",
                                            .size_text = "rows and columns of the chip's points",
                                            .default_size = 700,
                                            .max_size = 32768,
                                            .regs = sizeof(regs),
                                            .create = hotspot_create,
                                            .destroy = free,
                                            .launch = hotspot_launch,
                                            .step = hotspot_step,
                                            .progress = hotspot_progress,
                                            .check = hotspot_check,
                                            .result = hotspot_result,
                                            .launches = {ITERATIONS, MOST},
                                            .folds = true};
