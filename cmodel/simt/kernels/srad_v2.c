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

enum { ITERATIONS = 6, REGION = 128 };
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
    GRID_2,
    LOAD_J = GRID_2,
    LOAD_C_SOUTH,
    LOAD_C_SOUTH_EDGE,
    LOAD_C_EAST,
    LOAD_C_EAST_EDGE,
    LOAD_C,
    LOAD_N_C,
    LOAD_S_C,
    LOAD_W_C,
    LOAD_E_C,
    STORE_J,
    END
};

enum { NORTH, SOUTH, WEST, EAST, SIDES };

typedef struct {
    uint64_t n;
    uint64_t seed;
    unsigned grids;  // launched so far
    uint64_t done;   // points
    float q0sqr;
    lanes_tiles tiles;
    const gmmu_array *j, *c, *d[SIDES];
} srad;

typedef struct {
    unsigned pc;
    unsigned waited;  // the instruction whose barrier is passed, plus one
    float value[SIDES][GMMU_WARP];
    float c[GMMU_WARP];
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

static void srad_destroy(void *self) {
    free(self);
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
    s->tiles = lanes_tile(s->n, lanes_side(p->block), lanes_side(p->block));
    bool ok = (s->j = gmmu_space_alloc(space, "J", points, sizeof(float), err)) != NULL &&
              (s->c = gmmu_space_alloc(space, "C", points, sizeof(float), err)) != NULL;
    for (unsigned i = 0; ok && i < SIDES; i++)
        ok = (s->d[i] = gmmu_space_alloc(space, names[i], points, sizeof(float), err)) != NULL;
    if (!ok) {
        srad_destroy(s);
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
    return s->grids++ < 2 * ITERATIONS;
}

static const gmmu_array *array_of(const srad *s, unsigned pc) {
    switch (pc) {
        case STORE_E:
        case LOAD_E_C:
            return s->d[EAST];
        case STORE_W:
        case LOAD_W_C:
            return s->d[WEST];
        case STORE_S:
        case LOAD_S_C:
            return s->d[SOUTH];
        case STORE_N:
        case LOAD_N_C:
            return s->d[NORTH];
        case STORE_C:
        case LOAD_C_SOUTH:
        case LOAD_C_SOUTH_EDGE:
        case LOAD_C_EAST:
        case LOAD_C_EAST_EDGE:
        case LOAD_C:
            return s->c;
        default:
            return s->j;
    }
}

// Whether block B issues instruction PC: a line beside the block or at the image's edge.
static bool issues(const srad *s, uint64_t b, unsigned pc) {
    bool first_row = b < s->tiles.across;
    bool last_row = b / s->tiles.across == s->tiles.down - 1;
    bool first_column = b % s->tiles.across == 0;
    bool last_column = b % s->tiles.across == s->tiles.across - 1;
    switch (pc) {
        case LOAD_NORTH:
            return !first_row;
        case LOAD_NORTH_EDGE:
            return first_row;
        case LOAD_WEST:
            return !first_column;
        case LOAD_WEST_EDGE:
            return first_column;
        case LOAD_SOUTH:
        case LOAD_C_SOUTH:
            return !last_row;
        case LOAD_SOUTH_EDGE:
        case LOAD_C_SOUTH_EDGE:
            return last_row;
        case LOAD_EAST:
        case LOAD_C_EAST:
            return !last_column;
        case LOAD_EAST_EDGE:
        case LOAD_C_EAST_EDGE:
            return last_column;
        default:
            return true;
    }
}

static bool barrier_before(unsigned pc) {
    return pc == LOAD_WEST || pc == LOAD_CENTER || pc == STORE_C || pc == LOAD_C_SOUTH ||
           pc == LOAD_C_EAST || pc == LOAD_C || pc == LOAD_N_C || pc == STORE_J;
}

// Moves (row, column) from the thread's own point to what instruction PC touches.
static void move_point(const srad *s, unsigned pc, uint64_t *row, uint64_t *column) {
    uint64_t top = *row - *row % s->tiles.height;
    uint64_t left = *column - *column % s->tiles.width;
    switch (pc) {
        case LOAD_NORTH:
            *row = top - 1;
            break;
        case LOAD_NORTH_EDGE:
            *row = 0;
            break;
        case LOAD_SOUTH:
        case LOAD_C_SOUTH:
            *row = top + s->tiles.height;
            break;
        case LOAD_SOUTH_EDGE:
        case LOAD_C_SOUTH_EDGE:
            *row = s->n - 1;
            break;
        case LOAD_WEST:
            *column = left - 1;
            break;
        case LOAD_WEST_EDGE:
            *column = 0;
            break;
        case LOAD_EAST:
        case LOAD_C_EAST:
            *column = left + s->tiles.width;
            break;
        case LOAD_EAST_EDGE:
        case LOAD_C_EAST_EDGE:
            *column = s->n - 1;
            break;
        default:
            break;
    }
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
    r->value[NORTH][lane] = dn;
    r->value[SOUTH][lane] = ds;
    r->value[WEST][lane] = dw;
    r->value[EAST][lane] = de;
}

// Grid 2's arithmetic: the new J.
static float updated(const srad *s, const regs *r, unsigned lane, uint64_t at) {
    const float *c = s->c->data;
    uint64_t n = s->n;
    float cc = c[at];
    float cs = at / n == n - 1 ? cc : c[at + n];
    float ce = at % n == n - 1 ? cc : c[at + 1];
    float sum = lanes_product(cc, r->value[NORTH][lane]) +
                lanes_product(cs, r->value[SOUTH][lane]) + lanes_product(cc, r->value[WEST][lane]) +
                lanes_product(ce, r->value[EAST][lane]);
    return r->c[lane] + lanes_product(0.25F * lambda, sum);
}

static void execute(srad *s, regs *r, const gmmu_simt_op *op) {
    switch (r->pc) {
        case LOAD_CENTER:
            for (unsigned lane = 0; lane < GMMU_WARP; lane++)
                if (lanes_on(op->mask, lane))
                    diffuse(s, r, lane, op->index[lane]);
            break;
        case STORE_C:
            lanes_store(op, r->c);
            break;
        case STORE_N:
            lanes_store(op, r->value[NORTH]);
            s->done += lanes_count(op->mask);
            break;
        case STORE_S:
            lanes_store(op, r->value[SOUTH]);
            break;
        case STORE_W:
            lanes_store(op, r->value[WEST]);
            break;
        case STORE_E:
            lanes_store(op, r->value[EAST]);
            break;
        case LOAD_J:
            lanes_load(op, r->c);
            break;
        case LOAD_N_C:
            lanes_load(op, r->value[NORTH]);
            break;
        case LOAD_S_C:
            lanes_load(op, r->value[SOUTH]);
            break;
        case LOAD_W_C:
            lanes_load(op, r->value[WEST]);
            break;
        case LOAD_E_C:
            lanes_load(op, r->value[EAST]);
            break;
        case STORE_J:
            for (unsigned lane = 0; lane < GMMU_WARP; lane++)
                if (lanes_on(op->mask, lane))
                    ((float *)s->j->data)[op->index[lane]] = updated(s, r, lane, op->index[lane]);
            s->done += lanes_count(op->mask);
            break;
        default:
            break;  // into shared memory
    }
}

static gmmu_simt_event srad_step(void *self, const gmmu_simt_warp *w, void *registers,
                                 gmmu_simt_op *op) {
    srad *s = self;
    regs *r = registers;
    bool first = s->grids % 2 == 1;
    unsigned end = first ? GRID_2 : END;
    uint32_t mask = lanes_inside(&s->tiles, w, 0);
    if (!first && r->pc == 0)
        r->pc = GRID_2;
    if (mask == 0)
        return GMMU_SIMT_EXIT;  // a block does not wait for warps that have ended
    for (;; r->pc++) {
        if (r->pc == end)
            return GMMU_SIMT_EXIT;
        if (barrier_before(r->pc) && r->waited != r->pc + 1) {
            r->waited = r->pc + 1;
            return GMMU_SIMT_BARRIER;
        }
        if (issues(s, w->block, r->pc))
            break;
    }
    bool write = (r->pc >= STORE_C && r->pc <= STORE_N) || r->pc == STORE_J;
    lanes_access(op, r->pc, array_of(s, r->pc), write, mask);
    for (unsigned lane = 0; lane < GMMU_WARP; lane++) {
        if (!lanes_on(mask, lane))
            continue;
        uint64_t row = lanes_row(&s->tiles, w, lane);
        uint64_t column = lanes_column(&s->tiles, w, lane);
        move_point(s, r->pc, &row, &column);
        op->index[lane] = row * s->n + column;
    }
    execute(s, r, op);
    r->pc++;
    return GMMU_SIMT_MEM;
}

static double srad_progress(const void *self) {
    const srad *s = self;
    return (double)s->done / (2.0 * ITERATIONS * (double)s->n * (double)s->n);
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
    for (unsigned t = 0; t < ITERATIONS; t++) plain_iteration(all, all + points, d, s->n);
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
                                            .destroy = srad_destroy,
                                            .launch = srad_launch,
                                            .step = srad_step,
                                            .progress = srad_progress,
                                            .check = srad_check,
                                            .result = srad_result};
