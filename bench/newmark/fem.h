// SPDX-License-Identifier: Apache-2.0
// fem.h: a cuboid of linear elastic material, of cubes with eight nodes (trilinear shape functions,
// two Gauss points a direction), clamped where z = 0.
//
// Without units: cubes have edges of 1, density 1, Young's modulus 1, Poisson's ratio 0.3.
#ifndef NEWMARK_FEM_H
#define NEWMARK_FEM_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { FEM_ELEMENT = 24 };  // unknowns of a cube: three of each node

// The cubes [lo, hi) of each direction, with their nodes lo to hi.
typedef struct {
    unsigned lo[3], hi[3];
} fem_box;

// Nodes; unknowns: three times as many.
size_t fem_nodes(const fem_box *b);
// The number of node (x, y, z) within B, which has it.
size_t fem_node(const fem_box *b, const unsigned at[3]);
bool fem_has(const fem_box *b, const unsigned at[3]);

// The stiffness of a cube; node n is at (n & 1, n >> 1 & 1, n >> 2).
void fem_stiffness(double k[FEM_ELEMENT][FEM_ELEMENT]);
// Of B's unknowns, row-major: stiffness K, and the diagonal of the mass, lumped at nodes. Clamped
// unknowns have no stiffness and no coupling.
void fem_assemble(const fem_box *b, double *k, double *mass);
// A load of 1, shared by the nodes of the face z = TOP, downwards in x; F is of B's unknowns.
void fem_load(const fem_box *b, const unsigned size[3], double *f);

#ifdef __cplusplus
}
#endif
#endif
