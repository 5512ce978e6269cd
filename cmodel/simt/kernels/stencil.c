// SPDX-License-Identifier: Apache-2.0
// stencil.c: Jacobi iterations over seven points in space, the grid of Parboil's stencil.
//
//   next[z][y][x] = (the six neighbours' sum) / 36 - here[z][y][x] / 6     inside of the cube
//
// A block is a tile of the xy plane, two points a thread (x and x + the block's width), and goes up
// through all planes. It keeps the plane that it is at in shared memory and the ones below and
// above in registers, so that each thread loads the point above, and neighbours outside of the
// tile. The cube's faces stay as they are. The order of sums is that of the CPU's code, so that
// both must be equal bit for bit.
#include <stdlib.h>

#include "simt/kernels/kernels.h"
#include "simt/kernels/lanes.h"
#include "simt/warp.h"

enum { ITERATIONS = 8, MOST = 1 << 16 };
enum {
    LOAD_BELOW,
    LOAD_HERE,
    LOAD_BELOW_2,
    LOAD_HERE_2,
    LOAD_ABOVE,
    LOAD_BACK,
    LOAD_FRONT,
    LOAD_LEFT,
    STORE,
    LOAD_ABOVE_2,
    LOAD_BACK_2,
    LOAD_FRONT_2,
    LOAD_RIGHT_2,
    STORE_2
};

static const float c0 = 1.0F / 6.0F;
static const float c1 = 1.0F / 6.0F / 6.0F;

typedef struct {
    uint64_t n, seed;
    uint64_t depth;  // planes
    unsigned launches;
    unsigned iteration;  // launched so far
    uint64_t done;       // inner points
    lanes_tiles tiles;   // of the xy plane, each two blocks wide
    unsigned width;      // of a block, in threads
    const gmmu_array *a[2];
} stencil;

typedef struct {
    WARP_STATE;
    uint64_t z;
    unsigned at[GMMU_WARP];  // in the tile's plane, of the first point
    uint64_t x[GMMU_WARP], x2[GMMU_WARP], y[GMMU_WARP];
    float below[GMMU_WARP], above[GMMU_WARP], below2[GMMU_WARP], above2[GMMU_WARP];
    float back[GMMU_WARP], front[GMMU_WARP], side[GMMU_WARP];
} regs;

static uint64_t at(const stencil *s, uint64_t x, uint64_t y, uint64_t z) {
    return (z * s->n + y) * s->n + x;
}

static float moved(float above, float below, float back, float front, float right, float left,
                   float here) {
    return (above + below + back + front + right + left) * c1 - here * c0;
}

static void *stencil_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t n = p->size;
    uint64_t depth = p->depth != 0 ? p->depth : n;
    uint64_t points = n * n * depth;
    uint64_t random = p->seed;
    stencil *s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(err->text, sizeof err->text, "stencil: no memory");
        return NULL;
    }
    s->n = n;
    s->seed = p->seed;
    s->depth = depth;
    s->launches = p->launches;
    s->tiles = lanes_tile_rows(n, p->block);
    s->width = s->tiles.width;
    s->tiles = lanes_tile(n, 2 * s->width, s->tiles.height);
    if ((s->a[0] = gmmu_space_alloc(space, "a0", points, sizeof(float), err)) == NULL ||
        (s->a[1] = gmmu_space_alloc(space, "a1", points, sizeof(float), err)) == NULL) {
        free(s);
        return NULL;
    }
    float *first = s->a[0]->data;
    for (uint64_t i = 0; i < points; i++) first[i] = lanes_random(&random);
    memcpy(s->a[1]->data, first, points * sizeof *first);
    return s;
}

static bool stencil_launch(void *self, gmmu_simt_grid *grid) {
    stencil *s = self;
    unsigned threads = s->width * s->tiles.height;
    *grid = (gmmu_simt_grid){.blocks = s->tiles.across * s->tiles.down,
                             .threads = threads,
                             .shared = sizeof(float[2]) * threads};
    return s->n > 2 && s->depth > 2 && s->iteration++ < s->launches;
}

// Not on a face; x may be 0, which x2 is not.
#define INNER(x) ((x) + 1 < s->n && r->y[lane] > 0 && r->y[lane] + 1 < s->n)

static gmmu_simt_event stencil_step(void *self, const gmmu_simt_warp *w, void *registers,
                                    gmmu_simt_op *op) {
    stencil *s = self;
    regs *r = registers;
    const gmmu_array *here = s->a[(s->iteration - 1) % 2];
    const gmmu_array *next = s->a[s->iteration % 2];
    const unsigned width = s->width;
    float *plane = w->shared;  // rows of 2 `width` points
    WARP_BEGIN;
    EACH {
        r->x[lane] = BID % s->tiles.across * 2 * width + TID % width;
        r->x2[lane] = r->x[lane] + width;
        r->y[lane] = BID / s->tiles.across * s->tiles.height + TID / width;
        r->at[lane] = TID % width + TID / width * 2 * width;
    }
    IF(r->x[lane] < s->n && r->y[lane] < s->n) {
        LD(LOAD_BELOW, here, at(s, r->x[lane], r->y[lane], 0), r->below);
        LD(LOAD_HERE, here, at(s, r->x[lane], r->y[lane], 1), r->above);
        EACH plane[r->at[lane]] = r->above[lane];
    }
    ENDIF;
    IF(r->x2[lane] < s->n && r->y[lane] < s->n) {
        LD(LOAD_BELOW_2, here, at(s, r->x2[lane], r->y[lane], 0), r->below2);
        LD(LOAD_HERE_2, here, at(s, r->x2[lane], r->y[lane], 1), r->above2);
        EACH plane[r->at[lane] + width] = r->above2[lane];
    }
    ENDIF;
    SYNC;
    for (r->z = 1; r->z + 1 < s->depth; r->z++) {
        IF(r->x[lane] < s->n && r->y[lane] < s->n) {
            LD(LOAD_ABOVE, here, at(s, r->x[lane], r->y[lane], r->z + 1), r->above);
        }
        ENDIF;
        IF(r->x[lane] > 0 && INNER(r->x[lane])) {
            IF(TID / width == s->tiles.height - 1) {
                LD(LOAD_BACK, here, at(s, r->x[lane], r->y[lane] + 1, r->z), r->back);
            }
            ELSE {
                EACH r->back[lane] = plane[r->at[lane] + 2 * width];
            }
            ENDIF;
            IF(TID / width == 0) {
                LD(LOAD_FRONT, here, at(s, r->x[lane], r->y[lane] - 1, r->z), r->front);
            }
            ELSE {
                EACH r->front[lane] = plane[r->at[lane] - 2 * width];
            }
            ENDIF;
            IF(TID % width == 0) {
                LD(LOAD_LEFT, here, at(s, r->x[lane] - 1, r->y[lane], r->z), r->side);
            }
            ELSE {
                EACH r->side[lane] = plane[r->at[lane] - 1];
            }
            ENDIF;
            ST(STORE, next, float, at(s, r->x[lane], r->y[lane], r->z),
               moved(r->above[lane], r->below[lane], r->back[lane], r->front[lane],
                     plane[r->at[lane] + 1], r->side[lane], plane[r->at[lane]]));
            s->done += lanes_count(r->warp.mask);
        }
        ENDIF;
        IF(r->x2[lane] < s->n && r->y[lane] < s->n) {
            LD(LOAD_ABOVE_2, here, at(s, r->x2[lane], r->y[lane], r->z + 1), r->above2);
        }
        ENDIF;
        IF(INNER(r->x2[lane])) {
            IF(TID / width == s->tiles.height - 1) {
                LD(LOAD_BACK_2, here, at(s, r->x2[lane], r->y[lane] + 1, r->z), r->back);
            }
            ELSE {
                EACH r->back[lane] = plane[r->at[lane] + 3 * width];
            }
            ENDIF;
            IF(TID / width == 0) {
                LD(LOAD_FRONT_2, here, at(s, r->x2[lane], r->y[lane] - 1, r->z), r->front);
            }
            ELSE {
                EACH r->front[lane] = plane[r->at[lane] - width];
            }
            ENDIF;
            IF(TID % width == width - 1) {
                LD(LOAD_RIGHT_2, here, at(s, r->x2[lane] + 1, r->y[lane], r->z), r->side);
            }
            ELSE {
                EACH r->side[lane] = plane[r->at[lane] + width + 1];
            }
            ENDIF;
            ST(STORE_2, next, float, at(s, r->x2[lane], r->y[lane], r->z),
               moved(r->above2[lane], r->below2[lane], r->back[lane], r->front[lane], r->side[lane],
                     plane[r->at[lane] + width - 1], plane[r->at[lane] + width]));
            s->done += lanes_count(r->warp.mask);
        }
        ENDIF;
        SYNC;
        EACH {
            r->below[lane] = plane[r->at[lane]];
            plane[r->at[lane]] = r->above[lane];
            r->below2[lane] = plane[r->at[lane] + width];
            plane[r->at[lane] + width] = r->above2[lane];
        }
        SYNC;
    }
    WARP_END;
}

static double stencil_progress(const void *self) {
    const stencil *s = self;
    double side = (double)s->n - 2;
    return (double)s->done / (s->launches * side * side * ((double)s->depth - 2));
}

// Plain loops over the cube, from one copy to another.
static int stencil_check(const void *self, gmmu_error *err) {
    const stencil *s = self;
    const uint64_t n = s->n;
    const uint64_t row = n;
    const uint64_t plane = n * n;
    uint64_t random = s->seed;
    float *old = calloc(s->depth * plane, sizeof *old);
    float *new = calloc(s->depth * plane, sizeof *new);
    int rc = GMMU_SIMT_NO_MEMORY;
    if (old != NULL && new != NULL) {
        for (uint64_t i = 0; i < s->depth * plane; i++) old[i] = new[i] = lanes_random(&random);
        for (unsigned t = 0; t < s->launches; t++) {
            for (uint64_t z = 1; z + 1 < s->depth; z++)
                for (uint64_t y = 1; y + 1 < n; y++)
                    for (uint64_t x = 1; x + 1 < n; x++) {
                        const float *o = old + z * plane + y * row + x;
                        float sum = o[plane] + *(o - plane) + o[row] + *(o - row) + o[1] + *(o - 1);
                        new[z * plane + y * row + x] = c1 *sum - c0 **o;
                    }
            float *swap = old;
            old = new;
            new = swap;
        }
        const gmmu_array *found = s->a[s->launches % 2];
        rc = lanes_compare("stencil", found->name, found->data, old, s->depth * plane, err);
    } else {
        snprintf(err->text, sizeof err->text, "stencil: no memory for the check");
    }
    free(old);
    free(new);
    return rc;
}

static const gmmu_array *stencil_result(const void *self) {
    const stencil *s = self;
    return s->a[s->launches % 2];
}

const gmmu_simt_kernel gmmu_simt_stencil = {.name = "stencil",
                                            .size_text = "points of the cube's edge",
                                            .default_size = 128,
                                            .max_size = 1024,
                                            .regs = sizeof(regs),
                                            .create = stencil_create,
                                            .destroy = free,
                                            .launch = stencil_launch,
                                            .step = stencil_step,
                                            .progress = stencil_progress,
                                            .check = stencil_check,
                                            .result = stencil_result,
                                            .launches = {ITERATIONS, MOST},
                                            .depth = {0, 1024},
                                            .folds = true};
