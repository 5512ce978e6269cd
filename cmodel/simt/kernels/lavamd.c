// SPDX-License-Identifier: Apache-2.0
// lavamd.c: forces between the particles of neighbouring boxes, Rodinia's lavaMD, in double
// precision.
//
//   block b, its particles a = thread, thread + threads, ...:
//     shared memory: the positions of box b
//     for box b and each of its up to 26 neighbours:
//       shared memory: that box's positions and charges; barrier
//       for each particle j of it: force[a] += charge[j] * (v, 2 v dx, 2 v dy, 2 v dz)
//         with v = exp(-2 alpha^2 (|a|^2 + |j|^2 - a . j)), the lengths stored beside x, y, z
//
// A box has 100 particles. As in the source the force lies in global memory: four loads and four
// stores for each j. A position is four numbers of 8 bytes, each a load of its own: a GPU has no
// instruction for 32 bytes. A box lies in memory as the source's structure of 656 bytes. The boxes
// fill a cube along x, then y, then z; --size boxes exist, 27, 64, 125, ... fill it.
//
// exp() decides values alone: no address depends on it. Forces are summed in the order of the
// source, so that a plain implementation must give the same bits.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "simt/kernels/kernels.h"
#include "simt/warp.h"

enum { PARTICLES = 100, NEIGHBOURS = 26 };
static const double alpha = 0.5;

// Of a position or a force.
enum { V, X, Y, Z, PARTS };

// A box, in words of 32 bits: x, y, z, number, offset (64 bits), number of neighbours, 0; then of
// each neighbour x, y, z, number, offset (64 bits). Offsets are particles.
enum {
    BOX_NUMBER = 3,
    BOX_OFFSET,
    BOX_NEIGHBOURS = 6,
    BOX_FIRST = 8,
    NEIGHBOUR_WORDS = 6,
    BOX_WORDS = BOX_FIRST + NEIGHBOURS * NEIGHBOUR_WORDS
};

typedef struct {
    uint64_t n;
    uint64_t side;  // of the cube, in boxes
    unsigned threads;
    bool launched;
    uint64_t done;  // boxes
    const gmmu_array *boxes, *position, *charge, *force;
} lavamd;

enum {
    LOAD_HOME,
    LOAD_OWN,
    LOAD_COUNT = LOAD_OWN + PARTS,
    LOAD_NUMBER,
    LOAD_OFFSET,
    LOAD_OTHER,
    LOAD_CHARGE = LOAD_OTHER + PARTS,
    FORCE,  // a load and a store for each part
};

typedef struct {
    WARP_STATE;
    unsigned k, j, part;
    uint64_t a[GMMU_WARP];  // particle in the box
    int32_t home[GMMU_WARP], count[GMMU_WARP], box[GMMU_WARP], offset[GMMU_WARP];
    double value[GMMU_WARP];
    double term[PARTS][GMMU_WARP];
} regs;

typedef struct {
    double own[PARTICLES][PARTS], other[PARTICLES][PARTS], charge[PARTICLES];
} shared;

// Whether box (x, y, z) exists; its number.
static bool box_at(const lavamd *s, int64_t x, int64_t y, int64_t z, uint64_t *number) {
    int64_t side = (int64_t)s->side;
    if (x < 0 || y < 0 || z < 0 || x >= side || y >= side)
        return false;
    *number = (uint64_t)((z * side + y) * side + x);
    return *number < s->n;
}

static void make_box(const lavamd *s, uint64_t b, int32_t *word) {
    int64_t side = (int64_t)s->side;
    int64_t x = (int64_t)b % side;
    int64_t y = (int64_t)b / side % side;
    int64_t z = (int64_t)b / side / side;
    int32_t *next = word + BOX_FIRST;
    word[0] = (int32_t)x;
    word[1] = (int32_t)y;
    word[2] = (int32_t)z;
    word[BOX_NUMBER] = (int32_t)b;
    word[BOX_OFFSET] = (int32_t)(b * PARTICLES);  // the upper half is 0
    for (int64_t k = 0; k < NEIGHBOURS + 1; k++) {
        uint64_t other = 0;
        if (k == NEIGHBOURS / 2 ||
            !box_at(s, x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1, &other))
            continue;
        next[0] = (int32_t)(x + k % 3 - 1);
        next[1] = (int32_t)(y + k / 3 % 3 - 1);
        next[2] = (int32_t)(z + k / 9 - 1);
        next[BOX_NUMBER] = (int32_t)other;
        next[BOX_OFFSET] = (int32_t)(other * PARTICLES);
        next += NEIGHBOUR_WORDS;
        word[BOX_NEIGHBOURS]++;
    }
}

static void *lavamd_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    lavamd *s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(err->text, sizeof err->text, "lavamd: no memory");
        return NULL;
    }
    s->n = p->size;
    s->threads = p->block;
    for (s->side = 1; s->side * s->side * s->side < s->n;) s->side++;
    uint64_t particles = s->n * PARTICLES;
    if ((s->boxes = gmmu_space_alloc(space, "boxes", s->n * BOX_WORDS, 4, err)) == NULL ||
        (s->position = gmmu_space_alloc(space, "position", particles * PARTS, 8, err)) == NULL ||
        (s->charge = gmmu_space_alloc(space, "charge", particles, 8, err)) == NULL ||
        (s->force = gmmu_space_alloc(space, "force", particles * PARTS, 8, err)) == NULL) {
        free(s);
        return NULL;
    }
    uint64_t random = p->seed;
    double *position = s->position->data;
    double *charge = s->charge->data;
    // As in the suite 0.1, 0.2, ..., 1; v as well.
    for (uint64_t i = 0; i < particles * PARTS; i++)
        position[i] = (double)(gmmu_simt_random(&random) % 10 + 1) / 10;
    for (uint64_t i = 0; i < particles; i++)
        charge[i] = (double)(gmmu_simt_random(&random) % 10 + 1) / 10;
    for (uint64_t b = 0; b < s->n; b++) make_box(s, b, (int32_t *)s->boxes->data + b * BOX_WORDS);
    return s;
}

static bool lavamd_launch(void *self, gmmu_simt_grid *grid) {
    lavamd *s = self;
    *grid = (gmmu_simt_grid){.blocks = s->n, .threads = s->threads, .shared = sizeof(shared)};
    bool first = !s->launched;
    s->launched = true;
    return first;
}

// What particle B with CHARGE adds to the force on A.
static void interact(const double a[PARTS], const double b[PARTS], double charge,
                     double term[PARTS]) {
    double dot = a[X] * b[X] + a[Y] * b[Y] + a[Z] * b[Z];
    double v = exp(-(2.0 * alpha * alpha * (a[V] + b[V] - dot)));
    double fs = 2 * v;
    term[V] = charge * v;
    term[X] = charge * (fs * (a[X] - b[X]));
    term[Y] = charge * (fs * (a[Y] - b[Y]));
    term[Z] = charge * (fs * (a[Z] - b[Z]));
}

static gmmu_simt_event lavamd_step(void *self, const gmmu_simt_warp *w, void *registers,
                                   gmmu_simt_op *op) {
    lavamd *s = self;
    regs *r = registers;
    shared *m = w->shared;
    const uint64_t home = BID * BOX_WORDS;
    WARP_BEGIN;
    LD(LOAD_HOME, s->boxes, home + BOX_OFFSET, r->home);
    EACH r->a[lane] = TID;
    WHILE(r->a[lane] < PARTICLES) {
        for (r->part = 0; r->part < PARTS; r->part++) {
            LD(LOAD_OWN + r->part, s->position,
               ((uint64_t)r->home[lane] + r->a[lane]) * PARTS + r->part, r->value);
            EACH m->own[r->a[lane]][r->part] = r->value[lane];
        }
        EACH r->a[lane] += s->threads;
    }
    ENDWHILE;
    SYNC;
    for (r->k = 0;; r->k++) {
        LD(LOAD_COUNT, s->boxes, home + BOX_NEIGHBOURS, r->count);
        if (r->k == 1U + (unsigned)r->count[0])
            break;
        EACH r->box[lane] = (int32_t)BID;
        if (r->k > 0) {
            LD(LOAD_NUMBER, s->boxes,
               home + BOX_FIRST + (uint64_t)(r->k - 1) * NEIGHBOUR_WORDS + BOX_NUMBER, r->box);
        }
        LD(LOAD_OFFSET, s->boxes, (uint64_t)r->box[lane] * BOX_WORDS + BOX_OFFSET, r->offset);
        EACH r->a[lane] = TID;
        WHILE(r->a[lane] < PARTICLES) {
            for (r->part = 0; r->part < PARTS; r->part++) {
                LD(LOAD_OTHER + r->part, s->position,
                   ((uint64_t)r->offset[lane] + r->a[lane]) * PARTS + r->part, r->value);
                EACH m->other[r->a[lane]][r->part] = r->value[lane];
            }
            LD(LOAD_CHARGE, s->charge, (uint64_t)r->offset[lane] + r->a[lane], r->value);
            EACH {
                m->charge[r->a[lane]] = r->value[lane];
                r->a[lane] += s->threads;
            }
        }
        ENDWHILE;
        SYNC;
        EACH r->a[lane] = TID;
        WHILE(r->a[lane] < PARTICLES) {
            for (r->j = 0; r->j < PARTICLES; r->j++) {
                EACH {
                    double term[PARTS];
                    interact(m->own[r->a[lane]], m->other[r->j], m->charge[r->j], term);
                    for (unsigned part = 0; part < PARTS; part++) r->term[part][lane] = term[part];
                }
                for (r->part = 0; r->part < PARTS; r->part++) {
                    LD(FORCE + 2 * r->part, s->force,
                       ((uint64_t)r->home[lane] + r->a[lane]) * PARTS + r->part, r->value);
                    ST(FORCE + 2 * r->part + 1, s->force, double,
                       ((uint64_t)r->home[lane] + r->a[lane]) * PARTS + r->part,
                       r->value[lane] + r->term[r->part][lane]);
                }
            }
            EACH r->a[lane] += s->threads;
        }
        ENDWHILE;
        SYNC;
    }
    s->done += w->index == 0;
    WARP_END;
}

static double lavamd_progress(const void *self) {
    const lavamd *s = self;
    return (double)s->done / (double)s->n;
}

// Particle by particle, over the neighbours that its box's place in the cube has. Both sides call
// one exp(), and a product is never fused with a sum.
static int lavamd_check(const void *self, gmmu_error *err) {
    const lavamd *s = self;
    const double *position = s->position->data;
    const double *charge = s->charge->data;
    const int64_t side = (int64_t)s->side;
    for (uint64_t i = 0; i < s->n * PARTICLES; i++) {
        const double *a = position + i * PARTS;
        const double *found = (const double *)s->force->data + i * PARTS;
        double expected[PARTS] = {0};
        uint64_t home = i / PARTICLES;
        for (int64_t k = -1; k < NEIGHBOURS + 1; k++) {  // itself, then the cube around it
            int64_t around = k < 0 ? NEIGHBOURS / 2 : k;
            int64_t x = (int64_t)home % side + around % 3 - 1;
            int64_t y = (int64_t)home / side % side + around / 3 % 3 - 1;
            int64_t z = (int64_t)home / side / side + around / 9 - 1;
            uint64_t box = 0;
            if (k == NEIGHBOURS / 2 || !box_at(s, x, y, z, &box))
                continue;
            for (uint64_t j = box * PARTICLES; j < (box + 1) * PARTICLES; j++) {
                const double *b = position + j * PARTS;
                double r2 = a[V] + b[V] - (a[X] * b[X] + a[Y] * b[Y] + a[Z] * b[Z]);
                double v = exp(-(2.0 * alpha * alpha * r2));
                expected[V] += charge[j] * v;
                for (unsigned part = X; part <= Z; part++)
                    expected[part] += charge[j] * (2 * v * (a[part] - b[part]));
            }
        }
        for (unsigned part = 0; part < PARTS; part++) {
            uint64_t found_bits = 0;
            uint64_t expected_bits = 0;
            memcpy(&found_bits, &found[part], sizeof found_bits);
            memcpy(&expected_bits, &expected[part], sizeof expected_bits);
            if (found_bits != expected_bits) {
                snprintf(err->text, sizeof err->text,
                         "lavamd: force[%" PRIu64 "]: found %.17g, expected %.17g",
                         i * PARTS + part, found[part], expected[part]);
                return GMMU_BAD;
            }
        }
    }
    return GMMU_OK;
}

static const gmmu_array *lavamd_result(const void *self) {
    return ((const lavamd *)self)->force;
}

const gmmu_simt_kernel gmmu_simt_lavamd = {.name = "lavamd",
                                           .size_text = "boxes of 100 particles each",
                                           .default_size = 512,
                                           .max_size = 1 << 24,
                                           .regs = sizeof(regs),
                                           .create = lavamd_create,
                                           .destroy = free,
                                           .launch = lavamd_launch,
                                           .step = lavamd_step,
                                           .progress = lavamd_progress,
                                           .check = lavamd_check,
                                           .result = lavamd_result};
