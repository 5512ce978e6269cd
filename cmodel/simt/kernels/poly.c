// SPDX-License-Identifier: Apache-2.0
// poly.c: what the kernels after PolyBench/GPU in single precision share.
#include "simt/kernels/poly.h"

#include <stdlib.h>

// What array K holds at first.
static void fill(const poly *s, unsigned k, float *data) {
    uint64_t state = s->seed + ((uint64_t)k << 56);
    for (uint64_t i = 0; s->shape[k].random && i < s->shape[k].count; i++)
        data[i] = lanes_random(&state);
}

poly *poly_create(const char *kernel, const gmmu_simt_params *p, gmmu_space *space,
                  const poly_array *shape, unsigned arrays, unsigned result, gmmu_error *err) {
    poly *s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(err->text, sizeof err->text, "%s: no memory", kernel);
        return NULL;
    }
    s->kernel = kernel;
    s->n = p->size;
    s->seed = p->seed;
    s->block = p->block;
    s->arrays = arrays;
    s->result = result;
    for (unsigned k = 0; k < arrays; k++) {
        s->shape[k] = shape[k];
        s->array[k] = gmmu_space_alloc(space, shape[k].name, shape[k].count, sizeof(float), err);
        if (s->array[k] == NULL) {
            free(s);
            return NULL;
        }
        fill(s, k, s->array[k]->data);
    }
    return s;
}

void poly_destroy(void *self) {
    free(self);
}

double poly_progress(const void *self) {
    const poly *s = self;
    return (double)s->done / s->work;
}

const gmmu_array *poly_result(const void *self) {
    const poly *s = self;
    return s->array[s->result];
}

gmmu_simt_grid poly_line(const poly *s, uint64_t n) {
    return (gmmu_simt_grid){.blocks = (n + s->block - 1) / s->block, .threads = s->block};
}

bool poly_launch_tiles(void *self, gmmu_simt_grid *grid) {
    poly *s = self;
    *grid = lanes_tile_grid(&s->tiles);
    return s->grids++ == 0;
}

bool poly_launch_lines(void *self, gmmu_simt_grid *grid) {
    poly *s = self;
    *grid = poly_line(s, s->n);
    return ++s->grids <= 2;
}

int poly_check(const poly *s, poly_plain *plain, gmmu_error *err) {
    float *host[POLY_ARRAYS] = {NULL};
    int rc = GMMU_OK;
    for (unsigned k = 0; rc == GMMU_OK && k < s->arrays; k++) {
        host[k] = calloc(s->shape[k].count, sizeof *host[k]);
        if (host[k] == NULL) {
            snprintf(err->text, sizeof err->text, "%s: no memory for the check", s->kernel);
            rc = GMMU_SIMT_NO_MEMORY;
        } else {
            fill(s, k, host[k]);
        }
    }
    if (rc == GMMU_OK)
        plain(s, host);
    for (unsigned k = 0; rc == GMMU_OK && k < s->arrays; k++)
        rc = lanes_compare(s->kernel, s->shape[k].name, s->array[k]->data, host[k],
                           s->shape[k].count, err);
    for (unsigned k = 0; k < s->arrays; k++) free(host[k]);
    return rc;
}
