// SPDX-License-Identifier: Apache-2.0
// hotspot3d.c: heat flow in a stack of layers, the grid of Rodinia's hotspot3D.
//
//   thread (x, y):  for z:  next[x, y, z] = the point, its six neighbours and its power, weighted
//
// A thread walks up its column and keeps the three points of the column that it needs in registers,
// so that each is loaded once; the four neighbours within a layer are loaded in every layer. At the
// stack's border a point is its own neighbour. Grids go from one array to the other in turn. The
// order of operations is the CPU's, so that both must be equal bit for bit.
#include <stdlib.h>

#include "simt/kernels/kernels.h"
#include "simt/kernels/lanes.h"
#include "simt/warp.h"

enum { LAYERS = 8, ITERATIONS = 8, MOST = 1 << 16, WIDTH = 64 };

// Memory instructions: the first, then one after the other in a group for the lowest layer, one for
// those between, and one for the highest, which has nothing above.
enum { LOAD_FIRST, GROUP };
enum { ABOVE, WEST, EAST, SOUTH, NORTH, POWER, STORE, GROUP_SIZE };

static const float ambient = 80;

typedef struct {
    float center, side, up, step;  // weights
} weights;

typedef struct {
    uint64_t n;
    uint64_t layer;  // points of one
    uint64_t seed;
    unsigned launches;
    unsigned grids;  // launched so far
    uint64_t done;   // points
    weights k;
    lanes_tiles tiles;
    const gmmu_array *temp[2], *power;
} hotspot3d;

typedef struct {
    WARP_STATE;
    unsigned z;
    unsigned site;  // of the group, its first
    uint64_t at[GMMU_WARP], row[GMMU_WARP], column[GMMU_WARP];
    float below[GMMU_WARP], center[GMMU_WARP], above[GMMU_WARP], power[GMMU_WARP];
    float west[GMMU_WARP], east[GMMU_WARP], south[GMMU_WARP], north[GMMU_WARP];
} regs;

// Rodinia's chip of 16 mm x 16 mm x 0.5 mm, cut in n x n x LAYERS points.
static weights stack(uint64_t n) {
    const double thick = 0.0005;
    const double conductivity = 100;
    const double heat = 1.75e6;
    double point = 0.016 / (double)n;
    double height = thick / LAYERS;
    double capacity = 0.5 * heat * thick * point * point;
    double slope = 3.0e6 / (0.5 * thick * heat);
    weights k = {.step = (float)(0.001 / slope / capacity)};
    k.side = (float)((double)k.step * (2.0 * conductivity * thick));
    k.up = (float)((double)k.step * (conductivity * point * point / height));
    k.center = (float)(1.0 - (4.0 * (double)k.side + 3.0 * (double)k.up));
    return k;
}

static void fill(float *temp, float *power, uint64_t points, uint64_t seed) {
    for (uint64_t i = 0; i < points; i++) {
        temp[i] = 320.0F + 20.0F * lanes_random(&seed);
        power[i] = 0.001F * lanes_random(&seed);
    }
}

static void *hotspot3d_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t n = p->size;
    uint64_t points = n * n * LAYERS;
    hotspot3d *s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(err->text, sizeof err->text, "hotspot3d: no memory");
        return NULL;
    }
    s->n = n;
    s->layer = n * n;
    s->seed = p->seed;
    s->launches = p->launches;
    s->k = stack(n);
    s->tiles =
        p->block < WIDTH ? lanes_tile(n, p->block, 1) : lanes_tile(n, WIDTH, p->block / WIDTH);
    if ((s->temp[0] = gmmu_space_alloc(space, "temp0", points, sizeof(float), err)) == NULL ||
        (s->temp[1] = gmmu_space_alloc(space, "temp1", points, sizeof(float), err)) == NULL ||
        (s->power = gmmu_space_alloc(space, "power", points, sizeof(float), err)) == NULL) {
        free(s);
        return NULL;
    }
    fill(s->temp[0]->data, s->power->data, points, s->seed);
    return s;
}

static bool hotspot3d_launch(void *self, gmmu_simt_grid *grid) {
    hotspot3d *s = self;
    *grid = lanes_tile_grid(&s->tiles);
    return s->grids++ < s->launches;
}

// The weighted sum, in the source's order.
static float next(const weights *k, const regs *r, unsigned lane) {
    return k->center * r->center[lane] + k->side * r->west[lane] + k->side * r->east[lane] +
           k->side * r->south[lane] + k->side * r->north[lane] + k->up * r->below[lane] +
           k->up * r->above[lane] + k->step * r->power[lane] + k->up * ambient;
}

static gmmu_simt_event hotspot3d_step(void *self, const gmmu_simt_warp *w, void *registers,
                                      gmmu_simt_op *op) {
    hotspot3d *s = self;
    regs *r = registers;
    const gmmu_array *from = s->temp[(s->grids - 1) % 2];
    const gmmu_array *to = s->temp[s->grids % 2];
    uint64_t n = s->n;
    WARP_BEGIN;
    EACH {
        r->row[lane] = lanes_row(&s->tiles, w, lane);
        r->column[lane] = lanes_column(&s->tiles, w, lane);
        r->at[lane] = r->row[lane] * n + r->column[lane];
    }
    RETURN_IF(r->row[lane] >= n || r->column[lane] >= n);
    LD(LOAD_FIRST, from, r->at[lane], r->above);
    EACH r->center[lane] = r->above[lane];
    for (r->z = 0; r->z < LAYERS; r->z++) {
        r->site = r->z == 0 ? GROUP : GROUP + GROUP_SIZE;
        EACH {
            r->below[lane] = r->center[lane];
            r->center[lane] = r->above[lane];
        }
        if (r->z < LAYERS - 1) {
            LD(r->site + ABOVE, from, r->at[lane] + s->layer, r->above);
        } else {
            r->site = GROUP + 2 * GROUP_SIZE - 1;
        }
        LD(r->site + WEST, from, r->at[lane] - (r->column[lane] > 0), r->west);
        LD(r->site + EAST, from, r->at[lane] + (r->column[lane] < n - 1), r->east);
        LD(r->site + SOUTH, from, r->at[lane] + (r->row[lane] < n - 1 ? n : 0), r->south);
        LD(r->site + NORTH, from, r->at[lane] - (r->row[lane] > 0 ? n : 0), r->north);
        LD(r->site + POWER, s->power, r->at[lane], r->power);
        ST(r->site + STORE, to, float, r->at[lane], next(&s->k, r, lane));
        s->done += lanes_count(r->warp.mask);
        EACH r->at[lane] += s->layer;
    }
    WARP_END;
}

static double hotspot3d_progress(const void *self) {
    const hotspot3d *s = self;
    return (double)s->done / (s->launches * (double)LAYERS * (double)s->layer);
}

// The plain implementation: all points in order, neighbours by their coordinates.
static void plain_iteration(const weights *k, const float *t, const float *power, float *out,
                            uint64_t n) {
    uint64_t i = 0;
    for (uint64_t z = 0; z < LAYERS; z++) {
        for (uint64_t y = 0; y < n; y++) {
            for (uint64_t x = 0; x < n; x++, i++) {
                float west = x == 0 ? t[i] : t[i - 1];
                float east = x + 1 == n ? t[i] : t[i + 1];
                float north = y == 0 ? t[i] : t[i - n];
                float south = y + 1 == n ? t[i] : t[i + n];
                float below = z == 0 ? t[i] : t[i - n * n];
                float above = z + 1 == LAYERS ? t[i] : t[i + n * n];
                float sum = k->center * t[i];
                sum += k->side * west;
                sum += k->side * east;
                sum += k->side * south;
                sum += k->side * north;
                sum += k->up * below;
                sum += k->up * above;
                sum += k->step * power[i];
                sum += k->up * ambient;
                out[i] = sum;
            }
        }
    }
}

static int hotspot3d_check(const void *self, gmmu_error *err) {
    const hotspot3d *s = self;
    uint64_t points = s->layer * LAYERS;
    float *all = malloc(3 * points * sizeof *all);
    if (all == NULL) {
        snprintf(err->text, sizeof err->text, "hotspot3d: no memory for the check");
        return GMMU_SIMT_NO_MEMORY;
    }
    float *temp[2] = {all, all + points};
    float *power = all + 2 * points;
    fill(temp[0], power, points, s->seed);
    for (unsigned t = 0; t < s->launches; t++)
        plain_iteration(&s->k, temp[t % 2], power, temp[1 - t % 2], s->n);
    const gmmu_array *found = s->temp[s->launches % 2];
    int rc =
        lanes_compare("hotspot3d", found->name, found->data, temp[s->launches % 2], points, err);
    free(all);
    return rc;
}

static const gmmu_array *hotspot3d_result(const void *self) {
    const hotspot3d *s = self;
    return s->temp[s->launches % 2];
}

const gmmu_simt_kernel gmmu_simt_hotspot3d = {.name = "hotspot3d",
                                              .size_text = "rows and columns of a layer; 8 layers",
                                              .default_size = 256,
                                              .max_size = 8192,
                                              .regs = sizeof(regs),
                                              .create = hotspot3d_create,
                                              .destroy = free,
                                              .launch = hotspot3d_launch,
                                              .step = hotspot3d_step,
                                              .progress = hotspot3d_progress,
                                              .check = hotspot3d_check,
                                              .result = hotspot3d_result,
                                              .launches = {ITERATIONS, MOST}};
