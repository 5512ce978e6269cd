// SPDX-License-Identifier: Apache-2.0
// spmv_jds.c: repeated y = A x with A in jagged diagonals, the grid of Parboil's spmv; a thread a
// row.
//
//   thread i:  for k below count[i / 32]:  sum += data[ptr[k] + i] * x[index[ptr[k] + i]]
//              y[perm[i]] = sum
//
// Rows are sorted by length, the longest first, and those of a warp padded to its longest with
// zeros of column 0. So element k of all rows that have one lies in one piece, and a warp's loads
// of data and index are 32 neighbours. Counts and beginnings are in constant memory there and loads
// here; the source's loads of the next element before the sum of this one are left out.
//
// The matrix is that of points on a square grid, numbered row by row, as a mesh of finite elements
// gives it: row i has 1 to 2 F - 1 elements, F on average, at columns up to three points away
// across and down. Each row is summed in the order of the CPU's code, so that both must be equal
// bit for bit.
#include <stdlib.h>

#include "simt/kernels/kernels.h"
#include "simt/kernels/lanes.h"
#include "simt/warp.h"

enum { PRODUCTS = 50, ELEMENTS = 25, MOST = 512, NEAR = 3 };

// Memory instructions, in order.
enum { LOAD_COUNT, LOAD_PTR, LOAD_INDEX, LOAD_DATA, LOAD_X, LOAD_PERM, STORE_Y };

typedef struct {
    uint64_t n, seed;
    uint64_t warps;  // groups of 32 rows
    uint64_t side;   // points of a row of the grid
    unsigned block, elements;
    unsigned launches;
    unsigned grids;  // launched so far
    uint64_t done;   // rows
    const gmmu_array *count, *ptr, *index, *data, *perm, *x, *y;
} jds;

typedef struct {
    WARP_STATE;
    uint32_t k;
    uint32_t count[GMMU_WARP], ptr[GMMU_WARP], index[GMMU_WARP], perm[GMMU_WARP];
    float data[GMMU_WARP], x[GMMU_WARP], sum[GMMU_WARP];
} regs;

static uint32_t row_length(const jds *s, uint64_t row) {
    uint64_t random = s->seed + row;
    return 1 + (uint32_t)(gmmu_simt_random(&random) % (2 * s->elements - 1));
}

// Element K of a row: its column, its value to *value.
static uint32_t element(const jds *s, uint64_t row, uint32_t k, float *value) {
    uint64_t random = (s->seed + row) ^ (uint64_t)(k + 1) << 40;
    uint64_t r = gmmu_simt_random(&random);
    int64_t across = (int64_t)(r % (2 * NEAR + 1)) - NEAR;
    int64_t down = (int64_t)((r >> 16) % (2 * NEAR + 1)) - NEAR;
    int64_t column = (int64_t)row + down * (int64_t)s->side + across;
    *value = lanes_random(&random) - 0.5F;
    return column < 0 ? 0 : column >= (int64_t)s->n ? (uint32_t)s->n - 1 : (uint32_t)column;
}

static float x_of(uint64_t i) {
    return 1.0F + (float)(i % 7) / 8.0F;
}

// Fills perm: the rows by length, the longest first, and those of one length in their order.
static void sort_rows(const jds *s, uint64_t *rows_of_length) {
    uint32_t *perm = s->perm->data;
    uint64_t first = 0;
    for (uint64_t i = 0; i < s->n; i++) rows_of_length[row_length(s, i)]++;
    for (unsigned length = 2 * s->elements - 1; length > 0; length--) {
        uint64_t rows = rows_of_length[length];
        rows_of_length[length] = first;
        first += rows;
    }
    for (uint64_t i = 0; i < s->n; i++) perm[rows_of_length[row_length(s, i)]++] = (uint32_t)i;
}

// Allocates and fills what depends on the rows' order. False: no memory.
static bool make_matrix(jds *s, gmmu_space *space, gmmu_error *err) {
    const uint32_t *perm = s->perm->data;
    uint32_t *count = s->count->data;
    uint64_t elements = 0;
    for (uint64_t w = 0; w < s->warps; w++) {
        count[w] = row_length(s, perm[w * GMMU_WARP]);
        elements += (uint64_t)count[w] * GMMU_WARP;
    }
    if ((s->ptr = gmmu_space_alloc(space, "ptr", count[0], sizeof(uint32_t), err)) == NULL ||
        (s->index = gmmu_space_alloc(space, "index", elements, sizeof(uint32_t), err)) == NULL ||
        (s->data = gmmu_space_alloc(space, "data", elements, sizeof(float), err)) == NULL)
        return false;
    uint32_t *ptr = s->ptr->data;
    uint64_t warps = s->warps;  // those that have an element k
    for (uint32_t k = 0; k < count[0]; k++) {
        while (count[warps - 1] <= k) warps--;
        if (k + 1 < count[0])
            ptr[k + 1] = ptr[k] + (uint32_t)(warps * GMMU_WARP);
        for (uint64_t i = 0; i < warps * GMMU_WARP && i < s->n; i++) {
            if (row_length(s, perm[i]) <= k)
                continue;
            uint64_t at = ptr[k] + i;
            ((uint32_t *)s->index->data)[at] = element(s, perm[i], k, (float *)s->data->data + at);
        }
    }
    return true;
}

static void *jds_create(const gmmu_simt_params *p, gmmu_space *space, gmmu_error *err) {
    uint64_t n = p->size;
    jds *s = calloc(1, sizeof *s);
    uint64_t *rows_of_length = calloc(2 * (size_t)p->features, sizeof *rows_of_length);
    if (s == NULL || rows_of_length == NULL) {
        snprintf(err->text, sizeof err->text, "spmv_jds: no memory");
        goto failed;
    }
    s->n = n;
    s->seed = p->seed;
    s->block = p->block;
    s->elements = p->features;
    s->launches = p->launches;
    s->warps = (n + GMMU_WARP - 1) / GMMU_WARP;
    while ((s->side + 1) * (s->side + 1) <= n) s->side++;
    if ((s->count = gmmu_space_alloc(space, "count", s->warps, sizeof(uint32_t), err)) == NULL ||
        (s->perm = gmmu_space_alloc(space, "perm", n, sizeof(uint32_t), err)) == NULL ||
        (s->x = gmmu_space_alloc(space, "x", n, sizeof(float), err)) == NULL ||
        (s->y = gmmu_space_alloc(space, "y", n, sizeof(float), err)) == NULL)
        goto failed;
    sort_rows(s, rows_of_length);
    if (!make_matrix(s, space, err))
        goto failed;
    for (uint64_t i = 0; i < n; i++) ((float *)s->x->data)[i] = x_of(i);
    free(rows_of_length);
    return s;
failed:
    free(rows_of_length);
    free(s);
    return NULL;
}

static bool jds_launch(void *self, gmmu_simt_grid *grid) {
    jds *s = self;
    *grid = lanes_grid(s->n, s->block);
    return s->grids++ < s->launches;
}

static gmmu_simt_event jds_step(void *self, const gmmu_simt_warp *w, void *registers,
                                gmmu_simt_op *op) {
    jds *s = self;
    regs *r = registers;
    WARP_BEGIN;
    IF(GID < s->n) {
        LD(LOAD_COUNT, s->count, GID / GMMU_WARP, r->count);
        r->k = 0;
        WHILE(r->k < r->count[lane]) {
            LD(LOAD_PTR, s->ptr, r->k, r->ptr);
            LD(LOAD_INDEX, s->index, r->ptr[lane] + GID, r->index);
            LD(LOAD_DATA, s->data, r->ptr[lane] + GID, r->data);
            LD(LOAD_X, s->x, r->index[lane], r->x);
            EACH r->sum[lane] += lanes_product(r->data[lane], r->x[lane]);
            r->k++;
        }
        ENDWHILE;
        LD(LOAD_PERM, s->perm, GID, r->perm);
        ST(STORE_Y, s->y, float, r->perm[lane], r->sum[lane]);
        s->done += lanes_count(r->warp.mask);
    }
    ENDIF;
    WARP_END;
}

static double jds_progress(const void *self) {
    const jds *s = self;
    return (double)s->done / (s->launches * (double)s->n);
}

// Row after row, each element made again.
static int jds_check(const void *self, gmmu_error *err) {
    const jds *s = self;
    const float *y = s->y->data;
    for (uint64_t i = 0; i < s->n; i++) {
        float sum = 0;
        for (uint32_t k = 0; k < row_length(s, i); k++) {
            float value = 0;
            uint32_t column = element(s, i, k, &value);
            sum += lanes_product(value, x_of(column));
        }
        int rc = lanes_compare("spmv_jds", "y", &y[i], &sum, 1, err);
        if (rc != GMMU_OK)
            return rc;
    }
    return GMMU_OK;
}

static const gmmu_array *jds_result(const void *self) {
    return ((const jds *)self)->y;
}

const gmmu_simt_kernel gmmu_simt_spmv_jds = {.name = "spmv_jds",
                                             .size_text = "rows and columns of the matrix",
                                             .default_size = 100000,
                                             .max_size = 1 << 22,
                                             .regs = sizeof(regs),
                                             .create = jds_create,
                                             .destroy = free,
                                             .launch = jds_launch,
                                             .step = jds_step,
                                             .progress = jds_progress,
                                             .check = jds_check,
                                             .result = jds_result,
                                             .launches = {PRODUCTS, 1 << 16},
                                             .features = {ELEMENTS, MOST}};
