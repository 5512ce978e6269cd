// SPDX-License-Identifier: Apache-2.0
// stats.h: what the report says of a call site beside its sums, in fixed memory: shapes of its
// calls, sizes, lines of the program, and the CPU's code that has its data come back.
#ifndef GMMU_BLAS_STATS_H
#define GMMU_BLAS_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "blas/routines.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    GMMU_BLAS_SHAPES = 8,  // different shapes, at most
    GMMU_BLAS_SIZES = 21,  // N with 2·N³ operations, by powers of two
    GMMU_BLAS_LINES = 6,
    GMMU_BLAS_SIDES = 4,
    GMMU_BLAS_LINE = 200  // bytes of a line's text, with its end
};

// M, N, K as the caller has them; 0: the routine has none. K is also the number of right-hand
// sides.
typedef struct {
    int64_t m, n, k;
    char type;  // s, d, c, z
} gmmu_blas_shape;

// Of a full table the row of the least weight makes room, and the new row inherits the weight: what
// has a large share of the operations stays. `others` are the calls of rows that left.
typedef struct {
    gmmu_blas_shape is;
    uint64_t weight, calls, ns;
    uint64_t flops;   // of the last call
    double naive_ns;  // as of gmmu_blas_size_row
} gmmu_blas_shape_row;

typedef struct {
    uint64_t calls;
    double cpu_ns, naive_ns;  // on the CPU, and if each call by itself were offloaded
    // the call of the fewest operations that was longer on the CPU; LEAST_FLOPS 0: there is none
    gmmu_blas_shape least;
    uint64_t least_flops;
} gmmu_blas_size_row;

typedef struct {
    char text[GMMU_BLAS_LINE];
    uint64_t weight, calls, ns;  // calls that were asked, and those for which they stand
    double naive_ns;
} gmmu_blas_line_row;

// The CPU's code, by the number of its site.
typedef struct {
    uint32_t site;
    uint64_t weight;
    uint64_t downs, down_bytes;  // what the call wrote, and the code had come back
    uint64_t ups, up_bytes;      // what the code wrote, and the call had go up again
} gmmu_blas_side_row;

typedef struct {
    uint64_t bytes;               // of the operands, without gaps
    gmmu_blas_shape least, most;  // of each of M, N and K
    unsigned shapes, lines, sides;
    uint64_t other_shapes, other_lines;  // calls of rows that made room
    uint64_t asked;                      // calls whose line is known
    uint64_t unasked, unasked_ns;        // calls since, whose line was not asked for
    double unasked_naive_ns;
    uint64_t back_bytes;  // what the calls wrote, and the CPU's code had come back
    double back_ns;
    gmmu_blas_shape_row shape[GMMU_BLAS_SHAPES];
    gmmu_blas_size_row size[GMMU_BLAS_SIZES];
    gmmu_blas_line_row line[GMMU_BLAS_LINES];
    gmmu_blas_side_row side[GMMU_BLAS_SIDES];
} gmmu_blas_stats;

// The shape of CALL as its caller has it.
gmmu_blas_shape gmmu_blas_shape_of(const gmmu_blas_call *call);
// Returns the row of sizes of a call of FLOPS operations: log2 N.
__attribute__((const)) unsigned gmmu_blas_size_of(uint64_t flops);

void gmmu_blas_stats_call(gmmu_blas_stats *s, const gmmu_blas_shape *shape, uint64_t flops,
                          uint64_t bytes, uint64_t ns, double naive_ns);
// The call was made by LINE of the program's language; empty: it is not known. SAMPLED: the call
// stands for those before whose line was not asked for, too.
void gmmu_blas_stats_line(gmmu_blas_stats *s, const char *line, bool sampled, uint64_t flops,
                          uint64_t ns, double naive_ns);
// The line of a call was not asked for.
void gmmu_blas_stats_unasked(gmmu_blas_stats *s, uint64_t ns, double naive_ns);
// The CPU's code at SITE had BYTES come back, or wrote them so that they go up again.
void gmmu_blas_stats_side(gmmu_blas_stats *s, uint32_t site, bool up, uint64_t bytes);
// Returns the row of ROWS from which on offloading each call by itself saves most.
// GMMU_BLAS_SIZES: nothing is saved.
__attribute__((pure)) unsigned gmmu_blas_sizes_pay(const gmmu_blas_size_row rows[GMMU_BLAS_SIZES]);
// Writes the shape of the fewest operations that pays, each call by itself, to SHAPE: of all shapes
// if all are known, else of the calls of the sizes that pay. False: none pays.
bool gmmu_blas_stats_pays(const gmmu_blas_stats *s, gmmu_blas_shape *shape);
// Sort the rows, most first: shapes by operations, lines by time, sides by bytes.
void gmmu_blas_stats_sort(gmmu_blas_stats *s);

// Who touched memory last, for as many ranges as there are slots: the newest of those that overlap.
enum { GMMU_BLAS_TOUCHES = 512 };
typedef struct {
    struct {
        uint64_t start, last, when;  // WHEN 0: nothing
        uint32_t site;
    } slot[GMMU_BLAS_TOUCHES];
    uint64_t now;
} gmmu_blas_touches;

void gmmu_blas_touched(gmmu_blas_touches *t, uint64_t start, uint64_t last, uint32_t site);
// False: nobody that is known.
bool gmmu_blas_toucher(const gmmu_blas_touches *t, uint64_t start, uint64_t last, uint32_t *site);

#ifdef __cplusplus
}
#endif
#endif
