// SPDX-License-Identifier: Apache-2.0
// multivectoradd.c: vectors added in turn to one output vector: GMT's MultiVectorAdd.
//
//   grid v, thread i:  sum[i] += in_v[i]
//
// GMT (Table 2) describes it as "output vector repeatedly accessed" and has 40 % of the pages used
// again; the number of vectors it does not give. Three vectors of 32 bits and sums of 64 bits make
// the sums 8 of 20 bytes, which is 40 %: their pages come round three times, each time after the
// same distance (GMT Fig. 4b), those of the input once.
#include <stdlib.h>

#include "simt/kernels/kernels.h"
#include "simt/kernels/lanes.h"
#include "simt/warp.h"

enum { VECTORS = 3 };
enum { LOAD_IN, LOAD_SUM, STORE_SUM };

typedef struct {
    uint64_t n;
    unsigned block;
    unsigned grids;  // launched so far
    uint64_t done;   // elements
    const gmmu_array *in[VECTORS], *sum;
} multivectoradd;

typedef struct {
    WARP_STATE;
    uint32_t in[GMMU_WARP];
    uint64_t sum[GMMU_WARP];
} regs;

static void *multivectoradd_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    static const char *const names[VECTORS] = {"in0", "in1", "in2"};
    uint64_t random = p->seed;
    multivectoradd *s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(err->text, sizeof err->text, "multivectoradd: no memory");
        return NULL;
    }
    s->n = p->size;
    s->block = p->block;
    s->sum = gmmu_space_alloc(space, "sum", s->n, sizeof(uint64_t), err);
    bool ok = s->sum != NULL;
    for (unsigned v = 0; ok && v < VECTORS; v++) {
        s->in[v] = gmmu_space_alloc(space, names[v], s->n, sizeof(uint32_t), err);
        ok = s->in[v] != NULL;
        for (uint64_t i = 0; ok && i < s->n; i++)
            ((uint32_t *)s->in[v]->data)[i] = (uint32_t)gmmu_simt_random(&random);
    }
    if (!ok) {
        free(s);
        return NULL;
    }
    return s;
}

static bool multivectoradd_launch(void *self, gmmu_simt_grid *grid) {
    multivectoradd *s = self;
    *grid = lanes_grid(s->n, s->block);
    return s->grids++ < VECTORS;
}

static gmmu_simt_event multivectoradd_step(void *self, const gmmu_simt_warp *w, void *registers,
                                           gmmu_simt_op *op) {
    multivectoradd *s = self;
    regs *r = registers;
    WARP_BEGIN;
    IF(GID < s->n) {
        LD(LOAD_IN, s->in[s->grids - 1], GID, r->in);
        LD(LOAD_SUM, s->sum, GID, r->sum);
        ST(STORE_SUM, s->sum, uint64_t, GID, r->sum[lane] + r->in[lane]);
        s->done += lanes_count(r->warp.mask);
    }
    ENDIF;
    WARP_END;
}

static double multivectoradd_progress(const void *self) {
    const multivectoradd *s = self;
    return (double)s->done / ((double)VECTORS * (double)s->n);
}

static int multivectoradd_check(const void *self, gmmu_error *err) {
    const multivectoradd *s = self;
    const uint64_t *found = s->sum->data;
    for (uint64_t i = 0; i < s->n; i++) {
        uint64_t expected = 0;
        for (unsigned v = 0; v < VECTORS; v++) expected += ((const uint32_t *)s->in[v]->data)[i];
        if (found[i] != expected) {
            snprintf(err->text, sizeof err->text,
                     "multivectoradd: sum[%" PRIu64 "]: found %" PRIu64 ", expected %" PRIu64, i,
                     found[i], expected);
            return GMMU_BAD;
        }
    }
    return GMMU_OK;
}

static const gmmu_array *multivectoradd_result(const void *self) {
    return ((const multivectoradd *)self)->sum;
}

const gmmu_simt_kernel gmmu_simt_multivectoradd = {.name = "multivectoradd",
                                                   .size_text = "elements of each vector",
                                                   .default_size = 1 << 20,
                                                   .max_size = 1 << 30,
                                                   .regs = sizeof(regs),
                                                   .create = multivectoradd_create,
                                                   .destroy = free,
                                                   .launch = multivectoradd_launch,
                                                   .step = multivectoradd_step,
                                                   .progress = multivectoradd_progress,
                                                   .check = multivectoradd_check,
                                                   .result = multivectoradd_result,
                                                   .folds = true};
