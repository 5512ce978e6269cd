// SPDX-License-Identifier: Apache-2.0
// touching.h: how the table of routines says what a call touches: matrices, vectors and pivots,
// from arguments as they came.
#ifndef GMMU_BLAS_TOUCHING_H
#define GMMU_BLAS_TOUCHING_H

#include <string.h>

#include "blas/call.h"

// LETTER is one of ALLOWED, in either case.
static inline bool among(char letter, const char *allowed) {
    const int upper = letter >= 'a' && letter <= 'z' ? letter - 'a' + 'A' : letter;
    return letter != 0 && strchr(allowed, upper) != NULL;
}

static inline bool is_complex(const gmmu_blas_call *c) {
    return c->type == 'c' || c->type == 'z';
}

typedef struct {
    gmmu_sem_operand *out;
    unsigned used;
    unsigned element;  // bytes
    bool bad;          // an array reaches beyond the address space
} touching;

typedef enum { READ, WRITE, UPDATE } access;

// ROWS × COLUMNS elements, a column every LD, of which some are touched; ALL: all of them. What
// lies between the columns is no part of the operand.
static inline void matrix(touching *t, access how, const void *start, int64_t rows, int64_t columns,
                          int64_t ld, bool all) {
    const uint64_t from = (uint64_t)(uintptr_t)start;
    uint64_t elements, bytes;
    if (rows == 0 || columns == 0)
        return;
    if (__builtin_mul_overflow((uint64_t)(columns - 1), (uint64_t)ld, &elements) ||
        __builtin_add_overflow(elements, (uint64_t)rows, &elements) ||
        __builtin_mul_overflow(elements, (uint64_t)t->element, &bytes) ||
        bytes - 1 > UINT64_MAX - from) {
        t->bad = true;
        return;
    }
    const bool gaps = columns != 1 && ld != rows;
    t->out[t->used++] = (gmmu_sem_operand){.start = from,
                                           .last = from + (bytes - 1),
                                           .reads = how != WRITE,
                                           .writes = how != READ,
                                           .whole = how == WRITE && all,
                                           .run = gaps ? (uint64_t)rows * t->element : 0,
                                           .stride = gaps ? (uint64_t)ld * t->element : 0};
}

// N elements, INC apart: they lie in the same memory whatever the sign.
static inline void vector(touching *t, access how, const void *start, int64_t n, int64_t inc) {
    if (inc == INT64_MIN)
        t->bad = true;
    else if (inc == 0)
        matrix(t, how, start, n != 0, 1, 1, true);
    else
        matrix(t, how, start, 1, n, inc < 0 ? -inc : inc, true);
}

// N elements of BYTES each.
static inline void others(touching *t, access how, const void *start, int64_t n, unsigned bytes,
                          bool all) {
    const unsigned element = t->element;
    t->element = bytes;
    matrix(t, how, start, n, 1, n, all);
    t->element = element;
}

static inline void pivots(touching *t, access how, const gmmu_blas_call *c, int64_t n) {
    others(t, how, c->pivots, n, (unsigned)c->integer, true);
}

static inline int64_t least(int64_t x, int64_t y) {
    return x < y ? x : y;
}

// LD is at least the rows, and 1.
static inline bool holds(int64_t ld, int64_t rows) {
    return ld >= 1 && ld >= rows;
}

static inline touching touching_of(const gmmu_blas_call *c, gmmu_sem_operand *out) {
    return (touching){.out = out, .element = c->type == 's' ? 4 : c->type == 'z' ? 16 : 8};
}

#endif
