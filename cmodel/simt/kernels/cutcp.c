// SPDX-License-Identifier: Apache-2.0
// cutcp.c: Coulomb potential of atoms within a cutoff distance, on a lattice: Parboil's cutcp.
//
//   block of 128 threads: a region of 8 x 8 x 8 lattice points, four a thread
//     for each 32 of the bins of atoms around the region:
//       a half warp for a bin: load its place in the list, its atoms into shared memory;  barrier
//       for each atom, for the thread's points nearer than the cutoff:
//         potential += q / r (1 - r^2 / cutoff^2)^2
//       barrier
//     store four potentials
//
// A grid for each plane of regions. Space, spacing, cutoff and bins are Parboil's: a region is as
// large as a bin, 4 Angstrom, with room for 8 atoms of four floats; c = 3 bins without atoms lie
// around the lattice. Each bin within has 4 to 8 atoms (6.4 in Parboil's water; none is left over
// for the CPU here). The list of neighbours is constant memory in Parboil, which is translated like
// all other. Coordinates are multiples of 2^-12, so that differences are exact, and none is a
// lattice point's. Atoms are summed in the order of the CPU's code: equal bit for bit.
#include <math.h>
#include <stdlib.h>

#include "simt/kernels/kernels.h"
#include "simt/kernels/lanes.h"
#include "simt/warp.h"

enum {
    EDGE = 8,             // lattice points of a region
    REGION = 512,         // all of them
    DEPTH = 8,            // atoms of a bin
    BIN = 4 * DEPTH,      // floats of a bin: x, y, z, charge of each atom
    FAR = 3,              // bins that the cutoff reaches, each way
    NEIGHBOURS_FAR = 22,  // square of the largest distance of two bins with atoms near enough
    CACHED = 32,          // bins in shared memory
    THREADS = 128,
    POINTS = 4  // of a thread: y, y + 2, y + 4, y + 6
};
enum { LOAD_DX, LOAD_DY, LOAD_DZ, LOAD_LOW, LOAD_HIGH, STORE /* four */ };

static const float spacing = 0.5F;
static const float bin_length = 4;  // 8 lattice points
static const float cutoff2 = 144;
static const float inv_cutoff2 = 1.0F / 144;

typedef struct {
    uint64_t across;  // regions along each edge
    uint64_t bins;    // bins along each edge
    uint64_t plane;   // launched so far
    uint64_t done;    // regions
    uint64_t neighbours;
    const gmmu_array *bin, *list, *potential;
} cutcp;

typedef struct {
    WARP_STATE;
    unsigned first, i;
    uint64_t neighbour[GMMU_WARP];
    int32_t dx[GMMU_WARP], dy[GMMU_WARP], dz[GMMU_WARP];
    float value[GMMU_WARP], sum[POINTS][GMMU_WARP];
} regs;

// What an atom of charge Q adds at a distance of sqrt(R2) within the cutoff.
static float part(float q, float r2) {
    float s = 1 - r2 * inv_cutoff2;
    return q * (1 / sqrtf(r2)) * s * s;
}

static uint64_t bin_at(const cutcp *s, uint64_t x, uint64_t y, uint64_t z) {
    return (z * s->bins + y) * s->bins + x;
}

// The bins that may hold atoms within the cutoff of a region: those nearer than 12 Angstrom and a
// bin's diagonal, (x^2 + y^2 + z^2) 4^2 < (12 + 4 sqrt(3))^2. Returns their number.
static uint64_t make_list(int32_t *list) {
    uint64_t count = 0;
    for (int32_t z = -FAR; z <= FAR; z++)
        for (int32_t y = -FAR; y <= FAR; y++)
            for (int32_t x = -FAR; x <= FAR; x++)
                if (x * x + y * y + z * z <= NEIGHBOURS_FAR) {
                    int32_t *entry = list + 3 * count++;
                    entry[0] = x;
                    entry[1] = y;
                    entry[2] = z;
                }
    return count;
}

// An odd multiple of 2^-12 below the bin's length.
static float coordinate(uint64_t bin, uint64_t *random) {
    float within = (float)(2 * (gmmu_simt_random(random) % 8192) + 1) / 4096;
    return (float)bin * bin_length + within;
}

static void make_atoms(cutcp *s, uint64_t seed) {
    uint64_t random = seed;
    for (uint64_t z = 0; z < s->across; z++) {
        for (uint64_t y = 0; y < s->across; y++) {
            for (uint64_t x = 0; x < s->across; x++) {
                float *atom = (float *)s->bin->data + BIN * bin_at(s, x + FAR, y + FAR, z + FAR);
                uint64_t atoms = DEPTH / 2 + gmmu_simt_random(&random) % (DEPTH / 2 + 1);
                for (; atoms > 0; atoms--, atom += 4) {
                    atom[0] = coordinate(x, &random);
                    atom[1] = coordinate(y, &random);
                    atom[2] = coordinate(z, &random);
                    // odd, so not 0, which would end the bin
                    atom[3] =
                        (float)(2 * (int32_t)(gmmu_simt_random(&random) % 8192) - 8191) / 8192;
                }
            }
        }
    }
}

static void *cutcp_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t across = (p->size + EDGE - 1) / EDGE;
    uint64_t bins = across + UINT64_C(2) * FAR;
    int32_t list[3 * (2 * FAR + 1) * (2 * FAR + 1) * (2 * FAR + 1)];
    cutcp *s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(err->text, sizeof err->text, "cutcp: no memory");
        return NULL;
    }
    s->across = across;
    s->bins = bins;
    s->neighbours = make_list(list);
    if ((s->bin = gmmu_space_alloc(space, "bin", BIN * bins * bins * bins, sizeof(float), err)) ==
            NULL ||
        (s->list = gmmu_space_alloc(space, "list", 3 * s->neighbours, sizeof(int32_t), err)) ==
            NULL ||
        (s->potential = gmmu_space_alloc(space, "potential", REGION * across * across * across,
                                         sizeof(float), err)) == NULL) {
        free(s);
        return NULL;
    }
    memcpy(s->list->data, list, 3 * s->neighbours * sizeof *list);
    make_atoms(s, p->seed);
    return s;
}

static bool cutcp_launch(void *self, gmmu_simt_grid *grid) {
    cutcp *s = self;
    *grid = (gmmu_simt_grid){
        .blocks = s->across * s->across, .threads = THREADS, .shared = sizeof(float[CACHED * BIN])};
    return s->plane++ < s->across;
}

// Adds the atoms of COUNT bins in shared memory to the potentials of a warp's points. The squared
// distances of all are computed first, which compilers do many at once.
static void add_atoms(const cutcp *s, const gmmu_simt_warp *w, const float *bin, uint64_t count,
                      float sum[POINTS][GMMU_WARP]) {
    float x[GMMU_WARP];
    float y[GMMU_WARP];
    float z[GMMU_WARP];
    for (unsigned lane = 0; lane < GMMU_WARP; lane++) {
        const uint64_t at[3] = {EDGE * (BID % s->across) + TID % EDGE,
                                EDGE * (BID / s->across) + TID / EDGE % 2,
                                EDGE * (s->plane - 1) + TID / (2 * EDGE)};
        x[lane] = spacing * (float)at[0];
        y[lane] = spacing * (float)at[1];
        z[lane] = spacing * (float)at[2];
    }
    for (const float *end = bin + count * BIN; bin < end; bin += BIN) {
        for (const float *atom = bin; atom < bin + BIN && atom[3] != 0; atom += 4) {
            float r2[POINTS][GMMU_WARP];
            for (unsigned i = 0; i < POINTS; i++) {
                for (unsigned lane = 0; lane < GMMU_WARP; lane++) {
                    float dx = atom[0] - x[lane];
                    float dy = atom[1] - y[lane] - 2 * spacing * (float)i;
                    float dz = atom[2] - z[lane];
                    r2[i][lane] = dy * dy + (dx * dx + dz * dz);
                }
            }
            for (unsigned i = 0; i < POINTS; i++)
                for (unsigned lane = 0; lane < GMMU_WARP; lane++)
                    if (r2[i][lane] < cutoff2)
                        sum[i][lane] += part(atom[3], r2[i][lane]);
        }
    }
}

static gmmu_simt_event cutcp_step(void *self, const gmmu_simt_warp *w, void *registers,
                                  gmmu_simt_op *op) {
    cutcp *s = self;
    regs *r = registers;
    float *cache = w->shared;
    WARP_BEGIN;
    EACH r->neighbour[lane] = TID / 16;
    for (r->first = 0; r->first < s->neighbours; r->first += CACHED) {
        for (r->i = 0; r->i < CACHED * 16 / THREADS; r->i++) {
            IF(r->neighbour[lane] < s->neighbours) {
                LD(LOAD_DX, s->list, 3 * r->neighbour[lane], r->dx);
                LD(LOAD_DY, s->list, 3 * r->neighbour[lane] + 1, r->dy);
                LD(LOAD_DZ, s->list, 3 * r->neighbour[lane] + 2, r->dz);
                // the bin's first float, in bins around the lattice's own
                EACH {
                    r->dx[lane] += (int32_t)(BID % s->across) + FAR;
                    r->dy[lane] += (int32_t)(BID / s->across) + FAR;
                    r->dz[lane] += (int32_t)s->plane - 1 + FAR;
                }
                LD(LOAD_LOW, s->bin,
                   BIN * bin_at(s, (uint64_t)r->dx[lane], (uint64_t)r->dy[lane],
                                (uint64_t)r->dz[lane]) +
                       TID % 16,
                   r->value);
                EACH cache[(TID / 16 + THREADS / 16 * r->i) * BIN + TID % 16] = r->value[lane];
                LD(LOAD_HIGH, s->bin,
                   BIN * bin_at(s, (uint64_t)r->dx[lane], (uint64_t)r->dy[lane],
                                (uint64_t)r->dz[lane]) +
                       TID % 16 + 16,
                   r->value);
                EACH {
                    cache[(TID / 16 + THREADS / 16 * r->i) * BIN + TID % 16 + 16] = r->value[lane];
                    r->neighbour[lane] += THREADS / 16;
                }
            }
            ENDIF;
        }
        SYNC;
        add_atoms(s, w, cache,
                  s->neighbours - r->first < CACHED ? s->neighbours - r->first : CACHED, r->sum);
        SYNC;
    }
    for (r->i = 0; r->i < POINTS; r->i++) {
        ST(STORE + r->i, s->potential, float,
           (((s->plane - 1) * s->across * s->across + BID) * EDGE + TID / 16) * (REGION / EDGE) +
               16 * (uint64_t)r->i + TID % 16,
           r->sum[r->i][lane]);
    }
    s->done += w->index == 0;
    WARP_END;
}

static double cutcp_progress(const void *self) {
    const cutcp *s = self;
    double across = (double)s->across;
    return (double)s->done / (across * across * across);
}

// Adds an atom to all points of the lattice, EDGE * across along each edge, that it is near to.
static void add_atom(const float atom[4], uint64_t points, float *lattice) {
    for (uint64_t z = 0; z < points; z++) {
        float dz = atom[2] - spacing * (float)z;
        for (uint64_t y = 0; y < points && dz * dz < cutoff2; y++) {
            float dy = atom[1] - spacing * (float)y;
            for (uint64_t x = 0; x < points && dy * dy + dz * dz < cutoff2; x++) {
                float dx = atom[0] - spacing * (float)x;
                float r2 = dy * dy + (dx * dx + dz * dz);
                if (r2 < cutoff2)
                    lattice[(z * points + y) * points + x] += part(atom[3], r2);
            }
        }
    }
}

// Atom after atom, in the order of bins, over a plain lattice.
static int cutcp_check(const void *self, gmmu_error *err) {
    const cutcp *s = self;
    const uint64_t points = EDGE * s->across;
    const uint64_t all = points * points * points;
    float *lattice = calloc(2 * all, sizeof *lattice);
    if (lattice == NULL) {
        snprintf(err->text, sizeof err->text, "cutcp: no memory for the check");
        return GMMU_SIMT_NO_MEMORY;
    }
    float *expected = lattice + all;  // region by region
    const float *atom = s->bin->data;
    for (uint64_t i = 0; i < s->bin->count; i += 4)
        if (atom[i + 3] != 0)
            add_atom(atom + i, points, lattice);
    for (uint64_t i = 0; i < all; i++) {
        uint64_t region = i / REGION;
        uint64_t x = region % s->across * EDGE + i % EDGE;
        uint64_t y = region / s->across % s->across * EDGE + i / EDGE % EDGE;
        uint64_t z = region / s->across / s->across * EDGE + i / EDGE / EDGE % EDGE;
        expected[i] = lattice[(z * points + y) * points + x];
    }
    int rc = lanes_compare("cutcp", "potential", s->potential->data, expected, all, err);
    free(lattice);
    return rc;
}

static const gmmu_array *cutcp_result(const void *self) {
    return ((const cutcp *)self)->potential;
}

const gmmu_simt_kernel gmmu_simt_cutcp = {
    .name = "cutcp",
    .size_text = "points of the lattice's edge, rounded up to 8",
    .default_size = 96,
    .max_size = 2048,
    .regs = sizeof(regs),
    .create = cutcp_create,
    .destroy = free,
    .launch = cutcp_launch,
    .step = cutcp_step,
    .progress = cutcp_progress,
    .check = cutcp_check,
    .result = cutcp_result};
