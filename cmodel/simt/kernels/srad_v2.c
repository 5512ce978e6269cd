// SPDX-License-Identifier: Apache-2.0
// srad_v2.c: speckle-reducing anisotropic diffusion, the two grids of Rodinia's srad_v2.
//
//   grid 1:  J, its four neighbours -> C, N_C, S_C, W_C, E_C
//   grid 2:  J, C, its neighbours south and east, N_C, S_C, W_C, E_C -> J
//
// A block is a square. It loads its points and a line at each side into shared memory. At the edge
// of the image Rodinia loads that line from outside and then again from the edge itself; the load
// from outside, whose value nobody uses, is left out here. J is not written in grid 1 nor C read
// and written in one grid, so that shared memory holds what the arrays hold. Between iterations the
// host computes q0sqr of the first 128 x 128 points. The order of operations is the CPU's, so that
// both must be equal bit for bit.
#include <stdlib.h>

#include "simt/kernels/kernels.h"
#include "simt/kernels/lanes.h"
#include "simt/warp.h"

enum { ITERATIONS = 6, MOST = 1 << 16, REGION = 128 };
static const float lambda = 0.5F;

// Memory instructions, in order. Those of an EDGE are for the blocks there, those before them for
// the others.
enum {
    LOAD_NORTH,
    LOAD_SOUTH,
    LOAD_NORTH_EDGE,
    LOAD_SOUTH_EDGE,
    LOAD_WEST,
    LOAD_EAST,
    LOAD_WEST_EDGE,
    LOAD_EAST_EDGE,
    LOAD_CENTER,
    STORE_C,
    STORE_E,
    STORE_W,
    STORE_S,
    STORE_N,
    LOAD_J,
    LOAD_C_SOUTH,
    LOAD_C_SOUTH_EDGE,
    LOAD_C_EAST,
    LOAD_C_EAST_EDGE,
    LOAD_C,
    LOAD_N_C,
    LOAD_S_C,
    LOAD_W_C,
    LOAD_E_C,
    STORE_J
};

enum { NORTH, SOUTH, WEST, EAST, SIDES };

typedef struct {
    uint64_t n;
    uint64_t seed;
    unsigned iterations;
    unsigned grids;  // launched so far
    uint64_t done;   // points
    float q0sqr;
    lanes_tiles tiles;
    const gmmu_array *j, *c, *d[SIDES];
} srad;

typedef struct {
    WARP_STATE;
    uint64_t row[GMMU_WARP], column[GMMU_WARP], at[GMMU_WARP];
    float d[SIDES][GMMU_WARP];
    float j[GMMU_WARP], c[GMMU_WARP];
    float shared[GMMU_WARP];
} regs;

static void fill(float *image, uint64_t points, uint64_t seed) {
    for (uint64_t i = 0; i < points; i++) image[i] = 1.0F + lanes_random(&seed);
}

// The host's part: the speckle of the region.
static float speckle(const float *image, uint64_t n) {
    uint64_t side = n < REGION ? n : REGION;
    double sum = 0;
    double squares = 0;
    for (uint64_t i = 0; i < side; i++) {
        for (uint64_t j = 0; j < side; j++) {
            volatile double square = (double)image[i * n + j] * (double)image[i * n + j];
            sum += (double)image[i * n + j];
            squares += square;
        }
    }
    double mean = sum / (double)(side * side);
    volatile double square = mean * mean;
    float q = (float)((squares / (double)(side * side) - square) / square);
    return q < 1e-6F ? 1e-6F : q;  // an even region, which Rodinia would divide by
}

static void *srad_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    static const char *const names[SIDES] = {"N_C", "S_C", "W_C", "E_C"};
    uint64_t points = p->size * p->size;
    srad *s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(err->text, sizeof err->text, "srad_v2: no memory");
        return NULL;
    }
    s->n = p->size;
    s->seed = p->seed;
    s->iterations = p->launches;
    s->tiles = lanes_tile(s->n, lanes_side(p->block), lanes_side(p->block));
    bool ok = (s->j = gmmu_space_alloc(space, "J", points, sizeof(float), err)) != NULL &&
              (s->c = gmmu_space_alloc(space, "C", points, sizeof(float), err)) != NULL;
    for (unsigned i = 0; ok && i < SIDES; i++)
        ok = (s->d[i] = gmmu_space_alloc(space, names[i], points, sizeof(float), err)) != NULL;
    if (!ok) {
        free(s);
        return NULL;
    }
    fill(s->j->data, points, s->seed);
    return s;
}

static bool srad_launch(void *self, gmmu_simt_grid *grid) {
    srad *s = self;
    *grid = lanes_tile_grid(&s->tiles);
    if (s->grids % 2 == 0)
        s->q0sqr = speckle(s->j->data, s->n);
    return s->grids++ < 2 * s->iterations;
}

// A block's place: its upper left point, and whether it lies at an edge of the image.
typedef struct {
    uint64_t top, left;
    bool first_row, last_row, first_column, last_column;
} place;

static place place_of(const srad *s, uint64_t block) {
    const lanes_tiles *t = &s->tiles;
    return (place){.top = block / t->across * t->height,
                   .left = block % t->across * t->width,
                   .first_row = block / t->across == 0,
                   .last_row = block / t->across == t->down - 1,
                   .first_column = block % t->across == 0,
                   .last_column = block % t->across == t->across - 1};
}

// Grid 1's arithmetic: the four differences, and C of them, into the registers of LANE.
static void diffuse(const srad *s, regs *r, unsigned lane, uint64_t at) {
    const float *j = s->j->data;
    uint64_t n = s->n;
    uint64_t row = at / n;
    uint64_t column = at % n;
    float jc = j[at];
    float dn = (row == 0 ? jc : j[at - n]) - jc;
    float ds = (row == n - 1 ? jc : j[at + n]) - jc;
    float dw = (column == 0 ? jc : j[at - 1]) - jc;
    float de = (column == n - 1 ? jc : j[at + 1]) - jc;
    float squares = lanes_product(dn, dn) + lanes_product(ds, ds) + lanes_product(dw, dw) +
                    lanes_product(de, de);
    float g2 = squares / lanes_product(jc, jc);
    float l = (dn + ds + dw + de) / jc;
    float num = lanes_product(0.5F, g2) - lanes_product(0.0625F, lanes_product(l, l));
    float den = 1.0F + lanes_product(0.25F, l);
    float qsqr = num / lanes_product(den, den);
    den = (qsqr - s->q0sqr) / lanes_product(s->q0sqr, 1.0F + s->q0sqr);
    float c = 1.0F / (1.0F + den);
    r->c[lane] = c < 0 ? 0 : c > 1 ? 1 : c;
    r->d[NORTH][lane] = dn;
    r->d[SOUTH][lane] = ds;
    r->d[WEST][lane] = dw;
    r->d[EAST][lane] = de;
}

// Grid 2's arithmetic: the new J.
static float updated(const srad *s, const regs *r, unsigned lane, uint64_t at) {
    const float *c = s->c->data;
    uint64_t n = s->n;
    float cc = c[at];
    float cs = at / n == n - 1 ? cc : c[at + n];
    float ce = at % n == n - 1 ? cc : c[at + 1];
    float sum = lanes_product(cc, r->d[NORTH][lane]) + lanes_product(cs, r->d[SOUTH][lane]) +
                lanes_product(cc, r->d[WEST][lane]) + lanes_product(ce, r->d[EAST][lane]);
    return r->j[lane] + lanes_product(0.25F * lambda, sum);
}

static gmmu_simt_event differences(srad *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    const place at = place_of(s, BID);
    const uint64_t n = s->n;
    WARP_BEGIN;
    EACH {
        r->row[lane] = lanes_row(&s->tiles, w, lane);
        r->column[lane] = lanes_column(&s->tiles, w, lane);
        r->at[lane] = r->row[lane] * n + r->column[lane];
    }
    RETURN_IF(!lanes_inside(&s->tiles, w, lane, 0));
    if (!at.first_row) {
        LD(LOAD_NORTH, s->j, (at.top - 1) * n + r->column[lane], r->shared);
    }
    if (!at.last_row) {
        LD(LOAD_SOUTH, s->j, (at.top + s->tiles.height) * n + r->column[lane], r->shared);
    }
    if (at.first_row) {
        LD(LOAD_NORTH_EDGE, s->j, r->column[lane], r->shared);
    }
    if (at.last_row) {
        LD(LOAD_SOUTH_EDGE, s->j, (n - 1) * n + r->column[lane], r->shared);
    }
    SYNC;
    if (!at.first_column) {
        LD(LOAD_WEST, s->j, r->row[lane] * n + at.left - 1, r->shared);
    }
    if (!at.last_column) {
        LD(LOAD_EAST, s->j, r->row[lane] * n + at.left + s->tiles.width, r->shared);
    }
    if (at.first_column) {
        LD(LOAD_WEST_EDGE, s->j, r->row[lane] * n, r->shared);
    }
    if (at.last_column) {
        LD(LOAD_EAST_EDGE, s->j, r->row[lane] * n + n - 1, r->shared);
    }
    SYNC;
    LD(LOAD_CENTER, s->j, r->at[lane], r->j);
    EACH diffuse(s, r, lane, r->at[lane]);
    SYNC;
    ST(STORE_C, s->c, float, r->at[lane], r->c[lane]);
    ST(STORE_E, s->d[EAST], float, r->at[lane], r->d[EAST][lane]);
    ST(STORE_W, s->d[WEST], float, r->at[lane], r->d[WEST][lane]);
    ST(STORE_S, s->d[SOUTH], float, r->at[lane], r->d[SOUTH][lane]);
    ST(STORE_N, s->d[NORTH], float, r->at[lane], r->d[NORTH][lane]);
    s->done += lanes_count(r->warp.mask);
    WARP_END;
}

static gmmu_simt_event update(srad *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    const place at = place_of(s, BID);
    const uint64_t n = s->n;
    WARP_BEGIN;
    EACH {
        r->row[lane] = lanes_row(&s->tiles, w, lane);
        r->column[lane] = lanes_column(&s->tiles, w, lane);
        r->at[lane] = r->row[lane] * n + r->column[lane];
    }
    RETURN_IF(!lanes_inside(&s->tiles, w, lane, 0));
    LD(LOAD_J, s->j, r->at[lane], r->j);
    SYNC;
    if (!at.last_row) {
        LD(LOAD_C_SOUTH, s->c, (at.top + s->tiles.height) * n + r->column[lane], r->shared);
    } else {
        LD(LOAD_C_SOUTH_EDGE, s->c, (n - 1) * n + r->column[lane], r->shared);
    }
    SYNC;
    if (!at.last_column) {
        LD(LOAD_C_EAST, s->c, r->row[lane] * n + at.left + s->tiles.width, r->shared);
    } else {
        LD(LOAD_C_EAST_EDGE, s->c, r->row[lane] * n + n - 1, r->shared);
    }
    SYNC;
    LD(LOAD_C, s->c, r->at[lane], r->c);
    SYNC;
    LD(LOAD_N_C, s->d[NORTH], r->at[lane], r->d[NORTH]);
    LD(LOAD_S_C, s->d[SOUTH], r->at[lane], r->d[SOUTH]);
    LD(LOAD_W_C, s->d[WEST], r->at[lane], r->d[WEST]);
    LD(LOAD_E_C, s->d[EAST], r->at[lane], r->d[EAST]);
    SYNC;
    ST(STORE_J, s->j, float, r->at[lane], updated(s, r, lane, r->at[lane]));
    s->done += lanes_count(r->warp.mask);
    WARP_END;
}

static gmmu_simt_event srad_step(void *self, const gmmu_simt_warp *w, void *registers,
                                 gmmu_simt_op *op) {
    srad *s = self;
    return s->grids % 2 == 1 ? differences(s, w, registers, op) : update(s, w, registers, op);
}

static double srad_progress(const void *self) {
    const srad *s = self;
    return (double)s->done / (2.0 * s->iterations * (double)s->n * (double)s->n);
}

// One iteration of Rodinia's CPU code, with its tables of neighbours, on image J.
static void plain_iteration(float *j, float *c, float *d[SIDES], uint64_t n) {
    float q0 = speckle(j, n);
    uint64_t column = 0;
    for (uint64_t i = 0; i < n * n; i++) {
        uint64_t above = i >= n ? i - n : i;
        uint64_t below = i + n < n * n ? i + n : i;
        uint64_t left = column > 0 ? i - 1 : i;
        uint64_t right = column + 1 < n ? i + 1 : i;
        column = column + 1 < n ? column + 1 : 0;
        d[NORTH][i] = j[above] - j[i];
        d[SOUTH][i] = j[below] - j[i];
        d[WEST][i] = j[left] - j[i];
        d[EAST][i] = j[right] - j[i];
        float g2 = 0;
        float l = 0;
        for (unsigned side = 0; side < SIDES; side++) {
            volatile float square = d[side][i] * d[side][i];
            g2 += square;
            l += d[side][i];
        }
        volatile float center = j[i] * j[i];
        l /= j[i];
        volatile float half = 0.5F * (g2 / center);
        volatile float sixteenth = (1.0F / 16.0F) * (l * l);
        volatile float quarter = 0.25F * l;
        volatile float den = 1.0F + quarter;
        den = den * den;
        volatile float scale = q0 * (1.0F + q0);
        float q = (half - sixteenth) / den;
        float value = 1.0F / (1.0F + (q - q0) / scale);
        c[i] = value;
        if (value < 0)
            c[i] = 0;
        else if (value > 1)
            c[i] = 1;
    }
    column = 0;
    for (uint64_t i = 0; i < n * n; i++) {
        const float weight[SIDES] = {c[i], i + n < n * n ? c[i + n] : c[i], c[i],
                                     column + 1 < n ? c[i + 1] : c[i]};
        column = column + 1 < n ? column + 1 : 0;
        float sum = 0;
        for (unsigned side = 0; side < SIDES; side++) {
            volatile float part = weight[side] * d[side][i];
            sum += part;
        }
        volatile float change = 0.25F * lambda * sum;
        j[i] += change;
    }
}

static int srad_check(const void *self, gmmu_error *err) {
    const srad *s = self;
    uint64_t points = s->n * s->n;
    float *all = calloc((2 + SIDES) * points, sizeof *all);
    if (all == NULL) {
        snprintf(err->text, sizeof err->text, "srad_v2: no memory for the check");
        return GMMU_SIMT_NO_MEMORY;
    }
    float *d[SIDES] = {all + 2 * points, all + 3 * points, all + 4 * points, all + 5 * points};
    fill(all, points, s->seed);
    for (unsigned t = 0; t < s->iterations; t++) plain_iteration(all, all + points, d, s->n);
    int rc = lanes_compare("srad_v2", "J", s->j->data, all, points, err);
    if (rc == GMMU_OK)
        rc = lanes_compare("srad_v2", "C", s->c->data, all + points, points, err);
    free(all);
    return rc;
}

static const gmmu_array *srad_result(const void *self) {
    return ((const srad *)self)->j;
}

const gmmu_simt_kernel gmmu_simt_srad_v2 = {.name = "srad_v2",
                                            .size_text = "rows and columns of the image",
                                            .default_size = 480,
                                            .max_size = 16384,
                                            .regs = sizeof(regs),
                                            .create = srad_create,
                                            .destroy = free,
                                            .launch = srad_launch,
                                            .step = srad_step,
                                            .progress = srad_progress,
                                            .check = srad_check,
                                            .result = srad_result,
                                            .launches = {ITERATIONS, MOST},
                                            .folds = true};
