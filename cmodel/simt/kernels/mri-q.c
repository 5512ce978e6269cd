// SPDX-License-Identifier: Apache-2.0
// mri-q.c: the matrix Q of MRI reconstruction, the two grids of Parboil's mri-q.
//
//   grid 1, thread k, once:      magnitude[k] = re[k]^2 + im[k]^2
//   grid 2, thread v, repeated:  for each point p of `chunk`:
//                                  phase = 2 pi (p.x x[v] + p.y y[v] + p.z z[v])
//                                  Qr[v] += p.magnitude cos(phase)
//                                  Qi[v] += p.magnitude sin(phase)
//
// Q is summed in registers and goes to memory at the end of a grid. Between two grids the host puts
// the next points of k-space into `chunk`, constant memory in Parboil, which is translated like all
// other. Parboil has 1024 points a chunk and 2048 or more in all; here they are 32 of 256, so that
// the grids, in which reuse lies, are more and cosines fewer. Sums are in the order of the CPU's
// code, and both take cosine and sine from one place: equal bit for bit. No address depends on
// them.
#include <math.h>
#include <stdlib.h>

#include "simt/kernels/kernels.h"
#include "simt/kernels/lanes.h"
#include "simt/warp.h"

enum { CHUNK = 32, CHUNKS = 8, MOST = 1 << 16 };  // points of a chunk, chunks, unless chosen
enum {
    LOAD_RE,
    LOAD_IM,
    STORE_MAGNITUDE,
    LOAD_X,
    LOAD_Y,
    LOAD_Z,
    LOAD_QR,
    LOAD_QI,
    LOAD_KX,
    LOAD_KY,
    LOAD_KZ,
    LOAD_MAGNITUDE,
    STORE_QR,
    STORE_QI
};

typedef struct {
    float x, y, z, magnitude;
} point;

typedef struct {
    uint64_t n;
    unsigned block;
    unsigned grids;  // launched so far
    uint64_t done;   // voxels
    unsigned chunk_size, chunks, points;
    float (*k)[3];  // [points]
    const gmmu_array *re, *im, *magnitude, *chunk, *x, *y, *z, *qr, *qi;
} mriq;

typedef struct {
    WARP_STATE;
    uint64_t k;
    float x[GMMU_WARP], y[GMMU_WARP], z[GMMU_WARP], qr[GMMU_WARP], qi[GMMU_WARP];
    float kx[GMMU_WARP], ky[GMMU_WARP], kz[GMMU_WARP], magnitude[GMMU_WARP];
} regs;

// Adds one point's part to a voxel.
static void add_wave(float phase, float magnitude, float *qr, float *qi) {
    *qr += magnitude * cosf(phase);
    *qi += magnitude * sinf(phase);
}

static const float two_pi = 6.2831853071795864769F;

static void mriq_destroy(void *self) {
    mriq *s = self;
    free(s->k);
    free(s);
}

static const gmmu_array *floats(gmmu_space *space, const char *name, uint64_t count,
                                uint64_t *random, gmmu_error *err) {
    const gmmu_array *array = gmmu_space_alloc(space, name, count, sizeof(float), err);
    for (uint64_t i = 0; array != NULL && random != NULL && i < count; i++)
        ((float *)array->data)[i] = lanes_random(random) - 0.5F;
    return array;
}

static void *mriq_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t n = p->size;
    uint64_t random = p->seed;
    mriq *s = calloc(1, sizeof *s);
    const uint64_t points = (uint64_t)p->depth * p->launches;
    if (s == NULL || (s->k = calloc(points, sizeof *s->k)) == NULL) {
        snprintf(err->text, sizeof err->text, "mri-q: no memory");
        free(s);
        return NULL;
    }
    s->chunk_size = p->depth;
    s->chunks = p->launches;
    s->points = (unsigned)points;
    s->n = n;
    s->block = p->block;
    if ((s->re = floats(space, "re", s->points, &random, err)) == NULL ||
        (s->im = floats(space, "im", s->points, &random, err)) == NULL ||
        (s->magnitude = floats(space, "magnitude", s->points, NULL, err)) == NULL ||
        (s->chunk = floats(space, "chunk", UINT64_C(4) * s->chunk_size, NULL, err)) == NULL ||
        (s->x = floats(space, "x", n, &random, err)) == NULL ||
        (s->y = floats(space, "y", n, &random, err)) == NULL ||
        (s->z = floats(space, "z", n, &random, err)) == NULL ||
        (s->qr = floats(space, "Qr", n, NULL, err)) == NULL ||
        (s->qi = floats(space, "Qi", n, NULL, err)) == NULL) {
        mriq_destroy(s);
        return NULL;
    }
    for (unsigned i = 0; i < s->points; i++)
        for (unsigned j = 0; j < 3; j++) s->k[i][j] = 16 * (lanes_random(&random) - 0.5F);
    return s;
}

// The host's part: the points of the next grid.
static void next_chunk(mriq *s, uint64_t from) {
    point *chunk = s->chunk->data;
    for (unsigned i = 0; i < s->chunk_size; i++) {
        const float *k = s->k[from + i];
        chunk[i] = (point){k[0], k[1], k[2], ((const float *)s->magnitude->data)[from + i]};
    }
}

static bool mriq_launch(void *self, gmmu_simt_grid *grid) {
    mriq *s = self;
    const unsigned chunks = s->grids++;  // that will be done after this grid
    *grid = lanes_grid(chunks == 0 ? s->points : s->n, s->block);
    if (chunks > 0 && chunks <= s->chunks)
        next_chunk(s, (uint64_t)(chunks - 1) * s->chunk_size);
    return chunks <= s->chunks;
}

static gmmu_simt_event magnitudes(const mriq *s, const gmmu_simt_warp *w, regs *r,
                                  gmmu_simt_op *op) {
    WARP_BEGIN;
    IF(GID < s->points) {
        LD(LOAD_RE, s->re, GID, r->x);
        LD(LOAD_IM, s->im, GID, r->y);
        ST(STORE_MAGNITUDE, s->magnitude, float, GID,
           r->x[lane] * r->x[lane] + r->y[lane] * r->y[lane]);
    }
    ENDIF;
    WARP_END;
}

static gmmu_simt_event waves(mriq *s, const gmmu_simt_warp *w, regs *r, gmmu_simt_op *op) {
    WARP_BEGIN;
    IF(GID < s->n) {
        LD(LOAD_X, s->x, GID, r->x);
        LD(LOAD_Y, s->y, GID, r->y);
        LD(LOAD_Z, s->z, GID, r->z);
        LD(LOAD_QR, s->qr, GID, r->qr);
        LD(LOAD_QI, s->qi, GID, r->qi);
        for (r->k = 0; r->k < s->chunk_size; r->k++) {
            LD(LOAD_KX, s->chunk, 4 * r->k, r->kx);
            LD(LOAD_KY, s->chunk, 4 * r->k + 1, r->ky);
            LD(LOAD_KZ, s->chunk, 4 * r->k + 2, r->kz);
            LD(LOAD_MAGNITUDE, s->chunk, 4 * r->k + 3, r->magnitude);
            EACH add_wave(two_pi * (r->kx[lane] * r->x[lane] + r->ky[lane] * r->y[lane] +
                                    r->kz[lane] * r->z[lane]),
                          r->magnitude[lane], &r->qr[lane], &r->qi[lane]);
        }
        ST(STORE_QR, s->qr, float, GID, r->qr[lane]);
        ST(STORE_QI, s->qi, float, GID, r->qi[lane]);
        s->done += lanes_count(r->warp.mask);
    }
    ENDIF;
    WARP_END;
}

static gmmu_simt_event mriq_step(void *self, const gmmu_simt_warp *w, void *registers,
                                 gmmu_simt_op *op) {
    mriq *s = self;
    return s->grids == 1 ? magnitudes(s, w, registers, op) : waves(s, w, registers, op);
}

static double mriq_progress(const void *self) {
    const mriq *s = self;
    return (double)s->done / (s->chunks * (double)s->n);
}

// Voxel after voxel, over all of k-space at once.
static int mriq_check(const void *self, gmmu_error *err) {
    const mriq *s = self;
    const float *re = s->re->data;
    const float *im = s->im->data;
    const float *x = s->x->data;
    const float *y = s->y->data;
    const float *z = s->z->data;
    float *expected = malloc(2 * s->n * sizeof *expected);
    if (expected == NULL) {
        snprintf(err->text, sizeof err->text, "mri-q: no memory for the check");
        return GMMU_SIMT_NO_MEMORY;
    }
    for (uint64_t v = 0; v < s->n; v++) {
        float *qr = &expected[v];
        float *qi = &expected[s->n + v];
        *qr = *qi = 0;
        for (unsigned i = 0; i < s->points; i++) {
            float dot = s->k[i][0] * x[v] + s->k[i][1] * y[v] + s->k[i][2] * z[v];
            add_wave(two_pi * dot, re[i] * re[i] + im[i] * im[i], qr, qi);
        }
    }
    int rc = lanes_compare("mri-q", "Qr", s->qr->data, expected, s->n, err);
    if (rc == GMMU_OK)
        rc = lanes_compare("mri-q", "Qi", s->qi->data, expected + s->n, s->n, err);
    free(expected);
    return rc;
}

static const gmmu_array *mriq_result(const void *self) {
    return ((const mriq *)self)->qr;
}

const gmmu_simt_kernel gmmu_simt_mriq = {.name = "mri-q",
                                         .size_text = "voxels",
                                         .default_size = 262144,
                                         .max_size = 1 << 28,
                                         .regs = sizeof(regs),
                                         .create = mriq_create,
                                         .destroy = mriq_destroy,
                                         .launch = mriq_launch,
                                         .step = mriq_step,
                                         .progress = mriq_progress,
                                         .check = mriq_check,
                                         .result = mriq_result,
                                         .launches = {CHUNKS, 256},
                                         .depth = {CHUNK, MOST}};
