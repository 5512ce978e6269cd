// SPDX-License-Identifier: Apache-2.0
// fem.c: see fem.h.
#include "newmark/fem.h"

#include <math.h>
#include <string.h>

enum { NODES = 8, STRAINS = 6, POINTS = 8 };

size_t fem_nodes(const fem_box *b) {
    size_t n = 1;
    for (int d = 0; d < 3; d++) n *= b->hi[d] - b->lo[d] + 1;
    return n;
}

size_t fem_node(const fem_box *b, const unsigned at[3]) {
    const size_t wide = b->hi[0] - b->lo[0] + 1, deep = b->hi[1] - b->lo[1] + 1;
    return at[0] - b->lo[0] + wide * (at[1] - b->lo[1] + deep * (at[2] - b->lo[2]));
}

bool fem_has(const fem_box *b, const unsigned at[3]) {
    for (int d = 0; d < 3; d++)
        if (at[d] < b->lo[d] || at[d] > b->hi[d])
            return false;
    return true;
}

// Stress from strain, engineering shear strains.
static void material(double c[STRAINS][STRAINS]) {
    const double e = 1, nu = 0.3;
    const double lambda = e * nu / ((1 + nu) * (1 - 2 * nu)), mu = e / (2 * (1 + nu));
    memset(c, 0, STRAINS * sizeof c[0]);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) c[i][j] = lambda;
        c[i][i] += 2 * mu;
        c[i + 3][i + 3] = mu;
    }
}

// Strains (xx, yy, zz, yz, zx, xy) of the 24 displacements, at a Gauss point.
static void strains(int point, double b[STRAINS][FEM_ELEMENT]) {
    const double at = 1 / sqrt(3.0);
    double p[3];
    for (int d = 0; d < 3; d++) p[d] = point >> d & 1 ? at : -at;
    memset(b, 0, STRAINS * sizeof b[0]);
    for (int n = 0; n < NODES; n++) {
        double g[3];  // the shape function's gradient; an edge is 1, the reference's 2
        for (int d = 0; d < 3; d++) {
            g[d] = n >> d & 1 ? 1.0 / 4 : -1.0 / 4;
            for (int o = 0; o < 3; o++)
                if (o != d)
                    g[d] *= 1 + (n >> o & 1 ? p[o] : -p[o]);
        }
        const int x = 3 * n, y = x + 1, z = x + 2;
        b[0][x] = b[4][z] = b[5][y] = g[0];
        b[1][y] = b[3][z] = b[5][x] = g[1];
        b[2][z] = b[3][y] = b[4][x] = g[2];
    }
}

void fem_stiffness(double k[FEM_ELEMENT][FEM_ELEMENT]) {
    double c[STRAINS][STRAINS], b[STRAINS][FEM_ELEMENT];
    material(c);
    memset(k, 0, FEM_ELEMENT * sizeof k[0]);
    for (int point = 0; point < POINTS; point++) {
        strains(point, b);
        for (int i = 0; i < FEM_ELEMENT; i++)
            for (int s = 0; s < STRAINS; s++) {
                double stress = 0;
                for (int t = 0; t < STRAINS; t++) stress += c[s][t] * b[t][i];
                for (int j = 0; j < FEM_ELEMENT; j++)
                    k[i][j] += stress * b[s][j] / POINTS;  // the cube's volume is 1
            }
    }
}

// The place of node N of the cube at C, and whether it is clamped.
static bool corner(const unsigned c[3], int n, unsigned at[3]) {
    for (int d = 0; d < 3; d++) at[d] = c[d] + (unsigned)(n >> d & 1);
    return at[2] == 0;
}

static void add_cube(const fem_box *b, const unsigned c[3], double e[FEM_ELEMENT][FEM_ELEMENT],
                     double *k, double *mass) {
    const size_t size = 3 * fem_nodes(b);
    for (int n = 0; n < NODES; n++) {
        unsigned at[3];
        const bool clamped = corner(c, n, at);
        const size_t row = 3 * fem_node(b, at);
        for (size_t d = 0; d < 3; d++) mass[row + d] += 1.0 / NODES;
        for (int m = 0; m < NODES; m++) {
            if (corner(c, m, at) || clamped)
                continue;
            const size_t column = 3 * fem_node(b, at);
            for (size_t i = 0; i < 3; i++)
                for (size_t j = 0; j < 3; j++)
                    k[(row + i) * size + column + j] += e[3 * n + (int)i][3 * m + (int)j];
        }
    }
}

void fem_assemble(const fem_box *b, double *k, double *mass) {
    const size_t size = 3 * fem_nodes(b);
    double e[FEM_ELEMENT][FEM_ELEMENT];
    fem_stiffness(e);
    memset(k, 0, size * size * sizeof *k);
    memset(mass, 0, size * sizeof *mass);
    unsigned c[3];
    for (c[2] = b->lo[2]; c[2] < b->hi[2]; c[2]++)
        for (c[1] = b->lo[1]; c[1] < b->hi[1]; c[1]++)
            for (c[0] = b->lo[0]; c[0] < b->hi[0]; c[0]++) add_cube(b, c, e, k, mass);
}

void fem_load(const fem_box *b, const unsigned size[3], double *f) {
    memset(f, 0, 3 * fem_nodes(b) * sizeof *f);
    if (b->hi[2] != size[2])
        return;
    unsigned c[3] = {0, 0, b->hi[2]};  // a quarter of each square's load is each of its nodes'
    for (c[1] = b->lo[1]; c[1] < b->hi[1]; c[1]++)
        for (c[0] = b->lo[0]; c[0] < b->hi[0]; c[0]++)
            for (unsigned n = 0; n < 4; n++) {
                const unsigned at[3] = {c[0] + (n & 1), c[1] + (n >> 1), c[2]};
                f[3 * fem_node(b, at)] += 1.0 / (4 * size[0] * size[1]);
            }
}
