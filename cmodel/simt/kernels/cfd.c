// SPDX-License-Identifier: Apache-2.0
// cfd.c: flow of a gas over an unstructured mesh, the grids of Rodinia's cfd (euler3d).
//
//   initialize:   all variables are those far away, three times: variables, old, fluxes
//   step factor:  of the element's variables and its area
//   flux:         over the element's four faces: the neighbour's number, the face's normal, and,
//                 if there is one, the neighbour's variables; otherwise a wing or the far field
//   time step:    old + factor * flux, three times an iteration (Runge-Kutta), flux before each
//
// Five variables (density, momentum, energy) of an element lie in five rows, as all else does: a
// thread an element. The rows are padded to whole blocks with copies of the last element, as the
// source does. What lies far away is in constant memory and not in the trace.
// The mesh is made: cells of a cube, each with four neighbours as in a diamond's lattice, the
// tetrahedra's normals and areas disturbed at random, numbered in layers and shuffled within WINDOW
// numbers. The order of operations is the CPU's, so that both must be equal bit for bit.
#include <math.h>
#include <stdlib.h>

#include "simt/kernels/kernels.h"
#include "simt/kernels/lanes.h"
#include "simt/warp.h"

enum { ITERATIONS = 2, STEPS = 3, DIMENSIONS = 3, FACES = 4, WINDOW = 4096 };
enum { DENSITY, MOMENTUM, ENERGY = MOMENTUM + DIMENSIONS, VARIABLES };
enum { WING = -1, FAR = -2 };  // in place of a neighbour

// Grids: first ARRAYS of initialize, then ITERATION of each iteration, the step factor first.
enum { ARRAYS = 3, ITERATION = 1 + 2 * STEPS };

// Memory instructions, in order.
enum {
    STORE_FAR,
    FACTOR_STATE,
    FACTOR_AREA = FACTOR_STATE + VARIABLES,
    FACTOR_STORE,
    FLUX_STATE,
    FLUX_NEIGHBOUR = FLUX_STATE + VARIABLES,
    FLUX_NORMAL,
    FLUX_OTHER = FLUX_NORMAL + DIMENSIONS,
    FLUX_STORE = FLUX_OTHER + VARIABLES,
    TIME_FACTOR = FLUX_STORE + VARIABLES,
    TIME_STEP  // of each variable: load old, load flux, store
};

static const float far_state[VARIABLES] = {1.4F, 1.68F, 0, 0, 3.508F};  // Mach 1.2
static const float heat_ratio = 1.4F;
static const float smoothing = 0.2F;

typedef struct {
    uint64_t n;
    uint64_t padded;  // elements of a row
    unsigned block;
    unsigned grids;  // launched so far
    uint64_t done;   // time steps of elements
    const gmmu_array *areas, *neighbours, *normals, *variables, *old, *fluxes, *factors;
} cfd;

typedef struct {
    WARP_STATE;
    unsigned v, face;
    int32_t neighbour[GMMU_WARP];
    float own[VARIABLES][GMMU_WARP], other[VARIABLES][GMMU_WARP], flux[VARIABLES][GMMU_WARP];
    float normal[DIMENSIONS][GMMU_WARP];
    float factor[GMMU_WARP], value[GMMU_WARP], change[GMMU_WARP];
} regs;

// What follows from an element's variables.
typedef struct {
    float speed, sound, pressure;
    float momentum[DIMENSIONS][DIMENSIONS];  // its flux, of component and direction
    float energy[DIMENSIONS];
} gas;

// The new number of each of N cells: shuffled within windows.
static void shuffle(uint32_t *number, uint64_t n, uint64_t *random) {
    for (uint64_t i = 0; i < n; i++) number[i] = (uint32_t)i;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t first = i - i % WINDOW;
        uint64_t j = first + gmmu_simt_random(random) % (i - first + 1);
        uint32_t swapped = number[i];
        number[i] = number[j];
        number[j] = swapped;
    }
}

// The cell at the other side of FACE, or WING, or FAR, in a cube of SIDE^3 cells of which N exist.
// Of a cell and its neighbour one is even; their faces have the same number.
static int64_t beyond(uint64_t cell, unsigned face, uint64_t side, uint64_t n) {
    static const int step[FACES][DIMENSIONS] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int64_t limit = (int64_t)side;
    int64_t at[DIMENSIONS] = {(int64_t)(cell % side), (int64_t)(cell / side % side),
                              (int64_t)(cell / side / side)};
    int64_t sign = (at[0] + at[1] + at[2]) % 2 == 0 ? 1 : -1;
    for (unsigned d = 0; d < DIMENSIONS; d++) at[d] += sign * step[face][d];
    int64_t other = (at[2] * limit + at[1]) * limit + at[0];
    if (at[2] < 0)
        return WING;
    for (unsigned d = 0; d < DIMENSIONS; d++)
        if (at[d] < 0 || at[d] == limit)
            return FAR;
    return other < (int64_t)n ? other : FAR;
}

static void make_mesh(cfd *s, const uint32_t *number, uint64_t *random) {
    static const float corner[FACES][DIMENSIONS] = {
        {0.5F, 0.5F, 0.5F}, {-0.5F, -0.5F, 0.5F}, {-0.5F, 0.5F, -0.5F}, {0.5F, -0.5F, -0.5F}};
    int32_t *neighbours = s->neighbours->data;
    float *normals = s->normals->data;
    float *areas = s->areas->data;
    uint64_t side = 1;
    while (side * side * side < s->n) side++;
    for (uint64_t cell = 0; cell < s->n; cell++) {
        uint64_t i = number[cell];
        bool even = (cell % side + cell / side % side + cell / side / side) % 2 == 0;
        areas[i] = 0.5F + lanes_random(random);
        for (unsigned face = 0; face < FACES; face++) {
            int64_t other = beyond(cell, face, side, s->n);
            neighbours[i + face * s->padded] = (int32_t)(other < 0 ? other : number[other]);
            for (unsigned d = 0; d < DIMENSIONS; d++)
                normals[i + (face + d * FACES) * s->padded] =
                    (even ? corner[face][d] : -corner[face][d]) +
                    0.1F * (lanes_random(random) - 0.5F);
        }
    }
    for (uint64_t i = s->n; i < s->padded; i++) {
        areas[i] = areas[s->n - 1];
        for (unsigned face = 0; face < FACES; face++)
            neighbours[i + face * s->padded] = neighbours[s->n - 1 + face * s->padded];
        for (unsigned row = 0; row < FACES * DIMENSIONS; row++)
            normals[i + row * s->padded] = normals[s->n - 1 + row * s->padded];
    }
}

static const gmmu_array *row(gmmu_space *space, const char *name, uint64_t count, gmmu_error *err) {
    return gmmu_space_alloc(space, name, count, sizeof(float), err);
}

static void *cfd_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t n = p->size;
    uint64_t padded = (n + p->block - 1) / p->block * p->block;
    uint64_t random = p->seed;
    cfd *s = calloc(1, sizeof *s);
    uint32_t *number = malloc(n * sizeof *number);
    if (s == NULL || number == NULL) {
        snprintf(err->text, sizeof err->text, "cfd: no memory");
        goto failed;
    }
    s->n = n;
    s->padded = padded;
    s->block = p->block;
    if ((s->areas = row(space, "areas", padded, err)) == NULL ||
        (s->neighbours =
             gmmu_space_alloc(space, "neighbours", padded * FACES, sizeof(int32_t), err)) == NULL ||
        (s->normals = row(space, "normals", padded * FACES * DIMENSIONS, err)) == NULL ||
        (s->variables = row(space, "variables", padded * VARIABLES, err)) == NULL ||
        (s->old = row(space, "old", padded * VARIABLES, err)) == NULL ||
        (s->fluxes = row(space, "fluxes", padded * VARIABLES, err)) == NULL ||
        (s->factors = row(space, "factors", padded, err)) == NULL)
        goto failed;
    shuffle(number, n, &random);
    make_mesh(s, number, &random);
    free(number);
    return s;
failed:
    free(number);
    free(s);
    return NULL;
}

static bool cfd_launch(void *self, gmmu_simt_grid *grid) {
    cfd *s = self;
    *grid = (gmmu_simt_grid){.blocks = s->padded / s->block, .threads = s->block};
    // Each iteration begins with a copy by the host.
    if (s->grids >= ARRAYS && (s->grids - ARRAYS) % ITERATION == 0)
        memcpy(s->old->data, s->variables->data, s->variables->count * sizeof(float));
    return s->grids++ < ARRAYS + ITERATIONS * ITERATION;
}

static gas derive(const float v[VARIABLES][GMMU_WARP], unsigned lane) {
    gas g;
    float x = v[MOMENTUM][lane];
    float y = v[MOMENTUM + 1][lane];
    float z = v[MOMENTUM + 2][lane];
    float velocity_x = x / v[DENSITY][lane];
    float velocity_y = y / v[DENSITY][lane];
    float velocity_z = z / v[DENSITY][lane];
    float square = velocity_x * velocity_x + velocity_y * velocity_y + velocity_z * velocity_z;
    g.speed = sqrtf(square);
    g.pressure = (heat_ratio - 1.0F) * (v[ENERGY][lane] - 0.5F * v[DENSITY][lane] * square);
    g.sound = sqrtf(heat_ratio * g.pressure / v[DENSITY][lane]);
    g.momentum[0][0] = velocity_x * x + g.pressure;
    g.momentum[0][1] = g.momentum[1][0] = velocity_x * y;
    g.momentum[0][2] = g.momentum[2][0] = velocity_x * z;
    g.momentum[1][1] = velocity_y * y + g.pressure;
    g.momentum[1][2] = g.momentum[2][1] = velocity_y * z;
    g.momentum[2][2] = velocity_z * z + g.pressure;
    float all = v[ENERGY][lane] + g.pressure;
    g.energy[0] = velocity_x * all;
    g.energy[1] = velocity_y * all;
    g.energy[2] = velocity_z * all;
    return g;
}

// Adds what flows through the face to another gas, whose momentum is in OTHER.
static void add_flow(regs *r, unsigned lane, const gas *own, const gas *outside,
                     const float other[VARIABLES][GMMU_WARP]) {
    for (unsigned d = 0; d < DIMENSIONS; d++) {
        float factor = 0.5F * r->normal[d][lane];
        r->flux[DENSITY][lane] += factor * (other[MOMENTUM + d][lane] + r->own[MOMENTUM + d][lane]);
        r->flux[ENERGY][lane] += factor * (outside->energy[d] + own->energy[d]);
        for (unsigned c = 0; c < DIMENSIONS; c++)
            r->flux[MOMENTUM + c][lane] += factor * (outside->momentum[c][d] + own->momentum[c][d]);
    }
}

static void add_neighbour(regs *r, unsigned lane) {
    gas own = derive(r->own, lane);
    gas other = derive(r->other, lane);
    float x = r->normal[0][lane];
    float y = r->normal[1][lane];
    float z = r->normal[2][lane];
    float length = sqrtf(x * x + y * y + z * z);
    float factor = -length * smoothing * 0.5F * (own.speed + other.speed + own.sound + other.sound);
    for (unsigned v = 0; v < VARIABLES; v++)
        r->flux[v][lane] += factor * (r->own[v][lane] - r->other[v][lane]);
    add_flow(r, lane, &own, &other, r->other);
}

static void add_boundary(regs *r, unsigned lane) {
    gas own = derive(r->own, lane);
    if (r->neighbour[lane] == WING) {
        for (unsigned d = 0; d < DIMENSIONS; d++)
            r->flux[MOMENTUM + d][lane] += r->normal[d][lane] * own.pressure;
        return;
    }
    for (unsigned v = 0; v < VARIABLES; v++) r->other[v][lane] = far_state[v];
    gas other = derive(r->other, lane);
    add_flow(r, lane, &own, &other, r->other);
}

static gmmu_simt_event initialize(cfd *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    const gmmu_array *const array[ARRAYS] = {s->variables, s->old, s->fluxes};
    WARP_BEGIN;
    for (r->v = 0; r->v < VARIABLES; r->v++) {
        ST(STORE_FAR, array[s->grids - 1], float, GID + r->v * s->padded, far_state[r->v]);
    }
    WARP_END;
}

static gmmu_simt_event step_factor(cfd *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    WARP_BEGIN;
    for (r->v = 0; r->v < VARIABLES; r->v++) {
        LD(FACTOR_STATE + r->v, s->variables, GID + r->v * s->padded, r->own[r->v]);
    }
    LD(FACTOR_AREA, s->areas, GID, r->value);
    EACH {
        gas own = derive(r->own, lane);
        r->factor[lane] = 0.5F / (sqrtf(r->value[lane]) * (own.speed + own.sound));
    }
    ST(FACTOR_STORE, s->factors, float, GID, r->factor[lane]);
    WARP_END;
}

static gmmu_simt_event flux(cfd *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    WARP_BEGIN;
    for (r->v = 0; r->v < VARIABLES; r->v++) {
        LD(FLUX_STATE + r->v, s->variables, GID + r->v * s->padded, r->own[r->v]);
    }
    for (r->face = 0; r->face < FACES; r->face++) {
        LD(FLUX_NEIGHBOUR, s->neighbours, GID + r->face * s->padded, r->neighbour);
        for (r->v = 0; r->v < DIMENSIONS; r->v++) {
            LD(FLUX_NORMAL + r->v, s->normals, GID + (r->face + r->v * FACES) * s->padded,
               r->normal[r->v]);
        }
        IF(r->neighbour[lane] >= 0) {
            for (r->v = 0; r->v < VARIABLES; r->v++) {
                LD(FLUX_OTHER + r->v, s->variables, (uint64_t)r->neighbour[lane] + r->v * s->padded,
                   r->other[r->v]);
            }
            EACH add_neighbour(r, lane);
        }
        ELSE {
            EACH add_boundary(r, lane);
        }
        ENDIF;
    }
    for (r->v = 0; r->v < VARIABLES; r->v++) {
        ST(FLUX_STORE + r->v, s->fluxes, float, GID + r->v * s->padded, r->flux[r->v][lane]);
    }
    WARP_END;
}

static gmmu_simt_event time_step(cfd *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    static const unsigned order[VARIABLES] = {DENSITY, ENERGY, MOMENTUM, MOMENTUM + 1,
                                              MOMENTUM + 2};  // the source's
    const unsigned step = (s->grids - 1 - ARRAYS) % ITERATION / 2 - 1;
    WARP_BEGIN;
    LD(TIME_FACTOR, s->factors, GID, r->factor);
    EACH r->factor[lane] /= (float)(STEPS + 1 - step);
    for (r->v = 0; r->v < VARIABLES; r->v++) {
        LD(TIME_STEP + 3 * r->v, s->old, GID + order[r->v] * s->padded, r->value);
        LD(TIME_STEP + 3 * r->v + 1, s->fluxes, GID + order[r->v] * s->padded, r->change);
        ST(TIME_STEP + 3 * r->v + 2, s->variables, float, GID + order[r->v] * s->padded,
           r->value[lane] + r->factor[lane] * r->change[lane]);
    }
    s->done += lanes_count(r->warp.mask);
    WARP_END;
}

static gmmu_simt_event cfd_step(void *self, const gmmu_simt_warp *w, void *registers,
                                gmmu_simt_op *op) {
    cfd *s = self;
    if (s->grids <= ARRAYS)
        return initialize(s, w, registers, op);
    unsigned grid = (s->grids - 1 - ARRAYS) % ITERATION;
    if (grid == 0)
        return step_factor(s, w, registers, op);
    return grid % 2 == 1 ? flux(s, w, registers, op) : time_step(s, w, registers, op);
}

static double cfd_progress(const void *self) {
    const cfd *s = self;
    return (double)s->done / ((double)ITERATIONS * STEPS * (double)s->padded);
}

// An element of the plain implementation, which works element by element and has what each variable
// carries in each direction in one table.
typedef struct {
    float state[VARIABLES], old[VARIABLES], flux[VARIABLES];
    float carried[DIMENSIONS][VARIABLES];
    float pressure, speed, sound, factor;
} element;

static void carry(element *e) {
    float velocity[DIMENSIONS];
    float square = 0;
    for (unsigned d = 0; d < DIMENSIONS; d++) {
        velocity[d] = e->state[MOMENTUM + d] / e->state[DENSITY];
        square += velocity[d] * velocity[d];
    }
    e->pressure = (heat_ratio - 1.0F) * (e->state[ENERGY] - 0.5F * e->state[DENSITY] * square);
    e->speed = sqrtf(square);
    e->sound = sqrtf(heat_ratio * e->pressure / e->state[DENSITY]);
    for (unsigned d = 0; d < DIMENSIONS; d++) {
        e->carried[d][DENSITY] = e->state[MOMENTUM + d];
        e->carried[d][ENERGY] = velocity[d] * (e->state[ENERGY] + e->pressure);
        for (unsigned c = 0; c <= d; c++)
            e->carried[d][MOMENTUM + c] = e->carried[c][MOMENTUM + d] =
                velocity[c] * e->state[MOMENTUM + d];
        e->carried[d][MOMENTUM + d] += e->pressure;
    }
}

// The flux of element I.
static void plain_flux(const cfd *s, element *all, uint64_t i, const element *far_away) {
    const int32_t *neighbours = s->neighbours->data;
    const float *normals = s->normals->data;
    element *e = &all[i];
    memset(e->flux, 0, sizeof e->flux);
    for (unsigned face = 0; face < FACES; face++) {
        int32_t number = neighbours[i + face * s->padded];
        const element *other = number < 0 ? far_away : &all[number];
        float normal[DIMENSIONS];
        float square = 0;
        for (unsigned d = 0; d < DIMENSIONS; d++) {
            normal[d] = normals[i + (face + d * FACES) * s->padded];
            square += normal[d] * normal[d];
        }
        float viscosity =
            -sqrtf(square) * smoothing * 0.5F * (e->speed + other->speed + e->sound + other->sound);
        for (unsigned v = 0; v < VARIABLES; v++) {
            if (number >= 0)
                e->flux[v] += viscosity * (e->state[v] - other->state[v]);
            for (unsigned d = 0; number != WING && d < DIMENSIONS; d++)
                e->flux[v] += 0.5F * normal[d] * (other->carried[d][v] + e->carried[d][v]);
            if (number == WING && v >= MOMENTUM && v < ENERGY)
                e->flux[v] += normal[v - MOMENTUM] * e->pressure;
        }
    }
}

static void plain_iteration(const cfd *s, element *all, const element *far_away) {
    const float *areas = s->areas->data;
    for (uint64_t i = 0; i < s->padded; i++) {
        carry(&all[i]);
        memcpy(all[i].old, all[i].state, sizeof all[i].old);
        all[i].factor = 0.5F / (sqrtf(areas[i]) * (all[i].speed + all[i].sound));
    }
    for (unsigned left = STEPS + 1; left > 1; left--) {
        for (uint64_t i = 0; i < s->padded; i++) plain_flux(s, all, i, far_away);
        for (uint64_t i = 0; i < s->padded; i++) {
            float factor = all[i].factor / (float)left;
            for (unsigned v = 0; v < VARIABLES; v++)
                all[i].state[v] = all[i].old[v] + factor * all[i].flux[v];
            carry(&all[i]);
        }
    }
}

static int cfd_check(const void *self, gmmu_error *err) {
    const cfd *s = self;
    uint64_t values = s->padded * VARIABLES;
    element far_away = {.factor = 0};
    element *all = malloc(s->padded * sizeof *all);
    float *rows = malloc(2 * values * sizeof *rows);
    int rc = GMMU_SIMT_NO_MEMORY;
    if (all == NULL || rows == NULL) {
        snprintf(err->text, sizeof err->text, "cfd: no memory for the check");
        goto done;
    }
    memcpy(far_away.state, far_state, sizeof far_state);
    carry(&far_away);
    for (uint64_t i = 0; i < s->padded; i++) all[i] = far_away;
    for (unsigned t = 0; t < ITERATIONS; t++) plain_iteration(s, all, &far_away);
    for (uint64_t i = 0; i < values; i++) {
        rows[i] = all[i % s->padded].state[i / s->padded];
        rows[values + i] = all[i % s->padded].flux[i / s->padded];
    }
    rc = lanes_compare("cfd", "variables", s->variables->data, rows, values, err);
    if (rc == GMMU_OK)
        rc = lanes_compare("cfd", "fluxes", s->fluxes->data, rows + values, values, err);
done:
    free(all);
    free(rows);
    return rc;
}

static const gmmu_array *cfd_result(const void *self) {
    return ((const cfd *)self)->variables;
}

const gmmu_simt_kernel gmmu_simt_cfd = {.name = "cfd",
                                        .size_text = "elements of the mesh",
                                        .default_size = 50000,
                                        .max_size = 1 << 22,
                                        .regs = sizeof(regs),
                                        .create = cfd_create,
                                        .destroy = free,
                                        .launch = cfd_launch,
                                        .step = cfd_step,
                                        .progress = cfd_progress,
                                        .check = cfd_check,
                                        .result = cfd_result};
