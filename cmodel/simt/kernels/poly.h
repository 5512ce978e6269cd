// SPDX-License-Identifier: Apache-2.0
// poly.h: what the kernels after PolyBench/GPU in single precision share.
//
// Their inputs are random, in [0, 1), and not PolyBench's products of row and column: those are
// symmetric, so that rows for columns would go unnoticed.
//
// Their loads and stores are those of compiled code, which RDGC counts (Table 4;
// docs/guide/record.md says how each of its figures is read): an element that a thread has just
// loaded or stored stays in a register until a store to another array, which the compiler must take
// for an alias. Every store is made.
#ifndef GMMU_SIMT_POLY_H
#define GMMU_SIMT_POLY_H

#include "simt/kernels/lanes.h"
#include "simt/simt.h"

enum { POLY_ARRAYS = 5 };  // of a kernel, at most

typedef struct {
    const char *name;
    uint64_t count;  // elements, of float
    bool random;     // at first; else 0
} poly_array;

// A kernel's state.
typedef struct {
    const char *kernel;
    uint64_t n;  // --size
    uint64_t seed;
    unsigned block;
    unsigned grids;  // launched so far
    unsigned arrays;
    unsigned result;    // number of an array
    double work;        // stores in all, or as many as make a fair measure
    uint64_t done;      // of them
    lanes_tiles tiles;  // of kernels with a thread a point
    poly_array shape[POLY_ARRAYS];
    const gmmu_array *array[POLY_ARRAYS];
} poly;

// Allocates ARRAYS arrays and fills those that are random. NULL without memory, *err filled.
poly *poly_create(const char *kernel, const gmmu_simt_params *p, gmmu_space *space,
                  const poly_array *shape, unsigned arrays, unsigned result, gmmu_error *err);
void poly_destroy(void *self);
double poly_progress(const void *self);
const gmmu_array *poly_result(const void *self);

// A grid of one thread each for 0 to N - 1, in blocks of --block threads.
gmmu_simt_grid poly_line(const poly *s, uint64_t n);
// Launches of a kernel with a grid of `tiles`, and of one with two grids of one thread each for 0
// to
// --size - 1.
bool poly_launch_tiles(void *self, gmmu_simt_grid *grid);
bool poly_launch_lines(void *self, gmmu_simt_grid *grid);

// Does the kernel's work on HOST, the arrays in their order as they were at first.
typedef void poly_plain(const poly *s, float *const host[]);
// Compares all arrays, also those that no grid writes, with what PLAIN makes of them, bit for bit.
int poly_check(const poly *s, poly_plain *plain, gmmu_error *err);

#endif
