// SPDX-License-Identifier: Apache-2.0
// lanes.h: what the kernels of dense and sparse algebra share: lanes, tiles, comparing.
#ifndef GMMU_SIMT_LANES_H
#define GMMU_SIMT_LANES_H

#include <inttypes.h>
#include <string.h>

#include "simt/simt.h"

// ARRAY as instructions see it that access vectors of its elements, or parts of them: the same
// bytes, ELEMENT of them each.
static inline gmmu_array lanes_view(const gmmu_array *array, size_t element) {
    gmmu_array view = *array;
    view.count = array->count * array->element / element;
    view.element = element;
    return view;
}

// Blocks for N threads, one each.
static inline gmmu_simt_grid lanes_grid(uint64_t n, unsigned block) {
    return (gmmu_simt_grid){.blocks = (n + block - 1) / block, .threads = block};
}

static inline unsigned lanes_count(uint32_t mask) {
    unsigned n = 0;
    for (; mask != 0; mask &= mask - 1) n++;
    return n;
}

// A grid of two-dimensional blocks over N x N points, row by row.
typedef struct {
    uint64_t n;
    uint64_t across;  // blocks side by side, and one below the other by `height`
    uint64_t down;
    unsigned width, height;  // of a block, in points
} lanes_tiles;

static inline lanes_tiles lanes_tile(uint64_t n, unsigned width, unsigned height) {
    return (lanes_tiles){.n = n,
                         .across = (n + width - 1) / width,
                         .down = (n + height - 1) / height,
                         .width = width,
                         .height = height};
}

// Blocks of 32 x (BLOCK / 32) threads, or of one row when BLOCK is smaller.
static inline lanes_tiles lanes_tile_rows(uint64_t n, unsigned block) {
    return block < GMMU_WARP ? lanes_tile(n, block, 1)
                             : lanes_tile(n, GMMU_WARP, block / GMMU_WARP);
}

// The side of the largest square of at most BLOCK threads.
static inline unsigned lanes_side(unsigned block) {
    unsigned side = 1;
    while ((side + 1) * (side + 1) <= block) side++;
    return side;
}

static inline gmmu_simt_grid lanes_tile_grid(const lanes_tiles *t) {
    return (gmmu_simt_grid){.blocks = t->across * t->down, .threads = t->width * t->height};
}

static inline uint64_t lanes_row(const lanes_tiles *t, const gmmu_simt_warp *w, unsigned lane) {
    return w->block / t->across * t->height + (w->index * GMMU_WARP + lane) / t->width;
}

static inline uint64_t lanes_column(const lanes_tiles *t, const gmmu_simt_warp *w, unsigned lane) {
    return w->block % t->across * t->width + (w->index * GMMU_WARP + lane) % t->width;
}

// Is the lane's point in the matrix, but not in its outermost EDGE rows and columns?
static inline bool lanes_inside(const lanes_tiles *t, const gmmu_simt_warp *w, unsigned lane,
                                uint64_t edge) {
    uint64_t row = lanes_row(t, w, lane);
    uint64_t column = lanes_column(t, w, lane);
    return row >= edge && row + edge < t->n && column >= edge && column + edge < t->n;
}

// A product that no compiler fuses with a sum to a multiply-add, so that the order and the
// rounding of operations are those of the source everywhere.
static inline float lanes_product(float a, float b) {
    volatile float product = a * b;
    return product;
}

// 0 <= value < 1, of 24 bits.
static inline float lanes_random(uint64_t *state) {
    return (float)(gmmu_simt_random(state) >> 40) / 16777216.0F;
}

// Bit for bit: also +0 and -0 differ.
static inline int lanes_compare(const char *kernel, const char *name, const float *found,
                                const float *expected, uint64_t n, gmmu_error *err) {
    for (uint64_t i = 0; i < n; i++) {
        uint32_t a = 0;
        uint32_t b = 0;
        memcpy(&a, &found[i], sizeof a);
        memcpy(&b, &expected[i], sizeof b);
        if (a != b) {
            snprintf(err->text, sizeof err->text, "%s: %s[%" PRIu64 "]: found %.9g, expected %.9g",
                     kernel, name, i, (double)found[i], (double)expected[i]);
            return GMMU_BAD;
        }
    }
    return GMMU_OK;
}

// The first byte in which A and B differ, BYTES if none.
static inline size_t lanes_differ(const void *a, const void *b, size_t bytes) {
    enum { BLOCK = 1024 };  // which memcmp compares much faster than a loop
    const unsigned char *x = a;
    const unsigned char *y = b;
    size_t at = 0;
    while (bytes - at > BLOCK && memcmp(x + at, y + at, BLOCK) == 0) at += BLOCK;
    while (at < bytes && x[at] == y[at]) at++;
    return at;
}

#endif
